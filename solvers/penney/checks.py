"""The confirmations: every pair card by card, small decks by enumeration, linear equations, games played, closed forms.

`best_yvonne` and `best_zara` of a long search are confirmed in small decks only; what is computed from them is so, too.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import case, close, one_of, simulated
from site_builder.contract.answers import Case
from solvers.penney import by_card
from solvers.penney.by_card import HALF, turn_over
from solvers.penney.rules import cards_left, memory_of

GAMES = 20_000
SEED = 20
LONGEST_OF_ALL_PAIRS = 5
MOST_TURNED = 120  # of longer decks not all pairs are turned card by card, which would take too long
SMALL_DECKS = ((2, 3, 6), (3, 6, 6), (3, 7, 5), (4, 8, 8))


def check_small_decks(k: int, reds: int, blacks: int) -> list[Case] | dict[str, Any]:
    """Every pair of sequences and every order of the cards"""
    if reds != blacks and is_every_pair_turned(k, reds, blacks):
        return {}  # else the search uses the symmetry of an even deck, or excludes sequences by their bounds
    return [
        case({"k": deck[0], "reds": deck[1], "blacks": deck[2]}, best_play(*deck, *by_card.best_by_enumeration(*deck)))
        for deck in SMALL_DECKS
    ]


def is_every_pair_turned(k: int, reds: int, blacks: int) -> bool:
    """True where the whole deck is turned over for every pair."""
    return k <= 4 and reds + blacks - 2 * k <= MOST_TURNED


def check_every_pair(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """Every pair of sequences, carried forward card by card, exact"""
    if not is_every_pair_turned(k, reds, blacks):
        return {}
    return best_play(k, reds, blacks, *by_card.best_pairs(by_card.all_chances(k, reds, blacks)))


def best_play(k: int, reds: int, blacks: int, chance: Fraction, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """The answers that follow from Yvonne's chance under best play, and from the best pairs, of which one is found."""
    turned = [turn_over(*pair, reds, blacks) for pair in pairs]
    endless = by_card.best_endless(k) if reds == blacks else None
    return {
        "chance": chance,
        "ahead": "nobody" if chance == HALF else "Yvonne" if chance > HALF else "Zara",
        "best_yvonne": one_of(*(yvonne for yvonne, _ in pairs)),
        "best_zara": one_of(*(zara for _, zara in pairs)),
        "decided": one_of(*(each.decided for each in turned)),
        "zara_share": one_of(*(each.zara_share for each in turned)),
        "n_states": one_of(*(by_card.count_states(*pair, reds, blacks) for pair in pairs)),
        "endless": None if endless is None else close(endless, relative=1e-12),
    }


