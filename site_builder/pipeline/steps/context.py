"""The context of every step of a build; a step gets a result from the cache, or has a worker compute it.

A step has two halves. `plan` asks the cache alone, so a preview shows what the plan found and treats the rest as
pending. `run` computes what the plan is missing, and stores it.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from site_builder.errors import SiteError, collecting, raise_all
from site_builder.project.config import Limits
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.processes.failure import Failure
from site_builder.solving.processes.pool import Share, Took, Workers, first_answered
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import digest

_WINDOW = 16  # tasks in flight at least; waiting for many at once costs time for each of them
Item = TypeVar("Item")
Found = TypeVar("Found")


class Report:
    """Shows the progress of a build; this one shows nothing.

    shown_findings: the findings that were shown while it went on. interval: seconds between two calls of `shares`.
    """

    shown_findings: tuple[str, ...] = ()
    interval = 0.5

    def stage(self, name: str, steps: int) -> None:
        """A stage of so many steps begins."""

    def step(self, count: int) -> None:
        """So many steps are done."""

    def note(self, finding: str) -> None:
        """Show a finding that is known before the end."""
        self.shown_findings += (finding,)

    def shares(self, shares: Sequence[Share]) -> None:
        """Report the progress of the solvers that run now and report it, the one with most time left last."""


@dataclass(frozen=True)
class StepPlan(Generic[Item, Found]):
    """The plan of a step, which `run` completes.

    found: the results by item, at first those in the cache; missing: the items that the cache does not have; errors: of
    those that could not be computed.
    """

    found: dict[Item, Found] = field(default_factory=dict)
    missing: list[Item] = field(default_factory=list)
    errors: list[SiteError] = field(default_factory=list)

    def checked(self) -> dict[Item, Found]:
        """The results. Raises the errors where there are any."""
        raise_all(self.errors)
        return self.found


@dataclass(frozen=True)
class Task:
    """Something that a worker process computes.

    keep: takes the answer and stores it; may give tasks that follow from it. fail: takes the failure and gives the
    error, or None where it has kept something instead. steps: how many steps of progress it is. took: is called with
    the seconds that it ran. points, root: see `Workers.submit`. is_dropped: whether its answer is not wanted any more.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    limits: Limits
    keep: Callable[[Any], Iterable["Task"] | None]
    fail: Callable[[Failure], SiteError | None]
    steps: int = 1
    took: Took = lambda _: None
    points: Sequence[tuple[Any, ...]] | None = None
    is_dropped: Callable[[], bool] = lambda: False
    root: Path | None = None


@dataclass(frozen=True)
class StepContext:
    """The context that every step works with.

    anew: whether what is no answer of a solver, such as a text, is not looked up: an entry that belongs to one of an
    earlier build was found missing.
    """

    root: Path
    workers: Workers
    store: Store
    codes: CodeKeys
    limits: Limits
    report: Report
    anew: bool = False

    def progress(self, count: int) -> None:
        """Report that so many steps are done."""
        if count:
            self.report.step(count)

    def look_up(
        self, kind: str, keys: Mapping[Item, str], read: Callable[[bytes], Found], solver: str = ""
    ) -> StepPlan[Item, Found]:
        """Look up items in the cache, each under its key; one with an empty key is missing.

        read: gives the result that an entry holds; ValueError or TypeError, for an entry of another version, makes the
        item a missing one. solver: of which they are answers, so that what was read for them counts.
        """
        plan: StepPlan[Item, Found] = StepPlan()
        wanted = [key for key in keys.values() if key and (solver or not self.anew)]
        find = self.codes.reads.find
        entries = find(self.store, kind, solver, wanted) if solver else self.store.get_many(kind, wanted)
        for item, key in keys.items():
            with suppress(ValueError, TypeError):
                if key in entries:
                    plan.found[item] = read(entries[key])
        plan.missing.extend(item for item in keys if item not in plan.found)
        return plan

    def put_answer(self, kind: str, solver: str, key: str, data: bytes, reads: Mapping[str, str]) -> None:
        """Store an answer of a solver, and note what its task has read. Raises SiteError when that has changed."""
        self.codes.reads.note(solver, reads)
        self.codes.reads.put(self.store, kind, key, data, reads)

    def load(self, kind: str, key: str) -> bytes:
        """An entry of the cache that was there before. Raises MissingEntryError where it is gone."""
        data = self.store.get(kind, key)
        if data is None:
            raise MissingEntryError
        return data

    def recall(self, kind: str, key: str, make: Callable[[], bytes]) -> bytes:
        """The bytes that this builder has made under a key, from the cache, or made now and stored."""
        key = digest(self.codes.builder, key)
        data = self.store.get(kind, key)
        if data is None:
            data = make()
            self.store.put(kind, key, data)
        return data

    def _report_shares(self) -> None:
        self.report.shares(self.workers.shares())

    def _submit(self, task: Task) -> Future[Any]:
        options: dict[str, Any] = {"limits": task.limits, "points": task.points, "root": task.root, "took": task.took}
        return self.workers.submit(task.function, *task.arguments, **options)

    def compute(self, tasks: Iterable[Task], most: int = 0) -> list[SiteError]:
        """Run these tasks and those that follow from them in the workers; the errors of all of them.

        tasks: an iterator over them may raise SiteError and go on. most: how many may be submitted and not answered at
        a time; 0 for enough to keep every worker busy.
        """
        waiting = iter(tasks)
        following: deque[Task] = deque()
        under_way: dict[Future[Any], Task] = {}
        errors: list[SiteError] = []
        is_over = False
        while True:
            window = most or max(_WINDOW, 4 * self.workers.slots)
            while len(under_way) < window and (following or not is_over):
                with collecting(errors):
                    task = following.popleft() if following else next(waiting, None)
                    if task is None:
                        is_over = True
                    else:
                        under_way[self._submit(task)] = task
            if not under_way:
                return errors
            for future in first_answered(under_way, self._report_shares, self.report.interval):
                task, answer = under_way.pop(future), future.result()
                with collecting(errors):
                    if not isinstance(answer, Failure):
                        following.extend(task.keep(answer) or ())
                    elif error := task.fail(answer):
                        errors.append(error)
                self.progress(task.steps)
            for future, task in under_way.items():
                if task.is_dropped():
                    self.workers.give_up(future)
