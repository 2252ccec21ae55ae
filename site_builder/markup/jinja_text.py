"""Prepares the text of a post for Jinja, and finds the lines of the file from which the rendered lines come.

Braces that are literal, in code and in TeX, are replaced by noncharacters, which no author types. Every line is marked
with its number. A line that holds nothing but Jinja's statements or comments leaves no line behind, so that an
`{% if %}` inside a paragraph or a `{% for %}` between the rows of a table breaks neither.
"""

import re

from site_builder.markup.segments import segments, tag_end, tag_in_tex_end

_PLACEHOLDERS = {"{{": "\ufdd4", "{%": "\ufdd5", "{#": "\ufdd6", "{": "\ufdd7"}
_BRACES = str.maketrans({placeholder: braces for braces, placeholder in _PLACEHOLDERS.items()})
_OPENING = re.compile(r"\{[{%#]")
_NO_COMMENT = re.compile(r"\{#(?![-+]?\s)")
_LINE, _LINE_END, _NO_LINE = "\ufdd8", "\ufdd9", "\ufdda"
_LINE_MARK = re.compile(rf"{_LINE}(\d+){_LINE_END}")
_TAG, _TAG_END = "\ufddb", "\ufddc"
_TAG_MARK = re.compile(rf"{_TAG}.(\d+){_TAG_END}")
_STATEMENTS = re.compile(rf"[ \t]*((?:{_TAG}[%#]\d+{_TAG_END}[ \t]*)+)$")
_RAW = re.compile(r"\{%[-+]?\s*raw\b")


def protect(text: str) -> str:
    """Replace the braces that are literal by placeholders; lines stay as they are."""
    if not _OPENING.search(text):
        return text
    return "".join(
        _NO_COMMENT.sub(_PLACEHOLDERS["{#"], piece.text)
        if piece.kind == "text"
        else piece.text
        if piece.kind == "jinja"
        else _protected(piece.text, piece.kind in ("tex", "display"))
        for piece in segments(text, jinja=True)
    )


def _protected(text: str, is_tex: bool) -> str:
    """Code or TeX with placeholders for its braces, but for the Jinja in TeX."""
    pieces, at = [], 0
    while found := _OPENING.search(text, at):
        start = found.start()
        pieces.append(text[at:start])
        if is_tex and (end := tag_in_tex_end(text, start)):
            pieces.append(text[start:end])
            at = end
        elif is_tex and tag_in_tex_end(text, start + 1):  # {{{ x }}}: a brace of TeX, and Jinja in it
            pieces.append(_PLACEHOLDERS["{"])
            at = start + 1
        else:
            pieces.append(_PLACEHOLDERS[found.group()])
            at = found.end()
    return "".join([*pieces, text[at:]])


def mark_lines(text: str, first_line: int) -> str:
    """Write its own number into every line that Jinja will write."""
    tags: list[str] = []
    number = first_line
    lines = []
    for line in _without_tags(text, tags).split("\n"):
        marked = line
        if statements := _STATEMENTS.fullmatch(line):
            marked = _NO_LINE + statements[1].rstrip() + _NO_LINE
        elif line.strip():
            indent = len(line) - len(line.lstrip(" \t"))
            marked = f"{line[:indent]}{_LINE}{number}{_LINE_END}{line[indent:]}"
        lines.append(_TAG_MARK.sub(lambda match: tags[int(match[1])], marked))
        number += 1 + sum(tags[int(place)].count("\n") for place in _TAG_MARK.findall(line))
    return "\n".join(lines)


def _without_tags(text: str, tags: list[str]) -> str:
    """The text with a mark in place of each Jinja tag, which is added to `tags`: # a comment, % a statement."""
    pieces, at, start = [], 0, 0
    while opening := _OPENING.search(text, at):
        end = tag_end(text, opening.start())
        at = end or opening.end()
        if end:
            tag = text[opening.start() : end]
            kind = "=" if _RAW.match(tag) else tag[1]  # a raw block writes something, as an expression does
            pieces.append(f"{text[start : opening.start()]}{_TAG}{kind}{len(tags)}{_TAG_END}")
            tags.append(tag)
            start = end
    return "".join([*pieces, text[start:]])


def settle(text: str, first_line: int) -> tuple[str, list[int]]:
    """Return a rendered text with its braces and without marks, and for each line that of the file it comes from."""
    lines, numbers = [], []
    latest = first_line - 1
    for line in re.sub(f"{_NO_LINE}+\n?", "", text).split("\n"):
        found = _LINE_MARK.search(line)
        latest = int(found[1]) if found else latest + 1
        lines.append(_LINE_MARK.sub("", line))
        numbers.append(latest)
    return "\n".join(lines).translate(_BRACES), numbers
