"""Compare a published number, word or list with the computed value, to the precision in which it was printed.

Raises ValueError, with a sentence for the author, where the two cannot be compared at all.
"""

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from site_builder.values.known_float import cure_of_unknown, digits_known, why_unknown
from site_builder.values.literals import NumberLiteral, fixed, read_list, read_literal, shortened
from site_builder.values.number_format import Number, as_number, magnitude, plural, significant, without_zeros
from site_builder.values.plain_values import classify

_FLOAT_DIGITS = sys.float_info.dig
_FIRST_DIGITS = 12  # of a long value
_MORE_DIGITS = 3  # of the computed value, beyond those that were printed
_MOST_ENTRIES = 40  # of a list that is written out in a message
_STANDARD_ERRORS = 4
_WORDS = "word for word"


@dataclass(frozen=True)
class Verdict:
    """The outcome of a comparison.

    computed: the value in the form of the literal, with a few digits more; difference: where the two differ, as a
    clause, empty where they agree; cure: the literal that would be right, empty where there is none; held: the
    precision of the comparison, such as "12 decimals"; is_too_precise: whether the literal has digits that the value
    does not have; rounded: the number as it was compared, where it is rounded and agrees.
    """

    computed: str
    difference: str
    cure: str
    held: str
    is_too_precise: bool = False
    rounded: NumberLiteral | None = None

    @property
    def agrees(self) -> bool:
        return not self.difference


def compare(text: str, value: Any, simulated: int | None = None, is_loose: bool = False) -> Verdict:
    """Compare a literal with a value at the precision in which it is printed.

    simulated: the literal is a relative frequency in so many games, and may differ by four standard errors. is_loose:
    only its significant digits count, so that 20 may stand for 18, and of these the first 15: those of a float.
    """
    if simulated is None:
        return _loose(text, value) if is_loose else _compared(text, value)
    if is_loose:
        raise ValueError("a claim takes one of simulated= and loose=")
    return _simulated(text, value, simulated)


def _compared(text: str, value: Any) -> Verdict:
    if isinstance(value, str):
        return Verdict(value, "" if _folded(text) == _folded(value) else "the words are not the same", value, _WORDS)
    return _number(text, as_number(value)) if _entries_of(value) is None else _list(text, value)


def _entries_of(value: Any) -> Sequence[Any] | None:
    """The entries of a list; None for a number or a word. Raises ValueError for anything else."""
    kind, content = classify(value)
    if kind in ("text", "whole", "float", "exact"):
        return None
    if kind in ("sequence", "array"):
        return content.tolist() if kind == "array" else content  # type: ignore[no-any-return]
    name = type(value).__name__
    raise ValueError(f"a claim is held against a number, a word or a list, and this is a {name}; take one from it")


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _number(text: str, value: Number) -> Verdict:
    literal, number = read_literal(text), _known_digits(value)
    quantity = literal.quantity(number)
    if quantity is None or (literal.form in ("one in", "odds", "share") and not 0 <= number <= 1):
        raise ValueError(f"{_plain(number)} is no probability that {literal.form!r} can stand for")
    if literal.decimals is None:
        return _exactly(literal, text, number, isinstance(value, float))
    held = _held_to(literal, quantity)
    most = _most_decimals(literal, value, number)
    if isinstance(value, float) and most is not None and literal.decimals > most:
        return _too_precise(literal, value, quantity, most)
    agrees = 2 * abs(literal.number - quantity) <= literal.unit
    difference = "" if agrees else _difference(literal, quantity)
    rounded = literal if agrees and literal.number != quantity else None
    return Verdict(_computed(literal, quantity, most), difference, _right(literal, quantity), held, rounded=rounded)


def _loose(text: str, value: Any) -> Verdict:
    """The significant digits of the literal alone, at most 15; zeros at the end of a whole number say nothing."""
    literal, number = read_literal(text), _known_digits(as_number(value))
    quantity = literal.quantity(number)
    if literal.decimals is None or quantity is None:
        raise ValueError("loose= is for a rounded number, such as 0.46 or 20 %")
    if literal.number == quantity:
        raise ValueError("it is right in all its digits; leave loose= out")
    digits = "" if literal.decimals else str(abs(literal.number.numerator))
    unit = literal.unit * 10 ** (len(digits) - len(digits.rstrip("0")))
    count = max(1, magnitude(literal.number) - magnitude(unit) + 1) if literal.number else 1
    if count > _FLOAT_DIGITS:
        unit, count = unit * 10 ** (count - _FLOAT_DIGITS), _FLOAT_DIGITS
    agrees = 2 * abs(literal.number - quantity) <= unit
    held = plural(count, "significant digit")
    difference = "" if agrees else f"they differ in {held}"
    return Verdict(_computed(literal, quantity, None), difference, _right(literal, quantity), held)


