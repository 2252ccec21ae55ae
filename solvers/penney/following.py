"""One pair of sequences followed card by card: its memories, its states, and the probabilities at every moment.

The memories and the moves between them are the automaton of Aho and Corasick for two sequences: at most 2 k + 1
memories, two of which are complete sequences, where the game ends. A state is (reds left, blacks left, memory).
"""

from fractions import Fraction
from math import comb
from typing import Any

from solvers.penney.rules import BLACK, RED, cards_left, memory_of

State = tuple[int, int, str]
OrdersWon = dict[State, tuple[int, int]]


def orders_won(yvonne: str, zara: str, red: int, black: int) -> OrdersWon:
    """In how many orders of the cards left each player wins, by every state that can occur, the ends included.

    All orders are equally likely, so that W of the package's docstring is a number of orders over all of them:
    N(r, b, m) = N(r - 1, b, mR) + N(r, b - 1, mB).
    """
    moves, states, after = moves_of(yvonne, zara), [(red, black, "")], dict[State, list[State]]()
    for state in states:  # it grows: first the states with the most cards left
        if state not in after:
            r, b, memory = state
            after[state] = []
            if memory not in (yvonne, zara):
                after[state] += [(r - 1, b, moves[f"{memory} {RED}"])] if r else []
                after[state] += [(r, b - 1, moves[f"{memory} {BLACK}"])] if b else []
            states += after[state]
    won = OrdersWon()
    for (r, b, memory), later in reversed(after.items()):
        if memory in (yvonne, zara):
            won[r, b, memory] = comb(r + b, r) * (memory == yvonne), comb(r + b, r) * (memory == zara)
        else:
            won[r, b, memory] = sum(won[each][0] for each in later), sum(won[each][1] for each in later)
    return won


def memories_of(yvonne: str, zara: str) -> tuple[str, ...]:
    """All memories, the shortest first, which is empty: the beginnings of both sequences."""
    found = {sequence[:length] for sequence in (yvonne, zara) for length in range(len(sequence) + 1)}
    return tuple(sorted(sorted(found, reverse=True), key=len))


def moves_of(yvonne: str, zara: str) -> dict[str, str]:
    """The memory after one more card, by "memory card"; none from a complete sequence."""
    going_on = [memory for memory in memories_of(yvonne, zara) if memory not in (yvonne, zara)]
    return {f"{memory} {card}": memory_of(memory + card, yvonne, zara) for memory in going_on for card in (RED, BLACK)}


def follow(yvonne: str, zara: str, reds: int, blacks: int, cards: str) -> dict[str, Any]:
    """One sequence for each player, and Yvonne's probability to win at first and after the cards turned.

    Half of the orders without a winner are hers.
    """
    won = orders_won(yvonne, zara, *cards_left(reds, blacks, yvonne, zara))
    chances = []
    for row in ("", cards):
        red, black = cards_left(reds, blacks, yvonne, zara, row)
        mine, hers = won[red, black, memory_of(row, yvonne, zara)]
        chances.append((1 + Fraction(mine - hers, comb(red + black, red))) / 2)
    return {"yvonne": yvonne, "zara": zara, "cards": cards, "chance": chances[0], "chance_now": chances[1]}


def memories(yvonne: str, zara: str, cards: str) -> dict[str, Any]:
    """What has to be remembered of the cards.

    now: the memory after the cards turned so far; all: every memory; moves: "memory card" -> the next memory.
    n_windows: how many rows of up to k cards there are, which is what remembering the last k cards takes.
    """
    found = memories_of(yvonne, zara)
    return {
        "now": memory_of(cards, yvonne, zara),
        "all": found,
        "moves": moves_of(yvonne, zara),
        "n_memories": len(found),
        "n_windows": 2 ** (len(yvonne) + 1) - 1,
    }
