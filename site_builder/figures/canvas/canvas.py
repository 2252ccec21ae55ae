"""A drawing surface: lines, shapes, text and images in CSS pixels, y downwards, each over the earlier ones.

The canvas is a matplotlib figure without axes. The charts compute their own layout, because a figure for a phone has to
be set by the pixel, and because matplotlib's axes would take most of the time of drawing.
"""

import base64
import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import Any, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as MatplotlibFigure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform
from PIL import Image

from site_builder.figures.canvas.palette import INK, Colour
from site_builder.figures.canvas.svg import ITALIC, UPRIGHT, clean_svg
from site_builder.figures.canvas.text import ASCENT, DESCENT, LEADING, TextLine, font, run_width

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
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


@dataclass(frozen=True)
class Box:
    """A rectangle on the canvas."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def centre(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @staticmethod
    def around(x: float, y: float, across: float, up: float) -> "Box":
        """Return the box around this centre, given half of its width and height."""
        return Box(x - across, y - up, x + across, y + up)

    def grown(self, by: float) -> "Box":
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def count_inside(self, points: np.ndarray) -> int:
        """Return how many of the points (shape (n, 2)) lie inside."""
        x, y = points.T
        return int(((x > self.left) & (x < self.right) & (y > self.top) & (y < self.bottom)).sum())

    def outline(self) -> Path:
        corners = [(self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)]
        return Path([*corners, corners[0]], closed=True)


class Canvas:
    """An empty canvas of this width; `crop` sets its height when everything is drawn.

    text_boxes: the texts drawn so far, each with its box. plot, spans: of a map or curve, whose chart sets them; spans
    are those of RenderedFigure.
    """

    def __init__(self, width: float) -> None:
        self.width = width
        self.height = 0.0
        self.text_boxes: list[tuple[str, Box]] = []
        self.plot: Box | None = None
        self.spans: tuple[tuple[float, float], ...] = ()
        self._figure = MatplotlibFigure(figsize=(width / 72, 1), dpi=72)
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
        for part in _segments(np.asarray(points, dtype=float)):
            patch = PathPatch(Path(part), fill=False, edgecolor=colour.light, linewidth=width, capstyle="butt")
            if dash:
                patch.set_linestyle((0, tuple(step / width for step in dash)))
            self._add(patch, clip)

    def shape(
        self,
        path: Path,
        fill: Colour | None = None,
        edge: Colour | None = None,
        width: float = 1.0,
        hatch: str = "",
        hatch_colour: Colour = INK,
        hatch_opacity: float = 0.5,
        hatch_width: float = 1.0,
        opacity: float = 1.0,
        clip: Box | None = None,
    ) -> None:
        """Draw a closed shape, filled, outlined or both; or lines, which have an edge alone."""
        patch = PathPatch(
            path,
            facecolor=(fill.light, opacity) if fill else "none",
            edgecolor=edge.light if edge else "none",
            linewidth=width if edge else 0,
        )
        if hatch:
            patch.set_hatch(hatch)
            patch.set_hatchcolor((hatch_colour.light, hatch_opacity))
            patch.set_hatch_linewidth(hatch_width)
        self._add(patch, clip)

    def text(
        self, line: TextLine, x: float, y: float, colour: Colour = INK, anchor: Anchor = "start", rotated: bool = False
    ) -> None:
        """Draw a line of text with its baseline at y; `rotated`: running upwards, with its baseline at x."""
        if not line.runs and line.outline is None:
            return
        before = _SHARE_BEFORE[anchor] * line.width
        above, below = ASCENT * line.size, DESCENT * line.size
        if rotated:
            box = Box(x - above, y + before - line.width, x + below, y + before)
        else:
            box = Box(x - before, y - above, x - before + line.width, y + below)
        self.text_boxes.append((line.text, box))
        if line.outline is not None:
            to_canvas = Affine2D().scale(1, -1).translate(-before, 0).rotate_deg(-90 if rotated else 0).translate(x, y)
            self._add(PathPatch(line.outline.transformed(to_canvas), facecolor=colour.light, linewidth=0))
        else:
            self._add(_TextArtist(line, (x, y), colour, anchor, rotated))

    def text_block(
        self, block: Iterable[TextLine], x: float, top: float, colour: Colour = INK, anchor: Anchor = "start"
    ) -> float:
        """Draw lines of text below each other from `top` on; return the bottom of the last."""
        bottom = top
        for i, line in enumerate(block):
            baseline = top + ASCENT * line.size + i * LEADING * line.size
            self.text(line, x, baseline, colour, anchor)
            bottom = baseline + DESCENT * line.size
        return bottom

    def image(self, pixels: np.ndarray, box: Box) -> None:
        """Draw pixels (rows from the top, columns, RGBA as bytes) over the box, each one a crisp rectangle."""
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
        """Set the height of the canvas, rounded up to whole pixels."""
        self.height = float(math.ceil(bottom))

    def plot_shares(self) -> tuple[float, ...]:
        """Return left, top, width and height of the plot as shares of the canvas; nothing where there is no plot."""
        if self.plot is None:
            return ()
        box, width, height = self.plot, round(self.width), round(self.height)
        shares = box.left / width, box.top / height, box.width / width, box.height / height
        return tuple(round(share, 5) for share in shares)

    def svg(self) -> bytes:
        """Return the canvas as SVG in both colour schemes."""
        self._lay_out(72)
        raw = StringIO()
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        canvas: Any = FigureCanvasSVG(self._figure)
        canvas.print_svg(raw, metadata=metadata)
        return clean_svg(raw.getvalue(), round(self.width), round(self.height))

    def png(self) -> bytes:
        """Return the canvas as PNG in the light scheme on white, two pixels to a CSS pixel."""
        self._lay_out(144)
        canvas: Any = FigureCanvasAgg(self._figure)
        self._figure.patch.set(visible=True, facecolor="#ffffff")
        canvas.draw()
        self._figure.patch.set_visible(False)
        return _plain_png(np.asarray(canvas.buffer_rgba())[:, :, :3])

    def _add(self, artist: Artist, clip: Box | None = None) -> None:
        artist.set_transform(self._transform)
        artist.set_figure(self._figure)
        artist.set_zorder(self._count)
        self._count += 1
        if clip is not None:
            artist.set_clip_path(clip.outline(), self._transform)
        self._figure.add_artist(artist)

    def _lay_out(self, dpi: int) -> None:
        self._figure.set_dpi(dpi)
        self._figure.set_size_inches(self.width / 72, self.height / 72)
        for axes, box in self._axes:
            width, height = self.width, self.height
            shares = box.left / width, 1 - box.bottom / height, box.width / width, box.height / height
            axes.set_position(shares)
        self._to_inches.clear().scale(1 / 72, -1 / 72).translate(0, self.height / 72)


class _ImageArtist(Artist):
    """An image: embedded unscaled in SVG, resized to the pixels of the canvas in PNG."""

    def __init__(self, pixels: np.ndarray, box: Box) -> None:
        super().__init__()
        self._pixels = np.ascontiguousarray(pixels)
        self._box = box

    def draw(self, renderer: Any) -> None:
        box = self._box
        corners = [(box.left, box.bottom), (box.right, box.top)]
        (left, bottom), (right, top) = self.get_transform().transform(corners)
        if renderer.option_scale_image():
            self._embed(renderer.writer)
            return
        size = (round(right) - round(left), round(top) - round(bottom))
        smaller = self._pixels.shape[1] > size[0] or self._pixels.shape[0] > size[1]
        how = Image.Resampling.BOX if smaller else Image.Resampling.NEAREST
        scaled = np.asarray(Image.fromarray(self._pixels).resize(size, how))
        gc = renderer.new_gc()
        renderer.draw_image(gc, round(left), round(bottom), scaled[::-1])
        gc.restore()

    def _embed(self, writer: Any) -> None:
        """Write one <image>; cells smaller than a pixel may be averaged by the browser, larger ones stay crisp."""
        box, (rows, columns) = self._box, self._pixels.shape[:2]
        frame = {"x": box.left, "y": box.top, "width": box.width, "height": box.height}
        attributes = {name: f"{value:.2f}" for name, value in frame.items()} | {"preserveAspectRatio": "none"}
        if min(box.width / columns, box.height / rows) >= 1:
            attributes["image-rendering"] = "pixelated"
        attributes["href"] = f"data:image/png;base64,{base64.b64encode(_small_png(self._pixels)).decode('ascii')}"
        writer.element("image", attrib=attributes)


def _plain_png(pixels: np.ndarray) -> bytes:
    """RGB pixels as PNG without filters: for flat colours smaller than Pillow's, which tries them all, and faster."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with the number of its filter, 0 for none
    rows[:, 1:] = pixels.reshape(height, -1)
    size = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)  # 8 bits a sample, RGB
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    framed = [(len(data), kind + data) for kind, data in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", length) + chunk + struct.pack(">I", zlib.crc32(chunk)) for length, chunk in framed
    )


