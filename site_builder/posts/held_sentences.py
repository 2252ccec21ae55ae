"""Held sentences: `{% holds condition %}...{% otherwise %}...{% endholds %}`, compiled to plain nodes of Jinja.

The first branch has to hold at the post's own parameters.
"""

import math
import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from jinja2 import Undefined, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.visitor import NodeTransformer

from site_builder.errors import Place, SiteError
from site_builder.posts.claims.origins import HELD, expression_text
from site_builder.posts.evidence import HeldRow
from site_builder.values.plain_values import classify, text_of

NONE = -1  # the number of the branch where none is shown
_RELATIVE_ERROR = 1e-9  # of a float that declares nothing else
_LONGEST = 200
_MOST_ENTRIES = 6
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "gteq": operator.ge,
    "lt": operator.lt,
    "lteq": operator.le,
    "in": lambda left, right: left in right,
    "notin": lambda left, right: left not in right,
}
_TESTS = {  # those of Jinja's tests that compare, by all of their names
    **dict.fromkeys(("==", "eq", "equalto"), "eq"),
    **dict.fromkeys(("!=", "ne"), "ne"),
    **dict.fromkeys((">", "gt", "greaterthan"), "gt"),
    **dict.fromkeys((">=", "ge"), "gteq"),
    **dict.fromkeys(("<", "lt", "lessthan"), "lt"),
    **dict.fromkeys(("<=", "le"), "lteq"),
    "in": "in",
}
_Origin = tuple[int, str, bool]  # the line of a held sentence, its first condition, whether it is more than constants


class Holds(Extension):
    """The tags holds, otherwise and endholds."""

    tags = {"holds"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Parser) -> nodes.Node:
        """A held sentence as an if statement, in which a HeldSentences decides."""
        line = next(parser.stream).lineno
        conditions: list[nodes.Expr] = []
        bodies: list[list[nodes.Node]] = []
        rest: list[nodes.Node] = []
        while True:
            conditions.append(parser.parse_expression())
            bodies.append(parser.parse_statements(("name:otherwise", "name:endholds")))
            if next(parser.stream).value == "endholds":
                break
            if parser.stream.current.test("block_end"):
                rest = parser.parse_statements(("name:endholds",), drop_needle=True)
                break
        names = [each for condition in conditions for each in [condition, *condition.find_all(nodes.Name)]]
        has_names = any(isinstance(each, nodes.Name) for each in names)
        origin = nodes.Const((line, expression_text(conditions[0], _LONGEST), has_names), lineno=line)
        tests = [_decided(number, origin, _checked(each)) for number, each in enumerate(conditions)]
        branches = [nodes.If(test, body, [], [], lineno=line) for test, body in zip(tests, bodies, strict=True)]
        branches[0].elif_ = branches[1:]
        branches[0].else_ = [nodes.ExprStmt(_decided(NONE, origin, nodes.Const(True)), lineno=line), *rest]
        if rest:
            branches[0].else_[0] = nodes.ExprStmt(_decided(len(conditions), origin, nodes.Const(True)), lineno=line)
        return nodes.If(_call("begin", line, origin), [branches[0]], [], [], lineno=line)


