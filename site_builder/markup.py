"""Where code, TeX and Jinja stand in the text of a post, before Markdown sees it.

Code spans and fences are literal. Inside TeX a Jinja expression has a space after its braces; without one they are TeX.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "code", "tex", "display", "jinja", "comment", "html code"]

_INTEREST = re.compile(
    r"(?P<escape>\\.)"
    r"|(?P<fence>^(?:[ \t>]|[-*+][ \t])*(?P<ticks>`{3,}|~{3,})[^\n]*$)"
    r"|(?P<span>`+)"
    r"|(?P<display>\$\$)"
    r"|(?P<tex>\$)(?=\S)"
    r"|(?P<comment><!--)"
    r"|(?P<html><(?P<tag>pre|code|script|style)\b)"
    r"|(?P<jinja>\{[{%#])",
    re.DOTALL | re.MULTILINE,
)
_STRINGS = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
_TAG = re.compile(
    rf"\{{%-?\s*raw\b.*?\{{%-?\s*endraw\s*-?%\}}|\{{#.*?#\}}|\{{%(?:{_STRINGS}|[^\"'%]|%(?!\}}))*%\}}"
    rf"|\{{\{{(?:{_STRINGS}|[^\"'}}]|\}}(?!\}}))*\}}\}}",
    re.DOTALL,
)
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")
_LITERAL = {"{{": "\ufdd4", "{%": "\ufdd5", "{#": "\ufdd6"}
_OPENING = re.compile(r"\{[{%#]")
_OPENING_IN_TEX = re.compile(r"\{[{%#](?!\s)")
_FOREIGN = re.compile("[\ufdd0-\ufdef\x00-\x08\x0b\x0c\x0e-\x1f]")
_DEEPEST = 20
_MOST_OPEN = 100


@dataclass(frozen=True)
class Segment:
    """A piece of a text. start, end: its offsets; line: the line in which it starts, from 1."""

    kind: Kind
    start: int
    end: int
    text: str
    line: int


def segments(text: str, jinja: bool) -> list[Segment]:
    """The text in pieces that together are the whole of it. jinja: whether Jinja's tags are pieces of their own."""
    found: list[Segment] = []
    plain_from = 0
    for kind, start, end in _pieces(text, jinja):
        _append(found, text, "text", plain_from, start)
        _append(found, text, kind, start, end)
        plain_from = end
    _append(found, text, "text", plain_from, len(text))
    return found


def protect(text: str) -> str:
    """The text with braces that are literal, in code and in TeX, written so that Jinja leaves them alone."""
    pieces = []
    for segment in segments(text, jinja=True):
        if segment.kind in ("code", "html code", "comment"):
            pieces.append(_OPENING.sub(lambda match: _LITERAL[match[0]], segment.text))
        elif segment.kind in ("tex", "display"):
            pieces.append(_protect_tex(segment.text))
        else:
            pieces.append(segment.text)
    return "".join(pieces)


def restore(text: str) -> str:
    """The text as it was before `protect`."""
    for braces, stand_in in _LITERAL.items():
        text = text.replace(stand_in, braces)
    return text


def faults(text: str) -> list[tuple[int, str, str]]:
    """What Markdown could not carry: line, fault and cure of each."""
    found = [
        (
            text.count("\n", 0, match.start()) + 1,
            f"the character U+{ord(match[0]):04X} cannot stand in a post",
            "delete it",
        )
        for match in _FOREIGN.finditer(text)
    ]
    pieces = segments(text, jinja=True)
    for segment in pieces:
        if segment.kind == "code" and _is_open_fence(segment.text):
            found += [(segment.line, "this fence is never closed", "close it with the same signs on a line of its own")]
    outside = "".join("\n" * segment.text.count("\n") if segment.kind != "text" else segment.text for segment in pieces)
    found += _open_displays(pieces)
    found += _deep_lines(outside)
    return sorted(found)


def _pieces(text: str, jinja: bool) -> Iterator[tuple[Kind, int, int]]:
    at = 0
    while match := _INTEREST.search(text, at):
        start = match.start()
        kind, end = _piece(text, match, jinja)
        if kind is None:
            at = end
            continue
        yield kind, start, end
        at = end


