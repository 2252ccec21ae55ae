"""Every value that the five posts show has a check behind it that shares no code with its solver."""

import json

import pytest

from tests.blog.conftest import ROOT

SLUGS = sorted(path.stem for path in (ROOT / "content/posts").rglob("*.md"))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_value_that_a_post_shows_has_a_check_behind_it(read_post, slug):
    runs = json.loads((read_post(slug).folder / "provenance.json").read_text("utf-8"))["runs"]

    unconfirmed = {
        f"{name}.{field}"
        for name, run in runs.items()
        for field, behind in run["shown"].items()
        if behind != "a parameter" and behind["status"] not in ("confirmed", "tested")
    }

    assert unconfirmed == set()


def test_a_sweep_says_how_many_of_its_points_were_checked(read_post):
    runs = json.loads((read_post("two-coins-a-hundred-flips").folder / "provenance.json").read_text("utf-8"))["runs"]

    assert (runs["square"]["points"], runs["square"]["points checked"]) == (121, 36)  # four corners and 32 others
