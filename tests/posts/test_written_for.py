"""What a post is written for, held against the parameters of its runs."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from site_builder.errors import SiteError, errors_of
from site_builder.posts.written_for import held_sentences, notice
from tests.support.content import HEAD, post

FRONT = f"{HEAD}written_for: {{ruin.goal: [10, 40], ruin.win: {{start: 0.4, stop: 0.6}}}}"


def run(turned=(), pinned=False, solver="ruin", **parameters):
    known = {"goal": 20, "win": Fraction(1, 2), "seed": 1}
    description = SimpleNamespace(parameters=known)
    return SimpleNamespace(
        name="main",
        solver=solver,
        pinned=pinned,
        turned=turned,
        axes={},
        parameters=known | parameters,
        description=description,
    )


@pytest.mark.parametrize(
    ("planned", "is_outside"),
    [
        (run(), False),
        (run(("goal",), goal=40), False),
        (run(("goal",), goal=41), True),
        (run(("win",), win=Fraction(2, 3)), True),
        (run(("seed",), seed=2), False),  # which it does not name
        (run(pinned=True, goal=99), False),
    ],
)
def test_a_page_says_what_it_was_written_for_where_its_parameters_are_others(tmp_path, planned, is_outside):
    runs = [planned, run()]

    found = notice(post(tmp_path, FRONT), runs)

    assert ("This text was written for goal from 10 to 40, win from 2/5 to 3/5." in found) == is_outside
    assert held_sentences(post(tmp_path, FRONT), runs)._outside == ({"main"} if is_outside else set())


def test_a_post_that_does_not_say_what_it_is_written_for_has_no_notice(tmp_path):
    assert notice(post(tmp_path, HEAD), [run(("goal",), goal=999)]) == ""


def refused(tmp_path, front, planned):
    with pytest.raises((SiteError, ExceptionGroup)) as caught:
        held_sentences(post(tmp_path, front), [planned])
    return [str(error) for error in errors_of(caught.value)]


def test_the_own_parameters_of_a_post_have_to_be_among_those_that_it_is_written_for(tmp_path):
    assert refused(tmp_path, FRONT, run(goal=50)) == [
        "content/posts/a-name.md:4: the post's own ruin.goal is 50, and it is not written for that\n"
        "    mend: include the post's own value"
    ]


@pytest.mark.parametrize("planned", [run(), run(pinned=True), run(solver="coinball")])
def test_a_parameter_that_no_run_of_the_post_can_take_is_refused(tmp_path, planned):
    (found,) = refused(tmp_path, f"{HEAD}written_for: {{ruin.gaol: [1, 30]}}", planned)

    assert "content/posts/a-name.md:4: no run of this post that can be set has the parameter ruin.gaol" in found
    assert ("did you mean 'ruin.goal'?" in found) == (planned.solver == "ruin" and not planned.pinned)
