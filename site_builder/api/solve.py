"""Runs one solver for its author, at one set of parameters or along a sweep."""

import itertools
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import ValidationError

from site_builder.errors import Place, SiteError, UsageError, collecting, nearest, raise_all
from site_builder.figures.house_style import import_matplotlib, is_in_use
from site_builder.pipeline.build import open_sources, open_workers
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.steps.context import Report, StepContext
from site_builder.pipeline.steps.descriptions import Descriptions, contract_errors
from site_builder.pipeline.steps.results import SolveRuns, count_solves
from site_builder.project.front_matter import Run
from site_builder.project.validation import explained_errors
from site_builder.solving.catalog import solver_names
from site_builder.solving.checks.outcomes import CheckOutcome, read_outcomes
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.plan import PlannedRun, Question, Results, Solve, SolverReply
from site_builder.solving.processes import worker
from site_builder.solving.processes.failure import Failure, TaskAnswer
from site_builder.solving.processes.pool import Points, Workers
from site_builder.storage.store import Store
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import classify, fields_of_any

Warn = Callable[[str], None]
_ANY = "every_single_value"  # a field to keep until it is known which there are
_SCALARS = ("constant", "text", "whole", "float", "exact")


@dataclass(frozen=True)
class SolveRequest:
    """The arguments of the command.

    given: parameters that are set; sweeps: `Steps` or lists by parameter; keep: fields of a sweep's results, none for
    all that are single values; words: of the command line, by parameter. is_here: whether the solver runs in this
    process, without the cache.
    """

    solver: str
    given: Mapping[str, Any] = field(default_factory=dict)
    sweeps: Mapping[str, Any] = field(default_factory=dict)
    keep: Sequence[str] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    is_here: bool = False

    def place(self, name: str) -> str:
        """The words that set or sweep a parameter."""
        return self.words.get(name, f"solve {self.solver}")


@dataclass(frozen=True)
class SolveAnswer:
    """The answer of a solver: the results of one run, or of a sweep of the parameters `swept`.

    seconds: taken; printed: lines that the solver printed; errors: of its figures and checks.
    """

    run: PlannedRun
    results: Results
    seconds: float
    printed: Sequence[str]
    errors: Sequence[SiteError]
    swept: Sequence[str] = ()

    @property
    def parameters(self) -> Mapping[str, Any]:
        """All of them but those that are swept."""
        return {name: value for name, value in self.run.parameters.items() if name not in self.swept}

    @property
    def result(self) -> Mapping[str, Any]:
        """The fields of its result."""
        return fields_of_any(unpack(self.results.results[self.run.points[0]]))

    @property
    def checks(self) -> Sequence[CheckOutcome]:
        """The outcomes of its checks."""
        data = self.results.checks.get(self.run.points[0])
        return read_outcomes(data) if data else ()

    @property
    def figures(self) -> Sequence[str]:
        """The names of its figures."""
        data = self.results.figures.get(self.run.points[0])
        return tuple(unpack(data)["figures"]) if data else ()

    @property
    def columns(self) -> Mapping[str, Sequence[Any]]:
        """The swept values, then the kept fields, of all points."""
        points = [unpack(solve.parameters) for solve in self.run.solves]
        rows = [unpack(self.results.results[point]) for point in self.run.points]
        kept = {name: [row[at] for row in rows] for at, name in enumerate(self.run.keep)}
        return {name: [point[name] for point in points] for name in self.swept} | kept


