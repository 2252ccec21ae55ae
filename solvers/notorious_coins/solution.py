"""The answer to the puzzle: its record, and the function that puts it together."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Annotated

from site_builder.contract import Bounds, Grid
from solvers.notorious_coins import perfect_play
from solvers.notorious_coins.learning import LearnerRound, Learning, compare_players, game_of_learner
from solvers.notorious_coins.parameters import Parameters, row_of_coins
from solvers.notorious_coins.slips import PlayWithSlips, play_with_slips

_WIDEST = 200  # positions along each axis of a table


@dataclass(frozen=True, eq=False)
class Result:
    """The row and its values.

    best: what you collect when both play perfectly, moving first; share: of the total; lead: over the opponent.
    first_move: the end to take first: left, right, either, or only (a single coin). greedy: what always taking the
    larger end collects against the best reply; greedy_first: the end it takes first. odd_coins, even_coins: the
    totals of the coins in odd and even positions; secure: the larger, which the first player of an even row can
    always have.
    best_table: what the player to move collects from the coins first..last; best_ends: 0 left, 1 right, 2 either,
    -1 no row. Both over "first" and "last"; rows above 200 coins keep every `stride`-th position. entries: the
    number of stretches, n (n + 1) / 2. n_states: rows that can be left when both play, well or badly; these stretches
    and the end, where no coin is left. erring: play with slips. learning (of p), slipping (of q), watching and
    learner_game are None for rows above 40 coins. watching: what the learner of p collects more, on average over the
    belief, than one who keeps to the belief's mean and never looks; a share of the total.
    """

    values: tuple[Fraction, ...]
    n: int
    is_even: bool
    total: Fraction
    best: Annotated[Fraction, Bounds(0, None)]
    opponent: Annotated[Fraction, Bounds(0, None)]
    lead: Fraction
    share: Annotated[Fraction, Bounds(0, 1)]
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
    game: tuple[perfect_play.Move, ...]
    family: perfect_play.Family
    erring: PlayWithSlips
    prior: tuple[Fraction, Fraction]
    learning: Learning | None
    slipping: Learning | None
    watching: Annotated[Fraction, Bounds(0, 1)] | None
    learner_game: tuple[LearnerRound, ...] | None


def solve(parameters: Parameters) -> Result:
    """The values of the row under perfect play, with slips, and with an unknown error rate."""
    values = row_of_coins(parameters)
    n, total = len(values), sum(values, Fraction(0))
    coins, scale = perfect_play.whole_numbers(values)
    by_length = perfect_play.best_play(coins)
    ends = perfect_play.best_ends(by_length)
    best = Fraction(int(by_length[n][0]), scale)
    odd, even = sum(values[::2], Fraction(0)), sum(values[1::2], Fraction(0))
    stride = ceil(n / _WIDEST) | 1  # odd, so that tables have stretches of odd and of even length
    learning = compare_players(parameters, values, ends, "opponent")
    return Result(
        values=values,
        n=n,
        is_even=n % 2 == 0,
        total=total,
        best=best,
        opponent=total - best,
        lead=2 * best - total,
        share=best / total,
        first_move=perfect_play.name_of_end(ends[n][0], n),
        greedy=Fraction(int(perfect_play.greedy_play(coins)[n][0]), scale),
        greedy_first="only" if n == 1 else "left" if values[0] >= values[-1] else "right",
        odd_coins=odd,
        even_coins=even,
        secure=max(odd, even),
        entries=n * (n + 1) // 2,
        n_states=1 + sum(map(len, by_length[1:])),
        stride=stride,
        best_table=perfect_play.grid_of_stretches(
            by_length if scale == 1 else [layer / scale for layer in by_length], stride
        ),
        best_ends=perfect_play.grid_of_stretches(ends, stride, nothing=-1),
        game=perfect_play.perfect_game(values, ends),
        family=perfect_play.published_family(Fraction(parameters.family_max)),
        erring=play_with_slips(parameters, values, ends, best, stride),
        prior=(Fraction(parameters.prior[0]), Fraction(parameters.prior[1])),
        learning=learning,
        slipping=compare_players(parameters, values, ends, "hand"),
        watching=(learning.mean_learned - learning.mean_guessed) / total if learning else None,
        learner_game=game_of_learner(parameters, values, ends, learning.policy) if learning else None,
    )
