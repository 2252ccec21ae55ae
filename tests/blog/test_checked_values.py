"""Every value that the five posts show has a check behind it that shares no code with its solver."""

import json

import pytest

from tests.blog.conftest import ROOT

SLUGS = sorted(path.stem for path in (ROOT / "content/posts").rglob("*.md"))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_value_that_a_post_shows_has_a_check_behind_it(read_post, slug):
    runs = json.loads((read_post(slug).folder / "provenance.json").read_text("utf-8"))["runs"]

    unconfirmed = {
        f"{run['name']}.{row['field']}"
        for run in runs
        for row in run["coverage"]
        if row["status"] not in ("parameter", "confirmed", "tested")
    }

    assert unconfirmed == set()


def test_a_sweep_says_how_many_of_its_points_were_checked(read_post):
    runs = json.loads((read_post("two-coins-a-hundred-flips").folder / "provenance.json").read_text("utf-8"))["runs"]

    square = next(run for run in runs if run["name"] == "square")
    assert (square["points"], square["checked"]) == (25, 25)
