"""Records as JSON, for the cache: dataclasses and named tuples, written and read by the types of their fields.

Values of results, whose kinds are not known beforehand, are packed instead; see `packing`.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


def to_json(record: Any) -> bytes:
    """The record as one line of JSON; the same for equal records whose mappings have the same order."""
    return _adapter(type(record)).dump_json(record)  # type: ignore[arg-type]  # mypy: a class is not hashable


def from_json(kind: type[T], data: bytes) -> T:
    """The record of this kind that `to_json` was given. Raises ValueError when the bytes are not what it writes."""
    found: T = _adapter(kind).validate_json(data)  # type: ignore[arg-type]
    return found


@cache
def _adapter(kind: type) -> "TypeAdapter[Any]":
    """Converts records of a kind. It takes milliseconds to make, and most builds need few of them."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
