"""Heatmaps: a colour for each cell, its number where there is room, and the bar that explains the colours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib import colormaps

from site_builder.contract import Action, Heatmap
from site_builder.figures.alt_text import floats, number
from site_builder.figures.canvas.palette import AXIS, INK, MUTED, ON_DEEP, ON_PALE, PAPER, Ink
from site_builder.figures.canvas.scale import Scale, is_whole
from site_builder.figures.canvas.sheet import Box, Sheet
from site_builder.figures.canvas.sizes import Room
from site_builder.figures.canvas.text import LEADING, MEDIUM, MIDDLE, SMALL, Words, lines, words
from site_builder.figures.charts.action_looks import MOST_BORDER, areas, looks, too_scattered
from site_builder.figures.charts.axes import MARGIN, Entry, draw_legend, fitting, letter
from site_builder.figures.charts.grid_map import (
    Ground,
    draw_axes,
    draw_letters,
    draw_over,
    lay_ground,
    letters_fit,
    rows_of,
)
from site_builder.figures.charts.regions import border_length, outline
from site_builder.figures.charts.ticks import Tick, round_ticks
from site_builder.values.number_format import THIN, write

SHADES = 127  # so that these, their faded twins and the empty cell fit into a palette of 256
FADED = 0.32  # opacity of a cell that is known but not of interest
MOST_WORDS = 450  # cells with a number in them, at most
TWO_LINES = 40.0  # height of a cell that holds a number and a letter
_BAR = 14.0


@dataclass(frozen=True, eq=False)
class Colours:
    """How numbers become colours. low, high: what the ends stand for; colours: shape (SHADES, 3), from 0 to 255."""

    low: float
    high: float
    colours: np.ndarray

    def of(self, values: np.ndarray) -> np.ndarray:
        """RGB for each value, NaN as the lowest."""
        with np.errstate(over="ignore"):
            share = (np.nan_to_num(values, nan=self.low) - self.low) / (self.high - self.low)
        return np.asarray(self.colours[(np.clip(share, 0, 1) * (SHADES - 1e-6)).astype(int)])


def draw_heatmap(figure: Heatmap, room: Room) -> Sheet:
    """The heatmap on a sheet of its own."""
    sheet = Sheet(room.width)
    values, shown, faded = _cells(figure)
    colours = _colours(figure, values[shown])
    bar = _bar_ticks(colours, figure, values[shown], room.width - 60) if shown.any() else ()
    beside = 0.0 if room.narrow or not bar else _bar_width(figure.value_label, bar)
    ground = lay_ground(sheet, room, figure, beside, TWO_LINES if figure.cell_text and figure.policy is not None else 0)
    opacity = np.where(shown, np.where(faded, FADED, 1.0), 0.0)
    pixels = np.dstack([colours.of(values), opacity * 255]).astype(np.uint8)
    pixels[~shown] = 0
    if pixels.size:
        sheet.image(_coarser(pixels, ground), ground.plot)
    if border_length(shown) <= MOST_BORDER:  # the palest and deepest colours are hard to tell from one or other page
        sheet.shape(ground.scaled(outline(shown)), edge=AXIS, width=0.8)
    codes = _policy(figure, shown)
    _write_cells(sheet, ground, figure, codes, shown, pixels)
    entries = _draw_areas(sheet, ground, figure, codes)
    entries += draw_over(sheet, ground, figure.lines, figure.marks)
    foot = draw_axes(sheet, room, ground)
    if bar and room.narrow:
        foot = _level_bar(sheet, foot + 12, figure.value_label, colours, bar)
    elif bar:
        foot = max(foot, _upright_bar(sheet, ground.plot, figure.value_label, colours, bar))
    sheet.cut(draw_legend(sheet, entries, MARGIN if room.narrow else ground.plot.left, foot) + MARGIN)
    return sheet


def _cells(figure: Heatmap) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, whether they are shown, whether they are faded; rows as they appear."""
    values = floats(figure.grid.values)
    shown = ~np.isnan(values) if figure.drawn is None else ~np.isnan(values) & np.asarray(figure.drawn, bool)
    faded = np.zeros(values.shape, bool) if figure.faded is None else np.asarray(figure.faded, bool)
    rows = [rows_of(figure, array) for array in (values, shown, faded)]
    return rows[0], rows[1], rows[2]


