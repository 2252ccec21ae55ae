"""Errors in the Jinja of a text: cures for its syntax, and filters after arithmetic without brackets.

A filter binds more tightly than arithmetic: `36 * p | round` is `36 * (p | round)`.
"""

import re
from collections.abc import Iterable, Mapping

from jinja2 import Environment

from site_builder.errors import nearest

_ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")
_OPENING, _CLOSING = "([{", ")]}"
_ENDS_OPERAND = ("name", "integer", "float", "string")
_WORDS = ("and", "or", "not", "in", "is", "if", "else")
_NEW = (",", ":", "==", "!=", "<", ">", "<=", ">=", "~", "=")


def loose_filter(environment: Environment, text: str) -> tuple[int, str]:
    """The line and the name of the first filter that stands after arithmetic without brackets; (0, "") without one."""
    depths = [False]  # at each depth of brackets: whether an operation came before in the same expression
    before_kind = before = ""
    tokens = [each for each in environment.lex(text) if each[1] != "whitespace"]
    for number, (line, kind, value) in enumerate(tokens):
        if kind in ("variable_begin", "block_begin") or (kind == "operator" and value in _OPENING):
            depths.append(False)
        elif kind in ("variable_end", "block_end") or (kind == "operator" and value in _CLOSING):
            depths = depths[:-1] or [False]
        elif (kind == "operator" and value in _NEW) or (kind == "name" and value in _WORDS):
            depths[-1] = False
        elif kind == "operator" and value in _ARITHMETIC:
            depths[-1] |= before_kind in _ENDS_OPERAND or before in _CLOSING  # else it is the sign of a number
        elif kind == "operator" and value == "|" and depths[-1]:
            return line, _name(tokens[number + 1 :])
        before_kind, before = kind, value
    return 0, ""


def _name(tokens: Iterable[tuple[int, str, str]]) -> str:
    return next((value for _, kind, value in tokens if kind == "name"), "")


_BRACES = "write `…` around braces that are code, $…$ around TeX, or {{ '{{' }} and {{ '{%' }} for the signs themselves"
_TAGS = ("if", "elif", "else", "for", "set", "macro", "call", "filter", "raw", "holds", "otherwise", "import")
_UNKNOWN = re.compile(r"No (?P<kind>filter|test) named '(?P<name>[^']*)'|Encountered unknown tag '(?P<tag>[^']*)'")
_OPEN = re.compile(r"The innermost block that needs to be closed is '(\w+)'")
_INSTEAD = {
    "percentage": "percent", "pct": "percent", "comma": "integer", "commas": "integer", "thousands": "integer",
    "format": "number", "decimals": "number", "pluralize": "plural", "frac": "fraction", "ratio": "fraction",
}  # fmt: skip
_PARTS = (
    ("comment tag", "this comment is never closed", "close it with #}, or write `{#` for the signs"),
    ("raw directive", "{% raw %} is never closed", "close it with {% endraw %}"),
    ("'end of print statement'", "", f"{{{{ … }}}} takes one expression, such as {{{{ results.main.p }}}}; {_BRACES}"),
    ("'end of statement block'", "", f"{{% … %}} begins a statement of Jinja, such as {{% if … %}}; {_BRACES}"),
    ("tag name expected", "{% begins a statement of Jinja, and none follows", _BRACES),
)


def syntax_error(message: str, names: Mapping[str, Iterable[str]]) -> tuple[str, str]:
    """Return an error of Jinja's and its cure. names: of the filters and tests that there are."""
    opened = _OPEN.search(message)
    if found := _UNKNOWN.search(message):
        if found["tag"] is None:
            kind, name, known = found["kind"], found["name"], list(names[f"{found['kind']}s"])
            instead = _INSTEAD.get(name) if kind == "filter" else None
            return f"there is no {kind} {name!r}", f"did you mean {instead!r}?" if instead else _near(name, known)
        if opened:
            name = opened[1]
            return f"{{% {found['tag']} %}} stands within {{% {name} %}}", f"close that first, with {{% end{name} %}}"
        if found["tag"].startswith("end"):
            return f"{{% {found['tag']} %}} closes nothing", f"delete it, or open it with {{% {found['tag'][3:]} … %}}"
        return f"there is no statement {{% {found['tag']} %}}", _near(found["tag"], _TAGS)
    if opened:
        return f"{{% {opened[1]} %}} is never closed", f"close it with {{% end{opened[1]} %}}"
    for part, words, cure in _PARTS:
        if part in message:
            return words or sentence(message), cure
    return sentence(message), _BRACES


def _near(name: str, known: Iterable[str]) -> str:
    cure = nearest(name, known)
    return cure if cure.startswith("did you") else f"docs/post-language.md has all of them; {_BRACES}"


def sentence(text: str) -> str:
    """Return a message of Jinja's as ours are written: without a capital and a full stop."""
    text = text.rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
