"""Game: the states, moves and values of a puzzle, for the builder to verify state by state."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from site_builder.contract.boards import Board
from site_builder.contract.grid import Grid

State = Any  # hashable
Number = int | float | Fraction
Outcome = tuple[int | Fraction, State, Number]


@dataclass(frozen=True)
class Exact:
    """The two sides of an equation are equal."""


@dataclass(frozen=True)
class Absolute:
    """The two sides of an equation, in floats, differ by at most `error`."""

    error: float


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
    all. within: Exact(), or Absolute(error) for values in floats, where the two
    sides of an equation may differ by `error`. board: how readers see the game, where they may play it.
    """

    players: tuple[str, ...]
    start: State
    states: Mapping[Any, Turn]
    values: Mapping[Any, Number] | Sequence[Number] | Grid
    board: Board | None = None
    best: Mapping[Any, Collection[str]] | None = field(default=None, kw_only=True)
    of: str = field(kw_only=True)
    within: Exact | Absolute = field(default=Exact(), kw_only=True)


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
