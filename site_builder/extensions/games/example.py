"""The example of a game to play, for its template: one game, played perfectly, step by step."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from site_builder.values.number_format import number, percent

WIDTH, HEIGHT = 400, 160
"""The size of the drawing of a walk."""


def example_steps(board: Mapping[str, Any], example: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The steps of an example with their pictures. board, example: as of `board_data`.

    The last one is the end of the game, which has words of its own; only a gain has a value there.
    """
    return [
        {
            "before": step["before"],
            "text": step["text"],
            "value": "" if board["worth"] != "gain" and place == len(example) - 1 else value_words(board, step),
            "pictures": [_picture(each, example[: place + 1]) for each in board["pictures"] if _is_shown(each, step)],
        }
        for place, step in enumerate(example)
    ]


def value_words(board: Mapping[str, Any], step: Mapping[str, Any]) -> str:
    """The result that the reader can expect from a state on, in words."""
    value = step["value"]
    if board["worth"] == "outcome":
        words: str = board["outcomes"][str(value)]
        return words
    if board["worth"] == "gain":
        gained, more = _gain(step["gained"]), _gain(value)
        return f"{gained}{board['unit']} so far, {more} to come"
    return f"chance to win {_chance(value)}"


def _gain(value: float) -> str:
    return number(_as_written(value), 0 if value == round(value) else 2)


def _chance(value: float) -> str:
    """A chance to one digit; only what is sure is written as such."""
    if 0 < value < 0.001:
        return f"below {percent(0.001, 1)}"
    if 0.999 < value < 1:
        return f"above {percent(0.999, 1)}"
    return percent(_as_written(value), 0 if value in (0, 1) else 1)


def _as_written(value: float) -> Fraction:
    """The number that the digits of a float say; board.js rounds these too."""
    return Fraction(str(value))


def _is_shown(picture: Mapping[str, Any], step: Mapping[str, Any]) -> bool:
    return all(name in step["facts"] for name in picture["facts"]) and (picture["kind"] != "deal" or "cards" in step)


def _picture(picture: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A picture in the last of these steps."""
    facts, made = steps[-1]["facts"], {"kind": picture["kind"], "title": picture["title"]}
    if picture["kind"] == "cards":
        return made | {"cards": facts[picture["cards"]]}
    if picture["kind"] == "deal":
        return made | {"cards": steps[-1]["cards"], "found": steps[-1]["found"]}
    if picture["kind"] == "pieces":
        first, last = _ends(picture, facts)
        begin, end = _ends(picture, facts | steps[0]["facts"])
        numbered = [each for each in enumerate(picture["labels"], 1) if begin <= each[0] <= end or picture["take"]]
        pieces = [(label, not first <= place <= last) for place, label in numbered]
        stack = {"kind": "pieces stack"} if picture["take"] else {}
        return made | stack | {"pieces": [each for each in pieces if each[0] or not each[1]]}
    points = [_point(picture, each["facts"]) for each in steps if _is_shown(picture, each)]
    goal = picture["goal"] is not None and _height(picture, picture["goal"])
    line = " ".join(f"{x:g},{y:g}" for x, y in points)
    return made | {"line": line, "at": points[-1], "goal": goal, "goal_label": picture["goal_label"]}


def _ends(picture: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[int, int]:
    """The first and the last piece on the board."""
    first, last = (facts[each] if isinstance(each, str) else each for each in (picture["first"], picture["last"]))
    return first, last


def _point(picture: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[float, float]:
    x = round(facts[picture["across"]] / picture["length"] * (WIDTH - 20) + 10, 1)
    return x, _height(picture, facts[picture["up"]])


def _height(picture: Mapping[str, Any], value: float) -> float:
    low, high = picture["low"], picture["high"]
    at: float = round(HEIGHT - 10 - (min(max(value, low), high) - low) / (high - low) * (HEIGHT - 20), 1)
    return at
