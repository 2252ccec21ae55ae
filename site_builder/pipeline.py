"""One build, told in order: config -> posts -> runs -> results -> bodies -> drawings -> pages."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Protocol

from site_builder import worker
from site_builder.catalog import solver_names
from site_builder.computing import Answers, ask_solvers, compute, count_solves
from site_builder.config import Config, load_config
from site_builder.content import Content, Post, load_content
from site_builder.errors import Place, SiteError, faults_of, raise_all
from site_builder.faults import Fault
from site_builder.links import Addresses, check_links, check_navigation
from site_builder.listings import listing
from site_builder.pages import Page, Site, make_pages, site_paths
from site_builder.parts import Drawing
from site_builder.rendering import Body, Card, Renderer
from site_builder.results import post_results
from site_builder.tasks import PlannedRun, Setting, plan_runs
from site_builder.theme import Theme
from site_builder.values import unpack
from site_builder.workers import Workers, local_workers


class Report(Protocol):
    """Whoever is told how far the build is."""

    def stage(self, name: str, steps: int) -> None:
        """A stage begins that takes so many steps."""

    def step(self, count: int) -> None:
        """So many steps are done."""


@dataclass(frozen=True)
class Wanted:
    """What to build. settings: from the command line; jobs: how many worker processes."""

    root: Path
    drafts: bool = False
    settings: tuple[Setting, ...] = ()
    jobs: int = 2


@dataclass(frozen=True)
class Built:
    """A site ready to be written, and what it took."""

    config: Config
    pages: tuple[Page, ...]
    posts: int
    solves: int
    figures: int


def build_site(wanted: Wanted, report: Report) -> Built:
    """Every file of the site as a recipe. Raises SiteError, or a group of them, for all that authors can mend."""
    config = load_config(wanted.root)
    content = load_content(config, wanted.drafts)
    theme = Theme(wanted.root)
    with local_workers(wanted.root, wanted.jobs) as workers:
        runs = _plan(wanted, config, content, workers)
        every = list(chain.from_iterable(runs.values()))
        report.stage("Solving", count_solves(every))
        answers = compute(every, workers, report.step)
        report.stage("Writing", len(content.writeups))
        cards, bodies = _render(wanted.root, config, content, runs, answers, report.step)
        figures = {key: data for body in bodies.values() for key, data in body.figures.items()}
        report.stage("Drawing", len(figures))
        drawings = _draw(figures, _owners(bodies), workers, config, report.step)
    pages = make_pages(Site(config, theme, content, cards, bodies, drawings))
    solves = len({solve.key for run in every for solve in run.solves})
    return Built(config, pages, len(content.posts), solves, len(figures))


def _plan(wanted: Wanted, config: Config, content: Content, workers: Workers) -> dict[str, list[PlannedRun]]:
    places = {
        run.solver: post.reading.place("solver") if post.front.solver else post.reading.place("runs", name, "solver")
        for post in reversed(content.writeups)
        for name, run in post.runs.items()
    }
    limits = config.settings.limits
    return plan_runs(
        content.writeups,
        config,
        wanted.settings,
        solver_names(wanted.root),
        lambda questions: ask_solvers(workers, limits, places, questions),
    )


def _render(
    root: Path,
    config: Config,
    content: Content,
    runs: Mapping[str, Sequence[PlannedRun]],
    answers: Answers,
    step: Callable[[int], None],
) -> tuple[dict[str, Card], dict[str, Body]]:
    """Cards and bodies of all posts, every link checked; all faults of all posts are raised together."""
    renderer = Renderer(Addresses(content), lambda solver, name: listing(root, solver, name))
    cards: dict[str, Card] = {}
    bodies: dict[str, Body] = {}
    faults: list[SiteError] = []
    for post in content.writeups:
        results = post_results(runs[post.source], answers)
        for render in (
            lambda post=post, results=results: cards.__setitem__(post.source, renderer.card(post, results)),
            lambda post=post, results=results: bodies.__setitem__(
                post.source, renderer.body(post, results, runs[post.source])
            ),
        ):
            faults += _faults_in(render)
        step(1)
    faults += _link_faults(config, content, bodies)
    raise_all(faults)
    return cards, bodies


def _faults_in(action: Callable[[], None]) -> list[SiteError]:
    found: list[SiteError] = []
    try:
        action()
    except* SiteError as group:
        found = faults_of(group)
    return found


def _link_faults(config: Config, content: Content, bodies: Mapping[str, Body]) -> list[SiteError]:
    anchors: dict[str, frozenset[str] | None] = dict.fromkeys(site_paths(config, content))
    by_source: dict[str, Post] = {post.source: post for post in content.writeups}
    anchors |= {alias: None for post in content.writeups for alias in post.aliases}
    anchors |= {post.path: bodies[source].anchors for source, post in by_source.items() if source in bodies}
    found = [
        fault
        for source, body in bodies.items()
        for fault in check_links(by_source[source], body.links, body.lines_of, anchors)
    ]
    return [*check_navigation(config, anchors), *found]


def _owners(bodies: Mapping[str, Body]) -> dict[str, str]:
    return {key: source for source, body in bodies.items() for key in body.figures}


def _draw(
    figures: Mapping[str, bytes],
    owners: Mapping[str, str],
    workers: Workers,
    config: Config,
    step: Callable[[int], None],
) -> dict[str, Drawing]:
    limits = config.settings.limits
    asked = {key: workers.submit(worker.draw, data, limits=limits) for key, data in figures.items()}
    drawings: dict[str, Drawing] = {}
    faults = []
    for key, future in asked.items():
        answer = future.result()
        if isinstance(answer, Fault):
            title = unpack(figures[key]).title
            faults.append(SiteError(Place(owners[key]), f"the figure {title!r} cannot be drawn: {answer.message}"))
        else:
            parts = unpack(answer)
            drawings[key] = Drawing(**{field.name: parts[field.name] for field in dataclasses.fields(Drawing)})
        step(1)
    raise_all(faults)
    return drawings
