"""Coinball: rush for a little or pass for more, when every wrong call pays the opponent.

State: (tosses made, lead); the points themselves do not matter, only their difference. Action: the caller of the next
toss rushes or passes. Value: the probability that you win, a draw counting one half, under the best play.
Source: FiveThirtyEight (fivethirtyeight.com/features/how-much-is-a-perfect-game-of-jeopardy-worth/); solved by backward
induction, see `solvers.common.lattice`.
"""

from solvers.coinball.confirming import checks
from solvers.coinball.parameters import Parameters
from solvers.coinball.picturing import figures
from solvers.coinball.puzzle import Result, solve

DATA = ()

__all__ = ["DATA", "Parameters", "Result", "checks", "figures", "solve"]
