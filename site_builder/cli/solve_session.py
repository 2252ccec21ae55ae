"""One solver run for its author, at one set of parameters or along a sweep: words as they are written -> answers."""

import ast
import itertools
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from site_builder.build.build import sources_of
from site_builder.build.last_build import STORE
from site_builder.build.options import BuildOptions
from site_builder.build.steps.context import NoReport, Report, StepContext
from site_builder.build.steps.descriptions import Descriptions
from site_builder.build.steps.results import RunPart, SolveRuns, count_solves, failed_checks
from site_builder.contract import Check
from site_builder.errors import Place, SiteError, UsageError, nearest
from site_builder.project.config import Limits, load_config
from site_builder.project.front_matter import Run
from site_builder.project.validation import retold, shown
from site_builder.solving.catalog import SolverDescription, solver_names
from site_builder.solving.plan import Described, PlannedRun, Question, Results, Solve
from site_builder.solving.pool import local_workers
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.store import Store
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import fields_of_any

_SCALARS = {"int", "float", "Fraction", "str", "bool", "None", "Rational"}


@dataclass(frozen=True)
class Asked:
    """What was asked for, each part with the words of the command line that say it.

    given: parameters that are set; sweeps: values that parameters take one after the other, `Steps` or lists; keep:
    fields of a sweep's results, none for all that are single values; is_fresh: whether to run it whatever is stored.
    """

    solver: str
    given: Mapping[str, Any] = field(default_factory=dict)
    sweeps: Mapping[str, Any] = field(default_factory=dict)
    keep: Sequence[str] = ()
    is_fresh: bool = False
    words: Mapping[str, str] = field(default_factory=dict)

    def place(self, name: str) -> str:
        """The words that say something of a parameter."""
        return self.words.get(name, f"solve {self.solver}")


@dataclass(frozen=True)
class Solved:
    """The answer of a solver. parameters: complete; result: its fields; checks: what a second method found.

    faults: of the checks that failed; ran: the tasks that had to run, the others were in the store; seconds: taken.
    """

    description: SolverDescription
    parameters: Mapping[str, Any]
    result: Mapping[str, Any]
    checks: Sequence[Check]
    figures: Sequence[str]
    faults: Sequence[SiteError]
    ran: Sequence[str]
    seconds: float


@dataclass(frozen=True)
class Swept:
    """The answers along a sweep. parameters: those that are not swept; columns: swept values, then kept fields.

    ran: how many of the points had to run, the others were in the store; seconds: taken.
    """

    description: SolverDescription
    parameters: Mapping[str, Any]
    swept: Sequence[str]
    columns: Mapping[str, Sequence[Any]]
    ran: int
    seconds: float

    @property
    def points(self) -> int:
        """How many points the sweep has."""
        return len(self.columns[self.swept[0]])


@dataclass(frozen=True)
class _Bench:
    """What is needed to ask and to run solvers. results: the context for results, which may have its own cache."""

    context: StepContext
    results: StepContext

    def ask(self, name: str, parameters: Sequence[Mapping[str, Any]]) -> Described:
        question, step = Question(name, parameters), Descriptions(self.context)
        plan = step.plan([question])
        return (plan.cached | step.run(plan.missing, {name: Place(f"solve {name}")}).checked())[question]

    def solve(self, run: PlannedRun, log: Callable[[RunPart], None], report: Report, refuse: bool) -> Results:
        step = SolveRuns(replace(self.results, report=report), log, refuse)
        return step.run(step.plan([run]))


def describe(root: Path, name: str, warn: Callable[[str], None]) -> SolverDescription:
    """What a solver offers, as it says itself in a process of its own. Raises UsageError where there is none."""
    with _bench(root, name, 1, False, warn) as bench:
        return bench.ask(name, [{}]).description


