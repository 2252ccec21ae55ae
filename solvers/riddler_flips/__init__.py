"""Two coins, one hundred flips: which coin to flip next when only the sign of the final score matters.

The rule: the score starts at 0. Before each of n flips the player, who knows the score, picks coin A or coin B. Coin c
shows heads with probability p_c and then adds v_c points to the score; tails subtract them. A final score of at least
the target wins.

State: (flips made t, score s). Action: coin A or coin B. Value: the probability of winning under the best play,

    V(n, s) = 1 if s >= target, else 0
    V(t, s) = max over c in {A, B} of  p_c V(t + 1, s + v_c) + (1 - p_c) V(t + 1, s - v_c).

Source: a FiveThirtyEight "Riddler Classic".

Files, in reading order:

    parameters   what a reader can change: flips, coins, target
    puzzle       the game by its rules; the result; `solve`, by backward induction (solvers/common/lattice.py)
    rule         the rule of thumb nearest to the best play: one coin below a threshold, the other from there on
    figures      maps of chances and coins, the last flips exactly, games of every length
    picture      the coins and the score, drawn
    checks       the answers by other methods
    moves        every state with its moves, for the builder to verify
"""

from solvers.riddler_flips.checks import checks
from solvers.riddler_flips.figures import figures
from solvers.riddler_flips.moves import game
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.puzzle import Result, solve

DATA = ()

__all__ = ["DATA", "Parameters", "Result", "checks", "figures", "game", "solve"]
