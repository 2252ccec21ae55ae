"""Two piles of pennies, Wythoff's game: which totals can be divided so that the player to move loses?

State: the piles (a, b), whose order does not matter. Action: take any positive number of pennies from one pile, or the
same positive number from both; whoever takes the last penny wins. Value: +1 when the player to move wins, else -1.
Source: a FiveThirtyEight "Riddler Classic"; the writeup is dated 2020-01-24.

Write R(a, b) for the states that one move leads to: (a - x, b), (a, b - y) and (a - z, b - z) for all whole numbers
1 <= x <= a, 1 <= y <= b and 1 <= z <= min(a, b). With the maximum of an empty set taken as -1, Bellman's equation is

    v(a, b) = max { -v(a', b') : (a', b') in R(a, b) }.

A total t can be divided against the player to move when v(a, t - a) = -1 for some 0 < a < t.

Files, in reading order:

    rule           this recursion in six lines, and the losing states by plain counting; for the checks alone
    theory         losing states by marks, the golden ratio and Fibonacci numbers; moves; Sprague-Grundy values
    winning_play   best moves, examples, and how many moves a won game lasts
    solution       the parameters, the result, and `solve`
    figures        the figures and tables of a result
    picture        two piles of pennies, drawn
    checks         totals, losing states and Sprague-Grundy values confirmed by other methods
    move_checks    best moves, choices and lengths of games confirmed by other methods
    moves          every state with its moves, for the builder to verify
"""

from solvers.wythoff.checks import checks
from solvers.wythoff.figures import figures
from solvers.wythoff.moves import game
from solvers.wythoff.solution import Parameters, Result, solve

__all__ = ["DATA", "Parameters", "Result", "checks", "figures", "game", "solve"]

DATA = ()
