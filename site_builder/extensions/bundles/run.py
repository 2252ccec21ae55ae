"""Compute an answer again, away from the site that published it, and compare the two: python run.py

This file stands in each bundle as run.py. It needs the folder that it lies in, and the libraries of requirements.txt.
"""

import importlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAME = "the same as published"
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # sums in the same order everywhere


def main() -> int:
    """Print the result and how it compares; 0 when it is the same as published, else 1."""
    sys.path.insert(0, str(HERE))
    os.chdir(HERE)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    published = Path("expected.txt").read_text("utf-8")
    try:
        computed = _computed()
    except ModuleNotFoundError as error:
        print(f"{error}; first write: pip install -r requirements.txt", file=sys.stderr)
        return 1
    print(computed)
    verdict = difference(published, computed)
    print(verdict or SAME)
    return 1 if verdict else 0


def _computed() -> str:
    """The result as text, by the modules of this folder, which Python knows by now."""
    parameters = importlib.import_module("parameters")
    plain_values = importlib.import_module("site_builder.values.plain_values")
    solver = importlib.import_module(f"solvers.{parameters.SOLVER}")
    text: str = plain_values.report(solver.solve(**parameters.PARAMETERS), without=parameters.PARAMETERS)
    return text


def difference(published: str, computed: str) -> str:
    """Where two reports differ first, in words; empty where they are the same."""
    before, now = published.splitlines(), computed.splitlines()
    for one, other in zip(before, now, strict=False):
        if one != other:
            return f"not the same as published: {other}, but {one} was published"
    if len(before) != len(now):
        return f"not the same as published: {len(now)} lines, but {len(before)} were published"
    return ""


if __name__ == "__main__":
    sys.exit(main())
