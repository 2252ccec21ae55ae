"""What a share card says and how it looks, as plain data."""

from typing import NamedTuple


class ShareCard(NamedTuple):
    """The words of a card. text: below the title; label: what that is, such as "Answer"."""

    site: str
    title: str
    text: str = ""
    label: str = ""


class Look(NamedTuple):
    """bold and regular: fonts, the next of which is asked for a letter that one does not have; icon: a square PNG."""

    bold: tuple[bytes, ...] = ()
    regular: tuple[bytes, ...] = ()
    icon: bytes = b""
