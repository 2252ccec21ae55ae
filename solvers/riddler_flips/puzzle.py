"""The puzzle and its solution: which coin at which score, and how often that wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Annotated, Any

import numpy as np

from site_builder.contract import Grid, NotFinite
from solvers.common.lattice import TOLERANCE, Lattice, Lottery, Mover, ScoreGame, backward, best_choices, reachable
from solvers.common.score_maps import window
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.rule import Rule, nearest_rule

A, B, EITHER, DECIDED = range(4)
"""Codes of a policy; -1 where a state does not occur."""

EXACT_SECONDS = 1.0
"""With `arithmetic: auto` an exact solution that would take longer than about this gives way to floats."""

LAST_FLIPS, NEAR = 6, 3
"""The small table of exact values: so many flips left at most, so many points from the brink at most."""


@dataclass(frozen=True, eq=False)
class Result:
    """All that is known about one game. Probabilities are Fractions when `exact`, else floats.

    win_probability: of the best play, before the first flip. coin_a_alone, coin_b_alone: of one coin all the way.
    gain: what the free choice adds to the better single coin; relative_gain: the same as a share of that coin's
    probability, None when that is 0. better_alone: "A", "B" or "neither".
    limit: what win_probability tends to as the flips grow in number; None unless both coins are fair.
    win_probability_by_state: axes flips, score; NaN where no play leads. policy: the best coin at these states as a
    code (0 A, 1 B, 2 either, 3 decided, -1 no play leads there); best_coin: the same, but also where the game is
    decided, where a wrong coin may still throw a sure win away. Of a very long game only some flips and scores are
    kept (`is_whole` is False). last_policy: the policy of the last flips near the target.
    endgame: exact values over (flips_left, score), near the target, whether a play leads there or not.
    win_probability_by_flips: shape (n_flips + 1,), floats: of a game of so many flips. hurtful_flips: the numbers of
    flips at which one flip fewer would be better. first_coin: "A", "B", "either" or "decided".
    n_states: states (flips made, score) that some play leads to, well or badly chosen; decided ones, the start and the
    final scores included. open_states: those that are not decided; of these a_states and b_states need that very coin.
    rule: the threshold rule nearest to the best play; None in floats, which cannot prove a rule.
    """

    n_flips: int
    p_a: Fraction
    p_b: Fraction
    v_a: int
    v_b: int
    target: int
    exact: bool
    win_probability: Fraction | float
    coin_a_alone: Fraction
    coin_b_alone: Fraction
    better_alone: str
    gain: Fraction | float
    relative_gain: Fraction | float | None
    limit: Fraction | None
    win_probability_by_state: Annotated[Grid, NotFinite("no play leads to this state")]
    policy: Grid
    best_coin: Grid
    is_whole: bool
    last_policy: Grid
    endgame: Grid
    win_probability_by_flips: np.ndarray
    hurtful_flips: tuple[int, ...]
    first_coin: str
    n_states: int
    open_states: int
    a_states: int
    b_states: int
    either_states: int
    rule: Rule | None


def solve(parameters: Parameters) -> Result:
    """The best play, its winning probability from every state, and what it amounts to in words."""
    game = flips_game(parameters, parameters.n_flips, parameters.target)
    lattice = backward(game, exact=_is_exact(parameters, game))
    seen = reachable(game)
    best = best_choices(lattice, seen)
    policy = np.where(lattice.decided[:-1] & (best >= 0), np.int8(DECIDED), best)
    kept = window(game, lattice.value, seen)
    return Result(
        **_rules_of_the_game(parameters),
        **_answers(parameters, lattice),
        n_states=int(seen.sum()),
        **_counts(policy),
        win_probability_by_state=kept.grid(np.where(seen, lattice.value, np.nan), "flips", "score"),
        policy=kept.grid(policy, "flips", "score"),
        best_coin=kept.grid(best, "flips", "score"),
        is_whole=kept.is_whole,
        last_policy=_last_policy(policy, game),
        endgame=_endgame(parameters),
        rule=nearest_rule(parameters, best, lattice.centre[0, 0]) if _is_exact(parameters, game) else None,
    )


def flips_game(parameters: Parameters, n_flips: int, target: int, spread: int = 0) -> ScoreGame:
    """The puzzle as a walk of the score: two lotteries, one chooser, and 1 paid from the target on."""
    coins = tuple(
        Lottery((value, -value), (Fraction(heads), 1 - Fraction(heads)))
        for value, heads in ((parameters.v_a, parameters.p_a), (parameters.v_b, parameters.p_b))
    )
    player: Mover = "highest"
    return ScoreGame(coins, movers=(player,) * n_flips, first=target, spread=spread)


def alone(n_flips: int, value: int, heads: Fraction, target: int) -> Fraction:
    """The exact chance to reach the target with one coin all the way: a tail of the binomial distribution."""
    if value == 0:
        return Fraction(target <= 0)
    fewest_heads = max(0, -(-(target + value * n_flips) // (2 * value)))
    up, down = heads.numerator, heads.denominator - heads.numerator
    ways = sum(comb(n_flips, h) * up**h * down ** (n_flips - h) for h in range(fewest_heads, n_flips + 1))
    return Fraction(ways, heads.denominator**n_flips)


def _rules_of_the_game(parameters: Parameters) -> dict[str, Any]:
    return {name: getattr(parameters, name) for name in ("n_flips", "p_a", "p_b", "v_a", "v_b", "target")}


def _is_exact(parameters: Parameters, game: ScoreGame) -> bool:
    if parameters.arithmetic == "auto":
        return game.exact_seconds() < EXACT_SECONDS
    return parameters.arithmetic == "exact"


def _answers(parameters: Parameters, lattice: Lattice) -> dict[str, Any]:
    n, target = parameters.n_flips, parameters.target
    win = lattice.centre[0, 0] if lattice.centre.dtype == object else float(lattice.centre[0, 0])
    with_a = alone(n, parameters.v_a, parameters.p_a, target)
    with_b = alone(n, parameters.v_b, parameters.p_b, target)
    gain, by_flips = _gain(win, max(with_a, with_b)), lattice.value[::-1, lattice.game.highest]
    return {
        "exact": isinstance(win, Fraction),
        "win_probability": win,
        "coin_a_alone": with_a,
        "coin_b_alone": with_b,
        "better_alone": "neither" if with_a == with_b else "A" if with_a > with_b else "B",
        "gain": gain,
        "relative_gain": gain / max(with_a, with_b) if with_a or with_b else None,
        "limit": _limit(parameters),
        "win_probability_by_flips": by_flips,
        "hurtful_flips": tuple(int(n) + 1 for n in np.flatnonzero(np.diff(by_flips) < -TOLERANCE)),
        "first_coin": _first_coin(lattice),
    }


def _gain(win: Fraction | float, single: Fraction) -> Fraction | float:
    """What is won beyond a single coin; between floats a difference within TOLERANCE is none."""
    gain = win - single
    return gain if isinstance(gain, Fraction) or gain > TOLERANCE else 0.0


def _limit(parameters: Parameters) -> Fraction | None:
    """larger / (larger + smaller): the share of plays that end ahead of a start at which the step size changes.

    The score is a fair game, so its mean stays 0: what the plays ahead have won is what those behind have lost. Ahead,
    where the small steps are taken, scores spread in proportion to the small coin; behind, to the large one. So the
    number of plays ahead is to the number behind as the large coin is to the small one. A fixed target is lost in
    the growing spread.
    """
    if parameters.p_a != Fraction(1, 2) or parameters.p_b != Fraction(1, 2):
        return None
    return Fraction(max(parameters.v_a, parameters.v_b), parameters.v_a + parameters.v_b)


def _first_coin(lattice: Lattice) -> str:
    start = 0, lattice.game.highest
    return "decided" if lattice.decided[start] else ("A", "B", "either")[int(lattice.optimal[start]) - 1]


def _counts(policy: np.ndarray) -> dict[str, Any]:
    a, b, either = (int(np.count_nonzero(policy == code)) for code in (A, B, EITHER))
    return {"open_states": a + b + either, "a_states": a, "b_states": b, "either_states": either}


def _last_policy(policy: np.ndarray, game: ScoreGame, most_flips: int = 20, most_scores: int = 24) -> Grid:
    """The policy of the last flips, at scores within two steps of the larger coin for each flip in five."""
    flips = range(max(0, game.horizon - most_flips), game.horizon)
    low, high = (_within(game.first - 1 + side * min(most_scores, 6 * game.reach), game) for side in (-1, 1))
    values = policy[flips.start :, low + game.highest : high + game.highest + 1]
    return Grid(np.ascontiguousarray(values), {"flips": flips, "score": range(low, high + 1)})


def _within(score: int, game: ScoreGame) -> int:
    return max(-game.highest, min(game.highest, score))


def _endgame(parameters: Parameters) -> Grid:
    """Exact values with few flips left: the game as it stands a few points from the brink, scores counted in full."""
    flips = min(parameters.n_flips, LAST_FLIPS)
    rows = backward(flips_game(parameters, flips, target=1, spread=NEAR)).centre[::-1]
    brink = parameters.target - 1
    axes: dict[str, Sequence[int]] = {
        "flips_left": range(flips + 1),
        "score": range(brink - NEAR, brink + NEAR + 1),
    }
    return Grid(rows, axes)
