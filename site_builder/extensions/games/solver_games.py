"""The games that a solver's function `game` returns, verified, and the fields of the result that they confirm."""

import re
from typing import Any

from site_builder.extension import Confirmed, SolverAnswer, Verified
from site_builder.extensions.games.board_data import board_data
from site_builder.extensions.games.contract import Game
from site_builder.extensions.games.verification import MOST_STATES, GameError, game_proof

MOST_OF_A_POINT = 2_000
"""A larger game has a sample of as many states verified at a point of a sweep."""

_FIELD = re.compile(r"([a-z_]\w*(?:\.[a-z_]\w*)*)(?:\[([1-9]\d*)\])?", re.IGNORECASE)


def verified(answer: SolverAnswer) -> Verified:
    """The fields that the games of a solver confirm, and the board of the last one with one. Raises GameError."""
    found: list[Confirmed] = []
    board = b""
    for game in games_in(answer.value):
        fields = confirmed_cells(game)
        if answer.kept is not None and answer.kept.isdisjoint(name.partition(".")[0] for name in fields):
            continue
        words, proof = game_proof(game, MOST_STATES if answer.kept is None else MOST_OF_A_POINT)
        seen = len(proof.values)
        found += [Confirmed(name, words, min(most or seen, seen)) for name, most in fields.items()]
        if game.board is not None and answer.kept is None and proof.is_whole:
            board = board_data(proof)
    return Verified(tuple(found), board)


def games_in(value: Any) -> tuple[Game, ...]:
    """The games that a function `game` has returned. Raises GameError."""
    games = value if isinstance(value, tuple) else (value,)
    for each in games:
        if not isinstance(each, Game):
            cure = "return a Game, a tuple of them, or None for these parameters"
            raise GameError(f"game gave a {type(each).__name__}", cure)
    return games


def confirmed_cells(game: Game) -> dict[str, int]:
    """The fields that a game confirms, each with its number of cells, 0 for all."""
    found = {}
    for entry in game.of.split(","):
        match = _FIELD.fullmatch(entry.strip())
        if match is None:
            message = f'of={game.of!r} must name fields of the result, as in of="chance, table[66]"'
            raise GameError(message, "name in of= the fields from which game takes the values")
        found[match[1]] = int(match[2] or 0)
    return found
