"""The workers of a Dask scheduler as a pool: tasks of solvers run there, all others on this machine."""

import logging
import pickle
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from site_builder.errors import Place, SiteError, UsageError, changed, counted, guide
from site_builder.extensions.dask.versions import needed_by_every_task
from site_builder.project.config import Limits
from site_builder.solving.processes.failure import NOBODY, Failure
from site_builder.solving.processes.pool import Answer, Job, Points, Workers, cancel, make_job, set_answer
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.digest import bytes_digest, digest

_CONNECTING = 10.0  # seconds for a scheduler to answer
_BETWEEN = 1.0  # seconds from one look at the cluster to the next


def connect(address: str, root: Path, jobs: int, warn: Callable[[str], None]) -> Workers:
    """The workers of the scheduler at an address, connected with the first task, and `jobs` processes on this machine.

    warn: is called, from any thread, with what is no error.
    """
    return ClusterWorkers(address, root, jobs, warn)


class ClusterWorkers(Workers):
    """Workers as `connect` gives them; the answers have the same bytes as those of local ones.

    Raises UsageError, from the first task on, where there is no scheduler, or where no worker can give the answers that
    this machine would. Dask itself runs the tasks of a worker that died on another.
    """

    def __init__(self, address: str, root: Path, jobs: int, warn: Callable[[str], None]) -> None:
        super().__init__(root, jobs)
        self._address = address
        self._project = root
        self._warn = warn
        self._client: Any = None  # a Client of distributed, which has hardly any types
        self._error: UsageError | None = None  # why nothing more can be sent
        self._is_over = False
        self._connecting, self._changing = threading.Lock(), threading.RLock()
        self._sent: dict[Future[Any], Any] = {}  # futures of distributed, by those of the answers to give
        self._archives: dict[str, Any] = {}  # on the cluster, by digest
        self._refusals: dict[str, str] = {}  # why, by the worker's address
        self._known_capacity: tuple[float, dict[str, int]] = 0.0, {}

    @property
    def slots(self) -> int:
        """The number of tasks that can run at a time."""
        return max(1, sum(self._fit().values())) if self._client else self.jobs

    def submit(
        self,
        task: Callable[..., Answer | Failure],
        *arguments: Any,
        limits: Limits,
        points: Points = None,
        root: Path | None = None,
    ) -> "Future[Answer | Failure]":
        """Run a task within the limits; the future holds its answer or a Failure.

        A description is made on this machine: it shows which data files the solver reads.
        """
        job = make_job(root or self._project, task, arguments, limits, points)
        if root or not job.purpose or task.__name__ == "describe":
            return self.run(job)
        self._connect()
        self._send(job)
        return job.answer

    def give_up(self, answer: "Future[Any]") -> None:
        """End the process that works for this answer, from any thread; the answer is then a failure."""
        with self._changing:
            future = self._sent.pop(answer, None)
        if future is None:
            super().give_up(answer)
            return
        with suppress(Exception):  # the scheduler is gone
            self._client.cancel([future], force=True)
        set_answer(answer, Failure("died", NOBODY))

    def stop(self) -> None:
        """End every process and task, from any thread; waiting for an answer then raises CancelledError."""
        with self._changing:
            self._is_over = True
            client, sent = self._client, dict(self._sent)
            self._sent.clear()
        for answer in sent:
            cancel(answer)
        if client is not None:
            with suppress(Exception):  # the scheduler is gone
                if client.status == "running":
                    client.cancel(list(sent.values()), force=True)
            with suppress(Exception):
                client.close(timeout=2)
        super().stop()

    # Connecting

    def _connect(self) -> None:
        """Connect with the scheduler, unless that is done. Raises UsageError where it is impossible, or was lost."""
        with self._connecting:
            if self._error is not None:
                raise self._error
            if self._client is None:
                self._client = self._connected()
                if not self._capacity():
                    self._warn(f"The scheduler at {self._address} has no workers yet; the build waits for the first.")

    def _connected(self) -> Any:
        try:
            from distributed import Client
        except ImportError as error:
            message = f"the workers at {self._address} cannot be asked: {error}"
            raise UsageError(message, "pip install 'puzzlepress[dask]'") from error
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it, the build says itself
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about other versions, of which each worker reports those that matter
                return Client(self._address, timeout=_CONNECTING, set_as_default=False, name="puzzlepress")
        except Exception as error:  # of whatever answers there
            why = f"{error}" or type(error).__name__
            cure = f"start a scheduler there ({guide('cluster')}), or build without --workers"
            raise UsageError(f"there is no Dask scheduler at {self._address} ({why})", cure) from error

    def _capacity(self) -> Mapping[str, int]:
        """The number of threads of each worker, by its address; at most a second old."""
        looked, threads = self._known_capacity
        if time.monotonic() > looked + _BETWEEN and self._client.status == "running":
            with suppress(Exception):  # the scheduler goes away; the futures will tell
                threads = dict(self._client.nthreads())
            self._known_capacity = time.monotonic(), threads
        return threads

    def _fit(self) -> Mapping[str, int]:
        return {address: count for address, count in self._capacity().items() if address not in self._refusals}

    # Sending and answering

    def _send(self, job: Job) -> None:
        """Have a worker run a job. Where some have refused, others are preferred."""
        solver, loadable, _ = job.purpose
        needed = {**needed_by_every_task(), **loadable.libraries}
        request = pickle.dumps((job.purpose, job.messages, job.has_points, job.limits))
        preferred = sorted(self._fit()) if self._refusals else []
        with self._changing:
            if self._is_over:
                raise CancelledError
            if self._error is not None:
                raise self._error
            future = self._sent[job.answer] = self._client.submit(
                _on_worker(),
                needed,
                *self._archive(solver, loadable),
                request,
                key=f"puzzlepress-{uuid4().hex}",
                workers=preferred or None,
                allow_other_workers=bool(preferred),  # those that are preferred may die
                pure=False,
            )
        future.add_done_callback(partial(self._take, job))

    def _archive(self, solver: str, loadable: Loadable) -> tuple[str, Any]:
        """The code that a solver may load: its digest, and a future of the zip file, which Dask can make again."""
        files = dict(sorted({**loadable.code, **loadable.data}.items()))
        name = digest(files)
        if name not in self._archives:
            _refuse_unversioned(solver, loadable)
            data = _zip(self._project, files)
            self._archives[name] = self._client.submit(bytes, data, key=f"puzzlepress-{name}")
        return name, self._archives[name]

    def _take(self, job: Job, future: Any) -> None:
        """Pass on an answer, in a thread of Dask's. Dask gives a cancelled future where the scheduler is gone."""
        from distributed.scheduler import KilledWorker

        with self._changing:
            if self._sent.pop(job.answer, None) is None:  # nobody waits for it
                return
        try:
            worker, refusal, found = future.result()
        except KilledWorker as error:
            times = counted(error.allowed_failures + 1, "worker")
            set_answer(job.answer, Failure("died", f"it ended {times} of the cluster that ran it"))
        except (CancelledError, OSError):
            message = f"the scheduler at {self._address} went away"
            self._fail(UsageError(message, "start it and build again; what was computed is in the cache"))
        except BaseException as error:
            set_answer(job.answer, error)
        else:
            if refusal:
                self._leave_out(worker, refusal, job)
            else:
                answer, job.answer.seconds, job.answer.printed = found
                self._printed.extend(job.answer.printed)
                set_answer(job.answer, answer)

    def _leave_out(self, worker: str, why: str, job: Job) -> None:
        """Note that a worker refuses, and have another run the job; the build fails where all refuse."""
        if worker not in self._refusals:
            self._refusals[worker] = why
            self._warn(f"The worker {worker} is left out: {why}")
        threads = self._capacity()
        if threads and not self._fit():
            which = "\n          ".join(f"{each}: {self._refusals[each]}" for each in threads)
            head = f"no worker of the scheduler at {self._address} gives the answers of this machine"
            cure = f"install the same versions there and here ({guide('cluster')}), or build locally"
            self._fail(UsageError(f"{head}:\n    {which}", cure))
            return
        try:
            self._send(job)
        except BaseException as error:
            set_answer(job.answer, error)

    def _fail(self, error: UsageError) -> None:
        """Have everything that waits for an answer fail with this error."""
        with self._changing:
            self._error = error
            answers = list(self._sent)
            self._sent.clear()
        for answer in answers:
            set_answer(answer, error)


def _on_worker() -> Callable[..., Any]:
    """The function that Dask runs; by value, being local, so that scheduler and workers can read it without us."""

    def run(*arguments: Any) -> Any:
        try:
            from site_builder.extensions.dask.on_worker import answer
        except ImportError as error:
            from distributed import get_worker

            return get_worker().address, f"Puzzlepress cannot be imported there ({error})", None
        return answer(*arguments)

    return run


def _refuse_unversioned(solver: str, loadable: Loadable) -> None:
    """Raises SiteError for a solver that runs code outside of the project which no installer has listed."""
    if loadable.unversioned:
        first = min(loadable.unversioned)
        message = f"this solver runs {first}, which no installer has listed and no worker can be sent"
        raise SiteError(Place(f"solvers/{solver}.py"), message, "install it as a package, or build locally")


def _zip(root: Path, files: Mapping[str, str]) -> bytes:
    """Files of the project as a zip file. files: their digests. Raises SiteError for one that has changed."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, expected in files.items():
            try:
                data = (root / name).read_bytes()
            except OSError as error:
                raise changed(name) from error
            if bytes_digest(data) != expected:
                raise changed(name)
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED, 1)
    return buffer.getvalue()
