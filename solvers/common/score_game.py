"""The rules of games in which coins move a score, stated once: solutions, checks and boards use the same ones."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal

from site_builder.contract import rules
from site_builder.extensions.games.contract import Turn

Mover = Literal["highest", "lowest"] | int
"""Who chooses at a step: a player who wants the value high or low, or nobody, since it is always that lottery."""

UNREACHED, FIRST, SECOND, EITHER, WON, LOST = range(-1, 5)
"""Codes of a policy: no play leads to the state; the best lottery; its mover has won or lost for certain."""

MOST_PLAYED = 40
"""Longer games have no board: nobody plays them."""


@dataclass(frozen=True)
class Lottery:
    """The score rises by `points` with probability `chance`, and else falls by as many."""

    points: int
    chance: Fraction


@dataclass(frozen=True)
class ScoreGame:
    """The score starts at 0, and at each step one of two lotteries moves it.

    movers: one for each step. win_from: final scores from here on pay 1; draws: so many scores below it pay 1/2.
    """

    lotteries: tuple[Lottery, Lottery]
    movers: tuple[Mover, ...]
    win_from: int
    draws: int = 0


@rules
def reach(game: ScoreGame) -> int:
    """The largest change of the score in one step."""
    return max(lottery.points for lottery in game.lotteries)


@rules
def halves(game: ScoreGame, score: Any) -> Any:
    """The pay of a final score, or of each in an array, in halves: 0, 1 or 2."""
    return 1 * (score >= game.win_from) + (score >= game.win_from - game.draws)


@rules
def allowed(game: ScoreGame, step: int) -> dict[int, Lottery]:
    """The lotteries that may be taken at a step, by their index."""
    mover = game.movers[step]
    return {index: lottery for index, lottery in enumerate(game.lotteries) if mover in ("highest", "lowest", index)}


@rules
@cache
def changes(lottery: Lottery) -> tuple[tuple[Fraction, int], ...]:
    """The changes of the score that can happen, each after its chance."""
    both = (lottery.chance, lottery.points), (1 - lottery.chance, -lottery.points)
    return tuple((chance, change) for chance, change in both if chance)


@rules
def turns(game: ScoreGame, names: tuple[str, str], *which: str) -> Callable[[tuple[Any, ...]], Turn]:
    """The moves in a state (step, score, *which), as the builder takes them. names: of the lotteries."""
    players = [{"highest": 0, "lowest": 1}.get(str(mover)) for mover in game.movers]
    choices = [
        [(names[index], changes(lottery)) for index, lottery in allowed(game, step).items()]
        for step in range(len(game.movers))
    ]

    def turn(state: tuple[Any, ...]) -> Turn:
        step, score = state[:2]
        if step == len(players):
            return Turn(None, {}, payoff=Fraction(halves(game, score), 2))
        moves = {
            name: tuple([(chance, (step + 1, score + change, *which), 0) for chance, change in results])
            for name, results in choices[step]
        }
        return Turn(players[step], moves)

    return turn
