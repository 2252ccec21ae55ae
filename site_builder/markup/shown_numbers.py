"""Numbers that readers of a post see and its author typed, found in the rendered text.

Markup inside a number hides nothing, because it is gone. Digits that an expression printed are written in an alphabet
of their own, those of quotations and links in another one: a number is typed if it has an ordinary digit.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import unescape

from site_builder.markup.placeholders import OPEN, SOMETHING_PRINTED, Placeholder, fill
from site_builder.markup.segments import segments
from site_builder.markup.tex.convert import TexError, convert
from site_builder.markup.typeset import bare_tex
from site_builder.values.literals import DECIMAL, PERCENT, WHOLE, NumberLiteral, read_literal

_FEWEST_DIGITS = 3
_LEAST_WHOLE = 1000  # smaller ones are everyday numbers
_LEAST_BARE_WHOLE = 10_000
_ROUND = 1000
_YEARS = range(1500, 2200)

# Braille stands for digits here: TeX takes it in formulas, and no reader takes it for a number.
_ORDINARY, _PRINTED, _QUOTED = "0123456789", "⠁⠂⠃⠄⠅⠆⠇⠈⠉⠊", "⡁⡂⡃⡄⡅⡆⡇⡈⡉⡊"
_AS_PRINTED, _AS_QUOTED = str.maketrans(_ORDINARY, _PRINTED), str.maketrans(_ORDINARY, _QUOTED)
_AS_ORDINARY = str.maketrans(_PRINTED + _QUOTED + SOMETHING_PRINTED, _ORDINARY * 2 + "…")
_D = f"[0-9{_PRINTED}{_QUOTED}{SOMETHING_PRINTED}]"
_QUOTE, _QUOTE_END, _CODE, _CODE_END = "\ufdec", "\ufded", "\ufdee", "\ufdef"

_UNSEEN = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_BLOCK = re.compile(
    r"address|article|aside|blockquote|body|br|button|caption|col|colgroup|d[dlt]|details|dialog|div|fieldset|figcaption"
    r"|figure|footer|form|h[1-6r]|header|iframe|img|input|legend|li|main|menu|nav|ol|option|p|pre|section|select|summary"
    r"|svg|table|tbody|t[dhr]|textarea|tfoot|thead|ul|video"
)
_MARKS = {"code": (_CODE, _CODE_END), "blockquote": (_QUOTE, _QUOTE_END)}
_MARKS |= dict.fromkeys(("pre", "kbd", "samp"), _MARKS["code"]) | dict.fromkeys(
    ("a", "q", "cite"), _MARKS["blockquote"]
)
_ATTRIBUTE = re.compile(
    r"\s(?:title|alt|label|value|placeholder|summary|abbr|content|data|(?:aria|data)-[\w-]+)\s*=\s*"
    r"(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+))",
    re.IGNORECASE,
)
_CODE_ALONE = re.compile(rf"(?<!{_D})(?<!{_D}[.,]){_CODE}[^{_CODE}{_CODE_END}]*{_CODE_END}(?!{_D})")
_QUOTATION = re.compile(rf"{_QUOTE}([^{_QUOTE}{_QUOTE_END}]*){_QUOTE_END}|“([^“”\n]*)”")
_WORD = re.compile(r"[^\W\d_]{2,}")
_DIGITS, _DIGITS_TOGETHER = re.compile(r"\d+"), re.compile(r"\d(?:[\W_]{0,40}\d)*")
_BEGINNING = 20  # so many digits of a number are compared before the rest

_EXPONENT = re.compile(rf"(?<=[\w){_PRINTED}])(?<![⁰¹²³⁴-⁹])[⁰¹²³⁴-⁹⁺⁻]+")
_INVISIBLE = re.compile("[\u00ad\u0300-\u036f\u200b-\u200f\u2060-\u2064\u20d0-\u20ff\ufe00-\ufe0f\ufeff]")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_SIGNS = str.maketrans({"−": "-", "⁄": "/", "∕": "/", "٫": ".", "٬": ",", "٪": "%", "’": "'", "‘": "'"})
_SIGNS |= dict.fromkeys(map(ord, "⋅∙‧•"), "·")
_LEFT_OUT = (
    re.compile(r"\b(?:https?://|www\.)\S+|\b(?:[\w-]+\.)+[A-Za-z]{2,}/\S*|\S+@\S+"),  # addresses
    re.compile(rf"(?<![\w.]){_D}{{4}}([-/.]){_D}{{1,2}}\1{_D}{{1,2}}(?!\w)"),  # dates
    re.compile(rf"(?<![\w.]){_D}{{1,2}}([-/.]){_D}{{1,2}}\1(?:{_D}{{4}}|{_D}{{2}})(?!\w)"),
    re.compile(rf"(?<![\w.]){_D}{{1,2}}(?::{_D}{{2}}){{1,2}}(?![.,]?{_D})"),  # times
    re.compile(rf"(?<![\w.]){_D}+(?:-{_D}+){{2,}}(?:-X\b)?(?!\w)"),  # numbers of books and telephones
)
_LIST_OF_DECIMALS = re.compile(rf"({_D}*\.{_D}+),(?={_D}*\.{_D})")
_DECIMAL_DOT = re.compile(rf"(?<={_D})·(?!10 ?\^)(?={_D})")
_APOSTROPHE = re.compile(rf"(?<={_D})'(?={_D}{{3}}(?!{_D}))")
_SPACED_DECIMALS = re.compile(rf"(\.{_D}{{1,2}}) ({_D}{{3}})(?!{_D})")
_DOTTED_GROUPS = re.compile(rf"(?<![{_D[1:-1]}.,])[1-9]\d{{0,2}}(?:\.\d{{3}}){{2,}}(?!{_D}|[.,]{_D})")
_WITH_COMMA = re.compile(rf"(?<![{_D[1:-1]}.,])({_D}+(?:\.{_D}+)*),({_D}+)(?!{_D}|[.,]{_D})")

_PER_MILLE = r"\s*‰|\s+per\s?mille\b"


def _of_any_digits(pattern: str) -> str:
    return pattern.replace(r"\d", _D).replace("[1-9]", f"[1-9{_PRINTED[1:]}{_QUOTED[1:]}]")


_NUMBER = re.compile(
    _of_any_digits(
        rf"(?<!\w)(?<!\d)(?<!\d[.,])(?:"
        rf"(?P<mantissa>{DECIMAL})(?: ?[x×*·] ?10 ?\^ ?\(?[-+]?\d+\)?|[eE][-+]?\d+)"
        rf"|(?<!from ){WHOLE}(?: to |:)1|{WHOLE}(?: to |:){WHOLE}(?= (?:against|on|in favou?r)\b)"
        rf"|(?:(?<=odds )|(?<=odds of )|(?<=odds are )){WHOLE}(?: to |:){WHOLE}"
        rf"|(?:1|one) in {WHOLE}|{WHOLE} out of {WHOLE}|{WHOLE}/{WHOLE}"
        rf"|{DECIMAL}(?:{PERCENT}|(?P<mille>{_PER_MILLE}))?"
        r")(?!\d|[.,]\d)"
    ),
    re.IGNORECASE,
)
_COMPONENT = re.compile(rf"{_D}(?:[., ]?{_D})*|\.{_D}+")
_UNIT_BEFORE = re.compile(
    r"(?:[$€£¥₹¢§]|\b(?:USD|EUR|GBP|CHF|JPY)"  # money
    r"|\b(?:versions?|releases?|Python|NumPy|SciPy|Matplotlib|Jinja|Firefox|Chrome|Safari|Ubuntu|macOS|Unicode)"
    rf"(?:\s+(?:v|{_D}+\.{_D}+(?:,|,? (?:to|and|or))))?"  # versions
    r"|\b(?:sections?|sect?\.|chapter|ch\.|fig(?:ure|\.)|theorem|lemma|equation|eq\.|exercise|arXiv:)\s*\(?)\s*$",
    re.IGNORECASE,
)
_UNIT_AFTER = re.compile(
    r"\s?[$€£¥₹¢]|\s+(?:USD|EUR|GBP|CHF|JPY|(?:dollar|euro|pound|franc|cent|penny)s?|yen|pence)\b"
    r"|\s*(?:[ap]m\b|[ap]\.m\.|o'clock)",  # money, times
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class ShownNumber:
    """A typed number that readers see. literal: None where it is in a form that no claim has.

    digits: how many are significant. is_bare: whether it must not be typed, whatever its value.
    """

    text: str
    literal: NumberLiteral | None
    digits: int
    is_bare: bool


def shown_in_html(html: str, placeholders: Sequence[Placeholder]) -> list[ShownNumber]:
    """The numbers in the text and the attributes of some HTML. placeholders: those in it."""
    attributes: list[str] = []

    def without_tag(tag: re.Match[str]) -> str:
        name, is_end = tag[2].lower(), bool(tag[1])
        attributes.extend(value[1] or value[2] or value[3] or "" for value in _ATTRIBUTE.finditer(tag[3]))
        mark = _MARKS[name][is_end] if name in _MARKS and (is_end or name != "a" or "href" in tag[3]) else ""
        if name in ("sup", "sub") and not is_end:
            return "^" if re.match(rf"[-−\d{OPEN}]", tag.string[tag.end() :][:1]) else ""
        return f"\n{mark}" if _BLOCK.fullmatch(name) else mark

    text = _TAG.sub(without_tag, _UNSEEN.sub("", html))
    return find_numbers(unescape("\n".join([text, *attributes])), placeholders)


def shown_in_line(text: str, placeholders: Sequence[Placeholder] = ()) -> list[ShownNumber]:
    """The numbers in a title, a caption or a cell, which may hold TeX and code."""
    pieces = []
    for segment in segments(text, jinja=False):
        if segment.kind in ("tex", "display"):
            pieces.append(_reading(bare_tex(segment.text), False, placeholders))
        else:
            pieces.append(f"{_CODE}{segment.text}{_CODE_END}" if segment.kind == "code" else segment.text)
    return find_numbers("".join(pieces).replace("`", ""), placeholders)


def find_numbers(text: str, placeholders: Sequence[Placeholder] = ()) -> list[ShownNumber]:
    """The typed numbers in a text without markup."""
    text = _plain(fill(text, placeholders, lambda each: _shown(each, placeholders)))
    text = _until_stable(lambda each: _CODE_ALONE.sub(" ", each), text)
    text = re.sub(f"[{_CODE}{_CODE_END}]", "", text)
    text = re.sub(f"[{_QUOTE}{_QUOTE_END}]", "", _until_stable(lambda each: _QUOTATION.sub(_quoted, each), text))
    for pattern in _LEFT_OUT:
        text = pattern.sub(" ", text)
    return list(_numbers(_with_decimal_points(text)))


def lines_of(numbers: Sequence[ShownNumber], source: str) -> list[int]:
    """The index of the line of a source in which each number stands; the first line where it is not found.

    Several numbers with the same text take the places of this text in turn.
    """
    components = [max(_COMPONENT.findall(number.text), key=len) for number in numbers]
    digits = ["".join(filter(str.isdigit, each)) for each in components]
    places = _places(set(digits), source)
    ends = [match.start() for match in re.finditer("\n", source)]
    passed = Counter[str]()
    lines = []
    for number, each in zip(numbers, digits, strict=True):
        found = places.get(each)
        lines.append(bisect_left(ends, found[min(passed[number.text], len(found) - 1)]) if found else 0)
        passed[number.text] += 1
    return lines


def _places(wanted: set[str], source: str) -> dict[str, list[int]]:
    """Where these numbers begin in a source, which may have markup between their digits but no other digit."""
    beginnings = {number[:length] for number in wanted for length in range(1, _BEGINNING + 1)}
    longest = max(map(len, wanted), default=0)
    places: dict[str, list[int]] = {}
    for chain in _DIGITS_TOGETHER.finditer(source):
        runs = [(match[0], match.start()) for match in _DIGITS.finditer(source, *chain.span())]
        for first, (_, start) in enumerate(runs):
            joined = ""
            for at in range(first, len(runs)):
                joined += runs[at][0]
                if len(joined) > longest or joined[:_BEGINNING] not in beginnings:
                    break
                if joined in wanted:
                    places.setdefault(joined, []).append(start)
    return places


def source_of(text: str, placeholders: Sequence[Placeholder]) -> str:
    """The source of a text with its markup removed line for line, for `lines_of`."""
    text = fill(text, placeholders, lambda each: "" if each.part else each.inline.text)
    text = re.sub(r"\\[a-zA-Z]+", "", _TAG.sub(lambda tag: "\n" * tag[0].count("\n"), text))
    return _plain(unescape(text))


def _shown(each: Placeholder, placeholders: Sequence[Placeholder]) -> str:
    """The text of a placeholder as readers see it, printed digits in their alphabet."""
    if each.part is not None:
        return "\n"
    if each.line:  # a formula
        is_display = 'display="block"' in each.inline.html
        return _reading(each.tex, is_display, placeholders) if OPEN in each.tex or each.number else each.inline.text
    return each.inline.text if each.is_typed else _plain(each.inline.text).translate(_AS_PRINTED)


def _reading(tex: str, display: bool, placeholders: Sequence[Placeholder]) -> str:
    """A formula as plain text, printed digits in their alphabet."""
    filled = fill(tex, placeholders, lambda each: each.tex if each.is_typed else each.tex.translate(_AS_PRINTED))
    try:
        return convert(filled, display).text
    except TexError:  # such as a width that an expression printed
        return filled


def _plain(text: str) -> str:
    """The text with its digits and signs in ASCII, and without characters that nobody sees."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", _EXPONENT.sub(r"^\g<0>", text)).translate(_SIGNS)
    return _OTHER_DIGIT.sub(lambda sign: str(unicodedata.decimal(sign[0])), _INVISIBLE.sub("", text))


