"""Check how the value of a claim is made: of values of results as they are, and simple arithmetic with them.

Anything else could make a number that no solver returned, such as `x + 0.01`, and the claim would confirm it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from jinja2 import nodes

from site_builder.errors import CuredError

_RESULTS = "results"
_METHODS = ("at", "along")
_FILTERS = {
    *("first", "last", "min", "max", "select", "selectattr", "reject", "rejectattr", "map", "sort", "list", "when"),
}
_SIGNS = {nodes.Add: "+", nodes.Sub: "-", nodes.Mul: "*", nodes.Div: "/"}
_LARGEST = 100
_CHANGING = {"append", "extend", "insert", "update", "setdefault", "pop", "remove", "clear", "reverse", "sort"}
_ANY = nodes.Name("…", "load")  # the index of an entry in a loop
_CURE = (
    "let the solver return the value, or make it of fields, indices, at, along, the filters first, last, min, max,"
    " select, map, sort, list and when, and + - * / with whole numbers from 1 to 100"
)
_Written = tuple[str, bool]  # an expression without the names of {% set %}, and whether a result is in it


class RefusedValueError(CuredError):
    """A value that no claim can be compared with."""


class ClaimValues:
    """The values of the claims in a template."""

    def __init__(self, tree: nodes.Template) -> None:
        stored = (name.name for name in tree.find_all(nodes.Name) if name.ctx in ("store", "param"))
        self._times = Counter([*stored, *_changed(tree)])
        self._values: dict[str, nodes.Node] = dict(_bindings(tree))

    def text(self, value: nodes.Expr) -> str:
        """The value as an expression of results alone. Raises RefusedValueError with the reason."""
        text, has_result = self._read(value, (), False)
        if not has_result:
            raise RefusedValueError(
                "which comes from no run", "compare it with a result, such as results.<run>.<field>"
            )
        return text

    def _read(self, node: nodes.Node, inside: tuple[str, ...], is_place: bool) -> _Written:
        """An expression as it may be written. inside: names whose values hold it; is_place: it selects an entry."""
        match node:
            case nodes.Const(value=value):
                return _constant(value, is_place), False
            case nodes.Name(name=name):
                return self._named(name, inside, is_place)
            case nodes.Getattr():
                text, has_result = self._read(node.node, inside, is_place)
                return f"{_grouped(text)}.{node.attr}", has_result
            case nodes.Getitem():
                text, has_result = self._read(node.node, inside, is_place)
                return f"{_grouped(text)}[{self._place(node.arg, inside)}]", has_result
            case nodes.Call(node=nodes.Getattr(attr=method)) if method in _METHODS:
                text, has_result = self._read(node.node, inside, is_place)
                return f"{text}({self._arguments(node, inside)})", has_result
            case nodes.Filter(node=nodes.Expr() as filtered):
                return self._filtered(node, filtered, inside, is_place)
            case nodes.Neg():
                text, has_result = self._read(node.node, inside, is_place)
                return f"-{_grouped(text)}", has_result
            case nodes.BinExpr() if type(node) in _SIGNS:
                return self._arithmetic(node, inside, is_place)
            case nodes.List() | nodes.Tuple():
                items = [self._read(item, inside, is_place) for item in node.items]
                return f"[{', '.join(text for text, _ in items)}]", bool(items) and all(has for _, has in items)
        raise RefusedValueError(f"which {_kind(node)}", _CURE)

    def _named(self, name: str, inside: tuple[str, ...], is_place: bool) -> _Written:
        times = self._times[name]
        if name == _RESULTS and not times:
            return name, True
        if name == _ANY.name:
            return name, False
        if times == 1 and name in self._values and name not in inside:
            value = self._values[name]
            if not isinstance(value, nodes.List):  # which could be filled with anything
                return self._read(value, (*inside, name), is_place)
        reason = "is set in more than one place" if times > 1 else "is not what one {% set %} or {% for %} gives"
        raise RefusedValueError(f"and {name} {reason}", _CURE)

    def _arithmetic(self, node: nodes.BinExpr, inside: tuple[str, ...], is_place: bool) -> _Written:
        left, right = (self._read(side, inside, is_place) for side in (node.left, node.right))
        if isinstance(node, nodes.Sub | nodes.Div) and left == right and left[1]:
            raise RefusedValueError("which is the same for every result", "claim one of the two values")
        if not (left[1] or right[1] or is_place):
            raise RefusedValueError("which calculates with typed numbers alone", _CURE)
        return f"{_grouped(left[0])} {_SIGNS[type(node)]} {_grouped(right[0])}", left[1] or right[1]

    def _filtered(self, node: nodes.Filter, filtered: nodes.Expr, inside: tuple[str, ...], is_place: bool) -> _Written:
        if node.name not in _FILTERS or (node.name == "map" and [each.key for each in node.kwargs] != ["attribute"]):
            raise RefusedValueError(f"which {_kind(node)}", _CURE)
        text, has_result = self._read(filtered, inside, is_place)
        arguments = f"({given})" if (given := self._arguments(node, inside)) else ""
        return f"{_grouped(text, before_filter=True)} | {node.name}{arguments}", has_result

    def _arguments(self, node: nodes.Call | nodes.Filter, inside: tuple[str, ...]) -> str:
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            raise RefusedValueError("which takes arguments by * or **", _CURE)
        texts = [self._place(argument, inside) for argument in node.args]
        return ", ".join(texts + [f"{each.key}={self._place(each.value, inside)}" for each in node.kwargs])

    def _place(self, node: nodes.Node, inside: tuple[str, ...]) -> str:
        if isinstance(node, nodes.Slice):
            ends = [self._place(end, inside) if end is not None else "" for end in (node.start, node.stop)]
            return ":".join(ends) + (f":{self._place(node.step, inside)}" if node.step is not None else "")
        return self._read(node, inside, True)[0]


def _constant(value: object, is_place: bool) -> str:
    if is_place or (type(value) is int and 0 < value <= _LARGEST):
        return repr(value)
    raise RefusedValueError(f"in which {value!r} is typed", _CURE)


def _kind(node: nodes.Node) -> str:
    if isinstance(node, nodes.Filter):
        return f"uses the filter {node.name}" + (" with a filter in it" if node.name == "map" else "")
    if isinstance(node, nodes.Call):
        called = node.node
        return f"calls {called.attr if isinstance(called, nodes.Getattr) else getattr(called, 'name', 'a function')}"
    return "chooses with if" if isinstance(node, nodes.CondExpr) else "is no plain value of a result"


def _grouped(text: str, before_filter: bool = False) -> str:
    """A part of an expression, in brackets if it has parts itself."""
    parts = re.sub(r"\([^()]*\)|\[[^][]*\]", "", text)  # what is in brackets already is left out
    return f"({text})" if " " in parts and not (before_filter and " | " in parts) else text


def _changed(tree: nodes.Template) -> Iterator[str]:
    """The names of lists and mappings that a call such as x.append(...) changes; twice, for they are not one value."""
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and call.node.attr in _CHANGING:
            names = [call.node.node, *call.node.node.find_all(nodes.Name)]
            yield from (each.name for each in names if isinstance(each, nodes.Name) for _ in range(2))


def _bindings(tree: nodes.Template) -> Iterator[tuple[str, nodes.Node]]:
    """The names that a template gives to values, each with the expression of its value."""
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
