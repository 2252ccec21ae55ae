"""The content and look of a share card as plain data, and which titles it can show."""

import unicodedata
from typing import NamedTuple

_LAST_CYRILLIC = "\u052f"  # DejaVu, behind the fonts of the theme, has nearly all letters up to this one


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


def can_be_drawn(text: str) -> bool:
    """True when all letters of a text are Latin, Greek or Cyrillic, which the fonts of cards have."""
    return all(each <= _LAST_CYRILLIC or unicodedata.category(each)[0] not in "LM" for each in text)
