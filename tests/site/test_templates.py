"""Every page filled with sample context, read as a browser, a screen reader or a search engine would."""

import re
from datetime import date
from itertools import combinations
from types import SimpleNamespace as Thing
from typing import Any

import pytest
from markupsafe import Markup

from site_builder.site.pages.post_pages import Sections
from tests.support.html import TEMPLATES, Html, environment

HOSTILE = '"><script>alert(1)</script>'
FORMULA = Markup("<math><mi>k</mi></math>")

SITE = Thing(
    title="Backward Induction",
    description="Puzzles solved from the end.",
    language="en-GB",
    direction="ltr",
    author="A. Author",
    base_url="https://blog.example.org/",
    paper=("#fdfcf9", "#15181b"),
    text_font="",
    logo="",
    icon="",
    footer="",
    licence=[],
    links=[],
    comments="",
    navigation=[("Archive", "archive/"), ("Tags", "tags/"), ("About", "about/")],
)
TAG = Thing(name="games", path="tags/games/", count=1, feed_path="tags/games/feed.xml")
EVIDENCE = {
    "runs": [
        {
            "name": "fair",
            "solver": "pennies",
            "is_fixed": True,
            "settings": [("piles", "3")],
            "axes": (),
            "points": 0,
            "checks": 2,
            "checked": 0,
            "unconfirmed": {"y": "no second method"},
            "untraced": ["figures.bars"],
            "confirmed": {"exactly": ["x"]},
            "command": "python build.py solve pennies --set piles=3",
        }
    ],
    "sources": [
        {
            "title": "A writeup",
            "author": "",
            "date": "2020-01-24",
            "url": "https://example.org/",
            "claims": [
                {"text": "20", "agreement": "exactly", "expression": "results.a.x", "where": "p. 3", "loose": ""},
            ],
        }
    ],
    "checks": 2,
    "provenance": "provenance.json",
}
NO_CREDIT = {"name": "", "source": "", "url": "", "published": None}


def a_post(**changes: Any) -> Thing:
    facts: dict[str, Any] = {
        "title": Markup("Two piles and ") + FORMULA,
        "plain_title": "Two piles and k",
        "language": "en-GB",
        "summary": Markup("Which totals win?"),
        "plain_summary": "Which totals win?",
        "answer": Markup("20, 22 and 23"),
        "guess": None,
        "date": date(2026, 11, 20),
        "updated": date(2026, 12, 1),
        "changed": date(2026, 12, 1),
        "author": "A. Guest",
        "authors": ["A. Guest"],
        "tags": [TAG],
        "path": "posts/pennies/",
        "puzzle": Thing(
            name="Pennies", source="A paper", url="https://paper.example.org/", published=date(2020, 1, 24)
        ),
        "series": "Games",
        "reading_minutes": 7,
        "words": 1500,
        "sections": Sections("<p>Take some pennies.</p>", "<h2 id='rules'>Rules</h2>", "<h2>Further reading</h2>"),
        "toc": [Thing(id="rules", title=FORMULA, children=[Thing(id="end", title=Markup("The end"), children=[])])],
        "show_toc": True,
        "scripts": ["frames", "explore"],
        "picture": Markup('<figure class="picture-of-post"></figure>'),
        "thumbnail": Thing(path="posts/pennies/figures/piles-narrow.svg", width=328, height=300),
        "turns": [
            {"label": "ten", "address": "../", "is_published": True, "is_shown": False},
            {"label": "six", "address": "./", "is_published": False, "is_shown": False},
        ],
        "corrections": [(date(2026, 12, 1), Markup("It was <b>half</b> as much."))],
        "evidence": EVIDENCE,
        "newer": None,
        "older": None,
        "series_place": None,
        "related": [],
        "method": Markup("backward induction"),
        "solvers": {"pennies": False},
        "checks": 12,
    }
    return Thing(**(facts | changes))


def pages_of(number: int, count: int) -> Thing:
    paths = [(n, "" if n == 1 else f"page/{n}/") for n in range(1, count + 1)]
    newer = paths[number - 2][1] if number > 1 else None
    older = paths[number][1] if number < count else None
    return Thing(number=number, count=count, newer=newer, older=older, pages=paths)


PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "post.html": ("post", {"post": a_post(newer=a_post(path="posts/n/"), older=a_post(path="posts/o/"))}),
    "page.html": (
        "page",
        {"body": Markup("<p>About.</p>"), "scripts": ["frames"], "corrections": [], "evidence": {}},
    ),
    "index.html": ("index", {"entries": [a_post(), a_post()], "pagination": pages_of(2, 9)}),
    "tags.html": ("tags", {"tags": [TAG]}),
    "tag.html": ("tag", {"tag": TAG, "entries": [a_post()]}),
    "archive.html": ("archive", {"years": [(2026, [a_post()]), (2025, [a_post()])]}),
    "answers.html": ("answers", {"entries": [a_post(), a_post()]}),
    "search.html": ("search", {"has_search": True, "tags": [("games", "games", 1)]}),
    "404.html": ("404", {}),
}


def page(template: str, site: Thing = SITE, **changes: Any) -> Html:
    kind, context = PAGES[template]
    facts = {
        "kind": kind,
        "language": site.language,
        "direction": site.direction,
        "title": Markup("The title"),
        "plain_title": "The title",
        "description": "What this page says.",
        "canonical": "https://blog.example.org/posts/pennies/",
        "is_turned": False,
        "styles": [],
        "scripts": [],
        "path": "posts/pennies/",
        "feed_path": "feed.xml",
        "hosts": [],
        "script_hosts": [],
        "form_hosts": [],
        "card": "https://blog.example.org/card.png",
        "card_shows": "",
    }
    facts |= changes.pop("page", {})
    functions = {"url": lambda path: f"/base/{path}", "asset": lambda name: f"/base/assets/{name}"}
    functions |= {"has_asset": lambda name: False, "inline_script": lambda name: f"/* {name} */", "extra": Thing()}
    functions |= {"script_hash": lambda name: Markup("'sha256-x'")}
    text = environment().get_template(template).render(site=site, page=Thing(**facts), **functions, **context | changes)
    assert text.startswith("<!doctype html>\n")
    return Html(text)


def is_inline_code(element: Any) -> bool:
    """Whether an element is a script in the page itself that no hash allows."""
    is_file = element.attributes.get("src", "").startswith("/base/assets/") and not element.text
    return element.name == "script" and not is_file and element.text != "/* theme.js */"


def redirect() -> Html:
    context = {"site": SITE, "target": "../new/", "canonical": "https://blog.example.org/new/"}
    return Html(environment().get_template("redirect.html").render(context))


def test_every_shell_has_a_sample_here():
    layout = {path.name for path in TEMPLATES.glob("*.html") if not path.name.startswith("_")}

    assert layout == set(PAGES) | {"base.html", "redirect.html"}


@pytest.mark.parametrize("template", PAGES)
def test_a_page_has_one_first_heading_in_its_main_part(template):
    headings = page(template).all("h1")

    assert len(headings) == 1
    assert "main" in headings[0].parents


@pytest.mark.parametrize("template", PAGES)
def test_a_page_names_its_language_and_its_direction(template):
    assert [element.attributes for element in page(template).all("html")] == [{"lang": "en-GB", "dir": "ltr"}]


@pytest.mark.parametrize("template", PAGES)
def test_a_page_carries_no_code_but_that_of_the_scheme_and_no_style_of_its_own(template):
    elements = page(template).elements

    assert not [e.name for e in elements if e.name == "style" or is_inline_code(e)]
    assert not [e.name for e in elements for key in e.attributes if key == "style" or key.startswith("on")]


@pytest.mark.parametrize("template", PAGES)
def test_a_page_loads_nothing_from_another_host(template):
    loaded = [
        e.attributes.get(key, "")
        for e in page(template).elements
        for key in ("src", "srcset", "href", "data", "poster")
        if e.name != "a" and e.attributes.get("rel") != "canonical"
    ]

    assert loaded
    assert not [address for address in loaded if re.match(r"\s*(\w+:)?//", address)]


