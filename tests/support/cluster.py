"""A Dask cluster on this machine: a scheduler and workers as `dask scheduler` and `dask worker` begin them."""

import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from distributed import Client

from tests.conftest import ROOT
from tests.processes import Begun
from tests.support.ports import free_port

QUIET = {
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error",
    "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False",
}


class Cluster:
    """A scheduler and its workers; `options` are more environment variables, mostly Dask's configuration."""

    def __init__(self, folder: Path, protocol="tcp", **options):
        self.folder, self.options = folder, options
        self.port = free_port()
        self.address = f"{protocol}://127.0.0.1:{self.port}"
        self.protocol = protocol
        self.workers = []
        self.scheduler = self._client = None

    def begin_scheduler(self):
        """Begin the scheduler, always at the same address."""
        words = ["scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
        self.scheduler = self._begin(*words, "--protocol", self.protocol)
        wait_for(lambda: _listens(self.port), "no scheduler listens")

    def begin_worker(self, threads=1, nanny=True, **environment):
        """Begin a worker, with a nanny that begins it anew where it dies; its process."""
        known = self.addresses() if self.protocol == "tcp" else []
        home = self.folder / f"worker{len(self.workers)}"
        words = ["worker", self.address, "--nthreads", str(threads), "--no-dashboard", "--host", "127.0.0.1"]
        words += ["--local-directory", str(home), *([] if nanny else ["--no-nanny"])]
        self.workers.append(self._begin(*words, **{"PYTHONPATH": str(ROOT), **environment}))
        if self.protocol == "tcp":
            wait_for(lambda: set(self.addresses()) - set(known), "no worker came")
        return self.workers[-1]

    def _begin(self, *words, **environment):
        code = "import sys; from dask.__main__ import main; sys.argv[0] = 'dask'; main()"
        found = {**os.environ, **QUIET, **self.options, **environment}
        if "PYTHONPATH" not in environment:
            found.pop("PYTHONPATH", None)  # a scheduler has no Puzzlepress
        return Begun(
            [sys.executable, "-c", code, *words],
            env=found,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    @contextmanager
    def client(self):
        """A client of the test's own."""
        if self._client is None or self._client.status != "running":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about workers with other versions
                self._client = Client(self.address, set_as_default=False, timeout=60)
        yield self._client

    def addresses(self):
        """Where the workers are."""
        with self.client() as client:
            return list(client.nthreads())

    def processing(self):
        """The keys of the tasks that each worker has, by its address."""
        with self.client() as client:
            return {worker: keys for worker, keys in client.processing().items() if keys}

    def pids(self):
        """The process of each worker, by its address."""
        with self.client() as client:
            return client.run(os.getpid)

    def n_tasks(self):
        """How many tasks the scheduler knows."""
        with self.client() as client:
            return client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))

    def end(self):
        """End all processes."""
        if self._client is not None:
            self._client.close(timeout=2)
            self._client = None
        for process in [*self.workers, self.scheduler]:
            if process is not None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.workers, self.scheduler = [], None


@contextmanager
def cluster(folder, workers=1, threads=1, nanny=True, **options):
    """A running cluster with so many workers. nanny: each is begun again when it dies."""
    made = Cluster(folder, **options)
    try:
        made.begin_scheduler()
        for _ in range(workers):
            made.begin_worker(threads, nanny)
        yield made
    finally:
        made.end()


def wait_for(is_so, words, seconds=120):
    """Wait until something is so, and return it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := is_so():
            return found
        time.sleep(0.1)
    raise AssertionError(words)


def _listens(port):
    with closing(socket.socket()) as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
