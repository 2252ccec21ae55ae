"""Write numbers as text: the filters of the post language; exact values stay exact until they are rounded.

Raises FormatError, with a cure for the author, for a value that the filter cannot write. A float never shows more
digits than are known of it: see known_float.
"""

import math
import re
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from site_builder.errors import CuredError
from site_builder.values.characters import forbidden_code
from site_builder.values.known_float import KnownFloat, cure_of_unknown, digits_known, why_unknown
from site_builder.values.language import current

MINUS = "\N{MINUS SIGN}"
THIN = "\N{NARROW NO-BREAK SPACE}"
NO_BREAK = "\N{NO-BREAK SPACE}"

_MOST_DIGITS = 4000
_LEAST_WRITTEN, _MOST_WRITTEN = -5, 15  # powers of ten; smaller and larger numbers are in scientific notation
_MOST_NINES = 12  # decimals of an exact percentage that is not 100
_ROUNDING = 1e-10  # percent; a float as near to 100% may be 1 but for its rounding errors
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Number = int | float | Fraction


def with_percent(text: str) -> str:
    """Return a number that is written already, as a percentage."""
    return text + current().percent


class FormatError(CuredError):
    """A value that a filter cannot write."""

    def __str__(self) -> str:
        return f"{self.args[0]}; {self.cure}" if self.cure else str(self.args[0])


def number(value: Any, digits: int = 4) -> str:
    """Return the value rounded to this many decimals, ties to even: `0.6403`; never 0 for anything else."""
    exact = as_number(value)
    if _is_small(exact, _count(digits)) and (text := _small(exact)):
        return text
    if isinstance(exact, float):
        _refuse_false_digits(exact, digits)
    return _signed(round(Fraction(exact), digits), digits)


def significant(value: Any, digits: int = 3) -> str:
    """Return the value rounded to this many significant digits: `0.64`, `0.000123`, `12,300`, `1.50·10³⁰⁰`."""
    exact = as_number(value)
    if _count(digits) == 0:
        raise FormatError("significant needs at least one digit", "write significant(1) or more")
    if exact == 0:
        return "0"
    decimals = digits - 1 - magnitude(Fraction(exact))
    rounded = round(Fraction(exact), decimals)
    if magnitude(rounded) > magnitude(Fraction(exact)):  # 0.999 became 1.00: one digit too many
        decimals -= 1
    if isinstance(exact, float):
        _refuse_unknown(exact, digits)
    if not _LEAST_WRITTEN <= magnitude(rounded) < _MOST_WRITTEN:
        return scientific(rounded, digits)
    return _signed(rounded, max(decimals, 0))


def scientific(value: Fraction, digits: int = 3) -> str:
    """Return a value other than 0 with this many significant digits and a power of ten: `1.25·10⁻¹²`."""
    power = magnitude(value)
    factor = round(value / Fraction(10) ** power, digits - 1)
    if abs(factor) == 10:
        power, factor = power + 1, factor / 10
    return f"{_signed(factor, digits - 1)}·10{str(power).translate(_RAISED)}"


def percent(value: Any, digits: int = 0) -> str:
    """Return the value as a percentage: `64%`; never 0% or 100% for anything else, but `0.4%`, `99.96%` or `> 99%`."""
    exact, shown = as_number(value), Fraction(as_number(value)) * 100
    if _is_small(shown, _count(digits)) and (text := _small(exact, percent=True)):
        return with_percent(text)
    if round(shown, digits) == 100 and 100 - shown > (_ROUNDING if isinstance(exact, float) else 0):
        known = digits_known(exact, -1) - 2 if isinstance(exact, float) else _MOST_NINES
        if (needed := -magnitude(100 - shown)) > known:
            return with_percent(f"> {_signed(100 - Fraction(1, 10**digits), digits)}")
        digits = max(digits, needed)
    if isinstance(exact, float):
        _refuse_false_digits(exact, digits + 2)
    return with_percent(_signed(round(shown, digits), digits))


def _is_small(value: Number, digits: int) -> bool:
    """True for what so many decimals would show as 0, though it is not."""
    return bool(value) and round(Fraction(value), digits) == 0


