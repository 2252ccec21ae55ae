"""The answer to the puzzle: `solve` puts it together."""

from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from site_builder.contract import Field
from solvers.notorious_coins import perfect_play, slips
from solvers.notorious_coins.learning import compare_players, game_of_learner, learn, rounds_of
from solvers.notorious_coins.parameters import ROW, Rate, hit_chances, row_of_coins
from solvers.notorious_coins.perfect_play import ByLength
from solvers.notorious_coins.rules import LEFT, RIGHT, Row

Coin = Annotated[Fraction, Field(gt=0, le=10**9)]
Weight = Annotated[Fraction, Field(gt=0, le=10**6)]

_LONGEST_LEARNED = 40  # coins of a row; for longer ones nothing is learned


def solve(
    values: Annotated[
        tuple[Coin, ...], Field(min_length=1, max_length=2000, description="the coins, from the first to the last")
    ] = ROW,
    n: Annotated[
        int,
        Field(ge=0, le=2000, description="0 for the row in values, else the length of a random row of coins 1 to 100"),
    ] = 0,
    seed: Annotated[
        int, Field(ge=0, lt=2**32, description="chance in the random row and in the game of the learner")
    ] = 7,
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

    row: the coins. best: what you collect when both play perfectly, moving first; share: of the total; lead: over the
    opponent. first_move: the end to take first: left, right, either, or only (a single coin). greedy: what always
    taking the larger end collects against the best reply. secure: the larger of the totals of odd and even positions,
    which the first player of an even row can always have. best_table: what the player to move collects from the coins
    first..last; best_ends: 0 left, 1 right, 2 either, -1 no row. entries: the number of stretches. n_states: these and
    the end, where no coin is left. erring: play with slips, with its own table and ends. learning (of p) and slipping
    (of q): as in learning.py; they, watching and learner_game are None for rows above 40 coins. watching: what the
    learner of p collects more, on average over the belief, than one who keeps to the belief's mean and never looks; a
    share of the total.
    """
    row = row_of_coins(values, n, seed)
    length, total = len(row), sum(row, Fraction(0))
    coins, scale = perfect_play.whole_numbers(row)
    by_length = perfect_play.best_play(coins)
    ends = perfect_play.best_ends(by_length)
    best = Fraction(int(by_length[length][0]), scale)
    odd, even = sum(row[::2], Fraction(0)), sum(row[1::2], Fraction(0))
    theirs, mine = hit_chances(p, "p", length - 1), hit_chances(q, "q", length)
    slip_table, slip_ends, expected = slips.all_stretches(row, theirs, mine)
    learning, slipping, learner_game = _players(row, ends, p, q, prior, seed)
    return {
        "row": row,
        "n_coins": length,
        "is_even": length % 2 == 0,
        "total": total,
        "half": total / 2,
        "best": best,
        "opponent": total - best,
        "lead": 2 * best - total,
        "share": best / total,
        "first_move": perfect_play.name_of_end(ends[length][0], length),
        "greedy": Fraction(int(perfect_play.greedy_play(coins)), scale),
        "odd_coins": odd,
        "even_coins": even,
        "secure": max(odd, even),
        "entries": length * (length + 1) // 2,
        "n_states": 1 + sum(map(len, by_length[1:])),
        "best_table": perfect_play.grid_of_stretches(
            by_length if scale == 1 else [layer / scale for layer in by_length]
        ),
        "best_ends": perfect_play.grid_of_stretches(ends, nothing=-1),
        "perfect_game": perfect_play.perfect_game(row, perfect_play.aim_of(ends)),
        "family": perfect_play.published_family(family_max),
        "erring": _erring(row, mine, slip_ends, ends) | {"expected": expected},
        "erring_table": perfect_play.grid_of_stretches(slip_table),
        "erring_ends": perfect_play.grid_of_stretches(slip_ends, nothing=-1),
        "learning": learning,
        "slipping": slipping,
        "watching": (learning["mean_learned"] - learning["mean_guessed"]) / total if learning else None,
        "learner_game": learner_game,
    }


def _erring(row: Row, q: Row, ends: ByLength, perfect: ByLength) -> dict[str, Any]:
    """Play with slips.

    decisions: stretches of two coins or more; changed: in how many of them no end that is best under perfect play is
    best here. by_p: expected winnings when p is constant, q as it is; by_p_steady: the same for q = 1. break_even:
    the constant q from which on you collect half or more against a perfect opponent; None when even q = 1 collects
    less.
    """
    n, coins = len(row), np.array(row, dtype=float)
    opposed = (mine + theirs == LEFT + RIGHT for mine, theirs in zip(ends[2:], perfect[2:], strict=True))
    return {
        "first_move": perfect_play.name_of_end(ends[n][0], n),
        "decisions": n * (n - 1) // 2,
        "changed": sum(int(stretches.sum()) for stretches in opposed),
        "by_p": slips.winnings_by_p(coins, q),
        "by_p_steady": slips.winnings_by_p(coins, (Fraction(1),) * (n + 1)),
        "break_even": slips.break_even(coins),
    }


def _players(row: Row, ends: ByLength, p: Rate, q: Rate, prior: Row, seed: int) -> tuple[Any, Any, Any]:
    """Players who learn p and q compared, and a game of the one who learns p; None of a long row."""
    if len(row) > _LONGEST_LEARNED:
        return None, None, None
    theirs, mine = rounds_of(row, ends, "opponent"), rounds_of(row, ends, "hand")
    policy = learn(theirs, prior)
    learning = compare_players(row, theirs, policy, ends, prior, _constant(p))
    slipping = compare_players(row, mine, learn(mine, prior), ends, prior, _constant(q))
    played = game_of_learner(row, ends, policy, hit_chances(p, "p", len(row) - 1), prior, seed)
    return learning, slipping, played


def _constant(rate: Rate) -> Fraction | None:
    return rate if isinstance(rate, Fraction) else None
