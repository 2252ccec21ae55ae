"""Chances of hitting the end that is aimed at, by the number of coins left: exact, however they are written."""

import ast
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from site_builder.contract import Rational

Rate = Rational | tuple[Rational, ...] | str

_LONGEST = 200  # characters of an expression
_EXPONENTS = 100  # exponents lie between -100 and 100
_DIGITS = 4096  # bits of a power
_OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}


def chances(rate: Rate, name: str, most: int) -> tuple[Fraction, ...]:
    """Entry k is the chance with k coins left, k = 0..most; entries 0 and 1 are 1, as nothing is left to choose.

    A constant holds for every k, a list gives the chances for k = 1, 2, ..., an expression is computed for every k.
    Raises ValueError when an expression says something else than arithmetic in k, a list is too short, or a chance
    that occurs lies outside [0, 1].
    """
    if isinstance(rate, str):
        found = _by_expression(rate, name, most)
    elif isinstance(rate, tuple):
        found = _by_list(rate, name, most)
    else:
        found = [Fraction(rate)] * (most + 1)
    for k, chance in enumerate(found[2:], start=2):
        _refuse_impossible(chance, name, k)
    return (Fraction(1), Fraction(1), *found[2:])[: most + 1]


def text_of(rate: Rate) -> str:
    """The rate in a few words for a caption: the number, the expression, or that it is a list."""
    if isinstance(rate, str):
        return rate.strip()
    return "a list" if isinstance(rate, tuple) else str(Fraction(rate))


def _by_list(rate: Sequence[Fraction], name: str, most: int) -> list[Fraction]:
    if len(rate) < most:
        raise ValueError(f"{name} is a list of {len(rate)} chances; this row needs one for each k from 1 to {most}")
    for k, chance in enumerate(rate, start=1):
        _refuse_impossible(chance, name, k)
    return [Fraction(1), *(Fraction(chance) for chance in rate)]


def _by_expression(rate: str, name: str, most: int) -> list[Fraction]:
    text = rate.strip()
    tree = _parsed(text, name)
    found = [Fraction(1), Fraction(1)]
    for k in range(2, most + 1):
        try:
            found.append(_value(tree, text, k))
        except ZeroDivisionError:
            raise ValueError(f"{name} = {text} divides by zero with k = {k} coins left") from None
        except _NotArithmeticError as error:
            raise ValueError(f"{name} = {text}: {error}") from None
    return found


def _refuse_impossible(chance: Fraction, name: str, k: int) -> None:
    if not 0 <= chance <= 1:
        shown = str(chance) if chance.denominator < 10**12 else f"about {float(chance):.6g}"
        raise ValueError(f"{name} is {shown} with k = {k} coins left; a chance lies between 0 and 1")


class _NotArithmeticError(Exception):
    """What an expression says beyond arithmetic in k."""


def _parsed(text: str, name: str) -> ast.expr:
    """The expression as a tree. The characters allowed leave no way to name anything but k."""
    if len(text) > _LONGEST:
        raise ValueError(f"{name} is an expression of {len(text)} characters; at most {_LONGEST} are allowed")
    strange = re.sub(r"[0-9k.+\-*/() ]", "", text)
    if strange or not text:
        raise ValueError(f"{name} = {text or 'nothing'} is not arithmetic in k: use + - * / **, ( ), k and numbers")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{name} = {text} cannot be read as an expression in k, such as 1 - 1/k**2") from None


def _value(node: ast.expr, text: str, k: int) -> Fraction:
    match node:
        case ast.Constant():
            return Fraction(ast.get_source_segment(text, node) or "")  # 0.1 as written, not its binary float
        case ast.Name(id="k"):
            return Fraction(k)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, text, k)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, text, k)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left, text, k), _value(right, text, k))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](_value(left, text, k), _value(right, text, k))
    raise _NotArithmeticError(f"{ast.unparse(node)} is not arithmetic with + - * / ** in k")


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > _EXPONENTS:
        raise _NotArithmeticError(f"an exponent must be a whole number from -{_EXPONENTS} to {_EXPONENTS}")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent.numerator) > _DIGITS:
        raise _NotArithmeticError("a power has too many digits")
    return base**exponent.numerator
