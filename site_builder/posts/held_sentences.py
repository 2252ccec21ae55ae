"""Held sentences: `{% holds condition %}...{% otherwise %}...{% endholds %}`, compiled to plain nodes of Jinja.

The first branch has to hold at the post's own parameters.
"""

import math
from contextvars import Token
from fractions import Fraction
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

from site_builder.errors import Place, SiteError
from site_builder.posts.jinja import HELD
from site_builder.posts.result_values import COMPARED
from site_builder.values.plain_values import classify, text_of

_RELATIVE_ERROR = 1e-9  # of a float that declares nothing else
_MOST_ENTRIES = 6
_Recording = tuple[list[tuple[Any, Any]], Token[Any]]
_Sentence = tuple[int, str]  # its line, and a name that no other one has


class Holds(Extension):
    """The tags holds, otherwise and endholds."""

    tags = {"holds"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Parser) -> nodes.Node:
        """A held sentence as an if statement, each condition of which is decided by a HeldSentences."""
        line = next(parser.stream).lineno
        conditions: list[nodes.Expr] = []
        bodies: list[list[nodes.Node]] = []
        while True:
            conditions.append(parser.parse_expression())
            bodies.append(parser.parse_statements(("name:otherwise", "name:endholds")))
            is_last = next(parser.stream).value == "endholds"
            if is_last or parser.stream.current.test("block_end"):
                break
        rest = [] if is_last else parser.parse_statements(("name:endholds",), drop_needle=True)
        sentence = nodes.Const((line, parser.free_identifier().name))
        tests = [
            _call("decide", line, _call("begin", line), sentence, nodes.Const(not at), condition)
            for at, condition in enumerate(conditions)
        ]
        branches = [nodes.If(test, body, [], [], lineno=line) for test, body in zip(tests, bodies, strict=True)]
        branches[0].elif_, branches[0].else_ = branches[1:], rest
        return branches[0]


def _call(method: str, line: int, *arguments: nodes.Expr) -> nodes.Call:
    name = nodes.Getattr(nodes.Name(HELD, "load", lineno=line), method, "load", lineno=line)
    return nodes.Call(name, list(arguments), [], None, None, lineno=line)


class HeldSentences:
    """Decides the held sentences of a post.

    errors: gets the first error of each. is_free: whether first branches need not hold, as the parameters are not the
    post's own.
    """

    def __init__(self, path: str, errors: list[SiteError], is_free: bool = False) -> None:
        self._refused: set[_Sentence] = set()
        self._path, self._errors, self._is_free = path, errors, is_free
        COMPARED.set(None)  # an error in a condition of another text leaves its list

    def begin(self) -> _Recording:
        """A list to which the values are added that a condition compares, and what ends that."""
        pairs: list[tuple[Any, Any]] = []
        return pairs, COMPARED.set(pairs)

    def decide(self, recording: _Recording, sentence: _Sentence, is_first: bool, condition: Any) -> bool:
        """True when a condition holds. recording: of `begin`; that of a condition around this one goes on."""
        pairs, token = recording
        COMPARED.reset(token)
        near = [found for pair in pairs if (found := _too_near(*pair))]
        doubts = [f"{text_of(one)} and {text_of(other)} are closer than the error of a float" for one, other in near]
        if doubts:
            cure = "let the solver decide it and return the answer, or keep the value exact"
            doubt = "; ".join(dict.fromkeys(doubts))
            self._refuse(sentence, f"this held sentence cannot be decided: {doubt}", cure)
        if is_first and not condition and not self._is_free:
            compared = "; ".join(" and ".join(text_of(each, _MOST_ENTRIES) for each in pair) for pair in pairs)
            cure = "say what is true now, or put the branch that holds first"
            self._refuse(sentence, f"the condition does not hold{compared and f' for {compared}'}", cure)
        return bool(condition)

    def _refuse(self, sentence: _Sentence, message: str, cure: str) -> None:
        if sentence not in self._refused:
            self._refused.add(sentence)
            self._errors.append(SiteError(Place(self._path, sentence[0]), message, cure))


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
