"""The claims in a post's Jinja: each call of claim(...) gets its line, its value as written, and its error, if any."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jinja2 import nodes

CLAIM = "claim"
HELD = "_held"  # the name of what decides held sentences
_ORIGIN = "_origin"
_RESULTS = "results"

Token = tuple[int, str, str]  # the line, kind and text of a piece of Jinja, as its lexer gives it


class Origin(NamedTuple):
    """A claim in a template, by its line. expression: its value as written; message, cure: of its error, if any."""

    line: int
    expression: str
    message: str = ""
    cure: str = ""


def add_claim_origins(tree: nodes.Template, tokens: Iterable[Token]) -> list[Origin]:
    """Add its origin as an argument to each call of claim(...), in place; return the origins. tokens: of the tree."""
    written, computed = _values_as_written(iter(tokens)), _computed_names(tree)
    origins = []
    for call in dict.fromkeys(tree.find_all(nodes.Call)):
        if isinstance(call.node, nodes.Name) and call.node.name == CLAIM:
            values = written[call.lineno]
            expression = values.pop(0) if values else "its value"
            origins.append(Origin(call.lineno, expression, *_problem(call, expression, computed)))
            call.kwargs.append(nodes.Keyword(_ORIGIN, nodes.Const(tuple(origins[-1]))))
    return origins


def _problem(call: nodes.Call, expression: str, computed: set[str]) -> tuple[str, ...]:
    """Message and cure of a claim that would say nothing; Python itself reports one without text or value."""
    text, value = _argument(call, 0, "text"), _argument(call, 1, "value")
    if text is not None and not isinstance(text, nodes.Const):
        message = "the text of a claim has to be typed where it stands"
        return message, 'write it in quotes, such as claim("0.64", ...)'
    if text is None or value is None or not computed.isdisjoint(_names(value)):
        return ()
    message = f"the claim {text.value} is held against {expression}, which comes from no run"
    return message, "compare it with a result, such as results.<run>.<field>"


def _argument(call: nodes.Call, place: int, name: str) -> nodes.Expr | None:
    named = [keyword.value for keyword in call.kwargs if keyword.key == name]
    return named[0] if named else call.args[place] if len(call.args) > place else None


def _values_as_written(tokens: Iterator[Token]) -> defaultdict[int, list[str]]:
    """The values of the calls of claim(...), by line."""
    found = defaultdict[int, list[str]](list)
    for _, kind, text in tokens:
        if (kind, text) == ("name", CLAIM):
            line, _, opening = next(each for each in tokens if each[1] != "whitespace")
            arguments = [*_arguments(tokens)] if opening == "(" else []
            named = [each.partition("=")[2].strip() for each in arguments if re.match(r"value\s*=(?!=)", each)]
            found[line] += named or arguments[1:2]
    return found


def _arguments(tokens: Iterable[Token]) -> Iterator[str]:
    """The arguments of a call as they are written. tokens: from the first in its brackets on."""
    argument, depth = "", 0
    for _, kind, text in tokens:
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}")) if kind == "operator" else 0
        if depth < 0 or (depth, kind, text) == (0, "operator", ","):
            yield " ".join(argument.split())
            argument = ""
        else:
            argument += text
        if depth < 0:
            return


def _computed_names(tree: nodes.Template) -> set[str]:
    """The names that stand for results: `results`, and those to which a template gives values with such names alone."""
    given = defaultdict[str, list[nodes.Node]](list)
    for target, value in _assignments(tree):
        for name in _names(target):
            given[name].append(value)
    times = Counter(each.name for each in tree.find_all(nodes.Name) if each.ctx in ("store", "param"))
    known = {name: values for name, values in given.items() if len(values) == times[name]}
    found = {_RESULTS} - times.keys()
    while more := {name for name in known.keys() - found if not any(map(found.isdisjoint, map(_names, known[name])))}:
        found |= more
    return found


def _assignments(tree: nodes.Template) -> Iterator[tuple[nodes.Node, nodes.Node]]:
    for node in tree.find_all((nodes.Assign, nodes.With, nodes.For)):
        if isinstance(node, nodes.Assign):
            yield node.target, node.node
        elif isinstance(node, nodes.With):
            yield from zip(node.targets, node.values, strict=True)
        elif isinstance(node, nodes.For):
            yield node.target, node.iter


def _names(node: nodes.Node) -> set[str]:
    return {each.name for each in (node, *node.find_all(nodes.Name)) if isinstance(each, nodes.Name)}
