"""A drawing surface: lines, shapes, text and images in CSS pixels, y downwards, each over the earlier ones.

The canvas is a matplotlib figure without axes. The kinds compute their own layout, because a figure for a phone has to
be set by the pixel, and because matplotlib's axes would take most of the time of drawing: the SVG of a curve takes 11
ms, 33 with axes and their ticks and legend, and 64 with constrained layout (matplotlib 3.11).
"""

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import Any, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as MatplotlibFigure
from matplotlib.patches import FancyArrowPatch, PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform
from PIL import Image

from site_builder.figures.canvas.shapes import Box, Point
from site_builder.figures.canvas.text import ASCENT, DESCENT, LEADING, Block, TextLine, font
from site_builder.figures.house_style import METADATA
from site_builder.figures.palette import HATCH, INK, Colour
from site_builder.figures.svg import clean_svg

Anchor = Literal["start", "middle", "end"]
_SHARE_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
_ALIGNMENT: dict[Anchor, Literal["left", "center", "right"]] = {"start": "left", "middle": "center", "end": "right"}


@dataclass(frozen=True)
class SizeLimits:
    """The size of one version of a figure, in CSS pixels. ticks_across, ticks_up: the most ticks of an axis."""

    width: int
    curve_height: int
    map_height: int
    ticks_across: int
    ticks_up: int
    narrow: bool


# NARROW is as wide as the smallest phones, where figures reach from edge to edge. Browsers only enlarge it, so that
# text never gets smaller than 12 pixels.
WIDE = SizeLimits(width=680, curve_height=330, map_height=470, ticks_across=9, ticks_up=7, narrow=False)
NARROW = SizeLimits(width=320, curve_height=236, map_height=330, ticks_across=6, ticks_up=6, narrow=True)


