"""A published figure held against the computed value, to the precision in which it was printed; knows no post.

Raises ValueError, with a sentence for the author, where the two cannot be compared at all.
"""

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from site_builder.values import number_format
from site_builder.values.literals import ListEntry, NumberLiteral, fixed, read_entries, read_literal, shortened

_FLOAT_DIGITS = sys.float_info.dig
_MORE_DIGITS = 3  # of the computed value, beyond those that were printed
_MOST_ENTRIES = 40  # of a list that is written out in a message
_STANDARD_ERRORS = 4
_CERTAIN = {"certain": 1, "impossible": 0, "never": 0}


@dataclass(frozen=True)
class Verdict:
    """What came of a comparison.

    computed: the value in the form of the literal, with a few digits more; difference: where the two part, as a
    clause; cure: the literal that would be right, empty where there is none; held: to what it was held, such as
    "12 decimals"; is_too_precise: whether the literal has digits that the value cannot vouch for.
    """

    agrees: bool
    printed: str
    computed: str
    difference: str
    cure: str
    held: str
    is_too_precise: bool = False


def compare(text: str, value: Any, simulated: int | None = None, digits: int | None = None) -> Verdict:
    """Whether a literal agrees with a value at the precision in which it is printed.

    simulated: the literal is a relative frequency in so many games, held to four standard errors. digits: the
    literal is printed longer than it is right, and held, rounded, to so many decimals.
    """
    if (simulated is not None or digits is not None) and not _is_number(value):
        raise ValueError("simulated= and digits= are for numbers")
    if simulated is not None:
        if digits is not None:
            raise ValueError("a simulated figure is held to its standard error; leave digits out")
        return _simulated(text, value, simulated)
    if digits is not None:
        return _partly(text, value, digits)
    return _compared(text, value)


def _compared(text: str, value: Any) -> Verdict:
    if isinstance(value, str):
        return _words(text, value)
    if _is_number(value):
        return _number(text, value)
    return _list(text, _entries_of(value))


def _is_number(value: Any) -> bool:
    try:
        number_format.as_number(value)
    except ValueError:
        if isinstance(value, float):
            raise
        return False
    return True


def _entries_of(value: Any) -> tuple[Any, ...]:
    if hasattr(value, "tolist") and getattr(value, "shape", None):
        return tuple(value.tolist())
    if isinstance(value, (tuple, list, range)):
        return tuple(value)
    if value is None or isinstance(value, bool):
        raise ValueError(f"a claim cannot be held against {value}; compare it with a number, a word or a list")
    kind = "a mapping" if isinstance(value, Mapping) else f"a {type(value).__name__}"
    raise ValueError(f"a claim cannot be held against {kind}; take a number, a word or a list from it")


def _words(text: str, value: str) -> Verdict:
    agrees = _folded(text) == _folded(value)
    return Verdict(agrees, text, value, "" if agrees else "the words are not the same", value, "word for word")


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _number(text: str, value: Any) -> Verdict:
    if (word := _folded(text)) in _CERTAIN:
        number = Fraction(number_format.as_number(value))
        agrees = number == _CERTAIN[word]
        computed = _plain(number)
        return Verdict(agrees, text, computed, "" if agrees else f"which is not {word}", computed, "exactly")
    return _held(read_literal(text), text, number_format.as_number(value))


def _held(literal: NumberLiteral, text: str, value: number_format.Number) -> Verdict:
    number = _sure(value)
    _check_probability(literal, number)
    if literal.decimals is None:
        return _exactly(literal, text, number, isinstance(value, float))
    quantity = literal.quantity(number)
    if quantity is None:
        word = "certain" if number else "never" if literal.form == "one in" else "impossible"
        return Verdict(False, text, word, f"which is {word}", word, "exactly")
    if isinstance(value, float) and _is_as_python_prints(literal, value):
        return Verdict(True, text, text, "", text, _held_to(literal, quantity))
    agrees = 2 * abs(literal.number - quantity) <= literal.unit
    most = _most_decimals(literal, value, number)
    if most is not None and literal.decimals > most:
        return _too_precise(literal, text, number, quantity, most)
    computed = _computed(literal, quantity, most)
    right = _right(literal, quantity)
    return Verdict(
        agrees, text, computed, "" if agrees else _parting(literal, quantity), right, _held_to(literal, quantity)
    )


