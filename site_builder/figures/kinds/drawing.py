"""Drawings: figures that solvers draw with matplotlib in their worker, and the files that are made of them."""

import numbers
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from site_builder.contract import Drawing, Frames, Grid, Look
from site_builder.errors import CuredError
from site_builder.figures.columns import DataColumn
from site_builder.figures.house_style import FIXED_SETTINGS, METADATA, NARROW, WIDE, is_in_use, look_of, one_figure
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.rendered import RenderedFigure, size_of, styled
from site_builder.figures.svg import clean_svg, dark_rules, mark_fixed
from site_builder.figures.words import plain_cell
from site_builder.markup.typeset import spoken

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

_LEAST_BEYOND = 2 / 72  # inches, by which something reaches over the edge of a figure
Pictures = tuple[bytes, bytes, bytes]  # SVG for wide screens and for phones, and PNG


class DrawingKind(Kind[Drawing]):
    """A picture that is drawn in the worker of its solver."""

    figure = Drawing

    def errors(self, figure: Drawing) -> Iterator[str]:
        if not figure.pictures:
            yield f"Drawing(...) begins with a {type(figure.figure).__name__}; it begins with a figure of matplotlib"
        for name, value in figure.data.items():
            if not isinstance(name, str) or not name.strip():
                yield f"its data has the name {name!r}, which is no text"
            if not isinstance(value, (Grid, numbers.Rational, float, np.integer, np.floating)):
                yield f"its data {name!r} is a {type(value).__name__}; data are numbers, rows of numbers and Grids"

    def render(self, figure: Drawing, has_png: bool = True) -> RenderedFigure:
        wide, narrow, png = figure.pictures
        return RenderedFigure(_svg(wide), _svg(narrow or wide), png if has_png else b"")

    def describe(self, figure: Drawing) -> str:
        return figure.title

    def size(self, figure: Drawing) -> int:
        return len(figure.data)

    def columns(self, figure: Drawing) -> list[DataColumn]:
        """One row for each number: its name, its coordinates as "axis = coordinate", and the number."""
        names, places, values = [], [], []
        for name, value in figure.data.items():
            if not isinstance(value, Grid):
                names.append(spoken(name))
                places.append("")
                values.append(plain_cell(value))
                continue
            for index, number in np.ndenumerate(value.values):
                at = zip(value.axes.items(), index, strict=True)
                names.append(spoken(name))
                places.append(", ".join(f"{axis} = {plain_cell(coordinates[i])}" for (axis, coordinates), i in at))
                values.append(plain_cell(number))
        columns = [DataColumn("data", names), DataColumn("of", [place or None for place in places])]
        return [*(columns if any(places) else columns[:1]), DataColumn("value", values)]

    def numbers(self, figure: Drawing) -> Iterable[Any]:
        return [value.values if isinstance(value, Grid) else value for value in figure.data.values()]


class Words(NamedTuple):
    """Title and alternative text of a figure that brings none."""

    title: str
    alt: str


def words_of(docstring: str, name: str) -> Words:
    """The first line of the docstring of a function of figures as title, the rest as alternative text."""
    first, _, rest = docstring.strip().partition("\n")
    return Words(first.rstrip(".") or name.replace("_", " ").capitalize(), " ".join(rest.split()))


def drawn_figure(make: Callable[[Look], Any], has_look: bool, words: Words, has_png: bool = True) -> Any:
    """The figure that `make` returns for a look, each matplotlib figure in it as a Drawing with pictures.

    With `has_look` it is called for wide screens and for phones, else for both together. has_png: whether the one for
    wide screens gets a PNG.

    Raises CuredError for what cannot be shown, and whatever `make` raises.
    """
    if not is_in_use():
        figure = make(look_of(WIDE))
        if _figure_in(getattr(figure, "figure", None)) is not None:
            message = "returns a figure of matplotlib, which no module of the solver imports"
            raise CuredError(message, "write import matplotlib.pyplot as plt, so that another version draws it anew")
        return figure
    wide = _saved(make, WIDE, words, has_png)
    if not has_look or not (count := len(drawings_in(wide))):
        return wide
    narrow = [each.pictures[0] for each in drawings_in(_saved(make, NARROW, words))]
    if len(narrow) != count:
        message = f"has {count} pictures at {WIDE} px and {len(narrow)} at {NARROW} px"
        raise CuredError(message, "return the same steps for each look")
    found = iter(narrow)

    def with_narrow(each: Any, label: str) -> Any:
        return replace(each, pictures=(each.pictures[0], next(found), each.pictures[2])) if drawings_in(each) else each

    return _changed(wide, with_narrow)


# Drawing


