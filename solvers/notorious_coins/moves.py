"""Perfect play, and play against slips, as games of states and moves, for the builder to verify in every state.

`solve` uses none of it.
"""

from fractions import Fraction
from itertools import accumulate

from site_builder.contract import Absolute, Board, Exact, Game, Pieces, States, Turn
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
        board(result, "The opponent makes no mistake."),
        best=States(rows, lambda state: ENDS[ends[state[0] - 1][state[1] - 1]]),
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
    mine = {
        (i, j): slips.expected if (i, j) == (1, n) else float(cell)
        for i, row in enumerate(slips.table.values.tolist(), 1)
        for j, cell in enumerate(row, 1)
        if i <= j
    }
    coins, ends = result.values, slips.ends.values.tolist()

    def value(state: State) -> Fraction | float:
        first, last, player = state
        if state == END:
            return 0
        if player == 0:
            return mine[first, last]
        left, right = (mine.get(each, 0) for each in ((first + 1, last), (first, last - 1)))
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

    rows = {(i, j, player): None for i, j in mine for player in (0, 1) if (n - (j - i + 1)) % 2 == player}
    states: dict[State, None] = dict.fromkeys(sorted(rows, key=lambda each: each[0] - each[1]))
    states[END] = None
    choices = {state: None for state in rows if state[2] == 0}
    return Game(
        ("you",),
        (1, n, 0),
        States(states, turn),
        States(states, value),
        board(result, f"The opponent takes the better end {hit} of the time."),
        best=States(choices, lambda state: ENDS[ends[state[0] - 1][state[1] - 1]]),
        of=f"erring.expected, erring.table[{len(choices)}], erring.ends[{len(choices)}]",
        within=Absolute(1e-12 * float(result.total)),
    )


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
