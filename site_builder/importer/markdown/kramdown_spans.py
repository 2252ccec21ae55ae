"""Converts the inline Markdown of kramdown or of a notebook to that of posts: links, formulas, code, HTML tags."""

import re
from collections.abc import Sequence
from html import escape, unescape

from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, join_lines, number_lines
from site_builder.importer.markdown.mathjax import ENVIRONMENT, convert_formula, mathjax_source
from site_builder.importer.markdown.patterns import COMMENT, COMMENT_END
from site_builder.markup.segments import Segment, segments

_URL = r"(?:<[^<>\n]*>|(?:[^\s()<>\\]|\\.|\([^\s()]*\))*)"
_LINK_END = re.compile(rf"\]\(\s*(?P<url>{_URL})(?P<title>\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][\w-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_ATTRIBUTE = re.compile(
    r"(\s(?P<name>href|src|poster|data)\s*=\s*)(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.I
)
_AUTOLINK = re.compile(r"<(?:https?|mailto|ftp):[^<>\s]*>|<[\w.+-]+@[\w.-]+>")
_HTML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LITERAL = re.compile(r"<(pre|code|script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_BARE_URL = re.compile(r"(?<![\w/<(\"'=\[])https?://[^\s<>()\[\]\"'`]*[\w/=&#-]")
_TOKEN = re.compile(r"[\\`$<\[\]{~h!]")
_KRAMDOWN_TEX = re.compile(r"\\\\\((?P<inline>.+?)\\\\\)|\\\\\[(?P<display>.+?)\\\\\]", re.DOTALL)
_NOTEBOOK_TEX = re.compile(r"\\?\\\((?P<inline>.+?)\\?\\\)|\\?\\\[(?P<display>.+?)\\?\\\]", re.DOTALL)
_DOUBLE = re.compile(r"\$\$(?P<tex>.*?)\$\$", re.DOTALL)
_SINGLE = re.compile(r"\$(?!\$)(?P<tex>(?:\\.|\{[^{}]*\}|[^$\\])+?)\$(?!\d)", re.DOTALL)
_LOOKS_LIKE_TEX = re.compile(r"[\\^_{}]|^\s*\w\s*$|^\s*[A-Za-z]\s*(?:[=<>+*/-]|\()", re.DOTALL)
_STRIKETHROUGH = re.compile(r"~~(?=\S)(?P<text>[^~\n]+?)(?<=\S)~~")
_EXTENSION = re.compile(r"\{::?/?(?:nomarkdown|comment|options|:)?[^{}]*/?\}")
_JINJA_IN_TEX = re.compile(r"\{([{%#])(?=\s)[ \t\n]*")
_JINJA_START = re.compile(r"\{(?=[{%#])")
# Characters that a backslash escapes in kramdown and not in posts.
_ESCAPES = {":": ":", "=": "=", "<": "&lt;", '"': "&quot;", "'": "&#39;"}
_NO_SCRIPTS = "does not run on the pages of this site"
_UNSUPPORTED = {"script": f"a script {_NO_SCRIPTS}", "iframe": "a frame with another site is not shown by pages here"}


def convert_spans(lines: Sequence[SourceLine], context: ConversionContext, in_html: bool = False) -> list[SourceLine]:
    """Convert the lines of one paragraph, heading or table. in_html: whether they are raw HTML."""
    converter = _SpanConverter(join_lines(lines), [line.number for line in lines], context, in_html)
    return number_lines(converter.convert(), converter.numbers)


def escape_jinja(text: str) -> str:
    """Escape every start of a Jinja tag."""
    return _JINJA_START.sub("&#123;", text)


def escape_jinja_in_post(text: str) -> str:
    """Escape the Jinja tags of a post; in formulas by a space, in other text by an entity."""
    escaped = "".join(escape_jinja(each.text) if each.kind == "text" else each.text for each in segments(text, False))
    return "".join(_escape_segment(segment) for segment in segments(escaped, True))


def _escape_segment(segment: Segment) -> str:
    if segment.kind in ("tex", "display"):
        return _JINJA_IN_TEX.sub(lambda found: "{{" if found[1] == "{" else f"{{ {found[1]}", segment.text)
    return escape_jinja(segment.text) if segment.kind == "jinja" else segment.text


class _SpanConverter:
    """Converts the text of one paragraph, token by token. Each reader returns the index at which the rest starts."""

    def __init__(self, source: str, numbers: list[int], context: ConversionContext, in_html: bool) -> None:
        self.source, self.numbers, self.context, self.in_html = source, numbers, context, in_html
        self.pieces: list[str] = []
        self.openings: list[int] = []  # indices in `pieces` of opening brackets

    def convert(self) -> str:
        """Return the text in the language of posts."""
        at = 0
        while found := _TOKEN.search(self.source, at):
            self._write(self.source[at : found.start()])
            at = self._convert_at(found[0], found.start())
        self._write(self.source[at:])
        return "".join(self.pieces)

    def _write(self, piece: str) -> None:
        self.pieces.append(piece)

    def _line_number(self, at: int) -> int:
        return self.numbers[min(self.source.count("\n", 0, at), len(self.numbers) - 1)]

    def _convert_at(self, sign: str, at: int) -> int:
        """Convert what starts at this sign; return where the rest of the text starts."""
        readers = {"\\": self._backslash, "`": self._code, "$": self._dollar, "<": self._html, "[": self._open_bracket}
        readers |= {
            "]": self._close_bracket,
            "{": self._open_brace,
            "~": self._strikethrough,
            "h": self._bare_url,
            "!": self._open_bracket,
        }
        end = readers[sign](at)
        if end == at:
            self._write(sign)
            return at + 1
        return end

    def _backslash(self, at: int) -> int:
        if found := (_NOTEBOOK_TEX if self.context.is_notebook else _KRAMDOWN_TEX).match(self.source, at):
            tex = found["inline"] or found["display"]
            return self._formula(mathjax_source(tex, self.context), bool(found["display"]), found.end())
        if found := ENVIRONMENT.match(self.source, at):
            closing = rf"\end{{{found['name']}}}"
            end = self.source.find(closing, at)
            if end >= 0:
                tex = self.source[at : end + len(closing)]
                return self._formula(mathjax_source(tex, self.context), True, end + len(closing))
        following = self.source[at + 1 : at + 2]
        if following == "\\" and self.source[at + 2 : at + 3] in ("\n", "") and not self.context.is_notebook:
            self._write("  ")  # a line break of kramdown
            return at + 2
        self._write(_ESCAPES.get(following, f"\\{following}"))
        return at + 1 + len(following)

    def _code(self, at: int) -> int:
        signs = re.match("`+", self.source[at:])[0]  # type: ignore[index]
        closing = re.compile(rf"(?<!`){signs}(?!`)").search(self.source, at + len(signs))
        end = closing.end() if closing else at + len(signs)
        self._write(self.source[at:end])
        return end

    def _dollar(self, at: int) -> int:
        if self.in_html and self.source.startswith("$$", at) and (found := _DOUBLE.match(self.source, at)):
            return self._formula(found["tex"], True, found.end())
        if found := _DOUBLE.match(self.source, at):
            return self._formula(found["tex"], self.context.is_notebook, found.end())
        found = _SINGLE.match(self.source, at)
        if found and self._is_tex(found["tex"]):
            self.context.single_dollars.append(self._line_number(at))
            return self._formula(mathjax_source(found["tex"], self.context), False, found.end())
        self._write("\\$")
        return at + 1

    def _is_tex(self, tex: str) -> bool:
        if "\n\n" in tex:
            return False
        is_tight = not tex[:1].isspace() and not tex[-1:].isspace()
        if self.context.is_notebook:
            return is_tight or (tex[:1].isspace() and tex[-1:].isspace()) or bool(_LOOKS_LIKE_TEX.search(tex))
        return is_tight and (self.context.all_dollars or bool(_LOOKS_LIKE_TEX.search(tex)))

    def _formula(self, tex: str, display: bool, end: int) -> int:
        formula = convert_formula(tex, display, self.context)
        self._write(formula)
        if formula and self.source[end : end + 1].isdigit():  # in posts, no digit may follow $x$
            self._write(f"&#{ord(self.source[end])};")
            return end + 1
        return end

    def _html(self, at: int) -> int:
        for literal in (_HTML_COMMENT, _AUTOLINK):
            if found := literal.match(self.source, at):
                self._write(found[0])
                return found.end()
        if self.source.startswith("<!--", at):  # never closed: plain text in kramdown
            self._write("&lt;!--")
            return at + 4
        tag = _TAG.match(self.source, at)
        if tag is None:
            return at
        name = tag["name"].lower()
        if name in _UNSUPPORTED and not tag["close"]:
            self.context.report(self._line_number(at), _UNSUPPORTED[name], "left as it is")
        if literal_element := _LITERAL.match(self.source, at):
            self._write(literal_element[0])
            return literal_element.end()
        self._write(
            escape_jinja(_ATTRIBUTE.sub(lambda each: self._attribute(each, name, at), tag[0])).replace("$", "&#36;")
        )
        return tag.end()

    def _attribute(self, found: re.Match[str], tag: str, at: int) -> str:
        url = unescape(found["double"] if found["double"] is not None else found["single"])
        is_image = tag != "a"
        address = self.context.resolve(url, is_image, self._line_number(at))
        if address is None:
            self._report_missing(url, is_image, at)
            return found[1] + '"#"' if not is_image else f' data-missing="{escape(url)}"'
        return f'{found[1]}"{escape(address)}"'

    def _report_missing(self, url: str, is_image: bool, at: int) -> None:
        problem = f"there is no file {url}" if is_image else f"the link {url} leads nowhere here"
        action = "what it would show is named in its place" if is_image else "its words stay, without the link"
        self.context.report(self._line_number(at), problem, action)

    def _open_bracket(self, at: int) -> int:
        length = 2 if self.source[at] == "!" else 1
        if length == 2 and self.source[at + 1 : at + 2] != "[":
            return at
        self.openings.append(len(self.pieces))
        self._write(self.source[at : at + length])
        return at + length

    def _close_bracket(self, at: int) -> int:
        found = _LINK_END.match(self.source, at)
        opened = self.openings.pop() if self.openings else None
        if found is None and self.source.startswith("]({", at):  # a Liquid tag that stays: not an address
            self._write("]&#40;")
            return at + 2
        if found is None or opened is None:
            return at
        url = found["url"].removeprefix("<").removesuffix(">")
        is_image = self.pieces[opened].startswith("!")
        address = self.context.resolve(url, is_image, self._line_number(found.start("url")))
        if address is None:
            self._report_missing(url, is_image, at)
            words = "".join(self.pieces[opened + 1 :])
            del self.pieces[opened:]
            self._write(f"(missing image: {words or url})" if is_image else words)
            return self._skip_attributes(found.end())
        shown = f"<{address}>" if re.search(r"[\s()]", address) else address
        self._write(f"]({shown}{found['title'] or ''})")
        return found.end()

    def _skip_attributes(self, at: int) -> int:
        attributes = re.compile(r"\{:(?![:/])[^{}\n]*\}").match(self.source, at)
        return attributes.end() if attributes else at

    def _open_brace(self, at: int) -> int:
        if not self.context.is_notebook and not self.in_html and (found := _EXTENSION.match(self.source, at)):
            if (hidden := COMMENT.match(self.source, at)) and (end := COMMENT_END.search(self.source, hidden.end())):
                self.context.report(self._line_number(at), "a comment of kramdown", "left out")
                return end.end()
            if self.source.startswith("{::", at) or self.source.startswith("{:/", at):
                self.context.report(
                    self._line_number(at), f"the mark {found[0]} of kramdown is not known here", "left out"
                )
                return found.end()
            self._write(found[0])
            return found.end()
        if self.source[at + 1 : at + 2] in ("{", "%", "#"):
            self._write("&#123;")
            return at + 1
        return at

    def _strikethrough(self, at: int) -> int:
        if found := _STRIKETHROUGH.match(self.source, at):
            self._write(f"<del>{escape_jinja(found['text'])}</del>")
            return found.end()
        return at

    def _bare_url(self, at: int) -> int:
        if self.context.is_notebook and not self.in_html and (found := _BARE_URL.match(self.source, at)):
            self._write(f"<{found[0]}>")
            return found.end()
        return at
