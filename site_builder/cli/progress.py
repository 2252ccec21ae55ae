"""The progress of a build: a progress bar on a terminal, plain lines anywhere else."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from site_builder.pipeline.steps.context import Report
from site_builder.solving.processes import interrupts
from site_builder.solving.processes.pool import Share

if TYPE_CHECKING:
    from rich.progress import Progress


_FIRST = 5.0  # seconds of a stage before its end is estimated
_BETWEEN = 30.0  # seconds between two lines of a long stage


@contextmanager
def report_on(stream: TextIO) -> Iterator[Report]:
    """A report that fits the stream."""
    if not stream.isatty():
        yield _Lines(stream)
        return
    from rich.console import Console  # imported for terminals alone
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    of_solvers = TextColumn("{task.fields[solvers]}")
    left = TextColumn("{task.fields[left]}")
    bar = (TextColumn("{task.description:<8}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    columns = (*bar, left, of_solvers)
    with Progress(*columns, console=Console(file=stream), transient=True) as progress:
        yield _ProgressBar(progress)


class _TimedReport(Report):
    """Knows how much of a stage is done, and when it began."""

    _name, _steps, _done = "Reading", 0, 0
    _began = _told = 0.0

    def stage(self, name: str, steps: int) -> None:
        interrupts.raise_if_interrupted()
        self._name, self._steps, self._done = name, steps, 0
        self._began = self._told = time.monotonic()

    def step(self, count: int) -> None:
        interrupts.raise_if_interrupted()
        self._done += count

    def left(self) -> str:
        """When the stage will be done, if the rest takes as long as what is done; empty while that is unknown."""
        return shown_left(time.monotonic() - self._began, self._done, self._steps)


class _Lines(_TimedReport):
    """One line for each stage that has anything to do, and for one that takes long a line twice a minute."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def stage(self, name: str, steps: int) -> None:
        super().stage(name, steps)
        if steps:
            print(f"{name}: {steps}", file=self._stream, flush=True)

    def step(self, count: int) -> None:
        super().step(count)
        if time.monotonic() > self._told + _BETWEEN:
            self._told = time.monotonic()
            print(f"{self._name}: {self._done:,} of {self._steps:,}, {self.left()}", file=self._stream, flush=True)

    def note(self, finding: str) -> None:
        super().note(finding)
        print(finding, file=self._stream, flush=True)

    def shares(self, shares: Sequence[Share]) -> None:
        if time.monotonic() > self._told + _BETWEEN and (running := shown_shares(shares)):
            self._told = time.monotonic()
            print(f"{self._name}: {self._done:,} of {self._steps:,}, {running}", file=self._stream, flush=True)


class _ProgressBar(_TimedReport):
    def __init__(self, progress: "Progress") -> None:
        self._progress = progress
        self._task = progress.add_task("Reading", total=None, solvers="", left="")

    def stage(self, name: str, steps: int) -> None:
        super().stage(name, steps)
        self._progress.reset(self._task, total=steps, description=name, solvers="", left="")

    def step(self, count: int) -> None:
        super().step(count)
        self._progress.update(self._task, advance=count, left=self.left())

    def note(self, finding: str) -> None:
        super().note(finding)
        self._progress.console.print(finding, markup=False, highlight=False, soft_wrap=True)

    def shares(self, shares: Sequence[Share]) -> None:
        self._progress.update(self._task, solvers=shown_shares(shares))


def shown_left(seconds: float, done: int, steps: int) -> str:
    """The time that is left of a stage: "2:05 left"; empty at its beginning and end."""
    if seconds < _FIRST or not 0 < done < steps:
        return ""
    minutes, rest = divmod(round(seconds / done * (steps - done)), 60)
    return f"{minutes}:{rest:02} left"


def shown_shares(shares: Sequence[Share]) -> str:
    """The solver that has most to do, with how much is done and the time left or how long it runs; "+ 1" for another.

    One that says nothing of its progress is named after five seconds.
    """
    known = [share for share in shares if share.done or share.seconds > _FIRST]
    if not known:
        return ""
    last, others = known[-1], len(known) - 1
    minutes, seconds = divmod(round(last.seconds_left if last.done else last.seconds), 60)
    done = f"{100 * last.done:.0f} %, {minutes}:{seconds:02} left" if last.done else f"runs for {minutes}:{seconds:02}"
    return f"{last.solver} {done}{f' + {others}' if others else ''}"
