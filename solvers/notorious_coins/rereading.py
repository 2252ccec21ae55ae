"""The chances p_k and q_k read once more, for the checks: from left to right, not by Python."""

import re
from collections.abc import Sequence
from fractions import Fraction

from solvers.notorious_coins.rates import Rate

_TOKENS = re.compile(r"\d+\.?\d*|\.\d+|k|\*\*|[-+*/()]")


def reread(rate: Rate, most: int) -> tuple[Fraction, ...]:
    """Entry k is the chance with k coins left, k = 0..most; 1 where nothing is left to choose.

    Takes what the parameters have accepted: a number, a list for k = 1, 2, ..., or arithmetic in k.
    """
    return (Fraction(1), Fraction(1), *(_chance(rate, k) for k in range(2, most + 1)))[: most + 1]


def _chance(rate: Rate, k: int) -> Fraction:
    if isinstance(rate, str):
        return _Reader(rate, k).total()
    return Fraction(rate[k - 1] if isinstance(rate, Sequence) else rate)


class _Reader:
    """Arithmetic in k, read from left to right."""

    def __init__(self, text: str, k: int) -> None:
        self._left = _TOKENS.findall(text)[::-1]
        self._k = Fraction(k)

    def total(self) -> Fraction:
        value = self._product()
        while sign := self._next("+", "-"):
            value = value + self._product() if sign == "+" else value - self._product()
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while sign := self._next("*", "/"):
            value = value * self._signed() if sign == "*" else value / self._signed()
        return value

    def _signed(self) -> Fraction:
        if sign := self._next("+", "-"):
            return -self._signed() if sign == "-" else self._signed()
        base = self._atom()
        return base ** int(self._signed()) if self._next("**") else base

    def _atom(self) -> Fraction:
        token = self._left.pop()
        if token == "(":
            value = self.total()
            self._left.pop()  # the bracket that closes
            return value
        return self._k if token == "k" else Fraction(token)

    def _next(self, *tokens: str) -> str:
        """The next token if it is one of these, which is then used up; else nothing."""
        return self._left.pop() if self._left and self._left[-1] in tokens else ""
