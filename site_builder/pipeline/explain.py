"""`explain POST`: what a post depends on, and what differs from the inputs that the last build recorded for it.

Solvers may be asked for their parameters; nothing is solved, rendered or written.
"""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
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


def explain(options: BuildOptions, name: str, warn: Callable[[str], None]) -> Explanation:
    """The explanation of one post. name: its slug, its path in the site, or its file.

    Raises UsageError where there is no such post; SiteError, or a group of them, where its runs cannot be planned.
    """
    with open_build(replace(options, explain=True), Report(), warn) as build:
        content = build.read(also_turned=True)
        post = _read(build, content, _find(content, name).source)
        runs = build.plan([post], content.known, alone=True).get(post.source, ())
        depends = list(_depends(build, post, runs))
        return Explanation(post.source, depends, _reports(build, post, runs))


def _find(content: Content[PostSummary], name: str) -> Post | PostSummary:
    posts: list[Post | PostSummary] = [*content.read, *content.known]
    known = {key: post for post in posts for key in (post.slug, post.path.strip("/"), post.source)}
    if found := known.get(name.strip("/")):
        return found
    close = nearest(name, known)
    cure = "name its slug, its address such as posts/a-name/, or its file; --drafts adds those that a build leaves out"
    raise UsageError(f"explain {name}: there is no such post", close if close.startswith("did you") else cure)


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
        for task in (*(["figures"] if run.figures else []), "checks") if is_new else ():
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