def _too_precise(literal: NumberLiteral, text: str, number: Fraction, quantity: Fraction, most: int) -> Verdict:
    """Of a float: its digits decide as far as they go, and the rest of the literal's is one too many."""
    rounded = replace(literal, number=_nearest(literal.number, most), decimals=most)
    if abs(rounded.number - quantity) > rounded.unit:  # the literal was cut or rounded, so one unit is allowed
        parting = _parting(rounded, quantity)
        return Verdict(
            False, text, _computed(rounded, quantity, most), parting, _right(rounded, quantity), _held_to(rounded, 0)
        )
    fault = f"a float has {_FLOAT_DIGITS} digits; let the solver keep the value exact"
    right = _right(rounded, quantity)
    return Verdict(False, text, _computed(rounded, quantity, most), fault, right, _held_to(rounded, 0), True)


def _exactly(literal: NumberLiteral, text: str, number: Fraction, is_float: bool) -> Verdict:
    meant = _sure(_as_float(literal.number)) if is_float else literal.number
    agrees = meant == number
    written = _as_odds(number) if literal.form == "odds" else _decimal(number) if is_float else _plain(number)
    held = f"{_FLOAT_DIGITS} digits" if is_float else "exactly"
    difference = "" if agrees else f"the claim is {_decimal(literal.number)}, and the value {_decimal(number)}"
    right = text if agrees else f"{literal.about}{literal.write(written)}"
    return Verdict(agrees, text, written, difference, right, held)


def _partly(text: str, value: Any, digits: int) -> Verdict:
    """The literal rounded to its first decimals: one that was rounded elsewhere may differ from there on in every
    digit, as 0.4999 does from 0.5, so the digits are not merely cut off."""
    literal = read_literal(text)
    if literal.decimals is None:
        raise ValueError("digits= is for a number with decimals")
    if isinstance(digits, bool) or not isinstance(digits, int) or digits < 0:
        raise ValueError(f"digits is {digits!r}; it must be a number of decimals")
    if literal.decimals <= digits:
        raise ValueError(f"digits is {digits}, and the claim has {_decimals(literal.decimals)}; leave digits out")
    if _number(text, value).agrees:
        raise ValueError("it is right in all its digits; leave digits out")
    rounded = replace(literal, number=_nearest(literal.number, digits), decimals=digits)
    return replace(_held(rounded, text, number_format.as_number(value)), printed=text)


def _simulated(text: str, value: Any, games: int) -> Verdict:
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise ValueError(f"simulated is {games!r}; it must be the number of games that were played")
    literal = read_literal(text)
    if literal.form not in ("decimal", "percent", "fraction", "share"):
        raise ValueError("a simulated figure is a share of the games, such as 0.46086 or 46.086 %")
    chance = Fraction(number_format.as_number(value))
    if not 0 <= chance <= 1:
        raise ValueError(f"{_plain(chance)} is not a probability, so no share of games is near it")
    share, unit = _in_values(literal)
    held = f"{_STANDARD_ERRORS} standard errors"
    scale = 2 if literal.form == "percent" else 0
    if fault := _impossible_share(share, unit, games, literal.decimals, scale):
        most = max(0, _most_of(games) - scale)
        shorter = replace(literal, number=_nearest(literal.number, most), decimals=most)
        right = _right(shorter, shorter.number) if literal.decimals is not None else ""
        return Verdict(False, text, _near(literal, chance), fault, right, held, True)
    away = max(Fraction(0), abs(share - chance) - unit / 2)
    variance = chance * (1 - chance)
    agrees = away**2 * games <= _STANDARD_ERRORS**2 * variance
    errors = f"{float(away) / math.sqrt(variance / games):.1f} standard errors" if variance else "for certain"
    difference = "" if agrees else f"they are {errors} apart, and {_STANDARD_ERRORS} is the most"
    if not agrees and not variance:
        difference = "every game ends the same, so there is nothing to simulate"
    return Verdict(agrees, text, _near(literal, chance), difference, "", held)


def _impossible_share(share: Fraction, unit: Fraction, games: int, decimals: int | None, scale: int) -> str:
    """Why no count of so many games gives this share; empty when one does."""
    if decimals is not None and decimals + scale > _most_of(games):
        return f"{games:,} simulated games give no more than {_decimals(max(0, _most_of(games) - scale))}"
    nearest = Fraction(round(share * games), games)
    if 2 * abs(nearest - share) > unit or not 0 <= share <= 1:
        return f"no number of wins in {games:,} games is this share"
    return ""


