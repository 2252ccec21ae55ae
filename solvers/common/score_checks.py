"""Checks for games in which coins move a score: states, maps of states, games played, strategies, long games.

Shares no code with `lattice`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import numpy as np

from site_builder.contract import Check, Grid, StandardErrors
from solvers.common.whole_rows import Coin, Pick, Row, whole_rows

DECIDED, NOWHERE = 3, -1

MOST_CELLS = 200_000
"""A map of at most so many states (step, score), the final ones included, is kept whole."""

LAST_STEPS, LAST_SCORES = 20, 24
"""The map of the last steps: so many, and six of the larger moves to each side of the middle, or so many scores."""

LONG = 400
"""The limit of long games is estimated from games of so many steps and of four times as many."""


@dataclass(frozen=True)
class CheckedGame:
    """The rules once more, for the checks: at each step one of two coins is taken and moves the score.

    pays: what final scores pay, in halves: 0, 1 or 2, rising. turns: for each step 1 where you choose the coin, -1
    where the opponent does. always: for each step the only coin that may be taken, 0 or 1, or -1 where both may.
    """

    coins: tuple[Coin, Coin]
    pays: Callable[[np.ndarray], np.ndarray]
    turns: Sequence[int]
    always: Sequence[int]

    @property
    def picks(self) -> list[Pick]:
        """For each step how the values of the two coins make one."""
        fixed: tuple[Pick, Pick] = (lambda first, second: first), (lambda first, second: second)
        free: dict[int, Pick] = {1: np.maximum, -1: np.minimum}
        return [fixed[only] if only >= 0 else free[turn] for turn, only in zip(self.turns, self.always, strict=True)]

    def rows(self, exact: bool = False) -> Iterator[Row]:
        """Whole rows of scores, from the end to the first step."""
        return whole_rows(self.coins, self.picks, self.pays, exact)

    def chance(self) -> float:
        """The value at the start, in floats."""
        for row in self.rows():
            first = row
        return float(first.chances(np.array([0]))[0])

    def moves(self) -> list[set[int]]:
        """For each step by how much it can change the score."""
        sides = [((coin.points, coin.heads), (-coin.points, 1 - coin.heads)) for coin in self.coins]
        moves = [{points for points, chance in both if chance} for both in sides]
        return [moves[only] if only >= 0 else moves[0] | moves[1] for only in self.always]

    def occurring(self) -> Iterator[np.ndarray]:
        """The scores that can occur before each step and at the end, found by marking each that can follow."""
        far = sum(max(map(abs, moves)) for moves in self.moves())
        marks = np.zeros(2 * far + 1, dtype=bool)
        marks[far] = True
        yield np.flatnonzero(marks) - far
        for moves in self.moves():
            marks = np.logical_or.reduce([np.roll(marks, move) for move in moves])
            yield np.flatnonzero(marks) - far

    def followed(self, take: Callable[[int, int], int]) -> float:
        """The chance of a strategy, by the distribution of the score step by step.

        take: the coin (0 or 1) for the step and the score as the player sees it who chooses there.
        """
        sides = [((c.points, float(c.heads)), (-c.points, float(1 - c.heads))) for c in self.coins]
        chances = {0: 1.0}
        for step, turn in enumerate(self.turns):
            after: dict[int, float] = defaultdict(float)
            for score, chance in chances.items():
                for points, share in sides[take(step, turn * score)]:
                    after[score + points] += chance * share
            chances = after
        return float(self.pays(np.array(list(chances))) @ np.array(list(chances.values()))) / 2


def form_check(chance: Fraction | float, best: Grid, steps: int, farthest: int, found: tuple[bool, bool]) -> Check:
    """Whether the chances are exact, and whether the map has every step and every score from -farthest to farthest.

    found: what the result says of both, in its fields `exact` and `is_whole`.
    """
    on_map, scores = best.axes.values()
    is_small = (steps + 1) * (2 * farthest + 1) <= MOST_CELLS
    has_all = len(on_map) == steps and len(scores) == 2 * farthest + 1
    how = f"the kind of the chance of winning; a map of at most {MOST_CELLS:,} states has all steps and scores"
    expected, of = (isinstance(chance, Fraction), is_small, is_small), "exact, is_whole"
    return Check("exact chances, a whole map", "by hand", expected, (*found, has_all), of=of, detail=how)


def states_check(game: CheckedGame, found: int, steps: str, score: str) -> Check:
    """Whether so many states (step, score) can occur, the start and the ends among them; steps, score: their names."""
    moves, name = game.moves(), "states that can occur"
    sizes = sorted({abs(move) for step_moves in moves for move in step_moves})
    if len(sizes) == 2 and all(len(step_moves) == 4 for step_moves in moves):
        up, across = _same_score(*sizes)
        how = (
            f"after $t$ {steps} $(t + 1)^2$ {score}s, from $t = {across}$ on less ${_less(up)} {_less(across)}$ that "
            f"equal others; added up for $t = 0$ to {len(moves)}"
        )
        # The pairs (u, w) after t steps, less those that have another one of the same score beyond them.
        states = sum((t + 1) ** 2 - max(0, t + 1 - up) * max(0, t + 1 - across) for t in range(len(moves) + 1))
        return Check(name, "closed form", states, found, of="n_states", detail=how)
    how = f"every {score} that can follow is marked, from the start through all {steps} to the ends"
    return Check(name, "brute force", sum(map(len, game.occurring())), found, of="n_states", detail=how)


def _same_score(small: int, large: int) -> tuple[int, int]:
    """The nearest two pairs (u, w) with the same score, apart by so much in u and in w.

    A step of +-small or +-large is two choices of 0 or 1. After t steps they sum to u and w, any of 0, 1, ..., t, and
    up to a constant the score is (small + large) u + (small - large) w.
    """
    total, difference = small + large, large - small
    common = gcd(total, difference)
    return difference // common, total // common


def _less(places: int) -> str:
    """t + 1 - places, as TeX."""
    return "t" if places == 1 else f"(t - {places - 1})"


class MapsCompared:
    """The maps of states of a result, compared step by step with whole rows of scores.

    value: over (step, your score). best, policy: over (step, the score of the player who chooses), 0 or 1 for a coin, 2
    for either, NOWHERE where a state cannot occur; policy is DECIDED where the value is 0 or 1. last: the policy of the
    last steps; None when only some states are kept, and which ones can occur is not checked then.
    needs: open states with a free choice that need the first coin, the second, either; either: the latter ones.
    """

    def __init__(self, game: CheckedGame, value: Grid, best: Grid, policy: Grid, last: Grid | None) -> None:
        self.needs = np.zeros(3, dtype=int)
        self.either: list[tuple[int, int]] = []
        self._game, self._value, self._best, self._policy, self._last = game, value, best, policy, last
        self._steps, scores = (list(map(int, axis)) for axis in best.axes.values())
        self._scores = np.array(scores)
        self._occurring = None if last is None else list(game.occurring())
        self._states = self._agreeing = 0
        self._last_rows: list[bool] = []

    def compare(self, row: Row) -> None:
        """Compare the states before one step, if the maps have it."""
        if row.step not in self._steps:
            return
        place, turn, only = self._steps.index(row.step), self._game.turns[row.step], self._game.always[row.step]
        best, policy = (grid.values[place, ::turn] for grid in (self._best, self._policy))
        value = self._value.values[place]
        occurs = best != NOWHERE if self._occurring is None else np.isin(self._scores, self._occurring[row.step])
        here = self._scores[occurs]
        choices = row.choices(here) if only < 0 else np.full(len(here), only)
        shown = np.where(row.decided(here), DECIDED, choices)
        good = ((best[occurs] == choices) & (policy[occurs] == shown)) | row.unsure(here)
        good &= np.abs(row.chances(here) - value[occurs]) < 1e-9
        silent = (best[~occurs] == NOWHERE) & (policy[~occurs] == NOWHERE) & np.isnan(value[~occurs])
        self._states += len(self._scores)
        self._agreeing += int(good.sum()) + int(silent.sum())
        seen = dict(zip((turn * here).tolist(), shown.tolist(), strict=True))
        if only < 0:
            self.needs += [int((shown == choice).sum()) for choice in range(3)]
            self.either += [(row.step, score) for score, choice in seen.items() if choice == 2]
        if self._last is not None:
            steps, scores = (list(map(int, axis)) for axis in self._last.axes.values())
            if row.step in steps:
                right = [seen.get(score, NOWHERE) for score in scores]
                self._last_rows.append(self._last.values[steps.index(row.step)].tolist() == right)

    def checks(self, value: str, best: str, policy: str, last: str, middle: int) -> Iterator[Check]:
        """How many states agree, and the rows and ends of the map of the last steps.

        value, best, policy, last: the maps' names. middle: the score in the middle of the last one.
        """
        how = "whether the score can occur, the best choice, whether all is decided, and the chance within $10^{-9}$"
        of = ", ".join(f"{name}[{self._states}]" for name in (value, best, policy))
        name, counts = "states of the map that agree", (self._states, self._agreeing)
        yield Check(name, "another algorithm", *counts, of=of, detail=how)
        if self._last is not None:
            reach, steps = max(coin.points for coin in self._game.coins), len(self._game.turns)
            side, farthest = min(LAST_SCORES, 6 * reach), reach * steps
            ends = [max(-farthest, min(score, farthest)) for score in (middle - side, middle + side)]
            scores = list(map(int, tuple(self._last.axes.values())[1]))
            how = "the rows of the map of the last steps, by whole rows of scores; its lowest and highest score"
            expected, found = (min(LAST_STEPS, steps), *ends), (sum(self._last_rows), scores[0], scores[-1])
            yield Check("the last steps on the map", "another algorithm", expected, found, of=last, detail=how)


def games_played(
    game: CheckedGame, best: Grid, chance: Fraction | float, of: str, seed: int, spare: int, draws: str = ""
) -> Check:
    """Play seeded games with coins looked up in the map of best ones, two equally good ones in turn.

    They are won as often as the chance says, within four standard errors of the binomial distribution. of: the names of
    the map and of the chance; spare: games by which a chance so small that it gives hardly any win may miss besides;
    draws: a word on them for the detail.
    """
    games = max(1000, min(20_000, 4_000_000 // len(game.turns)))
    random = np.random.default_rng(seed)
    lowest, players = int(tuple(best.axes.values())[1][0]), len(set(game.turns))
    points, heads = (np.array(sides) for sides in zip(*((c.points, float(c.heads)) for c in game.coins), strict=True))
    scores = np.zeros(games, dtype=np.int64)
    for step, turn in enumerate(game.turns):
        looked_up = best.values[step, turn * scores - lowest]
        coin = np.where(looked_up == 2, step // players % 2, looked_up)
        scores += turn * np.where(random.random(games) < heads[coin], 1, -1) * points[coin]
    mean = float(game.pays(scores).sum()) / 2 / games
    within, how = StandardErrors(4, games, spare=spare), f"{games} games, seed {seed}{draws}"
    return Check("games played by the policy", "simulation", mean, float(chance), of=of, within=within, detail=how)


def limit_of_long_games(game: Callable[[int], CheckedGame]) -> float:
    """The limit of the chance: what is missing halves when the steps are four times as many, so two games give it."""
    return 2 * game(4 * LONG).chance() - game(LONG).chance()
