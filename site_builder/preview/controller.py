"""The preview: the site of a project, built again whenever its files change, by one thread.

The thread shows a site of what the cache holds (`preview.partial_site`), then computes what is missing
(`Computation`). While it waits for workers it does what comes: it builds after a change and renders the pages
that are requested, from the last site without errors.
"""

import threading
import time
import traceback
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from site_builder.errors import Place, SiteError, UsageError, changed, errors_of
from site_builder.pipeline.build import open_workers
from site_builder.pipeline.last_build import entries_gone
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.pipeline import Build
from site_builder.pipeline.sources import Sources
from site_builder.preview.partial_site import Computation, PartialSite, PollingReport, SourceReader
from site_builder.solving.processes.pool import Workers, block_interrupts
from site_builder.storage.store import MissingEntryError

_SOON = 0.2  # seconds that a change may wait for solvers, so that both are shown in one step
Answer = Future[bytes | None]
Warn = Callable[[str], None]
_STEP, _DEBOUNCE = 10, 100  # milliseconds: how often watchfiles looks for reports, and how long it collects them
_FIRST = 500  # milliseconds after which folders that are watched anew are looked at once more
_CURE = "allow more with: sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=1024"


@dataclass(frozen=True)
class PreviewState:
    """The state that a browser and a terminal may show.

    version: grows with each new site, 0 while there is none. pending: what is computed for a page that shows its last
    form meanwhile, by its path. progress: of a computation, in words. changed: the files that the new site was built
    for, none where it was built for new results; seconds: how long that took. files: digest of all that is published as
    it is, such as pictures. is_outdated: whether this process has to be restarted, since the builder has changed.
    """

    version: int = 0
    errors: tuple[SiteError, ...] = ()
    pending: Mapping[str, str] = field(default_factory=dict)
    progress: str = ""
    changed: tuple[str, ...] = ()
    seconds: float = 0.0
    files: str = ""
    is_outdated: bool = False


class PageError(Exception):
    """A file of the site cannot be made. errors: why."""

    def __init__(self, errors: tuple[SiteError, ...]) -> None:
        super().__init__(*(each.message for each in errors))
        self.errors = errors


