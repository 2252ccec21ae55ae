"""The answer to the puzzle: `solve` puts it together."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from site_builder.contract import Field, Grid
from solvers.notorious_coins import play
from solvers.notorious_coins.parameters import ROW, Rate, hit_chances, row_of_coins
from solvers.notorious_coins.peaks import without_peaks
from solvers.notorious_coins.play import SURE, ByLength
from solvers.notorious_coins.rules import Row
from solvers.notorious_coins.watching import compare_players

Coin = Annotated[Fraction, Field(gt=0, le=10**9)]
Weight = Annotated[Fraction, Field(gt=0, le=10**6)]


def solve(
    values: Annotated[
        tuple[Coin, ...], Field(min_length=1, max_length=40, description="the coins, from the first to the last")
    ] = ROW,
    n: Annotated[
        int,
        Field(ge=0, le=40, description="0 for the row in values, else the length of a random row of coins 1 to 100"),
    ] = 0,
    seed: Annotated[int, Field(ge=0, lt=2**32, description="chance in the random row")] = 7,
    p: Annotated[
        Rate,
        Field(
            union_mode="left_to_right",
            description="chance that the opponent takes the better end with k coins left: a number, a list for"
            " k = 1, 2, ... or an expression in k such as 1 - 1/k",
        ),
    ] = Fraction(3, 4),
    q: Annotated[
        Rate,
        Field(union_mode="left_to_right", description="the same for you: a number, a list or an expression in k"),
    ] = Fraction(1),
    prior: Annotated[
        tuple[Weight, Weight],
        Field(
            description="belief about an unknown error rate: a Beta prior, as if that many hits and misses were seen"
        ),
    ] = (Fraction(1), Fraction(1)),
    family_max: Annotated[
        Fraction, Field(ge=5, le=500, description="the published family of rows is checked up to this v")
    ] = Fraction(40),
) -> dict[str, Any]:
    """The values of the row under perfect play, with slips, and with an unknown error rate.

    row: the coins. The other fields are described by the functions that compute them. learning: the opponent slips at
    an unknown rate; slipping: your hand does. watching: what a player who learns the opponent's error rate collects
    more, on average over the belief, than one who keeps to the belief's mean and never looks; a share of the total.
    """
    row = row_of_coins(values, n, seed)
    values_by_length, ends = play.best_play(np.array(row, dtype=object), SURE, SURE)
    theirs, mine = hit_chances(p, "p", len(row) - 1), hit_chances(q, "q", len(row))
    learning = compare_players(row, play.aim_of(ends), "opponent", prior)
    return {
        **_sums(row),
        **_perfect_play(row, values_by_length, ends),
        **_against_greed(row),
        **_erring(row, theirs, mine),
        "peaks": without_peaks(row),
        "family": play.published_family(family_max),
        "learning": learning,
        "slipping": compare_players(row, play.aim_of(ends), "hand", prior),
        "watching": (learning["learned"] - learning["guessed"]) / sum(row),
    }


def _sums(row: Row) -> dict[str, Any]:
    """Sums and counts that need no play.

    secure: the larger of the totals of odd and even positions, which the first player of an even row can always have.
    entries: the number of stretches.
    """
    odd, even = sum(row[::2], Fraction(0)), sum(row[1::2], Fraction(0))
    return {
        "row": row,
        "n_coins": len(row),
        "is_even": len(row) % 2 == 0,
        "total": odd + even,
        "half": (odd + even) / 2,
        "odd_coins": odd,
        "even_coins": even,
        "secure": max(odd, even),
        "entries": len(row) * (len(row) + 1) // 2,
    }


def _perfect_play(row: Row, values: ByLength, ends: ByLength) -> dict[str, Any]:
    """Play without play.

    best: what you collect, moving first; share: of the total; lead: over the opponent. first_move: the end to take
    first: left, right, either, or only (a single coin). greedy: what always taking the larger end collects against the
    best reply. best_table: what the player to move collects from the coins first..last; best_ends: 0 left, 1 right, 2
    either, -1 no row.
    """
    best, total = values[-1][0], sum(row, Fraction(0))
    return {
        "best": best,
        "opponent": total - best,
        "lead": 2 * best - total,
        "share": best / total,
        "first_move": play.name_of_end(ends),
        "greedy": play.greedy_play(row),
        "best_table": play.grid_of_stretches(values),
        "best_ends": play.grid_of_stretches(ends, nothing=-1),
        "perfect_game": play.perfect_game(row, play.aim_of(ends)),
    }


def _against_greed(row: Row) -> dict[str, Any]:
    """greed_table and greed_ends: as best_table and best_ends, against a greedy opponent who looks ahead or not."""
    tables, ends = zip(
        *(map(play.grid_of_stretches, play.play_against_greed(row, ahead), (0, -1)) for ahead in (0, 1)), strict=True
    )
    axes = {"looks_ahead": (0, 1), **tables[0].axes}
    return {
        "greed_table": Grid(np.stack([table.values for table in tables]), axes),
        "greed_ends": Grid(np.stack([end.values for end in ends]), axes),
    }


def _erring(row: Row, p: Row, q: Row) -> dict[str, Any]:
    """Play with slips, with its own table and ends.

    by_p: expected winnings when p is constant, q as it is; by_first: the same when you begin with that coin for sure.
    """
    values, ends = play.best_play(np.array(row, dtype=object), p, q)
    return {
        "erring": {
            "expected": values[-1][0],
            "first_move": play.name_of_end(ends),
            **play.winnings_by_p(row, q),
        },
        "erring_table": play.grid_of_stretches(values),
        "erring_ends": play.grid_of_stretches(ends, nothing=-1),
    }
