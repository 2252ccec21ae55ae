"""Line numbers that survive Jinja: every line of a post is marked before, and the marks are read off after.

A line that holds nothing but Jinja's statements or comments leaves no line behind, so that an `{% if %}` inside a
paragraph or a `{% for %}` between the rows of a table breaks neither.
"""

import re

from site_builder.markup.segments import tag_end

_MARK, _END = "\ufdd8", "\ufdd9"
_EAT = "\ufdda"
_OPENING = re.compile(r"\{[{%#]")
_RAW = re.compile(r"\{%[-+]?\s*raw\b")
_HOLD, _HELD = "\ufddb", "\ufddc"
_STATEMENTS = re.compile(rf"[ \t]*((?:{_HOLD}[%#]\d+{_HELD}[ \t]*)+)$")
_PLACE = re.compile(rf"{_HOLD}.(\d+){_HELD}")
_MARKED = re.compile(rf"{_MARK}(\d+){_END}")


def mark(text: str, first_line: int) -> str:
    """The text with its own line number in every line that Jinja will write."""
    tags: list[str] = []
    held = _hold_tags(text, tags)
    number = first_line
    lines = []
    for line in held.split("\n"):
        statements = _STATEMENTS.fullmatch(line)
        inside = [tags[int(place)] for place in _PLACE.findall(line)]
        if statements:
            marked = _EAT + statements[1].rstrip() + _EAT
        else:
            indent = len(line) - len(line.lstrip(" \t"))
            marked = f"{line[:indent]}{_MARK}{number}{_END}{line[indent:]}" if line.strip() else line
        lines.append(_PLACE.sub(lambda match: tags[int(match[1])], marked))
        number += 1 + sum(tag.count("\n") for tag in inside)
    return "\n".join(lines)


def settle(text: str, first_line: int) -> tuple[str, list[int]]:
    """What Jinja wrote without the marks, and for each of its lines the line of the file that it came from."""
    if _MARK not in text and _EAT not in text:
        return text, list(range(first_line, first_line + text.count("\n") + 1))
    eaten = re.sub(f"{_EAT}+\n?", "", text)
    lines, numbers = [], []
    latest = first_line - 1
    for line in eaten.split("\n"):
        found = _MARKED.search(line)
        latest = int(found[1]) if found else latest + 1
        lines.append(_MARKED.sub("", line))
        numbers.append(latest)
    return "\n".join(lines), numbers


def _hold_tags(text: str, tags: list[str]) -> str:
    """The text with a mark in place of each of Jinja's tags, which are kept in `tags`: # a comment, % a statement."""
    pieces, at, start = [], 0, 0
    while opening := _OPENING.search(text, at):
        end = tag_end(text, opening.start())
        at = end or opening.end()
        if end:
            tag = text[opening.start() : end]
            kind = "=" if _RAW.match(tag) else tag[1]  # a raw block writes something, as an expression does
            pieces.append(f"{text[start : opening.start()]}{_HOLD}{kind}{len(tags)}{_HELD}")
            tags.append(tag)
            start = end
    return "".join([*pieces, text[start:]])