class Preview:
    """The site of a project, always as its files now are. Its public methods may be called from any thread.

    root: of the project. files: what it reads. listeners: are called with every new state, from another thread. warn:
    is called with what is no error of the author, such as a damaged cache.
    """

    def __init__(self, options: BuildOptions, warn: Warn) -> None:
        self.state, self.root = PreviewState(), options.root
        self._options, self._warn = options, cache(warn)  # each warning only once
        self.listeners: list[Callable[[PreviewState], None]] = []
        self._woken, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.files = SourceReader(options, self._warn)
        self._watcher = Watcher(self.files.folders, self.look_again, self._warn)
        self._open = ""  # the path of the page that was requested last, which somebody looks at most likely
        self._requests: list[tuple[str, Answer]] = []
        self._has_changed = True
        self._site: PartialSite | None = None
        self._planned: PartialSite | None = None  # the last one, be it shown or not; None after an error
        self._outcomes: dict[str, Collection[SiteError]] = {}  # errors of computations, by the keys of their posts
        self._computation: Computation | None = None
        self._workers: Workers | None = None  # kept from one computation to the next, since they take a while to start

    def start(self) -> None:
        """Watch the files of the site, and build it for the first time."""
        self._watcher.start()
        self._thread.start()

    def stop(self) -> None:
        """End all threads and every process that they have started."""
        self._stopped.set()
        self._woken.set()
        self._thread.join()
        self._watcher.stop()

    def request(self, path: str) -> Answer:
        """The bytes of a file of the site, None where it has none of this path. The future may raise PageError."""
        answer, site = Answer(), self._site
        if path.endswith(".html"):
            self._open = path
        if site is not None and path not in site.rendered and (path in site.pages or path in site.late):
            self._requests.append((path, answer))
            self._woken.set()
        else:
            answer.set_result(site.rendered.get(path) if site else None)
        return answer

    def look_again(self) -> None:
        """Look whether files have changed."""
        self._has_changed = True
        self._woken.set()

    # The thread

    def _run(self) -> None:
        block_interrupts()
        with suppress(CancelledError):
            while True:
                self._attend()
                if posts := self._to_compute():
                    self._compute(posts)
                elif not (self._has_changed or self._requests):
                    self._woken.wait()
        for each in (self._workers, self._site):
            if each is not None:
                each.stop()

    def _attend(self, but: Collection[str] = ()) -> None:
        """Do what has come: build after a change, and answer requests. but: paths of those that are left.

        Raises CancelledError when the preview ends.
        """
        self._woken.clear()
        self._check_stopped()
        if self._has_changed:
            self._build()
        while request := next((each for each in self._requests if each[0] not in but), None):
            self._requests.remove(request)  # before it is made: others are answered meanwhile
            path, answer = request
            try:
                answer.set_result(self._file(path))
            except Exception as error:
                answer.set_exception(PageError(self._errors(error)))

    def _check_stopped(self) -> None:
        if self._stopped.is_set():
            raise CancelledError

    def _update(self, **changes: object) -> None:
        after = replace(self.state, **changes)  # type: ignore[arg-type]
        if after != self.state:
            self.state = after
            for listener in self.listeners:
                listener(after)

    def _errors(self, error: Exception) -> tuple[SiteError, ...]:
        """The errors to show for what was raised; of an error of the builder, the terminal has the traceback."""
        self._check_stopped()
        if isinstance(error, UsageError):
            return (SiteError(Place("the command line"), error.message, error.cure),)
        if isinstance(error, (SiteError, ExceptionGroup)):
            return tuple(errors_of(error))
        self._warn("".join(traceback.format_exception(error)))
        message = f"an error of the builder: {type(error).__name__}: {error}"
        return (SiteError(Place("site_builder"), message, "the terminal has its traceback"),)

    # Building

    def _build(self, anyway: bool = False) -> None:
        """Show the site of what the cache holds, if any file has changed, or the errors that stand in its way."""
        self._has_changed, began = False, time.monotonic()
        if anyway:
            self.files.forget()
        try:
            sources = self.files.read()
            if self.files.is_outdated:
                self._update(is_outdated=True)
            elif sources is not None:
                self._show(sources, began)
        except MissingEntryError:
            self.files.forget(anew=True)
            self._has_changed = True
        except Exception as error:  # whatever it is, the preview goes on, and the next change may mend it
            errors = self._errors(error)
            self.files.forget()
            self._has_changed = _have_changed(errors)  # while they were read, which is no error of the author
            if not self._has_changed:
                self._planned = None
                self._update(errors=errors, pending={})

    def _show(self, sources: Sources, began: float) -> None:
        """Replace the site by one of what the cache holds, unless solvers may give the rest of it soon."""
        store, workers = self.files.open_store(sources.config), self._open_workers(sources)
        try:
            report = PollingReport(self._check_stopped)
            site = PartialSite(Build(self._options, sources, store, report, workers), report)
            self._planned = site
            if None not in (self._site, self._workers) and self._computation is None and self._to_compute():
                site.stop()
                return
            site.make()
            site.build.theme.hold()  # its files may change while the site is served
            if self._open in site.pages:
                site.render(self._open)
            store.flush()
        except BaseException:
            workers.stop()
            store.close()
            raise
        self._replace(site, began)

    def _open_workers(self, sources: Sources) -> Workers:
        asked = self._options.workers or sources.config.settings.workers
        return open_workers(self._options.root, asked, self._warn)

    def _replace(self, site: PartialSite, began: float) -> None:
        """Show this site in place of the last one."""
        before, self._site = self._site, site
        if before is not None:
            before.stop()
        watched = self.files.further
        changed = self.files.note(site.build.sources, site.built)
        if self.files.further != watched:
            self._watcher.woken.set()
        keys = {site.key(source) for source in site.missing}
        self._outcomes = {key: each for key, each in self._outcomes.items() if key in keys}
        found = [error for errors in self._outcomes.values() for error in errors or [entries_gone()]]
        errors = tuple({str(error): error for error in found}.values())
        self._update(
            version=self.state.version + 1,
            pending={} if errors else {site.paths[source]: words for source, words in site.pending.items()},
            errors=errors,
            changed=changed,
            seconds=time.monotonic() - began,
            files=site.static,
            is_outdated=False,
        )
        if self._workers is None and any(post.solvers for post in site.built.summaries):
            self._workers = self._open_workers(site.build.sources)
            self._workers.prepare()  # so that the first solver does not wait for them

    # What is missing

    def _to_compute(self) -> list[str]:
        """The sources of the posts to be computed now."""
        site = self._planned
        return [source for source in site.missing if site.key(source) not in self._outcomes] if site else []

    def _compute(self, posts: list[str]) -> None:
        """Compute what these posts need; then the cache holds it, or their errors are known."""
        site, errors = self._planned, tuple[SiteError, ...]()
        assert site is not None  # posts are of it
        sources = site.build.sources
        self._workers = workers = self._workers or self._open_workers(sources)
        self._computation = Computation(site, posts, self._meanwhile)
        try:
            with self.files.open_store(sources.config) as store:
                self._computation.run(workers, store)
        except CancelledError:
            workers.give_up_all()
            return
        except MissingEntryError:
            self.files.forget(anew=True)
            self._has_changed = True
            return
        except Exception as error:
            errors = self._errors(error)
        finally:
            self._computation = None
            self._update(progress="")
        if not _have_changed(errors):
            self._outcomes |= {site.key(source): errors for source in posts}
        if errors or self._planned is None or self._planned.missing:
            self._build(anyway=True)

    def _meanwhile(self, progress: str, is_new: bool) -> None:
        """Do what has come while workers compute. progress: in words; is_new: whether they have more to show.

        Raises CancelledError when what they compute is not wanted any more, and when the preview ends.
        """
        computation = self._computation
        assert computation is not None
        self._update(progress=progress)
        is_new = is_new and self._planned is not None and bool(self._planned.pending)
        is_late = time.monotonic() > computation.began + _SOON
        if is_new or (is_late and self._planned is computation.site is not self._site):
            self._build(anyway=True)
        self._attend()
        if self._planned is not None and not computation.is_wanted(self._planned):
            raise CancelledError

    # Files

    def _file(self, path: str, tries: int = 9) -> bytes | None:
        site = self._site
        assert site is not None  # or nothing is requested
        site.report.meanwhile = partial(self._look_around, site)
        try:
            return site.render(path)
        except (CancelledError, MissingEntryError, SiteError) as error:  # which is mended by a new site, if it is
            self._check_stopped()
            is_error = isinstance(error, SiteError) and (self.state.errors or not _have_changed([error]))
            if is_error or not tries:
                raise
            self.files.forget(anew=isinstance(error, MissingEntryError))
        if self._site is site:
            self._build()
        return self._file(path, tries - 1)

    def _look_around(self, site: PartialSite) -> None:
        """Do what has come while workers make a file of this site. Raises CancelledError where there is a new one."""
        self._attend(but=site.late)
        if self._site is not site:
            raise CancelledError


