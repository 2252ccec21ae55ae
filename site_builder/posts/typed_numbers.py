"""Numbers that are typed in a post and meet a result of its runs: equal as printed, or a slip of the keys away.

They are looked for in the source of all that a reader sees, so that each has its line. Arguments of claim() and
typed(), coordinates, conditions, links and code count as typed on purpose.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

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
_OUTPUT = re.compile(r"(?:```+|~~~+)[ \t]*\{?[ \t.]*output\b")
_REASONLESS = re.compile(r"\btyped\(\s*([\"'])([^\"']*)\1\s*\)")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_FREE_CALLS = ("claim", "typed", "at", "along", "when", "percent", "number", "integer", "significant")
_WORDS = ("true", "false", "none", "True", "False", "None")
_FEWEST, _FEWEST_WITH_POINT = 3, 2  # significant digits
_LEXER = Environment(autoescape=False)


@dataclass(frozen=True)
class TypedNumber:
    """A number as it is typed. digits: without commas and signs; decimals: how many; value: None of a fraction n/0."""

    line: int
    text: str
    digits: str
    decimals: int
    is_percent: bool
    value: Fraction
    is_fraction: bool = False

    @property
    def is_whole(self) -> bool:
        """True for a whole number without a sign of percent."""
        return not (self.decimals or self.is_percent)

    @property
    def is_long(self) -> bool:
        """True when it has enough digits to be more than a coincidence."""
        significant = len(self.digits.replace(".", "").lstrip("0"))
        return significant >= (_FEWEST_WITH_POINT if self.decimals or self.is_percent else _FEWEST)


@dataclass(frozen=True)
class ResultNumber:
    """A single value of a run, or a value that the post prints. expression: of the former, as a post writes it."""

    expression: str
    value: Fraction | float


def result_numbers(results: Mapping[str, Record], printed: Iterable[Any] = ()) -> list[ResultNumber]:
    """The single values of the runs of a post, without those of parameters, and the values that it prints."""
    found = []
    known = set()
    for run, record in results.items():
        fields = fields_of(record)
        parameters = fields_of(fields["parameters"]) if "parameters" in fields else {}
        known |= {abs(each) for each in map(_number, parameters.values()) if each is not None}
        own = {name: value for name, value in fields.items() if name not in (*BESIDE, *parameters)}
        for leaf, value in leaves_of(own).items():
            if (number := _number(value)) is not None:
                found.append(ResultNumber(f"results.{run}.{leaf}", number))
    values = [ResultNumber("", number) for number in map(_number, printed) if number is not None]
    every = {each.value: each for each in reversed([*found, *values]) if abs(each.value) not in known}
    return list(every.values())


def typed_findings(post: Post, results: Sequence[ResultNumber]) -> list[Finding]:
    """A finding for each number of a post that meets one of the results."""
    found: dict[tuple[int, str], Finding] = {}
    for text, place in texts_of(post):
        first = place.line
        typed = [(each, False) for each in _in_text(text, first)]
        for call in _REASONLESS.finditer(text):
            line = first + text.count("\n", 0, call.start())
            typed += [(each, True) for each in _in_words(call[2], line)]
        for each, is_reasonless in typed:
            if finding := _finding(each, results, is_reasonless):
                found.setdefault((each.line, each.digits), finding)
    return list(found.values())


def texts_of(post: Post) -> Iterator[tuple[str, Place]]:
    """The texts of a post that readers see, each with the place where it begins."""
    front, place = post.front, post.reading.place
    yield post.body, Place(post.source, post.body_line)
    yield from ((getattr(front, key), place(key)) for key in FRONT_TEXTS)
    for number, each in enumerate(front.corrections):
        yield each.text, place("corrections", number, "text")
    yield from ((str(tag), place("tags")) for tag in front.tags)


def _in_text(text: str, first: int) -> Iterator[TypedNumber]:
    for segment in segments(text, jinja=True):
        for line, words in _seen(segment):
            yield from _in_words(words, first + line - 1)


def _seen(segment: Segment) -> Iterator[tuple[int, str]]:
    """The texts in a segment that readers see, each with its line."""
    match segment.kind:
        case "text":
            text = _TAG.sub(lambda tag: " ".join(_SEEN_ATTRIBUTE.findall(tag[0])), segment.text)
            text = _ADDRESS.sub(lambda found: "\n" * found[0].count("\n"), text).replace(r"\%", "%")
        case "tex" | "display":
            for tag in _EXPRESSION.finditer(segment.text):
                before = segment.text.count("\n", 0, tag.start())
                yield from ((segment.line + before + line - 1, words) for line, words in _in_expression(tag[0]))
            text = _EXPRESSION.sub(lambda tag: "\n" * tag[0].count("\n"), segment.text)
            text = _FRACTION.sub(r" \1/\2 ", text)
            for sign, plain in _TEX_SIGNS.items():
                text = text.replace(sign, plain)
        case "code" if _OUTPUT.match(segment.text):
            text = segment.text
        case "jinja":
            yield from ((segment.line + line - 1, words) for line, words in _in_expression(segment.text))
            return
        case _:
            return
    yield from ((segment.line + number, line) for number, line in enumerate(text.split("\n")))


def _in_expression(text: str) -> Iterator[tuple[int, str]]:
    """The typed texts of a Jinja tag with their lines; its numbers in lists, and all where it names nothing."""
    if text.startswith("{#") or (text.startswith("{%") and not re.match(r"\{%[-+]?\s*set\b", text)):
        return
    try:
        tokens = [each for each in _LEXER.lex(text) if each[1] != "whitespace"]
    except TemplateSyntaxError:
        return
    if text.startswith("{%"):  # the names that it sets are no part of the value
        tokens = tokens[next((at for at, each in enumerate(tokens) if each[2] == "="), 0) :]
    tokens = list(_without_free_calls(tokens))
    before = ["", *(value for _, _, value in tokens)]
    is_constant = all(
        kind != "name" or value in _WORDS or before[at] == "|" for at, (_, kind, value) in enumerate(tokens)
    )
    lists = 0
    for line, kind, value in tokens:
        lists += {"[": 1, "]": -1}.get(value, 0) if kind == "operator" else 0
        if kind == "string" or (kind in ("integer", "float") and (is_constant or lists)):
            yield line, value.strip("\"'")


def _without_free_calls(tokens: Sequence[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    """The tokens without indices and the arguments of calls that take coordinates, digits or typed numbers."""
    depth, before = 0, ""
    for token in tokens:
        _, kind, value = token
        opens = kind == "operator" and value in "([" and (before in _FREE_CALLS or (value == "[" and before))
        if depth or opens:
            depth += value in "([{" if kind == "operator" else 0
            depth -= value in ")]}" if kind == "operator" else 0
        else:
            yield token
        before = value if kind == "name" or value in (")", "]") else ""


def _in_words(words: str, line: int) -> Iterator[TypedNumber]:
    language = current()
    for found in _NUMBER.finditer(language.in_english(words)):
        text = language.from_english(found[0].strip())
        if found["above"]:
            if int(found["below"]):
                value = Fraction(int(found["above"]), int(found["below"]))
                yield TypedNumber(line, text, found["above"] + found["below"], 0, False, value, True)
            continue
        digits = found["number"].replace(",", "")
        decimals = len(digits.partition(".")[2])
        yield TypedNumber(line, text, digits, decimals, bool(found["percent"]), Fraction(digits))


def _number(value: Any) -> Fraction | float | None:
    kind, value = classify(value)
    if kind == "float":
        return float(value) if isfinite(value) else None
    return Fraction(value) if kind in ("whole", "exact") else None


# Comparison


@dataclass(frozen=True)
class _Form:
    """A form in which a result may be printed: its value there, and the expression of it. allows_slips: see DESIGN."""

    value: Fraction | float
    expression: Callable[[int], str]
    allows_slips: bool = True

    @property
    def is_whole(self) -> bool:
        """True for a whole number, which a rounded one is not."""
        return self.value == round(self.value)

    def printed(self, decimals: int) -> str:
        """The digits with so many decimals, without a sign."""
        if isinstance(self.value, float):
            return f"{abs(self.value):.{decimals}f}"
        return fixed(round(abs(self.value), decimals), decimals)


def _forms(result: ResultNumber, is_percent: bool) -> list[_Form]:
    """The forms of a result; of a chance also as a percentage, and both of its complement."""
    name, value = result.expression, result.value
    plain = _Form(value, lambda d: f"{name} | number({d})" if d else f"{name} | integer")
    if not 0 < value < 1:
        return [] if is_percent else [plain]
    share = _Form(100 * value, lambda d: f"{name} | percent({d})")
    rest = _Form(1 - value, lambda d: f"(1 - {name}) | number({d})", allows_slips=False)
    other = _Form(100 - 100 * value, lambda d: f"(1 - {name}) | percent({d})", allows_slips=False)
    return [share, other] if is_percent else [plain, share, rest, other]


def _finding(typed: TypedNumber, results: Sequence[ResultNumber], is_reasonless: bool) -> Finding | None:
    if not typed.is_long:
        return None
    for result in results:
        if typed.is_fraction and typed.value in (result.value, 1 - result.value):
            whole = result.expression if typed.value == result.value else f"(1 - {result.expression})"
            return _equal(typed, result, f"{whole} | fraction", is_reasonless)
        for form in () if typed.is_fraction else _forms(result, typed.is_percent):
            if form.printed(typed.decimals) == _plain(typed) and (not typed.is_whole or form.is_whole):
                return _equal(typed, result, form.expression(typed.decimals), is_reasonless)
    if typed.is_fraction or is_reasonless:
        return None
    named = (result for result in results if result.expression)
    slips = ((result, form) for result in named for form in _forms(result, typed.is_percent) if form.allows_slips)
    return next((_slip(typed, result, form) for result, form in slips if _is_slip(typed, form)), None)


def _plain(typed: TypedNumber) -> str:
    whole, point, rest = typed.digits.partition(".")
    return f"{int(whole)}{point}{rest}"


def _is_slip(typed: TypedNumber, form: _Form) -> bool:
    """True when one digit is another, two beside one another are swapped, or one is lost."""
    right, wrong = form.printed(typed.decimals), _plain(typed)
    significant = [len(each.replace(".", "").lstrip("0")) for each in (right, wrong)]
    if min(significant) < _FEWEST or (_YEAR.fullmatch(typed.text) and not typed.decimals):
        return False
    if not typed.decimals and (not form.is_whole or min(significant) <= _FEWEST):
        return False  # a whole number is a slip of another one alone, and of three digits hardly any is
    if len(right) == len(wrong):
        at = [place for place, (one, other) in enumerate(zip(right, wrong, strict=True)) if one != other]
        is_swapped = len(at) == 2 and at[1] == at[0] + 1 and right[at[0]] + right[at[1]] == wrong[at[1]] + wrong[at[0]]
        return len(at) == 1 or is_swapped
    short, long = sorted((right, wrong), key=len)
    return len(long) == len(short) + 1 and any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


def _equal(typed: TypedNumber, result: ResultNumber, expression: str, is_reasonless: bool) -> Finding:
    reason = f'typed("{typed.text}", because="...") with the reason why it is no result'
    right = _written(result, expression)
    if is_reasonless:
        message = f'typed("{typed.text}") equals a result and gives no reason'
        return Finding(typed.line, message, f"write {reason}, or {right}", typed.text, True)
    message = f"the number {typed.text} is typed, and equals {result.expression or 'a value that the post prints'}"
    return Finding(typed.line, message, f"write {right},\nor {reason}", typed.text, True)


def _slip(typed: TypedNumber, result: ResultNumber, form: _Form) -> Finding:
    right = current().from_english(form.printed(typed.decimals))
    message = f"the number {typed.text} is typed, and {result.expression} is {right}"
    cure = f"did you mean {_written(result, form.expression(typed.decimals))}?"
    other = f'typed("{typed.text}") for a number that has nothing to do with it'
    return Finding(typed.line, message, f"{cure}\nelse write {other}", typed.text, True)


def _written(result: ResultNumber, expression: str) -> str:
    return f"{{{{ {expression} }}}}" if result.expression else "the expression that prints it"
