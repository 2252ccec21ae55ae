"""How far a build is: a progress bar on a terminal, plain lines anywhere else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from site_builder.build.steps.context import Report
from site_builder.solving import interrupts


@contextmanager
def report_on(stream: TextIO) -> Iterator[Report]:
    """A report that fits the stream."""
    if stream.isatty():
        with _bar(stream) as report:
            yield report
    else:
        yield _Lines(stream)


class _Lines:
    """One line for each stage that has anything to do."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def stage(self, name: str, steps: int) -> None:
        interrupts.raise_what_was_heard()
        if steps:
            print(f"{name}: {steps}", file=self._stream, flush=True)

    def step(self, count: int) -> None:
        interrupts.raise_what_was_heard()


@contextmanager
def _bar(stream: TextIO) -> Iterator[Report]:
    from rich.console import Console  # paid for by terminals alone
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<8}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=stream), transient=True) as progress:
        task = progress.add_task("Reading", total=None)

        class Bar:
            def stage(self, name: str, steps: int) -> None:
                interrupts.raise_what_was_heard()
                progress.reset(task, total=steps, description=name)

            def step(self, count: int) -> None:
                interrupts.raise_what_was_heard()
                progress.advance(task, count)

        yield Bar()
