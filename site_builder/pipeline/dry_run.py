"""`explain POST`: what a post depends on and what a build would do for it; nothing is solved, rendered or written.

It runs the plans of the steps of a build and none of their runs. Pages are not foretold: a build renders those that are
given something else than in the last one, and `--explain` says what that was.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from site_builder.errors import UsageError, nearest, raise_all
from site_builder.markup.placeholders import Inline
from site_builder.pipeline.build import open_build
from site_builder.pipeline.log import CARD_TASK
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.post_dependencies import run_lines, solver_lines, text_lines
from site_builder.pipeline.reasons import TaskReport
from site_builder.pipeline.steps.context import Report
from site_builder.posts.summary import PostSummary, read_summary
from site_builder.posts.write import Job, WrittenPost, front_facts, plain_front_texts, write_text
from site_builder.project.front_matter import FRONT_TEXTS
from site_builder.project.posts import Content, Post, newest_first, read_post
from site_builder.site.model import Turn
from site_builder.solving.bundle.archive import read_order

if TYPE_CHECKING:
    from site_builder.pipeline.steps.results import RunPart
    from site_builder.solving.plan import PlannedRun, Results

_PENDING_ON = {"solve": "result", "figures": "figures", "checks": "checks", "drawing": "drawing"}


@dataclass(frozen=True)
class Explanation:
    """The file of a post, what it depends on in lines, and what a build would do for it."""

    source: str
    depends: Sequence[str]
    reports: Sequence[TaskReport]


def explain(options: BuildOptions, name: str, here: Path, warn: Callable[[str], None]) -> Explanation:
    """The explanation of one post. name: its slug, its path in the site, or its file, relative to the folder `here`.

    Raises UsageError where there is no such post; SiteError, or a group of them, for what a build would refuse, as far
    as that shows before anything has run.
    """
    with open_build(replace(options, explain=True), Report(), warn) as build:
        content = build.read()
        source = _find(build, content, name, here).source
        return _DryRun(build, content, source).explanation()


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


class _DryRun:
    """One post of a site, as the next build will find it.

    content: all posts. pending: posts whose texts cannot be written yet.
    """

    def __init__(self, build: Build, content: Content[PostSummary], source: str) -> None:
        self.build = build
        self.log = build.log
        self.content = content
        self.source = source
        self.pending: list[Post] = []
        self.orders: Mapping[str, bytes] = {}

    def explanation(self) -> Explanation:
        """Run all plans, and report what they found."""
        known = [*self.content.known, *self._summaries(self._results())]
        pending = [self._pending_summary(post) for post in self.pending]
        raise_all(self.build.check_links(self.content, known, pending))
        own = next((summary for summary in known if summary.source == self.source), None)
        self._plan_drawings(own)
        self._plan_card(own)
        self._plan_bundles(own)
        self._plan_turns()
        return Explanation(self.source, self._depends([*known, *pending]), self._own_reports())

    @cached_property
    def post(self) -> Post:
        """The post itself, also when a build would not read it."""
        for post in self.content.read:
            if post.source == self.source:
                return post
        inside = PurePosixPath(self.source).relative_to("content")
        return read_post(self.build.sources.read(self.source), inside, self.source)

    @cached_property
    def runs(self) -> "Mapping[str, Sequence[PlannedRun]]":
        """The runs of the post and of all others that a build would read."""
        others = [post for post in self.content.read if post.source != self.source]
        known = [summary for summary in self.content.known if summary.source != self.source]
        return self.build.plan([self.post, *others], known)

    @cached_property
    def turns(self) -> Mapping[str, Sequence[Turn]]:
        """The settings of all posts that a build would read; those that it would have to make are late."""
        can_turn = any(post.front.turn for post in self.content.read) and self.build.options.turns
        return self.build.turns.plan(self.content.read, self.runs) if can_turn else {}

    def _plan_turns(self) -> None:
        for turn in self.turns.get(self.source, ()):
            if turn.is_late or turn.summary:
                words = "made, its results or its text are not in the cache" if turn.is_late else "reused"
                self.log.add(self.source, f"turn {turn.key}", turn.is_late, words)

    def _own_reports(self) -> list[TaskReport]:
        return [report for report in self.log.reports if report.subject == self.source]

    def _wait(self, task: str) -> None:
        """Report a task of the post of which only other tasks will show whether it has to run."""
        self.log.add(self.source, task, None, self._pending_on())

    def _pending_on(self) -> str:
        """What a task depends on that is not known yet."""
        kinds = {report.task.partition(" ")[0] for report in self._own_reports() if report.ran}
        for kind, words in _PENDING_ON.items():
            if kind in kinds:
                return f"depends on the new {words}"
        return "depends on what becomes of other posts"

    # Results and figures

    def _results(self) -> "Results | None":
        read = {post.source for post in self.content.read}
        runs = [run for source, planned in self.runs.items() if source in read for run in planned]
        if not runs:
            return None
        plan = replace(self.build.solving, log=self._log_part).plan(runs)
        raise_all([*plan.errors, *(error for _, error in plan.failed_points.values())])
        return plan.results

    def _log_part(self, part: "RunPart") -> None:
        self.log.result(part)
        if part.run.post == self.source and part.task == "solve" and part.missing and not part.run.keep:
            self._wait(f"figures {part.run.name}")
            self._wait(f"checks {part.run.name}")

    # Texts

    def _summaries(self, results: "Results | None") -> list[PostSummary]:
        """The summaries of posts whose texts are in the cache, and of the post itself if it can be written now."""
        jobs = self.build.jobs(self.content.read, self.runs, results)
        cached = self.build.texts.plan(jobs).cached
        found = [text.summary for text in cached.values()]
        for source, job in jobs.items():
            if source in cached:
                self.log.text(job.post, False, cached[source].reads)
            elif source == self.source and not job.unanswered:
                found.append(self._written(job))
            else:
                self.pending.append(job.post)
                if source == self.source and self.build.texts.may_be_cached(job):
                    self._wait("text")
                elif source == self.source:
                    self.log.text(job.post, True, self.build.texts.digests_of(job, self.log.last_reads(source)))
        return found

    def _written(self, job: Job) -> PostSummary:
        """The summary of the post, written to see what it shows, and not stored."""
        written = write_text(self.build.options.root, job, self.build.config.settings.limits)
        if not isinstance(written, WrittenPost):
            raise_all(written)
            raise AssertionError("a text that cannot be written has errors")
        self.log.text(job.post, True, self.build.texts.digests_of(job, written.reads))
        self.orders = written.orders
        return read_summary(written.summary)

    def _pending_summary(self, post: Post) -> PostSummary:
        """The summary of a post whose text has to wait: as it was last, with its present front matter."""
        front = front_facts(post) | plain_front_texts(post)
        last = self.build.known_posts.last_summary(post.source)
        if last is not None:
            return last._replace(**front)
        computed = dict.fromkeys(FRONT_TEXTS, Inline("", ""))
        unknown = {"excerpt": "", "words": 0, "anchors": (), "links": (), "solvers": {}, "figures": (), "body": ""}
        unknown |= {"evidence": "", "corrections": (), "orders": (), "checks": 0}
        return PostSummary(**{**computed, **unknown, **front})

    # Drawings, share card and bundles. own: the summary of the post, None while its text is pending.

    def _plan_drawings(self, own: PostSummary | None) -> None:
        if own is None:
            for name in self.log.last_drawings(self.source):
                self._wait(f"drawing {name}")
            return
        figures = dict.fromkeys(key for key, _ in own.figures)
        cached = self.build.drawings.plan(figures).cached
        for key in figures:
            self.log.drawing(own, key, key not in cached)

    def _plan_card(self, own: PostSummary | None) -> None:
        if own is None and CARD_TASK in self.log.last_made(self.source):
            self._wait(CARD_TASK)
        elif own is not None:
            wanted = self.build.cards.wanted([own])[1:]  # after that of the site
            self.log.cards(wanted, self.build.cards.plan(wanted).missing, self.build.cards.ingredients)

    def _plan_bundles(self, own: PostSummary | None) -> None:
        last = own or self.build.known_posts.last_summary(self.source)
        for ordered in last.orders if last is not None else ():
            data = self.orders.get(ordered.key) or self.build.context.store.get("order", ordered.key)
            if data is None:  # it is lost, and its run with it
                continue
            order = read_order(data)
            if own is None:
                self._wait(f"bundle {order.run}")
            else:
                self.log.bundle(self.source, order.run, bool(self.build.bundles.plan([order]).missing))

    # What it depends on

    def _depends(self, summaries: Sequence[PostSummary]) -> list[str]:
        own = next(summary for summary in summaries if summary.source == self.source)
        lines = [f"file {self.source}, with the address {self.build.config.settings.base_url}{own.path}"]
        if runs := self.runs.get(self.source):
            from site_builder.solving.plan import written_places

            places = written_places(self.post, self.build.config, self.build.settings)
            lines += [line for run in runs for line in run_lines(run, places[run.name])]
            for solver in dict.fromkeys(run.solver for run in runs):
                lines += solver_lines(solver, self.build.codes)
        lines += text_lines(self.log.last_reads(self.source))
        return lines + list(self._beside(own, summaries))

    def _beside(self, own: PostSummary, summaries: Sequence[PostSummary]) -> Iterator[str]:
        """The posts before and after it in the order of lists."""
        if own.is_page:
            return
        sources = [summary.source for summary in newest_first(summary for summary in summaries if not summary.is_page)]
        place = sources.index(own.source)
        if place:
            yield f"the newer post {sources[place - 1]}"
        if place + 1 < len(sources):
            yield f"the older post {sources[place + 1]}"
