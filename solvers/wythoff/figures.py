"""The figures: small states, losing states in a map, best moves, Grundy values, totals."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import Any

import numpy as np

from site_builder.contract import (
    Action,
    Column,
    Diagram,
    Edge,
    Frames,
    Grid,
    Heatmap,
    Line,
    Node,
    PolicyMap,
    Table,
)
from solvers.common.captions import whole
from solvers.wythoff.rules import State, legal_moves, states_after

PHI = (1 + sqrt(5)) / 2
PILES = {"a": "pennies in pile a", "b": "pennies in pile b"}
LOSING_MAP_END = 30  # the largest pile of the map of losing states
BEST_MAP_END = 50
TOTALS_SHOWN = 40
CROSSED_ENDS = 10, 7  # the largest piles of the map on which states are crossed out
GRAPH_END = 5  # the largest pile of the graph
GRAPH_LOSING = ("(0, 0)", "(1, 2)", "(3, 5)")  # from below
LOST = Action("you lose", "●")
EARLIER, LOSING, NEW = range(3)
CROSSED = (Action("crossed out before", "", "grey"), LOST, Action("crossed out now", "×", "blue"))
LOSING_SECOND = np.array([1, 0, 2, 3, 4])  # codes of best moves so ordered that losing has one colour in every map


def count(number: int, one: str) -> str:
    """A number and its noun: 1 division, 20,380 divisions."""
    return f"{whole(number)} {one}{'' if number == 1 else 's'}"


def state_text(state: State) -> str:
    """A state as text that is not broken across lines."""
    a, b = state
    return f"({a},\N{NO-BREAK SPACE}{b})"


def figure_crossing_out(losing_states: Sequence[State]) -> Frames:
    """The search for losing states: each one crosses out the states from which a move leads to it."""
    piles = {axis: range(end + 1) for axis, end in zip("ab", CROSSED_ENDS, strict=True)}
    codes, steps = np.full([*map(len, piles.values())], -1), []
    for a, b in [pair for pair in losing_states if pair[1] in piles["b"]]:
        codes[codes == NEW] = EARLIER
        for x, y in np.argwhere(codes < 0).tolist():
            if {(a, b), (b, a)} & set(states_after(x, y)):
                codes[x, y] = NEW
        codes[a, b] = codes[b, a] = LOSING
        steps.append((_lost_label(a, b), PolicyMap("", Grid(codes.copy(), piles), "a", CROSSED, "", PILES)))
    return Frames(
        "Crossing out",
        tuple(steps),
        caption="Each square is one pair of piles. A losing square crosses out those to its right, above it and on its "
        "diagonal, since one move leads from there to it. Of the squares left, the one with the fewest pennies "
        "loses next.",
        alt="Step by step losing squares are found, from no pennies on, and those that lead to them are crossed out.",
    )


def _lost_label(a: int, b: int) -> str:
    if not b:
        return "With no pennies you have lost. What leads there in one move is crossed out: you win."
    moves = f"All {len(legal_moves(a, b))} moves lead to squares that are crossed out: you lose."
    return f"The smallest piles left are {a} and {b}. {moves}"


def figure_small_states(losing_states: Sequence[State]) -> Diagram:
    """Small states and all winning moves between them; (0, n) and (n, n) stand for one state each."""
    targets = {"(0, n)": ["(0, 0)"], "(n, n)": ["(0, 0)"]}  # winning state -> the losing states that its moves leave
    for a, b in combinations(range(1, GRAPH_END + 1), 2):
        left = [(min(state), max(state)) for state in states_after(a, b)]
        if losing := [str(state) for state in left if state in losing_states]:
            targets[str((a, b))] = losing
    places = _places(targets)
    return Diagram(
        title=f"Winning moves with piles to {GRAPH_END}",
        nodes=tuple(Node(name, at, "you win" if name in targets else "you lose") for name, at in places.items()),
        edges=tuple(edge for name, losing in targets.items() for edge in _edges(name, losing)),
        kinds={"you win": "the player to move wins", "you lose": "the player to move loses"},
        caption="Winning moves: all of them lead to losing pairs. (0, n) stands for one pile, and (n, n) for equal "
        "piles; where you can take everything, only that is drawn.",
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
    shown = _part(value, LOSING_MAP_END)
    return PolicyMap(
        title="Losing pairs",
        grid=Grid(np.where(shown.values < 0, 1, 0), shown.axes),
        across="a",
        actions=(Action("you win"), Action("you lose")),
        caption=f"The losing pairs with {_ends(shown)}, each drawn both ways round, and the two lines whose slopes are "
        "the golden ratio and its reciprocal.",
        labels=PILES,
        lines=_golden_lines(shown),
    )


def _part(grid: Grid, end: int) -> Grid:
    """The part of a map with pile a to `end` and pile b to 7/10 of that, which fills a page with square cells."""
    end = min(end, len(grid.values) - 1)
    ends = end, max(7 * end // 10, 1)
    return Grid(grid.values[: ends[0] + 1, : ends[1] + 1], {"a": range(ends[0] + 1), "b": range(ends[1] + 1)})


def _ends(grid: Grid) -> str:
    a, b = (size - 1 for size in grid.values.shape)
    return f"up to {a} pennies in pile a and {b} in pile b"


def _golden_lines(grid: Grid) -> tuple[Line, Line]:
    a, b = (size - 1 for size in grid.values.shape)
    return (
        Line((0.0, 0.0), (b / PHI, b), r"$b = \varphi a$"),
        Line((0.0, 0.0), (a, a / PHI), r"$b = a / \varphi$"),
    )


def figure_best_moves(best_move: Grid) -> PolicyMap:
    """From which pile the winning move with the most pennies takes, for every state of the map."""
    shown = _part(best_move, BEST_MAP_END)
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
        caption=f"Which pile to take from, if you choose the winning move that takes most, with {_ends(shown)}.",
        labels=PILES,
    )


def figure_grundy(grundy: Grid, map_size: int) -> Heatmap:
    """Sprague-Grundy values over both piles."""
    shown = _part(grundy, map_size)
    return Heatmap(
        title="Sprague-Grundy values",
        grid=shown,
        across="a",
        value_label="size of the third pile",
        caption=f"With {_ends(shown)}. Losing pairs have 0, and the largest value is {int(shown.values.max())}.",
        labels=PILES,
        lines=_golden_lines(shown),
    )


def figure_totals(
    total_min: int, total_max: int, losing_totals: Sequence[int], losing_splits: Sequence[State], fibonacci_parts: Any
) -> Table:
    """Each total, the division that beats the player to move, and its Fibonacci parts."""
    shown = range(total_min, total_max + 1)[:TOTALS_SHOWN]
    split = dict(zip(losing_totals, map(state_text, losing_splits), strict=True))
    losing = sum(t in split for t in shown)
    return Table(
        title="Totals and their Fibonacci parts",
        columns=(
            Column("total", tuple(shown)),
            Column("Fibonacci sum", tuple(" + ".join(map(str, parts)) for parts in fibonacci_parts[: len(shown)])),
            Column("you lose from", tuple(split.get(t, "") for t in shown)),
        ),
        caption=f"{count(len(shown), 'total')} as sums of Fibonacci numbers that are not neighbours, smallest last. "
        f"{losing or 'None'} of them can be divided so that the player to move loses.",
    )
