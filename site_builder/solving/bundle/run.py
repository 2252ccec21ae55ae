"""Compute an answer again, away from the site that published it, and compare the two: python run.py

This file stands in each bundle as run.py. It needs the folder that it lies in, and the libraries of requirements.txt.
"""

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType
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


def main(arguments: list[str]) -> int:
    """Print the result and how it compares; 0 when it is the same as published, else 1."""
    parser = argparse.ArgumentParser(description="Compute the answer again, and compare it as published.")
    parser.add_argument("--without", metavar="FOLDER", help="fail if any code in this folder is used")
    without = parser.parse_args(arguments).without
    sys.path.insert(0, str(HERE))
    os.chdir(HERE)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    if _has_foreign_modules(without):
        return 1
    published = Path("expected.txt").read_text("utf-8")
    try:
        computed = _computed(json.loads(Path("parameters.json").read_text("utf-8")))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in _own_names():
            raise
        print(f"{error}; first write: pip install -r requirements.txt", file=sys.stderr)
        return 1
    if _has_foreign_modules(without):
        return 1
    print(computed)
    verdict = difference(published, computed)
    print(verdict or SAME)
    return 1 if verdict else 0


def _has_foreign_modules(without: str | None) -> bool:
    found = list(foreign_modules(sys.modules, without))
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return bool(found)


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


def foreign_modules(modules: dict[str, ModuleType], without: str | None) -> Iterator[str]:
    """A sentence for each loaded module that has a name of this folder but is not in it, or is in the folder `without`.

    Python and libraries may be in that folder.
    """
    own = _own_names()
    for name, module in sorted(modules.items()):
        for path in _files(module):
            is_ours = name.partition(".")[0] in own
            is_theirs = without is not None and _inside(path, without) and not _is_library(path, without)
            if not _inside(path, str(HERE)) and (is_ours or is_theirs):
                yield f"{name} was loaded from {path}, and not from the bundle"


def _own_names() -> set[str]:
    """The names under which the code of this folder is imported."""
    return {entry.stem for entry in HERE.iterdir() if entry.is_dir() or entry.suffix == ".py"} - {"__pycache__"}


def _files(module: ModuleType) -> Iterable[str]:
    file = getattr(module, "__file__", None)
    return [file] if isinstance(file, str) else [str(path) for path in getattr(module, "__path__", ())]


def _is_library(path: str, without: str) -> bool:
    prefixes = [sys.prefix, sys.base_prefix, sys.exec_prefix]
    return any(_inside(path, prefix) and not _inside(without, prefix) for prefix in prefixes)


def _inside(path: str, folder: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
