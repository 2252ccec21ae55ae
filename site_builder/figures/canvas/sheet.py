"""A sheet of paper: lines, shapes, words and images put down in CSS pixels, y downwards, one over the other.

The sheet is a matplotlib figure without axes: where things stand is decided by the rooms that draw charts, because a
picture for a phone has to be set by the pixel, and because matplotlib's own axes cost most of the time of a drawing.
"""

import base64
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import Any, Literal

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Paper
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform
from PIL import Image

from site_builder.figures.canvas.palette import INK, Ink
from site_builder.figures.canvas.svg import ITALIC, UPRIGHT, tidy
from site_builder.figures.canvas.text import ASCENT, DESCENT, LEADING, Words, font, run_width

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
_MATPLOTLIB: dict[Anchor, Literal["left", "center", "right"]] = {"start": "left", "middle": "center", "end": "right"}


@dataclass(frozen=True)
class Box:
    """A rectangle on the sheet."""

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

    def grown(self, by: float) -> "Box":
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def outline(self) -> Path:
        corners = [(self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)]
        return Path([*corners, corners[0]], closed=True)


class Sheet:
    """An empty sheet of this width; it is cut to its height when everything is on it."""

    def __init__(self, width: float) -> None:
        self.width = width
        self.height = 0.0
        self.written: list[tuple[str, Box]] = []
        self._paper = Paper(figsize=(width / 72, 1), dpi=72)
        self._paper.patch.set_visible(False)
        self._turn = Affine2D()
        self._count = 0
        self._transform: Transform = self._turn + self._paper.dpi_scale_trans

    def line(
        self,
        points: Sequence[Point] | np.ndarray,
        ink: Ink,
        width: float = 1.0,
        dash: tuple[float, ...] = (),
        clip: Box | None = None,
    ) -> None:
        """A line through the points; NaN interrupts it."""
        for run in _runs(np.asarray(points, dtype=float)):
            patch = PathPatch(Path(run), fill=False, edgecolor=ink.light, linewidth=width, capstyle="butt")
            if dash:
                patch.set_linestyle((0, tuple(step / width for step in dash)))
            self._put(patch, clip)

    def shape(
        self,
        path: Path,
        fill: Ink | None = None,
        edge: Ink | None = None,
        width: float = 1.0,
        hatch: str = "",
        hatch_ink: Ink = INK,
        hatch_opacity: float = 0.5,
        hatch_width: float = 1.0,
        opacity: float = 1.0,
        clip: Box | None = None,
    ) -> None:
        """A closed shape, filled, outlined or both."""
        patch = PathPatch(
            path,
            facecolor=(fill.light, opacity) if fill else "none",
            edgecolor=edge.light if edge else "none",
            linewidth=width if edge else 0,
        )
        if hatch:
            patch.set_hatch(hatch)
            patch.set_hatchcolor((hatch_ink.light, hatch_opacity))
            patch.set_hatch_linewidth(hatch_width)
        self._put(patch, clip)

    def write(
        self, line: Words, x: float, y: float, ink: Ink = INK, anchor: Anchor = "start", turned: bool = False
    ) -> None:
        """One line of words, the baseline at y; `turned`: upwards, the baseline at x."""
        if not line.runs and line.outline is None:
            return
        before = _SHARE[anchor] * line.width
        above, below = ASCENT * line.size, DESCENT * line.size
        if turned:
            box = Box(x - above, y + before - line.width, x + below, y + before)
        else:
            box = Box(x - before, y - above, x - before + line.width, y + below)
        self.written.append((line.text, box))
        if line.outline is not None:
            place = Affine2D().scale(1, -1).translate(-before, 0).rotate_deg(-90 if turned else 0).translate(x, y)
            self._put(PathPatch(line.outline.transformed(place), facecolor=ink.light, linewidth=0))
        else:
            self._put(_Line(line, (x, y), ink, anchor, turned))

    def write_block(
        self, block: Iterable[Words], x: float, top: float, ink: Ink = INK, anchor: Anchor = "start"
    ) -> float:
        """Lines of words one under the other from `top` on; where their foot is."""
        foot = top
        for i, line in enumerate(block):
            baseline = top + ASCENT * line.size + i * LEADING * line.size
            self.write(line, x, baseline, ink, anchor)
            foot = baseline + DESCENT * line.size
        return foot

    def image(self, pixels: np.ndarray, box: Box) -> None:
        """Pixels (rows from the top, columns, RGBA as bytes) stretched over the box, each one a crisp rectangle."""
        self._put(_Pixels(pixels, box))

    def cut(self, foot: float) -> None:
        """Everything is on the sheet: cut it below `foot`, to whole pixels."""
        self.height = float(math.ceil(foot))

    def svg(self) -> bytes:
        """The sheet as SVG in both colour schemes."""
        self._lay_out(72)
        raw = StringIO()
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        canvas: Any = FigureCanvasSVG(self._paper)
        canvas.print_svg(raw, metadata=metadata)
        return tidy(raw.getvalue(), round(self.width), round(self.height))

    def png(self) -> bytes:
        """The sheet as PNG in the light scheme on white, two pixels to a CSS pixel."""
        self._lay_out(144)
        canvas: Any = FigureCanvasAgg(self._paper)
        self._paper.patch.set(visible=True, facecolor="#ffffff")
        canvas.draw()
        self._paper.patch.set_visible(False)
        file = BytesIO()
        pixels = np.asarray(canvas.buffer_rgba())
        Image.fromarray(pixels[:, :, :3]).save(file, "png", compress_level=6)
        return file.getvalue()

    def _put(self, artist: Artist, clip: Box | None = None) -> None:
        artist.set_transform(self._transform)
        artist.set_figure(self._paper)
        artist.set_zorder(self._count)
        self._count += 1
        if clip is not None:
            artist.set_clip_path(clip.outline(), self._transform)
        self._paper.add_artist(artist)

    def _lay_out(self, dpi: int) -> None:
        self._paper.set_dpi(dpi)
        self._paper.set_size_inches(self.width / 72, self.height / 72)
        self._turn.clear().scale(1 / 72, -1 / 72).translate(0, self.height / 72)