def _until_stable(change: Callable[[str], str], text: str) -> str:
    """Apply a change from the innermost elements outwards."""
    while (changed := change(text)) != text:
        text = changed
    return text


def _quoted(found: re.Match[str]) -> str:
    if found[2] is None:
        return found[1].translate(_AS_QUOTED)
    words = found[2].translate(_AS_QUOTED) if len(_WORD.findall(found[2])) > 2 else found[2]
    return f"\N{LEFT DOUBLE QUOTATION MARK} {words} "  # so that it is found once


def _with_decimal_points(text: str) -> str:
    """The text with a point in each decimal number, and commas alone between groups of digits."""
    text = _APOSTROPHE.sub(",", _DECIMAL_DOT.sub(".", _LIST_OF_DECIMALS.sub(r"\1, ", text)))
    text = _SPACED_DECIMALS.sub(r"\1\2", text)
    text = _DOTTED_GROUPS.sub(lambda found: found[0].replace(".", ""), text)
    return _WITH_COMMA.sub(_with_point, text)


def _with_point(found: re.Match[str]) -> str:
    whole, rest, text = found[1], found[2], found.string
    if "." in whole:
        is_grouped = all(len(group) == 3 for group in whole.split(".")[1:])
        return f"{whole.replace('.', '')}.{rest}" if is_grouped else f"{whole}, {rest}"
    if len(whole) <= 3 and len(rest) == 3 and whole[0] not in f"0{_PRINTED[0]}{_QUOTED[0]}":
        return found[0]
    is_pair = text[found.start() - 1 : found.start()] in ("(", "[", "{") and text[found.end() :][:1] in (")", "]", "}")
    return f"{whole}, {rest}" if is_pair else f"{whole}.{rest}"


