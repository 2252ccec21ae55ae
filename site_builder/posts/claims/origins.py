"""The claims in a post's Jinja: each call of claim(...) gets its line and its value as written."""

from typing import TYPE_CHECKING, NamedTuple

from jinja2 import nodes

from site_builder.errors import CuredError

if TYPE_CHECKING:
    from site_builder.posts.claims.values import ClaimValues

CLAIM = "claim"
HOLDS, HELD = "holds", "_held"  # the tag of held sentences, and the name of what decides them
_ORIGIN = "_origin"
_LONGEST = 80
_SIGNS = {nodes.Add: "+", nodes.Sub: "-", nodes.Mul: "*", nodes.Div: "/", nodes.Pow: "**", nodes.Concat: "~"}
_COMPARISONS = {"eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "in": "in", "notin": "not in"}
_ELLIPSIS = "…"


class Origin(NamedTuple):
    """A claim in a template: its number (from 1 on) and line.

    expression: the value as written; value: as an expression of results alone. message and cure: why it is refused, if
    it is.
    """

    number: int
    line: int
    expression: str
    value: str
    message: str = ""
    cure: str = ""


def add_claim_origins(tree: nodes.Template) -> list[Origin]:
    """Add its origin as an argument to each call of claim(...), in place; return the origins."""
    calls = [call for call in tree.find_all(nodes.Call) if _is_claim(call)]
    origins = []
    if calls:
        from site_builder.posts.claims.values import ClaimValues  # which few posts need

        values = ClaimValues(tree)
        for number, call in enumerate(calls, start=1):
            text, value = _argument(call, 0, "text"), _argument(call, 1, "value")
            expression = expression_text(value) if value else _ELLIPSIS
            origins.append(Origin(number, call.lineno, expression, *_held_value(text, value, values)))
            call.kwargs.append(nodes.Keyword(_ORIGIN, nodes.Const(tuple(origins[-1]))))
    return origins


def expression_text(node: nodes.Expr, longest: int = _LONGEST) -> str:
    """An expression as an author would write it, an ellipsis for what has more characters."""
    text = _written(node)
    return text if len(text) <= longest else _ELLIPSIS


def _is_claim(call: nodes.Call) -> bool:
    return isinstance(call.node, nodes.Name) and call.node.name == CLAIM


def _argument(call: nodes.Call, place: int, name: str) -> nodes.Expr | None:
    named = [keyword.value for keyword in call.kwargs if keyword.key == name]
    return named[0] if named else call.args[place] if len(call.args) > place else None


def _held_value(text: nodes.Expr | None, value: nodes.Expr | None, values: "ClaimValues") -> tuple[str, str, str]:
    """The value of a claim as an expression of results alone, and its fault and cure, empty where there is none."""
    if text is not None and not isinstance(text, nodes.Const):
        message = f"the text of a claim has to be typed where it stands, and {expression_text(text)} is not"
        return "", message, 'write it in quotes, such as claim("0.64", ...)'
    if value is None:  # Python itself reports a call without it
        return "", "", ""
    try:
        return values.text(value), "", ""
    except CuredError as error:
        from site_builder.values.literals import shortened  # whose patterns cost each build without claims

        literal = text.value if text is not None else _ELLIPSIS
        message = f"the claim {shortened(str(literal))} is held against {expression_text(value)}, {error.args[0]}"
        return "", message, error.cure


def _written(node: nodes.Node) -> str:
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Const):
        return repr(node.value)
    if isinstance(node, nodes.Getattr):
        return f"{_written(node.node)}.{node.attr}"
    if isinstance(node, nodes.Getitem):
        return f"{_written(node.node)}[{_written(node.arg)}]"
    if isinstance(node, nodes.Filter) and node.node is not None:
        arguments = _arguments(node)
        return f"{_written(node.node)} | {node.name}" + (f"({arguments})" if arguments else "")
    if isinstance(node, nodes.Call):
        return f"{_written(node.node)}({_arguments(node)})"
    if isinstance(node, nodes.BinExpr) and type(node) in _SIGNS:
        return f"{_grouped(node.left)} {_SIGNS[type(node)]} {_grouped(node.right)}"
    if isinstance(node, (nodes.List, nodes.Tuple)):
        return f"[{', '.join(map(_written, node.items))}]"
    return _condition(node)


def _condition(node: nodes.Node) -> str:
    if isinstance(node, nodes.Compare):
        return _written(node.expr) + "".join(f" {_COMPARISONS[each.op]} {_written(each.expr)}" for each in node.ops)
    if isinstance(node, (nodes.And, nodes.Or)):
        sides = [_written(side) if isinstance(side, type(node)) else _grouped(side) for side in (node.left, node.right)]
        return f" {'and' if isinstance(node, nodes.And) else 'or'} ".join(sides)
    if isinstance(node, nodes.Not) and isinstance(node.node, nodes.Test):
        return _written(node.node).replace(" is ", " is not ", 1)
    if isinstance(node, (nodes.Not, nodes.Neg)):
        return f"{'not ' if isinstance(node, nodes.Not) else '-'}{_grouped(node.node)}"
    if isinstance(node, nodes.Test):
        return f"{_grouped(node.node)} is {node.name}" + "".join(f" {_grouped(each)}" for each in node.args)
    return _ELLIPSIS


def _grouped(node: nodes.Node) -> str:
    return f"({_written(node)})" if isinstance(node, (nodes.BinExpr, nodes.Filter)) else _written(node)


def _arguments(node: nodes.Call | nodes.Filter) -> str:
    texts = [_written(argument) for argument in node.args]
    return ", ".join(texts + [f"{keyword.key}={_written(keyword.value)}" for keyword in node.kwargs])
