"""Finds headings of level 1, and takes the first heading of a text as its title."""

import re
from collections.abc import Sequence

from site_builder.importer.markdown import patterns
from site_builder.importer.markdown.conversion import SourceLine

_UNDERLINE = re.compile(r" {0,3}=+\s*$")


def take_heading(lines: Sequence[SourceLine], levels: int = 1) -> tuple[str, list[SourceLine]]:
    """Return the heading with which a text begins, and the lines without it; empty if it begins otherwise.

    Images and HTML may precede it. levels: the deepest level that counts.
    """
    for at, line in enumerate(lines):
        found = patterns.HEADING.match(line.text)
        if found and found["words"] and len(found["signs"]) <= levels:
            words = patterns.HEADING_ATTRIBUTES.sub("", found["words"])
            return words, [*lines[:at], *lines[at + 1 :]]
        if starts_text([line]):
            if at + 1 < len(lines) and _UNDERLINE.match(lines[at + 1].text):
                return patterns.HEADING_ATTRIBUTES.sub("", line.text).strip(), [*lines[:at], *lines[at + 2 :]]
            break
    return "", list(lines)


def starts_text(lines: Sequence[SourceLine]) -> bool:
    """True when there is text other than images and HTML."""
    return any(line.text.strip() and not line.text.lstrip().startswith(("<", "[", "!")) for line in lines)


def has_first_level(lines: Sequence[SourceLine]) -> bool:
    """True when there is a heading of level 1 outside of fenced code."""
    open_fence = ""
    for before, line in zip([SourceLine("", 0), *lines], lines, strict=False):
        fence = patterns.FENCE_START.match(line.text)
        heading = patterns.HEADING.match(line.text)
        if fence and (not open_fence or line.text.strip().startswith(open_fence)):
            open_fence = "" if open_fence else fence[1]
        elif not open_fence and (
            (heading and heading["words"] and len(heading["signs"]) == 1)
            or (before.text.strip() and _UNDERLINE.match(line.text))
        ):
            return True
    return False