def _piece(text: str, match: re.Match[str], jinja: bool) -> tuple[Kind | None, int]:
    """What begins at a sign, and where it ends; (None, place to go on) when the sign is only text."""
    start = match.start()
    if match["escape"]:
        return None, match.end()
    if match["fence"]:
        return "code", _fence_end(text, match)
    if match["span"]:
        return _span(text, start, match["span"])
    if match["display"]:
        end = _tex_end(text, start + 2, "$$")
        return ("display", end) if end else (None, match.end())
    if match["tex"]:
        end = _tex_end(text, start + 1, "$")
        return ("tex", end) if end else (None, match.end())
    if match["comment"]:
        end = text.find("-->", start)
        return ("comment", end + 3) if end >= 0 else (None, match.end())
    if match["html"]:
        close = re.compile(rf"</{match['tag']}\s*>").search(text, match.end())
        return ("html code", close.end()) if close else (None, match.end())
    tag = _TAG.match(text, start) if jinja else None
    return ("jinja", tag.end()) if tag else (None, start + 2)


def _fence_end(text: str, match: re.Match[str]) -> int:
    ticks = match["ticks"]
    close = re.compile(rf"^[ \t>]*{ticks[0]}{{{len(ticks)},}}[ \t]*$", re.MULTILINE).search(text, match.end())
    return close.end() if close else len(text)


def _is_open_fence(text: str) -> bool:
    opened = re.match(r"(?:[ \t>]|[-*+][ \t])*(`{3,}|~{3,})[^\n`]*(\n|$)", text)
    if opened is None:
        return False
    return not re.search(rf"^[ \t>]*{opened[1][0]}{{{len(opened[1])},}}[ \t]*\Z", text[opened.end() :], re.MULTILINE)


def _span(text: str, start: int, ticks: str) -> tuple[Kind | None, int]:
    after = start + len(ticks)
    close = re.compile(rf"(?<!`){ticks}(?!`)").search(text, after)
    blank = _BLANK_LINE.search(text, after)
    if close is None or (blank and blank.start() < close.start()):
        return None, after
    return "code", close.end()


def _tex_end(text: str, start: int, sign: str) -> int:
    """Where the TeX that starts here ends, past its closing sign; 0 when it is none."""
    at = start
    while at < len(text):
        character = text[at]
        if character == "\\":
            at += 2
        elif character == "{" and (tag := _jinja_in_tex(text, at)):
            at = tag
        elif character == "\n" and _BLANK_LINE.match(text, at):
            return 0
        elif character == "$":
            return _closes(text, start, at, sign)
        else:
            at += 1
    return 0


def _closes(text: str, start: int, at: int, sign: str) -> int:
    if sign == "$$":
        return at + 2 if text.startswith("$$", at) and text[start:at].strip() else 0
    if at == start or text[at - 1].isspace() or text[at + 1 : at + 2].isdigit():
        return 0
    return at + 1


def _jinja_in_tex(text: str, at: int) -> int:
    if text[at : at + 2] in _LITERAL and text[at + 2 : at + 3].isspace() and (tag := _TAG.match(text, at)):
        return tag.end()
    return 0


def _protect_tex(text: str) -> str:
    pieces, at = [], 0
    while at < len(text):
        opening = _OPENING.search(text, at)
        if opening is None:
            break
        end = _jinja_in_tex(text, opening.start())
        pieces.append(text[at : opening.start()])
        pieces.append(text[opening.start() : end] if end else _LITERAL[opening[0]])
        at = end or opening.end()
    return "".join([*pieces, text[at:]])


def _open_displays(pieces: list[Segment]) -> Iterator[tuple[int, str, str]]:
    for segment in pieces:
        if segment.kind == "text":
            for match in re.finditer(r"(?<!\\)\$\$", segment.text):
                line = segment.line + segment.text.count("\n", 0, match.start())
                yield line, "this formula is never closed, or holds an empty line", "close it with $$"


def _deep_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Lines that Markdown would need minutes for: nested too deeply, or with too much left open."""
    for number, line in enumerate(text.split("\n"), 1):
        lead = re.match(r"(?:[ \t]|>|[-*+](?=[ \t])|\d+\.(?=[ \t]))*", line)
        front = lead[0].expandtabs(4) if lead else ""
        depth = front.count(" ") // 4 + sum(front.count(sign) for sign in ">-*+.")
        if depth > _DEEPEST:
            yield number, f"this is nested more than {_DEEPEST} levels deep", "bring it up some levels"
        for sign in "[*_(":
            if line.count(sign) > _MOST_OPEN:
                yield (
                    number,
                    f"this line has more than {_MOST_OPEN} signs {sign}",
                    "break the line, or put it into code",
                )


def _append(found: list[Segment], text: str, kind: Kind, start: int, end: int) -> None:
    if end > start:
        line = found[-1].line + found[-1].text.count("\n") if found else 1
        found.append(Segment(kind, start, end, text[start:end], line))
