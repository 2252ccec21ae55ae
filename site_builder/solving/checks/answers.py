"""Answers of checks -> comparisons of expected with found values, field by field.

A field of a result is a leaf, such as "flips", or "rule.threshold" within a record. A record is a dataclass or a short
mapping of names.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np

from site_builder.contract import Estimate, Grid
from site_builder.contract.answers import Marked, Tolerance
from site_builder.errors import CuredError, nearest
from site_builder.solving.checks.tolerances import EQUAL, Part, plain
from site_builder.values.plain_values import classify, text_of

_MOST_NAMES = 40  # of a mapping that is a record
_MOST_CHOICES = 12  # different values of a field of labels, such as the moves of a policy

Pair = tuple[Tolerance, Any, Any, int, str]
"""A tolerance, an expected value and what was found, the number of values in it, and its place in words."""


@dataclass(frozen=True)
class Comparison:
    """A leaf of a result beside what a check answers for it, as a worker packs it; or a law, which has no leaf.

    check, kind, field, leaves, parameters, cure, place: see CheckOutcome. parts: what is compared; cells: so many of
    all `total` values, and places those of bounds on some of them. failed: what differs, where that is known already;
    found: what a certificate says.
    """

    check: str = ""
    kind: str = "answer"
    field: str = ""
    parts: Sequence[Part] = ()
    cells: int = 0
    total: int = 0
    places: tuple[str, ...] = ()
    failed: str = ""
    found: str = ""
    leaves: tuple[str, ...] = ()
    parameters: str = ""
    cure: str = ""
    place: tuple[str, int] | None = None


def comparisons(leaf: str, answer: Any, found: Any) -> Iterator[Comparison]:
    """The comparisons of a field, one for each of its leaves that the check answers. Raises CuredError."""
    fields = record_fields(found)
    if fields is None:
        total = cells_in(found)
        pairs = list(_pairs(answer, found, leaf, cache(lambda: _choices(found) if total > 1 else 0)))
        cells = min(total, sum(each[3] for each in pairs))
        groups = [(tolerance, list(group)) for tolerance, group in groupby(pairs, key=itemgetter(0))]
        parts = [(tolerance, [each[1] for each in group], [each[2] for each in group]) for tolerance, group in groups]
        places = tuple(each[4] for each in pairs) if cells < total and any(each[0].is_bound for each in pairs) else ()
        yield Comparison(field=leaf, parts=parts, cells=cells, total=total, places=places)
        return
    for name, own in _named_answers(leaf, answer, found).items():
        if name not in fields:
            raise CuredError(f"{leaf} has no {name!r}", nearest(name, list(fields)))
        yield from comparisons(f"{leaf}.{name}", own, fields[name])


def record_fields(value: Any) -> Mapping[str, Any] | None:
    """The fields of a record by name; None for every other value."""
    kind, content = classify(value)
    if kind == "record":
        return content  # type: ignore[no-any-return]
    is_named = kind == "mapping" and 0 < len(content) <= _MOST_NAMES
    return content if is_named and all(isinstance(name, str) and name.isidentifier() for name in content) else None


def leaves_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The leaves of a result, or of a record, with their values."""
    leaves: dict[str, Any] = {}
    for name, value in fields.items():
        inner = record_fields(value)
        leaves |= {name: value} if not inner else {f"{name}.{leaf}": each for leaf, each in leaves_of(inner).items()}
    return leaves


def cells_in(value: Any) -> int:
    """The number of values in a value."""
    kind, content = classify(value)
    if kind in ("grid", "array"):
        return prod((content.values if kind == "grid" else content).shape)
    if kind in ("sequence", "mapping", "record"):
        return sum(map(cells_in, content if kind == "sequence" else content.values()))
    return 1


def _named_answers(leaf: str, answer: Any, found: Any) -> Mapping[str, Any]:
    """The answer to a record by the names of its fields; a mark goes to each of them."""
    if isinstance(answer, Marked) and answer.tolerance.kind != "one of":
        inner = _named_answers(leaf, answer.value, found)
        return {name: _marked(value, answer.tolerance) for name, value in inner.items()}
    fields = None if isinstance(answer, Marked) else record_fields(answer)
    if fields is not None:
        return fields
    if isinstance(found, Estimate) and not isinstance(answer, (str, Mapping)):
        return {"value": answer}
    shown = "one of several" if isinstance(answer, Marked) else text_of(answer)
    cure = f"return a mapping of its fields: {', '.join(record_fields(found) or ())}"
    raise CuredError(f"{leaf} is a record, and the answer is {shown}", cure)


