"""The rules of Wythoff's game. A state is a pair of piles (a, b), a move is (pennies taken from a, pennies from b)."""

from site_builder.contract import rules

State = tuple[int, int]
Move = tuple[int, int]


@rules
def legal_moves(a: int, b: int) -> tuple[Move, ...]:
    """All moves from (a, b): from a, from b, the same number from both; the fewest pennies first."""
    from_a = [(x, 0) for x in range(1, a + 1)]
    from_b = [(0, y) for y in range(1, b + 1)]
    return (*from_a, *from_b, *((z, z) for z in range(1, min(a, b) + 1)))


@rules
def states_after(a: int, b: int) -> list[State]:
    """The states that the legal moves from (a, b) leave, in the order of the moves."""
    return [(a - x, b - y) for x, y in legal_moves(a, b)]


@rules
def after(a: int, b: int, move: Move) -> State:
    """The piles that a move leaves.

    Raises ValueError when the move is illegal.
    """
    x, y = move
    if not (0 <= x <= a and 0 <= y <= b and x + y > 0 and (x == y or 0 in move)):
        raise ValueError(
            f"taking {x} and {y} from piles of {a} and {b} is illegal: a move takes some pennies of one pile, "
            "or the same number of both"
        )
    return a - x, b - y
