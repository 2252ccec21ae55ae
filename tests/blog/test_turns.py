"""The pages of posts at their settings: each has the article that a build with `--set` makes."""

import re

import pytest
import yaml

from site_builder.project.front_matter import FrontMatter
from tests.conftest import ROOT
from tests.pipeline.test_turns import resolved, settings_in

POSTS = sorted((ROOT / "content/posts").glob("*.md"))
EVERY_DAY = "a-row-of-coins rising"


def settings_of(path):
    """The settings of a post, each with what it sets."""
    front = yaml.safe_load(path.read_text("utf-8").split("---\n")[1])
    return FrontMatter(title="A", turn=front["turn"]).turn


def as_words(value):
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


CASES = [
    pytest.param(path.stem, setting, marks=[] if name == EVERY_DAY else pytest.mark.deep, id=name)
    for path in POSTS
    for setting in settings_of(path)
    if (name := f"{path.stem} {setting.key}")
]


@pytest.mark.parametrize(("slug", "setting"), CASES)
def test_the_page_of_a_setting_has_the_article_that_set_builds(read_post, slug, setting):
    published = read_post(slug)
    page = published.folder / setting.key / "index.html"

    if not page.exists():  # it is the published one
        assert [label for label, address in settings_in(published.html) if address == "./"] == [f"{setting.label}*"]
        return
    found = resolved(page.read_text("utf-8"), f"posts/{slug}/{setting.key}")
    turned = read_post(slug, *(f"{name}={as_words(value)}" for name, value in setting.values.items()))

    records = rf'"posts/{slug}/{re.escape(setting.key)}/(provenance|checks)\.json"'
    assert re.sub(records, rf'"posts/{slug}/\1.json"', found) == resolved(turned.html, f"posts/{slug}")


def test_every_post_can_be_turned():
    assert all(len(settings_of(path)) > 1 for path in POSTS)
