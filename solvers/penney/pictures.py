"""What is to be seen of a result: all pairs, best answers, the circle they run in, and what must be remembered."""

from collections.abc import Mapping
from fractions import Fraction
from math import cos, pi, sin

import numpy as np

from site_builder.contract import Column, Diagram, Edge, Figure, Heatmap, Node, Table
from solvers.penney.automaton import Pair
from solvers.penney.puzzle import Result
from solvers.penney.small import AllPairs

THIN = "\N{NARROW NO-BREAK SPACE}"
NOTHING = "nothing"
MOST_NODES = 16
LONGEST_WITH_RETURNS = 6


def figures(result: Result) -> dict[str, Figure]:
    """All pairs of short sequences, the best answers, the circle they run in, and the memories of one pair."""
    deck = f"{result.reds} red and {result.blacks} black card{'s' if result.blacks != 1 else ''}"
    return {
        "pairs": _pairs(result.small, deck),
        "answers": _answers(result.small, deck, result.reds == result.blacks),
        "circle": _circle(result.small, deck),
        "memories": _memories(result.pair, result.k),
    }


def percent(chance: Fraction) -> str:
    """A chance in whole per cent; 0 and 100 are kept for the impossible and the certain."""
    rounded = round(100 * chance)
    if rounded == 0 and chance > 0:
        return f"<1{THIN}%"
    if rounded == 100 and chance < 1:
        return f">99{THIN}%"
    return f"{rounded}{THIN}%"


def _of_length(k: int) -> str:
    return f"sequences of {k} card{'s' if k != 1 else ''}"


