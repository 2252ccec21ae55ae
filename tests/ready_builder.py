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
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from tests import ready_templates, ready_workers

ROOT = Path(__file__).resolve().parents[1]

LOADED = (
    *("numpy", "PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "PIL.PngImagePlugin", "markdown", "pygments", "jinja2"),
    *("jinja2.ext", "encodings.utf_8_sig", "encodings.unicode_escape", "rich.progress", "yaml", "pydantic"),
    *("multiprocessing.forkserver", "multiprocessing.popen_forkserver", "multiprocessing.resource_tracker"),
    *("PIL.BmpImagePlugin", "PIL.GifImagePlugin", "PIL.JpegImagePlugin", "PIL.PpmImagePlugin", "uuid"),
    *(
        "concurrent.futures.thread",
        "importlib.metadata",
        "site_builder.cli.commands.build",
        "site_builder.solving.bundle.archive",
    ),
    *(
        "site_builder.build.build",
        "site_builder.figures.share_card_drawing",
        "site_builder.build.steps.results",
        "site_builder.build.steps.pagefind",
    ),
    *(
        "site_builder.build.steps.texts",
        "site_builder.build.steps.worker_tasks",
        "site_builder.solving.solver_tasks",
        "site_builder.solving.pool",
        "site_builder.posts.write",
    ),
)  # by nearly every build: what others load as well they load themselves


class ReadyBuilder:
    """The process, from the other side: `run` is what `subprocess.run` would be."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        atexit.register(self._end)

    def run(self, root: Path, words: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str, str]:
        """How a command in this folder ended: its status, and what it wrote to standard output and error."""
        self._process = process = self._process or _begun()
        assert process.stdin
        assert process.stdout
        with NamedTemporaryFile("r", encoding="utf-8") as out, NamedTemporaryFile("r", encoding="utf-8") as err:
            order = str(root), list(words), dict(environment), out.name, err.name
            try:
                process.stdin.write(json.dumps(order) + "\n")
                process.stdin.flush()
                status = int(process.stdout.readline())
            except BaseException:  # what it says next would be about this build, which nobody waits for any more
                os.killpg(process.pid, signal.SIGUSR1)  # asks for stacks
                time.sleep(0.5)
                self._end()
                print("What a build has said that was killed:", out.read(), err.read(), sep="\n")
                raise
            return status, out.read(), err.read()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def _begun() -> "subprocess.Popen[str]":
    code = "import sys; from tests.ready_builder import serve; sys.exit(serve())"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},  # no thread but the main one
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # to be ended with the builds that it has begun
    )


def serve() -> int:
    """Run the commands that are asked for, line by line; in a copy, the status that one ends with."""
    workers = ready_workers.begin(importlib.import_module("site_builder.solving.environment").FIXED)
    for name in (*LOADED, *importlib.import_module("site_builder.build.steps.texts").NEEDED):
        importlib.import_module(name)
    main = importlib.import_module("site_builder.cli.main").main
    ready_templates.keep()
    ready_templates.compile_own()
    gc.freeze()
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    for line in sys.stdin:
        root, words, environment, out, err = json.loads(line)
        copy = os.fork()
        if copy == 0:
            _become(root, environment, out, err)
            ready_workers.ask(workers)
            return int(main(Path(root), words))
        _, status = os.waitpid(copy, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return 0


def _become(folder: str, environment: Mapping[str, str], out: str, err: str) -> None:
    for number, (path, flags) in enumerate(((os.devnull, os.O_RDONLY), (out, os.O_WRONLY), (err, os.O_WRONLY))):
        opened = os.open(path, flags)
        os.dup2(opened, number)
        os.close(opened)
    faulthandler.register(signal.SIGUSR1)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
