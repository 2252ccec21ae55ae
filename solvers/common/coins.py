"""Coins and words of the pictures that stand above the posts."""

from typing import Any

from site_builder.contract import Look

WIDTH, HEIGHT = 24.0, 8.0  # of every picture, in units of its own
FACE, RIM, PRINT = "#e3bc5b", "#8b6914", "#2a1e05"  # a coin has the same metal on light and dark pages
RED, BLUE = "#e8978a", "#93b9e3"


def board(look: Look, height: float = HEIGHT) -> Any:
    """Axes that fill a new figure, WIDTH by `height`, with nothing on them."""
    from matplotlib.figure import Figure

    width = look.width / 72
    axes = Figure((width, width * height / WIDTH), dpi=72).add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(0, height))
    axes.axis("off")
    return axes


def letters(look: Look, size: float = 0.6) -> float:
    """The font size of letters `size` units high, in points; never below 12."""
    return max(12.0, size * look.width / WIDTH)


def coin(
    axes: Any,
    look: Look,
    x: float,
    y: float,
    radius: float,
    text: str = "",
    size: float = 0.6,
    face: str = FACE,
    ring: str = "",
) -> None:
    """A coin with its middle at (x, y), with some text on it; ring: the colour of a ring around it, if any."""
    from matplotlib.patches import Circle

    if ring:
        axes.add_patch(Circle((x, y), radius + 0.3, facecolor=ring, edgecolor="none"))
    axes.add_patch(Circle((x, y), radius, facecolor=face, edgecolor=RIM, linewidth=1.5))
    if radius > 0.8:
        axes.add_patch(Circle((x, y), 0.86 * radius, facecolor="none", edgecolor=RIM, linewidth=0.7))
    if text:
        axes.text(x, y, text, color=PRINT, ha="center", va="center_baseline", fontsize=letters(look, size))


def words(axes: Any, look: Look, x: float, y: float, text: str, size: float = 0.6, colour: str = "") -> None:
    """Some text with its middle at (x, y)."""
    axes.text(x, y, text, color=colour or look.ink, ha="center", va="center", fontsize=letters(look, size))


def arrow(axes: Any, look: Look, start: tuple[float, float], end: tuple[float, float], colour: str = "") -> None:
    """An arrow."""
    style = {"arrowstyle": "-|>", "color": colour or look.accent, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, start, arrowprops=style)
