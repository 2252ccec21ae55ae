"""The kinds of figures by their classes, and what is made of a figure: words, pictures, data and common colours.

A new kind is a module of this package and a line here, or comes from an extension.
"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from typing import Any

from site_builder.contract import Figure, Frames
from site_builder.errors import nearest
from site_builder.extension import ADDED_KINDS, class_name
from site_builder.figures.columns import DataColumn, exact_digits
from site_builder.figures.kinds.bars import BarsKind
from site_builder.figures.kinds.curve import CurveKind
from site_builder.figures.kinds.diagram import DiagramKind
from site_builder.figures.kinds.drawing import DrawingKind
from site_builder.figures.kinds.frames import FramesKind
from site_builder.figures.kinds.heatmap import HeatmapKind
from site_builder.figures.kinds.histogram import HistogramKind
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.kinds.policy_map import PolicyMapKind
from site_builder.figures.kinds.table import TableKind
from site_builder.figures.palette import HUES, hues_of
from site_builder.figures.rendered import RenderedFigure, data_table
from site_builder.markup.typeset import curled, spoken

_MOST_ROWS = 200_000  # more have no files, which would take gigabytes
_SINGLE: tuple[Kind[Any], ...] = (
    HeatmapKind(),
    PolicyMapKind(),
    CurveKind(),
    BarsKind(),
    HistogramKind(),
    DiagramKind(),
    TableKind(),
    DrawingKind(),
)
KINDS: dict[type, Kind[Any]] = {kind.figure: kind for kind in (*_SINGLE, FramesKind(_SINGLE))}


def is_figure(value: Any) -> bool:
    """Return whether a value is a figure of a kind that is known."""
    return type(value) in KINDS or class_name(type(value)) in ADDED_KINDS


def kind_of(figure: Figure) -> Kind[Any]:
    """Return the kind of a figure. A module may be loaded twice, by a solver and by its extension: names count."""
    return KINDS.get(type(figure)) or ADDED_KINDS[class_name(type(figure))].kind


def describe(figure: Figure) -> str:
    """Return the alt text of a figure: the author's own if there is one, else a few computed sentences."""
    if written := getattr(figure, "alt", "").strip():
        return curled(spoken(written))
    return curled(spoken(kind_of(figure).describe(figure)))


def data_files(figure: Figure, has_csv: bool = True) -> dict[str, bytes]:
    """Return the data of a figure as "csv", and as "table" what a page shows of it (see `data_table`).

    "csv" is empty for drawings without data, for maps with very many cells, and where it is not wanted.
    """
    kind = kind_of(figure)
    if not 0 < kind.size(figure) <= _MOST_ROWS:
        return {"csv": b"", "table": data_table()}
    columns = kind.all_columns(figure)
    return {"csv": _csv(columns) if has_csv else b"", "table": kind.table(figure, columns)}


def explore_script(figure: Figure, drawn: RenderedFigure) -> bytes:
    """Return a script that sets window.explored[its own address]; nothing for a figure that nobody can explore.

    It has for each step (most figures have one) an object, or null where that step cannot be explored. plot, narrow and
    spans are those of RenderedFigure; down: whether the other axis of a map runs downwards. axes: for each axis its
    words, and their positions (`at`) where these are not 0, 1, 2, ... layers: what readers can read of each cell, those
    of the first column first: words and a label for them, or names and their indices, -1 where there is none. costs:
    likewise the words of what each action costs, empty where that is nothing, with their unit.
    """
    if not kind_of(figure).axis_names(figure):
        return b""
    figures = [step for _, step in figure.frames] if isinstance(figure, Frames) else [figure]
    pairs = zip(figures, (drawn, *drawn.frames), strict=True)
    steps = [_facts(step, each) for step, each in pairs]
    text = json.dumps(steps, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"(window.explored ??= {{}})[document.currentScript.src] = {text};\n".encode()


def _facts(figure: Figure, drawn: RenderedFigure) -> dict[str, Any] | None:
    if not kind_of(figure).axis_names(figure):
        return None
    places = {"plot": drawn.plot, "narrow": drawn.narrow_plot, "spans": drawn.spans}
    return places | kind_of(figure).explored(figure)


class CommonColours:
    """The colours of names: those of `colours:` in the front matter, then those that figures bring, then by first use.

    Figures are coloured in the order of the text, so that those behind a figure do not change its colours.
    """

    def __init__(self, front: Mapping[str, str]) -> None:
        """front: `colours:` of the front matter."""
        self._front = front
        self._given = {name: hue for name, hue in front.items() if hue in HUES}
        self._used: dict[str, str] = {}
        self._names: dict[str, None] = {}

    def in_pages(self, name: str) -> str:
        """The colour that the front matter gives a name, for styles of the page; empty where it gives none."""
        self._names[name] = None
        hue = self._given.get(name)
        return f"light-dark({HUES[hue].line.light}, {HUES[hue].line.dark})" if hue else ""

    def coloured(self, figure: Any) -> Any:
        """The figure with a colour for each name in it."""
        if isinstance(figure, Frames):
            return replace(figure, frames=tuple((label, self.coloured(step)) for label, step in figure.frames))
        kind = kind_of(figure)
        names = kind.names(figure, self._given)
        if not names:
            return figure
        given = {**self._used, **kind.colours(figure), **self._given}
        is_alone = len(names) == 1  # with nothing to tell it from
        front, used = self._given.values(), [] if is_alone else self._used.values()
        found = dict(zip(names, hues_of(names, given, kind.hues, [front, used]), strict=True))
        if names.count("") > 1:
            del found[""]
        self._names |= dict.fromkeys(names)
        self._used |= {} if is_alone else found
        return replace(figure, colours=found)

    def errors(self) -> Iterator[tuple[str, str, str]]:
        """The errors of `colours:` once all figures and boards are made: the name, the message and the cure."""
        known = [name for name in self._names if name]
        for name, hue in self._front.items():
            if hue not in HUES:
                yield name, f"{hue!r} is no colour of figures", nearest(hue, HUES)
            if name not in known:
                yield name, f"no figure or board of this post has the name {name!r}", nearest(name, known)


def _csv(columns: Sequence[DataColumn]) -> bytes:
    """The columns as CSV by RFC 4180, with a header row; Fractions as floats, these with all digits, None as empty."""

    def written(cell: Any) -> str:
        if isinstance(cell, Fraction) and abs(cell) < 2**1023:  # beyond, no float is near
            cell = float(cell)
        return "" if cell is None else repr(cell) if isinstance(cell, float) else exact_digits(cell)

    file = StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([column.label for column in columns])
    writer.writerows(zip(*([written(cell) for cell in column.cells] for column in columns), strict=True))
    return file.getvalue().encode()
