"""The puzzle as a game of states and moves, for the builder to verify in every state; `solve` uses none of it."""

from site_builder.contract import Board, Game, Pieces, States, Turn
from solvers.wythoff.solution import Parameters, Result

LARGEST_TOTAL = 60
"""Larger totals have too many moves to try them all."""

LARGEST_PLAYED = 30
"""Larger totals have too many moves for a page."""

Outcomes = tuple[tuple[int, tuple[int, ...], int]]


def game(parameters: Parameters, result: Result) -> Game | None:
    """The opponent picks a total, state (), and divides it, state (total,); then you and the opponent take pennies.

    State: (a, b, player to move) with a <= b. None where a total is larger than 60 or than the map of the values. Every
    total that the result answers is a state; one that the opponent may not pick has no moves, which is refused.
    """
    largest = parameters.total_max
    if largest > min(result.map_size, LARGEST_TOTAL):
        return None
    totals = range(parameters.total_min, largest + 1)

    def sure(*state: int) -> Outcomes:
        return ((1, state, 0),)

    def turn(state: tuple[int, ...]) -> Turn:
        if not state:
            return Turn(1, {f"{total} pennies": sure(total) for total in totals})
        if len(state) == 1:
            (total,) = state
            smaller = range(1, total // 2 + 1) if total in totals else ()
            return Turn(1, {f"{a} and {total - a}": sure(a, total - a, 0) for a in smaller})
        a, b, player = state
        if b == 0:  # the other player has taken the last penny
            return Turn(None, {}, payoff=-1 if player == 0 else 1)
        moves = {f"{n} from a": sure(*sorted((a - n, b)), 1 - player) for n in range(1, a + 1)}
        moves |= {f"{n} from b": sure(*sorted((a, b - n)), 1 - player) for n in range(1, b + 1)}
        moves |= {f"{n} from both": sure(a - n, b - n, 1 - player) for n in range(1, a + 1)}
        return Turn(player, moves)

    listed = {(a, b) for a, b in result.losing_states if a + b < largest}
    splits = dict(zip(result.losing_totals, result.losing_splits, strict=True))

    def value(state: tuple[int, ...]) -> int:
        if not state:
            return -1 if result.losing_totals else 1
        if len(state) == 1:
            return 1 if state[0] in result.winning_totals else -1
        a, b, player = state
        return int(result.value.at(a=a, b=b)) * (1 if player == 0 else -1)

    def best(state: tuple[int, ...]) -> list[str]:
        """The division that loses for you; every move to a losing state that the result lists."""
        if len(state) == 1:
            return ["{} and {}".format(*splits[state[0]])]
        return [name for name, ((_, after, _),) in turn(state).moves.items() if after[:2] in listed]

    piles = [(a, b) for b in range(largest + 1) for a in range(min(b, largest - b) + 1) if a or b < largest]
    answered = dict.fromkeys([*totals, *result.winning_totals, *result.losing_totals])
    states = [(), *((total,) for total in answered), *((a, b, player) for a, b in reversed(piles) for player in (0, 1))]
    chosen = [each for each in states if (len(each) == 3 and each[1]) or (len(each) == 1 and each[0] in splits)]
    return Game(
        ("you", "opponent"),
        (),
        States(dict.fromkeys(states), turn),
        States(dict.fromkeys(states), value),
        board(parameters) if largest <= LARGEST_PLAYED else None,
        best=States(dict.fromkeys(chosen), best),
        of=f"winning_totals, losing_totals, losing_splits, value[{len(piles)}], losing_states[{len(listed)}]",
    )


def board(parameters: Parameters) -> Board:
    """Two rows of pennies; the reader may choose the total."""

    def facts(state: tuple[int, ...]) -> dict[str, int]:
        if len(state) == 1:
            return {"total": state[0]}
        return dict(zip(("a", "b"), state, strict=False))

    def says(state: tuple[int, ...]) -> str:
        if len(state) < 2:
            return "the opponent divides {total} pennies" if state else "the opponent chooses the number of pennies"
        a, b, player = state
        if b == 0:
            return "the opponent has taken the last penny" if player == 0 else "you have taken the last penny"
        return "{a} and {b} pennies" if a else "one pile of {b}"

    pile = [""] * parameters.total_max
    return Board(
        title="Two piles of pennies",
        goal="Take pennies from one pile, or equally many from both. Whoever takes the last penny wins.",
        facts=facts,
        says=says,
        worth="outcome",
        outcomes={1: "you can win, whatever the opponent does", -1: "the opponent can win, whatever you do"},
        pictures=(
            Pieces("Pile a", pile, last="a", take="{n} from a"),
            Pieces("Pile b", pile, last="b", take="{n} from b"),
        ),
        starts={
            **{f"{total} pennies": (total,) for total in range(parameters.total_min, parameters.total_max + 1)},
            "as many as the opponent likes": (),
        },
    )
