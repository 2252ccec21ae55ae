"""Perfect play, and play against slips, as games of states and moves, for the builder to verify in every state."""

from fractions import Fraction
from itertools import accumulate
from typing import Any

from site_builder.contract import Absolute, Board, Exact, Game, Grid, Pieces, States, Turn
from solvers.notorious_coins.parameters import Rate, Row

State = tuple[int, int, int]  # first coin and last coin, counted from 1, player to move
END = (0, 0, 0)
ENDS = {0: ("left",), 1: ("right",), 2: ("left", "right")}
"""The best ends by their code in the result."""

LARGEST_ERROR = 1e-6
"""Values in floats may differ by so much at most."""

_MOST_STRETCHES = 5_000  # of a row whose play against slips is verified


def game(
    row: Row,
    p: Rate,
    q: Rate,
    best: Fraction,
    best_table: Grid,
    best_ends: Grid,
    erring: Any,
    erring_table: Grid,
    erring_ends: Grid,
) -> tuple[Game, ...]:
    """Perfect play, and play against an opponent who slips with the same chance at every move.

    Without the first where the result keeps only some stretches; without the second also where p is 1 or no constant,
    where you slip too, and for long rows.
    """
    n = len(row)
    if best_table.values.size < n * n:
        return ()
    games = [perfect_play(row, best, best_table, best_ends)]
    if isinstance(p, Fraction) and p < 1 and q == 1 and n * (n + 1) // 2 < _MOST_STRETCHES:
        games.append(play_with_slips(row, p, erring["expected"], erring_table, erring_ends))
    return tuple(each for each in games if each)


def after(state: State) -> dict[str, State]:
    """The states that taking the left and the right coin lead to."""
    first, last, player = state
    if first == last:
        return {"left": END, "right": END}
    return {"left": (first + 1, last, 1 - player), "right": (first, last - 1, 1 - player)}


def coins_at(row: Row, state: State) -> dict[str, Fraction]:
    """The coins at both ends."""
    return {"left": row[state[0] - 1], "right": row[state[1] - 1]}


def perfect_play(row: Row, best: Fraction, table: Grid, ends: Grid) -> Game | None:
    """Every stretch of the row, with either player to move; None where floats are too large to be right.

    What you expect where the opponent is to move are the coins of the stretch without what the opponent collects.
    """
    n, sums = len(row), [Fraction(0), *accumulate(row)]
    error = 0.0 if table.values.dtype.kind == "i" else 1e-14 * float(sums[-1])
    if error > LARGEST_ERROR:
        return None

    def turn(state: State) -> Turn:
        if state == END:
            return Turn(None, {}, payoff=0)
        gains = coins_at(row, state) if state[2] == 0 else {"left": 0, "right": 0}
        return Turn(state[2], {end: ((1, left, gains[end]),) for end, left in after(state).items()})

    def value(state: State) -> Fraction | float:
        first, last, player = state
        if state in (END, (1, n, 0)):
            return 0 if state == END else best
        mine: int | float = table.at(first=first, last=last)
        return mine if player == 0 else sums[last] - sums[first - 1] - mine

    stretches = [(i, j) for i in range(1, n + 1) for j in range(n, i - 1, -1)]
    rows = {(i, j, player): None for i, j in stretches for player in (0, 1)}
    states = {**rows, END: None}
    return Game(
        ("you", "opponent"),
        (1, n, 0),
        States(states, turn),
        States(states, value),
        board(row, "The opponent makes no mistake."),
        best=States(rows, lambda state: ENDS[ends.at(first=state[0], last=state[1])]),
        of=f"best, best_table[{len(stretches)}], best_ends[{len(stretches)}]",
        within=Absolute(error) if error else Exact(),
    )


def play_with_slips(row: Row, hit: Fraction, expected: Fraction | float, table: Grid, ends: Grid) -> Game:
    """Every stretch against an opponent who takes the better end with chance `hit`, which is chance for you."""
    n = len(row)

    def value(state: State) -> Fraction | float:
        if state == END:
            return 0
        if state == (1, n, 0):
            return expected
        if state[2] == 0:
            return float(table.at(first=state[0], last=state[1]))
        low, high = sorted(map(value, after(state).values()))
        return float(hit * low + (1 - hit) * high)

    def turn(state: State) -> Turn:
        if state == END:
            return Turn(None, {}, payoff=0)
        if state[2] == 0:
            gains = coins_at(row, state)
            return Turn(0, {end: ((1, left, gains[end]),) for end, left in after(state).items()})
        good, bad = sorted(after(state).values(), key=value)
        return Turn(None, {"the opponent takes a coin": ((hit, good, 0), (1 - hit, bad, 0))})

    lengths = range(n, 0, -1)
    rows = {(i, i + k - 1, (n - k) % 2): None for k in lengths for i in range(1, n - k + 2)}
    states = {**rows, END: None}
    choices = {state: None for state in rows if state[2] == 0}
    return Game(
        ("you",),
        (1, n, 0),
        States(states, turn),
        States(states, value),
        board(row, f"The opponent takes the better end {hit} of the time."),
        best=States(choices, lambda state: ENDS[ends.at(first=state[0], last=state[1])]),
        of=f"erring.expected, erring_table[{len(choices)}], erring_ends[{len(choices)}]",
        within=Absolute(1e-12 * float(sum(row))),
    )


def board(row: Row, opponent: str) -> Board:
    """The row of coins, with what is left of it."""

    def facts(state: State) -> dict[str, int]:
        first, last, _ = state
        return {"first": first, "last": last, "left": last - first + 1 if state != END else 0}

    def says(state: State) -> str:
        left = facts(state)["left"]
        return "no coin is left" if left == 0 else "1 coin is left" if left == 1 else "{left} coins are left"

    coins = Pieces("The row", [str(coin) for coin in row], "first", "last", take_first="left", take_last="right")
    return Board(
        title=f"A row of {len(row)} coins",
        goal=f"Take the first or the last coin, in turn with the opponent. {opponent}",
        facts=facts,
        says=says,
        worth="gain",
        pictures=(coins,),
    )
