"""Best play with one deck: what the other files of this folder compute, put together."""

from dataclasses import dataclass
from fractions import Fraction

from solvers.penney.automaton import Pair, ahead, follow, states_met
from solvers.penney.conway import endless_play
from solvers.penney.deck import Deck
from solvers.penney.parameters import Parameters
from solvers.penney.search import answer_to, best_play
from solvers.penney.small import AllPairs, all_pairs

LONGEST_ENDLESS = 10
LONGEST_OF_ALL_PAIRS = 5


@dataclass(frozen=True, eq=False)
class Result:
    """Best play, a pair of sequences followed card by card, and all pairs of short ones.

    chance, zara_chance: each player's chance under best play; ahead: "Yvonne", "Zara" or "nobody"; is_tie.
    yvonne, zara: a best sequence and a best answer to it; ties: how many answers are as good.
    decided: the chance that the cards decide, and not the coin; zara_share: Zara's share of the games that the cards
    decide, None where they decide none.
    turned: cards that are turned over; can_appear: whether a sequence fits among them.
    n_sequences, n_pairs: 2**k, and how many pairs the deck allows; scans: how many of Yvonne's sequences had to be
    tried against every answer; classes: how many pairs had to be counted in all. n_states: states (reds left, blacks
    left, memory) that the cards can bring about when yvonne and zara are played; the start and all ends included.
    endless, endless_yvonne, endless_zara: Yvonne's chance without a deck limit and the sequences that give it, where
    k <= 10; else None. pair: the sequences of the parameters, by default the best ones.
    small: all pairs of sequences of length k, or of 3 where k > 5.
    """

    k: int
    reds: int
    blacks: int
    chance: Fraction
    zara_chance: Fraction
    ahead: str
    is_tie: bool
    yvonne: str
    zara: str
    ties: int
    decided: Fraction
    zara_share: Fraction | None
    turned: int
    can_appear: bool
    n_sequences: int
    n_pairs: int
    scans: int
    classes: int
    n_states: int
    endless: Fraction | None
    endless_yvonne: str | None
    endless_zara: str | None
    pair: Pair
    small: AllPairs


def solve(parameters: Parameters) -> Result:
    """Best play with the deck of the parameters, exact: every pair of sequences is counted or excluded by a bound."""
    deck = parameters.deck
    best = best_play(deck)
    red = Fraction(deck.reds, deck.reds + deck.blacks)
    endless = endless_play(deck.k, red) if deck.k <= LONGEST_ENDLESS else None
    best_pair = follow(deck, best.yvonne, best.zara)
    decided = 1 - best_pair.nobody
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
        n_states=states_met(deck, best.yvonne, best.zara),
        endless=endless.chance if endless else None,
        endless_yvonne=endless.yvonne if endless else None,
        endless_zara=endless.zara if endless else None,
        pair=_followed(parameters) or best_pair,
        small=all_pairs(Deck(deck.k if deck.k <= LONGEST_OF_ALL_PAIRS else 3, deck.reds, deck.blacks)),
    )


def _followed(parameters: Parameters) -> Pair | None:
    """The pair that the parameters name, if they do; Zara's best answer takes the place of one left open."""
    if not parameters.yvonne:
        return None
    zara = parameters.zara or answer_to(parameters.deck, parameters.yvonne)
    return follow(parameters.deck, parameters.yvonne, zara, parameters.cards)