def docstring(root: Path, name: str) -> str:
    """The docstring of a solver, read and not run; empty where it cannot be read."""
    file = root / "solvers" / f"{name}.py"
    try:
        tree = ast.parse((file if file.is_file() else root / "solvers" / name / "__init__.py").read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ""
    return ast.get_docstring(tree) or ""


def solve_one(root: Path, asked: Asked, jobs: int, warn: Callable[[str], None]) -> Solved:
    """The answer of one solver; from the store where it is there.

    Raises UsageError for a solver or parameter that does not exist or cannot be so; SiteError when the solver fails.
    """
    tasks: list[str] = []

    def log(part: RunPart) -> None:
        tasks.extend([part.task] * len(part.missing))

    with _bench(root, asked.solver, jobs, asked.is_fresh, warn) as bench:
        described = bench.ask(asked.solver, [asked.given])
        _refuse_faults(asked, described)
        run = _planned(asked, described, bench.context.limits, ())
        start = time.monotonic()
        answers = bench.solve(run, log, NoReport(), refuse=False)
        seconds = time.monotonic() - start
    return _solved(run, answers, tasks, seconds)


def _solved(run: PlannedRun, answers: Results, ran: Sequence[str], seconds: float) -> Solved:
    solve = run.solves[0]
    result = fields_of_any(unpack(answers.results[solve.key]))
    checks = unpack(answers.checks[solve.key])
    figures = tuple(unpack(answers.figures[solve.key]))
    faults = failed_checks(run, solve, checks)
    return Solved(run.description, run.parameters, result, checks, figures, faults, ran, seconds)


def solve_sweep(root: Path, asked: Asked, jobs: int, report: Report, warn: Callable[[str], None]) -> Swept:
    """The answers of one solver along a sweep, as the sweep of a post with the same `keep` has them.

    Raises UsageError for what cannot be so, SiteError when the solver fails at some points.
    """
    names = list(asked.sweeps)
    missing: list[int] = []

    def log(part: RunPart) -> None:
        missing.append(len(part.missing))

    with _bench(root, asked.solver, jobs, asked.is_fresh, warn) as bench:
        description = bench.ask(asked.solver, [{}]).description
        _refuse_unknown(asked, description)
        keep = tuple(asked.keep) or _single_values(description, names)
        points = _points(asked, description, keep)
        every = [{**asked.given, **dict(zip(names, point, strict=True))} for point in itertools.product(*points)]
        described = bench.ask(asked.solver, every)
        _refuse_faults(asked, described)
        _refuse_repeated(asked, described.answers, [len(values) for values in points])
        run = _planned(asked, described, bench.context.limits, keep)
        report.stage("Solving", count_solves([run]))
        start = time.monotonic()
        answers = bench.solve(run, log, report, refuse=True)
        seconds = time.monotonic() - start
    rows = [unpack(answers.rows[solve.key, keep]) for solve in run.solves]
    columns: dict[str, Sequence[Any]] = {
        name: [each["parameters"][name] for each in described.answers] for name in names
    }
    columns |= {name: [row[at] for row in rows] for at, name in enumerate(keep)}
    others = {name: value for name, value in run.parameters.items() if name not in names}
    return Swept(description, others, names, columns, sum(missing), seconds)


@contextmanager
def _bench(root: Path, name: str, jobs: int, is_fresh: bool, warn: Callable[[str], None]) -> Iterator[_Bench]:
    """All that is needed to run a solver. is_fresh: with a store of its own, in which there is nothing."""
    known = solver_names(root)
    if name not in known:
        raise UsageError(f"solve {name}: no solver is named {name!r}", nearest(name, known))
    config = load_config(root)
    size = config.settings.store.max_size
    with (
        tempfile.TemporaryDirectory() as aside,
        Store(root / STORE, size, warn) as store,
        Store(Path(aside), size, warn) if is_fresh else nullcontext(store) as results,
        local_workers(root, jobs) as workers,
    ):
        sources, _ = sources_of(config, BuildOptions(config.root), store)
        codes = CodeKeys(root, store, sources.digests, sources.stamp)
        limits, report = config.settings.limits, NoReport()
        context = StepContext(root, workers, store, codes, limits, sources.digests, report, jobs)
        yield _Bench(context, replace(context, store=results))


def _planned(asked: Asked, described: Described, limits: Limits, keep: tuple[str, ...]) -> PlannedRun:
    name, first = asked.solver, described.answers[0]["parameters"]
    solves = tuple(Solve(name, pack(each["parameters"]), limits) for each in described.answers)
    place = Place(f"solve {name}")
    return PlannedRun("", name, name, place, first, solves, {}, keep, described.description, True)


def _refuse_unknown(asked: Asked, description: SolverDescription) -> None:
    for name in asked.sweeps:
        if name not in description.parameters:
            fault = f"{asked.place(name)}: '{asked.solver}' has no parameter {name!r}"
            raise UsageError(fault, nearest(name, description.parameters))
    for name in asked.keep:
        if name not in description.result_fields:
            fault = f"--keep {name}: a result of '{asked.solver}' has no {name!r}"
            raise UsageError(fault, nearest(name, description.result_fields))


def _points(asked: Asked, description: SolverDescription, keep: Sequence[str]) -> list[tuple[Any, ...]]:
    """The values that each swept name takes, by the rules of sweeps in posts."""
    given: dict[str, Any] = {"parameters": dict(asked.given), "sweep": dict(asked.sweeps), "keep": list(keep)}
    try:
        run = Run(solver=asked.solver, **given)
    except ValidationError as error:
        found = retold(error, given, lambda at: ())[0]
        name = str(found.at[1]) if len(found.at) > 1 and found.at[0] == "sweep" else ""
        fault = re.sub(rf"^sweep\.{name}(\.\d+)?[.:] ?", "", found.fault)
        raise UsageError(f"{asked.place(name)}: {fault}", found.cure) from error
    for name in run.sweep:
        values, is_whole = run.points(name), description.parameters[name].kind == "whole number"
        if is_whole and not isinstance(asked.sweeps[name], list) and not all(isinstance(v, int) for v in values):
            apart = values[1] - values[0] if len(values) > 1 else values[0]
            fault = f"{name} takes whole numbers, and these steps are {apart} apart"
            raise UsageError(f"{asked.place(name)}: {fault}", _whole_steps(name, values))
    return [run.points(name) for name in run.sweep]


def _whole_steps(name: str, values: Sequence[Any]) -> str:
    """A sweep between the same ends, or the nearest whole ones, in whole steps; as nearly as many as were wanted."""
    start, stop = round(values[0]), round(values[-1])
    length, wanted = abs(stop - start), len(values) - 1
    if length == 0:
        return f"give it with --set {name}={start}"
    steps = min(
        (count for away in range(wanted) for count in (wanted - away, wanted + away) if length % count == 0),
        key=lambda count: abs(count - wanted),
        default=1,
    )
    return f"write e.g. --sweep {name}={start}:{stop}:{steps + 1}"


def _refuse_faults(asked: Asked, described: Described) -> None:
    """Raise UsageError for the first of the parameters that cannot be so."""
    description = described.description
    for at, fault, cure in itertools.chain.from_iterable(each.get("faults", ()) for each in described.answers):
        name = str(at[0]) if at else ""
        if name in description.parameters and name not in (*asked.given, *asked.sweeps):
            raise UsageError(f"solve {asked.solver}: the parameter {name} has no default", f"give it: --set {name}=...")
        is_known = not at or name in description.parameters
        meaning = description.parameters[name].description if is_known and name in description.parameters else ""
        words = cure or (f"{name}: {meaning}" if meaning else "")
        raise UsageError(f"{asked.place(name)}: {fault}", words if is_known else nearest(name, description.parameters))


def _refuse_repeated(asked: Asked, told: Sequence[Mapping[str, Any]], lengths: Sequence[int]) -> None:
    """Raise UsageError for a value that a sweep has twice."""
    for name, length in zip(asked.sweeps, lengths, strict=True):
        values = [each["parameters"][name] for each in told]
        if len(distinct := set(values)) < length:
            twice = next(value for value in distinct if values.count(value) * length > len(values))
            raise UsageError(f"{asked.place(name)}: it has {name}={shown(twice)} twice", "leave one of the two out")


def _single_values(description: SolverDescription, swept: Sequence[str]) -> tuple[str, ...]:
    """The fields of a result that are single values, by what the solver says of them."""
    kinds = description.result_kinds
    names = [name for name in description.result_fields if set(kinds[name].split(" | ")) <= _SCALARS]
    names = [name for name in names if name not in (*swept, *description.parameters)]
    if not names:
        cure = f"name some with --keep; there is: {', '.join(description.result_fields)}"
        raise UsageError(f"solve {description.name}: no field of its results is declared as a single value", cure)
    return tuple(names)
