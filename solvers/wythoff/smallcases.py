"""The game while it is small enough for pencil and paper: a table of moves and a graph of states."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise, permutations

from site_builder.contract import Column, Diagram, Edge, Node, Table
from solvers.wythoff.game import Move, State, after, legal_moves, losing_state, winning_moves

LARGEST_PILE = 7
HAND_STATES = ((0, 1), (0, 2), (1, 1), (0, 3), (1, 2))
GENERIC = ("(0, n)", "(n, n)")
END = "(0, 0)"


def move_in_words(move: Move) -> str:
    """A move as a reader would say it, on one line: `2 from b`, `8 from each`."""
    x, y = move
    pile = "each" if x and y else "a" if x else "b"
    return f"{max(move)} from {pile}".replace(" ", "\N{NO-BREAK SPACE}")


def state_in_words(state: State) -> str:
    """A state as text that no line end tears apart."""
    a, b = state
    return f"({a},\N{NO-BREAK SPACE}{b})"


def by_hand() -> Table:
    """The smallest states: a winning move where there is one, else every move and whom it helps."""
    rows = [row for state in HAND_STATES for row in _rows(state)]
    lost = [state_in_words(state) for state in HAND_STATES if not winning_moves(*state)]
    return Table(
        title="The smallest piles, by hand",
        columns=tuple(
            Column(label, cells)
            for label, cells in zip(
                ("you have", "you take", "you leave", "who wins"), zip(*rows, strict=True), strict=True
            )
        ),
        caption=f"A winning move from each of the smallest states, and every move from {' and '.join(lost)}, "
        "where none wins.",
    )


def _rows(state: State) -> list[tuple[str, str, str, str]]:
    winning = winning_moves(*state)
    shown, winner = (winning[:1], "you") if winning else (legal_moves(*state), "they")
    return [(state_in_words(state), move_in_words(move), state_in_words(after(*state, move)), winner) for move in shown]


def small_states() -> Diagram:
    """States with piles to 7 and all winning moves between them; (0, n) and (n, n) stand for one state each."""
    targets = _targets()
    losing = [str(losing_state(k)) for k in range(LARGEST_PILE) if losing_state(k)[1] <= LARGEST_PILE]
    places = min((_places(order, targets) for order in permutations(losing)), key=lambda p: _untidiness(p, targets))
    return Diagram(
        title=f"Winning moves with piles to {LARGEST_PILE}",
        nodes=tuple(Node(name, at, "winning" if name in targets else "losing") for name, at in places.items()),
        edges=tuple(edge for name in targets for edge in _edges(name, targets[name])),
        kinds={"winning": "the player to move wins", "losing": "the player to move loses"},
        caption=f"States with piles to {LARGEST_PILE} and an arrow for each move that wins: {len(losing)} losing "
        "states, to which all of the arrows lead. (0, n) stands for every state with one pile left and (n, n) for all "
        "equal piles, drawn with the move that takes everything, though some equal piles have others too.",
    )


def _places(order: Sequence[str], targets: Mapping[str, Sequence[str]]) -> dict[str, tuple[float, float]]:
    """Winning states on both sides, sorted by the losing states that they lead to, and those between them."""
    winning = sorted(targets, key=lambda name: (_mean([order.index(t) for t in targets[name]]), name))
    places = {name: (4.0 * (i % 2), float(i // 2)) for i, name in enumerate(winning)}
    heights = [_mean([places[name][1] for name in winning if t in targets[name]]) for t in order]
    return places | {t: (2.0, height) for t, height in zip(order, heights, strict=True)}


def _untidiness(places: Mapping[str, tuple[float, float]], targets: Mapping[str, Sequence[str]]) -> float:
    """How steep the arrows are, and how far the losing states are from standing one apart."""
    slants = sum((places[name][1] - places[t][1]) ** 2 for name in targets for t in targets[name])
    middle = sorted(up for across, up in places.values() if across == 2)
    return slants + sum(1000 for below, above in pairwise(middle) if above - below < 1)


def _targets() -> dict[str, list[str]]:
    """Each winning state, by name, and the losing state that each of its winning moves leaves."""
    targets = {name: [END] for name in GENERIC}
    for a, b in combinations(range(1, LARGEST_PILE + 1), 2):
        left = [after(a, b, move) for move in winning_moves(a, b)]
        if left:
            targets[str((a, b))] = [str((min(state), max(state))) for state in left]
    return targets


def _edges(name: str, targets: list[str]) -> list[Edge]:
    bends: dict[str, list[float]] = defaultdict(list)
    for target in targets:
        bends[target].append(0.12 * (1 - 2 * len(bends[target])) if targets.count(target) > 1 else 0.0)
    return [Edge(name, target, bend=bend) for target, each in bends.items() for bend in each]


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
