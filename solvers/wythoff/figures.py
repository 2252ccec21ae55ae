"""Maps, diagrams and curves: divisions, small states, losing states, best moves, lengths of games, Grundy values."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import Any

import numpy as np

from site_builder.contract import (
    Action,
    Curve,
    Diagram,
    Edge,
    Frames,
    Grid,
    Heatmap,
    Line,
    Node,
    PolicyMap,
    Series,
)
from solvers.wythoff.rules import State, legal_moves, states_after
from solvers.wythoff.tables import TOTALS_SHOWN, count, state_text

PHI = (1 + sqrt(5)) / 2
PILES = {"a": "pennies in pile a", "b": "pennies in pile b"}
LOSING_MAP_END = 30  # the largest pile of the map of losing states
BEST_MAP_END = 50
LISTED = 12  # so many states at most are written out in a caption; more are counted
WORKED = (3, 5)  # the piles of the worked example
GRAPH_END = 7  # the largest pile of the graph
GRAPH_LOSING = ("(0, 0)", "(1, 2)", "(4, 7)", "(3, 5)")  # from below; in this order the arrows are the least steep
LOST = Action("you lose", "×")
LOSING_SECOND = np.array([1, 0, 2, 3, 4])  # codes of best moves so ordered that losing has one colour in every map


def figure_divisions(total_min: int, total_max: int, losing_splits: Sequence[State]) -> PolicyMap:
    """Which division of which total loses, one row for each total."""
    shown = range(total_min, total_max + 1)[:TOTALS_SHOWN]
    smaller = np.arange(1, shown[-1] // 2 + 1)
    codes = np.where(smaller[np.newaxis, :] * 2 <= np.array(shown)[:, np.newaxis], 0, -1)
    losing = [split for split in losing_splits if sum(split) in shown]
    for split in losing:
        codes[sum(split) - total_min, split[0] - 1] = 1
    which = f": {', '.join(map(state_text, losing))}." if 0 < len(losing) <= LISTED else "."
    divisions = count(int((codes >= 0).sum()), "division")
    return PolicyMap(
        title="The divisions that beat you",
        grid=Grid(codes, {"total": shown, "smaller": smaller.tolist()}),
        across="smaller",
        actions=(Action("you win"), LOST),
        caption=f"{divisions} of totals from {shown[0]} to {shown[-1]}, a square for each. "
        f"The player to move loses from {len(losing) or 'none'} of them{which}",
        labels={"total": "pennies in both piles", "smaller": "pennies in the smaller pile"},
        downward=True,
    )


def figure_worked(losing_states: Sequence[State]) -> Frames:
    """The search for losing states, step by step, until it reaches the piles of the worked example.

    Each step adds to a map of all piles up to the larger one: a losing state, or what can reach it in one move.
    """
    codes = np.full((WORKED[1] + 1, WORKED[1] + 1), -1)
    steps: list[tuple[str, PolicyMap]] = []
    for a, b in losing_states[: losing_states.index(WORKED) + 1]:
        codes[a, b] = codes[b, a] = 1
        steps.append((_lost_label(a, b), _worked_map(codes.copy())))
        for x, y in np.argwhere(codes < 0).tolist():
            if {(a, b), (b, a)} & set(states_after(x, y)):
                codes[x, y] = 0
        label = f"Now one move leaves {a} and {b}, so you win." if b else "Now one move takes everything, so you win."
        steps.append((label, _worked_map(codes.copy())))
    return Frames(
        f"Piles of {WORKED[0]} and {WORKED[1]}, from the end of the game",
        tuple(steps[:-1]),
        caption="A square for each size of the two piles. You lose if every move leaves piles with which your opponent "
        "wins; you win if one move leaves piles with which your opponent loses.",
        alt="Step by step the squares are marked as lost or won for the player to move, from no pennies at all up to "
        f"piles of {WORKED[0]} and {WORKED[1]}, which are lost.",
    )


def _worked_map(codes: np.ndarray) -> PolicyMap:
    piles = range(len(codes))
    grid = Grid(codes, {"a": piles, "b": piles})
    return PolicyMap("", grid, across="a", actions=(Action("you win", "W"), LOST), caption="", labels=PILES)


def _lost_label(a: int, b: int) -> str:
    if not b:
        return "No pennies are left. Your opponent took the last one, so you have lost."
    moves = len(legal_moves(a, b))
    return (
        f"The smallest piles without a mark are {a} and {b}. Each of their {moves} moves leaves a win for the opponent."
    )


def figure_small_states(losing_states: Sequence[State]) -> Diagram:
    """States with piles to 7 and all winning moves between them; (0, n) and (n, n) stand for one state each."""
    targets = {"(0, n)": ["(0, 0)"], "(n, n)": ["(0, 0)"]}  # winning state -> the losing states that its moves leave
    for a, b in combinations(range(1, GRAPH_END + 1), 2):
        left = [(min(state), max(state)) for state in states_after(a, b)]
        if losing := [str(state) for state in left if state in losing_states]:
            targets[str((a, b))] = losing
    places = _places(targets)
    return Diagram(
        title=f"Winning moves with piles to {GRAPH_END}",
        nodes=tuple(Node(name, at, "winning" if name in targets else "losing") for name, at in places.items()),
        edges=tuple(edge for name, losing in targets.items() for edge in _edges(name, losing)),
        kinds={"winning": "the player to move wins", "losing": "the player to move loses"},
        caption=f"States with piles to {GRAPH_END} and an arrow for each move that wins: {len(GRAPH_LOSING)} losing "
        "states, to which all of the arrows lead. (0, n) stands for every state with one pile left and (n, n) for all "
        "equal piles, drawn with the move that takes everything, though some equal piles have others too.",
    )


def _places(targets: Mapping[str, Sequence[str]]) -> dict[str, tuple[float, float]]:
    """The losing states in the middle; winning states on both sides, sorted by the losing states they lead to."""
    winning = sorted(targets, key=lambda name: (fmean(map(GRAPH_LOSING.index, targets[name])), name))
    places = {name: (4.0 * (i % 2), float(i // 2)) for i, name in enumerate(winning)}
    middle = {t: (2.0, fmean(places[name][1] for name in winning if t in targets[name])) for t in GRAPH_LOSING}
    return places | middle


def _edges(name: str, targets: Sequence[str]) -> list[Edge]:
    """An arrow to each of the losing states; two arrows to the same one are bent apart."""
    edges = []
    for i, target in enumerate(targets):
        bend = 0.12 if target in targets[i + 1 :] else -0.12 if target in targets[:i] else 0.0
        edges.append(Edge(name, target, bend=bend))
    return edges


def figure_losing_map(value: Grid) -> PolicyMap:
    """The losing states in both orders, with the two lines of golden slope beside which they lie."""
    shown = _corner(value, LOSING_MAP_END)
    end = len(shown.values) - 1
    return PolicyMap(
        title="Losing states",
        grid=Grid(np.where(shown.values < 0, 1, 0), shown.axes),
        across="a",
        actions=(Action("you win"), Action("you lose")),
        caption=f"The {int((shown.values < 0).sum())} states with piles to {end} from which the player to move loses, "
        "either order of the piles counted, and the two lines whose slopes are the golden ratio and its reciprocal.",
        labels=PILES,
        lines=_golden_lines(end),
    )


def _corner(grid: Grid, end: int) -> Grid:
    """The part of a map with piles to `end`, whose cells are large enough to be seen one by one."""
    values = grid.values[: end + 1, : end + 1]
    return Grid(values, {name: range(len(values)) for name in grid.axes})


def _golden_lines(end: float) -> tuple[Line, Line]:
    return (
        Line((0.0, 0.0), (end / PHI, end), r"$b = \varphi a$"),
        Line((0.0, 0.0), (end, end / PHI), r"$b = a / \varphi$"),
    )


def figure_best_moves(best_move: Grid, choice: Any) -> PolicyMap:
    """From which pile the winning move with the most pennies takes, for every state of the map."""
    shown = _corner(best_move, BEST_MAP_END)
    end = len(shown.values) - 1
    ties = sum(b <= end for _, b in choice["ties"])
    return PolicyMap(
        title="The best move",
        grid=Grid(LOSING_SECOND[shown.values], shown.axes),
        across="a",
        actions=(
            Action("from the smaller pile", "S"),
            Action("none: you lose", LOST.letter),
            Action("from the larger pile", "L"),
            Action("from both", "B"),
            Action("two equally good", "="),
        ),
        caption=f"Where to take pennies when as many as possible are taken, for piles to {end}. "
        f"In {count(ties, 'state')}, not counting the order of the piles, two moves take equally many.",
        labels=PILES,
    )


def figure_lengths(stubborn: Any, random: Any, losing_states: Sequence[State]) -> Curve:
    """How many moves a lost game still lasts, by the losing state that it starts from."""
    ranks = range(len(stubborn["largest_lengths"]))
    start = state_text(losing_states[ranks[-1]])
    longest, mean = stubborn["largest_lengths"][-1], float(random["largest_lengths"][-1])
    return Curve(
        title="How long a lost game lasts",
        series=(
            Series("stubborn loser", ranks, stubborn["largest_lengths"]),
            Series("random loser (mean)", ranks, random["largest_lengths"]),
        ),
        across_label="number $k$ of the losing state at the start",
        up_label="moves to the end, of both players together",
        caption="Moves to the end of the game from each losing state, the loser's first, when the winner always takes "
        f"the most pennies. From {start} a stubborn loser makes the game last {longest} moves; one who plays at "
        f"random has lost after {mean:.1f} on average.",
    )


def figure_grundy(grundy: Grid, map_size: int) -> Heatmap:
    """Sprague-Grundy values over both piles."""
    shown = _corner(grundy, map_size)
    largest = int(shown.values.max())
    return Heatmap(
        title="Sprague-Grundy values",
        grid=shown,
        across="a",
        value_label="size of the Nim pile that the state is worth",
        caption=f"Sprague-Grundy values for piles to {map_size}; the losing states have 0. The largest value is "
        f"{largest}, first met at {state_text(divmod(int(shown.values.argmax()), map_size + 1))}.",
        labels=PILES,
        lines=_golden_lines(map_size),
    )