def _small(value: Number, percent: bool = False) -> str:
    """A small value with up to three digits; empty where it is a float of which no digit is known."""
    exact = Fraction(value)
    known = digits_known(value, magnitude(exact)) if isinstance(value, float) else 3
    if known < 1:
        return ""
    text = significant(100 * exact if percent else exact, min(known, 3))
    return text if "·" in text else without_zeros(text)


def without_zeros(text: str) -> str:
    """Return a number that is written already, without the zeros at the end of its decimals."""
    mark = current().decimal
    return text.rstrip("0").rstrip(mark) if mark in text else text


def estimate(value: Any, digits: int = 2) -> str:
    """Return an Estimate with its standard error, of which so many digits are shown: `0.7919 ± 0.0040`."""
    if not _is_estimate(value):
        raise FormatError(f"{_short(value)} is no Estimate", "let the solver return an Estimate, or write number(4)")
    error = Fraction(value.standard_error)
    if _count(digits) == 0:
        raise FormatError("estimate needs a digit of the standard error", "write estimate(1) or estimate")
    decimals = max(0, digits - 1 - magnitude(error)) if error else 4
    shown = KnownFloat(value.value, math.ulp(0.0))  # its standard error, shown beside it, says how far it is known
    return f"{number(shown, decimals)}{NO_BREAK}±{NO_BREAK}{_signed(round(error, decimals), decimals)}"


def _is_estimate(value: Any) -> bool:
    return hasattr(value, "standard_error") and hasattr(value, "value")


def fraction(value: Any) -> str:
    """Return an exact value as a fraction: `3/5`; a whole number without a denominator."""
    exact = as_number(value)
    if isinstance(exact, float):
        raise FormatError(f"{exact!r} is a float and no exact fraction", "use number(digits)")
    _refuse_length(max(abs(Fraction(exact).numerator), Fraction(exact).denominator))
    return str(exact).replace("-", MINUS)


def one_in(value: Any) -> str:
    """Return a probability as one in n: `1 in 37`, with one decimal below ten where it is not whole."""
    exact, word = as_number(value), current().word
    chance = Fraction(exact)
    if not 0 <= chance <= 1:
        raise FormatError(f"{_short(value)} is not a probability")
    if chance == 0:
        return word("never")
    times = 1 / chance
    if times.denominator > 1 and round(times, 1) < 10:
        return word("1 in %(n)s") % {"n": _signed(round(times, 1), 1)}
    if isinstance(exact, float):
        _refuse_unknown(exact, magnitude(times) + 1)
    return word("1 in %(n)s") % {"n": integer(round(times))}


def integer(value: Any) -> str:
    """Return a whole number, its digits grouped in threes from five digits on: `1,048,576`."""
    exact = as_number(value)
    if isinstance(exact, float):
        cure = "write number(0) to round it, or let the solver return an int"
        raise FormatError(f"{exact!r} is a float, so it is not an exact whole number", cure)
    if Fraction(exact).denominator != 1:
        raise FormatError(f"{fraction(exact)} is not an exact whole number", "write fraction, or number(0) to round it")
    return _signed(Fraction(exact), 0)


def sentence(values: Sequence[Any], last: str = "and") -> str:
    """Return a list as part of a sentence: `20, 22 and 23`."""
    last = current().word(last)
    words = [plain(value) for value in values]
    if not words:
        raise FormatError("a list without entries makes no sentence", "ask for it first: {% if list %}...{% endif %}")
    return words[0] if len(words) == 1 else f" {last} ".join([", ".join(words[:-1]), words[-1]])


def plural(value: Any, one: str, many: str = "", with_number: bool = True) -> str:
    """Return a count with its noun: `1 flip`, `100 flips`; `many` is `one` with an s unless given."""
    text = integer(value)
    noun = one if as_number(value) == 1 else many or f"{one}s"
    return f"{text} {noun}" if with_number else noun


def plain(value: Any) -> str:
    """Return a value without a filter as text. A float is refused: it needs a filter with a number of digits."""
    if isinstance(value, str):
        if code := forbidden_code(value):
            raise FormatError(f"the text {value!r} holds the character {code}, which no page can show")
        return value
    if isinstance(value, (tuple, list)):
        return "(" + f",{NO_BREAK}".join(plain(entry) for entry in value) + ")"
    if _is_estimate(value):
        return estimate(value)
    if value is None or isinstance(value, bool):
        raise FormatError(f"{value} is no text for a reader", "say it in words with {% if %}")
    exact = as_number(value)
    if isinstance(exact, float):
        raise FormatError(f"{exact!r} is a float", "say how many digits to show, e.g. | number(4)")
    return integer(exact) if Fraction(exact).denominator == 1 else fraction(exact)


