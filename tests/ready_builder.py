"""A process that has loaded the builder and begins each build as a copy of itself, which loads nothing anew.

Loading takes half a second, and most builds of tests take no longer. Each copy has a folder, variables and files of
its own and ends as any build does, so that none sees anything of another. All have the same random hashes of
texts: where these have to differ, a build needs a process from nothing.
"""

import atexit
import faulthandler
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from types import TracebackType
from typing import NoReturn, TextIO

from tests import ready_workers

ROOT = Path(__file__).resolve().parents[1]

LOADED = (
    *("numpy", "PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "PIL.PngImagePlugin", "markdown", "pygments", "jinja2"),
    *("jinja2.ext", "encodings.utf_8_sig", "encodings.unicode_escape", "rich.progress", "yaml", "pydantic"),
    *("multiprocessing.forkserver", "multiprocessing.popen_forkserver", "multiprocessing.resource_tracker"),
    *("PIL.BmpImagePlugin", "PIL.GifImagePlugin", "PIL.ImageDraw", "PIL.ImageFont", "PIL.JpegImagePlugin"),
    *("PIL.PpmImagePlugin", "uuid"),
    *(
        "concurrent.futures.thread",
        "importlib.metadata",
        "site_builder.cli.commands.build",
    ),
    *(
        "site_builder.pipeline.build",
        "site_builder.figures.share_card",
        "site_builder.pipeline.steps.results",
        "site_builder.pipeline.search_index",
    ),
    *(
        "site_builder.pipeline.steps.texts",
        "site_builder.pipeline.steps.worker_tasks",
        "site_builder.solving.tasks.solver_tasks",
        "site_builder.solving.processes.pool",
        "site_builder.posts.texts.write",
    ),
    *(
        "resource",
        "site_builder.cli.progress",
        "site_builder.pipeline.steps.descriptions",
        "site_builder.solving.results",
    ),
    *("site_builder.solving.processes.worker_process", "site_builder.figures.kinds.registry"),
    *("site_builder.posts.functions", "site_builder.posts.gather_evidence"),
    "site_builder.posts.typed_numbers",
    *("site_builder.posts.findings", "site_builder.posts.held_sentences"),
    "site_builder.markup.jinja_text",
    *(
        "site_builder.cli.commands.check",
        "site_builder.pipeline.check",
    ),
    *("site_builder.cli.commands.solve", "site_builder.api.solve", "site_builder.cli.solve_output"),
    "_strptime",
    *("site_builder.cli.commands.build", "site_builder.publish.publish", "site_builder.publish.git_branch"),
    "site_builder.publish.rsync",
)  # by nearly every build, and by other commands of many tests: what others load as well they load themselves


OF_EXTENSIONS = ("bundles.archive", "importing.plan")


class Started:
    """A command that runs in a session of its own, with the methods of `subprocess.Popen` that tests use.

    `status` is the end of a pipe on which a line arrives when the command has ended.
    """

    def __init__(self, pid: int, status: TextIO, stdout: TextIO, stderr: TextIO) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdout = stdout
        self.stderr = stderr
        self._status = status

    def poll(self) -> int | None:
        """The exit status, or minus the signal, as soon as the command has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The same, after waiting for it. Raises TimeoutExpired after so many seconds."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a started command", timeout or 0)
            self.returncode = int(self._status.readline())
            self._status.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Everything that is still to be read of both streams, when the command has ended."""
        threads = ThreadPoolExecutor(2)
        try:
            reading = [threads.submit(stream.read) for stream in (self.stdout, self.stderr)]
            self.wait(timeout)
            out, err = (each.result(timeout) for each in reading)
        finally:
            threads.shutdown(wait=False)
        self._close()
        return out, err

    def send_signal(self, sign: int) -> None:
        """Send a signal to the command, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sign)

    def kill(self) -> None:
        """End the command at once."""
        self.send_signal(signal.SIGKILL)

    def _close(self) -> None:
        self.stdout.close()
        self.stderr.close()

    def __enter__(self) -> "Started":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None and self.poll() is None:
            self.send_signal(signal.SIGUSR1)  # asks for stacks
            time.sleep(0.5)
            self.kill()
            with suppress(subprocess.TimeoutExpired):
                print("What was still to be read of a process that was killed:", *self.communicate(timeout=5), sep="\n")
        self.wait()
        self._close()


class ReadyBuilder:
    """The process, from the other side: `run` is what `subprocess.run` would be, and `start` what `Popen` would be.

    workers: asks for copies of a process that has loaded what workers load (see ready_workers.py).
    """

    def __init__(self, workers: socket.socket) -> None:
        self._workers = workers
        self._process: subprocess.Popen[str] | None = None
        atexit.register(self._end)

    def run(self, root: Path, words: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str, str]:
        """How a command in this folder ended: its status, and what it wrote to standard output and error."""
        process = self._begun()
        assert process.stdout
        with NamedTemporaryFile("r", encoding="utf-8") as out, NamedTemporaryFile("r", encoding="utf-8") as err:
            try:
                self._ask(root, words, environment, out.name, err.name, "")
                status = int(process.stdout.readline())
            except BaseException:  # what it says next would be about this build, which nobody waits for any more
                os.killpg(process.pid, signal.SIGUSR1)  # asks for stacks
                time.sleep(0.5)
                self._end()
                print("What a build has said that was killed:", out.read(), err.read(), sep="\n")
                raise
            return status, out.read(), err.read()

    def start(self, root: Path, words: Sequence[str], environment: Mapping[str, str]) -> Started:
        """Begin a command in this folder, and leave it alone."""
        self._begun()
        with TemporaryDirectory() as folder:
            out, err, status = (os.path.join(folder, name) for name in ("out", "err", "status"))
            for path in (out, err, status):
                os.mkfifo(path)
            self._ask(root, words, environment, out, err, status)
            ended = open(status, encoding="utf-8", buffering=1)  # noqa: SIM115 (each waits for who writes)
            pid = int(ended.readline())
            return Started(pid, ended, open(out, encoding="utf-8"), open(err, encoding="utf-8"))

    def _begun(self) -> "subprocess.Popen[str]":
        self._process = self._process or _begun(self._workers)
        return self._process

    def _ask(self, root: Path, words: Sequence[str], environment: Mapping[str, str], *files: str) -> None:
        process = self._begun()
        assert process.stdin
        process.stdin.write(json.dumps((str(root), list(words), dict(environment), *files)) + "\n")
        process.stdin.flush()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def _begun(workers: socket.socket) -> "subprocess.Popen[str]":
    code = f"import sys; from tests.ready_builder import serve; sys.exit(serve({workers.fileno()}))"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},  # no thread but the main one
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=[workers.fileno()],
        start_new_session=True,  # to be ended with the builds that it has begun
    )


def compile_templates() -> None:
    """Compile the default theme, also as the files of a project that links to it: copies of this process have the code.

    A `Project` has such a link.
    """
    from site_builder.project.config import Limits
    from site_builder.site.theme import OWN, Theme
    from site_builder.storage.file_fingerprints import DEFAULT_THEME, THEME

    names = [path.relative_to(DEFAULT_THEME).as_posix() for path in DEFAULT_THEME.rglob("*.html")]
    for prefix in (THEME, OWN):
        files = {name: f"{prefix}{name}" for name in names}

        def read(source: str, prefix: str = prefix) -> bytes:
            return (DEFAULT_THEME / source.removeprefix(prefix)).read_bytes()

        theme = Theme(files, dict.fromkeys(files.values(), ""), read, Path, Limits())
        for name in names:
            theme._environment.get_template(name)


def list_libraries() -> None:
    """Read which libraries are installed and what belongs to them, which a build does once it has code to look at."""
    from site_builder.solving.code.libraries import libraries_of

    for name in ("numpy", "pydantic"):  # what most solvers import
        libraries_of(name)


def serve(number: int) -> int:
    """Run the commands that are asked for, line by line; in a copy, the status that one ends with."""
    workers = socket.socket(fileno=number)
    workers.set_inheritable(False)
    for name in (*LOADED, *importlib.import_module("site_builder.pipeline.steps.texts").MODULES_TO_WRITE):
        importlib.import_module(name)
    ready_workers.load_extensions(OF_EXTENSIONS)
    main = importlib.import_module("site_builder.cli.main").main
    compile_templates()
    list_libraries()
    gc.freeze()
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    for line in sys.stdin:
        root, words, environment, out, err, ended = json.loads(line)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # those of earlier commands that nobody waited for
                pass
        copy = os.fork()
        if copy == 0:
            if ended:
                _begin_another(ended)
            _become(root, environment, out, err)
            ready_workers.ask(workers)
            _end(int(main(Path(root), words)))
        if ended:
            continue
        _, status = os.waitpid(copy, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return 0


def _end(status: int) -> NoReturn:
    """End this process as `sys.exit` does, without freeing each object, which takes as long as a build with no change.

    Every object that is freed changes a page of memory, which the system has to copy first.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def _begin_another(ended: str) -> None:
    """Go on in a copy with a session of its own, whose process number and exit status this process reports."""
    copy = os.fork()
    if copy == 0:
        os.setsid()
        return
    with open(ended, "w", encoding="utf-8") as told:
        print(copy, file=told, flush=True)
        _, status = os.waitpid(copy, 0)
        print(os.waitstatus_to_exitcode(status), file=told, flush=True)
    os._exit(0)


def _become(folder: str, environment: Mapping[str, str], out: str, err: str) -> None:
    for number, (path, flags) in enumerate(((os.devnull, os.O_RDONLY), (out, os.O_WRONLY), (err, os.O_WRONLY))):
        opened = os.open(path, flags)
        os.dup2(opened, number)
        os.close(opened)
    faulthandler.register(signal.SIGUSR1)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
