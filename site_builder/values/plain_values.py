"""Write values as plain text or as plain JSON; exact values stay exact.

`classify` finds the kind of a value for every function that writes values. This module is in the zip file of each
published run, so it imports the standard library alone.
"""

import dataclasses
import hashlib
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

_MOST_ENTRIES = 24  # of a list, mapping or array that are written out
_MOST_COORDINATES = 4  # of an axis that are written out
_MOST_CHARACTERS = 1000
_MOST_BITS = 13_000  # of a whole number; Python writes at most 4,300 digits
_ALL_DIGITS = 17  # of a float
SURE_DIGITS = 12  # of a float: the others may differ from one machine to the next
_FIRST_INEXACT = 2**53  # from here on, JSON readers that have only floats lose digits
_CONTROL_CHARACTER = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_GRID = ("site_builder.contract.grid", "Grid")  # not imported, as it needs numpy

Kind = Literal["constant", "text", "whole", "float", "exact", "mapping", "sequence", "grid", "record", "array", "other"]
_PLAIN: Mapping[type, Kind] = {
    **{bool: "constant", str: "text", int: "whole", float: "float", Fraction: "exact"},
    **{dict: "mapping", list: "sequence", tuple: "sequence"},
}


def classify(value: Any) -> tuple[Kind, Any]:
    """Return the kind of a value, and the value: a number of numpy as Python's, a record as its fields by name.

    Kinds: constant (None, True, False), text, whole, float, exact (Fraction, Decimal), mapping, sequence (tuple, list,
    range), grid, record (a dataclass or Record), array (of numpy, with an axis at least), other.
    """
    if plain := _PLAIN.get(type(value)):  # nearly all entries of long tables
        return plain, value
    if value is None or isinstance(value, bool):
        return "constant", value
    if isinstance(value, str):
        return "text", str.__str__(value)  # for a member of an enumeration, str(value) is its name
    if isinstance(value, int):
        return "whole", int(value)
    if isinstance(value, float):
        return "float", float(value)
    if isinstance(value, (Fraction, Decimal)):
        return "exact", value
    if isinstance(value, Mapping):
        return "mapping", value
    if isinstance(value, (tuple, list, range)):
        return "sequence", value
    if (type(value).__module__, type(value).__qualname__) == _GRID:
        return "grid", value
    if (fields := _fields(value)) is not None:
        return "record", fields
    if hasattr(value, "shape") and hasattr(value, "tolist") and type(value).__module__.startswith("numpy"):
        return classify(value.item()) if value.shape == () else ("array", value)
    return "other", value


def fields_of_any(value: Any) -> Mapping[str, Any]:
    """Return the fields of a solver's dataclass or of a Record by name; empty for other values."""
    return _fields(value) or {}


def _fields(value: Any) -> dict[str, Any] | None:
    """Return None for what is no record. A field that a dataclass computes itself is left out, as it is not packed."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
    found = getattr(value, "_fields", None)
    return dict(found) if isinstance(found, Mapping) else None


def report(result: Any, without: Collection[str] = ()) -> str:
    """Return a result as lines of text, one for each field; floats with the 12 digits that all machines agree on.

    without: fields that are left out, such as those that repeat a parameter.
    """
    fields = result if isinstance(result, Mapping) else fields_of_any(result)
    kept = {name: value for name, value in fields.items() if name not in without}
    return "".join(f"{name} = {text_of(value, digits=SURE_DIGITS)}\n" for name, value in kept.items())


def text_of(value: Any, most: int = _MOST_ENTRIES, digits: int = _ALL_DIGITS) -> str:
    """Return the value on one line, for people and for comparing: equal values have the same text.

    A long value is cut to its beginning, its size and a digest of all of it.

    Args:
        value: what a solver made, or the same as the builder unpacked it.
        most: entries of a list that are written before the rest is only counted.
        digits: significant digits of a float.
    """
    return _TextWriter(most, f".{digits}g").text(value)


def as_written(value: Any) -> str:
    """A parameter as YAML and the command line take it."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(as_written(entry) for entry in value)}]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else text_of(value)


