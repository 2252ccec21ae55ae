"""The site as it now is, built again whenever its files change, for whoever shows it to its author.

Three threads: one looks out for changes, one builds what is at hand, and one has solvers and drawings made that are
owed. Pages are made when they are asked for, from the last site that had no fault.
"""

import queue
import threading
import time
import traceback
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from site_builder.build.build import known_files
from site_builder.build.last_build import STORE
from site_builder.build.pipeline import Build, Sources, Wanted, Writeups
from site_builder.build.process_memory import ProcessMemory
from site_builder.errors import Place, SiteError, UsageError, changed, faults_of
from site_builder.preview.background import MODULES, Owing
from site_builder.preview.error_excerpt import ShownFault, shown
from site_builder.preview.partial_build import AtHand, OnlyTexts, build_at_hand
from site_builder.preview.watch import watch
from site_builder.project.config import load_config
from site_builder.site.page import Page
from site_builder.solving.pool import Workers, hear_no_signals, lasting_workers, local_workers
from site_builder.storage.code_graph.libraries import environment_stamp
from site_builder.storage.file_fingerprints import Signature, digests, scan, settled, signature
from site_builder.storage.store import MissingEntryError, Store

_LOOKED_AT = 8  # pages that are made anew with each site, so that their faults are told before they are asked for
_WRITING = 0.02  # seconds that a program may take to write a file that it has emptied
_MOMENT = 0.2  # seconds that a change is shown later, so that what solvers answer at once is shown with it
_PATIENCE = 5.0  # seconds for the next site, where this one has lost a file


@dataclass(frozen=True)
class State:
    """What a browser and a terminal may be told.

    number: grows with each state; version: grows with each new site, 0 while there is none. late: what is under way for
    a page whose old form stays, by its path. working: what is being done now, in words. changed: the files that the new
    site was made for, none where only solvers or drawings were waited for; seconds: how long that took. is_outdated:
    whether the builder's own code or its libraries have changed, so that this process has to be started anew.
    """

    number: int = 0
    version: int = 0
    faults: tuple[ShownFault, ...] = ()
    late: Mapping[str, str] = field(default_factory=dict)
    working: str = ""
    changed: tuple[str, ...] = ()
    seconds: float = 0.0
    is_outdated: bool = False


@dataclass
class _Site:
    """A site whose pages can be asked for. made: the bytes of those that were."""

    found: AtHand
    store: Store
    pages: Mapping[str, Page]
    templates: Collection[tuple[str, str]]
    made: dict[str, bytes] = field(default_factory=dict)


