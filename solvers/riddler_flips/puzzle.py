"""The game by its rules, and its solution: which coin at which score, and how often that wins."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Literal

import numpy as np

from site_builder.contract import Field, Grid, NotFinite, rules
from solvers.common.lattice import TOLERANCE, Chance, backward, depths, last_steps, takes_at_most
from solvers.common.score_game import EITHER, FIRST, SECOND, Lottery, Mover, ScoreGame, is_whole
from solvers.common.score_maps import state_maps
from solvers.riddler_flips.rule import Rule, nearest_rule

HALF = Fraction(1, 2)

MOST_WORK, MOST_STATES, MOST_DENOMINATOR = 8_000_000, 40_000_000, 1_000_000

EXACT_SECONDS = 1.0
"""With `arithmetic: auto` an exact solution that would take longer than about this gives way to floats."""

LAST_FLIPS, NEAR = 6, 8
"""The table of exact values: so many flips left, and so many points from the one below the target, at most."""


@rules
def flips_game(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int) -> ScoreGame:
    """The puzzle as a walk of the score: two coins, one player who wants the value high, a score that wins."""
    player: Mover = "highest"
    return ScoreGame((Lottery(v_a, p_a), Lottery(v_b, p_b)), movers=(player,) * n_flips, win_from=target)


@dataclass(frozen=True, eq=False)
class Result:
    """The answers for one game. Chances of winning are Fractions when `exact`, else floats.

    Codes of coins: 0 A, 1 B, 2 either, -1 no play leads to the state; of a policy also 3 and 4 where the game is won
    and lost for certain (a wrong coin may still lose a sure win). Of a very long game the maps have only some flips and
    scores.
    """

    exact: bool
    win_probability: Chance  # of the best play, before the first flip
    coin_a_alone: Fraction  # of one coin in every flip
    coin_b_alone: Fraction
    gain: Chance  # what the free choice adds to the better single coin
    relative_gain: Fraction | float | None  # the same as a share of that coin's chance, if that is not 0
    limit: Fraction | None  # of win_probability as the number of flips grows, for two fair coins
    win_probability_by_flips: np.ndarray  # of a game of 0, 1, ..., n_flips flips
    hurtful_flips: tuple[int, ...]  # numbers of flips at which one flip fewer would be better
    win_probability_by_state: Annotated[Grid, NotFinite("no play leads to this state")]  # axes flips, score
    best_coin: Grid  # codes at the same states, without the end
    policy: Grid
    last_policy: Grid  # the policy of the last flips near the target
    cost: Annotated[Grid | None, NotFinite("no play leads to this state")]  # chance that a choice gives away there
    n_states: int  # that some play leads to, well or badly chosen, the start and the final scores included
    open_states: int  # with a flip to come, and not decided
    a_states: int  # those of them that need coin A
    b_states: int
    either_states: int
    endgame: Grid  # exact, over (flips_left, score), near the target, whether a play leads there or not
    point: Grid  # in how many equally likely cases the last point of that score makes the difference
    rule: Rule | None  # of thumb, nearest to the best play; None in floats and where some states are not kept


def solve(
    n_flips: Annotated[int, Field(ge=1, le=10_000, description="how many flips are made")] = 100,
    p_a: Annotated[Fraction, Field(ge=0, le=1, description="chance of heads for coin A")] = HALF,
    p_b: Annotated[Fraction, Field(ge=0, le=1, description="chance of heads for coin B")] = HALF,
    v_a: Annotated[int, Field(ge=0, le=1000, description="points that coin A wins or loses")] = 1,
    v_b: Annotated[int, Field(ge=0, le=1000, description="points that coin B wins or loses")] = 2,
    target: Annotated[int, Field(ge=-2_000_000, le=2_000_000, description="the smallest score that wins")] = 1,
    arithmetic: Annotated[
        Literal["auto", "exact", "float"],
        Field(description="exact fractions, floats, or whatever takes about a second at most"),
    ] = "auto",
    seed: Annotated[int, Field(ge=0, description="where the games of the simulated check start")] = 2020,
) -> Result:
    """Find the best play by backward induction, and compare it with one coin alone and with rules of thumb."""
    game = flips_game(n_flips, p_a, p_b, v_a, v_b, target)
    exact = arithmetic == "exact" or (arithmetic == "auto" and takes_at_most(game, EXACT_SECONDS))
    lattice = backward(game, exact)
    maps = state_maps(game, lattice, ("flips", "score"), ("coin A", "coin B"), middle=target - 1)
    by_flips = lattice.value[::-1, len(lattice.scores) // 2].copy()
    a_states, b_states, either_states = (int((maps.states == code).sum()) for code in (FIRST, SECOND, EITHER))
    with_a, with_b = (alone(n_flips, coin, target) for coin in game.lotteries)
    single, gain = max(with_a, with_b), _gain(lattice.start, max(with_a, with_b))
    near = range(target - 1 - NEAR, target + NEAR)
    endgame = last_steps(game, LAST_FLIPS, near, ("flips_left", "score"))
    return Result(
        exact=exact,
        win_probability=lattice.start,
        coin_a_alone=with_a,
        coin_b_alone=with_b,
        gain=gain,
        relative_gain=gain / single if single else None,
        limit=_limit(v_a, v_b) if p_a == p_b == HALF else None,
        win_probability_by_flips=by_flips,
        hurtful_flips=tuple(int(flips) + 1 for flips in np.flatnonzero(np.diff(by_flips) < -TOLERANCE)),
        win_probability_by_state=maps.value,
        best_coin=maps.best,
        policy=maps.policy,
        last_policy=maps.last_policy,
        cost=maps.cost,
        n_states=lattice.n_reached,
        open_states=a_states + b_states + either_states,
        a_states=a_states,
        b_states=b_states,
        either_states=either_states,
        endgame=endgame,
        point=_points(endgame, game),
        rule=nearest_rule(game, maps.best.values, lattice.start) if exact and is_whole(game) else None,
    )


def validate(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int, arithmetic: str) -> None:
    """Refuse worthless coins, and games that would take too long.

    Beyond MOST_WORK only floats are fast enough, for scores near the target: at most MOST_STATES.
    """
    if v_a == v_b == 0:
        raise ValueError("v_a and v_b are both 0; at least one coin must be worth something")
    if max(p_a.denominator, p_b.denominator) > MOST_DENOMINATOR:
        raise ValueError(f"the denominators of p_a and p_b must be at most {MOST_DENOMINATOR}")
    if n_flips**2 * max(v_a, v_b) <= MOST_WORK:
        return
    if arithmetic == "exact":
        raise ValueError(
            f"in exact fractions n_flips times n_flips times the larger of v_a and v_b must be at most {MOST_WORK}"
        )
    states = 2 * n_flips * (depths((Lottery(v_a, p_a), Lottery(v_b, p_b)), n_flips)[-1] + abs(target))
    if states > MOST_STATES:
        raise ValueError(
            f"so many flips of these coins have {states} states that matter; at most {MOST_STATES} can be solved: "
            "take fewer flips, smaller coins, a target nearer to 0 or chances nearer to 1/2"
        )


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


def _points(endgame: Grid, game: ScoreGame) -> Grid:
    """In how many of the equally likely cases of the flips left one point more makes the difference."""
    whole = lcm(*(coin.chance.denominator for coin in game.lotteries))
    lefts, scores = endgame.axes.values()
    cases = np.array([[int(chance * whole**left) for chance in row] for left, row in enumerate(endgame.values)])
    return Grid(np.diff(cases), {"flips_left": lefts, "score": scores[1:]})


def _gain(win: Fraction | float, single: Fraction) -> Fraction | float:
    """What the best play wins beyond a single coin; between floats a difference within TOLERANCE is none."""
    gain = win - single
    return gain if isinstance(gain, Fraction) or gain > TOLERANCE else 0.0


def _limit(v_a: int, v_b: int) -> Fraction:
    """larger / (larger + smaller): the share of long games of fair coins that end ahead.

    The score is a fair game, so its mean stays 0: the sum of all scores ahead equals that of all scores behind. Ahead,
    where the small steps are taken, scores spread in proportion to the small coin; behind, to the large one. So the
    number of games ahead is to the number behind as the large coin is to the small one. A fixed target is negligible
    against the growing spread.
    """
    return Fraction(max(v_a, v_b), v_a + v_b)
