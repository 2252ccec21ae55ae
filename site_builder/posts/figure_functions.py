"""The functions of the post language that make figures of results: curves, maps and bars."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Curve,
    Grid,
    Heatmap,
    Line,
    Mark,
    PolicyMap,
    Reference,
    Series,
)
from site_builder.errors import PostError, nearest

_Columns = Sequence[Any] | Mapping[str, Sequence[Any]]
_Part = TypeVar("_Part", Action, Line, Mark)


def _check_lengths(has: str, length: int, columns: Mapping[str, Sequence[Any]]) -> None:
    for label, column in columns.items():
        if len(column) != length:
            raise PostError(f"{has} and {len(column)} values {label}".rstrip())


def _ends(low: _Columns | None, high: _Columns | None, columns: Mapping[str, Any], interval: str) -> dict[str, Any]:
    """The ends of intervals for each column, as keyword arguments of a series."""
    unused = {"interval": interval} if interval and low is None and high is None else {}  # refused in validation
    made: dict[str, Any] = {label: dict(unused) for label in columns}
    for end, given in (("low", low), ("high", high)):
        if given is None:
            continue
        if not isinstance(given, Mapping) and len(columns) > 1:
            cure = f'write {end}={{"{next(iter(columns))}": ...}}'
            raise PostError(f"{end} is one column, and there are {len(columns)} columns of values", cure)
        for label, column in (given if isinstance(given, Mapping) else {next(iter(columns)): given}).items():
            if label not in columns:
                raise PostError(f"{end} has a column {label!r}, and the values have none", nearest(label, columns))
            made[label] |= {end: tuple(column), "interval": interval}
    return made


def curve(
    across: Sequence[Any],
    up: _Columns,
    title: str,
    across_label: str,
    up_label: str,
    caption: str = "",
    name: str = "",
    percent: bool = False,
    references: Sequence[tuple[float, str]] = (),
    low: _Columns | None = None,
    high: _Columns | None = None,
    interval: str = "",
) -> Curve:
    """A curve through columns of results; `up`, `low` and `high` may hold several columns by name."""
    columns = up if isinstance(up, Mapping) else {name: up}
    _check_lengths(f"curve(...) has {len(across)} places across", len(across), columns)
    ends = _ends(low, high, columns, interval)
    series = tuple(Series(label, tuple(across), tuple(column), **ends[label]) for label, column in columns.items())
    lines = tuple(Reference(at, label) for at, label in references)
    return Curve(title, series, across_label, up_label, caption or title, references=lines, percent=percent)


def heatmap(
    grid: Any,
    title: str,
    across: str,
    value_label: str,
    caption: str = "",
    labels: Mapping[str, str] | None = None,
    percent: bool = False,
) -> Heatmap:
    """A heatmap of a grid with two axes."""
    _check_axes("heatmap", grid, across)
    return Heatmap(title, grid, across, value_label, caption or title, labels=labels or {}, percent=percent)


def policy_map(
    grid: Any,
    title: str,
    across: str,
    actions: Sequence[Any],
    caption: str = "",
    labels: Mapping[str, str] | None = None,
    lines: Sequence[Any] = (),
    marks: Sequence[Any] = (),
    downward: bool = False,
    alt: str = "",
) -> PolicyMap:
    """A map of the actions in a grid with two axes, whose cells are indices into `actions` or the names of actions.

    actions: names, or pairs of a name and a letter. lines: `(start, end, label)`; marks: `(at, label)`. A solver's own
    actions, lines and marks work too.
    """
    _check_axes("policy_map", grid, across)
    named = tuple(_part(Action, (each,) if isinstance(each, str) else each, '("roll again", "R")') for each in actions)
    drawn_lines = tuple(_part(Line, each, '((0, 0), (10, 5), "half")') for each in lines)
    drawn_marks = tuple(_part(Mark, each, '((3, 5), "the start")') for each in marks)
    codes = Grid(_codes(grid.values, [action.name for action in named]), grid.axes)
    return PolicyMap(
        title, codes, across, named, caption or title, labels or {}, drawn_lines, drawn_marks, downward, alt
    )


def _part(kind: type[_Part], given: Any, example: str) -> _Part:
    """A part of a figure from the values of its fields."""
    if isinstance(given, kind):
        return given
    fault = PostError(f"{given!r} is no {kind.__name__.lower()} of policy_map(...)", f"write {example}")
    if not isinstance(given, (tuple, list)):
        raise fault
    try:
        return kind(*given)
    except TypeError as error:
        raise fault from error


def _codes(values: Any, names: Sequence[str]) -> Any:
    """The cells with each name of an action replaced by its index, and None by -1."""
    if values.dtype.kind not in "OU":
        return values
    codes = values.astype(object)
    for place, cell in enumerate(codes.flat):
        if isinstance(cell, str) and cell not in names:
            raise PostError(f"a cell has the action {cell!r}, which is not among the actions", nearest(cell, names))
        codes.flat[place] = names.index(cell) if isinstance(cell, str) else -1 if cell is None else cell
    return codes.astype(int) if all(isinstance(code, int) for code in codes.flat) else codes


def _check_axes(function: str, grid: Any, across: str) -> None:
    if not isinstance(grid, Grid) or len(grid.axes) != 2:
        raise PostError(f"{function}(...) needs a grid with two axes", "a sweep over two names gives one")
    if across not in grid.axes:
        raise PostError(f"the grid has no axis {across!r}", nearest(across, grid.axes))


def bars(
    categories: Sequence[Any],
    values: _Columns,
    title: str,
    value_label: str,
    caption: str = "",
    value_text: str = "number(3)",
    percent: bool = False,
    low: _Columns | None = None,
    high: _Columns | None = None,
    interval: str = "",
) -> Bars:
    """Bars side by side; `values`, `low` and `high` may hold several columns by name."""
    columns = values if isinstance(values, Mapping) else {"": values}
    _check_lengths(f"bars(...) has {len(categories)} categories", len(categories), columns)
    ends = _ends(low, high, columns, interval)
    series = tuple(BarSeries(label, tuple(column), **ends[label]) for label, column in columns.items())
    names = tuple(str(category) for category in categories)
    return Bars(title, names, series, value_label, caption or title, value_text=value_text, percent=percent)


FIGURES = (curve, heatmap, policy_map, bars)
