"""Figures and tables: divisions, small states by hand and as a graph, losing states, best moves, lengths of games."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean

import numpy as np

from site_builder.contract import (
    Action,
    Column,
    Curve,
    Diagram,
    Edge,
    Figure,
    Frames,
    Grid,
    Heatmap,
    Line,
    Node,
    PolicyMap,
    Series,
    Table,
)
from solvers.common.captions import whole
from solvers.wythoff.picture import picture
from solvers.wythoff.rule import Move, State
from solvers.wythoff.solution import Result
from solvers.wythoff.theory import after, legal_moves, losing_state, losing_states, winning_moves

PHI = (1 + sqrt(5)) / 2
PILES = {"a": "pennies in pile a", "b": "pennies in pile b"}
TOTALS_SHOWN = 40
LOSING_MAP_END = 30  # the largest pile of the map of losing states
BEST_MAP_END = 50
LISTED = 12  # so many states at most are written out in a caption; more are counted
ROWS = 20  # as many losing states as the source lists
HAND_STATES = ((0, 1), (0, 2), (1, 1), (0, 3), (1, 2))
WORKED = (3, 5)  # the piles of the worked example
GRAPH_END = 7  # the largest pile of the graph
GRAPH_LOSING = ("(0, 0)", "(1, 2)", "(4, 7)", "(3, 5)")  # from below; in this order the arrows are the least steep
LOST = Action("you lose", "×")
LOSING_SECOND = np.array([1, 0, 2, 3, 4])  # codes of best moves so ordered that losing has one colour in every map


def figures(result: Result) -> dict[str, Figure]:
    """All figures by name; captions are made from the result."""
    return {
        "picture": picture(result),
        "divisions": divisions(result),
        "totals": totals(result),
        "worked": worked(),
        "by_hand": by_hand(),
        "small_states": small_states(),
        "losing_map": losing_map(result),
        "golden_ratio": golden_ratio(result),
        "best_moves": best_moves_map(result),
        "examples": examples(result),
        "game": game(result),
        "lengths": lengths(result),
        "grundy": grundy(result),
    }


def count(number: int, one: str) -> str:
    """A number and its noun: 1 division, 20,380 divisions."""
    return f"{whole(number)} {one}{'' if number == 1 else 's'}"


def state_text(state: State) -> str:
    """A state as text that is not broken across lines."""
    a, b = state
    return f"({a},\N{NO-BREAK SPACE}{b})"


def state_list(states: Sequence[State]) -> str:
    """States as a list in a sentence: (8, 13), (9, 15) and (11, 18)."""
    *some, last = map(state_text, states)
    return f"{', '.join(some)} and {last}" if some else last


def move_text(move: Move) -> str:
    """A move as text that is not broken across lines: 2 from b, 8 from each."""
    x, y = move
    pile = "each" if x and y else "a" if x else "b"
    return f"{max(move)} from {pile}".replace(" ", "\N{NO-BREAK SPACE}")


def divisions(result: Result) -> PolicyMap:
    """Which division of which total loses, one row for each total."""
    last = min(result.total_max, result.total_min + TOTALS_SHOWN - 1)
    shown = range(result.total_min, last + 1)
    smaller = np.arange(1, last // 2 + 1)
    codes = np.where(smaller[np.newaxis, :] * 2 <= np.array(shown)[:, np.newaxis], 0, -1)
    losing = [split for split in result.losing_splits if sum(split) <= last]
    for split in losing:
        codes[sum(split) - result.total_min, split[0] - 1] = 1
    cut = f" The picture stops at a total of {last}." if last < result.total_max else ""
    which = f": {state_list(losing)}." if 0 < len(losing) <= LISTED else "."
    span = f"{shown[0]} to {last} pennies" if len(shown) > 1 else f"{last} pennies"
    divisions = sum(t // 2 for t in shown)
    return PolicyMap(
        title="The divisions that beat you",
        grid=Grid(codes, {"total": shown, "smaller": smaller.tolist()}),
        across="smaller",
        actions=(Action("you win"), LOST),
        caption=f"{count(divisions, 'division')} of {span}, one square{' each' if divisions > 1 else ''}. "
        f"The player to move loses from {len(losing) or 'none'} of them{which}{cut}",
        labels={"total": "pennies in both piles", "smaller": "pennies in the smaller pile"},
        downward=True,
    )


def totals(result: Result) -> Table:
    """Each total, the division that beats the player to move, and its Fibonacci parts."""
    shown = range(result.total_min, result.total_max + 1)[:TOTALS_SHOWN]
    split = dict(zip(result.losing_totals, result.losing_splits, strict=True))
    parts = [" + ".join(map(str, parts)) for parts in result.fibonacci_parts[: len(shown)]]
    losing = sum(t in split for t in shown)
    all_totals = len(result.fibonacci_parts)
    cut = all_totals > len(shown)
    which = f"The first {len(shown)} of {all_totals} totals" if cut else count(len(shown), "total")
    return Table(
        title="Totals and their Fibonacci parts",
        columns=(
            Column("total", tuple(shown)),
            Column("Fibonacci sum", tuple(parts)),
            Column("you lose from", tuple(state_text(split[t]) if t in split else "" for t in shown)),
        ),
        caption=f"{which}{', each' if len(shown) > 1 else ''} as a sum of Fibonacci numbers that are not neighbours, "
        f"the smallest last. {_beaten(losing, len(shown))}",
    )


def _beaten(losing: int, shown: int) -> str:
    if shown == 1:
        return f"It has {'a' if losing else 'no'} division that beats the player to move."
    return f"{losing or 'None'} {'has' if losing == 1 else 'have'} a division that beats the player to move."


def worked() -> Frames:
    """The search for losing states, step by step, until it reaches the piles of the worked example.

    Each step adds to a map of all piles up to the larger one: a losing state, or what can reach it in one move.
    """
    size = WORKED[1] + 1
    codes = np.full((size, size), -1)
    steps: list[tuple[str, PolicyMap]] = []

    def add(label: str) -> None:
        steps.append((label, _worked_map(codes.copy())))

    for a, b in losing_states(WORKED[1]):
        codes[a, b] = codes[b, a] = 1
        add(_lost_label((a, b)))
        if (a, b) == WORKED:
            break
        for x, y in np.argwhere(codes < 0).tolist():
            if (a, b) in {tuple(sorted(after(x, y, move))) for move in legal_moves(x, y)}:
                codes[x, y] = 0
        add(f"Now one move leaves {a} and {b}, so you win." if b else "Now one move takes everything, so you win.")
    return Frames(
        f"Piles of {WORKED[0]} and {WORKED[1]}, from the end of the game",
        tuple(steps),
        caption="A square for each size of the two piles. You lose if every move leaves piles with which your opponent "
        "wins; you win if one move leaves piles with which your opponent loses.",
        alt="Step by step the squares are marked as lost or won for the player to move, from no pennies at all up to "
        f"piles of {WORKED[0]} and {WORKED[1]}, which are lost.",
    )


def _worked_map(codes: np.ndarray) -> PolicyMap:
    piles = range(len(codes))
    return PolicyMap(
        title="",
        grid=Grid(codes, {"a": piles, "b": piles}),
        across="a",
        actions=(Action("you win", "W"), LOST),
        caption="",
        labels=PILES,
    )


def _lost_label(state: State) -> str:
    if state == (0, 0):
        return "No pennies are left. Your opponent took the last one, so you have lost."
    a, b = state
    moves = len(legal_moves(a, b))
    return (
        f"The smallest piles without a mark are {a} and {b}. Each of their {moves} moves leaves a win for the opponent."
    )


def by_hand() -> Table:
    """The smallest states: a winning move where there is one, else every move."""
    lost = [state for state in HAND_STATES if not winning_moves(*state)]
    rows = [(state, move) for state in HAND_STATES for move in winning_moves(*state)[:1] or legal_moves(*state)]
    return Table(
        title="The smallest piles, by hand",
        columns=(
            Column("you have", tuple(state_text(state) for state, _ in rows)),
            Column("you take", tuple(move_text(move) for _, move in rows)),
            Column("you leave", tuple(state_text(after(*state, move)) for state, move in rows)),
            Column("who wins", tuple("they" if state in lost else "you" for state, _ in rows)),
        ),
        caption="A winning move from each of the smallest states, and every move from "
        f"{state_list(lost)}, where none wins.",
    )


def small_states() -> Diagram:
    """States with piles to 7 and all winning moves between them; (0, n) and (n, n) stand for one state each."""
    targets = {"(0, n)": ["(0, 0)"], "(n, n)": ["(0, 0)"]}  # winning state -> the losing states that its moves leave
    for a, b in combinations(range(1, GRAPH_END + 1), 2):
        if moves := winning_moves(a, b):
            targets[str((a, b))] = [str(tuple(sorted(after(a, b, move)))) for move in moves]
    return Diagram(
        title=f"Winning moves with piles to {GRAPH_END}",
        nodes=tuple(
            Node(name, at, "winning" if name in targets else "losing") for name, at in _places(targets).items()
        ),
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


def losing_map(result: Result) -> PolicyMap:
    """The losing states in both orders, with the two lines of golden slope beside which they lie."""
    end = min(result.map_size, LOSING_MAP_END)
    shown = _corner(result.value, end)
    losing = int((shown.values < 0).sum())
    return PolicyMap(
        title="Losing states",
        grid=Grid(np.where(shown.values < 0, 1, 0), shown.axes),
        across="a",
        actions=(Action("you win"), Action("you lose")),
        caption=f"The {losing} states with piles to {end} from which the player to move loses, either order of the "
        "piles counted, and the two lines whose slopes are the golden ratio and its reciprocal.",
        labels=PILES,
        lines=_golden_lines(end),
    )


def _corner(grid: Grid, end: int) -> Grid:
    """The part of a map with piles to `end`, whose cells are large enough to be seen one by one."""
    return Grid(grid.values[: end + 1, : end + 1], {name: range(end + 1) for name in grid.axes})


def _golden_lines(end: float) -> tuple[Line, Line]:
    return (
        Line((0.0, 0.0), (end / PHI, end), r"$b = \varphi a$"),
        Line((0.0, 0.0), (end, end / PHI), r"$b = a / \varphi$"),
    )


def golden_ratio(result: Result) -> Table:
    """The first losing states from marking beside those of the golden ratio."""
    shown = result.losing_states[:ROWS]
    formula = [losing_state(k) for k in range(len(shown))]
    agrees = "They agree" if result.closed_form_agrees else "They do not agree"
    return Table(
        title="Losing states, marked and by formula",
        columns=(
            Column("k", tuple(range(len(shown)))),
            Column("marked", tuple(map(state_text, shown))),
            Column(r"$\lfloor k\varphi \rfloor$", tuple(a for a, _ in formula)),
            Column(r"$\lfloor k\varphi \rfloor + k$", tuple(b for _, b in formula)),
        ),
        caption=f"The first {len(shown)} losing states, found by marking and by the golden ratio. "
        f"{agrees} on all {result.n_closed_form} with piles to {result.max_pile}.",
    )


def best_moves_map(result: Result) -> PolicyMap:
    """From which pile the winning move with the most pennies takes, for every state of the map."""
    end = min(result.map_size, BEST_MAP_END)
    shown = _corner(result.best_move, end)
    ties = sum(b <= end for _, b in result.choice.ties)
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


def examples(result: Result) -> Table:
    """Best moves from the states that were published as examples."""
    moves = [[example.taken, *example.others] for example in result.examples]
    tied = [(example.a, example.b) for example in result.examples if example.others]
    more = f" From {state_list(tied)} two moves take equally many." if tied else ""
    return Table(
        title="Best moves",
        columns=(
            Column("piles", tuple(state_text((example.a, example.b)) for example in result.examples)),
            Column("take", tuple(" or ".join(map(move_text, options)) for options in moves)),
            Column("which leaves", tuple(state_text(_in_order(example.left)) for example in result.examples)),
        ),
        caption=f"The winning move that takes the most pennies from {count(len(moves), 'state')}, and what it leaves, "
        f"the smaller pile first.{more}",
    )


def _in_order(state: State) -> State:
    return min(state), max(state)


def game(result: Result) -> Table:
    """A game played to its end."""
    turns = result.example_game
    return Table(
        title="A game",
        columns=(
            Column("piles", tuple(state_text(turn.before) for turn in turns)),
            Column("to move", tuple("you" if turn.player == "you" else "they" for turn in turns)),
            Column("takes", tuple(move_text(turn.taken) for turn in turns)),
            Column("leaves", tuple(state_text(turn.left) for turn in turns)),
        ),
        caption=f"A game from {state_text(turns[0].before)} in {count(len(turns), 'move')}: you take as many as a "
        "winning move can, the opponent takes one penny from the larger pile.",
        row_heads=False,
    )


def lengths(result: Result) -> Curve:
    """How many moves a lost game still lasts, by the losing state that it starts from."""
    ranks = range(len(result.stubborn.largest_lengths))
    slowest, by_chance = result.stubborn.largest_lengths[-1], result.random.largest_lengths[-1]
    last = [state for state in result.losing_states if state[1] <= result.map_size][-1]
    return Curve(
        title="How long a lost game lasts",
        series=(
            Series("stubborn loser", ranks, result.stubborn.largest_lengths),
            Series("random loser (mean)", ranks, result.random.largest_lengths),
        ),
        across_label="number $k$ of the losing state at the start",
        up_label="moves to the end, of both players together",
        caption="Moves to the end of the game from each losing state, the loser's first, when the winner always takes "
        f"the most pennies. From {state_text(last)} a stubborn loser makes the game last {slowest} moves; one who "
        f"plays at random has lost after {float(by_chance):.1f} on average.",
    )


def grundy(result: Result) -> Heatmap:
    """Sprague-Grundy values over both piles."""
    end, last = result.map_size, len(result.grundy.values) - 1
    of = f" with piles to {last}" if last > end else ""
    return Heatmap(
        title="Sprague-Grundy values",
        grid=_corner(result.grundy, end),
        across="a",
        value_label="size of the Nim pile that the state is worth",
        caption=f"Sprague-Grundy values for piles to {end}; the losing states have 0. The largest value{of} is "
        f"{result.grundy_largest}, first met at {state_text(result.grundy_largest_at)}.",
        labels=PILES,
        lines=_golden_lines(end),
    )
