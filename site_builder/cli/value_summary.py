"""Values on one line: exact where they are short; of a long one its size, its range and its first entries."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from site_builder.values.plain_values import classify, text_of

_LONGEST = 40  # digits of a number that is written out
_FEW = 8  # entries that are written out
_BEGUN = 4  # entries of a longer list that are written
_LONGEST_LIST = 100  # characters
_LONGEST_TEXT = 300
_DIGITS = 15
_DEEPEST = 3


def glance(value: Any, digits: int = _DIGITS) -> str:
    """The value on one line; a fraction with so many digits, `3/5 = 0.6` or `2/3 ≈ 0.666666666666667`."""
    kind, plain = classify(value)
    if kind == "exact" and isinstance(plain, Fraction) and plain.denominator > 1:
        decimals = _decimals(plain, digits)
        return decimals if _is_long(plain) else f"{plain} {decimals}"
    return _short(value)


def rows(name: str, value: Any, depth: int = 1) -> Iterator[tuple[str, str]]:
    """A value by its name, as rows of a table; of a record each field in a row, as posts name it: `rule.best`."""
    kind, plain = classify(value)
    is_short = kind == "mapping" and len(plain) <= _FEW and all(str(key).isidentifier() for key in plain)
    if depth == _DEEPEST or not (is_short or kind == "record") or not plain:
        yield name, glance(value)
        return
    for part, entry in plain.items():
        yield from rows(f"{name}.{part}", entry, depth + 1)


def _short(value: Any) -> str:
    kind, plain = classify(value)
    match kind:
        case "whole":
            return str(plain) if _size(plain) <= _LONGEST else f"{_rounded(plain)} ({_size(plain):,} digits)"
        case "exact" if isinstance(plain, Fraction) and plain.denominator > 1:
            return _decimals(plain, _DIGITS) if _is_long(plain) else str(plain)
        case "mapping":
            return _listed([f"{_short(key)}: {_short(entry)}" for key, entry in plain.items()], "{}", "")
        case "record":
            return _cut("(" + ", ".join(f"{name}={_short(entry)}" for name, entry in plain.items()) + ")")
        case "sequence":
            return _listed([_short(entry) for entry in plain], "()", _range(plain))
        case "grid":
            axes = ", ".join(f"{name} {_ends(coordinates)}" for name, coordinates in plain.axes.items())
            return f"{_shape(plain.values)} over {axes};{_of_array(plain.values)}"
        case "array" if plain.ndim > 1:
            return f"{_shape(plain)}{_of_array(plain)}"
        case "array":
            return _listed([_short(entry) for entry in plain.tolist()], "[]", _range(plain.tolist()))
    return _cut(text_of(plain)) or '""'


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 4] + " ..."


def _listed(texts: Sequence[str], brackets: str, span: str) -> str:
    whole = brackets[0] + ", ".join(texts) + brackets[1]
    if len(texts) <= _FEW and len(whole) <= _LONGEST_LIST:
        return whole
    return _cut(f"{len(texts):,} entries{span}: {_begun(texts)}")


def _begun(texts: Sequence[str]) -> str:
    return ", ".join(texts[:_BEGUN]) + (", ..." if len(texts) > _BEGUN else "")


def _of_array(array: Any) -> str:
    """The range of an array, and its first entries."""
    entries = array.ravel().tolist()
    return f"{_range(entries)}: {_begun([_short(entry) for entry in entries[: _BEGUN + 1]])}"


def _range(values: Sequence[Any]) -> str:
    """The range of numbers, NaN left out; empty for other values."""
    if not {classify(value)[0] for value in values} <= {"whole", "float", "exact"}:
        return ""
    known = [value for value in values if value == value]
    return f" from {_short(min(known))} to {_short(max(known))}" if known else ""


def _shape(array: Any) -> str:
    return " x ".join(f"{length:,}" for length in array.shape)


def _ends(coordinates: Sequence[Any]) -> str:
    return " to ".join(_short(entry) for entry in (coordinates[0], coordinates[-1]))


def _size(number: int) -> int:
    """The number of its digits."""
    return Decimal(number).adjusted() + 1


def _is_long(value: Fraction) -> bool:
    return _size(value.numerator) + _size(value.denominator) > _LONGEST


def _rounded(number: int) -> str:
    return f"≈ {Decimal(number):.{_DIGITS - 1}e}"


def _decimals(value: Fraction, digits: int) -> str:
    """`=` or `≈`, and the value with so many significant digits."""
    with localcontext() as context:
        context.prec = digits
        found = Decimal(value.numerator) / Decimal(value.denominator)
    text = f"{found.normalize():f}" if -7 <= found.adjusted() < digits else f"{found.normalize():e}"
    return f"{'=' if Fraction(found) == value else '≈'} {text}"
