"""Runs of posts -> questions to their solvers -> distinct solves, each with a key."""

import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from random import Random
from typing import Any

from site_builder.errors import COMMAND_LINE, Place, SiteError, UsageError, nearest, raise_all
from site_builder.project.config import Config
from site_builder.project.front_matter import FRONT_TEXTS, Run
from site_builder.project.posts import MACROS, Post
from site_builder.project.yaml_reader import read_scalar
from site_builder.solving.catalog import Parameter, SolverDescription
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.processes.failure import Failure
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import pack, unpack

_COMPARED = re.compile(r"\bclaim\s*\(|\{%[-+]?\s*holds\b")  # what is compared at the post's own parameters
_FIGURE = re.compile(r"\b(results\.)?(\w+)\.figures\.(\w+)")
_RUN_NAMED = re.compile(r"\{%[-+]?\s*set\s+(\w+)\s*=\s*results\.(\w+)\s*[-+]?%\}")
_ANY_FIGURE = re.compile(r"""[.'"]figures\b(?!\.\w)|\{%[-+]?\s*(?:import|include|from|extends)\b""")
_ALL_CHECKED, _SAMPLE = 64, 32  # points of a sweep
FiguresOf = Callable[[Post, str, SolverDescription], tuple[str, ...]]


@dataclass(frozen=True)
class Setting:
    """One `--set solver.name=value` of the command line, or a value of a setting of `turn:`."""

    solver: str
    name: str
    value: Any

    def __str__(self) -> str:
        return f"{COMMAND_LINE} {self.solver}.{self.name}"


def _turned_to(post: Post) -> list[Setting]:
    """The values of the setting at which a post is; none as it is published."""
    names = [(name.partition("."), value) for name, value in (post.setting.values if post.setting else {}).items()]
    return [Setting(solver, name, value) for (solver, _, name), value in names]


def read_setting(text: str) -> Setting:
    """The setting that SOLVER.NAME=VALUE stands for. Raises UsageError where the text is not of this form."""
    target, equals, value = text.partition("=")
    solver, dot, name = target.partition(".")
    if not (equals and dot and solver and name):
        raise UsageError(f"{COMMAND_LINE} {text}: it must be solver.name=value", "write e.g. --set coin_game.flips=20")
    try:
        return Setting(solver.strip(), name.strip(), read_scalar(value.strip()))
    except ValueError as error:
        raise UsageError(f"{COMMAND_LINE} {text}: {error}", "put a value with signs of its own into quotes") from error


@dataclass(frozen=True, eq=False)
class Question:
    """A request to a solver for its description and for a check of parameters: for each point of a run, as written."""

    solver: str
    parameters: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class SolverReply:
    """A solver's reply. answers: for each set of parameters a mapping with complete `parameters` or with `faults`."""

    description: SolverDescription
    answers: Sequence[Mapping[str, Any]]


_RECORDS = (SolverReply, SolverDescription, Parameter, CheckDescription, Failure)  # in a packed reply


def read_reply(data: bytes) -> SolverReply:
    """The reply that a worker packed."""
    kinds: dict[str, Any] = {each.__name__: each for each in _RECORDS}
    reply: SolverReply = unpack(data, lambda kind, fields: kinds[kind.rpartition(":")[2]](**fields))
    return reply


@dataclass(frozen=True, eq=False)
class RequestedRun:
    """A run as a post requests it. places: where its parameters are written.

    own: the run at the post's own parameters, at which its claims are compared; None where these are the ones, and for
    a post without claims and held sentences.
    """

    post: Post
    name: str
    run: Run
    question: Question
    places: Mapping[str, Place]
    own: "RequestedRun | None" = None

    def place(self, *path: str) -> Place:
        """Where a part of the run stands in the front matter."""
        if self.post.front.solver:
            return self.post.reading.place(*(path or ("solver",)))
        return self.post.reading.place("runs", self.name, *path)


