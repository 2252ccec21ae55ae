"""The figures: values and best ends of all stretches, a game, winnings by error rate; captions follow the result."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import (
    Action,
    Column,
    Curve,
    Grid,
    Heatmap,
    Mark,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from solvers.notorious_coins.parameters import Rate
from solvers.notorious_coins.rules import Row

Record = Mapping[str, Any]

_POSITIONS = {"first": "first coin of the stretch", "last": "last coin of the stretch"}
_SPACE = "\N{NO-BREAK SPACE}"
_OPENING = {
    "left": "Take the left coin first.",
    "right": "Take the right coin first.",
    "either": "At the start both ends are equally good.",
    "only": "With a single coin there is nothing to choose.",
}


def _amount(value: Fraction | float) -> str:
    """A sum of coins: whole, or rounded to two decimals."""
    return f"{float(value):.2f}".removesuffix(".00")


def figure_best_table(row: Row, best: Fraction, total: Fraction, best_table: Grid) -> Heatmap:
    coins = "1 coin" if len(row) == 1 else f"{len(row)} coins"
    cell_text = "integer" if all(coin.denominator == 1 for coin in row) else "number(1)"
    return Heatmap(
        title="What every stretch of the row is worth to the player who moves",
        grid=best_table,
        across="first",
        value_label="value collected",
        caption=f"Perfect play on both sides. The whole row of {coins}, in the top left corner, brings the player who "
        f"moves first {_amount(best)} of {_amount(total)}; single coins lie on the diagonal.",
        labels=_POSITIONS,
        drawn=np.less_equal.outer(np.array(best_table.axes["first"]), np.array(best_table.axes["last"])),
        cell_text=cell_text if len(row) <= 20 else "",
    )


def figure_best_ends(best_ends: Grid, first_move: str) -> PolicyMap:
    """The ends where there is a choice; a row of one coin stays, so that there is something to draw."""
    alone = np.equal.outer(np.array(best_ends.axes["first"]), np.array(best_ends.axes["last"]))
    shown = best_ends.values if best_ends.values.size == 1 else np.where(alone, -1, best_ends.values)
    return PolicyMap(
        "Which end a perfect player takes",
        Grid(shown, best_ends.axes),
        "first",
        (Action("left coin", "L"), Action("right coin", "R"), Action("either", "=")),
        "The better end of every stretch when both play perfectly. " + _OPENING[first_move],
        labels=_POSITIONS,
    )


def _rate(name: str, rate: Rate) -> str:
    """$p = 3/4$, or p_k with its expression."""
    if isinstance(rate, tuple):
        return f"${name}_k$ from a list"
    return f"${name}_k = {rate.strip()}$" if isinstance(rate, str) else f"${name} = {rate}$"


def figure_game(perfect_game: Record) -> Table:
    moves = perfect_game["moves"]
    rounds = [moves[i : i + 2] for i in range(0, len(moves), 2)]
    return Table(
        title="A perfect game, move by move",
        columns=(
            Column("ends", tuple(_ends_of_row(pair) for pair in rounds)),
            Column("you", tuple(_taken(pair[0]) for pair in rounds)),
            Column("opponent", tuple(_taken(pair[1]) if len(pair) == 2 else "nothing" for pair in rounds)),
        ),
        caption=f"Both play perfectly; you end with {_amount(moves[-1]['my_total'])}, the opponent with "
        f"{_amount(moves[-1]['their_total'])}. L and R: the left and the right end.",
    )


def _ends_of_row(moves: Sequence[Record]) -> str:
    """The coins at both ends before a round."""
    first, last = _amount(moves[0]["first_coin"]), _amount(moves[0]["last_coin"])
    if moves[0]["end"] == "only":
        return first
    return f"{first},{_SPACE}{last}" if moves[-1]["end"] == "only" else f"{first}…{last}"


def _taken(move: Record) -> str:
    side = {"left": f"{_SPACE}L", "right": f"{_SPACE}R"}.get(move["end"], "")
    return f"{_amount(move['coin'])}{side}"


def figure_family(family: Record) -> Table:
    v = family["v"]
    whole = [i for i, each in enumerate(v) if each % 4 == 0]  # there the coins are whole numbers
    pool = whole if len(whole) > 2 else range(len(v))
    picked = sorted({pool[round(x)] for x in np.linspace(0, len(pool) - 1, 6)})
    outcome = "" if family["claim_holds"] else ", but not for every $v$"
    return Table(
        title="Four coins on which greed loses",
        columns=(
            Column("$v$", tuple(v[i] for i in picked), "fraction"),
            Column("row", tuple(", ".join(map(_amount, family["rows"][i])) for i in picked)),
            Column("greed", tuple(family["greedy"][i] for i in picked), "fraction"),
            Column("best", tuple(family["best"][i] for i in picked), "fraction"),
            Column("ratio", tuple(family["ratio"][i] for i in picked), "number(3)"),
        ),
        caption=f"Always taking the larger end collects $v$, and best play $5v/4 - 1${outcome}.",
    )


def figure_gain_by_p(erring: Record, row: Sequence[Fraction], p: Rate, q: Rate) -> Curve:
    """What beginning at the left end brings more than beginning at the right, along p.

    p is marked where it is one of the steps.
    """
    by_first = erring["by_first"]
    steps, (left, right) = by_first.axes["p"], by_first.values.astype(float)
    first, last = (_amount(coin) for coin in (row[0], row[-1]))
    ends = ("left end", "right end") if first == last else (first, last)
    yours = "you never slip" if q == 1 else f"you slip: {_rate('q', q)}"
    return Curve(
        title="The end to begin with, against an opponent who slips",
        series=(Series(f"{ends[0]} less {ends[1]}", tuple(map(float, steps)), left - right),),
        across_label="chance $p$ that the opponent takes the better end",
        up_label=f"gain of the {ends[0]} over the {ends[1]}",
        caption=f"How much better it is to begin with the {ends[0]} than with the {ends[1]}, if {yours}."
        f"{_crossing(by_first)}",
        references=(Reference(0.0, "no difference"),),
        marks=tuple(
            Mark((float(step), float(gap)), f"$p$ = {p}")
            for step, gap in zip(steps, left - right, strict=True)
            if step == p
        ),
    )


def _crossing(by_first: Grid) -> str:
    """Between which p the better coin to begin with changes, where it does so once."""
    left, right = by_first.values
    gap = np.where(np.isclose(left, right, rtol=1e-9, atol=0), 0, left - right)
    changes = np.flatnonzero(gap[1:] * gap[:-1] < 0)
    if len(changes) != 1 or not gap.all():
        return ""
    before, after = (float(by_first.axes["p"][changes[0] + step]) for step in (0, 1))
    return f" Between $p$ = {before:g} and {after:g} the better beginning changes."