def _saved(make: Callable[[Look], Any], width: int, words: Words, has_png: bool = False) -> Any:
    """The figure that `make` returns for a look of this width, each picture of matplotlib in it saved."""
    from matplotlib import pyplot

    def save(figure: Any, label: str) -> Any:
        drawing = figure if isinstance(figure, Drawing) else Drawing(figure)
        if (found := _figure_in(drawing.figure)) is None:
            return figure
        data = {name: _as_grid(value) for name, value in drawing.data.items()}
        title, alt = drawing.title or label or words.title, drawing.alt or label or words.alt
        return replace(drawing, figure=None, pictures=_pictures(found, width, has_png), data=data, title=title, alt=alt)

    with one_figure(width):
        figure = make(look_of(width))
        if figure is None and pyplot.get_fignums():
            raise CuredError("draws with pyplot and returns nothing", "let it end with: return plt.gcf()")
        return _changed(figure, save)


def _changed(figure: Any, change: Callable[[Any, str], Any]) -> Any:
    """A figure, or the steps of Frames, changed. change: is given each of them, and its label as a step."""
    if steps := _steps(figure):
        return replace(figure, frames=tuple((label, change(step, label)) for label, step in steps))
    return change(figure, "")


def _steps(figure: Any) -> list[tuple[str, Any]]:
    """The steps of Frames; none where they are no pairs, which is refused elsewhere."""
    try:
        return [(label, step) for label, step in figure.frames] if isinstance(figure, Frames) else []
    except (TypeError, ValueError):
        return []


def drawings_in(figure: Any) -> list[Drawing]:
    """The drawings with pictures that a figure is or has as steps."""
    every = (figure, *(step for _, step in _steps(figure)))
    return [each for each in every if isinstance(each, Drawing) and each.pictures]


def _figure_in(value: Any) -> "Figure | None":
    """A matplotlib figure, also that of an Axes or of a grid of seaborn; None for all else."""
    module = sys.modules.get("matplotlib.figure")
    found = getattr(value, "figure", None)
    return found if module and isinstance(found, module.Figure) else None


def _as_grid(value: Any) -> Any:
    """Numbers in a row or table as a Grid over their indices; all else as it is."""
    if isinstance(value, Grid | str | Mapping) or not np.ndim(value):
        return value
    array = np.asarray(value)
    names = ["index"] if array.ndim == 1 else [f"index {n}" for n in range(1, array.ndim + 1)]
    return Grid(array, {name: range(size) for name, size in zip(names, array.shape, strict=True)})


def _pictures(figure: "Figure", width: int, has_png: bool) -> Pictures:
    """A figure as SVG, nothing, and PNG of twice the size."""
    import matplotlib

    if len(figure.get_children()) == 1:  # the background
        cure = "draw before return plt.gcf(); plt.close() and plt.figure() begin another figure"
        raise CuredError("returns an empty figure: nothing is drawn on it", cure)
    across, up = figure.get_size_inches()
    figure.set_size_inches(width / 72, round(width * up / across) / 72)
    figure.set_dpi(72)
    background = "auto" if _has_background(figure) else "none"
    svg, png = BytesIO(), BytesIO()
    with matplotlib.rc_context(FIXED_SETTINGS):
        box, layout = _box(figure), figure.get_layout_engine()
        figure.set_layout_engine(None)  # it has done its work, and would do it again for each file
        mark_fixed(figure)
        figure.savefig(svg, format="svg", dpi=72, bbox_inches=box, facecolor=background, metadata=METADATA)
        if has_png:
            white = background if background == "auto" else "white"
            figure.savefig(png, format="png", dpi=144, bbox_inches=box, facecolor=white, metadata={"Software": None})
        figure.set_layout_engine(layout)  # for a figure that the solver draws on again, for the other width
    return svg.getvalue(), b"", png.getvalue()


def _box(figure: "Figure") -> "Bbox":
    """The part that is shown, in inches: the figure, and what reaches over its edge, such as a legend beside it."""
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()
    own, tight = figure.bbox_inches, figure.get_tightbbox()
    if not np.isfinite(tight.extents).all():
        return own
    both = np.array(Bbox.union([own, tight]))
    if np.abs(both - np.array(own)).max() <= _LEAST_BEYOND:
        return own
    return Bbox(np.array([np.floor(72 * both[0]), np.ceil(72 * both[1])]) / 72)  # whole pixels


def _has_background(figure: "Figure") -> bool:
    """True when the figure has a background of its own that is not white."""
    from matplotlib.colors import to_rgba

    *colour, alpha = to_rgba(figure.get_facecolor())
    return bool(alpha) and min(colour) < 1


def _svg(raw: bytes) -> bytes:
    """The SVG with colours that follow the scheme of the page."""
    made = clean_svg(raw.decode(), *size_of(raw))
    return styled(made, dark_rules(made.decode()))
