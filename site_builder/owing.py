"""What a preview owes: solvers and drawings that posts wait for, made in a thread beside it."""

import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError
from dataclasses import replace

from site_builder.errors import SiteError, faults_of
from site_builder.picturing import LostError
from site_builder.pipeline import Build, Sources, Wanted
from site_builder.standing import STORE
from site_builder.store import Store
from site_builder.workers import Workers, hear_no_signals, local_workers

_SPELL = 0.2  # seconds between two words of how far it is
_MODULES = ("site_builder.worker", "site_builder.drawing")  # loaded once, for every process that will be needed


class Owing:
    """The making of all that some posts need, whose results go into the store.

    late: the sources of the posts; stamp: names what it is made from. progress: told in words how far it is; done: told
    of the faults, none where all was made, unless it was stopped.
    """

    def __init__(
        self,
        wanted: Wanted,
        sources: Sources,
        late: Collection[str],
        stamp: str,
        warn: Callable[[str], None],
        progress: "Callable[[Owing, str], None]",
        done: "Callable[[Owing, list[SiteError]], None]",
    ) -> None:
        self.stamp = stamp
        self.is_done = False
        self._wanted, self._sources, self._late, self._warn = wanted, sources, late, warn
        self._progress, self._done = progress, done
        self._is_stopped = False
        self._workers: Workers | None = None
        self._thread = threading.Thread(target=self._make, daemon=True)
        self._stage, self._steps, self._step, self._said = "", 0, 0, 0.0

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End it, whatever is under way; nobody is told."""
        self._is_stopped = True
        if self._workers is not None:
            self._workers.stop()

    def join(self) -> None:
        """Wait until its thread has ended, and with it every process."""
        self._thread.join()

    def stage(self, name: str, steps: int) -> None:
        """As of any report."""
        self._stage, self._steps, self._step = name, steps, 0
        self._say()

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
        faults: list[SiteError] = []
        try:
            try:
                self._prepare(self._sources)
            except LostError:
                self._prepare(replace(self._sources, thorough=True))
        except (SiteError, ExceptionGroup) as error:
            faults = faults_of(error)
        except (CancelledError, RuntimeError):  # the latter from a pool that is ended while it begins
            if not self._is_stopped:
                raise
        self.is_done = True
        if not self._is_stopped:
            self._done(self, faults)

    def _prepare(self, sources: Sources) -> None:
        wanted = self._wanted
        with (
            Store(wanted.root / STORE, sources.config.settings.store.max_size, self._warn) as store,
            local_workers(wanted.root, wanted.jobs) as workers,
        ):
            self._workers = workers
            workers.expect(_MODULES)
            Build(wanted, sources, store, self, workers).prepare(self._late)
