"""Rules of thumb: one coin always, or one coin below a threshold and the other from there on."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.common.wording import whole
from solvers.riddler_flips.parameters import Parameters


@dataclass(frozen=True)
class Rule:
    """A threshold rule and how it compares with the best play.

    below, above: "A" or "B", the coin at scores below the threshold and from the threshold on; the same coin, and no
    threshold, when the rule is to take one coin always. in_words: the rule as it can follow the word "take".
    mistakes: how many of the `states` that can occur need the other coin. proved: whether there are none, so that the
    rule is a best play from every state. win_probability: of somebody who follows it, exact when it is proved.
    """

    below: str
    above: str
    threshold: int | None
    in_words: str
    mistakes: int
    states: int
    proved: bool
    win_probability: Fraction | float


def nearest_rule(parameters: Parameters, best: np.ndarray, win_probability: Fraction) -> Rule:
    """The rule with the fewest mistakes; among equals one coin always, then the threshold nearest to the target.

    best: shape (n_flips, scores), 0 where only coin A is best, 1 where only coin B is, 2 either, -1 where no play
    leads; the middle column is the score 0. win_probability: of the best play.
    """
    highest = best.shape[1] // 2
    needs_a, needs_b = ((best == code).sum(axis=0) for code in (0, 1))
    wrong = {("B", "A"): _mistakes(needs_a, needs_b), ("A", "B"): _mistakes(needs_b, needs_a)}
    mistakes, _, _, threshold, (below, above) = min(
        (int(row[place]), -highest < threshold <= highest, abs(threshold - parameters.target), threshold, pair)
        for pair, row in wrong.items()
        for place, threshold in enumerate(range(-highest, highest + 2))
    )
    below, above = (
        (above, above) if threshold == -highest else (below, below) if threshold > highest else (below, above)
    )
    words = _in_words(below, above, threshold, parameters.target)
    if not needs_a.any() and not needs_b.any():
        words = "whichever coin you like"
    proved = mistakes == 0
    chance = win_probability if proved else rule_win_probability(parameters, below, above, threshold)
    kept = None if below == above else threshold
    return Rule(below, above, kept, words, mistakes, int((best >= 0).sum()), proved, chance)


def rule_win_probability(parameters: Parameters, below: str, above: str, threshold: int) -> float:
    """The chance to win by a threshold rule, in floats: the distribution of the score, pushed forward flip by flip."""
    reach = max(parameters.v_a, parameters.v_b)
    highest = parameters.n_flips * reach
    scores = np.arange(-highest, highest + 1)
    with_a = np.where(scores < threshold, below == "A", above == "A")
    chance = (scores == 0).astype(float)
    for flip in range(parameters.n_flips):
        within = slice(highest - flip * reach, highest + flip * reach + 1)
        after = np.zeros_like(chance)
        for picked, value, heads in (
            (with_a, parameters.v_a, parameters.p_a),
            (~with_a, parameters.v_b, parameters.p_b),
        ):
            flipped = np.where(picked[within], chance[within], 0.0)
            after[within.start + value : within.stop + value] += float(heads) * flipped
            after[within.start - value : within.stop - value] += float(1 - heads) * flipped
        chance = after
    return float(chance[scores >= parameters.target].sum())


def _mistakes(needs_above: np.ndarray, needs_below: np.ndarray) -> np.ndarray:
    """For each threshold how many states need the coin of the other side: shape (scores + 1,).

    needs_above, needs_below: for each score how many states need the coin of that side.
    """
    too_low, too_high = (np.concatenate([[0], needs.cumsum()]) for needs in (needs_above, needs_below))
    return np.asarray(too_low + too_high[-1] - too_high)


def _in_words(below: str, above: str, threshold: int, target: int) -> str:
    if below == above:
        return f"coin {above} every time"
    if threshold == target:
        return f"coin {above} while the score would win as it stands, coin {below} while it would not"
    return f"coin {above} from a score of {whole(threshold)} upwards, coin {below} below that"
