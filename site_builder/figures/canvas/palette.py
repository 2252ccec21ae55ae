"""Colours and patterns: for each colour its twin in the dark scheme, and the order in which they are handed out.

A drawing is made in the light colours; their dark twins are added when it is saved (see `svg`). Every light colour is
therefore unique. Categories differ in lightness and in pattern as well as in hue, so that they stay apart for
colour-blind readers and in print. The hues follow Okabe and Ito, Color Universal Design (2008).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ink:
    """One colour as it looks on a light page and on a dark one, both written `#rrggbb`."""

    light: str
    dark: str


INK = Ink("#23211d", "#e6e2d9")  # words and what they point at
MUTED = Ink("#5f5a51", "#aaa49b")  # numbers along the axes
AXIS = Ink("#8c8578", "#6b7177")
GRIDLINE = Ink("#e6e2d8", "#2d3236")
PAPER = Ink("#fdfcf9", "#15181b")  # behind words that stand on cells or lines
HATCH = Ink("#2c2a26", "#f4f2ee")

# Words on cells of a heatmap, whose colours are the same in both schemes.
ON_PALE = Ink("#010101", "#010101")  # pure black is what SVG draws without being told, so no mark of ours
ON_DEEP = Ink("#ffffff", "#ffffff")

SERIES = (
    Ink("#00589a", "#58b0ee"),
    Ink("#c8500a", "#ff9a56"),
    Ink("#008f68", "#4bdcae"),
    Ink("#bd549d", "#f6bbe6"),
    Ink("#5f5200", "#d9c64a"),
    Ink("#3a4148", "#c6ccd3"),
)
DASHES: tuple[tuple[float, ...], ...] = ((), (7, 3), (2, 2), (9, 3, 2, 3), (4, 2), (12, 4))
MARKERS = ("circle", "square", "diamond", "triangle", "pentagon", "star")

# The last ones repeat hues with another pattern: more than eight actions are more than anyone tells apart.
FILLS = (
    Ink("#8fbfe6", "#2c6496"),
    Ink("#f4b761", "#8a540a"),
    Ink("#cfd4d9", "#434a52"),
    Ink("#6dbb97", "#1c6f4d"),
    Ink("#dba3cd", "#83457a"),
    Ink("#f5ec9e", "#4f4a05"),
    Ink("#e58a6e", "#94402a"),
    Ink("#a594ea", "#4a3f96"),
)
HATCHES = ("", "//", "--", "\\\\", "xx", "||", "++", "/")

TWINS = {
    ink.light: ink.dark for ink in (INK, MUTED, AXIS, GRIDLINE, PAPER, HATCH, *SERIES, *FILLS) if ink.light != ink.dark
}


def fill(place: int) -> tuple[Ink, str]:
    """Colour and pattern of the category at this place; after eight the colours come again with other patterns."""
    rounds = place // len(FILLS)
    return FILLS[place % len(FILLS)], HATCHES[(place + 3 * rounds) % len(HATCHES)]
