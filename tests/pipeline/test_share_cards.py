"""Share cards of a site: which posts have one, when they are drawn, and what becomes of those drawn before."""

import re
import shutil

import pytest

from tests.conftest import Project, once

CARD = re.compile(r"posts/(\w+)/card\.[0-9a-f]{10}\.png")


def cards(project):
    """The share cards in the output: those of posts by slug, that of the site under ""."""
    found = {CARD.fullmatch(name)[1]: name for name in project.files() if CARD.fullmatch(name)}
    return {"": "card.png", **found}


def bytes_of(project):
    return {slug: project.files()[name] for slug, name in cards(project).items()}


def build_posts(root):
    project = Project(root)
    project.post("Text.\n", name="answer", front='answer: "{{ results.fair.half | fraction }}"\n')
    project.post("{{ figure(results.fair.figures.chance) }}\n", name="figure")
    project.post("Text.\n", name="neither")
    project.write("content/pages/about.md", "---\ntitle: About\n---\nText.\n")
    project.build()


@pytest.fixture
def with_posts(builds, shared_folder, tmp_path):
    """A post with an answer, one with a figure, one with neither, and a page: built once, and copied for each test."""
    return Project.at(once(shared_folder / "with-cards", build_posts)).copy_to(tmp_path / "project")


def test_posts_with_an_answer_or_a_figure_have_cards_of_their_own(with_posts):
    assert set(cards(with_posts)) == {"", "answer", "figure"}


def test_a_post_whose_words_the_font_of_cards_cannot_write_shows_the_card_of_the_site(project):
    unwritable = ["משחק", "لعبة", "硬币", "सिक्का", "เหรียญ"]
    for number, words in enumerate(unwritable):
        project.post("Text.\n", name=f"title{number}", front='answer: "1"\n', title=f"Coins {words}")
    project.post("Text.\n", name="other", front='answer: "1 \N{GAME DIE}"\n', title="Щелчок για ½ ≤ ξ₁ Ğ")
    project.build()

    assert set(cards(project)) == {"", "other"}
    for name in (f"title{number}" for number in range(len(unwritable))):
        assert 'property="og:image" content="https://blog.example.org/sub/card.png"' in project.page(
            f"posts/{name}/index.html"
        )


def test_a_card_changes_its_address_when_something_else_is_to_be_seen_on_it_and_only_then(with_posts):
    before = cards(with_posts)

    with_posts.post("Other text.\n", name="answer", front='answer: "{{ results.fair.half | fraction }}"\n')
    with_posts.post("{{ figure(results.fair.figures.chance) }}\n", name="figure", title="Another title")
    with_posts.build()

    after = cards(with_posts)
    assert after["answer"] == before["answer"]
    assert after["figure"] != before["figure"]
    assert before["figure"] not in with_posts.files()


@pytest.mark.deep  # the whole sites of test_sameness.py have cards
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


def test_a_new_title_beside_a_figure_that_is_known_starts_no_worker(with_posts):
    for title in ("Another title", "One more"):  # the first is still asked of its solver
        with_posts.build()
        with_posts.post("{{ figure(results.fair.figures.chance) }}\n", name="figure", title=title)

    imported = with_posts.build(PYTHONPROFILEIMPORTTIME="1").err

    assert "PIL.ImageDraw" in imported  # for the card
    assert "site_builder.solving.processes.worker_process" not in imported  # which starts workers
    assert "matplotlib" not in imported