@pytest.mark.parametrize("template", PAGES)
def test_a_page_forbids_scripts_and_foreign_hosts_before_it_loads_anything(template):
    elements = page(template).elements
    policies = [i for i, e in enumerate(elements) if e.attributes.get("http-equiv") == "Content-Security-Policy"]
    first_load = next(i for i, e in enumerate(elements) if e.name in ("link", "script"))

    assert len(policies) == 1
    assert policies[0] < first_load
    policy = elements[policies[0]].attributes["content"]
    assert policy.startswith("default-src 'none';")
    assert "'unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize("template", PAGES)
def test_the_scheme_is_chosen_before_anything_is_painted_and_all_other_scripts_wait(template):
    elements = page(template).elements
    scripts = [i for i, e in enumerate(elements) if e.name == "script" and "type" not in e.attributes]
    styles = [i for i, e in enumerate(elements) if e.attributes.get("rel") == "stylesheet"]

    first, *others = (elements[i] for i in scripts)
    assert first.text == "/* theme.js */"
    assert scripts[0] < min(styles)
    assert all("defer" in other.attributes for other in others)


@pytest.mark.parametrize("template", PAGES)
def test_a_button_switches_between_light_and_dark_and_tells_its_state(template):
    (button,) = [each for each in page(template).all("button") if "header" in each.parents]

    assert button.attributes["type"] == "button"
    assert button.attributes["aria-label"]
    assert button.attributes["aria-pressed"] == "false"


@pytest.mark.parametrize("template", PAGES)
def test_no_two_elements_of_a_page_share_an_id(template):
    ids = [e.attributes["id"] for e in page(template).elements if "id" in e.attributes]

    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("template", PAGES)
def test_the_first_link_skips_to_the_main_part(template):
    html = page(template)

    assert html.all("a")[0].attributes["href"] == "#" + html.all("main")[0].attributes["id"]


