"""The parameters of the puzzle, and the chances p_k and q_k that they describe."""

import ast
import random
import re
from collections.abc import Callable
from fractions import Fraction
from math import lcm
from operator import add, mul, sub, truediv
from typing import Annotated

from site_builder.contract import Field, Rational, parameters

Operator = Callable[[Fraction, Fraction], Fraction]
Rate = Rational | tuple[Rational, ...] | str
Coin = Annotated[Rational, Field(gt=0, le=10**9)]
Weight = Annotated[Rational, Field(gt=0, le=10**6)]

ROW = tuple(Rational(value) for value in (18, 22, 1, 3, 25, 14, 26, 7, 12, 19, 6, 4))
_MAX_DENOMINATOR = 10**9  # of all coins together
_MAX_TEXT = 200  # characters of an expression
_MAX_EXPONENT = 100
_MAX_BITS = 4096  # of a power
_OPERATORS: dict[type[ast.operator], Operator] = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}


@parameters
class Parameters:
    """The row, the slips of both players, and the belief about an unknown error rate."""

    values: Annotated[
        tuple[Coin, ...], Field(min_length=1, max_length=2000, description="the coins, from the first to the last")
    ] = ROW
    n: Annotated[
        int,
        Field(ge=0, le=2000, description="0 for the row in values, else the length of a random row of coins 1 to 100"),
    ] = 0
    seed: Annotated[
        int, Field(ge=0, lt=2**32, description="chance in the random row and in the game of the learner")
    ] = 7
    p: Annotated[
        Rate,
        Field(
            union_mode="left_to_right",
            description="chance that the opponent takes the better end with k coins left: a number, a list for"
            " k = 1, 2, ... or an expression in k such as 1 - 1/k",
        ),
    ] = Rational(3, 4)
    q: Annotated[
        Rate,
        Field(union_mode="left_to_right", description="the same for you: a number, a list or an expression in k"),
    ] = Rational(1)
    prior: Annotated[
        tuple[Weight, Weight],
        Field(
            description="belief about an unknown error rate: a Beta prior, as if that many hits and misses were seen"
        ),
    ] = (Rational(1), Rational(1))
    family_max: Annotated[
        Rational, Field(ge=5, le=500, description="the published family of rows is checked up to this v")
    ] = Rational(40)

    def __post_init__(self) -> None:
        if self.n and self.values != ROW:
            raise ValueError("give either values or n with a seed, not both: n = 0 keeps the row in values")
        if lcm(*(value.denominator for value in self.values)) > _MAX_DENOMINATOR:
            raise ValueError(
                f"the coins have a common denominator above {_MAX_DENOMINATOR}; write them with fewer digits"
            )
        length = self.n or len(self.values)
        hit_chances(self.p, "p", length - 1)
        hit_chances(self.q, "q", length)


def row_of_coins(parameters: Parameters) -> tuple[Fraction, ...]:
    """The coins: as given, or `n` whole numbers from 1 to 100 drawn with the seed."""
    if not parameters.n:
        return tuple(Fraction(value) for value in parameters.values)
    drawn = random.Random(parameters.seed)
    return tuple(Fraction(drawn.randint(1, 100)) for _ in range(parameters.n))


def hit_chances(rate: Rate, name: str, most: int) -> tuple[Fraction, ...]:
    """Entry k is the chance of the better end with k coins left, k = 0..most; 1 for k < 2, where both ends are one.

    A number holds for every k, a list gives the chances for k = 1, 2, ..., an expression is evaluated for every k.

    Raises:
        ValueError: an expression is not arithmetic in k, a list is too short, or a chance lies outside [0, 1].
    """
    if isinstance(rate, str):
        chances = _evaluate_for_each_k(rate.strip(), name, most)
    elif isinstance(rate, tuple):
        if len(rate) < most:
            raise ValueError(f"{name} is a list of {len(rate)} chances; this row needs one for each k from 1 to {most}")
        chances = {k: Fraction(chance) for k, chance in enumerate(rate, start=1)}
    else:
        chances = dict.fromkeys(range(2, most + 1), Fraction(rate))
    for k, chance in chances.items():
        if not 0 <= chance <= 1:
            shown = str(chance) if chance.denominator < 10**12 else f"about {float(chance):.6g}"
            raise ValueError(f"{name} is {shown} with k = {k} coins left; a chance lies between 0 and 1")
    return (Fraction(1), Fraction(1), *(chances[k] for k in range(2, most + 1)))[: most + 1]


def constant(rate: Rate) -> Fraction | None:
    """The rate if it is one number, else None."""
    return None if isinstance(rate, (str, tuple)) else Fraction(rate)


def _evaluate_for_each_k(text: str, name: str, most: int) -> dict[int, Fraction]:
    tree = _parse(text, name)
    chances = {}
    for k in range(2, most + 1):
        try:
            chances[k] = _evaluate(tree, text, k)
        except ZeroDivisionError:
            raise ValueError(f"{name} = {text} divides by zero with k = {k} coins left") from None
        except ValueError as error:
            raise ValueError(f"{name} = {text}: {error}") from None
    return chances


def _parse(text: str, name: str) -> ast.expr:
    """The syntax tree of the expression. The allowed characters spell no name but k."""
    if len(text) > _MAX_TEXT:
        raise ValueError(f"{name} is an expression of {len(text)} characters; at most {_MAX_TEXT} are allowed")
    if not re.fullmatch(r"[0-9k.+\-*/() ]+", text):
        raise ValueError(f"{name} = {text or 'nothing'} is not arithmetic in k: use + - * / **, ( ), k and numbers")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{name} = {text} cannot be read as an expression in k, such as 1 - 1/k**2") from None


def _evaluate(node: ast.expr, text: str, k: int) -> Fraction:
    match node:
        case ast.Constant():
            return Fraction(ast.get_source_segment(text, node) or "")  # 0.1 is exactly 1/10, not the nearest float
        case ast.Name(id="k"):
            return Fraction(k)
        case ast.UnaryOp(op=sign, operand=operand):
            return _evaluate(operand, text, k) * (-1 if isinstance(sign, ast.USub) else 1)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_evaluate(left, text, k), _evaluate(right, text, k))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_evaluate(left, text, k), _evaluate(right, text, k))
    raise ValueError(f"{ast.unparse(node)} is not arithmetic with + - * / ** in k")


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > _MAX_EXPONENT:
        raise ValueError(f"an exponent must be a whole number from -{_MAX_EXPONENT} to {_MAX_EXPONENT}")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent.numerator) > _MAX_BITS:
        raise ValueError("a power has too many digits")
    return base**exponent.numerator
