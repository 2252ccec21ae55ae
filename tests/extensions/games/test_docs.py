"""docs/games.md: its examples run with the smallest solver of the contract, and its tables have every field."""

import dataclasses
import json
import re

import pytest

from site_builder.extensions.games import contract
from tests.conftest import ROOT
from tests.test_docs_examples import FENCE, HEADS, fields, smallest_solver

PAGE = (ROOT / "docs/games.md").read_text("utf-8")
GAME, BOARD = (text for language, text in FENCE.findall(PAGE) if language == "python")


@pytest.fixture
def heads(project):
    """A project with a post about the smallest solver."""
    project.write("content/posts/heads.md", HEADS)
    return project


@pytest.mark.parametrize(("heads_wanted", "states"), [(3, 4), (50, 51)])
def test_the_smallest_game_confirms_every_value_of_the_smallest_solver(heads, heads_wanted, states):
    name, text = smallest_solver()
    heads.write(f"solvers/{name}.py", f"{text}\n\n{GAME}".replace("def check_", "def no_check_"))

    ran = heads.run("solve", name, "--json", f"--set=heads={heads_wanted}")

    answer = json.loads(ran.out)
    assert answer["checks"][-1]["found"] == f"every one of {states} states satisfies the equation of optimality"
    assert (answer["passed"], answer["unconfirmed"]) == (True, [])


def test_the_board_of_the_smallest_game_can_be_played(heads):
    name, text = smallest_solver()
    heads.write(f"solvers/{name}.py", "\n\n".join((text, GAME.replace("of=", "board=board(heads), of="), BOARD)))
    heads.write("content/posts/heads.md", f"{HEADS}\n{{{{ play(results.main) }}}}\n")

    heads.build()

    (script,) = (heads.root / "_site/posts/heads/play").glob("*.js")
    board = json.loads(script.read_text().partition(" = ")[2].rstrip(";\n"))
    assert (board["worth"], board["values"][board["start"]]) == ("gain", 14)


def test_every_field_of_games_and_boards_is_documented_and_no_other():
    table = PAGE.split("| name | required | optional |\n|---|---|---|\n")[1].split("\n\n")[0]
    documented = {
        name: (re.findall(r"`(\w+)`", must), re.findall(r"`(\w+)`", may))
        for name, must, may in re.findall(r"^\| `(\w+)` \|(.*)\|(.*)\|$", table, re.MULTILINE)
    }

    kinds = {name: each for name, each in vars(contract).items() if dataclasses.is_dataclass(each)}
    kinds = {name: each for name, each in kinds.items() if each.__module__ == contract.__name__}
    assert documented == {name: fields(each) for name, each in kinds.items()}
