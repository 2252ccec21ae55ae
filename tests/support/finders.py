"""Solvers that give a text which they find in some way."""

from tests.conftest import RUIN

HEAD, BODY = RUIN.split("    ratio = ")
FIGURES = "\n\n\ndef figures(result):\n    return {}\n\n\ndef checks" + BODY.split("\n\n\ndef checks")[1].replace(
    "(0, 1), (result.chance[0], result.chance[-1])", "1, result.chance[-1]"
)


def finding(words):
    """A solver that gives a text which it finds in some way."""
    grid = "Grid(np.zeros((1, 1)), {'a': (0,), 'b': (0,)})"
    given = f"Result((Fraction(1),), Fraction(1), 1.0, {grid}, {{'found': found}}, 1)"
    return f"{HEAD}    {words}\n    return {given}{FIGURES}"


LATE = finding("from solvers.common.late import found")
