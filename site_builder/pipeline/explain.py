"""`explain POST`: what a post depends on, and what differs from the inputs that the last build recorded for it.

Solvers may be asked for their parameters; nothing is solved, rendered or written.
"""

import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from site_builder.errors import Place, UsageError, nearest
from site_builder.pipeline.build import open_build
from site_builder.pipeline.log import TaskReport
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.steps.context import Report
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Content, Post, newest_first, read_post
from site_builder.project.validation import shown
from site_builder.solving.code.code_keys import CodeKeys

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_NEW_RESULT = "depends on the new result"
_WIDTH = 110


@dataclass(frozen=True)
class Explanation:
    """The file of a post, what it depends on in lines, and what a build would do for it."""

    source: str
    depends: Sequence[str]
    reports: Sequence[TaskReport]


def explain(options: BuildOptions, name: str, here: Path, warn: Callable[[str], None]) -> Explanation:
    """The explanation of one post. name: its slug, its path in the site, or its file, relative to the folder `here`.

    Raises UsageError where there is no such post; SiteError, or a group of them, where its runs cannot be planned.
    """
    with open_build(replace(options, explain=True), Report(), warn) as build:
        content = build.read(also_turned=True)
        post = _read(build, content, _find(build, content, name, here).source)
        runs = build.plan([post], content.known, alone=True).get(post.source, ())
        depends = [*_depends(build, post, runs), *_neighbours(content, post)]
        return Explanation(post.source, depends, _reports(build, post, runs))


def _find(build: Build, content: Content[PostSummary], name: str, here: Path) -> Post | PostSummary:
    root = Path(os.path.abspath(build.options.root))
    files = [os.path.relpath(os.path.abspath(folder / name), root).replace(os.sep, "/") for folder in (here, root)]
    posts: list[Post | PostSummary] = [*content.read, *content.known]
    if found := _match(posts, name, files):
        return found
    if not build.options.drafts and _match(build.read_all(drafts=True).read, name, files):
        raise UsageError(f"explain {name}: it is a draft, which a build leaves out", "add --drafts")
    close = nearest(name, {each for post in posts for each in (post.slug, post.source, post.path)})
    cure = close if close.startswith("did you") else "name its slug, its address such as posts/a-name/, or its file"
    raise UsageError(f"explain {name}: there is no such post", cure)


def _match(posts: Iterable[Post | PostSummary], name: str, files: Sequence[str]) -> Post | PostSummary | None:
    """The post of this file, else of this path in the site, else of this slug."""
    path = name.strip("/").removesuffix("index.html").strip("/")
    found = [each for each in posts if each.source in files]
    found = found or [each for each in posts if each.path.strip("/") == path]
    found = found or [each for each in posts if each.slug == name]
    if len(found) > 1:
        sources = ", ".join(each.source for each in found)
        raise UsageError(f"explain {name}: several posts are named so", f"name one of {sources}")
    return found[0] if found else None


def _read(build: Build, content: Content[PostSummary], source: str) -> Post:
    """The post itself, also when a build would take its summary from the cache."""
    for post in content.read:
        if post.source == source:
            return post
    inside = PurePosixPath(source).relative_to("content")
    return read_post(build.sources.read(source), inside, source, build.config.known_options)


# What it depends on


def _depends(build: Build, post: Post, runs: "Sequence[PlannedRun]") -> Iterator[str]:
    yield f"file {post.source}, with the address {build.config.settings.base_url}{post.path}"
    if runs:
        from site_builder.solving.plan import written_places

        places = written_places(post, build.config, build.settings)
        for run in runs:
            yield from _run_lines(run, places[run.name])
        for solver in dict.fromkeys(run.solver for run in runs):
            yield from _solver_lines(solver, build.codes)


def _neighbours(content: Content[PostSummary], post: Post) -> Iterator[str]:
    """The posts before and after it in the order of lists."""
    if post.is_page:
        return
    every: list[Post | PostSummary] = [*content.read, *content.known]
    sources = [each.source for each in newest_first(each for each in every if not each.is_page)]
    place = sources.index(post.source)
    if place:
        yield f"the newer post {sources[place - 1]}"
    if place + 1 < len(sources):
        yield f"the older post {sources[place + 1]}"


