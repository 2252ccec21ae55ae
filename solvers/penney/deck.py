"""The deck: which sequences it allows, and what it has left once two of them are taken out.

A sequence is text, such as "RRB", or a whole number: red is 1, black is 0, and the first card is the highest bit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from solvers.penney.rules import BLACK, RED, is_possible


def letters(sequence: int, length: int) -> str:
    """The sequence as text: letters(6, 4) is "BRRB"."""
    return "".join(RED if sequence >> place & 1 else BLACK for place in reversed(range(length)))


def number(sequence: str) -> int:
    """The sequence as a whole number: number("BRRB") is 6."""
    return int(sequence.replace(RED, "1").replace(BLACK, "0"), 2)


def count_reds(sequences: np.ndarray | int) -> np.ndarray:
    """How many red cards each of the sequences has."""
    reds: np.ndarray = np.bitwise_count(sequences).astype(np.int64)
    return reds


@dataclass(frozen=True)
class Deck:
    """A deck of `reds` red and `blacks` black cards, played with sequences of k cards."""

    k: int
    reds: int
    blacks: int

    @property
    def turned(self) -> int:
        """How many cards are turned over: all but the 2 k cards of the two sequences."""
        return self.reds + self.blacks - 2 * self.k

    @property
    def slack(self) -> int:
        """How many of the cards turned are outside of a sequence that appears; negative where none can appear."""
        return self.turned - self.k

    def reds_left(self, first: np.ndarray | int, second: np.ndarray) -> np.ndarray:
        """Red cards left without each pair of sequences; below 0 or above `turned` where a colour does not suffice."""
        reds: np.ndarray = self.reds - count_reds(first) - count_reds(second)
        return reds

    def allows(self, first: np.ndarray | int, second: np.ndarray) -> np.ndarray:
        """Whether the sequences of each pair differ and can both be taken out of the deck."""
        reds = self.reds_left(first, second)
        allowed: np.ndarray = (first != second) & (reds >= 0) & (reds <= self.turned)
        return allowed

    def two_blocks(self) -> Iterator[str]:
        """The sequences of red cards and then black cards, the most even mixture first."""
        for reds in sorted(range(self.k + 1), key=lambda reds: (abs(2 * reds - self.k), -reds)):
            yield RED * reds + BLACK * (self.k - reds)

    def some_answer(self, first: str) -> str:
        """An answer to a sequence that leaves one: the opposite colours, or else two blocks."""
        opposite = first.translate(str.maketrans(RED + BLACK, BLACK + RED))
        candidates = [opposite, *(blocks[::-1] for blocks in self.two_blocks()), *self.two_blocks()]
        return next(answer for answer in candidates if is_possible(first, answer, self.reds, self.blacks))

    def count_answers(self, reds: int) -> int:
        """How many answers there are to a sequence with so many red cards."""
        answers = sum(comb(self.k, other) for other in range(self.k + 1) if self._has(reds + other))
        return answers - self._has(2 * reds)

    def _has(self, reds: int) -> bool:
        """Whether 2 k cards, so many of them red, can be taken out of the deck."""
        return 0 <= self.reds - reds <= self.turned
