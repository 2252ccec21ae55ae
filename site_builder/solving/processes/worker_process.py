"""A worker process from the build's side: its variables, its channel, what it prints, and its end."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import forkserver, get_context, resource_tracker
from multiprocessing.connection import wait
from typing import Any

from site_builder.solving.processes import worker
from site_builder.solving.processes.failure import Failure, died
from site_builder.storage.file_fingerprints import BUILDER
from site_builder.values.characters import without_control

SAFE_PATH = {"PYTHONSAFEPATH": "1"}  # no module of the working folder, a blog, hides one of a library
# What a Python needs to start, and what says where caches and temporary files are. A solver finds none of these.
_INHERITED = ("HOME", "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
_CHUNK = 2**20
_MOST_PRINTED = 2**17  # bytes at the end of what a task prints
_MOST_LINES, _LONGEST_LINE = 200, 500  # of it, and characters
_SHOWN = 10  # last lines with a failure
_STARTING = 60.0  # seconds for a process to start, beside what its task may take
_ENDING = 1.0  # seconds for a process that has closed its channel
_LONGEST_WAIT = 3600.0  # seconds; systems wait for no more than some weeks at a time
_one_at_a_time = threading.Lock()  # around what changes this process while others are started


def start_server(modules: Sequence[str]) -> None:
    """Start the process that loads these modules for all workers that are forked from it."""
    get_context("forkserver").set_forkserver_preload(list(modules))
    with _starting():
        forkserver.ensure_running()


@contextmanager
def _starting(hash_seed: str = "") -> Iterator[None]:
    """Have processes that are started meanwhile get the variables of workers, and find modules where this one does.

    hash_seed: their PYTHONHASHSEED, in place of the fixed one. The builder comes last, as the blog may be beside it.
    """
    with _one_at_a_time:
        resource_tracker.ensure_running()  # before, since it unblocks Ctrl-C
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        before = dict(os.environ)
        folders = [path for path in sys.path if path not in ("", os.getcwd())]
        python_path = os.pathsep.join([*folders, str(BUILDER.parent)])
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


class WorkerProcess:
    """A process that runs one task after the other, all for the same purpose, see `worker.serve`.

    is_usable: whether it can run another one; one that cannot is still to be ended. printed: the last lines that its
    last task printed.
    """

    def __init__(self, method: str, purpose: tuple[Any, ...], hash_seed: str) -> None:
        """Start the process by this method of multiprocessing. hash_seed: see `Workers`."""
        self.purpose = purpose
        self.is_usable = True
        self._is_ready = False
        self.printed: list[str] = []
        self._printed = b""
        context: Any = get_context(method)
        self._channel, channel = context.Pipe()
        self._output, output = context.Pipe(duplex=False)
        with channel, output, _starting(hash_seed):
            self._process = context.Process(target=worker.serve, args=(purpose, channel, output), daemon=True)
            self._process.start()

    def run(self, message: bytes, seconds: float, report: Callable[[float], None]) -> Any:
        """The answer to a pickled task and its arguments, or the failure for which this process has to be ended.

        report: is called with 0 when the task begins, then with the share of it that is done.
        """
        self._printed = b""
        try:
            answer = self._answer(message, seconds, report)
        except TimeoutError:
            answer = Failure("time", f"it ran for more than {seconds:g} seconds and was stopped")
        except (EOFError, OSError):
            self._process.join(_ENDING)
            self.kill()
            self._process.join()
            answer = died(self._process.exitcode)
        self.printed = self._last_lines()
        if isinstance(answer, Failure):
            self.is_usable = False
            answer = replace(answer, printed="\n".join(self.printed[-_SHOWN:]))
        return answer

    def _answer(self, message: bytes, seconds: float, report: Callable[[float], None]) -> Any:
        if not self._is_ready:
            self._receive(seconds + _STARTING)
            self._is_ready = True
        report(0.0)
        self._channel.send_bytes(message)
        until = time.monotonic() + seconds
        while isinstance(found := self._receive(until - time.monotonic()), float):
            report(found)
        answer, is_last = found
        if is_last:
            self.is_usable = False
        return answer

    def _receive(self, seconds: float) -> Any:
        """The next message, while what it prints is read. Raises TimeoutError, and EOFError at its end."""
        until = time.monotonic() + seconds
        while True:
            left = min(max(0.0, until - time.monotonic()), _LONGEST_WAIT)
            ready = wait([self._channel, self._output, self._process.sentinel], left)
            if self._output in ready:
                self._drain()
            if self._channel in ready:
                return self._channel.recv()
            if self._process.sentinel in ready:
                raise EOFError
            if not ready and time.monotonic() >= until:
                raise TimeoutError

    def _drain(self) -> bool:
        """Read what it has printed, and keep the end of it; false at the end of its output."""
        data = os.read(self._output.fileno(), _CHUNK)
        self._printed = (self._printed + data)[-_MOST_PRINTED:]
        return bool(data)

    def _last_lines(self) -> list[str]:
        """The last lines that its task has printed, without control characters and shortened."""
        while wait([self._output], 0) and self._drain():
            pass
        lines = without_control(self._printed.decode("utf-8", "replace")).splitlines()
        shown = [line.rstrip() for line in lines if line.strip()][-_MOST_LINES:]
        return [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} …" for line in shown]

    def kill(self) -> None:
        """Kill the process and all that it has started, from any thread; what it runs is then a failure."""
        self.is_usable = False
        with suppress(OSError):  # it may have no group of its own yet
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def end(self) -> None:
        """End the process with all that it has started, and wait for that."""
        self.kill()
        self._process.join()
        self._channel.close()
        self._output.close()