@dataclass(frozen=True)
class Requests:
    """The runs and questions that posts, config.yaml and the command line request of solvers.

    runs: those whose solver exists.
    """

    runs: Sequence[RequestedRun]
    errors: Sequence[SiteError]

    @property
    def questions(self) -> list[Question]:
        """Every question to be answered before runs can be planned."""
        own = [each.own.question for each in self.runs if each.own]
        return [*(each.question for each in self.runs), *own]


@dataclass(frozen=True)
class Solve:
    """One distinct solution. parameters: complete and packed; the same ones give the same key."""

    solver: str
    parameters: bytes

    @cached_property
    def key(self) -> str:
        """Digest of the solver's name and the parameters."""
        return bytes_digest(self.solver.encode() + b"\0" + self.parameters)


Point = tuple[str, tuple[str, ...]]
"""Where a result is among results: the key of its solve, and the fields that a sweep keeps of it, none of a run."""


@dataclass(frozen=True)
class PlannedRun:
    """A run of a post with the solves behind it: one, or one for each point of a sweep in the order of its points.

    parameters: complete, of the first solve. axes: for a sweep, the swept names and the values that each takes. turned:
    the names of parameters that config.yaml or the command line gives. checked: keys of the solves of a sweep that are
    checked. unchecked: the reasons why fields that nothing confirms may be shown, by field. figures: those that are
    made, by name. own: the run at the post's own parameters, at which claims are compared, where it is another one.
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
    turned: tuple[str, ...] = ()
    checked: frozenset[str] = frozenset()
    unchecked: Mapping[str, str] = field(default_factory=dict)
    figures: tuple[str, ...] = ()
    own: "PlannedRun | None" = None

    @property
    def solved(self) -> "tuple[PlannedRun, ...]":
        """This run, and the one at the post's own parameters where that is another one."""
        return (self, self.own) if self.own else (self,)

    @property
    def points(self) -> list[Point]:
        """Where its results are: one, or one for each point of a sweep."""
        return [(solve.key, self.keep) for solve in self.solves]

    @property
    def points_with_checks(self) -> list[Point]:
        """Those of its points whose results are checked."""
        return [point for point in self.points if not self.keep or point[0] in self.checked]


@dataclass(frozen=True)
class Results:
    """Packed results, figures and outcomes of checks; of a sweep the tuples of kept fields, and no figures."""

    results: dict[Point, bytes] = field(default_factory=dict)
    figures: dict[Point, bytes] = field(default_factory=dict)
    checks: dict[Point, bytes] = field(default_factory=dict)
    _digests: dict[tuple[Point, ...], str] = field(default_factory=dict)

    def hold(self, run: PlannedRun) -> bool:
        """True when everything that a post can read of the run is here."""
        parts = [part for each in run.solved for part in self._parts(each)]
        return all(point in held for held, points in parts for point in points)

    def digest(self, run: PlannedRun) -> str:
        """Digest of all that a post can read of a run that has results, which is made once."""
        points = tuple(run.points)
        if points not in self._digests:
            packed = [held[point] for held, points in self._parts(run) for point in points]
            self._digests[points] = digest([bytes_digest(data) for data in packed])
        return self._digests[points]

    def _parts(self, run: PlannedRun) -> list[tuple[dict[Point, bytes], list[Point]]]:
        figures = [] if run.keep else run.points
        return [(self.results, run.points), (self.figures, figures), (self.checks, run.points_with_checks)]


def requests_of(posts: Sequence[Post], config: Config, settings: Sequence[Setting], solvers: Sequence[str]) -> Requests:
    """The requests of these posts to the solvers that exist. Raises UsageError for a --set that names no solver."""
    check_settings(settings, solvers)
    every = [_requested(post, name, run, config, settings) for post in posts for name, run in post.runs.items()]
    runs = [each for each in every if each.run.solver in solvers]
    unknown = [(each.place("solver"), each.run.solver) for each in every if each.run.solver not in solvers]
    places = [(config.reading.place("parameters", name), name) for name in config.settings.parameters]
    unknown += [(place, name) for place, name in places if name not in solvers]
    errors = [SiteError(place, f"no solver is named {name!r}", nearest(name, solvers)) for place, name in unknown]
    errors += itertools.chain.from_iterable(map(_idle_settings, posts))
    return Requests(runs, errors)


