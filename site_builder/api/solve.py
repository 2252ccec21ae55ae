"""Runs one solver for its author, at one set of parameters or along a sweep."""

import ast
import itertools
import re
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pydantic import ValidationError

from site_builder.errors import Place, SiteError, UsageError, collecting, nearest, raise_all
from site_builder.pipeline.build import open_sources
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.steps.context import Report, StepContext
from site_builder.pipeline.steps.descriptions import Descriptions, contract_errors
from site_builder.pipeline.steps.results import RunPart, SolveRuns, count_solves, failed_checks
from site_builder.project.config import Limits
from site_builder.project.front_matter import Run
from site_builder.project.validation import explained_errors
from site_builder.solving.catalog import SolverDescription, solver_names
from site_builder.solving.checks.outcomes import CheckOutcome, read_outcomes
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.open_workers import open_workers
from site_builder.solving.plan import PlannedRun, Question, Results, Solve, SolverReply
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
    all that are single values; is_fresh: whether to leave the cache out; words: of the command line, by parameter.
    option: what stands before NAME=VALUE there. limit: seconds that a task may take, None for those of config.yaml.
    """

    solver: str
    given: Mapping[str, Any] = field(default_factory=dict)
    sweeps: Mapping[str, Any] = field(default_factory=dict)
    keep: Sequence[str] = ()
    is_fresh: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    option: str = "--set "
    limit: float | None = None

    def place(self, name: str) -> str:
        """The words that set or sweep a parameter."""
        return self.words.get(name, f"solve {self.solver}")


@dataclass(frozen=True)
class SolveAnswer:
    """The answer of a solver. parameters: all of them; result: its fields.

    errors: of figures and checks that failed; ran: the tasks that had no result in the cache; seconds: taken.
    printed: lines that the solver printed.
    """

    description: SolverDescription
    parameters: Mapping[str, Any]
    result: Mapping[str, Any]
    checks: Sequence[CheckOutcome]
    figures: Sequence[str]
    errors: Sequence[SiteError]
    ran: Collection[str]
    seconds: float
    printed: Sequence[str]


@dataclass(frozen=True)
class SweepAnswer:
    """The answers along a sweep. parameters: those that are not swept; columns: swept values, then kept fields.

    ran: how many of the points had no result in the cache; seconds: taken. printed: lines that the solver printed.
    """

    description: SolverDescription
    parameters: Mapping[str, Any]
    swept: Sequence[str]
    columns: Mapping[str, Sequence[Any]]
    points: int
    ran: int
    seconds: float
    printed: Sequence[str]


@dataclass(frozen=True)
class SolverRuns:
    """Runs of a solver with their results, their parts as they were found in the cache, and the seconds taken.

    printed: lines that the solver printed. errors: of figures and checks.
    """

    run: PlannedRun
    results: Results
    parts: Sequence[RunPart]
    seconds: float
    printed: Sequence[str]
    errors: Sequence[SiteError] = ()


def describe(root: Path, name: str, warn: Warn) -> SolverDescription:
    """The description of a solver, made in a worker. Raises UsageError where there is none."""
    with solver_context(root, name, 1, warn) as context:
        return ask(context, name, [{}]).description


def docstring(root: Path, name: str) -> str:
    """The docstring of a solver, read and not run; empty where it cannot be read."""
    file = root / "solvers" / f"{name}.py"
    try:
        tree = ast.parse((file if file.is_file() else root / "solvers" / name / "__init__.py").read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ""
    return ast.get_docstring(tree) or ""


def solve_one(root: Path, asked: SolveRequest, workers: int | str, warn: Warn, report: Report) -> SolveAnswer:
    """The answer of one solver; from the cache where it is there. Raises as `run_one` does.

    Figures and checks that fail are among its errors.
    """
    ran = run_one(root, asked, workers, warn, report)
    solve, results = ran.run.solves[0], ran.results
    checks = read_outcomes(results.checks[solve.key]) if solve.key in results.checks else ()
    figures = unpack(results.figures[solve.key])["figures"] if solve.key in results.figures else ()
    return SolveAnswer(
        ran.run.description,
        ran.run.parameters,
        fields_of_any(unpack(results.results[solve.key])),
        checks,
        tuple(figures),
        [*ran.errors, *failed_checks(ran.run, solve, checks)],
        {part.task for part in ran.parts if part.missing},
        ran.seconds,
        ran.printed,
    )


def run_one(root: Path, asked: SolveRequest, workers: int | str, warn: Warn, report: Report) -> SolverRuns:
    """One run of a solver.

    Raises UsageError for a solver or parameter that does not exist or cannot be so; SiteError when the solver fails.
    """
    with solver_context(root, asked.solver, workers, warn) as context:
        described = ask(context, asked.solver, [asked.given])
        _refuse_faults(asked, described)
        return _answers(context, asked, _planned(asked, described, context.limits, ()), report, warn)


def solve_sweep(root: Path, asked: SolveRequest, workers: int | str, report: Report, warn: Warn) -> SweepAnswer:
    """The answers of one solver along a sweep, as the sweep of a post with the same `keep` has them.

    Raises UsageError for what cannot be so, SiteError when the solver fails at some points.
    """
    names = list(asked.sweeps)
    with solver_context(root, asked.solver, workers, warn) as context:
        description = ask(context, asked.solver, [{}]).description
        _refuse_unknown_fields(asked, description)
        points = _points(asked, tuple(asked.keep) or (_ANY,))
        first = {**asked.given, **dict(zip(names, (values[0] for values in points), strict=True))}
        keep = tuple(asked.keep) or _single_values(context, asked, first, report, warn)
        every = [{**asked.given, **dict(zip(names, point, strict=True))} for point in itertools.product(*points)]
        described = ask(context, asked.solver, every)
        _refuse_faults(asked, described)
        run = _planned(asked, described, context.limits, keep)
        ran = _answers(context, asked, run, report, warn)
    rows = [unpack(ran.results.rows[solve.key, keep]) for solve in run.solves]
    columns: dict[str, Sequence[Any]] = {
        name: [each["parameters"][name] for each in described.answers] for name in names
    }
    columns |= {name: [row[at] for row in rows] for at, name in enumerate(keep)}
    others = {name: value for name, value in run.parameters.items() if name not in names}
    missing = sum(len(part.missing) for part in ran.parts)
    return SweepAnswer(description, others, names, columns, len(every), missing, ran.seconds, ran.printed)


@contextmanager
def solver_context(
    root: Path, name: str, workers: int | str, warn: Warn, command: str = "solve"
) -> Iterator[StepContext]:
    """The context of steps for a single solver. command: for messages. Raises UsageError where there is none."""
    known = solver_names(root)
    if name not in known:
        raise UsageError(f"{command} {name}: no solver is named {name!r}", nearest(name, known))
    with open_sources(BuildOptions(root), warn) as (sources, store):
        codes, settings = CodeKeys(root, store, sources.digests, sources.stamp), sources.config.settings
        with open_workers(root, workers or settings.workers, warn) as pool:
            yield StepContext(root, pool, store, codes, settings.limits, sources.digests, Report())


def ask(
    context: StepContext, name: str, parameters: Sequence[Mapping[str, Any]], command: str = "solve"
) -> SolverReply:
    """The description of a solver, and its reply to each of these sets of parameters."""
    question, step = Question(name, parameters), Descriptions(context)
    plan = step.plan([question])
    return (plan.cached | step.run(plan.missing, {name: Place(f"{command} {name}")}).checked())[question]


def _answers(context: StepContext, asked: SolveRequest, run: PlannedRun, report: Report, warn: Warn) -> SolverRuns:
    parts: list[RunPart] = []
    report.stage("Solving", count_solves([run]))
    start = time.monotonic()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        if asked.is_fresh:  # with an empty cache of its own
            context = replace(context, store=stack.enter_context(Store(Path(folder), sys.maxsize, warn)))
        step = SolveRuns(replace(context, report=report), parts.append, refuse=bool(run.keep))
        plan = step.plan([run])
        errors = contract_errors(run.description)
        with collecting(errors):
            step.run(plan)
        if run.keep or run.solves[0].key not in plan.results.results:
            raise_all(errors)
        return SolverRuns(run, plan.results, parts, time.monotonic() - start, context.workers.printed(), errors)


def _planned(asked: SolveRequest, described: SolverReply, limits: Limits, keep: tuple[str, ...]) -> PlannedRun:
    name, first = asked.solver, described.answers[0]["parameters"]
    if asked.limit is not None:
        limits = limits.model_copy(update={"time": asked.limit})
    solves = tuple(Solve(name, pack(each["parameters"]), limits) for each in described.answers)
    return PlannedRun("", name, name, Place(f"solve {name}"), first, solves, {}, keep, described.description, True)


def _refuse_unknown_fields(asked: SolveRequest, description: SolverDescription) -> None:
    for name in asked.keep:
        if description.result_fields and name not in description.result_fields:
            message = f"--keep {name}: a result of '{asked.solver}' has no {name!r}"
            raise UsageError(message, nearest(name, description.result_fields))


def _points(asked: SolveRequest, keep: Sequence[str]) -> list[tuple[Any, ...]]:
    """The values of each swept parameter, by the rules of sweeps in posts."""
    given: dict[str, Any] = {"parameters": dict(asked.given), "sweep": dict(asked.sweeps), "keep": list(keep)}
    try:
        run = Run(solver=asked.solver, **given)
    except ValidationError as error:
        at, message, cure = explained_errors(error, given, lambda at: (), "the run")[0]
        name = str(at[1]) if len(at) > 1 and at[0] == "sweep" else ""
        message = re.sub(rf"^sweep\.{name}(\.\d+)?[.:] ?", "", message)
        raise UsageError(f"{asked.place(name)}: {message}", cure) from error
    return [run.points(name) for name in run.sweep]


def _refuse_faults(asked: SolveRequest, described: SolverReply) -> None:
    """Raise UsageError for the first parameter that the solver refuses."""
    known = described.description.parameters
    for at, message, cure in itertools.chain.from_iterable(each.get("faults", ()) for each in described.answers):
        name = str(at[0]) if at else ""
        if at and name not in known:
            cure = nearest(name, known)
        elif at and not cure and known[name].description:
            cure = f"{name}: {known[name].description}"
        raise UsageError(f"{asked.place(name)}: {message}", cure)


def _single_values(
    context: StepContext, asked: SolveRequest, first: Mapping[str, Any], report: Report, warn: Warn
) -> tuple[str, ...]:
    """The fields of a result that are single values, as they are at the first point of a sweep."""
    described = ask(context, asked.solver, [first])
    _refuse_faults(asked, described)
    ran = _answers(context, asked, _planned(asked, described, context.limits, ()), report, warn)
    fields = fields_of_any(unpack(ran.results.results[ran.run.solves[0].key]))
    names = [name for name, value in fields.items() if classify(value)[0] in _SCALARS]
    names = [name for name in names if name not in (*asked.sweeps, *described.description.parameters)]
    if not names:
        cure = f"name some with --keep; there is: {', '.join(fields)}"
        raise UsageError(f"solve {asked.solver}: no field of its result is a single value", cure)
    return tuple(names)