@pytest.mark.parametrize("template", PAGES)
def test_the_landmarks_of_a_page_have_names_of_their_own(template):
    names = [e.attributes.get("aria-label") or e.attributes.get("aria-labelledby") for e in page(template).all("nav")]

    assert all(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("template", PAGES)
def test_every_asset_that_a_page_asks_for_exists(template):
    asked = [
        value.removeprefix("/base/assets/")
        for e in page(template).elements
        for value in e.attributes.values()
        if value.startswith("/base/assets/")
    ]

    assert "pages.css" in asked
    assert [name for name in asked if not (TEMPLATES / "assets" / name).is_file()] == []


@pytest.mark.parametrize("template", PAGES)
def test_plain_text_from_the_author_never_becomes_markup(template):
    site = Thing(**vars(SITE) | {"title": HOSTILE, "author": HOSTILE, "description": HOSTILE})
    title = "</title><script>"

    html = page(
        template, site, page={"plain_title": title, "window": title, "description": HOSTILE, "card_shows": HOSTILE}
    )

    assert not [e for e in html.all("script") if is_inline_code(e)]
    assert html.all("title")[0].text == f"{title} · {HOSTILE}"


def test_the_title_of_the_site_follows_that_of_the_page_but_is_not_said_twice():
    post = page("post.html", page={"plain_title": "Coinball"})
    home = page("index.html", page={"plain_title": "Backward Induction"})

    assert post.all("title")[0].text == "Coinball · Backward Induction"
    assert home.all("title")[0].text == "Backward Induction"


def test_the_picture_of_the_first_post_is_loaded_at_once_and_others_when_they_come_near():
    found = [image.attributes.get("loading") for image in page("index.html").all("img", **{"class": "thumbnail"})]

    assert found == [None, "lazy"]


def test_mathematics_in_a_title_is_set_as_mathematics():
    html = page("post.html")

    assert [e.parents[-1] for e in html.all("math")].count("h1") == 1


def test_the_navigation_marks_the_page_that_is_open_and_the_section_around_it():
    archive = page("archive.html", page={"path": "archive/"})
    tag = page("tag.html", page={"path": "tags/games/"})

    assert [e.text for e in archive.all("a", **{"aria-current": "page"})] == ["Archive"]
    assert [e.text for e in tag.all("a", **{"aria-current": "true"})] == ["Tags"]
    assert not page("post.html").all("a", **{"aria-current": "page"})


SLIDER = Thing(question="How often?", answer="64", choices=(), start=0, stop=100, step=1, unit="%")
CHOICES = Thing(question="Which?", answer="b", choices=("a", "b"), start=None, stop=None, step=None, unit="")


@pytest.mark.parametrize("guess", [SLIDER, CHOICES])
def test_the_answer_of_a_guess_is_folded_on_its_page_and_in_lists(guess):
    html = page("post.html", post=a_post(guess=guess))
    (fold,) = html.all("details", **{"class": "guess"})
    (controls,) = html.all("fieldset", **{"class": "guess-with"})

    assert (guess.question in fold.text, "20, 22 and 23" in fold.text) == (True, True)
    assert "hidden" in controls.attributes
    assert controls.attributes["data-answer"] == guess.answer
    assert len([each for each in html.all("input") if "fieldset" in each.parents]) >= len(guess.choices or "1")
    home = page("index.html", entries=[a_post(guess=guess), a_post(path="posts/other/", guess=guess)])
    listed, _ = home.all("details", **{"class": "guess"})
    (fold,) = home.all("details", **{"class": "to-guess"})  # of the second post
    assert guess.question in fold.text
    assert (guess.question in listed.text, "20, 22 and 23" in listed.text) == (True, True)
    assert len({each.attributes["name"] for each in home.all("input", type="radio")}) == (2 if guess.choices else 0)


def test_a_post_shows_its_answer_its_dates_and_its_guest_author():
    html = page("post.html")
    (article,) = html.all("article")

    for shown in ("20, 22 and 23", "20.11.2026", "1.12.2026", "A. Guest", "7 min", "Games"):
        assert shown in article.text
    assert html.all("time", datetime="2026-11-20")


def test_the_picture_the_guess_and_the_settings_stand_between_the_sections_of_a_post():
    text = page("post.html", post=a_post(guess=SLIDER)).all("article")[0].text

    shown = (
        "Take some pennies",
        "A paper",
        "Before you read on",
        "In this post",
        "Rules",
        "Try it with",
        "Further reading",
    )
    places = [text.index(words) for words in shown]
    assert places == sorted(places)


def test_a_bare_post_leaves_out_what_it_does_not_have():
    bare = a_post(answer="", updated=None, author=SITE.author, tags=[], puzzle=None, series="", toc=[], show_toc=True)

    html = page("post.html", post=bare)

    classes = {name for e in html.elements for name in e.attributes.get("class", "").split()}
    assert not classes & {"answer", "credit", "tags", "contents", "related_posts", "overline"}
    assert "updated" not in html.all("article")[0].text
    assert SITE.author not in html.all("article")[0].text
    assert "None" not in html.all("body")[0].text


@pytest.mark.parametrize("given", [c for n in range(1, 5) for c in combinations(NO_CREDIT, n)], ids="-".join)
def test_a_credit_shows_the_facts_that_are_given_and_no_others(given):
    full = vars(PAGES["post.html"][1]["post"].puzzle)
    puzzle = Thing(**NO_CREDIT | {key: full[key] for key in given})

    html = page("post.html", post=a_post(puzzle=puzzle))

    credits = html.all("li", **{"class": "credit"})
    assert len(credits) == (given != ("published",))
    shown = credits[0].text if credits else ""
    assert ("Pennies" in shown) == ("name" in given and "source" not in given)
    assert ("A paper" in shown) == ("source" in given)
    assert ("24.1.2020" in shown) == ("published" in given and bool(credits))
    assert len(html.all("a", href="https://paper.example.org/")) == ("url" in given)
    assert "None" not in shown
    assert not re.search(r"Puzzle\s*,|,\s*$|,\s*,", shown)


def test_a_post_of_a_series_leads_to_the_parts_before_and_after_it():
    part = Thing(name="Games", number=2, total=3, previous=a_post(path="posts/one/"), next=a_post(path="posts/three/"))

    html = page("post.html", post=a_post(series_place=part))

    series = next(e for e in html.all("nav", **{"aria-label": "Series"}))
    assert "Part 2 of 3" in series.text
    inside = [e.attributes["href"] for e in html.all("a") if "nav" in e.parents]
    assert {"/base/posts/one/", "/base/posts/three/"} <= set(inside)


def test_related_posts_stand_below_a_heading_of_their_own():
    html = page("post.html", post=a_post(related=[a_post(path="posts/other/")]))

    assert html.all("a", href="/base/posts/other/")
    assert "Related posts" in [e.text for e in html.all("h2")]


def test_the_table_of_answers_says_nothing_of_what_a_post_does_not_tell():
    told, silent = a_post(guess=SLIDER), a_post(method="")

    cells = [" ".join(cell.text.split()) for cell in page("answers.html", entries=[told, silent]).all("td")]

    assert cells == ["How often? 20, 22 and 23", "backward induction", "The answer 20, 22 and 23", ""]


def test_the_answers_are_folded_in_their_table():
    html = page("answers.html", entries=[a_post(guess=SLIDER), a_post()])

    assert [each.text.strip() for each in html.all("summary")] == ["How often?", "The answer"]
    assert all("20, 22 and 23" in each.text for each in html.all("details"))


def test_the_contents_of_a_post_link_to_its_headings_at_every_level():
    html = page("post.html")

    inner = [e.attributes["href"] for e in html.all("a") if "nav" in e.parents and "article" in e.parents]
    assert [address for address in inner if address.startswith("#")] == ["#rules", "#end"]


def test_the_second_page_of_the_list_leads_back_to_the_home_page():
    # The path of the home page is empty, which must not be taken for "there is none".
    html = page("index.html", pagination=pages_of(2, 3))

    assert [e.attributes["href"] for e in html.all("a", rel="prev")] == ["/base/"]
    assert [e.attributes["href"] for e in html.all("a", rel="next")] == ["/base/page/3/"]


@pytest.mark.parametrize(
    ("number", "count", "shown"),
    [(1, 2, "1 2"), (1, 12, "1 2 … 12"), (6, 12, "1 … 5 6 7 … 12"), (3, 5, "1 2 3 4 5"), (12, 12, "1 … 11 12")],
)
def test_a_long_list_shows_the_numbers_of_pages_near_this_one_and_at_the_ends(number, count, shown):
    html = page("index.html", pagination=pages_of(number, count))

    numbers = next(e for e in html.all("ol") if "nav" in e.parents)
    assert numbers.text.split() == shown.split()
    assert [e.text for e in html.all("a", **{"aria-current": "page"})] == [str(number)]


def test_a_list_of_one_page_has_no_page_numbers():
    assert not page("index.html", pagination=pages_of(1, 1)).all("nav", **{"aria-label": "Pages"})


def test_a_missing_page_is_kept_out_of_search_engines():
    html = page("404.html")

    assert html.all("meta", name="robots", content="noindex")
    assert not html.all("link", rel="canonical")


@pytest.mark.parametrize("template", sorted(set(PAGES) - {"404.html"}))
def test_a_page_names_its_address_and_the_feed(template):
    html = page(template, page={"feed_path": "tags/games/feed.xml"})

    assert [e.attributes["href"] for e in html.all("link", rel="canonical")] == [
        "https://blog.example.org/posts/pennies/"
    ]
    assert [e.attributes["href"] for e in html.all("link", rel="alternate")] == ["/base/tags/games/feed.xml"]


def test_an_old_address_leads_to_the_new_one_without_a_script():
    html = redirect()

    assert html.all("meta", content="0; url=../new/", **{"http-equiv": "refresh"})
    assert html.all("a", href="../new/")
    assert html.all("link", rel="canonical", href="https://blog.example.org/new/")
    assert html.all("html", lang="en-GB", dir="ltr")
    assert not html.all("script")