class Canvas:
    """An empty canvas for wide or narrow screens; `crop` sets its height when everything is drawn.

    text_boxes: the box of each text drawn so far. plot, spans: of a map or curve, which sets them; spans are those of
    RenderedFigure.
    """

    def __init__(self, sizes: SizeLimits) -> None:
        self.sizes = sizes
        self.width = float(sizes.width)
        self.height = 0.0
        self.text_boxes: list[Box] = []
        self.plot: Box | None = None
        self.spans: tuple[tuple[float, float], ...] = ()
        self._figure = MatplotlibFigure(figsize=(self.width / 72, 1), dpi=72)
        self._figure.patch.set_visible(False)
        self._to_inches = Affine2D()
        self._count = 0
        self._axes: list[tuple[Axes, Box]] = []
        self._transform: Transform = self._to_inches + self._figure.dpi_scale_trans

    def line(
        self,
        points: Sequence[Point] | np.ndarray,
        colour: Colour,
        width: float = 1.0,
        dash: tuple[float, ...] = (),
        clip: Box | None = None,
    ) -> None:
        """Draw a line through the points; NaN interrupts it."""
        if not len(points):
            return
        path = Path(np.asarray(points, dtype=float))
        patch = PathPatch(path, fill=False, edgecolor=colour.light, linewidth=width, capstyle="butt")
        if dash:
            patch.set_linestyle((0, tuple(step / width for step in dash)))
        self._add(patch, clip)

    def arrow(self, points: np.ndarray, colour: Colour) -> None:
        """Draw a line through the points with a head at its end."""
        head: Any = {"arrowstyle": "-|>,head_length=8,head_width=3.6", "mutation_scale": 1}
        self._add(FancyArrowPatch(path=Path(points), color=colour.light, linewidth=1.4, **head))

    def shape(
        self,
        polygons: Sequence[np.ndarray] | np.ndarray,
        fill: Colour | None = None,
        edge: Colour | None = None,
        width: float = 1.0,
        hatch: str = "",
        opacity: float = 1.0,
        clip: Box | None = None,
    ) -> None:
        """Draw polygons, each given by its corners, filled, outlined or both, as one shape."""
        if not len(polygons):
            return
        patch = PathPatch(
            _closed(polygons),
            facecolor=(fill.light, opacity) if fill else "none",
            edgecolor=edge.light if edge else "none",
            linewidth=width if edge else 0,
        )
        if hatch:
            patch.set_hatch(hatch)
            patch.set_hatchcolor((HATCH.light, 0.3))
        self._add(patch, clip)

    def box(self, box: Box, fill: Colour | None = None, edge: Colour | None = None, **style: Any) -> None:
        """Draw a box as a shape."""
        self.shape([box.corners], fill, edge, **style)

    def text(
        self, line: TextLine, x: float, y: float, colour: Colour = INK, anchor: Anchor = "start", rotated: bool = False
    ) -> None:
        """Draw a line of text with its baseline at y; `rotated`: running upwards, with its baseline at x."""
        if not line.text:
            return
        before = _SHARE_BEFORE[anchor] * line.width
        above, below = ASCENT * line.size, DESCENT * line.size
        if rotated:
            box = Box(x - above, y + before - line.width, x + below, y + before)
        else:
            box = Box(x - before, y - above, x - before + line.width, y + below)
        self.text_boxes.append(box)
        self._add(_TextArtist(line, (x, y), colour, anchor, rotated))

    def text_block(
        self, block: Block, x: float, top: float, colour: Colour = INK, anchor: Anchor = "start", rotated: bool = False
    ) -> float:
        """Draw lines of text below each other from `top` on; return the bottom of the last.

        rotated: the block is turned to the left; it begins at x, and its lines at `top` or, for "end", end there.
        """
        start = bottom = x if rotated else top
        for i, line in enumerate(block):
            baseline = start + (ASCENT + i * LEADING) * line.size
            self.text(line, *((baseline, top) if rotated else (x, baseline)), colour, anchor, rotated)
            bottom = baseline + DESCENT * line.size
        return bottom

    def image(self, pixels: np.ndarray, box: Box) -> None:
        """Draw pixels (rows from the top, columns, RGBA as bytes) over the box, each one a crisp rectangle."""
        if pixels.size:
            self._add(_ImageArtist(pixels, box))

    def axes(self, box: Box) -> Axes:
        """Return axes of matplotlib in this box, without ticks and labels, over what is drawn already."""
        made = self._figure.add_axes((0, 0, 1, 1))
        made.set_axis_off()
        made.set_zorder(self._count)
        self._count += 1
        self._axes.append((made, box))
        return made

    def crop(self, bottom: float) -> None:
        """Set the height of the canvas, rounded up to whole pixels, once all is drawn."""
        self.height = float(math.ceil(bottom))
        self._figure.set_size_inches(self.width / 72, self.height / 72)
        self._to_inches.clear().scale(1 / 72, -1 / 72).translate(0, self.height / 72)
        width, height = self.width, self.height
        for axes, box in self._axes:
            axes.set_position((box.left / width, 1 - box.bottom / height, box.width / width, box.height / height))

    def plot_shares(self) -> tuple[float, ...]:
        """Return left, top, width and height of the plot as shares of the canvas; nothing where there is no plot."""
        if self.plot is None:
            return ()
        box, width, height = self.plot, self.width, self.height
        shares = box.left / width, box.top / height, box.width / width, box.height / height
        return tuple(round(share, 5) for share in shares)

    def svg(self) -> bytes:
        """Return the canvas as SVG in both colour schemes."""
        raw = StringIO()
        self._figure.savefig(raw, format="svg", metadata=METADATA)
        return clean_svg(raw.getvalue(), round(self.width), round(self.height))

    def png(self) -> bytes:
        """Return the canvas as PNG in the light scheme on white, two pixels to a CSS pixel."""
        self._figure.set_dpi(144)
        self._figure.patch.set(visible=True, facecolor="#ffffff")
        canvas: Any = FigureCanvasAgg(self._figure)
        canvas.draw()
        self._figure.patch.set_visible(False)
        self._figure.set_dpi(72)
        return _png(Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB"), 6)  # smaller than with opacity

    def _add(self, artist: Artist, clip: Box | None = None) -> None:
        artist.set_transform(self._transform)
        artist.set_figure(self._figure)
        artist.set_zorder(self._count)
        self._count += 1
        if clip is not None:
            artist.set_clip_path(_closed([clip.corners]), self._transform)
        self._figure.add_artist(artist)


class _ImageArtist(Artist):
    """An image: embedded unscaled in SVG, resized to the pixels of the canvas in PNG."""

    def __init__(self, pixels: np.ndarray, box: Box) -> None:
        super().__init__()
        few = int(pixels.shape[1] / (3 * box.width)), int(pixels.shape[0] / (3 * box.height))
        self._image = Image.fromarray(np.ascontiguousarray(pixels)).reduce((max(few[0], 1), max(few[1], 1)))
        self._box = box

    def draw(self, renderer: Any) -> None:
        if renderer.option_scale_image():
            self._embed(renderer.writer)
            return
        box = self._box
        corners = self.get_transform().transform([(box.left, box.bottom), (box.right, box.top)])
        (left, bottom), (right, top) = corners.round().astype(int).tolist()
        smaller = self._image.width > right - left or self._image.height > top - bottom
        how = Image.Resampling.BOX if smaller else Image.Resampling.NEAREST
        scaled = np.asarray(self._image.resize((right - left, top - bottom), how))
        renderer.draw_image(renderer.new_gc(), left, bottom, scaled[::-1])

    def _embed(self, writer: Any) -> None:
        """Write one <image>; cells smaller than a pixel may be averaged by the browser, larger ones stay crisp."""
        box = self._box
        frame = {"x": box.left, "y": box.top, "width": box.width, "height": box.height}
        attributes = {name: f"{value:.2f}" for name, value in frame.items()} | {"preserveAspectRatio": "none"}
        if min(box.width / self._image.width, box.height / self._image.height) >= 1:
            attributes["image-rendering"] = "pixelated"
        attributes["href"] = f"data:image/png;base64,{base64.b64encode(_png(self._image, 9)).decode('ascii')}"
        writer.element("image", attrib=attributes)


class _TextArtist(Artist):
    """A line of text: one element in SVG, with italics marked for `clean_svg`; upright in PNG.

    The renderer is called directly: the layout of matplotlib's own Text, for several lines and any alignment, would
    take most of the time, and gives the place of the baseline, which is known.
    """

    def __init__(self, line: TextLine, at: Point, colour: Colour, anchor: Anchor, rotated: bool) -> None:
        super().__init__()
        self._line, self._at, self._colour, self._anchor, self._rotated = line, at, colour, anchor, rotated

    def draw(self, renderer: Any) -> None:
        line, (x, y), angle = self._line, self._at, 90.0 if self._rotated else 0.0
        text, placed = line.text, None
        if renderer.option_scale_image():
            align, transform = _ALIGNMENT[self._anchor], self.get_transform()  # of which an SVG takes the anchor
            placed = Text(x, y, text, horizontalalignment=align, rotation_mode="anchor", transform=transform)
            placed.set_rotation(angle)
        else:
            text, before = line.plain, _SHARE_BEFORE[self._anchor] * line.width
            x, y = (x, y + before) if self._rotated else (x - before, y)
        x, y = self.get_transform().transform((x, y))
        _, height = renderer.get_canvas_width_height()
        gc = renderer.new_gc()
        gc.set_foreground(self._colour.light)
        y = height - y if renderer.flipy() else y
        renderer.draw_text(gc, x, y, text, font(line.size, line.bold), angle, False, placed)
        gc.restore()


def _closed(polygons: Sequence[np.ndarray] | np.ndarray) -> Path:
    """One path of all polygons."""
    paths = [np.vstack([each, each[:1]]) for each in polygons]
    codes = [[Path.MOVETO, *[Path.LINETO] * (len(path) - 2), Path.CLOSEPOLY] for path in paths]
    return Path(np.concatenate(paths), [code for each in codes for code in each])


def _png(image: Image.Image, compression: int) -> bytes:
    file = BytesIO()
    image.save(file, "png", compress_level=compression)
    return file.getvalue()
