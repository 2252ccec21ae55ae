"""The figures: values and best ends of all stretches, a game, winnings by error rate; captions follow the result."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from site_builder.contract import (
    Action,
    Column,
    Curve,
    Figure,
    Frames,
    Grid,
    Heatmap,
    Mark,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from solvers.notorious_coins.learning import LearnerRound, Learning
from solvers.notorious_coins.perfect_play import LEFT, RIGHT, Move
from solvers.notorious_coins.picture import picture
from solvers.notorious_coins.solution import Result

_ACTIONS = (Action("left coin", "L"), Action("right coin", "R"), Action("either", "="))
_POSITIONS = {"first": "first coin left (position)", "last": "last coin left (position)"}
_MOST_MARKS = 40
_MOST_WORKED = 6  # coins of a row that is worked out step by step
_MOST_ROUNDS = 8  # at either end of a long game
_SPACE = "\N{NO-BREAK SPACE}"
_OPPONENT_SLIPS = "the opponent hits the end that is best under perfect play with an unknown chance"
_HAND_SLIPS = "your hand hits the end that you aim for with an unknown chance, the opponent plays perfectly"
_OPENING = {
    "left": "Take the left coin first.",
    "right": "Take the right coin first.",
    "either": "At the start both ends are equally good.",
    "only": "With a single coin there is nothing to choose.",
}


def figures(result: Result) -> dict[str, Figure]:
    """The figures by name; learning, slipping and lesson only for rows of up to 40 coins."""
    found: dict[str, Figure] = {
        "picture": picture(result),
        "best_table": _best_table(result),
        "best_ends": _best_ends(result),
        "erring_ends": _erring_ends(result),
        "game": _game(result),
        "family": _family(result),
        "winnings_by_p": _winnings_by_p(result),
        "errors_square": _errors_square(result),
    }
    if 3 <= result.n <= _MOST_WORKED:
        found["worked"] = _worked(result)
    if result.learning and result.slipping and result.learner_game:
        found["learning"] = _learning(result.learning, result, "p", "the opponent", _OPPONENT_SLIPS)
        found["slipping"] = _learning(result.slipping, result, "q", "your hand", _HAND_SLIPS)
        found["lesson"] = _learner_game(result.learner_game, result)
    return found


def _amount(value: Fraction | float) -> str:
    """A sum of coins: whole, as a small fraction, or rounded to two decimals."""
    if isinstance(value, Fraction) and value.denominator <= 16:
        return str(value)
    return f"{float(value):.2f}".removesuffix(".00")


def _best_table(result: Result) -> Heatmap:
    grid, coins = result.best_table, "1 coin" if result.n == 1 else f"{result.n} coins"
    cell_text = "integer" if all(value.denominator == 1 for value in result.values) else "number(1)"
    return Heatmap(
        title="What every stretch of the row is worth to the player who moves",
        grid=grid,
        across="first",
        value_label="value collected",
        caption=f"Perfect play on both sides. The whole row of {coins}, in the top left corner, brings the player who "
        f"moves first {_amount(result.best)} of {_amount(result.total)}; single coins lie on the diagonal."
        + _thinned(result),
        labels=_POSITIONS,
        drawn=np.less_equal.outer(np.array(grid.axes["first"]), np.array(grid.axes["last"])),
        cell_text=cell_text if result.n <= 20 else "",
    )


def _worked(result: Result) -> Frames:
    """The table of a short row, filled length by length."""
    table, n = result.best_table, result.n
    lengths = np.subtract.outer(np.arange(n), np.arange(n)).T + 1  # of the stretch from first to last
    steps = []
    for length in range(1, n + 1):
        drawn = (lengths >= 1) & (lengths <= length)
        step = Heatmap("", table, "first", "value collected", "", labels=_POSITIONS, drawn=drawn, cell_text="integer")
        steps.append((_step(result, length), step))
    return Frames(
        f"The row {', '.join(map(_amount, result.values))}, from short stretches to long ones",
        tuple(steps),
        caption="Each square is a stretch of the row, by its first and its last coin, with what the player to move "
        "collects from it.",
        alt=f"The table of all stretches is filled from single coins to the whole row, which is worth "
        f"{_amount(result.best)} to the player to move.",
    )


def _step(result: Result, length: int) -> str:
    table, values, n = result.best_table, result.values, result.n
    if length == 1:
        return "One coin is left. You take it."
    if length == n:
        after_left, after_right = (_amount(Fraction(int(table.values[at]))) for at in ((1, n - 1), (0, n - 2)))
        return (
            f"The whole row. Take the {_amount(values[0])}, and the opponent collects {after_left} of the rest; take "
            f"the {_amount(values[-1])}, and it is {after_right}."
        )
    if length == 2:
        return "Two coins are left. You take the larger one."
    return f"{length} coins are left. Take the end after which the opponent collects less of the rest."


def _thinned(result: Result) -> str:
    return "" if result.stride == 1 else f" One position in {result.stride} is shown."


def _best_ends(result: Result) -> PolicyMap:
    caption = "The better end of every stretch when both play perfectly; the whole row is in the top left corner. "
    title = "Which end a perfect player takes"
    return _map_of_ends(title, result.best_ends, caption + _OPENING[result.first_move] + _thinned(result))


def _erring_ends(result: Result) -> PolicyMap:
    erring = result.erring
    marks = _changed_marks(result.best_ends, erring.ends)
    few = len(marks) <= _MOST_MARKS
    changes = "1 stretch" if erring.changed == 1 else f"{erring.changed} stretches"
    marked = " (marked)" if erring.changed and few and result.stride == 1 else ""
    caption = (
        f"The better end of every stretch when the opponent takes the better end with chance {_rate('p', result)} and "
        f"you with chance {_rate('q', result)}. In {changes}{marked} out of {erring.decisions} it is an end that "
        "perfect play would not take."
    )
    title = "Which end to take when players slip"
    return _map_of_ends(title, erring.ends, caption + _thinned(result), marks if few else ())


def _map_of_ends(title: str, ends: Grid, caption: str, marks: tuple[Mark, ...] = ()) -> PolicyMap:
    """The ends where there is a choice; a row of one coin stays, so that there is something to draw."""
    alone = np.equal.outer(np.array(ends.axes["first"]), np.array(ends.axes["last"]))
    grid = ends if ends.values.size == 1 else Grid(np.where(alone, -1, ends.values), ends.axes)
    return PolicyMap(title, grid, "first", _ACTIONS, caption, labels=_POSITIONS, marks=marks)


def _changed_marks(perfect: Grid, erring: Grid) -> tuple[Mark, ...]:
    firsts, lasts = perfect.axes["first"], perfect.axes["last"]
    opposed = (perfect.values + erring.values == LEFT + RIGHT) & (perfect.values >= 0)
    return tuple(Mark((float(firsts[i]), float(lasts[j]))) for i, j in np.argwhere(opposed))


def _rate(name: str, result: Result) -> str:
    """$p = 3/4$, or p_k with its expression."""
    erring = result.erring
    text, constant = (erring.p, erring.p_constant) if name == "p" else (erring.q, erring.q_constant)
    if constant is not None:
        return f"${name}$ = {text}"
    return f"${name}_k$ from a list" if text == "a list" else f"${name}_k$ = {text}"


def _game(result: Result) -> Table:
    rounds = [result.game[i : i + 2] for i in range(0, len(result.game), 2)]
    shown = rounds if len(rounds) <= 2 * _MOST_ROUNDS else rounds[:_MOST_ROUNDS] + rounds[-_MOST_ROUNDS:]
    left_out = "" if shown is rounds else f" The first and the last {_MOST_ROUNDS} of {len(rounds)} rounds."
    ties = " A star: the other end would have done as well." if any(move.tie for pair in shown for move in pair) else ""
    last = result.game[-1]
    totals = (f"{_amount(pair[-1].my_total)}{_SPACE}:{_SPACE}{_amount(pair[-1].their_total)}" for pair in shown)
    replies = (_taken(pair[1].coin, pair[1].end, pair[1].tie) if len(pair) == 2 else "nothing" for pair in shown)
    return Table(
        title="A perfect game, move by move",
        columns=(
            Column("ends", tuple(_ends_of_row(pair[0]) for pair in shown)),
            Column("you", tuple(_taken(pair[0].coin, pair[0].end, pair[0].tie) for pair in shown)),
            Column("opponent", tuple(replies)),
            Column("held", tuple(totals)),
        ),
        caption=f"Both play perfectly; you end with {_amount(last.my_total)}, the opponent with "
        f"{_amount(last.their_total)}. L and R: the left and the right end. Held: yours first.{ties}{left_out}",
    )


def _ends_of_row(move: Move) -> str:
    between = f",{_SPACE}" if move.coins_left == 2 else f"{_SPACE}…{_SPACE}"
    first = _amount(move.first_coin)
    return first if move.coins_left == 1 else f"{first}{between}{_amount(move.last_coin)}"


def _taken(coin: Fraction, end: str, tie: bool = False) -> str:
    side = {"left": f"{_SPACE}L", "right": f"{_SPACE}R"}.get(end, "")
    return f"{_amount(coin)}{side}{'*' if tie else ''}"


def _family(result: Result) -> Table:
    family = result.family
    whole = [i for i, v in enumerate(family.v) if v % 4 == 0]  # there the coins are whole numbers
    pool = whole if len(whole) > 2 else range(len(family.v))
    picked = sorted({pool[round(x)] for x in np.linspace(0, len(pool) - 1, 6)})
    outcome = "holds at each" if family.claim_holds else "fails for some"
    return Table(
        title="Four coins on which greed loses",
        columns=(
            Column("$v$", tuple(family.v[i] for i in picked), "fraction"),
            Column("row", tuple(", ".join(map(_amount, family.rows[i])) for i in picked)),
            Column("greed", tuple(family.greedy[i] for i in picked), "fraction"),
            Column("best", tuple(family.best[i] for i in picked), "fraction"),
            Column("ratio", tuple(family.best[i] / family.greedy[i] for i in picked), "number(3)"),
        ),
        caption=f"Always taking the larger end collects $v$ and best play $5v/4 - 1$: the claim {outcome} of "
        f"{len(family.v)} values of $v$ from {family.v[0]} to {family.v[-1]} in steps of 1/2, in exact fractions.",
    )


def _winnings_by_p(result: Result) -> Curve:
    erring = result.erring
    series = [_series("you never slip", erring.by_p_steady)]
    if erring.q_constant != 1:
        series.append(_series(f"you slip: {_rate('q', result)}", erring.by_p))
    here = erring.p_constant
    sure, never = erring.by_p_steady.at(p=1), erring.by_p_steady.at(p=0)
    return Curve(
        title="Expected winnings against an opponent who slips",
        series=tuple(series),
        across_label="chance $p$ that the opponent takes the better end",
        up_label="expected winnings (value of coins)",
        caption=f"From {_amount(never)} when the opponent always takes the worse end to {_amount(sure)} when always "
        f"the better one, if you never slip. With {_rate('p', result)} and {_rate('q', result)} it is "
        f"{_amount(erring.expected)}, {100 * float(erring.expected) / float(result.total):.1f}% of the row.",
        references=(Reference(float(result.total / 2), "half of the row"),),
        marks=() if here is None else (Mark((float(here), float(erring.expected)), f"$p$ = {here}"),),
    )


def _series(name: str, grid: Grid, style: Literal["line", "line with dots"] = "line") -> Series:
    (across,) = grid.axes.values()
    return Series(name, tuple(map(float, across)), grid.values.astype(float), style)


def _errors_square(result: Result) -> Heatmap:
    square, erring = result.erring.square, result.erring
    share = square.values / float(result.total)
    reach = max(float(np.abs(share - 0.5).max()), 0.01)
    if erring.break_even is None:
        even = "Against a perfect opponent even perfect play collects less than half."
    elif erring.break_even == 0:
        even = "Against a perfect opponent you collect half or more however often you slip."
    else:
        even = f"Against a perfect opponent you collect half or more from $q$ = {erring.break_even:.3f} on."
    return Heatmap(
        title="Your share of the row when both may slip",
        grid=Grid(share, square.axes),
        across="p",
        value_label="your share of the row",
        caption=f"Both chances are constants; the middle of the colour scale is half of the row. {even}",
        labels={"p": "chance $p$: opponent takes the better end", "q": "chance $q$: you take the better end"},
        value_range=(0.5 - reach, 0.5 + reach),
        percent=True,
        scale="diverging",
        centre=0.5,
    )


def _learning(learning: Learning, result: Result, rate: str, slipper: str, slips: str) -> Curve:
    a, b = result.prior
    return Curve(
        title=f"Knowing, learning or ignoring how often {slipper} slips",
        series=(
            _series("knows the rate", learning.known_by_rate),
            _series("learns it", learning.learned_by_rate, "line with dots"),
            _series("assumes no slips", learning.naive_by_rate),
        ),
        across_label=f"true chance ${rate}$ of a hit",
        up_label="expected winnings (value of coins)",
        caption=f"Exact expected winnings; {slips}. The learner starts from a Beta({a}, {b}) belief; averaged over it, "
        f"learning wins {_amount(learning.mean_learned)} and assuming no slips {_amount(learning.mean_naive)}.",
    )


def _learner_game(played: Sequence[LearnerRound], result: Result) -> Table:
    seen = sum(turn.verdict != "nothing" for turn in played)
    moves = f"{seen or 'none'} of the opponent's moves {'tell' if seen > 1 else 'tells'}"
    last = played[-1]
    taken_for = "" if result.erring.p_constant is not None else ", which the learner takes for a constant chance"
    replies = ("nothing" if turn.their_coin is None else _taken(turn.their_coin, turn.their_end) for turn in played)
    return Table(
        title="The learner at work",
        columns=(
            Column("you", tuple(_taken(turn.my_coin, turn.my_end) for turn in played)),
            Column("they", tuple(replies)),
            Column("tells", tuple(turn.verdict for turn in played)),
            Column("belief", tuple(turn.belief for turn in played), "number(3)"),
        ),
        caption=f"One game drawn by chance, against an opponent who hits with {_rate('p', result)}{taken_for}. You end "
        f"with {_amount(last.my_total)}, the opponent with {_amount(last.their_total)}. Belief: the expectation of $p$ "
        f"after the round; {moves} {'something' if seen else 'anything'} about it.",
        row_heads=False,
    )
