"""What search engines and other sites read at the head of pages."""

import re
from collections import Counter

import pytest
from PIL import Image

from tests.conftest import CONFIG
from tests.support.blog import BASE, address_of, file_at, pages
from tests.support.html import Html

HOSTILE = "</script><script>alert(1)</script><!-- & \u2028 \u2029"


def metas(page):
    """The facts in <meta>, by property or name; those that stand several times as lists."""
    found = {}
    for each in page.all("meta"):
        name = each.attributes.get("property") or each.attributes.get("name")
        if name:
            found.setdefault(name, []).append(each.attributes["content"])
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def test_a_hostile_title_stays_a_title(project):
    project.post("Text.\n", title=f"'{HOSTILE[:-4]}'")
    project.build()

    page = Html(project.page("posts/ruin/index.html"))

    assert metas(page)["og:title"] == HOSTILE[:-4]
    assert [e.text for e in page.all("script") if "alert(1)" in e.text and "type" not in e.attributes] == []
    assert len([e for e in page.all("script") if "src" not in e.attributes and "type" not in e.attributes]) == 1


# On the pages of a blog


def test_other_sites_can_tell_a_post_from_a_list(blog):
    page, tag = blog.html["posts/rich/index.html"], metas(blog.html["tags/games/index.html"])
    post = metas(page)

    assert post["og:type"] == "article"
    assert post["og:url"] == page.all("link", rel="canonical")[0].attributes["href"]
    assert post["description"] == "Half is 1/2, or 1/2."
    assert post["article:published_time"] == "2026-03-02T10:00:00+02:00"
    assert post["article:modified_time"] == "2026-04-05T00:00:00+00:00"
    assert post["article:author"] == "Somebody Else"
    assert post["article:section"] == "Coins"
    assert post["article:tag"] == ["Coins", "dynamic programming", "C++", "games"]
    assert tag["og:type"] == "website"
    assert not [name for name in tag if name.startswith("article:")]


def test_every_page_shows_a_card_that_is_there(blog):
    for name, page in blog.html.items():
        facts = metas(page)
        if "og:type" in facts:
            with Image.open(blog.root / "_site" / file_at(facts["og:image"], blog.built)) as card:
                assert card.size == (int(facts["og:image:width"]), int(facts["og:image:height"])) == (1200, 630)
            assert facts["og:image:alt"], name
            assert facts["twitter:card"] == "summary_large_image"


def test_a_post_with_an_answer_has_a_card_of_its_own_and_one_without_shares_that_of_the_site(blog):
    rich, plain = (metas(blog.html[f"posts/{name}/index.html"]) for name in ("rich", "post-07"))

    assert re.fullmatch(rf"{BASE}posts/rich/card\.[0-9a-f]{{10}}\.png", rich["og:image"])
    assert rich["og:image:alt"] == "Coins & <dice>: 50% for p_1"
    assert plain["og:image"] == f"{BASE}card.png"


def test_every_page_has_one_canonical_address_below_that_of_the_site(blog):
    for name, page in pages(blog).items():
        assert [each.attributes["href"] for each in page.all("link", rel="canonical")] == [address_of(name)]


def test_no_two_pages_share_a_title_or_a_description(blog):
    titles = Counter(page.all("title")[0].text for page in pages(blog).values())
    # The 24 plain posts have texts of their own, so their descriptions differ as well.
    told = Counter(metas(page).get("description") for page in pages(blog).values())

    assert [title for title, count in titles.items() if count > 1] == []
    assert [text for text, count in told.items() if text and count > 1] == []


@pytest.mark.parametrize(("language", "locale"), [("en", None), ("pt-BR", "pt_BR")])
def test_a_language_with_a_country_gives_a_locale(project, language, locale):
    project.write("config.yaml", f"{CONFIG}language: {language}\n")
    project.build()

    assert metas(Html(project.page("index.html"))).get("og:locale") == locale
