"""The preview: the site of a project, built again whenever its files change.

Three threads: one watches files, one makes the partial build of what the cache holds, and one computes what is pending
(`preview.background`). Pages are rendered when they are requested, from the last site without errors.
"""

import os
import queue
import threading
import time
import traceback
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from urllib.parse import urlsplit

from site_builder.errors import Place, SiteError, UsageError, changed, errors_of
from site_builder.pipeline.build import known_files
from site_builder.pipeline.last_build import STORE
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.sources import ProcessMemory, Sources
from site_builder.pipeline.steps.context import Report
from site_builder.pipeline.steps.drawings import MODULES_TO_DRAW
from site_builder.posts.summary import PostSummary
from site_builder.preview import turned
from site_builder.preview.background import BackgroundBuild
from site_builder.preview.partial_build import PartialSite, build_partial_site
from site_builder.preview.state import PreviewState, shown
from site_builder.preview.watch import Watcher
from site_builder.project.config import Config, load_config
from site_builder.project.posts import Content
from site_builder.site.page import Page
from site_builder.solving.code.libraries import environment_stamp
from site_builder.solving.open_workers import open_workers
from site_builder.solving.processes.pool import Workers, block_interrupts
from site_builder.storage.file_fingerprints import THEME, Signature, digests, folders, scan, settled
from site_builder.storage.store import MissingEntryError, Store

_RECENT = 8  # pages that are rendered with each new site, so that their errors show before they are requested
_WRITING = 0.02  # seconds that an editor may take to write a file that it has truncated
_SOON = 0.2  # seconds that a change may wait for solvers, so that both are shown in one step
_NEXT_SITE = 5.0  # seconds to wait for the next site, where the cache of this one has lost a file


@dataclass
class _Site:
    """A site whose pages can be requested. rendered: the bytes of those that were."""

    found: PartialSite
    sources: Sources
    store: Store
    pages: Mapping[str, Page]
    rendered: dict[str, bytes] = field(default_factory=dict)

    def render(self, path: str) -> bytes:
        """The bytes of a page, rendered at the first request."""
        if path not in self.rendered:
            self.rendered[path] = self.pages[path].render()
        return self.rendered[path]


