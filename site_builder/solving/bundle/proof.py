"""Run bundles as their readers will: in an empty folder, by the same Python, without anything of the project."""

import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, NoReturn
from zipfile import ZipFile

from site_builder.solving.processes.failure import Failure

_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")  # without which no Python runs
_MOST_OUTPUT = 4000  # bytes at the end of what a bundle prints
_MOST_WRITTEN = 2**28  # bytes of one file
_MOST_CHARACTERS = 800


def prove(bundle: bytes, seconds: float, root: Path, python: str = sys.executable) -> Failure | None:
    """Unpack and run a bundle; the failure, or None when it prints the expected text.

    seconds: infinite for no limit. root: of the project, of which the bundle may use nothing. Its memory limit is that
    of this process.
    """
    with (
        _ending_with_cleanup(),
        TemporaryDirectory(prefix="bundle-", ignore_cleanup_errors=True) as folder,
        TemporaryFile() as output,
        ZipFile(BytesIO(bundle)) as archive,
    ):
        archive.extractall(folder)
        (home,) = Path(folder).iterdir()
        try:
            status = _run([python, "-I", "run.py", "--without", str(root.resolve())], home, output, seconds)
        except subprocess.TimeoutExpired:
            return Failure("time", f"it ran for more than {seconds:g} seconds and was stopped")
        return _failure(status, output) if status else None


def _run(command: list[str], home: Path, output: IO[bytes], seconds: float) -> int:
    """Run a program to its end or kill it; its exit status, its output in `output`."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {"HOME": str(home)}
    none = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=home, env=environment, stdin=none, stdout=output, stderr=output)
    try:
        _limit(process.pid, seconds)
        return process.wait(seconds if math.isfinite(seconds) else None)
    finally:
        process.kill()
        process.wait()


def _limit(process: int, seconds: float) -> None:
    """Limit a program's CPU time, in case this process is killed before it, and the size of its files."""
    try:
        import resource

        set_limit = resource.prlimit  # Linux alone has it
    except (ImportError, AttributeError):
        return
    with suppress(OSError, ValueError):  # it has ended already, or has a lower bound
        if math.isfinite(seconds):
            cpu_seconds = int(seconds) * (os.cpu_count() or 1) + 1
            set_limit(process, resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        set_limit(process, resource.RLIMIT_FSIZE, (_MOST_WRITTEN, _MOST_WRITTEN))


@contextmanager
def _ending_with_cleanup() -> Iterator[None]:
    """On SIGTERM, leave the `with` statement before this process ends."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received = []

    def leave(*_: object) -> NoReturn:
        received.append(True)
        raise SystemExit(1)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        if received:
            os.kill(os.getpid(), signal.SIGTERM)


def _failure(status: int, output: IO[bytes]) -> Failure:
    """The failure of a program that ended with this status, with its last line of output."""
    output.seek(0, os.SEEK_END)
    output.seek(-min(output.tell(), _MOST_OUTPUT), os.SEEK_END)
    lines = output.read().decode("utf-8", "replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    if status < 0:
        return Failure("died", f"its process died (signal {-status})")
    if "MemoryError" in last:
        return Failure("memory", "it needs more memory than it may have")
    return Failure("raised", last[:_MOST_CHARACTERS] or f"it ended with status {status}")
