"""Values that travel: results and figures as bytes and back, every value keeping its kind.

The bytes are one line of JSON followed by the arrays. They are the same for equal values, so that a hash of them names
a result. There are no pickles in them: reading foreign bytes makes plain data or raises ValueError.
"""

import dataclasses
import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder import contract
from site_builder.contract import Grid
from site_builder.values.characters import forbidden_code
from site_builder.values.records import Record, fields_of

_NUMERIC = "?bhilqBHILQefd"
_RECORD = re.compile(rb'"record":"([^"]+)"')  # a quote within a text has a backslash before it
_FIGURE_PARTS: dict[str, type] = {
    name: kind
    for name in contract.__all__
    if dataclasses.is_dataclass(kind := getattr(contract, name)) and isinstance(kind, type) and kind is not Grid
}


def records_in(data: bytes) -> set[str]:
    """The kinds of the records in packed bytes, as "module:Class"."""
    return {kind.decode() for kind in _RECORD.findall(data.partition(b"\n")[0])}


MakeRecord = Callable[[str, dict[str, Any]], Any]


def pack(value: Any) -> bytes:
    """The value as bytes. Raises TypeError, naming the field, for a kind that cannot travel."""
    arrays: list[np.ndarray] = []
    tree = _encode(value, "result", arrays)
    head = json.dumps(tree, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return b"\n".join([head, b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)])


def unpack(data: bytes, make_record: MakeRecord | None = None) -> Any:
    """The value that `pack` was given. Tuples and lists come back as tuples, mappings as dicts.

    make_record: makes a dataclass of a solver from its name ("module:Class") and fields; by default a Record.
    Raises ValueError when the bytes are not what `pack` writes.
    """
    head, _, rest = data.partition(b"\n")
    try:
        return _Decoder(rest, make_record or (lambda kind, fields: Record(fields, kind))).value(json.loads(head))
    except (KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"these bytes are no packed value: {error!r}") from error


def _encode(value: Any, at: str, arrays: list[np.ndarray]) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return _encode_text(value, at)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"int": format(value, "x")}
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, Fraction):
        return {"fraction": f"{value.numerator:x}/{value.denominator:x}"}
    if isinstance(value, (Decimal, date)):
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
    raise TypeError(f"{at} is a {type(value).__name__}, which no result may hold")


def _encode_text(text: str, at: str) -> str:
    if code := forbidden_code(text):
        raise TypeError(f"{at} holds the character {code}, which no page can show")
    return text


def _encode_fields(value: Any, at: str, arrays: list[np.ndarray]) -> dict[str, Any]:
    if isinstance(value, Record):
        return {"record": value._kind, "fields": _encode_named(fields_of(value), at, arrays)}
    kind = type(value)
    fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
    encoded = _encode_named(fields, at, arrays)
    if _FIGURE_PARTS.get(kind.__name__) is kind:
        return {"part": kind.__name__, "fields": encoded}
    return {"record": f"{kind.__module__}:{kind.__qualname__}", "fields": encoded}


def _encode_named(fields: Mapping[str, Any], at: str, arrays: list[np.ndarray]) -> dict[str, Any]:
    return {name: _encode(entry, f"{at}.{name}", arrays) for name, entry in fields.items()}


def _encode_array(value: np.ndarray, at: str, arrays: list[np.ndarray]) -> dict[str, Any]:
    if value.dtype == object:
        flat = [_encode(entry, at, arrays) for entry in value.ravel()]
        return {"objects": flat, "shape": list(value.shape)}
    if value.dtype.kind == "U":
        flat = [_encode_text(str(entry), at) for entry in value.ravel()]
        return {"objects": flat, "shape": list(value.shape), "text": True}
    if value.dtype.char not in _NUMERIC:
        raise TypeError(f"{at} is an array of {value.dtype}, which no result may hold")
    arrays.append(value.astype(value.dtype.newbyteorder("<"), copy=False))
    return {"array": value.dtype.newbyteorder("<").str, "shape": list(value.shape)}


class _Decoder:
    """Walks the tree in the order in which it was written, taking arrays from the bytes behind it."""

    def __init__(self, rest: bytes, make_record: MakeRecord) -> None:
        self.rest = rest
        self.place = 0
        self.make_record = make_record

    def value(self, tree: Any) -> Any:
        if isinstance(tree, list):
            return tuple(self.value(entry) for entry in tree)
        if not isinstance(tree, dict):
            return tree
        kind = next(iter(tree))
        return getattr(self, f"_{kind.lower()}")(tree)

    def _int(self, tree: dict[str, Any]) -> int:
        return int(tree["int"], 16)

    def _float(self, tree: dict[str, Any]) -> float:
        return float(tree["float"])

    def _fraction(self, tree: dict[str, Any]) -> Fraction:
        numerator, _, denominator = tree["fraction"].partition("/")
        return Fraction(int(numerator, 16), int(denominator, 16))

    def _decimal(self, tree: dict[str, Any]) -> Decimal:
        return Decimal(tree["Decimal"])

    def _date(self, tree: dict[str, Any]) -> date:
        return date.fromisoformat(tree["date"])

    def _bytes(self, tree: dict[str, Any]) -> bytes:
        self.place += tree["bytes"]
        return self.rest[self.place - tree["bytes"] : self.place]

    def _mapping(self, tree: dict[str, Any]) -> dict[Any, Any]:
        return {self.value(k): self.value(v) for k, v in tree["mapping"]}

    def _grid(self, tree: dict[str, Any]) -> Grid:
        values = self.value(tree["grid"])
        return Grid(values, {name: self.value(coordinates) for name, coordinates in tree["axes"]})

    def _array(self, tree: dict[str, Any]) -> np.ndarray:
        dtype, shape = np.dtype(tree["array"]), tuple(tree["shape"])
        if dtype.char not in _NUMERIC:
            raise ValueError(f"an array of {dtype} cannot travel")
        size = math.prod(shape) * dtype.itemsize
        piece = self.rest[self.place : self.place + size]
        self.place += size
        return np.frombuffer(piece, dtype).reshape(shape)

    def _objects(self, tree: dict[str, Any]) -> np.ndarray:
        flat = [self.value(entry) for entry in tree["objects"]]
        if tree.get("text"):
            return np.array(flat, dtype=str).reshape(tree["shape"])
        array = np.empty(len(flat), dtype=object)
        for i, entry in enumerate(flat):
            array[i] = entry
        return array.reshape(tree["shape"])

    def _part(self, tree: dict[str, Any]) -> Any:
        return _FIGURE_PARTS[tree["part"]](**{name: self.value(entry) for name, entry in tree["fields"].items()})

    def _record(self, tree: dict[str, Any]) -> Any:
        return self.make_record(tree["record"], {name: self.value(entry) for name, entry in tree["fields"].items()})
