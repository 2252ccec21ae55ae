"""The code in the process of a Dask worker: it passes tasks to a host, a process beside it, and waits for answers.

Dask gets these functions by value, so neither a worker nor the scheduler needs Puzzlepress itself. They import nothing
but Python's own modules and Dask's.
"""

import io
import itertools
import os
import pickle
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

HEAD = 8  # bytes of the length of a message
ANSWER, UNFIT, DIED, UNWANTED = "answer", "unfit", "died", "unwanted"  # what `run` gives
SHARE = "share"
_STARTING = 120.0  # seconds
_SECONDS_BETWEEN = 0.25  # of looks whether the answer is still wanted
_MOST_HOSTS = 2  # of different versions of the builder
_HOST = "from site_builder.solving.cluster.host import main; main()"
_HOSTS = "_puzzlepress_hosts"


def run(builder: tuple[str, bytes], project: tuple[str, bytes], request: bytes, topic: str, job: str) -> Any:
    """Have the host run a task: the address of this worker, one of the words above, and what belongs to it.

    topic and job: under which Dask's events report the progress of the solver.
    """
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        is_running = worker.status.name in ("running", "paused", "closing_gracefully")
        return is_running and task is not None and task.state in ("executing", "long-running")

    def tell(share: tuple[str, float, float]) -> None:
        worker.log_event(topic, [job, *share])

    try:
        host = _host(worker, *builder)
        root = _unpacked(worker, *project)
    except ChildProcessError as error:
        return worker.address, DIED, f"{error}"
    except (OSError, RuntimeError, zipfile.BadZipFile) as error:
        return worker.address, UNFIT, f"{error}"
    return worker.address, *host.answer(root, request, is_wanted, tell)


def _host(worker: Any, digest: str, data: bytes) -> "_Host":
    """The host that runs this builder's code, started if there is none. Raises OSError or RuntimeError."""
    folder = _unpacked(worker, digest, data)
    with vars(worker).setdefault(f"{_HOSTS}_lock", threading.Lock()):
        hosts: dict[str, _Host] = vars(worker).setdefault(_HOSTS, {})
        host = hosts.pop(digest, None)
        if host is None or host.is_over:
            host = _Host(folder, worker.state.nthreads)
        hosts[digest] = host
        for other in [each for each in hosts if hosts[each].is_idle()][: len(hosts) - _MOST_HOSTS]:
            if other != digest:
                hosts.pop(other).end()
        return host


def _unpacked(worker: Any, digest: str, data: bytes) -> str:
    """The folder of an archive's files, which goes with the worker."""
    home = os.path.join(os.path.realpath(worker.local_directory), "puzzlepress")
    folder = os.path.join(home, digest)
    if not os.path.isdir(folder):
        os.makedirs(home, exist_ok=True)
        made = tempfile.mkdtemp(dir=home)
        with zipfile.ZipFile(io.BytesIO(data)) as files:
            files.extractall(made)
        try:
            os.rename(made, folder)
        except OSError:  # another thread was faster
            shutil.rmtree(made)
            if not os.path.isdir(folder):
                raise
    return folder


class _Host:
    """The process beside this worker that runs its tasks.

    Raises RuntimeError where it does not start, ChildProcessError where something killed it meanwhile.
    """

    def __init__(self, folder: str, jobs: int) -> None:
        self.is_over = False
        self._numbers = itertools.count()
        self._boxes: dict[int, queue.SimpleQueue[tuple[str, Any]]] = {}
        self._sending = threading.Lock()
        paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _HOST, str(jobs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C at the worker's terminal is for the worker
        )
        started: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._boxes[-1] = started
        threading.Thread(target=self._read, daemon=True).start()
        try:
            kind, words = started.get(timeout=_STARTING)
        except queue.Empty:
            self.end()
            raise RuntimeError(f"its process for tasks did not start within {_STARTING:g} seconds") from None
        if kind == DIED:
            failed = RuntimeError if self._process.returncode > 0 else ChildProcessError
            raise failed(f"its process for tasks does not start: {words}")
        del self._boxes[-1]

    def is_idle(self) -> bool:
        """True when nothing waits for an answer."""
        return not self._boxes

    def answer(
        self, root: str, request: bytes, is_wanted: Callable[[], bool], tell: Callable[[Any], None]
    ) -> tuple[str, Any]:
        """The kind of the answer, and the answer. tell: called with the progress of the solver."""
        number, box = next(self._numbers), queue.SimpleQueue[tuple[str, Any]]()
        self._boxes[number] = box
        if self.is_over:
            return DIED, "it has ended"
        try:
            self._send((number, root, request))
            while True:
                try:
                    kind, found = box.get(timeout=_SECONDS_BETWEEN)
                except queue.Empty:
                    if not is_wanted():
                        self._send((number, root, b""))
                        return UNWANTED, b""
                    continue
                if kind != SHARE:
                    return kind, found
                tell(found)
        except OSError as error:
            return DIED, f"{error}"
        finally:
            self._boxes.pop(number, None)

    def end(self) -> None:
        """End the process and all that it has started."""
        self.is_over = True
        with suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]

    def _send(self, message: Any) -> None:
        data = pickle.dumps(message)
        with self._sending:
            stream: Any = self._process.stdin
            stream.write(len(data).to_bytes(HEAD) + data)
            stream.flush()

    def _read(self) -> None:
        stream: Any = self._process.stdout
        with suppress(OSError, pickle.UnpicklingError, EOFError):
            while head := stream.read(HEAD):
                number, kind, found = pickle.loads(stream.read(int.from_bytes(head)))
                if box := self._boxes.get(number):
                    box.put((kind, found))
        self.is_over = True
        self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").split("\n")
        words = next((line.strip() for line in reversed(lines) if line.strip()), "")
        for box in tuple(self._boxes.values()):
            box.put((DIED, words or f"exit code {self._process.returncode}"))
