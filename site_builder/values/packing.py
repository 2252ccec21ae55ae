"""Pack values as bytes and unpack them: results and figures, every value keeping its kind.

The bytes are one line of JSON followed by the arrays. They are the same for equal values, so that their digest is a key
of a result. There are no pickles in them: unpacking foreign bytes gives plain data or raises ValueError.
"""

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from io import BytesIO
from numbers import Integral, Rational
from typing import Any

import numpy as np

from site_builder import contract
from site_builder.contract import ErrorBound, Grid
from site_builder.contract.bounds import marks_of
from site_builder.extension import ADDED_KINDS, class_name
from site_builder.values.characters import forbidden_code
from site_builder.values.known_float import KnownFloat, with_error
from site_builder.values.records import Record, fields_of

_SINGLE = frozenset((str, int, float, bool, type(None)))
_NUMERIC = "?bhilqBHILQd"
_SHORT_FLOATS = (np.float16, np.float32)
_FIGURE_PARTS: dict[str, type] = {
    name: kind
    for name in contract.__all__
    if dataclasses.is_dataclass(kind := getattr(contract, name)) and isinstance(kind, type) and kind is not Grid
}
_RETURN = (
    "return numbers, texts, None, lists, mappings, arrays of numpy, Grids, or dataclasses of these,\nsuch as sorted(x) "
    "of a set, x.tolist() of a Series, float(x) of an expression, x.isoformat() of a time"
)


class PackingError(TypeError):
    """A value that cannot be packed. what: its kind in words; cure: what to return instead."""

    cure = _RETURN

    def __init__(self, at: str, what: str) -> None:
        super().__init__(f"{at} is {what}, which no result may hold")
        self.what = what


def kind_of(value: Any) -> str:
    """The class of a value in words, such as "an Index"."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


MakeRecord = Callable[[str, dict[str, Any]], Any]


def pack(value: Any, name: str = "result") -> bytes:
    """Return the value as bytes. Raises TypeError, naming the field, for a kind that cannot be packed."""
    arrays: list[np.ndarray] = []
    tree = _encode(value, name, arrays)
    head = json.dumps(tree, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return b"\n".join([head, b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)])


def unpack(data: bytes, make_record: MakeRecord | None = None) -> Any:
    """Return the value that was packed. Tuples and lists come back as tuples, mappings as dicts.

    make_record: makes a dataclass of a solver from its name ("module:Class") and fields; by default a Record.
    Raises ValueError when the bytes are not what `pack` writes.
    """
    head, _, rest = data.partition(b"\n")
    try:
        return _Decoder(rest, make_record or (lambda kind, fields: Record(fields, kind))).value(json.loads(head))
    except (LookupError, TypeError, AttributeError, ArithmeticError, SyntaxError, RecursionError) as error:
        raise ValueError(f"these bytes are no packed value: {error!r}") from error


def _encode(value: Any, at: str, arrays: list[np.ndarray]) -> Any:
    if type(value) not in _SINGLE:  # as nearly all entries of long tables are
        value = _of_numpy_or_enum(value, at)
    if isinstance(value, str):
        if code := forbidden_code(value):
            raise TypeError(f"{at} holds the character {code}, which no page can show")
        return value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"int": format(value, "x")}
    if isinstance(value, KnownFloat):
        return {"known": float(value), "error": value.error}
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, Integral):  # of other libraries
        return _encode(int(value), at, arrays)
    if isinstance(value, Rational):  # Fractions, and those of other libraries
        value = Fraction(int(value.numerator), int(value.denominator))
        return {"fraction": f"{value.numerator:x}/{value.denominator:x}"}
    if isinstance(value, (Decimal, date)) and not isinstance(value, datetime):
        return {type(value).__name__: str(value)}
    if isinstance(value, bytes):
        arrays.append(np.frombuffer(value, np.uint8))
        return {"bytes": len(value)}
    if isinstance(value, np.ndarray):
        return _encode_array(value, at, arrays)
    if isinstance(value, (tuple, list, range)):
        return [_encode(entry, f"{at}[{i}]", arrays) for i, entry in enumerate(value)]
    if isinstance(value, Mapping):
        pairs = [[_encode(k, at, arrays), _encode(v, f"{at}[{k!r}]", arrays)] for k, v in value.items()]
        return {"mapping": pairs}
    if isinstance(value, Grid):
        axes = [[name, _encode(c, f"{at}.{name}", arrays)] for name, c in value.axes.items()]
        return {"grid": _encode(value.values, at, arrays), "axes": axes}
    if isinstance(value, Record) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        return _encode_fields(value, at, arrays)
    raise PackingError(at, kind_of(value))


def _of_numpy_or_enum(value: Any, at: str) -> Any:
    """A single value of numpy as Python's own, and of a member of an enumeration its value."""
    if isinstance(value, _SHORT_FLOATS):
        raise _too_short(at, value.dtype)
    value = value.item() if isinstance(value, np.generic) else value
    return value.value if isinstance(value, Enum) else value


