"""What can be turned on the puzzle: the deck, the length of the sequences, and a pair to follow card by card."""

from typing import Annotated

from site_builder.contract import Field, parameters
from solvers.penney.counting import number_type
from solvers.penney.deck import Deck
from solvers.penney.words import BLACK, RED

LONGEST_SEARCH = 20


@parameters
class Parameters:
    k: Annotated[int, Field(ge=1, le=100, description="cards in each sequence")] = 3
    reds: Annotated[int, Field(ge=1, le=100, description="red cards in the deck")] = 26
    blacks: Annotated[int, Field(ge=1, le=100, description="black cards in the deck")] = 26
    yvonne: Annotated[
        str, Field(pattern="^[RB]*$", max_length=100, description="Yvonne's sequence, such as RBR; empty for her best")
    ] = ""
    zara: Annotated[
        str, Field(pattern="^[RB]*$", max_length=100, description="Zara's sequence; empty for her best answer")
    ] = ""
    cards: Annotated[
        str, Field(pattern="^[RB]*$", max_length=200, description="cards turned so far, when both sequences are given")
    ] = ""

    def __post_init__(self) -> None:
        _refuse_small_deck(self)
        _refuse_long_search(self)
        _refuse_wrong_pair(self)
        _refuse_wrong_cards(self)

    @property
    def deck(self) -> Deck:
        return Deck(self.k, self.reds, self.blacks)


def _refuse_small_deck(parameters: Parameters) -> None:
    deck = parameters.deck
    if deck.turned < 0:
        raise ValueError(
            f"two sequences of {deck.k} cards need {2 * deck.k} cards; the deck has {deck.reds + deck.blacks}"
        )


def _refuse_long_search(parameters: Parameters) -> None:
    """Nothing is searched when no sequence can appear."""
    deck = parameters.deck
    if deck.slack < 0:
        return
    if deck.k > LONGEST_SEARCH:
        raise ValueError(
            f"k = {deck.k} leaves {deck.turned} cards to turn, and to search 2^{deck.k} sequences takes too long: "
            f"k must be at most {LONGEST_SEARCH}, or at least {(deck.reds + deck.blacks) // 3 + 1}, where none appears"
        )
    if number_type(deck.turned, deck.slack) is object and deck.slack**2 << deck.k > 4_000_000:
        raise ValueError(
            f"counts for a deck of {deck.reds + deck.blacks} cards exceed 64 bits, which makes k = {deck.k} too slow: "
            "take a smaller k, or at most 33 red and 33 black cards"
        )


def _refuse_wrong_pair(parameters: Parameters) -> None:
    for name, sequence in (("yvonne", parameters.yvonne), ("zara", parameters.zara)):
        if sequence and len(sequence) != parameters.k:
            raise ValueError(f"{name} is {sequence}, {len(sequence)} cards; it must have k = {parameters.k}")
    if parameters.zara and not parameters.yvonne:
        raise ValueError("zara answers a sequence: give yvonne as well")
    if parameters.zara and not parameters.deck.can_lay(parameters.yvonne, parameters.zara):
        fault = "must differ" if parameters.yvonne == parameters.zara else "need more cards than the deck has"
        raise ValueError(f"yvonne and zara, {parameters.yvonne} and {parameters.zara}, {fault}")
    if parameters.yvonne and not parameters.deck.some_answer(parameters.yvonne):
        raise ValueError(f"yvonne is {parameters.yvonne}, which leaves the deck no other sequence for Zara")


def _refuse_wrong_cards(parameters: Parameters) -> None:
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
