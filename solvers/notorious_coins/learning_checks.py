"""The checks of the unknown error rate: recursion over histories, seeded games, identities, a replay.

Nothing here calls a function that `solve` uses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from site_builder.contract import Absolute, Check
from solvers.notorious_coins import second_methods as second
from solvers.notorious_coins.game import Choice, HitChance, values_at_unknown_rate
from solvers.notorious_coins.learning import Learning
from solvers.notorious_coins.parameters import Parameters
from solvers.notorious_coins.solution import Result

_LONGEST = 16  # coins of a row on which every history and every point of the curves is computed


@dataclass(frozen=True, eq=False)
class _Side:
    """The answer for one slipper, and the game in question. perfect: the ends of perfect play, shape (n, n)."""

    result: Result
    learning: Learning
    slipper: str
    perfect: np.ndarray

    def fields(self, *names: str) -> str:
        """The names of these fields of the answer."""
        return ", ".join(f"{'learning' if self.slipper == 'opponent' else 'slipping'}.{name}" for name in names)

    def winnings(self, hit_chance: HitChance, choose: Choice | None = None) -> Any:
        """Your expected winnings on the row by the rule of the game, exact on short rows."""
        values = self.result.values
        number = Fraction if len(values) <= _LONGEST else float
        value, _ = values_at_unknown_rate(values, self.perfect, self.slipper, hit_chance, choose, number)
        return value(0, len(values) - 1, 0, 0)

    def believed(self, hits: int, misses: int) -> Fraction:
        """The chance of the next hit under the Beta belief."""
        a, b = self.result.prior
        return (a + hits) / (a + b + hits + misses)

    def naive(self, i: int, j: int, hits: int, misses: int) -> int:
        """The end of perfect play."""
        return int(self.perfect[i, j])

    def learner(self, i: int, j: int, hits: int, misses: int) -> int:
        """The end of the learner's policy."""
        return int(self.learning.policy[(self.result.n - 1 - j + i) // 2][i, hits, misses])


def _always(rate: Fraction) -> HitChance:
    return lambda hits, misses: rate


def learning_checks(
    parameters: Parameters, result: Result, learning: Learning, slipping: Learning, fields: frozenset[str] | None = None
) -> Iterator[Check]:
    """Every check that applies to rows of up to 40 coins. fields: those that are kept, as of `checks`."""
    perfect = second.perfect_ends(result.values)
    if fields is not None and fields.isdisjoint(("learning", "slipping", "learner_game", "erring")):
        if "watching" in fields:
            side = _Side(result, learning, "opponent", perfect)
            yield _watching(side, side.winnings(side.believed, _guesser(side)))
        return
    yield _meeting_points(result, learning, slipping)
    yield _mirrored(slipping)
    yield _learner_game(result, learning, perfect)
    for found, slipper, rate in ((learning, "opponent", parameters.p), (slipping, "hand", parameters.q)):
        side = _Side(result, found, slipper, perfect)
        yield _rates(side, None if isinstance(rate, (str, tuple)) else Fraction(rate))
        yield from _fixed_plans(side)
        if result.n <= _LONGEST:
            yield _curves(side)
        yield from _differences(side)
        if result.n <= _LONGEST:
            yield _histories(side)
        else:
            yield from _played(side)


def _meeting_points(result: Result, learning: Learning, slipping: Learning) -> Check:
    """Sure hits are perfect play; at p = 1/2 it does not matter where the opponent aims."""
    sure = tuple(grid.at(rate=1) for side in (learning, slipping) for grid in (side.known_by_rate, side.naive_by_rate))
    blind, aimless = learning.known_by_rate.at(rate=Fraction(1, 2)), result.erring.by_p_steady.at(p=Fraction(1, 2))
    expected = (*(result.best,) * 4, float(blind))
    detail = "at a rate of 1 all players collect the same; at $p = 1/2$ both kinds of slipping opponent are one"
    of = "learning.known_by_rate[2], learning.naive_by_rate[1], slipping.known_by_rate[1], slipping.naive_by_rate[1]"
    of = f"{of}, erring.by_p_steady[1]"
    within, found = second.rounding(result.total), (*sure, aimless)
    return Check("where the models meet", "closed form", expected, found, of=of, within=within, detail=detail)


def _mirrored(slipping: Learning) -> Check:
    """If you know that your hand always misses, you aim for the other end."""
    known = slipping.known_by_rate.values.tolist()
    alike = sum(one == other for one, other in zip(known, known[::-1], strict=True))
    detail = "winnings at a known $q$ and at $1 - q$ are the same; exact"
    return Check(
        "rates at which a hand is as good as its mirror image",
        "closed form",
        len(known),
        alike,
        of="slipping.known_by_rate",
        detail=detail,
    )


def _learner_game(result: Result, learning: Learning, perfect: np.ndarray) -> Check:
    """The game replayed: ends that the policy allows, coins at these ends, verdicts, belief and totals."""
    row, first, agreeing, played = list(result.values), 0, 0, result.learner_game or ()
    mine, theirs, hits, misses = Fraction(0), Fraction(0), 0, 0
    a, b = result.prior
    for t, turn in enumerate(played):
        choice, left = learning.policy[t][first, hits, misses], len(row)
        allowed = ("only",) if left == 1 else (("left",), ("right",), ("left", "right"))[choice]
        first += turn.my_end == "left"
        mine += (coin := row.pop(-1 if turn.my_end == "right" else 0))
        agree = turn.my_end in allowed and coin == turn.my_coin
        if row:
            aim = perfect[first, first + len(row) - 1]
            verdict = "nothing" if aim == 2 else "hit" if turn.their_end == ("left", "right")[aim] else "miss"
            first += turn.their_end == "left"
            theirs += (coin := row.pop(-1 if turn.their_end == "right" else 0))
            agree &= coin == turn.their_coin and verdict == turn.verdict
            hits, misses = hits + (verdict == "hit"), misses + (verdict == "miss")
        agree &= (turn.my_total, turn.their_total) == (mine, theirs)
        agreeing += agree and turn.belief == (a + hits) / (a + b + hits + misses)
    how = "replayed on the row: allowed ends, coins, hits and misses, belief and totals; none is left"
    return Check(
        "rounds of the learner's game",
        "brute force",
        len(played),
        agreeing - len(row),
        of="learner_game",
        detail=how,
    )


def _rates(side: _Side, constant: Fraction | None) -> Check:
    """constant: the chance in the parameters if it is one number."""
    guess = side.believed(0, 0)
    expected, found = (guess, guess if constant is None else constant), (side.learning.guess, side.learning.true_rate)
    name = f"the guess and the true rate: the {side.slipper} slips"
    how = "the mean $a / (a + b)$ of the belief; the chance in the parameters, or else the guess"
    return Check(name, "closed form", expected, found, of=side.fields("guess", "true_rate"), detail=how)


def _guesser(side: _Side) -> Choice:
    """The ends of the player who expects the guess throughout."""
    _, aims = values_at_unknown_rate(side.result.values, side.perfect, side.slipper, side.learning.guess)

    @cache
    def end(i: int, j: int) -> int:
        left, right = aims(i, j, 0, 0)
        return 2 if left == right else int(left < right)

    return lambda i, j, hits, misses: end(i, j)


def _fixed_plans(side: _Side) -> Iterator[Check]:
    """The player who guesses the rate and the one who knows it."""
    learning, within, guesser = side.learning, second.rounding(side.result.total), _guesser(side)
    expected = (side.winnings(side.believed, guesser), side.winnings(learning.true_rate, guesser))
    how = "from history to history; on average over the belief, and at the true rate"
    name, found = f"guessing how often the {side.slipper} slips", (learning.mean_guessed, learning.guessed)
    of = side.fields("mean_guessed", "guessed")
    yield Check(name, "another algorithm", expected, found, of=of, within=within, detail=how)
    if side.slipper == "opponent":
        yield _watching(side, expected[0])
    name, known = f"knowing how often the {side.slipper} slips", side.winnings(learning.true_rate)
    how, of = "the better end of each stretch at the true rate, by recursion", side.fields("known")
    yield Check(name, "another algorithm", known, learning.known, of=of, within=within, detail=how)


def _watching(side: _Side, guessed: Any) -> Check:
    """What learning the opponent's rate adds to `guessed`, the winnings of the player who guesses it."""
    gain, name = (side.winnings(side.believed) - guessed) / side.result.total, "what watching the opponent is worth"
    how, within = "the better end of each history, by recursion, against one end for each stretch", Absolute(1e-9)
    found = side.result.watching
    return Check(name, "another algorithm", gain, found, of="watching", within=within, detail=how)


def _curves(side: _Side) -> Check:
    """Every point of the three curves."""
    learning, agreeing, rates = side.learning, 0, side.learning.known_by_rate.axes["rate"]
    for rate in (Fraction(rate) for rate in rates):
        agreeing += learning.known_by_rate.at(rate=rate) == side.winnings(rate)
        agreeing += learning.learned_by_rate.at(rate=rate) == side.winnings(_always(rate), side.learner)
        agreeing += learning.naive_by_rate.at(rate=rate) == side.winnings(rate, side.naive)
    name, how = "points of the curves", "who knows, who learns, who expects no slips; every rate"
    return Check(
        f"{name}: the {side.slipper} slips",
        "another algorithm",
        3 * len(rates),
        agreeing,
        of=side.fields("known_by_rate", "learned_by_rate", "naive_by_rate"),
        detail=how,
    )


def _differences(side: _Side) -> Iterator[Check]:
    """The gains of the learner along the rate, and the states in which the learner departs from perfect play."""
    learning, slips = side.learning, f"the {side.slipper} slips"
    rates = learning.learned_by_rate.axes["rate"]
    gains = {rate: learning.learned_by_rate.at(rate=rate) - learning.naive_by_rate.at(rate=rate) for rate in rates}
    largest, how = max(gains.values()), "the curves subtracted, point by point"
    expected = (largest, min(rate for rate in rates if gains[rate] == largest))
    name, of = f"the most that learning gains, and where: {slips}", side.fields("largest_gain", "gain_rate")
    yield Check(name, "closed form", expected, (learning.largest_gain, learning.gain_rate), of=of, detail=how)
    ahead = tuple(sorted(r for r in rates if gains[r] > 0)), tuple(sorted(r for r in rates if gains[r] < 0))
    found = (tuple(sorted(learning.learned_ahead)), tuple(sorted(learning.naive_ahead)))
    yield Check(
        f"rates at which the learner is ahead, and behind: {slips}",
        "closed form",
        ahead,
        found,
        of=side.fields("learned_ahead", "naive_ahead"),
        detail=how,
    )
    states = changed = 0
    for t, choice in enumerate(learning.policy):
        for i in range(2 * t + 1):
            perfect = side.perfect[i, side.result.n - 1 - 2 * t + i]
            chosen = [int(choice[i, h, m]) for h in range(t + 1) for m in range(t + 1 - h)]
            states += len(chosen)
            changed += sum(end + int(perfect) == 1 for end in chosen)
    name = f"states of the learner, and those that leave perfect play: {slips}"
    how, of = "every stretch with every number of hits and misses, one by one", side.fields("states", "changed")
    yield Check(name, "brute force", (states, changed), (learning.states, learning.changed), of=of, detail=how)


def _histories(side: _Side) -> Check:
    """The averages over the belief and the winnings at the true rate, over all histories of hits and misses."""
    learning, rate = side.learning, side.learning.true_rate
    means = (side.winnings(side.believed), side.winnings(side.believed, side.naive))
    expected = (*means, side.winnings(_always(rate), side.learner), side.winnings(_always(rate), side.naive))
    found = (learning.mean_learned, learning.mean_naive, learning.learned, learning.naive)
    detail = (
        "every history of hits and misses; on average over the belief, then at the true rate; the learner, then one who"
        " expects no slips"
    )
    return Check(
        f"learning how often the {side.slipper} slips",
        "brute force",
        expected,
        found,
        of=side.fields("mean_learned", "mean_naive", "learned", "naive", "policy"),
        detail=detail,
    )


def _played(side: _Side) -> Iterator[Check]:
    """Games with rates drawn from the belief, and games at the true rate."""
    learning, name = side.learning, f"learning how often the {side.slipper} slips"
    for guess, rate, found, field, how in (
        (side.believed(0, 0), None, learning.mean_learned, "mean_learned", "on average"),
        (learning.true_rate, learning.true_rate, learning.learned, "learned", "at the true rate"),
    ):
        if not second.is_rare(guess):
            players, of = _players(side, rate), side.fields(field, "policy")
            yield second.simulated(f"{name}, {how}", side.result.values, players, float(found), of)


def _players(side: _Side, rate: Fraction | None) -> second.Players:
    """The ends that the learner and the opponent take at that rate, or at rates drawn from the belief."""
    n, perfect = side.result.n, np.pad(side.perfect, ((0, 1), (0, 1)), constant_values=2)
    a, b = map(float, side.result.prior)

    def players(games: int, drawn: np.random.Generator) -> tuple[second.End, second.End]:
        chance = drawn.beta(a, b, size=games) if rate is None else np.full(games, float(rate))
        hit, seen = np.zeros(games, dtype=bool), np.zeros((2, games), dtype=int)

        def settle(end: np.ndarray) -> np.ndarray:
            """Of equally good ends each is taken half of the time."""
            return np.where(end == 2, drawn.integers(0, 2, games), end)

        def slip(end: np.ndarray, counts: np.ndarray) -> np.ndarray:
            """The end, or the other one after a miss. Where it counts, the hit or miss is seen."""
            seen[:] += (hit & counts, ~hit & counts)
            return np.where(counts & ~hit, 1 - end, end)

        def my_end(k: int, first: np.ndarray, last: np.ndarray) -> np.ndarray:
            end = settle(side.learning.policy[(n - k) // 2][first, *seen])
            hit[:] = drawn.random(games) < chance
            return slip(end, last > first) if side.slipper == "hand" else end

        def their_end(k: int, first: np.ndarray, last: np.ndarray) -> np.ndarray:
            aim = perfect[first, last]
            return slip(settle(aim), aim != 2) if side.slipper == "opponent" else settle(aim)

        return my_end, their_end

    return players