def longer(literal: NumberLiteral, value: Number) -> str:
    """The literal with one more decimal that is right, as it is printed."""
    quantity, decimals = literal.quantity(_known_digits(value)) or Fraction(0), (literal.decimals or 0) + 1
    return _right(replace(literal, number=_nearest(quantity, decimals), decimals=decimals), quantity)


def _too_precise(literal: NumberLiteral, value: float, quantity: Fraction, most: int) -> Verdict:
    """Of a float: its digits decide as far as they go, and the rest of the literal's is one too many."""
    rounded = replace(literal, number=_nearest(literal.number, most), decimals=most)
    is_close = abs(rounded.number - quantity) <= rounded.unit  # the literal was cut or rounded, so one unit is allowed
    known = digits_known(value, Decimal(value).adjusted())
    difference = f"{why_unknown(value, known)}; {cure_of_unknown(value)}"
    if not is_close:
        difference = _difference(rounded, quantity)
    held = _held_to(rounded, 0)
    return Verdict(_computed(rounded, quantity, most), difference, _right(rounded, quantity), held, is_close)


def _exactly(literal: NumberLiteral, text: str, number: Fraction, is_float: bool) -> Verdict:
    meant = _known_digits(_as_float(literal.number)) if is_float else literal.number
    written = _decimal(number) if is_float else _plain(number)
    if literal.form == "odds":
        others = Fraction(number.denominator - number.numerator)
        written = f"{_plain(Fraction(number.numerator))} to {_plain(others)}"
    held = f"{_FLOAT_DIGITS} digits" if is_float else "exactly"
    if meant == number:
        return Verdict(written, "", text, held)
    difference = f"the claim is {_decimal(literal.number)}, and the value {_decimal(number)}"
    return Verdict(written, difference, f"{literal.about}{literal.write(written)}", held)


def _simulated(text: str, value: Any, games: int) -> Verdict:
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise ValueError(f"simulated is {games!r}; it must be the number of games that were played")
    literal = read_literal(text)
    if literal.form not in ("decimal", "percent", "fraction", "share"):
        raise ValueError("a simulated figure is a share of the games, such as 0.46086 or 46.086 %")
    chance = Fraction(as_number(value))
    if not 0 <= chance <= 1:
        raise ValueError(f"{_plain(chance)} is not a probability, so no share of games is near it")
    shift = 2 if literal.form == "percent" else 0
    share, unit = literal.number / 10**shift, literal.unit / 10**shift
    held = f"{_STANDARD_ERRORS} standard errors"
    computed = _decimal(chance) if literal.decimals is None else _computed(literal, chance * 10**shift, None)
    away = max(Fraction(0), abs(share - chance) - unit / 2)
    variance = chance * (1 - chance)
    if away**2 * games <= _STANDARD_ERRORS**2 * variance:
        return Verdict(computed, "", "", held)
    difference = "every game ends the same, so there is nothing to simulate"
    if variance:
        errors = f"{float(away) / math.sqrt(variance / games):.1f} standard errors"
        difference = f"they are {errors} apart, and {_STANDARD_ERRORS} is the most"
    return Verdict(computed, difference, "", held)


def _list(text: str, value: Any) -> Verdict:
    """Entry by entry, whatever the brackets: `(8, 13), (9, 15)` has four entries."""
    values = list(_leaves(value))
    entries = read_list(text, len(values))
    computed = _arranged(value, map(_plainly, values))
    if len(entries) != len(values):
        claimed, found = (plural(count, "entry", "entries") for count in (len(entries), len(values)))
        return Verdict(computed, f"the claim has {claimed} and the value {found}", computed, "exactly")
    pairs = list(zip(entries, [_compared(*each) for each in zip(entries, values, strict=True)], strict=True))
    held = ", ".join(dict.fromkeys(verdict.held for _, verdict in pairs)) or "exactly"
    wrong = [place for place, (_, verdict) in enumerate(pairs) if not verdict.agrees]
    if not wrong:
        return Verdict(computed, "", text, held)
    printed, first = pairs[wrong[0]]
    is_too_precise = all(pairs[place][1].is_too_precise for place in wrong)
    difference = f"they differ first in entry {wrong[0] + 1}, {shortened(printed)} for {first.computed}"
    right = _arranged(value, (entry if verdict.agrees else verdict.cure for entry, verdict in pairs))
    return Verdict(computed, first.difference if is_too_precise else difference, right, held, is_too_precise)


