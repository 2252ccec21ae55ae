"""What a command costs together with every process that it starts: processor time, seconds on the wall, memory.

Run as a file of its own it is the process that stands above the command: it adopts whatever the command leaves behind,
waits for all of it, and so counts worker processes too that nobody else waits for. Linux only.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Cost:
    """cpu: seconds, user and system, of all processes; wall: seconds until the command itself ended; peak: bytes that
    the largest of the processes held."""

    cpu: float
    wall: float
    peak: int


class FailedError(Exception):
    """The command did not end well; holds the last lines that it said."""


def cost_of(command: Sequence[str], folder: Path, log: Path, environment: Mapping[str, str] | None = None) -> Cost:
    """Run the command in the folder, with what it says going into the file `log`. Raises FailedError.

    The first word of the command is a whole path. environment: None for this process' own.
    """
    above = [sys.executable, "-I", "-S", __file__, str(log.resolve()), *command]
    ran = subprocess.run(above, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    told = json.loads(ran.stdout)
    if told["status"] != 0:
        said = log.read_text("utf-8", "replace").splitlines()[-30:]
        raise FailedError("\n".join([f"{' '.join(command)} ended with status {told['status']}", *said]))
    return Cost(told["cpu"], told["wall"], told["peak"])


def _run(log: str, command: list[str]) -> dict[str, float]:
    _adopt_orphans()
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=streams)
    _, status = os.waitpid(process, 0)
    wall = time.perf_counter() - start
    _wait_for_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "status": os.waitstatus_to_exitcode(status),
        "cpu": used.ru_utime + used.ru_stime,
        "wall": wall,
        "peak": used.ru_maxrss * 1024,
    }


def _adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, so that its time can be counted."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "this system lets no process adopt orphans")


def _wait_for_all() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    print(json.dumps(_run(sys.argv[1], sys.argv[2:])))
