"""The claims in a post's Jinja: each call of claim(...) gets its line and its value as written."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jinja2 import nodes

CLAIM = "claim"
HELD = "_held"  # the name of what decides held sentences
_ORIGIN = "_origin"
_RESULTS = "results"
_LONGEST = 80
_SIGNS = {nodes.Add: "+", nodes.Sub: "-", nodes.Mul: "*", nodes.Div: "/", nodes.Pow: "**", nodes.Concat: "~"}
_COMPARISONS = {"eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "in": "in", "notin": "not in"}
_ELLIPSIS = "…"
_ANY = nodes.Name(_ELLIPSIS, "load")  # the index of an entry in a loop

Values = Mapping[str, Sequence[nodes.Node]]  # all that a name stands for; of one value it is written in its place


class Origin(NamedTuple):
    """A claim in a template, by its line.

    expression: the value as written; value: without the names that the post gives to values. message and cure: why it
    is refused, if it is.
    """

    line: int
    expression: str
    value: str
    message: str = ""
    cure: str = ""


def add_claim_origins(tree: nodes.Template) -> list[Origin]:
    """Add its origin as an argument to each call of claim(...), in place; return the origins."""
    calls = [call for call in tree.find_all(nodes.Call) if _is_claim(call)]
    values = _values_of(tree) if calls else {}
    origins = []
    for call in calls:
        text, value = _argument(call, 0, "text"), _argument(call, 1, "value")
        origins.append(_origin_of(call.lineno, text, value, values))
        call.kwargs.append(nodes.Keyword(_ORIGIN, nodes.Const(tuple(origins[-1]))))
    return origins


def expression_text(node: nodes.Expr, longest: int = _LONGEST) -> str:
    """An expression as an author would write it, an ellipsis for what has more characters."""
    text = _written(node, {})
    return text if len(text) <= longest else _ELLIPSIS


def _is_claim(call: nodes.Call) -> bool:
    return isinstance(call.node, nodes.Name) and call.node.name == CLAIM


def _argument(call: nodes.Call, place: int, name: str) -> nodes.Expr | None:
    named = [keyword.value for keyword in call.kwargs if keyword.key == name]
    return named[0] if named else call.args[place] if len(call.args) > place else None


def _origin_of(line: int, text: nodes.Expr | None, value: nodes.Expr | None, values: Values) -> Origin:
    """The origin of a claim; Python itself reports a call without text or value."""
    expression = expression_text(value) if value else _ELLIPSIS
    if text is not None and not isinstance(text, nodes.Const):
        message = f"the text of a claim has to be typed where it stands, and {expression_text(text)} is not"
        return Origin(line, expression, "", message, 'write it in quotes, such as claim("0.64", ...)')
    if text is None or value is None:
        return Origin(line, expression, "")
    if _names_result(value, values):
        return Origin(line, expression, _written(value, values))
    message = f"the claim {text.value} is held against {expression}, which comes from no run"
    return Origin(line, expression, "", message, "compare it with a result, such as results.<run>.<field>")


def _values_of(tree: nodes.Template) -> dict[str, list[nodes.Node]]:
    """The expressions of the names that a template gives to values, without the parameters of macros."""
    times = Counter(name.name for name in tree.find_all(nodes.Name) if name.ctx in ("store", "param"))
    found: dict[str, list[nodes.Node]] = {}
    for name, value in _bindings(tree):
        found.setdefault(name, []).append(value)
    return {name: values for name, values in found.items() if len(values) == times[name]}


def _bindings(tree: nodes.Template) -> Iterator[tuple[str, nodes.Node]]:
    for node in tree.find_all((nodes.Assign, nodes.With, nodes.For)):
        if isinstance(node, nodes.Assign):
            yield from _bound(node.target, node.node)
        elif isinstance(node, nodes.With):
            for target, value in zip(node.targets, node.values, strict=True):
                yield from _bound(target, value)
        elif isinstance(node, nodes.For):
            yield from _bound(node.target, nodes.Getitem(node.iter, _ANY, "load"))


def _bound(target: nodes.Node, value: nodes.Node) -> Iterable[tuple[str, nodes.Node]]:
    if isinstance(target, nodes.Name):
        return [(target.name, value)]
    if isinstance(target, nodes.Tuple):
        entries = (nodes.Getitem(value, nodes.Const(at), "load") for at in range(len(target.items)))
        return [each for item, entry in zip(target.items, entries, strict=True) for each in _bound(item, entry)]
    return ()


def _names_result(node: nodes.Node, values: Values) -> bool:
    """True when a result stands in an expression."""
    names = [each.name for each in (node, *node.find_all(nodes.Name)) if isinstance(each, nodes.Name)]
    return any(
        all(_names_result(each, _without(values, name)) for each in values[name])
        if name in values
        else name == _RESULTS
        for name in names
    )


def _without(values: Values, name: str) -> Values:
    return {each: value for each, value in values.items() if each != name}


def _resolved(node: nodes.Node, values: Values) -> tuple[nodes.Node, Values]:
    """The expression of the value of a name; another expression as it is."""
    if isinstance(node, nodes.Name) and len(values.get(node.name, ())) == 1:
        return _resolved(values[node.name][0], _without(values, node.name))
    return node, values


def _written(node: nodes.Node, values: Values) -> str:
    node, values = _resolved(node, values)
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Const):
        return repr(node.value)
    if isinstance(node, nodes.Getattr):
        return f"{_grouped(node.node, values)}.{node.attr}"
    if isinstance(node, nodes.Getitem):
        return f"{_grouped(node.node, values)}[{_written(node.arg, values)}]"
    if isinstance(node, nodes.Slice):
        ends = (node.start, node.stop, *([node.step] if node.step else []))
        return ":".join(_written(end, values) if end else "" for end in ends)
    if isinstance(node, nodes.Filter) and node.node is not None:
        filtered = _written(node.node, values) if isinstance(node.node, nodes.Filter) else _grouped(node.node, values)
        arguments = _arguments(node, values)
        return f"{filtered} | {node.name}" + (f"({arguments})" if arguments else "")
    if isinstance(node, nodes.Call):
        return f"{_written(node.node, values)}({_arguments(node, values)})"
    if isinstance(node, nodes.BinExpr) and type(node) in _SIGNS:
        return f"{_grouped(node.left, values)} {_SIGNS[type(node)]} {_grouped(node.right, values)}"
    if isinstance(node, (nodes.List, nodes.Tuple)):
        return f"[{', '.join(_written(item, values) for item in node.items)}]"
    return _condition(node, values)


def _condition(node: nodes.Node, values: Values) -> str:
    if isinstance(node, nodes.Compare):
        signs = ((_COMPARISONS[each.op], _written(each.expr, values)) for each in node.ops)
        return _written(node.expr, values) + "".join(f" {sign} {right}" for sign, right in signs)
    if isinstance(node, (nodes.And, nodes.Or)):
        sides = (node.left, node.right)
        written = [_written(each, values) if isinstance(each, type(node)) else _grouped(each, values) for each in sides]
        return f" {'and' if isinstance(node, nodes.And) else 'or'} ".join(written)
    if isinstance(node, nodes.Not) and isinstance(node.node, nodes.Test):
        return _written(node.node, values).replace(" is ", " is not ", 1)
    if isinstance(node, (nodes.Not, nodes.Neg)):
        return f"{'not ' if isinstance(node, nodes.Not) else '-'}{_grouped(node.node, values)}"
    if isinstance(node, nodes.Test):
        arguments = "".join(f" {_grouped(each, values)}" for each in node.args)
        return f"{_grouped(node.node, values)} is {node.name}{arguments}"
    return _ELLIPSIS


def _grouped(node: nodes.Node, values: Values) -> str:
    node, values = _resolved(node, values)
    text = _written(node, values)
    return f"({text})" if isinstance(node, (nodes.BinExpr, nodes.Filter)) else text


def _arguments(node: nodes.Call | nodes.Filter, values: Values) -> str:
    texts = [_written(argument, values) for argument in node.args]
    return ", ".join(texts + [f"{keyword.key}={_written(keyword.value, values)}" for keyword in node.kwargs])
