"""What the parameters mean: the row of coins, and the chances p_k and q_k."""

import random
import re
from fractions import Fraction
from types import CodeType

from site_builder.contract import rules
from solvers.notorious_coins.rules import Row

Rate = Fraction | Row | str

ROW: Row = tuple(map(Fraction, (18, 22, 1, 3, 25, 14, 26, 7, 12, 19, 6, 4)))
_MAX_TEXT = 200  # characters of an expression
_NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")


def validate(values: Row, n: int, p: Rate, q: Rate) -> None:
    """Raise ValueError for parameters that do not go together."""
    if n and values != ROW:
        raise ValueError("give either values or n with a seed, not both: n = 0 keeps the row in values")
    length = n or len(values)
    hit_chances(p, "p", length - 1)
    hit_chances(q, "q", length)


def row_of_coins(values: Row, n: int, seed: int) -> Row:
    """The coins: as given, or `n` whole numbers from 1 to 100 drawn with the seed."""
    if not n:
        return values
    drawn = random.Random(seed)
    return tuple(Fraction(drawn.randint(1, 100)) for _ in range(n))


@rules
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
        chances = dict(enumerate(rate, start=1))
    else:
        chances = dict.fromkeys(range(2, most + 1), rate)
    for k, chance in chances.items():
        if not 0 <= chance <= 1:
            shown = str(chance) if chance.denominator < 10**12 else f"about {float(chance):.6g}"
            raise ValueError(f"{name} is {shown} with k = {k} coins left; a chance lies between 0 and 1")
    return (Fraction(1), Fraction(1), *(chances[k] for k in range(2, most + 1)))[: most + 1]


def _evaluate_for_each_k(text: str, name: str, most: int) -> dict[int, Fraction]:
    """The chances by an expression in k, whose numbers are exact: 0.1 is 1/10, not the nearest float."""
    code, chances = _compiled(text, name), {}
    for k in range(2, most + 1):
        try:
            chances[k] = eval(code, {"__builtins__": {}, "Fraction": Fraction, "k": Fraction(k)})
        except ZeroDivisionError:
            raise ValueError(f"{name} = {text} divides by zero with k = {k} coins left") from None
        except (AttributeError, NameError, TypeError):
            chances[k] = None
        if not isinstance(chances[k], Fraction):
            raise ValueError(f"{name} = {text} is not arithmetic in k, such as 1 - 1/k**2")
    return chances


def _compiled(text: str, name: str) -> CodeType:
    """The code of an expression. The allowed characters spell no name but k, so that it is safe to run."""
    if len(text) > _MAX_TEXT:
        raise ValueError(f"{name} is an expression of {len(text)} characters; at most {_MAX_TEXT} are allowed")
    if not re.fullmatch(r"[0-9k.+\-*/() ]+", text):
        raise ValueError(f"{name} = {text or 'nothing'} is not arithmetic in k: use + - * / **, ( ), k and numbers")
    if re.search(r"\*\*(?! ?-?(k|[0-9]{1,2})(?![0-9.]| *\*\*))", text):
        raise ValueError(f"{name} = {text}: an exponent must be k or a whole number of one or two digits")
    try:
        return compile(_NUMBER.sub(r"Fraction('\g<0>')", text), "expression", "eval")
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{name} = {text} cannot be read as an expression in k, such as 1 - 1/k**2") from None
