"""`explain POST`: what a post depends on and what a build would do for it; nothing is solved, rendered or written.

It runs the plans of the steps of a build and none of their runs. What is not known before a task has run is looked at
twice: as if its result were that of the last build, and as if it were another one.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from site_builder.build.build import LastPages, sources_of, would_render
from site_builder.build.last_build import STORE
from site_builder.build.log import CARD_TASK
from site_builder.build.options import BuildOptions
from site_builder.build.pipeline import AuthoredContent, Build, Rendered
from site_builder.build.post_dependencies import page_lines, run_lines, solver_lines, text_lines
from site_builder.build.reasons import TaskReport
from site_builder.build.steps.context import Report
from site_builder.errors import UsageError, nearest, raise_all
from site_builder.figures.rendered import FigureFiles
from site_builder.markup.placeholders import Inline
from site_builder.posts.summary import PostSummary, read_summary
from site_builder.posts.write import Job, WrittenPost, front_facts, plain_front_texts, write_or_errors
from site_builder.project.config import load_config
from site_builder.project.front_matter import CARD
from site_builder.project.posts import Content, Post, Writeup, file_path, load_content, newest_first, read_post
from site_builder.site.page import Page
from site_builder.site.pages.all import make_pages
from site_builder.solving.bundle.archive import read_order
from site_builder.solving.pool import local_workers
from site_builder.storage.store import Store

if TYPE_CHECKING:
    from site_builder.build.steps.results import RunPart
    from site_builder.solving.plan import PlannedRun, Results

_WAITED_FOR = {"solve": "result", "figures": "figures", "checks": "checks", "drawing": "drawing"}
_LAST, _OTHER = "as it was", "changed"  # the two ways in which what is not known may come out


@dataclass(frozen=True)
class Explanation:
    """The file of a post, what it depends on in lines, and what a build would do for it."""

    source: str
    depends: Sequence[str]
    told: Sequence[TaskReport]


def explain(options: BuildOptions, name: str, here: Path, warn: Callable[[str], None]) -> Explanation:
    """What is to be known of one post. name: its slug, its path in the site, or its file, seen from the folder `here`.

    Raises UsageError where there is no such post; SiteError, or a group of them, for what a build would refuse, as far
    as that shows before anything has run.
    """
    config = load_config(options.root)
    with Store(options.root / STORE, config.settings.store.max_size, warn) as store:
        sources, last = sources_of(config, options, store)
        with local_workers(options.root, options.jobs) as workers:
            build = Build(options, sources, store, Report(), workers)
            content = build.read()
            source = _found(build, content.content, name, here).source
            folder = options.root / (options.output or config.settings.output)
            return _DryRun(build, content, source, last, folder).explanation()


# Which post is meant


def _found(build: Build, content: Content, name: str, here: Path) -> Writeup:
    writeups: list[Writeup] = [*content.read, *content.known]
    files = [_inside(build.options.root, folder / name) for folder in (here, build.options.root)]
    if meant := _meant(writeups, name, files):
        return meant
    if not build.options.drafts:
        every = load_content(build.config, build.sources.digests, drafts=True, read_file=build.sources.read)
        if _meant(every.read, name, files):
            raise UsageError(f"explain {name}: it is a draft, which a build leaves out", "add --drafts")
    close = nearest(name, {each for writeup in writeups for each in (writeup.slug, writeup.source, _path(writeup))})
    cure = close if close.startswith("did you") else "name its slug, its address such as posts/a-name/, or its file"
    raise UsageError(f"explain {name}: there is no such post", cure)


def _meant(writeups: Iterable[Writeup], name: str, files: Sequence[str]) -> Writeup | None:
    """The post of this file, else of this path in the site, else of this slug."""
    path = name.strip("/").removesuffix("index.html").strip("/")
    found = [each for each in writeups if each.source in files]
    found = found or [each for each in writeups if _path(each).strip("/") == path]
    found = found or [each for each in writeups if each.slug == name]
    if len(found) > 1:
        raise UsageError(f"explain {name}: several posts are named so", f"name one of {', '.join(map(_source, found))}")
    return found[0] if found else None


def _path(writeup: Writeup) -> str:
    return writeup.addresses()[0][0]


def _source(writeup: Writeup) -> str:
    return writeup.source


def _inside(root: Path, path: Path) -> str:
    return os.path.relpath(os.path.abspath(path), os.path.abspath(root)).replace(os.sep, "/")


# What a build would do for it


class _DryRun:
    """One post of a site, seen as the next build will find it.

    content: all posts. last: the pages of the last build, in `folder`. is_lost: whether something that is not known now
    is not known of the last build either.
    """

    def __init__(self, build: Build, content: AuthoredContent, source: str, last: LastPages, folder: Path) -> None:
        self.build = build
        self.lineage = build.lineage
        self.content = content
        self.kept = content.unchanged
        self.source = source
        self.is_kept = source not in {post.source for post in content.read}
        self.last = last
        self.folder = folder
        self.tasks: list[TaskReport] = []
        self.unwritten: list[Post] = []
        self.is_lost = False
        self.orders: Mapping[str, bytes] = {}

    def explanation(self) -> Explanation:
        """All that is to be told of it."""
        if self.is_kept:
            self.tasks += self.lineage.unchanged_reports(self.source, bool(self.own_runs))
        answers = self._answers()
        summaries = [*self.kept, *self._briefs(answers)]
        unwritten = [self._unwritten(post, _LAST) for post in self.unwritten]
        raise_all(self.build.check_links(self.content, summaries, unwritten))
        self._tell_drawings(summaries)
        self._tell_card(summaries)
        self._tell_bundles(summaries)
        self._tell_pages(summaries)
        return Explanation(self.source, self._depends([*summaries, *unwritten]), self.tasks)

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
        """The runs of the post and of all others that a build would look at."""
        others = [post for post in self.content.read if post.source != self.source]
        return self.build.plan(
            [self.post, *others], [summary for summary in self.kept if summary.source != self.source]
        )

    @property
    def own_runs(self) -> "Sequence[PlannedRun]":
        """The runs of the post."""
        return self.runs.get(self.source, ())

    # Results and figures

    def _answers(self) -> "Results | None":
        """The answers that there are; what becomes of the post's own runs is told."""
        asked = [run for source, runs in self.runs.items() if source != self.source or not self.is_kept for run in runs]
        if not asked:
            return None
        plan = self.build.solving.plan(asked)
        for part in plan.parts:
            self._tell_part(part)
        raise_all(plan.errors)
        return plan.results

    def _tell_part(self, part: "RunPart") -> None:
        if part.run.post == self.source:
            ran = len(part.missing)
            self.tasks.append(self.lineage.result_report(part.run, part.task, ran, part.of))
            if part.task == "solve" and ran and not part.run.keep:
                self._tell_waiting(f"figures {part.run.name}")
                self._tell_waiting(f"checks {part.run.name}")

    def _tell_waiting(self, task: str) -> None:
        """A task of which only other tasks will show whether it has to run."""
        self.tasks.append(TaskReport(self.source, task, None, self._waits_for()))

    # Texts

    def _briefs(self, answers: "Results | None") -> list[PostSummary]:
        """The summaries of posts whose texts are in the cache, and of the post itself if it can be written now."""
        found = []
        jobs = self.build.jobs(self.content.read, self.runs, answers)
        cached = self.build.texts.plan(jobs).cached
        for post in self.content.read:
            job = jobs[post.source]
            if post.source in cached:
                found.append(cached[post.source].summary)
                if post.source == self.source:
                    self._tell_text(None)
            elif post.source == self.source and not job.unanswered:
                found.append(self._written(job))
            else:
                self.unwritten.append(post)
                if post.source == self.source:
                    self._tell_unwritten(job)
        return found

    def _written(self, job: Job) -> PostSummary:
        """The summary of the post, written to see what it shows, and kept nowhere."""
        written = write_or_errors(self.build.options.root, job)
        if not isinstance(written, WrittenPost):
            raise_all(written)
            raise AssertionError("a text that cannot be written has faults")
        self._tell_text(self.build.texts.digests_of(job, written.reads))
        self.orders = written.orders
        return read_summary(written.summary)

    def _tell_unwritten(self, job: Job) -> None:
        if self.build.texts.may_be_cached(job):
            self._tell_waiting("text")
        else:
            self._tell_text(self.build.texts.digests_of(job, self.lineage.reads(self.source)))

    def _tell_text(self, reads: Mapping[str, str] | None) -> None:
        self.tasks.append(self.build.log.text_report(self.post, reads))

    def _unwritten(self, post: Post, way: str) -> PostSummary:
        """The summary of a post whose text has to wait, if what is not known of it comes out this way."""
        front = front_facts(post) | self._cards[post.source]
        last = self.build.known_posts.last_summary(post.source)
        if way == _LAST and last is not None:
            return last._replace(**front)
        self.is_lost |= last is None and file_path(post.path) in self.last.pages
        computed = dict.fromkeys(CARD, Inline(way, way))
        unknown = {"excerpt": way, "words": 0, "anchors": (), "links": (), "solvers": {}, "figures": (), "body": way}
        unknown |= {"evidence": way if post.runs else "", "corrections": (), "orders": (), "checks": 0}
        return PostSummary(**{**computed, **unknown, **front})

    @cached_property
    def _cards(self) -> Mapping[str, dict[str, Inline]]:
        return {post.source: plain_front_texts(post) for post in self.unwritten}

    # Drawings

    def _tell_drawings(self, summaries: Sequence[PostSummary]) -> None:
        own = next((summary for summary in summaries if summary.source == self.source), None)
        if own is None:
            for name in self.lineage.drawings(self.source)[0]:
                self._tell_waiting(f"drawing {name}")
            return
        names: dict[str, str] = {}
        for key, name in own.figures:
            names.setdefault(key, name)
        for key, name in names.items():
            ran = bool(self.build.drawings.plan([key]).missing)
            self.tasks.append(self.lineage.drawing_report(self.source, name, key, ran))

    def _tell_card(self, summaries: Sequence[PostSummary]) -> None:
        own = [summary for summary in summaries if summary.source == self.source]
        if not own and self.lineage.has_ingredients(self.source, CARD_TASK):
            self._tell_waiting(CARD_TASK)
        for card in self.build.cards.wanted(own)[1:]:  # after that of the site
            ran = bool(self.build.cards.plan([card]).missing)
            self.tasks.append(self.build.log.card_report(card, self.build.cards.ingredients(card), ran))

    def _drawings(self, summaries: Iterable[PostSummary], way: str) -> dict[str, FigureFiles]:
        """The drawings of all figures, those that have to be drawn coming out this way."""
        shown = {key: (summary, name) for summary in summaries for key, name in summary.figures}
        plan = self.build.drawings.plan(shown)
        found = plan.cached
        for key in plan.missing:
            summary, name = shown[key]
            last = None
            if way == _LAST:
                keys, code = self.lineage.drawings(summary.source)
                before = keys.get(name, "")
                last = self.build.drawings.plan([before], code).cached.get(before)
                self.is_lost |= last is None and name in keys
            found[key] = last or FigureFiles(0, 0, 0, 0, way, way, way, way, way, way)
        return found

    # Bundles

    def _tell_bundles(self, summaries: Sequence[PostSummary]) -> None:
        own = next((summary for summary in summaries if summary.source == self.source), None)
        last = own or self.build.known_posts.last_summary(self.source)
        for ordered in last.orders if last is not None else ():
            data = self.orders.get(ordered.key) or self.build.context.store.get("order", ordered.key)
            if data is None:  # it is lost, and its run with it
                continue
            order = read_order(data)
            if own is None:
                self._tell_waiting(f"bundle {order.run}")
            else:
                ran = bool(self.build.bundles.plan([order]).missing)
                self.tasks.append(self.lineage.bundle_report(self.source, order.run, ran))

    def _bundles(self, summaries: Iterable[PostSummary], way: str) -> dict[str, str]:
        """The bundles of all orders; which bytes they have counts for no page that is made by a template."""
        return {order.key: way for summary in summaries for order in summary.orders}

    # Pages

    def _tell_pages(self, summaries: Sequence[PostSummary]) -> None:
        as_last = self._pages(summaries, _LAST)
        otherwise = self._pages(summaries, _OTHER) if self._is_open(summaries) else as_last
        for path, page in as_last.items():
            owner, last = self._owners.get(path, ""), self.last.last.get(path)
            ran = would_render(page, self.last, self.build.context.store, self.folder)
            is_open = otherwise[path].key != page.key
            if is_open and (self.is_lost or not ran):
                self.tasks.append(TaskReport(owner, f"page {path}", None, self._waits_for()))
            else:
                self.tasks.append(self.lineage.page_report(owner, page, last, self.last.shared, ran))

    def _is_open(self, summaries: Sequence[PostSummary]) -> bool:
        """Whether anything of the site is not known before tasks have run."""
        figures = (key for summary in summaries for key, _ in summary.figures)
        return bool(self.unwritten) or bool(self.build.drawings.plan(figures).missing)

    def _pages(self, summaries: Sequence[PostSummary], way: str) -> dict[str, Page]:
        """The pages that show the post, by path, what is not known of the site coming out this way."""
        every = [*summaries, *(self._unwritten(post, way) for post in self.unwritten)]
        rendered = Rendered(self._drawings(every, way), self._bundles(every, way), self.build.cards.wanted(every))
        pages = make_pages(self.build.site_of(self.content, every, rendered))
        own = {file_path(path) for path, _ in self.post.addresses()}
        found = [page for page in pages if page.is_traced and (page.path in own or page.shows(self.post.path))]
        return {page.path: page for page in sorted(found, key=lambda page: page.path not in own)}

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        """The source of the post that has a page, by the page's path."""
        return {
            file_path(each.addresses()[0][0]): each.source for each in (*self.content.read, *self.content.content.known)
        }

    def _waits_for(self) -> str:
        """What a page depends on that is not known yet."""
        kinds = {task.task.partition(" ")[0] for task in self.tasks if task.ran}
        for kind, words in _WAITED_FOR.items():
            if kind in kinds:
                return f"depends on the new {words}"
        return "depends on what becomes of other posts"

    # What it depends on

    def _depends(self, summaries: Sequence[PostSummary]) -> list[str]:
        own = next(summary for summary in summaries if summary.source == self.source)
        lines = [f"file {self.source}, with the address {self.build.config.settings.base_url}{own.path}"]
        if self.own_runs:
            from site_builder.solving.plan import written_places

            places = written_places(self.post, self.build.config, self.build.settings)
            lines += [line for run in self.own_runs for line in run_lines(run, places[run.name])]
            for solver in dict.fromkeys(run.solver for run in self.own_runs):
                lines += solver_lines(solver, self.build.codes)
        lines += text_lines(self.lineage.reads(self.source))
        page = self.last.last.get(file_path(own.path))
        lines += page_lines(page.names if page is not None else ())
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
