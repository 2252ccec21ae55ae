"""`{{ play(run) }}`: a game as HTML, with a script that has its board."""

import gzip
import json
from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import Any

from site_builder.errors import PostError, guide
from site_builder.extension import Html, Page
from site_builder.markup.typeset import curled
from site_builder.values.digest import bytes_digest

_MOST = 80_000  # bytes of a board, compressed
_NUMBERS = {"chances", "rewards", "shapes", "shape", "values", "best", "say"}  # of board_data
_HTML = """\
<figure class="figure play" id="{id}" data-board="{key}" data-script="{script}">
  <figcaption><strong class="caption-title">{title}</strong> {goal}</figcaption>
  <p class="begin"><button type="button">Play</button></p>
  <noscript><p>Playing needs JavaScript, which is switched off here.</p></noscript>
</figure>
"""
_FEED = '<p><a href="#{id}">Play this game: {title}.</a></p>\n'


def play(run: Any, page: Page) -> Html:
    """The game of a run for readers to play, on a line of its own."""
    facts = page.facts_of(run)
    if facts.is_sweep:
        message = f"the run '{facts.name}' is a sweep, and its games are those of many points"
        raise PostError(message, "play a run with the same parameters and no sweep")
    if not (data := facts.data.get("game")):
        message = f"the run '{facts.name}' has no game to play"
        cure = f"give the Game of its solver a board, and at most 50,000 states: {guide('games')} has one"
        raise PostError(message, cure)
    board = _board(data)
    name = page.free_name(board["title"])
    key, script = _script(facts.name, data, tuple(_colours(board, page.colour).items()))
    address = page.file(f"play/{key}.js", script)
    title, goal = escape(board["title"], quote=False), escape(board["goal"], quote=False)
    html = _HTML.format(id=name, key=key, script=address, title=title, goal=goal)
    return Html(html, feed=_FEED.format(id=name, title=title))


@lru_cache(maxsize=8)  # those of a post, which is written at each of its settings
def _board(data: bytes) -> dict[str, Any]:
    """A board with typographic quotes in its texts."""
    return {key: each if key in _NUMBERS else _curled(each) for key, each in json.loads(data).items()}


def _colours(board: dict[str, Any], colour: Callable[[str], str]) -> dict[str, str]:
    """The properties of style that colour a board: for the reader, the other player and each move of the reader."""
    reader, players = board["reader"], board["players"]
    own = {"--own": players[reader : reader + 1], "--other": players[1 - reader : 2 - reader]}
    named = {key: name for key, found in own.items() for name in found}
    named |= {f"--action-{number}": name for number, name in enumerate(board["choices"])}
    return {key: found for key, name in named.items() if (found := colour(name))}


@lru_cache(maxsize=8)
def _script(run: str, data: bytes, colours: tuple[tuple[str, str], ...]) -> tuple[str, bytes]:
    """The key of a board, and the script that has the board under it. Raises PostError for a large one."""
    text = json.dumps({**_board(data), "colours": dict(colours)}, ensure_ascii=False, separators=(",", ":"))
    if len(text) > _MOST and (size := len(gzip.compress(text.encode(), 6))) > _MOST:
        message = f"the game of the run '{run}' has {size / 1000:.0f} kB, compressed"
        raise PostError(message, f"play a run with a smaller game; a board has at most {_MOST // 1000} kB")
    key = bytes_digest(text.encode())[:12]
    return key, f"(window.boards ??= {{}})[{json.dumps(key)}] = {text};\n".encode()


def _curled(value: Any) -> Any:
    """Plain data whose texts have typographic quotes; keys stay as they are."""
    if isinstance(value, str):
        return curled(value)
    if isinstance(value, list):
        return [_curled(entry) for entry in value]
    return {key: _curled(entry) for key, entry in value.items()} if isinstance(value, dict) else value
