"""The answers by other methods: all sequences, whole rows of scores, repeated convolution, games played."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np

from site_builder.contract import Absolute, Check
from solvers.common.score_checks import (
    LONG,
    CheckedGame,
    MapsCompared,
    form_check,
    games_played,
    limit_of_long_games,
    states_check,
)
from solvers.common.whole_rows import Coin
from solvers.riddler_flips.parameters import Parameters
from solvers.riddler_flips.puzzle import Result, value

LAST_FLIPS, NEAR = 6, 3
"""The table of the last flips has so many flips left, and so many scores to each side of the one below the target."""

PUBLISHED = 0.6403174472759772
"""The writeup of 2020-02-21, for 100 flips of two fair coins worth 1 and 2 points."""

EXACT = 200
"""The chances of one coin alone are computed in whole numbers up to so many flips."""


def checks(parameters: Parameters, result: Result, fields: frozenset[str] | None = None) -> Iterator[Check]:
    """Eight to nineteen checks that share no code with the solution. fields: those that a sweep keeps."""
    game = _game(parameters, parameters.n_flips)
    if fields is not None and fields <= {"win_probability"}:
        yield from _start(parameters, result, game)
        return
    if parameters == Parameters(arithmetic=parameters.arithmetic, seed=parameters.seed):
        name, found, how = "chance of winning, as published", result.win_probability, "writeup of 2020-02-21"
        of = "win_probability"
        yield Check(name, "published value", PUBLISHED, found, of=of, within=Absolute(1e-14), detail=how)
    farthest = parameters.n_flips * max(parameters.v_a, parameters.v_b)
    form = (result.exact, result.is_whole)
    yield form_check(result.win_probability, result.best_coin, parameters.n_flips, farthest, form)
    yield _small_game(parameters, result)
    yield from _last_flips(parameters, result)
    yield states_check(game, result.n_states, "flips", "score")
    yield from _one_coin(parameters, result)
    yield from _by_whole_rows(parameters, result, game)
    if result.is_whole:
        of = "best_coin, win_probability"
        yield games_played(game, result.best_coin, result.win_probability, of, parameters.seed, spare=4)
    if result.rule is not None and result.is_whole:
        yield from _rule(result, game)
    if result.limit is not None and max(result.v_a, result.v_b) <= 4 and abs(result.target) <= 4:
        limit = limit_of_long_games(lambda n_flips: _game(parameters, n_flips))
        how = f"twice the chance with {4 * LONG} flips less that with {LONG}"
        name, within = "the limit of long games", Absolute(1e-3)
        yield Check(name, "another algorithm", limit, result.limit, of="limit", within=within, detail=how)


def _game(parameters: Parameters, n_flips: int) -> CheckedGame:
    coins = Coin(parameters.v_a, parameters.p_a), Coin(parameters.v_b, parameters.p_b)
    return CheckedGame(coins, lambda scores: 2 * (scores >= parameters.target), [1] * n_flips, [-1] * n_flips)


def _small_game(parameters: Parameters, result: Result) -> Check:
    """A game of at most nine flips, by its rules."""
    flips = min(parameters.n_flips, 9)
    return Check(
        f"a game of {flips} flip{'s' if flips > 1 else ''}",
        "brute force",
        _through_all_sequences(parameters, flips),
        result.win_probability_by_flips[flips],
        of="win_probability_by_flips[1]",
        within=Absolute(1e-12),
        detail=f"all $4^{flips}$ sequences of coins and results",
    )


def _through_all_sequences(parameters: Parameters, flips: int) -> Fraction:
    """The value of score 0, exact: the ends of all sequences of coins and results at once, then flip by flip back."""
    whole = lcm(parameters.p_a.denominator, parameters.p_b.denominator)
    number = np.int64 if whole**flips < 2**62 else object
    heads = [int(chance * whole) for chance in (parameters.p_a, parameters.p_b)]
    weights = np.array([(up, whole - up) for up in heads], dtype=number)  # by coin and result, as the moves
    moves = [(points, -points) for points in (parameters.v_a, parameters.v_b)]
    ends = np.array(0)
    for _ in range(flips):
        ends = np.add.outer(ends, moves)
    worth = (ends >= parameters.target).astype(number)
    for _ in range(flips):
        worth = (worth * weights).sum(axis=-1).max(axis=-1)
    return Fraction(int(worth), whole**flips)


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
    sides = [parameters.target - 1 - NEAR, parameters.target - 1 + NEAR]
    expected, ends = (min(LAST_FLIPS, parameters.n_flips), *sides), (left[-1], scores[0], scores[-1])
    name, said = "ends of the table of the last flips", "flips left, lowest and highest score"
    yield Check(name, "by hand", expected, ends, of="endgame", detail=said)
    if max(chance.denominator for chance in table[-1]) < 10**9:  # short enough for a reader
        tree = f"all $4^{left[-1]}$ sequences of coins and results, {how}"
        name, of = f"chances with {left[-1]} flip{'s' if left[-1] > 1 else ''} left", f"endgame[{len(scores)}]"
        yield Check(name, "brute force", table[-1], found[-1], of=of, detail=tree)
    name = "cells of the table of the last flips"
    how = f"all sequences of coins and results of up to {left[-1]} flips, {how}"
    yield Check(name, "brute force", table, found, of="endgame", detail=how)


def _one_coin(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Each coin alone, by the distribution of its score flip after flip (the solution sums binomial coefficients)."""
    exact = [_tail(coin, parameters) for coin in _game(parameters, 1).coins]
    expected, found = [float(chance) for chance in exact], (result.coin_a_alone, result.coin_b_alone)
    name, how = "coin A alone, and coin B alone", "the distribution of heads, built up flip by flip"
    of = "coin_a_alone, coin_b_alone"
    if parameters.n_flips <= EXACT:
        yield Check(name, "another algorithm", exact, found, of=of, detail=f"{how}; exact")
    else:
        yield Check(name, "another algorithm", expected, found, of=of, within=Absolute(1e-10), detail=how)
    gain, how = float(result.win_probability) - max(expected), "the same distributions"
    name, within = "what the choice of coins adds", Absolute(1e-10)
    yield Check(name, "another algorithm", gain, result.gain, of="gain", within=within, detail=how)
    if max(expected) > 0.001:
        share, how = gain / max(expected), "the same distributions, as a share of the better coin's chance"
        relative, within, of = result.relative_gain or 0, Absolute(1e-6), "relative_gain"
        yield Check("what it adds, relatively", "another algorithm", share, relative, of=of, within=within, detail=how)
    if abs(expected[0] - expected[1]) > 1e-9 or parameters.n_flips <= EXACT:
        better = "neither" if exact[0] == exact[1] else "A" if exact[0] > exact[1] else "B"
        of, how = "better_alone", "the two distributions of heads"
        yield Check("the better coin alone", "another algorithm", better, result.better_alone, of=of, detail=how)


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


