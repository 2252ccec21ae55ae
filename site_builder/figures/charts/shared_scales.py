"""Gives the steps of Frames common scales, so that they can be compared."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from site_builder.contract import Bars, Curve, Frames, Heatmap
from site_builder.figures.charts.scales import padded
from site_builder.figures.intervals import bounds, with_intervals
from site_builder.figures.numbers import floats


def with_shared_scales(figure: Frames) -> Frames:
    """Return Frames whose heatmaps, curves or bars have common ranges where they have the same units and set none."""
    steps: list[Any] = [step for _, step in figure.frames]
    kind = type(steps[0])
    if kind not in _RANGES or any(type(step) is not kind for step in steps) or len(set(map(_units, steps))) > 1:
        return figure
    ranges = {}
    for name, values_of in _RANGES[kind].items():
        values = np.concatenate([values_of(step) for step in steps])
        finite = values[np.isfinite(values)]
        if all(getattr(step, name) is None for step in steps) and finite.size and finite.min() < finite.max():
            low, high = float(finite.min()), float(finite.max())
            ranges[name] = padded(low, high) if name == "up_range" else (low, high)
    if not ranges:
        return figure
    made = [(label, replace(step, **ranges)) for (label, _), step in zip(figure.frames, steps, strict=True)]
    return replace(figure, frames=tuple(made))


def _units(figure: Any) -> tuple[Any, ...]:
    """The units of a step, which have to be the same in all steps."""
    if isinstance(figure, Curve):
        return figure.up_label, figure.across_label, figure.percent
    return figure.value_label, figure.percent, getattr(figure, "scale", ""), getattr(figure, "centre", None)


def _of_heatmap(figure: Heatmap) -> np.ndarray:
    values = floats(figure.grid.values)
    return (values if figure.drawn is None else values[np.asarray(figure.drawn, bool)]).ravel()


def _upward(figure: Any) -> np.ndarray:
    """All numbers that the scale of values has to hold; 0 is the foot of bars."""
    series: Sequence[Any] = with_intervals(figure).series
    found = [floats(one.up if isinstance(figure, Curve) else one.values) for one in series]
    found += [ends.ravel() for one in series if (ends := bounds(one)) is not None]
    marks = [mark.at[1] for mark in figure.marks] if isinstance(figure, Curve) else [0]
    return np.concatenate([*found, floats([*marks, *(each.at for each in figure.references if not each.upright)])])


def _across(figure: Curve) -> np.ndarray:
    """All numbers along the other axis; none where it has words."""
    places = [place for one in figure.series for place in one.across]
    if any(isinstance(place, str) for place in places):
        return np.empty(0)
    places += [mark.at[0] for mark in figure.marks] + [each.at for each in figure.references if each.upright]
    return floats(places)


_RANGES: dict[type, dict[str, Callable[[Any], np.ndarray]]] = {
    Heatmap: {"value_range": _of_heatmap},
    Curve: {"up_range": _upward, "across_range": _across},
    Bars: {"value_range": _upward},
}
