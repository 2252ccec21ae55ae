"""Parse a number as an author types it: decimals, percentages, fractions, 1 in N, odds; and lists of them.

Raises ValueError, with a sentence for the author, for a text that is none of these.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

_MOST_CHARACTERS = 4000  # Python reads no whole number of more than 4,300 digits
_LONGEST_SHOWN = 60
_SPACE = "[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{FIGURE SPACE}]"
_GROUPED = rf"[1-9]\d{{0,2}}(?:,\d{{3}})+|[1-9]\d{{0,2}}(?:{_SPACE}\d{{3}})+"
_DECIMALS = rf"\d{{3}}(?:{_SPACE}\d{{3}})*{_SPACE}\d{{1,3}}|\d{{5}}(?:{_SPACE}\d{{5}})*{_SPACE}\d{{1,5}}|\d+"
WHOLE = rf"(?:{_GROUPED}|\d+)"
DECIMAL = rf"(?:{WHOLE}(?:\.(?:{_DECIMALS}))?|\.(?:{_DECIMALS}))"
PERCENT = rf"(?:{_SPACE}*%|{_SPACE}+per{_SPACE}?cent\b|{_SPACE}+percentage{_SPACE}points?\b)"
_MINUS = re.compile("[\N{MINUS SIGN}\N{EN DASH}-]")
_SIGN = "[+\N{MINUS SIGN}\N{EN DASH}-]?"
_ABOUT = re.compile(
    r"(?:about|nearly|roughly|almost|around|approximately|some)\s+|[~\N{ALMOST EQUAL TO}]\s*", re.IGNORECASE
)
Quantity = Callable[[Fraction], Fraction | None]
_FORMS: dict[str, tuple[re.Pattern[str], Quantity]] = {
    "decimal": (re.compile(rf"(?P<before>)(?P<number>{_SIGN}{DECIMAL})(?P<after>)"), lambda value: value),
    "percent": (
        re.compile(rf"(?P<before>)(?P<number>{_SIGN}{DECIMAL})(?P<after>{PERCENT})", re.IGNORECASE),
        lambda value: 100 * value,
    ),
    "one in": (
        re.compile(rf"(?P<before>(?:1|one)\s+in\s+)(?P<number>{DECIMAL})(?P<after>)", re.IGNORECASE),
        lambda value: 1 / value if value else None,
    ),
}
_EXACT_FORMS = {
    "fraction": re.compile(rf"(?P<above>{_SIGN}{WHOLE})\s*[/\N{{FRACTION SLASH}}]\s*(?P<below>{WHOLE})"),
    "share": re.compile(rf"(?P<above>{WHOLE})\s+(?:in|out\s+of)\s+(?P<below>{WHOLE})", re.IGNORECASE),
    "odds": re.compile(rf"(?P<above>{WHOLE})\s*(?:\s+to\s+|:)\s*(?P<below>{WHOLE})", re.IGNORECASE),
}
_SCIENTIFIC = re.compile(
    rf"(?P<number>{_SIGN}{DECIMAL})(?P<after>\s*[·×]\s*10(?P<power>⁻?[⁰¹²³⁴-⁹]+)(?P<percent>{PERCENT})?)", re.IGNORECASE
)
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")

_LONGEST_RANGE = 10_000
_BRACKETS = re.compile(r"[()\[\]]")
_WITH_COMMAS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d|,\d)")
_KEPT_COMMA = "\N{SINGLE LOW-9 QUOTATION MARK}"
_SEPARATOR = re.compile(r"\s*[,;]\s*(?:(?:and|or)\b\s*)?|\s+(?:and|or)\s+|\s*&\s*")
_RANGE = re.compile(rf"({WHOLE})(?:\s+(?:to|through)\s+|\s*[\N{{EN DASH}}-]\s*)({WHOLE})")


@dataclass(frozen=True, eq=False)
class NumberLiteral:
    """A number as it is printed; two of them are never equal, as one line may have the same number twice.

    number: the number itself, such as 64.03 in "64.03 %"; decimals: those of the number, None where it is exact;
    quantity: value -> the number that it would have in this form, None where that is infinite; before, after: the text
    around the number; about: a word such as "nearly "; group: the separator of groups of three digits.
    """

    form: str
    number: Fraction
    about: str
    group: str
    decimals: int | None = None
    quantity: Quantity = lambda value: value
    before: str = ""
    after: str = ""

    def write(self, number: str) -> str:
        """Return the literal with this number in place of its own, without the word before it."""
        return f"{self.before}{number}{self.after}"

    @property
    def unit(self) -> Fraction:
        """Return the weight of the last digit that is printed; 0 where the number is exact."""
        return Fraction(0) if self.decimals is None else Fraction(1, 10**self.decimals)


def read_literal(text: str) -> NumberLiteral:
    """Parse a printed number."""
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a number of {len(text):,} signs is too long to compare")
    bare = " ".join(text.split(" ")).strip()
    found = _ABOUT.match(bare)
    about = found[0] if found else ""
    words = bare[len(about) :]
    grouped = re.search(_GROUPED, words.partition(".")[0])
    group = re.sub(r"\d", "", grouped[0])[:1] if grouped else ""
    for form, (pattern, quantity) in _FORMS.items():
        if found := pattern.fullmatch(words):
            before, number, after = found["before"], found["number"], found["after"]
            return NumberLiteral(form, _number(number), about, group, _decimals(number), quantity, before, after)
    for form, pattern in _EXACT_FORMS.items():
        if found := pattern.fullmatch(words):
            above, below = _number(found["above"]), _number(found["below"])
            whole = below + above if form == "odds" else below
            if not whole:
                raise ValueError(f"{shortened(text)!r} divides by zero")
            return NumberLiteral(form, above / whole, about, group)
    if found := _SCIENTIFIC.fullmatch(words):
        return _read_scientific(found, about, group)
    raise ValueError(f"{shortened(text)!r} is no number that can be compared")


def shortened(text: str) -> str:
    """Return a text as messages show it."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 2] + " …"


