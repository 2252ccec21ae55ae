"""The processes of this machine, as its /proc shows them."""

import os
import time
from pathlib import Path


def processes_left_in(folder):
    """The processes that work in a folder, as the workers of its build do, after a while in which they may end."""
    for _ in range(100):
        found = [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit() and _works_in(entry, folder)]
        if not found:
            break
        time.sleep(0.1)
    return found


def _works_in(entry, folder):
    try:
        return Path(os.readlink(entry / "cwd")) == folder
    except OSError:  # it has ended, or belongs to somebody else
        return False
