"""SiteError and its relatives: errors that an author or user can correct, with their place and cure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CONTROL = "\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
"""Characters that a terminal carries out, with changes of direction and without the tab, for a pattern."""

_CONTROL = re.compile(f"[{CONTROL}\ud800-\udfff]")


def printable(text: str) -> str:
    """Return a name or line that others chose, with a code such as \\x1b for what a terminal would carry out."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


@dataclass(frozen=True)
class Place:
    """A line of an author's file; line 0 means the file as a whole."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        path = printable(self.path)
        return f"{path}:{self.line}" if self.line else path


class SiteError(Exception):
    """An error in an author's file: its place, what is wrong (`message`), and what to write instead (`cure`).

    notes: further lines, such as the parameters of a solver. calls: the lines of the project's code that led to it.
    """

    def __init__(
        self, place: Place, message: str, cure: str = "", notes: Sequence[str] = (), calls: Sequence[str] = ()
    ) -> None:
        super().__init__(place, message, cure, notes, calls)
        self.place = place
        self.message = message
        self.cure = cure
        self.notes = tuple(notes)
        self.calls = tuple(calls)

    def __str__(self) -> str:
        number = len(self.calls)
        return self._written([f"--traceback shows the {number} calls that led there"] if number > 1 else [])

    def _written(self, more: Sequence[str]) -> str:
        """The message with its cure and notes, and further lines."""
        mend = [f"    {'      ' if i else 'mend: '}{line}" for i, line in enumerate(self.cure.splitlines())]
        notes = [f"    {line}" for note in (*self.notes, *more) for line in note.splitlines()]
        words = f"{self.place}: {self.message}".split("\n")
        return "\n".join(map(printable, [*words, *mend, *notes]))

    def copy(self, place: Place | None = None, message: str = "", cure: str = "") -> "SiteError":
        """The same error with another place, message or cure."""
        return SiteError(place or self.place, message or self.message, cure or self.cure, self.notes, self.calls)

    def with_calls(self) -> str:
        """The message and the calls that led to the error, the last call last."""
        calls = ["calls:", *(f"  {call}" for call in self.calls)] if self.calls else []
        return self._written(calls)


class UnfinishedError(SiteError):
    """An error after a change has begun; its message describes the state that it left."""


COMMAND_LINE = "--set"  # with which the place of an error on the command line begins
WRITTEN = "the new site was written before, and is whole"  # a note of errors that come after that


class CuredError(ValueError):
    """A value that is refused, with the cure; the place is added by a caller that knows it."""

    def __init__(self, message: str, cure: str = "") -> None:
        super().__init__(message)
        self.cure = cure


class PostError(Exception):
    """An error in a post: message and cure. The caller that knows the line adds the place."""

    def __init__(self, message: str, cure: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure


class UsageError(Exception):
    """An error in the arguments of a command, found after they were parsed."""

    def __init__(self, message: str, cure: str = "") -> None:
        super().__init__(message if not cure else f"{message}\n    mend: {cure}")
        self.message, self.cure = message, cure


class StoppedError(Exception):
    """A command was interrupted after it had begun a change; the message says what may have changed and what to do."""


def changed(path: str) -> SiteError:
    """Return the error for a file that changed after the build had read it."""
    return SiteError(Place(path), "it changed while the site was built", "build again")


def raise_all(errors: Sequence[SiteError]) -> None:
    """Raise a single error itself, several as a group in the order of their places; do nothing when there are none."""
    if len(errors) == 1:
        raise errors[0]
    if errors:
        ordered = sorted(errors, key=lambda error: (error.place.path, error.place.line))
        raise ExceptionGroup("several errors", ordered)


def errors_of(error: "SiteError | ExceptionGroup[SiteError]") -> list[SiteError]:
    """Return the single errors in an error or group, in order and without duplicates."""
    if isinstance(error, SiteError):
        return [error]
    found = [each for inner in error.exceptions for each in errors_of(inner)]
    return list({(str(f.place), f.message): f for f in found}.values())


@contextmanager
def collecting(errors: list[SiteError]) -> Iterator[None]:
    """Add every SiteError that is raised in the block to these errors."""
    try:
        yield
    except* SiteError as group:
        errors += errors_of(group)


def counted(number: int, noun: str) -> str:
    """Return a count with its noun: 1 post, 2 posts, 10,000 posts."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the cure for an unknown name: the nearest known one, or all known ones."""
    from difflib import get_close_matches  # imported for errors only

    known = sorted(names)
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there is: {', '.join(known)}" if known else "there is none"


_IN_CHECKOUT = (Path(__file__).parents[1] / "build.py").is_file()


def command_line(words: str) -> str:
    """A command line of the program as messages write it: as it is installed, or as a checkout has it."""
    return f"{'python build.py' if _IN_CHECKOUT else 'puzzlepress'} {words}"


def guide(name: str) -> str:
    """A page of the documentation as messages name it: in a checkout, or where it is installed."""
    return f"docs/{name}.md" if _IN_CHECKOUT else str(Path(__file__).parent / "docs" / f"{name}.md")


def shown_path(path: Path, root: Path) -> str:
    """Return the path for messages: relative to the project for a path inside it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
