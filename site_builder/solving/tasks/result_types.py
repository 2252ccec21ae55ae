"""Values of a dataclass in a result whose type is not the annotated one."""

import dataclasses
import types
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from numbers import Integral, Rational
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import numpy as np

_ACCEPTED: dict[Any, tuple[type, ...]] = {
    int: (Integral,),
    float: (float, int, np.floating, np.integer),
    Fraction: (Rational,),
    bool: (bool, np.bool_),
    str: (str,),
    type(None): (type(None),),
}


class WrongType(NamedTuple):
    """A value of another type than its field has. record, field: where it is; wanted: the annotation."""

    record: type
    field: str
    value: Any
    wanted: str


def find_wrong_type(value: Any) -> WrongType | None:
    """The first value of another type than annotated, in a dataclass at any depth of a result."""
    return next(_in(value), None)


def _in(value: Any) -> Iterator[WrongType]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if not type(value).__module__.startswith("solvers."):
            return
        hints = _hints(type(value))
        for field in (each for each in dataclasses.fields(value) if each.init):
            own = getattr(value, field.name)
            hint = hints.get(field.name, Any)
            if not _is_of(own, hint):
                yield WrongType(type(value), field.name, own, str(getattr(hint, "__name__", hint)))
            yield from _in(own)
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _in(entry)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _in(entry)


def _hints(kind: type) -> dict[str, Any]:
    try:
        return get_type_hints(kind)
    except NameError:  # reported where marks of fields are read
        return {}


def _is_of(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is Annotated:
        return _is_of(value, inner[0])
    if origin in (Union, types.UnionType):
        return any(_is_of(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    if hint in _ACCEPTED:
        return isinstance(value, _ACCEPTED[hint]) and (hint is bool or not isinstance(value, (bool, np.bool_)))
    if origin in (tuple, list) or (isinstance(origin, type) and issubclass(origin, Sequence)):
        return isinstance(value, (list, tuple, range)) and all(map(_is_of, value, _entries(inner, len(value))))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(_is_of(each, inner[1]) for each in value.values())
    return not isinstance(hint, type) or origin is not None or isinstance(value, hint)


def _entries(inner: Sequence[Any], length: int) -> Sequence[Any]:
    """The types of the entries of a list or tuple."""
    is_same = len(inner) == 1 or (len(inner) == 2 and inner[1] is Ellipsis)
    return [inner[0]] * length if is_same else inner if len(inner) == length else [_Nothing] * length


class _Nothing:
    """The type of no value."""
