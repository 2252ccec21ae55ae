"""Validates the data of figures: parts that do not fit each other, so that no drawing could be right."""

import dataclasses
import numbers
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from site_builder.contract import (
    Bars,
    BarSeries,
    Curve,
    Diagram,
    Drawing,
    Figure,
    Frames,
    Grid,
    Heatmap,
    PolicyMap,
    Series,
    Table,
)
from site_builder.figures.intervals import has_estimates
from site_builder.figures.numbers import floats
from site_builder.values import number_format

MOST_FRAMES = 60


def figure_error(figure: Figure) -> str:
    """Return the first error in a figure, in words; empty if it has none."""
    try:
        return next(chain(_texts(figure), _VALIDATORS[type(figure)](figure)), "")
    except (TypeError, ValueError, AttributeError) as error:  # a part of the wrong type
        return f"it is not made as the contract says: {error}"


def _texts(part: Any) -> Iterator[str]:
    """Fields of a figure and of its parts that should be text and are not."""
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if field.type is str and not isinstance(value, str):
            yield f"its {field.name} is {value!r}, which is no text"
        for inner in value if isinstance(value, (tuple, list)) else ():
            if dataclasses.is_dataclass(inner):
                yield from _texts(inner)


def _map(figure: Heatmap | PolicyMap) -> Iterator[str]:
    axes, shape = figure.grid.axes, figure.grid.values.shape
    if len(axes) != 2:
        yield f"its grid has {len(axes)} axes; a map has two"
    if figure.across not in axes:
        yield f"its grid has no axis {figure.across!r}; it has: {', '.join(axes)}"
    for name in ("drawn", "faded", "policy"):
        layer = getattr(figure, name, None)
        if layer is not None and np.shape(layer) != shape:
            yield f"its {name} has the shape {np.shape(layer)}, its grid {shape}"
    if has_estimates(figure.grid.values.ravel()):
        yield "its grid holds Estimates, whose errors no map shows; show them in a curve, bars or a table"
        return
    policy, count = figure.policy if isinstance(figure, Heatmap) else figure.grid.values, len(figure.actions)
    codes = np.unique(floats(policy)) if policy is not None else np.empty(0)
    if not np.isfinite(codes).all():
        yield "a cell has no action; write -1 there"
        return
    for code in codes.tolist():
        if not (code == int(code) and -1 <= code < count):
            yield f"a cell has the action {code:g}; there are {count}, counted from 0, and -1 for none"
    yield from _form(getattr(figure, "cell_text", ""))
    if isinstance(figure, PolicyMap):
        yield from _values_and_costs(figure)


def _values_and_costs(figure: PolicyMap) -> Iterator[str]:
    names = [action.name for action in figure.actions]
    if figure.value is not None and [*figure.value.axes.items()] != [*figure.grid.axes.items()]:
        yield "its value has other axes than its grid; give it the same axes in the same order"
    if figure.value is not None and not figure.value_label.strip():
        yield 'its value has no value_label; it says what the value is, such as "chance of winning"'
    for name, grid in figure.costs.items():
        if name not in names:
            yield f"its costs name the action {name!r}; its actions are: {', '.join(names)}"
        if [*grid.axes.items()] != [*figure.grid.axes.items()]:
            yield f"its costs of {name!r} have other axes than its grid; give them the same axes in the same order"
            continue
        for place in np.argwhere(floats(grid.values) < 0)[:1].tolist():
            at = [f"{axis} {each[i]}" for (axis, each), i in zip(grid.axes.items(), place, strict=True)]
            cost = floats(grid.values)[tuple(place)]
            yield f"{name!r} costs {cost:g} at {', '.join(at)}; a cost is what it gives away, 0 or more"


def _curve(figure: Curve) -> Iterator[str]:
    for series in figure.series:
        if len(series.across) != len(series.up):
            yield f"the series {series.name!r} has {len(series.across)} places across and {len(series.up)} values"
        yield from _interval(series, series.up)


def _bars(figure: Bars) -> Iterator[str]:
    for series in figure.series:
        if len(series.values) != len(figure.categories):
            yield f"the series {series.name!r} has {len(series.values)} values for {len(figure.categories)} categories"
        yield from _interval(series, series.values)
    yield from _form(figure.value_text)


