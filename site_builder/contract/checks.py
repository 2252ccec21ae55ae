"""A check: what a second method found for an answer."""

from dataclasses import dataclass
from typing import Any

METHODS = ("closed form", "brute force", "simulation", "another algorithm", "published value", "by hand")
"""The ways to confirm an answer; `by hand` is a small case that somebody worked out."""


@dataclass(frozen=True)
class Check:
    """One confirmation of an answer by a method that shares no code with the solution.

    name: what is confirmed, in a few words. method: one of METHODS. expected: what the second method says; found: what
    the solver says; both numbers, Fractions, strings or tuples of these. passed: whether they agree as closely as
    `detail` says. detail: the size of the case, the seed, the bound, the source.
    """

    name: str
    method: str
    expected: Any
    found: Any
    passed: bool
    detail: str = ""