class HeldSentences:
    """Decides which branch of each held sentence of a post is shown, and collects the sentences and their errors.

    is_free: whether first branches need not hold, as the parameters are not the post's own.
    """

    def __init__(self, path: str, is_free: bool = False) -> None:
        self.rows: dict[HeldRow, None] = {}  # in their order; one in a loop may come back
        self.errors: list[SiteError] = []
        self._refused: set[tuple[int, str]] = set()
        self._path = path
        self._is_free = is_free
        self._values: dict[str, str] = {}
        self._doubts: list[str] = []

    def begin(self, origin: _Origin) -> bool:
        """Begin a sentence; always True."""
        line, text, has_names = origin
        if not has_names:
            cure = "ask for a result, such as results.<run>.<field>, or write the sentence without holds"
            self._refuse(line, f"the condition {text} asks for no result", cure)
        self._values.clear()
        self._doubts.clear()
        return True

    def decide(self, branch: int, origin: _Origin, holds: Any) -> bool:
        """True when a branch is the one to show: its condition holds."""
        line, text, _ = origin
        if isinstance(holds, Undefined):
            str(holds)  # raises, with the names that there are
        if self._doubts:
            cure = "let the solver decide it and return the answer, or keep the value exact"
            doubts = "; ".join(dict.fromkeys(self._doubts))
            self._refuse(line, f"the sentence held by {text} cannot be decided: {doubts}", cure)
            self._doubts.clear()
        elif branch == 0 and not holds and not self._is_free:
            values = "; ".join(f"{name} is {value}" for name, value in self._values.items())
            cure = "say what is true now, or put the branch that holds first"
            self._refuse(line, f"the condition {text} does not hold: {values}", cure)
        if holds:
            self.rows[HeldRow(line, text, branch)] = None
        return bool(holds)

    def value(self, text: str, value: Any) -> Any:
        """A value that a condition uses, which a message shows."""
        if text and not isinstance(value, Undefined):
            self._values[text] = text_of(value, _MOST_ENTRIES)
        return value

    def compare(self, operators: Iterable[str], *operands: Any) -> bool:
        """A comparison such as a < b <= c, of values that `value` has seen."""
        pairs = zip(operators, operands[:-1], operands[1:], strict=True)
        return all(self._compared(name, left, right) for name, left, right in pairs)

    def _compared(self, name: str, left: Any, right: Any) -> bool:
        if name in ("in", "notin"):
            pairs = [(left, each) for each in right] if isinstance(right, (tuple, list)) else []
        else:
            pairs = [(left, right)]
        for one, other in pairs:
            if near := _too_near(one, other):
                self._doubts.append(f"{text_of(near[0])} and {text_of(near[1])} are closer than the error of a float")
        return bool(_COMPARE[name](left, right))

    def _refuse(self, line: int, message: str, cure: str) -> None:
        if (line, message) not in self._refused:
            self._refused.add((line, message))
            self.errors.append(SiteError(Place(self._path, line), message, cure))


def _too_near(one: Any, other: Any) -> tuple[Any, Any] | None:
    """The floats, or those in two lists, that differ by less than their error."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return next(filter(None, map(_too_near, one, other)), None)
    kinds, numbers = zip(classify(one), classify(other), strict=True)
    floats = [each for each in numbers if isinstance(each, float)]
    if not floats or not {*kinds} <= {"float", "whole", "exact"} or not all(map(math.isfinite, floats)):
        return None
    error = max(_RELATIVE_ERROR * abs(each) for each in floats)
    return numbers if abs(Fraction(one) - Fraction(other)) < error else None


def _call(method: str, line: int, *arguments: nodes.Expr) -> nodes.Call:
    name = nodes.Getattr(nodes.Name(HELD, "load", lineno=line), method, "load", lineno=line)
    return nodes.Call(name, list(arguments), [], None, None, lineno=line)


def _decided(branch: int, origin: nodes.Const, condition: nodes.Expr) -> nodes.Call:
    return _call("decide", origin.lineno, nodes.Const(branch), origin, condition)


class _Comparisons(NodeTransformer):
    """Lets a HeldSentences make the comparisons of an expression."""

    def visit_Compare(self, node: nodes.Compare) -> nodes.Expr:  # noqa: N802 - as Jinja names it
        names = tuple(each.op for each in node.ops)
        operands = [node.expr, *(each.expr for each in node.ops)]
        return _call("compare", node.lineno, nodes.Const(names), *map(_seen, operands))

    def visit_Test(self, node: nodes.Test) -> nodes.Expr:  # noqa: N802
        if node.name not in _TESTS or len(node.args) != 1:
            return nodes.Test(_seen(node.node), *(getattr(node, name) for name in node.fields[1:]), lineno=node.lineno)
        operands = (node.node, node.args[0])
        return _call("compare", node.lineno, nodes.Const((_TESTS[node.name],)), *map(_seen, operands))


def _checked(condition: nodes.Expr) -> nodes.Expr:
    """The condition with its comparisons checked, and every value that decides it seen."""
    if isinstance(condition, (nodes.And, nodes.Or)):
        return type(condition)(_checked(condition.left), _checked(condition.right), lineno=condition.lineno)
    if isinstance(condition, nodes.Not):
        return nodes.Not(_checked(condition.node), lineno=condition.lineno)
    if isinstance(condition, (nodes.Compare, nodes.Test)):
        return _Comparisons().visit(condition)  # type: ignore[no-any-return]
    return _seen(condition)


def _seen(node: nodes.Expr) -> nodes.Expr:
    """The value of an expression, seen by a HeldSentences unless it is a constant."""
    text = "" if isinstance(node, nodes.Const) else expression_text(node, _LONGEST)
    return _call("value", node.lineno, nodes.Const(text), _Comparisons().visit(node))
