"""Step: faults -> what becomes of a solver with each of them, at the defaults of its parameters."""

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from site_builder.errors import Place, SiteError, command_line, raise_all
from site_builder.extensions.mutants.faults import Fault, choose_faults
from site_builder.pipeline.accepted import TriedFault
from site_builder.pipeline.steps.context import StepContext, Task
from site_builder.posts.gather_evidence import answer_of
from site_builder.solving.checks.outcomes import CheckOutcome, judge, read_outcomes
from site_builder.solving.processes.failure import Failure, TaskAnswer
from site_builder.solving.tasks import solver_tasks
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.digest import bytes_digest
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import fields_of_any

_LEAST_SECONDS, _TIMES = 2.0, 5.0  # an endless loop is distinguished from a slow solver by the time without a fault


@dataclass(frozen=True)
class Trial:
    """A solver that was tried. answers: its result by field, as accepted answers have them; digest: of it, packed."""

    digest: str
    answers: Mapping[str, Any]
    checks: Sequence[CheckOutcome]
    seconds: float


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
        for file, name in self.context.codes.solving(self.solver).definitions:
            names.setdefault(file, set()).add(name)
        return choose_faults({name: self.context.codes.read(name) for name in names}, names)

    def without_fault(self) -> Trial:
        """The solver as it is. Raises SiteError when it fails or a check does."""
        found: list[Trial] = []
        start = time.monotonic()

        def keep(result: bytes, checks: bytes) -> None:
            found.append(_tried(result, checks, time.monotonic() - start))

        task = self._task(self._loadable, self.context.limits.time, keep, self._error)
        raise_all(self.context.compute([task]))
        tried = found[0]
        if bad := [check for check in tried.checks if not check.passed]:
            fault = f"solver '{self.solver}' failed a check without any fault: {bad[0].title}: {bad[0].difference}"
            raise SiteError(self.place, fault, f"correct it first; {command_line(f'solve {self.solver}')} shows it")
        return tried

    def run(self, faults: Iterable[Fault], original: Trial) -> list[TriedFault]:
        """The outcome of each fault, in their order. Raises SiteError when a file changes meanwhile."""
        faults = list(faults)
        outcomes: dict[Fault, TriedFault] = {}
        seconds = min(self.context.limits.time, max(_LEAST_SECONDS, _TIMES * original.seconds))

        def task(fault: Fault, folder: Path) -> Task:
            def keep(result: bytes, checks: bytes) -> None:
                outcomes[fault] = _outcome(fault, _tried(result, checks), original)

            def fail(failure: Failure) -> SiteError | None:
                if failure.kind == "changed":
                    return self._error(failure)
                exception = failure.message.partition(":")[0] if failure.kind == "raised" else ""
                outcomes[fault] = TriedFault(fault.place, fault.change, failure.kind, exception)
                return None

            return self._task(self._with_fault(fault, folder), seconds, keep, fail, original.digest, folder)

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
        code = {**self._loadable.code, fault.path: bytes_digest(text)}
        return replace(self._loadable, code=code)

    def _task(
        self,
        loadable: Loadable,
        seconds: float,
        keep: Callable[[bytes, bytes], None],
        fail: Any,
        known: str = "",
        root: Path | None = None,
    ) -> Task:
        """Solve and check. known: digest of a result that needs no checks; root: of a copy of the project."""
        limits = self.context.limits.model_copy(update={"time": seconds})
        arguments = self.solver, loadable, self.parameters

        def check(solved: TaskAnswer) -> list[Task]:
            if bytes_digest(solved.data) == known:
                keep(solved.data, pack(([], {})))
                return []
            more = (self.solver, loadable, (), self.parameters, solved.data)
            return [Task(solver_tasks.checks, more, limits, partial(keep_checks, solved), fail, 0, root=root)]

        def keep_checks(solved: TaskAnswer, checks: TaskAnswer) -> None:
            keep(solved.data, checks.data)

        return Task(solver_tasks.solve, arguments, limits, check, fail, root=root)

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


def _tried(result: bytes, checks: bytes, seconds: float = 0.0) -> Trial:
    answers = {name: answer_of(value) for name, value in fields_of_any(unpack(result)).items()}
    return Trial(bytes_digest(result), answers, read_outcomes(judge(checks, {})), seconds)


def _outcome(fault: Fault, tried: Trial, original: Trial) -> TriedFault:
    bad = next((check.title for check in tried.checks if not check.passed), "")
    if bad:
        return TriedFault(fault.place, fault.change, "check", bad)
    every = sorted({*tried.answers, *original.answers})
    changed = [name for name in every if tried.answers.get(name) != original.answers.get(name)]
    return TriedFault(fault.place, fault.change, "missed" if changed else "same", ", ".join(changed))