def check_too_few_cards(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """Cards for three sequences, of which two are taken out; a tie when there are fewer"""
    if 3 * k <= reds + blacks:
        return {"can_appear": True}
    return {"can_appear": False, "chance": HALF, "ahead": "nobody", "decided": Fraction(0)}


def check_published(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """Published for 52 cards: ties for k = 1, 2 and from 17 to 26, Zara ahead from 3 to 16"""
    if (reds, blacks) != (26, 26):
        return {}
    return {"ahead": "Zara" if 3 <= k <= 16 else "nobody"}


def check_best_pair(best_yvonne: str, best_zara: str, reds: int, blacks: int) -> dict[str, Any]:
    """The best pair, carried forward card by card, exact"""
    turned = turn_over(best_yvonne, best_zara, reds, blacks)
    return {
        "chance": turned.chance,
        "decided": turned.decided,
        "zara_share": turned.zara_share,
        "n_states": by_card.count_states(best_yvonne, best_zara, reds, blacks),
    }


def check_published_odds(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """Published without a deck limit: odds for Zara of 2 to 1 at k = 3, of 2^(k-1) + 1 to 2^(k-2) + 1 from k = 4 on"""
    if reds != blacks or not 3 <= k <= 10:
        return {}
    zara_wins, yvonne_wins = (2, 1) if k == 3 else (2 ** (k - 1) + 1, 2 ** (k - 2) + 1)
    return {"endless": Fraction(yvonne_wins, yvonne_wins + zara_wins)}


def check_given_pair(reds: int, blacks: int, yvonne: str, zara: str, cards: str) -> dict[str, Any]:
    """The pair that is given, carried forward card by card, exact"""
    if not yvonne:
        return {"pair": None}
    if not zara:
        return {}
    chance, now = (turn_over(yvonne, zara, reds, blacks, row).chance for row in ("", cards))
    return {"pair": {"yvonne": yvonne, "zara": zara, "cards": cards, "chance": chance, "chance_now": now}}


def check_memories(pair: dict[str, Any] | None) -> dict[str, Any]:
    """The beginnings of both sequences, and what may still grow into one of them after one more card"""
    if pair is None:
        return {"memories": None}
    sequences = (pair["yvonne"], pair["zara"])
    k = len(pair["yvonne"])
    found = sorted({sequence[:length] for sequence in sequences for length in range(k + 1)}, reverse=True)
    going_on = [memory for memory in found if memory not in sequences]
    return {
        "memories": {
            "now": memory_of(pair["cards"], *sequences),
            "all": sorted(found, key=len),
            "moves": {f"{memory} {card}": memory_of(memory + card, *sequences) for memory in going_on for card in "RB"},
            "n_memories": len(found),
            "n_windows": sum(2**length for length in range(k + 1)),
        }
    }


def check_every_answer(k: int, reds: int, blacks: int, yvonne: str, zara: str) -> dict[str, Any]:
    """Every answer to the sequence that is given: in every order of the cards, or carried forward card by card"""
    turned = reds + blacks - 2 * k
    if not yvonne or zara or not (k <= turned <= 20 or is_every_pair_turned(k, reds, blacks)):
        return {}
    if turned <= 20:
        least, answers = by_card.answers_by_enumeration(yvonne, reds, blacks)
    else:
        least, pairs = by_card.best_pairs({yvonne: by_card.all_chances(k, reds, blacks)[yvonne]})
        answers = [answer for _, answer in pairs]
    return {"pair": {"yvonne": yvonne, "zara": one_of(*answers), "cards": "", "chance": least, "chance_now": least}}


def check_games(reds: int, blacks: int, yvonne: str, zara: str) -> dict[str, Any]:
    """20,000 shuffled decks, turned over until a sequence appears"""
    left = cards_left(reds, blacks, yvonne, zara)
    if not zara or sum(left) < len(zara):
        return {}
    scores = by_card.simulated_scores(yvonne, zara, *left, GAMES, SEED)
    if np.count_nonzero(scores != 0.5) < 400:  # too few for a fair test
        return {}
    return {"pair": {"chance": simulated(float(scores.mean()), GAMES, deviation=float(scores.std()))}}


def check_table(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """Every pair of the table, carried forward card by card, exact"""
    short = k if k <= LONGEST_OF_ALL_PAIRS else 3
    if reds + blacks - 2 * short > MOST_TURNED:
        return {}
    rows, words = by_card.all_chances(short, reds, blacks), by_card.words_of(short)
    answers = {first: max(z for z in row if row[z] == min(row.values())) for first, row in rows.items()}
    zara_chance = {first: 1 - rows[first][answer] for first, answer in answers.items()}
    best = [first for first in answers if zara_chance[first] == min(zara_chance.values())]
    word = best[0]
    for _ in answers:
        word = answers[word]  # after so many steps it is one of the cycle
    cycle = [word]
    while answers[cycle[-1]] != word:
        cycle.append(answers[cycle[-1]])
    cycle = cycle[cycle.index(max(cycle)) :] + cycle[: cycle.index(max(cycle))]
    values = [[float(rows.get(first, {}).get(second, np.nan)) for second in words] for first in words]
    table = {"k": short, "chance": np.array(values), "answers": answers, "zara_chance": zara_chance, "best": best}
    table |= {"beaten": sum(each > HALF for each in zara_chance.values()), "cycle": cycle}
    return {"small": table | {"cycle_chance": [zara_chance[first] for first in cycle]}}
