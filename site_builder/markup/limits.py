"""What Markdown could not carry in the text of a post: fences it would not see as such, and nesting it would choke on.

Tried with Python-Markdown 3.11 and the extensions of posts: a list or quotation of 400 levels takes seconds or ends in
a RecursionError, 8,000 open brackets in one paragraph take sixteen times as long as 2,000 and more, 800 nested marks of
emphasis or 400 nested elements end in a RecursionError. At the depths below, nothing of that can be noticed.
"""

import re
from collections.abc import Iterable, Iterator

from site_builder.markup.segments import Segment, closing_fence, line_start, segments, width
from site_builder.values.characters import FORBIDDEN, code_of

Fault = tuple[int, str, str]  # line, fault, cure

DEEPEST_BLOCK = 20  # lists, quotations, folds and admonitions in one another
DEEPEST_BRACKETS = 50  # in a paragraph, and so for emphasis
DEEPEST_ELEMENTS = 100
LONGEST_RUN = 100  # of * or _

_FENCE = re.compile(r"(`{3,})(?=[^`\n]*(?:\n|\Z))|(~{3,})")
# What superfences reads after the signs of a fence: a language, attributes in braces, or options in quotes.
_HEADER = re.compile(
    r"[ \t]*(?:\.?[\w#.+-]+(?![^ \t]))?[ \t]*"
    r"(?:\{.*\}|(?:(?:hl_lines|linenums)=([\"'])[\d -]+\1[ \t]*|title=([\"']).*?\2[ \t]*)*)[ \t]*"
)
_LIST_MARK = re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+")
_FENCE_BESIDE_MARK = re.compile(rf"^{_LIST_MARK.pattern}(?:`{{3,}}[^`\n]*|~{{3,}}[^\n]*)$", re.MULTILINE)
_OPENING = re.compile(
    r"\\.|(?P<display>\$\$)|(?P<comment><!--)|<(?P<element>pre|code|script|style)(?=[\s>/])", re.DOTALL | re.IGNORECASE
)
_EXPRESSION = re.compile(r"\{\{-?[A-Za-z_]\w+[.\[|(][^{}]*\}\}")
_FRONT = re.compile(r"(?:[ \t]|>|[-*+](?=[ \t])|\d+[.)](?=[ \t]))*")
_LEVEL = re.compile(r"(?P<space>[ \t]+)|>|[-*+]|\d+[.)]")
_MAY_NEST = frozenset(" \t>-*+0123456789")
_RULE = re.compile(r"[ \t>]*+[-*_ \t]*+")
_BRACKETS = re.compile(r"\\.|[\[\]()]|<(?=[A-Za-z/!?])|>|\n[ \t]*(?=\n)", re.DOTALL)
_PARTNERS = {"]": "[", ")": "(", ">": "<"}
_EMPHASIS = re.compile(r"\\.|[*_]+|\n[ \t]*(?=\n)", re.DOTALL)
_ELEMENT = re.compile(r"<(/?)([A-Za-z][\w-]*)[^<>]*?(/?)>")
# Elements that end by themselves, or that authors leave open.
_OPEN_ALONE = "area base br col dd dt embed hr img input li link meta option p param source td tr track wbr"
_UNCOUNTED = frozenset(_OPEN_ALONE.split())


def faults(text: str) -> list[Fault]:
    """What is wrong with the text of a post before it is rendered: line, fault and cure of each, in order."""
    pieces = segments(text, jinja=True)
    outside = "".join(piece.text if piece.kind == "text" else "\n" * piece.text.count("\n") for piece in pieces)
    found = [*_foreign(text), *_fences(text, pieces), *_unclosed(pieces), *_expressions(pieces)]
    return sorted(
        {*found, *_deep_blocks(outside), *_deep_brackets(outside), *_deep_emphasis(outside), *_deep_elements(outside)}
    )


