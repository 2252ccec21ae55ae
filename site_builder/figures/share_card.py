"""The content and look of a share card as plain data, and which characters it can show."""

import unicodedata
from typing import NamedTuple

_LAST_COMMON = "\u024f"  # DejaVu has all letters up to this one
# Scripts whose letters join and change with their neighbours, which the basic layout of Pillow does not support.
_COMPLEX_SCRIPTS = ((0x900, 0xDFF), (0xF00, 0x109F), (0x1780, 0x17FF))


class ShareCard(NamedTuple):
    """The texts of a card."""

    site: str
    title: str


class CardLook(NamedTuple):
    """Fonts and colours of all cards. fonts: font files, the first that has a text being its font.

    colours: of paper, ink and accent, each `#rrggbb`.
    """

    fonts: tuple[bytes, ...] = ()
    colours: tuple[str, str, str] = ("#fdfcf9", "#23211d", "#0d5c68")


def rare_letters(text: str) -> set[str]:
    """Return the letters and combining marks of a text that a font may lack."""
    return {character for character in text if character > _LAST_COMMON and unicodedata.category(character)[0] in "LM"}


def is_simple_script(character: str) -> bool:
    """True when text with this character can be drawn character by character from left to right."""
    is_complex = any(first <= ord(character) <= last for first, last in _COMPLEX_SCRIPTS)
    return unicodedata.bidirectional(character) not in ("R", "AL") and not is_complex
