"""The best play as rules: the shortest of a family that fits, for a caller who is losing, tied or winning.

The family, shortest first: always one call; one call when the number of tosses left leaves a given remainder by a small
divisor, else the other; either of these until so many tosses are left, and one call from then on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

CALLS = ("rush", "pass")
LARGEST_DIVISOR = 8


@dataclass(frozen=True)
class SignRule:
    """The rule for one sign of the lead.

    in_words: the rule, as it follows "losing:", "tied:" or "winning:". mistakes: in how many of the `states` that can
    occur its call is not best; fits: in none.
    """

    in_words: str
    fits: bool
    mistakes: int
    states: int


@dataclass(frozen=True)
class Summary:
    """The rules for all three signs, with their mistakes and states in sum. fits: all of them do."""

    losing: SignRule
    tied: SignRule
    winning: SignRule
    fits: bool
    mistakes: int
    states: int


def shortest_summary(best: np.ndarray, is_free: np.ndarray) -> Summary:
    """For each sign of the lead the shortest rule that fits every state, or if none does, one with fewest mistakes.

    best: shape (tosses, leads), 0 where only a rush is best, 1 where only a pass is, 2 either, -1 where no play leads;
    the middle column is a lead of 0. is_free: for each toss True where its caller has a choice.
    """
    best, left, middle = best[is_free], len(is_free) - np.flatnonzero(is_free), best.shape[1] // 2
    parts = best[:, :middle], best[:, middle : middle + 1], best[:, middle + 1 :]
    losing, tied, winning = rules = [_shortest_rule(part, left) for part in parts]
    mistakes = sum(rule.mistakes for rule in rules)
    return Summary(losing, tied, winning, mistakes == 0, mistakes, sum(rule.states for rule in rules))


def _shortest_rule(best: np.ndarray, left: np.ndarray) -> SignRule:
    states = int((best >= 0).sum())
    needs = [(best == code).sum(axis=1) for code in (0, 1)]
    if not needs[0].any() and not needs[1].any():
        return SignRule("either call", True, 0, states)
    mistakes, _, _, words = min(_family(needs, left), key=lambda entry: entry[:3])
    return SignRule(words, mistakes == 0, mistakes, states)


def _family(needs: Sequence[np.ndarray], left: np.ndarray) -> Iterator[tuple[int, int, int, str]]:
    """Mistakes, length, order and words of a rule, for every start with the best last stretch that it can have.

    needs: for each call and row how many states need that very call; left: the tosses left in each row.
    """
    rows = len(left)
    mistakes_after = [np.append(needs[1 - after][::-1].cumsum()[::-1], 0) for after in (0, 1)]
    starts = [(d, r, call) for d in range(1, LARGEST_DIVISOR + 1) for r in range(d) for call in (0, 1)]
    for order, (divisor, remainder, call) in enumerate(starts):
        here = left % divisor == remainder
        wrong = np.where(here, needs[1 - call], needs[call])
        mistakes_before = np.append(0, wrong.cumsum())
        length, words = 1 + (divisor > 1), _start_in_words(divisor, remainder, call)
        yield int(mistakes_before[rows]), length, order, words
        for after in (0, 1):
            mistakes = mistakes_before + mistakes_after[after]
            stretch = rows - int(np.argmin(mistakes[::-1]))  # the latest of equally good ones
            if stretch < rows:
                comma = "," if divisor > 1 else ""
                words_after = f"{words}{comma} until the number left is {left[stretch]}, then {CALLS[after]}"
                yield int(mistakes[stretch]), length + 1, order, words_after


def _start_in_words(divisor: int, remainder: int, call: int) -> str:
    """The call if the tosses left leave this remainder by the divisor, else the other one."""
    if divisor == 1:
        return CALLS[call]
    which = f"leaves the remainder {remainder} when divided by {divisor}"
    if divisor == 2:
        which = ("is even", "is odd")[remainder]
    elif remainder == 0:
        which = f"is divisible by {divisor}"
    return f"{CALLS[call]} if the number of tosses left {which}, else {CALLS[1 - call]}"
