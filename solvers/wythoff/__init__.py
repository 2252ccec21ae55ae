"""Two piles of pennies, Wythoff's game: which totals can be divided so that the player to move loses?

State: the piles (a, b), whose order does not matter. Action: take any positive number of pennies from one pile, or the
same positive number from both; whoever takes the last penny wins. Value: +1 when the player to move wins, else -1.
Source: a FiveThirtyEight "Riddler Classic"; the writeup is dated 2020-01-24.

Write R(a, b) for the states that one move leads to. With the maximum of an empty set taken as -1, Bellman's equation is

    v(a, b) = max { -v(a', b') : (a', b') in R(a, b) }.

A total t can be divided against the player to move when v(a, t - a) = -1 for some 0 < a < t.

Begin with `rules` and `solution`, which has `solve`. `theory` finds losing states in three ways and Sprague-Grundy
values, `winning_play` the best moves. `checks` has the answers by other methods, `moves` the board, `figures` and
`picture` what readers see.
"""

from solvers.wythoff.checks import *
from solvers.wythoff.figures import *
from solvers.wythoff.moves import game
from solvers.wythoff.picture import figure_marks, figure_picture
from solvers.wythoff.solution import solve, validate
