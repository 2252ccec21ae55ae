"""Verify a solver's game: in every state the value satisfies the equation of optimality.

The values are right where all equations hold and every play ends: then the equations have one solution, for two players
too (Patek and Bertsekas, Stochastic Shortest Path Games, 1999).
"""

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from math import isfinite
from typing import Any

from site_builder.contract import Grid
from site_builder.errors import CuredError
from site_builder.extensions.games.contract import Game, Turn
from site_builder.values.plain_values import text_of

MOST_STATES, SAMPLE, SEED = 50_000, 20_000, 1
"""A game of more states has a sample of them verified, drawn with this seed."""

LARGEST_ERROR = 1e-6
"""The largest difference between the sides of an equation, as a share of the largest value, or of 1 if larger."""

_MOST_SHOWN = 6  # moves of an equation
_DIGITS = 17
_MOST_SEEN = 10_000  # different chances of moves that are remembered


class GameError(CuredError):
    """Raised for a game that breaks its rules."""


def game_proof(game: Game, most: int = MOST_STATES) -> "tuple[str, GameProof]":
    """A game that holds, and how that was verified in words.

    most: states that are all verified. Raises GameError for a violation.
    """
    proof = GameProof(game)
    proof.refuse_wrong_form()
    total = len(game.states)
    chosen = list(game.states) if total <= most else _sample(game, min(most, SAMPLE))
    stated = proof.verify(chosen, is_whole=len(chosen) == total)
    every = (
        f"every one of {total:,} state{'' if total == 1 else 's'}"
        if len(chosen) == total
        else f"each of {len(chosen):,} of {total:,} states"
    )
    how = [f"{every} satisfies the equation of optimality"]
    how += [] if len(chosen) == total else [f"the states are drawn with seed {SEED}"]
    how += [f"best moves attain it in {stated:,} state{'' if stated == 1 else 's'}"] if stated else []
    return "; ".join(how), proof


def _sample(game: Game, size: int) -> list[Any]:
    """States drawn with a seed, in their order, and the start."""
    drawn = {*random.Random(SEED).sample(range(len(game.states)), size - 1)}
    chosen = (state for place, state in enumerate(game.states) if place in drawn)
    return list(dict.fromkeys([game.start, *chosen]))


