"""Drawings: pictures that functions of solvers draw."""

import numbers
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from site_builder.contract import Drawing, Grid
from site_builder.figures.cell_texts import plain_cell
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.rendered import RenderedFigure
from site_builder.markup.typeset import spoken


class DrawingKind(Kind[Drawing]):
    """A picture that is drawn in the worker of its solver."""

    figure = Drawing
    name = "drawing"

    def errors(self, figure: Drawing) -> Iterator[str]:
        if not figure.pictures:
            yield f"Drawing(...) begins with a {type(figure.figure).__name__}; it begins with a figure of matplotlib"
        for name, value in figure.data.items():
            if not isinstance(name, str) or not name.strip():
                yield f"its data has the name {name!r}, which is no text"
            if not isinstance(value, (Grid, numbers.Rational, float, np.integer, np.floating)):
                yield f"its data {name!r} is a {type(value).__name__}; data are numbers, rows of numbers and Grids"

    def render(self, figure: Drawing) -> RenderedFigure:
        from site_builder.figures.drawings import rendered

        return rendered(figure)

    def describe(self, figure: Drawing) -> str:
        return figure.title

    def warnings(self, figure: Drawing) -> Iterator[str]:
        yield from figure.warnings

    def has_data(self, figure: Drawing) -> bool:
        return bool(figure.data)

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
