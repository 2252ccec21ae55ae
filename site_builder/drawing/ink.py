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


INK = Ink("#1f2328", "#e6e8eb")  # words and what they point at
MUTED = Ink("#57606a", "#a4adb8")  # numbers along the axes
AXIS = Ink("#a9b1ba", "#5d6570")
GRIDLINE = Ink("#e4e7ea", "#2e343b")
PAPER = Ink("#fefefe", "#16191d")  # behind words that stand on cells or lines
HATCH = Ink("#2a2f36", "#f4f5f6")

# Words on cells of a heatmap, whose colours are the same in both schemes.
ON_PALE = Ink("#101214", "#101214")
ON_DEEP = Ink("#fcfcfd", "#fcfcfd")

SERIES = (
    Ink("#0064a8", "#5ab4f0"),
    Ink("#c8500a", "#ff9a56"),
    Ink("#00805c", "#3ccf9f"),
    Ink("#a03c86", "#e795d0"),
    Ink("#6b5d00", "#dcc840"),
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
    Ink("#f3e58b", "#70650f"),
    Ink("#e58a6e", "#94402a"),
    Ink("#b7aee8", "#554a9c"),
)
HATCHES = ("", "//", "--", "\\\\", "xx", "||", "++", "/")

TWINS = {
    ink.light: ink.dark for ink in (INK, MUTED, AXIS, GRIDLINE, PAPER, HATCH, *SERIES, *FILLS) if ink.light != ink.dark
}


def fill(place: int) -> tuple[Ink, str]:
    """Colour and pattern of the category at this place; after eight the colours come again with other patterns."""
    rounds = place // len(FILLS)
    return FILLS[place % len(FILLS)], HATCHES[(place + 3 * rounds) % len(HATCHES)]
