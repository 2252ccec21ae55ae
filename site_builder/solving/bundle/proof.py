"""Bundles run as their readers will run them: in an empty folder, by the same Python, nothing of the project near."""

import os
import shutil
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

from site_builder.solving.failure import Failure

_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")  # without which no Python runs
_MOST_SAID = 4000  # bytes at the end of what a bundle prints
_MOST_WRITTEN = 2**28  # bytes of one file
_MOST_WORDS = 800
_under_way: dict[int, Path] = {}


def prove(bundle: bytes, seconds: float, root: Path, python: str = sys.executable) -> Failure | None:
    """What goes wrong when a bundle is unpacked and run; None when it prints what is expected of it.

    root: of the project that made it, of which the bundle may use nothing. The memory that it may have is that of this
    process.
    """
    with (
        _ending_politely(),
        TemporaryDirectory(prefix="bundle-", ignore_cleanup_errors=True) as folder,
        TemporaryFile() as said,
        ZipFile(BytesIO(bundle)) as archive,
    ):
        archive.extractall(folder)
        (home,) = Path(folder).iterdir()
        try:
            status = _run([python, "-I", "run.py", "--without", str(root.resolve())], home, said, seconds)
        except subprocess.TimeoutExpired:
            return Failure("time", f"it ran for more than {seconds:g} seconds and was stopped")
        return _fault(status, said) if status else None


def end_all() -> None:
    """End the bundles that run and clear up, because this process is about to end."""
    for group, folder in list(_under_way.items()):
        _end(group)
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], home: Path, said: IO[bytes], seconds: float) -> int:
    """The exit status of a program that cannot outlive this function, and whose words are then in `said`."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {"HOME": str(home)}
    process = subprocess.Popen(
        command,
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=said,
        stderr=said,
        start_new_session=True,
    )
    try:
        _under_way[process.pid] = home.parent
        _limit(process.pid, seconds)
        return process.wait(seconds)
    finally:
        _end(process.pid)
        process.wait()
        _under_way.pop(process.pid, None)


def _end(group: int) -> None:
    """End a program and all that it has started."""
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)


def _limit(process: int, seconds: float) -> None:
    """Bound what is left of a program if this process is killed before it can end it, and how much that writes."""
    try:
        import resource

        set_limit = resource.prlimit  # Linux alone has it
    except (ImportError, AttributeError):
        return
    with suppress(OSError, ValueError):  # it has ended already, or has a lower bound
        cpu_seconds = int(seconds) * (os.cpu_count() or 1) + 1
        set_limit(process, resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        set_limit(process, resource.RLIMIT_FSIZE, (_MOST_WRITTEN, _MOST_WRITTEN))


@contextmanager
def _ending_politely() -> Iterator[None]:
    """When this process is told to end, end what it has started and clear up before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told = []

    def leave(*_: object) -> NoReturn:
        told.append(True)
        raise SystemExit(1)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        if told:
            os.kill(os.getpid(), signal.SIGTERM)


def _fault(status: int, said: IO[bytes]) -> Failure:
    """The fault of a program that ended with this status, in its own last words."""
    said.seek(0, os.SEEK_END)
    said.seek(-min(said.tell(), _MOST_SAID), os.SEEK_END)
    lines = said.read().decode("utf-8", "replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    if status < 0:
        return Failure("died", f"its process died (signal {-status})")
    if "MemoryError" in last:
        return Failure("memory", "it needs more memory than it may have")
    return Failure("raised", last[:_MOST_WORDS] or f"it ended with status {status}")
