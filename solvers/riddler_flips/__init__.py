"""Two coins, one hundred flips: which coin to flip next when only the sign of the final score matters.

State: (flips made, score). Action: flip coin A or coin B. Value: the probability that the final score is at least the
target when every coin is chosen well from here on.
Source: a FiveThirtyEight "Riddler Classic"; solved by backward induction, see `solvers.common.lattice`.
"""

from solvers.riddler_flips.confirming import checks
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.picturing import figures
from solvers.riddler_flips.puzzle import Result, solve

DATA = ()

__all__ = ["DATA", "Parameters", "Result", "checks", "figures", "solve"]