def _numbers(text: str) -> Iterator[ShownNumber]:
    for match in _NUMBER.finditer(text):
        components = _COMPONENT.findall(match["mantissa"] or match[0])
        signs = [set(each) & {*_ORDINARY, *_QUOTED} for each in components]
        if not all(signs):  # an expression printed it, or one side of it
            continue
        written = " ".join(match[0].translate(_AS_ORDINARY).split())
        literal = _literal(written) if match["mantissa"] is None and match["mille"] is None else None
        whole = literal.number if literal and literal.form == "decimal" and not literal.decimals else None
        if whole is not None and (_is_part_of_name(match) or _is_everyday(written, whole)):
            continue
        digits = _digits(components if "/" in written else [each for each in components if each != "1"])
        if digits < _FEWEST_DIGITS:
            continue
        is_quoted = not any(each & set(_ORDINARY) for each in signs)
        is_free = is_quoted or _has_unit(match) or (whole is not None and not _is_bare_whole(whole))
        yield ShownNumber(written, literal, digits, not is_free)


def _literal(text: str) -> NumberLiteral | None:
    try:
        return read_literal(text)
    except ValueError:
        return None


def _digits(components: Iterable[str]) -> int:
    """The number of significant digits: without leading zeros, and without trailing zeros of whole numbers."""
    found = 0
    for each in components:
        digits = re.sub("[., ]", "", each.translate(_AS_ORDINARY))
        found += len((digits if "." in each else digits.rstrip("0")).lstrip("0"))
    return found


def _is_part_of_name(match: re.Match[str]) -> bool:
    text, start = match.string, match.start()
    return bool(
        re.search(r"[A-Za-z][-./]$", text[max(0, start - 2) : start]) or re.match(r"\w", text[match.end() :][:1])
    )


def _is_everyday(written: str, whole: Fraction) -> bool:
    return whole < _LEAST_WHOLE or (len(written) == 4 and int(whole) in _YEARS)


def _is_bare_whole(whole: Fraction) -> bool:
    return whole >= _LEAST_BARE_WHOLE and bool(whole % _ROUND)


def _has_unit(match: re.Match[str]) -> bool:
    """True when words or signs around a number say that it is money, a time, a version or a reference."""
    text, start = match.string, match.start()
    is_percent = "%" in match[0]
    return not is_percent and bool(
        _UNIT_BEFORE.search(text[max(0, start - 40) : start]) or _UNIT_AFTER.match(text, match.end())
    )
