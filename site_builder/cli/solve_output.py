"""Answers of solvers -> tables of text, plain JSON, or CSV for spreadsheets and data frames."""

import csv
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, TextIO

from site_builder.api.solve import SolveAnswer
from site_builder.errors import UsageError, counted, nearest
from site_builder.posts.findings import coverage_of, open_rows
from site_builder.solving.checks.outcomes import CheckOutcome
from site_builder.values.plain_values import classify, plain_json, text_of
from site_builder.values.records import Record

_PASSED, _LOOSE, _FAILED = "passed", "not confirmed", "FAILED"
_SWEPT_DIGITS = 6
Columns = Mapping[str, Sequence[Any]]  # cells by the names of their columns
_CHECK_HEADS = ("", "field", "expected", "found", "", "method")

_STYLES = {_PASSED: "green", _LOOSE: "yellow", _FAILED: "bold red"}
_WIDEST = 100_000  # columns, where no terminal folds lines
_LONGEST = 40  # digits of a number that is written out
_FEW = 12  # entries that are written out
_LONGEST_TEXT = 300
_DIGITS = 15
_DEEPEST = 3


@dataclass(frozen=True)
class TextTable:
    """Rows of text under a title, and under heads where there are any; without rows the title alone."""

    title: str
    rows: Sequence[Sequence[str]] = ()
    heads: Sequence[str] = ()


def tables_of(solved: SolveAnswer) -> list[TextTable]:
    """An answer with its parameters, and how long it took; its checks, or a row for each point of a sweep."""
    about = solved.run.description
    parameters = TextTable("parameters", [(name, glance(value)) for name, value in solved.parameters.items()])
    found = _swept_tables(solved) if solved.swept else _solved_tables(solved)
    return [TextTable(f"{about.name}: {about.sentence}"), parameters, *found]


def _swept_tables(solved: SolveAnswer) -> Iterator[TextTable]:
    columns = [[glance(value, _SWEPT_DIGITS) for value in values] for values in solved.columns.values()]
    yield TextTable("sweep", list(zip(*columns, strict=True)), tuple(solved.columns))
    yield TextTable(f"time: {solved.seconds:.2f} s for {counted(len(solved.run.solves), 'point')}")


def _solved_tables(solved: SolveAnswer) -> Iterator[TextTable]:
    yield TextTable("result", [row for name, value in solved.result.items() for row in rows(name, value)])
    yield TextTable("checks", _check_rows(solved.checks), _CHECK_HEADS)
    if open_fields := unconfirmed(solved):
        yield TextTable(f"not confirmed by a second method: {', '.join(open_fields)}")
    yield TextTable(f"figures: {', '.join(solved.figures) or 'none'}")
    yield TextTable(f"time: {solved.seconds:.2f} s")


def _check_rows(checks: Sequence[CheckOutcome]) -> list[tuple[str, ...]]:
    """A row for each field of each check; the method stands in the first row of its check."""
    first = {check.check: check for check in reversed(checks)}
    return [(*_check_row(check), check.title if first[check.check] is check else "") for check in checks]


def _check_row(check: CheckOutcome) -> tuple[str, ...]:
    is_enough = check.kind in ("case", "law") or (check.confirms and check.is_whole)
    verdict = _FAILED if not check.passed else _PASSED if is_enough else _LOOSE
    found = check.difference or ("" if check.kind == "certificate" else check.found)
    return verdict, check.field or check.check, check.expected, found, _how(check)


def _how(check: CheckOutcome) -> str:
    """The way in which a check confirms, or why it confirms nothing."""
    if check.kind == "law":
        return "a law, which confirms no value"
    if check.shared:
        return f"shares {', '.join(check.shared)} with solve"
    if check.given:
        return f"agrees, given {', '.join(check.given)}"
    if check.kind == "case":
        return f"the case {check.parameters}"
    return check.how_closely


def unconfirmed(solved: SolveAnswer) -> list[str]:
    """The fields of an answer that no check confirms, by the rule of posts."""
    coverage = coverage_of(solved.run, Record(solved.result), [solved.checks])
    return [row.field for row in open_rows(solved.run, coverage)]


def json_of(solved: SolveAnswer) -> dict[str, Any]:
    """An answer as plain data; docs/solver-contract.md has its shape."""
    own = _swept_json(solved) if solved.swept else _solved_json(solved)
    begin = {"solver": solved.run.description.name, "parameters": plain_json(solved.parameters)}
    return {**begin, **own, "seconds": round(solved.seconds, 3)}


def _solved_json(solved: SolveAnswer) -> dict[str, Any]:
    return {
        "result": plain_json(solved.result),
        "checks": [_check_json(check) for check in solved.checks],
        "unconfirmed": unconfirmed(solved),
        "passed": not solved.errors,
        "figures": list(solved.figures),
    }


def _swept_json(solved: SolveAnswer) -> dict[str, Any]:
    return {
        "swept": list(solved.swept),
        "columns": plain_json(solved.columns),
        "points": len(solved.run.solves),
    }


def _check_json(check: CheckOutcome) -> dict[str, Any]:
    own = {name: value for name, value in vars(check).items() if name not in ("closeness", "leaves")}
    return {**plain_json(own), "passed": check.passed, "confirms": check.confirms, "closely": check.closeness.text}


