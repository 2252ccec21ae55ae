"""The files that a stylesheet names, such as fonts: found in its text, and written anew under their final names."""

import posixpath
import re
from collections.abc import Mapping
from typing import NamedTuple

# Comments and texts are passed over: url() in them is no address, but for the text of an @import.
_PIECE = re.compile(
    r"""/\*.*?(?:\*/|\Z)
    | (?P<url>\burl\(\s*(?P<mark>["']?)(?P<address>[^"'()\\\s]*)(?P=mark)\s*\))
    | (?P<import>@import\s+(?P<sign>["'])(?P<sheet>[^"'\\\n]*)(?P=sign))
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#|$", re.IGNORECASE)


class Reference(NamedTuple):
    """An address in a stylesheet: as it is written, and its line."""

    address: str
    line: int


def references(text: str) -> list[Reference]:
    """The addresses of files beside the stylesheet, in their order; those of other hosts, data: and #parts are none."""
    found = []
    for piece in _PIECE.finditer(text):
        address = piece["address"] or piece["sheet"]
        if address and not _ELSEWHERE.match(address):
            found.append(Reference(address, text.count("\n", 0, piece.start()) + 1))
    return found


def rewritten(text: str, names: Mapping[str, str]) -> str:
    """The text with each address replaced by the one that `names` has for it."""

    def replace(piece: re.Match[str]) -> str:
        group = "address" if piece["address"] else "sheet"
        if (address := piece[group]) not in names:
            return piece.group()
        start, end = piece.start(group) - piece.start(), piece.end(group) - piece.start()
        return piece.group()[:start] + names[address] + piece.group()[end:]

    return _PIECE.sub(replace, text)


def named(address: str, stylesheet: str) -> str:
    """The path of the file that an address means, seen from the stylesheet's path: without its ?query and #part."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(stylesheet), re.split("[?#]", address)[0]))
