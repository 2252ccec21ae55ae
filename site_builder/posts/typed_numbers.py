"""Numbers typed in prose that equal a result of the post; they would go stale when the result changes."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from site_builder.errors import Place, SiteError
from site_builder.markup.segments import segments, tag_end
from site_builder.project.front_matter import CARD
from site_builder.project.posts import Post
from site_builder.values.literals import DECIMAL, PERCENT, WHOLE, NumberLiteral, fixed, read_literal
from site_builder.values.plain_values import classify
from site_builder.values.records import Record, fields_of, read_all

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_FEWEST_DIGITS = 3
_FEW = 100  # numbers of a field that are looked at for so few digits
_FEWEST_OF_MANY = 6
_LEAST_WHOLE = 1000
_YEARS = range(1500, 2200)
_APART = ("parameters", "figures", "checks")
_JINJA, _NOTHING = "\ufdd0", " "  # a noncharacter where Jinja writes something: no number begins or ends at it
_LEFT_OUT = (
    re.compile(r"<[^<>]*>"),  # tags
    re.compile(r"(?<=\])\([^()\s]*(?:\s+\"[^\"]*\")?\)"),  # targets of links and images
    re.compile(r"^ {0,3}\[[^\]]+\]:.*$", re.MULTILINE),  # their definitions, but footnotes are text
    re.compile(r"\b(?:https?://|www\.)\S+|\b[\w-]+(?:\.[\w-]+)+/\S*"),  # bare addresses
    re.compile(r"&#?\w+;"),
    re.compile(r"\{:?[ ]?[#.][^{}\n]*\}"),  # lists of attributes
    re.compile(r"\b\d{4}([-/.])\d{1,2}\1\d{1,2}\b"),  # dates
)
_FOOTNOTE = re.compile(r" {0,3}\[\^")
_START = rf"(?<![\w{_JINJA}])(?<!\d[.,:/'-])(?<![A-Za-z][-./])"
_END = rf"(?![\w{_JINJA}]|[.,:/'-]\d)"
_FRACTION = rf"{WHOLE}/{WHOLE}"
_NUMBER = re.compile(rf"{_START}(?:(?:1|one) in {WHOLE}|{_FRACTION}|{DECIMAL}{PERCENT}|{DECIMAL}){_END}", re.IGNORECASE)
_TEX_NUMBERS = (  # how TeX writes them, and how prose does
    (re.compile(r"\\[dt]?frac[ ]*\{[ ]*(\d+)[ ]*\}[ ]*\{[ ]*(\d+)[ ]*\}"), r" \1/\2 "),
    (re.compile(r"(?<=\d)(?:\{,\}|\\[,:;!])(?=\d)"), ","),
    (re.compile(r"(?<=\d)\{\.\}(?=\d)"), "."),
    (re.compile(r"[ ]*(?:\\[,:; ][ ]*)?\\%"), " %"),
)


@dataclass(frozen=True)
class Typed:
    """A number in prose: its text, place, value, and number of meaningful digits."""

    text: str
    place: Place
    literal: NumberLiteral
    digits: int
    in_body: bool


_Found = tuple[Fraction | float, str]  # a number in a result, and the expression that a post would write for it
_Spans = Sequence[tuple[float, float]]  # of absolute values that are looked for


def typed_number_errors(post: Post, results: Mapping[str, Record], runs: "Sequence[PlannedRun]") -> list[SiteError]:
    """An error for each number typed in the post that equals a result of it.

    The results are read, and recorded as read, only if some number could be one.
    """
    typed = typed_numbers(post) if results else []
    if not typed:
        return []
    known = {abs(number) for run in runs for number in _parameters(run, results[run.name])}
    typed = [each for each in typed if _value(each.literal) not in known]
    if not typed:
        return []
    pinned = {run.name for run in runs if run.pinned}
    axes = {run.name: tuple(run.axes) for run in runs}
    equal: dict[Typed, list[tuple[bool, int, str, Fraction | float]]] = {each: [] for each in typed}
    for run, record in results.items():
        for each, (value, expression) in _equal_ones(typed, run, record, axes.get(run, ())):
            equal[each].append((run in pinned, len(expression), expression, value))
    fault = "the number {} is typed, and equals a result"
    return [
        SiteError(each.place, fault.format(each.text), _cure(each, sorted(found, key=itemgetter(0, 1, 2))))
        for each, found in equal.items()
        if found
    ]


def _equal_ones(
    typed: Sequence[Typed], run: str, record: Record, axes: Iterable[str]
) -> Iterator[tuple[Typed, _Found]]:
    """The typed numbers that equal a number in a run's results, with that number."""
    for name, value in read_all(record).items():
        if name in _APART or name in axes:
            continue
        needed = _needed(_count(value))
        looked_for = [each for each in typed if each.digits >= needed]
        spans = [_span(each.literal) for each in looked_for]
        for number in _numbers(value, f"results.{run}.{name}", spans) if spans else ():
            yield from ((each, number) for each in looked_for if _equals(each.literal, number[0]))