def _idle_settings(post: Post) -> Iterator[SiteError]:
    """An error for each value of the setting of a post that none of its runs takes."""
    own = [run for run in post.runs.values() if not run.fixed]
    for each in _turned_to(post):
        if post.setting and not any(run.solver == each.solver and each.name not in run.sweep for run in own):
            message = f"the setting {post.setting.label} changes nothing: no run of {each.solver} can be turned"
            cure = f"name a parameter of a run that is not fixed: true and does not sweep {each.name}"
            yield SiteError(post.reading.place("turn"), message, cure)


def plan_runs(
    requests: Requests,
    described: Mapping[Question, SolverReply],
    config: Config,
    settings: Sequence[Setting],
) -> dict[str, list[PlannedRun]]:
    """The runs of each post (by its key), every parameter checked by its solver.

    described: the replies to all questions. Raises SiteError for each impossible run, UsageError for a --set of a
    parameter that its solver does not have.
    """
    descriptions = {question.solver: answer.description for question, answer in described.items()}
    for setting in settings:
        known = descriptions.get(setting.solver)
        if known and setting.name not in known.parameters:
            cure = nearest(setting.name, known.parameters)
            raise UsageError(f"{setting}: it has no parameter {setting.name!r}", cure)
    errors = [*requests.errors]
    planned: dict[str, list[PlannedRun]] = {}
    known_figures = {name for each in descriptions.values() for name in each.figures}
    figures = partial(figures_in_text, known=known_figures, has_macros=(config.root / MACROS).is_file())
    for requested in requests.runs:
        refused = _refusals(requested, described)
        refused += _refusals(requested.own, described) if requested.own else []
        errors += refused
        if not refused:
            run = _planned(requested, described, figures)
            planned.setdefault(requested.post.key, []).append(run)
    raise_all(errors)
    return planned


def figures_in_text(
    post: Post, run: str, solver: SolverDescription, known: Collection[str], has_macros: bool
) -> tuple[str, ...]:
    """The figures of a run that its post names; all of its solver where other names or files may lead to more.

    known: figures of all solvers. has_macros: whether the project has macros for all posts.
    """
    found, runs = _figures_named(post.body)
    picture_run, _, picture = post.front.picture.partition(".")
    names = {*(name for *_, name in found), picture} - {""}
    if has_macros or runs is None or not names.issubset(known):
        return solver.figures
    named = {name for is_run, owner, name in found if run in ({owner} if is_run else runs.get(owner, {run}))}
    return tuple(name for name in solver.figures if name in named or (picture_run, picture) == (run, name))


@lru_cache(maxsize=256)  # a text is asked for at each run of its post, and at each setting
def _figures_named(text: str) -> tuple[list[tuple[str, str, str]], dict[str, set[str]] | None]:
    """The figures that a text names, and the runs that its names stand for; None where other names may lead to more."""
    runs: dict[str, set[str]] = {}
    for name, own in _RUN_NAMED.findall(text):
        runs.setdefault(name, set()).add(own)
    return _FIGURE.findall(text), None if _ANY_FIGURE.search(text) else runs


def _requested(post: Post, name: str, run: Run, config: Config, settings: Sequence[Setting]) -> RequestedRun:
    """The parameters of each point, later layers over earlier: config.yaml, the post, the command line, the sweep."""
    here = RequestedRun(post, name, run, Question(run.solver), {})
    own = {key: (value, here.place("parameters", key)) for key, value in run.parameters.items()}
    beside, place = config.settings.parameters.get(run.solver, {}), config.reading.place
    below = {key: (value, place("parameters", run.solver, key)) for key, value in beside.items()}
    given = (*settings, *_turned_to(post))
    above = {each.name: (each.value, Place(str(each))) for each in given if each.solver == run.solver}
    requested = _with_parameters(here, own if run.fixed else below | own | above)
    if all(each.path == post.source for each in requested.places.values()):
        return requested
    texts = "\n".join([post.body, *(str(getattr(post.front, name)) for name in FRONT_TEXTS)])
    return replace(requested, own=_with_parameters(here, own)) if _COMPARED.search(texts) else requested


