"""Share cards of a site: which posts have one, when they are drawn, and what becomes of those drawn before."""

import re
import shutil

import pytest

from site_builder.lettering import Face
from tests.conftest import ROOT

CARD = re.compile(r"posts/(\w+)/card\.[0-9a-f]{10}\.png")


def cards(project):
    """The share cards in the output: those of posts by slug, that of the site under ""."""
    found = {CARD.fullmatch(name)[1]: name for name in project.files() if CARD.fullmatch(name)}
    return {"": "card.png", **found}


def bytes_of(project):
    return {slug: project.files()[name] for slug, name in cards(project).items()}


@pytest.fixture
def with_posts(project):
    """A post with an answer, one with a figure, one with neither, and a page."""
    project.post("Text.\n", name="answer", front='answer: "{{ results.fair.half | fraction }}"\n')
    project.post("{{ figure(results.fair.figures.chance) }}\n", name="figure")
    project.post("Text.\n", name="neither")
    project.write("content/pages/about.md", "---\ntitle: About\n---\nText.\n")
    project.build()
    return project


def own_theme(project):
    """The project with a copy of the templates, in which files may be changed."""
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")
    return project.root / "templates/assets"


def test_posts_with_an_answer_or_a_figure_have_cards_of_their_own(with_posts):
    assert set(cards(with_posts)) == {"", "answer", "figure"}


def test_a_card_changes_its_address_when_something_else_is_to_be_seen_on_it_and_only_then(with_posts):
    before = cards(with_posts)

    with_posts.post("Other text.\n", name="answer", front='answer: "{{ results.fair.half | fraction }}"\n')
    with_posts.post("{{ figure(results.fair.figures.chance) }}\n", name="figure", title="Another title")
    with_posts.build()

    after = cards(with_posts)
    assert after["answer"] == before["answer"]
    assert after["figure"] != before["figure"]
    assert before["figure"] not in with_posts.files()


def test_cards_are_the_same_with_and_without_a_store(with_posts):
    before = bytes_of(with_posts)

    shutil.rmtree(with_posts.root / ".store")
    shutil.rmtree(with_posts.root / "_site")
    with_posts.build("--jobs", "1")

    assert bytes_of(with_posts) == before


def test_a_card_that_the_store_has_lost_is_drawn_again(with_posts):
    before = bytes_of(with_posts)

    with_posts.write(".store/puzzlepress.sqlite", "damaged")
    shutil.rmtree(with_posts.root / "_site")
    with_posts.build()

    assert bytes_of(with_posts) == before


def test_cards_are_set_in_the_fonts_of_the_theme(project):
    assets = own_theme(project)
    project.build()
    before = bytes_of(project)

    (assets / "fonts/text-bold.woff2").write_bytes(Face((), "DejaVuSansMono-Bold")._fonts[0])
    project.build()

    assert bytes_of(project) != before


def test_a_font_that_is_none_is_told_once(project):
    assets = own_theme(project)
    (assets / "fonts/a.woff2").write_bytes(b"no font")
    for name in ("one", "two"):
        project.post("Text.\n", name=name, front='answer: "1"\n')

    ran = project.build(status=1)

    assert ran.err.count("share cards cannot be drawn") == 1
    assert "templates/assets" in ran.err
    assert "fonts/ must hold fonts" in ran.err