def typed_numbers(post: Post) -> list[Typed]:
    """The numbers in a post's prose that could be results of something."""
    found = list(_in_text(post.body, Place(post.source, post.body_line), True))
    for key in CARD:
        found += _in_text(getattr(post.front, key), post.reading.place(key), False)
    return found


def _in_text(text: str, place: Place, in_body: bool) -> Iterator[Typed]:
    """The numbers in a text. place: where it begins; in_body: whether its lines are those of the file."""
    prose = _prose(text)
    for match in _NUMBER.finditer(prose):
        literal = read_literal(match[0])
        digits = _digits(literal)
        if digits >= _FEWEST_DIGITS and not _is_everyday(literal, match[0]):
            line = place.line + (prose.count("\n", 0, match.start()) if in_body else 0)
            yield Typed(" ".join(match[0].split()), Place(place.path, line), literal, digits, in_body)


def _prose(text: str) -> str:
    """The text line for line, with all left out that is no prose and TeX's numbers written as those of prose."""
    pieces = []
    for segment in segments(text, jinja=True):
        if segment.kind == "text":
            pieces.append(segment.text)
        elif segment.kind in ("tex", "display"):
            pieces.append(_of_tex(segment.text))
        else:
            pieces.append(_blank(segment.text, _JINJA if segment.text.startswith("{{") else _NOTHING))
    prose = "".join(pieces)
    for pattern in _LEFT_OUT:
        prose = pattern.sub(lambda match: match[0] if _FOOTNOTE.match(match[0]) else _blank(match[0], _NOTHING), prose)
    return prose


def _of_tex(tex: str) -> str:
    pieces, at = [], 0
    while (start := tex.find("{", at)) >= 0:
        end = tag_end(tex, start) if tex[start + 2 : start + 3].isspace() else 0
        pieces.append(tex[at:start] + (_blank(tex[start:end], _JINJA) if end else "{"))
        at = end or start + 1
    written = "".join([*pieces, tex[at:]])
    for pattern, prose in _TEX_NUMBERS:
        written = pattern.sub(prose, written)
    return written


def _blank(text: str, sign: str) -> str:
    return sign + "\n" * text.count("\n") + (sign if "\n" in text else "")


def _digits(literal: NumberLiteral) -> int:
    """The number of meaningful digits: without leading zeros, and without trailing zeros of a whole number."""
    if literal.decimals is None:
        return len(str(literal.number.numerator)) + len(str(literal.number.denominator))
    scaled = str(literal.number * 10**literal.decimals)
    return len(scaled if literal.decimals else scaled.rstrip("0"))


def _is_everyday(literal: NumberLiteral, text: str) -> bool:
    """Whether it is a small whole number or a year."""
    if literal.form != "decimal" or literal.decimals:
        return False
    return literal.number < _LEAST_WHOLE or (len(text) == 4 and literal.number in _YEARS)


def _value(literal: NumberLiteral) -> Fraction | None:
    """The value of a literal that is taken as exact."""
    if literal.form == "one in":
        return 1 / literal.number if literal.number else None
    return literal.number / 100 if literal.form == "percent" else literal.number


def _equals(literal: NumberLiteral, value: Fraction | float) -> bool:
    """Whether the literal is what the value, whatever its sign, is rounded to."""
    if isinstance(value, float):
        value = Fraction(f"{value:.14e}")
        if literal.decimals is None:
            return abs(abs(value) / literal.number - 1) < Fraction(1, 10**14)
    if literal.decimals is None:
        return abs(value) == literal.number
    quantity = literal.quantity(abs(value))
    return quantity is not None and 2 * abs(quantity - literal.number) <= literal.unit


def _needed(count: int) -> int:
    """The digits that a number needs so that it equals one of so many by chance with probability 1/1000 at most."""
    return _FEWEST_DIGITS if count <= _FEW else max(_FEWEST_OF_MANY, 3 + math.ceil(math.log10(count)))


def _parameters(run: "PlannedRun", record: Record) -> Iterator[Fraction]:
    swept = [value for values in run.axes.values() for value in values]
    for value, _ in _numbers([fields_of(record.parameters), swept], "", [(0, math.inf)]):
        yield Fraction(repr(value)) if isinstance(value, float) else value