def write_tables(tables: Sequence[TextTable], stream: TextIO) -> None:
    """The tables as aligned text; on a terminal in its width, and in colours unless NO_COLOR is set."""
    from rich.console import Console  # takes time to import
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    is_terminal = stream.isatty()
    console = Console(file=stream, highlight=False, width=None if is_terminal else _WIDEST)
    with console.capture() as written:
        for table in tables:
            console.print(Text(table.title, "bold"), soft_wrap=not is_terminal)
            if not table.rows:
                continue
            grid = Table(box=None, padding=(0, 2, 0, 0), show_header=bool(table.heads), pad_edge=False)
            for head in table.heads or [""] * len(table.rows[0]):
                grid.add_column(head, overflow="fold")
            for verdict, *cells in table.rows:
                grid.add_row(Text(verdict, _STYLES.get(verdict, "")), *map(Text, cells))
            console.print(Padding(grid, (0, 0, 0, 2), expand=False))
    stream.write("".join(f"{line.rstrip()}\n" for line in written.get().splitlines()))


def csv_columns(solved: SolveAnswer, name: str) -> Columns:
    """A field of a result, with a row for each of its entries; of a sweep with a row for each point.

    Raises UsageError for a field that does not exist.
    """
    if solved.swept:
        return solved.columns
    if name not in solved.result:
        owner = f"a result of '{solved.run.description.name}'"
        raise UsageError(f"--csv {name}: {owner} has no {name!r}", nearest(name, solved.result))
    return field_columns(name, solved.result[name])


def field_columns(name: str, value: Any) -> Columns:
    """A value, with a row for each of its entries.

    A grid has a column for each axis, and one for the value; an array or list one for the place (from 0); a mapping one
    for the key.
    """
    kind, plain = classify(value)
    match kind:
        case "grid":
            return _placed(name, plain.axes, plain.values.ravel().tolist())
        case "array":
            axes = [f"index_{axis}" for axis in range(plain.ndim)] if plain.ndim > 1 else ["index"]
            return _placed(name, dict(zip(axes, map(range, plain.shape), strict=True)), plain.ravel().tolist())
        case "sequence":
            return _placed(name, {"index": range(len(plain))}, plain)
        case "mapping":
            return _placed(name, {"key": list(plain)}, list(plain.values()))
    return {name: [value]}


def _placed(name: str, axes: Columns, entries: Sequence[Any]) -> Columns:
    """Entries with their coordinates, the last axis running fastest; `_value` follows the name of an axis."""
    places = list(itertools.product(*axes.values()))
    coordinates = {axis: [place[at] for place in places] for at, axis in enumerate(axes)}
    return {**coordinates, f"{name}_value" if name in axes else name: entries}


def write_csv(columns: Columns, stream: TextIO) -> None:
    """The columns with their names in the first row.

    Fractions are floats, with the exact text in a column `..._exact`; a cell of many values is JSON.
    """
    written: dict[str, list[Any]] = {}
    for name, values in columns.items():
        cells = [plain_json(value) for value in values]
        written[name] = [_cell(cell, "float") for cell in cells]
        if any(map(_is_exact, cells)):
            written[f"{name}_exact"] = [_cell(cell, "exact") for cell in cells]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(written)
    writer.writerows(zip(*written.values(), strict=True))


def _cell(cell: Any, form: str) -> Any:
    if _is_exact(cell):
        return cell[form]
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, (list, dict)) else cell


def _is_exact(cell: Any) -> bool:
    return isinstance(cell, dict) and cell.keys() == {"exact", "float"}


def glance(value: Any, digits: int = _DIGITS) -> str:
    """The value on one line; a fraction with so many digits, `3/5 = 0.6` or `2/3 ≈ 0.666666666666667`."""
    kind, plain = classify(value)
    if kind == "exact" and isinstance(plain, Fraction) and plain.denominator > 1:
        is_long = _size(plain.numerator) + _size(plain.denominator) > _LONGEST
        return _decimals(plain, digits) if is_long else f"{plain} {_decimals(plain, digits)}"
    if kind == "whole" and _size(plain) > _LONGEST:
        return f"≈ {Decimal(plain):.{_DIGITS - 1}e} ({_size(plain):,} digits)"
    text = text_of(value, _FEW, _DIGITS) or '""'
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 4] + " ..."


def rows(name: str, value: Any, depth: int = 1) -> Iterator[tuple[str, str]]:
    """A value by its name, as rows of a table; of a record each field in a row, as posts name it: `rule.best`."""
    kind, plain = classify(value)
    is_short = kind == "mapping" and len(plain) <= _FEW and all(str(key).isidentifier() for key in plain)
    if depth == _DEEPEST or not (is_short or kind == "record") or not plain:
        yield name, glance(value)
        return
    for part, entry in plain.items():
        yield from rows(f"{name}.{part}", entry, depth + 1)


def _size(number: int) -> int:
    """The number of its digits."""
    return Decimal(number).adjusted() + 1


def _decimals(value: Fraction, digits: int) -> str:
    """`=` or `≈`, and the value with so many significant digits."""
    with localcontext() as context:
        context.prec = digits
        found = Decimal(value.numerator) / Decimal(value.denominator)
    text = f"{found.normalize():f}" if -7 <= found.adjusted() < digits else f"{found.normalize():e}"
    return f"{'=' if Fraction(found) == value else '≈'} {text}"
