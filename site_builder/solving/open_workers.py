"""Workers for a build: processes of this machine, or what the scheme of an address stands for."""

import os
from collections.abc import Callable
from pathlib import Path

from site_builder.solving.processes.pool import Workers


def open_workers(root: Path, asked: int | str, warn: Callable[[str], None]) -> Workers:
    """Workers for the project in `root`; nothing is started or connected before the first task.

    asked: a number of processes on this machine, 0 for one for each core, or an address. warn: is called, from any
    thread, with what is no error, such as a remote worker that is left out.
    """
    cores = os.cpu_count() or 1
    if isinstance(asked, int):
        return Workers(root, asked or cores)
    from site_builder.solving.cluster.workers import connect  # the schemes tcp and tls

    return connect(asked, root, cores, warn)
