"""Values on one line: exact where they are short; of a long one its size, its range and its first entries."""

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from site_builder.values.plain_values import classify, text_of

_LONGEST = 40  # digits of a number that is written out
_ENDS = 10  # digits at each end of a longer one
_FEW = 8  # entries that are written out
_BEGUN = 4  # entries of a longer list that are written
_LONGEST_LIST = 100  # characters
_LONGEST_TEXT = 300
_DIGITS = 15
_DEEPEST = 3


def glance(value: Any, digits: int = _DIGITS) -> str:
    """The value on one line; a fraction with so many digits, `3/5 = 0.6` or `2/3 ≈ 0.666666666666667`."""
    value = _plain(value)
    if _is_true_fraction(value):
        return f"{_fraction(value)} {_decimals(value, digits)}"
    return _short(value)


def rows(name: str, value: Any, depth: int = 1) -> Iterator[tuple[str, str]]:
    """A value by its name, as rows of a table; of a record each field in a row, as posts name it: `rule.best`."""
    parts = _parts(value)
    if not parts or depth == _DEEPEST:
        yield name, glance(value)
        return
    for part, entry in parts.items():
        yield from rows(f"{name}.{part}", entry, depth + 1)


def column(values: Sequence[Any]) -> list[str]:
    """Values that stand below each other: fractions all as fractions where they are short, else all as decimals."""
    plain = [_plain(value) for value in values]
    if any(_is_true_fraction(value) and len(_fraction(value)) > _ENDS + _BEGUN for value in plain):
        return [_decimals(value, _DIGITS) if _is_true_fraction(value) else _short(value) for value in plain]
    return [glance(value, 6) for value in plain]


def _is_true_fraction(value: Any) -> bool:
    return isinstance(value, Fraction) and value.denominator > 1


def _parts(value: Any) -> Mapping[str, Any]:
    """Return what has rows of its own: the fields of a record, the entries of a short mapping with names as keys."""
    kind, plain = classify(value)
    if kind == "mapping" and len(plain) <= _FEW and all(isinstance(key, str) and key.isidentifier() for key in plain):
        return plain  # type: ignore[no-any-return]
    return plain if kind == "record" else {}


def _plain(value: Any) -> Any:
    """A number of numpy as Python's."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value


def _short(value: Any) -> str:
    kind, plain = classify(value)
    match kind:
        case "text":
            return _cut(text_of(plain)) or '""'
        case "whole":
            return _whole(plain)
        case "exact" if isinstance(plain, Fraction):
            return _fraction(plain)
        case "mapping":
            return _listed([f"{_short(key)}: {_short(entry)}" for key, entry in plain.items()], "{}", "")
        case "sequence":
            inner = [f"array of {_shape(e)}" if getattr(e, "ndim", 0) > 1 else _short(e) for e in plain]
            return _listed(inner, "()", _range(plain))
        case "grid":
            axes = ", ".join(f"{name} {_span(coordinates)}" for name, coordinates in plain.axes.items())
            return _table(plain.values, f" over {axes};")
        case "record":
            return _cut("(" + ", ".join(f"{name}={_short(entry)}" for name, entry in plain.items()) + ")")
        case "array":
            if plain.ndim > 1:
                return _table(plain, "")
            entries = plain.tolist()
            return _listed([_short(entry) for entry in entries], "[]", _range(entries))
    return _cut(text_of(plain))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 4] + " ..."


def _listed(texts: Sequence[str], brackets: str, span: str) -> str:
    whole = brackets[0] + ", ".join(texts) + brackets[1]
    if len(texts) <= _FEW and len(whole) <= _LONGEST_LIST:
        return whole
    return f"{len(texts):,} entries{span}: {_begun(texts)}"


def _begun(texts: Sequence[str]) -> str:
    """The first entries, fewer where they are long."""
    begun = [texts[0]] if texts else []
    for text in texts[1:_BEGUN]:
        if sum(map(len, begun)) + len(text) > _LONGEST_LIST:
            break
        begun.append(text)
    return _cut(", ".join(begun)) + (", ..." if len(begun) < len(texts) else "")


def _range(values: Sequence[Any]) -> str:
    """The range of numbers, and how many are NaN; empty for other values."""
    plain = [_plain(value) for value in values]
    if not plain or not all(classify(value)[0] in ("whole", "float", "exact") for value in plain):
        return ""
    known = [value for value in plain if not _is_nan(value)]
    none = f", {len(plain) - len(known):,} nan" if len(known) < len(plain) else ""
    return f" from {_short(min(known))} to {_short(max(known))}{none}" if known else none


def _table(array: Any, axes: str) -> str:
    entries = array.ravel().tolist()
    return f"{_shape(array)}{axes}{_range(entries)}: {_begun([_short(entry) for entry in _first(entries)])}"


def _first(entries: Sequence[Any]) -> list[Any]:
    """The entries to show from the first that is not NaN, and one more if there are more."""
    at = next((at for at, entry in enumerate(entries) if not _is_nan(entry)), 0)
    return list(entries[at : at + _BEGUN + 1])


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _shape(array: Any) -> str:
    return " x ".join(f"{length:,}" for length in array.shape)


def _span(coordinates: Sequence[Any]) -> str:
    ends = [_short(entry) for entry in (*coordinates[:1], *coordinates[-1:])]
    return " to ".join(ends) if len(coordinates) > 1 else "".join(ends[:1])


def _whole(number: int) -> str:
    digits = _count_of_digits(number)
    if digits <= _LONGEST:
        return str(number)
    return f"{'-' if number < 0 else ''}{_ends(abs(number), digits)} ({digits:,} digits)"


def _fraction(value: Fraction) -> str:
    """As n/d; of long ones both ends of both."""
    if value.denominator == 1:
        return _whole(value.numerator)
    counts = [_count_of_digits(value.numerator), _count_of_digits(value.denominator)]
    if sum(counts) <= _LONGEST:
        return f"{value.numerator}/{value.denominator}"
    above, below = _ends(abs(value.numerator), counts[0]), _ends(value.denominator, counts[1])
    return f"{'-' if value < 0 else ''}{above}/{below} ({counts[0]:,} and {counts[1]:,} digits)"


def _ends(number: int, digits: int) -> str:
    """The first and last digits of a long number; Python writes none of over 4,300 digits."""
    if digits <= 2 * _ENDS:
        return str(number)
    return f"{number // 10 ** (digits - _ENDS)}...{number % 10**_ENDS:0{_ENDS}d}"


def _count_of_digits(number: int) -> int:
    guess = max(1, int(abs(number).bit_length() * math.log10(2)))
    while abs(number) >= 10**guess:
        guess += 1
    return guess


def _decimals(value: Fraction, digits: int) -> str:
    """`=` or `≈`, and the value with so many significant digits."""
    with localcontext() as context:
        context.prec = digits
        found = Decimal(value.numerator) / Decimal(value.denominator)
    text = f"{found.normalize():f}" if -7 <= found.adjusted() < digits else f"{found.normalize():e}"
    return f"{'=' if Fraction(found) == value else '≈'} {text}"
