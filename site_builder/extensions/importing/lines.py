"""Lines of a text, fenced blocks in them, and the notes on what was not converted."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from site_builder.errors import Place

Dialect = Literal["kramdown", "notebook", "hugo", "quarto"]  # of Markdown; plain files are read as kramdown
FRONT = r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*"  # of a line: indentation, signs of quotations and lists
_FENCE = re.compile(rf"(?P<front>{FRONT})(?P<signs>`{{3,}}|~{{3,}})(?P<words>[^`\n]*)$")


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

    source: the path of its file, for messages; raw: the text of that. resolve: link -> new link, or None where its
    target is missing. alias_base: the old URL of the folder to which relative aliases refer. Found out: has_contents,
    whether the text requests a table of contents; notes.
    """

    source: str
    raw: str
    resolve: Callable[[str], str | None]
    dialect: Dialect
    options: ImportOptions = ImportOptions()
    alias_base: str = ""
    has_contents: bool = False
    notes: list[ImportNote] = field(default_factory=list)

    def report(self, words: str, problem: str, action: str) -> None:
        """Add a note on what could not be converted. words: of the source; its line is known where they stand once."""
        line = line_of(words.strip().partition("\n")[0], self.raw)
        self.notes.append(ImportNote(Place(self.source, line), problem, action))


def line_of(words: str, text: str) -> int:
    """The line of some words, in letters of any size; 0 where they are not there, or more than once."""
    text, words = text.lower(), words.strip().lower()
    return text.count("\n", 0, text.find(words)) + 1 if words and text.count(words) == 1 else 0


def replace(
    lines: Sequence[str], pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str | tuple[str, int]]
) -> list[str]:
    """Replace what a pattern finds. replacement: match -> text, or a text and where the search goes on."""
    text, out, at = "\n".join(lines), list[str](), 0
    while found := pattern.search(text, at):
        made = replacement(found)
        piece, end = made if isinstance(made, tuple) else (made, found.end())
        out += [text[at : found.start()], piece]
        at = end
    return "".join([*out, text[at:]]).split("\n") if lines else []


def quoted(head: str, inside: Sequence[str]) -> list[str]:
    """Return lines as a note or fold: a quotation that begins with a mark such as [!note]."""
    return [f"> {head}", *(f"> {line}".rstrip() for line in inside)]


class Fence(NamedTuple):
    """A fenced block. end: the index after its last line; words: those after its first signs."""

    start: int
    end: int
    front: str
    words: str


def fence_at(lines: Sequence[str], at: int) -> Fence | None:
    """Return the fenced block that starts at an index; None if there is none. One never closed ends with the text."""
    found = _FENCE.match(lines[at])
    if found is None:
        return None
    signs = found["signs"]
    closing = re.compile(rf"[ \t>]*{signs[0]}{{{len(signs)},}}[ \t]*$")
    end = next((each for each in range(at + 1, len(lines)) if closing.match(lines[each])), len(lines) - 1)
    return Fence(at, end + 1, found["front"], found["words"].strip())


def in_code(lines: Sequence[str]) -> list[bool]:
    """Return for each line whether it is the second or a later line of a fenced block."""
    found = [False] * len(lines)
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        if fence:
            found[at + 1 : fence.end] = [True] * (fence.end - at - 1)
        at = fence.end if fence else at + 1
    return found


def fenced(code: Sequence[str], language: str) -> list[str]:
    """Return lines as a fenced block, whose fence is longer than every run of backticks in them."""
    longest = max((len(run) for line in code for run in re.findall("`{3,}", line)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", *code, fence]


def without_blank_ends(lines: Iterable[str]) -> list[str]:
    """Return the lines without blank ones at their start and end."""
    lines = list(lines)
    filled = [at for at, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []
