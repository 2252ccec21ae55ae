"""Policy maps: areas told apart by colour, pattern and letter."""

import numpy as np
from matplotlib.colors import to_rgb

from site_builder.contract import PolicyMap
from site_builder.figures.alt_text import floats
from site_builder.figures.canvas.palette import INK, Ink
from site_builder.figures.canvas.sheet import Sheet
from site_builder.figures.canvas.sizes import Room
from site_builder.figures.charts.action_looks import SMALL_CELL, Look, areas, looks, too_scattered
from site_builder.figures.charts.axes import MARGIN, Entry, draw_legend
from site_builder.figures.charts.grid_map import draw_axes, draw_letters, draw_over, lay_ground, letters_fit, rows_of


def draw_policy_map(figure: PolicyMap, room: Room) -> Sheet:
    """The map on a sheet of its own."""
    sheet = Sheet(room.width)
    values = floats(figure.grid.values)
    whole = np.where(np.isfinite(values), values, -1).astype(int)
    codes = rows_of(figure, whole)
    ground = lay_ground(sheet, room, figure)
    cells = codes
    codes, found = looks(figure.actions, cells, ground)
    if any(too_scattered(codes, code) for code in found):
        codes, found = looks(figure.actions, cells, ground, weave=False)
        found = {code: _plain(look) for code, look in found.items()}
        sheet.image(_pixels(codes, found), ground.plot)
    else:
        width = 0.7 if min(ground.cell) >= SMALL_CELL else 0.4
        quiet = letters_fit(ground, [look.letter for look in found.values()])
        for code, look in found.items():
            look.draw(sheet, areas(ground, codes, code), INK, width, quiet)
    draw_letters(sheet, ground, codes, {code: look.letter for code, look in found.items()})
    more = draw_over(sheet, ground, figure.lines, figure.marks)
    foot = draw_axes(sheet, room, ground)
    entries = [Entry(look.sample(), _legend_name(look)) for look in found.values()]
    sheet.cut(draw_legend(sheet, entries + more, MARGIN if room.narrow else ground.plot.left, foot) + MARGIN)
    return sheet


def _legend_name(look: Look) -> str:
    """The name; before it the letters that the stripes of a sample leave no room for."""
    return f"{look.letter}: {look.name}" if look.stripe and look.letter else look.name


def _plain(look: Look) -> Look:
    """The look in one colour, halfway between the schemes: an image cannot follow them."""
    colours = [to_rgb(colour) for ink in (look.ink, look.stripe or look.ink) for colour in (ink.light, ink.dark)]
    middle = "#" + "".join(f"{round(255 * part):02x}" for part in np.mean(colours, axis=0))
    return Look(look.name, "", Ink(middle, middle), "")


def _pixels(codes: np.ndarray, found: dict[int, Look]) -> np.ndarray:
    pixels = np.zeros((*codes.shape, 4), dtype=np.uint8)
    for code, look in found.items():
        pixels[codes == code] = (*(round(255 * part) for part in to_rgb(look.ink.light)), 255)
    return pixels
