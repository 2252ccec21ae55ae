"""Filters after arithmetic without brackets, which bind more tightly: `36 * p | round` is `36 * (p | round)`."""

from collections.abc import Iterable

from jinja2 import Environment

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