class GameProof:
    """The proof of a game. turns, values, best (the names of the best moves): by state, of each that was verified."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.turns: dict[Any, Turn] = {}
        self.values: dict[Any, Any] = {}
        self.best: dict[Any, Collection[str]] = {}
        self._is_descending = True  # every move seen leads to states that were verified before: play ends
        self._ahead: dict[Any, Any] = {}  # values of states that are not verified yet
        self._error = game.within
        self._value = _reader(game.values)
        self._seen: dict[tuple[int, ...], tuple[tuple[Any, ...], tuple[Any, ...]]] = {}

    @property
    def is_whole(self) -> bool:
        """True when every state was verified."""
        return len(self.values) >= len(self.game.states)

    def refuse_wrong_form(self) -> None:
        """Refuse what is wrong with the game as a whole."""
        game = self.game
        if not (isinstance(self._error, (int, float)) and 0 <= self._error <= LARGEST_ERROR):
            cure = f"write the rounding of one step of floats, such as within=1e-14, at most {LARGEST_ERROR:g}"
            raise GameError(f"the game has within={self._error!r}", cure)
        if len(game.players) > 2:
            raise GameError(f"the game has {len(game.players)} players", "write one or two; the value is player 0's")
        if not isinstance(game.states, Mapping):
            cure = "write a dict of Turns by state, or States(keys, turn)"
            raise GameError(f"states is a {type(game.states).__name__}", cure)
        if game.start not in game.states:
            raise GameError(f"the game starts at {game.start!r}, which is none of its states", "add it to states")

    def verify(self, chosen: list[Any], is_whole: bool) -> int:
        """Verify these states; in how many of them a best move is stated."""
        known = set(chosen) if is_whole else self.game.states
        stated = 0
        for state in reversed(chosen):  # most list the ends last; the last state that is wrong is the cause of others
            turn = self.game.states[state]
            if not isinstance(turn, Turn):
                raise GameError(f"{_at(state)} states has a {type(turn).__name__}", "write Turn(player, moves)")
            value = self._value_of(state)
            self._ahead.pop(state, None)
            if not turn.moves:
                self._refuse_end(state, turn, value)
            else:
                totals = self._totals(state, turn, known)
                self._refuse_value(state, turn, value, totals)
                stated += self._refuse_best(state, turn, value, totals)
                self.best[state] = [name for name, total in totals.items() if self._equal(total, value)]
            self.turns[state] = turn
            self.values[state] = value
        if is_whole and not self._is_descending:
            _refuse_endless({state: turn.moves for state, turn in self.turns.items() if turn.moves})
        return stated

    def _value_of(self, state: Any) -> Any:
        if (known := self._ahead.get(state)) is None:
            try:
                known = self._value(state)
            except LookupError as error:
                cure = "give values an entry for every state that states has"
                raise GameError(f"{_at(state)} values has nothing: {type(error).__name__} {error}", cure) from error
            known = self._number(state, known, "the value")
            self._ahead[state] = known
        return known

    def _number(self, state: Any, number: Any, what: str) -> Any:
        """A number as it is computed with: of Python, and exact where values are."""
        kind = type(number)
        if kind is int or kind is Fraction:
            return number
        number = number.item() if kind is not float and hasattr(number, "item") else number
        if not isinstance(number, (int, float, Fraction)) or (isinstance(number, float) and not isfinite(number)):
            cure = "write one number, that of player 0; leave out states that no play leads to"
            raise GameError(f"{_at(state)} {what} is {number!r}", cure)
        return Fraction(number) if isinstance(number, float) and not self._error else number

    def _refuse_end(self, state: Any, turn: Turn, value: Any) -> None:
        if turn.payoff is None:
            raise GameError(f"{_at(state)} there is neither a move nor a payoff", "write Turn(None, {}, payoff=...)")
        payoff = self._number(state, turn.payoff, "the payoff")
        if not self._equal(value, payoff):
            message = f"{_at(state)}, an end, the value is {_number(value)} and the payoff is {_number(payoff)}"
            raise GameError(message, _CURE)

    def _totals(self, state: Any, turn: Turn, known: Any) -> dict[str, Any]:
        """The expected reward and next value of each move."""
        if turn.payoff is not None:
            raise GameError(f"{_at(state)} there are moves and a payoff", "leave the payoff to states without moves")
        if turn.player is None and len(turn.moves) > 1:
            cure = "write one move with all outcomes, or name the player who chooses"
            raise GameError(f"{_at(state)} chance has {len(turn.moves)} moves", cure)
        if turn.player is not None and turn.player not in range(len(self.game.players)):
            cure = f"write the index of one of players={self.game.players}"
            raise GameError(f"{_at(state)} the player is {turn.player!r}", cure)
        found, verified = {}, self.values
        for name, outcomes in turn.moves.items():
            total: Any = 0
            for weight, (_, after, reward) in zip(self._weights(state, name, outcomes), outcomes, strict=True):
                if not weight:
                    continue
                if (value := verified.get(after)) is None:
                    self._is_descending = False
                    if after not in known:
                        cure = "add it to states, or correct the move"
                        raise GameError(f"{_at(state)} the move {name} leads to {after!r}, which is no state", cure)
                    value = self._value_of(after)
                gain = reward if type(reward) is int else self._number(state, reward, f"the reward of {name}")
                total += weight * (value + gain)
            found[name] = total
        return found

    def _weights(self, state: Any, name: str, outcomes: tuple[Any, ...]) -> tuple[Any, ...]:
        """The chances of a move, as floats where values are floats; those seen before are not added up again."""
        try:
            chances = tuple([chance for chance, _, _ in outcomes])
        except (TypeError, ValueError) as error:
            cure = "write a tuple of its outcomes, each (chance, next state, reward)"
            raise GameError(f"{_at(state)} the move {name} is {outcomes!r}", cure) from error
        key = tuple(map(id, chances))
        if (seen := self._seen.get(key)) is not None:
            return seen[1]
        for chance in chances:
            if not isinstance(chance, (int, Fraction)) or chance < 0:
                cure = "write exact chances that are not negative: Fraction(1, 2)"
                raise GameError(f"{_at(state)} the move {name} has the chance {chance!r}", cure)
        if (sure := sum(chances)) != 1:
            message = f"{_at(state)} the chances of the move {name} add up to {sure}"
            raise GameError(message, "write all that may come of it; the chances add up to 1")
        weights = tuple(map(float, chances)) if self._error else chances
        if len(self._seen) < _MOST_SEEN:
            self._seen[key] = chances, weights  # the chances stay alive, and so their ids stay theirs
        return weights

    def _refuse_value(self, state: Any, turn: Turn, value: Any, totals: Mapping[str, Any]) -> None:
        choose = min if turn.player == 1 else max
        right = choose(totals.values())
        if self._equal(value, right):
            return
        shown = ", ".join(f"{name}: {_number(total)}" for name, total in list(totals.items())[:_MOST_SHOWN])
        more = f" and {len(totals) - _MOST_SHOWN} more" if len(totals) > _MOST_SHOWN else ""
        which = (
            "the expected reward and next value" if turn.player is None else f"the {_WORDS[turn.player]} of the moves"
        )
        message = f"{_at(state)} the equation of optimality fails: the value is {_number(value)}, "
        message += f"{which} is {_number(right)} ({shown}{more})"
        if self._error:
            message += f"; they differ by more than {self._error:g}"
        raise GameError(message, _CURE)

    def _refuse_best(self, state: Any, turn: Turn, value: Any, totals: Mapping[str, Any]) -> bool:
        """Refuse a stated move that is no best one; whether there is one."""
        if self.game.best is None or turn.player is None:
            return False
        if state not in self.game.best:
            return False
        try:
            names = self.game.best[state]
        except LookupError as error:
            cure = "give best the names of best moves, or leave the state out"
            raise GameError(f"{_at(state)} best has nothing: {type(error).__name__} {error}", cure) from error
        for name in [names] if isinstance(names, str) else names:
            if name not in totals:
                cure = f"write one of its moves: {', '.join(list(totals)[:_MOST_SHOWN])}"
                raise GameError(f"{_at(state)} best has {name!r}, which is no move", cure)
            if not self._equal(totals[name], value):
                others = [other for other, total in totals.items() if self._equal(total, value)]
                message = f"{_at(state)} the stated move {name} is no best one: it gives {_number(totals[name])}, "
                message += f"{' and '.join(others[:_MOST_SHOWN])} {_number(value)}"
                raise GameError(message, "correct the policy of the result, or best, which gives its moves")
        return len(names) > 0

    def _equal(self, one: Any, other: Any) -> bool:
        return one == other or (self._error > 0 and abs(float(one) - float(other)) <= self._error)


_WORDS = ("largest", "smallest")
_CURE = "one of the two is wrong: solve, which gives the values, or game, which gives the rules"


def _reader(values: Any) -> Callable[[Any], Any]:
    """A function that gives the value of a state."""
    if not isinstance(values, Grid):
        return lambda state: values[state]
    places = [{each: place for place, each in enumerate(coordinates)} for coordinates in values.axes.values()]

    def read(state: Any) -> Any:
        at = state if isinstance(state, tuple) else (state,)
        if len(at) != len(places):
            raise LookupError(f"the Grid has {len(places)} axes")
        return values.values[tuple(place[each] for place, each in zip(places, at, strict=True))]

    return read


def _refuse_endless(movers: Mapping[Any, Mapping[str, tuple[Any, ...]]]) -> None:
    """Refuse a game with states in which some moves go on for ever. movers: the moves of each state that has some.

    From the ends backwards: a state is settled when each of its moves may lead to a settled one.
    """
    leads: dict[Any, list[tuple[Any, str]]] = defaultdict(list)
    for state, moves in movers.items():
        for name, outcomes in moves.items():
            for chance, after, _ in outcomes:
                if chance:
                    leads[after].append((state, name))
    settled = [state for state in leads if state not in movers]
    left = {state: set(moves) for state, moves in movers.items()}
    while settled:
        for state, name in leads[settled.pop()]:
            if (open_moves := left.get(state)) is not None:
                open_moves.discard(name)
                if not open_moves:
                    del left[state]
                    settled.append(state)
    if left:
        state = next(iter(left))
        cure = "leave out moves that lead nowhere, or count the moves in the state and end the game after so many"
        raise GameError(f"{_at(state)} play may go on for ever, so that the equations do not settle its value", cure)


def _at(state: Any) -> str:
    return f"in the state {state!r} of the game"


def _number(value: Any) -> str:
    words = text_of(value, digits=_DIGITS)
    return words if len(words) <= 40 else f"{float(value):.{_DIGITS}g}"
