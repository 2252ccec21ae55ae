"""Run bundles as their readers will: in an empty folder, by the same Python, without anything of the project."""

import math
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from zipfile import ZipFile

from site_builder.errors import CuredError

_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")  # without which no Python runs
_MOST_CHARACTERS = 800
_MEMORY = "it needs more memory than it may have"


def prove(bundle: bytes, seconds: float) -> None:
    """Unpack and run a bundle. Raises CuredError unless it prints the expected text.

    Its memory limit is that of this process, whose process group it belongs to.
    """
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    with (
        TemporaryDirectory(prefix="bundle-", ignore_cleanup_errors=True) as folder,
        TemporaryFile() as output,  # no pipe, which programs that it starts would hold open
        ZipFile(BytesIO(bundle)) as archive,
    ):
        archive.extractall(folder)
        (home,) = Path(folder).iterdir()
        try:
            ran = subprocess.run(
                [sys.executable, "-I", "run.py"],
                cwd=home,
                env=environment | {"HOME": str(home)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=seconds if math.isfinite(seconds) else None,
            )
        except subprocess.TimeoutExpired:
            raise _error(home.name, f"it ran for more than {seconds:g} seconds and was stopped") from None
        output.seek(0)
        if ran.returncode:
            raise _error(home.name, _message(ran.returncode, output.read()))


def _message(status: int, output: bytes) -> str:
    """The fault of a program that ended with this status: its last line of output."""
    last = (output.decode("utf-8", "replace").strip().splitlines() or [""])[-1].strip()
    if status < 0:
        return f"its process died (signal {-status})"
    return _MEMORY if "MemoryError" in last else last[:_MOST_CHARACTERS] or f"it ended with status {status}"


def _error(name: str, message: str) -> CuredError:
    """The error of a bundle of this name."""
    solver, _, run = name.partition("-")
    words = f"the bundle of run '{run}' does not give the published answer by itself: {message}"
    if message.startswith("it ran for more than") or message == _MEMORY:
        example = "{memory: 4 GiB}" if message == _MEMORY else "{time: 600}"
        return CuredError(words, f"allow more with limits: {example} in the post, or ask for less")
    if "No module named" in message:
        cure = "import it by name at the top of the solver's file; of code that is found in another way nobody knows"
    elif "FileNotFoundError" in message:
        cure = "put the file into the project, and read it by its place beside the solver's file"
    elif "same as published" in message:
        cure = f"the answer of solver '{solver}' must follow from its parameters alone: not from the order of a set,"
        cure += "\nfrom chance without a seed, from the time, or from what was computed before in the same process"
    else:
        cure = f"solver '{solver}' works in a build and not alone; see what it asks of the process that it runs in"
    return CuredError(words, cure)
