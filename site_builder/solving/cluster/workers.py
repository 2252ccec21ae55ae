"""Workers on a Dask cluster: solvers, checks and drawings run there, everything else on this machine."""

import asyncio
import logging
import operator
import pickle
import queue
import threading
import time
import warnings
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from site_builder.errors import Place, SiteError, UsageError, counted, guide
from site_builder.project.config import Limits
from site_builder.solving.cluster import on_worker
from site_builder.solving.cluster.archives import builder_archive, project_archive, project_digest
from site_builder.solving.cluster.libraries import needed_by_every_task
from site_builder.solving.processes.failure import Failure
from site_builder.solving.processes.pool import SOLVER_TASKS, Answer, Share, TaskFuture, Workers
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.digest import bytes_digest

_OF_SOLVERS = {
    *(
        f"{SOLVER_TASKS}:{name}"
        for name in ("solve", "solve_point", "check_point", "solve_and_check", "figures", "checks")
    ),
    "site_builder.solving.tasks.drawing_tasks:figures",
}
_SENT = {*_OF_SOLVERS, *(f"site_builder.pipeline.steps.worker_tasks:{name}" for name in ("draw", "draw_small"))}
_PROBE = 10.0  # seconds for a scheduler to answer
_AWAY = 60.0  # seconds for a scheduler that went away to come back
_BETWEEN = 1.0  # seconds from one look at the cluster to the next
_MOST_TRIES = 3  # of a task that was lost with a worker's process, or by an error of Dask
_CURE = f"start a scheduler there ({guide('cluster')}), or build without --workers"


@dataclass(eq=False)
class _Sent:
    """A task on the cluster. request: what the host gets. loadable: what its solver loads; None for a drawing.

    fit: the workers that may run it, where others are known not to fit. tries: how often it was lost. is_suspect:
    whether workers died while they ran it.
    """

    request: bytes
    loadable: Loadable | None
    answer: TaskFuture
    number: str
    fit: frozenset[str] = frozenset()
    tries: int = 0
    is_suspect: bool = False


