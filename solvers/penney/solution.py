"""The parameters of the puzzle, and `solve`, which puts the answers together."""

from fractions import Fraction
from math import comb
from typing import Annotated, Any

import numpy as np

from site_builder.contract import Field
from solvers.penney.deck import Deck
from solvers.penney.following import follow, memories, orders_won
from solvers.penney.rules import RED, cards_left, is_possible
from solvers.penney.search import best_answer, best_play
from solvers.penney.table import all_pairs

LONGEST_SEARCH = 20
LONGEST_ENDLESS = 10
LONGEST_OF_ALL_PAIRS = 5
HALF = Fraction(1, 2)

Row = Annotated[str, Field(pattern="^[RB]*$")]


def solve(
    k: Annotated[int, Field(ge=1, le=100, description="cards in each sequence")] = 3,
    reds: Annotated[int, Field(ge=1, le=100, description="red cards in the deck")] = 26,
    blacks: Annotated[int, Field(ge=1, le=100, description="black cards in the deck")] = 26,
    yvonne: Annotated[
        Row, Field(max_length=100, description="Yvonne's sequence, such as RBR; empty for her best")
    ] = "",
    zara: Annotated[Row, Field(max_length=100, description="Zara's sequence; empty for her best answer")] = "",
    cards: Annotated[Row, Field(max_length=200, description="cards turned so far, when both sequences are given")] = "",
) -> dict[str, Any]:
    """Best play with the deck of the parameters, exact: every pair is counted, or excluded by a bound.

    chance: Yvonne's probability to win under best play; ahead: "Yvonne", "Zara" or "nobody".
    best_yvonne, best_zara: a best sequence, and a best answer to it. decided: the probability that the cards decide the
    game, not the coin; zara_share: Zara's share of these games, None where there are none.
    can_appear: that a sequence fits into the cards turned. n_states: how many states (reds left, blacks left, memory)
    can occur when the best pair is played, the start and all ends included. endless: Yvonne's probability without a
    deck limit; None where k > 10, and for decks with more cards of one colour.
    pair: the sequences of the parameters, followed card by card; memories: what has to be remembered for them; both
    None where no sequence is given. small: all pairs of sequences of k cards, or of 3 cards where k > 5.
    """
    deck = Deck(k, reds, blacks)
    best = best_play(deck)
    start = (*cards_left(reds, blacks, best.yvonne, best.zara), "")
    won = orders_won(best.yvonne, best.zara, *start[:2])
    decided = Fraction(sum(won[start]), comb(deck.turned, start[0]))
    endless = best_endless_chance(k) if k <= LONGEST_ENDLESS and reds == blacks else None
    pair = (yvonne, zara or best_answer(deck, yvonne)) if yvonne else None
    return {
        "chance": best.chance,
        "ahead": "nobody" if best.chance == HALF else "Yvonne" if best.chance > HALF else "Zara",
        "best_yvonne": best.yvonne,
        "best_zara": best.zara,
        "decided": decided,
        "zara_share": Fraction(won[start][1], sum(won[start])) if decided else None,
        "can_appear": deck.slack >= 0,
        "n_states": len(won),
        "endless": endless,
        "pair": follow(*pair, reds, blacks, cards) if pair else None,
        "memories": memories(*pair, cards) if pair else None,
        "small": all_pairs(Deck(k if k <= LONGEST_OF_ALL_PAIRS else 3, reds, blacks)),
    }


