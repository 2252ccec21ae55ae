"""Converts what stands within paragraphs: formulas, links, images, HTML tags, signs that mean something else here."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape, unescape

from site_builder.extensions.importing.conversion import Conversion, Dialect, replace
from site_builder.markup.segments import Segment, segments

_TEX = r"(?:\\.|\{[^{}]*\}|[^$\\\n]|\n(?![ \t>]*\n))"
_IN_BRACKETS = r"(?:\\.|[^\[\]\\]|\[(?:\\.|[^\[\]\\])*\](?:\([^()\s]*\))?)*"
_URL = r"(?:<[^<>\n]*>|(?:[^\s()<>\\]|\\.|\([^\s()]*\))*)"
_ENVIRONMENTS = "align|alignat|aligned|equation|gather|multline|eqnarray|cases|split|array|matrix|pmatrix|bmatrix"
_BRACKETED = r"(?:{0}\((?P<inline>(?:(?!\n[ \t>]*\n).)+?){0}\)|{0}\[(?P<bracketed>.+?){0}\])"
_ESCAPED: Mapping[Dialect, str] = {"kramdown": r"\\\\", "hugo": r"\\?\\", "notebook": r"\\?\\"}  # before ( and [
_PARTS = (
    r"(?P<literal><(?:https?|mailto|ftp):[^<>\s]*>)",
    r"(?P<tag></?(?P<name>[a-zA-Z][\w-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>)",
    r"(?P<double>\$\$(?P<double_tex>(?:\\.|(?!\$\$)[^\\])+?)\$\$)",
    rf"(?P<environment>\\begin\{{(?P<kind>(?:{_ENVIRONMENTS})(?:\\?\*)?)\}}.*?\\end\{{(?P=kind)\}})",
    rf"\$(?!\$)(?P<single>{_TEX}+?)\$(?![\d$])",
    rf"(?P<bang>!?)\[(?P<words>{_IN_BRACKETS})\]\(\s*(?P<url>{_URL})(?P<title>\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)",
    r"(?P<label>^ {0,3}\[[^\]^\n][^\]\n]*\]:[ \t]*)(?P<target><[^<>\n]*>|\S+)",
    r"(?P<escape>\\(?=\$\$)|\\(?:[^\n]|$))",
    r"(?P<sign>\$|^#{1,6}(?=[^\s#])|\]\((?=\{[{%]))",
)
_TEX_SIGN = re.compile(r"[\\^_{}]")
_WORD = re.compile(r"(?<![\\\w])[^\W\d_]{3,}")  # such as those between two prices
_ATTRIBUTE = re.compile(
    r"(\s(?P<name>href|src|poster|data)\s*=\s*)(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.IGNORECASE
)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")
_DOUBLED = re.compile(r"\\{4}|\\\\(?:[{}]|[a-z]{3})|\\_")
_KRAMDOWN_ESCAPE = re.compile(r"\\([\\|_*])")
_ENTITY = re.compile(r"&(?:#\d+|#x[\da-fA-F]+|[a-zA-Z]+);")
_JINJA_IN_TEX = re.compile(r"\{([{%#])(?=\s)\s*")
_JINJA_START = re.compile(r"\{(?=[{%]|#[-+]?\s)")
_UNESCAPED = ":,;/%&?"  # characters that a backslash escapes in the source and not in posts


@cache
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    brackets = [_BRACKETED.format(_ESCAPED[dialect])] if dialect in _ESCAPED else []
    return re.compile("|".join([*_PARTS[:5], *brackets, *_PARTS[5:]]), re.DOTALL | re.MULTILINE)


def convert_spans(text: str, conversion: Conversion) -> str:
    """Convert a text without its code."""
    return replace(text, _pattern(conversion.dialect), _Converter(conversion).replacement)


def escape_jinja(text: str) -> str:
    """Escape the Jinja tags of a post; in formulas by a space, in other text by an entity."""
    for jinja in (False, True):  # what is escaped may begin or end a formula
        text = "".join(_without_jinja(each) for each in segments(text, jinja))
    return text


def _without_jinja(part: Segment) -> str:
    if part.kind in ("tex", "display"):
        return _escape_jinja_in_tex(part.text)
    return _JINJA_START.sub("&#123;", part.text) if part.kind in ("text", "jinja") else part.text


def _escape_jinja_in_tex(tex: str) -> str:
    """Remove the white space by which Jinja in TeX differs from braces."""
    return _JINJA_IN_TEX.sub(lambda found: "{{" if found[1] == "{" else f"{{ {found[1]}", tex)


class _Converter:
    """Gives the replacement for each part that the pattern finds; a part without a reader stays as it is."""

    def __init__(self, conversion: Conversion) -> None:
        self.conversion = conversion
        self.readers: Mapping[str, Callable[[re.Match[str]], str | tuple[str, int]]] = {
            "tag": self._tag,
            "double": self._double,
            "inline": lambda found: self._formula(self._mathjax_source(found["inline"]), False, found),
            "bracketed": lambda found: self._formula(self._mathjax_source(found["bracketed"]), True, found),
            "environment": lambda found: self._formula(self._mathjax_source(found[0]), True, found),
            "single": self._single,
            "url": self._link,
            "label": self._reference,
            "escape": self._escape,
            "sign": lambda found: f"\\{found[0]}",
        }

    def replacement(self, found: re.Match[str]) -> str | tuple[str, int]:
        """Return the text in place of a match."""
        groups = found.groupdict()
        reader = next((read for name, read in self.readers.items() if groups.get(name) is not None), None)
        return reader(found) if reader else found[0]

    # formulas

    def _double(self, found: re.Match[str]) -> str:
        tex = found["double_tex"]
        tex = self._mathjax_source(tex) if self.conversion.dialect == "hugo" else tex
        return self._formula(tex, self.conversion.dialect != "kramdown" or _is_paragraph(found), found)

    def _single(self, found: re.Match[str]) -> str | tuple[str, int]:
        tex = _without_entities(found["single"])
        if self._is_tex(tex):
            return self._formula(self._mathjax_source(tex), False, found)
        return "\\$", found.start() + 1

    def _is_tex(self, tex: str) -> bool:
        starts, ends = not tex[:1].isspace(), not tex[-1:].isspace()
        if self.conversion.dialect == "quarto":
            return starts and ends
        if self.conversion.dialect == "notebook" or not _WORD.search(tex):
            return starts == ends or bool(_TEX_SIGN.search(tex))
        return bool(_TEX_SIGN.search(tex)) and (starts or not ends or "\\" in tex)

    def _mathjax_source(self, tex: str) -> str:
        """TeX outside of $$ as MathJax gets it: kramdown removes some backslashes, Jupyter and Quarto none.

        Hugo removes them or not, as it is configured; so they are removed where TeX is meant without them.
        """
        dialect = self.conversion.dialect
        if dialect in ("notebook", "quarto") or (dialect == "hugo" and not _DOUBLED.search(tex)):
            return tex
        return _KRAMDOWN_ESCAPE.sub(r"\1", tex)

    def _formula(self, tex: str, is_display: bool, found: re.Match[str]) -> str:
        """A formula with its dollar signs; within a quotation or list it is written in one line."""
        tex = _without_entities(tex).replace('"', "”" if "“" in tex else "''")
        tex = re.sub(r"\n(?:[ \t>]*\n)+", "\n", _COMMENT.sub(r"\1", tex)).strip()
        if found.string[: found.start()].rpartition("\n")[2].strip():
            tex = re.sub(r"(?:^|\n)[ \t>]*", " " if is_display else "\n", tex).strip()
        signs = "$$" if is_display else "$"
        end = "\n" if is_display and "\n" in tex else ""
        return f"{signs}{end}{_escape_jinja_in_tex(tex)}{end}{signs}" if tex else r"\$\$"

    # links, images and HTML

    def _link(self, found: re.Match[str]) -> str:
        url, is_image = found["url"].removeprefix("<").removesuffix(">"), bool(found["bang"])
        words = convert_spans(found["words"], self.conversion)
        address = self._resolved(url, is_image, found)
        if address is None:
            return f"(missing image: {words or url})" if is_image else words
        shown = f"<{address}>" if re.search(r"[\s()]", address) else address
        return f"{found['bang']}[{words}]({shown}{found['title'] or ''})"

    def _reference(self, found: re.Match[str]) -> str:
        address = self._resolved(found["target"].removeprefix("<").removesuffix(">"), False, found)
        return f"{found['label']}{'#' if address is None else address}"

    def _tag(self, found: re.Match[str]) -> str:
        name = found["name"].lower()

        def attribute(each: re.Match[str]) -> str:
            url = unescape(each["double"] if each["double"] is not None else each["single"])
            address = self._resolved(url, name != "a", found)
            missing = f'{each[1]}"#"' if name == "a" else f' data-missing="{escape(url)}"'
            return missing if address is None else f'{each[1]}"{escape(address)}"'

        return _ATTRIBUTE.sub(attribute, found[0]).replace("$", "&#36;")

    def _resolved(self, url: str, is_image: bool, found: re.Match[str]) -> str | None:
        """The new address; one that is missing is reported, and None."""
        address = self.conversion.resolve(url)
        if address is None and is_image:
            self.conversion.report(found[0], f"there is no file {url}", "what it would show is named in its place")
        elif address is None:
            self.conversion.report(found[0], f"the link {url} leads nowhere here", "its words stay, without the link")
        return address

    # other signs

    def _escape(self, found: re.Match[str]) -> str:
        sign, after = found[0][1:], found.string[found.end() :]
        if not sign and after.startswith("$$"):  # kramdown: no displayed formula
            return ""
        if sign == "\\" and self.conversion.dialect == "kramdown" and after[:1] in ("\n", ""):
            return sign
        if sign and sign in "()[]" and self.conversion.dialect != "notebook":
            return f"&#{ord(sign)};"  # in posts \( and \[ begin a formula
        return sign if sign and sign in _UNESCAPED else found[0]


def _without_entities(tex: str) -> str:
    return _ENTITY.sub(lambda entity: unescape(entity[0]), tex)


def _is_paragraph(found: re.Match[str]) -> bool:
    """True when a formula of kramdown is a paragraph of its own."""
    before = re.search(r"(?:\A|\n[ \t>]*\n|\A[ \t>]*\n)[ \t>]*\Z", found.string[: found.start()])
    return bool(before and re.match(r"[ \t]*(?:\n[ \t>]*(?=\n|\Z|\{:)|\Z)", found.string[found.end() :]))
