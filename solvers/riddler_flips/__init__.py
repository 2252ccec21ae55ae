"""Two coins, one hundred flips: which coin to flip next when only the sign of the final score matters.

The rule: the score starts at 0. Before each of n flips the player, who knows the score, picks coin A or coin B. Coin c
shows heads with probability p_c and then adds v_c points to the score; tails subtract them. A final score of at least
the target wins.

State: (flips made t, score s). Action: coin A or coin B. Value: the probability of winning under the best play,

    V(n, s) = 1 if s >= target, else 0
    V(t, s) = max over c in {A, B} of  p_c V(t + 1, s + v_c) + (1 - p_c) V(t + 1, s - v_c).

Source: a FiveThirtyEight "Riddler Classic".

Begin with `puzzle`, which has the rules and `solve`; solvers/common/lattice.py has the backward induction. `checks` has
the answers by other methods, `play` the board, `figures` and `picture` what readers see.
"""

from solvers.riddler_flips.checks import *
from solvers.riddler_flips.figures import *
from solvers.riddler_flips.picture import figure_picture, figure_point
from solvers.riddler_flips.play import game
from solvers.riddler_flips.puzzle import Result, solve, validate
