"""The choice of two short sequences as a game of states and moves, for the builder to verify."""

from collections.abc import Sequence
from fractions import Fraction

from site_builder.extensions.games.contract import Board, Cards, Deal, Game, States, Turn
from solvers.penney.by_card import turn_over, words_of
from solvers.penney.rules import is_possible
from solvers.penney.table import AllPairs

LONGEST = 3
"""The pairs of longer sequences are too many to turn over the deck for each of them, card by card."""

State = tuple[str, ...]  # Yvonne's sequence, Zara's, and at the end the winner


def game(k: int, reds: int, blacks: int, chance: Fraction, small: AllPairs) -> Game | None:
    """Yvonne picks, Zara picks, and chance turns over the deck.

    None for sequences of more than 3 cards.
    """
    if k > LONGEST:
        return None
    words = words_of(k)
    answers = {first: [second for second in words if is_possible(first, second, reds, blacks)] for first in words}
    answers = {first: seconds for first, seconds in answers.items() if seconds}

    def turn(state: State) -> Turn:
        if state and state[-1] in ("Yvonne wins", "Zara wins"):
            return Turn(None, {}, payoff=int(state[-1] == "Yvonne wins"))
        if len(state) == 2:
            wins = turn_over(*state, reds, blacks).chance
            return Turn(
                None, {"the cards are turned over": ((wins, ("Yvonne wins",), 0), (1 - wins, ("Zara wins",), 0))}
            )
        choices = answers[state[0]] if state else list(answers)
        return Turn(len(state), {word: ((1, (*state, word), 0),) for word in choices})

    def value(state: State) -> Fraction | float:
        if not state:
            return chance
        if len(state) == 2:
            return float(small.chance.at(yvonne=state[0], zara=state[1]))
        return int(state[0] == "Yvonne wins") if " " in state[0] else 1 - small.zara_chance[state[0]]

    pairs = [(first, second) for first, seconds in answers.items() for second in seconds]
    states: list[State] = [(), *((first,) for first in answers), *pairs, ("Yvonne wins",), ("Zara wins",)]
    best: dict[State, tuple[str, ...]] = {(): small.best, **{(first,): (small.answers[first],) for first in answers}}
    return Game(
        ("Yvonne", "Zara"),
        (),
        States(dict.fromkeys(states), turn),
        States(dict.fromkeys(states), value),
        _board(reds, blacks, [small.best[0], *(each for each in answers if each != small.best[0])]),
        best=best,
        of=f"chance, small.chance[{len(pairs)}], small.zara_chance, small.answers, small.best",
        within=1e-15,
    )


def _board(reds: int, blacks: int, words: Sequence[str]) -> Board:
    """The reader is Zara. words: the sequences that Yvonne may choose, a safest one first."""

    def facts(state: State) -> dict[str, str]:
        return {} if " " in "".join(state) else dict(zip(("yvonne", "zara"), state, strict=False))

    def says(state: State) -> str:
        if not state:
            return "Yvonne chooses her sequence"
        if " " in state[0]:
            return "you win this deck" if state[0] == "Zara wins" else "Yvonne wins this deck"
        return "Yvonne has {yvonne}, you have {zara}" if len(state) == 2 else "Yvonne has {yvonne}"

    return Board(
        title="Penney's game",
        goal="You are Zara: answer Yvonne's sequence with another. The first that appears in the deck wins.",
        facts=facts,
        says=says,
        event=lambda before, move, after: "" if before else f"Yvonne chooses {move}",
        reader=1,
        pictures=(
            Cards("Yvonne", "yvonne"),
            Cards("You (Zara)", "zara"),
            Deal("The deck", reds, blacks, ("yvonne", "zara")),
        ),
        starts={f"Yvonne has {word}": (word,) for word in words},
    )
