"""Prepares the text of a post for Jinja, finds the lines of the file of rendered lines, and cures for Jinja's errors.

Braces that are literal, in code and in TeX, are replaced by noncharacters, which no author types. Every line is marked
with its number. A line that holds nothing but Jinja's statements or comments leaves no line behind, so that an
`{% if %}` inside a paragraph or a `{% for %}` between the rows of a table breaks neither.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from jinja2 import Environment

from site_builder.errors import Place, SiteError, nearest
from site_builder.markup.segments import segments, tag_in_tex_end

_PLACEHOLDERS = {"{{": "\ufdd4", "{%": "\ufdd5", "{#": "\ufdd6", "{": "\ufdd7"}
_BRACES = str.maketrans({placeholder: braces for braces, placeholder in _PLACEHOLDERS.items()})
_OPENING = re.compile(r"\{[{%#]")
_NO_COMMENT = re.compile(r"\{#(?![-+]?\s)")
_LINE, _LINE_END = "\ufdd8", "\ufdd9"
_LINE_MARK = re.compile(rf"{_LINE}(\d+){_LINE_END}")
_TAG, _TAG_END = "\ufddb", "\ufddc"
_TAG_MARK = re.compile(rf"{_TAG}.(\d+){_TAG_END}")
_STATEMENTS = re.compile(rf"[ \t]*((?:{_TAG}[%#]\d+{_TAG_END}[ \t]*)+)$")
_RAW = re.compile(r"\{%[-+]?\s*raw\b")


def protect(text: str) -> str:
    """Replace the braces that are literal by placeholders; lines stay as they are."""
    if not _OPENING.search(text):
        return text
    return "".join(piece for piece, _ in _pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces without literal braces, and whether each of them is a tag of Jinja."""
    for piece in segments(text, jinja=True):
        if piece.kind == "jinja":
            yield piece.text, True
        elif piece.kind == "text":
            yield _NO_COMMENT.sub(_PLACEHOLDERS["{#"], piece.text), False
        else:
            yield from _in_code(piece.text, piece.kind in ("tex", "display"))


def _in_code(text: str, is_tex: bool) -> Iterator[tuple[str, bool]]:
    """Code or TeX with placeholders for its braces, and the tags of Jinja in TeX."""
    at = 0
    while found := _OPENING.search(text, at):
        start = found.start()
        yield text[at:start], False
        if is_tex and (end := tag_in_tex_end(text, start)):
            yield text[start:end], True
            at = end
        elif is_tex and tag_in_tex_end(text, start + 1):  # {{{ x }}}: a brace of TeX, and Jinja in it
            yield _PLACEHOLDERS["{"], False
            at = start + 1
        else:
            yield _PLACEHOLDERS[found.group()], False
            at = found.end()
    yield text[at:], False


def mark_lines(text: str, first_line: int) -> str:
    """Replace literal braces, and write its own number into every line that Jinja will write."""
    pieces = [*_pieces(text)]
    tags = [piece for piece, is_tag in pieces if is_tag]
    numbers = count()
    marked_tags = (f"{_TAG}{_kind(piece)}{next(numbers)}{_TAG_END}" if is_tag else piece for piece, is_tag in pieces)
    number, lines = first_line, []
    for line in "".join(marked_tags).split("\n"):
        marked, end = line, "\n"
        if statements := _STATEMENTS.fullmatch(line):
            marked, end = f"{{##}}{statements[1].rstrip()}{{#\n#}}", ""  # a line for Jinja, which it does not write
        elif line.strip():
            indent = len(line) - len(line.lstrip(" \t"))
            marked = f"{line[:indent]}{_LINE}{number}{_LINE_END}{line[indent:]}"
        lines.append(_TAG_MARK.sub(lambda match: tags[int(match[1])], marked) + end)
        number += 1 + sum(tags[int(place)].count("\n") for place in _TAG_MARK.findall(line))
    return "".join(lines).removesuffix("\n")


def _kind(tag: str) -> str:
    """The kind of a tag: # a comment, % a statement, = an expression or a raw block, which write something."""
    return "=" if tag[1] == "{" or _RAW.match(tag) else tag[1]


