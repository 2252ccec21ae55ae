"""A grid: an array whose axes have names and coordinates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

Coordinate = int | float | str | Fraction


@dataclass(frozen=True, eq=False)
class Grid:
    """Values over named axes, e.g. `Grid(value, {"flips": range(101), "score": range(-200, 201)})`.

    values: one entry for each combination of coordinates, in the order of `axes`; numbers, or an object array of
    Fractions and integers when they are exact.
    axes: the name of each axis and its coordinates, in the order of the dimensions.
    Raises ValueError when the shape and the coordinates disagree, or when an axis has a coordinate twice.
    """

    values: np.ndarray
    axes: Mapping[str, Sequence[Coordinate]]
    _places: Mapping[str, Mapping[Coordinate, int]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        axes = {name: _plain(coordinates) for name, coordinates in self.axes.items()}
        lengths = tuple(len(coordinates) for coordinates in axes.values())
        if self.values.shape != lengths:
            raise ValueError(f"a grid of shape {self.values.shape} has axes of lengths {lengths}")
        places = {name: {c: i for i, c in enumerate(coordinates)} for name, coordinates in axes.items()}
        for name, coordinates in axes.items():
            if len(places[name]) < len(coordinates):
                twice = next(c for i, c in enumerate(coordinates) if places[name][c] != i)
                raise ValueError(f"axis {name!r} of a grid has the coordinate {twice!r} twice")
        object.__setattr__(self, "axes", MappingProxyType(axes))
        object.__setattr__(self, "_places", MappingProxyType(places))

    def at(self, **coordinates: Coordinate) -> Any:
        """Return the value at one coordinate of every axis, e.g. `grid.at(flips=30, score=-10)`.

        Raises LookupError with the axis and its range when an axis is missing or has no such coordinate.
        """
        if missing := [name for name in self.axes if name not in coordinates]:
            raise LookupError(f"at() needs a coordinate for {', '.join(missing)}")
        value = self.values[tuple(self._place(name, coordinates[name]) for name in self._checked(coordinates))]
        return value.item() if isinstance(value, np.generic) else value

    def along(self, **coordinates: Coordinate) -> "Grid":
        """Return the grid over the other axes, with each named axis fixed at one coordinate."""
        self._checked(coordinates)
        index = tuple(
            self._place(name, coordinates[name]) if name in coordinates else slice(None) for name in self.axes
        )
        left = {name: c for name, c in self.axes.items() if name not in coordinates}
        return Grid(np.asarray(self.values[index]), left)

    def _checked(self, coordinates: Mapping[str, Coordinate]) -> Mapping[str, Sequence[Coordinate]]:
        for name in coordinates:
            if name not in self.axes:
                raise LookupError(f"the grid has no axis {name!r}; it has: {', '.join(self.axes)}")
        return self.axes

    def _place(self, name: str, coordinate: Coordinate) -> int:
        try:
            return self._places[name][coordinate]
        except KeyError:
            ends = self.axes[name]
            span = f"it runs from {ends[0]} to {ends[-1]}" if ends else "it is empty"
            raise LookupError(f"axis {name!r} has no coordinate {coordinate!r}; {span}") from None


def _plain(coordinates: Sequence[Any]) -> tuple[Coordinate, ...]:
    if isinstance(coordinates, range):  # the usual case, with plain numbers already
        return tuple(coordinates)
    return tuple(c.item() if isinstance(c, np.generic) else c for c in coordinates)
