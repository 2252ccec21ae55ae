"""The sources as they now are, a site of what the cache holds for them, and the computation of what is missing.

A post whose results are pending keeps its last page. A figure that is pending has a placeholder. What is pending is
computed by workers while the preview goes on, after which the cache holds all of it.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from site_builder.errors import changed, raise_all
from site_builder.figures.rendered import FigureFiles, data_table
from site_builder.pipeline.last_build import STORE, last
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build, BuiltSite
from site_builder.pipeline.post_runs import Runs, solved_runs
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.context import Report
from site_builder.pipeline.steps.drawings import MODULES_TO_DRAW
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config, load_config
from site_builder.project.posts import file_path
from site_builder.site.model import Page
from site_builder.site.pages.all import turned_pages
from site_builder.solving.code.libraries import environment_stamp
from site_builder.solving.processes.pool import Share, Workers
from site_builder.storage.file_fingerprints import THEME, Signature, digests, folders, scan, settled
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import bytes_digest, digest

if TYPE_CHECKING:
    from site_builder.solving.plan import Results

_SVG = (Path(__file__).parent / "client" / "drawing.svg").read_bytes()
_FILES = {"svg": _SVG, "narrow_svg": _SVG, "png": _SVG, "csv": b"\n", "table": data_table()}
FIGURE = FigureFiles({kind: bytes_digest(data) for kind, data in _FILES.items()}, ((400, 240, 400, 240),))
_INTERVAL = 0.5  # seconds between two looks for the progress of a computation


class SourceReader:
    """Reads what has changed. base: the path of the site's address; further: files outside of the usual folders.

    is_outdated: whether the builder or its libraries have changed, which this process cannot load.
    """

    def __init__(self, options: BuildOptions, warn: Callable[[str], None]) -> None:
        self._root, self._warn = options.root, warn
        self.base, self.is_outdated, self.further = "/", False, tuple[str, ...]()
        self._known: Mapping[str, tuple[Signature | None, str]] | None = None
        self._signatures: Mapping[str, Signature] | None = None  # of the files that were read last
        self._digests: Mapping[str, str] = {}
        self._builder: object = None
        self._summaries: dict[str, tuple[bytes, PostSummary]] = {}
        self._anew = False

    def folders(self) -> set[str]:
        """The folders in which a change can change the site."""
        return folders(self._root, self.further)

    def forget(self, anew: bool = False) -> None:
        """Read all sources the next time, even if no file has changed. anew: see Sources."""
        self._signatures, self._anew = None, self._anew or anew

    def read(self) -> Sources | None:
        """The sources as they are now; None if they have been read. Raises SiteError."""
        scanned = scan(self._root, self.further)
        if scanned.signatures == self._signatures:
            return None
        config = load_config(self._root)
        self.base = urlsplit(config.settings.base_url).path or "/"
        if self._known is None:
            with self.open_store(config) as store:
                self._known = last(store, "").inputs
        found = digests(scanned, self._known)
        if found.get("config.yaml") != config.digest:
            raise changed("config.yaml")
        self._known = {name: (each, found[name]) for name, each in settled(scanned).items()}
        sources = Sources(config, scanned, found, environment_stamp(), {}, self._anew, self._summaries)
        own = {name: each for name, each in found.items() if name.startswith("@") and not name.startswith(THEME)}
        self._builder = self._builder or (sources.stamp, own)
        self.is_outdated = self._builder != (sources.stamp, own)
        self._signatures = scanned.signatures
        return sources

    def open_store(self, config: Config) -> Store:
        """The cache, opened."""
        return Store(self._root / STORE, config.settings.store.max_size, self._warn)

    def note(self, sources: Sources, built: BuiltSite) -> tuple[str, ...]:
        """Take note of a good site, and of files that it was made from and that were not scanned.

        Returns the files that have changed since the last one.
        """
        changed = {name for name, _ in sources.digests.items() ^ self._digests.items()}
        new = {name: each for name, (each, _) in built.unscanned.items() if name not in self.further}
        self._signatures = {**sources.scan.signatures, **new}  # without those that came after the scan
        self._digests = {**sources.digests, **{name: each for name, (_, each) in built.unscanned.items()}}
        self.further, self._anew = built.further, False
        return tuple(sorted(changed))


@dataclass
class PollingReport(Report):
    """Calls a function again and again while a build waits for its workers; what that raises ends the build."""

    meanwhile: Callable[[], None]

    interval = 0.02

    def shares(self, shares: Sequence[Share]) -> None:
        """See Report."""
        self.meanwhile()


class PartialSite:
    """A site of what the cache holds; its posts are read and planned at once. Raises as `PostRuns.plan` does.

    pending: for each post that keeps its last page, or has none yet, by its source, what is done for it, in words.
    missing: for each of these posts, and of those with placeholders, a digest of what it asks of solvers. paths: of the
    pages of posts, by source. late: the pages of settings, which are made when they are requested: the source of the
    post and the key of the setting, by path. rendered: the bytes of files that were requested, by path.
    """

    built: BuiltSite  # once it is made
    pages: dict[str, Page]  # of it, by path
    static: str  # digest of the files that are published as they are

    def __init__(self, build: Build, report: PollingReport) -> None:
        self.build, self.report, self.content = build, report, build.read()
        self.pending: dict[str, str] = {}
        self._runs: Runs = {}
        self._results: Results | None = None
        self._plan()
        self.paths = {post.source: post.path for post in self.content.read}
        self.missing = {source: self._asked[source] for source in self.pending}
        self.late: dict[str, tuple[str, str]] = {}
        self.rendered: dict[str, bytes] = {}

    def stop(self) -> None:
        """End the workers and close the cache; nothing can be rendered any more."""
        self.build.context.workers.stop()
        self.build.context.store.close()

    def key(self, source: str) -> str:
        """Digest of all that a computation for a post depends on, its text included."""
        return digest(self.missing[source], self.build.sources.digests[source])

    @cached_property
    def _asked(self) -> dict[str, str]:
        """What each post asks of solvers, with all that their results can depend on, as a digest by source."""
        sources, apart = self.build.sources, ("content/", "templates/", THEME, "config.yaml")
        settings = sources.config.settings
        found = [(name, each) for name, each in sources.digests.items() if not name.startswith(apart)]
        given = repr(settings.parameters), repr(settings.limits), settings.language, sources.languages.digest
        made_of = digest(found, sources.stamp, *given)
        return {post.source: digest(made_of, repr(post.runs)) for post in self.content.read}

    def _plan(self) -> None:
        """Plan the runs of the posts for which the cache has all results; the others become pending."""
        build = self.build
        requests = build.runs.requests(self.content.read)
        if requests is None:
            return
        described = build.runs.descriptions.plan(requests.questions)
        missing = set(described.missing)
        for each in requests.runs:
            if each.question in missing:
                self.pending[each.post.source] = _solving(run.solver for run in each.post.runs.values())
        known = replace(requests, runs=[each for each in requests.runs if each.post.source not in self.pending])
        self._runs = build.runs.plan_described(known, described.found)
        plan = build.runs.solving.plan(solved_runs(self._runs))
        raise_all(plan.errors)
        self._results = plan.results
        for source, planned in self._runs.items():
            if unanswered := [run.solver for run in planned if not plan.results.hold(run)]:
                self.pending[source] = _solving(unanswered)

    def make(self) -> None:
        """Make the pages. Raises as `Build.site` does."""
        build, content = self.build, self.content
        current = [post for post in content.read if post.source not in self.pending]
        written, errors = build.write_posts(current, self._runs, self._results)
        drawings: dict[str, FigureFiles] = {}
        unfinished = [post.source for post in written if not _add_rendered(build, post, drawings)]
        summaries = [*content.known, *written]
        last = [build.known_posts.last_summary(source) for source in self.pending]
        stale = [post for post in last if post is not None and build.has_body(post)]
        stale = [post._replace(turns=()) for post in stale if _add_rendered(build, post, drawings)]
        raise_all(errors + build.check_links(content, summaries, stale))
        if [post for post in content.known if not _add_rendered(build, post, drawings)]:
            raise MissingEntryError
        for data in _FILES.values() if unfinished else ():
            build.context.store.put("drawn", bytes_digest(data), data)
        self.built = build.pages(content, [*summaries, *stale], self._runs, drawings, pending=unfinished)
        self.pages = {page.path: page for page in self.built.pages}
        self.static = digest([(path, build.sources.digests[name]) for path, name in sorted(content.files.items())])
        self.missing |= {source: self._asked[source] for source in unfinished}
        turns = [(post, turn) for post in summaries for turn in post.other_turns]
        self.late = {file_path(turn.path): (post.source, turn.key) for post, turn in turns}

    def render(self, path: str) -> bytes | None:
        """The bytes of a file, rendered at the first request; None where there is no such file."""
        if path not in self.rendered and path in self.pages:
            self.rendered[path] = self.pages[path].render()
        elif path not in self.rendered and path in self.late:
            self.rendered |= self._turned(*self.late[path])
        return self.rendered.get(path)

    def _turned(self, source: str, key: str) -> dict[str, bytes]:
        """The page of a post at a setting, and the figures and records that come with it, by path."""
        build, summaries = self.build, self.built.summaries
        posts = [post for post in self.content.read if post.source == source]
        turned = build.at_settings(posts, summaries, self._runs, key)
        shown = [*(post for post in summaries if post.source == source), *turned[source]]
        site = build.site_of(self.content, summaries, build.render_figures(shown), turned)
        return {page.path: page.render() for page in turned_pages(site, source)}


@dataclass(eq=False)
class Computation(Report):
    """Computes all that some posts need, into the cache.

    site: of what the cache held when it began. posts: the sources of those that it computes. meanwhile: is called again
    and again, with its progress in words, and whether more posts have all their results, or all have; what that raises
    ends it.
    """

    site: PartialSite
    posts: Collection[str]
    meanwhile: Callable[[str, bool], None]
    began: float = field(default_factory=time.monotonic)

    interval = PollingReport.interval

    def __post_init__(self) -> None:
        self._stage, self._steps, self._step, self._solved = "", 0, 0, 0
        self._looked, self._words = self.began, ""

    def run(self, workers: Workers, store: Store) -> None:
        """Compute it. Raises as `Build.prepare` does."""
        workers.expect(MODULES_TO_DRAW)
        self._build = Build(self.site.build.options, self.site.build.sources, store, self, workers)
        self._build.prepare(self.posts, self.site.content)

    def is_wanted(self, now: PartialSite) -> bool:
        """True while what the cache does not hold now is part of what it did not hold at the beginning."""
        if not any(source in now.missing for source in self.posts):  # either all is solved, or it was taken back
            return self._stage != "Solving" or self._build.runs.count_solved() == len(self.posts)
        return now.missing.items() <= self.site.missing.items()

    def stage(self, name: str, steps: int) -> None:
        """See Report."""
        self._stage, self._steps, self._step = name, steps, 0
        if name == "Drawing":
            self._build.context.store.flush()
            self.meanwhile(self._words, True)

    def step(self, count: int) -> None:
        """See Report."""
        self._step += count

    def shares(self, shares: Sequence[Share]) -> None:
        """See Report."""
        is_new = False
        if time.monotonic() > self._looked + _INTERVAL:
            self._looked, before = time.monotonic(), self._solved
            self._words = f"{self._stage} {min(self._step + 1, self._steps)} of {self._steps}"
            self._solved = self._build.runs.count_solved()
            is_new = self._stage == "Solving" and self._solved > before
            self._build.context.store.flush()
        self.meanwhile(self._words, is_new)


def _solving(solvers: Iterable[str]) -> str:
    return f"solving {', '.join(dict.fromkeys(solvers))}"


def _add_rendered(build: Build, post: PostSummary, drawings: dict[str, FigureFiles]) -> bool:
    """Add the figures of a post, or placeholders for them; whether the cache has all."""
    plan = build.drawings.plan({key: post for key, _ in post.figures})
    drawings.update(plan.found | dict.fromkeys(plan.missing, FIGURE))
    return not plan.missing
