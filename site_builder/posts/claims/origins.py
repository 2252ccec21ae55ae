"""The claims in a post's Jinja: each call of claim(...) gets its line, its value as written, and the value's runs.

These are all runs from which the value may come, whatever path Jinja takes: a name may come from the runs in any of its
assignments, and in the conditions and loops around them.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import nodes

from site_builder.errors import CuredError

if TYPE_CHECKING:
    from site_builder.posts.claims.values import ClaimValues

CLAIM = "claim"
HOLDS, HELD = "holds", "_held"  # the tag of held sentences, and the name of what decides them
ALL = "*"  # in place of the runs, where a value may come from any of them
_RESULTS = "results"
_ORIGIN = "_origin"
_CHANGING = {"append", "extend", "insert", "update", "setdefault"}  # what a list or mapping is filled with
_LONGEST = 80
_SIGNS = {nodes.Add: "+", nodes.Sub: "-", nodes.Mul: "*", nodes.Div: "/", nodes.Pow: "**", nodes.Concat: "~"}
_COMPARISONS = {"eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "in": "in", "notin": "not in"}
_ELLIPSIS = "…"
_BODIES = ("body", "elif_", "else_")  # fields of statements that hold further ones

Runs = frozenset[str]
Places = dict[str, set[str]]  # name -> the runs that it may hold


class Origin(NamedTuple):
    """A claim in a template: its number (from 1 on) and line, the runs that its value is from, or ALL.

    expression: the value as written; value: as an expression of results alone. fault and cure: why it is refused, if it
    is.
    """

    number: int
    line: int
    runs: tuple[str, ...]
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

        sources, values = sources_of(tree), ClaimValues(tree)
        for number, call in enumerate(calls, start=1):
            text, value = _argument(call, 0, "text"), _argument(call, 1, "value")
            runs = tuple(sorted(sources.of(value))) if value else ()
            expression = expression_text(value) if value else _ELLIPSIS
            origins.append(Origin(number, call.lineno, runs, expression, *_held_value(text, value, values)))
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


@lru_cache(maxsize=1)  # for the steps that follow each other on one template
def sources_of(tree: nodes.Template) -> "Sources":
    """The sources of a template."""
    return Sources(tree)


class Sources:
    """The runs from which the names of a template may come."""

    def __init__(self, tree: nodes.Template) -> None:
        self._names: Places = {}
        self._macros = {macro.name: macro for macro in tree.find_all(nodes.Macro)}
        size = -1
        while size < (size := sum(map(len, self._names.values()))):  # until another round finds nothing new
            self._follow(tree.body, frozenset())

    def of(self, node: nodes.Node | None) -> Runs:
        """The runs from which the value of an expression may come."""
        if node is None:
            return frozenset()
        if run := _run_named(node):
            return frozenset({run, *self._names.get(_RESULTS, ())})
        if isinstance(node, nodes.Name):
            own = {ALL} if node.name == _RESULTS else set()
            return frozenset(own | self._names.get(node.name, set()))
        return frozenset().union(*(self.of(child) for child in node.iter_child_nodes()))

    def _add(self, name: str, runs: Iterable[str]) -> None:
        self._names.setdefault(name, set()).update(runs)

    def _assign(self, target: nodes.Node, runs: Runs) -> None:
        names = [target] if isinstance(target, (nodes.Name, nodes.NSRef)) else []
        for name in names + list(target.find_all((nodes.Name, nodes.NSRef))):
            self._add(name.name, runs)

    def _follow(self, body: Iterable[nodes.Node], deciding: Runs) -> None:
        """Record what the statements assign. deciding: the runs that decide whether they are reached."""
        for node in body:
            for call in _calls_in(node):
                self._pass_arguments(call, deciding)
            inner = deciding
            if isinstance(node, nodes.Assign):
                self._assign(node.target, deciding | self.of(node.node))
            elif isinstance(node, nodes.AssignBlock):
                self._assign(node.target, deciding | self._mentioned(node.body) | self.of(node.filter))
            elif isinstance(node, nodes.For):
                inner = deciding | self.of(node.iter) | self.of(node.test)
                self._assign(node.target, inner)
                self._add("loop", inner)
            elif isinstance(node, nodes.If):
                inner = deciding.union(*(self.of(branch.test) for branch in (node, *node.elif_)))
            elif isinstance(node, nodes.With):
                for target, value in zip(node.targets, node.values, strict=True):
                    self._assign(target, deciding | self.of(value))
            elif isinstance(node, (nodes.Macro, nodes.CallBlock)):
                self._follow_macro(node, deciding)
            for part in _BODIES:
                self._follow(getattr(node, part, ()), inner)

    def _follow_macro(self, node: nodes.Macro | nodes.CallBlock, deciding: Runs) -> None:
        for target, default in zip(node.args[len(node.args) - len(node.defaults) :], node.defaults, strict=True):
            self._assign(target, self.of(default))
        given = deciding | self._mentioned(node.body)
        if isinstance(node, nodes.Macro):
            self._add(node.name, given)
            return
        self._add("caller", given)
        for target in node.args:  # what a macro hands to its caller(...) may come from anything that it was given
            self._assign(target, frozenset(self._names.get("caller arguments", set())))

    def _mentioned(self, body: Iterable[nodes.Node]) -> Runs:
        """The runs of all expressions in a body."""
        return frozenset().union(*(self.of(node) for node in body))

    def _pass_arguments(self, call: nodes.Call, deciding: Runs) -> None:
        given = deciding | frozenset().union(*(self.of(child) for child in call.iter_child_nodes()))
        if isinstance(call.node, nodes.Getattr) and call.node.attr in _CHANGING:
            for filled in [call.node.node, *call.node.node.find_all(nodes.Name)]:
                if isinstance(filled, nodes.Name):
                    self._add(filled.name, given)
        if not isinstance(call.node, nodes.Name):
            return
        if call.node.name == "caller":
            self._add("caller arguments", given)
        if (macro := self._macros.get(call.node.name)) is None:
            return
        names = [name.name for name in macro.args]
        if call.dyn_args is not None or call.dyn_kwargs is not None:
            for name in names:
                self._add(name, given)
        for name in ("varargs", "kwargs"):
            self._add(name, given)
        for name, value in zip(names, call.args, strict=False):
            self._add(name, deciding | self.of(value))
        for keyword in call.kwargs:
            if keyword.key in names:
                self._add(keyword.key, deciding | self.of(keyword.value))


def _calls_in(node: nodes.Node) -> Iterator[nodes.Call]:
    """The calls in a statement, without those in the statements that it holds."""
    for child in node.iter_child_nodes(exclude=_BODIES):
        if isinstance(child, nodes.Call):
            yield child
        if not isinstance(child, nodes.Stmt):
            yield from _calls_in(child)


def _run_named(node: nodes.Node) -> str:
    """The run in `results.run` or `results["run"]`; empty for anything else."""
    if not isinstance(node, (nodes.Getattr, nodes.Getitem)):
        return ""
    if not (isinstance(node.node, nodes.Name) and node.node.name == _RESULTS):
        return ""
    if isinstance(node, nodes.Getattr):
        return node.attr
    return node.arg.value if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str) else ""


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
