"""Rows of colours as letters and as whole numbers: red is 1, black is 0, and the first card is the highest bit."""

import numpy as np

RED, BLACK = "R", "B"


def spell(word: int, length: int) -> str:
    """The row as letters, first card first: spell(6, 4) is "BRRB"."""
    return "".join(RED if word >> place & 1 else BLACK for place in reversed(range(length)))


def read(letters: str) -> int:
    """The row as a number: read("BRRB") is 6."""
    return int(letters.replace(RED, "1").replace(BLACK, "0"), 2)


def every_word(length: int) -> np.ndarray:
    """All 2**length rows of that length as numbers, BB...B first and RR...R last."""
    return np.arange(1 << length, dtype=np.int64)


def reds_in(words: np.ndarray) -> np.ndarray:
    """How many red cards each row has."""
    reds: np.ndarray = np.bitwise_count(words).astype(np.int64)
    return reds
