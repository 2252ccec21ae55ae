"""One worker process as the build has it: its channel, what it prints, the job it runs, and its end."""

import os
import pickle
import signal
import socket
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from site_builder.project.config import Limits
from site_builder.solving import worker
from site_builder.values.characters import without_control

_CHUNK = 2**20
_MOST_PRINTED = 2**17  # bytes at the end of what a task prints
_ENDING = 1.0  # seconds for a process that has closed its channel
_POLL = 0.005
_GRACE = 3.0  # seconds for a task of the builder to remove its files before its process is killed


@dataclass(eq=False)
class Job:
    """A task on its way. purpose: what its process is for, `()` for the builder itself, or a solver and what it loads.

    message: the function, its arguments and the purpose, pickled.
    """

    message: bytes
    purpose: tuple[Any, ...]
    limits: Limits
    answer: "Future[Any]"


@dataclass(eq=False)
class WorkerProcess:
    """A process that runs one job after the other, all for the same purpose.

    purpose: None until it has its first job. started and deadline: when its job began and has to be done, on the
    monotonic clock; the deadline is infinite while the process is still starting. share: how much of the job is done,
    as the solver says.
    """

    context: Any  # a BaseContext of multiprocessing, of which mypy knows no Process
    root: Path
    purpose: tuple[Any, ...] | None = None
    job: Job | None = None
    deadline: float = float("inf")
    started: float = 0.0
    share: float = 0.0
    _is_ready: bool = False
    _printed: bytes = b""
    _received: bytearray = field(default_factory=bytearray)
    unsent: bytes = b""

    def start(self) -> None:
        """Start the process. Raises OSError or EOFError where that is impossible."""
        self.channel, channel = socket.socketpair()
        self.output, output = self.context.Pipe(duplex=False)
        with channel, output:
            is_forked = self.context.get_start_method() != "spawn"
            arguments = (str(self.root), channel, output, is_forked)
            self.process = self.context.Process(target=worker.serve, args=arguments, daemon=True)
            self.process.start()
        self.channel.setblocking(False)
        os.set_blocking(self.output.fileno(), False)

    def files(self) -> dict[str, Any]:
        """What becomes readable when it answers, prints or ends."""
        return {"channel": self.channel, "output": self.output}

    def give(self, job: Job) -> None:
        """Send it a job."""
        self.job, self.purpose, self._printed = job, job.purpose, b""
        self.share = 0.0
        self.unsent = worker.frame(job.message)
        self._set_deadline()

    def _set_deadline(self) -> None:
        if self._is_ready and self.job:
            self.started = time.monotonic()
            self.deadline = self.started + self.job.limits.time

    def send(self) -> bool:
        """Send what the channel takes of the job; whether more is left."""
        with suppress(BlockingIOError, ConnectionError):  # the end of a process is noticed elsewhere
            while self.unsent:
                self.unsent = self.unsent[self.channel.send(self.unsent[:_CHUNK]) :]
        return bool(self.unsent)

    def receive(self) -> Any:
        """The answer, when all of it has arrived; else None.

        Raises EOFError when the process has ended, ValueError for what is no answer.
        """
        with suppress(BlockingIOError):
            try:
                data = self.channel.recv(_CHUNK)
            except ConnectionError:
                data = b""
            if not data:
                raise EOFError
            self._received += data
        while (message := self._next_message()) is not None:
            if not message:
                self._is_ready = True
                self._set_deadline()
            elif message.startswith(worker.SHARE):
                self.share = float(message.removeprefix(worker.SHARE))
            else:
                return self._read(message)
        return None

    def _next_message(self) -> bytes | None:
        if len(self._received) < worker.HEAD:
            return None
        size = int.from_bytes(self._received[: worker.HEAD])
        if self.job and size > self.job.limits.memory:
            raise ValueError("an answer that is larger than its memory limit")
        if len(self._received) < worker.HEAD + size:
            return None
        message = bytes(self._received[worker.HEAD : worker.HEAD + size])
        del self._received[: worker.HEAD + size]
        return message

    def _read(self, message: bytes) -> Any:
        if self.job is None:
            raise ValueError("an answer to no task")
        try:
            return pickle.loads(message)
        except Exception as error:  # whatever bytes a solver has written there
            raise ValueError("an answer that cannot be read") from error

    def drain(self) -> bool:
        """Read what it has printed, and keep the end of it; whether more can come."""
        try:
            data = os.read(self.output.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        self._printed = (self._printed + data)[-_MOST_PRINTED:]
        return bool(data)

    def printed(self, most_lines: int = 10, longest: int = 160) -> str:
        """The last lines that its task has printed, without control characters and shortened."""
        self.drain()
        _, cut, rest = self._printed.partition(b"\n") if len(self._printed) == _MOST_PRINTED else (b"", b"", b"")
        lines = without_control((rest if cut else self._printed).decode("utf-8", "replace")).splitlines()
        shown = [line.rstrip() for line in lines if line.strip()][-most_lines:]
        return "\n".join(line if len(line) <= longest else f"{line[:longest]} …" for line in shown)

    def exit_code(self) -> int:
        """The exit code of a process that has closed its channel; it is killed if it does not end now."""
        self._await_end(_ENDING)
        return -signal.SIGKILL if self.process.exitcode is None else int(self.process.exitcode)

    def _await_end(self, seconds: float) -> None:
        # `join` with a timeout waits without one once the process has closed what it was started with.
        until = time.monotonic() + seconds
        while self.process.exitcode is None and time.monotonic() < until:
            time.sleep(_POLL)

    def ask_to_end(self) -> None:
        """Have a task of the builder remove its files and end; a solver is not asked."""
        if self.job and not self.purpose:
            self.process.terminate()

    def end(self) -> None:
        """End the process with all that it has started, and wait for that."""
        if self.job and not self.purpose:
            self._await_end(_GRACE)
        if self.process.exitcode is None:
            with suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        self.process.join()
        self.channel.close()
        self.output.close()
