"""Two piles of pennies, Wythoff's game: which totals can be divided so that the player to move loses?

State: the piles (a, b), whose order does not matter. Action: take any positive number of pennies from one pile, or the
same positive number from both; whoever takes the last penny wins. Value: +1 when the player to move wins, else -1.
Source: a FiveThirtyEight "Riddler Classic"; the writeup is dated 2020-01-24.
"""

from solvers.wythoff.checks import checks
from solvers.wythoff.figures import figures
from solvers.wythoff.solution import Parameters, Result, solve

__all__ = ["DATA", "Parameters", "Result", "checks", "figures", "solve"]

DATA = ()
