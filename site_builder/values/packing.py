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
from site_builder.errors import CuredError
from site_builder.extension import ADDED_KINDS, class_name
from site_builder.values.characters import forbidden_code
from site_builder.values.known_float import KnownFloat
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

MakeRecord = Callable[[str, dict[str, Any]], Any]


def pack(value: Any, name: str = "result") -> bytes:
    """Return the value as bytes. Raises CuredError, naming the field, for what cannot be packed."""
    encoder = _Encoder()
    try:
        tree = encoder.tree(value, name)
        head = json.dumps(tree, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except RecursionError as error:
        raise CuredError(f"{name} holds itself, or lists within lists too deep to be written", _RETURN) from error
    return b"\n".join([head, b"".join(np.ascontiguousarray(each).tobytes() for each in encoder.arrays)])


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


def kind_of(value: Any) -> str:
    """The class of a value in words, such as "an Index"."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


class _Encoder:
    """Makes the tree of JSON of a value, and collects the arrays that stand behind it."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []

    def tree(self, value: Any, at: str, error: float = 0.0) -> Any:
        """The tree of a value. at: its place, in words; error: that of its floats, 0 for an unknown one."""
        if type(value) not in _SINGLE:  # as nearly all entries of long tables are
            value = _of_numpy_or_enum(value, at)
        match value:
            case str():
                if code := forbidden_code(value):
                    raise CuredError(f"{at} holds the character {code}, which no page can show")
                return value
            case None | bool():
                return value
            case int():
                return value if abs(value) < 2**53 else {"int": format(value, "x")}
            case float():
                return self._float(value, error)
            case Fraction():
                return {"fraction": f"{value.numerator:x}/{value.denominator:x}"}
            case tuple() | list() | range():
                return [self.tree(entry, f"{at}[{place}]", error) for place, entry in enumerate(value)]
            case Integral():  # of other libraries
                return self.tree(int(value), at)
            case Rational():
                return self.tree(Fraction(int(value.numerator), int(value.denominator)), at)
            case Decimal() | date() if not isinstance(value, datetime):
                return {type(value).__name__: str(value)}
            case bytes():
                self.arrays.append(np.frombuffer(value, np.uint8))
                return {"bytes": len(value)}
            case np.ndarray() | Grid() if error:
                what = "ErrorBound marks floats, tuples and mappings of floats"
                raise CuredError(f"{at} is a {type(value).__name__}; {what}")
            case np.ndarray():
                return self._array(value, at)
            case Mapping():
                entries = value.items()
                return {"mapping": [[self.tree(k, at), self.tree(v, f"{at}[{k!r}]", error)] for k, v in entries]}
            case Grid():
                axes = [[name, self.tree(coordinates, f"{at}.{name}")] for name, coordinates in value.axes.items()]
                return {"grid": self.tree(value.values, at), "axes": axes}
            case Record():
                return {"record": value._kind, "fields": self._fields(fields_of(value), at, {})}
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._dataclass(value, at)
        raise CuredError(f"{at} is {kind_of(value)}, which no result may hold", _RETURN)

    def _float(self, value: float, error: float) -> Any:
        if not math.isfinite(value):
            return {"float": repr(value)}
        error = error or (value.error if isinstance(value, KnownFloat) else 0.0)
        return {"known": float(value), "error": error} if error else value

    def _array(self, value: np.ndarray, at: str) -> dict[str, Any]:
        if isinstance(value, np.ma.MaskedArray):
            cure = "return x.filled(np.nan) in a field that is marked NotFinite"
            raise CuredError(f"{at} is a masked array, which no result may hold", cure)
        if value.dtype in _SHORT_FLOATS:
            raise _too_short(at, value.dtype)
        if value.dtype.char not in f"{_NUMERIC}OU":
            raise CuredError(f"{at} is an array of {value.dtype}, which no result may hold", _RETURN)
        if value.dtype == object or value.dtype.kind == "U":
            flat = [self.tree(entry, at) for entry in value.ravel()]
            return {"objects": flat, "shape": list(value.shape)} | ({"text": True} if value.dtype != object else {})
        self.arrays.append(value.astype(value.dtype.newbyteorder("<"), copy=False))
        return {"array": value.dtype.newbyteorder("<").str, "shape": list(value.shape)}

    def _dataclass(self, value: Any, at: str) -> dict[str, Any]:
        kind: type = type(value)
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
        if added := ADDED_KINDS.get(class_name(kind)):
            return {"part": class_name(kind), "version": added.version, "fields": self._fields(fields, at, {})}
        if _FIGURE_PARTS.get(kind.__name__) is kind:
            return {"part": kind.__name__, "fields": self._fields(fields, at, {})}
        return {"record": class_name(kind), "fields": self._fields(fields, at, marks_of(kind, ErrorBound))}

    def _fields(self, fields: Mapping[str, Any], at: str, marks: Mapping[str, ErrorBound]) -> dict[str, Any]:
        errors = {name: mark.error for name, mark in marks.items()}
        return {name: self.tree(entry, f"{at}.{name}", errors.get(name, 0.0)) for name, entry in fields.items()}


def _of_numpy_or_enum(value: Any, at: str) -> Any:
    """A single value of numpy as Python's own, and of a member of an enumeration its value."""
    if isinstance(value, _SHORT_FLOATS):
        raise _too_short(at, value.dtype)
    value = value.item() if isinstance(value, np.generic) else value
    return value.value if isinstance(value, Enum) else value


def _too_short(at: str, dtype: np.dtype[Any]) -> CuredError:
    digits = np.finfo(dtype).precision
    return CuredError(
        f"{at} is of {dtype}, which is right to {digits} digits and would be printed with more; use float"
    )


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