class Preview:
    """The site of a project, always as its files now are. Its methods may be called from any thread.

    warn: told what is no fault of the author's, such as a damaged store.
    """

    def __init__(self, wanted: Wanted, warn: Callable[[str], None]) -> None:
        self.state = State()
        self.base = "/"
        self._wanted = wanted
        self._warn = _once(warn)
        self._told: list[Callable[[State], None]] = []
        self._lock = threading.RLock()  # around the state
        self._rendering = threading.RLock()  # around the site and whatever makes its pages
        self._site: _Site | None = None
        self._wishes: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._stopped = threading.Event()
        self._newer = threading.Condition()
        self._recent: dict[str, None] = {}
        self._builder_stamp: object = None
        self._known: Mapping[str, tuple[Signature, str]] | None = None
        self._digests: Mapping[str, str] = {}
        self._signatures: Mapping[str, Signature] = {}
        self._thorough = False
        self._memory = ProcessMemory()
        self._owing: Owing | None = None
        self._awaited: Owing | None = None  # while a build waits a moment for it
        self._made: Owing | None = None  # what had been made when the present build began
        self._writers: Workers | None = None
        self._workers: Workers | None = None  # kept from one task to the next, since they take a while to start

    def listen(self, told: Callable[[State], None]) -> None:
        """From now on tell of every new state, from another thread."""
        with self._lock:
            self._told.append(told)

    def start(self) -> None:
        """Build the site for the first time, and look out for changes; both beside this thread."""
        self._wishes.put("start")
        for work in (self._build_again_and_again, self._look_out):
            thread = threading.Thread(target=work, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """End all threads and every process that they have started."""
        self._stopped.set()
        self._wishes.put("stop")
        with self._newer:
            self._newer.notify_all()
        if self._writers is not None:
            self._writers.stop()
        for thread in self._threads:
            thread.join()
        if self._owing is not None:
            self._owing.stop()
            self._owing.join()
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
            return self._file(path)
        except MissingEntryError:
            self._thorough = True
        except SiteError as error:
            if not _is_overtaken([error]):
                raise
            if self.state.faults:
                cure = "mend the faults that are told, and it is shown"
                raise SiteError(error.place, "this file has changed since the last good site", cure) from error
        self._wishes.put("again")
        with self._newer:
            self._newer.wait_for(lambda: self.state.version > before or self._stopped.is_set(), _PATIENCE)
        return self._file(path)

    def _file(self, path: str) -> bytes | None:
        with self._rendering:
            site = self._site
            if site is None or path not in site.pages:
                return None
            if path not in site.made:
                site.made[path] = site.pages[path].render()
            if path.endswith(".html"):
                self._recent.pop(path, None)
                self._recent[path] = None
            return site.made[path]

    def _tell(self, **news: object) -> None:
        with self._lock:
            after = replace(self.state, **news)  # type: ignore[arg-type]
            if after == self.state:
                return
            self.state = replace(after, number=self.state.number + 1)
            for told in self._told:
                told(self.state)
        with self._newer:
            self._newer.notify_all()

    # Looking out

    def _look_out(self) -> None:
        hear_no_signals()
        watch(self._wanted.root, lambda: self._wishes.put("change"), self._warn, self._stopped)

    # Building

    def _build_again_and_again(self) -> None:
        hear_no_signals()
        while not self._stopped.is_set():
            wishes = {self._wishes.get()}
            with suppress(queue.Empty):
                while True:  # those that came meanwhile want the same
                    wishes.add(self._wishes.get_nowait())
            if self._site is not None and not self._site.found.owed:
                wishes.discard("made")  # the site was built when it was there
            if wishes and not self._stopped.is_set():
                try:
                    self._build(wishes != {"change"})
                except Exception:  # whatever it is, the preview goes on, and the next change may mend it
                    if not self._stopped.is_set():
                        self._crashed(traceback.format_exc())

    def _crashed(self, told: str) -> None:
        """Tell of a fault of our own: the traceback is what mends it."""
        self._warn(told)
        fault = SiteError(
            Place(""), f"a fault of the builder: {told.strip().splitlines()[-1]}", "the terminal has all of it"
        )
        self._refuse([fault])

    def _build(self, in_any_case: bool) -> None:
        """Build what is at hand, and have made what is owed. in_any_case: even if no file has changed."""
        root, began = self._wanted.root, time.monotonic()
        self._made = self._owing if self._owing is not None and self._owing.is_done else None
        found = signature(str(root / "config.yaml"))
        try:
            config = load_config(root)
            with self._rendering:
                further = self._site.found.built.further if self._site else ()
            scanned = scan(root, further)
            if scanned.signatures == self._signatures and not in_any_case:
                return
            store = Store(root / STORE, config.settings.store.max_size, self._warn)
        except (SiteError, ExceptionGroup) as error:
            self._stopped.wait(_WRITING)
            if signature(str(root / "config.yaml")) != found:
                self._wishes.put("again")  # a file that is half written is no fault
            else:
                self._refuse(faults_of(error))
            return
        kept = False
        try:
            known = known_files(store) if self._known is None else self._known
            named = digests(scanned, known)
            if named.get("config.yaml") != config.digest:
                raise changed("config.yaml")
            stamp = environment_stamp()
            self._known = {name: (each, named[name]) for name, each in settled(scanned).items()}
            builder = stamp, {name: each for name, each in named.items() if name.startswith("@")}
            if self._builder_stamp not in (None, builder):
                self._tell(is_outdated=True)
                return
            self._builder_stamp = builder
            sources = Sources(config, scanned, named, stamp, {}, thorough=self._thorough, memory=self._memory)
            kept = self._show(sources, store, began)
            self._signatures = scanned.signatures
            self._thorough = False
        except MissingEntryError:
            if not self._thorough:
                self._thorough = True
                self._wishes.put("again")
            else:
                raise
        except UsageError as error:
            self._refuse([SiteError(Place("the command line"), error.fault, error.cure)])
        except (SiteError, ExceptionGroup) as error:
            faults = faults_of(error)
            if _is_overtaken(faults) or scan(root, further).signatures != scanned.signatures:
                self._wishes.put("again")  # a file that is half written is no fault
            else:
                self._signatures = scanned.signatures
                self._refuse(faults)
        finally:
            if not kept:
                store.close()

    def _show(self, sources: Sources, store: Store, began: float) -> bool:
        """Take the site of what is at hand in place of the one before."""
        with local_workers(self._wanted.root, self._wanted.jobs) as workers:
            self._writers = workers
            build = Build(self._wanted, sources, store, _Silence(), OnlyTexts(workers))
            found = build_at_hand(build, lambda late, writeups: self._hurry(sources, late, writeups))
        pages = {page.path: page for page in found.built.pages}
        templates = frozenset((name, each) for name, each in sources.digests.items() if name.startswith("templates/"))
        site = _Site(found, store, pages, templates)
        build.theme.hold()  # its files may change while the site is looked at
        self._probe(site)
        store.flush()
        with self._rendering:
            before, self._site = self._site, site
        if before is not None:
            before.store.close()
        self.base = urlsplit(sources.config.settings.base_url).path or "/"
        refused = self._owe(sources, found.owed)
        late = {} if refused else {found.paths[source]: words for source, words in found.late.items()}
        faults = tuple(shown(fault, self._wanted.root) for fault in refused)
        self._tell(
            version=self.state.version + 1,
            late=late,
            faults=faults,
            changed=tuple(sorted({name for name, _ in sources.digests.items() ^ self._digests.items()})),
            seconds=time.monotonic() - began,
            is_outdated=False,
        )
        self._digests = sources.digests
        if self._workers is None and any(brief.solvers for brief in found.built.briefs):
            self._be_ready()
        return True

    def _be_ready(self) -> None:
        """Have workers wait for the first solver that has to run."""
        workers = self._workers = lasting_workers(self._wanted.root, self._wanted.jobs)
        workers.expect(MODULES)

        def begin() -> None:
            hear_no_signals()
            workers.begin()

        thread = threading.Thread(target=begin, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _probe(self, site: _Site) -> None:
        """Make the pages that are being looked at, and after a change of templates one of each kind."""
        with self._rendering:
            before = self._site
            paths = [path for path in reversed(self._recent) if path in site.pages][:_LOOKED_AT]
        if before is not None and before.templates != site.templates:
            pages = [path for path, page in site.pages.items() if page.is_traced and path.endswith(".html")]
            paths += {
                (path.count("/"), path.partition("/")[0] if "/" in path else path): path for path in pages
            }.values()
        for path in paths:
            if path not in site.made:
                site.made[path] = site.pages[path].render()

    def _refuse(self, faults: list[SiteError]) -> None:
        self._tell(faults=tuple(shown(fault, self._wanted.root) for fault in faults), late={})

    # What is owed

    def _owe(self, sources: Sources, owed: Mapping[str, str], writeups: Writeups | None = None) -> list[SiteError]:
        """Have made what these posts need, unless that is under way; the faults where it could not be made before."""
        owing = self._owing
        if not owed:
            if owing is None or owing.is_done or not (owing.are_solved() and owing.makes(sources, {})):
                self._let_go(owing)  # or it goes on to draw what no page waits for, such as a share card
            return []
        if owing is not None and owing.makes(sources, owed):
            if not owing.is_done:
                return []
            if owing.was_asked(sources):  # what came while this build was under way, the next one will see
                return owing.faults or ([_not_kept()] if owing is self._made else [])
        self._let_go(owing)
        workers = self._workers = self._workers or lasting_workers(self._wanted.root, self._wanted.jobs)
        self._owing = Owing(self._wanted, sources, owed, writeups, workers, self._warn, self._progress, self._owed)
        self._owing.start()
        return []

    def _hurry(self, sources: Sources, late: Mapping[str, str], writeups: Writeups) -> bool:
        """Have solvers run for these posts; whether all have answered within a moment."""
        before, workers = self._owing, self._workers
        self._owe(sources, late, writeups)
        owing = self._owing
        if owing is None or owing is before or self._workers is not workers:  # which take longer to start
            return False
        self._awaited = owing
        owing.are_solved(_MOMENT)
        self._awaited = None
        return owing.are_solved()

    def _let_go(self, owing: Owing | None) -> None:
        """End what is not wanted any more."""
        if owing is not None:
            if not owing.is_done:
                owing.stop()
                self._workers = None
            with self._lock:  # or a last word of what is under way could come after this one
                self._owing = None
                self._tell(working="")

    def _progress(self, owing: Owing, words: str) -> None:
        with self._lock:
            if owing is self._owing:
                self._tell(working=words)

    def _owed(self, owing: Owing) -> None:
        """Something of what was owed is there, or it cannot be made."""
        with self._lock:
            if owing is not self._owing:
                return
            if owing.is_done:
                self._tell(working="")
                if _is_overtaken(owing.faults):
                    self._owing = None  # a file changed meanwhile: it is asked for again, as that now is
                self._wishes.put("made")
            elif owing is not self._awaited:
                self._wishes.put("again")


def _is_overtaken(faults: Collection[SiteError]) -> bool:
    """Whether a file changed while it was looked at, which the next build will see."""
    return any(str(fault) == str(changed(fault.place.path)) for fault in faults)


def _not_kept() -> SiteError:
    fault = "what solvers find cannot be kept in the store, and a preview takes it from there"
    return SiteError(Place(STORE), fault, "make the folder writable, or allow more with store: {max_size: 4 GiB}")


def _once(warn: Callable[[str], None]) -> Callable[[str], None]:
    """The function, called with the same words only once."""
    said: set[str] = set()

    def say(words: str) -> None:
        if words not in said:
            said.add(words)
            warn(words)

    return say


class _Silence:
    def stage(self, name: str, steps: int) -> None:
        pass

    def step(self, count: int) -> None:
        pass