def _start(parameters: Parameters, result: Result, game: CheckedGame) -> Iterator[Check]:
    """The chance before the first flip, with every score that could count."""
    beyond = max(coin.points for coin in game.coins) * (parameters.n_flips + 1)
    chance, how = float(parameters.target < 0), "no play comes near the target, so the start decides"
    if abs(parameters.target) <= beyond:
        chance, how = game.chance(), f"all scores from {-beyond} to {beyond}"
    win, of = result.win_probability, "win_probability"
    yield Check("chance of winning", "another algorithm", chance, win, of=of, within=Absolute(1e-12), detail=how)


def _by_whole_rows(parameters: Parameters, result: Result, game: CheckedGame) -> Iterator[Check]:
    """The whole game once more, with every score that could count."""
    flips, found = parameters.n_flips, result.win_probability_by_flips
    beyond = max(coin.points for coin in game.coins) * (flips + 1)
    if abs(parameters.target) > beyond:
        yield from _start(parameters, result, game)
        return
    last = result.last_policy if result.is_whole else None
    maps = MapsCompared(game, result.win_probability_by_state, result.best_coin, result.policy, last)
    by_flips, zero = [], np.array([0])
    for row in game.rows(result.exact):
        maps.compare(row)
        by_flips.append(float(row.chances(zero)[0]))
    name, of = "chance of winning", "win_probability"
    how = f"all scores from {-beyond} to {beyond}, counted by flips left"
    win = result.win_probability
    yield Check(name, "another algorithm", by_flips[-1], win, of=of, within=Absolute(1e-12), detail=how)
    name, how = "games of every length", f"0 to {flips} flips, by whole rows of scores"
    of = "win_probability_by_flips"
    yield Check(name, "another algorithm", by_flips, found, of=of, within=Absolute(1e-9), detail=how)
    hurtful = tuple(flips for flips, (one, more) in enumerate(pairwise(by_flips), 1) if more < one - 1e-12)
    how = "the same rows: the lengths of the game at which one flip fewer would win more often"
    of = "hurtful_flips"
    yield Check("flips that hurt", "another algorithm", hurtful, result.hurtful_flips, of=of, detail=how)
    if row.exact != result.exact:
        return
    yield from maps.checks("win_probability_by_state", "best_coin", "policy", "last_policy", parameters.target - 1)
    if result.is_whole and result.exact:
        of = "a_states, b_states, either_states, open_states"
        counts = (result.a_states, result.b_states, result.either_states, result.open_states)
        expected = (*maps.needs.tolist(), int(maps.needs.sum()))
        name, how = "open states: A, B, either, all", "counted in whole rows of scores, and added up"
        yield Check(name, "another algorithm", expected, counts, of=of, detail=how)
    if not row.unsure(zero)[0]:
        best = "decided" if row.decided(zero)[0] else ("A", "B", "either")[row.choices(zero)[0]]
        how, of = "the better coin before the first flip, by whole rows of scores", "first_coin"
        yield Check("the first coin", "another algorithm", best, result.first_coin, of=of, detail=how)


