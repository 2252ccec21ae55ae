"""What is to be seen of a row: stretches, ends, a game, winnings along the error rates; captions follow the result."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from site_builder.contract import (
    Action,
    Column,
    Curve,
    Figure,
    Grid,
    Heatmap,
    Mark,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from solvers.notorious_coins.model import Learning, Result
from solvers.notorious_coins.rows import LEFT, RIGHT, Move

_ACTIONS = (Action("left coin", "L"), Action("right coin", "R"), Action("either", "="))
_POSITIONS = {"first": "first coin left (position)", "last": "last coin left (position)"}
_MOST_MARKS = 40
_SHOWN = 8  # rounds at either end of a long game
_TOLD = "the opponent hits the end that is best under perfect play with an unknown chance"
_HELD = "your hand hits the end that you aim for with an unknown chance, the opponent plays perfectly"


def figures(result: Result) -> dict[str, Figure]:
    """The figures by name; learning, slipping and lesson only for rows of up to 40 coins."""
    found: dict[str, Figure] = {
        "best_table": _best_table(result),
        "best_ends": _best_ends(result),
        "erring_ends": _erring_ends(result),
        "game": _game(result),
        "family": _family(result),
        "winnings_by_p": _winnings_by_p(result),
        "errors_square": _errors_square(result),
    }
    if result.learning and result.slipping and result.lesson:
        found["learning"] = _learning(result.learning, result, "p", _TOLD)
        found["slipping"] = _learning(result.slipping, result, "q", _HELD)
        found["lesson"] = _lesson(result)
    return found


def amount(value: Fraction | float) -> str:
    """A sum of coins in a caption: whole, as a small fraction, or rounded to two decimals."""
    if isinstance(value, Fraction) and value.denominator <= 16:
        return str(value)
    return f"{float(value):.2f}".removesuffix(".00")


def _share(part: Fraction | float, total: Fraction) -> str:
    return f"{100 * float(part) / float(total):.1f} %"


def _coins(count: int) -> str:
    return "1 coin" if count == 1 else f"{count} coins"


def _best_table(result: Result) -> Heatmap:
    grid = result.best_table
    firsts, lasts = grid.axes["first"], grid.axes["last"]
    small = result.n <= 20
    return Heatmap(
        title="What every stretch of the row is worth to the player who moves",
        grid=grid,
        across="first",
        value_label="value collected",
        caption=f"Perfect play on both sides. The whole row of {_coins(result.n)}, in the top left corner, brings the "
        f"player who moves first {amount(result.best)} of {amount(result.total)}; single coins lie on the diagonal."
        + _thinned(result),
        labels=_POSITIONS,
        drawn=np.less_equal.outer(np.array(firsts), np.array(lasts)),
        cell_text=("integer" if result.whole_coins else "number(1)") if small else "",
    )


def _thinned(result: Result) -> str:
    return "" if result.stride == 1 else f" One position in {result.stride} is shown."


def _best_ends(result: Result) -> PolicyMap:
    opening = {
        "left": "Take the left coin first.",
        "right": "Take the right coin first.",
        "either": "At the start both ends are equally good.",
        "only": "With a single coin there is nothing to choose.",
    }[result.first_move]
    return PolicyMap(
        title="Which end a perfect player takes",
        grid=_without_single_coins(result.best_ends),
        across="first",
        actions=_ACTIONS,
        caption=f"The better end of every stretch when both play perfectly; the whole row is in the top left corner. "
        f"{opening}" + _thinned(result),
        labels=_POSITIONS,
    )


def _without_single_coins(ends: Grid) -> Grid:
    """The ends where there is a choice; a row of one coin stays, so that there is something to draw."""
    alone = np.equal.outer(np.array(ends.axes["first"]), np.array(ends.axes["last"]))
    return ends if ends.values.size == 1 else Grid(np.where(alone, -1, ends.values), ends.axes)


def _erring_ends(result: Result) -> PolicyMap:
    erring = result.erring
    marks = _changed_marks(result.best_ends, erring.ends)
    few = len(marks) <= _MOST_MARKS
    changes = "1 stretch" if erring.changed == 1 else f"{erring.changed} stretches"
    ringed = " (marked)" if erring.changed and few and result.stride == 1 else ""
    return PolicyMap(
        title="Which end to take when players slip",
        grid=_without_single_coins(erring.ends),
        across="first",
        actions=_ACTIONS,
        caption=f"The better end of every stretch when the opponent takes the better end with chance "
        f"{_rate('p', result)} and you with chance {_rate('q', result)}. In {changes}{ringed} out of "
        f"{erring.decisions} it is an end that perfect play would not take." + _thinned(result),
        labels=_POSITIONS,
        marks=marks if few else (),
    )


def _changed_marks(perfect: Grid, erring: Grid) -> tuple[Mark, ...]:
    firsts, lasts = perfect.axes["first"], perfect.axes["last"]
    opposed = (perfect.values + erring.values == LEFT + RIGHT) & (perfect.values >= 0)
    return tuple(Mark((float(firsts[i]), float(lasts[j]))) for i, j in np.argwhere(opposed))


def _rate(name: str, result: Result) -> str:
    text = result.erring.p if name == "p" else result.erring.q
    constant = result.erring.p_constant if name == "p" else result.erring.q_constant
    if constant is not None:
        return f"${name}$ = {text}"
    return f"${name}_k$ from a list" if text == "a list" else f"${name}_k$ = {text}"


def _game(result: Result) -> Table:
    rounds = [result.game[i : i + 2] for i in range(0, len(result.game), 2)]
    shown = rounds if len(rounds) <= 2 * _SHOWN else rounds[:_SHOWN] + rounds[-_SHOWN:]
    left_out = "" if len(shown) == len(rounds) else f" The first and the last {_SHOWN} of {len(rounds)} rounds."
    ties = " A star: the other end would have done as well." if any(move.tie for pair in shown for move in pair) else ""
    end = result.game[-1]
    return Table(
        title="A perfect game, move by move",
        columns=(
            Column(
                "ends", tuple(_ends_text(pair[0].first_coin, pair[0].last_coin, pair[0].coins_left) for pair in shown)
            ),
            Column("you", tuple(_taken(pair[0].coin, pair[0].end, pair[0].tie) for pair in shown)),
            Column("opponent", tuple(_reply(pair) for pair in shown)),
            Column("held", tuple(_score(pair[-1].my_total, pair[-1].their_total) for pair in shown)),
        ),
        caption=f"Both play perfectly; you end with {amount(end.my_total)}, the opponent with "
        f"{amount(end.their_total)}. L and R: the left and the right end. Held: yours first.{ties}{left_out}",
    )


def _reply(moves: Sequence[Move]) -> str:
    return _taken(moves[1].coin, moves[1].end, moves[1].tie) if len(moves) == 2 else _taken(None, "none")


def _ends_text(first: Fraction, last: Fraction, left: int) -> str:
    between = ",\N{NO-BREAK SPACE}" if left == 2 else "\N{NO-BREAK SPACE}…\N{NO-BREAK SPACE}"
    return amount(first) if left == 1 else f"{amount(first)}{between}{amount(last)}"


def _taken(coin: Fraction | None, end: str, tie: bool = False) -> str:
    if coin is None:
        return "nothing"
    side = {"left": "\N{NO-BREAK SPACE}L", "right": "\N{NO-BREAK SPACE}R"}.get(end, "")
    return f"{amount(coin)}{side}{'*' if tie else ''}"


def _score(mine: Fraction, theirs: Fraction) -> str:
    return f"{amount(mine)}\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}{amount(theirs)}"


def _family(result: Result) -> Table:
    family = result.family
    whole = [i for i, v in enumerate(family.v) if v % 4 == 0]  # there the coins are whole numbers
    pool = whole if len(whole) > 2 else list(range(len(family.v)))
    picked = sorted({pool[round(x)] for x in np.linspace(0, len(pool) - 1, 6)})
    rows = [", ".join(amount(coin) for coin in family.rows[i]) for i in picked]
    outcome = "holds at each" if family.claim_holds else "fails for some"
    return Table(
        title="Four coins on which greed loses",
        columns=(
            Column("$v$", tuple(family.v[i] for i in picked), "fraction"),
            Column("row", tuple(rows)),
            Column("greed", tuple(family.greedy[i] for i in picked), "fraction"),
            Column("best", tuple(family.best[i] for i in picked), "fraction"),
            Column("ratio", tuple(family.best[i] / family.greedy[i] for i in picked), "number(3)"),
        ),
        caption=f"Always taking the larger end collects $v$ and best play $5v/4 - 1$: the claim {outcome} of "
        f"{len(family.v)} values of $v$ from {family.v[0]} to {family.v[-1]} in steps of 1/2, in exact fractions.",
    )


def _winnings_by_p(result: Result) -> Curve:
    erring = result.erring
    series = [_series("you never slip", erring.by_p_steady, "p")]
    if erring.q_constant != 1:
        series.append(_series(f"you slip: {_rate('q', result)}", erring.by_p, "p"))
    here = erring.p_constant
    marks = () if here is None else (Mark((float(here), float(erring.expected)), f"$p$ = {here}"),)
    sure, never = erring.by_p_steady.at(p=1), erring.by_p_steady.at(p=0)
    return Curve(
        title="Expected winnings against an opponent who slips",
        series=tuple(series),
        across_label="chance $p$ that the opponent takes the better end",
        up_label="expected winnings (value of coins)",
        caption=f"From {amount(never)} when the opponent always takes the worse end to {amount(sure)} when always the "
        f"better one, if you never slip. With {_rate('p', result)} and {_rate('q', result)} it is "
        f"{amount(erring.expected)}, {_share(erring.expected, result.total)} of the row.",
        references=(Reference(float(result.total / 2), "half of the row"),),
        marks=marks,
    )


def _series(name: str, grid: Grid, axis: str) -> Series:
    return Series(name, tuple(float(x) for x in grid.axes[axis]), grid.values.astype(float))


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


def _learning(learning: Learning, result: Result, name: str, who: str) -> Curve:
    a, b = result.prior
    return Curve(
        title=f"Knowing, learning or ignoring how often {'the opponent' if name == 'p' else 'your hand'} slips",
        series=(
            _series("knows the rate", learning.known_by_rate, "rate"),
            Series("learns it", *_points(learning.learned_by_rate), style="line with dots"),
            _series("assumes no slips", learning.naive_by_rate, "rate"),
        ),
        across_label=f"true chance ${name}$ of a hit",
        up_label="expected winnings (value of coins)",
        caption=f"Exact expected winnings; {who}. The learner starts from a Beta({a}, {b}) belief; averaged over it, "
        f"learning wins {amount(learning.mean_learned)} and assuming no slips {amount(learning.mean_naive)}.",
    )


def _points(grid: Grid) -> tuple[Sequence[float], np.ndarray]:
    return tuple(float(x) for x in grid.axes["rate"]), grid.values.astype(float)


def _lesson(result: Result) -> Table:
    lesson = result.lesson or ()
    told = sum(exchange.verdict != "nothing" for exchange in lesson)
    moves = f"{told or 'none'} of the opponent's moves {'tell' if told > 1 else 'tells'}"
    last = lesson[-1]
    return Table(
        title="The learner at work",
        columns=(
            Column("you", tuple(_taken(x.my_coin, x.my_end) for x in lesson)),
            Column("they", tuple(_taken(x.their_coin, x.their_end) for x in lesson)),
            Column("tells", tuple(x.verdict for x in lesson)),
            Column("belief", tuple(x.belief for x in lesson), "number(3)"),
        ),
        caption=f"One game drawn by chance, against an opponent who hits with {_rate('p', result)}. You end with "
        f"{amount(last.my_total)}, the opponent with {amount(last.their_total)}. Belief: the expectation of $p$ after "
        f"the round; {moves} {'something' if told else 'anything'} about it.",
        row_heads=False,
    )
