"""Where a match of a regular expression may begin, and with which ASCII characters, read from it as `re` parses it.

More characters than true are no harm, fewer would be: what is not understood here may begin with any character.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

ASCII = frozenset(map(chr, range(128)))

_Beginning = tuple[frozenset[str], bool]  # the characters, and whether the match may be empty

_CLASSES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}
_OF_NO_WIDTH = (codes.AT, codes.ASSERT, codes.ASSERT_NOT)
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_LIKE_FOREIGN = frozenset("iIkKsS")  # letters that, cases apart, are equal to letters outside of ASCII


@lru_cache(maxsize=2048)
def beginnings(pattern: "re.Pattern[str]") -> frozenset[str]:
    """The ASCII characters of which one stands first in any match; all of them when a match may be empty."""
    characters, may_be_empty = _of_sequence(_parser.parse(pattern.pattern, pattern.flags))
    return ASCII if may_be_empty else characters & ASCII


@lru_cache(maxsize=2048)
def begins_a_line(pattern: "re.Pattern[str]") -> bool:
    """Whether every match begins where a line does, since the pattern begins with ^."""
    return _is_anchored(_parser.parse(pattern.pattern, pattern.flags))


def _is_anchored(sequence: Any) -> bool:
    for code, value in sequence:
        if code is codes.SUBPATTERN:
            return _is_anchored(value[-1])
        return code is codes.AT and value in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING)
    return False


def _of_sequence(sequence: Iterable[Any]) -> _Beginning:
    found: frozenset[str] = frozenset()
    for code, value in sequence:
        characters, may_be_empty = _of_part(code, value)
        found |= characters
        if not may_be_empty:
            return found, False
    return found, True


def _of_part(code: Any, value: Any) -> _Beginning:
    if code is codes.LITERAL:
        return _of_any_case({chr(value)}), False
    if code is codes.NOT_LITERAL:
        return ASCII - {chr(value)}, False
    if code is codes.IN:
        return _of_set(value), False
    if code in _OF_NO_WIDTH:
        return frozenset(), True
    if code is codes.SUBPATTERN:
        return _of_sequence(value[-1])
    if code is codes.BRANCH:
        branches = [_of_sequence(branch) for branch in value[1]]
        return frozenset().union(*(characters for characters, _ in branches)), any(empty for _, empty in branches)
    if code in _REPEATS:
        characters, may_be_empty = _of_sequence(value[2])
        return characters, may_be_empty or value[0] == 0
    return ASCII, True


def _of_set(entries: list[Any]) -> frozenset[str]:
    if entries[0][0] is codes.NEGATE:
        return ASCII - frozenset().union(*(_of_entry(*entry) for entry in entries[1:]))
    return _of_any_case(frozenset().union(*(_of_entry(*entry) for entry in entries)))


def _of_entry(code: Any, value: Any) -> frozenset[str]:
    if code is codes.LITERAL:
        return frozenset(chr(value))
    if code is codes.RANGE:
        low, high = value
        return frozenset(map(chr, range(low, min(high, 127) + 1))) | ({chr(high)} if high > 127 else set())
    return frozenset(filter(re.compile(_CLASSES[value]).match, ASCII))


def _of_any_case(characters: Iterable[str]) -> frozenset[str]:
    found = frozenset(each for character in characters for each in (character, character.lower(), character.upper()))
    return found if found <= ASCII else found | _LIKE_FOREIGN