def _pairs(answer: Any, found: Any, at: str, choices: Callable[[], int]) -> Iterator[Pair]:
    """The expected and found values of an answer with the tolerance of each. choices: counts the labels of the leaf."""
    mark, value = (answer.tolerance, answer.value) if isinstance(answer, Marked) else (EQUAL, answer)
    if isinstance(value, Mapping):
        for key, own, cell in _cells(value, found, at):
            yield from _pairs(_marked(own, mark), cell, f"{at}[{key!r}]", choices)
    elif mark is EQUAL and _has_marks(value):
        kind, entries = classify(found)
        if kind not in ("sequence", "array") or len(entries) != len(value):
            raise CuredError(f"{at} has not the {len(value)} entries of the answer", "return as many as it has")
        for place, own in enumerate(value):
            yield from _pairs(own, entries[place], f"{at}[{place}]", choices)
    elif mark.kind == "one of" and all(map(_is_move, value)):
        yield mark, tuple(map(repr, value)), repr(plain(found)), cells_in(found), at
    elif mark.kind == "one of":
        expected = tuple(_values(each, found, at) for each in value)
        yield Tolerance("one of", choices=choices()), expected, _values(found), cells_in(found), at
    else:
        yield mark, _values(value, found, at), _values(found), cells_in(found), at


def _cells(answer: Mapping[Any, Any], found: Any, at: str) -> Iterator[tuple[Any, Any, Any]]:
    """The cells of an answer: the key of each, what is expected and what was found. Raises CuredError."""
    given, around = set[tuple[Any, ...]](), set[tuple[Any, ...]]()
    for key, value in answer.items():
        path, cell = _cell(found, key, at)
        outer = {path[:length] for length in range(1, len(path) + 1)}
        if path in around or not given.isdisjoint(outer):
            raise CuredError(f"{at} is given twice at {text_of(key)}", "return each cell once")
        given.add(path)
        around |= outer
        yield key, value, cell


def _cell(found: Any, key: Any, at: str) -> tuple[tuple[Any, ...], Any]:
    """The one path that leads to the value at an index, a coordinate or a key; and the value. Raises CuredError."""
    keys = key if isinstance(key, tuple) else (key,)
    try:
        if isinstance(found, Grid):
            return keys, found.at(**dict(zip(found.axes, keys, strict=True)))
        if isinstance(found, Mapping):
            return (key,), found[key]
        path: list[Any] = []
        for index in keys:
            path.append(index if isinstance(found, Mapping) else range(len(found))[index])  # -1 is the last one
            found = found[path[-1]]
        return tuple(path), found
    except (LookupError, TypeError, ValueError) as error:
        raise CuredError(f"{at} has nothing at {text_of(key)}", f"there is: {_keys_in(found)}") from error


def _keys_in(found: Any) -> str:
    """The keys, indices or coordinates of a value, in words."""
    if isinstance(found, Grid):
        return ", ".join(f"{name} {text_of(axis[0])} to {text_of(axis[-1])}" for name, axis in found.axes.items())
    if isinstance(found, Mapping):
        keys = [text_of(key) for key in found]
        return ", ".join(keys[:_MOST_NAMES]) + (f" and {len(keys) - _MOST_NAMES:,} more" * (len(keys) > _MOST_NAMES))
    if isinstance(found, np.ndarray) and found.ndim:
        return f"({', '.join(f'0 to {length - 1}' for length in found.shape)})"
    return f"0 to {len(found) - 1}" if isinstance(found, (list, tuple)) and found else "a single value"


def _choices(found: Any) -> int:
    """The number of different whole numbers or texts; 0 where there are more than labels, or others."""
    values = tuple(found.values()) if isinstance(found, Mapping) else _values(found)
    different, waiting = set[int | str](), [plain(values, has_labels=True)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            waiting += value
            continue
        different.add(value)
        if not isinstance(value, (int, str)) or len(different) > _MOST_CHOICES:
            return 0
    return len(different)


def _is_move(value: Any) -> bool:
    """True for a tuple of labels, which is compared whole, such as the move (0, 57) or a list of moves."""
    return isinstance(value, tuple) and len(value) > 1 and all(map(_is_label, value))


def _is_label(value: Any) -> bool:
    is_single = type(value) in (int, str, bool, type(None))
    return is_single or (isinstance(value, tuple) and all(map(_is_label, value)))


def _marked(value: Any, tolerance: Tolerance) -> Any:
    """The value with a tolerance, unless it has one of its own."""
    return value if tolerance is EQUAL or isinstance(value, Marked) else Marked(value, tolerance)


def _values(value: Any, found: Any = None, at: str = "") -> Any:
    """The values of a Grid, anything else as it is. Raises CuredError where its axes are others than those found."""
    if not isinstance(value, Grid):
        return value
    if isinstance(found, Grid) and list(value.axes.items()) != list(found.axes.items()):
        raise CuredError(f"the axes of {at} are others than those of the answer", "return the coordinates that it has")
    return value.values


def _has_marks(answer: Any) -> bool:
    """True for a list in which something is marked, or given by its indices."""
    if not isinstance(answer, (list, tuple)):
        return False
    return any(isinstance(each, (Marked, Mapping)) or _has_marks(each) for each in answer)