def _encode_fields(value: Any, at: str, arrays: list[np.ndarray]) -> dict[str, Any]:
    if isinstance(value, Record):
        head, fields = {"record": value._kind}, fields_of(value)
    else:
        kind: type = type(value)
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
        added = ADDED_KINDS.get(class_name(kind))
        is_part = bool(added) or _FIGURE_PARTS.get(kind.__name__) is kind
        for name, bound in () if is_part else marks_of(kind, ErrorBound).items():
            try:
                fields[name] = with_error(fields[name], bound.error)
            except TypeError as error:
                raise TypeError(f"{at}.{name} {error}") from error
        head = {"part": kind.__name__} if is_part else {"record": class_name(kind)}
        if added:
            head = {"part": class_name(kind), "version": added.version}
    return {**head, "fields": {name: _encode(entry, f"{at}.{name}", arrays) for name, entry in fields.items()}}


def _encode_array(value: np.ndarray, at: str, arrays: list[np.ndarray]) -> dict[str, Any]:
    if value.dtype == object or value.dtype.kind == "U":
        flat = [_encode(entry, at, arrays) for entry in value.ravel()]
        return {"objects": flat, "shape": list(value.shape)} | ({"text": True} if value.dtype != object else {})
    if value.dtype in _SHORT_FLOATS:
        raise _too_short(at, value.dtype)
    if value.dtype.char not in _NUMERIC:
        raise PackingError(at, f"an array of {value.dtype}")
    arrays.append(value.astype(value.dtype.newbyteorder("<"), copy=False))
    return {"array": value.dtype.newbyteorder("<").str, "shape": list(value.shape)}


def _too_short(at: str, dtype: np.dtype[Any]) -> TypeError:
    digits = np.finfo(dtype).precision
    return TypeError(f"{at} is of {dtype}, which is right to {digits} digits and would be printed with more; use float")


class _Decoder:
    """Walks the tree in the order in which it was written, taking arrays from the bytes behind it."""

    def __init__(self, rest: bytes, make_record: MakeRecord) -> None:
        self.take = BytesIO(rest).read
        self.make_record = make_record

    def value(self, tree: Any) -> Any:
        if isinstance(tree, list):
            return tuple([entry if type(entry) in _SINGLE else self.value(entry) for entry in tree])
        if not isinstance(tree, dict):
            return tree
        (kind, content), *_ = tree.items()
        match kind:
            case "fraction":
                numerator, denominator = content.split("/")
                return Fraction(int(numerator, 16), int(denominator, 16))
            case "int":
                return int(content, 16)
            case "float":
                return float(content)
            case "known":
                return KnownFloat(content, tree["error"])
            case "mapping":
                return {self.value(key): self.value(entry) for key, entry in content}
            case "record":
                return self.make_record(content, self._named(tree["fields"].items()))
            case "part":
                part = _FIGURE_PARTS.get(content) or ADDED_KINDS[content].kind.figure
                return part(**self._named(tree["fields"].items()))
            case "grid":
                return Grid(self.value(content), self._named(tree["axes"]))
            case "array":
                return self._array(np.dtype(content), tree["shape"])
            case "objects":
                return self._objects(content, tree)
            case "bytes":
                return self.take(content)
            case "Decimal":
                return Decimal(content)
            case "date":
                return date.fromisoformat(content)
        raise ValueError(f"there is no kind of value {kind!r}")

    def _named(self, entries: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        return {name: entry if type(entry) in _SINGLE else self.value(entry) for name, entry in entries}

    def _array(self, dtype: np.dtype, shape: list[int]) -> np.ndarray:
        if dtype.char not in _NUMERIC:
            raise ValueError(f"an array of {dtype} cannot be packed")
        return np.frombuffer(self.take(math.prod(shape) * dtype.itemsize), dtype).reshape(shape)

    def _objects(self, entries: list[Any], tree: dict[str, Any]) -> np.ndarray:
        flat = [self.value(entry) for entry in entries]
        if tree.get("text"):
            return np.array(flat, dtype=str).reshape(tree["shape"])
        array = np.empty(len(flat), dtype=object)
        for i, entry in enumerate(flat):  # one by one, as numpy would take tuples for another axis
            array[i] = entry
        return array.reshape(tree["shape"])
