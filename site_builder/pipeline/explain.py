"""`explain POST`: what a post depends on, and what differs from the inputs that the last build recorded for it.

Solvers may be asked for their parameters; nothing is solved, rendered or written.
"""

import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from site_builder.errors import UsageError, nearest
from site_builder.pipeline.build import open_build
from site_builder.pipeline.log import TaskReport, shown_input
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.steps.context import Report
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Content, Post, read_post

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
        depends = list(_depends(build, post, runs))
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
    """The file of a post, and the inputs of the tasks of its runs, in wrapped lines."""
    yield f"file {post.source}, with the address {build.config.settings.base_url}{post.path}"
    for run in runs:
        for task, inputs in build.log.run_inputs(run).items():
            names = [shown_input(name, value) for name, value in inputs.items()]
            yield from textwrap.wrap(
                f"{task}: {', '.join(names)}",
                _WIDTH,
                subsequent_indent="    ",
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
        is_new = not run.keep and results is not None and run.points[0] not in results.results
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
