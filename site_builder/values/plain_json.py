"""Values as plain JSON that other programs read: exact values as text beside the nearest float.

An exact value is {"exact": "3/5", "float": 0.6}; whole numbers that every reader keeps are numbers. Infinity and NaN,
which JSON has not, are the texts "inf", "-inf" and "nan". An array is {"shape": [...], "values": [[...], ...]}, a grid
{"axes": {name: [...]}, "values": [[...], ...]}; lists, mappings and records are lists and objects. Where two keys of a
mapping would be one, as 1 and "1", all its keys are as Python writes them.
"""

import math
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from site_builder.values.plain_text import fields_of_any

_WHOLE = 2**53  # from here on readers that have but floats lose digits


def plain_json(value: Any) -> Any:
    """The value as JSON has it."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    if value is None or isinstance(value, (bool, str)):
        return value if value is None or isinstance(value, bool) else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Decimal) and not value.is_finite():
        return "nan" if value.is_nan() else str(float(value))
    if isinstance(value, int) and abs(value) < _WHOLE:
        return int(value)
    if isinstance(value, (int, Fraction, Decimal)):
        return {"exact": _exact(value), "float": _nearest(value)}
    if isinstance(value, date):
        return value.isoformat()
    return _compound(value)


def _compound(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        as_text = str if len({str(key) for key in value}) == len(value) else repr
        return {as_text(key): plain_json(entry) for key, entry in value.items()}
    if isinstance(value, (tuple, list, range)):
        return [plain_json(entry) for entry in value]
    if hasattr(value, "axes") and hasattr(value, "values"):
        axes = {name: plain_json(coordinates) for name, coordinates in value.axes.items()}
        return {"axes": axes, "values": plain_json(value.values.tolist())}
    if hasattr(value, "tolist"):
        return {"shape": list(value.shape), "values": plain_json(value.tolist())}
    return {name: plain_json(entry) for name, entry in fields_of_any(value).items()}


def _exact(value: int | Fraction | Decimal) -> str:
    """The value with all its digits; hexadecimal beyond 4,300, of which Python writes no more in tens."""
    try:
        return str(value)
    except ValueError:
        fraction = Fraction(value)
        parts = [fraction.numerator] if fraction.denominator == 1 else [fraction.numerator, fraction.denominator]
        return "/".join(hex(part) for part in parts)


def _nearest(value: int | Fraction | Decimal) -> float | None:
    """None for a number beyond all floats."""
    try:
        return float(value)
    except OverflowError:
        return None
