"""Bars: standing where their names and numbers fit under and over them, else lying one under the other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from matplotlib.path import Path

from site_builder.contract import Bars
from site_builder.figures.alt_text import floats
from site_builder.figures.canvas.label_placement import Obstacles
from site_builder.figures.canvas.palette import AXIS, GRIDLINE, HATCH, HATCHES, INK, MUTED, PAPER, SERIES
from site_builder.figures.canvas.scale import Scale, is_whole, reach
from site_builder.figures.canvas.sheet import Box, Sheet
from site_builder.figures.canvas.sizes import Room
from site_builder.figures.canvas.text import MIDDLE, SMALL, Words, height, lines, widest, words
from site_builder.figures.charts.annotations import draw_reference
from site_builder.figures.charts.axes import (
    GAP,
    MARGIN,
    TICK,
    Entry,
    draw_across,
    draw_legend,
    draw_up,
    fitting,
    heading,
    widest_number,
)
from site_builder.figures.charts.ticks import GridAxis, round_ticks
from site_builder.values.number_format import write

MOST_LYING = 45  # bars; more than this stand, with fewer names
BROADEST = 64.0
_BREADTH = 0.72  # share of its place that a group of bars fills
_ROW = 19.0  # a lying bar
_SPARE = 60.0  # what the numbers beside standing bars may take, when it is judged what fits


@dataclass(frozen=True, eq=False)
class Bundle:
    """All bars as numbers. values: shape (series, categories), NaN where there is none; texts: the same shape."""

    values: np.ndarray
    texts: tuple[tuple[Words, ...], ...]
    low: float
    high: float

    @property
    def widest_text(self) -> float:
        return max((text.width for row in self.texts for text in row), default=0.0)

    @property
    def zero(self) -> float:
        """Where bars start: at 0, or at the end of the scale that is nearer to it."""
        return min(max(0.0, self.low), self.high)


@dataclass(frozen=True)
class Rod:
    """One bar: its place on the sheet, the box of its number, and that number, turned upright or not."""

    box: Box
    series: int
    text: Words
    text_box: Box
    turned: bool = False


@dataclass(frozen=True)
class Span:
    """One bar before it stands or lies: near and far edge along the categories, foot and end along the values."""

    near: float
    far: float
    base: float
    end: float
    series: int
    text: Words
    rising: bool


def draw_bars(figure: Bars, room: Room) -> Sheet:
    """The bars on a sheet of its own."""
    sheet = Sheet(room.width)
    bundle = _bundle(figure)
    entries = [Entry(_sample(i), one.name) for i, one in enumerate(figure.series)] if len(figure.series) > 1 else []
    draw = _draw_lying if _should_lie(figure, bundle, room) else _draw_standing
    foot, more = draw(sheet, figure, bundle, room)
    sheet.cut(draw_legend(sheet, entries + more, MARGIN, foot) + MARGIN)
    return sheet


def _bundle(figure: Bars) -> Bundle:
    values = np.array([floats(one.values) for one in figure.series]).reshape(len(figure.series), len(figure.categories))
    texts = tuple(
        tuple(
            words(write(value, figure.value_text) if there else "")
            for value, there in zip(one.values, np.isfinite(row), strict=True)
        )
        for one, row in zip(figure.series, values, strict=True)
    )
    low, high = reach(np.concatenate([values.ravel(), [float(r.at) for r in figure.references], [0.0]]))
    if figure.value_range is not None:
        low, high = float(figure.value_range[0]), float(figure.value_range[1])
    return Bundle(values, texts, low, high if high > low else low + 1)


def _broad(room: Room, bundle: Bundle) -> float:
    """About how broad a standing bar would be."""
    bars = max(bundle.values.size, 1)
    return min(float(room.width - _SPARE) / bars * _BREADTH, BROADEST)


def _should_lie(figure: Bars, bundle: Bundle, room: Room) -> bool:
    """Whether names or numbers need more width than standing bars have."""
    if not 0 < bundle.values.size <= MOST_LYING:
        return False
    share = (room.width - _SPARE) / len(figure.categories)
    longest_word = max(words(part).width for name in figure.categories for part in name.split() or [""])
    return longest_word > share - 6 or (_are_turned(room, bundle) and _broad(room, bundle) < SMALL + 3)


def _are_turned(room: Room, bundle: Bundle) -> bool:
    """Whether the numbers of standing bars need more than the room from one bar to the next."""
    if len(bundle.values) > 1:
        return bundle.widest_text > _broad(room, bundle) - 3
    return bundle.widest_text > (room.width - _SPARE) / max(bundle.values.size, 1) - 3


def _numbers_meet(room: Room, bundle: Bundle) -> bool:
    """Whether numbers written level over standing bars would cover each other or what stands beside them."""
    width = room.width - _SPARE
    spans = _spans(
        bundle, 0, width / max(bundle.values.shape[1], 1), Scale(bundle.low, bundle.high, room.curve_height, 0)
    )
    rods = [_standing(span, turned=False) for span in spans]
    return any(
        a.text_box.grown(2).meets(b.text_box) or a.text_box.meets(b.box) or b.text_box.meets(a.box)
        for a, b in pairwise(rods)
    )


def _spans(bundle: Bundle, start: float, group: float, scale: Scale) -> Iterator[Span]:
    """start: the pixel where the axis of categories begins; group: the pixels of each category."""
    series = len(bundle.values)
    broad = min(group * (_BREADTH if group > 6 else 1) / max(series, 1), BROADEST)
    gap = 0.5 if broad > 4 else 0.0
    for category, one in np.argwhere(np.isfinite(bundle.values.T)).tolist():
        value = bundle.values[one, category]
        near = start + group * (category + 0.5) + broad * (one - series / 2)
        end = scale.at(min(max(value, bundle.low), bundle.high))
        rising = bool(value >= bundle.zero) or bundle.low >= 0
        yield Span(near + gap, near + broad - gap, scale.at(bundle.zero), end, one, bundle.texts[one][category], rising)


def _standing(span: Span, turned: bool) -> Rod:
    box = Box(span.near, min(span.base, span.end), span.far, max(span.base, span.end))
    wide, high = (SMALL, span.text.width) if turned else (span.text.width, SMALL)
    middle = (span.near + span.far) / 2
    top = span.end - 4 - high if span.rising else span.end + 4
    return Rod(box, span.series, span.text, Box(middle - wide / 2, top, middle + wide / 2, top + high), turned)


def _lying(span: Span) -> Rod:
    box = Box(min(span.base, span.end), span.near, max(span.base, span.end), span.far)
    left = span.end + 5 if span.rising else span.end - 5 - span.text.width
    middle = (span.near + span.far) / 2
    return Rod(box, span.series, span.text, Box(left, middle - SMALL / 2, left + span.text.width, middle + SMALL / 2))


def _draw_standing(sheet: Sheet, figure: Bars, bundle: Bundle, room: Room) -> tuple[float, list[Entry]]:
    turned = _are_turned(room, bundle) and _numbers_meet(room, bundle)
    if turned and _broad(room, bundle) < SMALL + 3:
        bundle = replace(bundle, texts=tuple(tuple(words("") for _ in row) for row in bundle.texts))
    air = (bundle.widest_text if turned else SMALL) + 7 if bundle.widest_text else 3
    ticks = round_ticks(bundle.low, bundle.high, room.ticks_up, figure.percent, is_whole(bundle.values))
    numbers = [words(tick.text) for tick in ticks]
    top = heading(sheet, figure.value_label, room.width)
    plot = Box(widest_number(numbers) + GAP + TICK + MARGIN, top, room.width - MARGIN, top + room.curve_height)
    y = Scale(bundle.low, bundle.high, plot.bottom - (air if bundle.low < 0 else 0), plot.top + air)
    draw_up(sheet, plot, [(y.at(t.place), text) for t, text in zip(ticks, numbers, strict=True)], gridlines=True)
    group = plot.width / max(len(figure.categories), 1)
    rods = [_standing(span, turned) for span in _spans(bundle, plot.left, group, y)]
    entries = _draw_rods(sheet, figure, plot, rods, y, upright=False)
    sheet.line([(plot.left, y.at(bundle.zero)), (plot.right, y.at(bundle.zero))], AXIS)
    return _names_under(sheet, figure, plot, group), entries


def _draw_lying(sheet: Sheet, figure: Bars, bundle: Bundle, room: Room) -> tuple[float, list[Entry]]:
    blocks = [lines(name, 0.4 * room.width, SMALL, at_most=3) for name in figure.categories]
    group = max(len(bundle.values) * _ROW + 9, max(height(block) for block in blocks) + 8)
    top = heading(sheet, figure.value_label, room.width)
    left = max(widest(block) for block in blocks) + 8 + MARGIN
    plot = Box(left, top, room.width - MARGIN, top + len(blocks) * group)
    air = bundle.widest_text + 8
    x = Scale(bundle.low, bundle.high, plot.left + (air if bundle.low < 0 else 0), plot.right - air)
    whole = is_whole(bundle.values)
    ticks = fitting(room.ticks_across - 1, x, lambda n: round_ticks(bundle.low, bundle.high, n, figure.percent, whole))
    for tick in ticks:
        sheet.line([(x.at(tick.place), plot.top), (x.at(tick.place), plot.bottom)], GRIDLINE)
    rods = [_lying(span) for span in _spans(bundle, plot.top, group, x)]
    entries = _draw_rods(sheet, figure, plot, rods, x, upright=True)
    sheet.line([(x.at(bundle.zero), plot.top), (x.at(bundle.zero), plot.bottom)], AXIS)
    for i, block in enumerate(blocks):
        middle = plot.top + group * (i + 0.5)
        sheet.write_block(block, plot.left - 8, middle - height(block) / 2, MUTED, "end")
    foot = draw_across(sheet, plot, [(x.at(tick.place), words(tick.text)) for tick in ticks], "", marks=False)
    return foot, entries


def _draw_rods(sheet: Sheet, figure: Bars, plot: Box, rods: Sequence[Rod], scale: Scale, upright: bool) -> list[Entry]:
    """The bars, the lines for reference over them, and the numbers on top, on paper where such a line runs."""
    obstacles = Obstacles()
    for series in range(len(figure.series)):
        if outlines := [rod.box.outline() for rod in rods if rod.series == series]:
            _fill(sheet, Path.make_compound_path(*outlines), series)
    for rod in rods:
        obstacles.add_box(rod.box)
        if rod.text.text:
            obstacles.add_box(rod.text_box.grown(2))
    places = [scale.at(float(reference.at)) for reference in figure.references]
    entries = []
    for reference, at in zip(figure.references, places, strict=True):
        entries += draw_reference(sheet, plot, at, reference, upright, obstacles)
    for rod in rods:
        first, last = (rod.text_box.left, rod.text_box.right) if upright else (rod.text_box.top, rod.text_box.bottom)
        if rod.text.text and any(first - 3 < at < last + 3 for at in places):
            sheet.shape(rod.text_box.grown(2).outline(), fill=PAPER)
        _write_number(sheet, rod)
    return entries


def _write_number(sheet: Sheet, rod: Rod) -> None:
    if rod.turned:
        sheet.write(rod.text, rod.text_box.right - (0.5 - MIDDLE) * SMALL, rod.text_box.bottom, INK, turned=True)
    else:
        sheet.write(rod.text, rod.text_box.left, rod.text_box.bottom - (0.5 - MIDDLE) * SMALL, INK)


def _names_under(sheet: Sheet, figure: Bars, plot: Box, group: float) -> float:
    """The categories, each on up to three lines; where even that is too much, only some of them."""
    blocks = [lines(name, group - 6, SMALL, at_most=3) for name in figure.categories]
    if all(words(part).width <= group - 4 for name in figure.categories for part in name.split()):
        feet = [
            sheet.write_block(block, plot.left + group * (i + 0.5), plot.bottom + 5, MUTED, "middle")
            for i, block in enumerate(blocks)
        ]
        return max(feet, default=plot.bottom + SMALL)
    names = GridAxis(figure.categories)
    ticks = names.ticks(group, lambda texts: max(words(text).width for text in texts) + 14, len(names))
    return draw_across(sheet, plot, [(plot.left + group * (t.place + 0.5), words(t.text)) for t in ticks], "")


def _fill(sheet: Sheet, path: Path, series: int) -> None:
    """The first series plain, the others with patterns as well."""
    hatch = HATCHES[series % len(HATCHES)]
    sheet.shape(path, fill=SERIES[series % len(SERIES)], hatch=hatch, hatch_ink=HATCH)


def _sample(series: int) -> Callable[[Sheet, Box], None]:
    return lambda sheet, box: _fill(sheet, box.outline(), series)
