"""A game of the learner, round by round, against an opponent who slips."""

import random
from collections.abc import Sequence
from fractions import Fraction

from solvers.notorious_coins.model import Exchange, Learning, Parameters
from solvers.notorious_coins.rates import chances
from solvers.notorious_coins.rows import EITHER, LEFT, RIGHT, Diagonals, take

_NAMES = ("left", "right")


def learner_at_work(
    parameters: Parameters, values: Sequence[Fraction], ends: Diagonals, learning: Learning
) -> tuple[Exchange, ...]:
    """One game drawn with the seed; with k coins left the opponent hits the end of perfect play with chance p_k."""
    drawn, n = random.Random(parameters.seed), len(values)
    p = chances(parameters.p, "p", max(n - 1, 1))
    a, b = parameters.prior
    stretch, hits, misses, mine, theirs = (0, n), 0, 0, Fraction(0), Fraction(0)
    exchanges: list[Exchange] = []
    for length in range(n, 0, -2):
        my_end = _settled(int(learning.policy[len(exchanges)][stretch[0], hits, misses]), drawn)
        number, stretch = take(stretch, my_end)
        mine += (my_coin := values[number])
        their_end, their_coin, verdict = "none", None, "nothing"
        if length > 1:
            end, verdict = _reply(int(ends[length - 1][stretch[0]]), p[length - 1], drawn)
            number, stretch = take(stretch, end)
            theirs += (their_coin := values[number])
            their_end = "only" if length == 2 else _NAMES[end]
        hits, misses = hits + (verdict == "hit"), misses + (verdict == "miss")
        exchanges.append(
            Exchange(
                number=len(exchanges) + 1,
                coins_left=length,
                my_end="only" if length == 1 else _NAMES[my_end],
                my_coin=my_coin,
                their_end=their_end,
                their_coin=their_coin,
                verdict=verdict,
                belief=(a + hits) / (a + b + hits + misses),
                my_total=mine,
                their_total=theirs,
            )
        )
    return tuple(exchanges)


def _settled(end: int, drawn: random.Random) -> int:
    """Equal ends are taken half each."""
    return drawn.choice((LEFT, RIGHT)) if end == EITHER else end


def _reply(aim: int, chance: Fraction, drawn: random.Random) -> tuple[int, str]:
    """The end that the opponent takes, and what it tells."""
    if aim == EITHER:
        return _settled(aim, drawn), "nothing"
    return (aim, "hit") if drawn.random() < chance else (1 - aim, "miss")
