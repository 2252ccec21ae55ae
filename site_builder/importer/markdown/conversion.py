"""Lines during a conversion, each with its line number in the source file, and the notes on what was not converted."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from site_builder.errors import Place, SiteError
from site_builder.markup.segments import Segment, segments

Dialect = Literal["kramdown", "notebook", "hugo", "quarto"]  # of Markdown; plain files are read as kramdown
MAX_LEVELS = 20  # of blocks inside each other; deeper ones stay as they are


class SourceLine(NamedTuple):
    """A line, and the number of the line of the source file from which it was made."""

    text: str
    number: int

    def changed(self, text: str) -> "SourceLine":
        """Return another text with the same number."""
        return SourceLine(text, self.number)


class ImportNote(NamedTuple):
    """Something that could not be converted: its place, what it is, and what was done instead."""

    place: Place
    problem: str
    action: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.action}"


@dataclass
class ConversionContext:
    """Settings of the conversion of one text, and what it found out.

    source: the path of its file, for messages. resolve: link -> new link, or None where its target is missing.
    all_dollars: whether everything between single dollars is TeX. anchors: anchors that some link refers to. macros:
    commands defined in TeX, each with its number of arguments and its body. alias_base: the old URL of the folder to
    which relative aliases refer. allow_hosts: of config.yaml. shift: by how many levels headings become deeper.

    Found out by the conversion: has_contents, whether the text requests a table of contents; single_dollars, the lines
    with formulas between single dollars; notes; more macros.
    """

    source: str
    resolve: Callable[[str], str | None]
    dialect: Dialect
    all_dollars: bool = False
    anchors: frozenset[str] = frozenset()
    macros: dict[str, tuple[int, str]] = field(default_factory=dict)
    alias_base: str = ""
    allow_hosts: Collection[str] = ()
    shift: int = 0
    has_contents: bool = False
    single_dollars: list[int] = field(default_factory=list)
    notes: list[ImportNote] = field(default_factory=list)

    @property
    def is_commonmark(self) -> bool:
        """True when the text is CommonMark, with TeX as it is written, and not kramdown."""
        return self.dialect != "kramdown"

    def report(self, line: int, problem: str, action: str) -> None:
        """Add a note on what could not be converted."""
        self.notes.append(ImportNote(Place(self.source, line), problem, action))


def split_lines(text: str, first: int) -> list[SourceLine]:
    """Split a text into lines, numbered from `first` on."""
    return [SourceLine(line, first + count) for count, line in enumerate(text.split("\n"))]


def join_lines(lines: Iterable[SourceLine]) -> str:
    """Return the lines as one text."""
    return "\n".join(line.text for line in lines)


def number_lines(text: str, numbers: Sequence[int]) -> list[SourceLine]:
    """Split a text into lines with these numbers; the last number is repeated for further lines."""
    return [SourceLine(line, numbers[min(count, len(numbers) - 1)]) for count, line in enumerate(text.split("\n"))]


def number_at(text: str, numbers: Sequence[int], at: int) -> int:
    """Return the number of the line with an offset of a text whose lines have these numbers, as in `number_lines`."""
    return numbers[min(text.count("\n", 0, at), len(numbers) - 1)]


def replace_in_text(
    lines: Sequence[SourceLine], pattern: re.Pattern[str], replacement: Callable[[re.Match[str], int], str]
) -> list[SourceLine]:
    """Replace what a pattern finds outside of code, formulas and comments.

    replacement: the found text and the number of its line -> a text of as many lines.
    """
    numbers = [line.number for line in lines]

    def replaced(part: Segment) -> str:
        return pattern.sub(lambda found: replacement(found, number_in(part, found.start())), part.text)

    def number_in(part: Segment, at: int) -> int:
        return numbers[part.line - 1 + part.text.count("\n", 0, at)]

    parts = segments(join_lines(lines), jinja=False)
    return number_lines("".join(replaced(part) if part.kind == "text" else part.text for part in parts), numbers)


def without_blank_ends(lines: Iterable[SourceLine]) -> list[SourceLine]:
    """Return the lines without blank ones at their start and end."""
    lines = list(lines)
    filled = [at for at, line in enumerate(lines) if line.text.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def fence_for(code: Iterable[SourceLine]) -> str:
    """Return a code fence that is longer than every run of backticks in the code."""
    return "`" * (max((len(run) for line in code for run in re.findall("`{3,}", line.text)), default=2) + 1)


def at_source(error: SiteError, lines: Sequence[SourceLine], source: str) -> SiteError:
    """Return an error in converted lines as one in the source file, at the line from which its line was made."""
    line = lines[min(error.place.line, len(lines)) - 1].number if error.place.line else 0
    return SiteError(Place(source, line), error.message, error.cure)
