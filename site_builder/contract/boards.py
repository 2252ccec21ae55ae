"""Board: how readers see a game, so that they can play it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Facts = Mapping[str, int | str]


@dataclass(frozen=True)
class Pieces:
    """A row of pieces, such as coins. Pieces number `first` to `last`, counted from 1, are on the board.

    labels: a text for each piece of the row, empty for none. first, last: each a fact, or a number. take: the move that
    a click on a piece makes, as a text with {n} for how many pieces are taken: it and all after it. take_first,
    take_last: the moves that clicks on the first and on the last piece make.
    """

    title: str
    labels: Sequence[str]
    first: str | int = 1
    last: str | int = ""
    take: str = ""
    take_first: str = ""
    take_last: str = ""


@dataclass(frozen=True)
class Walk:
    """The states so far as a line: from left to right by one fact, up and down by another.

    across, up: facts. length: of the way across. goal: up from which the game is won; None without. goal_label: what
    stands beside it.
    """

    title: str
    across: str
    up: str
    length: int
    goal: float | None = None
    goal_label: str = ""


@dataclass(frozen=True)
class Cards:
    """A row of red and black cards. cards: a fact with a text of the letters R and B."""

    title: str
    cards: str


@dataclass(frozen=True)
class Deal:
    """Cards turned over from a shuffled deck until a row of cards appears; this settles a move of chance.

    reds, blacks: cards of the deck. rows: the facts with the rows of the players, which are taken out of the deck.
    The move of chance has as many outcomes as players, in their order; a coin decides where no row appears. With each
    card that is turned the chance to win is that with the cards left.
    """

    title: str
    reds: int
    blacks: int
    rows: tuple[str, str]


Picture = Pieces | Walk | Cards | Deal


@dataclass(frozen=True, kw_only=True)
class Board:
    """The form in which a game is shown to readers.

    title: of the game; goal: what to do, in a sentence. facts: the numbers and words of a state by name. says: a state
    in words, a text with names of facts in braces, such as "{total} pennies are left"; at most 50 different texts.
    event: what a move of chance has brought, as a sentence without its full stop, from the state before, the name of
    the move and the state after: "coin A shows heads". reader: the player that the reader is; without players the
    reader starts each move of chance. worth: what the values are: "chance" of winning, "gain" in units, or "outcome",
    of which `outcomes` has the words by value. unit: of a gain, such as "points". pictures: shown in the states that
    have their facts. starts: states from which readers may begin, by their names; by default that of the game.
    best_of: how many times a game is repeated from the reader's last choice on.
    """

    title: str
    goal: str
    facts: Callable[[Any], Facts]
    says: Callable[[Any], str]
    reader: int = 0
    worth: Literal["chance", "gain", "outcome"] = "chance"
    outcomes: Mapping[int, str] = field(default_factory=dict)
    unit: str = ""
    pictures: tuple[Picture, ...] = ()
    starts: Mapping[str, Any] = field(default_factory=dict)
    event: Callable[[Any, str, Any], str] | None = None
    best_of: int = 1
