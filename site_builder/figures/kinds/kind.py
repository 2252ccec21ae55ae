"""The interface of a kind of figure: one class, which `registry` has in its list."""

import dataclasses
import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsFloat, TypeVar, get_args, get_origin

import numpy as np

from site_builder.figures.columns import DataColumn, short_table, unique_labels, with_exact
from site_builder.figures.house_style import FIXED_SETTINGS, default_settings
from site_builder.figures.palette import HUES, OF_LINES, hues_of
from site_builder.figures.rendered import RenderedFigure
from site_builder.values import number_format
from site_builder.values.literals import shortened

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas

F = TypeVar("F")
MOST_EXPLORED = 40_000  # cells of a map, or of all steps; no reader explores more


class Kind(ABC, Generic[F]):
    """A kind of figure: the rules that its data keep, how it is drawn, its words and its data.

    figure: its class of the contract. hues: in the order in which its names take them.
    """

    figure: type[F]
    hues: tuple[str, ...] = OF_LINES

    def errors(self, figure: F) -> Iterator[str]:
        """Yield the parts of the figure that do not fit each other, in words."""
        yield from ()

    def first_error(self, figure: F) -> str:
        """Return the first error in the figure, in words; empty if it has none."""
        try:
            return next(chain(_field_errors(figure), self._colour_errors(figure), self.errors(figure)), "")
        except (TypeError, ValueError, AttributeError) as error:  # a part of the wrong type
            return f"it is not made as the contract says: {error}"

    def _colour_errors(self, figure: F) -> Iterator[str]:
        for name, colour in self.colours(figure).items():
            if colour not in HUES:
                yield f"{name!r} has the colour {colour!r}; colours are {', '.join(HUES)}"

    def names(self, figure: F, given: Collection[str]) -> list[str]:
        """Return the names that its colours stand for; none where these show values. given: that have a colour."""
        return []

    def colours(self, figure: F) -> dict[str, str]:
        """Return the colours that the figure itself has for names."""
        return dict(getattr(figure, "colours", {}))

    def hues_of(self, figure: F) -> list[str]:
        """Return the hue of each of its names."""
        given = self.colours(figure)
        return hues_of(self.names(figure, given), given, self.hues)

    def draw(self, figure: F, canvas: "Canvas") -> None:
        """Draw the figure on a canvas for wide or for narrow screens. No module of a kind imports matplotlib."""
        raise TypeError(f"a {type(figure).__name__} is not drawn")

    def render(self, figure: F, has_png: bool = True) -> RenderedFigure:
        """Draw the figure as its files; the same data gives the same bytes. has_png: whether PNG is one of them.

        Raises TypeError for a figure that is not drawn, such as a Table, and ValueError when a number cannot be written
        in the format of `cell_text` or `value_text`.
        """
        import matplotlib

        from site_builder.figures.canvas.canvas import NARROW, WIDE, Canvas

        settings: Any = default_settings() | FIXED_SETTINGS
        with matplotlib.rc_context(settings), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            wide, narrow = Canvas(WIDE), Canvas(NARROW)
            self.draw(figure, wide)
            self.draw(figure, narrow)
            return RenderedFigure(
                svg=wide.svg(),
                narrow_svg=narrow.svg(),
                png=wide.png() if has_png else b"",
                plot=wide.plot_shares(),
                narrow_plot=narrow.plot_shares(),
                spans=wide.spans,
            )

    @abstractmethod
    def describe(self, figure: F) -> str:
        """Return the figure in one to three sentences, for readers who do not see it."""

    def columns(self, figure: F) -> list[DataColumn]:
        """Return the data of the figure; exact values as they are."""
        raise TypeError(f"a {type(figure).__name__} shows its data itself")

    def all_columns(self, figure: F) -> list[DataColumn]:
        """Return the columns under unique labels, with one more for each that has fractions."""
        return unique_labels([whole for column in self.columns(figure) for whole in with_exact(column)])

    def size(self, figure: F) -> int:
        """Return about how many rows its data have; 0 for a picture without any."""
        return 1

    def table(self, figure: F, columns: Sequence[DataColumn]) -> bytes:
        """Return what a page shows of the data, see `data_table`. columns: what the files have."""
        return short_table(columns)

    def numbers(self, figure: F) -> Iterable[Any]:
        """Return the numbers, arrays and lists of numbers that the figure shows as values; no coordinates."""
        return ()

    def axis_names(self, figure: F) -> tuple[str, ...]:
        """Return what the axes count, the horizontal one first; nothing where nobody can explore the figure."""
        return ()

    def explored(self, figure: F) -> dict[str, Any]:
        """Return the words that readers who explore the figure can read at each place, see `explore_script`."""
        return {}

    def scales(self, figure: F) -> dict[str, np.ndarray]:
        """Return, for each field that sets a scale, all numbers that the scale has to hold."""
        return {}


def format_errors(form: str) -> Iterator[str]:
    """The error of a format, such as "number(2)"; none where it is empty."""
    try:
        if form:
            number_format.read_form(form)
    except ValueError as error:
        yield str(error)


def _field_errors(part: Any) -> Iterator[str]:
    """Fields of a figure and of its parts whose values are not of the type that the contract gives them."""
    for field in dataclasses.fields(part):
        value, kind = getattr(part, field.name), field.type
        if isinstance(kind, UnionType) and get_args(kind)[1:] == (NoneType,):  # such as float | None
            kind = Any if value is None else get_args(kind)[0]
        shown, entry = f"its {field.name} is {shortened(repr(value))}", (get_args(kind) or [Any])[0]
        if kind in _FIELDS and not _FIELDS[kind][0](value):
            yield f"{shown}; write {_FIELDS[kind][1]}"
        elif get_origin(kind) is Literal and value not in get_args(kind):
            yield f"{shown}; write one of {', '.join(map(repr, get_args(kind)))}"
        elif get_origin(kind) is tuple and dataclasses.is_dataclass(entry):
            if not isinstance(value, (tuple, list)) or any(type(each).__name__ != entry.__name__ for each in value):
                yield f"{shown}; write a tuple of {entry.__name__}(...)"  # a module may be loaded twice: names count
            else:
                yield from chain.from_iterable(map(_field_errors, value))


def _is_number(value: Any) -> bool:
    return isinstance(value, SupportsFloat) and math.isfinite(value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, (tuple, list)) and len(value) == 2 and all(map(_is_number, value))


def _has_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(each, str) for each in (*value, *value.values()))


# By the type of a field: whether a value is of it, and what is to be written.
_FIELDS: dict[Any, tuple[Callable[[Any], bool], str]] = {
    str: (lambda value: isinstance(value, str), "a text"),
    bool: (lambda value: isinstance(value, (bool, np.bool_)), "True or False"),
    float: (_is_number, "a number"),
    tuple[float, float]: (_is_pair, "two numbers, such as (0, 1)"),
    Mapping[str, str]: (_has_texts, 'a mapping of names to texts, such as {"a name": "a text"}'),
}
