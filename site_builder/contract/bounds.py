"""Marks of result fields: Bounds, ErrorBound and NotFinite for their numbers; Estimate."""

import dataclasses
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
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


class AnnotationError(Exception):
    """Raised for an annotation that a value does not fit, or that cannot be read. record: the class of the field.

    cure: what to write.
    """

    def __init__(self, record: type, message: str, cure: str) -> None:
        super().__init__(message)
        self.record = record
        self.cure = cure


@cache
def annotations_of(record: type) -> dict[str, Any]:
    """The annotations of a dataclass, by field. Raises AnnotationError."""
    try:
        return get_type_hints(record, include_extras=True)
    except (NameError, AttributeError, SyntaxError, TypeError) as error:
        cure = "correct the name, or import it where the solver runs, too, and not under `if TYPE_CHECKING:` alone"
        raise AnnotationError(record, f"an annotation of {record.__name__} cannot be read: {error}", cure) from error


@cache
def marks_of(record: type, mark: type[MarkKind]) -> dict[str, MarkKind]:
    """The marks of one type by field of a dataclass. Raises AnnotationError."""
    hints = annotations_of(record)
    found = {each.name: _mark_in(hints[each.name], mark) for each in dataclasses.fields(record)}
    return {name: each for name, each in found.items() if each is not None}


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
        if not (math.isfinite(self.value) and 0 <= self.standard_error < math.inf and self.n >= 2):
            raise ValueError(f"{self}: a mean and its standard error are finite, and need 2 values at least")
