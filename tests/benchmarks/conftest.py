"""The benchmarks find each other by their bare names, as scripts of one folder do; so do their tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
