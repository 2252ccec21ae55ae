"""Game: the states, moves and values of a puzzle, verified state by state; Board: how readers see it, and play it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from site_builder.contract import Grid

Facts = Mapping[str, int | str]
State = Any  # hashable
Number = int | float | Fraction
Outcome = tuple[int | Fraction, State, Number]


@dataclass(frozen=True, slots=True)
class Turn:
    """The possible moves in one state of a game: a player moves, chance moves, or the game is over.

    player: index of the player who chooses the move; None where chance moves, and at an end. moves: by the name of the
    move what it may lead to, each a tuple (chance, next state, reward); the chances are int or Fraction and add up to
    1, the reward is what player 0 gains in that step. Chance has a single move, of any name. payoff: what player 0
    receives at an end, which has no moves; None everywhere else.
    """

    player: int | None
    moves: Mapping[str, tuple[Outcome, ...]]
    payoff: Number | None = None


@dataclass(frozen=True)
class Pieces:
    """A row of pieces, such as coins. Pieces number `first` to `last`, counted from 1, are on the board.

    Pieces that a game begins without are not shown.

    labels: a text for each piece of the row, empty for none. first, last: each a fact, or a number. take: the move that
    a click on a piece makes, as a text with {n} for how many pieces are taken: it and all before it; a board with a
    list of numbers has the number chosen there. take_first, take_last: the moves that clicks on the first and on the
    last piece make. alternate: whether the pieces, each with a label, are red and blue by turns.
    """

    title: str
    labels: Sequence[str]
    first: str | int = 1
    last: str | int = ""
    take: str = ""
    take_first: str = ""
    take_last: str = ""
    alternate: bool = False


@dataclass(frozen=True)
class Walk:
    """The states so far as a line: from left to right by one fact, up and down by another.

    across, up: facts. length: of the way across. goal: where a dashed line is, up from which the game is won; None for
    no line.
    """

    title: str
    across: str
    up: str
    length: int
    goal: float | None = None


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
    card that is turned the chance to win is that with the cards left. Readers can play many decks with the same moves.
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
    event: what a move has brought, as a sentence without its full stop, from the state before, the name of the move and
    the state after: "coin A shows heads"; where it is empty, player and move are shown. reader: the player that the
    reader is; without players the reader starts each move of chance. worth: what the values are: "chance" of winning,
    "gain" in units, or "outcome", of which `outcomes` has the words by value. unit: of a gain, such as "points".
    pictures: shown in the states that have their facts. starts: states from which readers may begin, by their names; by
    default that of the game. notes: what readers should know of the game from a start, as sentences by its name; shown
    while they play it.
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
    notes: Mapping[str, str] = field(default_factory=dict)
    event: Callable[[Any, str, Any], str] | None = None


@dataclass(frozen=True, eq=False)
class Game:
    """A puzzle as a game of one player, or of two whose gains add up to a constant, with its values.

    The builder verifies that in every state the value is the largest (player 0) or smallest (player 1) over the moves
    of the expected reward and next value, that no play goes on for ever, and that the moves of `best` attain it.
    `game` states the rules anew: one that runs functions of `solve` does not count as an independent check.

    players: up to two names; player 0 wants the value high, player 1 wants it low; none where chance alone moves.
    start: the first state. states: the Turn of every state that play can lead to, the ends last; `States` computes
    them when they are requested. values: what player 0 can expect from each state on, as the result has it: a mapping,
    a sequence by index, or a Grid of which a state is the coordinates in the order of its axes. best: the names of best
    moves by state, where the result has a policy; a state may be left out. of: the fields of the result that the values
    and best moves are taken from, as in `of="chance, policy[66]"`, each with its number of cells where these are not
    all. within: by how much the two sides of an equation may differ, such as 1e-15 for values in floats. board: how
    readers see the game, where they may play it.
    """

    players: tuple[str, ...]
    start: State
    states: Mapping[Any, Turn]
    values: Mapping[Any, Number] | Sequence[Number] | Grid
    board: Board | None = None
    best: Mapping[Any, Collection[str]] | None = field(default=None, kw_only=True)
    of: str = field(kw_only=True)
    within: float = field(default=0, kw_only=True)


class States(Mapping[Any, Any]):
    """A mapping that computes its entries: `States(keys, turn)` has `turn(state)` for each of the keys.

    keys: a collection with a fast `in`, such as a dict, set or range. turn: a function of one key.
    """

    def __init__(self, keys: Collection[Any], turn: Callable[[Any], Any]) -> None:
        self._keys = keys
        self._turn = turn

    def __getitem__(self, state: Any) -> Any:
        """Return the entry of a key. Raises KeyError for any other."""
        if state not in self._keys:
            raise KeyError(state)
        return self._turn(state)

    def __contains__(self, state: object) -> bool:
        """True when it is a key; computes nothing."""
        return state in self._keys

    def __iter__(self) -> Iterator[Any]:
        """Return the keys in their order."""
        return iter(self._keys)

    def __len__(self) -> int:
        """Return how many keys there are."""
        return len(self._keys)
