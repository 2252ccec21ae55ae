"""A process that has loaded what workers load, in place of the two that a build begins for them from nothing.

These are Python's own: the one that workers are forked from, and the one that clears away what they share. To load them
takes most of the time of a small build. Here they are copies of a process that was begun with the variables of
workers. Each gets the folder, the variables and the open files that it would have been begun with, and does then what
the command says that would have begun it; workers that are begun from nothing are left alone.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import util
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

LOADED = (
    *("multiprocessing.forkserver", "multiprocessing.resource_tracker", "multiprocessing.popen_forkserver"),
    "importlib.metadata",
    *("matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg", "matplotlib.mathtext", "xml.sax.saxutils"),
    *("PIL.BmpImagePlugin", "PIL.GifImagePlugin", "PIL.JpegImagePlugin", "PIL.PngImagePlugin", "PIL.PpmImagePlugin"),
    *("PIL.ImageDraw", "PIL.ImageFont"),
    *(
        "site_builder.figures.share_card",
        "site_builder.figures.canvas.canvas",
        "site_builder.figures.kinds.registry",
    ),
    *("site_builder.pipeline.steps.worker_tasks", "site_builder.solving.tasks.solver_tasks"),
    "site_builder.posts.texts.write",
)
_SERVED = ("from multiprocessing.forkserver import main;", "from multiprocessing.resource_tracker import main;")
_SEED = "PYTHONHASHSEED"
_MOST = 2**16
_begin_from_nothing = util.spawnv_passfds


def load_extensions(modules: Iterable[str]) -> None:
    """Load modules of extensions, such as bundles.archive, where these extensions are there."""
    folder = ROOT / "site_builder/extensions"
    for name in modules:
        if (folder / f"{name.replace('.', '/')}.py").exists():
            importlib.import_module(f"site_builder.extensions.{name}")


def begin(variables: Mapping[str, str]) -> socket.socket:
    """Begin the process, with the variables of workers; what comes back is for `ask`."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", f"from tests.ready_workers import serve; serve({theirs.fileno()})"],
            cwd=ROOT,
            env={**os.environ, **variables},
            pass_fds=[theirs.fileno()],
        )
    atexit.register(_end, ours, process)
    return ours


def _end(ready: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    ready.close()
    process.kill()
    process.wait()


def ask(ready: socket.socket) -> None:
    """Have this process ask for copies from now on, where it would begin processes for its workers."""

    def spawn(path: Any, arguments: Sequence[Any], files: Sequence[Any]) -> int:
        command = str(arguments[-1])
        is_ours = command.startswith(_SERVED[1]) or (command.startswith(_SERVED[0]) and os.environ.get(_SEED) == "0")
        if not is_ours:
            return int(_begin_from_nothing(path, arguments, files))
        return _copied(ready, command, sorted({0, 1, 2, *map(int, files)}))

    util.spawnv_passfds = spawn  # type: ignore[attr-defined]


def _copied(ready: socket.socket, command: str, files: Sequence[int]) -> int:
    """The number of a process that ends when the copy and all its workers have ended.

    It is a child of this one, as the copy would be, and this one may wait for it.
    """
    mask = [int(each) for each in signal.pthread_sigmask(signal.SIG_BLOCK, ())]
    order = {"command": command, "cwd": os.getcwd(), "environment": dict(os.environ), "mask": mask, "files": files}
    end, held = os.pipe()
    socket.send_fds(ready, [json.dumps(order).encode()], [*files, held])
    os.close(held)
    try:
        return _ending_with(end)
    finally:
        os.close(end)


def _ending_with(end: int) -> int:
    """The number of a process that ends when nobody has the other end of this pipe open any more.

    It is no copy of this one, which would take long where this one has much in memory, and it hears no Ctrl-C.
    """
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    actions = [(os.POSIX_SPAWN_DUP2, end, 0), *silent]
    return os.posix_spawn("/bin/cat", ["cat"], {}, file_actions=actions, setsigmask=[signal.SIGINT])


def serve(number: int) -> None:
    """Load what workers load and begin copies that are asked for; in a copy, do what its command says."""
    for name in LOADED:
        importlib.import_module(name)
    _warm()
    gc.freeze()
    with socket.socket(fileno=number) as asked:
        while True:
            data, files, _, _ = socket.recv_fds(asked, _MOST, 64)
            if not data:
                return
            order = json.loads(data)
            if os.fork() == 0:
                break
            for file in files:
                os.close(file)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:  # those that have ended
                    pass
    _become(order, files)
    try:
        exec(order["command"], {"__name__": "__main__"})
    except SystemExit:
        os._exit(0)
    os._exit(0)


def _warm() -> None:
    """Have pydantic look for its plugins, which it does once, with the first parameters of a solver."""
    from pydantic.dataclasses import dataclass

    @dataclass
    class Parameters:
        some: int = 1


def _become(order: Mapping[str, Any], files: Sequence[int]) -> None:
    """Take the files by the numbers that they have where the copy was asked for, its folder, variables and signals."""
    wanted = order["files"]
    *given, held = (_moved(file, above=max(wanted)) for file in files)
    for file, number in zip(given, wanted, strict=True):
        os.dup2(file, number)  # which children inherit
        os.close(file)
    os.set_inheritable(held, False)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = dict.fromkeys(["", *filter(None, named), *sys.path[1:]])
    sys.path_importer_cache.clear()
    sys.argv[:] = ["-c"]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    signal.pthread_sigmask(signal.SIG_SETMASK, order["mask"])


def _moved(file: int, above: int) -> int:
    """The same open file by a number that no wanted one has."""
    taken = []
    while file <= above:
        taken.append(file)
        file = os.dup(file)
    for each in taken:
        os.close(each)
    return file
