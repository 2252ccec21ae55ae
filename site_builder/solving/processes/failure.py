"""The messages of a worker to the build: the answer of a task or its failure, and the exception for a failure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from site_builder.errors import Place, SiteError


@dataclass(frozen=True)
class TaskAnswer:
    """The answer of a solver's task. data: packed; reads: digests of what it read beside its modules, by path."""

    data: bytes
    reads: Mapping[str, str]


@dataclass(frozen=True)
class Failure:
    """A task without a result. message: what happened; path and line: where in the solver, if known.

    point: index in a batch of points. kind: "raised" in the solver's own code; "contract" when the solver breaks its
    contract; "time", "memory" or "died" when its process was ended; "changed" when the file `path` has changed since
    the build began. printed: the last lines that it printed. calls: the lines of the project's files that led there.
    reads: as in TaskAnswer. more: further failures of the same task.
    """

    kind: Literal["raised", "contract", "time", "memory", "died", "changed"]
    message: str
    path: str = ""
    line: int = 0
    point: int = 0
    cure: str = ""
    printed: str = ""
    calls: tuple[str, ...] = ()
    reads: Mapping[str, str] = field(default_factory=dict)
    more: tuple["Failure", ...] = ()

    def error(self, place: Place, words: str, cure: str = "", parameters: str = "") -> SiteError:
        """The error of an author, which begins with these words; that of the file where one has changed.

        cure: where the failure has none of its own. parameters: of the task.
        """
        if self.kind == "changed":
            return SiteError(Place(self.path), self.message, self.cure)
        where = f"{self.path}:{self.line}: " if self.path and self.path != place.path else ""
        printed = "\n  ".join(["it printed last:", *self.printed.splitlines()]) if self.printed else ""
        notes = [note for note in (parameters and f"parameters: {parameters}", printed) if note]
        return SiteError(place, f"{words}: {where}{self.message}", self.cure or cure, notes, self.calls)


def died(exit_code: int) -> Failure:
    """The failure of a task whose process ended with this exit code."""
    cause = f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
    return Failure("died", f"its process died ({cause})")


class TaskError(Exception):
    """Raised in a task to end it with this failure."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure
