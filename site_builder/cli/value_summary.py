"""Values on one line: a fraction with its decimals, of a long value its size and its beginning."""

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from site_builder.values.plain_values import classify, text_of

_LONGEST = 40  # digits of a number that is written out
_FEW = 12  # entries that are written out
_LONGEST_TEXT = 300
_DIGITS = 15
_DEEPEST = 3


def glance(value: Any, digits: int = _DIGITS) -> str:
    """The value on one line; a fraction with so many digits, `3/5 = 0.6` or `2/3 ≈ 0.666666666666667`."""
    kind, plain = classify(value)
    if kind == "exact" and isinstance(plain, Fraction) and plain.denominator > 1:
        is_long = _size(plain.numerator) + _size(plain.denominator) > _LONGEST
        return _decimals(plain, digits) if is_long else f"{plain} {_decimals(plain, digits)}"
    if kind == "whole" and _size(plain) > _LONGEST:
        return f"≈ {Decimal(plain):.{_DIGITS - 1}e} ({_size(plain):,} digits)"
    text = text_of(value, _FEW, _DIGITS) or '""'
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 4] + " ..."


def rows(name: str, value: Any, depth: int = 1) -> Iterator[tuple[str, str]]:
    """A value by its name, as rows of a table; of a record each field in a row, as posts name it: `rule.best`."""
    kind, plain = classify(value)
    is_short = kind == "mapping" and len(plain) <= _FEW and all(str(key).isidentifier() for key in plain)
    if depth == _DEEPEST or not (is_short or kind == "record") or not plain:
        yield name, glance(value)
        return
    for part, entry in plain.items():
        yield from rows(f"{name}.{part}", entry, depth + 1)


def _size(number: int) -> int:
    """The number of its digits."""
    return Decimal(number).adjusted() + 1


def _decimals(value: Fraction, digits: int) -> str:
    """`=` or `≈`, and the value with so many significant digits."""
    with localcontext() as context:
        context.prec = digits
        found = Decimal(value.numerator) / Decimal(value.denominator)
    text = f"{found.normalize():f}" if -7 <= found.adjusted() < digits else f"{found.normalize():e}"
    return f"{'=' if Fraction(found) == value else '≈'} {text}"
