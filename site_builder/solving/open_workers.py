"""Workers for a build: processes of this machine, or what the scheme of an address stands for."""

import os
from collections.abc import Callable
from pathlib import Path

from site_builder.errors import UsageError
from site_builder.extension import guarded
from site_builder.project.config import load_config
from site_builder.solving.processes.pool import Workers


def open_workers(root: Path, asked: int | str, warn: Callable[[str], None]) -> Workers:
    """Workers for the project in `root`; nothing is started or connected before the first task.

    asked: a number of processes on this machine, 0 for one for each core, or an address. warn: is called, from any
    thread, with what is no error, such as a remote worker that is left out. Raises UsageError for an address whose
    scheme no extension has.
    """
    cores = os.cpu_count() or 1
    if isinstance(asked, int):
        return Workers(root, asked or cores)
    known = load_config(root).extensions.registry.of("workers")
    if (scheme := asked.partition("://")[0]) not in known:
        examples = [f"{name}://192.0.2.7:8786" for name in sorted(known)]
        cure = " or ".join(["write a number of processes", *examples])
        raise UsageError(f"no extension has workers at {scheme}://", cure)
    connect = guarded("workers", known[scheme])
    workers: Workers = connect(asked, root, cores, warn)
    return workers
