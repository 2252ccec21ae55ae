"""The letters in the maps of the five puzzles: within one puzzle a letter has one meaning."""

from importlib import import_module

import pytest

from tests.support.solvers_checked import figures

SOLVERS = ("riddler_flips", "coinball", "wythoff", "notorious_coins")  # those with maps of actions


def actions_in(figure):
    """The actions of a figure, those of its steps included."""
    steps = getattr(figure, "frames", ())
    return [*getattr(figure, "actions", ()), *(action for _, step in steps for action in actions_in(step))]


@pytest.mark.parametrize("name", SOLVERS)
def test_no_two_maps_use_one_letter_for_different_actions(name):
    solver = import_module(f"solvers.{name}")

    drawn = figures(solver, solver.solve())

    names = {}
    for action in [action for each in drawn.values() for action in actions_in(each) if action.letter]:
        names.setdefault(action.letter, set()).add(action.name.removeprefix("none: "))  # no move: you lose
    assert len(names) > 1
    assert {letter: found for letter, found in names.items() if len(found) > 1} == {}