def _count(value: Any) -> int:
    """How many numbers a value holds, at any depth; words are counted too."""
    kind, value = classify(value)
    match kind:
        case "grid":
            return _count(value.values)
        case "array":
            return int(value.size)
        case "mapping" | "record":
            return sum(map(_count, value.values())) or 1
        case "sequence":
            return sum(map(_count, value)) or 1
    return 1


def _numbers(value: Any, path: str, spans: _Spans) -> Iterator[_Found]:
    """The numbers in a value that lie in one of the spans, at any depth. path: the expression of the value."""
    kind, value = classify(value)
    inner: Iterable[tuple[str, Any]] = ()
    match kind:
        case "whole" | "float" | "exact" if not isinstance(value, Decimal) and _is_near(value, spans):
            yield value if kind == "float" else Fraction(value), path
        case "grid":
            inner = ((_at(value.axes, place), entry) for place, entry in _entries(value.values, spans))
        case "array":
            inner = ((f"[{', '.join(map(str, place))}]", entry) for place, entry in _entries(value, spans))
        case "mapping":
            inner = ((f"[{key!r}]", entry) for key, entry in value.items())
        case "sequence":
            inner = ((f"[{at}]", entry) for at, entry in enumerate(value))
        case "record":
            inner = ((f".{name}", entry) for name, entry in value.items())
    for part, entry in inner:
        yield from _numbers(entry, path + part, spans)


def _entries(array: Any, spans: _Spans) -> Iterator[tuple[Sequence[int], Any]]:
    """The entries of an array that may hold numbers in the spans, each with its indices."""
    import numpy as np  # loaded already, since there is an array

    flat = array.ravel()
    if array.dtype.kind in "fiu":
        sizes = abs(flat)
        places = [at for low, high in spans for at in ((sizes >= low) & (sizes <= high)).nonzero()[0].tolist()]
    else:
        places = [at for at, each in enumerate(flat.tolist()) if type(each) is not Fraction or _is_near(each, spans)]
    for at in places:
        entry = flat[at]
        yield np.unravel_index(at, array.shape), entry.item() if hasattr(entry, "item") else entry


def _is_near(value: Any, spans: _Spans) -> bool:
    try:
        size = abs(float(value))
    except OverflowError:
        return False
    return any(low <= size <= high for low, high in spans) and math.isfinite(size)


def _span(literal: NumberLiteral) -> tuple[float, float]:
    """Where the values lie that a literal may stand for, and a little beyond."""
    meant = float(_value(literal) or 0)
    half = float(literal.unit / 2 / (100 if literal.form == "percent" else 1))
    if literal.form == "one in":
        half = meant / (2 * float(literal.number) - 1)
    return (meant - half) * (1 - 1e-9), (meant + half) * (1 + 1e-9)


def _at(axes: Mapping[str, Sequence[Any]], place: Sequence[int]) -> str:
    coordinates = [(name, values[index]) for (name, values), index in zip(axes.items(), place, strict=True)]
    where = (f"{name}={value!r}" if isinstance(value, str) else f"{name}={value}" for name, value in coordinates)
    return f".at({', '.join(where)})"


def _cure(typed: Typed, found: Sequence[tuple[bool, int, str, Fraction | float]]) -> str:
    """What to write in place of a typed number. found: the numbers equal to it, those of fixed runs last.

    The text most often speaks of runs that are not fixed; a claim can only be compared with a fixed run.
    """
    _, _, expression, value = found[0]
    lines = [f"write {{{{ {expression} | {_filter(value, typed.literal)} }}}}"]
    text = _printed(typed.literal)
    fixed_run = next((expression for is_fixed, _, expression, _ in found if is_fixed), None)
    if typed.in_body and fixed_run:
        lines.append(f'{{{{ claim("{text}", {fixed_run}) }}}} for a figure that was published elsewhere')
    lines.append(f'{{{{ typed("{text}") }}}} for one that has nothing to do with it')
    return ",\n".join(lines)


def _printed(literal: NumberLiteral) -> str:
    if literal.decimals is None:
        return f"{literal.number.numerator}/{literal.number.denominator}"
    return literal.write(fixed(literal.number, literal.decimals, literal.group))


def _filter(value: Fraction | float, literal: NumberLiteral) -> str:
    if literal.decimals is None:
        return "fraction" if isinstance(value, Fraction) else "number(4)"
    if literal.form == "one in":
        return "one_in"
    if literal.form == "percent":
        return f"percent({literal.decimals})"
    is_whole = isinstance(value, Fraction) and value.denominator == 1 and not literal.decimals
    return "integer" if is_whole else f"number({literal.decimals})"
