"""A rendered figure as plain data: its files, their sizes and digests, and the data table that a page shows."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from site_builder.values.digest import digest


@dataclass(frozen=True)
class RenderedFigure:
    """The files of a figure. Both SVGs follow the reader's light or dark scheme.

    svg: for wide screens. narrow_svg: for phones, laid out for their width. png: the wide one at twice its size, in the
    light scheme on white, for feeds and share cards. frames: of Frames the steps after the first, which is the figure;
    its PNG is then that of the last step.
    plot, narrow_plot: of maps and curves left, top, width and height of the rectangle between the axes, as shares of
    the drawing. spans: of the axis across, and of maps of the other one too, the positions at both ends of the plot: in
    numbers of the axis, or in cells counted from 0, whose middles have whole numbers.
    """

    svg: bytes
    narrow_svg: bytes
    png: bytes
    frames: tuple["RenderedFigure", ...] = ()
    plot: tuple[float, ...] = ()
    narrow_plot: tuple[float, ...] = ()
    spans: tuple[tuple[float, float], ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the width and height in both versions, in CSS pixels."""
        return (*size_of(self.svg), *size_of(self.narrow_svg))


def size_of(svg: bytes) -> tuple[int, int]:
    """Return the width and height of an SVG, in CSS pixels."""
    _, _, width, height = re.search(rb'viewBox="([^"]+)"', svg)[1].split()  # type: ignore[index]
    return round(float(width)), round(float(height))


@dataclass(frozen=True)
class FigureFiles:
    """The parts of a rendered figure that pages need.

    digests: of each file by its kind: "svg", "narrow_svg", "png", "table" (what a page shows of its data, see
    `data_table`), "csv" where it has data and "js" where readers can explore it; those of the second step of Frames are
    "svg 2" and "narrow_svg 2". sizes: of each step the width and height in both versions. axes: the names of
    its axes where readers can explore it, of a curve of one. missing_letters: those that its PNG cannot show.
    """

    digests: Mapping[str, str]
    sizes: tuple[tuple[int, ...], ...]
    axes: tuple[str, ...] = ()
    missing_letters: str = ""

    def with_style(self, style: str) -> Self:
        """The same figure with other digests of its SVGs, which have this style; without one, as it is."""
        if not style:
            return self
        digests = {kind: digest(each, style) if "svg" in kind else each for kind, each in self.digests.items()}
        return replace(self, digests=digests)


PICTURES = ("svg", "narrow_svg", "png")


def styled(svg: bytes, style: str) -> bytes:
    """The SVG of a rendered figure with these rules after its own."""
    return svg.replace(b"</style>", style.encode() + b"</style>", 1)


def data_table(
    heads: Sequence[tuple[str, bool]] = (),
    rows: Sequence[Sequence[str]] = (),
    columns_axis: str = "",
) -> bytes:
    """Return what a page shows of a figure's data, as JSON; the first cell of each row is its header.

    heads: for each column its label and whether it is numeric. columns_axis: the label of the axis whose coordinates
    are the column heads; empty if they are no coordinates.
    """
    named = [{"label": label, "numeric": numeric} for label, numeric in heads]
    table = {"heads": named, "rows": rows, "columns_axis": columns_axis}
    return json.dumps(table, ensure_ascii=False).encode()
