"""Check: the comparison of an answer with that of a second method."""

from dataclasses import dataclass
from typing import Any

METHODS = ("closed form", "brute force", "simulation", "another algorithm", "published value", "by hand")
"""The ways to confirm an answer; `by hand` is a small case worked out on paper."""


@dataclass(frozen=True)
class Check:
    """One confirmation of an answer by a method that shares no code with the solution.

    name: what is confirmed, in a few words. method: one of METHODS. expected: the result of the second method; found:
    that of the solver; both are numbers, Fractions, strings or tuples of these. passed: whether they agree within the
    bound in `detail`. detail: the size of the case, the seed, the bound, the source.
    """

    name: str
    method: str
    expected: Any
    found: Any
    passed: bool
    detail: str = ""
