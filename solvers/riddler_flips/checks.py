"""The answers by other methods: all sequences, whole rows of scores, repeated convolution, games played."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import lcm
from operator import eq

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import close, counted, listed, same
from solvers.common.score_checks import LONG, CheckedGame, MapsCompared, games_played, limit_of_long_games, states_check
from solvers.common.whole_rows import Coin
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.puzzle import Result, value

PUBLISHED = 0.6403174472759772
"""The writeup of 2020-02-21, for 100 flips of two fair coins worth 1 and 2 points."""

EXACT = 200
"""The chances of one coin alone are computed in whole numbers up to so many flips."""


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Eight to nineteen checks that share no code with the solution."""
    game = _game(parameters, parameters.n_flips)
    if parameters == Parameters(arithmetic=parameters.arithmetic, seed=parameters.seed):
        found = float(result.win_probability)
        yield close("chance of winning, as published", "published value", PUBLISHED, found, 14, "writeup of 2020-02-21")
    yield _small_game(parameters, result)
    yield from _last_flips(parameters, result)
    yield states_check(game, result.n_states, "flips", "score")
    yield from _one_coin(parameters, result)
    yield from _by_whole_rows(parameters, result, game)
    if result.is_whole:
        yield games_played(game, result.best_coin, result.win_probability, parameters.seed, spare=4)
    if result.rule is not None and result.is_whole:
        yield from _rule(result, game)
    if result.limit is not None and max(result.v_a, result.v_b) <= 4 and abs(result.target) <= 4:
        limit = limit_of_long_games(lambda n_flips: _game(parameters, n_flips))
        how = f"twice the chance with {4 * LONG} flips less that with {LONG}"
        yield close("the limit of long games", "another algorithm", limit, result.limit, 3, how)


def _game(parameters: Parameters, n_flips: int) -> CheckedGame:
    coins = Coin(parameters.v_a, parameters.p_a), Coin(parameters.v_b, parameters.p_b)
    return CheckedGame(coins, lambda scores: 2 * (scores >= parameters.target), [1] * n_flips, [-1] * n_flips)


def _small_game(parameters: Parameters, result: Result) -> Check:
    """A game of at most nine flips, by its rules."""
    flips = min(parameters.n_flips, 9)
    return close(
        f"a game of {flips} flip{'s' if flips > 1 else ''}",
        "brute force",
        float(_chance(parameters, flips, 0)),
        result.win_probability_by_flips[flips],
        12,
        f"all $4^{flips}$ sequences of coins and results",
    )


def _chance(parameters: Parameters, flips_left: int, score: int) -> Fraction:
    """The value by the rules, exact."""
    whole = lcm(parameters.p_a.denominator, parameters.p_b.denominator)
    sides = ((parameters.v_a, int(parameters.p_a * whole)), (parameters.v_b, int(parameters.p_b * whole)))
    coins = [(points, heads, whole - heads) for points, heads in sides]
    return Fraction(value(flips_left, score, coins, parameters.target), whole**flips_left)


def _last_flips(parameters: Parameters, result: Result) -> Iterator[Check]:
    """The table of the last flips by the rules, exact."""
    left, scores = (tuple(map(int, result.endgame.axes[name])) for name in ("flips_left", "score"))
    table = [tuple(_chance(parameters, flips, score) for score in scores) for flips in left]
    found = [tuple(row) for row in result.endgame.values]
    how = f"from each score from {scores[0]} to {scores[-1]}; exact"
    if max(chance.denominator for chance in table[-1]) < 10**9:  # short enough for a reader
        tree = f"all $4^{left[-1]}$ sequences of coins and results, {how}"
        flips = f"{left[-1]} flip{'s' if left[-1] > 1 else ''}"
        yield same(f"chances with {flips} left", "brute force", table[-1], found[-1], tree)
    agreeing = sum(sum(map(eq, row, computed)) for row, computed in zip(table, found, strict=True))
    how = f"all sequences of coins and results of up to {left[-1]} flips, {how}"
    yield counted("cells of the table of the last flips", "brute force", len(left) * len(scores), agreeing, how)


