"""Coinball: rush for a little or pass for more, when every wrong call pays the opponent.

The rule: two players call n tosses of a fair coin in turn. Before a toss its caller decides to play for rush_points or
for pass_points. With probability 1/2 the caller wins these points, else the other player does. Most points at the end
win; a draw counts one half.

State: (tosses made t, your lead l), since only the difference of the points matters. Action: the caller of the next
toss rushes, c = rush_points, or passes, c = pass_points. Value: the probability that you win, draws counting one half,

    V(n, l) = 1, 1/2 or 0 for l > 0, l = 0, l < 0
    V(t, l) = best over c of  (V(t + 1, l + c) + V(t + 1, l - c)) / 2,

where "best" is the maximum for your calls, the minimum for those of an opponent who plays best, and the one call of an
opponent who always makes the same.

Source: FiveThirtyEight (fivethirtyeight.com/features/how-much-is-a-perfect-game-of-jeopardy-worth/).

Begin with `puzzle`, which has the rules and `solve`; solvers/common/lattice.py has the backward induction, `summary`
the best play as a few rules. `checks` has the answers by other methods, `play` the board, `figures` and `picture` what
readers see.
"""

from solvers.coinball.checks import *
from solvers.coinball.figures import *
from solvers.coinball.picture import figure_picture
from solvers.coinball.play import game
from solvers.coinball.puzzle import Result, solve, validate