def _small_png(pixels: np.ndarray) -> bytes:
    """RGBA pixels as PNG, with a palette where there are at most 256 colours."""
    flat = np.ascontiguousarray(pixels).view(np.uint32)[:, :, 0]
    colours, indices = np.unique(flat, return_inverse=True)
    file = BytesIO()
    if len(colours) > 256:
        Image.fromarray(pixels).save(file, "png", compress_level=9)
        return file.getvalue()
    palette = colours.view(np.uint8).reshape(-1, 4)
    image = Image.fromarray(indices.reshape(flat.shape).astype(np.uint8), "P")
    image.putpalette(np.ascontiguousarray(palette[:, :3]).tobytes())
    image.save(file, "png", compress_level=9, transparency=palette[:, 3].tobytes())
    return file.getvalue()


class _TextArtist(Artist):
    """A line of text: one element in SVG, with italics marked for `clean_svg`; drawn run by run in PNG.

    The renderer is called directly: the layout of matplotlib's own Text, for several lines and any alignment, would
    take most of the time, and gives the place of the baseline, which is known.
    """

    def __init__(self, line: TextLine, at: Point, colour: Colour, anchor: Anchor, rotated: bool) -> None:
        super().__init__()
        self._line, self._at, self._colour, self._anchor, self._rotated = line, at, colour, anchor, rotated

    def draw(self, renderer: Any) -> None:
        line = self._line
        if renderer.option_scale_image():
            whole = "".join(f"{ITALIC}{run.text}{UPRIGHT}" if run.italic else run.text for run in line.runs)
            self._draw_run(renderer, whole, font(line.size, line.bold), self._at, self._anchor)
            return
        offset = -_SHARE_BEFORE[self._anchor] * line.width
        for run in line.runs:
            x, y = self._at
            at = (x, y - offset) if self._rotated else (x + offset, y)
            self._draw_run(renderer, run.text, font(line.size, line.bold, run.italic), at, "start")
            offset += run_width(run, line.size, line.bold)

    def _draw_run(self, renderer: Any, text: str, font: FontProperties, at: Point, anchor: Anchor) -> None:
        angle = 90.0 if self._rotated else 0.0
        placed = Text(  # from which an SVG takes the anchor
            *at,
            text,
            fontproperties=font,
            horizontalalignment=_ALIGNMENT[anchor],
            rotation=angle,
            rotation_mode="anchor",
            transform=self.get_transform(),
        )
        x, y = self.get_transform().transform(at)
        _, height = renderer.get_canvas_width_height()
        gc = renderer.new_gc()
        gc.set_foreground(self._colour.light)
        renderer.draw_text(gc, x, height - y if renderer.flipy() else y, text, font, angle, False, placed)
        gc.restore()


