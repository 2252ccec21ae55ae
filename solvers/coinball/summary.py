"""The best play in words: the shortest rule of a stated family, for a caller who is losing, tied or winning.

The family, shortest first: always one call; one call when the tosses made leave a remainder by a small number, else the
other; one call in a last stretch of tosses, before that the other; a last stretch after the rule with the remainder.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

CALLS = ("rush", "pass")
LARGEST_DIVISOR = 8


@dataclass(frozen=True)
class SignRule:
    """What a caller does under one sign of the lead.

    in_words: after "losing:", "tied:" or "winning:". length: the number of its clauses. mistakes: in how many of the
    `states` that can occur it makes a call that is not best; fits: in none. calls: its call for each toss from 0 on.
    """

    in_words: str
    length: int
    fits: bool
    mistakes: int
    states: int
    calls: tuple[str, ...]


@dataclass(frozen=True)
class Summary:
    """The rules for all three signs. fits: all of them do. in_words: the whole policy as one sentence."""

    losing: SignRule
    tied: SignRule
    winning: SignRule
    fits: bool
    mistakes: int
    states: int
    in_words: str


def shortest_summary(best: np.ndarray, tosses: np.ndarray) -> Summary:
    """For each sign of the lead the shortest rule that fits every state, or if none does, the one that errs least.

    best: shape (tosses, leads), 0 where only a rush is best, 1 where only a pass is, 2 either, -1 where no play leads;
    the middle column is a lead of 0. tosses: how many tosses are made before each row.
    """
    middle = best.shape[1] // 2
    losing, tied, winning = (
        _shortest_rule(part, tosses) for part in (best[:, :middle], best[:, middle : middle + 1], best[:, middle + 1 :])
    )
    words = f"losing: {losing.in_words}; winning: {winning.in_words}; tied: {tied.in_words}"
    mistakes = losing.mistakes + tied.mistakes + winning.mistakes
    return Summary(losing, tied, winning, mistakes == 0, mistakes, losing.states + tied.states + winning.states, words)


def _shortest_rule(best: np.ndarray, tosses: np.ndarray) -> SignRule:
    needs = [(best == code).sum(axis=1) for code in (0, 1)]
    if not needs[0].any() and not needs[1].any():
        calls = (CALLS[0],) * (int(tosses[-1]) + 1 if len(tosses) else 0)
        return SignRule("either call", 1, True, 0, int((best >= 0).sum()), calls)
    mistakes, length, _, rule = min(_family(needs, tosses), key=lambda entry: entry[:3])
    calls = tuple(rule.call(toss) for toss in range(int(tosses[-1]) + 1))
    return SignRule(rule.in_words(), length, mistakes == 0, mistakes, int((best >= 0).sum()), calls)


@dataclass(frozen=True)
class _Rule:
    """Until `until` tosses are made: `call` if they leave `remainder` by `divisor`, else the other; then `after`."""

    divisor: int
    remainder: int
    chosen: int
    until: int | None
    after: int

    def call(self, toss: int) -> str:
        if self.until is not None and toss >= self.until:
            return CALLS[self.after]
        return CALLS[self.chosen if toss % self.divisor == self.remainder else 1 - self.chosen]

    def in_words(self) -> str:
        chosen, other = CALLS[self.chosen], CALLS[1 - self.chosen]
        words = chosen if self.divisor == 1 else f"{chosen} if the number of tosses made {self._which()}, else {other}"
        if self.until is None:
            return words
        return f"{words}{',' if self.divisor > 1 else ''} until {self.until} tosses are made, then {CALLS[self.after]}"

    def _which(self) -> str:
        if self.divisor == 2:
            return ("is even", "is odd")[self.remainder]
        if self.remainder == 0:
            return f"is divisible by {self.divisor}"
        return f"leaves the remainder {self.remainder} by {self.divisor}"


def _family(needs: Sequence[np.ndarray], tosses: np.ndarray) -> Iterator[tuple[int, int, int, _Rule]]:
    """Mistakes, length, order and rule, for every start of a rule with the best last stretch that it can have.

    needs: for each call and row how many states need that very call; tosses: the tosses made before each row.
    """
    rows = len(tosses)
    mistakes_after = [np.append(needs[1 - after][::-1].cumsum()[::-1], 0) for after in (0, 1)]
    starts = [(d, r, chosen) for d in range(1, LARGEST_DIVISOR + 1) for r in range(d) for chosen in (0, 1)]
    for order, (divisor, remainder, chosen) in enumerate(starts):
        here = tosses % divisor == remainder
        wrong = np.where(here, needs[1 - chosen], needs[chosen])
        mistakes_before = np.concatenate([[0], wrong.cumsum()])
        for after in (0, 1):
            mistakes = mistakes_before + mistakes_after[after]
            stretch = rows - int(np.argmin(mistakes[::-1]))
            yield int(mistakes[rows]), 1 + (divisor > 1), order, _Rule(divisor, remainder, chosen, None, after)
            if stretch < rows:
                until = int(tosses[stretch])
                yield int(mistakes[stretch]), 2 + (divisor > 1), order, _Rule(divisor, remainder, chosen, until, after)
