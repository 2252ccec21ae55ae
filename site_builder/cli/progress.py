"""How far a build is: a progress bar on a terminal, plain lines anywhere else."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from site_builder.build.steps.context import Report
from site_builder.solving import interrupts
from site_builder.solving.pool import Share

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def report_on(stream: TextIO) -> Iterator[Report]:
    """A report that fits the stream."""
    if not stream.isatty():
        yield _Lines(stream)
        return
    from rich.console import Console  # imported for terminals alone
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    of_solvers = TextColumn("{task.fields[solvers]}")
    columns = (TextColumn("{task.description:<8}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), of_solvers)
    with Progress(*columns, console=Console(file=stream), transient=True) as progress:
        yield _ProgressBar(progress)


class _Lines(Report):
    """One line for each stage that has anything to do."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def stage(self, name: str, steps: int) -> None:
        interrupts.raise_if_interrupted()
        if steps:
            print(f"{name}: {steps}", file=self._stream, flush=True)

    def step(self, count: int) -> None:
        interrupts.raise_if_interrupted()


class _ProgressBar(Report):
    def __init__(self, progress: "Progress") -> None:
        self._progress = progress
        self._task = progress.add_task("Reading", total=None, solvers="")

    def stage(self, name: str, steps: int) -> None:
        interrupts.raise_if_interrupted()
        self._progress.reset(self._task, total=steps, description=name)

    def step(self, count: int) -> None:
        interrupts.raise_if_interrupted()
        self._progress.advance(self._task, count)

    def shares(self, shares: Sequence[Share]) -> None:
        self._progress.update(self._task, solvers=shown_shares(shares))


def shown_shares(shares: Sequence[Share]) -> str:
    """The solver that has most to do: its name, how much is done, and the time left; "+ 1" for another beside it."""
    if not shares:
        return ""
    last, others = shares[-1], len(shares) - 1
    minutes, seconds = divmod(round(last.seconds_left), 60)
    beside = f" + {others}" if others else ""
    return f"{last.solver} {100 * last.done:.0f} %, {minutes}:{seconds:02} left{beside}"