def _segments(points: np.ndarray) -> list[np.ndarray]:
    """The points split where some are NaN; single points are left out."""
    finite = np.isfinite(points).all(axis=1)
    breaks = np.flatnonzero(np.diff(finite.astype(int))) + 1
    return [part for part in np.split(points, breaks) if len(part) > 1 and np.isfinite(part[0]).all()]


def marker_path(centres: np.ndarray, radius: float, marker: str = "circle") -> Path:
    """Return one compound path of a marker at every centre (shape (n, 2))."""
    shape = MARKER_SHAPES[marker] * radius
    vertices = (np.asarray(centres)[:, None, :] + shape[None, :, :]).reshape(-1, 2)
    codes = np.tile([Path.MOVETO, *[Path.LINETO] * (len(shape) - 2), Path.CLOSEPOLY], len(centres))
    return Path(vertices, codes)


def _regular(corners: int, turn: float = 0.0, inner: float = 1.0, size: float = 1.0) -> np.ndarray:
    angles = np.append(np.arange(corners), 0) * 2 * np.pi / corners + turn
    radii = np.where(np.arange(corners + 1) % 2 == 1, inner, 1.0) * size
    return np.column_stack([radii * np.sin(angles), -radii * np.cos(angles)])


MARKER_SHAPES = {
    "circle": _regular(16),
    "square": _regular(4, turn=np.pi / 4, size=1.25),
    "diamond": _regular(4, size=1.35),
    "triangle": _regular(3, size=1.35),
    "pentagon": _regular(5, size=1.15),
    "star": _regular(10, inner=0.45, size=1.5),
}
