"""What posts wish for -> the distinct Solves behind it, each with a key."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from site_builder.errors import Place, SiteError, UsageError, faults_of, nearest, raise_all
from site_builder.project.config import Config, Limits
from site_builder.project.front_matter import Run
from site_builder.project.posts import Post
from site_builder.project.validation import shown
from site_builder.solving.catalog import SolverDescription
from site_builder.values.packing import pack

COMMAND_LINE = "--set"


@dataclass(frozen=True)
class Setting:
    """One `--set solver.name=value` of the command line."""

    solver: str
    name: str
    value: Any


@dataclass(frozen=True)
class Wish:
    """Parameters that a run wants from a solver, as they were written, with the place of each."""

    solver: str
    parameters: Mapping[str, Any]
    places: Mapping[str, Place]
    place: Place


@dataclass(frozen=True)
class Solve:
    """One distinct solution. parameters: complete and packed; the same ones give the same key."""

    solver: str
    parameters: bytes
    limits: Limits = field(compare=False)

    @property
    def key(self) -> str:
        """The name of the solution."""
        return hashlib.blake2b(self.solver.encode() + b"\0" + self.parameters, digest_size=16).hexdigest()


@dataclass(frozen=True)
class PlannedRun:
    """A run of a post with the solves behind it: one, or one for each point of a sweep in the order of its points.

    parameters: complete, of the first solve. axes: for a sweep, the swept names and the values that each takes.
    """

    post: str
    name: str
    solver: str
    place: Place
    parameters: Mapping[str, Any]
    solves: tuple[Solve, ...]
    axes: Mapping[str, tuple[Any, ...]]
    keep: tuple[str, ...]
    description: SolverDescription
    pinned: bool


@dataclass(frozen=True)
class Results:
    """What the solvers said. results, figures and checks: by the key of the solve; rows: by key and kept fields."""

    results: dict[str, bytes] = field(default_factory=dict)
    figures: dict[str, bytes] = field(default_factory=dict)
    checks: dict[str, bytes] = field(default_factory=dict)
    rows: dict[tuple[str, tuple[str, ...]], bytes] = field(default_factory=dict)

    def hold(self, run: PlannedRun) -> bool:
        """Whether all that a post can read of the run is there."""
        if run.keep:
            return all((solve.key, run.keep) in self.rows for solve in run.solves)
        found = (self.results, self.figures, self.checks)
        return all(solve.key in each for solve in run.solves for each in found)


Questions = Mapping[str, Sequence[Sequence[Mapping[str, Any]]]]  # for each solver the wishes of each run
Answer = Callable[[Questions], Mapping[str, tuple[SolverDescription, list[dict[str, Any]]]]]


def plan_runs(
    posts: Sequence[Post],
    config: Config,
    settings: Sequence[Setting],
    solvers: Sequence[str],
    ask: Answer,
    turned: Collection[str] = (),
) -> dict[str, list[PlannedRun]]:
    """The runs of each post (by its source), every parameter checked by its solver.

    solvers: the names that there are. ask: gives each named solver's description and its answers to wishes. turned: the
    solvers of which other posts have a run that is not fixed. Raises SiteError for each wish that cannot be granted,
    UsageError for a --set that nothing can take.
    """
    check_settings(settings, solvers)
    faults = _unknown_solvers(posts, config, solvers)
    wishes = [_Wished(post, name, run, _wishes(post, name, run, config, settings)) for post, name, run in _runs(posts)]
    wishes = [wished for wished in wishes if wished.run.solver in solvers]
    mentioned = {w.run.solver for w in wishes} | {s.solver for s in settings} | set(config.settings.parameters)
    questions: dict[str, list[list[Mapping[str, Any]]]] = {name: [] for name in sorted(mentioned & set(solvers))}
    for wished in wishes:
        questions[wished.run.solver].append([wish.parameters for wish in wished.wishes])
    descriptions_and_answers = _asked(ask, questions, faults)
    descriptions = {name: description for name, (description, _) in descriptions_and_answers.items()}
    _check_setting_names(settings, descriptions)
    _check_setting_use(settings, {run.solver for _, _, run in _runs(posts) if not run.fixed}.union(turned))
    faults += _config_names(config, descriptions)
    answers = {name: iter(found) for name, (_, found) in descriptions_and_answers.items()}
    planned: dict[str, list[PlannedRun]] = {post.source: [] for post in posts}
    for wished in wishes:
        told = list(itertools.islice(answers[wished.run.solver], len(wished.wishes)))
        description = descriptions[wished.run.solver]
        refused = _refusals(wished, told, settings, description)
        faults += refused
        if not refused:
            planned[wished.post.source].append(_planned(wished, told, description, config.settings.limits))
    raise_all(faults)
    return planned


def _asked(
    ask: Answer, questions: Questions, faults: Sequence[SiteError]
) -> Mapping[str, tuple[SolverDescription, list[dict[str, Any]]]]:
    """What the solvers say; when one says nothing, its fault is raised with those that are known already."""
    silent: list[SiteError] = []
    try:
        return ask(questions)
    except* SiteError as group:
        silent = faults_of(group)
    raise_all([*faults, *silent])
    return {}


@dataclass(frozen=True)
class _Wished:
    """A run with the wishes that it comes down to, one for each point of its sweep."""

    post: Post
    name: str
    run: Run
    wishes: list[Wish]

    def place(self, *path: str) -> Place:
        """Where a part of the run stands in the front matter."""
        if self.post.front.solver:
            return self.post.reading.place(*(path or ("solver",)))
        return self.post.reading.place("runs", self.name, *path)


def _runs(posts: Sequence[Post]) -> list[tuple[Post, str, Run]]:
    return [(post, name, run) for post in posts for name, run in post.runs.items()]


def _wishes(post: Post, name: str, run: Run, config: Config, settings: Sequence[Setting]) -> list[Wish]:
    """The parameters of each point, later layers over earlier: config.yaml, the post, the command line, the sweep."""
    here = _Wished(post, name, run, [])
    given: dict[str, Any] = {}
    places: dict[str, Place] = {}
    if not run.fixed:
        for key, value in config.settings.parameters.get(run.solver, {}).items():
            given[key], places[key] = value, config.reading.place("parameters", run.solver, key)
    for key, value in run.parameters.items():
        given[key], places[key] = value, here.place("parameters", key)
    if not run.fixed:
        for setting in settings:
            if setting.solver == run.solver:
                given[setting.name] = setting.value
                places[setting.name] = Place(f"{COMMAND_LINE} {setting.solver}.{setting.name}")
    places |= {key: here.place("sweep", key) for key in run.sweep}
    points = itertools.product(*(run.points(key) for key in run.sweep))
    return [
        Wish(run.solver, given | dict(zip(run.sweep, point, strict=True)), places, here.place("solver"))
        for point in points
    ]


def written_places(post: Post, config: Config, settings: Sequence[Setting]) -> dict[str, Mapping[str, Place]]:
    """For each run of a post, where each of its parameters is written; those that are not stand at their defaults."""
    return {name: _wishes(post, name, run, config, settings)[0].places for name, run in post.runs.items()}


def _refusals(
    wished: _Wished, told: list[dict[str, Any]], settings: Sequence[Setting], description: SolverDescription
) -> list[SiteError]:
    faults: dict[str, SiteError] = {}
    for wish, answer in zip(wished.wishes, told, strict=True):
        for at, fault, cure in answer.get("faults", ()):
            place = wish.places.get(str(at[0]), wish.place) if at else wish.place
            faults.setdefault(fault, SiteError(place, fault, cure or _all_parameters(at, description)))
    for setting in settings:
        if setting.solver == wished.run.solver and setting.name in wished.run.sweep and not wished.run.fixed:
            fault = f"run '{wished.name}' sweeps {setting.name}, so {COMMAND_LINE} cannot set it"
            cure = "write fixed: true in the run, or leave the name out of the command"
            faults.setdefault(fault, SiteError(wished.place("sweep", setting.name), fault, cure))
    faults |= {str(fault): fault for fault in _repeated(wished, told)}
    known = description.result_fields
    for field_name in wished.run.keep:
        if field_name not in known:
            fault = f"a result of '{wished.run.solver}' has no {field_name!r} to keep"
            faults.setdefault(fault, SiteError(wished.place("keep"), fault, nearest(field_name, known)))
    return list(faults.values())


def _repeated(wished: _Wished, told: Sequence[Mapping[str, Any]]) -> Iterator[SiteError]:
    """Values that a sweep has twice: its columns and axes could not tell them apart."""
    points = itertools.product(*(range(len(wished.run.points(name))) for name in wished.run.sweep))
    values: dict[str, dict[int, Any]] = {name: {} for name in wished.run.sweep}
    for point, answer in zip(points, told, strict=True):
        for name, place in zip(values, point, strict=True):
            if "parameters" in answer:
                values[name][place] = answer["parameters"][name]
    for name, found in values.items():
        for value, count in Counter(found.values()).items():
            if count > 1:
                fault = f"the sweep has {name}={shown(_exact(value))} twice"
                yield SiteError(wished.place("sweep", name), fault, "leave one of the two out")


def _all_parameters(at: Sequence[Any], description: SolverDescription) -> str:
    if not at or at[0] not in description.parameters:
        return ""
    parameter = description.parameters[at[0]]
    return f"{parameter.name}: {parameter.description}" if parameter.description else ""


def _planned(wished: _Wished, told: list[dict[str, Any]], description: SolverDescription, limits: Limits) -> PlannedRun:
    run = wished.run
    own = wished.post.front.limits.over(limits)
    solves = tuple(Solve(run.solver, pack(answer["parameters"]), own) for answer in told)
    axes = {key: tuple(dict.fromkeys(_exact(answer["parameters"][key]) for answer in told)) for key in run.sweep}
    return PlannedRun(
        wished.post.source,
        wished.name,
        run.solver,
        wished.place(),
        told[0]["parameters"],
        solves,
        axes,
        tuple(run.keep),
        description,
        run.fixed,
    )


def _exact(value: Any) -> Any:
    """A swept value as a reader meets it: a whole Fraction is an int."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _unknown_solvers(posts: Sequence[Post], config: Config, solvers: Sequence[str]) -> list[SiteError]:
    faults = []
    for post, name, run in _runs(posts):
        if run.solver not in solvers:
            place = _Wished(post, name, run, []).place("solver")
            faults.append(SiteError(place, f"no solver is named {run.solver!r}", nearest(run.solver, solvers)))
    for name in config.settings.parameters:
        if name not in solvers:
            place = config.reading.place("parameters", name)
            faults.append(SiteError(place, f"no solver is named {name!r}", nearest(name, solvers)))
    return faults


