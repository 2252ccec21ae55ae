"""The canvas of the pictures that stand above the posts, with coins and words on it."""

from collections.abc import Collection, Sequence
from typing import Any

from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.patches import BoxStyle, FancyArrowPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from site_builder.contract import Look

WIDTH, HEIGHT = 24.0, 8.0  # of every picture, in units of its own
FACE, RIM, PRINT = "#e3bc5b", "#8b6914", "#2a1e05"  # a coin has the same metal on light and dark pages
RED, BLUE = "#e8978a", "#93b9e3"

Place = tuple[float, float]


class Canvas:
    """A new figure, WIDTH by `height`, without axes, whose making would take as long as all that is drawn.

    What there are many of is drawn as one collection. The font size of words is in units, and never below 12 points.
    """

    def __init__(self, look: Look, height: float = HEIGHT) -> None:
        width = look.width / 72
        self.look = look
        self.figure = Figure((width, width * height / WIDTH), dpi=72)
        self._units = Affine2D().scale(width / WIDTH) + self.figure.dpi_scale_trans

    def words(self, x: float, y: float, text: str, size: float = 0.6, colour: str = "", **style: Any) -> None:
        """Some text with its middle at (x, y)."""
        style = {"ha": "center", "va": "center", "color": colour or self.look.ink, **style}
        points = max(12.0, size * self.look.width / WIDTH)
        self.figure.add_artist(Text(x, y, text, transform=self._units, fontsize=points, **style))

    def shapes(self, shape: Path, places: Collection[Place], **style: Any) -> None:
        """The same shape at each of some places, in one style or in as many as there are places."""
        here = {"transform": self._units, "offset_transform": self._units}
        self.figure.add_artist(PathCollection([shape], offsets=[*places], **here, **style))

    def boxes(self, corners: Collection[Place], width: float, height: float, **style: Any) -> None:
        """Boxes with round corners, of which the lower left ones are given."""
        box = BoxStyle.Round(pad=0, rounding_size=0.25)(0, 0, width, height, 1)
        self.shapes(box, corners, **{"facecolors": "none", "linewidths": 1.5, **style})

    def lines(self, *lines: Sequence[Place], colour: str = "", width: float = 1.2, **style: Any) -> None:
        """Lines, each from place to place."""
        style = {"colors": colour or self.look.ink, "linewidths": width, **style}
        self.figure.add_artist(LineCollection(lines, transform=self._units, **style))

    def arrow(self, start: Place, end: Place, colour: str = "") -> None:
        """An arrow."""
        ends: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 13, "shrinkA": 0, "shrinkB": 0}
        arrow = FancyArrowPatch(start, end, color=colour or self.look.accent, linewidth=1.8, **ends)
        arrow.set_transform(self._units)
        self.figure.add_artist(arrow)

    def coins(
        self,
        places: Collection[Place],
        radius: float,
        texts: Sequence[str] = (),
        size: float = 0.6,
        faces: str | Sequence[str] = FACE,
    ) -> None:
        """Coins with their middles at these places, and a text on each. faces: the colour of all, or of each."""
        self.shapes(Path.circle(radius=radius), places, facecolors=faces, edgecolors=RIM, linewidths=1.5)
        if radius > 0.8:
            self.shapes(Path.circle(radius=0.86 * radius), places, facecolors="none", edgecolors=RIM, linewidths=0.7)
        for (x, y), text in zip(places, texts, strict=False):
            self.words(x, y, text, size, PRINT, va="center_baseline")
