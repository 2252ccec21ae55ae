"""Play against each kind of opponent as games of states and moves, for the builder to verify in every state."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from itertools import accumulate

from site_builder.contract import Grid
from site_builder.extensions.games.contract import Board, Game, Pieces, States, Turn
from solvers.notorious_coins.parameters import Rate
from solvers.notorious_coins.rules import LEFT, RIGHT, Row, greedy_end, without

State = tuple[int, int, int, int]  # first coin and last coin, counted from 1; player to move; the opponent
END = (0, 0, 0, 0)
PERFECT, GREEDY, SLIPPING = 0, 1, 3  # opponents; GREEDY + 1 looks ahead
OPPONENTS = {PERFECT: "perfect opponent", GREEDY: "greedy opponent", GREEDY + 1: "greedy, looks ahead"}
NOTES = {
    GREEDY: "This opponent takes the larger coin.",
    GREEDY + 1: "This opponent likes the larger coin, but also minds the coin that is laid open for you.",
}
ENDS = {0: ("left",), 1: ("right",), 2: ("left", "right")}
"""The best ends by their code in the result."""


def game(
    row: Row,
    p: Rate,
    q: Rate,
    best_table: Grid,
    best_ends: Grid,
    greed_table: Grid,
    greed_ends: Grid,
    erring_table: Grid,
    erring_ends: Grid,
) -> Game:
    """Play against a perfect and two greedy opponents, and against one who slips at every move with the same chance.

    The slips are left out where p is 1 or no constant, and where you slip too.
    """
    stretches, mine = len(row) * (len(row) + 1) // 2, ((len(row) + 1) // 2) ** 2  # mine: with your move
    opponents = {PERFECT: (best_table, best_ends)}
    for ahead in (0, 1):
        opponents[GREEDY + ahead] = greed_table.along(looks_ahead=ahead), greed_ends.along(looks_ahead=ahead)
    of = f"best_table[{stretches}], best_ends[{stretches}], greed_table[{2 * mine}], greed_ends[{2 * mine}]"
    if not isinstance(p, Fraction) or p == 1 or q != 1:
        return _game(row, Fraction(1), opponents, of)
    opponents[SLIPPING] = erring_table, erring_ends
    return _game(row, p, opponents, f"{of}, erring_table[{mine}], erring_ends[{mine}]")


def _states(n: int, opponent: int) -> list[State]:
    """Every stretch with the player who may find it, the long ones first."""
    return [(first, first + k - 1, (n - k) % 2, opponent) for k in range(n, 0, -1) for first in range(1, n - k + 2)]


def _after(state: State) -> dict[str, State]:
    """The states that taking the left and the right coin lead to; a single coin is the left one."""
    first, last, player, opponent = state
    if first == last:
        return {"left": END}
    ends = ("left", LEFT), ("right", RIGHT)
    return {name: (*without((first, last), end), 1 - player, opponent) for name, end in ends}


def _game(row: Row, hit: Fraction, opponents: Mapping[int, tuple[Grid, Grid]], of: str) -> Game:
    """Every stretch of the row. opponents: the values and best ends of each. hit: of an opponent who slips.

    What you expect where a perfect opponent is to move are the coins of the stretch without what the opponent collects;
    an opponent who slips is chance, and a greedy one has no choice.
    """
    n, sums = len(row), [Fraction(0), *accumulate(row)]
    states = {state: None for opponent in opponents for state in _states(n, opponent)}

    def value(state: State) -> Fraction:
        first, last, player, opponent = state
        if state == END:
            return Fraction(0)
        if player == 0:
            return opponents[opponent][0].at(first=first, last=last)  # type: ignore[no-any-return]
        if opponent == PERFECT:
            return sums[last] - sums[first - 1] - opponents[PERFECT][0].at(first=first, last=last)  # type: ignore[no-any-return]
        if opponent == SLIPPING and first < last:
            low, high = sorted(map(value, _after(state).values()))
            return hit * low + (1 - hit) * high
        return value(habit(state)[1])

    def habit(state: State) -> tuple[str, State]:
        """The move of a greedy opponent, or the only one."""
        first, last, _, opponent = state
        return list(_after(state).items())[greedy_end(row, (first, last), opponent - GREEDY)]

    def turn(state: State) -> Turn:
        first, last, player, opponent = state
        if state == END:
            return Turn(None, {}, payoff=0)
        if player == 1 and opponent == SLIPPING and first < last:
            good, bad = sorted(_after(state).values(), key=value)
            return Turn(None, {"your aunt takes a coin": ((hit, good, 0), (1 - hit, bad, 0))})
        if player == 1 and opponent != PERFECT:
            name, left = habit(state)
            return Turn(1, {name: ((1, left, 0),)})
        coins = {"left": row[first - 1], "right": row[last - 1]}
        return Turn(player, {end: ((1, left, 0 if player else coins[end]),) for end, left in _after(state).items()})

    def best(state: State) -> tuple[str, ...]:
        first, last, _, opponent = state
        return ENDS[opponents[opponent][1].at(first=first, last=last)][: 1 if first == last else 2]

    choices = {state: None for state in states if state[2] == 0 or state[3] == PERFECT}
    return Game(
        ("you", "your aunt"),
        (1, n, 0, PERFECT),
        States({**states, END: None}, turn),
        States({**states, END: None}, value),
        _board(row, opponents, 1 - hit, value),
        best=States(choices, best),
        of=of,
    )


def _board(row: Row, opponents: Collection[int], slips: Fraction, value: Callable[[State], Fraction]) -> Board:
    """The row of coins, with what is left of it. Readers may begin with fewer coins, and against each opponent.

    slips: the chance that an opponent slips. value: of a state, which tells a slip.
    """

    def facts(state: State) -> dict[str, int]:
        first, last, *_ = state
        return {"first": first, "last": last, "left": last - first + 1 if state != END else 0}

    def says(state: State) -> str:
        left = facts(state)["left"]
        return "no coin is left" if left == 0 else "1 coin is left" if left == 1 else "{left} coins are left"

    def event(before: State, name: str, now: State) -> str:
        first, last, player, opponent = before
        coin, end = (row[first - 1], "left") if now == END or now[0] > first else (row[last - 1], "right")
        is_slip = opponent == SLIPPING and value(now) > min(map(value, _after(before).values()))
        takes = f"your aunt {'slips and ' if is_slip else ''}takes" if player else "you take"
        return f"{takes} {coin}, the {end} coin"

    n = len(row)
    stretches = [(1, min(n, 12)), (max(n - 7, 1), n), (1, n)]
    yours = dict.fromkeys((first, last) for first, last in stretches if (n - last + first) % 2)
    names, known = dict(OPPONENTS), dict(NOTES)
    if SLIPPING in opponents:
        names[SLIPPING] = f"one who slips ({float(100 * slips):g}%)"
        known[SLIPPING] = (
            f"This opponent takes the worse coin in {float(100 * slips):g}% of the moves: "
            "what you can expect is an average."
        )
    starts = {
        f"{last - first + 1} coins, {name}": (first, last, 0, opponent)
        for first, last in yours
        for opponent, name in names.items()
    }
    labels, ends = [str(coin) for coin in row], {"take_first": "left", "take_last": "right"}
    coins = Pieces("The row", labels, "first", "last", **ends, alternate=True)
    return Board(
        title="Coins from the ends of a row",
        goal="Take the first or the last coin; then your aunt takes one. Who has more at the end wins.",
        facts=facts,
        says=says,
        event=event,
        worth="gain",
        pictures=(coins,),
        starts=starts,
        notes={label: known[state[-1]] for label, state in starts.items() if state[-1] in known},
    )
