"""SiteError: what is wrong in an author's file, where it is, how to mend it."""

import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """A line of an author's file; line 0 means the file as a whole."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


class SiteError(Exception):
    """A fault that an author can mend: its place, what is wrong, and the cure."""

    def __init__(self, place: Place, fault: str, cure: str = "") -> None:
        super().__init__(place, fault, cure)
        self.place = place
        self.fault = fault
        self.cure = cure

    def __str__(self) -> str:
        mend = "\n".join(
            f"    {'mend: ' if i == 0 else '      '}{line}" for i, line in enumerate(self.cure.splitlines())
        )
        return f"{self.place}: {self.fault}" + (f"\n{mend}" if mend else "")


class UnfinishedError(SiteError):
    """A fault that came when something had been begun; it says itself what is so now."""


class CuredError(ValueError):
    """A value that is refused, with the cure; the place is added by a caller that knows it."""

    def __init__(self, fault: str, cure: str = "") -> None:
        super().__init__(fault)
        self.cure = cure


class UsageError(Exception):
    """The command line asks for something that does not exist: fault and cure."""

    def __init__(self, fault: str, cure: str = "") -> None:
        super().__init__(fault if not cure else f"{fault}\n    mend: {cure}")
        self.fault, self.cure = fault, cure


class StoppedError(Exception):
    """Somebody stopped a command that had begun to change something: what may be so now, and what to do."""


def changed(path: str) -> SiteError:
    """The fault of a file that is not any more what it was when the build began."""
    return SiteError(Place(path), "it changed while the site was built", "build again")


def raise_all(faults: Sequence[SiteError]) -> None:
    """Nothing when there are no faults; one SiteError as it is; several as a group, in the order of their places."""
    if len(faults) == 1:
        raise faults[0]
    if faults:
        ordered = sorted(faults, key=lambda fault: (fault.place.path, fault.place.line))
        raise ExceptionGroup("several faults", ordered)


def faults_of(error: "SiteError | ExceptionGroup[SiteError]") -> list[SiteError]:
    """The single faults in an error, in order and each once."""
    if isinstance(error, SiteError):
        return [error]
    found = [fault for inner in error.exceptions for fault in faults_of(inner)]
    return list({(str(f.place), f.fault): f for f in found}.values())


def counted(number: int, noun: str) -> str:
    """1 post, 2 posts, 10,000 posts."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"


def nearest(name: str, names: Iterable[str]) -> str:
    """A cure for a misspelt name: the nearest known one, or all that there are."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there is: {', '.join(known)}" if known else "there is none"


def line_in(error: BaseException, filename: str) -> int:
    """The line of a file in which an error arose; 0 when it arose elsewhere."""
    lines = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
    return lines[-1] if lines else 0


def shown_path(path: Path, root: Path) -> str:
    """The path as an author reads it: relative to the project where it lies inside."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
