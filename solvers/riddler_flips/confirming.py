"""The answers confirmed by other methods: trees, whole rows of scores, repeated convolution, games played."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from operator import eq

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import close, counted, listed, same
from solvers.common.occurring import states_check
from solvers.common.played_games import games_played
from solvers.common.state_checks import StatesCompared
from solvers.common.whole_rows import Coin, Row, scores_that_occur, whole_rows
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.puzzle import Result

PUBLISHED = 0.6403174472759772
"""The writeup of 2020-02-21, for 100 flips of two fair coins worth 1 and 2 points."""

EXACT = 200
"""A game of so many flips of one coin is worth whole numbers."""

LONG = 400
"""The limit is told from a game of so many flips and one of four times as many."""


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Eight to eighteen confirmations that share no code with the solution."""
    if _is_published(parameters):
        found = float(result.win_probability)
        yield close("chance of winning, as published", "published value", PUBLISHED, found, 14, "writeup of 2020-02-21")
    yield _small_game(parameters, result)
    yield from _last_flips(parameters, result)
    yield _states(parameters, result)
    yield from _one_coin(parameters, result)
    yield from _by_whole_rows(parameters, result)
    if result.is_whole:
        yield _played_games(parameters, result)
    if result.rule is not None and result.is_whole:
        yield _rule_followed(parameters, result)
        yield _rule_in_every_state(result)
    if result.limit is not None and max(result.v_a, result.v_b) <= 4 and abs(result.target) <= 4:
        yield _limit(parameters, result)


def _is_published(parameters: Parameters) -> bool:
    return parameters == Parameters(arithmetic=parameters.arithmetic, seed=parameters.seed)


def _coins(parameters: Parameters) -> tuple[Coin, Coin]:
    return Coin(parameters.v_a, parameters.p_a), Coin(parameters.v_b, parameters.p_b)


def _small_game(parameters: Parameters, result: Result) -> Check:
    """A game of at most nine flips from its start, as a whole tree."""
    flips = min(parameters.n_flips, 9)
    return close(
        f"a game of {flips} flip{'s' if flips > 1 else ''}",
        "brute force",
        float(_tree(parameters, flips, 0, parameters.target)),
        result.win_probability_by_flips[flips],
        12,
        f"all $4^{flips}$ sequences of coins and results",
    )