def _line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _foreign(text: str) -> Iterator[Fault]:
    for found in FORBIDDEN.finditer(text):
        fault = f"the character {code_of(found.group())} cannot stand in a post"
        yield _line_of(text, found.start()), fault, "delete it"


def _fences(text: str, pieces: Iterable[Segment]) -> Iterator[Fault]:
    for piece in pieces:
        if piece.kind == "text" and ("```" in piece.text or "~~~" in piece.text):
            found = _FENCE_BESIDE_MARK.finditer(piece.text)
            yield from (_beside_mark(piece.line + piece.text.count("\n", 0, match.start())) for match in found)
        signs = _FENCE.match(piece.text) if piece.kind == "code" else None
        front = text[line_start(text, piece.start) : piece.start]
        if signs and not front.strip(" \t>"):
            yield from _fence(piece, signs.group(), front)
        elif signs and _LIST_MARK.fullmatch(front):
            yield _beside_mark(piece.line)


def _beside_mark(line: int) -> Fault:
    fault = "a fence on the line of a list's mark is not seen as one"
    return line, fault, "put it on the next line, indented by four spaces"


def _fence(piece: Segment, signs: str, front: str) -> Iterator[Fault]:
    """What keeps superfences from seeing this block as code, or from seeing its end."""
    header, *lines = piece.text.split("\n")
    if not _HEADER.fullmatch(header, len(signs)):
        cure = f'write {signs}python or {signs}python title="…", with nothing else on the line'
        yield piece.line, "the words after the signs of this fence are not understood", cure
    closing = closing_fence(signs).fullmatch(lines[-1]) if lines else None
    if closing is None:
        yield piece.line, "this fence is never closed", f"close it with {signs} on a line of its own"
        return
    for number, line in enumerate(lines[:-1], piece.line + 1):
        if not _belongs(line, front):
            yield number, "this line does not begin as the fence does in which it stands", _as_the_fence(front)
            return
    last = piece.line + len(lines)
    if closing["signs"] != signs:
        yield last, f"this fence was opened with {signs}", f"close it with {signs}, neither more nor fewer signs"
    elif not _belongs(lines[-1], front) or width(closing["front"]) != width(front):
        yield last, "the end of this fence does not begin as the fence does", _as_the_fence(front)


def _as_the_fence(front: str) -> str:
    if ">" in front:
        return f"begin the line with {front.strip()}"
    return f"indent the line by {width(front)} spaces" if front else "do not indent the line"


def _belongs(line: str, front: str) -> bool:
    """Whether superfences takes a line to be in a fence with that front: blank, or with a front as wide."""
    if not front:
        return True
    own = _front_up_to(line, width(front))
    if ">" in front:
        return line == own or (own.count(">") == front.count(">") and width(own) >= len(front))
    return not line.strip() or (">" not in own and width(own) == width(front))


def _front_up_to(line: str, columns: int) -> str:
    front = ""
    for character in line:
        if character not in " \t>" or width(front) >= columns:
            break
        front += character
    return front


def _unclosed(pieces: Iterable[Segment]) -> Iterator[Fault]:
    """Displayed formulas, comments and elements with code in them that begin and do not end."""
    for piece in pieces:
        if piece.kind != "text" or not ("$$" in piece.text or "<" in piece.text):
            continue
        for found in _OPENING.finditer(piece.text):
            line = piece.line + piece.text.count("\n", 0, found.start())
            if found["display"]:
                fault = "this formula is never closed before an empty line, or it is empty"
                yield line, fault, "close it with $$, or write \\$\\$ for the signs"
            elif found["comment"]:
                yield line, "this comment is never closed", "close it with -->"
            elif found["element"]:
                yield line, f"<{found['element']}> is never closed", f"close it with </{found['element']}>"