def _config_names(config: Config, descriptions: Mapping[str, SolverDescription]) -> list[SiteError]:
    """Names in config.yaml that the solver does not have, also when no post uses the solver."""
    faults = []
    for solver, given in config.settings.parameters.items():
        known = descriptions[solver].parameters if solver in descriptions else given
        for name in given:
            if name not in known:
                place = config.reading.place("parameters", solver, name)
                faults.append(SiteError(place, f"solver '{solver}' has no parameter {name!r}", nearest(name, known)))
    return faults


def check_settings(settings: Sequence[Setting], solvers: Sequence[str]) -> None:
    """Raises UsageError for a setting of a solver that there is not."""
    for setting in settings:
        if setting.solver not in solvers:
            fault = f"{COMMAND_LINE} {setting.solver}.{setting.name}: no solver is named {setting.solver!r}"
            raise UsageError(fault, nearest(setting.solver, solvers))


def _check_setting_names(settings: Sequence[Setting], descriptions: Mapping[str, SolverDescription]) -> None:
    for setting in settings:
        known = descriptions[setting.solver].parameters
        if setting.name not in known:
            fault = f"{COMMAND_LINE} {setting.solver}.{setting.name}: it has no parameter {setting.name!r}"
            raise UsageError(fault, nearest(setting.name, known))


def _check_setting_use(settings: Sequence[Setting], turned: Collection[str]) -> None:
    for setting in settings:
        if setting.solver not in turned:
            fault = f"{COMMAND_LINE} {setting.solver}.{setting.name} changes nothing: no post has a run of it"
            raise UsageError(fault, "a run with fixed: true keeps its own parameters; leave that out of the run")
