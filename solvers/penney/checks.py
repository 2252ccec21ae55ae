"""The confirmations: every pair card by card, small decks by enumeration, linear equations, games played, closed forms.

`best_yvonne` and `best_zara` of a long search are confirmed in small decks only; what is computed from them is so, too.
"""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from site_builder.contract import at_most, case, one_of, simulated
from site_builder.contract.answers import Case
from solvers.penney import by_card
from solvers.penney.by_card import HALF, turn_over
from solvers.penney.rules import cards_left, memory_of

GAMES = 20_000
SEED = 20
LONGEST_OF_ALL_PAIRS = 5
MOST_TURNED = 120  # of longer decks not all pairs are turned card by card, which would take too long
SMALL_DECKS = ((2, 3, 6), (3, 6, 6), (3, 7, 5), (4, 8, 8))


def check_small_decks() -> list[Case]:
    """Every pair of sequences and every order of the cards"""
    found = []
    for k, reds, blacks in SMALL_DECKS:
        chance, pairs = by_card.best_by_enumeration(k, reds, blacks)
        answer = best_play(k, reds, blacks, chance, pairs)
        found.append(case({"k": k, "reds": reds, "blacks": blacks}, answer))
    return found


def best_play(k: int, reds: int, blacks: int, chance: Fraction, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """The answers that follow from Yvonne's chance under best play, and from the best pairs, of which one is found."""
    turned = [turn_over(*pair, reds, blacks) for pair in pairs]
    endless = by_card.best_by_elimination(k) if reds == blacks else None
    return {
        "chance": chance,
        "zara_chance": 1 - chance,
        "ahead": "nobody" if chance == HALF else "Yvonne" if chance > HALF else "Zara",
        "is_tie": chance == HALF,
        "best_yvonne": one_of(*(yvonne for yvonne, _ in pairs)),
        "best_zara": one_of(*(zara for _, zara in pairs)),
        "decided": one_of(*(each.decided for each in turned)),
        "zara_share": one_of(*(each.zara_share for each in turned)),
        "n_states": one_of(*(by_card.count_states(*pair, reds, blacks) for pair in pairs)),
        "endless": endless,
        "deck_gain": None if endless is None else chance - endless,
    }


def check_every_pair(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """Every pair of sequences, carried forward card by card, exact"""
    if k > 4 or reds + blacks - 2 * k > MOST_TURNED:
        return {}
    return best_play(k, reds, blacks, *by_card.best_pairs(by_card.all_chances(k, reds, blacks)))


def check_too_few_cards(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """A tie when fewer cards are turned than a sequence has"""
    if 3 * k <= reds + blacks:
        return {}
    return {"chance": HALF, "zara_chance": HALF, "ahead": "nobody", "is_tie": True, "decided": Fraction(0)}


def check_mirror(reds: int, blacks: int) -> dict[str, Any]:
    """Yvonne is not ahead with as many reds as blacks: Zara can take the opposite of each colour, a mirror image"""
    return {"chance": at_most(HALF)} if reds == blacks else {}


def check_published(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """Published for 52 cards: ties for k = 1, 2 and from 17 to 26, Zara ahead from 3 to 16"""
    if (reds, blacks) != (26, 26):
        return {}
    return {"ahead": "Zara" if 3 <= k <= 16 else "nobody", "is_tie": not 3 <= k <= 16}


def check_best_pair(best_yvonne: str, best_zara: str, reds: int, blacks: int) -> dict[str, Any]:
    """The best pair, carried forward card by card, exact"""
    turned = turn_over(best_yvonne, best_zara, reds, blacks)
    return {
        "chance": turned.chance,
        "zara_chance": 1 - turned.chance,
        "decided": turned.decided,
        "zara_share": turned.zara_share,
        "n_states": by_card.count_states(best_yvonne, best_zara, reds, blacks),
    }


def check_counts(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """comb(2 k, r) pairs have r reds together, less the pairs of equals"""
    pairs = 0
    for together in range(2 * k + 1):
        if together <= reds and 2 * k - together <= blacks:
            pairs += comb(2 * k, together) - (comb(k, together // 2) if together % 2 == 0 else 0)
    return {"turned": reds + blacks - 2 * k, "can_appear": reds + blacks >= 3 * k, "n_pairs": pairs}


def check_published_odds(k: int, reds: int, blacks: int) -> dict[str, Any]:
    """Published without a deck limit: odds for Zara of 2 to 1 at k = 3, of 2^(k-1) + 1 to 2^(k-2) + 1 from k = 4 on"""
    if reds != blacks or not 3 <= k <= 10:
        return {}
    zara_wins, yvonne_wins = (2, 1) if k == 3 else (2 ** (k - 1) + 1, 2 ** (k - 2) + 1)
    return {"endless": Fraction(yvonne_wins, yvonne_wins + zara_wins)}


def check_difference(chance: Fraction, endless: Fraction | None) -> dict[str, Any]:
    """Yvonne's chance with the deck less that without a limit"""
    return {"deck_gain": None if endless is None else chance - endless}


def check_pair(
    best_yvonne: str, best_zara: str, reds: int, blacks: int, yvonne: str, zara: str, cards: str
) -> dict[str, Any]:
    """Where no pair is given, the best one is followed, card by card"""
    return {} if yvonne else {"pair": pair_by_card(best_yvonne, best_zara, reds, blacks, cards)}


def check_given_pair(reds: int, blacks: int, yvonne: str, zara: str, cards: str) -> dict[str, Any]:
    """The pair that is given, carried forward card by card, exact"""
    return {"pair": pair_by_card(yvonne, zara, reds, blacks, cards)} if zara else {}


def pair_by_card(yvonne: str, zara: str, reds: int, blacks: int, cards: str) -> dict[str, Any]:
    """The record `pair` of the result."""
    chance, now = (turn_over(yvonne, zara, reds, blacks, row).chance for row in ("", cards))
    return {"yvonne": yvonne, "zara": zara, "cards": cards, "chance": chance, "chance_now": now}


def check_memories(pair: dict[str, Any]) -> dict[str, Any]:
    """The beginnings of both sequences, and what may still grow into one of them after one more card"""
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
    if not yvonne or zara or not (k <= turned <= 20 or (k <= 4 and turned <= MOST_TURNED)):
        return {}
    if turned <= 20:
        least, answers = by_card.answers_by_enumeration(yvonne, reds, blacks)
    else:
        row = by_card.all_chances(k, reds, blacks)[yvonne]
        least = min(row.values())
        answers = [answer for answer, chance in row.items() if chance == least]
    return {"pair": {"yvonne": yvonne, "zara": one_of(*answers), "cards": "", "chance": least, "chance_now": least}}


def check_games(reds: int, blacks: int, yvonne: str, zara: str) -> dict[str, Any]:
    """20,000 shuffled decks, turned over until a sequence appears"""
    if not zara:
        return {}
    scores = by_card.simulated_scores(yvonne, zara, *cards_left(reds, blacks, yvonne, zara), GAMES, SEED)
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
    word, seen = best[0], list[str]()
    while word not in seen:
        seen.append(word)
        word = answers[word]
    cycle = seen[seen.index(word) :]
    cycle = cycle[cycle.index(max(cycle)) :] + cycle[: cycle.index(max(cycle))]
    values = [[float(rows.get(first, {}).get(second, np.nan)) for second in words] for first in words]
    table = {"k": short, "chance": np.array(values), "answers": answers, "zara_chance": zara_chance, "best": best}
    table |= {"beaten": sum(each > HALF for each in zara_chance.values()), "cycle": cycle}
    return {"small": table | {"cycle_chance": [zara_chance[first] for first in cycle]}}
