"""One text in conversion: its settings, the code that stands aside meanwhile, and what was not converted."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from site_builder.errors import Place
from site_builder.markup.segments import segments

Dialect = Literal["kramdown", "notebook", "hugo", "quarto"]  # of Markdown; plain files are read as kramdown
_TEX_SIGN = re.compile(r"\$|\\(?=[(\[])")
_NO_TEX, _MARK, _MARK_END = "\ufde0", "\ufde1", "\ufde2"  # noncharacters, which no author types
_MARKED = re.compile(rf"{_MARK}(\d+){_MARK_END}")
_LANGUAGE = re.compile(r"(?P<signs>`{3,}|~{3,})[ \t]*(?P<words>\{?[ ]*\.?(?:language-)?(?P<name>[\w#+.-]*)[^\n]*)")
_CELL = re.compile(r"\{[A-Za-z]\w*[^{}]*\}$")
_CELL_OPTION = re.compile(r"^[ \t>]*(?:#|//|%%)\|.*\n", re.MULTILINE)
_INLINE_CELL = re.compile(r"`\{?(?:r|python)(?:\} ?| )[^`]+`")
_NOT_RUN = "not run: its code stands as text, without outputs"


class ImportNote(NamedTuple):
    """Something that could not be converted: its place, what it is, and what was done instead."""

    place: Place
    problem: str
    action: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.action}"


@dataclass
class Conversion:
    """Settings of the conversion of one text, and what it found out.

    source: the path of its file, for messages; raw: the text of that. resolve: link -> new link, or None where its
    target is missing.
    Found out: has_contents, whether the text requests a table of contents; notes.
    """

    source: str
    raw: str
    dialect: Dialect
    resolve: Callable[[str], str | None]
    has_contents: bool = False
    notes: list[ImportNote] = field(default_factory=list)
    _code: list[str] = field(default_factory=list)

    def report(self, words: str, problem: str, action: str) -> None:
        """Add a note on what could not be converted. words: of the source; its line is known where they stand once."""
        first, text = self.with_code(words).strip().partition("\n")[0].lower(), self.raw.lower()
        line = text.count("\n", 0, text.find(first)) + 1 if first and text.count(first) == 1 else 0
        self.notes.append(ImportNote(Place(self.source, line), problem, action))

    def without_code(self, text: str) -> str:
        """Return a text with a mark in place of each piece of code and comment in HTML."""
        pieces = []
        for part in segments(_TEX_SIGN.sub(_NO_TEX, text), jinja=False):
            piece = text[part.start : part.end]
            if part.kind != "text":
                self._code.append(self._converted(piece))
                piece = f"{_MARK}{len(self._code) - 1}{_MARK_END}"
            pieces.append(piece)
        return "".join(pieces)

    def with_code(self, text: str) -> str:
        """Return a text with the code in place of its marks."""
        return _MARKED.sub(lambda found: self.with_code(self._code[int(found[1])]), text)

    def _converted(self, code: str) -> str:
        """Code as posts have it: fences with a language and no other words, cells without their options."""
        if self.dialect == "quarto" and _INLINE_CELL.fullmatch(code):
            self.report(code, f"the expression {code}", "not run; it stands as code")
        fence = _LANGUAGE.match(code)
        if fence is None or "\n" not in code:
            return code
        words, name = fence["words"].strip(), fence["name"]
        if self.dialect == "quarto" and _CELL.match(words):
            self.report(code, f"a cell of {name}", _NOT_RUN)
            return _CELL_OPTION.sub("", f"{fence['signs']}{name.lower()}{code[fence.end() :]}")
        if words.strip("{ }.").removeprefix("language-") != name:
            self.report(code, f"the words {words!r} after the signs of a fence", f"only {name!r} is kept")
        return f"{fence['signs']}{name}{code[fence.end() :]}"


def replace(text: str, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str | tuple[str, int]]) -> str:
    """Replace what a pattern finds. replacement: match -> text, or a text and where the search goes on."""
    out, at = list[str](), 0
    while found := pattern.search(text, at):
        made = replacement(found)
        piece, end = made if isinstance(made, tuple) else (made, found.end())
        out += [text[at : found.start()], piece]
        at = end
    return "".join([*out, text[at:]])


def fenced(code: str, language: str) -> str:
    """Return code as a fenced block, whose fence is longer than every run of backticks in it."""
    longest = max((len(run) for run in re.findall("`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def figure(inside: str, caption: str) -> str:
    """Return a text as a figure with a caption; as it is without one."""
    if not (caption := " ".join(caption.split())):
        return inside
    return f'<figure markdown="1">\n\n{inside}\n\n<figcaption markdown="span">{caption}</figcaption>\n</figure>'


def quoted(head: str, inside: str) -> str:
    """Return a text as a note or fold: a quotation that begins with a mark such as [!note]."""
    return "\n".join([f"> {head}", *(f"> {line}".rstrip() for line in inside.split("\n"))])


def without_marks(words: str) -> str:
    """Return a caption as an alt text: without signs of emphasis, code and formulas."""
    return re.sub(r"[*_`$\\]", "", words)


def trimmed(text: str) -> str:
    """Return a text without blank lines at its start and white space at its end."""
    return re.sub(r"\A(?:[ \t]*\n)+|\s+\Z", "", text)
