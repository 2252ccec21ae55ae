"""Which figures of a run are made: those that its post names."""

from types import SimpleNamespace

import pytest

from site_builder.solving.catalog import SolverDescription
from site_builder.solving.plan import figures_in_text

GAME = SolverDescription("game", "", "solvers/game.py", {}, figures=("chance", "policy"))
RACE = SolverDescription("race", "", "solvers/race.py", {}, figures=("lanes",))
ALL = GAME.figures


def figures(body, run="main", picture="", has_macros=False):
    post = SimpleNamespace(body=body, front=SimpleNamespace(picture=picture))
    return figures_in_text(post, run, GAME, {*GAME.figures, *RACE.figures}, has_macros)


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ("{{ results.main.value }}", ()),
        ("{{ figure(results.main.figures.policy) }}", ("policy",)),
        ("{{ figure(results.other.figures.policy) }}", ()),
        ("{% set it = results.main %}{{ figure(it.figures.policy) }}", ("policy",)),
        ("{% set it = results.other %}{{ figure(it.figures.policy) }}", ()),
        ("{% for it in all %}{{ figure(it.figures.policy) }}{% endfor %}", ("policy",)),
        ("{{ figure(results.race.figures.lanes) }}", ()),
    ],
)
def test_a_run_has_the_figures_that_its_post_names(body, made):
    assert figures(body) == made


@pytest.mark.parametrize(
    "body",
    [
        '{{ figure(results.main.figures["policy"]) }}',
        "{% set all = results.main.figures %}{{ figure(all.policy) }}",
        '{{ figure(results.main["figures"].policy) }}',
        '{% import "macros.html" as m %}{{ m.shown(results.main) }}',
        "{{ figure(results.main.figures.polcy) }}",
    ],
)
def test_a_run_has_all_figures_where_other_names_or_files_may_lead_to_them(body):
    assert figures(body) == ALL


def test_a_run_has_all_figures_where_there_are_macros_for_all_posts():
    assert figures("{{ shown(results.main) }}", has_macros=True) == ALL


def test_the_picture_of_a_post_is_made():
    assert figures("", picture="main.chance") == ("chance",)
    assert figures("", run="other", picture="main.chance") == ()