class _Pixels(Artist):
    """An image that SVG embeds as it is and that PNG gets at the size of its own pixels."""

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
        """One <image>; its cells stay crisp unless they are smaller than a pixel, when the browser may average them."""
        box, (rows, columns) = self._box, self._pixels.shape[:2]
        place = {"x": box.left, "y": box.top, "width": box.width, "height": box.height}
        attributes = {name: f"{value:.2f}" for name, value in place.items()} | {"preserveAspectRatio": "none"}
        if min(box.width / columns, box.height / rows) >= 1:
            attributes["image-rendering"] = "pixelated"
        attributes["href"] = f"data:image/png;base64,{base64.b64encode(_small_png(self._pixels)).decode('ascii')}"
        writer.element("image", attrib=attributes)


def _small_png(pixels: np.ndarray) -> bytes:
    """RGBA pixels as PNG, with a palette where there are few colours."""
    flat = np.ascontiguousarray(pixels).view(np.uint32)[:, :, 0]
    colours, places = np.unique(flat, return_inverse=True)
    file = BytesIO()
    if len(colours) > 256:
        Image.fromarray(pixels).save(file, "png", compress_level=9)
        return file.getvalue()
    palette = colours.view(np.uint8).reshape(-1, 4)
    image = Image.fromarray(places.reshape(flat.shape).astype(np.uint8), "P")
    image.putpalette(np.ascontiguousarray(palette[:, :3]).tobytes())
    image.save(file, "png", compress_level=9, transparency=palette[:, 3].tobytes())
    return file.getvalue()


class _Line(Artist):
    """A line of words. SVG gets it as one text, its italics between marks that `svg` knows; PNG run by run."""

    def __init__(self, line: Words, place: Point, ink: Ink, anchor: Anchor, turned: bool) -> None:
        super().__init__()
        self._line, self._place, self._ink, self._anchor, self._turned = line, place, ink, anchor, turned

    def draw(self, renderer: Any) -> None:
        line = self._line
        if renderer.option_scale_image():
            whole = "".join(f"{ITALIC}{run.text}{UPRIGHT}" if run.italic else run.text for run in line.runs)
            self._text(whole, font(line.size, line.bold), self._place, self._anchor).draw(renderer)
            return
        done = -_SHARE[self._anchor] * line.width
        for run in line.runs:
            place = (self._place[0], self._place[1] - done) if self._turned else (self._place[0] + done, self._place[1])
            self._text(run.text, font(line.size, line.bold, run.italic), place, "start").draw(renderer)
            done += run_width(run, line.size, line.bold)

    def _text(self, text: str, font: FontProperties, place: Point, anchor: Anchor) -> Text:
        made = Text(
            *place,
            text,
            color=self._ink.light,
            fontproperties=font,
            parse_math=False,
            horizontalalignment=_MATPLOTLIB[anchor],
            verticalalignment="baseline",
            rotation=90 if self._turned else 0,
            rotation_mode="anchor",
        )
        made.set_transform(self.get_transform())
        paper: Any = self.get_figure(root=True)
        made.set_figure(paper)
        return made


def _runs(points: np.ndarray) -> list[np.ndarray]:
    """The stretches of points between those that are NaN."""
    there = np.isfinite(points).all(axis=1)
    breaks = np.flatnonzero(np.diff(there.astype(int))) + 1
    return [run for run in np.split(points, breaks) if len(run) > 1 and np.isfinite(run[0]).all()]


def dots(centres: np.ndarray, radius: float, marker: str = "circle") -> Path:
    """One compound shape of a marker at every centre (shape (n, 2))."""
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
