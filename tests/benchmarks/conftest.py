"""The benchmarks find each other by their bare names, as scripts of one folder do; so do their tests."""

import sys
from pathlib import Path

BENCHMARKS = str(Path(__file__).resolve().parents[2] / "benchmarks")
sys.path.append(BENCHMARKS)


def pytest_collection_finish():
    """All of them are loaded; every other test finds what a builder finds."""
    sys.path[:] = [folder for folder in sys.path if folder != BENCHMARKS]  # where each script puts it too
