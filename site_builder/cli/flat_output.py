"""Answers of solvers -> tables of single values, as CSV for spreadsheets and data frames."""

import csv
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

from site_builder.api.solve import SolveAnswer, SweepAnswer
from site_builder.errors import UsageError, nearest
from site_builder.values.plain_values import classify, plain_json

_SINGLE = ("constant", "text", "whole", "float", "exact")


Columns = Mapping[str, Sequence[Any]]
"""Columns of equal length by their names; their cells are single values."""


def swept_table(swept: SweepAnswer) -> Columns:
    """The swept values and the kept fields, with a row for each point. Raises UsageError for a field of many values."""
    rows = [dict(zip(swept.columns, row, strict=True)) for row in zip(*swept.columns.values(), strict=True)]
    columns = _columns([dict(_parts(row)) for row in rows])
    for name, values in columns.items():
        if not all(map(_is_single, values)):
            raise UsageError(f"--csv {name}: it has many values at each point", "write --json, which has it in full")
    return columns


def field_table(solved: SolveAnswer, path: str) -> Columns:
    """One field of a result, or of a record in it such as `rule.best`, with a row for each of its entries.

    A grid has a column for each axis, and one for the value; an array or list one for the place (from 0) and one for
    the value, or one for each part of an entry; a mapping one for the key. A record or mapping of lists of one length
    has one for each list.
    Raises UsageError for a field that does not exist or is no table.
    """
    value, name = _found(solved, path), path.rpartition(".")[2]
    kind, plain = classify(value)
    match kind:
        case "grid":
            axes = _places(plain.axes)
            columns = {**axes, _unlike(name, axes): plain.values.ravel().tolist()}
        case "array":
            labels = ["index"] if plain.ndim == 1 else [f"index_{axis}" for axis in range(plain.ndim)]
            axes = _places(dict(zip(labels, map(range, plain.shape), strict=True)))
            columns = {**axes, _unlike(name, axes): plain.ravel().tolist()}
        case "sequence":
            columns = _columns([{"index": at} | _entry(name, each, "index") for at, each in enumerate(plain)])
        case "record" | "mapping" if lists := _lists_of_one_length(plain):
            columns = lists
        case "mapping":
            keys = [_entry("key", key, "") for key in plain]
            entries = [_entry(name, each, "key") for each in plain.values()]
            columns = _columns([key | entry for key, entry in zip(keys, entries, strict=True)])
        case "record":
            columns = _columns([dict(_parts(plain))])
        case _:
            columns = {name: [value]}
    for column, cells in columns.items():
        if not all(map(_is_single, cells)):
            parts = [f"{path}.{part}" for part in plain] if kind in ("mapping", "record") else []
            cure = f"name one of its parts: {', '.join(parts)}" if parts else "write --json, which has it in full"
            raise UsageError(f"--csv {path}: {column} has many values for one cell", cure)
    return columns


def write_csv(table: Columns, stream: TextIO) -> None:
    """The table with its names in the first row; fractions as floats, with the exact text in a column `..._exact`."""
    columns = _with_exact(table)
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(map(_csv_cell, cells) for cells in columns.values()), strict=True))


def _parts(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The values by name; a record, or a mapping with texts as keys, as its parts: `rule.best`."""
    for name, value in values.items():
        kind, plain = classify(value)
        if kind == "record" or (kind == "mapping" and plain and all(isinstance(key, str) for key in plain)):
            yield from _parts(plain, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _entry(name: str, value: Any, taken: str) -> dict[str, Any]:
    """An entry of a list or mapping as cells by column."""
    kind, plain = classify(value)
    if kind == "sequence":
        return {f"{name}_{at}": part for at, part in enumerate(plain)}
    if kind in ("record", "mapping") and all(isinstance(key, str) for key in plain):
        return {_unlike(part, [taken]): cell for part, cell in _parts(plain)}
    return {_unlike(name, [taken]): value}


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The rows as columns; None where a row lacks a cell."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _places(axes: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """For each axis its coordinate at every place, the last axis running fastest."""
    places = list(itertools.product(*axes.values()))
    return {name: [place[at] for place in places] for at, name in enumerate(axes)}


def _lists_of_one_length(values: Mapping[Any, Any]) -> dict[str, list[Any]]:
    """The parts of a record or mapping as columns; nothing unless all are lists of one length with texts as names."""
    lists = {}
    for name, value in values.items():
        kind, plain = classify(value)
        if not isinstance(name, str) or kind not in ("sequence", "array"):
            return {}
        lists[name] = list(plain.tolist() if kind == "array" else plain)
    return lists if len({len(each) for each in lists.values()}) == 1 else {}


def _found(solved: SolveAnswer, path: str) -> Any:
    """The field with this name, by the names of records and mappings on the way."""
    values: Mapping[str, Any] = solved.result
    done: list[str] = []
    for name in path.split("."):
        if name not in values:
            owner = ".".join(done) or f"a result of '{solved.description.name}'"
            raise UsageError(f"--csv {path}: {owner} has no {name!r}", nearest(name, [str(key) for key in values]))
        done.append(name)
        value = values[name]
        kind, plain = classify(value)
        values = plain if kind in ("record", "mapping") else {}
    return value


def _unlike(name: str, taken: Sequence[str] | Mapping[str, Any]) -> str:
    """The name, or another where a column has it already."""
    return f"{name}_value" if name in taken else name


def _is_single(value: Any) -> bool:
    return classify(value)[0] in _SINGLE


def _cell(value: Any) -> tuple[Any, str | None]:
    """A single value as a cell: None, True, False, text, an int, or a float; and its exact text if that says more."""
    kind, plain = classify(value)
    if kind == "float":
        return (None, None) if math.isnan(plain) else (plain, None if math.isfinite(plain) else str(plain))
    found = plain_json(plain)
    return (found["float"], found["exact"]) if isinstance(found, dict) else (found, None)


def _with_exact(columns: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """The columns as cells, each followed by the exact texts of its cells where a cell has one."""
    found: dict[str, Sequence[Any]] = {}
    for name, values in columns.items():
        cells = [_cell(value) for value in values]
        found[name] = [cell for cell, _ in cells]
        if any(exact is not None for _, exact in cells):
            texts = [str(cell) if exact is None and type(cell) is int else exact for cell, exact in cells]
            found[_free(f"{name}_exact", columns)] = texts
    return found


def _free(name: str, taken: Mapping[str, Any]) -> str:
    while name in taken:
        name += "_"
    return name


def _csv_cell(cell: Any) -> str:
    return "" if cell is None else str(cell)
