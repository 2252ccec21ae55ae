"""Lines of a text on its way from one language to another, each with the line of the file that it comes from."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from site_builder.errors import Place


class Line(NamedTuple):
    """A line, and the number of the line of its file from which it was made."""

    text: str
    number: int


class Note(NamedTuple):
    """Something that could not be converted: where it stands, what it is, and what was done instead."""

    place: Place
    said: str
    done: str

    def __str__(self) -> str:
        return f"{self.place}: {self.said}; {self.done}"


Resolve = Callable[[str, bool, int], str | None]


@dataclass
class Text:
    """One text that is converted: what is known of it, and the notes that its conversion leaves.

    source: its file as an author reads it; resolve: the new address of a link, by what was written, whether it is an
    image, and its line; None where it leads nowhere. all_dollars: whether single dollars are mathematics whatever they
    hold. anchors: those that links somewhere name; macros: TeX's own commands, with the number of their arguments.
    """

    source: str
    resolve: Resolve
    is_notebook: bool = False
    all_dollars: bool = False
    anchors: frozenset[str] = frozenset()
    macros: dict[str, tuple[int, str]] = field(default_factory=dict)
    shift: int = 0
    has_contents: bool = False
    single_dollars: list[int] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def note(self, line: int, said: str, done: str) -> None:
        """Remember what could not be converted."""
        self.notes.append(Note(Place(self.source, line), said, done))


def lines_of(text: str, first: int) -> list[Line]:
    """The lines of a text whose first line has this number."""
    return [Line(line, first + count) for count, line in enumerate(text.split("\n"))]


def joined(lines: Iterable[Line]) -> str:
    """The lines as one text."""
    return "\n".join(line.text for line in lines)


def numbered(text: str, numbers: Sequence[int]) -> list[Line]:
    """The lines of a text with these numbers, in order; where there are more lines, the last number goes on."""
    return [Line(line, numbers[min(count, len(numbers) - 1)]) for count, line in enumerate(text.split("\n"))]
