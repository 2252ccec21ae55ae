"""Answers of checks -> comparisons of expected with found values, field by field.

A field of a result is a leaf, such as "flips", or "rule.threshold" within a record. A record is a dataclass or a short
mapping of names.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from site_builder.contract import Estimate, Grid
from site_builder.contract.answers import Marked, Tolerance
from site_builder.errors import CuredError, nearest
from site_builder.solving.checks.tolerances import EQUAL, Part, entries
from site_builder.values.plain_values import classify, text_of

_MOST_NAMES = 40  # of a mapping that is a record
_MOST_CHOICES = 12  # different values of a field of labels, such as the moves of a policy


@dataclass(frozen=True)
class Comparison:
    """A leaf of a result beside what a check returned for it.

    parts: a tolerance, with the expected and the found values that have it. cells: of each pair, how many of all the
    `total` values it compares. found: the value of the leaf.
    """

    leaf: str
    total: int
    found: Any
    parts: list[Part] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)

    @cached_property
    def choices(self) -> int:
        """The number of different values of a leaf with several labels, such as a policy; 0 for all others."""
        return _choices(self.found) if self.total > 1 else 0


def comparisons(leaf: str, answer: Any, found: Any) -> Iterator[Comparison]:
    """The comparisons of a field, one for each of its leaves that the check answers. Raises CuredError."""
    fields = record_fields(found)
    if fields is None:
        made = Comparison(leaf, cells_in(found), found)
        _compare(made, answer, found, leaf)
        yield made
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
    match kind:
        case "grid":
            return int(content.values.size)
        case "array":
            return prod(content.shape)
        case "sequence":
            return sum(map(cells_in, content))
        case "mapping" | "record":
            return sum(map(cells_in, content.values()))
    return 1


def _named_answers(leaf: str, answer: Any, found: Any) -> Mapping[str, Any]:
    """The answer to a record by the names of its fields; a mark goes to each of them."""
    if isinstance(answer, Marked) and answer.tolerance.kind == "one of":
        each = [_named_answers(leaf, value, found) for value in answer.value]
        return {name: _marked(tuple(one[name] for one in each), answer) for name in each[0]} if each else {}
    if isinstance(answer, Marked):
        inner = _named_answers(leaf, answer.value, found)
        return {name: _marked(value, answer) for name, value in inner.items()}
    fields = record_fields(answer)
    if fields is None and isinstance(found, Estimate) and not isinstance(answer, (str, Mapping)):
        return {"value": answer}
    if fields is None:
        cure = f"return a mapping of its fields: {', '.join(record_fields(found) or ())}"
        raise CuredError(f"{leaf} is a record, and the answer is {text_of(answer)}", cure)
    return fields


def _compare(made: Comparison, answer: Any, found: Any, at: str) -> None:
    """Add the parts of a comparison: one for each mark."""
    if isinstance(answer, Marked) and answer.tolerance.kind == "one of":
        is_whole = all(map(_is_move, answer.value))
        tolerance = Tolerance("one of", choices=0 if is_whole else made.choices, is_whole=is_whole)
        _add(made, tolerance, tuple(map(_values, answer.value)), _values(found))
    elif isinstance(answer, Marked) and isinstance(answer.value, Mapping):
        _compare(made, {key: _marked(value, answer) for key, value in answer.value.items()}, found, at)
    elif isinstance(answer, Marked):
        _add(made, answer.tolerance, _values(answer.value), _values(found))
    elif isinstance(answer, Mapping):
        paths, around = set[tuple[Any, ...]](), set[tuple[Any, ...]]()
        for key, value in answer.items():
            path, cell = _cell(found, key, at)
            outer = {path[:length] for length in range(1, len(path))}
            if path in paths or path in around or outer & paths:
                raise CuredError(f"{at} is given twice at {text_of(key)}", "return each cell once")
            paths.add(path)
            around |= outer
            _compare(made, value, cell, f"{at}[{key!r}]")
    elif _has_marks(answer):
        if not isinstance(found, (Sequence, np.ndarray)) or len(found) != len(answer):
            raise CuredError(f"{at} has not the {len(answer)} entries of the answer", "return as many as it has")
        for place, value in enumerate(answer):
            _compare(made, value, found[place], f"{at}[{place}]")
    elif isinstance(answer, Grid) and isinstance(found, Grid) and _axes(answer) != _axes(found):
        raise CuredError(f"the axes of {at} are others than those of the answer", "return the coordinates that it has")
    else:
        _add(made, EQUAL, _values(answer), _values(found))


def _add(made: Comparison, tolerance: Tolerance, expected: Any, found: Any) -> None:
    """Add a pair of values; those with the same tolerance as the ones before belong to one part."""
    made.cells.append(cells_in(found))
    if not made.parts or made.parts[-1][0] != tolerance:
        made.parts.append((tolerance, [], []))
    made.parts[-1][1].append(expected)
    made.parts[-1][2].append(found)


def _cell(found: Any, key: Any, at: str) -> tuple[tuple[Any, ...], Any]:
    """The value at an index, a coordinate or a key, and the one path that leads to it. Raises CuredError."""
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
        return ", ".join(f"{name} {text_of(axis[0])} to {text_of(axis[-1])}" for name, axis in _axes(found))
    if isinstance(found, Mapping):
        keys = [text_of(key) for key in found]
        return ", ".join(keys[:_MOST_NAMES]) + (f" and {len(keys) - _MOST_NAMES:,} more" * (len(keys) > _MOST_NAMES))
    if isinstance(found, np.ndarray) and found.ndim:
        return f"({', '.join(f'0 to {length - 1}' for length in found.shape)})"
    return f"0 to {len(found) - 1}" if isinstance(found, (list, tuple)) and found else "a single value"


def _choices(found: Any) -> int:
    """The number of different whole numbers or texts; 0 where there are more than labels, or others."""
    different = set[int | str]()
    values = tuple(found.values()) if isinstance(found, Mapping) else _values(found)
    for _, value, _ in entries(values, values):
        if not isinstance(value, (int, str)):
            return 0
        different.add(value)
        if len(different) > _MOST_CHOICES:
            return 0
    return len(different)


def _is_move(value: Any) -> bool:
    """True for a tuple of whole numbers and texts, which is one label, such as the move (0, 57)."""
    return isinstance(value, tuple) and len(value) > 1 and all(type(each) in (int, str) for each in value)


def _marked(value: Any, mark: Marked) -> Marked:
    """The same mark around another value; a value with a mark of its own keeps it."""
    return value if isinstance(value, Marked) else Marked(value, mark.tolerance)


def _values(value: Any) -> Any:
    return value.values if isinstance(value, Grid) else value


def _axes(grid: Grid) -> list[tuple[str, tuple[Any, ...]]]:
    return [(name, tuple(coordinates)) for name, coordinates in grid.axes.items()]


def _has_marks(answer: Any) -> bool:
    """True for a list in which something is marked, or given by its indices."""
    if not isinstance(answer, (list, tuple)):
        return False
    return any(isinstance(each, (Marked, Mapping)) or _has_marks(each) for each in answer)
