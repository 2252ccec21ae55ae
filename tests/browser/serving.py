"""Folders behind addresses, by the plainest server that there is."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import Begun


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address under which python -m http.server shows the folder."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    with Begun(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            port = re.search(r"port (\d+)", server.stdout.readline())[1]
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
