"""A task of a solver in the process of a Dask worker: it runs in a pool of worker processes, as on any machine.

The worker must have the versions of the machine that builds, so that answers have the same bytes.
"""

import multiprocessing
import pickle
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import wait
from functools import cache
from pathlib import Path
from typing import Any

from site_builder import __version__
from site_builder.errors import UsageError, guide
from site_builder.solving.code.libraries import python_version, versions
from site_builder.solving.processes.pool import Job, Workers
from site_builder.storage.atomic_files import make_files
from site_builder.storage.file_fingerprints import BUILDER
from site_builder.values.digest import bytes_digest, digest

CURE = f"install the same versions there and here ({guide('cluster')}), or build locally"

_OF_THE_BUILDER = ("numpy", "matplotlib", "pydantic")  # what tasks of solvers import of themselves
_SECONDS_BETWEEN = 0.25  # of looks whether the answer is still wanted
_unpacking = threading.Lock()


def answer(needed: Mapping[str, str], name: str, archive: bytes, request: bytes) -> tuple[Any, float, Sequence[str]]:
    """The answer of a task, its seconds and what it printed. Raises UsageError where this worker has other versions.

    archive: the files that the solver may load, pickled; name: their digest. request: the arguments of a Job after the
    first, pickled. Builders of other versions call this too, so that it keeps its arguments.
    """
    from distributed import get_worker

    worker = get_worker()
    if words := differences(needed):
        raise UsageError(f"the worker at {worker.address} would give other answers: {words}", CURE)
    home = Path(worker.local_directory).resolve()
    job = Job(_unpacked(home / f"puzzlepress-{name}", archive), *pickle.loads(request))
    pool, key = _pool(worker.address, worker.state.nthreads), worker.get_current_task()
    pool.run(job)
    while not wait([job.answer], _SECONDS_BETWEEN).done:
        task = worker.state.tasks.get(key)
        if task is None or task.state not in ("executing", "long-running"):
            pool.give_up(job.answer)  # after Ctrl-C, or the end of the build that waits for it
    return job.answer.result(), job.seconds, job.printed


@cache
def _pool(address: str, jobs: int) -> Workers:
    """The worker processes of the worker at this address; they end with this process."""
    multiprocessing.current_process().daemon = False  # so that it may have children; Dask's nanny ends it all the same
    return Workers(Path.cwd(), jobs)


def _unpacked(folder: Path, archive: bytes) -> Path:
    """The folder, with the files of the archive in it; Dask removes it with the worker."""
    with _unpacking:
        if not folder.is_dir():
            make_files(folder, pickle.loads(archive))
    return folder


@cache
def needed_by_every_task() -> Mapping[str, str]:
    """The builder, the Python, the versions of libraries, and the instructions of the processor that numpy uses."""
    import numpy

    code = {path.relative_to(BUILDER).as_posix(): bytes_digest(path.read_bytes()) for path in BUILDER.rglob("*.py")}
    builder = f"{__version__} ({digest(dict(sorted(code.items())))[:8]})"
    found = numpy.show_config(mode="dicts")["SIMD Extensions"]
    processor = " ".join(sorted({*found.get("baseline", []), *found.get("found", [])}))
    return {"Puzzlepress": builder, "Python": python_version(), "processor": processor, **versions(_OF_THE_BUILDER)}


def differences(needed: Mapping[str, str]) -> str:
    """In words what this machine has in other versions; empty where there is no difference."""
    own = {**versions(needed), **needed_by_every_task()}
    return "; ".join(
        f"{name} {own.get(name, 'is missing')} there, {version} here"
        for name, version in needed.items()
        if own.get(name) != version
    )
