"""What stands within a paragraph of kramdown, or of a notebook -> the same in the language of posts."""

import re
from collections.abc import Sequence
from html import escape, unescape

from site_builder.importer.markdown.block_marks import HIDDEN, HIDDEN_END
from site_builder.importer.markdown.lines import Line, Text, joined, numbered
from site_builder.importer.markdown.mathjax import ENVIRONMENT, formula, unescaped
from site_builder.markup.segments import Segment, segments

_URL = r"(?:<[^<>\n]*>|(?:[^\s()<>\\]|\\.|\([^\s()]*\))*)"
_LINK_END = re.compile(rf"\]\(\s*(?P<url>{_URL})(?P<title>\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][\w-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_ATTRIBUTE = re.compile(
    r"(\s(?P<name>href|src|poster|data)\s*=\s*)(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.I
)
_AUTOLINK = re.compile(r"<(?:https?|mailto|ftp):[^<>\s]*>|<[\w.+-]+@[\w.-]+>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LITERAL = re.compile(r"<(pre|code|script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_BARE = re.compile(r"(?<![\w/<(\"'=\[])https?://[^\s<>()\[\]\"'`]*[\w/=&#-]")
_SIGN = re.compile(r"[\\`$<\[\]{~h!]")
_KRAMDOWN_TEX = re.compile(r"\\\\\((?P<inline>.+?)\\\\\)|\\\\\[(?P<display>.+?)\\\\\]", re.DOTALL)
_NOTEBOOK_TEX = re.compile(r"\\?\\\((?P<inline>.+?)\\?\\\)|\\?\\\[(?P<display>.+?)\\?\\\]", re.DOTALL)
_DOUBLE = re.compile(r"\$\$(?P<tex>.*?)\$\$", re.DOTALL)
_SINGLE = re.compile(r"\$(?!\$)(?P<tex>(?:\\.|\{[^{}]*\}|[^$\\])+?)\$(?!\d)", re.DOTALL)
_LOOKS_LIKE_TEX = re.compile(r"[\\^_{}]|^\s*\w\s*$|^\s*[A-Za-z]\s*(?:[=<>+*/-]|\()", re.DOTALL)
_STRUCK = re.compile(r"~~(?=\S)(?P<text>[^~\n]+?)(?<=\S)~~")
_EXTENSION = re.compile(r"\{::?/?(?:nomarkdown|comment|options|:)?[^{}]*/?\}")
_OPEN_IN_TEX = re.compile(r"\{([{%#])(?=\s)[ \t\n]*")
_UNSAFE = re.compile(r"\{(?=[{%#])")
# What kramdown lets a backslash stand before, and the language of posts does not.
_ESCAPES = {":": ":", "=": "=", "<": "&lt;", '"': "&quot;", "'": "&#39;"}
_NO_SCRIPTS = "does not run on the pages of this site"
_UNWANTED = {"script": f"a script {_NO_SCRIPTS}", "iframe": "a frame with another site is not shown by pages here"}


def spans(lines: Sequence[Line], text: Text, in_html: bool = False) -> list[Line]:
    """The lines of one paragraph, heading or table. in_html: they are raw HTML."""
    writer = _Spans(joined(lines), [line.number for line in lines], text, in_html)
    return numbered(writer.written(), writer.numbers)


def harmless(text: str) -> str:
    """Text in which Jinja finds nothing."""
    return _UNSAFE.sub("&#123;", text)


def harmless_in_full(text: str) -> str:
    """The text of a post in which Jinja finds nothing, whatever stands around its braces."""
    made = "".join(harmless(piece.text) if piece.kind == "text" else piece.text for piece in segments(text, False))
    return "".join(_harmless_piece(piece) for piece in segments(made, True))


def _harmless_piece(piece: Segment) -> str:
    if piece.kind in ("tex", "display"):
        return _OPEN_IN_TEX.sub(lambda found: "{{" if found[1] == "{" else f"{{ {found[1]}", piece.text)
    return harmless(piece.text) if piece.kind == "jinja" else piece.text


class _Spans:
    def __init__(self, said: str, numbers: list[int], text: Text, in_html: bool) -> None:
        self.said, self.numbers, self.text, self.in_html = said, numbers, text, in_html
        self.pieces: list[str] = []
        self.openings: list[int] = []  # places in `pieces` at which a bracket was opened

    def written(self) -> str:
        """The text in the language of posts."""
        at = 0
        while found := _SIGN.search(self.said, at):
            self._put(self.said[at : found.start()])
            at = self._read(found[0], found.start())
        self._put(self.said[at:])
        return "".join(self.pieces)

    def _put(self, piece: str) -> None:
        self.pieces.append(piece)

    def _line(self, at: int) -> int:
        return self.numbers[min(self.said.count("\n", 0, at), len(self.numbers) - 1)]

    def _read(self, sign: str, at: int) -> int:
        """Write what begins at a sign; where the rest goes on."""
        readers = {"\\": self._backslash, "`": self._code, "$": self._dollar, "<": self._angle, "[": self._open}
        readers |= {"]": self._close, "{": self._brace, "~": self._tilde, "h": self._bare, "!": self._open}
        end = readers[sign](at)
        if end == at:
            self._put(sign)
            return at + 1
        return end

    def _backslash(self, at: int) -> int:
        if found := (_NOTEBOOK_TEX if self.text.is_notebook else _KRAMDOWN_TEX).match(self.said, at):
            tex = found["inline"] or found["display"]
            return self._formula(tex if self.text.is_notebook else unescaped(tex), bool(found["display"]), found.end())
        if found := ENVIRONMENT.match(self.said, at):
            closing = rf"\end{{{found['name']}}}"
            end = self.said.find(closing, at)
            if end >= 0:
                tex = self.said[at : end + len(closing)]
                return self._formula(tex if self.text.is_notebook else unescaped(tex), True, end + len(closing))
        following = self.said[at + 1 : at + 2]
        if following == "\\" and self.said[at + 2 : at + 3] in ("\n", "") and not self.text.is_notebook:
            self._put("  ")  # the end of a line, as kramdown writes it
            return at + 2
        self._put(_ESCAPES.get(following, f"\\{following}"))
        return at + 1 + len(following)

    def _code(self, at: int) -> int:
        signs = re.match("`+", self.said[at:])[0]  # type: ignore[index]
        closing = re.compile(rf"(?<!`){signs}(?!`)").search(self.said, at + len(signs))
        end = closing.end() if closing else at + len(signs)
        self._put(self.said[at:end])
        return end

    def _dollar(self, at: int) -> int:
        if self.in_html and self.said.startswith("$$", at) and (found := _DOUBLE.match(self.said, at)):
            return self._formula(found["tex"], True, found.end())
        if found := _DOUBLE.match(self.said, at):
            return self._formula(found["tex"], self.text.is_notebook, found.end())
        found = _SINGLE.match(self.said, at)
        if found and self._is_tex(found["tex"]):
            self.text.single_dollars.append(self._line(at))
            return self._formula(found["tex"] if self.text.is_notebook else unescaped(found["tex"]), False, found.end())
        self._put("\\$")
        return at + 1

    def _is_tex(self, tex: str) -> bool:
        if "\n\n" in tex:
            return False
        is_tight = not tex[:1].isspace() and not tex[-1:].isspace()
        if self.text.is_notebook:
            return is_tight or (tex[:1].isspace() and tex[-1:].isspace()) or bool(_LOOKS_LIKE_TEX.search(tex))
        return is_tight and (self.text.all_dollars or bool(_LOOKS_LIKE_TEX.search(tex)))

    def _formula(self, tex: str, display: bool, end: int) -> int:
        said = formula(tex, display, self.text)
        self._put(said)
        if said and self.said[end : end + 1].isdigit():  # after $x$ the language of posts lets no digit follow
            self._put(f"&#{ord(self.said[end])};")
            return end + 1
        return end

    def _angle(self, at: int) -> int:
        for literal in (_COMMENT, _AUTOLINK):
            if found := literal.match(self.said, at):
                self._put(found[0])
                return found.end()
        if self.said.startswith("<!--", at):  # never closed: text to kramdown
            self._put("&lt;!--")
            return at + 4
        tag = _TAG.match(self.said, at)
        if tag is None:
            return at
        name = tag["name"].lower()
        if name in _UNWANTED and not tag["close"]:
            self.text.note(self._line(at), _UNWANTED[name], "left as it is")
        if literal_element := _LITERAL.match(self.said, at):
            self._put(literal_element[0])
            return literal_element.end()
        self._put(harmless(_ATTRIBUTE.sub(lambda each: self._attribute(each, name, at), tag[0])).replace("$", "&#36;"))
        return tag.end()

    def _attribute(self, found: re.Match[str], tag: str, at: int) -> str:
        written = unescape(found["double"] if found["double"] is not None else found["single"])
        is_image = tag != "a"
        address = self.text.resolve(written, is_image, self._line(at))
        if address is None:
            self._dead(written, is_image, at)
            return found[1] + '"#"' if not is_image else f' data-missing="{escape(written)}"'
        return f'{found[1]}"{escape(address)}"'

    def _dead(self, written: str, is_image: bool, at: int) -> None:
        said = f"there is no file {written}" if is_image else f"the link {written} leads nowhere here"
        done = "what it would show is named in its place" if is_image else "its words stay, without the link"
        self.text.note(self._line(at), said, done)

    def _open(self, at: int) -> int:
        length = 2 if self.said[at] == "!" else 1
        if length == 2 and self.said[at + 1 : at + 2] != "[":
            return at
        self.openings.append(len(self.pieces))
        self._put(self.said[at : at + length])
        return at + length

    def _close(self, at: int) -> int:
        found = _LINK_END.match(self.said, at)
        opened = self.openings.pop() if self.openings else None
        if found is None and self.said.startswith("]({", at):  # Liquid that stays: no address, whatever it holds
            self._put("]&#40;")
            return at + 2
        if found is None or opened is None:
            return at
        written = found["url"].removeprefix("<").removesuffix(">")
        is_image = self.pieces[opened].startswith("!")
        address = self.text.resolve(written, is_image, self._line(found.start("url")))
        if address is None:
            self._dead(written, is_image, at)
            words = "".join(self.pieces[opened + 1 :])
            del self.pieces[opened:]
            self._put(f"(missing image: {words or written})" if is_image else words)
            return self._past_attributes(found.end())
        shown = f"<{address}>" if re.search(r"[\s()]", address) else address
        self._put(f"]({shown}{found['title'] or ''})")
        return found.end()

    def _past_attributes(self, at: int) -> int:
        attributes = re.compile(r"\{:(?![:/])[^{}\n]*\}").match(self.said, at)
        return attributes.end() if attributes else at

    def _brace(self, at: int) -> int:
        if not self.text.is_notebook and not self.in_html and (found := _EXTENSION.match(self.said, at)):
            if (hidden := HIDDEN.match(self.said, at)) and (end := HIDDEN_END.search(self.said, hidden.end())):
                self.text.note(self._line(at), "a comment of kramdown", "left out")
                return end.end()
            if self.said.startswith("{::", at) or self.said.startswith("{:/", at):
                self.text.note(self._line(at), f"the mark {found[0]} of kramdown is not known here", "left out")
                return found.end()
            self._put(found[0])
            return found.end()
        if self.said[at + 1 : at + 2] in ("{", "%", "#"):
            self._put("&#123;")
            return at + 1
        return at

    def _tilde(self, at: int) -> int:
        if found := _STRUCK.match(self.said, at):
            self._put(f"<del>{harmless(found['text'])}</del>")
            return found.end()
        return at

    def _bare(self, at: int) -> int:
        if self.text.is_notebook and not self.in_html and (found := _BARE.match(self.said, at)):
            self._put(f"<{found[0]}>")
            return found.end()
        return at
