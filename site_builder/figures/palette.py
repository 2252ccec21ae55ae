"""The colours and hatch patterns of figures, each colour in a light and a dark version.

A figure is drawn in the light colours; `svg` adds the dark ones when it is saved, found by the light value. Every light
value is therefore unique. Categories differ in lightness and pattern as well as in hue, so that colour-blind readers
and black-and-white prints keep them apart. The hues follow Okabe and Ito, Color Universal Design (2008).
"""

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

SERIES = (
    Colour("#00589a", "#58b0ee"),
    Colour("#c8500a", "#ff9a56"),
    Colour("#008f68", "#4bdcae"),
    Colour("#bd549d", "#f6bbe6"),
    Colour("#5f5200", "#d9c64a"),
    Colour("#3a4148", "#c6ccd3"),
)
DASHES: tuple[tuple[float, ...], ...] = ((), (7, 3), (2, 2), (9, 3, 2, 3), (4, 2), (12, 4))
MARKERS = ("circle", "square", "diamond", "triangle", "pentagon", "star")

FILLS = (
    Colour("#8fbfe6", "#2c6496"),
    Colour("#f4b761", "#8a540a"),
    Colour("#cfd4d9", "#434a52"),
    Colour("#6dbb97", "#1c6f4d"),
    Colour("#dba3cd", "#83457a"),
    Colour("#f5ec9e", "#4f4a05"),
    Colour("#e58a6e", "#94402a"),
    Colour("#a594ea", "#4a3f96"),
)
FILL_NAMES = ("blue", "orange", "grey", "green", "pink", "yellow", "red", "violet")
HATCHES = ("", "//", "--", "\\\\", "xx", "||", "++", "/")

# The dark value of each light one.
DARK_COLOURS = {
    colour.light: colour.dark
    for colour in (INK, MUTED, AXIS, GRIDLINE, PAPER, HATCH, *SERIES, *FILLS)
    if colour.light != colour.dark
}


def fill(index: int) -> tuple[Colour, str]:
    """Return the colour and hatch of a category; from the ninth on, colours repeat with other hatches."""
    rounds = index // len(FILLS)
    return FILLS[index % len(FILLS)], HATCHES[(index + 3 * rounds) % len(HATCHES)]
