"""The deck, and what is left of it once both sequences have been taken out."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from solvers.penney.words import BLACK, RED, every_word, reds_in


@dataclass(frozen=True)
class Deck:
    """A deck, and the length k of the sequences that are played with it."""

    k: int
    reds: int
    blacks: int

    @property
    def turned(self) -> int:
        """How many cards are shuffled and turned over: all but the 2 k of the two sequences."""
        return self.reds + self.blacks - 2 * self.k

    @property
    def slack(self) -> int:
        """How many of the turned cards lie outside of a sequence that appears; negative when none can appear."""
        return self.turned - self.k

    @property
    def is_even(self) -> bool:
        """Whether swapping the colours changes nothing."""
        return self.reds == self.blacks

    @property
    def orders(self) -> tuple[int, ...]:
        """In how many orders the turned cards can lie, by how many of them are red."""
        return tuple(comb(self.turned, reds) for reds in range(self.turned + 1))

    def reds_left(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Red cards among the turned ones once both sequences are out; outside 0..turned it cannot be done."""
        reds: np.ndarray = self.reds - reds_in(first) - reds_in(second)
        return reds

    def allows(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Whether two sequences differ and can both be taken out of the deck, pair by pair."""
        reds = self.reds_left(first, second)
        allowed: np.ndarray = (first != second) & (reds >= 0) & (reds <= self.turned)
        return allowed

    def can_lay(self, first: str, second: str) -> bool:
        """The same for one pair, as letters."""
        both = first + second
        return first != second and both.count(RED) <= self.reds and both.count(BLACK) <= self.blacks

    def first_choices(self) -> np.ndarray:
        """Every sequence of Yvonne's that leaves Zara at least one other to choose."""
        words = every_word(self.k)
        reds = reds_in(words)
        fewest = np.maximum(0, 2 * self.k - self.blacks - reds)
        most = np.minimum(self.k, self.reds - reds)
        # Of all red or all black there is only one word, and Zara may not repeat it.
        only_itself = (fewest == most) & (reds == fewest) & ((reds == 0) | (reds == self.k))
        choices: np.ndarray = words[(fewest <= most) & ~only_itself]
        return choices

    def blocks(self) -> Iterator[str]:
        """Reds and then blacks, the most even mixture first."""
        for reds in sorted(range(self.k + 1), key=lambda reds: (abs(2 * reds - self.k), -reds)):
            yield RED * reds + BLACK * (self.k - reds)

    def some_answer(self, first: str) -> str | None:
        """A sequence that can lie beside `first`: its opposite, or else blacks and then reds; None if there is none."""
        opposite = first.translate(str.maketrans(RED + BLACK, BLACK + RED))
        candidates = [opposite, *(block[::-1] for block in self.blocks()), *self.blocks()]
        return next((answer for answer in candidates if self.can_lay(first, answer)), None)

    def count_answers(self, first: str) -> int:
        """How many different sequences can lie beside `first`."""
        reds = first.count(RED)
        return sum(comb(self.k, other) for other in range(self.k + 1) if self._has(reds + other)) - self._has(2 * reds)

    def count_pairs(self) -> int:
        """How many ordered pairs of different sequences can be taken out."""
        words = [comb(self.k, reds) for reds in range(self.k + 1)]
        pairs = sum(a * b for i, a in enumerate(words) for j, b in enumerate(words) if self._has(i + j))
        return pairs - sum(words[reds] for reds in range(self.k + 1) if self._has(2 * reds))

    def _has(self, reds: int) -> bool:
        """Whether two sequences with so many reds together can be taken out."""
        return 0 <= self.reds - reds <= self.turned
