"""The background thread of the preview: computes what posts are waiting for."""

import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace

from site_builder.errors import Place, SiteError, UsageError, errors_of
from site_builder.pipeline.last_build import STORE
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.sources import Sources
from site_builder.pipeline.steps.context import Report
from site_builder.pipeline.steps.drawings import MODULES_TO_DRAW
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Content
from site_builder.solving.processes.pool import Share, Workers, block_interrupts
from site_builder.storage.file_fingerprints import THEME
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import digest

_INTERVAL = 0.2  # seconds between two reports of progress
_LOOKING = 1.0  # seconds between two looks for posts that have all their results


@dataclass(eq=False)
class BackgroundBuild(Report):
    """Computes all that some posts need, into the cache, in a thread of its own.

    missing: for each post, by its source, a digest of what it asks of solvers. content: all posts, if they were read
    already. workers: not used by anything else meanwhile. progress: is called with its progress in words. on_change: is
    called when another post has all its results, when all posts have, and when it is done or has failed, unless it was
    stopped. errors: why it failed.
    """

    options: BuildOptions
    sources: Sources
    missing: Mapping[str, str]
    content: Content[PostSummary] | None
    workers: Workers
    warn: Callable[[str], None]
    progress: "Callable[[BackgroundBuild, str], None]"
    on_change: "Callable[[BackgroundBuild], None]"

    def __post_init__(self) -> None:
        self.errors: list[SiteError] = []
        self.is_done = False
        self._has_answers = threading.Event()
        self._made_of = _made_of(self.sources)
        self._is_stopped = False
        self._store: Store | None = None
        self._build: Build | None = None
        self._solved, self._looked = 0, time.monotonic()
        self._thread = threading.Thread(target=self._make, daemon=True)
        self._stage, self._steps, self._step, self._reported = "", 0, 0, 0.0

    def makes(self, sources: Sources, missing: Mapping[str, str]) -> bool:
        """True when it computes, or has computed, the requests of these posts with the files as they are."""
        return missing.items() <= self.missing.items() and self._made_of == _made_of(sources)

    def was_asked(self, sources: Sources) -> bool:
        """True when the files of its posts are unchanged since it began."""
        return all(self.sources.digests[source] == sources.digests.get(source) for source in self.missing)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def are_solved(self, within: float = 0.0) -> bool:
        """Wait at most so many seconds; True when all results are in the cache."""
        return self._has_answers.wait(within) and not self.errors

    def stop(self) -> None:
        """Cancel it, and end the workers; nothing is reported."""
        self._is_stopped = True
        self.workers.stop()

    def join(self) -> None:
        """Wait until its thread has ended, and with it every process."""
        self._thread.join()

    def stage(self, name: str, steps: int) -> None:
        """See Report."""
        self._stage, self._steps, self._step, self._reported = name, steps, 0, 0.0
        self._report()
        if name == "Drawing" and self._store is not None:
            self._store.flush()
            self._has_answers.set()
            self.on_change(self)

    def step(self, count: int) -> None:
        """See Report."""
        self._step += count
        self._report()

    def shares(self, shares: Sequence[Share]) -> None:
        """See Report; while solvers run, reports when another post has all its results and can be shown."""
        now = time.monotonic()
        if self._stage != "Solving" or self._build is None or self._store is None or now < self._looked + _LOOKING:
            return
        self._looked, before = now, self._solved
        self._solved = self._build.count_solved()
        if self._solved > before:
            self._store.flush()
            if self._solved == len(self.missing):
                self._has_answers.set()  # before a site is made of them, which would not need this build any more
            self.on_change(self)

    def _report(self) -> None:
        if self._is_stopped:
            raise CancelledError
        now = time.monotonic()
        if self._steps and now > self._reported + _INTERVAL:
            self._reported = now
            self.progress(self, f"{self._stage} {min(self._step + 1, self._steps)} of {self._steps}")

    def _make(self) -> None:
        block_interrupts()
        try:
            try:
                self._prepare(self.sources, self.content)
            except MissingEntryError:
                self._prepare(replace(self.sources, verify=True), None)
        except UsageError as error:
            self._end([SiteError(Place("the command line"), error.message, error.cure)])
        except (SiteError, ExceptionGroup) as error:
            self._end(errors_of(error))
        except Exception:  # CancelledError when it is stopped; otherwise whatever it is, the preview goes on
            if not self._is_stopped:
                self.warn(traceback.format_exc())
                message = "an error of the builder, of which the terminal has more"
                self._end([SiteError(Place(each), message, "change something, to try again") for each in self.missing])

    def _prepare(self, sources: Sources, content: Content[PostSummary] | None) -> None:
        options = self.options
        with Store(options.root / STORE, sources.config.settings.store.max_size, self.warn) as store:
            self._store = store
            self.workers.expect(MODULES_TO_DRAW)
            self._build = Build(options, sources, store, self, self.workers)
            self._build.prepare(self.missing, content)
            store.flush()
            self._end([])

    def _end(self, errors: list[SiteError]) -> None:
        self.errors, self.is_done = errors, True
        self._has_answers.set()
        if not self._is_stopped:
            self.on_change(self)


def _made_of(sources: Sources) -> str:
    """Digest of all that results can depend on, beside what posts ask for."""
    apart = ("content/", "templates/", THEME, "config.yaml")
    settings = sources.config.settings
    found = [(name, each) for name, each in sources.digests.items() if not name.startswith(apart)]
    return digest(found, sources.stamp, repr(settings.parameters), repr(settings.limits), settings.language)
