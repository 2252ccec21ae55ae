"""Perfect play, and play against slips, as games of states and moves, for the builder to verify in every state.

`solve` uses none of it.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any

from site_builder.contract import Absolute, Board, Exact, Game, Grid, Pieces, States, Turn
from solvers.notorious_coins.parameters import Parameters
from solvers.notorious_coins.solution import Result

State = tuple[int, int, int]  # first coin and last coin, counted from 1, player to move
END = (0, 0, 0)
ENDS = {0: ("left",), 1: ("right",), 2: ("left", "right")}
"""The best ends by their code in the result."""

LARGEST_ERROR = 1e-6
"""Values in floats may differ by so much at most."""


def game(parameters: Parameters, result: Result) -> tuple[Game, ...]:
    """Perfect play, and play against an opponent who slips with the same chance at every move."""
    return tuple(each for each in (perfect_play(result), play_with_slips(result)) if each)


def perfect_play(result: Result) -> Game | None:
    """Every stretch of the row, with either player to move; None where the result keeps only some stretches.

    What you expect where the opponent is to move are the coins of the stretch without what the opponent collects.
    """
    n, coins = result.n, result.values
    error = 0.0 if result.best_table.values.dtype.kind == "i" else 1e-14 * float(result.total)
    if result.stride > 1 or error > LARGEST_ERROR:
        return None
    sums = [Fraction(0), *accumulate(coins)]
    collected, ends = of_stretch(result.best_table, n), of_stretch(result.best_ends, n)

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
        mine: int | float = collected(first, last)
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
        board(result, "The opponent makes no mistake."),
        best=States(rows, lambda state: ENDS[ends(*state[:2])]),
        of=f"best, best_table[{size}], best_ends[{size}]",
        within=Absolute(error) if error else Exact(),
    )


def play_with_slips(result: Result) -> Game | None:
    """Every stretch against an opponent who takes the better end with chance p, which is chance for you.

    None where p is 1 or no constant, where you slip too, and where the result keeps only some stretches.
    """
    slips, n = result.erring, result.n
    hit = slips.p_constant
    if hit is None or hit == 1 or slips.q_constant != 1 or result.stride > 1 or result.n_states > 5_000:
        return None
    coins, table, ends = result.values, of_stretch(slips.table, n), of_stretch(slips.ends, n)

    def mine(first: int, last: int) -> Fraction | float:
        if first > last:
            return 0
        return slips.expected if (first, last) == (1, n) else float(table(first, last))

    def value(state: State) -> Fraction | float:
        first, last, player = state
        if state == END:
            return 0
        if player == 0:
            return mine(first, last)
        left, right = mine(first + 1, last), mine(first, last - 1)
        return float(hit * min(left, right) + (1 - hit) * max(left, right))

    def turn(state: State) -> Turn:
        first, last, player = state
        if state == END:
            return Turn(None, {}, payoff=0)
        left, right = ((first + 1, last, 1 - player), (first, last - 1, 1 - player)) if first < last else (END, END)
        if player == 0:
            return Turn(0, {"left": ((1, left, coins[first - 1]),), "right": ((1, right, coins[last - 1]),)})
        good, bad = (left, right) if value(left) <= value(right) else (right, left)
        return Turn(None, {"the opponent takes a coin": ((hit, good, 0), (1 - hit, bad, 0))})

    stretches = [(i, j) for i in range(1, n + 1) for j in range(i, n + 1)]
    rows = {(i, j, player): None for i, j in stretches for player in (0, 1) if (n - (j - i + 1)) % 2 == player}
    states: dict[State, None] = dict.fromkeys(sorted(rows, key=lambda each: each[0] - each[1]))
    states[END] = None
    choices = {state: None for state in rows if state[2] == 0}
    return Game(
        ("you",),
        (1, n, 0),
        States(states, turn),
        States(states, value),
        board(result, f"The opponent takes the better end {hit} of the time."),
        best=States(choices, lambda state: ENDS[ends(*state[:2])]),
        of=f"erring.expected, erring.table[{len(choices)}], erring.ends[{len(choices)}]",
        within=Absolute(1e-12 * float(result.total)),
    )


def of_stretch(table: Grid, n: int) -> Callable[[int, int], Any]:
    """A function of the first and the last coin, which gives the entry of a table of all stretches of n coins.

    It raises LookupError where the axes of the table are others.
    """
    coins = tuple(range(1, n + 1))

    def entry(first: int, last: int) -> Any:
        if others := [name for name in ("first", "last") if table.axes[name] != coins]:
            raise LookupError(f"the axis {others[0]!r} of the table is not that of {n} coins")
        return table.at(first=first, last=last)

    return entry


def board(result: Result, opponent: str) -> Board:
    """The row of coins, with what is left of it."""

    def facts(state: State) -> dict[str, int]:
        first, last, _ = state
        return {"first": first, "last": last, "left": last - first + 1 if state != END else 0}

    def says(state: State) -> str:
        left = state[1] - state[0] + 1
        return "no coin is left" if state == END else "1 coin is left" if left == 1 else "{left} coins are left"

    row = Pieces(
        "The row", [str(coin) for coin in result.values], "first", "last", take_first="left", take_last="right"
    )
    return Board(
        title=f"A row of {result.n} coins",
        goal=f"Take the first or the last coin, in turn with the opponent. {opponent}",
        facts=facts,
        says=says,
        worth="gain",
        pictures=(row,),
    )
