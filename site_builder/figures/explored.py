"""The script for readers who explore a figure: the words of each cell or point, and where the plot lies."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from site_builder.contract import Curve, Estimate, Figure, Frames, Heatmap, PolicyMap, Series
from site_builder.figures.alt_text import without_unit
from site_builder.figures.cell_texts import cell_text, column_texts, plain_cell
from site_builder.figures.intervals import estimate_text, has_estimates
from site_builder.figures.numbers import by_columns, floats, map_axes
from site_builder.figures.rendered import RenderedFigure
from site_builder.markup.typeset import curled, spoken

MOST_CELLS = 40_000  # of all steps; of a larger map every so many rows and columns can be read
_LEAST_COST = 0.01  # smaller ones are not distinguished
_MANY_CELLS = 1_000  # a map with more of them has percentages with one decimal


def axis_names(figure: Figure) -> tuple[str, ...]:
    """Return what the axes of a map or curve count, the horizontal one first; nothing where nobody can explore it.

    Of a curve the horizontal one alone; of Frames those of the first step.
    """
    first = figure.frames[0][1] if isinstance(figure, Frames) else figure
    if isinstance(first, (Heatmap, PolicyMap)) and first.grid.values.size:
        return tuple(_name(first.labels.get(axis, axis)) for axis in map_axes(first))
    if isinstance(first, Curve) and _places(first.series):
        return (_name(first.across_label) or "across",)
    return ()


def explore_script(figure: Figure, drawn: RenderedFigure) -> bytes:
    """Return a script that sets window.explored[its own address]; nothing for a figure that nobody can explore.

    It has for each step (most figures have one) an object, or null where that step cannot be explored. plot, narrow and
    spans are those of RenderedFigure; down: whether the other axis of a map runs downwards. axes: for each axis its
    words, and their positions (`at`) where these are not 0, 1, 2, ... layers: what readers can read of each cell, those
    of the first column first: words and a label for them, or names and their indices, -1 where there is none. costs:
    likewise the words of what each action costs, empty where that is nothing, with their unit.
    """
    if not axis_names(figure):
        return b""
    figures = [step for _, step in figure.frames] if isinstance(figure, Frames) else [figure]
    pairs = zip(figures, (drawn, *drawn.frames), strict=True)
    steps = [_facts(step, each, MOST_CELLS // len(figures)) for step, each in pairs]
    text = json.dumps(steps, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"(window.explored ??= {{}})[document.currentScript.src] = {text};\n".encode()


def _facts(figure: Figure, drawn: RenderedFigure, most: int) -> dict[str, Any] | None:
    if not axis_names(figure):
        return None
    places = {"plot": drawn.plot, "narrow": drawn.narrow_plot, "spans": drawn.spans}
    if isinstance(figure, Curve):
        return places | _curve(figure)
    assert isinstance(figure, (Heatmap, PolicyMap))
    return places | {"down": figure.downward} | _map(figure, most)


def _shown(text: str) -> str:
    return curled(spoken(text))


def _name(label: str) -> str:
    return without_unit(_shown(label))


# Maps


def _map(figure: Heatmap | PolicyMap, most: int) -> dict[str, Any]:
    names = map_axes(figure)
    kept = _kept([len(figure.grid.axes[name]) for name in names], most)
    axes = [_grid_axis(figure, name, places) for name, places in zip(names, kept, strict=True)]
    cells = partial(_cells, figure, np.ix_(*kept))
    facts = {"axes": axes, "layers": _layers(figure, cells)}
    if isinstance(figure, PolicyMap) and figure.costs:
        costs = [
            {"name": _shown(name), "words": _cost_words(cells(cost.values))} for name, cost in figure.costs.items()
        ]
        return facts | {"costs": costs, "unit": _shown(figure.cost_unit)}
    return facts


def _kept(lengths: Sequence[int], most: int) -> list[range]:
    """The rows and columns that can be read: all of them, or every so many of the longer axis first."""
    kept = [range(length) for length in lengths]
    while len(kept[0]) * len(kept[1]) > most:
        longer = int(len(kept[1]) > len(kept[0]))
        kept[longer] = range(0, lengths[longer], kept[longer].step + 1)
    return kept


def _grid_axis(figure: Heatmap | PolicyMap, name: str, places: range) -> dict[str, Any]:
    coordinates = [plain_cell(coordinate) for coordinate in figure.grid.axes[name]]
    texts = column_texts([coordinates[place] for place in places])
    words = {"words": _distinct([_shown(text) for text in texts])}
    return words if places.step == 1 else words | {"at": list(places)}


def _distinct(words: list[str]) -> list[str]:
    """The words, with a number at each that is there already, so that they name one place only."""
    counts: dict[str, int] = {}
    found = []
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        found.append(word if counts[word] == 1 else f"{word} ({counts[word]})")
    return found


def _cells(figure: Heatmap | PolicyMap, kept: tuple[Any, ...], values: Any) -> np.ndarray:
    """The kept cells of an array of the shape of the grid, column by column."""
    return np.asarray(by_columns(figure, np.asarray(values))[kept]).ravel()


def _cost_words(costs: np.ndarray) -> list[str]:
    """The cost of an action with two decimals; empty where it costs nothing or cannot be taken."""
    least = f"less than {cell_text(_LEAST_COST, 2)}"
    values = floats(costs)
    cells = np.where((values > 0) & (values < _LEAST_COST), _LEAST_COST / 2, _rounded(values, 2)).tolist()
    texts = {cell: cell_text(cell, 2) if cell >= _LEAST_COST else least if cell > 0 else "" for cell in set(cells)}
    return [texts[cell] if math.isfinite(cell) else "" for cell in cells]


def _rounded(values: np.ndarray, decimals: int) -> np.ndarray:
    """Floats rounded where that changes no text with so many decimals: there are few of them to be written then."""
    scaled = values * 10**decimals
    whole = np.round(scaled)
    is_tie = abs(abs(scaled - whole) - 0.5) < 1e-6
    return np.where(is_tie | (whole == 0), values, whole / 10**decimals)


def _layers(figure: Heatmap | PolicyMap, cells: Callable[[Any], np.ndarray]) -> list[dict[str, Any]]:
    names = {"names": [_shown(action.name) for action in figure.actions]}
    if isinstance(figure, PolicyMap):
        told = [_values(figure, cells(figure.value.values).tolist())] if figure.value is not None else []
        return [*told, names | {"cells": _codes(cells(figure.grid.values))}]
    values = cells(figure.grid.values).tolist()
    if figure.drawn is not None:
        values = [v if drawn else None for v, drawn in zip(values, cells(figure.drawn).tolist(), strict=True)]
    layer = _values(figure, values)
    if figure.policy is None:
        return [layer]
    codes = np.where([bool(text) for text in layer["words"]], _codes(cells(figure.policy)), -1)
    return [layer, names | {"cells": codes.tolist()}]


def _values(figure: Heatmap | PolicyMap, values: Sequence[Any]) -> dict[str, Any]:
    cells = [plain_cell(value) for value in values]
    if figure.percent and len(cells) > _MANY_CELLS:
        texts = column_texts(_shares(cells), True, most=1)
    else:
        texts = column_texts(cells, figure.percent)
    return {"label": _name(figure.value_label) or "value", "words": texts}


def _shares(cells: Sequence[Any]) -> list[Any]:
    """Chances as they are written with one decimal: few distinct ones, since each takes time to be written."""
    if not all(cell is None or isinstance(cell, float) for cell in cells):
        return list(cells)
    values = floats(cells)
    found = _rounded(values, 3)
    found[(values > 0) & (values < 0.0005)] = 0.0001  # written as less than 0.1 %
    found[(values > 0.9995) & (values < 1)] = 0.9999
    return [None if math.isnan(value) else value for value in found.tolist()]


def _codes(values: np.ndarray) -> list[int]:
    return [int(code) for code in floats(values)]


# Curves


def _curve(figure: Curve) -> dict[str, Any]:
    places = _places(figure.series)
    words = [_shown(text) for text in column_texts(places)]
    axis: dict[str, Any] = {"words": _distinct(words)}
    if not isinstance(places[0], str):
        axis |= {"at": [float(place) for place in places]}
    labels = [one.name if len(figure.series) > 1 else figure.up_label for one in figure.series]
    layers = [
        {"label": _name(label) or "value", "words": _series_words(one, places, figure.percent)}
        for one, label in zip(figure.series, labels, strict=True)
    ]
    return {"axes": [axis], "layers": layers}


def _places(series: Sequence[Series]) -> list[Any]:
    """The places across at which a series has a value, in the order of the axis."""
    found = dict.fromkeys(plain_cell(place) for one in series for place in one.across)
    if any(isinstance(place, str) for place in found):
        return list(found)
    return sorted(place for place in found if place is not None and math.isfinite(place))


def _series_words(series: Series, places: Sequence[Any], percent: bool) -> list[str]:
    """The words for a series at each place: its value, and the ends of its interval; empty without one.

    Steps keep a value until the next point. A series with several points at a place has several values there.
    """
    across = [plain_cell(place) for place in series.across]
    found: dict[Any, str] = {}
    for place, text in zip(across, _point_words(series, percent), strict=True):
        if text:
            found[place] = f"{found[place]} and {text}" if place in found else text
    if series.style == "steps" and not any(isinstance(place, str) for place in places):
        return _held(found, places, across)
    return [found.get(place, "") for place in places]


def _held(found: Mapping[Any, str], places: Sequence[Any], across: Sequence[Any]) -> list[str]:
    last = max((place for place in across if place is not None), default=None)
    texts, text = [], ""
    for place in places:
        text = found.get(place, "" if place in across else text)
        texts.append(text if last is not None and place <= last else "")
    return texts


def _point_words(series: Series, percent: bool) -> list[str]:
    if has_estimates(series.up):
        return [estimate_text(value, percent) if isinstance(value, Estimate) else "" for value in series.up]
    values = [_finite(value) for value in series.up]
    texts = column_texts(values, percent)
    if series.low is None or series.high is None:
        return texts
    ends = [column_texts([_finite(value) for value in end], percent) for end in (series.low, series.high)]
    return [
        f"{text} ({low} to {high})" if text and low and high else text
        for text, low, high in zip(texts, *ends, strict=True)
    ]


def _finite(value: Any) -> Any:
    cell = plain_cell(value)
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell
