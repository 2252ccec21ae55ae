"""`check --vary`: posts at many settings within what they are written for, and what becomes of their texts there."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from shlex import quote

from site_builder.errors import Place, SiteError, collecting, counted, raise_all
from site_builder.markup.placeholders import strip_tags
from site_builder.pipeline.build import open_build
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.steps import worker_tasks
from site_builder.pipeline.steps.context import Report, Task
from site_builder.pipeline.steps.results import SolveRuns
from site_builder.posts.blocks import TableBlock
from site_builder.posts.body import read_body
from site_builder.posts.evidence import read_evidence
from site_builder.posts.gather_evidence import as_written
from site_builder.posts.summary import read_summary
from site_builder.posts.write import Job, WrittenPost
from site_builder.project.front_matter import FRONT_TEXTS
from site_builder.project.posts import Post
from site_builder.project.written_for import value_at
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.failure import Failure
from site_builder.solving.plan import PlannedRun, Setting, plan_runs, requests_of

_MOST_PERCENT = 1000
_PERCENTAGE = re.compile("\\d[\\d,.\u00a0\u202f]*(?=[ \u00a0\u202f]?%)")
_NUMBER = re.compile(r"\d[\d.,/]*")  # left out of messages, so that one sentence has one
_BEFORE = 30  # characters


@dataclass(frozen=True)
class VariedPost:
    """A post at many settings. changed: the held sentences that fail at some, by line and condition; errors: all.

    Each has the settings at which it was found, as the command line takes them.
    """

    source: str
    settings: int
    changed: dict[tuple[int, str], list[str]] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The findings as lines of text."""
        changed, errors = counted(len(self.changed), "held sentence"), counted(len(self.errors), "error")
        yield f"{self.source} at {counted(self.settings, 'setting')}: {changed} that may change, {errors}"
        changes = [
            (f"line {line}: {words} does not hold", found) for (line, words), found in sorted(self.changed.items())
        ]
        for words, found in [*changes, *self.errors.items()]:
            yield "  " + words.replace("\n", "\n  ")
            yield f"    at {len(found)} of the settings, such as {found[0]}"


def vary(
    options: BuildOptions, count: int, sources: Sequence[str], report: Report, warn: Callable[[str], None]
) -> list[VariedPost]:
    """These posts at so many settings each, but for those that do not say what they are written for.

    Raises SiteError, or a group of them, for errors that they have at their own parameters.
    """
    with open_build(options, report, warn) as build:
        content = build.read_all(options.drafts)
        posts = [post for post in content.read if post.front.written_for and post.source in sources]
        kinds = {run.solver: run.description for runs in build.plan(posts, (), alone=True).values() for run in runs}
        report.stage("Varying", count * len(posts))
        found = []
        for post in posts:
            found.append(VariedPost(post.source, count))
            for number in range(count):
                _add(build, post, _settings(post, kinds, number), found[-1])
                report.step(1)
        return found


def _settings(post: Post, kinds: Mapping[str, SolverDescription], number: int) -> tuple[Setting, ...]:
    """Setting 0 has all first values and setting 1 all last ones; those of the others are drawn with a seed."""
    random, settings = Random(f"{post.source} {number}"), []
    for key, values in post.front.written_for.items():
        solver, name = key.split(".")
        share = number if number < 2 else random.random()
        is_whole = kinds[solver].parameters[name].kind.startswith("whole number")
        settings.append(Setting(solver, name, value_at(values, share, is_whole)))
    return tuple(settings)


def _add(build: Build, post: Post, settings: tuple[Setting, ...], found: VariedPost) -> None:
    """Add what becomes of a post at a setting to what was found."""
    written = [f"{each.solver}.{each.name}={as_written(each.value)}" for each in settings]
    words = " ".join(f"--set {quote(each)}" for each in written)
    errors: list[SiteError] = []
    with collecting(errors):
        runs = _planned(build, post, settings)
        steps = SolveRuns(replace(build.context, report=Report()), lambda _: None)  # settings are counted, not solves
        results = steps.run(steps.plan(runs))
        text = _written(build, build.jobs([post], {post.source: runs}, results)[post.source])
        errors += _out_of_bounds(post, text)
        for row in read_evidence(text.evidence).held:
            if row.branch:
                found.changed.setdefault((row.line, row.condition), []).append(words)
    for error in errors:
        found.errors.setdefault(str(error), []).append(words)


def _planned(build: Build, post: Post, settings: Sequence[Setting]) -> list[PlannedRun]:
    requests = requests_of([post], build.config, settings, build.solvers)
    plan = build.descriptions.plan(requests.questions)
    described = plan.cached | build.descriptions.run(plan.missing, requests.places).checked()
    return plan_runs(requests, described, build.config, settings)[post.source]


def _written(build: Build, job: Job) -> WrittenPost:
    """The text of a post, which is not cached: no build requests it."""
    found: list[WrittenPost | list[SiteError]] = []

    def fail(failure: Failure) -> SiteError:
        return SiteError(Place(job.post.source), f"its text cannot be written: {failure.message}", failure.cure)

    limits = build.context.limits
    raise_all(build.context.compute([Task(worker_tasks.write, ([job], limits), limits, found.extend, fail, 0)]))
    (written,) = found
    if not isinstance(written, WrittenPost):
        raise_all(written)
    assert isinstance(written, WrittenPost)
    return written


def _out_of_bounds(post: Post, written: WrittenPost) -> Iterable[SiteError]:
    """An error for each percentage in the text of a post that is too large to be meant."""
    for text in _texts(written):
        for match in _PERCENTAGE.finditer(text):
            if float(re.sub(r"[^\d.]", "", match[0]).rstrip(".")) > _MOST_PERCENT:
                before = _NUMBER.sub("…", text[: match.start()])[-_BEFORE:]
                yield SiteError(Place(post.source), f"a percentage above {_MOST_PERCENT:,}, after: {before.strip()}")


def _texts(written: WrittenPost) -> Iterator[str]:
    summary, body = read_summary(written.summary), read_body(written.body)
    yield from (getattr(summary, name).text for name in FRONT_TEXTS)
    yield strip_tags(body.html)
    for table in (part for part in body.parts if isinstance(part, TableBlock)):
        yield from (cell.text for row in table.rows for cell in row)