def settle(text: str, first_line: int) -> tuple[str, list[int]]:
    """Return a rendered text with its braces and without marks, and for each line that of the file it comes from."""
    if _LINE not in text:  # nothing of Jinja's was in it
        return text.translate(_BRACES), list(range(first_line, first_line + text.count("\n") + 1))
    lines, numbers = [], []
    latest = first_line - 1
    for line in text.split("\n"):
        found = _LINE_MARK.search(line)
        latest = int(found[1]) if found else latest + 1
        lines.append(_LINE_MARK.sub("", line))
        numbers.append(latest)
    return "\n".join(lines).translate(_BRACES), numbers


# Errors in the Jinja of a text. A filter binds more tightly than arithmetic: `36 * p | round` is `36 * (p | round)`.

_ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")
_OPENINGS, _CLOSINGS = "([{", ")]}"
_ENDS_OPERAND = ("name", "integer", "float", "string")
_WORDS = ("and", "or", "not", "in", "is", "if", "else")
_NEW = (",", ":", "==", "!=", "<", ">", "<=", ">=", "~", "=")


def loose_filter(environment: Environment, text: str, path: str) -> SiteError | None:
    """The error of the first filter that stands after arithmetic without brackets; None where there is none."""
    if "|" not in text:
        return None
    depths = [False]  # at each depth of brackets: whether an operation came before in the same expression
    before_kind = before = ""
    tokens = [each for each in environment.lex(text) if each[1] != "whitespace"]
    for number, (line, kind, value) in enumerate(tokens):
        if kind in ("variable_begin", "block_begin") or (kind == "operator" and value in _OPENINGS):
            depths.append(False)
        elif kind in ("variable_end", "block_end") or (kind == "operator" and value in _CLOSINGS):
            depths = depths[:-1] or [False]
        elif (kind == "operator" and value in _NEW) or (kind == "name" and value in _WORDS):
            depths[-1] = False
        elif kind == "operator" and value in _ARITHMETIC:
            depths[-1] |= before_kind in _ENDS_OPERAND or before in _CLOSINGS  # else it is the sign of a number
        elif kind == "operator" and value == "|" and depths[-1]:
            name = next((each[2] for each in tokens[number + 1 :] if each[1] == "name"), "")
            message = f"the filter {name} stands after arithmetic without brackets, and binds more tightly than it"
            return SiteError(Place(path, line), message, f"write brackets around what it filters: (36 * p) | {name}")
        before_kind, before = kind, value
    return None


_WRITE = "write `…` around braces that are code, $…$ around TeX, or {{ '{{' }} and {{ '{%' }} for the signs themselves"
_FORMS = f"{{{{ … }}}} takes one expression, {{% … %}} a statement, and all that begins is closed; {_WRITE}"
_TAGS = ("if", "elif", "else", "for", "set", "macro", "call", "filter", "raw", "holds", "otherwise", "import")
_UNKNOWN = re.compile(r"No (?P<kind>filter|test) named '(?P<name>[^']*)'|Encountered unknown tag '(?P<tag>[^']*)'")
_OPEN = re.compile(r"The innermost block that needs to be closed is '(\w+)'")


def syntax_error(message: str, names: Mapping[str, Iterable[str]]) -> tuple[str, str]:
    """Return an error of Jinja's and its cure. names: of the filters and tests that there are."""
    opened = _OPEN.search(message)
    if found := _UNKNOWN.search(message):
        if found["tag"] is None:
            return f"there is no {found['kind']} {found['name']!r}", _near(found["name"], names[f"{found['kind']}s"])
        if opened:
            name = opened[1]
            return f"{{% {found['tag']} %}} stands within {{% {name} %}}", f"close that first, with {{% end{name} %}}"
        if found["tag"].startswith("end"):
            return f"{{% {found['tag']} %}} closes nothing", f"delete it, or open it with {{% {found['tag'][3:]} … %}}"
        return f"there is no statement {{% {found['tag']} %}}", _near(found["tag"], _TAGS)
    if opened:
        return f"{{% {opened[1]} %}} is never closed", f"close it with {{% end{opened[1]} %}}"
    return sentence(message), _FORMS


def _near(name: str, known: Iterable[str]) -> str:
    cure = nearest(name, known)
    return cure if cure.startswith("did you") else f"docs/post-language.md has all of them; {_WRITE}"


def sentence(text: str) -> str:
    """Return a message of Jinja's as ours are written: without a capital and a full stop."""
    text = text.rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
