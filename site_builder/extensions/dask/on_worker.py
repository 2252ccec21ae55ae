"""A task of a solver in the process of a Dask worker: it runs in a pool of worker processes, as on any machine."""

import multiprocessing
import os
import pickle
import threading
from collections.abc import Mapping
from concurrent.futures import wait
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from distributed import get_worker

from site_builder.extensions.dask.versions import differences
from site_builder.solving.processes.pool import Job, Workers

_SECONDS_BETWEEN = 0.25  # of looks whether the answer is still wanted
_unpacking = threading.Lock()


def answer(needed: Mapping[str, str], name: str, archive: bytes, request: bytes) -> tuple[str, Any]:
    """What this worker has in other versions, with its address, and the answer of the task where that is nothing.

    archive: the files that the solver may load, pickled; name: their digest. request: the arguments of a Job after the
    first, pickled. Builders of other versions call this too, so that it keeps its arguments.
    """
    worker = get_worker()
    if words := differences(needed):
        return f"{worker.address}: {words}", None
    home = Path(worker.local_directory).resolve()
    job = Job(_unpacked(home / f"puzzlepress-{name}", archive), *pickle.loads(request))
    pool, key = _pool(worker.address, worker.state.nthreads), worker.get_current_task()
    pool.run(job)
    while not wait([job.answer], _SECONDS_BETWEEN).done:
        if not _is_wanted(worker, key):
            pool.give_up(job.answer)
    return "", (job.answer.result(), job.answer.seconds, job.answer.printed)


@cache
def _pool(address: str, jobs: int) -> Workers:
    """The worker processes of the worker at this address; they end with this process."""
    multiprocessing.current_process().daemon = False  # so that it may have children; Dask's nanny ends it all the same
    return Workers(Path.cwd(), jobs)


def _unpacked(folder: Path, archive: bytes) -> Path:
    """The folder, with the files of the archive in it; Dask removes it with the worker."""
    with _unpacking:
        if not folder.is_dir():
            made = Path(mkdtemp(dir=folder.parent))
            for name, data in pickle.loads(archive).items():
                (made / name).parent.mkdir(parents=True, exist_ok=True)
                (made / name).write_bytes(data)
            os.rename(made, folder)
    return folder


def _is_wanted(worker: Any, key: str) -> bool:
    """False after Ctrl-C or the end of the build that waits for this task, and where the worker is to end."""
    task = worker.state.tasks.get(key)
    is_running = worker.status.name in ("running", "paused", "closing_gracefully")
    return is_running and task is not None and task.state in ("executing", "long-running")