FORMS: dict[str, Callable[..., str]] = {
    "number": number,
    "significant": significant,
    "percent": percent,
    "fraction": fraction,
    "one_in": one_in,
    "estimate": estimate,
    "integer": integer,
    "sentence": sentence,
}


WORDS: dict[str, Callable[..., str]] = {"plural": plural}
"""Filters of posts that add words to a value; the column of a table cannot use them."""


def write(value: Any, form: str) -> str:
    """Return the value as a filter writes it, e.g. `write(p, "percent(2)")`; with an empty form as `plain` does."""
    if not form:
        return plain(value)
    name, digits = read_form(form)
    return FORMS[name](value, *digits)


def read_form(form: str, names: Collection[str] = ()) -> tuple[str, tuple[int, ...]]:
    """Parse a filter written as text: `percent(2)` is ("percent", (2,)). Raises FormatError for an unknown one.

    names: of further filters.
    """
    match = re.fullmatch(r"(\w+)(?:\((\d*)\))?", form.strip())
    if match is None or match[1] not in (*FORMS, *names):
        known = ", ".join([*FORMS, *names])
        raise FormatError(f"{form!r} is no form for a number", f"there is: {known}, e.g. number(3)")
    return match[1], (int(match[2]),) if match[2] else ()


def as_number(value: Any) -> Number:
    """Return the value as an int, float or Fraction; numpy's numbers become Python's. Raises FormatError otherwise."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if _is_estimate(value):
        raise FormatError("an Estimate is written with its standard error", "write estimate")
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction, Decimal)):
        raise FormatError(f"{_short(value)} is not a number")
    if isinstance(value, Decimal) and value.is_finite():
        return Fraction(value)
    if isinstance(value, Decimal) or (isinstance(value, float) and not math.isfinite(value)):
        raise FormatError(f"{value} is not a finite number")
    return value


def _refuse_false_digits(value: float, digits: int) -> None:
    if value:
        _refuse_unknown(value, digits + 1 + magnitude(Fraction(value)))


def _refuse_unknown(value: float, digits: int) -> None:
    """Raise FormatError where a float is to be written with more significant digits than are known of it."""
    if digits > (known := digits_known(value, magnitude(Fraction(value)) if value else 0)):
        raise FormatError(why_unknown(value, known), f"show fewer, or {cure_of_unknown(value)}")


def _refuse_length(whole: int) -> None:
    """Raise FormatError for a number that fills a page; Python itself writes at most 4,300 digits."""
    digits = int(whole.bit_length() * math.log10(2))
    if digits > _MOST_DIGITS:
        raise FormatError(f"the number has about {digits:,} digits, too many to print")


def _signed(value: Fraction, digits: int) -> str:
    """Return a rounded value with this many decimals; whole parts of five digits and more are grouped."""
    scaled = abs(value) * 10**digits
    whole, rest = divmod(scaled.numerator // scaled.denominator, 10**digits)
    _refuse_length(whole)
    language = current()
    text = str(whole)
    if len(text) >= language.grouped_from:
        text = f"{whole:,}".replace(",", language.group)
    return (MINUS if value < 0 else "") + text + (f"{language.decimal}{rest:0{digits}d}" if digits else "")


def magnitude(value: Fraction) -> int:
    """Return the exponent of the leading decimal digit: 0 for 1..9.99, -1 for 0.1..0.99."""
    exact = abs(value)
    guess = math.floor((exact.numerator.bit_length() - exact.denominator.bit_length() - 1) * math.log10(2))
    while exact >= Fraction(10) ** (guess + 1):
        guess += 1
    return guess


def _count(digits: Any) -> int:
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= _MOST_DIGITS:
        raise FormatError(f"{digits!r} is not a number of digits", f"write a whole number from 0 to {_MOST_DIGITS:,}")
    return digits


def _short(value: Any) -> str:
    if not isinstance(value, (int, float, Fraction, Decimal, str, tuple, list, dict)):
        return f"a {type(value).__name__}"
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python writes
        return f"a {type(value).__name__} too long to print"
    return text if len(text) <= 60 else text[:57] + "..."
