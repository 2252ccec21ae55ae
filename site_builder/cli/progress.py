"""The progress of a build: a progress bar on a terminal, plain lines anywhere else."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from site_builder.pipeline.steps.context import Report
from site_builder.solving.processes.pool import Share

if TYPE_CHECKING:
    from rich.progress import Progress


_FIRST = 5.0  # seconds of a solver that says nothing before it is named
_BETWEEN = 30.0  # seconds between two lines of a long stage


@contextmanager
def report_on(stream: TextIO) -> Iterator[Report]:
    """A report that fits the stream."""
    if not stream.isatty():
        yield _Lines(stream)
        return
    from rich import progress
    from rich.console import Console  # imported for terminals alone

    bar = (
        progress.TextColumn("{task.description:<8}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
    )
    left = (progress.TimeRemainingColumn(compact=True), progress.TextColumn("left {task.fields[solvers]}"))
    with progress.Progress(*bar, *left, console=Console(file=stream), transient=True) as shown:
        yield _ProgressBar(shown)


class _Lines(Report):
    """One line for each stage that has anything to do, and for one that takes long a line twice a minute."""

    _name, _steps, _done, _told = "Reading", 0, 0, 0.0

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def stage(self, name: str, steps: int) -> None:
        self._name, self._steps, self._done, self._told = name, steps, 0, time.monotonic()
        if steps:
            self._print(f"{name}: {steps}")

    def step(self, count: int) -> None:
        self._done += count
        self._tell("")

    def note(self, finding: str) -> None:
        super().note(finding)
        self._print(finding)

    def shares(self, shares: Sequence[Share]) -> None:
        if running := shown_shares(shares):
            self._tell(f", {running}")

    def _tell(self, more: str) -> None:
        """Say how much is done, where the last line is long ago."""
        if time.monotonic() > self._told + _BETWEEN:
            self._told = time.monotonic()
            self._print(f"{self._name}: {self._done:,} of {self._steps:,}{more}")

    def _print(self, line: str) -> None:
        print(line, file=self._stream, flush=True)


class _ProgressBar(Report):
    def __init__(self, progress: "Progress") -> None:
        self._progress = progress
        self._task = progress.add_task("Reading", total=None, solvers="")

    def stage(self, name: str, steps: int) -> None:
        self._progress.reset(self._task, total=steps, description=name, solvers="")

    def step(self, count: int) -> None:
        self._progress.update(self._task, advance=count)

    def note(self, finding: str) -> None:
        super().note(finding)
        self._progress.console.print(finding, markup=False, highlight=False, soft_wrap=True)

    def shares(self, shares: Sequence[Share]) -> None:
        self._progress.update(self._task, solvers=shown_shares(shares))


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
