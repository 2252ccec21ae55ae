"""A verified game with its board -> the data of the script that readers play it with.

States are numbers, in the order of the game. What each state has is a column; whole numbers are written as differences.
Values, rewards and outcomes are those of the reader, and exact to the last digit of a float: they are rounded once,
where they are shown. A game of 20,000 states takes 80 kB, compressed.
"""

import dataclasses
import json
import string
from collections.abc import Sequence
from fractions import Fraction
from math import nextafter
from typing import Any, NoReturn

from site_builder.extensions.games.contract import Board, Cards, Deal, Pieces, Turn, Walk
from site_builder.extensions.games.verification import GameError, GameProof

MOST_TEXTS = 50
_KINDS = {Pieces: "pieces", Walk: "walk", Cards: "cards", Deal: "deal"}
_Table = dict[Any, int]  # entries that are written once, with their numbers, by which they are referred to
_WORTHS = ("chance", "gain", "outcome")


def board_data(found: GameProof) -> bytes:
    """The board as JSON. Raises GameError."""
    return json.dumps(_Data(found).plain(), ensure_ascii=False, separators=(",", ":")).encode()


class _Data:
    def __init__(self, found: GameProof) -> None:
        self.game, self.found = found.game, found
        if not isinstance(self.game.board, Board):
            _refuse(f"the board is a {type(self.game.board).__name__}", "write board=Board(...)")
        self.board = self.game.board
        self.has_deal = any(isinstance(each, Deal) for each in self.board.pictures)
        self.states = list(self.game.states)
        self.number = {state: number for number, state in enumerate(self.states)}
        self.facts = [dict(self.board.facts(state)) for state in self.states]
        self.says = [self.board.says(state) for state in self.states]
        self._refuse_wrong_form()

    def plain(self) -> dict[str, Any]:
        board = self.board
        names, chances, rewards, shapes, texts = (_Table() for _ in range(5))
        shape, best = [], []
        for number, state in enumerate(self.states):
            turn = self.found.turns[state]
            own = self._shape(number, turn, names, chances, rewards)
            shape.append(shapes.setdefault(own, len(shapes)))
            best.append(self._best(number, turn))
        say = [texts.setdefault(text, len(texts)) for text in self.says]
        return {
            "title": board.title,
            "goal": board.goal,
            "players": list(self.game.players),
            "reader": board.reader,
            "worth": board.worth,
            "outcomes": {str(self._of_reader(value)): words for value, words in board.outcomes.items()},
            "unit": board.unit and f" {board.unit}",
            "pictures": [self._picture(each) for each in board.pictures],
            "start": self.number[self.game.start],
            "starts": [
                [label, self.number[state], board.notes.get(label, "")] for label, state in board.starts.items()
            ],
            "choices": list(self._choices()),
            "names": list(names),
            "chances": [over / under for over, under in chances],
            "rewards": [self._gain(each) for each in rewards],
            "shapes": list(shapes),
            "shape": _differences(shape),
            "values": [self._of_reader(self.found.values[state]) for state in self.states],
            "best": _differences(best),
            "texts": list(texts),
            "say": _differences(say),
            "facts": {name: self._column(name) for name in dict.fromkeys(key for each in self.facts for key in each)},
        }

    def _shape(self, number: int, turn: Turn, names: _Table, chances: _Table, rewards: _Table) -> tuple[Any, ...]:
        """The moves of a state: its player, then for each the name and the outcomes as chance, state, reward, event.

        The player is -1 at an end, and for chance unless there are no players: the reader starts it then. States are
        counted from this one on; events are names, -1 for none. A sure outcome without reward and event is its state.
        """
        state, event, moves = self.states[number], self.board.event, list[Any]()
        for name, outcomes in turn.moves.items():
            to: list[Any] = []
            for chance, after, reward in outcomes:
                if chance or self.has_deal:  # a deal counts the outcomes
                    odds, said = (chance.numerator, chance.denominator), event(state, name, after) if event else ""
                    to += [chances.setdefault(odds, len(chances)), self.number[after] - number]
                    to += [rewards.setdefault(reward, len(rewards)), names.setdefault(said, len(names)) if said else -1]
            is_plain = len(to) == 4 and not outcomes[0][2] and to[3] < 0
            moves += [names.setdefault(name, len(names)), to[1] if is_plain else tuple(to)]
        is_started = not self.game.players and turn.moves
        return (self.board.reader if is_started else -1 if turn.player is None else turn.player, *moves)

    def _choices(self) -> dict[str, None]:
        """The moves that the reader has in some state, each once."""
        mover = self.board.reader if self.game.players else None
        turns = (self.found.turns[state] for state in self.states)
        return dict.fromkeys(name for turn in turns if turn.player == mover for name in turn.moves)

    def _best(self, number: int, turn: Turn) -> int:
        """The best moves, as the sum of 2 to the power of their places; 0 for all of them, and for chance."""
        found = self.found.best.get(self.states[number], ())
        if turn.player is None or len(found) == len(turn.moves):
            return 0
        return sum(1 << place for place, name in enumerate(turn.moves) if name in found)

    def _of_reader(self, value: Any) -> int | float:
        """A value as that of the reader; a chance is 0 or 1 only where it is exactly that."""
        exact, is_chance = Fraction(value), self.board.worth == "chance"
        if self.board.reader:
            exact = 1 - exact if is_chance else -exact
        if exact.denominator == 1:
            return int(exact)
        return min(max(float(exact), nextafter(0, 1)), nextafter(1, 0)) if is_chance else float(exact)

    def _gain(self, reward: Any) -> float:
        return float(-reward if self.board.reader else reward)

    def _picture(self, picture: Any) -> dict[str, Any]:
        """A picture with its kind and the facts that it shows."""
        found = {"kind": _KINDS[type(picture)], "facts": _facts_of(picture), "look": ""} | dataclasses.asdict(picture)
        if isinstance(picture, Walk):
            found |= {"length": max(picture.length, 1)} | self._heights(picture)
        if isinstance(picture, Pieces):
            found["look"] = " ".join(["stack"] * bool(picture.take) + ["alternate"] * picture.alternate)
        return found

    def _heights(self, picture: Walk) -> dict[str, Any]:
        """The lowest and highest place of a walk; of chances, in the states where the game is still open."""
        shown = [
            (facts[picture.up], state)
            for facts, state in zip(self.facts, self.states, strict=True)
            if picture.up in facts
        ]
        is_chance, values = self.board.worth == "chance", self.found.values
        ups: list[Any] = [up for up, state in shown if is_chance and 0.001 <= values[state] <= 0.999]
        ups = ups or [up for up, _ in shown]
        return {"low": min(ups), "high": max(*ups, min(ups) + 1)}

    def _column(self, name: str) -> list[Any]:
        cells = [facts.get(name) for facts in self.facts]
        numbers = [cell for cell in cells if cell is None or isinstance(cell, int)]
        if len(numbers) == len(cells):
            return _differences(numbers)
        return [cell if cell is None else str(cell) for cell in cells]

    # What an author can have written wrong

    def _refuse_wrong_form(self) -> None:
        board, names = self.board, {name for facts in self.facts for name in facts}
        for facts in self.facts:
            for name, value in facts.items():
                if not isinstance(value, (int, str)) or not name.isidentifier():
                    _refuse(f"the fact {name!r} is {value!r}", "give facts names of letters, and numbers or words")
        known = dict.fromkeys(zip(self.says, map(tuple, self.facts), strict=True))
        if len(texts := {text for text, _ in known}) > MOST_TEXTS:
            message = f"says gives {len(texts):,} different texts"
            cure = 'name facts in braces, as in "{total} pennies are left", so that few texts serve all states'
            _refuse(message, cure)
        for text, own in known:
            for _, fact, form, _ in string.Formatter().parse(text):
                if fact is not None and (fact not in own or form):
                    cure = f"write one of {{{'}, {'.join(own)}}}"
                    _refuse(f"the text {text!r} names {{{fact}}}, which is no fact of its state", cure)
        if board.reader not in range(max(len(self.game.players), 1)):
            _refuse(f"the reader is {board.reader!r}", f"write the index of one of players={self.game.players}")
        if board.worth not in _WORTHS:
            _refuse(f"worth is {board.worth!r}", f"write one of {', '.join(_WORTHS)}")
        if board.worth == "outcome" and (missing := set(self.found.values.values()) - board.outcomes.keys()):
            _refuse(f"outcomes has no words for the value {missing.pop()}", "write words for each value of a state")
        if board.worth == "chance" and any(not 0 <= each <= 1 for each in self.found.values.values()):
            _refuse("a value is no chance", 'write worth="gain" and the unit of the values')
        for label, state in board.starts.items():
            if state not in self.number:
                _refuse(f"the start {label!r} is {state!r}, which is no state of the game", "write one of its states")
        for label in board.notes:
            if label not in board.starts:
                _refuse(f"there is a note for {label!r}, which is no start", f"write one of {', '.join(board.starts)}")
        for picture in board.pictures:
            if type(picture) not in _KINDS:
                _refuse(f"a picture is {picture!r}", "write Pieces, Walk, Cards or Deal")
            for name in _facts_of(picture):
                if name not in names:
                    _refuse(f"a picture shows the fact {name!r}", f"write one of {', '.join(sorted(names))}")


def _refuse(message: str, cure: str) -> NoReturn:
    raise GameError(f"in the board of the game {message}", cure)


def _facts_of(picture: Any) -> list[str]:
    """The facts that a picture shows."""
    match picture:
        case Pieces():
            return [each for each in (picture.first, picture.last) if isinstance(each, str)]
        case Walk():
            return [picture.across, picture.up]
        case Cards():
            return [picture.cards]
    return list(picture.rows)


def _differences(cells: Sequence[int | None]) -> list[int | None]:
    """Each number less the one before it; None stays."""
    found: list[int | None] = []
    before = 0
    for cell in cells:
        found.append(None if cell is None else cell - before)
        before = before if cell is None else cell
    return found
