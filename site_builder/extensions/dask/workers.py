"""The workers of a Dask scheduler as a pool: tasks of solvers run there, all others on this machine."""

import logging
import pickle
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from site_builder.errors import UsageError, counted, guide
from site_builder.extensions.dask.on_worker import CURE, needed_by_every_task
from site_builder.project.config import read_as_scanned
from site_builder.solving.processes.failure import Failure
from site_builder.solving.processes.pool import Answer, Job, Workers
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.digest import digest

_ON_WORKER = "site_builder.extensions.dask.on_worker"
_CONNECTING = 10.0  # seconds for a scheduler to answer


class ClusterWorkers(Workers):
    """The workers of the scheduler at an address, connected with the first task, and `jobs` processes on this machine.

    Answers have the same bytes as those of local workers. Raises UsageError, from the first task on, where there is no
    scheduler, or where a worker would not give the answers of this machine. Dask itself runs the tasks of a worker
    that died on another, and forgets those of a build that has ended.
    """

    def __init__(self, address: str, root: Path, jobs: int, warn: Callable[[str], None]) -> None:
        """warn: is called, from any thread, with what is no error."""
        super().__init__(root, jobs)
        self._address, self._warn = address, warn
        self._client: Any = None  # a Client of distributed, which has hardly any types
        self._sent: dict[Future[Any], Any] = {}  # futures of distributed, by those of the answers to give
        self._archives: dict[str, Any] = {}  # on the cluster, by digest

    @property
    def slots(self) -> int:
        """The number of tasks that can run at a time."""
        if self._client is None:
            return self.jobs
        with suppress(Exception):  # the scheduler is gone
            return int(max(1, sum(self._client.nthreads().values())))
        return 1

    def submit(
        self, task: Callable[..., Answer | Failure], *arguments: Any, **options: Any
    ) -> "Future[Answer | Failure]":
        """Run a task; what shows which data files a solver reads, and what needs a folder of its own, runs here."""
        if options.get("root") or not hasattr(task, "prepare") or task.__name__ == "describe":
            return super().submit(task, *arguments, **options)
        options.pop("root", None)
        job = Job(self._root, task, arguments, **options)
        with self._lock:
            if self._is_stopped:
                raise CancelledError
            if self._client is None:
                self._client = self._connected()
                if not self._client.nthreads():
                    self._warn(f"The scheduler at {self._address} has no workers yet; the build waits for the first.")
            self._send(job)
        return job.answer

    def give_up(self, answer: "Future[Any]") -> None:
        """End the process that works for this answer, from any thread; the answer is then a failure."""
        if future := self._sent.pop(answer, None):
            with suppress(Exception):  # the scheduler is gone
                future.cancel()
            _set(answer, Failure("died", "it was given up"))
        else:
            super().give_up(answer)

    def stop(self) -> None:
        """End every process and task, from any thread; waiting for an answer then raises CancelledError."""
        super().stop()
        sent, self._sent = self._sent, {}
        for answer in sent:
            _set(answer, CancelledError())
        with suppress(Exception):  # the scheduler is gone
            if self._client is not None:
                self._client.close(timeout=2)

    def _connected(self) -> Any:
        """A client of the scheduler. Raises UsageError where there is none."""
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it, the build says itself
        try:
            from distributed import Client

            return Client(self._address, timeout=_CONNECTING, set_as_default=False)
        except Exception as error:  # of whatever answers there, or of a Dask that is not installed
            why = f"{error}" or type(error).__name__
            cure = f"start one, with pip install 'puzzlepress[dask]' ({guide('cluster')}), or build without --workers"
            raise UsageError(f"there is no Dask scheduler at {self._address} ({why})", cure) from error

    def _send(self, job: Job) -> None:
        """Have a worker run a job."""
        loadable = job.arguments[1]
        needed = {**needed_by_every_task(), **loadable.libraries}
        request = pickle.dumps((job.task, job.arguments, job.limits, job.points))
        files = self._archive(loadable)
        future = self._client.submit(  # Dask sends a lambda by value, which a scheduler without Puzzlepress can read
            lambda *arguments: import_module(_ON_WORKER).answer(*arguments), needed, *files, request, pure=False
        )
        self._sent[job.answer] = future
        future.add_done_callback(partial(self._take, job))

    def _archive(self, loadable: Loadable) -> tuple[str, Any]:
        """The digest of the files that a solver may load, and a future of them. Raises SiteError for a changed one."""
        files = dict(sorted({**loadable.code, **loadable.data}.items()))
        name = digest(files)
        if name not in self._archives:
            data = {path: read_as_scanned(self._root / path, path, known) for path, known in files.items()}
            self._archives[name] = self._client.submit(bytes, pickle.dumps(data), key=f"puzzlepress-{name}")
        return name, self._archives[name]

    def _take(self, job: Job, future: Any) -> None:
        """Pass on an answer, in a thread of Dask's. Dask gives a cancelled future where the scheduler is gone."""
        from distributed.scheduler import KilledWorker

        if self._sent.pop(job.answer, None) is None:  # nobody waits for it
            return
        answer: Any
        try:
            answer, seconds, printed = future.result()
            job.took(seconds)
            self._printed.extend(printed)
        except KilledWorker as error:
            times = counted(error.allowed_failures + 1, "worker")
            answer = Failure("died", f"it ended {times} of the cluster that ran it")
        except ModuleNotFoundError as error:
            message = f"a worker of the scheduler at {self._address} cannot import Puzzlepress: {error}"
            answer = UsageError(message, CURE)
        except (CancelledError, OSError):
            message = f"the scheduler at {self._address} went away"
            answer = UsageError(message, "start it and build again; what was computed is in the cache")
        except BaseException as error:
            answer = error
        _set(job.answer, answer)


def _set(future: "Future[Any]", answer: Any) -> None:
    """Give a future its answer, or the error in place of one, unless it is done."""
    if not future.done():
        (future.set_exception if isinstance(answer, BaseException) else future.set_result)(answer)
