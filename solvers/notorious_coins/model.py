"""The puzzle's parameters and its answer, as plain data."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from site_builder.contract import Field, Grid, Rational, parameters
from solvers.notorious_coins.rates import Rate, chances
from solvers.notorious_coins.rows import Family, Move, common_denominator

ROW = tuple(Rational(value) for value in (18, 22, 1, 3, 25, 14, 26, 7, 12, 19, 6, 4))
LONGEST_LEARNING = 40  # coins; beyond it the learning tables are left out
_FINEST = 10**9  # largest common denominator of the coins

Coin = Annotated[Rational, Field(gt=0, le=10**9)]
Weight = Annotated[Rational, Field(gt=0, le=10**6)]


@parameters
class Parameters:
    """The row, the slips of both players, and what is believed about an opponent or a hand that errs."""

    values: Annotated[
        tuple[Coin, ...], Field(min_length=1, max_length=2000, description="the coins, from the first to the last")
    ] = ROW
    n: Annotated[
        int,
        Field(ge=0, le=2000, description="0 for the row in values, else the length of a random row of coins 1 to 100"),
    ] = 0
    seed: Annotated[
        int, Field(ge=0, lt=2**32, description="chance in the random row and in the game of the learner")
    ] = 7
    p: Annotated[
        Rate,
        Field(
            union_mode="left_to_right",
            description="chance that the opponent takes the better end with k coins left: a number, a list for"
            " k = 1, 2, ... or an expression in k such as 1 - 1/k",
        ),
    ] = Rational(3, 4)
    q: Annotated[
        Rate,
        Field(union_mode="left_to_right", description="the same for you: a number, a list or an expression in k"),
    ] = Rational(1)
    prior: Annotated[
        tuple[Weight, Weight],
        Field(
            description="belief about an unknown error rate: a Beta prior, as if that many hits and misses were seen"
        ),
    ] = (Rational(1), Rational(1))
    family_max: Annotated[
        Rational, Field(ge=5, le=500, description="the published family of rows is checked up to this v")
    ] = Rational(40)

    def __post_init__(self) -> None:
        if self.n and self.values != ROW:
            raise ValueError("give either values or n with a seed, not both: n = 0 keeps the row in values")
        if common_denominator(self.values) > _FINEST:
            raise ValueError(f"the coins have a common denominator above {_FINEST}; write them with fewer digits")
        length = self.n or len(self.values)
        chances(self.p, "p", length - 1)
        chances(self.q, "q", length)


@dataclass(frozen=True, eq=False)
class Erring:
    """Play when the opponent takes the better end with chance p_k and you with chance q_k.

    expected: your expected winnings; a Fraction when `exact`, else a float. gain: expected - best.
    first_move: left, right, either, or only (a single coin). decisions: stretches of two coins or more;
    changed: in how many of them no end that is best under perfect play is best here.
    table, ends: over first and last coin, as in Result. by_p: expected winnings when p is constant, q as it is;
    by_p_steady: the same for q = 1. square: when both are constant. break_even: the constant q from which on you
    collect half or more against a perfect opponent; None when even q = 1 collects less.
    p_constant, q_constant: the chance where it is one number, else None.
    """

    p: str
    q: str
    p_constant: Fraction | None
    q_constant: Fraction | None
    exact: bool
    expected: Fraction | float
    gain: Fraction | float
    first_move: str
    decisions: int
    changed: int
    table: Grid
    ends: Grid
    by_p: Grid
    by_p_steady: Grid
    square: Grid
    break_even: float | None


@dataclass(frozen=True, eq=False)
class Learning:
    """An unknown error rate, learned while playing; exact. All four players meet the same slips.

    naive assumes that nobody slips, known is told the true rate, learned starts from the Beta prior and learns,
    guessed expects the guess, which is the prior's mean, throughout and never learns.
    The winnings are at true_rate (the constant p or q, else the prior's mean); mean_learned (the Bayes-adaptive
    optimum), mean_naive and mean_guessed are averages over the prior. by_rate Grids: the same along the true rate.
    largest_gain: of learned over naive, at gain_rate. naive_ahead, learned_ahead: the rates of the grid at which that
    player wins more than the other.
    states: stretches, hits and misses that can arise; changed: those where no end of perfect play is best.
    policy: for your move t = 0, 1, ...: best end by start, hits and misses, shape (2t + 1, t + 1, t + 1).
    """

    true_rate: Fraction
    naive: Fraction
    known: Fraction
    learned: Fraction
    guess: Fraction
    guessed: Fraction
    mean_naive: Fraction
    mean_learned: Fraction
    mean_guessed: Fraction
    naive_by_rate: Grid
    known_by_rate: Grid
    learned_by_rate: Grid
    largest_gain: Fraction
    gain_rate: Fraction
    naive_ahead: tuple[Fraction, ...]
    learned_ahead: tuple[Fraction, ...]
    states: int
    changed: int
    policy: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Exchange:
    """One round of a game between the learner and an opponent who errs: both moves, and the belief after them.

    verdict: hit, miss, or nothing (the ends were equally good, or no choice was left). belief: the mean of the Beta.
    """

    number: int
    coins_left: int
    my_end: str
    my_coin: Fraction
    their_end: str
    their_coin: Fraction | None
    verdict: str
    belief: Fraction
    my_total: Fraction
    their_total: Fraction


@dataclass(frozen=True, eq=False)
class Result:
    """The row and what it is worth.

    best: what you collect when both play perfectly, moving first; share: of the total; lead: over the opponent.
    first_move: the end to take first: left, right, either, or only (a single coin). greedy: what always taking the
    larger end collects against the best reply; greedy_first: the end it takes first. odd_coins, even_coins: the
    totals of the coins in odd and even positions; secure: the larger, which the first player of an even row can
    always have.
    best_table: what the player to move collects from the coins first..last; best_ends: 0 left, 1 right, 2 either,
    -1 no row. Both over "first" and "last"; rows above 200 coins keep every `stride`-th position. entries: the
    number of stretches, n (n + 1) / 2. n_states: rows that can be left when both play, well or badly; these stretches
    and the end, where no coin is left. learning (of p), slipping (of q) and lesson are None for rows above 40 coins.
    """

    values: tuple[Fraction, ...]
    n: int
    is_even: bool
    whole_coins: bool
    total: Fraction
    best: Fraction
    opponent: Fraction
    lead: Fraction
    share: Fraction
    first_move: str
    greedy: Fraction
    greedy_first: str
    odd_coins: Fraction
    even_coins: Fraction
    secure: Fraction
    entries: int
    n_states: int
    stride: int
    best_table: Grid
    best_ends: Grid
    game: tuple[Move, ...]
    family: Family
    erring: Erring
    prior: tuple[Fraction, Fraction]
    learning: Learning | None
    slipping: Learning | None
    lesson: tuple[Exchange, ...] | None
