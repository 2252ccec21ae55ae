"""Perfect play as a game of states and moves, for the builder to verify in every state; `solve` uses none of it."""

from fractions import Fraction
from itertools import accumulate

from site_builder.contract import Absolute, Exact, Game, States, Turn
from solvers.notorious_coins.parameters import Parameters
from solvers.notorious_coins.solution import Result

State = tuple[int, int, int]  # first coin and last coin, counted from 1, player to move
END = (0, 0, 0)
ENDS = {0: ("left",), 1: ("right",), 2: ("left", "right")}
"""The best ends by their code in the result."""

LARGEST_ERROR = 1e-6
"""Values in floats may differ by so much at most."""


def game(parameters: Parameters, result: Result) -> Game | None:
    """Every stretch of the row, with either player to move; None where the result keeps only some stretches.

    What you expect where the opponent is to move are the coins of the stretch without what the opponent collects.
    """
    n, coins = result.n, result.values
    table, ends = result.best_table.values, result.best_ends.values.tolist()
    error = 0.0 if table.dtype.kind == "i" else 1e-14 * float(result.total)
    if result.stride > 1 or error > LARGEST_ERROR:
        return None
    collected, sums = table.tolist(), [Fraction(0), *accumulate(coins)]

    def turn(state: State) -> Turn:
        first, last, player = state
        if state == END:
            return Turn(None, {}, payoff=0)
        after = {"left": (first + 1, last, 1 - player), "right": (first, last - 1, 1 - player)}
        coin = {"left": coins[first - 1], "right": coins[last - 1]}
        return Turn(
            player,
            {
                end: ((1, after[end] if first < last else END, coin[end] if player == 0 else 0),)
                for end in ("left", "right")
            },
        )

    def value(state: State) -> Fraction | float:
        first, last, player = state
        if state in (END, (1, n, 0)):
            return 0 if state == END else result.best
        mine: Fraction | float = collected[first - 1][last - 1]
        return mine if player == 0 else sums[last] - sums[first - 1] - mine

    stretches = [(i, j) for i in range(1, n + 1) for j in range(n, i - 1, -1)]
    rows = {(i, j, player): None for i, j in stretches for player in (0, 1)}
    states = {**rows, END: None}
    size = len(stretches)
    return Game(
        ("you", "opponent"),
        (1, n, 0),
        States(states, turn),
        States(states, value),
        best=States(rows, lambda state: ENDS[ends[state[0] - 1][state[1] - 1]]),
        of=f"best, best_table[{size}], best_ends[{size}]",
        within=Absolute(error) if error else Exact(),
    )
