"""What a preview owes: solvers and drawings that posts wait for, made in a thread beside it."""

import threading
import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import replace

from site_builder.build.last_build import STORE
from site_builder.build.pipeline import Build, Sources, Wanted, Writeups
from site_builder.errors import Place, SiteError, UsageError, faults_of
from site_builder.solving.pool import Workers, hear_no_signals
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.digest import digest

_SPELL = 0.2  # seconds between two words of how far it is
MODULES = (
    "site_builder.build.steps.worker_tasks",
    "site_builder.figures.charts.draw",
)  # loaded once, for every process that will be needed


class Owing:
    """The making of all that some posts need, whose results go into the store.

    owed: for each post, by its source, what names all that it asks of solvers; writeups: those that were read for
    it, if they were; workers: used by nobody else meanwhile.
    progress: told in words how far it is; news: called when the texts can be written, and when all is made or cannot be
    made, unless it was stopped. faults: why not, once it is done.
    """

    def __init__(
        self,
        wanted: Wanted,
        sources: Sources,
        owed: Mapping[str, str],
        writeups: Writeups | None,
        workers: Workers,
        warn: Callable[[str], None],
        progress: "Callable[[Owing, str], None]",
        news: "Callable[[Owing], None]",
    ) -> None:
        self.faults: list[SiteError] = []
        self.is_done = False
        self._has_answers = threading.Event()
        self._wanted, self._sources, self._owed, self._writeups, self._warn = wanted, sources, owed, writeups, warn
        self._progress, self._news = progress, news
        self._made_of = _made_of(sources)
        self._is_stopped = False
        self._workers = workers
        self._store: Store | None = None
        self._thread = threading.Thread(target=self._make, daemon=True)
        self._stage, self._steps, self._step, self._said = "", 0, 0, 0.0

    def makes(self, sources: Sources, owed: Mapping[str, str]) -> bool:
        """Whether it has solved what these posts ask for, as the files now are, or is about to."""
        return owed.items() <= self._owed.items() and self._made_of == _made_of(sources)

    def was_asked(self, sources: Sources) -> bool:
        """Whether the texts of its posts are still those that it wrote."""
        return all(self._sources.digests[source] == sources.digests.get(source) for source in self._owed)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def are_solved(self, within: float = 0.0) -> bool:
        """Whether all answers are in the store, after at most so many seconds."""
        return self._has_answers.wait(within) and not self.faults

    def stop(self) -> None:
        """End it, and the workers with it, whatever is under way; nobody is told."""
        self._is_stopped = True
        self._workers.stop()

    def join(self) -> None:
        """Wait until its thread has ended, and with it every process."""
        self._thread.join()

    def stage(self, name: str, steps: int) -> None:
        """As of any report."""
        self._stage, self._steps, self._step, self._said = name, steps, 0, 0.0
        self._say()
        if name == "Drawing" and self._store is not None:
            self._store.flush()
            self._has_answers.set()
            self._news(self)

    def step(self, count: int) -> None:
        """As of any report."""
        self._step += count
        self._say()

    def _say(self) -> None:
        if self._is_stopped:
            raise CancelledError
        now = time.monotonic()
        if self._steps and now > self._said + _SPELL:
            self._said = now
            self._progress(self, f"{self._stage} {min(self._step + 1, self._steps)} of {self._steps}")

    def _make(self) -> None:
        hear_no_signals()
        try:
            try:
                self._prepare(self._sources, self._writeups)
            except MissingEntryError:
                self._prepare(replace(self._sources, thorough=True), None)
        except UsageError as error:
            self._end([SiteError(Place("the command line"), error.fault, error.cure)])
        except (SiteError, ExceptionGroup) as error:
            self._end(faults_of(error))
        except Exception:  # CancelledError when it is stopped; otherwise whatever it is, the preview goes on
            if not self._is_stopped:
                self._warn(traceback.format_exc())
                fault = "a fault of the builder, of which the terminal has more"
                self._end([SiteError(Place(each), fault, "change something, to try again") for each in self._owed])

    def _prepare(self, sources: Sources, writeups: Writeups | None) -> None:
        wanted = self._wanted
        with Store(wanted.root / STORE, sources.config.settings.store.max_size, self._warn) as store:
            self._store = store
            self._workers.expect(MODULES)
            Build(wanted, sources, store, self, self._workers).prepare(self._owed, writeups)
            store.flush()
            self._end([])

    def _end(self, faults: list[SiteError]) -> None:
        self.faults, self.is_done = faults, True
        self._has_answers.set()
        if not self._is_stopped:
            self._news(self)


def _made_of(sources: Sources) -> str:
    """A name for all that answers can be made of, beside what posts ask for."""
    apart = ("content/", "templates/", "config.yaml")
    settings = sources.config.settings
    found = [(name, each) for name, each in sources.digests.items() if not name.startswith(apart)]
    return digest(found, sources.stamp, repr(settings.parameters), repr(settings.limits))
