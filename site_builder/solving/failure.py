"""What can go wrong with a task, as plain data that travels from the worker to the build."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Failure:
    """A task without a result. message: what happened, in words; path and line: where in the solver, if known.

    point: which of the points of a batch. kind: "raised" in the solver's own code; "contract" when the solver breaks
    its contract; "time", "memory" or "died" when its process was ended; "changed" when a file that it loads, `path`, is
    not any more what it was when the build began.
    """

    kind: Literal["raised", "contract", "time", "memory", "died", "changed"]
    message: str
    path: str = ""
    line: int = 0
    point: int = 0
    cure: str = ""
