"""The functions of the post language that make figures of results: curves, maps and bars."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Curve,
    Frames,
    Grid,
    Heatmap,
    Histogram,
    PolicyMap,
    Reference,
    Series,
)
from site_builder.errors import PostError, nearest
from site_builder.figures.kinds.frames import MOST_FRAMES
from site_builder.figures.numbers import short_number

_STYLES = "line", "dots", "line with dots", "steps"
_Columns = Sequence[Any] | Mapping[str, Sequence[Any]]


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
    log: Literal["", "across", "up", "both"] = "",
    style: Any = "line",
) -> Curve:
    """A curve through columns of results; `up`, `low` and `high` may hold several columns by name.

    log: the axes that are logarithmic. style: how its points are drawn, as in Series.
    """
    columns = up if isinstance(up, Mapping) else {name: up}
    if style not in _STYLES:
        raise PostError(f"style={style!r} is no style of curve(...)", f"write one of: {', '.join(_STYLES)}")
    ends = _ends(low, high, columns, interval)
    places = tuple(across)
    series = tuple(Series(label, places, tuple(column), style, **ends[label]) for label, column in columns.items())
    lines = tuple(Reference(at, label) for at, label in references)
    return Curve(title, series, across_label, up_label, caption or title, references=lines, percent=percent, log=log)


def heatmap(
    grid: Any,
    title: str,
    across: str,
    value_label: str,
    caption: str = "",
    labels: Mapping[str, str] | None = None,
    percent: bool = False,
    over: str | Mapping[str, Sequence[Any]] = "",
    alt: str = "",
) -> Heatmap | Frames:
    """A heatmap of a grid with two axes; with `over`, a step for each coordinate of a third.

    over: the name of the third axis, or `{name: coordinates}` for some of its coordinates. alt: in words; by default
    computed.
    """

    def one(part: Any) -> Heatmap:
        _check_axes("heatmap", part, across)
        text = "" if over else alt
        return Heatmap(title, part, across, value_label, caption or title, labels or {}, percent=percent, alt=text)

    return _frames(grid, over, one, caption, labels or {}, alt) if over else one(grid)


def policy_map(
    grid: Any,
    title: str,
    across: str,
    actions: Sequence[Any],
    caption: str = "",
    labels: Mapping[str, str] | None = None,
    alt: str = "",
    over: str | Mapping[str, Sequence[Any]] = "",
) -> PolicyMap | Frames:
    """A map of the actions in a grid with two axes, whose cells are indices into `actions` or the names of actions.

    actions: names, or pairs of a name and a letter. over: as of heatmap.
    """
    named = tuple(Action(each) if isinstance(each, str) else Action(*each) for each in actions)

    def one(part: Any) -> PolicyMap:
        _check_axes("policy_map", part, across)
        codes = Grid(_codes(part.values, [action.name for action in named]), part.axes)
        return PolicyMap(title, codes, across, named, caption or title, labels or {}, alt="" if over else alt)

    return _frames(grid, over, one, caption, labels or {}, alt) if over else one(grid)


def _frames(
    grid: Any,
    over: str | Mapping[str, Sequence[Any]],
    one: Callable[[Any], Heatmap | PolicyMap],
    caption: str,
    labels: Mapping[str, str],
    alt: str,
) -> Frames:
    """A figure with a step for each coordinate of one axis of a grid. one: makes the figure of the other axes."""
    if not isinstance(grid, Grid):
        raise PostError("over=... needs a grid with three axes", "a sweep over three names gives one")
    if isinstance(over, str):
        over = {over: grid.axes.get(over, ())}
    axis, coordinates = next(iter(over.items())) if len(over) == 1 else ("", ())
    if axis not in grid.axes:
        raise PostError(f"over={axis!r} is no axis of the grid", nearest(axis, grid.axes))
    if len(grid.axes) != 3:
        cure = "fix the others before: grid.along(name=...)" if len(grid.axes) > 3 else "leave over out"
        raise PostError(f"over={axis!r} needs a grid with three axes; it has: {', '.join(grid.axes)}", cure)
    if len(coordinates) > MOST_FRAMES:
        message = f"the axis {axis!r} has {len(coordinates)} coordinates, and a figure at most {MOST_FRAMES} steps"
        raise PostError(message, f'choose some: over={{"{axis}": [{coordinates[0]}, {coordinates[-1]}]}}')
    label = labels.get(axis, axis)
    frames = tuple((f"{label} = {short_number(each)}", one(grid.along(**{axis: each}))) for each in coordinates)
    title = frames[0][1].title if frames else ""
    first, last = (short_number(coordinates[end]) for end in (0, -1)) if frames else ("", "")
    words = alt or f"{title}: {len(frames)} steps, {label} from {first} to {last}."
    return Frames(title, frames, caption=caption or title, alt=words)


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
        cure = "a sweep over two names gives one"
        if isinstance(grid, Grid) and len(grid.axes) == 3:
            others = [axis for axis in grid.axes if axis != across]
            cure = f'write over="{others[0]}" for a step for each {others[0]}, or grid.along({others[0]}=...) for one'
        raise PostError(f"{function}(...) needs a grid with two axes", cure)
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
    category_label: str = "",
) -> Bars:
    """Bars side by side; `values`, `low` and `high` may hold several columns by name."""
    columns = values if isinstance(values, Mapping) else {"": values}
    ends = _ends(low, high, columns, interval)
    series = tuple(BarSeries(label, tuple(column), **ends[label]) for label, column in columns.items())
    names = tuple(str(category) for category in categories)
    return Bars(
        title,
        names,
        series,
        value_label,
        caption or title,
        value_text=value_text,
        percent=percent,
        category_label=category_label,
    )


def histogram(
    values: Any,
    title: str,
    across_label: str,
    caption: str = "",
    bins: int | Sequence[float] | None = None,
    counts: Sequence[Any] | None = None,
    percent: bool = False,
    references: Sequence[tuple[float, str]] = (),
    up_label: str = "",
) -> Histogram:
    """How many values lie in each of `bins`: about so many, or between these edges; by default chosen.

    counts: how often each value occurs. percent: shares of all values. references: `(value, label)`.
    """
    numbers = values.values if isinstance(values, Grid) else values
    lines = tuple(Reference(at, label, upright=True) for at, label in references)
    return Histogram(title, numbers, across_label, caption or title, bins, counts, percent, lines, up_label)


FIGURES = (curve, heatmap, policy_map, bars, histogram)
