"""The map of states that a result keeps, held against whole rows of scores: what occurs, what is best, how good."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from site_builder.contract import Check, Grid
from solvers.common.agreeing import counted
from solvers.common.whole_rows import Row

DECIDED, NOWHERE = 3, -1


class StatesCompared:
    """How many states agree, and which choices the open ones need.

    scores: of the map, in order. occurring: the scores that occur before each step; None if that is not to be judged.
    needs: open states that need the first choice, the second, either.
    """

    def __init__(self, scores: Sequence[int], occurring: Sequence[set[int]] | None) -> None:
        self.needs = np.zeros(3, dtype=int)
        self._scores = np.array(scores)
        self._occurring = occurring
        self._states = self._agreeing = 0
        self._rows: list[bool] = []

    def compare(
        self, row: Row, best: np.ndarray, policy: np.ndarray, chance: np.ndarray, always: int = -1
    ) -> dict[int, int]:
        """Compare one row of the map, all three along its scores; gives the right policy of the scores that occur.

        best: 0, 1, 2 either, -1 nowhere; policy: the same, 3 where decided. always: the only choice at this step.
        """
        occurs = best != NOWHERE
        if self._occurring is not None:
            occurs = np.isin(self._scores, list(self._occurring[row.step]))
        scores = self._scores[occurs]
        choices = row.choices(scores) if always < 0 else np.full(len(scores), always)
        decided = row.decided(scores)
        shown = np.where(decided, DECIDED, choices)
        good = ((best[occurs] == choices) & (policy[occurs] == shown)) | row.unsure(scores)
        good &= np.abs(row.chances(scores) - chance[occurs]) < 1e-9
        silent = (best[~occurs] == NOWHERE) & (policy[~occurs] == NOWHERE) & np.isnan(chance[~occurs])
        self._states += len(self._scores)
        self._agreeing += int(good.sum()) + int(silent.sum())
        if always < 0:
            self.needs += [int((shown == choice).sum()) for choice in range(3)]
        return dict(zip(scores.tolist(), shown.tolist(), strict=True))

    def compare_last(self, policy: Grid, shown: Mapping[int, int]) -> None:
        """Compare one row, along its scores, of a map of the last steps with the right policy of those that occur."""
        (scores,) = policy.axes.values()
        self._rows.append(policy.values.tolist() == [shown.get(int(score), NOWHERE) for score in scores])

    def checks(self) -> Iterator[Check]:
        """What came of it."""
        how = "whether the score can occur, the best choice, whether all is decided, and the chance within $10^{-9}$"
        yield counted("states of the map", "another algorithm", self._states, self._agreeing, how)
        if self._rows:
            how = "the rows of the map of the last steps, by whole rows of scores"
            yield counted("the last steps on the map", "another algorithm", len(self._rows), sum(self._rows), how)