def _with_parameters(requested: RequestedRun, given: Mapping[str, tuple[Any, Place]]) -> RequestedRun:
    """The run with these parameters, each with the place where it is written, at each point of its sweep."""
    run = requested.run
    values = {key: value for key, (value, _) in given.items()}
    points = itertools.product(*(run.points(key) for key in run.sweep))
    question = Question(run.solver, [values | dict(zip(run.sweep, point, strict=True)) for point in points])
    places = {key: place for key, (_, place) in given.items()}
    return replace(requested, question=question, places=places | {k: requested.place("sweep", k) for k in run.sweep})


def _refusals(requested: RequestedRun, described: Mapping[Question, SolverReply]) -> list[SiteError]:
    reply = described[requested.question]
    errors: dict[str, SiteError] = {}
    here = requested.place("solver")
    for answer in reply.answers:
        for name, error, cure in answer.get("faults", ()):
            place = requested.places.get(name, here)
            if requested.post.setting and place.path != requested.post.source:
                place = requested.post.reading.place("turn")
            errors.setdefault(error, SiteError(place, error, cure))
    known = reply.description.result_fields or ()
    for field_name in requested.run.keep if known else ():
        if field_name not in known:
            error = f"a result of '{requested.run.solver}' has no {field_name!r} to keep"
            errors.setdefault(error, SiteError(requested.place("keep"), error, nearest(field_name, known)))
    return list(errors.values())


def _planned(requested: RequestedRun, described: Mapping[Question, SolverReply], figures: FiguresOf) -> PlannedRun:
    run, source, reply = requested.run, requested.post.source, described[requested.question]
    complete = [answer["parameters"] for answer in reply.answers]
    points: dict[tuple[Any, ...], Solve] = {}
    for each in complete:  # a repeated value counts once, in another form too: 1 and 1.0 are one point of the axes
        points.setdefault(tuple(each[key] for key in run.sweep), Solve(run.solver, pack(each)))
    solves = tuple(points.values())
    own = _planned(requested.own, described, figures) if requested.own else None
    axes = {key: tuple(dict.fromkeys(plain(each[key]) for each in complete)) for key in run.sweep}
    return PlannedRun(
        source,
        requested.name,
        run.solver,
        requested.place(),
        complete[0],
        solves,
        axes,
        tuple(run.keep),
        reply.description,
        run.fixed,
        turned=tuple(sorted(key for key, written in requested.places.items() if written.path != source)),
        checked=checked_points(solves, axes) if run.sweep else frozenset(),
        unchecked=run.unchecked,
        figures=() if run.keep else figures(requested.post, requested.name, reply.description),
        own=own if own and own.solves != solves else None,
    )


def checked_points(solves: Sequence[Solve], axes: Mapping[str, Sequence[Any]]) -> frozenset[str]:
    """The keys of the points of a sweep that are checked: all of a short one, else its corners and a seeded sample.

    The choice depends on the points alone.
    """
    keys = [solve.key for solve in solves]
    if len(keys) <= _ALL_CHECKED:
        return frozenset(keys)
    places = itertools.product(*(range(len(values)) for values in axes.values()))
    ends = [{0, len(values) - 1} for values in axes.values()]
    corners = {key for key, place in zip(keys, places, strict=True) if all(map(set.__contains__, ends, place))}
    others = [key for key in keys if key not in corners]
    chosen = Random(bytes_digest("".join(keys).encode())).sample(others, min(len(others), _SAMPLE))
    return frozenset(corners.union(chosen))


def plain(value: Any) -> Any:
    """A parameter as a reader meets it: a whole Fraction is an int."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return tuple(plain(entry) for entry in value) if isinstance(value, tuple) else value


def check_settings(settings: Sequence[Setting], solvers: Sequence[str]) -> None:
    """Raises UsageError for a setting of a solver that there is not."""
    for setting in settings:
        if setting.solver not in solvers:
            raise UsageError(f"{setting}: no solver is named {setting.solver!r}", nearest(setting.solver, solvers))