def _listed(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _pairs(small: AllPairs, deck: str) -> Heatmap:
    chances = small.chance.values
    reach = max(0.01, float(np.nanmax(np.abs(chances - 0.5))))
    fewest, most = (f"{100 * float(end(chances)):.1f}{THIN}%" for end in (np.nanmin, np.nanmax))
    return Heatmap(
        f"Every pair of {_of_length(small.k)}",
        small.chance,
        across="zara",
        value_label="chance that Yvonne wins",
        caption=(
            f"Yvonne's chance for each pair of {_of_length(small.k)} from {deck}, from {fewest} to {most}. Zara picks "
            f"the lowest number of the row that Yvonne has chosen; in {small.beaten} of {len(small.answers)} rows it "
            "is below one half. Empty cells are pairs that cannot be played."
        ),
        labels={"yvonne": "Yvonne's sequence", "zara": "Zara's sequence"},
        value_range=(0.5 - reach, 0.5 + reach),
        percent=True,
        scale="diverging",
        centre=0.5,
        cell_text="percent(0)",
        downward=True,
    )


def _answers(small: AllPairs, deck: str, is_even: bool) -> Table:
    rows = [word for word in small.answers if not is_even or word.startswith("R")]
    swapped = " The other half is the same with the colours swapped." if is_even else ""
    best = _listed(tuple(word for word in small.best if word in rows)) if len(small.best) <= 4 else "every one"
    return Table(
        f"The best answers to {_of_length(small.k)}",
        (
            Column("Yvonne", tuple(rows)),
            Column("Zara answers", tuple(small.answers[word] for word in rows)),
            Column("Zara wins", tuple(small.zara_chance[word] for word in rows), "percent(2)"),
        ),
        f"A best answer to each of Yvonne's sequences, and Zara's chance with it, from {deck}. Yvonne does best to "
        f"choose the row where that chance is lowest: {best}.{swapped}",
    )


def _circle(small: AllPairs, deck: str) -> Diagram:
    kinds = _kinds_of_nodes(small)
    places = _places(small, kinds)
    nodes = tuple(Node(word, places[word], kind) for word, kind in kinds.items())
    is_pair = len(small.cycle) == 2
    edges = tuple(
        Edge(
            word, small.answers[word], percent(small.zara_chance[word]), 0.2 if is_pair and word in small.cycle else 0.0
        )
        for word in kinds
    )
    told = {"circle": "in the circle", "best": "best for Yvonne", "both": "in the circle and best for Yvonne"}
    told["outside"] = "leads into the circle"
    ahead = all(chance > Fraction(1, 2) for chance in small.cycle_chance)
    return Diagram(
        f"Best answers to best answers, {_of_length(small.k)}",
        nodes,
        edges,
        {kind: name for kind, name in told.items() if kind in kinds.values()},
        f"An arrow leads from a sequence to Zara's best answer, with her chance to win, from {deck}. "
        f"The answers run in a circle: {', '.join((*small.cycle, small.cycle[0]))}. "
        + ("Each beats the one before it, so none is the best of all." if ahead else "Not every step of it is a win."),
    )


def _kinds_of_nodes(small: AllPairs) -> dict[str, str]:
    """The sequences to draw: all of them or, where they are many, the circle and what leads there from the best."""
    chosen = list(small.cycle)
    for word in small.answers if len(small.answers) <= MOST_NODES else small.best[:2]:
        while word not in chosen and _reaches(small, word):
            chosen.append(word)
            word = small.answers[word]
    return {
        word: ("both" if word in small.best else "circle")
        if word in small.cycle
        else ("best" if word in small.best else "outside")
        for word in chosen
    }


def _reaches(small: AllPairs, word: str) -> bool:
    """Whether best answers lead from a sequence into the drawn circle and not into another."""
    seen: set[str] = set()
    while word not in seen:
        seen.add(word)
        word = small.answers[word]
    return word in small.cycle


def _places(small: AllPairs, kinds: Mapping[str, str]) -> dict[str, tuple[float, float]]:
    """The circle in the middle, and what leads to a sequence further out in its direction."""
    children: dict[str, list[str]] = {word: [] for word in kinds}
    for word in kinds:
        if word not in small.cycle:
            children[small.answers[word]].append(word)
    leaves = {word: _leaves(word, children) for word in kinds}
    total = sum(leaves[word] for word in small.cycle)
    radius = max(1.0, 0.2 * total, 0.22 * len(small.cycle))
    places: dict[str, tuple[float, float]] = {}
    queue = []
    begin = 0.0
    for word in small.cycle:
        queue.append((word, begin, begin + leaves[word] / total, 0))
        begin += leaves[word] / total
    for word, begin, end, depth in queue:
        angle = pi * (begin + end)
        reach = radius + 1.4 * depth
        places[word] = (round(-reach * cos(angle), 6), round(reach * sin(angle), 6))
        for child in children[word]:
            share = (end - begin) * leaves[child] / leaves[word]
            queue.append((child, begin, begin + share, depth + 1))
            begin += share
    return places


def _leaves(word: str, children: Mapping[str, list[str]]) -> int:
    return sum(_leaves(child, children) for child in children[word]) or 1


def _memories(pair: Pair, k: int) -> Diagram:
    both = {memory for memory in pair.memories if pair.yvonne.startswith(memory) and pair.zara.startswith(memory)}
    nodes = tuple(
        Node(
            memory or NOTHING,
            (1.3 * len(memory), 0.0 if memory in both else 0.8 if pair.yvonne.startswith(memory) else -0.8),
            _kind_of_memory(pair, memory),
        )
        for memory in pair.memories
    )
    returns = k <= LONGEST_WITH_RETURNS
    edges = []
    for move, after in pair.moves.items():
        before, card = move.split(" ")
        if len(after) > len(before) or returns:
            edges.append(Edge(before or NOTHING, after or NOTHING, card, _bend(before, after, pair)))
    kinds = {
        "open": "the game goes on",
        "now": f"after {pair.cards}",
        "yvonne": "Yvonne has won",
        "zara": "Zara has won",
    }
    return Diagram(
        f"What to remember of the cards for {pair.yvonne} against {pair.zara}",
        nodes,
        tuple(edges),
        {kind: name for kind, name in kinds.items() if any(node.kind == kind for node in nodes)},
        f"The longest end of the cards turned so far that begins {pair.yvonne} or {pair.zara}; R and B say where the "
        f"next card leads. {pair.n_memories} memories do the work of the {pair.n_windows} rows of up to {k} cards."
        + ("" if returns else " Only the cards that carry a sequence on are drawn; all others lead back."),
    )


def _kind_of_memory(pair: Pair, memory: str) -> str:
    if memory in (pair.yvonne, pair.zara):
        return "yvonne" if memory == pair.yvonne else "zara"
    return "now" if pair.cards and memory == pair.memory else "open"


def _bend(before: str, after: str, pair: Pair) -> float:
    """Moves that lead back bow away from the row they start in, those to the other row a little to one side."""
    if len(after) > len(before):
        return 0.0
    starts_above, ends_above = (pair.yvonne.startswith(memory) for memory in (before, after))
    if starts_above != ends_above:
        return 0.12
    return -0.35 if starts_above else 0.35