def best_endless_chance(k: int) -> Fraction:
    """Yvonne's probability to win without a deck limit, when both choose their k cards as well as they can.

    For sequences v and w let v*w be the sum of 2**length over all rows of cards that end v and begin w. The odds that y
    appears before z are (z*z - z*y) to (y*y - y*z). Source: Conway's algorithm.
    """
    star = _stars(k)
    own = np.diag(star)
    for_yvonne, for_zara = own[np.newaxis, :] - star.T, own[:, np.newaxis] - star  # over y and z
    np.fill_diagonal(for_zara, -1)  # no pair: the chance below is larger than 1
    np.fill_diagonal(for_yvonne, 2)
    chances = for_yvonne / (for_yvonne + for_zara)  # exact enough to compare: the odds are whole numbers below 2**k
    yvonne = chances.min(axis=1).argmax()
    zara = chances[yvonne].argmin()
    return Fraction(int(for_yvonne[yvonne, zara]), int(for_yvonne[yvonne, zara] + for_zara[yvonne, zara]))


def _stars(k: int) -> np.ndarray:
    """v*w for all sequences v and w as whole numbers, shape (2**k, 2**k)."""
    star = np.zeros((1 << k, 1 << k), dtype=np.int64)
    for length in range(1, k + 1):
        rest = 1 << k - length
        # Sequences that end in a row by sequences that begin with it: the diagonal of the two middle axes.
        blocks = np.einsum("arrc->arc", star.reshape(rest, 1 << length, 1 << length, rest))
        blocks += 1 << length
    return star


def validate(k: int, reds: int, blacks: int, yvonne: str, zara: str, cards: str) -> None:
    """Refuse decks that are too small or too slow to search, pairs that they do not allow, and impossible cards."""
    _refuse_deck(Deck(k, reds, blacks))
    _refuse_pair(Deck(k, reds, blacks), yvonne, zara)
    if cards:
        _refuse_cards(reds, blacks, yvonne, zara, cards)


def _refuse_deck(deck: Deck) -> None:
    if deck.turned < 0:
        raise ValueError(
            f"two sequences of {deck.k} cards need {2 * deck.k} cards; the deck has {deck.reds + deck.blacks}"
        )
    if deck.slack < 0:
        return  # no sequence can appear, so nothing is searched
    if deck.k > LONGEST_SEARCH:
        raise ValueError(
            f"k = {deck.k} leaves {deck.turned} cards to turn, and to search 2^{deck.k} sequences takes too long: "
            f"k must be at most {LONGEST_SEARCH}, or at least {(deck.reds + deck.blacks) // 3 + 1}, where none appears"
        )
    is_long = deck.slack > 61 or comb(deck.turned, deck.turned // 2) >= 1 << 62
    if is_long and deck.slack**2 << deck.k > 4_000_000:
        raise ValueError(
            f"counts for a deck of {deck.reds + deck.blacks} cards exceed 64 bits, which makes k = {deck.k} too slow: "
            "take a smaller k, or at most 33 red and 33 black cards"
        )


def _refuse_pair(deck: Deck, yvonne: str, zara: str) -> None:
    for name, sequence in (("yvonne", yvonne), ("zara", zara)):
        if sequence and len(sequence) != deck.k:
            raise ValueError(f"{name} is {sequence}, {len(sequence)} cards; it must have k = {deck.k}")
    if zara and not yvonne:
        raise ValueError("zara answers a sequence: give yvonne as well")
    if zara and not is_possible(yvonne, zara, deck.reds, deck.blacks):
        raise ValueError(f"yvonne and zara, {yvonne} and {zara}, are equal or need more cards than the deck has")
    if yvonne and not deck.count_answers(yvonne.count(RED)):
        raise ValueError(f"yvonne is {yvonne}, which leaves the deck no other sequence for Zara")


def _refuse_cards(reds: int, blacks: int, yvonne: str, zara: str, cards: str) -> None:
    if not zara:
        raise ValueError("cards can be turned when both sequences are known: give yvonne and zara as well")
    if min(cards_left(reds, blacks, yvonne, zara, cards)) < 0:
        raise ValueError(f"cards is {cards}, which is more than the two sequences leave in the deck")
    if yvonne in cards or zara in cards:
        raise ValueError(f"cards is {cards}, in which {yvonne if yvonne in cards else zara} has already appeared")
