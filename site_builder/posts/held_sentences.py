"""Held sentences: `{% holds condition %}...{% otherwise %}...{% endholds %}`, compiled to plain nodes of Jinja.

The first branch has to hold at the post's own parameters.
"""

import math
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

from site_builder.errors import Place, SiteError
from site_builder.posts.jinja import HELD
from site_builder.values.plain_values import classify, text_of

_RELATIVE_ERROR = 1e-9  # of a float that declares nothing else
_MOST_ENTRIES = 6
_FIRST = re.compile(r"\{%[-+]?\s*(?:raw\b.*?endraw|holds\s+(?=(.*?)\s*[-+]?%\}))", re.DOTALL)  # before a condition
_Origin = tuple[int, str, bool]  # the line of a held sentence, its first condition, whether it is more than constants


class Holds(Extension):
    """The tags holds, otherwise and endholds."""

    tags = {"holds"}  # noqa: RUF012 - as Jinja declares it

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with each first condition also as text, in front of it."""
        return _FIRST.sub(lambda found: f"{found[0]}{' '.join(found[1].split())!r} " if found[1] else found[0], source)

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """A held sentence as an if statement, each branch of which calls a HeldSentences."""
        line = next(parser.stream).lineno
        condition = parser.stream.expect("string").value
        conditions: list[nodes.Expr] = []
        bodies: list[list[nodes.Node]] = []
        while True:
            conditions.append(parser.parse_expression())
            bodies.append(parser.parse_statements(("name:otherwise", "name:endholds")))
            is_last = next(parser.stream).value == "endholds"
            if is_last or parser.stream.current.test("block_end"):
                break
        rest = [] if is_last else parser.parse_statements(("name:endholds",), drop_needle=True)
        names = [each for condition in conditions for each in [condition, *condition.find_all(nodes.Name)]]
        has_names = any(isinstance(each, nodes.Name) for each in names)
        origin = nodes.Const((line, condition, has_names), lineno=line)
        first = _listed(conditions[0])
        bodies = [[_call("show", line, nodes.Const(not at), origin, first), *body] for at, body in enumerate(bodies)]
        branches = [nodes.If(test, body, [], [], lineno=line) for test, body in zip(conditions, bodies, strict=True)]
        branches[0].elif_ = branches[1:]
        branches[0].else_ = [_call("show", line, nodes.Const(False), origin, first), *rest]
        return [_call("begin", line, origin, _listed(reduce(nodes.Or, conditions))), branches[0]]


class HeldSentences:
    """Collects the held sentences of a post and their errors.

    is_free: whether first branches need not hold, as the parameters are not the post's own. shown: those of which the
    first branch is shown, by line and condition.
    """

    def __init__(self, path: str, is_free: bool = False) -> None:
        self.shown: set[tuple[int, str]] = set()
        self.errors: list[SiteError] = []
        self._refused: set[_Origin] = set()
        self._path = path
        self._is_free = is_free

    def begin(self, origin: _Origin, pairs: Iterable[tuple[Any, Any]]) -> None:
        """Begin a sentence. pairs: the values that its conditions compare."""
        _, text, has_names = origin
        if not has_names:
            cure = "ask for a result, such as results.<run>.<field>, or write the sentence without holds"
            self._refuse(origin, f"the condition {text} asks for no result", cure)
        near = [found for pair in pairs if (found := _too_near(*pair))]
        doubts = [f"{text_of(one)} and {text_of(other)} are closer than the error of a float" for one, other in near]
        if doubts:
            cure = "let the solver decide it and return the answer, or keep the value exact"
            doubt = "; ".join(dict.fromkeys(doubts))
            self._refuse(origin, f"the sentence held by {text} cannot be decided: {doubt}", cure)

    def show(self, is_first: bool, origin: _Origin, pairs: Iterable[tuple[Any, Any]]) -> None:
        """Record that a branch is shown. pairs: the values that the first condition compares."""
        line, text, _ = origin
        if is_first:
            self.shown.add((line, text))
        elif not self._is_free:
            shown = "; ".join(" and ".join(text_of(each, _MOST_ENTRIES) for each in pair) for pair in pairs)
            cure = "say what is true now, or put the branch that holds first"
            self._refuse(origin, f"the condition {text} does not hold{shown and f' for {shown}'}", cure)

    def _refuse(self, origin: _Origin, message: str, cure: str) -> None:
        if origin not in self._refused:
            self._refused.add(origin)
            self.errors.append(SiteError(Place(self._path, origin[0]), message, cure))


def _too_near(one: Any, other: Any) -> tuple[Any, Any] | None:
    """The floats, or those in two lists or in one, that differ by less than their error."""
    if isinstance(other, (tuple, list)):
        ones = one if isinstance(one, (tuple, list)) else [one] * len(other)
        return next(filter(None, map(_too_near, ones, other)), None)
    kinds, numbers = zip(classify(one), classify(other), strict=True)
    floats = [each for each in numbers if isinstance(each, float)]
    if not floats or not {*kinds} <= {"float", "whole", "exact"} or not all(map(math.isfinite, floats)):
        return None
    error = max(_RELATIVE_ERROR * abs(each) for each in floats)
    return numbers if abs(Fraction(one) - Fraction(other)) < error else None


def _call(method: str, line: int, *arguments: nodes.Expr) -> nodes.ExprStmt:
    name = nodes.Getattr(nodes.Name(HELD, "load", lineno=line), method, "load", lineno=line)
    return nodes.ExprStmt(nodes.Call(name, list(arguments), [], None, None, lineno=line), lineno=line)


def _listed(condition: nodes.Expr) -> nodes.Expr:
    """A list of the pairs that are compared in a condition, in those parts of it that are evaluated.

    Of `a or b` the latter is where a is false.
    """
    if isinstance(condition, nodes.Not):
        return _listed(condition.node)
    if not isinstance(condition, (nodes.And, nodes.Or)):
        return nodes.List(list(_pairs(condition)))
    both = _listed(condition.right), nodes.List([])
    then, otherwise = both if isinstance(condition, nodes.And) else both[::-1]
    return nodes.Add(_listed(condition.left), nodes.CondExpr(condition.left, then, otherwise))


def _pairs(condition: nodes.Expr) -> Iterator[nodes.Expr]:
    """The expressions that a condition compares, each with the one after it."""
    for each in (condition, *condition.find_all(nodes.Compare)):
        if isinstance(each, nodes.Compare):
            compared = [each.expr, *(operand.expr for operand in each.ops)]
            yield from (nodes.Tuple(list(pair), "load") for pair in pairwise(compared))
