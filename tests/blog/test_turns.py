"""Posts at the settings to which readers can turn them: the article is the one that a build with `--set` makes."""

import re

import pytest
import yaml

from site_builder.project.front_matter import FrontMatter
from site_builder.site.turn_script import apply, blocks
from tests.conftest import ROOT

POSTS = sorted((ROOT / "content/posts").glob("*.md"))
CONTROL = re.compile(r'<div class="turn".*?</div>', re.DOTALL)
EVERY_DAY = ("a-row-of-coins rising", "penneys-game-with-one-deck 4", "two-piles-of-pennies 10-to-20")


def settings_of(path):
    """The settings of a post, each with what it sets."""
    front = yaml.safe_load(path.read_text("utf-8").split("---\n")[1])
    return FrontMatter(title="A", turn=front["turn"]).turn


def as_words(value):
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


CASES = [
    pytest.param(path.stem, setting, marks=[] if name in EVERY_DAY else pytest.mark.deep, id=name)
    for path in POSTS
    for setting in settings_of(path)
    if (name := f"{path.stem} {setting.key}")
]


@pytest.mark.parametrize(("slug", "setting"), CASES)
def test_the_turned_article_is_the_one_that_set_builds(read_post, slug, setting):
    published = read_post(slug)
    script = next((published.folder / "turn").glob(f"{setting.key}.??????????.js"), None)
    own = CONTROL.search(published.html)[0]

    if script is None:  # it is the published one
        assert f'value="{setting.key}" data-script="" data-published' in own
        return
    found = apply(script.read_bytes(), published.html.replace(own, ""))
    turned = read_post(slug, *(f"{name}={as_words(value)}" for name, value in setting.values.items()))

    here = f"turn/{setting.key}/"
    assert {name: [each.replace(here, "") for each in those] for name, those in found.items()} == blocks(turned.html)


def test_every_post_can_be_turned():
    assert all(len(settings_of(path)) > 1 for path in POSTS)
