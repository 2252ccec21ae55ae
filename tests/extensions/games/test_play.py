"""A game on its page: its script, what a feed has of it, and what it weighs."""

import gzip
import json
import re
from pathlib import Path

import pytest

from site_builder.errors import PostError
from site_builder.extension import Page, RunFacts
from site_builder.extensions.games import play
from site_builder.site.theme import minified
from tests.support.html import Html

ASSETS = Path(play.__file__).parent / "assets"
BOARD = {"title": 'A "coin"', "goal": "Win.", "worth": "chance", "pictures": []}
BOARD |= {"reader": 0, "players": ["you"], "choices": ["flip"]}
RUN = object()
COLOURS = {"Zara": "light-dark(#a, #b)", "wait": "light-dark(#c, #d)", "rush": "light-dark(#e, #f)"}


def page_with(board=BOARD, **facts):
    """A post with one run, whose solver has left this board."""
    data = {"game": json.dumps(board).encode()}
    rest = {"is_sweep": False, "data": data, "parameters": {}, "fields": dict, "code": None, **facts}
    known = RunFacts("main", "coins", **rest)
    names = (lambda name: known), (lambda words: "a-coin"), (lambda name: COLOURS.get(name, ""))
    return Page("content/posts/x.md", "posts/x/", "en", {}, {"main": RUN}, *names)


def test_a_game_is_a_button_to_play_and_says_what_it_needs_where_there_are_no_scripts():
    html = Html(play.play(RUN, page_with()))

    assert [each.text for each in html.all("button")] == ["Play"]
    assert [each.text for each in html.all("noscript")] == ["Playing needs JavaScript, which is switched off here."]


def test_a_board_is_a_script_beside_the_post_and_a_feed_has_a_link_to_the_game():
    page = page_with()

    found = play.play(RUN, page)

    ((name, script),) = page.files.items()
    assert re.fullmatch(r"play/\w{12}\.\w{8}\.js", name)
    assert f'data-script="/posts/x/{name}"' in found
    key = re.search(r'data-board="(\w+)"', found)[1]
    assert script.startswith(f'(window.boards ??= {{}})["{key}"] = {{"title":"A “coin”"'.encode())
    assert found.feed == '<p><a href="#a-coin">Play this game: A “coin”.</a></p>\n'


def test_a_board_has_the_colours_that_the_post_gives_players_and_moves_of_the_reader():
    # Zara, who reads, waits or goes; Yvonne rushes.
    page = page_with(BOARD | {"reader": 1, "players": ["Yvonne", "Zara"], "choices": ["go", "wait"]})

    play.play(RUN, page)

    (script,) = page.files.values()
    assert json.loads(script.partition(b" = ")[2].strip(b";\n"))["colours"] == {
        "--own": "light-dark(#a, #b)",
        "--action-1": "light-dark(#c, #d)",
    }


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (page_with(is_sweep=True), "the run 'main' is a sweep, and its games are those of many points"),
        (page_with(data={}), "the run 'main' has no game to play"),
        (page_with(BOARD | {"values": [n * 0.7131 % 1 for n in range(20_000)]}), "the game of the run 'main' has 1"),
    ],
)
def test_what_cannot_be_played_is_refused(page, message):
    with pytest.raises(PostError) as raised:
        play.play(RUN, page)

    assert raised.value.message.startswith(message)
    assert raised.value.cure


def test_what_is_no_run_is_refused():
    with pytest.raises(PostError, match="it needs a run"):
        play.play("main", page_with())


def test_a_page_without_a_game_loads_nothing_of_games(project):
    project.post("You may play, and play again.\n")

    project.build()

    assert "/play." not in project.page("posts/ruin/index.html")


def test_what_plays_a_game_weighs_at_most_8_kb():
    def weight(path):
        return len(gzip.compress(minified(path.name, path.read_bytes()), 9))

    assert 0 < weight(ASSETS / "later/board.js") <= 7_000
    assert weight(ASSETS / "later/board.js") + weight(ASSETS / "play.js") <= 8_000
    assert 0 < weight(ASSETS / "play.css") <= 3_000