def _last_flips(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Every sequence of coins and results of the last flips, from each score of the small table; exact."""
    left, scores = (tuple(map(int, result.endgame.axes[name])) for name in ("flips_left", "score"))
    table = [tuple(_tree(parameters, flips, score, parameters.target) for score in scores) for flips in left]
    found = [tuple(result.endgame.at(flips_left=flips, score=score) for score in scores) for flips in left]
    how = f"from each score from {scores[0]} to {scores[-1]}; exact"
    if max(chance.denominator for chance in table[-1]) < 10**9:  # a reader can take them in
        tree = f"all $4^{left[-1]}$ sequences of coins and results, {how}"
        flips = f"{left[-1]} flip{'s' if left[-1] > 1 else ''}"
        yield same(f"chances with {flips} left", "brute force", table[-1], found[-1], tree)
    agreeing = sum(sum(map(eq, row, told)) for row, told in zip(table, found, strict=True))
    how = f"all sequences of coins and results of up to {left[-1]} flips, {how}"
    yield counted("cells of the table of the last flips", "brute force", len(left) * len(scores), agreeing, how)


def _tree(parameters: Parameters, flips: int, start: int, target: int) -> Fraction:
    """The value by its definition: all final scores, then the mean over each result and the better of each coin."""
    scores = np.array([start])
    for _ in range(flips):
        changes = np.array([[parameters.v_a, -parameters.v_a], [parameters.v_b, -parameters.v_b]])
        scores = scores[..., np.newaxis, np.newaxis] + changes
    whole = parameters.p_a.denominator * parameters.p_b.denominator
    heads = np.array([int(parameters.p_a * whole), int(parameters.p_b * whole)], dtype=object)
    value = (scores >= target).astype(object)
    for _ in range(flips):
        value = (value[..., 0] * heads + value[..., 1] * (whole - heads)).max(axis=-1)
    return Fraction(int(value[0]), whole**flips)


def _states(parameters: Parameters, result: Result) -> Check:
    """The states that can occur, from the results that the coins can have."""
    sides = [(coin.points, coin.heads) for coin in _coins(parameters)]
    sides += [(-points, 1 - heads) for points, heads in sides]
    moves = {points for points, chance in sides if chance}
    return states_check([moves] * parameters.n_flips, result.n_states, "flips", "score")


def _one_coin(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Each coin alone, by the distribution of its score flip after flip (the solution sums binomial coefficients)."""
    exact = [_tail(coin, parameters) for coin in _coins(parameters)]
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
    flips, whole = parameters.n_flips, coin.heads.denominator if parameters.n_flips <= EXACT else 1
    up: int | float = coin.heads.numerator if flips <= EXACT else float(coin.heads)
    chances = np.array([1], dtype=object if flips <= EXACT else float)
    for _ in range(flips):
        chances = up * np.append(0, chances) + (whole - up) * np.append(chances, 0)
    scores = coin.points * (2 * np.arange(flips + 1) - flips)
    won = chances[scores >= parameters.target].sum()
    return Fraction(won) / Fraction(whole**flips)


def _by_whole_rows(parameters: Parameters, result: Result) -> Iterator[Check]:
    """The whole game once more: every score that could count, and the scores that occur by sets."""
    coins, flips, found = _coins(parameters), parameters.n_flips, result.win_probability_by_flips
    beyond = max(coin.points for coin in coins) * (flips + 1)
    if abs(parameters.target) > beyond:
        start, how = int(parameters.target < 0), "no play comes near the target, so the start decides"
        yield close("a target out of reach", "closed form", start, result.win_probability, 12, how)
        return
    occurring = list(scores_that_occur([coins] * flips)) if result.is_whole else None
    states = StatesCompared([int(score) for score in result.best_coin.axes["score"]], occurring)
    by_flips = []
    for row in whole_rows(coins, [np.maximum] * flips, lambda at: 2 * (at >= parameters.target), result.exact):
        _compare(states, result, row)
        by_flips.append(float(row.chances(np.array([0]))[0]))
    how = f"all scores from {-beyond} to {beyond}, counted by flips left"
    yield close("chance of winning", "another algorithm", by_flips[-1], result.win_probability, 12, how)
    near = sum(abs(one - other) < 1e-9 for one, other in zip(by_flips, found, strict=False))
    longer = f"0 to {flips} flips, by whole rows of scores; agreement within $10^{{-9}}$"
    yield counted("games of every length", "another algorithm", flips + 1, near, longer)
    hurtful = tuple(flips for flips, (one, more) in enumerate(pairwise(by_flips), 1) if more < one - 1e-12)
    how = "the same rows: the lengths of the game at which one flip fewer would win more often"
    yield listed("flips that hurt", "another algorithm", hurtful, result.hurtful_flips, how)
    if row.exact == result.exact:
        yield from _state_checks(states, result, row)


def _compare(states: StatesCompared, result: Result, row: Row) -> None:
    """Compare what the result keeps of the states before a flip."""
    flip = row.step
    if not row.coins or flip not in result.best_coin.axes["flips"]:
        return
    best, policy, chance = (
        grid.along(flips=flip).values for grid in (result.best_coin, result.policy, result.win_probability_by_state)
    )
    shown = states.compare(row, best, policy, chance)
    if result.is_whole and flip in result.last_policy.axes["flips"]:
        states.compare_last(result.last_policy.along(flips=flip), shown)


def _state_checks(states: StatesCompared, result: Result, first: Row) -> Iterator[Check]:
    yield from states.checks()
    if result.is_whole and result.exact:
        found = (result.a_states, result.b_states, result.either_states, result.open_states)
        expected = (*states.needs.tolist(), int(states.needs.sum()))
        how = "counted in whole rows of scores, and added up"
        yield same("open states: A, B, either, all", "another algorithm", expected, found, how)
    start = np.array([0])
    if not first.unsure(start)[0]:
        best = "decided" if first.decided(start)[0] else ("A", "B", "either")[first.choices(start)[0]]
        how = "the better coin before the first flip, by whole rows of scores"
        yield same("the first coin", "another algorithm", best, result.first_coin, how)


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
    picked = dict(zip("AB", _coins(parameters), strict=True))
    chances = {0: 1.0}
    for _ in range(parameters.n_flips):
        after: dict[int, float] = {}
        for score, chance in chances.items():
            coin = picked[rule.above if rule.threshold is None or score >= rule.threshold else rule.below]
            for points, share in ((coin.points, float(coin.heads)), (-coin.points, float(1 - coin.heads))):
                after[score + points] = after.get(score + points, 0.0) + chance * share
        chances = after
    expected = sum(chance for score, chance in chances.items() if score >= parameters.target)
    found = result.win_probability if rule.proved else rule.win_probability
    how = "the distribution of the score, flip by flip"
    return close("the rule of thumb, followed", "another algorithm", expected, found, 10, how)


def _rule_in_every_state(result: Result) -> Check:
    """The states in which the rule takes a coin that is not best."""
    rule, best = result.rule, result.best_coin
    assert rule is not None
    scores = np.array(best.axes["score"])
    above = scores >= (scores[0] if rule.threshold is None else rule.threshold)
    takes = np.where(above, "AB".index(rule.above), "AB".index(rule.below))
    mistakes = int(((best.values == 1 - takes) & (best.values >= 0)).sum())
    states = int((best.values >= 0).sum())
    how = f"the coin that the rule takes, looked up in the map of best coins; proved: {'no' if mistakes else 'yes'}"
    found = (rule.mistakes, rule.states) if rule.proved == (mistakes == 0) else (rule.mistakes, rule.states, "proved")
    return same("mistakes of the rule, and states", "brute force", (mistakes, states), found, how)


def _limit(parameters: Parameters, result: Result) -> Check:
    """What is lacking halves when the flips are four times as many, so that two games tell the limit."""
    coins, chances = _coins(parameters), []
    for flips in (LONG, 4 * LONG):
        for row in whole_rows(coins, [np.maximum] * flips, lambda scores: 2 * (scores >= parameters.target)):
            start = float(row.chances(np.array([0]))[0])
        chances.append(start)
    how = f"twice the chance with {4 * LONG} flips less that with {LONG}"
    return close("the limit of long games", "another algorithm", 2 * chances[1] - chances[0], result.limit, 3, how)
