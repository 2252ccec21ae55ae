"""Figures of a result: all pairs, the cycle in which best answers run, and the memories of one pair."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import cos, pi, sin
from typing import Any

import numpy as np

from site_builder.contract import Action, Diagram, Edge, Frames, Grid, Heatmap, Node, PolicyMap
from solvers.common.captions import frame
from solvers.penney.rules import BLACK, RED, cards_left, memory_of
from solvers.penney.table import AllPairs

NOTHING = "nothing"
MOST_NODES = 8


def _cards(number: int, colour: str = "") -> str:
    return f"{number} {colour}card{'s' if number != 1 else ''}"


def _deck(reds: int, blacks: int) -> str:
    return f"{reds} red and {_cards(blacks, 'black ')}"


def _in_words(sequence: str) -> str:
    runs = [(card, len(list(run))) for card, run in groupby(sequence)]
    return " and then ".join(_cards(length, "red " if card == RED else "black ") for card, length in runs)


def percent(chance: Fraction) -> str:
    """A probability in whole per cent; only 0 and 1 are written as 0 % and 100 %."""
    rounded = round(100 * chance)
    if rounded in (0, 100) and chance not in (0, 1):
        return "<1%" if rounded == 0 else ">99%"
    return f"{rounded}%"


def figure_pairs(small: AllPairs, reds: int, blacks: int) -> Heatmap:
    """The table of all pairs, with Zara's chance."""
    chances = 1 - small.chance.values
    reach = max(0.01, float(np.nanmax(np.abs(chances - 0.5))))
    fewest, most = (f"{100 * float(end(chances)):.1f}%" for end in (np.nanmin, np.nanmax))
    count = len(small.answers)
    rows = "every row" if small.beaten == count else f"{small.beaten} of {count} rows"
    best = np.argwhere(chances == np.fmax.reduce(chances, axis=1, keepdims=True))
    return Heatmap(
        f"Every pair of sequences of {_cards(small.k)}",
        Grid(chances, small.chance.axes),
        across="zara",
        value_label="chance that Zara wins",
        caption=f"Zara's chance for each pair of sequences of {_cards(small.k)} from {_deck(reds, blacks)}, "
        f"from {fewest} to {most}. The frames are her best answers, the highest numbers of their rows; in {rows} "
        "that number is above one half.",
        labels={"yvonne": "Yvonne's sequence", "zara": "Zara's sequence"},
        value_range=(0.5 - reach, 0.5 + reach),
        percent=True,
        scale="diverging",
        centre=0.5,
        cell_text="percent(0)",
        lines=tuple(line for row, column in best.tolist() for line in frame(column, row)),
        downward=True,
    )


def figure_circle(small: AllPairs, reds: int, blacks: int) -> Diagram:
    """Best answers to best answers, and the cycle in which they run."""
    kinds = _kinds_of_nodes(small)
    places = _places(small, kinds)
    bends = dict.fromkeys(small.cycle, 0.2) if len(small.cycle) == 2 else {}
    names = {
        "circle": "in the circle",
        "best": "safest for Yvonne",
        "both": "in the circle and safest for Yvonne",
        "outside": "leads into the circle",
    }
    ahead = all(chance > Fraction(1, 2) for chance in small.cycle_chance)
    return Diagram(
        f"Best answers to best answers, sequences of {_cards(small.k)}",
        tuple(Node(word, places[word], kind) for word, kind in kinds.items()),
        tuple(
            Edge(word, small.answers[word], percent(small.zara_chance[word]), bends.get(word, 0.0)) for word in kinds
        ),
        {kind: name for kind, name in names.items() if kind in kinds.values()},
        f"An arrow leads from a sequence to a best answer, with the chance that the answer wins, from "
        f"{_deck(reds, blacks)}.{'' if ahead else ' Not every step of the circle is a win.'}",
    )


def _kinds_of_nodes(small: AllPairs) -> dict[str, str]:
    """The kind of each sequence drawn: all sequences or, of more than 8, the cycle and what leads there from the best.

    A sequence from which the best answers lead into another cycle is not drawn.
    """
    chosen = list(small.cycle)
    for word in small.answers if len(small.answers) <= MOST_NODES else small.best[:2]:
        trail: list[str] = []
        while word not in (*chosen, *trail):
            trail.append(word)
            word = small.answers[word]
        if word in chosen:
            chosen += trail
    kinds = {(True, True): "both", (True, False): "circle", (False, True): "best", (False, False): "outside"}
    return {word: kinds[word in small.cycle, word in small.best] for word in chosen}


def _places(small: AllPairs, kinds: Mapping[str, str]) -> dict[str, tuple[float, float]]:
    """The cycle in the middle, and what leads to a sequence further out in the direction of that sequence."""
    places: dict[str, tuple[float, float]] = {}

    def spread(words: Sequence[str], begin: float, end: float, reach: float) -> None:
        """Place some sequences side by side on an arc, given in parts of a turn, and behind each what leads to it."""
        for n, word in enumerate(words):
            low, high = (begin + (end - begin) * share / len(words) for share in (n, n + 1))
            angle = pi * (low + high)
            places[word] = (round(-reach * cos(angle), 6), round(reach * sin(angle), 6))
            leading = [each for each in kinds if each not in small.cycle and small.answers[each] == word]
            spread(leading, low, high, reach + 1.4)

    spread(small.cycle, 0.0, 1.0, max(1.0, 0.15 * len(kinds)))
    return places


