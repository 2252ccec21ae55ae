"""Converts inline Markdown and tables of kramdown, notebooks, Hugo and Quarto to those of posts."""

import re
from collections.abc import Sequence
from html import escape, unescape
from urllib.parse import urlsplit

from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, join_lines, number_at, number_lines
from site_builder.importer.markdown.mathjax import ENVIRONMENT, convert_formula, escape_jinja_in_tex, mathjax_source
from site_builder.importer.markdown.patterns import COMMENT, COMMENT_END, TABLE_FOOT, TABLE_RULE
from site_builder.markup.segments import segments
from site_builder.posts.media import MediaProblem, media_in

_URL = r"(?:<[^<>\n]*>|(?:[^\s()<>\\]|\\.|\([^\s()]*\))*)"
_LINK_END = re.compile(rf"\]\(\s*(?P<url>{_URL})(?P<title>\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][\w-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_ATTRIBUTE = re.compile(
    r"(\s(?P<name>href|src|poster|data)\s*=\s*)(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.I
)
_COMMENT_OR_AUTOLINK = re.compile(r"<!--.*?-->|<(?:https?|mailto|ftp):[^<>\s]*>|<[\w.+-]+@[\w.-]+>", re.DOTALL)
_LITERAL = re.compile(r"<(pre|code|script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_BARE_URL = re.compile(r"(?<![\w/<(\"'=\[])https?://[^\s<>()\[\]\"'`]*[\w/=&#-]")
_TOKEN = re.compile(r"[\\`$<\[\]{~h!]")
_KRAMDOWN_TEX = re.compile(r"\\\\\((?P<inline>.+?)\\\\\)|\\\\\[(?P<display>.+?)\\\\\]", re.DOTALL)
_NOTEBOOK_TEX = re.compile(r"\\?\\\((?P<inline>.+?)\\?\\\)|\\?\\\[(?P<display>.+?)\\?\\\]", re.DOTALL)
_DOUBLE = re.compile(r"\$\$(?P<tex>.*?)\$\$", re.DOTALL)
_SINGLE = re.compile(r"\$(?!\$)(?P<tex>(?:\\.|\{[^{}]*\}|[^$\\])+?)\$(?!\d)", re.DOTALL)
_LOOKS_LIKE_TEX = re.compile(r"[\\^_{}]|^\s*\w\s*$|^\s*[A-Za-z]\s*(?:[=<>+*/-]|\()", re.DOTALL)
_ATTRIBUTE_LIST = re.compile(r"\{:(?![:/])[^{}\n]*\}")
_STRIKETHROUGH = re.compile(r"~~(?=\S)(?P<text>[^~\n]+?)(?<=\S)~~")
_EXTENSION = re.compile(r"\{::?/?(?:nomarkdown|comment|options|:)?[^{}]*/?\}")
_JINJA_START = re.compile(r"\{(?=[{%#])")
# Characters that a backslash escapes in kramdown and not in posts.
_ESCAPES = {":": ":", "=": "=", "<": "&lt;", '"': "&quot;", "'": "&#39;"}
_FRAME = re.compile(r"<iframe\b[^<>]*>(?:.*?</iframe\s*>)?", re.DOTALL | re.IGNORECASE)


def convert_spans(lines: Sequence[SourceLine], context: ConversionContext, in_html: bool = False) -> list[SourceLine]:
    """Convert the lines of one paragraph, heading or table. in_html: whether they are raw HTML."""
    converter = _SpanConverter(join_lines(lines), [line.number for line in lines], context, in_html)
    return number_lines(converter.convert(), converter.numbers)


def convert_table(rows: Sequence[SourceLine], context: ConversionContext) -> list[SourceLine] | None:
    """Convert the rows of a table to one with a header row and without a foot; None if they are no table."""
    is_rule = [TABLE_RULE.match(row.text) is not None for row in rows]
    if not any(is_rule) and (context.is_commonmark or not rows[0].text.lstrip().startswith("|")):
        return None
    for row in rows:
        if TABLE_FOOT.match(row.text):
            context.report(row.number, "the foot of a table", "its rows stand in the table as others do")
    inside = list(rows[1:] if is_rule[0] else rows)  # kramdown allows a rule above the first row
    inside = [row for row in inside if not TABLE_FOOT.match(row.text)]
    rules = [row for row in inside if TABLE_RULE.match(row.text)]
    filled = [row for row in inside if row not in rules]
    if not filled:
        return None
    converted = convert_spans(filled, context)
    for row in rules[1:]:
        context.report(row.number, "a line between the parts of a table", "left out")
    if rules and inside[0] not in rules:
        return [converted[0], SourceLine(rules[0].text.replace("+", "|"), rules[0].number), *converted[1:]]
    cells = max(row.text.strip().strip("|").count("|") + 1 for row in inside)
    number = rows[0].number
    return [SourceLine("|" + "  |" * cells, number), SourceLine("|" + "--|" * cells, number), *converted]


def escape_jinja(text: str) -> str:
    """Escape every start of a Jinja tag."""
    return _JINJA_START.sub("&#123;", text)


def escape_jinja_in_post(text: str) -> str:
    """Escape the Jinja tags of a post; in formulas by a space, in other text by an entity."""
    escaped = "".join(escape_jinja(each.text) if each.kind == "text" else each.text for each in segments(text, False))
    escapes = {"tex": escape_jinja_in_tex, "display": escape_jinja_in_tex, "jinja": escape_jinja}
    return "".join(escapes.get(each.kind, str)(each.text) for each in segments(escaped, True))


class _SpanConverter:
    """Converts the text of one paragraph, token by token. Each reader returns the index at which the rest starts."""

    def __init__(self, source: str, numbers: list[int], context: ConversionContext, in_html: bool) -> None:
        self.source, self.numbers, self.context, self.in_html = source, numbers, context, in_html
        self.pieces: list[str] = []
        self.openings: list[int] = []  # indices in `pieces` of opening brackets

    def convert(self) -> str:
        """Return the text in the language of posts."""
        readers = {"\\": self._backslash, "`": self._code, "$": self._dollar, "<": self._html, "[": self._open_bracket}
        readers |= {"!": self._open_bracket, "]": self._close_bracket, "{": self._open_brace}
        readers |= {"~": self._strikethrough, "h": self._bare_url}
        at = 0
        while found := _TOKEN.search(self.source, at):
            start = found.start()
            self.pieces.append(self.source[at:start])
            at = readers[found[0]](start)
            if at == start:
                self.pieces.append(found[0])
                at += 1
        return "".join([*self.pieces, self.source[at:]])

    def _report(self, at: int, problem: str, action: str) -> None:
        self.context.report(number_at(self.source, self.numbers, at), problem, action)

    def _backslash(self, at: int) -> int:
        pattern = _NOTEBOOK_TEX if self.context.is_commonmark else _KRAMDOWN_TEX
        if self.context.dialect != "quarto" and (found := pattern.match(self.source, at)):
            tex = found["inline"] or found["display"]
            return self._formula(mathjax_source(tex, self.context), bool(found["display"]), found.end())
        if found := ENVIRONMENT.match(self.source, at):
            tex, closing, _ = self.source[at:].partition(rf"\end{{{found['name']}}}")
            if closing:
                tex += closing
                return self._formula(mathjax_source(tex, self.context), True, at + len(tex))
        following = self.source[at + 1 : at + 2]
        if following == "\\" and self.source[at + 2 : at + 3] in ("\n", "") and not self.context.is_commonmark:
            self.pieces.append("  ")  # a line break of kramdown
            return at + 2
        if following == "\n" and self.context.is_commonmark:
            self.pieces.append("  ")
            return at + 1
        if following and following in "()[]" and self.context.dialect != "notebook":
            self.pieces.append(f"&#{ord(following)};")  # in posts \\( and \\[ begin a formula
            return at + 2
        self.pieces.append(_ESCAPES.get(following, f"\\{following}"))
        return at + 1 + len(following)

    def _code(self, at: int) -> int:
        signs = re.match("`+", self.source[at:])[0]  # type: ignore[index]
        closing = re.compile(rf"(?<!`){signs}(?!`)").search(self.source, at + len(signs))
        end = closing.end() if closing else at + len(signs)
        self.pieces.append(self.source[at:end])
        return end

    def _dollar(self, at: int) -> int:
        if found := _DOUBLE.match(self.source, at):
            tex = mathjax_source(found["tex"], self.context) if self.context.dialect == "hugo" else found["tex"]
            return self._formula(tex, self.in_html or self.context.is_commonmark, found.end())
        found = _SINGLE.match(self.source, at)
        if found and self._is_tex(found["tex"]):
            if self.context.dialect != "quarto":
                self.context.single_dollars.append(number_at(self.source, self.numbers, at))
            return self._formula(mathjax_source(found["tex"], self.context), False, found.end())
        self.pieces.append("\\$")
        return at + 1

    def _is_tex(self, tex: str) -> bool:
        if "\n\n" in tex:
            return False
        is_tight = not tex[:1].isspace() and not tex[-1:].isspace()
        if self.context.dialect == "notebook":
            return is_tight or (tex[:1].isspace() and tex[-1:].isspace()) or bool(_LOOKS_LIKE_TEX.search(tex))
        return is_tight and (
            self.context.all_dollars or self.context.dialect == "quarto" or bool(_LOOKS_LIKE_TEX.search(tex))
        )

    def _formula(self, tex: str, display: bool, end: int) -> int:
        formula = convert_formula(tex, display, self.context)
        self.pieces.append(formula)
        if formula and self.source[end : end + 1].isdigit():  # in posts, no digit may follow $x$
            self.pieces.append(f"&#{ord(self.source[end])};")
            return end + 1
        return end

    def _html(self, at: int) -> int:
        if found := _COMMENT_OR_AUTOLINK.match(self.source, at):
            self.pieces.append(found[0])
            return found.end()
        if self.source.startswith("<!--", at):  # never closed: plain text in kramdown
            self.pieces.append("&lt;!--")
            return at + 4
        tag = _TAG.match(self.source, at)
        if tag is None:
            return at
        name = tag["name"].lower()
        if name in ("script", "iframe", "img") and (refused := self._refused(tag[0])):
            element = {"script": _LITERAL, "iframe": _FRAME}.get(name, _TAG).match(self.source, at) or tag
            self.pieces.append(self._instead(name, tag[0], refused, at))
            return element.end()
        if literal_element := _LITERAL.match(self.source, at):
            self.pieces.append(literal_element[0])
            return literal_element.end()
        self.pieces.append(
            escape_jinja(_ATTRIBUTE.sub(lambda each: self._attribute(each, name, at), tag[0])).replace("$", "&#36;")
        )
        return tag.end()

    def _refused(self, tag: str) -> MediaProblem | None:
        """The part of this tag that a post may not load; None where there is none."""
        return next(iter(media_in([tag], self.context.allow_hosts).problems), None)

    def _instead(self, name: str, tag: str, problem: MediaProblem, at: int) -> str:
        """A link in place of a picture or frame of another host; nothing in place of a script."""
        src, words = (re.search(rf"\s(?:{key})\s*=\s*[\"']?([^\"'>]+)", tag, re.I) for key in ("src", "alt|title"))
        if name == "script" or not src:
            self._report(at, problem.message, "left out")
            return ""
        self._report(at, problem.message, f"a link to it stands there ({problem.cure})")
        return f'<a href="{src[1]}">{words[1] if words else src[1]}</a>'

    def _attribute(self, found: re.Match[str], tag: str, at: int) -> str:
        url = unescape(found["double"] if found["double"] is not None else found["single"])
        is_image = tag != "a"
        address = self.context.resolve(url)
        if address is None:
            self._report_missing(url, is_image, at)
            return found[1] + '"#"' if not is_image else f' data-missing="{escape(url)}"'
        return f'{found[1]}"{escape(address)}"'

    def _report_missing(self, url: str, is_image: bool, at: int) -> None:
        problem = f"there is no file {url}" if is_image else f"the link {url} leads nowhere here"
        action = "what it would show is named in its place" if is_image else "its words stay, without the link"
        self._report(at, problem, action)

    def _open_bracket(self, at: int) -> int:
        length = 2 if self.source[at] == "!" else 1
        if length == 2 and self.source[at + 1 : at + 2] != "[":
            return at
        self.openings.append(len(self.pieces))
        self.pieces.append(self.source[at : at + length])
        return at + length

    def _close_bracket(self, at: int) -> int:
        found = _LINK_END.match(self.source, at)
        opened = self.openings.pop() if self.openings else None
        if found is None and self.source.startswith("]({", at):  # a Liquid tag that stays: not an address
            self.pieces.append("]&#40;")
            return at + 2
        if found is None or opened is None:
            return at
        url = found["url"].removeprefix("<").removesuffix(">")
        is_image = self.pieces[opened].startswith("!")
        address = self.context.resolve(url)
        if address is None:
            self._report_missing(url, is_image, at)
            words = "".join(self.pieces[opened + 1 :])
            del self.pieces[opened:]
            self.pieces.append(f"(missing image: {words or url})" if is_image else words)
            attributes = _ATTRIBUTE_LIST.match(self.source, found.end())
            return (attributes or found).end()
        if is_image and (problem := self._refused(f'<img src="{escape(address)}">')):
            self._report(at, problem.message, f"a link to it stands there ({problem.cure})")
            words = "".join(self.pieces[opened + 1 :]) or urlsplit(address).netloc
            self.pieces[opened:] = ["[", words]
            if any(self.pieces[each] == "[" for each in self.openings):  # of a link around it
                self.pieces[opened:] = [words]
                return found.end()
        shown = f"<{address}>" if re.search(r"[\s()]", address) else address
        self.pieces.append(f"]({shown}{found['title'] or ''})")
        return found.end()

    def _open_brace(self, at: int) -> int:
        if not self.context.is_commonmark and not self.in_html and (found := _EXTENSION.match(self.source, at)):
            if (hidden := COMMENT.match(self.source, at)) and (end := COMMENT_END.search(self.source, hidden.end())):
                self._report(at, "a comment of kramdown", "left out")
                return end.end()
            if self.source.startswith(("{::", "{:/"), at):
                problem = f"the mark {found[0]} of kramdown is not known here"
                self._report(at, problem, "left out")
            else:
                self.pieces.append(found[0])
            return found.end()
        if self.source[at + 1 : at + 2] in ("{", "%", "#"):
            self.pieces.append("&#123;")
            return at + 1
        return at

    def _strikethrough(self, at: int) -> int:
        if found := _STRIKETHROUGH.match(self.source, at):
            self.pieces.append(f"<del>{escape_jinja(found['text'])}</del>")
            return found.end()
        return at

    def _bare_url(self, at: int) -> int:
        if self.context.is_commonmark and not self.in_html and (found := _BARE_URL.match(self.source, at)):
            self.pieces.append(f"<{found[0]}>")
            return found.end()
        return at
