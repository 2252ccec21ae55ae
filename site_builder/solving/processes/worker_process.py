"""A worker process from the build's side: its variables, its channel, what it prints, and its end."""

import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from site_builder.solving.processes import worker
from site_builder.values.characters import without_control

SAFE_PATH = {"PYTHONSAFEPATH": "1"}  # no module of the working folder, a blog, hides one of a library
# What a Python needs to start, and what says where caches and temporary files are. A solver finds none of these.
_INHERITED = (
    *("HOME", "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"),
)
_CHUNK = 2**20
_MOST_PRINTED = 2**17  # bytes at the end of what a task prints
_MOST_LINES, _LONGEST_LINE = 200, 500  # of it, and characters
_ENDING = 1.0  # seconds for a process that has closed its channel
_LONGEST_WAIT = 3600.0  # seconds; systems wait for no more than some weeks at a time


@contextmanager
def environment_of_workers(hash_seed: str = "") -> Iterator[None]:
    """Have processes that are started meanwhile get these variables, and find modules where this process does.

    hash_seed: their PYTHONHASHSEED, in place of the fixed one. What the working folder holds comes last.
    """
    before = dict(os.environ)
    folders = [path for path in sys.path if path and path != os.getcwd()]
    python_path = os.pathsep.join([*folders, *([os.getcwd()] if len(folders) < len(sys.path) else [])])
    kept = {name: before[name] for name in _INHERITED if name in before}
    seed = {"PYTHONHASHSEED": hash_seed} if hash_seed else {}
    _replace_environment(kept | worker.FIXED | SAFE_PATH | {"PYTHONPATH": python_path} | seed)
    try:
        yield
    finally:
        _replace_environment(before)


def _replace_environment(wanted: Mapping[str, str]) -> None:
    for name in set(os.environ) - set(wanted):
        del os.environ[name]
    os.environ.update(wanted)


class ProcessDiedError(Exception):
    """Raised when a worker process has ended without an answer."""


class WorkerProcess:
    """A process that runs one task after the other, all for the same purpose, see `serve`."""

    def __init__(self, context: Any, root: Path, purpose: tuple[Any, ...]) -> None:
        """Start the process. Raises OSError or EOFError where that is impossible. context: of multiprocessing."""
        self.root = root
        self.purpose = purpose
        self._is_ready = False
        self.is_usable = True
        self._printed = b""
        self._channel, channel = context.Pipe()
        self._output, output = context.Pipe(duplex=False)
        lifeline, self._lifeline = context.Pipe(duplex=False)
        with channel, output, lifeline:
            arguments = (str(root), purpose, channel, output, lifeline)
            self._process = context.Process(target=worker.serve, args=arguments, daemon=True)
            self._process.start()
        os.set_blocking(self._output.fileno(), False)

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until it can run tasks, with its solver imported. Raises as `call` does."""
        if not self._is_ready:
            self._receive(seconds)
            self._is_ready = True

    def call(self, message: bytes, seconds: float, share: Callable[[float], None]) -> Any:
        """Have it run a pickled task and its arguments; the answer.

        share: is called with how much of it is done. Raises TimeoutError after so many seconds, ProcessDiedError when
        the process ends.
        """
        self._printed = b""
        try:
            self._channel.send_bytes(message)
        except OSError as error:
            raise ProcessDiedError from error
        until = time.monotonic() + seconds
        while (found := self._receive(until - time.monotonic())).startswith(worker.SHARE):
            share(float(found.removeprefix(worker.SHARE)))
        self.is_usable = not found.startswith(worker.LAST)
        return pickle.loads(memoryview(found)[1:])

    def _receive(self, seconds: float) -> bytes:
        """The next message, while what it prints is read."""
        until = time.monotonic() + seconds
        files: list[Connection | int] = [self._channel, self._output, self._process.sentinel]
        while True:
            ready = wait(files, max(0.0, min(until - time.monotonic(), _LONGEST_WAIT)))
            if self._output in ready and not self._drain():
                files.remove(self._output)
            if self._channel in ready:
                try:
                    return bytes(self._channel.recv_bytes())
                except (EOFError, OSError) as error:
                    raise ProcessDiedError from error
            if self._process.sentinel in ready:
                raise ProcessDiedError
            if not ready and time.monotonic() >= until:
                raise TimeoutError

    def _drain(self) -> bool:
        """Read what it has printed, and keep the end of it; false at the end of its output."""
        try:
            data = os.read(self._output.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        self._printed = (self._printed + data)[-_MOST_PRINTED:]
        return bool(data)

    def printed(self) -> list[str]:
        """The last lines that its task has printed, without control characters and shortened."""
        while self._drain() and wait([self._output], 0):
            pass
        _, cut, rest = self._printed.partition(b"\n") if len(self._printed) == _MOST_PRINTED else (b"", b"", b"")
        lines = without_control((rest if cut else self._printed).decode("utf-8", "replace")).splitlines()
        shown = [line.rstrip() for line in lines if line.strip()][-_MOST_LINES:]
        return [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} …" for line in shown]

    def cause_of_end(self) -> str:
        """Why a process that has closed its channel has ended, in words; it is killed if it does not end now."""
        wait([self._process.sentinel], _ENDING)
        self.kill()
        self._process.join()
        return worker.cause(int(self._process.exitcode))

    def kill(self) -> None:
        """End the process and all that it has started, from any thread; who waits for it gets ProcessDiedError."""
        for kill in (os.killpg, os.kill):  # it may have no group of its own yet
            with suppress(OSError):
                kill(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """End the process with all that it has started, and wait for that."""
        self.kill()
        self._process.join()
        for file in (self._channel, self._output, self._lifeline):
            file.close()
