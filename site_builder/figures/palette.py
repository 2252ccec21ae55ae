"""The colours and hatch patterns of figures, each colour in a light and a dark version.

A figure is drawn in the light colours; `svg` adds the dark ones when it is saved, found by the light value. Every light
value is therefore unique. Categories differ in lightness and pattern as well as in hue, so that colour-blind readers
and black-and-white prints keep them apart. The hues follow Okabe and Ito, Color Universal Design (2008).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """One palette entry: its value on a light page and on a dark one, both as `#rrggbb`."""

    light: str
    dark: str


INK = Colour("#23211d", "#e6e2d9")  # text and marks
MUTED = Colour("#5f5a51", "#aaa49b")  # tick labels
AXIS = Colour("#8c8578", "#6b7177")
GRIDLINE = Colour("#e6e2d8", "#2d3236")
PAPER = Colour("#fdfcf9", "#15181b")  # background of text that covers cells or lines
HATCH = Colour("#2c2a26", "#f4f2ee")

# Text on heatmap cells, whose colours are the same in both schemes.
ON_PALE = Colour("#010101", "#010101")  # not #000000: SVG omits its default fill, so no style rule could match it
ON_DEEP = Colour("#ffffff", "#ffffff")

FIXED = "fixed-colours"  # id, then class, of what keeps its colours on dark pages
NOT_FIXED = f":not(.{FIXED} *)"  # in selectors of rules that change colours


@dataclass(frozen=True)
class Hue:
    """A hue in two shades. line: of lines, dots and bars; fill: of areas under text."""

    line: Colour
    fill: Colour


# In the order in which areas take them.
HUES = {
    "blue": Hue(Colour("#00589a", "#58b0ee"), Colour("#8fbfe6", "#2c6496")),
    "orange": Hue(Colour("#c8500a", "#ff9a56"), Colour("#f4b761", "#8a540a")),
    "grey": Hue(Colour("#3a4148", "#c6ccd3"), Colour("#cfd4d9", "#434a52")),
    "green": Hue(Colour("#008f68", "#4bdcae"), Colour("#6dbb97", "#1c6f4d")),
    "pink": Hue(Colour("#bd549d", "#f6bbe6"), Colour("#dba3cd", "#83457a")),
    "yellow": Hue(Colour("#5f5200", "#d9c64a"), Colour("#f5ec9e", "#4f4a05")),
    "red": Hue(Colour("#a8112c", "#ff8086"), Colour("#e58a6e", "#94402a")),
    "violet": Hue(Colour("#6a45bd", "#b9a5f7"), Colour("#a594ea", "#4a3f96")),
}
OF_AREAS = tuple(HUES)
OF_LINES = ("blue", "orange", "green", "pink", "yellow", "grey", "violet", "red")
SERIES = tuple(HUES[name].line for name in OF_LINES)
FILLS = tuple(HUES[name].fill for name in OF_AREAS)
DASHES: tuple[tuple[float, ...], ...] = ((), (7, 3), (2, 2), (9, 3, 2, 3), (4, 2), (12, 4))
MARKERS = ("circle", "square", "diamond", "triangle", "pentagon", "star")

HATCHES = ("", "//", "--", "\\\\", "xx", "||", "++", "/")

# The dark value of each light one.
DARK_COLOURS = {
    colour.light: colour.dark
    for colour in (INK, MUTED, AXIS, GRIDLINE, PAPER, HATCH, *SERIES, *FILLS)
    if colour.light != colour.dark
}


def hues_of(
    names: Sequence[str], given: Mapping[str, str], order: Sequence[str], avoided: Sequence[Collection[str]] = ()
) -> list[str]:
    """Return the hue of each name: the given one, else the first one in this order that stands for nothing yet.

    avoided: hues that stand for something elsewhere, those first that matter most; where none is left, others come
    before these. Names that are empty have nothing in common.
    """
    known = {name: hue for name, hue in given.items() if name in names}
    found: list[str] = []

    def uses(hue: str) -> tuple[int, ...]:
        return [*known.values(), *found].count(hue), *(hue in others for others in avoided)

    for name in names:
        hue = known.get(name) or min(order, key=uses)
        if name:
            known[name] = hue
        found.append(hue)
    return found


def fill(hue: str, before: int = 0) -> tuple[Colour, str]:
    """Return the colour and hatch of an area. before: so many others have this hue with other hatches."""
    return HUES[hue].fill, HATCHES[(OF_AREAS.index(hue) + 3 * before) % len(HATCHES)]
