"""Perfect play, and play against slips, as games of states and moves, for the builder to verify in every state."""

from fractions import Fraction
from itertools import accumulate

from site_builder.contract import Grid
from site_builder.extensions.games.contract import Board, Game, Pieces, States, Turn
from solvers.notorious_coins.parameters import Rate
from solvers.notorious_coins.rules import LEFT, RIGHT, Row, without

State = tuple[int, int, int]  # first coin and last coin, counted from 1, player to move
END = (0, 0, 0)
ENDS = {0: ("left",), 1: ("right",), 2: ("left", "right")}
"""The best ends by their code in the result."""


def game(
    row: Row,
    p: Rate,
    q: Rate,
    best_table: Grid,
    best_ends: Grid,
    erring_table: Grid,
    erring_ends: Grid,
) -> tuple[Game, ...]:
    """Perfect play, which readers can play, behind play against an opponent who slips at every move with one chance.

    Without the slips where p is 1 or no constant, and where you slip too.
    """
    n, stretches = len(row), len(row) * (len(row) + 1) // 2
    of = f"best_table[{stretches}], best_ends[{stretches}]"
    perfect = _game(row, None, best_table, best_ends, of)
    if not isinstance(p, Fraction) or p == 1 or q != 1:
        return (perfect,)
    mine = len([state for state in _states(n) if state[2] == 0])
    of = f"erring_table[{mine}], erring_ends[{mine}]"
    return _game(row, p, erring_table, erring_ends, of), perfect


def _states(n: int) -> dict[State, None]:
    """Every stretch with the player who may find it, the long ones first."""
    return {(first, first + k - 1, (n - k) % 2): None for k in range(n, 0, -1) for first in range(1, n - k + 2)}


def _after(state: State) -> dict[str, State]:
    """The states that taking the left and the right coin lead to."""
    first, last, player = state
    if first == last:
        return {"left": END, "right": END}
    return {name: (*without((first, last), end), 1 - player) for name, end in (("left", LEFT), ("right", RIGHT))}


def _game(row: Row, hit: Fraction | None, table: Grid, ends: Grid, of: str) -> Game:
    """Every stretch of the row, against an opponent who takes the better end with chance `hit`, or always for None.

    What you expect where a perfect opponent is to move are the coins of the stretch without what the opponent collects;
    an opponent who slips is chance.
    """
    n, sums, states = len(row), [Fraction(0), *accumulate(row)], _states(len(row))

    def value(state: State) -> Fraction:
        first, last, player = state
        if state == END:
            return Fraction(0)
        if player == 0:
            return table.at(first=first, last=last)  # type: ignore[no-any-return]
        if hit is None:
            return sums[last] - sums[first - 1] - table.at(first=first, last=last)  # type: ignore[no-any-return]
        low, high = sorted(map(value, _after(state).values()))
        return hit * low + (1 - hit) * high

    def turn(state: State) -> Turn:
        first, last, player = state
        if state == END:
            return Turn(None, {}, payoff=0)
        if player == 1 and hit is not None:
            good, bad = sorted(_after(state).values(), key=value)
            return Turn(None, {"the opponent takes a coin": ((hit, good, 0), (1 - hit, bad, 0))})
        coins = {"left": row[first - 1], "right": row[last - 1]}
        return Turn(player, {end: ((1, left, 0 if player else coins[end]),) for end, left in _after(state).items()})

    choices = states if hit is None else {state: None for state in states if state[2] == 0}
    return Game(
        ("you", "opponent") if hit is None else ("you",),
        (1, n, 0),
        States({**states, END: None}, turn),
        States({**states, END: None}, value),
        _board(row) if hit is None else None,
        best=States(choices, lambda state: ENDS[ends.at(first=state[0], last=state[1])]),
        of=of,
    )


def _board(row: Row) -> Board:
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
        goal="Take the first or the last coin, in turn with an opponent who makes no mistake.",
        facts=facts,
        says=says,
        worth="gain",
        pictures=(coins,),
    )
