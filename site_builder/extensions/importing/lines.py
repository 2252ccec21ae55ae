"""Lines of a text with their numbers in the source file, and the notes on what was not converted."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from site_builder.errors import Place, SiteError

Dialect = Literal["kramdown", "notebook", "hugo", "quarto"]  # of Markdown; plain files are read as kramdown
FRONT = r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*"  # of a line: indentation, signs of quotations and lists
_FENCE = re.compile(rf"(?P<front>{FRONT})(?P<signs>`{{3,}}|~{{3,}})(?P<words>[^`\n]*)$")


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


@dataclass(frozen=True)
class ImportOptions:
    """What all posts of one import share.

    all_dollars: whether everything between single dollars is TeX. keep_outputs: whether outputs of notebooks stay.
    anchors: those that some link refers to. claimed: paths in the site that are taken. allow_hosts: of config.yaml.
    """

    all_dollars: bool = False
    keep_outputs: bool = False
    anchors: frozenset[str] = frozenset()
    claimed: frozenset[str] = frozenset()
    allow_hosts: Collection[str] = ()


@dataclass
class ConversionContext:
    """Settings of the conversion of one text, and what it found out.

    source: the path of its file, for messages. resolve: link -> new link, or None where its target is missing.
    alias_base: the old URL of the folder to which relative aliases refer. Found out: has_contents, whether the text
    requests a table of contents; notes.
    """

    source: str
    resolve: Callable[[str], str | None]
    dialect: Dialect
    options: ImportOptions = ImportOptions()
    alias_base: str = ""
    has_contents: bool = False
    notes: list[ImportNote] = field(default_factory=list)

    def report(self, line: int, problem: str, action: str) -> None:
        """Add a note on what could not be converted."""
        self.notes.append(ImportNote(Place(self.source, line), problem, action))


def split_lines(text: str, first: int) -> list[SourceLine]:
    """Split a text into lines, numbered from `first` on."""
    return [SourceLine(line, first + count) for count, line in enumerate(text.split("\n"))]


def join_lines(lines: Iterable[SourceLine]) -> str:
    """Return the lines as one text."""
    return "\n".join(line.text for line in lines)


def replace(
    lines: Sequence[SourceLine],
    pattern: re.Pattern[str],
    replacement: Callable[[re.Match[str], int], str | tuple[str, int]],
) -> list[SourceLine]:
    """Replace what a pattern finds.

    replacement: the match and the number of its first line -> a text, or a text and the index at which the search goes
    on. The lines of a replacement have the numbers of the lines in whose place they stand.
    """
    text = join_lines(lines)
    out = [SourceLine("", lines[0].number)] if lines else []

    def write(piece: str, first: int, last: int) -> None:
        for count, part in enumerate(piece.split("\n")):
            number = lines[min(first + count, last)].number
            if count:
                out.append(SourceLine(part, number))
            else:
                out[-1] = SourceLine(out[-1].text + part, out[-1].number if out[-1].text else number)

    at = line = 0
    while lines and (found := pattern.search(text, at)):
        start = line + text.count("\n", at, found.start())
        write(text[at : found.start()], line, start)
        made = replacement(found, lines[start].number)
        piece, at = made if isinstance(made, tuple) else (made, found.end())
        line = start + text.count("\n", found.start(), at)
        write(piece, start, line)
    if lines:
        write(text[at:], line, len(lines) - 1)
    return out


def quoted(head: str, number: int, inside: Sequence[SourceLine]) -> list[SourceLine]:
    """Return lines as a note or fold: a quotation that begins with a mark such as [!note]."""
    return [SourceLine(f"> {head}", number), *(line.changed(f"> {line.text}".rstrip()) for line in inside)]


class Fence(NamedTuple):
    """A fenced block. end: the index after its last line; words: those after its first signs."""

    start: int
    end: int
    front: str
    words: str


def fence_at(lines: Sequence[SourceLine], at: int) -> Fence | None:
    """Return the fenced block that starts at an index; None if there is none. One never closed ends with the text."""
    found = _FENCE.match(lines[at].text)
    if found is None:
        return None
    signs = found["signs"]
    closing = re.compile(rf"[ \t>]*{signs[0]}{{{len(signs)},}}[ \t]*$")
    end = next((each for each in range(at + 1, len(lines)) if closing.match(lines[each].text)), len(lines) - 1)
    return Fence(at, end + 1, found["front"], found["words"].strip())


def in_code(lines: Sequence[SourceLine]) -> list[bool]:
    """Return for each line whether it is the second or a later line of a fenced block."""
    found = [False] * len(lines)
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        if fence:
            found[at + 1 : fence.end] = [True] * (fence.end - at - 1)
        at = fence.end if fence else at + 1
    return found


def fenced(code: Sequence[SourceLine], language: str, number: int) -> list[SourceLine]:
    """Return lines as a fenced block, whose fence is longer than every run of backticks in them."""
    longest = max((len(run) for line in code for run in re.findall("`{3,}", line.text)), default=2)
    fence = "`" * (longest + 1)
    return [SourceLine(f"{fence}{language}", number), *code, SourceLine(fence, code[-1].number if code else number)]


def without_blank_ends(lines: Iterable[SourceLine]) -> list[SourceLine]:
    """Return the lines without blank ones at their start and end."""
    lines = list(lines)
    filled = [at for at, line in enumerate(lines) if line.text.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def at_source(error: SiteError, lines: Sequence[SourceLine], source: str) -> SiteError:
    """Return an error in converted lines as one in the source file, at the line from which its line was made."""
    line = lines[min(error.place.line, len(lines)) - 1].number if error.place.line else 0
    return SiteError(Place(source, line), error.message, error.cure)
