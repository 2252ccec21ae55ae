"""Histograms: how many of many values lie in each interval."""

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from site_builder.contract import Histogram
from site_builder.figures.canvas.axes import across_range, draw_plot, up_range
from site_builder.figures.canvas.scales import is_whole, padded, round_edges
from site_builder.figures.canvas.shapes import Box
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.palette import HUES
from site_builder.figures.words import floats, marked_sentence, short_number, spread

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas

_MOST_SINGLE = 40  # whole numbers; more of them share bins
_FEWEST_BINS, _MOST_BINS = 5, 40  # that are chosen
_MOST_GIVEN = 500
_MOST_APART = 60  # bins; more have no gap between them


class Bins(NamedTuple):
    """The bins of a histogram. edges: one more than bins; amounts: how many values, or their weights, lie in each.

    whole: the values are whole numbers, and all edges lie halfway between two.
    """

    edges: np.ndarray
    amounts: np.ndarray
    whole: bool

    @property
    def ends(self) -> tuple[list[Any], list[Any]]:
        """Return the lower and upper ends of all bins; of whole numbers the first and last that each holds."""
        if self.whole:
            return [math.ceil(edge) for edge in self.edges[:-1]], [math.floor(edge) for edge in self.edges[1:]]
        return self.edges[:-1].tolist(), self.edges[1:].tolist()

    def heights(self, percent: bool) -> np.ndarray:
        """Return how high the bars are: the amounts, or their shares of all values."""
        return self.amounts / (self.amounts.sum() or 1) if percent else self.amounts


class HistogramKind(Kind[Histogram]):
    """Bars over an axis of numbers, without gaps."""

    figure = Histogram

    def errors(self, figure: Histogram) -> Iterator[str]:
        values, bins = floats(figure.values).ravel(), figure.bins
        if figure.counts is not None:
            counts = floats(figure.counts).ravel()
            if len(counts) != len(values):
                yield f"it has {len(values)} values and {len(counts)} counts; write one for each value"
            if (counts < 0).any():
                yield f"a count is {counts[counts < 0][0]:g}; counts are 0 or more"
        if np.isinf(values).any():
            yield "a value is infinite; leave it out, and say in the caption how many there are"
        if isinstance(bins, int) and not 1 <= bins <= _MOST_GIVEN:
            yield f"bins is {bins}; write a number from 1 to {_MOST_GIVEN}, or the edges of the bins"
        elif bins is not None and not isinstance(bins, int):
            yield from _edge_errors(floats(bins), values)

    def names(self, figure: Histogram, given: Collection[str]) -> list[str]:
        return [""]

    def draw(self, figure: Histogram, canvas: "Canvas") -> None:
        bins, sizes = bins_of(figure), canvas.sizes
        heights = bins.heights(figure.percent)
        top = float(heights.max(initial=0.0)) * (1.1 if figure.references else 1)  # with room for their labels
        low, high = figure.up_range or padded(0.0, top)
        places = [*bins.edges.tolist(), *(float(each.at) for each in figure.references)]
        first, last = figure.across_range or (min(places), max(places))
        across = across_range(first, last, sizes, bins.whole)
        up = up_range(max(low, 0.0), high, sizes, figure.percent, is_whole(heights))
        plot = draw_plot(canvas, across, up, figure.across_label, _up_label(figure))
        axes, hue = plot.axes(), HUES[self.hues_of(figure)[0]]
        fill, line = hue.fill.light, hue.line.light
        axes.stairs(heights, bins.edges, fill=True, linewidth=1.2, facecolor=fill, edgecolor=line)
        if len(heights) <= _MOST_APART:
            axes.vlines(bins.edges[1:-1], 0, np.minimum(heights[1:], heights[:-1]), line, linewidth=0.6)
        for left, right, height in zip(bins.edges, bins.edges[1:], heights, strict=False):
            plot.labels.avoid_box(Box(plot.x.at(left), plot.y.at(height), plot.x.at(right), plot.box.bottom))
        plot.draw_references([replace(each, upright=True) for each in figure.references])
        if not heights.any():
            plot.write_that_it_is_empty()
        plot.finish()

    def describe(self, figure: Histogram) -> str:
        values, weights = _weighted(figure)
        start = f"Histogram of {figure.across_label}"
        if not weights.sum():
            return f"{start}: no values."
        count = f"{short_number(weights.sum())} " if is_whole(weights) else ""
        mean = short_number(values @ weights / weights.sum())
        reference = marked_sentence(figure.references, (), percent=False)
        return f"{start}: {count}{spread(values[weights > 0], False)}, mean {mean}.{reference}"

    def columns(self, figure: Histogram) -> list[DataColumn]:
        bins = bins_of(figure)
        lows, highs = bins.ends
        label = figure.across_label or "value"
        places = [DataColumn(label, lows)]  # of whole numbers with a bin each
        if lows != highs:
            places = [DataColumn(f"{label}, from", lows), DataColumn(f"{label}, to", highs)]
        heights = bins.heights(figure.percent)
        heights = heights.astype(int) if not figure.percent and is_whole(heights) else heights
        return [*places, DataColumn(_up_label(figure), heights.tolist(), figure.percent)]

    def numbers(self, figure: Histogram) -> Iterable[Any]:
        return [figure.values, *([figure.counts] if figure.counts is not None else [])]

    def scales(self, figure: Histogram) -> dict[str, np.ndarray]:
        bins = bins_of(figure)
        return {"up_range": np.append(bins.heights(figure.percent), 0.0), "across_range": bins.edges}


