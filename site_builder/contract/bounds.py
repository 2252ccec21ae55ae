"""Marks of result fields: Bounds, ErrorBound and NotFinite for their numbers; Estimate."""

import dataclasses
import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar, get_args, get_type_hints

MarkKind = TypeVar("MarkKind")


@dataclass(frozen=True)
class Bounds:
    """Marks a field whose numbers, at any depth, lie between two: `Annotated[Fraction, Bounds(0, 1)]`.

    The builder refuses a result with a number outside, by more than the rounding of floats. Numbers that are not finite
    are left to NotFinite. low, high: None for no bound.
    """

    low: int | Fraction | float | None
    high: int | Fraction | float | None


@dataclass(frozen=True)
class ErrorBound:
    """Marks a field whose floats are off the exact numbers by at most `error`: `Annotated[float, ErrorBound(1e-12)]`.

    Posts print no digit beyond that, and of a float without this mark at most 6. The field holds a float, or a tuple or
    mapping of floats; what is computed from it in a post has no mark. Where the bound comes from (a number of steps
    times the rounding of each, say) stands in the docstring of the solver.
    """

    error: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.error) and self.error > 0):
            raise ValueError(f"ErrorBound({self.error!r}); write the largest error, such as ErrorBound(1e-12)")


@dataclass(frozen=True)
class NotFinite:
    """Marks a field that may hold infinity or NaN: `Annotated[Grid, NotFinite("no play leads there")]`.

    why: the meaning of such a number. The field is one of a dataclass in a result; without the mark the builder refuses
    a result that is not finite, and every parameter that is not.
    """

    why: str


class AnnotationError(TypeError):
    """Raised for an annotation that names what does not exist when the solver runs. record, field: where it is."""

    def __init__(self, record: type, field: str, error: NameError) -> None:
        super().__init__(f"the annotation of {record.__name__}.{field} cannot be read: {error}")
        self.record = record
        self.field = field


@cache
def marks_of(record: type, mark: type[MarkKind]) -> dict[str, MarkKind]:
    """The marks of one type by field of a dataclass. Raises AnnotationError."""
    found = {each.name: _mark_in(_hint(record, each.name), mark) for each in dataclasses.fields(record)}
    return {name: each for name, each in found.items() if each is not None}


def declared_by(record: type, field: str) -> type:
    """The class that declares a field of a record: the record's own or one of its bases."""
    return next(kind for kind in record.__mro__ if field in vars(kind).get("__annotations__", {}))


def _hint(record: type, field: str) -> Any:
    owner = declared_by(record, field)
    alone = SimpleNamespace(__annotations__={field: owner.__annotations__[field]})
    try:
        return get_type_hints(alone, vars(sys.modules[owner.__module__]), include_extras=True)[field]
    except NameError as error:
        raise AnnotationError(record, field, error) from error


def _mark_in(hint: Any, mark: type[MarkKind]) -> MarkKind | None:
    own = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, mark)]
    return own[0] if own else next((found for part in get_args(hint) if (found := _mark_in(part, mark))), None)


@dataclass(frozen=True)
class Estimate:
    """A mean of n independent values, such as a share of n simulated games, and its standard error.

    The filter `estimate` writes it as `0.7919 ± 0.0040`; no other filter writes it.
    """

    value: float
    standard_error: float
    n: int

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and math.isfinite(self.standard_error)) or self.standard_error < 0:
            raise ValueError(f"an Estimate of {self.value} with a standard error of {self.standard_error}")
        if self.n < 2:
            raise ValueError(f"an Estimate from n = {self.n}; a standard error needs 2 values at least")
