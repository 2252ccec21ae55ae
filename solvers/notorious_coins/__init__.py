"""A row of coins: two players take turns, each taking the first or the last coin of the row.

You move first. Each player wants the largest sum of coins.

State: the stretch of the row that is left, coins i to j. Action: take coin i or coin j. Value: the sum that you can
expect from the stretch when it is your move; v_i are the coins, and the value is 0 where no coin is left.

Perfect play, value f. Both players take the better end, so the opponent leaves you the poorer of two stretches.

    f(i, j) = max(v_i + min(f(i+2, j), f(i+1, j-1)),
                  v_j + min(f(i+1, j-1), f(i, j-2)))

Slips, value f. With k coins left the opponent takes the better end with chance p_k and you with chance q_k, else the
other end.

    L = v_i + p_(k-1) min(f(i+2, j), f(i+1, j-1)) + (1 - p_(k-1)) max(f(i+2, j), f(i+1, j-1)), R likewise
    f(i, j) = q_k max(L, R) + (1 - q_k) min(L, R)

An unknown error rate, value V. One player, the opponent or you, hits the end aimed at with an unknown constant chance,
of which you have a Beta(a, b) belief. The state also counts the hits h and misses m so far. A hit brings you a coin v
and leads to V, and a miss v' and V'; if the opponent slips, v and v' are the same.

    V(i, j, h, m) = max over both ends of x (v + V(h+1, m)) + (1 - x) (v' + V'(h, m+1)),  x = (a + h) / (a + b + h + m)

Source: a bonus problem in a final exam of CS561, Data Structures and Algorithms, at UNM, published in a post called
"Notorious Coins". The unknown error rate is an open question there; its rules are our own.

Begin with `rules` and `solution`, which has `solve`; `parameters` says what p_k and q_k mean. `play` has the first two
equations, `watching` the third, `peaks` a way to the first value without a table. `checks` and `watching_checks` have
the answers by other methods, `moves` the boards, `figures` and `picture` what readers see.
"""

from solvers.notorious_coins.checks import *
from solvers.notorious_coins.figures import *
from solvers.notorious_coins.moves import game
from solvers.notorious_coins.parameters import validate
from solvers.notorious_coins.picture import figure_colours, figure_peaks, figure_picture
from solvers.notorious_coins.solution import solve
from solvers.notorious_coins.watching_checks import *
