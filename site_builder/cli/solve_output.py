"""Answers of solvers -> tables of text, or plain JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from site_builder.api.solve import SolveAnswer, SweepAnswer
from site_builder.cli.value_summary import glance, rows
from site_builder.errors import counted
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.checks.answers import leaves_of
from site_builder.solving.checks.outcomes import CASES, CheckOutcome
from site_builder.values.plain_values import plain_json

_PASSED, _LOOSE, _FAILED = "passed", "not confirmed", "FAILED"
_SWEPT_DIGITS = 6
_CHECK_HEADS = ("", "field", "expected", "found", "", "method")

_STYLES = {_PASSED: "green", _LOOSE: "yellow", _FAILED: "bold red"}
_WIDEST = 100_000  # columns, where no terminal folds lines


@dataclass(frozen=True)
class TextTable:
    """Rows of text under a title, and under heads where there are any; without rows the title alone."""

    title: str
    rows: Sequence[Sequence[str]] = ()
    heads: Sequence[str] = ()


def solved_tables(solved: SolveAnswer) -> list[TextTable]:
    """An answer with its parameters, its checks, and how long it took."""
    result = [row for name, value in solved.result.items() for row in rows(name, value)]
    open_fields = unconfirmed(solved)
    stored = "" if "solve" in solved.ran else f", {'the result' if solved.ran else 'all of it'} from the cache"
    return [
        TextTable(f"{solved.description.name}: {solved.description.sentence}"),
        TextTable("parameters", _values(solved.parameters)),
        TextTable("result", result),
        TextTable("checks", _check_rows(solved.checks), _CHECK_HEADS),
        *([TextTable(f"not confirmed by a second method: {', '.join(open_fields)}")] if open_fields else []),
        TextTable(f"figures: {', '.join(solved.figures) or 'none'}"),
        TextTable(f"time: {solved.seconds:.2f} s{stored}{'; --fresh runs it again' if stored else ''}"),
    ]


def _values(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, glance(value)) for name, value in values.items()]


def _check_rows(checks: Sequence[CheckOutcome]) -> list[tuple[str, ...]]:
    """A row for each field of each check; the method stands in the first row of its check."""
    first = {check.check: check for check in reversed(checks)}
    return [(*_check_row(check), check.title if first[check.check] is check else "") for check in checks]


def _check_row(check: CheckOutcome) -> tuple[str, ...]:
    is_enough = check.kind in ("case", "law") or (check.confirms and check.is_whole)
    verdict = _FAILED if not check.passed else _PASSED if is_enough else _LOOSE
    found = check.difference or ("" if check.kind == "game" else check.found)
    return verdict, check.field or check.check, check.expected, found, _how(check)


def _how(check: CheckOutcome) -> str:
    """What a check confirms, or why it confirms nothing."""
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
    """The fields of an answer that no check confirms."""
    leaves = [name for name, value in leaves_of(solved.result).items() if value is not None]
    cases: dict[str, set[str]] = {}
    for each in solved.checks:
        if each.tests:
            cases.setdefault(each.field, set()).add(each.parameters)
    known = {each.field for each in solved.checks if each.confirms and each.is_whole}
    known |= {name for name, found in cases.items() if len(found) >= CASES} | set(solved.parameters)
    return [name for name in leaves if name not in known]


def swept_tables(swept: SweepAnswer) -> list[TextTable]:
    """The answers along a sweep: a row for each point."""
    columns = [[glance(value, _SWEPT_DIGITS) for value in values] for values in swept.columns.values()]
    stored = swept.points - swept.ran
    of_store = f", {stored:,} of them from the cache" if stored else ""
    return [
        TextTable(f"{swept.description.name}: {swept.description.sentence}"),
        TextTable("parameters", _values(swept.parameters)),
        TextTable("sweep", list(zip(*columns, strict=True)), tuple(swept.columns)),
        TextTable(f"time: {swept.seconds:.2f} s for {counted(swept.points, 'point')}{of_store}"),
    ]


def described_tables(description: SolverDescription) -> list[TextTable]:
    """The parameters of a solver and the fields of its results, as tables."""
    parameters = [
        (
            each.name,
            each.kind + (f", must {each.span}" if each.span else ""),
            glance(each.default),
            each.description,
        )
        for each in description.parameters.values()
    ]
    fields = list((description.result_kinds or {}).items())
    checks = [(name, ", ".join(each.answers or ()), each.title) for name, each in description.checks.items()]
    return [
        TextTable("Parameters:", parameters, ("name", "takes", "default", "what it is")),
        *([TextTable("Fields of its result:", fields)] if fields else []),
        *([TextTable("Checks:", checks, ("name", "confirms", "method"))] if checks else []),
    ]


def solved_json(solved: SolveAnswer) -> dict[str, Any]:
    """An answer as plain data; docs/solver-contract.md has its shape."""
    return {
        "solver": solved.description.name,
        "parameters": plain_json(solved.parameters),
        "result": plain_json(solved.result),
        "checks": [_check_json(check) for check in solved.checks],
        "unconfirmed": unconfirmed(solved),
        "passed": not solved.errors,
        "figures": list(solved.figures),
        "from_store": "solve" not in solved.ran,
        "seconds": round(solved.seconds, 3),
    }


def _check_json(check: CheckOutcome) -> dict[str, Any]:
    own = {name: value for name, value in vars(check).items() if name not in ("closeness", "leaves")}
    return {**plain_json(own), "passed": check.passed, "confirms": check.confirms, "closely": check.closeness.text}


def swept_json(swept: SweepAnswer) -> dict[str, Any]:
    """The answers along a sweep as plain data; docs/solver-contract.md has its shape."""
    return {
        "solver": swept.description.name,
        "parameters": plain_json(swept.parameters),
        "swept": list(swept.swept),
        "columns": plain_json(swept.columns),
        "points": swept.points,
        "points_from_store": swept.points - swept.ran,
        "seconds": round(swept.seconds, 3),
    }


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
