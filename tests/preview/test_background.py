"""What the background build of a preview tells while it computes."""

from types import SimpleNamespace

import pytest

from site_builder.preview import background
from site_builder.preview.background import BackgroundBuild
from site_builder.project.config import Limits


@pytest.fixture
def solving(monkeypatch):
    """A background build of two posts whose solvers run. solved: how many have all their results."""
    monkeypatch.setattr(background, "_LOOKING", 0.0)
    settings = SimpleNamespace(parameters={}, limits=Limits(), language="en")
    sources = SimpleNamespace(digests={}, stamp="", config=SimpleNamespace(settings=settings))
    missing = {"content/posts/a.md": "1", "content/posts/b.md": "2"}
    told = []
    build = BackgroundBuild(None, sources, missing, None, None, None, lambda *_: None, told.append)
    build.solved, build.told = 0, told
    build._build = SimpleNamespace(count_solved=lambda: build.solved)
    build._store = SimpleNamespace(flush=lambda: None)
    build.stage("Solving", 2)
    return build


def test_it_tells_of_each_post_that_has_all_its_results(solving):
    for solving.solved in (0, 1, 1, 2):
        solving.shares(())

    assert solving.told == [solving, solving]


def test_all_results_are_there_with_those_of_the_last_post_and_not_before(solving):
    seen = []
    for solving.solved in (0, 1, 2):
        solving.shares(())
        seen.append(solving.are_solved())

    assert seen == [False, False, True]
