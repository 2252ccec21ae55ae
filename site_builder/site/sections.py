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
    first, ends, headings = -1, list[int](), list[int]()  # of the puzzle; behind its first paragraph
    for name, at in _tops(html):
        if name == "p" and first < 0:
            first, ends, headings = at, [], []
        elif name != "p":
            ends.append(at)
            headings += [at] if name != "details" else []
        if first >= 0 and len(headings) == 2:  # what follows is long and of no account
            break
    puzzle_end = 0 if first < 0 else ends[0] if ends else html.index("</p>", first) + len("</p>")
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
