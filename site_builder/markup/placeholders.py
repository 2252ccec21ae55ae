"""Placeholders: what Jinja wrote, set aside while Markdown works, and put back in the form that the medium wants.

In the text a token is its number between two noncharacters, which no author can type: Markdown carries it along as it
would a word. A link is set aside in the same way, since its address depends on the page that shows it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

OPEN, CLOSE = "\ufdd0", "\ufdd1"
LINK_OPEN, LINK_CLOSE = "\ufdd2", "\ufdd3"
_TOKEN = re.compile(f"{OPEN}(\\d+){CLOSE}")
_LINK = re.compile(f"{LINK_OPEN}([^{LINK_CLOSE}?#]*)([?#][^{LINK_CLOSE}]*)?{LINK_CLOSE}")
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Inline:
    """A run of text in both of its forms: HTML for pages, and plain text."""

    html: str
    text: str


@dataclass(frozen=True)
class Placeholder:
    """One thing that stands in a text. inline: as part of a line; tex: inside TeX.

    part: instead, something that stands on a line of its own and is drawn by a template of its kind.
    """

    inline: Inline
    tex: str = ""
    part: Any = None
    line: int = 0


class Placeholders:
    """The tokens of one text while it is written."""

    def __init__(self) -> None:
        self.found: list[Placeholder] = []

    def put(self, token: Placeholder) -> str:
        """Keep a token; what stands for it in the text."""
        self.found.append(token)
        return f"{OPEN}{len(self.found) - 1}{CLOSE}"

    def fill(self, text: str, form: Callable[[Placeholder], str]) -> str:
        """The text with each token in the given form."""
        return fill(text, self.found, form)


def fill(text: str, tokens: Sequence[Placeholder], form: Callable[[Placeholder], str]) -> str:
    """The text with each token in the given form."""
    return _TOKEN.sub(lambda match: form(tokens[int(match[1])]), text) if OPEN in text else text


def fill_parts(html: str, form: Callable[[int], str]) -> str:
    """The HTML with each token in the form that its number has."""
    return _TOKEN.sub(lambda match: form(int(match[1])), html) if OPEN in html else html


def fill_links(html: str, address: Callable[[str, str], str]) -> str:
    """The HTML with each link's address made from its path in the site and what follows it, such as `?a=1#part`."""
    return (
        _LINK.sub(lambda match: escape(address(match[1], unescape(match[2] or ""))), html)
        if LINK_OPEN in html
        else html
    )


def link(path: str, rest: str = "") -> str:
    """What stands for the address of a place in the site. rest: its query and fragment."""
    return f"{LINK_OPEN}{path}{rest}{LINK_CLOSE}"


def without_tokens(text: str) -> str:
    """The text with its tokens left out."""
    return _TOKEN.sub("", text)


def parts_in(html: str) -> list[int]:
    """The numbers of the tokens in a text, in their order."""
    return [int(number) for number in _TOKEN.findall(html)]


def strip_tags(html: str) -> str:
    """HTML as words: tags left out, white space folded. Characters stay escaped."""
    return " ".join(_TAG.sub(" ", html).split())


def words_in(html: str) -> int:
    """How many words some HTML has."""
    return len(_TAG.sub(" ", html).split())