def _colours(figure: Heatmap, values: np.ndarray) -> Colours:
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if figure.value_range is not None:
        low, high = float(figure.value_range[0]), float(figure.value_range[1])
    if figure.scale == "diverging":
        centre = (low + high) / 2 if figure.centre is None else float(figure.centre)
        reach = max(high - centre, centre - low)
        low, high = centre - reach, centre + reach
    if low >= high:
        low, high = low - 0.5, low + 0.5
    shades = colormaps["coolwarm" if figure.scale == "diverging" else "viridis"](np.linspace(0, 1, SHADES))
    return Colours(low, high, np.round(shades[:, :3] * 255))


def _bar_ticks(colours: Colours, figure: Heatmap, values: np.ndarray, width: float) -> tuple[Tick, ...]:
    """Numbers for the bar of colours, five at most, that fit beside each other into this width."""
    if figure.value_range is None and np.ptp(values) == 0:
        value = float(values[0])
        return (Tick(value, f"{number(100 * value)}{THIN}%" if figure.percent else number(value)),)
    scale = Scale(colours.low, colours.high, 0, width)
    return fitting(5, scale, lambda n: round_ticks(colours.low, colours.high, n, figure.percent, is_whole(values)))


def _bar_width(label: str, ticks: Sequence[Tick]) -> float:
    numbers = max(words(tick.text).width for tick in ticks) + _BAR + 8
    return 24 + max(numbers, min(words(label, MEDIUM).width, 110.0)) + MARGIN


def _upright_bar(sheet: Sheet, plot: Box, label: str, colours: Colours, ticks: Sequence[Tick]) -> float:
    """To the right of the plot, its label on top; its foot."""
    left = plot.right + 24
    block = lines(label, sheet.width - left - MARGIN, MEDIUM)
    top = sheet.write_block(block, left, plot.top - 2) + 8 if block else plot.top
    bottom = max(min(plot.bottom, top + 260), top + 90)
    bar = Box(left, top, left + _BAR, bottom)
    sheet.image(_ramp(colours)[::-1], bar)
    for tick in ticks:
        y = bar.bottom - (tick.place - colours.low) / (colours.high - colours.low) * bar.height
        sheet.line([(bar.right, y), (bar.right + 4, y)], AXIS)
        sheet.write(words(tick.text), bar.right + 8, y + MIDDLE * SMALL, MUTED)
    return bar.bottom + SMALL / 2


def _level_bar(sheet: Sheet, top: float, label: str, colours: Colours, ticks: Sequence[Tick]) -> float:
    """Under the plot, over the whole width, its label on top; its foot."""
    block = lines(label, sheet.width - 2 * MARGIN, MEDIUM)
    top = sheet.write_block(block, MARGIN, top) + 5 if block else top
    margin = max(words(tick.text).width for tick in ticks) / 2 + MARGIN
    bar = Box(margin, top, sheet.width - margin, top + 12)
    sheet.image(_ramp(colours).transpose(1, 0, 2), bar)
    for tick in ticks:
        x = bar.left + (tick.place - colours.low) / (colours.high - colours.low) * bar.width
        sheet.line([(x, bar.bottom), (x, bar.bottom + 4)], AXIS)
        sheet.write(words(tick.text), x, bar.bottom + 6 + 0.8 * SMALL, MUTED, "middle")
    return bar.bottom + 6 + SMALL * LEADING


def _ramp(colours: Colours) -> np.ndarray:
    """The colours from low to high as pixels, shape (SHADES, 1, 4)."""
    opaque = np.full((SHADES, 1), 255)
    return np.hstack([colours.colours, opaque]).astype(np.uint8)[:, None, :]


def _coarser(pixels: np.ndarray, ground: Ground) -> np.ndarray:
    """The cells, averaged in blocks where there are more than three to a pixel of the screen in a row."""
    for axis, size in ((0, ground.cell[1]), (1, ground.cell[0])):
        block = int(1 / (3 * size)) if size < 1 / 6 else 1
        if block > 1:
            pixels = _averaged(pixels, axis, block)
    return pixels


def _averaged(pixels: np.ndarray, axis: int, block: int) -> np.ndarray:
    """Means over blocks of so many cells, each colour weighed by its opacity."""
    starts = np.arange(0, pixels.shape[axis], block)
    counts = np.diff(np.append(starts, pixels.shape[axis])).reshape([-1 if i == axis else 1 for i in range(3)])
    solid = pixels[:, :, 3:].astype(float)
    weight = np.add.reduceat(solid, starts, axis=axis)
    colour = np.add.reduceat(pixels[:, :, :3] * solid, starts, axis=axis) / np.maximum(weight, 1)
    return np.dstack([colour, weight / counts]).round().astype(np.uint8)


def _write_cells(
    sheet: Sheet, ground: Ground, figure: Heatmap, codes: np.ndarray, shown: np.ndarray, pixels: np.ndarray
) -> None:
    """In each cell its number, the letter of its action, or one over the other, as far as all of them fit."""
    letters = [action.letter for action in _lettered(figure.actions)]
    texts = _texts(figure, shown) if figure.cell_text and shown.sum() <= MOST_WORDS else {}
    wide, high = ground.cell
    lettered = bool((codes >= 0).any()) and letters_fit(ground, letters)
    fit = max((text.width for text in texts.values()), default=0.0) <= wide - 2 and high >= SMALL + 3
    numbered = bool(texts) and fit and (high >= TWO_LINES or not lettered)
    if not (numbered or lettered):
        return
    apart = 8.0 if numbered and lettered else 0.0
    for row, column in np.argwhere(shown).tolist():
        box, ink = ground.cell_box(row, column), _readable_on(pixels[row, column])
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2 + MIDDLE * SMALL
        if numbered:
            sheet.write(texts[row, column], x, y - apart, ink, "middle")
        if lettered and codes[row, column] >= 0:
            sheet.write(words(letters[codes[row, column]], bold=True), x, y + apart, ink, "middle")


def _texts(figure: Heatmap, shown: np.ndarray) -> dict[tuple[int, int], Words]:
    values: Any = rows_of(figure, figure.grid.values)
    return {(r, c): words(write(values[r, c], figure.cell_text)) for r, c in np.argwhere(shown).tolist()}


def _readable_on(pixel: np.ndarray) -> Ink:
    """Ink for words on a cell: dark on pale, pale on deep, and on a faded cell that of the page."""
    if pixel[3] < 255:
        return INK
    linear = ((pixel[:3] / 255 + 0.055) / 1.055) ** 2.4
    return ON_PALE if linear @ (0.2126, 0.7152, 0.0722) > 0.179 else ON_DEEP


def _policy(figure: Heatmap, shown: np.ndarray) -> np.ndarray:
    """The code of each cell as it appears, -1 where none is shown."""
    if figure.policy is None:
        return np.full(shown.shape, -1)
    return np.where(shown, rows_of(figure, np.asarray(figure.policy)), -1)


def _draw_areas(sheet: Sheet, ground: Ground, figure: Heatmap, codes: np.ndarray) -> list[Entry]:
    """Where cells are too small for letters, borders between the actions, with letters in their midst."""
    actions = _lettered(figure.actions)
    if letters_fit(ground, [action.letter for action in actions]):
        there = [action for code, action in enumerate(actions) if (codes == code).any()]
        return [Entry(_boxed(action.letter), action.name) for action in there]
    codes, found = looks(actions, codes, ground)
    for code in found:
        if not too_scattered(codes, code):
            sheet.shape(areas(ground, codes, code), edge=PAPER, width=1.2)
    draw_letters(sheet, ground, codes, {code: look.letter for code, look in found.items()})
    return [Entry(_boxed(look.letter), look.name) for look in found.values()]


def _lettered(actions: Sequence[Action]) -> list[Action]:
    """The actions, those without a letter with the first of their name: over colours nothing else tells them apart."""
    return [replace(action, letter=action.letter or action.name[:1].upper()) for action in actions]


def _boxed(text: str) -> Callable[[Sheet, Box], None]:
    def sample(sheet: Sheet, box: Box) -> None:
        sheet.shape(box.outline(), edge=AXIS)
        letter(sheet, box, text)

    return sample