def _rule(result: Result, game: CheckedGame) -> Iterator[Check]:
    """The rule of thumb followed as a strategy, and the states in which its coin is not best."""
    rule, best = result.rule, result.best_coin
    assert rule is not None
    codes = {"A": 0, "B": 1, "either": 2}
    below, above = codes[rule.below], codes[rule.above]
    scores = np.array(best.axes["score"])
    threshold = int(scores[0]) if rule.threshold is None else rule.threshold
    expected = game.followed(lambda flip, score: (above if score >= threshold else below) % 2)
    name, how = "the rule of thumb, followed", "the distribution of the score, flip by flip"
    of = "rule.below, rule.above, rule.win_probability"
    yield Check(name, "another algorithm", expected, rule.win_probability, of=of, within=Absolute(1e-10), detail=how)
    taken = np.where(scores >= threshold, above, below)
    mistakes = int(((best.values != taken) & np.isin(best.values, (0, 1))).sum())
    counts = (mistakes, int((best.values >= 0).sum()), mistakes == 0)
    how = "the coin that the rule takes, looked up in the map of best coins"
    of, claimed = "rule.mistakes, rule.states, rule.proved", (rule.mistakes, rule.states, rule.proved)
    yield Check("mistakes of the rule, states, whether it is proved", "brute force", counts, claimed, of=of, detail=how)
    yield _least_mistakes(result, scores)


def _least_mistakes(result: Result, scores: np.ndarray) -> Check:
    """Every threshold with both orders of the coins, its mistakes added up score by score."""
    rule, needs = result.rule, [(result.best_coin.values == code).sum(axis=0) for code in (0, 1)]
    assert rule is not None
    rules = []
    for threshold in range(int(scores[0]), int(scores[-1]) + 2):
        is_split = scores[0] < threshold <= scores[-1]
        for below, above in ((0, 1), (1, 0)):
            mistakes = int(needs[1 - below][scores < threshold].sum() + needs[1 - above][scores >= threshold].sum())
            rules.append((mistakes, is_split, abs(threshold - result.target), threshold))
    least, is_split, _, threshold = min(rules)
    expected, found = (least, threshold if is_split else None), (rule.mistakes, rule.threshold)
    name, how = "the fewest mistakes of a rule, and its threshold", "every threshold, the coins in both orders"
    return Check(name, "brute force", expected, found, of="rule.mistakes, rule.threshold", detail=how)
