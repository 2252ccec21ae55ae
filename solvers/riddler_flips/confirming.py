"""The answers confirmed by other methods: trees, repeated convolution, another recurrence, games played."""

from collections.abc import Iterator

import numpy as np

from site_builder.contract import Check
from solvers.common.played_games import games_played
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.puzzle import Result

PUBLISHED = 0.6403174472759772
"""The writeup of 2020-02-21, for 100 flips of two fair coins worth 1 and 2 points."""


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Five to seven confirmations that share no code with the solution."""
    if _is_published(parameters):
        yield _published(result)
    yield _one_coin(parameters, result)
    yield _trees(parameters, result)
    yield _small_game(parameters, result)
    yield _whole_rows(parameters, result)
    if result.is_whole:
        yield _played_games(parameters, result)
    if result.rule is not None and result.rule.proved:
        yield _rule_followed(parameters, result)


def _is_published(parameters: Parameters) -> bool:
    return parameters == Parameters(arithmetic=parameters.arithmetic, seed=parameters.seed)


def _published(result: Result) -> Check:
    found = float(result.win_probability)
    return Check(
        "the answer as published",
        "published value",
        PUBLISHED,
        found,
        abs(found - PUBLISHED) < 1e-14,
        "the writeup of 2020-02-21, all 16 digits; agreement within $10^{-14}$",
    )


def _one_coin(parameters: Parameters, result: Result) -> Check:
    """Each coin alone, by the distribution of its score flip after flip (the solution sums binomial coefficients)."""
    expected = []
    for value, heads in ((parameters.v_a, parameters.p_a), (parameters.v_b, parameters.p_b)):
        chances = np.array([1.0])
        for _ in range(parameters.n_flips):
            chances = float(heads) * np.append(0.0, chances) + float(1 - heads) * np.append(chances, 0.0)
        scores = value * (2 * np.arange(parameters.n_flips + 1) - parameters.n_flips)
        expected.append(float(chances[scores >= parameters.target].sum()))
    found = [float(result.coin_a_alone), float(result.coin_b_alone)]
    return Check(
        "one coin all the way",
        "another algorithm",
        tuple(expected),
        tuple(found),
        bool(np.allclose(found, expected, rtol=0, atol=1e-9)),
        "the distribution of heads built up flip by flip, in floats; agreement within $10^{-9}$",
    )


def _trees(parameters: Parameters, result: Result) -> Check:
    """Every sequence of coins and results of the last flips, from each score of the small table."""
    flips = int(result.endgame.axes["flips_left"][-1])
    expected = tuple(_tree(parameters, flips, int(score)) for score in result.endgame.axes["score"])
    found = tuple(result.endgame.at(flips_left=flips, score=score) for score in result.endgame.axes["score"])
    return Check(
        f"the last flips, {flips} left",
        "brute force",
        expected,
        tuple(float(chance) for chance in found),
        bool(np.allclose([float(chance) for chance in found], expected, rtol=0, atol=1e-12)),
        f"all $4^{flips}$ sequences of coins and results from each of {len(found)} scores; within $10^{{-12}}$",
    )


def _small_game(parameters: Parameters, result: Result) -> Check:
    """A game of at most nine flips from its start, as a whole tree."""
    flips = min(parameters.n_flips, 9)
    expected, found = _tree(parameters, flips, 0), float(result.win_probability_by_flips[flips])
    return Check(
        f"a game of {flips} flip{'s' if flips > 1 else ''}",
        "brute force",
        expected,
        found,
        abs(found - expected) < 1e-12,
        f"all $4^{flips}$ sequences of coins and results; agreement within $10^{{-12}}$",
    )


def _tree(parameters: Parameters, flips: int, start: int) -> float:
    """The value by its definition: all final scores, then the mean over each result and the better of each coin."""
    scores = np.array([start])
    for _ in range(flips):
        changes = np.array([[parameters.v_a, -parameters.v_a], [parameters.v_b, -parameters.v_b]])
        scores = scores[..., np.newaxis, np.newaxis] + changes
    heads = np.array([float(parameters.p_a), float(parameters.p_b)])
    value = (scores >= parameters.target).astype(float)
    for _ in range(flips):
        value = (value[..., 0] * heads + value[..., 1] * (1 - heads)).max(axis=-1)
    return float(value[0])


def _whole_rows(parameters: Parameters, result: Result) -> Check:
    """The whole game once more, in floats: by flips left, over all scores that could count, reached or not."""
    steps = [(parameters.v_a, float(parameters.p_a)), (parameters.v_b, float(parameters.p_b))]
    margin = max(parameters.v_a, parameters.v_b)
    far = margin * (parameters.n_flips + 1)
    if not -far <= parameters.target <= far:
        return _out_of_reach(parameters, result)
    row = (np.arange(-far, far + 1) >= parameters.target).astype(float)
    for _ in range(parameters.n_flips):
        padded = np.concatenate([np.zeros(margin), row, np.ones(margin)])
        coins = [
            p * padded[margin + v : len(row) + margin + v] + (1 - p) * padded[margin - v : len(row) + margin - v]
            for v, p in steps
        ]
        row = np.maximum(*coins)
    expected, found = float(row[far]), float(result.win_probability)
    return Check(
        "the whole game",
        "another algorithm",
        expected,
        found,
        abs(found - expected) < 1e-9,
        "whole rows of scores in floats, counted by flips left; agreement within $10^{-9}$",
    )


def _out_of_reach(parameters: Parameters, result: Result) -> Check:
    expected = float(parameters.target < 0)
    return Check(
        "a target out of reach",
        "closed form",
        expected,
        float(result.win_probability),
        float(result.win_probability) == expected,
        "no play comes near the target, so the start decides",
    )


def _played_games(parameters: Parameters, result: Result) -> Check:
    """Seeded games in which the coin is looked up in the policy; four standard errors, and four games for rare wins."""
    games = max(1000, min(20_000, 4_000_000 // parameters.n_flips))
    random = np.random.default_rng(parameters.seed)
    lowest = int(result.best_coin.axes["score"][0])
    scores = np.zeros(games, dtype=np.int64)
    values = np.array([parameters.v_a, parameters.v_b])
    heads = np.array([float(parameters.p_a), float(parameters.p_b)])
    for flip in range(parameters.n_flips):
        best = result.best_coin.values[flip, scores - lowest]
        coin = np.where(best == 2, flip % 2, best)
        scores += np.where(random.random(games) < heads[coin], 1, -1) * values[coin]
    won = int((scores >= parameters.target).sum())
    return games_played(won, games, result.win_probability, parameters.seed, spare=4)


def _rule_followed(parameters: Parameters, result: Result) -> Check:
    """The rule of thumb as a strategy of its own: the distribution of the score under it, as a mapping."""
    rule = result.rule
    assert rule is not None
    picked = {"A": (parameters.v_a, float(parameters.p_a)), "B": (parameters.v_b, float(parameters.p_b))}
    chances = {0: 1.0}
    for _ in range(parameters.n_flips):
        after: dict[int, float] = {}
        for score, chance in chances.items():
            above = rule.threshold is None or score >= rule.threshold
            value, heads = picked[rule.above if above else rule.below]
            after[score + value] = after.get(score + value, 0.0) + chance * heads
            after[score - value] = after.get(score - value, 0.0) + chance * (1 - heads)
        chances = after
    expected = sum(chance for score, chance in chances.items() if score >= parameters.target)
    found = float(result.win_probability)
    return Check(
        "the rule of thumb, followed",
        "another algorithm",
        expected,
        found,
        abs(found - expected) < 1e-9,
        "the distribution of the score under the rule, in floats; agreement within $10^{-9}$",
    )
