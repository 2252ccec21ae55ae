"""Answers of solvers -> tables of single values, as CSV for spreadsheets and data frames."""

import csv
import itertools
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from site_builder.api.solve import SolveAnswer, SweepAnswer
from site_builder.errors import UsageError, nearest
from site_builder.values.plain_values import classify, plain_json

Row = Mapping[str, Any]
"""Values by the names of their columns."""


def swept_rows(swept: SweepAnswer) -> list[Row]:
    """The swept values and the kept fields, a row for each point."""
    points = zip(*swept.columns.values(), strict=True)
    return [
        _merged(*(_cells(name, value) for name, value in zip(swept.columns, point, strict=True))) for point in points
    ]


def field_rows(solved: SolveAnswer, path: str) -> list[Row]:
    """One field of a result, or of a record in it such as `rule.best`, a row for each of its entries.

    A grid has a column for each axis, and one for the value; an array or list one for the place (from 0); a mapping one
    for the key. Raises UsageError for a field that does not exist.
    """
    value, name = _found(solved, path), path.rpartition(".")[2]
    kind, plain = classify(value)
    match kind:
        case "grid":
            return _placed(name, plain.axes, plain.values)
        case "array":
            axes = [f"index_{axis}" for axis in range(plain.ndim)] if plain.ndim > 1 else ["index"]
            return _placed(name, dict(zip(axes, map(range, plain.shape), strict=True)), plain)
        case "sequence":
            return [_merged({"index": at}, _cells(name, each)) for at, each in enumerate(plain)]
        case "mapping":
            return [_merged(_cells("key", key), _cells(name, each)) for key, each in plain.items()]
    return [_cells(name, value)]


def write_csv(path: str, rows: Sequence[Row], stream: TextIO) -> None:
    """The rows with their names in the first one; fractions as floats, with the exact text in a column `..._exact`.

    Raises UsageError for a cell of many values.
    """
    names = dict.fromkeys(name for row in rows for name in row)
    columns: dict[str, list[Any]] = {}
    for name in names:
        cells = [plain_json(row.get(name)) for row in rows]
        if any(isinstance(cell, (list, dict)) and not _is_exact(cell) for cell in cells):
            cure = f"name a part of it, such as {path}.NAME, or write --json, which has it in full"
            raise UsageError(f"--csv {path}: {name} has many values for one cell", cure)
        columns[name] = [cell["float"] if _is_exact(cell) else cell for cell in cells]
        if any(map(_is_exact, cells)):
            columns[f"{name}_exact"] = [cell["exact"] if _is_exact(cell) else cell for cell in cells]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))


def _placed(name: str, axes: Mapping[str, Sequence[Any]], values: Any) -> list[Row]:
    """The entries of an array with their coordinates, the last axis running fastest."""
    places = itertools.product(*axes.values())
    entries = values.ravel().tolist()
    return [_merged(dict(zip(axes, at, strict=True)), {name: each}) for at, each in zip(places, entries, strict=True)]


def _cells(name: str, value: Any) -> Row:
    """A value as cells by column: of a record, or a mapping with names as keys, its parts; of a list its entries."""
    kind, plain = classify(value)
    if kind == "sequence" and plain:
        return _merged(*(_cells(f"{name}_{at}", part) for at, part in enumerate(plain)))
    if kind in ("record", "mapping") and plain and all(isinstance(key, str) for key in plain):
        return _merged(*(_cells(f"{name}.{part}", entry) for part, entry in plain.items()))
    return {name: value}


def _merged(*rows: Row) -> Row:
    """The rows as one; a name that is there already gets `_value` behind it."""
    found: dict[str, Any] = {}
    for row in rows:
        found |= {f"{name}_value" if name in found else name: value for name, value in row.items()}
    return found


def _found(solved: SolveAnswer, path: str) -> Any:
    """The field with this name, by the names of records and mappings on the way."""
    value: Any = solved.result
    done: list[str] = []
    for name in path.split("."):
        kind, plain = classify(value)
        values = plain if kind in ("record", "mapping") else {}
        if name not in values:
            owner = ".".join(done) or f"a result of '{solved.description.name}'"
            raise UsageError(f"--csv {path}: {owner} has no {name!r}", nearest(name, [str(key) for key in values]))
        done.append(name)
        value = values[name]
    return value


def _is_exact(cell: Any) -> bool:
    return isinstance(cell, dict) and cell.keys() == {"exact", "float"}
