"""`mutants SOLVER`: faults are seeded in a solver, and its checks are tried on them."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from site_builder.api.solve import ask, solver_context
from site_builder.cli.options import warn
from site_builder.errors import Place, SiteError, UsageError, command_line, counted, raise_all
from site_builder.extensions.mutants.faults import Fault, choose_faults
from site_builder.pipeline.steps.context import Report, StepContext, Task
from site_builder.posts.gather_evidence import answer_of
from site_builder.solving.checks.outcomes import CheckOutcome, judge, read_outcomes
from site_builder.solving.processes.failure import Failure, TaskAnswer
from site_builder.solving.tasks import solver_tasks
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.digest import bytes_digest
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import fields_of_any

_COMMAND = "mutants"
_MEANS = {
    "check": "by a check that failed",
    "raised": "by an exception",
    "contract": "by a breach of the contract",
    "time": "by the time limit",
    "memory": "by the memory limit",
    "died": "because the process ended",
}
_LEAST_SECONDS, _TIMES = 2.0, 5.0  # an endless loop is distinguished from a slow solver by the time without a fault


@dataclass(frozen=True)
class TriedFault:
    """A seeded fault and its outcome. place: its file and line; change: in words that hold when lines move.

    outcome: "check" when a check failed; the kind of the failure when solving or checking ended with one; "missed" when
    an answer changed and every check passed; "same" when no answer changed. detail: the check that failed, the
    exception, or the fields of the result that changed.
    """

    place: str
    change: str
    outcome: str
    detail: str = ""


def try_mutants(root: Path, solver: str, workers: int | str, report: Report) -> list[TriedFault]:
    """Seed faults in a solver and run it with each of them; their outcomes.

    Raises UsageError where there is no such solver, or one without defaults; SiteError where it fails without a fault,
    and where a file changes meanwhile.
    """
    with solver_context(root, solver, workers, warn, _COMMAND) as context:
        described = ask(context, solver, [{}])
        answer = described.answers[0]
        if "parameters" not in answer:
            fault = f"{_COMMAND} {solver}: {answer['faults'][0][1]}"
            path = described.description.path
            raise UsageError(fault, f"faults are tried at the defaults of the parameters; give each one in {path}")
        step = Mutants(context, solver, Place(f"{_COMMAND} {solver}"), pack(answer["parameters"]))
        faults, (original, seconds) = step.choose(), step.without_fault()
        report.stage(f"Seeding {solver}", len(faults))
        return replace(step, context=replace(context, report=report)).run(faults, original, seconds)


def mutant_lines(solver: str, tried: Sequence[TriedFault]) -> Iterator[str]:
    """The outcome of the faults, as lines for the author: the missed ones each, with what to do."""
    counts = Counter(fault.outcome for fault in tried)
    effective = len(tried) - counts["same"]
    found = effective - counts["missed"]
    yield f"{solver}: {counted(len(tried), 'fault')} seeded, each alone, at the default parameters"
    means = ", ".join(f"{counts[outcome]} {words}" for outcome, words in _MEANS.items() if counts[outcome])
    yield f"  {found} found{': ' * bool(means)}{means}"
    missed = [fault for fault in tried if fault.outcome == "missed"]
    if missed:
        yield f"  {len(missed)} not found, although every one changes an answer; check the fields that it changes:"
    for fault in missed:
        yield from (f"    {fault.place}: {fault.change}", f"      changes {fault.detail}")
    if counts["same"]:
        yield f"  {counts['same']} without effect on any answer at these parameters:"
    yield from (f"    {fault.place}: {fault.change}" for fault in tried if fault.outcome == "same")
    yield f"  {found} of the {effective} that change an answer are found"


@dataclass(frozen=True)
class Trial:
    """A solver that was tried: its result, packed, and the outcomes of its checks."""

    result: bytes
    checks: Sequence[CheckOutcome]

    @cached_property
    def answers(self) -> Mapping[str, Any]:
        """The result by field, as accepted answers have them."""
        return {name: answer_of(value) for name, value in fields_of_any(unpack(self.result)).items()}


@dataclass(frozen=True)
class Mutants:
    """The step that tries a solver with faults in it. parameters: complete and packed."""

    context: StepContext
    solver: str
    place: Place
    parameters: bytes

    def choose(self) -> list[Fault]:
        """The faults to be tried, in the code that `solve` can reach."""
        names: dict[str, set[str]] = {}
        for file, name in self.context.codes.of(self.solver).solving.definitions:
            names.setdefault(file, set()).add(name)
        return choose_faults({name: self.context.codes.read(name) for name in names}, names)

    def without_fault(self) -> tuple[Trial, float]:
        """The solver as it is, and the seconds that it took. Raises SiteError when it fails or a check does."""
        found: list[Trial] = []
        start = time.monotonic()
        task = self._task(self._loadable, self.context.limits.time, found.append, self._error)
        raise_all(self.context.compute([task]))
        if bad := [check for check in found[0].checks if not check.passed]:
            fault = f"solver '{self.solver}' failed a check without any fault: {bad[0].title}: {bad[0].difference}"
            raise SiteError(self.place, fault, f"correct it first; {command_line(f'solve {self.solver}')} shows it")
        return found[0], time.monotonic() - start

    def run(self, faults: Sequence[Fault], original: Trial, took: float) -> list[TriedFault]:
        """The outcome of each fault, in their order. Raises SiteError when a file changes meanwhile.

        took: the seconds that the solver took without one.
        """
        outcomes: dict[Fault, TriedFault] = {}
        seconds = min(self.context.limits.time, max(_LEAST_SECONDS, _TIMES * took))

        def task(fault: Fault, folder: Path) -> Task:
            def keep(tried: Trial) -> None:
                outcomes[fault] = _outcome(fault, tried, original)

            def fail(failure: Failure) -> SiteError | None:
                if failure.kind == "changed":
                    return self._error(failure)
                exception = failure.message.partition(":")[0] if failure.kind == "raised" else ""
                outcomes[fault] = TriedFault(fault.place, fault.change, failure.kind, exception)
                return None

            return self._task(self._with_fault(fault, folder), seconds, keep, fail, original.result, folder)

        with TemporaryDirectory(prefix="mutants-") as folder:
            folders = (Path(folder, str(number)) for number in range(len(faults)))
            raise_all(self.context.compute(map(task, faults, folders)))
        return [outcomes[fault] for fault in faults]

    @cached_property
    def _loadable(self) -> Loadable:
        return self.context.codes.loadable(self.solver)

    def _with_fault(self, fault: Fault, folder: Path) -> Loadable:
        """The solver in a copy of the project, which is made in a new folder, with this fault."""
        text = fault.seeded(self.context.codes.read(fault.path))
        _copy_with(self.context.root, folder, fault.path, text)
        return replace(self._loadable, code={**self._loadable.code, fault.path: bytes_digest(text)})

    def _task(
        self,
        loadable: Loadable,
        seconds: float,
        keep: Callable[[Trial], None],
        fail: Callable[[Failure], SiteError | None],
        known: bytes = b"",
        root: Path | None = None,
    ) -> Task:
        """Solve and check. known: a result that needs no checks; root: of a copy of the project."""
        limits = self.context.limits.model_copy(update={"time": seconds})

        def check(solved: TaskAnswer) -> Iterable[Task]:
            if solved.data == known:
                keep(Trial(known, ()))
                return
            arguments = (self.solver, loadable, (), self.parameters, solved.data)
            yield Task(solver_tasks.checks, arguments, limits, partial(keep_checks, solved.data), fail, 0, root=root)

        def keep_checks(result: bytes, checks: TaskAnswer) -> None:
            keep(Trial(result, read_outcomes(judge(checks.data, {}))))

        return Task(solver_tasks.solve, (self.solver, loadable, self.parameters), limits, check, fail, root=root)

    def _error(self, failure: Failure) -> SiteError:
        cure = f"correct it first; {command_line(f'solve {self.solver}')} shows it"
        return failure.error(self.place, f"solver '{self.solver}' failed without any fault", cure)


def _copy_with(root: Path, folder: Path, name: str, text: bytes) -> None:
    """Make a folder that holds what `root` does, as links, and another text in the file of this name."""
    folder.mkdir()
    first, _, rest = name.partition("/")
    for entry in os.scandir(root):
        if entry.name != first:
            (folder / entry.name).symlink_to(entry.path)
    if rest:
        _copy_with(root / first, folder / first, rest, text)
    else:
        (folder / first).write_bytes(text)


def _outcome(fault: Fault, tried: Trial, original: Trial) -> TriedFault:
    bad = next((check.title for check in tried.checks if not check.passed), "")
    if bad:
        return TriedFault(fault.place, fault.change, "check", bad)
    every = sorted({*tried.answers, *original.answers})
    changed = [name for name in every if tried.answers.get(name) != original.answers.get(name)]
    return TriedFault(fault.place, fault.change, "missed" if changed else "same", ", ".join(changed))
