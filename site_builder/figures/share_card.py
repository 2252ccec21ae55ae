"""What a share card says and how it looks, as plain data."""

import unicodedata
from typing import NamedTuple

_ALWAYS_THERE = "\u024f"  # DejaVu has all letters up to here
_SHAPED = ((0x900, 0xDFF), (0xF00, 0x109F), (0x1780, 0x17FF))  # scripts of India and beyond: letters join and change


class ShareCard(NamedTuple):
    """The words of a card. text: below the title; label: what that is, such as "Answer"."""

    site: str
    title: str
    text: str = ""
    label: str = ""


class CardLook(NamedTuple):
    """bold and regular: fonts, the next of which is asked for a letter that one does not have; icon: a square PNG."""

    bold: tuple[bytes, ...] = ()
    regular: tuple[bytes, ...] = ()
    icon: bytes = b""


def rare_letters(text: str) -> set[str]:
    """The letters of a text, with the marks on them, that a font may well not have."""
    return {sign for sign in text if sign > _ALWAYS_THERE and unicodedata.category(sign)[0] in "LM"}


def is_plainly_set(letter: str) -> bool:
    """Whether words with it can be set letter by letter from left to right."""
    return unicodedata.bidirectional(letter) not in ("R", "AL") and not any(a <= ord(letter) <= z for a, z in _SHAPED)