def _have_changed(errors: Collection[SiteError]) -> bool:
    """True when a file changed during the build; the next build will see it."""
    return any(str(error) == str(changed(error.place.path)) for error in errors)


# Files that change


class Watcher(threading.Thread):
    """Calls `changed` whenever something may have changed in the folders of a project.

    folders: lists all folders to watch; woken: is set where they have become others. warn: is called where the system
    reports no changes and files are polled.
    """

    def __init__(self, folders: Callable[[], Collection[str]], changed: Callable[[], None], warn: Warn) -> None:
        super().__init__(daemon=True)
        self._folders, self._changed, self._warn = folders, changed, warn
        self._is_stopped, self.woken = False, threading.Event()

    def stop(self) -> None:
        """End the thread."""
        self._is_stopped = True
        self.woken.set()
        self.join()

    def run(self) -> None:
        """Watch until stopped."""
        block_interrupts()
        try:
            self._watch()
        except OSError as error:  # the system watches no more files
            self._warn(f"Changes are not reported, and files are polled: {error}; {_CURE}")
            self._watch(force_polling=True)

    def _watch(self, force_polling: bool | None = None) -> None:
        """Watch until stopped. force_polling: None for what the system and WATCHFILES_FORCE_POLLING say."""
        from watchfiles import watch

        options: dict[str, Any] = {"recursive": False, "watch_filter": None, "raise_interrupt": False}
        options |= {"stop_event": self.woken, "force_polling": force_polling}
        options |= {"step": _STEP, "debounce": _DEBOUNCE, "rust_timeout": _FIRST, "yield_on_timeout": True}
        while not self._is_stopped:
            self.woken.clear()
            folders, is_first = set(self._folders()), True
            self._changed()
            with suppress(FileNotFoundError):  # a folder went just now
                for changes in watch(*folders, **options):
                    if changes or is_first:  # what has changed before they were watched is noticed now
                        self._changed()
                    is_first = False
                    if self._is_stopped or (changes and set(self._folders()) != folders):
                        break