class ClusterWorkers(Workers):
    """The workers of the scheduler at an address, connected with the first task, and `jobs` processes on this machine.

    The answers are kept in the same cache as local ones, and have the same bytes. Raises UsageError, from the first
    task on, where there is no scheduler, or where no worker can give the answers that this machine would.
    """

    def __init__(self, root: Path, jobs: int, address: str, warn: Callable[[str], None]) -> None:
        super().__init__(root, jobs)
        self._address = address
        self._warn = warn
        self._client: Any = None  # a Client of distributed, which has hardly any types
        self._connecting = threading.Lock()
        self._error: UsageError | None = None
        self._topic = f"puzzlepress-{uuid4().hex}"
        self._sent: dict[Any, _Sent] = {}  # by futures of distributed
        self._suspects: list[_Sent] = []
        self._shared: dict[str, Any] = {}
        self._answered: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._collector: threading.Thread | None = None
        self._capacity: dict[str, int] = {}  # of each worker, by its address
        self._unfit: dict[str, str] = {}  # why, by its address
        self._told: dict[str, Share] = {}
        self._was_empty = False

    @property
    def slots(self) -> int:
        """The number of tasks that can run at a time."""
        return max(1, sum(self._fit().values())) if self._client else self.jobs

    def submit(
        self,
        task: Callable[..., Answer | Failure],
        *arguments: Any,
        limits: Limits,
        points: Sequence[tuple[Any, ...]] | None = None,
    ) -> "Future[Answer | Failure]":
        """Run a task within the limits; the future holds its answer or a Failure."""
        name = f"{task.__module__}:{task.__name__}"
        loadable: Loadable | None = arguments[1] if name in _OF_SOLVERS else None
        if name not in _SENT or (loadable and loadable.folder):
            return super().submit(task, *arguments, limits=limits, points=points)
        if loadable and loadable.unversioned:
            message = (
                f"this solver runs {min(loadable.unversioned)}, which no installer has listed and no worker can be sent"
            )
            raise SiteError(Place(f"solvers/{arguments[0]}.py"), message, "install it as a package, or build locally")
        needed = {**needed_by_every_task(), **(loadable.libraries if loadable else {})}
        request = pickle.dumps((task, arguments, limits, points, needed))
        sent = _Sent(request, loadable, TaskFuture(), uuid4().hex)
        self._connect()
        with self._lock:
            if self._is_stopped:
                raise CancelledError
            self._awaited.add(sent.answer)
            self._dispatch(sent)
        return sent.answer

    def shares(self) -> list[Share]:
        """The progress of the solvers that run now and report it, the one with most time left last."""
        return sorted([*super().shares(), *tuple(self._told.values())], key=lambda each: each.seconds_left)

    def stop(self) -> None:
        """End every process and task, from any thread; waiting for an answer then raises CancelledError."""
        with self._lock:
            client, self._client = self._client, None
            sent, self._sent = self._sent, {}
            self._is_stopped = True
        if client is not None:
            self._answered.put(None)
            with suppress(Exception):  # the connection to the scheduler is lost, which was reported before
                if client.status == "running":
                    client.cancel(list(sent), force=True)
            with suppress(Exception):
                client.close(timeout=2)
        super().stop()
        if self._collector is not None and self._collector is not threading.current_thread():
            self._collector.join()

    # Connecting

    def _connect(self) -> None:
        """Connect with the scheduler, unless that is done. Raises UsageError where it is impossible, or was lost."""
        with self._connecting:
            if self._error is not None:
                raise self._error
            if self._client is not None:
                return
            self._client = self._connected()
            self._client.subscribe_topic(self._topic, self._tell)
            self._look()
            self._collector = threading.Thread(target=self._collect, daemon=True)
            self._collector.start()

    def _connected(self) -> Any:
        try:
            from distributed import Client
            from distributed.security import Security
        except ImportError as error:
            message = f"the workers at {self._address} cannot be asked: {error}"
            raise UsageError(message, "pip install 'puzzlepress[dask]'") from error
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it, the build says itself
        security = Security()  # certificates and the like, from Dask's own configuration
        try:
            asyncio.run(_probe(self._address, security))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about other versions, of which each worker reports those that matter
                return Client(self._address, timeout=_AWAY, security=security, set_as_default=False, name="puzzlepress")
        except Exception as error:  # of whatever answers there
            why = f"{error}" or type(error).__name__
            raise UsageError(f"there is no Dask scheduler at {self._address} ({why})", _CURE) from error

    # Sending; the lock is held

    def _dispatch(self, sent: _Sent) -> None:
        """Have a fit worker run a task; a suspect only when nothing else runs."""
        client = self._client
        if client is None:
            return
        if sent.is_suspect and self._sent:
            self._suspects.append(sent)
            return
        sent.fit = frozenset(self._fit()) if self._unfit else frozenset()
        future = client.submit(
            operator.call,
            self._runner(client),
            self._archive(client, None),
            self._archive(client, sent.loadable or Loadable()),
            sent.request,
            self._topic,
            sent.number,
            key=f"puzzlepress-{uuid4().hex}",
            workers=sorted(sent.fit) or None,
            pure=False,
        )
        self._sent[future] = sent
        future.add_done_callback(self._answered.put)

    def _archive(self, client: Any, loadable: Loadable | None) -> Any:
        """An archive on the cluster: of what a solver loads, or of the builder."""
        name = project_digest(loadable) if loadable is not None else builder_archive().digest
        if name not in self._shared:
            made = project_archive(self._root, loadable) if loadable is not None else builder_archive()
            self._shared[name] = self._share(client, name, pickle.dumps((made.digest, made.data)))
        return self._shared[name]

    def _runner(self, client: Any) -> Any:
        """`on_worker.run` on the cluster; by value, so that neither scheduler nor workers need Puzzlepress."""
        if "run" not in self._shared:
            import cloudpickle

            cloudpickle.register_pickle_by_value(on_worker)
            data = cloudpickle.dumps(on_worker.run)
            self._shared["run"] = self._share(client, bytes_digest(data), data)
        return self._shared["run"]

    def _share(self, client: Any, name: str, data: bytes) -> Any:
        """Pickled data as the result of a task: Dask keeps it where it is needed, and makes again what is lost."""
        return client.submit(pickle.loads, data, key=f"puzzlepress-shared-{name}")

    def _fit(self) -> dict[str, int]:
        return {address: threads for address, threads in tuple(self._capacity.items()) if address not in self._unfit}

    # In the thread that collects answers

    def _collect(self) -> None:
        """Pass on answers as they come, and look at the cluster now and then."""
        looked = time.monotonic()
        try:
            while not self._is_stopped:
                ready: list[Any] = []
                with suppress(queue.Empty):
                    first = self._answered.get(timeout=_BETWEEN)
                    while first is not None:
                        ready.append(first)
                        first = self._answered.get_nowait()
                if self._is_stopped:
                    return
                self._take([each for each in ready if each in self._sent])
                if time.monotonic() > looked + _BETWEEN:
                    looked = time.monotonic()
                    self._look()
        except UsageError as error:
            self._error = error
            self._answer_all(error)
        except BaseException as error:  # an error of this thread fails everything that waits for an answer
            if not self._is_stopped:
                self._answer_all(error)

    def _take(self, futures: Collection[Any]) -> None:
        """Pass on these answers; send again what was lost."""
        client = self._client
        if not futures or client is None:
            return
        done = [each for each in futures if each.status == "finished"]
        found: dict[Any, Any] = {}
        with suppress(Exception):  # they are lost, with a worker or the scheduler
            found = dict(zip(done, client.gather(done), strict=True))
        if any(each.status == "cancelled" for each in futures):
            self._await_scheduler()
        for future in futures:
            with self._lock:
                sent = self._sent.pop(future, None)
            if sent is None:
                continue
            self._told.pop(sent.number, None)
            if future in found:
                self._accept(sent, *found[future])
            else:
                self._look_into(sent, future)
        found.clear()
        with self._lock:
            if self._suspects and not self._sent:
                self._dispatch(self._suspects.pop())

    def _accept(self, sent: _Sent, worker: str, kind: str, found: Any) -> None:
        if kind == on_worker.ANSWER:
            is_error, answer, sent.answer.seconds, printed = pickle.loads(found)
            self._printed.extend(printed)
            if is_error:
                with self._lock:
                    self._awaited.discard(sent.answer)
                    sent.answer.set_exception(RuntimeError(answer))
            else:
                self._give_answer(sent, answer)
        elif kind == on_worker.UNFIT:
            if worker not in self._unfit:
                self._unfit[worker] = found
                self._warn(f"The worker {worker} is left out: {found}")
            self._look()
            if self._capacity and not self._fit():
                which = "\n          ".join(f"{each}: {self._unfit[each]}" for each in self._capacity)
                head = f"no worker of the scheduler at {self._address} gives the answers of this machine"
                cure = f"install the same versions there and here ({guide('cluster')}), or build locally"
                raise UsageError(f"{head}:\n    {which}", cure)
            self._send_again(sent)
        else:
            self._lost(sent, f"the process for tasks of the worker {worker} died: {found}")

    def _look_into(self, sent: _Sent, future: Any) -> None:
        """Send a task again that ended without an answer, or make it a failure."""
        if future.status in ("finished", "cancelled", "lost"):
            self._send_again(sent)
            return
        from distributed.scheduler import KilledWorker

        error = future.exception()
        if not isinstance(error, KilledWorker):
            self._lost(sent, f"a worker of the scheduler at {self._address} failed: {error!r}")
        elif sent.is_suspect:
            times = counted(error.allowed_failures + 1, "worker")
            self._give_answer(sent, Failure("died", f"all alone, it ended {times} of the cluster that ran it"))
        else:  # perhaps another task has ended the workers
            sent.is_suspect = True
            self._send_again(sent)

    def _lost(self, sent: _Sent, why: str) -> None:
        sent.tries += 1
        if sent.tries < _MOST_TRIES:
            self._send_again(sent)
        else:
            self._give_answer(sent, Failure("died", why))

    def _send_again(self, sent: _Sent) -> None:
        with self._lock:
            if not self._is_stopped and not sent.answer.done():
                self._dispatch(sent)

    def _give_answer(self, sent: _Sent, answer: Any) -> None:
        with self._lock:
            self._awaited.discard(sent.answer)
            if not sent.answer.done():
                sent.answer.set_result(answer)

    def _await_scheduler(self) -> None:
        """Wait until the scheduler is back. Raises UsageError where it stays away."""
        client = self._client
        if client is None:
            return
        self._warn(f"The scheduler at {self._address} went away; the build waits for it for {_AWAY:g} seconds.")
        while client.status == "connecting" and not self._is_stopped:
            time.sleep(0.1)
        if client.status != "running" and not self._is_stopped:
            message = f"the scheduler at {self._address} went away and did not come back within {_AWAY:g} seconds"
            raise UsageError(message, "start it and build again; what was computed is in the cache")
        with self._lock:
            self._shared.clear()
        client.subscribe_topic(self._topic, self._tell)

    def _look(self) -> None:
        """Learn which workers there are; send again what none of them may run."""
        client = self._client
        if client is None or client.status != "running":
            return
        try:
            self._capacity = dict(client.nthreads())
        except Exception:  # the scheduler goes away; the futures will tell
            return
        if not self._capacity and not self._was_empty:
            self._warn(f"The scheduler at {self._address} has no workers yet; the build waits for the first.")
        self._was_empty = not self._capacity
        with self._lock:
            stuck = [future for future, sent in self._sent.items() if sent.fit and not sent.fit & set(self._capacity)]
            waiting = [self._sent.pop(future) for future in stuck]
            if stuck:
                client.cancel(stuck, force=True)
            for sent in waiting:
                self._dispatch(sent)

    def _tell(self, event: tuple[float, Any]) -> None:
        job, solver, done, seconds = event[1]
        if any(sent.number == job for sent in tuple(self._sent.values())):
            self._told[job] = Share(solver, done, seconds)


async def _probe(address: str, security: Any) -> None:
    """Raises an exception unless a Dask scheduler answers at this address soon."""
    from distributed.comm import connect

    async with asyncio.timeout(_PROBE):
        place = urlsplit(address)
        _, stream = await asyncio.open_connection(place.hostname, place.port)  # Dask would try again for a while
        stream.close()
        comm = await connect(address, timeout=_PROBE, **security.get_connection_args("client"))
        try:
            await comm.write({"op": "identity", "reply": True})
            if (await comm.read()).get("type") != "Scheduler":
                raise OSError("what answers is no scheduler")
        finally:
            comm.abort()