def _interval(series: Series | BarSeries, values: Any) -> Iterator[str]:
    name = f"the series {series.name!r}"
    given = [end for end in ("low", "high") if getattr(series, end) is not None]
    if given and has_estimates(values):
        yield f"{name} has Estimates, which have their own intervals, and {' and '.join(given)} too; leave these out"
    elif len(given) == 1:
        yield f"{name} has {given[0]} and no {'high' if given == ['low'] else 'low'}; an interval needs both"
    elif series.interval and not given and not has_estimates(values):
        yield f"{name} names an interval and has no low and high"
    for end in given:
        if len(getattr(series, end)) != len(values):
            yield f"{name} has {len(values)} values and {len(getattr(series, end))} in {end}; write one for each value"
    if len(given) == 2:
        yield from _value_outside(name, series, floats(values))


def _value_outside(name: str, series: Series | BarSeries, values: Any) -> Iterator[str]:
    """The first value that does not lie in its interval."""
    low, high = floats(series.low), floats(series.high)
    for i in np.flatnonzero((low > values) | (values > high) | (low > high))[:1]:
        interval = f"low {low[i]:g} to high {high[i]:g}"
        yield f"{name} has the value {values[i]:g} at index {i}, and {interval} does not contain it"


def _diagram(figure: Diagram) -> Iterator[str]:
    names = [node.name for node in figure.nodes]
    for node in figure.nodes:
        if node.kind not in figure.kinds:
            yield f"the node {node.name!r} is of the kind {node.kind!r}; its kinds are: {', '.join(figure.kinds)}"
        if names.count(node.name) > 1:
            yield f"two nodes have the name {node.name!r}"
    for end in chain.from_iterable((edge.start, edge.end) for edge in figure.edges):
        if end not in names:
            yield f"an edge leads to {end!r}, which is no node"


def _table(figure: Table) -> Iterator[str]:
    if len({len(column.cells) for column in figure.columns}) > 1:
        sizes = ", ".join(f"{column.label}: {len(column.cells)}" for column in figure.columns)
        yield f"its columns differ in length ({sizes})"
    for column in figure.columns:
        yield from _form(column.form)


def _drawing(figure: Drawing) -> Iterator[str]:
    if not figure.alt.strip():
        yield "its alt is empty; nothing else tells readers who do not see it what it shows"
    if not 0.3 <= figure.aspect <= 6:
        yield f"its aspect is {figure.aspect}; it is between 0.3 and 6"
    if not figure.data:
        yield "its data is empty; readers are given the numbers that a picture shows"
    for name, value in figure.data.items():
        if not isinstance(name, str) or not name.strip():
            yield f"its data has the name {name!r}, which is no text"
        if not isinstance(value, (Grid, numbers.Rational, float, np.integer, np.floating)):
            yield f"its data {name!r} is a {type(value).__name__}; data are numbers and Grids"


def _frames(figure: Frames) -> Iterator[str]:
    if not figure.alt.strip():
        yield "its alt is empty; it says in words what changes from step to step"
    if not 2 <= len(figure.frames) <= MOST_FRAMES:
        yield f"there are {len(figure.frames)} steps; a figure has 2 to {MOST_FRAMES}"
    taken: set[str] = set()
    for label, step in figure.frames:
        if not isinstance(label, str) or not label.strip():
            yield f"a step has the label {label!r}, which is no text"
        if label in taken:
            yield f"two steps have the label {label!r}"
        taken.add(label)
        if isinstance(step, (Frames, Table)) or type(step) not in _VALIDATORS:
            yield f"the step {label!r} shows a {type(step).__name__}; steps show any other kind of figure"
        elif error := figure_error(step):
            yield f"in the step {label!r} {error}"


def _form(form: str) -> Iterator[str]:
    try:
        if form:
            number_format.read_form(form)
    except ValueError as error:
        yield str(error)


_VALIDATORS: dict[type, Callable[[Any], Iterator[str]]] = {
    Heatmap: _map, PolicyMap: _map, Curve: _curve, Bars: _bars, Diagram: _diagram, Table: _table,
    Drawing: _drawing, Frames: _frames
}  # fmt: skip
