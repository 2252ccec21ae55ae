"""Run bundles as their readers will: in an empty folder, by the same Python, without anything of the project."""

import math
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from zipfile import ZipFile

from site_builder.solving.processes.failure import Failure

_KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")  # without which no Python runs
_MOST_CHARACTERS = 800


def prove(bundle: bytes, seconds: float) -> Failure | None:
    """Unpack and run a bundle; the failure, or None when it prints the expected text.

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
            return Failure("time", f"it ran for more than {seconds:g} seconds and was stopped")
        output.seek(0)
        return _failure(ran.returncode, output.read()) if ran.returncode else None


def _failure(status: int, output: bytes) -> Failure:
    """The failure of a program that ended with this status, with its last line of output."""
    last = (output.decode("utf-8", "replace").strip().splitlines() or [""])[-1].strip()
    if status < 0:
        return Failure("died", f"its process died (signal {-status})")
    if "MemoryError" in last:
        return Failure("memory", "it needs more memory than it may have")
    return Failure("raised", last[:_MOST_CHARACTERS] or f"it ended with status {status}")
