"""One build, told in order: config -> posts -> runs -> results -> texts -> drawings -> pages."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from site_builder.build.known_posts import KnownPosts
from site_builder.build.link_check import addresses_of, look_at_links
from site_builder.build.log import BuildLog
from site_builder.build.process_memory import ProcessMemory
from site_builder.build.reasons import Lineage, TaskReport
from site_builder.build.steps.drawings import Gallery
from site_builder.build.steps.search_index import Searching
from site_builder.build.steps.share_cards import Cards, WantedCard, by_owner
from site_builder.build.steps.texts import NEEDED, Texts
from site_builder.errors import Place, SiteError, raise_all
from site_builder.figures.rendered import FigureFiles
from site_builder.posts.body import Body, read_body
from site_builder.posts.evidence import Evidence, read_evidence
from site_builder.posts.summary import Ordered, PostSummary
from site_builder.posts.write import Job
from site_builder.project.config import Config, Limits
from site_builder.project.posts import Content, Post, file_path, load_content, newest_first
from site_builder.site.entries import make_entries
from site_builder.site.model import NO_SEARCH, Search, Site
from site_builder.site.page import Last, Page
from site_builder.site.pages.all import make_pages
from site_builder.site.provenance import CodeFacts
from site_builder.site.theme import Theme
from site_builder.solving.catalog import solver_names
from site_builder.solving.pool import Workers, local_workers
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.file_fingerprints import Scan, read_as_scanned
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import digest

if TYPE_CHECKING:
    from site_builder.build.steps.bundles import Bundles, Request
    from site_builder.solving.plan import PlannedRun, Results, Setting

_MANY = 100  # files, among which there are most likely posts enough for workers
Runs = Mapping[str, Sequence["PlannedRun"]]


class Report(Protocol):
    """Whoever is told how far the build is."""

    def stage(self, name: str, steps: int) -> None:
        """A stage begins that takes so many steps."""

    def step(self, count: int) -> None:
        """So many steps are done."""


@dataclass(frozen=True)
class Wanted:
    """What to build. settings: from the command line; jobs: how many worker processes; explain: whether to say why;
    search: whether with a search index."""

    root: Path
    drafts: bool = False
    settings: "tuple[Setting, ...]" = ()
    jobs: int = 2
    explain: bool = False
    search: bool = True


@dataclass(frozen=True)
class Built:
    """A site ready to be written. texts, solves and figures: how many had to be made; posts: of all.

    further: files that it was made from outside of the folders that are always looked at. told: what became of each
    task and why, when that was asked for. owners: the source of the post that has a page, by the page's path. prepare:
    makes ready what the pages share.
    """

    pages: tuple[Page, ...]
    briefs: tuple[PostSummary, ...]
    posts: int
    texts: int
    solves: int
    figures: int
    further: tuple[str, ...]
    told: tuple[TaskReport, ...]
    owners: Mapping[str, str]
    lineage: Lineage
    prepare: Callable[[], None]


@dataclass(frozen=True)
class Sources:
    """What a build starts from. digests: of all files that the scan found; stamp: names the libraries installed.

    last: what is known of the pages from the last build; grounds: what named all that relates posts then.
    thorough: whether nothing is taken to be in the store before it has been seen there. memory: of the process.
    """

    config: Config
    scan: Scan
    digests: Mapping[str, str]
    stamp: str
    last: Mapping[str, Last]
    grounds: str = ""
    thorough: bool = False
    memory: ProcessMemory = field(default_factory=ProcessMemory)

    def read(self, name: str) -> bytes:
        """The bytes of a file that the scan found. Raises SiteError when they are others by now."""
        return read_as_scanned(self.scan.path(name), name, self.digests[name])


def build_site(wanted: Wanted, sources: Sources, store: Store, report: Report) -> Built:
    """Every file of the site as a recipe. Raises SiteError, or a group of them, for all that authors can mend.

    Raises MissingEntryError, here or when a recipe is used, where the store has lost something: building again,
    thoroughly, makes it anew.
    """
    with local_workers(wanted.root, wanted.jobs) as workers:
        return Build(wanted, sources, store, report, workers).site()


class Writeups(NamedTuple):
    """All of content/, and the briefs of those posts that would be written the same again."""

    content: Content
    kept: list[PostSummary]


class Build:
    """One build: its stages, which `site` goes through in order, and what they have in common."""

    def __init__(self, wanted: Wanted, sources: Sources, store: Store, report: Report, workers: Workers) -> None:
        self.wanted = wanted
        self.config = sources.config
        self.sources = sources
        self.store = store
        self.report = report
        self.workers = workers
        self.codes = CodeKeys(wanted.root, store, sources.digests, sources.stamp)
        self.limits = self.config.settings.limits
        self.solvers = solver_names(wanted.root)
        self.lineage = Lineage(store, self.codes)
        parameters = self.config.settings.parameters
        self.earlier = KnownPosts(
            store, self.codes, sources.digests, self.solvers, parameters, wanted.settings, sources.memory.briefs
        )
        self.theme = self._theme()
        self.diary = BuildLog(self.lineage, self.codes, self.earlier, wanted.explain)
        self.looked_at: set[str] = set()
        self.briefs: dict[str, PostSummary] = {}
        self.places: dict[str, tuple[str, ...]] = {}
        self.card_file: Callable[[str], bytes] = lambda name: self.cards.file(name)

    def site(self) -> Built:
        """Every file of the site as a recipe, with everything solved, drawn and proved that it needs."""
        if self.store.is_new and len(self.sources.digests) > _MANY:
            self.workers.expect(NEEDED)
            self.workers.prepare()
        content, kept = self.content()
        runs = self.plan(content.read, kept)
        answers = self._compute(runs)
        briefs = [*kept, *self._write(content, kept, runs, answers)]
        self.briefs = {brief.source: brief for brief in briefs}
        drawings, bundles, cards = self.furnish(briefs)
        return self.built(content, briefs, runs, drawings, bundles, cards)

    def content(self) -> Writeups:
        """What there is to be read."""
        known = {} if self.sources.thorough else self.earlier.known()
        content = load_content(self.config, self.sources.digests, self.wanted.drafts, known, self.sources.read)
        kept = [known[writeup.source] for writeup in content.known]
        self.diary.kept(kept)
        self.looked_at = {post.source for post in content.read}
        return Writeups(content, kept)

    def prepare(self, wanted: Container[str], writeups: Writeups | None = None) -> None:
        """See that the store has all that these posts need, by their sources. Raises as `build_site` does.

        writeups: what `content` of another build of the same sources has given.
        """
        content, kept = writeups or self.content()
        posts = [post for post in content.read if post.source in wanted]
        runs = self.plan(posts, kept, alone=True)
        answers = self._compute(runs)
        self.report.stage("Writing", len(posts))
        briefs, faults = self.write(posts, runs, answers)
        raise_all(faults)
        self.briefs = {brief.source: brief for brief in briefs}
        self.furnish(briefs)

    def furnish(
        self, briefs: Sequence[PostSummary]
    ) -> tuple[Mapping[str, FigureFiles], Mapping[str, str], Sequence[WantedCard]]:
        """The drawings of these posts, what names their bundles, and their share cards; all are then in the store."""
        cards = self.cards.wanted(briefs)
        return self._draw(briefs, cards), self._bundle(briefs), cards

    def built(
        self,
        content: Content,
        found: Sequence[PostSummary],
        runs: "Runs",
        drawings: Mapping[str, FigureFiles],
        bundles: Mapping[str, str],
        cards: Sequence[WantedCard],
    ) -> Built:
        """The site made of these posts, remembered for the next build as far as they were looked at for this one."""
        briefs = sorted(found, key=lambda brief: brief.source)  # whatever of it was in the store
        made = make_pages(self.site_of(content, briefs, drawings, bundles, by_owner(cards), self._search(briefs)))
        self.diary.remember(briefs, runs)
        further = sorted({name for brief in briefs for name in self._data_files(brief)})
        owners = {file_path(brief.path): brief.source for brief in briefs}
        done = self.diary
        counts = sum(not brief.is_page for brief in briefs), done.texts, done.solves, done.figures
        return Built(
            made, tuple(briefs), *counts, tuple(further), tuple(done.told), owners, self.lineage, self.theme.load
        )

    def site_of(
        self,
        content: Content,
        briefs: Sequence[PostSummary],
        drawings: Mapping[str, FigureFiles],
        bundles: Mapping[str, str],
        cards: Mapping[str, str],
        search: Search = NO_SEARCH,
    ) -> Site:
        """All that the pages of these posts are made of, once their links have been looked at."""
        posts: Sequence[PostSummary] = newest_first(brief for brief in briefs if not brief.is_page)  # type: ignore[assignment]
        pages = sorted((brief for brief in briefs if brief.is_page), key=lambda brief: brief.source)
        return Site(
            settings=self.config.settings,
            theme=self.theme,
            posts=posts,
            pages=pages,
            files={path: self.sources.digests[name] for path, name in content.files.items()},
            addresses=addresses_of(content.files, briefs),
            places=self.places,
            drawings=drawings,
            body=self._body,
            evidence=self._evidence,
            behind=self._behind,
            bundles=bundles,
            bundle=lambda name: self.bundles.file(name),
            search=search,
            file=lambda path: self.sources.read(content.files[path]),
            drawing=lambda key, kind: self.gallery.file(getattr(drawings[key], kind)),
            cards=cards,
            card=lambda name: self.card_file(name),
            carding=self.cards.code,
            last=self.sources.last,
            grounds=self.sources.grounds,
            stamps={brief.source: self.earlier.context(brief) for brief in briefs},
            code=self.codes.paging.key,
            entries=make_entries(posts, self.config.settings.author, self.sources.memory.entries),
        )

    def _data_files(self, brief: PostSummary) -> list[str]:
        """Files behind its solvers that lie outside of the folders which are always looked at."""
        known = [name for name in brief.solvers if name in self.solvers]
        names = {name for solver in known for name in (*self.codes.data(solver), *self.codes.files(solver))}
        return [name for name in names if not name.startswith(("solvers/", "site_builder/"))]

    # The stages

    def _theme(self) -> Theme:
        inside = "templates/"
        files = {n.removeprefix(inside): d for n, d in self.sources.digests.items() if n.startswith(inside)}

        def recall(file: str, find: Callable[[], bytes]) -> bytes:
            key = digest(self.codes.paging.key, file)
            data = self.store.get("references", key)
            if data is None:
                data = find()
                self.store.put("references", key, data)
            return data

        return Theme(self.wanted.root, files, recall, lambda name: self.sources.read(inside + name))

    def plan(self, read: Sequence[Post], kept: Sequence[PostSummary], alone: bool = False) -> "Runs":
        """The runs of the posts that are to be written, every name in config.yaml and on the command line checked.

        alone: with nothing asked of solvers that these posts do not have.
        """
        running = [post for post in read if post.runs]
        config, settings = self.config, self.wanted.settings
        if alone:
            names = {run.solver for post in running for run in post.runs.values()}
            given = {name: each for name, each in config.settings.parameters.items() if name in names}
            config = replace(config, settings=config.settings.model_copy(update={"parameters": given}))
            settings = tuple(setting for setting in settings if setting.solver in names)
        if not running and not settings and not config.settings.parameters:
            return {}
        from site_builder.build.steps.answers import ask_solvers
        from site_builder.solving.plan import plan_runs

        places = {
            run.solver: post.reading.place("solver")
            if post.front.solver
            else post.reading.place("runs", name, "solver")
            for post in reversed(running)
            for name, run in post.runs.items()
        }
        turned = {name for brief in kept for name, is_turned in brief.solvers.items() if is_turned}
        return plan_runs(
            running,
            config,
            settings,
            self.solvers,
            lambda questions: ask_solvers(self.workers, self.store, self.codes, self.limits, places, questions),
            turned,
        )

    def all_runs(self) -> "Runs":
        """The runs of every post, whatever is known of it."""
        every = load_content(self.config, self.sources.digests, self.wanted.drafts, {}, self.sources.read)
        return self.plan(every.read, ())

    def _compute(self, runs: "Runs") -> "Results | None":
        every = list(chain.from_iterable(runs.values()))
        if not every:
            return None
        from site_builder.build.steps.answers import compute, count_solves

        self.report.stage("Solving", count_solves(every))
        return compute(every, self.workers, self.store, self.codes, self.diary.computed, self.report.step)

    def _write(
        self,
        content: Content,
        kept: Sequence[PostSummary],
        runs: "Runs",
        answers: "Results | None",
    ) -> list[PostSummary]:
        """The briefs of posts that had to be looked at, every link of all posts checked."""
        self.report.stage("Writing", len(content.read))
        written, faults = self.write(content.read, runs, answers)
        raise_all(faults + self.link_faults(content, [*kept, *written]))
        return written

    def write(
        self, posts: Iterable[Post], runs: "Runs", answers: "Results | None"
    ) -> tuple[list[PostSummary], list[SiteError]]:
        """The briefs of these posts, whose texts are then in the store, and the faults of those without one."""
        jobs = [Job(post, runs[post.source], answers) if runs.get(post.source) else Job(post) for post in posts]
        return self.writer.write(jobs, self.diary.written, self.report.step)

    def link_faults(
        self, content: Content, briefs: Sequence[PostSummary], unwritten: Sequence[PostSummary] = ()
    ) -> list[SiteError]:
        """A fault for each link that leads nowhere. unwritten: of posts whose texts nobody knows yet."""
        self.places, faults = look_at_links(self.config, content, briefs, unwritten, self.sources.memory.links)
        return faults

    def _draw(self, briefs: Sequence[PostSummary], cards: Sequence[WantedCard]) -> Mapping[str, FigureFiles]:
        owners = {key: brief.source for brief in briefs for key, _ in brief.figures}
        missing = self.cards.missing(cards)
        self.report.stage("Drawing", len(owners) + len(missing))
        on_cards = {card.figure for card in missing if card.figure}
        drawings = self.gallery.draw(
            owners, on_cards, lambda owner, key, ran: self.diary.drawn(self.briefs[owner], key, ran), self.report.step
        )
        names = {card.name for card in missing}
        for card in cards:
            self.diary.carded(card, self.cards.made, card.name in names, card.owner in self.looked_at)
        self.cards.draw(missing, self.report.step)
        return drawings

    def _bundle(self, briefs: Sequence[PostSummary]) -> Mapping[str, str]:
        """What names the bytes of each bundle that the posts offer, by the key of its order."""
        wanted = [(brief, ordered) for brief in briefs for ordered in brief.orders]
        if not wanted:
            return {}
        requests = {ordered.key: self._request(brief, ordered) for brief, ordered in wanted}
        self.report.stage("Proving", len(requests))
        made = self.bundles.make(requests.values(), self.diary.bundled, self.report.step)
        return {key: made[request.order] for key, request in requests.items()}

    def _request(self, brief: PostSummary, ordered: Ordered) -> "Request":
        from site_builder.build.steps.bundles import Request
        from site_builder.solving.bundle.archive import read_order

        data = self.store.get("order", ordered.key)
        if data is None:
            raise MissingEntryError
        place, limits = Place(brief.source, ordered.line), Limits(time=ordered.time, memory=ordered.memory)
        return Request(read_order(data), place, limits)

    def _search(self, briefs: Sequence[PostSummary]) -> Search:
        """The search index, made anew as far as it has changed; none where nobody wants one."""
        if not self.wanted.search:
            return NO_SEARCH
        searching = Searching(
            self.store, self.codes, self.config.settings.language, self.wanted.jobs, self.sources.thorough
        )
        return searching.make(briefs, self._body, self.diary.indexed, self.report.stage, self.report.step)

    # Where things come from

    @cached_property
    def writer(self) -> Texts:
        """Where texts come from."""
        return Texts(
            self.wanted.root,
            self.workers,
            self.store,
            self.codes,
            self.limits,
            self.sources.digests,
            self.sources.thorough,
        )

    @cached_property
    def gallery(self) -> Gallery:
        """Where drawings come from."""
        return Gallery(self.workers, self.store, self.codes, self.limits, self.sources.thorough)

    @cached_property
    def cards(self) -> Cards:
        """Where share cards come from."""
        settings, thorough = self.config.settings, self.sources.thorough
        return Cards(self.workers, self.store, self.codes, settings, self.theme, self.gallery, thorough)

    @cached_property
    def bundles(self) -> "Bundles":
        """Where bundles come from."""
        from site_builder.build.steps.bundles import Bundles

        return Bundles(self.workers, self.store, self.codes, self.sources.thorough)

    def _evidence(self, brief: PostSummary) -> Evidence:
        data = self.store.get("evidence", brief.evidence)
        if data is None:
            raise MissingEntryError
        return read_evidence(data)

    def _behind(self, brief: PostSummary) -> Mapping[str, CodeFacts]:
        found = {name: self.codes.solving(name) for name in sorted(brief.solvers) if name in self.solvers}
        return {name: CodeFacts(known.key, known.libraries) for name, known in found.items()}

    def has_body(self, brief: PostSummary) -> bool:
        """Whether the text of a post, and what its answers rest on, are in the store."""
        wanted = [("body", brief.body), *([("evidence", brief.evidence)] if brief.evidence else [])]
        return all(self.store.get(kind, key) is not None for kind, key in wanted)

    def _body(self, brief: PostSummary) -> Body:
        data = self.store.get("body", brief.body)
        if data is None:
            raise MissingEntryError
        return read_body(data)
