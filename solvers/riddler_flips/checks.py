"""The answers by other methods: all sequences, whole rows of scores, the distribution of heads, games played."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, lcm
from typing import Any

import numpy as np

from site_builder.contract import Grid, close, simulated
from solvers.common.score_checks import chances_at_start, limit_of_long_games, maps_by_rows, play
from solvers.common.score_game import Lottery, ScoreGame, halves
from solvers.riddler_flips.puzzle import flips_game

Answer = dict[str, Any]
HALF = Fraction(1, 2)

LAST_FLIPS, NEAR = 6, 8
"""The table of the last flips, as the solver has it; written again here, so that a wrong one there is found."""

MOST_SCORES = 200
"""The ends of the rule are found again where no score is larger."""


def check_published(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int) -> Answer:
    """The writeup of 2020-02-21, for 100 flips of two fair coins worth 1 and 2 points"""
    if (n_flips, p_a, p_b, v_a, v_b, target) != (100, HALF, HALF, 1, 2, 1):
        return {}
    return {"win_probability": close(0.6403174472759772, absolute=1e-14)}


def check_all_sequences(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int) -> Answer:
    """All sequences of coins and results of the last flips, up to six of them"""
    whole, middle = lcm(p_a.denominator, p_b.denominator), target - 1
    coins = [(v_a, int(p_a * whole)), (v_b, int(p_b * whole))]
    lefts, scores = range(min(n_flips, LAST_FLIPS) + 1), range(middle - NEAR, middle + NEAR + 1)
    cases = np.array([cases_won(left, np.array(scores) - target, coins, whole) for left in lefts])
    chances = [[Fraction(won, whole**left) for won in row] for left, row in zip(lefts, cases, strict=True)]
    return {
        "endgame": Grid(np.array(chances), {"flips_left": lefts, "score": scores}),
        "point": Grid(np.diff(cases), {"flips_left": lefts, "score": scores[1:]}),
    }


def cases_won(left: int, above: np.ndarray, coins: Sequence[tuple[int, int]], whole: int) -> np.ndarray:
    """In how many of whole^left equally likely cases the best choices win, by all sequences at once.

    above: scores less the target. coins: of each its points, and in how many of `whole` cases it shows heads.
    """
    moves = np.array([(points, -points) for points, _ in coins])
    weights = np.array([(heads, whole - heads) for _, heads in coins], dtype=object)
    for _ in range(left):
        above = np.add.outer(above, moves)  # two axes more: the coin, and heads or tails
    won = np.where(above >= 0, 1, 0)
    for _ in range(left):
        won = (won * weights).sum(axis=-1).max(axis=-1)
    return won


def check_whole_rows(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int) -> Answer:
    """Whole rows of scores in floats, flip by flip from the last one back"""
    by_flips = chances_at_start(flips_game(n_flips, p_a, p_b, v_a, v_b, target))
    return {
        "win_probability": close(by_flips[-1], absolute=1e-12),
        "win_probability_by_flips": close(by_flips, absolute=1e-12),
        "hurtful_flips": tuple(n for n, (one, more) in enumerate(pairwise(by_flips), 1) if more < one - 1e-12),
    }


def check_exact_rows(
    n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int, arithmetic: str
) -> Answer:
    """Whole rows of scores in whole numbers, with the coins that are best in each state"""
    if arithmetic == "float":
        return {}
    maps = maps_by_rows(flips_game(n_flips, p_a, p_b, v_a, v_b, target), [False] * n_flips)
    needs = [int((maps["policy"] == code).sum()) for code in range(3)]
    return {
        "win_probability": maps["start"],
        "win_probability_by_state": maps["value"],
        "best_coin": maps["best"],
        "policy": maps["policy"],
        "cost": maps["cost"],
        "open_states": sum(needs),
        "either_states": needs[2],
    }


def check_play(
    best_coin: Grid | None, n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int, seed: int
) -> Answer:
    """10,000 games played by the coins that were found"""
    if best_coin is None:
        return {}
    game = flips_game(n_flips, p_a, p_b, v_a, v_b, target)
    return {"win_probability": simulated(*play(game, best_coin, seed))}


def check_one_coin(n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int) -> Answer:
    """The binomial distribution of the heads of one coin, term by term"""
    game = flips_game(n_flips, p_a, p_b, v_a, v_b, target)
    with_a, with_b = (_one_coin(game, coin) for coin in game.lotteries)
    return {"coin_a_alone": with_a, "coin_b_alone": with_b}


def _one_coin(game: ScoreGame, coin: Lottery) -> Fraction:
    flips, (up, whole) = len(game.movers), coin.chance.as_integer_ratio()
    won = [heads for heads in range(flips + 1) if halves(game, coin.points * (2 * heads - flips)) == 2]
    return Fraction(
        sum(comb(flips, heads) * up**heads * (whole - up) ** (flips - heads) for heads in won), whole**flips
    )


def check_gain(win_probability: Fraction | float, coin_a_alone: Fraction, coin_b_alone: Fraction) -> Answer:
    """The difference of these chances, and its share"""
    single = max(coin_a_alone, coin_b_alone)
    gain = float(win_probability - single)
    share = close(gain / float(single), absolute=1e-12, relative=1e-6) if single else None
    return {"gain": close(gain, absolute=1e-12), "relative_gain": share}


def check_rule(best_coin: Grid | None, v_a: int, v_b: int, target: int) -> Answer:
    """The rule followed in each state: the coin of small steps from the target on, the other below"""
    if best_coin is None:
        return {"rule_states": None, "rule_mistakes": None}
    is_ahead, best = np.array(best_coin.axes["score"]) >= target, best_coin.values
    rule = np.where(is_ahead == (v_a <= v_b), 0, 1)
    return {
        "rule_states": int((best >= 0).sum()),
        "rule_mistakes": int(((best >= 0) & (best != 2) & (best != rule)).sum()),
    }


def check_rule_as_chain(
    n_flips: int, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int, arithmetic: str
) -> Answer:
    """The rule as a Markov chain: a power of its matrix"""
    if arithmetic == "float":
        return {"final_scores": None, "margins": None}
    farthest = max(v_a, v_b) * n_flips
    if farthest > MOST_SCORES:
        return {}
    scores = np.arange(-farthest, farthest + 1)
    coin = np.where((scores >= target) == (v_a <= v_b), 0, 1)
    heads, moves = np.array([float(p_a), float(p_b)])[coin], np.array([v_a, v_b])[coin]
    one_flip, places = np.zeros((len(scores), len(scores))), np.arange(len(scores))
    for chance, move in ((heads, moves), (1 - heads, -moves)):
        one_flip[places, np.clip(places + move, 0, len(scores) - 1)] += chance
    start = np.linalg.matrix_power(one_flip, n_flips)[farthest]
    won, lost = (np.where(side, start, 0) for side in (scores >= target, scores < target))
    means = {"won": won @ scores / (won.sum() or 1), "lost": -lost @ scores / (lost.sum() or 1)}
    return {"final_scores": close(start, absolute=1e-12), "margins": close(means, relative=1e-9, absolute=1e-12)}


def check_limit(p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int) -> Answer:
    """Twice the chance with 400 flips less that with 100"""
    if not p_a == p_b == HALF:
        return {"limit": None}
    if max(v_a, v_b) > 4 or abs(target) > 4:
        return {}
    limit = limit_of_long_games(lambda n_flips: flips_game(n_flips, p_a, p_b, v_a, v_b, target), 100)
    return {"limit": close(limit, absolute=5e-3)}