def bins_of(figure: Histogram) -> Bins:
    """Return the bins of a histogram, chosen or given, and what lies in each."""
    values, weights = _weighted(figure)
    whole = bool(values.size) and is_whole(values) and float(np.abs(values).max()) < 1e15
    if figure.bins is None or isinstance(figure.bins, int):
        edges = _edges(values, figure.bins or _good_count(values, weights), whole, figure.bins or _MOST_SINGLE)
        values = np.clip(values, edges[0], edges[-1])  # the ends, to twelve digits
    else:
        edges = floats(figure.bins)
        whole = whole and bool((edges % 1 == 0.5).all())
    amounts, _ = np.histogram(values, edges, weights=weights)
    return Bins(edges, amounts, whole)


def _weighted(figure: Histogram) -> tuple[np.ndarray, np.ndarray]:
    """The values without NaN, and how often each occurs."""
    values = floats(figure.values).ravel()
    weights = np.ones(len(values)) if figure.counts is None else floats(figure.counts).ravel()
    known = np.isfinite(values) & np.isfinite(weights)
    return values[known], weights[known]


def _edges(values: np.ndarray, count: int, whole: bool, most_single: int) -> np.ndarray:
    """Edges at round numbers; those of whole numbers lie halfway between two, around each if they are so few."""
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    if whole and high - low < most_single:
        return np.arange(low, high + 2) - 0.5
    if whole:
        first, second, *_ = round_edges(low, high, count, whole=True, between=1)
        return np.asarray(np.arange(first, high + second - first + 1, second - first) - 0.5)
    return round_edges(*(padded(low, high) if low == high else (low, high)), count)


def _good_count(values: np.ndarray, weights: np.ndarray) -> int:
    """The number of bins by the rule of Rice, 2 n^(1/3), within limits."""
    number: float = max(len(values), float(weights.sum()))
    return math.ceil(min(max(2 * math.cbrt(number) - 1e-9, _FEWEST_BINS), _MOST_BINS))


def _up_label(figure: Histogram) -> str:
    return figure.up_label or ("share of all values" if figure.percent else "number of values")


def _edge_errors(edges: np.ndarray, values: np.ndarray) -> Iterator[str]:
    if len(edges) < 2 or not (np.diff(edges) > 0).all():
        yield "its bins are no edges: write at least two numbers, each larger than the one before"
        return
    outside = values[(values < edges[0]) | (values > edges[-1])]
    if outside.size:
        bins = f"its bins, which reach from {edges[0]:g} to {edges[-1]:g}"
        yield f"{len(outside)} of its values, such as {outside[0]:g}, lie outside of {bins}; widen them"
