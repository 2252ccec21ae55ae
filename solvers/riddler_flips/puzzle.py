"""The game by its rules, and its solution: which coin at which score, and how often that wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from site_builder.contract import Bounds, Grid, NotFinite
from solvers.common.lattice import EITHER, FIRST, SECOND, TOLERANCE, Chance, Lottery, Mover, ScoreGame, backward
from solvers.common.score_maps import state_maps
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.rule import Rule, nearest_rule

EXACT_SECONDS = 1.0
"""With `arithmetic: auto` an exact solution that would take longer than about this gives way to floats."""

LAST_FLIPS, NEAR = 6, 3
"""The small table of exact values: so many flips left, and so many points from the target, at most."""


def value(flips_left: int, score: int, coins: Sequence[tuple[int, int, int]], target: int) -> int:
    """V by the rules alone, through every sequence of coins and results. Not used by `solve`.

    coins: points, heads and tails of each. A coin shows heads in `heads` of heads + tails equally likely cases, a sum D
    that both coins share; the value is counted in cases, D^flips_left of which are certainty.
    """
    if flips_left == 0:
        return int(score >= target)
    return max(
        heads * value(flips_left - 1, score + points, coins, target)
        + tails * value(flips_left - 1, score - points, coins, target)
        for points, heads, tails in coins
    )


@dataclass(frozen=True, eq=False)
class Result:
    """The answers for one game. Probabilities are Fractions when `exact`, else floats.

    win_probability: of the best play, before the first flip. coin_a_alone, coin_b_alone: of one coin in every flip.
    gain: what the free choice adds to the better single coin; relative_gain: the same as a share of that coin's
    probability, None when that is 0. better_alone: "A", "B" or "neither".
    limit: what win_probability tends to as the number of flips grows; None unless both coins are fair.
    win_probability_by_state: axes flips, score; NaN where no play leads. best_coin: the best coin at these states as a
    code: 0 A, 1 B, 2 either, -1 no play leads there. policy: the same, but 3 where the game is decided, since the value
    is 0 or 1 (a wrong coin may still lose a sure win). Of a very long game only some flips and scores are kept, and
    `is_whole` is False. last_policy: the policy of the last flips near the target.
    endgame: exact values over (flips_left, score), near the target, whether a play leads there or not.
    win_probability_by_flips: shape (n_flips + 1,), floats: of a game of so many flips. hurtful_flips: the numbers of
    flips at which one flip fewer would be better. first_coin: "A", "B", "either" or "decided".
    n_states: states (flips made, score) that some play leads to, well or badly chosen, the start and the final scores
    included. open_states: those with a flip to come that are not decided; of these a_states and b_states need that very
    coin, in either_states both are equally good.
    rule: the threshold rule nearest to the best play; None in floats, which cannot prove a rule.
    """

    n_flips: int
    p_a: Annotated[Fraction, Bounds(0, 1)]
    p_b: Annotated[Fraction, Bounds(0, 1)]
    v_a: int
    v_b: int
    target: int
    exact: bool
    win_probability: Chance
    coin_a_alone: Annotated[Fraction, Bounds(0, 1)]
    coin_b_alone: Annotated[Fraction, Bounds(0, 1)]
    better_alone: str
    gain: Chance
    relative_gain: Annotated[Fraction | float | None, Bounds(0, None)]
    limit: Annotated[Fraction | None, Bounds(0, 1)]
    win_probability_by_state: Annotated[Grid, NotFinite("no play leads to this state"), Bounds(0, 1)]
    policy: Grid
    best_coin: Grid
    is_whole: bool
    last_policy: Grid
    endgame: Annotated[Grid, Bounds(0, 1)]
    win_probability_by_flips: Annotated[np.ndarray, Bounds(0, 1)]
    hurtful_flips: tuple[int, ...]
    first_coin: str
    n_states: int
    open_states: int
    a_states: int
    b_states: int
    either_states: int
    rule: Rule | None


def solve(parameters: Parameters) -> Result:
    """Find the best play by backward induction, and compare it with one coin alone and with rules of thumb."""
    game = flips_game(parameters, parameters.n_flips, parameters.target)
    exact = game.is_exact(parameters.arithmetic, EXACT_SECONDS)
    lattice = backward(game, exact)
    win, by_flips = lattice.start, lattice.value[::-1, lattice.game.highest].copy()
    with_a, with_b = (alone(parameters.n_flips, coin, parameters.target) for coin in game.lotteries)
    gain = _gain(win, max(with_a, with_b))
    a, b, either = (int(np.count_nonzero(lattice.policy == code)) for code in (FIRST, SECOND, EITHER))
    maps = state_maps(lattice, ("flips", "score"))
    return Result(
        **{name: getattr(parameters, name) for name in ("n_flips", "p_a", "p_b", "v_a", "v_b", "target")},
        exact=exact,
        win_probability=win,
        coin_a_alone=with_a,
        coin_b_alone=with_b,
        better_alone="neither" if with_a == with_b else "A" if with_a > with_b else "B",
        gain=gain,
        relative_gain=gain / max(with_a, with_b) if with_a or with_b else None,
        limit=_limit(parameters),
        win_probability_by_state=maps.value(),
        policy=maps.grid(lattice.policy),
        best_coin=maps.grid(lattice.best),
        is_whole=maps.is_whole,
        last_policy=maps.last_steps(lattice.policy, middle=parameters.target - 1),
        endgame=_endgame(parameters),
        win_probability_by_flips=by_flips,
        hurtful_flips=tuple(int(flips) + 1 for flips in np.flatnonzero(np.diff(by_flips) < -TOLERANCE)),
        first_coin=("A", "B", "either", "decided")[lattice.policy[0, lattice.game.highest]],
        n_states=game.n_reached,
        open_states=a + b + either,
        a_states=a,
        b_states=b,
        either_states=either,
        rule=nearest_rule(parameters, lattice.best, win) if exact else None,
    )


def flips_game(parameters: Parameters, n_flips: int, target: int) -> ScoreGame:
    """The puzzle as a walk of the score: two lotteries, one player who wants the value high, a score that wins."""
    coins = Lottery(parameters.v_a, Fraction(parameters.p_a)), Lottery(parameters.v_b, Fraction(parameters.p_b))
    player: Mover = "highest"
    return ScoreGame(coins, movers=(player,) * n_flips, win_from=target)


def alone(n_flips: int, coin: Lottery, target: int) -> Fraction:
    """The exact chance of the target with one coin in every flip: a tail of the binomial distribution."""
    if coin.points == 0:
        return Fraction(target <= 0)
    fewest_heads = max(0, -(-(target + coin.points * n_flips) // (2 * coin.points)))
    up, whole = coin.chance.numerator, coin.chance.denominator
    # Horner's rule in `up`, from all heads down; each binomial coefficient and power comes from the one before it.
    ways, choices, downs = 0, 1, 1
    for heads in range(n_flips, fewest_heads - 1, -1):
        ways = ways * up + choices * downs
        choices, downs = choices * heads // (n_flips - heads + 1), downs * (whole - up)
    return Fraction(ways * up ** min(fewest_heads, n_flips), whole**n_flips)


def _gain(win: Fraction | float, single: Fraction) -> Fraction | float:
    """What the best play wins beyond a single coin; between floats a difference within TOLERANCE is none."""
    gain = win - single
    return gain if isinstance(gain, Fraction) or gain > TOLERANCE else 0.0


def _limit(parameters: Parameters) -> Fraction | None:
    """larger / (larger + smaller): the share of long games of fair coins that end ahead.

    The score is a fair game, so its mean stays 0: the sum of all scores ahead equals that of all scores behind. Ahead,
    where the small steps are taken, scores spread in proportion to the small coin; behind, to the large one. So the
    number of games ahead is to the number behind as the large coin is to the small one. A fixed target is negligible
    against the growing spread.
    """
    if parameters.p_a != Fraction(1, 2) or parameters.p_b != Fraction(1, 2):
        return None
    return Fraction(max(parameters.v_a, parameters.v_b), parameters.v_a + parameters.v_b)


def _endgame(parameters: Parameters) -> Grid:
    """Exact values with few flips left, counting the score from the one below the target."""
    flips, below = min(parameters.n_flips, LAST_FLIPS), parameters.target - 1
    # NEAR flips more, so that the start leads to all scores of the table whatever the coins are worth.
    rows = backward(flips_game(parameters, flips + NEAR, target=1), near=NEAR).centre[::-1]
    return Grid(rows[: flips + 1], {"flips_left": range(flips + 1), "score": range(below - NEAR, below + NEAR + 1)})