def _one_coin(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Each coin alone, by the distribution of its score flip after flip (the solution sums binomial coefficients)."""
    exact = [_tail(coin, parameters) for coin in _game(parameters, 1).coins]
    expected, found = [float(chance) for chance in exact], (result.coin_a_alone, result.coin_b_alone)
    how = "the distribution of heads, built up flip by flip"
    alone = close("coin A alone, and coin B alone", "another algorithm", tuple(expected), found, 10, how)
    yield replace(alone, passed=alone.passed and (parameters.n_flips > EXACT or tuple(exact) == found))
    gain = float(result.win_probability) - max(expected)
    yield close("what the choice of coins adds", "another algorithm", gain, result.gain, 10, "the same distributions")
    if max(expected) > 0.001:
        share, how = gain / max(expected), "the same distributions, as a share of the better coin's chance"
        yield close("what it adds, relatively", "another algorithm", share, result.relative_gain or 0, 6, how)
    if abs(expected[0] - expected[1]) > 1e-9:
        better = "A" if expected[0] > expected[1] else "B"
        how = "the two distributions of heads"
        yield same("the better coin alone", "another algorithm", better, result.better_alone, how)


def _tail(coin: Coin, parameters: Parameters) -> Fraction:
    """The chance of the target with one coin, in whole numbers if the flips are not too many."""
    flips, exact = parameters.n_flips, parameters.n_flips <= EXACT
    up, whole = (coin.heads.numerator, coin.heads.denominator) if exact else (float(coin.heads), 1)
    chances = np.array([1], dtype=object if exact else float)
    for _ in range(flips):
        chances = up * np.append(0, chances) + (whole - up) * np.append(chances, 0)
    scores = coin.points * (2 * np.arange(flips + 1) - flips)
    won = chances[scores >= parameters.target].sum()
    return Fraction(won) / Fraction(whole**flips)


def _by_whole_rows(parameters: Parameters, result: Result, game: CheckedGame) -> Iterator[Check]:
    """The whole game once more, with every score that could count."""
    flips, found = parameters.n_flips, result.win_probability_by_flips
    beyond = max(coin.points for coin in game.coins) * (flips + 1)
    if abs(parameters.target) > beyond:
        start, how = int(parameters.target < 0), "no play comes near the target, so the start decides"
        yield close("a target out of reach", "closed form", start, result.win_probability, 12, how)
        return
    last = result.last_policy if result.is_whole else None
    maps = MapsCompared(game, result.win_probability_by_state, result.best_coin, result.policy, last)
    by_flips, zero = [], np.array([0])
    for row in game.rows(result.exact):
        maps.compare(row)
        by_flips.append(float(row.chances(zero)[0]))
    how = f"all scores from {-beyond} to {beyond}, counted by flips left"
    yield close("chance of winning", "another algorithm", by_flips[-1], result.win_probability, 12, how)
    near = sum(abs(one - other) < 1e-9 for one, other in zip(by_flips, found, strict=False))
    longer = f"0 to {flips} flips, by whole rows of scores; agreement within $10^{{-9}}$"
    yield counted("games of every length", "another algorithm", flips + 1, near, longer)
    hurtful = tuple(flips for flips, (one, more) in enumerate(pairwise(by_flips), 1) if more < one - 1e-12)
    how = "the same rows: the lengths of the game at which one flip fewer would win more often"
    yield listed("flips that hurt", "another algorithm", hurtful, result.hurtful_flips, how)
    if row.exact != result.exact:
        return
    yield from maps.checks()
    if result.is_whole and result.exact:
        counts = (result.a_states, result.b_states, result.either_states, result.open_states)
        expected = (*maps.needs.tolist(), int(maps.needs.sum()))
        how = "counted in whole rows of scores, and added up"
        yield same("open states: A, B, either, all", "another algorithm", expected, counts, how)
    if not row.unsure(zero)[0]:
        best = "decided" if row.decided(zero)[0] else ("A", "B", "either")[row.choices(zero)[0]]
        how = "the better coin before the first flip, by whole rows of scores"
        yield same("the first coin", "another algorithm", best, result.first_coin, how)


def _rule(result: Result, game: CheckedGame) -> Iterator[Check]:
    """The rule of thumb followed as a strategy, and the states in which its coin is not best."""
    rule, best = result.rule, result.best_coin
    assert rule is not None
    codes = {"A": 0, "B": 1, "either": 2}
    below, above = codes[rule.below], codes[rule.above]
    scores = np.array(best.axes["score"])
    threshold = int(scores[0]) if rule.threshold is None else rule.threshold
    expected = game.followed(lambda flip, score: (above if score >= threshold else below) % 2)
    found, how = (
        result.win_probability if rule.proved else rule.win_probability,
        "the distribution of the score, flip by flip",
    )
    yield close("the rule of thumb, followed", "another algorithm", expected, found, 10, how)
    taken = np.where(scores >= threshold, above, below)
    mistakes = int(((best.values != taken) & np.isin(best.values, (0, 1))).sum())
    counts = (mistakes, int((best.values >= 0).sum()))
    how = f"the coin that the rule takes, looked up in the map of best coins; proved: {'no' if mistakes else 'yes'}"
    claimed = (rule.mistakes, rule.states) if rule.proved == (mistakes == 0) else (rule.mistakes, rule.states, "proved")
    yield same("mistakes of the rule, and states", "brute force", counts, claimed, how)
