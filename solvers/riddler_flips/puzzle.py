"""The game by its rules, and its solution: which coin at which score, and how often that wins."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, Literal

import numpy as np

from site_builder.contract import Field, Grid, NotFinite, rules
from solvers.common.lattice import Chance, backward, by_steps_left, last_steps, state_maps
from solvers.common.score_game import EITHER, FIRST, SECOND, Lottery, Mover, ScoreGame, changes, reach

ByState = Annotated[Grid | None, NotFinite("no play leads to this state")]
HALF = Fraction(1, 2)
MOST_WORK = 400_000

LAST_FLIPS, NEAR = 6, 8
"""The table of exact values: so many flips left, and so many points from the one below the target, at most."""


@rules
def flips_game(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int) -> ScoreGame:
    """The puzzle as a walk of the score: two coins, one player who wants the value high, a score that wins."""
    player: Mover = "highest"
    return ScoreGame((Lottery(v_a, p_a), Lottery(v_b, p_b)), movers=(player,) * n_flips, win_from=target)


@dataclass(frozen=True, eq=False)
class Result:
    """The answers for one game; those by state are None in floats.

    Codes of coins: 0 A, 1 B, 2 either, -1 no play leads to the state; of a policy also 3 and 4 where the game is won
    and lost for certain (a wrong coin may still lose a sure win).
    """

    win_probability: Chance  # of the best play, before the first flip
    coin_a_alone: Fraction  # of one coin in every flip
    coin_b_alone: Fraction
    gain: Chance  # what the free choice adds to the better single coin
    relative_gain: Fraction | float | None  # the same as a share of that coin's chance, if that is not 0
    limit: Fraction | None  # of win_probability as the number of flips grows, for two fair coins
    win_probability_by_flips: np.ndarray  # of a game of 0, 1, ..., n_flips flips
    hurtful_flips: tuple[int, ...]  # numbers of flips at which one flip fewer would be better
    endgame: Grid  # exact, over (flips_left, score), near the target, whether a play leads there or not
    point: Grid  # in how many equally likely cases the last point of that score makes the difference
    win_probability_by_state: ByState = None  # axes flips, score
    best_coin: Grid | None = None  # codes at the same states, without the end
    policy: Grid | None = None
    cost: ByState = None  # chance that a choice gives away there
    open_states: int | None = None  # with a flip to come, not decided
    either_states: int | None = None  # of them, those in which both coins are equally good
    rule_states: int | None = None  # with a flip to come, decided or not
    rule_mistakes: int | None = None  # in how many of them the rule of thumb takes the worse coin
    final_scores: Grid | None = None  # the chance of each score at the end, by the rule of thumb
    margins: dict[str, float] | None = None  # the mean score where that has won, and less the mean where it has lost


def solve(
    n_flips: Annotated[int, Field(ge=1, le=10_000, description="how many flips are made")] = 100,
    p_a: Annotated[Fraction, Field(ge=0, le=1, description="chance of heads for coin A")] = HALF,
    p_b: Annotated[Fraction, Field(ge=0, le=1, description="chance of heads for coin B")] = HALF,
    v_a: Annotated[int, Field(ge=0, le=1000, description="points that coin A wins or loses")] = 1,
    v_b: Annotated[int, Field(ge=0, le=1000, description="points that coin B wins or loses")] = 2,
    target: Annotated[int, Field(ge=-2_000_000, le=2_000_000, description="the smallest score that wins")] = 1,
    arithmetic: Annotated[
        Literal["exact", "float"], Field(description="exact fractions, or floats for chances of winning alone")
    ] = "exact",
    seed: Annotated[int, Field(ge=0, description="where the games of the simulated check start")] = 2020,
) -> Result:
    """Find the best play by backward induction, and compare it with one coin alone and with a rule of thumb."""
    game = flips_game(n_flips, p_a, p_b, v_a, v_b, target)
    by_state = _by_state(game) if arithmetic == "exact" else _in_floats(game)
    win, by_flips = by_state["win_probability"], by_state["win_probability_by_flips"]
    with_a, with_b = (alone(n_flips, coin, target) for coin in game.lotteries)
    endgame = last_steps(game, LAST_FLIPS, target - 1, NEAR, ("flips_left", "score"))
    answers = {
        "coin_a_alone": with_a,
        "coin_b_alone": with_b,
        "gain": win - max(with_a, with_b),
        "relative_gain": win / max(with_a, with_b) - 1 if with_a or with_b else None,
        "limit": _limit(v_a, v_b) if p_a == p_b == HALF else None,
        "hurtful_flips": tuple(int(flips) + 1 for flips in np.flatnonzero(np.diff(by_flips) < -1e-12)),
        "endgame": endgame,
        "point": _points(endgame, game),
    }
    return Result(**by_state, **answers)


def validate(n_flips: int, v_a: int, v_b: int, arithmetic: str) -> None:
    """Refuse worthless coins, and games that would take too long."""
    if v_a == v_b == 0:
        raise ValueError("v_a and v_b are both 0; at least one coin must be worth something")
    if arithmetic == "exact" and n_flips**2 * max(v_a, v_b) > MOST_WORK:
        raise ValueError(
            f"n_flips times n_flips times the larger of v_a and v_b must be at most {MOST_WORK} in exact fractions; "
            "with arithmetic: float there are chances of winning alone"
        )


def _in_floats(game: ScoreGame) -> dict[str, Any]:
    """The chances of winning alone."""
    by_flips = by_steps_left(backward(game, exact=False))
    return {"win_probability": float(by_flips[-1]), "win_probability_by_flips": by_flips}


def _by_state(game: ScoreGame) -> dict[str, Any]:
    """The exact answers that need all states."""
    maps = state_maps(game, ("flips", "score"), ("coin A", "coin B"), [False] * len(game.movers))
    codes = maps["policy"].values
    return {
        "win_probability": maps["start"],
        "win_probability_by_flips": maps["by_steps_left"],
        "win_probability_by_state": maps["value"],
        "best_coin": maps["best"],
        "policy": maps["policy"],
        "cost": maps["cost"],
        "open_states": int(np.isin(codes, (FIRST, SECOND, EITHER)).sum()),
        "either_states": int((codes == EITHER).sum()),
        "rule_states": int((maps["best"].values >= 0).sum()),
        "rule_mistakes": _mistakes(game, maps["best"]),
        **_by_rule(game),
    }


def _mistakes(game: ScoreGame, best: Grid) -> int:
    """In how many states the rule of thumb takes the worse coin: small steps from the target on, large ones below."""
    coin_a, coin_b = game.lotteries
    ahead, behind = (FIRST, SECOND) if coin_a.points <= coin_b.points else (SECOND, FIRST)
    worse = np.where(np.array(best.axes["score"]) >= game.win_from, behind, ahead)
    return int((best.values == worse).sum())


def _by_rule(game: ScoreGame) -> dict[str, Any]:
    """Where the rule of thumb ends: the chances of all scores, carried forward from flip to flip."""
    farthest = reach(game) * len(game.movers)
    scores = np.arange(-farthest, farthest + 1)
    is_ahead, chance = scores >= game.win_from, (scores == 0).astype(float)
    small, large = sorted(game.lotteries, key=lambda coin: coin.points)
    for _ in game.movers:
        shares = (small, np.where(is_ahead, chance, 0)), (large, np.where(is_ahead, 0, chance))
        chance = sum(np.roll(float(p) * share, change) for coin, share in shares for p, change in changes(coin))
    won, lost = (float(chance[side] @ scores[side] / (chance[side].sum() or 1)) for side in (is_ahead, ~is_ahead))
    return {"final_scores": Grid(chance, {"score": scores.tolist()}), "margins": {"won": won, "lost": -lost}}


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


def _limit(v_a: int, v_b: int) -> Fraction:
    """larger / (larger + smaller): the share of long games of fair coins that end ahead.

    The score is a fair game, so its mean stays 0: the sum of all scores ahead equals that of all scores behind. Ahead,
    where the small steps are taken, scores spread in proportion to the small coin; behind, to the large one. So the
    number of games ahead is to the number behind as the large coin is to the small one. A fixed target is negligible
    against the growing spread.
    """
    return Fraction(max(v_a, v_b), v_a + v_b)