@dataclasses.dataclass(frozen=True)
class _TextWriter:
    most: int
    digits: str  # of floats, as `format` takes them

    def text(self, value: Any) -> str:
        kind, value = classify(value)
        match kind:
            case "text":
                return _shortened(_CONTROL_CHARACTER.sub(lambda found: ascii(found[0])[1:-1], value))
            case "whole":
                return _whole(value)
            case "float":
                return self._float(value)
            case "exact" if isinstance(value, Fraction):
                return _whole(value.numerator) + ("" if value.denominator == 1 else f"/{_whole(value.denominator)}")
            case "mapping":
                return "{" + self._listed([f"{self.text(key)}: {self.text(each)}" for key, each in value.items()]) + "}"
            case "sequence":
                return f"({self._entries(value)})"
            case "grid":
                axes = ", ".join(f"{name} {self._axis(coordinates)}" for name, coordinates in value.axes.items())
                return f"{self.text(value.values)} over {axes}"
            case "record":
                return "(" + ", ".join(f"{name}={self.text(entry)}" for name, entry in value.items()) + ")"
            case "array":
                shape = f"{' x '.join(map(str, value.shape))} array " if len(value.shape) > 1 else ""
                return f"{shape}[{self._entries(value.ravel().tolist())}]"
            case _ if isinstance(value, bytes):
                return value.hex() if len(value) <= self.most else f"{len(value)} bytes, digest {_digest(value)}"
        return str(value)

    def _entries(self, entries: Sequence[Any]) -> str:
        """Return the entries of a sequence; the digest of many floats is that of their digits, written at once."""
        if len(entries) <= self.most or {*map(type, entries)} != {float}:
            return self._listed(self._texts(entries))
        digits = f"%{self.digits}\n" * len(entries) % tuple(each + 0.0 for each in entries)  # -0.0 becomes 0.0
        return self._begun(self._texts(entries[: self.most]), len(entries), _digest(digits.encode()))

    def _texts(self, entries: Sequence[Any]) -> list[str]:
        types = {*map(type, entries)}  # of a long table mostly one
        write = _whole if types == {int} else self._float if types == {float} else self.text
        return [*map(write, entries)]

    def _float(self, number: float) -> str:
        return repr(float(format(number, self.digits)) + 0.0)  # -0.0 becomes 0.0

    def _listed(self, texts: Sequence[str]) -> str:
        if len(texts) <= self.most:
            return ", ".join(texts)
        return self._begun(texts, len(texts), _digest_of_all(texts))

    def _begun(self, texts: Sequence[str], size: int, digest: str) -> str:
        return f"{', '.join(texts[: max(1, self.most // 4)])}, ... {size} in all, digest {digest}"

    def _axis(self, coordinates: Sequence[Any]) -> str:
        """Return the coordinates of an axis; of many only both ends, with a digest unless they are consecutive."""
        texts = self._texts(coordinates)
        if len(texts) <= _MOST_COORDINATES:
            return ", ".join(texts)
        first = coordinates[0]
        is_consecutive = type(first) is int and list(coordinates) == list(range(first, first + len(texts)))
        more = "" if is_consecutive else f", digest {_digest_of_all(texts)}"
        return f"{texts[0]} to {texts[-1]} ({len(texts)}{more})"


def _whole(number: int) -> str:
    if number.bit_length() <= _MOST_BITS:
        return str(number)
    sign, digits = "-" if number < 0 else "", format(abs(number), "x")
    return f"{sign}0x{digits[:24]}... {number.bit_length()} bits, digest {_digest(digits.encode())}"


def _shortened(text: str) -> str:
    if len(text) <= _MOST_CHARACTERS:
        return text
    return f"{text[:100]}... {len(text)} characters, digest {_digest(text.encode())}"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=6).hexdigest()


def _digest_of_all(texts: Iterable[str]) -> str:
    return _digest("\n".join(texts).encode())


def plain_json(value: Any) -> Any:
    """Return the value as JSON that other programs read.

    An exact value is {"exact": "3/5", "float": 0.6}; whole numbers that every reader keeps are numbers. Infinity and
    NaN, which JSON lacks, are the texts "inf", "-inf" and "nan". An array is {"shape": [...], "values": [[...], ...]},
    a grid {"axes": {name: [...]}, "values": [[...], ...]}. Where two keys of a mapping would become equal, as 1 and
    "1", all its keys are written as in Python.
    """
    kind, value = classify(value)
    match kind:
        case "constant" | "text":
            return value
        case "whole":
            return value if abs(value) < _FIRST_INEXACT else _exact_json(value)
        case "float":
            return value if math.isfinite(value) else str(value)
        case "exact":
            return _exact_json(value)
        case "mapping":
            as_text = str if len({str(key) for key in value}) == len(value) else repr
            return {as_text(key): plain_json(entry) for key, entry in value.items()}
        case "sequence":
            return [plain_json(entry) for entry in value]
        case "grid":
            axes = {name: plain_json(coordinates) for name, coordinates in value.axes.items()}
            return {"axes": axes, "values": plain_json(value.values.tolist())}
        case "record":
            return {name: plain_json(entry) for name, entry in value.items()}
        case "array":
            return {"shape": list(value.shape), "values": plain_json(value.tolist())}
    return value.hex() if isinstance(value, bytes) else value.isoformat() if isinstance(value, date) else {}


def _exact_json(value: int | Fraction | Decimal) -> Any:
    if isinstance(value, Decimal) and not value.is_finite():
        return "nan" if value.is_nan() else str(float(value))
    try:
        nearest = float(value)
    except OverflowError:
        nearest = None  # beyond all floats
    try:
        return {"exact": str(value), "float": nearest}
    except ValueError:  # more than 4,300 digits, which Python does not write
        return {"exact": "/".join(map(hex, Fraction(value).as_integer_ratio())).removesuffix("/0x1"), "float": nearest}
