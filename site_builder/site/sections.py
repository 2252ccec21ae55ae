"""The text of a post in three sections, between which its page has the picture, the guess and the settings."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_TAG = re.compile(
    r"<(?P<end>/?)(?:(?P<box>div|details|section|blockquote|article|aside|ul|ol|dl|table|figure)|(?P<top>p|h[2-6]))\b"
    r"(?P<attributes>[^>]*)>"
)
_NOTE = 'class="sidenote"'


class Sections(NamedTuple):
    """The sections of a text.

    puzzle: up to the first heading or fold behind its first paragraph; without these, that paragraph. solution: up to
    the next heading; rest: from there on.
    """

    puzzle: str
    solution: str
    rest: str


def sections_of(html: str) -> Sections:
    """Split the HTML of a text; joined, the sections are that HTML."""
    tops = list(_tops(html))
    first = next((at for name, at in tops if name == "p"), -1)
    later = [(name, at) for name, at in tops if name != "p" and at > first]
    if first < 0:
        puzzle_end = 0
    elif later:
        puzzle_end = later[0][1]
    else:
        puzzle_end = html.index("</p>", first) + len("</p>")
    headings = [at for name, at in later if name != "details"]
    rest = headings[1] if len(headings) > 1 else len(html)
    return Sections(html[:puzzle_end], html[puzzle_end:rest], html[rest:])


def _tops(html: str) -> Iterator[tuple[str, int]]:
    """The paragraphs, headings and folds that stand in no other element: the name of each tag, and its place."""
    depth = 0
    for tag in _TAG.finditer(html):
        name, is_end = tag["box"] or tag["top"], bool(tag["end"])
        is_fold = name == "details" and _NOTE not in tag["attributes"]
        if not (depth or is_end) and (tag["top"] or is_fold):
            yield name, tag.start()
        if tag["box"]:
            depth += -1 if is_end else 1