class Preview:
    """The site of a project, always as its files now are. Its methods may be called from any thread.

    warn: is called with what is no error of the author, such as a damaged cache.
    """

    def __init__(self, options: BuildOptions, warn: Callable[[str], None]) -> None:
        self.state = PreviewState()
        self.base = "/"
        self._options = options
        self._warn = cache(warn)  # each warning only once
        self._listeners: list[Callable[[PreviewState], None]] = []
        self._lock = threading.Condition()  # around the state
        self._turning = threading.Lock()  # while a setting of a post is made
        self._rendering = threading.RLock()  # around the site and whatever makes its pages
        self._site: _Site | None = None
        self._requests: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._watcher: Watcher | None = None
        self._further: tuple[str, ...] = ()  # files of the site that lie outside of the usual folders
        self._stopped = threading.Event()
        self._recent: dict[str, None] = {}
        self._builder_stamp: object = None
        self._known: Mapping[str, tuple[Signature, str]] | None = None
        self._digests: Mapping[str, str] = {}
        self._signatures: Mapping[str, Signature] = {}
        self._verify = False
        self._memory = ProcessMemory()
        self._background: BackgroundBuild | None = None
        self._waiting_for: BackgroundBuild | None = None  # while a build waits a moment for it
        self._finished: BackgroundBuild | None = None  # what had been made when the present build began
        self._writers: Workers | None = None
        self._workers: Workers | None = None  # kept from one task to the next, since they take a while to start

    def subscribe(self, listener: Callable[[PreviewState], None]) -> None:
        """Call a function with every new state from now on, from another thread."""
        with self._lock:
            self._listeners.append(listener)

    def start(self) -> None:
        """Build the site for the first time and watch its files, each in a thread."""
        self._requests.put("start")
        self._watcher = Watcher(
            lambda: folders(self._options.root, self._further), lambda: self._requests.put("change"), self._warn
        )
        self._watcher.start()
        thread = threading.Thread(target=self._build_loop, daemon=True)
        thread.start()
        self._threads.append(thread)

    def stop(self) -> None:
        """End all threads and every process that they have started."""
        self._stopped.set()
        self._requests.put("stop")
        with self._lock:
            self._lock.notify_all()
        if self._writers is not None:
            self._writers.stop()
        for thread in self._threads:
            thread.join()
        if self._watcher is not None:
            self._watcher.stop()
            self._watcher = None
        if self._background is not None:
            self._background.stop()
            self._background.join()
        if self._workers is not None:
            self._workers.stop()
        with self._rendering:
            if self._site is not None:
                self._site.store.close()
                self._site = None

    def file(self, path: str) -> bytes | None:
        """The bytes of a file of the site, None where it has none of this path.

        Raises SiteError, or a group of them, where a template fails.
        """
        before = self.state.version
        try:
            data = self._file(path)
            return self._turned(path) if data is None else data
        except MissingEntryError:
            self._verify = True
        except SiteError as error:
            if not _has_newer_files([error]):
                raise
            if self.state.errors:
                cure = "correct the errors that are listed; then it is shown"
                raise SiteError(error.place, "this file has changed since the last good site", cure) from error
        self._requests.put("again")
        with self._lock:
            self._lock.wait_for(lambda: self.state.version > before or self._stopped.is_set(), _NEXT_SITE)
        return self._file(path)

    def _turned(self, path: str) -> bytes | None:
        """The page of a post at a setting, made with the files that come with it; None for any other file."""
        site = self._site
        if site is None or path not in site.found.late:
            return None
        with self._turning:
            if path not in site.rendered:
                files = turned.made(
                    self._options, site.sources, site.found.built.summaries, site.found.late[path], self._warn
                )
                with self._rendering:
                    site.rendered.update(files)
            return site.rendered[path]

    def _file(self, path: str) -> bytes | None:
        with self._rendering:
            site = self._site
            if site is None or (path not in site.pages and path not in site.rendered):
                return None
            data = site.render(path)
            if path.endswith(".html"):
                self._recent.pop(path, None)
                self._recent[path] = None
            return data

    def _update(self, **changes: object) -> None:
        with self._lock:
            after = replace(self.state, **changes)  # type: ignore[arg-type]
            if after == self.state:
                return
            self.state = after
            for listener in self._listeners:
                listener(self.state)
            self._lock.notify_all()

    # Building

    def _build_loop(self) -> None:
        block_interrupts()
        while not self._stopped.is_set():
            requests = {self._requests.get()}
            with suppress(queue.Empty):
                while True:  # requests that came meanwhile ask for the same
                    requests.add(self._requests.get_nowait())
            if self._site is not None and not self._site.found.missing:
                requests.discard("made")  # the site was built with it already
            if requests and not self._stopped.is_set():
                try:
                    self._build(requests != {"change"})
                except Exception:  # whatever it is, the preview goes on, and the next change may mend it
                    if not self._stopped.is_set():
                        self._show_crash(traceback.format_exc())

    def _show_crash(self, trace: str) -> None:
        """Show an error of the builder; its traceback goes to the terminal."""
        self._warn(trace)
        error = SiteError(
            Place(""), f"an error of the builder: {trace.strip().splitlines()[-1]}", "the terminal has all of it"
        )
        self._show_errors([error])

    def _build(self, in_any_case: bool) -> None:
        """Build what the cache holds, and start the background build. in_any_case: even if no file has changed."""
        root, began = self._options.root, time.monotonic()
        self._finished = self._background if self._background is not None and self._background.is_done else None
        scanned, store, kept = None, None, False
        try:
            scanned = scan(root, self._further)
            if scanned.signatures == self._signatures and not in_any_case:
                return
            config = load_config(root)
            if self._site is None:
                self.base = _base(config)  # the address is printed before a slow first site is there
            store = Store(root / STORE, config.settings.store.max_size, self._warn)
            named = digests(scanned, known_files(store) if self._known is None else self._known)
            if named.get("config.yaml") != config.digest:
                raise changed("config.yaml")
            stamp = environment_stamp()
            self._known = {name: (each, named[name]) for name, each in settled(scanned).items()}
            builder = (
                stamp,
                {name: each for name, each in named.items() if name.startswith("@") and not name.startswith(THEME)},
            )
            if self._builder_stamp not in (None, builder):
                self._update(is_outdated=True)
                return
            self._builder_stamp = builder
            sources = Sources(config, scanned, named, stamp, verify=self._verify, memory=self._memory)
            looked_for = set(self._further)
            kept = self._show(sources, store, began)
            unscanned = self._site.found.built.unscanned if self._site else {}
            found = {name: each for name, (each, _) in unscanned.items() if name not in looked_for}
            self._signatures = {**scanned.signatures, **found}  # without those that came after the scan
            self._verify = False
        except MissingEntryError:
            if not self._verify:
                self._verify = True
                self._requests.put("again")
            else:
                raise
        except UsageError as error:
            self._show_errors([SiteError(Place("the command line"), error.message, error.cure)])
        except (SiteError, ExceptionGroup) as error:
            errors = errors_of(error)
            self._stopped.wait(_WRITING)
            if _has_newer_files(errors) or (scanned and scan(root, self._further).signatures != scanned.signatures):
                self._requests.put("again")  # a half-written file is no error
            else:
                self._signatures = scanned.signatures if scanned else {}
                self._show_errors(errors)
        finally:
            if store is not None and not kept:
                store.close()

    def _show(self, sources: Sources, store: Store, began: float) -> bool:
        """Replace the site by the partial build."""
        with Workers(self._options.root, os.cpu_count() or 1) as workers:
            self._writers = workers
            build = Build(self._options, sources, store, Report(), workers)
            found = build_partial_site(build, lambda missing, content: self._solve_soon(sources, missing, content))
        pages = {page.path: page for page in found.built.pages}
        changed = sorted({name for name, _ in sources.digests.items() ^ self._digests.items()})
        site = _Site(found, sources, store, pages)
        build.theme.hold()  # its files may change while the site is served
        self._render_recent(site, any(name.startswith(("templates/", THEME)) for name in changed))
        store.flush()
        with self._rendering:
            before, self._site = self._site, site
        if before is not None:
            before.store.close()
        if found.built.further != self._further:
            self._further = found.built.further
            if self._watcher is not None:
                self._watcher.list_again()
        self.base = _base(sources.config)
        refused = self._start_background(sources, found.missing)
        pending = {} if refused else {found.paths[source]: words for source, words in found.pending.items()}
        errors = tuple(shown(error, self._options.root) for error in refused)
        self._update(
            version=self.state.version + 1,
            pending=pending,
            errors=errors,
            changed=tuple(changed),
            seconds=time.monotonic() - began,
            is_outdated=False,
        )
        unscanned = {name: each for name, (_, each) in found.built.unscanned.items()}
        self._digests = {**sources.digests, **unscanned}
        if self._workers is None and any(post.solvers for post in found.built.summaries):
            self._be_ready(sources)
        return True

    def _be_ready(self, sources: Sources) -> None:
        """Start workers, so that the first solver does not wait for them."""
        workers = self._workers = self._make_workers(sources)
        workers.expect(MODULES_TO_DRAW)

        def begin() -> None:
            block_interrupts()
            workers.begin()

        thread = threading.Thread(target=begin, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _make_workers(self, sources: Sources) -> Workers:
        asked = self._options.workers or sources.config.settings.workers
        return open_workers(self._options.root, asked, self._warn)

    def _render_recent(self, site: _Site, with_each_kind: bool) -> None:
        """Render the pages that were requested last, and after a change of templates one of each kind."""
        with self._rendering:
            is_first = self._site is None
            paths = [path for path in reversed(self._recent) if path in site.pages][:_RECENT]
        if with_each_kind and not is_first:
            pages = [path for path, page in site.pages.items() if not page.is_copied and path.endswith(".html")]
            paths += {
                (path.count("/"), path.partition("/")[0] if "/" in path else path): path for path in pages
            }.values()
        for path in paths:
            site.render(path)

    def _show_errors(self, errors: list[SiteError]) -> None:
        self._update(errors=tuple(shown(error, self._options.root) for error in errors), pending={})

    # What is pending

    def _start_background(
        self, sources: Sources, missing: Mapping[str, str], content: Content[PostSummary] | None = None
    ) -> list[SiteError]:
        """Compute what these posts need, unless that is under way; the errors where that failed before."""
        background = self._background
        if not missing:
            if (
                background is None
                or background.is_done
                or not (background.are_solved() and background.makes(sources, {}))
            ):
                self._stop_background(background)  # or it goes on to draw what no page waits for, such as a share card
            return []
        if background is not None and background.makes(sources, missing):
            if not background.is_done:
                return []
            if background.was_asked(sources):  # what came while this build was under way, the next one will see
                return background.errors or ([_cache_error()] if background is self._finished else [])
        self._stop_background(background)
        workers = self._workers = self._workers or self._make_workers(sources)
        self._background = BackgroundBuild(
            self._options, sources, missing, content, workers, self._warn, self._progress, self._background_changed
        )
        self._background.start()
        return []

    def _solve_soon(self, sources: Sources, missing: Mapping[str, str], content: Content[PostSummary]) -> bool:
        """Run solvers for these posts; whether all have answered soon."""
        before, workers = self._background, self._workers
        self._start_background(sources, missing, content)
        background = self._background
        if background is None or background is before or self._workers is not workers:  # which take longer to start
            return False
        self._waiting_for = background
        background.are_solved(_SOON)
        self._waiting_for = None
        return background.are_solved()

    def _stop_background(self, background: BackgroundBuild | None) -> None:
        """End a background build that is not needed any more."""
        if background is not None:
            if not background.is_done:
                background.stop()
                self._workers = None
            with self._lock:  # or a late progress report could come after this one
                self._background = None
                self._update(progress="")

    def _progress(self, background: BackgroundBuild, words: str) -> None:
        with self._lock:
            if background is self._background:
                self._update(progress=words)

    def _background_changed(self, background: BackgroundBuild) -> None:
        """The background build has solved something, is done, or has failed."""
        with self._lock:
            if background is not self._background:
                return
            if background.is_done:
                self._update(progress="")
                if _has_newer_files(background.errors):
                    self._background = None  # a file changed meanwhile: request it again, with the file as it is now
                self._requests.put("made")
            elif background is not self._waiting_for:
                self._requests.put("again")


def _base(config: Config) -> str:
    return urlsplit(config.settings.base_url).path or "/"


def _has_newer_files(errors: Collection[SiteError]) -> bool:
    """True when a file changed during the build; the next build will see it."""
    return any(str(error) == str(changed(error.place.path)) for error in errors)


def _cache_error() -> SiteError:
    message = "results cannot be written to the cache, from which the preview reads them"
    return SiteError(Place(STORE), message, "make the folder writable, or allow more with store: {max_size: 4 GiB}")
