"""Draws bar charts: vertical where names and numbers fit under and over the bars, else horizontal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.path import Path

from site_builder.contract import Bars, Estimate
from site_builder.figures.canvas.canvas import Box, Canvas, SizeLimits
from site_builder.figures.canvas.distinct_labels import wrap_all
from site_builder.figures.canvas.palette import AXIS, GRIDLINE, HATCH, HATCHES, INK, MUTED, PAPER, SERIES
from site_builder.figures.canvas.text import (
    MIDDLE,
    SMALL,
    TextLine,
    block_height,
    block_width,
    text_line,
    widest,
)
from site_builder.figures.cell_texts import formatted
from site_builder.figures.charts import axes
from site_builder.figures.charts.axes import MARGIN, LegendEntry
from site_builder.figures.charts.error_bars import draw_sample, error_bars
from site_builder.figures.charts.labels import Obstacles, draw_reference
from site_builder.figures.charts.scales import GridAxis, Scale, finite_range, is_whole, round_ticks
from site_builder.figures.intervals import bounds, estimate_text, names_of_intervals, with_intervals
from site_builder.figures.numbers import floats

MOST_HORIZONTAL = 45  # more bars than this are vertical, with a name at only some of them
WIDEST_BAR = 64.0  # pixels, as below
_BAR_SHARE = 0.72  # share of the width of a category that its bars fill
_HORIZONTAL_BAR = 19.0
_AXIS_WIDTH = 60.0  # estimated width of the axis, before its labels are known


@dataclass(frozen=True, eq=False)
class BarData:
    """The numbers of all bars, and as text. Shape of both: (series, categories); NaN and "" where there is none.

    intervals: shape (series, categories, 2); NaN where there is none.
    """

    values: np.ndarray
    intervals: np.ndarray
    texts: tuple[tuple[TextLine, ...], ...]
    low: float
    high: float

    @property
    def widest_text(self) -> float:
        return max((text.width for row in self.texts for text in row), default=0.0)

    @property
    def zero(self) -> float:
        """Return the value at which bars start: 0, or the end of the scale that is nearer to it."""
        return min(max(0.0, self.low), self.high)


@dataclass(frozen=True)
class BarShape:
    """One bar on the canvas, its number and the box of that. error: the ends of its error bar, if it has one."""

    box: Box
    series: int
    text: TextLine
    text_box: Box
    error: tuple[tuple[float, float], tuple[float, float]] | None = None


def draw_bars(figure: Bars, sizes: SizeLimits) -> Canvas:
    """Draw the bars on a new canvas."""
    canvas = Canvas(sizes.width)
    data = _bar_data(figure)
    entries = [LegendEntry(partial(_draw_sample, series=i), one.name) for i, one in enumerate(figure.series)]
    draw = _draw_horizontal if _should_be_horizontal(figure, data, sizes) else _draw_vertical
    bottom, more = draw(canvas, figure, data, sizes)
    entries = entries + more if len(figure.series) > 1 else more
    entries += [
        LegendEntry(partial(draw_sample, is_band=False), name) for name in names_of_intervals(with_intervals(figure))
    ]
    canvas.crop(axes.draw_legend(canvas, entries, MARGIN, bottom) + MARGIN)
    return canvas


def _bar_data(figure: Bars) -> BarData:
    shape = (len(figure.series), len(figure.categories))
    resolved = with_intervals(figure).series
    values = np.array([floats(one.values) for one in resolved]).reshape(shape)
    none = np.full((shape[1], 2), np.nan)
    intervals = np.array([none if (found := bounds(one)) is None else found for one in resolved]).reshape(*shape, 2)
    texts = tuple(
        tuple(
            text_line(_number(figure, value) if there else "")
            for value, there in zip(one.values, np.isfinite(row), strict=True)
        )
        for one, row in zip(figure.series, values, strict=True)
    )
    low, high = finite_range(
        np.concatenate([values.ravel(), intervals.ravel(), [float(r.at) for r in figure.references], [0.0]])
    )
    if figure.value_range is not None:
        low, high = float(figure.value_range[0]), float(figure.value_range[1])
    return BarData(values, intervals, texts, low, high if high > low else low + 1)


def _number(figure: Bars, value: Any) -> str:
    """The text at a bar."""
    return estimate_text(value, figure.percent) if isinstance(value, Estimate) else formatted(value, figure.value_text)


def _vertical_bar_width(sizes: SizeLimits, data: BarData) -> float:
    """The estimated width of a vertical bar."""
    return min(float(sizes.width - _AXIS_WIDTH) / max(data.values.size, 1) * _BAR_SHARE, WIDEST_BAR)


def _should_be_horizontal(figure: Bars, data: BarData, sizes: SizeLimits) -> bool:
    """True when names or numbers need more width than vertical bars have."""
    if not 0 < data.values.size <= MOST_HORIZONTAL:
        return False
    share = (sizes.width - _AXIS_WIDTH) / len(figure.categories)
    longest_word = widest(part for name in figure.categories for part in name.split())
    return longest_word > share - 6 or (_need_rotation(sizes, data) and _vertical_bar_width(sizes, data) < SMALL + 3)


def _need_rotation(sizes: SizeLimits, data: BarData) -> bool:
    """True when the numbers of vertical bars are wider than the distance between bars."""
    if len(data.values) > 1:
        return data.widest_text > _vertical_bar_width(sizes, data) - 3
    return data.widest_text > (sizes.width - _AXIS_WIDTH) / max(data.values.size, 1) - 3


def _numbers_overlap(sizes: SizeLimits, data: BarData) -> bool:
    """True when unrotated numbers over vertical bars would overlap each other or neighbouring bars."""
    width = sizes.width - _AXIS_WIDTH
    bars = _bars(data, 0, width / max(data.values.shape[1], 1), Scale(data.low, data.high, sizes.curve_height, 0))
    return any(
        a.text_box.grown(2).overlaps(b.text_box) or a.text_box.overlaps(b.box) or b.text_box.overlaps(a.box)
        for a, b in pairwise(bars)
    )


def _bars(
    data: BarData, start: float, group: float, scale: Scale, horizontal: bool = False, rotated: bool = False
) -> list[BarShape]:
    """The bars. start: the pixel at which the category axis starts; group: pixels of each category."""
    series, shapes = len(data.values), []
    width = min(group * (_BAR_SHARE if group > 6 else 1) / max(series, 1), WIDEST_BAR)
    gap = 0.5 if width > 4 else 0.0
    for category, one in np.argwhere(np.isfinite(data.values.T)).tolist():
        value, text = data.values[one, category], data.texts[one][category]
        side = start + group * (category + 0.5) + width * (one - series / 2)
        near, far = side + gap, side + width - gap
        base, end = scale.at(data.zero), scale.at(min(max(value, data.low), data.high))
        first, last, middle = min(base, end), max(base, end), (near + far) / 2
        is_rising = value >= data.zero or data.low >= 0
        error = None
        interval = data.intervals[one, category]
        if np.isfinite(interval).all():
            ends = [scale.at(min(max(each, data.low), data.high)) for each in interval.tolist()]
            error = ((ends[0], middle), (ends[1], middle)) if horizontal else ((middle, ends[0]), (middle, ends[1]))
            cap = 1.5 if horizontal == is_rising else -1.5
            end = (ends[1] if is_rising else ends[0]) + cap  # the number stands beyond the error bar
        if horizontal:
            box, left = Box(first, near, last, far), end + 5 if is_rising else end - 5 - text.width
            text_box = Box(left, middle - SMALL / 2, left + text.width, middle + SMALL / 2)
        else:
            box, (wide, high) = Box(near, first, far, last), (SMALL, text.width) if rotated else (text.width, SMALL)
            top = end - 4 - high if is_rising else end + 4
            text_box = Box(middle - wide / 2, top, middle + wide / 2, top + high)
        shapes.append(BarShape(box, one, text, text_box, error))
    return shapes


def _draw_vertical(canvas: Canvas, figure: Bars, data: BarData, sizes: SizeLimits) -> tuple[float, list[LegendEntry]]:
    rotated = _need_rotation(sizes, data) and _numbers_overlap(sizes, data)
    if rotated and _vertical_bar_width(sizes, data) < SMALL + 3:
        data = replace(data, texts=tuple(tuple(text_line("") for _ in row) for row in data.texts))
    margin = (data.widest_text if rotated else SMALL) + 7 if data.widest_text else 3
    ticks = round_ticks(data.low, data.high, sizes.ticks_up, figure.percent, is_whole(data.values))
    top = axes.draw_heading(canvas, figure.value_label, sizes.width)
    left = widest(tick.text for tick in ticks) + axes.AXIS_MARGIN
    plot = Box(left, top, sizes.width - MARGIN, top + sizes.curve_height)
    y = Scale(data.low, data.high, plot.bottom - (margin if data.low < 0 else 0), plot.top + margin)
    axes.draw_up_axis(canvas, plot, axes.tick_labels(ticks, y.at), gridlines=True)
    group = plot.width / max(len(figure.categories), 1)
    bars = _bars(data, plot.left, group, y, rotated=rotated)
    entries = _draw_bar_shapes(canvas, figure, plot, bars, y, rotated=rotated)
    canvas.line([(plot.left, y.at(data.zero)), (plot.right, y.at(data.zero))], AXIS)
    return _draw_categories(canvas, figure, plot, group), entries


def _draw_horizontal(canvas: Canvas, figure: Bars, data: BarData, sizes: SizeLimits) -> tuple[float, list[LegendEntry]]:
    blocks = wrap_all(figure.categories, 0.4 * sizes.width, at_most=3)
    group = max(len(data.values) * _HORIZONTAL_BAR + 9, max(block_height(block) for block in blocks) + 8)
    top = axes.draw_heading(canvas, figure.category_label or figure.value_label, sizes.width)
    left = max(block_width(block) for block in blocks) + 8 + MARGIN
    plot = Box(left, top, sizes.width - MARGIN, top + len(blocks) * group)
    margin = data.widest_text + 8
    x = Scale(data.low, data.high, plot.left + (margin if data.low < 0 else 0), plot.right - margin)
    whole = is_whole(data.values)
    ticks = axes.fitting_ticks(
        sizes.ticks_across - 1, x, lambda n: round_ticks(data.low, data.high, n, figure.percent, whole)
    )
    for tick in ticks:
        canvas.line([(x.at(tick.position), plot.top), (x.at(tick.position), plot.bottom)], GRIDLINE)
    bars = _bars(data, plot.top, group, x, horizontal=True)
    entries = _draw_bar_shapes(canvas, figure, plot, bars, x, horizontal=True)
    canvas.line([(x.at(data.zero), plot.top), (x.at(data.zero), plot.bottom)], AXIS)
    for i, block in enumerate(blocks):
        middle = plot.top + group * (i + 0.5)
        canvas.text_block(block, plot.left - 8, middle - block_height(block) / 2, MUTED, "end")
    label = figure.value_label if figure.category_label else ""
    return axes.draw_across_axis(canvas, plot, axes.tick_labels(ticks, x.at), label, marks=False), entries


def _draw_bar_shapes(
    canvas: Canvas,
    figure: Bars,
    plot: Box,
    bars: Sequence[BarShape],
    scale: Scale,
    horizontal: bool = False,
    rotated: bool = False,
) -> list[LegendEntry]:
    """Draw the bars, reference lines over them, and the numbers on top, on a background where a line crosses them."""
    obstacles = Obstacles()
    for series in range(len(figure.series)):
        if outlines := [bar.box.outline() for bar in bars if bar.series == series]:
            _fill(canvas, Path.make_compound_path(*outlines), series)
    if errors := [bar.error for bar in bars if bar.error is not None]:
        path = error_bars(np.array(errors), horizontal)
        canvas.shape(path, edge=PAPER, width=3.6)
        canvas.shape(path, edge=INK, width=1.3)
    for bar in bars:
        obstacles.add_box(bar.box)
        if bar.text.text:
            obstacles.add_box(bar.text_box.grown(2))
    pixels = [scale.at(float(reference.at)) for reference in figure.references]
    entries = []
    for reference, at in zip(figure.references, pixels, strict=True):
        entries += draw_reference(canvas, plot, at, reference, horizontal, obstacles)
    for bar in bars:
        box = bar.text_box
        first, last = (box.left, box.right) if horizontal else (box.top, box.bottom)
        if bar.text.text and any(first - 3 < at < last + 3 for at in pixels):
            canvas.shape(box.grown(2).outline(), fill=PAPER)
        above = (0.5 - MIDDLE) * SMALL  # from the baseline to the side of the box
        at = (box.right - above, box.bottom) if rotated else (box.left, box.bottom - above)
        canvas.text(bar.text, *at, INK, rotated=rotated)
    return entries


def _draw_categories(canvas: Canvas, figure: Bars, plot: Box, group: float) -> float:
    """Write the categories on up to three lines each, or only some of them if too long; return the bottom."""
    blocks = wrap_all(figure.categories, group - 6, at_most=3)
    if all(text_line(part).width <= group - 4 for name in figure.categories for part in name.split()):
        places = [plot.left + group * (i + 0.5) for i in range(len(blocks))]
        named = zip(blocks, places, strict=True)
        bottoms = [canvas.text_block(block, x, plot.bottom + 5, MUTED, "middle") for block, x in named]
        bottom = max(bottoms, default=plot.bottom + SMALL)
        return axes.draw_across_label(canvas, plot, figure.category_label, bottom) if figure.category_label else bottom
    names = GridAxis(figure.categories)
    ticks = names.ticks(group, lambda texts: widest(texts) + 14, len(names))
    labels = axes.tick_labels(ticks, lambda position: plot.left + group * (position + 0.5))
    return axes.draw_across_axis(canvas, plot, labels, figure.category_label)


def _fill(canvas: Canvas, path: Path, series: int) -> None:
    """Fill a path in the colour and hatch of a series; the first has no hatch."""
    hatch = HATCHES[series % len(HATCHES)]
    canvas.shape(path, fill=SERIES[series % len(SERIES)], hatch=hatch, hatch_colour=HATCH)


def _draw_sample(canvas: Canvas, box: Box, series: int) -> None:
    _fill(canvas, box.outline(), series)
