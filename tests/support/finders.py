"""Solvers that give a text which they find in some way."""

from tests.conftest import RUIN

HEAD = RUIN.partition("    ratio = ")[0]


def finding(words):
    """A solver that gives a text which it finds in some way."""
    return f'{HEAD}    {words}\n    return {{"chance": (1,), "half": 1, "names": {{"found": found}}}}\n'


LATE = finding("from solvers.common.late import found")