def _most_of(games: int) -> int:
    """The decimals that a share of so many games has; 5 of 100,000."""
    return len(str(games - 1)) if games > 1 else 0


def _near(literal: NumberLiteral, chance: Fraction) -> str:
    if literal.decimals is None:
        return _decimal(chance)
    quantity = literal.quantity(chance)
    return _computed(literal, chance if quantity is None else quantity, None)


def _in_values(literal: NumberLiteral) -> tuple[Fraction, Fraction]:
    """A decimal or percentage as the value that it says, and the weight of its last digit."""
    scale = 100 if literal.form == "percent" else 1
    return literal.number / scale, literal.unit / scale


def _list(text: str, values: tuple[Any, ...]) -> Verdict:
    verdicts = []
    for entries, is_opened in read_entries(text, len(values)):
        verdict = _as_entries(entries, text, values)
        verdicts.append(_bracketed(verdict) if is_opened else verdict)
    return next((verdict for verdict in verdicts if verdict.agrees), verdicts[0])


def _bracketed(verdict: Verdict) -> Verdict:
    right = verdict.printed if verdict.agrees else f"({verdict.cure})"
    return replace(verdict, cure=right, computed=f"({verdict.computed})")


def _as_entries(entries: tuple[ListEntry, ...], text: str, values: tuple[Any, ...]) -> Verdict:
    computed = _listed([_plainly(value) for value in values])
    if len(entries) != len(values):
        difference = f"the claim has {_entries(len(entries))} and the value {_entries(len(values))}"
        return Verdict(False, text, computed, difference, computed, "exactly")
    verdicts = [_compared_entry(entry, value) for entry, value in zip(entries, values, strict=True)]
    wrong = [place for place, verdict in enumerate(verdicts) if not verdict.agrees]
    held = ", ".join(dict.fromkeys(verdict.held for verdict in verdicts)) or "exactly"
    is_too_precise = bool(wrong) and all(verdicts[place].is_too_precise for place in wrong)
    right = _listed([verdict.printed if verdict.agrees else verdict.cure for verdict in verdicts])
    difference = ""
    if wrong:
        first = verdicts[wrong[0]]
        difference = f"they differ first in entry {wrong[0] + 1}, {shortened(first.printed)} for {first.computed}"
        difference = first.difference if is_too_precise else difference
    return Verdict(not wrong, text, computed, difference, right if wrong else text, held, is_too_precise)


def _compared_entry(entry: ListEntry, value: Any) -> Verdict:
    if isinstance(value, str) or _is_number(value):
        return _compared(entry.text, value)
    values = _entries_of(value)
    return _bracketed(_as_entries(entry.inner, entry.text, values))


def _listed(texts: list[str]) -> str:
    return ", ".join(texts if len(texts) <= _MOST_ENTRIES else [*texts[:_MOST_ENTRIES], "…"])


def _plainly(value: Any) -> str:
    if isinstance(value, str):
        return value
    if not _is_number(value):
        return f"({_listed([_plainly(entry) for entry in _entries_of(value)])})"
    number = number_format.as_number(value)
    return f"{number:.{_FLOAT_DIGITS}g}" if isinstance(number, float) else _plain(Fraction(number))


def _entries(count: int) -> str:
    return f"{count} entry" if count == 1 else f"{count} entries"


def _sure(value: number_format.Number) -> Fraction:
    """An exact value as it is; of a float the digits that it has."""
    return Fraction(f"{value:.{_FLOAT_DIGITS - 1}e}") if isinstance(value, float) else Fraction(value)


def _as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(sys.float_info.max, value)


def _most_decimals(literal: NumberLiteral, value: number_format.Number, number: Fraction) -> int | None:
    """The most decimals of the literal's form that the value has; None for an exact one."""
    if not isinstance(value, float) or not number:
        return None
    half = Fraction(f"5e{Decimal(value).adjusted() - _FLOAT_DIGITS}")  # math.log10 rounds 999999.9999999999 up
    above, below = literal.quantity(number + half), literal.quantity(number - half)
    if above is None or below is None:
        return 0
    width, decimals = abs(above - below), 0
    while width * 10 ** (decimals + 1) <= 1:
        decimals += 1
    return decimals


def _is_as_python_prints(literal: NumberLiteral, value: float) -> bool:
    """Whether the literal is the shortest text that gives the float back, which may have 16 or 17 digits."""
    if literal.form != "decimal":
        return False
    shortest = Fraction(repr(value))
    has_no_zeros = not literal.decimals or (shortest * 10 ** (literal.decimals - 1)).denominator > 1
    return literal.number == shortest and has_no_zeros


