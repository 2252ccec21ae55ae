"""A list as an author types it -> its entries: numbers, words or states in brackets, with `25 to 28` written out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from site_builder.values.number_literals import WHOLE, shortened

_LONGEST_RANGE = 10_000
_BRACKETS = {"(": ")", "[": "]"}
_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d|,\d)")
_KEPT_COMMA = "\N{SINGLE LOW-9 QUOTATION MARK}"
_REPEATING = re.compile(r"\.\d*\(\d+\)")
_SEPARATOR = re.compile(r"\s*[,;]\s*(?:(?:and|or)\b\s*)?|\s+(?:and|or)\s+|\s*&\s*|(?<=[)\]])\s*(?=[(\[])")
_RANGE = re.compile(rf"({WHOLE})(?:\s+(?:to|through)\s+|\s*[\N{{EN DASH}}-]\s*)({WHOLE})")


@dataclass(frozen=True)
class Entry:
    """An entry of a list. inner: what stands in its brackets; of an entry without brackets it is that entry alone."""

    text: str
    inner: "tuple[Entry, ...]"


def read_entries(text: str, count: int) -> list[tuple[tuple[Entry, ...], bool]]:
    """The ways to read a list, and whether each is what stands in one pair of brackets around it all.

    The likely ones come first. count: the entries that it may have.

    `(51, 51)` may be one state or two numbers, and the comma in `(100,200)` part of a number or none. Raises
    ValueError where a bracket is not closed.
    """
    readings = list(dict.fromkeys(_entries(written) for written in (_with_kept_commas(text), text)))
    opened = [reading[0].inner for reading in readings if len(reading) == 1 and _is_bracketed(reading[0].text)]
    every = [(reading, True) for reading in opened] + [(reading, False) for reading in readings]
    return sorted(every, key=lambda each: len(each[0]) != count)


def _with_kept_commas(text: str) -> str:
    return _GROUPED.sub(lambda found: found[0].replace(",", _KEPT_COMMA), text)


def _entries(text: str) -> tuple[Entry, ...]:
    pieces = _split(text.strip())
    return tuple(entry for piece in pieces for entry in _entry(piece))


def _entry(piece: str) -> Iterator[Entry]:
    text = piece.replace(_KEPT_COMMA, ",")
    if _is_bracketed(piece):
        yield Entry(text, _entries(piece[1:-1]))
    elif found := _RANGE.fullmatch(text):
        first, last = (int(re.sub(r"\D", "", end)) for end in found.groups())
        if not 0 < last - first < _LONGEST_RANGE:
            raise ValueError(f"{shortened(text)!r} is no run of whole numbers")
        yield from (Entry(str(number), (Entry(str(number), ()),)) for number in range(first, last + 1))
    else:
        yield Entry(text, (Entry(text, ()),))


def _is_bracketed(text: str) -> bool:
    """Whether one pair of brackets holds all of a text."""
    return text[:1] in _BRACKETS and len(_split(text)) == 1 and text[-1:] == _BRACKETS[text[0]]


def _split(text: str) -> list[str]:
    """The pieces of a text between the signs that part its entries, brackets left whole."""
    pieces, at, start = [], 0, 0
    open_brackets: list[str] = []
    while at < len(text):
        sign = text[at]
        if not open_brackets and (repeated := _REPEATING.match(text, at)):
            at = repeated.end()
        elif not open_brackets and at > start and (found := _SEPARATOR.match(text, at)):
            pieces.append(text[start:at])
            start = at = found.end()
        else:
            if sign in _BRACKETS:
                open_brackets.append(_BRACKETS[sign])
            elif sign in _BRACKETS.values():
                closing = open_brackets.pop() if open_brackets else ""
                if sign != closing:
                    raise ValueError(f"the brackets in {shortened(text)!r} do not match")
            at += 1
    if open_brackets:
        raise ValueError(f"the brackets in {shortened(text)!r} do not match")
    pieces.append(text[start:])
    return [piece.strip() for piece in pieces if piece.strip()]