def fixed(value: Fraction, decimals: int, group: str = "") -> str:
    """Return a value that has no more decimals than these with all of them."""
    whole, rest = divmod(abs(value.numerator) * 10**decimals // value.denominator, 10**decimals)
    sign = "-" if value < 0 and (whole or rest) else ""
    text = f"{whole:,}".replace(",", group)
    return sign + text + (f".{rest:0{decimals}d}" if decimals else "")


def _read_scientific(found: re.Match[str], about: str, group: str) -> NumberLiteral:
    """A number with a power of ten, such as 1.25·10⁻¹², of which the number before it is compared."""
    scale = (100 if found["percent"] else 1) / Fraction(10) ** int(found["power"].translate(_LOWERED))
    number = found["number"]
    return NumberLiteral(
        "scientific", _number(number), about, group, _decimals(number), lambda value: value * scale, "", found["after"]
    )


def _decimals(number: str) -> int:
    return sum(character.isdigit() for character in number.partition(".")[2])


def _number(text: str) -> Fraction:
    value = Fraction("".join(character for character in text if character.isdigit() or character == "."))
    return -value if _MINUS.match(text) else value


def read_list(text: str, count: int) -> list[str]:
    """The entries of a list, at any depth of brackets; a range such as 3 to 16 stands for its whole numbers.

    count: the entries that it should have. The comma in `100,200` is part of a number, unless only the list without
    such commas has so many entries.
    """
    with_kept_commas = _WITH_COMMAS.sub(lambda found: found[0].replace(",", _KEPT_COMMA), text)
    readings = [
        [entry for piece in _SEPARATOR.split(_BRACKETS.sub(",", each)) for entry in _entries(piece)]
        for each in (with_kept_commas, text)
    ]
    return next((entries for entries in readings if len(entries) == count), readings[0])


def _entries(piece: str) -> list[str]:
    """The entries between two separators: none, one, or those of a range."""
    text = piece.replace(_KEPT_COMMA, ",").strip()
    if not (found := _RANGE.fullmatch(text)):
        return [text] if text else []
    first, last = (int(re.sub(r"\D", "", end)) for end in found.groups())
    if not 0 < last - first < _LONGEST_RANGE:
        raise ValueError(f"{shortened(text)!r} is no run of whole numbers")
    return [str(number) for number in range(first, last + 1)]