class ThisProcess(Workers):
    """Workers without processes, where `breakpoint()` and `print` work: a task is done when it was submitted.

    Nothing is limited or recorded.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root, 1)
        worker.use_project(root)

    def submit(
        self, task: Callable[..., Any], *arguments: Any, points: Points = None, **_: Any
    ) -> "Future[Any | Failure]":
        """Run a task of a solver. arguments: the solver, what it may load, and its own."""
        if "matplotlib" in arguments[1].libraries and not is_in_use():
            import_matplotlib()
        future = Future[Any | Failure]()
        try:
            calls = [TaskAnswer(task.__wrapped__(*arguments, *each), {}) for each in points or [()]]  # type: ignore[attr-defined]
            future.set_result(calls[0] if points is None else calls)
        except Exception as error:
            future.set_result(worker.failure_of(error))
        return future


def solve(root: Path, asked: SolveRequest, workers: int | str, warn: Warn, report: Report) -> SolveAnswer:
    """The answer of one solver, or its answers along a sweep; from the cache where they are there.

    Figures and checks that fail are among its errors. The points of a sweep are shared with that of a post which has
    the same `keep`. Raises UsageError for a solver or parameter that does not exist or cannot be so; SiteError when the
    solver fails.
    """
    with solver_context(root, asked.solver, workers, warn, is_here=asked.is_here) as context:
        points = _points(asked) if asked.sweeps else [{}]
        described = ask(context, asked.solver, [{**asked.given, **point} for point in points])
        _refuse_errors(asked, described)
        keep = tuple(asked.keep)
        if asked.sweeps and not keep:
            keep = _single_values(context, asked, described, report)
        ran = _answers(context, _planned(asked, described, keep), report)
    return replace(ran, swept=list(asked.sweeps))


@contextmanager
def solver_context(
    root: Path, name: str, workers: int | str, warn: Warn, command: str = "solve", is_here: bool = False
) -> Iterator[StepContext]:
    """The context of steps for a single solver. command: for messages. Raises UsageError where there is none."""
    with open_sources(BuildOptions(root), warn) as (sources, store), ExitStack() as stack:
        if name not in (known := solver_names(root)):
            raise UsageError(f"{command} {name}: no solver is named {name!r}", nearest(name, known))
        settings = sources.config.settings
        codes = CodeKeys(root, store, sources.digests, sources.stamp, sources.config.extensions)
        pool = ThisProcess(root) if is_here else open_workers(root, workers or settings.workers, warn)
        if is_here:
            folder = stack.enter_context(TemporaryDirectory())
            store = stack.enter_context(Store(Path(folder), sys.maxsize, warn))
        with pool:
            yield StepContext(root, pool, store, codes, settings.limits, Report())


def ask(context: StepContext, name: str, parameters: Sequence[Mapping[str, Any]]) -> SolverReply:
    """The description of a solver, and its reply to each of these sets of parameters."""
    question, step = Question(name, parameters), Descriptions(context)
    plan = step.plan([question])
    return step.run(plan).checked()[question]


def _answers(context: StepContext, run: PlannedRun, report: Report) -> SolveAnswer:
    report.stage("Solving", count_solves([run]))
    start = time.monotonic()
    step = SolveRuns(replace(context, report=report), lambda part: None)
    plan = step.plan([run])
    errors = contract_errors(run.description)
    with collecting(errors):
        step.run(plan)
    if run.keep or run.points[0] not in plan.results.results:
        raise_all(errors)
    return SolveAnswer(run, plan.results, time.monotonic() - start, context.workers.printed(), errors)


def _planned(asked: SolveRequest, described: SolverReply, keep: tuple[str, ...]) -> PlannedRun:
    name, first = asked.solver, described.answers[0]["parameters"]
    solves = tuple(Solve(name, pack(each["parameters"])) for each in described.answers)
    description, place = described.description, Place(f"solve {name}")
    figures = () if keep else description.figures
    return PlannedRun("", name, name, place, first, solves, {}, keep, description, True, figures=figures)


def _points(asked: SolveRequest) -> list[dict[str, Any]]:
    """The swept parameters at each point, by the rules of sweeps in posts."""
    keep = list(asked.keep) or [_ANY]
    given: dict[str, Any] = {"parameters": dict(asked.given), "sweep": dict(asked.sweeps), "keep": keep}
    try:
        run = Run(solver=asked.solver, **given)
    except ValidationError as error:
        at, message, cure = explained_errors(error, given, lambda at: (), "the run")[0]
        name = str(at[1]) if len(at) > 1 and at[0] == "sweep" else ""
        message = re.sub(rf"^sweep\.{name}(\.\d+)?[.:] ?", "", message)
        raise UsageError(f"{asked.place(name)}: {message}", cure) from error
    every = itertools.product(*(run.points(name) for name in run.sweep))
    return [dict(zip(run.sweep, point, strict=True)) for point in every]


def _refuse_errors(asked: SolveRequest, described: SolverReply) -> None:
    """Raise UsageError for the first parameter that the solver refuses."""
    for name, message, cure in itertools.chain.from_iterable(each.get("faults", ()) for each in described.answers):
        raise UsageError(f"{asked.place(name)}: {message}", cure)


def _single_values(
    context: StepContext, asked: SolveRequest, described: SolverReply, report: Report
) -> tuple[str, ...]:
    """The fields of a result that are single values, as they are at the first point of a sweep."""
    first = replace(described, answers=described.answers[:1])
    fields = _answers(context, _planned(asked, first, ()), report).result
    names = [name for name, value in fields.items() if classify(value)[0] in _SCALARS]
    names = [name for name in names if name not in (*asked.sweeps, *described.description.parameters)]
    if not names:
        cure = f"name some with --keep; there is: {', '.join(fields)}"
        raise UsageError(f"solve {asked.solver}: no field of its result is a single value", cure)
    return tuple(names)