def _check_probability(literal: NumberLiteral, number: Fraction) -> None:
    if literal.form in ("one in", "odds", "share") and not 0 <= number <= 1:
        raise ValueError(f"{_plain(number)} is not a probability, so {literal.form!r} says nothing of it")


def _nearest(number: Fraction, decimals: int) -> Fraction:
    """Rounded to so many decimals, half away from zero as people do."""
    scaled = abs(number) * 10**decimals
    whole = math.floor(scaled + Fraction(1, 2))
    return Fraction(whole if number >= 0 else -whole, 10**decimals)


def _computed(literal: NumberLiteral, quantity: Fraction, most: int | None) -> str:
    """The quantity cut off a few digits beyond those that were printed, an ellipsis where it goes on."""
    decimals = (literal.decimals or 0) + _MORE_DIGITS
    if most is not None:
        decimals = min(decimals, most)
    cut = Fraction(math.trunc(quantity * 10**decimals), 10**decimals)
    text = fixed(cut, decimals, literal.group)
    if cut == quantity:
        text = _without_zeros(text, literal.decimals or 0)
    sign = "-" if quantity < 0 and not cut else ""
    return literal.write(f"{sign}{text}{'' if cut == quantity else '…'}")


def _without_zeros(text: str, at_least: int) -> str:
    whole, point, rest = text.partition(".")
    rest = rest[:at_least] + rest[at_least:].rstrip("0")
    return f"{whole}{point}{rest}" if rest else whole


def _right(literal: NumberLiteral, quantity: Fraction) -> str:
    decimals = literal.decimals or 0
    return literal.about + literal.write(fixed(_nearest(quantity, decimals), decimals, literal.group))


def _parting(literal: NumberLiteral, quantity: Fraction) -> str:
    """Where the digits of the literal and of the value, rounded alike, part."""
    decimals = literal.decimals or 0
    right = _nearest(quantity, decimals)
    claimed, computed = fixed(literal.number, decimals), fixed(right, decimals)
    first, second = claimed.partition("."), computed.partition(".")
    if first[0] != second[0]:
        if decimals:
            return "they differ before the decimal point"
        return f"they differ by {fixed(abs(literal.number - right), 0, ',')}"
    pairs = zip(first[2], second[2], strict=True)
    place = next(place for place, (one, other) in enumerate(pairs, start=1) if one != other)
    return f"they differ first in the {number_format.ordinal(place)} decimal"


def _held_to(literal: NumberLiteral, quantity: Fraction | int) -> str:
    if literal.decimals:
        return _decimals(literal.decimals)
    if literal.form == "decimal" and Fraction(quantity).denominator == 1:
        return "exactly"
    return "a whole percentage" if literal.form == "percent" else "a whole number"


def _decimals(count: int) -> str:
    return f"{count} decimal" if count == 1 else f"{count} decimals"


def _as_odds(chance: Fraction) -> str:
    if chance in (0, 1):
        return "certain" if chance else "impossible"
    ratio = chance / (1 - chance)
    return f"{_plain(Fraction(ratio.numerator))} to {_plain(Fraction(ratio.denominator))}"


def _plain(value: Fraction) -> str:
    """An exact value in few signs: whole, as a fraction, or its first digits where that is long."""
    if max(abs(value.numerator), value.denominator) < 10**18:
        return str(value)
    return _decimal(value)


def _decimal(value: Fraction) -> str:
    """The first digits of a value."""
    if value.denominator == 1 and abs(value) < 10**18:
        return str(value)
    if value and not Fraction(1, 10**6) <= abs(value) < 10**18:
        return _with_exponent(value)
    text = fixed(Fraction(math.trunc(value * 10**12), 10**12), 12)
    return text.rstrip("0") if value * 10**12 == math.trunc(value * 10**12) else f"{text}…"


def _with_exponent(value: Fraction) -> str:
    exponent = math.floor((abs(value.numerator).bit_length() - value.denominator.bit_length()) * math.log10(2))
    while abs(value) >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while abs(value) < Fraction(10) ** exponent:
        exponent -= 1
    first = abs(value) / Fraction(10) ** exponent
    digits = fixed(Fraction(math.trunc(first * 10**9), 10**9), 9)
    return f"{'-' if value < 0 else ''}{digits}… × 10^{exponent}"
