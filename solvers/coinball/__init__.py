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

Files, in reading order:

    parameters   what a reader can change: tosses, points, opponent, who calls first
    puzzle       the game by its rules; the result; `solve`, by backward induction (solvers/common/lattice.py)
    summary      the best play as a few rules: the shortest of a family that fits every state
    figures      the answers, maps of calls and chances, games of other lengths
    picture      a coin and the two calls, drawn
    checks       the answers by other methods
    moves        every state with its moves, for the builder to verify
"""

from solvers.coinball.checks import checks
from solvers.coinball.figures import figures
from solvers.coinball.moves import game
from solvers.coinball.parameters import Parameters
from solvers.coinball.puzzle import Result, solve

DATA = ()

__all__ = ["DATA", "Parameters", "Result", "checks", "figures", "game", "solve"]
