"""The parameters, the result, and `solve`, which puts it together from the files after this one."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from site_builder.contract import Bounds, Field, parameters
from solvers.penney.automaton import Pair, ahead, count_states, follow
from solvers.penney.deck import BLACK, RED, Chance, Deck
from solvers.penney.endless import best_endless_play
from solvers.penney.search import best_answer, best_play
from solvers.penney.table import AllPairs, all_pairs

LONGEST_SEARCH = 20
LONGEST_ENDLESS = 10
LONGEST_OF_ALL_PAIRS = 5

Row = Annotated[str, Field(pattern="^[RB]*$")]


@parameters
class Parameters:
    k: Annotated[int, Field(ge=1, le=100, description="cards in each sequence")] = 3
    reds: Annotated[int, Field(ge=1, le=100, description="red cards in the deck")] = 26
    blacks: Annotated[int, Field(ge=1, le=100, description="black cards in the deck")] = 26
    yvonne: Annotated[Row, Field(max_length=100, description="Yvonne's sequence, such as RBR; empty for her best")] = ""
    zara: Annotated[Row, Field(max_length=100, description="Zara's sequence; empty for her best answer")] = ""
    cards: Annotated[Row, Field(max_length=200, description="cards turned so far, when both sequences are given")] = ""

    def __post_init__(self) -> None:
        _refuse_deck(self.deck)
        _refuse_pair(self)
        _refuse_cards(self)

    @property
    def deck(self) -> Deck:
        return Deck(self.k, self.reds, self.blacks)


@dataclass(frozen=True, eq=False)
class Result:
    """Best play, one pair followed card by card, and all pairs of short sequences.

    chance, zara_chance: each player's probability to win under best play. ahead: "Yvonne", "Zara" or "nobody". is_tie:
    whether nobody is ahead. yvonne, zara: a best sequence, and a best answer to it. ties: how many answers are as good.
    decided: the probability that the cards decide the game, not the coin. zara_share: Zara's share of the games that
    the cards decide; None where they decide none.
    turned: how many cards are turned over. can_appear: whether a sequence fits into them.
    n_sequences: 2**k. n_pairs: how many pairs the deck allows. scans: how many of Yvonne's sequences were compared with
    every answer. classes: how many pairs had to be counted in all. n_states: how many states (reds left, blacks left,
    memory) can occur when yvonne and zara are played, the start and all ends included.
    endless, endless_yvonne, endless_zara: Yvonne's probability without a deck limit, and the sequences of best play
    there; deck_gain: how much larger chance is. None where k > 10.
    pair: the sequences of the parameters, by default the best ones. small: all pairs of sequences of k cards, or of 3
    cards where k > 5.
    """

    k: int
    reds: int
    blacks: int
    chance: Chance
    zara_chance: Chance
    ahead: str
    is_tie: bool
    yvonne: str
    zara: str
    ties: int
    decided: Chance
    zara_share: Annotated[Fraction | None, Bounds(0, 1)]
    turned: int
    can_appear: bool
    n_sequences: int
    n_pairs: int
    scans: int
    classes: int
    n_states: int
    endless: Annotated[Fraction | None, Bounds(0, 1)]
    endless_yvonne: str | None
    endless_zara: str | None
    deck_gain: Annotated[Fraction | None, Bounds(-1, 1)]
    pair: Pair
    small: AllPairs


def solve(parameters: Parameters) -> Result:
    """Best play with the deck of the parameters, exact: every pair is counted, or excluded by a bound."""
    deck = parameters.deck
    best = best_play(deck)
    pair = best_pair = follow(deck, best.yvonne, best.zara)
    decided = 1 - best_pair.nobody
    if yvonne := parameters.yvonne:
        pair = follow(deck, yvonne, parameters.zara or best_answer(deck, yvonne), parameters.cards)
    red = Fraction(deck.reds, deck.reds + deck.blacks)
    endless = best_endless_play(deck.k, red) if deck.k <= LONGEST_ENDLESS else (None, None, None)
    return Result(
        k=deck.k,
        reds=deck.reds,
        blacks=deck.blacks,
        chance=best.chance,
        zara_chance=1 - best.chance,
        ahead=ahead(best.chance),
        is_tie=ahead(best.chance) == "nobody",
        yvonne=best.yvonne,
        zara=best.zara,
        ties=best.ties,
        decided=decided,
        zara_share=(best_pair.zara_chance - best_pair.nobody / 2) / decided if decided else None,
        turned=deck.turned,
        can_appear=deck.slack >= 0,
        n_sequences=2**deck.k,
        n_pairs=deck.count_pairs(),
        scans=best.scans,
        classes=best.classes,
        n_states=count_states(deck, best.yvonne, best.zara),
        endless=endless[2],
        endless_yvonne=endless[0],
        endless_zara=endless[1],
        deck_gain=None if endless[2] is None else best.chance - endless[2],
        pair=pair,
        small=all_pairs(Deck(deck.k if deck.k <= LONGEST_OF_ALL_PAIRS else 3, deck.reds, deck.blacks)),
    )


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
    if deck.number_type is object and deck.slack**2 << deck.k > 4_000_000:
        raise ValueError(
            f"counts for a deck of {deck.reds + deck.blacks} cards exceed 64 bits, which makes k = {deck.k} too slow: "
            "take a smaller k, or at most 33 red and 33 black cards"
        )


def _refuse_pair(parameters: Parameters) -> None:
    yvonne, zara, deck = parameters.yvonne, parameters.zara, parameters.deck
    for name, sequence in (("yvonne", yvonne), ("zara", zara)):
        if sequence and len(sequence) != deck.k:
            raise ValueError(f"{name} is {sequence}, {len(sequence)} cards; it must have k = {deck.k}")
    if zara and not yvonne:
        raise ValueError("zara answers a sequence: give yvonne as well")
    if zara and not deck.allows_pair(yvonne, zara):
        reason = "must differ" if yvonne == zara else "need more cards than the deck has"
        raise ValueError(f"yvonne and zara, {yvonne} and {zara}, {reason}")
    if yvonne and not deck.count_answers(yvonne.count(RED)):
        raise ValueError(f"yvonne is {yvonne}, which leaves the deck no other sequence for Zara")


def _refuse_cards(parameters: Parameters) -> None:
    yvonne, zara, cards = parameters.yvonne, parameters.zara, parameters.cards
    if not cards:
        return
    if not zara:
        raise ValueError("cards can be turned when both sequences are known: give yvonne and zara as well")
    gone = yvonne + zara + cards
    if gone.count(RED) > parameters.reds or gone.count(BLACK) > parameters.blacks:
        raise ValueError(f"cards is {cards}, which is more than the two sequences leave in the deck")
    if yvonne in cards or zara in cards:
        raise ValueError(f"cards is {cards}, in which {yvonne if yvonne in cards else zara} has already appeared")
