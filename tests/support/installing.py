"""The wheel of this checkout, and environments with it, which have their libraries from that of these tests."""

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

LIBRARIES = [path for path in sys.path if path.endswith("site-packages")]


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it."""

    folder: Path

    def run(self, where: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the program in a folder."""
        return self.call(where, self.folder / "bin" / "puzzlepress", *words)

    def call(self, where: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run any program in a folder, with nothing of the checkout."""
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(words, cwd=where, env=variables, capture_output=True, text=True, check=False)

    def built(self, where: Path, *words: str) -> str:
        """What a command prints that must end well."""
        done = self.run(where, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout


def make_wheel(folder, source=ROOT):
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(command, cwd=source, check=True, capture_output=True)


def install(wheel, folder):
    """An environment with the wheel, which has its libraries from that of these tests."""
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(pip, check=True, capture_output=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text("\n".join(LIBRARIES), "utf-8")
    return Installed(folder)
