"""Compute an answer again, away from the site that published it, and compare the two: python run.py

This file stands in each bundle as run.py. It needs the folder that it lies in, and the libraries of requirements.txt.
"""

import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SAME = "the same as published"
_MOST = 200  # characters of a line that is shown because it differs
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # sums in the same order everywhere
_KINDS: Mapping[str, Callable[[Any], Any]] = {
    "fraction": Fraction,
    "decimal": Decimal,
    "date": date.fromisoformat,
    "float": float,
}


def main() -> int:
    """Print the result and how it compares; 0 when it is the same as published, else 1."""
    sys.path.insert(0, str(HERE))
    os.chdir(HERE)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    published = Path("expected.txt").read_text("utf-8")
    try:
        computed = _computed(json.loads(Path("parameters.json").read_text("utf-8")))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in _own_names():
            raise
        print(f"{error}; first write: pip install -r requirements.txt", file=sys.stderr)
        return 1
    print(computed)
    verdict = difference(published, computed)
    print(verdict or SAME)
    return 1 if verdict else 0


def _computed(wanted: dict[str, Any]) -> str:
    """The result as text."""
    from site_builder.values.plain_values import report  # of this folder, which Python knows by now

    solver = importlib.import_module(f"solvers.{wanted['solver']}")
    parameters = {name: value_of(plain) for name, plain in wanted["parameters"].items()}
    return report(solver.solve(**parameters), without=parameters)


def value_of(plain: Any) -> Any:
    """A parameter from its form in parameters.json: {"fraction": "1/2"} is exact, and a list is a tuple."""
    if isinstance(plain, list):
        return tuple(value_of(entry) for entry in plain)
    if not isinstance(plain, dict):
        return plain
    (kind, value), *_ = plain.items()
    if kind == "mapping":
        return {value_of(key): value_of(entry) for key, entry in value}
    return _KINDS[kind](value)


def difference(published: str, computed: str) -> str:
    """Where two reports differ first, in words; empty where they are the same."""
    before, now = published.splitlines(), computed.splitlines()
    for one, other in zip(before, now, strict=False):
        if one != other:
            return f"not the same as published: {_around(other, one)}, but {_around(one, other)} was published"
    if len(before) != len(now):
        return f"not the same as published: {len(now)} lines, but {len(before)} were published"
    return ""


def _around(line: str, other: str) -> str:
    """The part of a long line in which it differs from another, after its beginning."""
    first = next((i for i, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), min(len(line), len(other)))
    if len(line) <= _MOST:
        return line
    start = max(0, first - _MOST // 4)
    part = line[start : start + _MOST]
    return (f"{line.partition(' = ')[0]} = ... " if start else "") + part + ("..." if start + _MOST < len(line) else "")


def _own_names() -> set[str]:
    """The names under which the code of this folder is imported."""
    return {entry.stem for entry in HERE.iterdir() if entry.is_dir() or entry.suffix == ".py"} - {"__pycache__"}


if __name__ == "__main__":
    sys.exit(main())
