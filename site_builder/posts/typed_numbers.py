"""Numbers that are typed in a post and meet a result of its runs: equal as printed, or a slip of the keys away.

They are looked for in the source of all that a reader sees, so that each has its line. Arguments of claim() and
typed(), coordinates, conditions, links and code count as typed on purpose.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import isfinite
from typing import Any, NamedTuple

from jinja2 import Environment, TemplateSyntaxError

from site_builder.errors import Place
from site_builder.markup.segments import Segment, segments
from site_builder.posts.evidence import Finding
from site_builder.project.front_matter import FRONT_TEXTS
from site_builder.project.posts import Post
from site_builder.solving.checks.answers import leaves_of
from site_builder.values.language import current
from site_builder.values.literals import fixed
from site_builder.values.plain_values import classify
from site_builder.values.records import BESIDE, Record, fields_of

_SPACE = "[ \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]"
_NUMBER = re.compile(
    r"(?<![\w.,/:#-])(?P<above>\d+)/(?P<below>\d+)(?!\w|/|[.:-]\d)"
    r"|(?<![\w.,/:#])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?!\w|[.,:/-]\d)"
    rf"(?P<percent>{_SPACE}?(?:%|per{_SPACE}?cent\b))?",
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{?(\d+)\}?\s*\{?(\d+)\}?")
_TEX_SIGNS = {"{,}": ",", r"\%": "%", r"\,": "", r"\!": "", "{": " ", "}": " "}
_SEEN_ATTRIBUTE = re.compile(r"\b(?:alt|title)\s*=\s*(\"[^\"]*\"|'[^']*')")
_EXPRESSION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_ADDRESS = re.compile(r"\]\([^()\s]*|\]\[[^\]]*\]|https?://\S+|www\.\S+|^ {0,3}\[[^\]^][^\]]*\]:\s*\S+", re.MULTILINE)
_DIGITS = re.compile(r"\d[.,/]?\d")  # fewer are no finding
_OUTPUT = re.compile(r"(?:```+|~~~+)[ \t]*\{?[ \t.]*output\b")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_FREE_CALLS = ("claim", "typed", "at", "along", "when", "percent", "number", "integer", "significant")
_FEWEST, _FEWEST_WITH_POINT = 3, 2  # significant digits
_LEXER = Environment(autoescape=False)
_WRITES = re.compile(r"\{\{[-+]?|\{%[-+]?\s*set\s[^=]*=")
_REASONLESS = re.compile(r"\btyped\s*\(\s*(\"[^\"]*\"|'[^']*')\s*,?\s*\)")
_NO_NAMES = ("true", "false", "none", "True", "False", "None", "and", "or", "not", "in", "is", "if", "else")


def result_numbers(results: Mapping[str, Record], printed: Iterable[Any] = ()) -> dict[Fraction, str]:
    """The single values of the runs of a post, without those of parameters, and the values that it prints.

    Each with the expression that a post writes for it, which is empty for a value that is printed and no single one.
    """
    found: list[tuple[Fraction | None, str]] = []
    known: set[Fraction] = set()
    for run, record in results.items():
        fields = fields_of(record)
        parameters = fields_of(fields["parameters"]) if "parameters" in fields else {}
        known |= {abs(each) for each in map(_number, parameters.values()) if each is not None}
        own = {name: value for name, value in fields.items() if name not in (*BESIDE, *parameters)}
        found += [(_number(value), f"results.{run}.{leaf}") for leaf, value in leaves_of(own).items()]
    found += [(_number(value), "") for value in printed]
    return {number: name for number, name in reversed(found) if number is not None and abs(number) not in known}


def _number(value: Any) -> Fraction | None:
    kind, value = classify(value)
    return Fraction(value) if kind in ("whole", "exact") or (kind == "float" and isfinite(value)) else None


def typed_findings(post: Post, results: Mapping[Fraction, str]) -> list[Finding]:
    """A finding for each number of a post that meets one of the results, as `result_numbers` gives them."""
    forms = cache(lambda *printed: [form for result in results.items() for form in _forms(*result, *printed)])
    found: dict[tuple[int, str], Finding] = {}
    for text, place in texts_of(post):
        for each in _typed_in(text, place.line):
            if finding := _finding(each, forms(each.decimals, each.is_percent)):
                found.setdefault((each.line, each.text), finding)
    return list(found.values())


def texts_of(post: Post) -> Iterator[tuple[str, Place]]:
    """The texts of a post that readers see, each with the place where it begins."""
    front, place = post.front, post.reading.place
    yield post.body, Place(post.source, post.body_line)
    yield from ((getattr(front, key), place(key)) for key in FRONT_TEXTS)
    for number, each in enumerate(front.corrections):
        yield each.text, place("corrections", number, "text")
    yield from ((str(tag), place("tags")) for tag in front.tags)


# What is typed


class TypedNumber(NamedTuple):
    """A number as it is typed, with enough digits to be more than a coincidence.

    printed: as a result is printed that equals it. decimals: how many; None of a fraction. is_reasonless: whether it is
    the argument of typed() without a reason.
    """

    line: int
    text: str
    printed: str
    decimals: int | None
    is_percent: bool
    is_reasonless: bool


def _typed_in(text: str, first: int) -> Iterator[TypedNumber]:
    for segment in segments(text, jinja=True):
        for line, words, is_reasonless in _seen(segment):
            yield from _in_words(words, first + line - 1, is_reasonless)


def _in_words(words: str, line: int, is_reasonless: bool) -> Iterator[TypedNumber]:
    language = current()
    for found in _NUMBER.finditer(language.in_english(words)):
        decimals = None
        if found["above"]:
            digits, below = found["above"] + found["below"], int(found["below"])
            printed = str(Fraction(int(found["above"]), below)) if below else ""
        else:
            digits = found["number"].replace(",", "")
            whole, point, rest = digits.partition(".")
            printed, decimals = f"{int(whole)}{point}{rest}", len(rest)
        fewest = _FEWEST_WITH_POINT if decimals or found["percent"] else _FEWEST
        if printed and _significant(digits) >= fewest:
            text = language.from_english(found[0].strip())
            yield TypedNumber(line, text, printed, decimals, bool(found["percent"]), is_reasonless)


def _significant(digits: str) -> int:
    return len(digits.replace(".", "").lstrip("0"))


def _seen(segment: Segment) -> Iterator[tuple[int, str, bool]]:
    """The texts in a segment that readers see, each with its line, and whether typed() has it without a reason."""
    match segment.kind:
        case "text":
            text = _TAG.sub(lambda tag: " ".join(_SEEN_ATTRIBUTE.findall(tag[0])), segment.text)
            text = _ADDRESS.sub(lambda found: "\n" * found[0].count("\n"), text).replace(r"\%", "%")
        case "tex" | "display":
            for tag in _EXPRESSION.finditer(segment.text):
                yield from _in_expression(tag[0], segment.line + segment.text.count("\n", 0, tag.start()))
            text = _EXPRESSION.sub(lambda tag: "\n" * tag[0].count("\n"), segment.text)
            text = _FRACTION.sub(r" \1/\2 ", text)
            for sign, plain in _TEX_SIGNS.items():
                text = text.replace(sign, plain)
        case "code" if _OUTPUT.match(segment.text):
            text = segment.text
        case "jinja":
            yield from _in_expression(segment.text, segment.line)
            return
        case _:
            return
    yield from ((segment.line + number, line, False) for number, line in enumerate(text.split("\n")))


def _in_expression(text: str, first: int) -> Iterator[tuple[int, str, bool]]:
    """The typed texts of a Jinja tag that writes or sets a value; its numbers in lists, all where it names nothing.

    Left out are indices, and the arguments of calls that take coordinates, digits or typed numbers.
    """
    if not (_DIGITS.search(text) and (begin := _WRITES.match(text))):
        return
    for typed in _REASONLESS.finditer(text):
        yield first + text.count("\n", 0, typed.start()), typed[1][1:-1], True
    try:
        tokens = [each for each in _LEXER.lex("{{" + text[begin.end() : -2] + "}}") if each[1] != "whitespace"]
    except TemplateSyntaxError:  # a tag of Jinja, which is text there
        return
    first += text.count("\n", 0, begin.end()) - 1
    names_nothing = not any(kind == "name" and word not in _NO_NAMES for _, kind, word in _that_name(tokens))
    opened: list[str] = []  # the brackets around a token: "free" of indices and free calls, "[" of lists
    for (_, before, owner), (line, kind, word) in pairwise(tokens):
        if word in ("(", "[", "{"):
            is_value = before in ("name", "string") and owner not in _NO_NAMES
            is_index = word == "[" and (is_value or owner in (")", "]", "}"))
            opened.append("free" if is_index or (word == "(" and owner in _FREE_CALLS) else word)
        elif word in (")", "]", "}"):
            opened.pop()
        elif "free" not in opened and kind == "string":
            yield first + line, word[1:-1], False
        elif "free" not in opened and kind in ("integer", "float") and (names_nothing or "[" in opened):
            has_exponent = kind == "float" and "e" in word.lower()
            yield first + line, str(float(word)) if has_exponent else word.replace("_", ""), False


def _that_name(tokens: Sequence[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    """The tokens of an expression but for the names of filters, tests, attributes and arguments."""
    for (*_, before), each, (*_, after) in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if before not in ("|", ".", "is") and after != "=":
            yield each


# Comparison


class _Form(NamedTuple):
    """A form in which a result may be printed: its digits without a sign, and the expression that prints it.

    is_whole: whether it is a whole number, which a rounded one is not. allows_slips: false for a complement to 1, which
    counts for equality alone, and for a fraction.
    """

    result: str
    printed: str
    expression: str
    is_whole: bool = True
    allows_slips: bool = False

    @property
    def written(self) -> str:
        """The expression as it stands in a post."""
        return f"{{{{ {self.expression} }}}}" if self.result else "the expression that prints it"


def _forms(value: Fraction, name: str, decimals: int | None, is_percent: bool) -> Iterator[_Form]:
    """The forms of a result; of a chance also as a percentage, and both of its complement. decimals: as typed."""
    rest = f"(1 - {name})"
    if decimals is None:
        yield _Form(name, str(value), f"{name} | fraction")
        yield _Form(name, str(1 - value), f"{rest} | fraction")
        return
    number, percent = f"number({decimals})" if decimals else "integer", f"percent({decimals})"
    forms = [] if is_percent else [(value, f"{name} | {number}", True)]
    if 0 < value < 1:
        forms += [(100 * value, f"{name} | {percent}", True)]
        forms += [] if is_percent else [(1 - value, f"{rest} | number({decimals})", False)]
        forms += [(100 - 100 * value, f"{rest} | {percent}", False)]
    for form, expression, allows_slips in forms:
        printed = fixed(round(abs(form), decimals), decimals)
        yield _Form(name, printed, expression, form == round(form), allows_slips)


def _finding(typed: TypedNumber, forms: Sequence[_Form]) -> Finding | None:
    is_whole = not (typed.decimals or typed.is_percent)
    for form in forms:
        if form.printed == typed.printed and (form.is_whole or not is_whole):
            return _equal(typed, form)
    slips = (form for form in forms if form.allows_slips and form.result and _is_slip(typed, form))
    slip = None if typed.is_reasonless else next(slips, None)
    return _slip(typed, slip) if slip else None


def _is_slip(typed: TypedNumber, form: _Form) -> bool:
    """True when one digit is another, two beside one another are swapped, or one is lost."""
    right, wrong = form.printed, typed.printed
    fewest = min(_significant(right), _significant(wrong))
    if fewest < _FEWEST or (_YEAR.fullmatch(typed.text) and not typed.decimals):
        return False
    if not typed.decimals and (not form.is_whole or fewest <= _FEWEST):
        return False  # a whole number is a slip of another one alone, and of three digits hardly any is
    if len(right) == len(wrong):
        at = [place for place, (one, other) in enumerate(zip(right, wrong, strict=True)) if one != other]
        is_swapped = len(at) == 2 and at[1] == at[0] + 1 and right[at[0]] + right[at[1]] == wrong[at[1]] + wrong[at[0]]
        return len(at) == 1 or is_swapped
    short, long = sorted((right, wrong), key=len)
    return len(long) == len(short) + 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


def _equal(typed: TypedNumber, form: _Form) -> Finding:
    reason = f'typed("{typed.text}", because="...") with the reason why it is no result'
    if typed.is_reasonless:
        message = f'typed("{typed.text}") equals a result and gives no reason'
        return Finding(typed.line, message, f"write {reason}, or {form.written}", typed.text, True)
    message = f"the number {typed.text} is typed, and equals {form.result or 'a value that the post prints'}"
    return Finding(typed.line, message, f"write {form.written},\nor {reason}", typed.text, True)


def _slip(typed: TypedNumber, form: _Form) -> Finding:
    message = f"the number {typed.text} is typed, and {form.result} is {current().from_english(form.printed)}"
    other = f'typed("{typed.text}") for a number that has nothing to do with it'
    return Finding(typed.line, message, f"did you mean {form.written}?\nelse write {other}", typed.text, True)
