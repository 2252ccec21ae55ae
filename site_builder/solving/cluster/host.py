"""The process beside a Dask worker: it runs tasks as a build does on its own machine, in worker processes with limits.

It reads requests from its standard input until that ends, and writes answers to its standard output.
"""

import os
import pickle
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from site_builder.solving.cluster import on_worker
from site_builder.solving.cluster.libraries import differences, needed_by_every_task
from site_builder.solving.processes.pool import TaskFuture, Workers

_MOST_POOLS = 3  # of different solvers; each keeps its processes
_SECONDS_BETWEEN = 1.0  # of messages about how far solvers are


class Host:
    """The pools of worker processes, one for the files of each solver, and the tasks that they run."""

    def __init__(self, jobs: int, stream: Any) -> None:
        self._jobs = jobs
        self._stream = stream
        self._sending = threading.Lock()
        self._lock = threading.Lock()
        self._pools: dict[str, Workers] = {}  # the one that was used last at the end
        self._running: dict[int, tuple[str, TaskFuture]] = {}
        self._known: dict[tuple[tuple[str, str], ...], str] = {}

    def run(self, number: int, root: str, request: bytes) -> None:
        """Begin a task, or end the one with this number where there is no request."""
        if not request:
            self._end(number)
            return
        task, arguments, limits, points, needed = pickle.loads(request)
        if words := self._differences(needed):
            self.send(number, on_worker.UNFIT, words)
            return
        answer: Any = self._pool(root).submit(task, *arguments, limits=limits, points=points)
        with self._lock:
            self._running[number] = root, answer
        answer.add_done_callback(lambda _: self._answer(number, answer))

    def send(self, number: int, kind: str, found: Any) -> None:
        """Send a message to the Dask worker."""
        data = pickle.dumps((number, kind, found))
        with self._sending:
            self._stream.write(len(data).to_bytes(on_worker.HEAD) + data)
            self._stream.flush()

    def tell_shares(self) -> None:
        """Tell now and then how far the solvers are that run."""
        while True:
            time.sleep(_SECONDS_BETWEEN)
            with self._lock:
                running = {each: self._pools[root].share_of(answer) for each, (root, answer) in self._running.items()}
            for number, share in running.items():
                if share:
                    self.send(number, on_worker.SHARE, (share.solver, share.done, share.seconds))

    def stop(self) -> None:
        """End all processes."""
        for pool in tuple(self._pools.values()):
            pool.stop()

    def _differences(self, needed: dict[str, str]) -> str:
        key = tuple(needed.items())
        if key not in self._known:
            self._known[key] = differences(needed)
        return self._known[key]

    def _pool(self, root: str) -> Workers:
        """The pool of these files; idle ones that were not used for longest are ended."""
        with self._lock:
            pool = self._pools.pop(root, None) or Workers(Path(root), self._jobs)
            self._pools[root] = pool
            used = {root, *(each for each, _ in self._running.values())}
            old = [each for each in self._pools if each not in used][: max(0, len(self._pools) - _MOST_POOLS)]
            ended = [self._pools.pop(each) for each in old]
        for each in ended:
            each.stop()
        return pool

    def _end(self, number: int) -> None:
        with self._lock:
            running = self._running.get(number)
        if running is not None:
            self._pools[running[0]].give_up(running[1])

    def _answer(self, number: int, answer: TaskFuture) -> None:
        with self._lock:
            self._running.pop(number, None)
        if answer.cancelled():
            return
        error = answer.exception()
        found = (str(error), 0.0, ()) if error else (answer.result(), answer.seconds, tuple(answer.printed))
        self.send(number, on_worker.ANSWER, pickle.dumps((bool(error), *found)))


def main() -> None:
    """Run the tasks that arrive, until no more can."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints is no answer
    needed_by_every_task()
    host = Host(int(sys.argv[1]), stream)
    threading.Thread(target=host.tell_shares, daemon=True).start()
    host.send(-1, "ready", "")
    requests = os.fdopen(os.dup(0), "rb")
    try:
        while head := requests.read(on_worker.HEAD):
            host.run(*pickle.loads(requests.read(int.from_bytes(head))))
    finally:
        host.stop()
