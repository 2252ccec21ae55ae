"""`explain POST`: what a post depends on, and what differs from the inputs that the last build recorded for it.

Solvers may be asked for their parameters; nothing is solved, rendered or written.
"""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from site_builder.errors import UsageError, nearest
from site_builder.pipeline.build import open_build
from site_builder.pipeline.log import TaskReport, shown_input
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.steps.context import Report
from site_builder.pipeline.steps.texts import RESULTS
from site_builder.project.posts import Post

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_WIDTH = 110


@dataclass(frozen=True)
class Explanation:
    """The file of a post, what it depends on in lines, and the tasks that differ from the last build."""

    source: str
    depends: Sequence[str]
    reports: Sequence[TaskReport]


def explain(options: BuildOptions, name: str, warn: Callable[[str], None]) -> Explanation:
    """The explanation of one post. name: its slug, its path in the site, or its file.

    Raises UsageError where there is no such post; SiteError, or a group of them, where its runs cannot be planned.
    """
    with open_build(options, Report(), warn) as build:
        post = _find(build.read_all(options.drafts).read, name)
        runs = build.plan([post], (), alone=True).get(post.source, ())
        return Explanation(post.source, list(_depends(build, post, runs)), list(_differences(build, post, runs)))


def _find(posts: Sequence[Post], name: str) -> Post:
    known = {key: post for post in posts for key in (post.slug, post.path.strip("/"), post.source)}
    if found := known.get(name.strip("/")):
        return found
    close = nearest(name, known)
    cure = "name its slug, its address such as posts/a-name/, or its file; --drafts adds those that a build leaves out"
    raise UsageError(f"explain {name}: there is no such post", close if close.startswith("did you") else cure)


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


def _differences(build: Build, post: Post, runs: "Sequence[PlannedRun]") -> Iterator[TaskReport]:
    """The tasks of runs and of the text whose inputs differ from the recorded ones, and the drawings that may."""
    log, recorded = build.log, build.log.recorded(post.source)
    tasks = {task: inputs for run in runs for task, inputs in log.run_inputs(run).items()}
    found = {task: why for task, inputs in tasks.items() if (why := log.difference(recorded.get(task), inputs))}
    before = recorded.get("text")
    results = {name: each for name, each in (before or {}).items() if name.startswith(RESULTS)}
    text = build.texts.inputs(build.jobs([post], {post.source: runs}, None)[post.source])
    if found:
        found["text"] = "depends on the new result"
    elif why := log.difference(before, results | text):
        found["text"] = why
    drawings = [task for task in recorded if found and task.startswith("drawing ")]
    found |= dict.fromkeys(drawings, "depends on the new text")
    return (TaskReport(post.source, task, why) for task, why in found.items())