def _leaves(value: Any) -> Iterator[Any]:
    """The numbers and words in a list, at any depth."""
    if (entries := _entries_of(value)) is None:
        yield value
    for entry in entries or ():
        yield from _leaves(entry)


def _arranged(value: Any, texts: Iterator[str], is_inner: bool = False) -> str:
    """These texts in place of the numbers and words in a list."""
    if (entries := _entries_of(value)) is None:
        return next(texts)
    listed = _listed([_arranged(entry, texts, is_inner=True) for entry in entries])
    return f"({listed})" if is_inner else listed


def _listed(texts: list[str]) -> str:
    return ", ".join(texts if len(texts) <= _MOST_ENTRIES else [*texts[:_MOST_ENTRIES], "…"])


def _plainly(value: Any) -> str:
    if isinstance(value, str):
        return value
    number = as_number(value)
    return f"{number:.{_FLOAT_DIGITS}g}" if isinstance(number, float) else _plain(Fraction(number))


def _known_digits(value: Number) -> Fraction:
    """An exact value as it is; of a float the digits that it has."""
    return Fraction(f"{value:.{_FLOAT_DIGITS - 1}e}") if isinstance(value, float) else Fraction(value)


def _as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(sys.float_info.max, value)


def _most_decimals(literal: NumberLiteral, value: Number, number: Fraction) -> int | None:
    """The most decimals of the literal's form that the value has; None for an exact one."""
    if not isinstance(value, float) or not number:
        return None
    exponent = Decimal(value).adjusted()  # math.log10 rounds 999999.9999999999 up
    half = Fraction(f"5e{exponent - digits_known(value, exponent)}")
    above, below = literal.quantity(number + half), literal.quantity(number - half)
    if above is None or below is None:
        return 0
    width, decimals = abs(above - below), 0
    while width * 10 ** (decimals + 1) <= 1:
        decimals += 1
    return decimals


def _nearest(number: Fraction, decimals: int) -> Fraction:
    """Rounded to so many decimals, half away from zero as people do."""
    scaled = abs(number) * 10**decimals
    whole = math.floor(scaled + Fraction(1, 2))
    return Fraction(whole if number >= 0 else -whole, 10**decimals)


def _computed(literal: NumberLiteral, quantity: Fraction, most: int | None) -> str:
    """The quantity cut off a few digits beyond those that were printed, an ellipsis where it goes on."""
    printed = literal.decimals or 0
    decimals = printed + _MORE_DIGITS if most is None else min(printed + _MORE_DIGITS, most)
    cut = Fraction(math.trunc(quantity * 10**decimals), 10**decimals)
    if cut == quantity:
        while decimals > printed and (cut * 10 ** (decimals - 1)).denominator == 1:
            decimals -= 1
    sign = "-" if quantity < 0 and not cut else ""
    return literal.write(f"{sign}{fixed(cut, decimals, literal.group)}{'' if cut == quantity else '…'}")


def _right(literal: NumberLiteral, quantity: Fraction) -> str:
    decimals = literal.decimals or 0
    return literal.about + literal.write(fixed(_nearest(quantity, decimals), decimals, literal.group))


def _difference(literal: NumberLiteral, quantity: Fraction) -> str:
    """How far the literal is from the value, rounded alike."""
    apart = abs(literal.number - _nearest(quantity, literal.decimals or 0))
    return f"they differ by {_as_float(apart):,.9g}"


def _held_to(literal: NumberLiteral, quantity: Fraction | int) -> str:
    if literal.decimals:
        return plural(literal.decimals, "decimal")
    if literal.form == "decimal" and Fraction(quantity).denominator == 1:
        return "exactly"
    return "a whole percentage" if literal.form == "percent" else "a whole number"


def _plain(value: Fraction) -> str:
    """An exact value as short text: whole, as a fraction, or its first digits where that is long."""
    return str(value) if max(abs(value.numerator), value.denominator) < 10**18 else _decimal(value)


def _decimal(value: Fraction) -> str:
    """A value, rounded where it is long."""
    is_short = value.denominator == 1 and abs(value) < 10**18
    return str(value) if is_short else without_zeros(significant(value, _FIRST_DIGITS))