def _expressions(pieces: Iterable[Segment]) -> Iterator[Fault]:
    """What looks like Jinja within TeX but, without a space, would be printed as a formula."""
    for piece in pieces:
        if piece.kind in ("tex", "display") and "{{" in piece.text:
            for found in _EXPRESSION.finditer(piece.text):
                line = piece.line + piece.text.count("\n", 0, found.start())
                cure = f"write {{{{ {found.group()[2:-2].strip(' -')} }}}}"
                yield line, "within TeX a space stands after the braces of a result", cure


def _deep_blocks(outside: str) -> Iterator[Fault]:
    was_deep = False
    for number, line in enumerate(outside.split("\n"), 1):
        is_deep = line[:1] in _MAY_NEST and not _RULE.fullmatch(line) and _depth(line) > DEEPEST_BLOCK
        if is_deep and not was_deep:
            yield number, f"this is nested more than {DEEPEST_BLOCK} levels deep", "bring it up some levels"
        was_deep = is_deep


def _depth(line: str) -> int:
    """How many lists, quotations and the like a line stands in: its marks, and four columns of indentation each."""
    front = _FRONT.match(line)
    depth, after_mark = 0, 0
    for found in _LEVEL.finditer(front.group() if front else ""):
        depth += (width(found.group()) - after_mark) // 4 if found["space"] else 1
        after_mark = 0 if found["space"] else 1
    return depth


def _deep_brackets(outside: str) -> Iterator[Fault]:
    if max(outside.count(sign) for sign in _PARTNERS.values()) <= DEEPEST_BRACKETS:
        return  # fewer than would be too deep
    depth: dict[str, int] = {}
    for found in _BRACKETS.finditer(outside):
        sign = found.group()
        if sign[0] == "\n":
            depth = {}
        elif sign in _PARTNERS:
            depth[_PARTNERS[sign]] = max(0, depth.get(_PARTNERS[sign], 0) - 1)
        elif sign[0] != "\\":
            depth[sign] = depth.get(sign, 0) + 1
            if depth[sign] == DEEPEST_BRACKETS + 1:
                fault = f"more than {DEEPEST_BRACKETS} open {sign} within one another in this paragraph"
                yield _line_of(outside, found.start()), fault, f"close them, or write \\{sign} for the sign"


def _deep_emphasis(outside: str) -> Iterator[Fault]:
    """Too many marks of emphasis open at once, or in one run; a line of them alone is a rule, or a place to fill in."""
    if outside.count("*") + outside.count("_") <= DEEPEST_BRACKETS:
        return  # fewer than would be too deep
    depth = 0
    for found in _EMPHASIS.finditer(outside):
        start, end = found.span()
        sign = outside[start]
        if sign not in "*_":
            depth = depth if sign == "\\" else 0
            continue
        before, after = outside[start - 1 : start] or " ", outside[end : end + 1] or " "
        if end - start > LONGEST_RUN and not (before.isspace() and after.isspace()):
            yield _line_of(outside, start), f"more than {LONGEST_RUN} signs {sign} in a row", "put them into code"
        depth = max(0, depth + _opens(before, after) - _opens(after, before))
        if depth == DEEPEST_BRACKETS + 1:
            fault = f"more than {DEEPEST_BRACKETS} marks of emphasis within one another in this paragraph"
            yield _line_of(outside, start), fault, f"close them, or write \\{sign} for the sign"


def _opens(before: str, after: str) -> bool:
    return not after.isspace() and not before.isalnum()


def _deep_elements(outside: str) -> Iterator[Fault]:
    if outside.count("<") <= DEEPEST_ELEMENTS:
        return  # fewer than would be too deep
    depth = 0
    for found in _ELEMENT.finditer(outside):
        closing, name, empty = found.groups()
        if empty or name.lower() in _UNCOUNTED:
            continue
        depth = max(0, depth + (-1 if closing else 1))
        if depth > DEEPEST_ELEMENTS:
            fault = f"more than {DEEPEST_ELEMENTS} elements within one another"
            yield _line_of(outside, found.start()), fault, "close some of them"
            return