def figure_memories(pair: Mapping[str, Any] | None, memories: Mapping[str, Any], k: int) -> Diagram | None:
    """The memories of the pair, and where each card leads."""
    if pair is None:
        return None
    return _graph(
        pair,
        memories,
        f"What to remember of the cards for {pair['yvonne']} against {pair['zara']}",
        f"The longest end of the cards turned so far that begins {pair['yvonne']} or {pair['zara']}; R and B say where "
        f"the next card leads. {memories['n_memories']} memories are enough, in place of the {memories['n_windows']} "
        f"rows of up to {k} cards.",
    )


def figure_worked(pair: Mapping[str, Any] | None, memories: Mapping[str, Any]) -> Frames | None:
    """The game of RR against BR: where each beginning of the cards leads."""
    if pair is None or (pair["yvonne"], pair["zara"]) != ("RR", "BR"):
        return None
    steps = (
        ("", "No card is turned yet. Yvonne waits for RR, and Zara for BR."),
        ("B", "The first card is black. However many blacks follow, the next red card makes BR: Zara wins."),
        ("R", "Or the first card is red. If the second is red too, Yvonne wins."),
        ("RB", "But if the second is black, Zara again waits for any red card, and RR cannot come before it."),
    )
    frames = []
    for cards, label in steps:
        now = memory_of(cards, "RR", "BR")
        frames.append((label, _graph({**pair, "cards": cards}, {**memories, "now": now})))
    return Frames(
        "RR against BR",
        tuple(frames),
        caption="Each shape is what matters of the cards so far, and the letters at the arrows are the next card.",
        alt="From the start a red card leads to R and a black one to B. From B no way leads to RR.",
    )


def figure_orders(pair: Mapping[str, Any] | None, reds: int, blacks: int) -> PolicyMap | None:
    """The orders in which a sequence appears, where one card more is turned over than it has."""
    if pair is None or reds + blacks != 3 * len(pair["yvonne"]) + 1:
        return None
    orders: dict[str, str] = {}
    for name in ("Yvonne", "Zara"):
        sequence = pair[name.lower()]
        other = {(1, 0): RED, (0, 1): BLACK}.get(cards_left(reds, blacks, pair["yvonne"], pair["zara"], sequence))
        if other:
            orders |= {f"{name} at once": sequence + other, f"{name} later": other + sequence}
    codes = np.array([[(RED, BLACK).index(card) for card in order] for order in orders.values()])
    return PolicyMap(
        f"The {len(orders)} orders in which somebody wins",
        Grid(codes, {"order": tuple(orders), "card": range(1, codes.shape[1] + 1)}),
        "card",
        (Action("red", RED, "red"), Action("black", BLACK, "grey")),
        f"{_cards(codes.shape[1]).capitalize()} are turned over, one more than a sequence has. Drawn for Zara's "
        f"{_in_words(pair['zara'])}; any other order of these appears twice as well.",
        labels={"order": "who wins, and when", "card": "card turned over"},
        downward=True,
    )


def _graph(pair: Mapping[str, Any], memories: Mapping[str, Any], title: str = "", caption: str = "") -> Diagram:
    """The memories as nodes and the cards as arrows."""
    edges = []
    for move, after in memories["moves"].items():
        before, card = move.split(" ")
        edges.append(Edge(before or NOTHING, after or NOTHING, card, _bend(before, after, pair["yvonne"])))
    kinds = dict.fromkeys(memories["all"], "open")
    kinds |= {memories["now"]: "now"} if pair["cards"] else {}
    kinds |= {pair["yvonne"]: "Yvonne", pair["zara"]: "Zara"}
    names = {
        "open": "the game goes on",
        "Yvonne": "Yvonne has won",
        "Zara": "Zara has won",
        "now": "where we are now",  # last: a kind has the shape of its place, and not every step has this one
    }
    return Diagram(
        title,
        tuple(Node(memory or NOTHING, _place(memory, pair), kind) for memory, kind in kinds.items()),
        tuple(edges),
        {kind: name for kind, name in names.items() if kind in kinds.values()},
        caption,
    )


def _place(memory: str, pair: Mapping[str, Any]) -> tuple[float, float]:
    """By length from left to right: Yvonne's sequence above, Zara's below, what both begin with in the middle."""
    yvonne, zara = pair["yvonne"].startswith(memory), pair["zara"].startswith(memory)
    return 1.3 * len(memory), 0.8 * (yvonne - zara)


def _bend(before: str, after: str, yvonne: str) -> float:
    """Arrows that lead back bend away from the row in which they start, those to the other row a little sideways."""
    if len(after) > len(before):
        return 0.0
    starts_above, ends_above = yvonne.startswith(before), yvonne.startswith(after)
    if starts_above != ends_above:
        return 0.12
    return -0.35 if starts_above else 0.35