def _run_lines(run: "PlannedRun", places: Mapping[str, Place]) -> list[str]:
    """A run with its parameters. places: where each of them is written, but for those at their defaults."""
    points = f"{len(run.solves):,} points" if run.keep else ""
    keeps = f"keeps {', '.join(run.keep)}" if run.keep else ""
    facts = [f"solver {run.solver}", "fixed" if run.pinned else "", points, keeps]
    lines = [f"run {run.name} ({run.place}): {', '.join(fact for fact in facts if fact)}"]
    values = {n: _values(run.axes[n]) if n in run.axes else shown(value) for n, value in run.parameters.items()}
    lines += [f"  {name} = {value} ({places[name]})" for name, value in values.items() if name in places]
    return lines + _listed(
        "  by default", [f"{name} = {value}" for name, value in values.items() if name not in places]
    )


def _values(values: Sequence[object]) -> str:
    listed = [shown(value) for value in values]
    return ", ".join(listed) if len(listed) <= 3 else f"{listed[0]}, {listed[1]}, ... {listed[-1]}"


def _solver_lines(name: str, codes: CodeKeys) -> list[str]:
    """The code of a solver by file, the data that it has read, and its libraries."""
    code = codes.whole(name)
    files: dict[str, list[str]] = {file: [] for file in sorted(code.files)}
    for file, definition in sorted(code.definitions):
        files.setdefault(file, []).append(definition)
    lines = [f"solver {name}"]
    for file, definitions in files.items():
        lines += _listed(f"  {file}", definitions) or [f"  {file}"]
    lines += [f"  data file {path}" for path in sorted({*codes.reads.digests(name), *codes.data(name)})]
    libraries = [f"{library} {version}" for library, version in code.libraries.items()]
    return lines + _listed("  libraries", libraries)


def _listed(head: str, names: Sequence[str], between: str = ", ") -> list[str]:
    """The names in wrapped lines after these words; nothing when there are none."""
    if not names:
        return []
    inside = " " * (len(head) - len(head.lstrip()) + 4)
    return textwrap.wrap(
        f"{head}: {between.join(names)}",
        _WIDTH,
        subsequent_indent=inside,
        break_long_words=False,
        break_on_hyphens=False,
    )


# What a build would do


def _reports(build: Build, post: Post, runs: "Sequence[PlannedRun]") -> list[TaskReport]:
    """A report for each task of runs, for the text, and for its figures and card, as far as they are known."""
    log = build.log
    log.reports.clear()  # those of reading
    every = [each for run in runs for each in run.solved]
    results = build.solving.plan(every).results if runs else None  # which reports what the cache holds
    unsolved = [run for run in runs if results and not results.hold(run)]
    for run in unsolved:
        is_new = not run.keep and results is not None and run.solves[0].key not in results.results
        for task in ("figures", "checks") if is_new else ():
            log.add(post.source, f"{task} {run.name}", _NEW_RESULT)
    cached = None
    if unsolved:
        log.add(post.source, "text", _NEW_RESULT)
    else:
        job = build.jobs([post], {post.source: runs}, results)
        cached = build.texts.plan(job).cached.get(post.source)
        log.text(post, cached is None, build.texts.inputs(job[post.source]))
    if cached is None:
        for task in log.recorded(post.source):
            if task.startswith("drawing "):
                log.add(post.source, task, "depends on the new text")
    else:
        _report_pictures(build, cached.summary)
    own = [report for report in log.reports if report.subject == post.source]
    return list({report.task: report for report in own}.values())


def _report_pictures(build: Build, summary: PostSummary) -> None:
    """Report on the figures and the share card of a post whose text is in the cache."""
    figures = [key for key, _ in summary.figures]
    drawn = build.drawings.plan(figures).cached
    for key in figures:
        build.log.drawing(summary, key, key not in drawn)
    cards = build.cards.wanted([summary])[1:]  # after that of the site
    build.log.cards(cards, build.cards.missing(cards))
