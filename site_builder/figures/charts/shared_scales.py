"""Gives the steps of Frames common scales, so that they can be compared."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from site_builder.contract import Bars, Curve, Frames, Heatmap
from site_builder.figures.charts.scales import padded
from site_builder.figures.intervals import bounds, with_intervals
from site_builder.figures.numbers import floats


def with_shared_scales(figure: Frames) -> Frames:
    """Return Frames whose heatmaps, curves or bars have a common range, if all have the same unit and none sets one."""
    steps = [step for _, step in figure.frames]
    names = {Heatmap: "value_range", Curve: "up_range", Bars: "value_range"}
    kind = type(steps[0])
    if kind not in names or any(type(step) is not kind for step in steps) or len(set(map(_unit, steps))) > 1:
        return figure
    if any(getattr(step, names[kind]) is not None for step in steps):
        return figure
    values = np.concatenate([_values(step) for step in steps])
    finite = values[np.isfinite(values)]
    if not finite.size or finite.min() == finite.max():
        return figure
    low, high = float(finite.min()), float(finite.max())
    if kind is Curve:
        low, high = padded(low, high)
    made = [replace(step, **{names[kind]: (low, high)}) for step in steps]  # type: ignore[arg-type]
    return replace(figure, frames=tuple((label, step) for (label, _), step in zip(figure.frames, made, strict=True)))


def _unit(figure: Any) -> tuple[Any, ...]:
    label = figure.up_label if isinstance(figure, Curve) else figure.value_label
    return label, figure.percent, getattr(figure, "scale", ""), getattr(figure, "centre", None)


def _values(figure: Any) -> np.ndarray:
    """All numbers that the scale of a figure has to hold."""
    if isinstance(figure, Heatmap):
        values = floats(figure.grid.values)
        return (values if figure.drawn is None else values[np.asarray(figure.drawn, bool)]).ravel()
    found: list[np.ndarray] = []
    series: Sequence[Any] = with_intervals(figure).series
    for one in series:
        found.append(floats(one.up if isinstance(figure, Curve) else one.values))
        found += [] if (ends := bounds(one)) is None else [ends.ravel()]
    found.append(np.array([float(each.at) for each in figure.references if not each.upright]))
    if isinstance(figure, Curve):
        found.append(np.array([float(mark.at[1]) for mark in figure.marks]))
    else:
        found.append(np.zeros(1))
    return np.concatenate(found)
