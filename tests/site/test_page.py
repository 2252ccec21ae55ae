"""The keys of pages: a page whose bytes would be others has another key, and one that is made of the same has the same.

The keys stand for the bytes: a page whose key the last build had is not rendered. So each site here is rendered before
and after a change, and the bytes that differ are compared with the keys that differ.
"""

import subprocess
import sys
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.figures.rendered import FigureFiles
from site_builder.markup.placeholders import CLOSE, OPEN, Heading, Inline, link
from site_builder.posts.blocks import Body, FigureBlock
from site_builder.posts.links import Link
from site_builder.project.front_matter import PuzzleCredit
from site_builder.site.pages.all import make_pages
from tests.conftest import ROOT
from tests.support.sites import PLAIN, brief, load_theme, make_site, write_theme

# Templates that look at something only because of something else that they saw.
NOSY = {
    **PLAIN,
    "base.html": "{{ site.title if page.title else site.author }}{% block main %}{% endblock %}",
    "post.html": """{% extends "base.html" %}{% block main %}
{% if post.answer %}{{ post.title }}{% else %}{{ post.series }}{{ site.description }}{% endif %}
{% if post.series == "a" %}{{ post.older.title if post.older }}{% else %}{{ post.newer.title if post.newer }}{% endif %}
{% for tag in post.tags %}{{ tag.name if loop.first else tag.path }}{% endfor %}{{ post.puzzle.name if post.puzzle }}
{% if post.show_toc %}{% for item in post.toc %}{{ item.title }}{% endfor %}{% endif %}{{ post.extra.a }}
{{ post.reading_minutes }}{% if post.series_place %}
{{ post.series_place.total }}{{ post.series_place.next.title if post.series_place.next }}{% endif %}
{% for other in post.related %}{{ other.title }}{% endfor %}
{% if post.extra.a %}{{ asset("a.css") }}{% include "part.txt" %}{% endif %}
{{ post.body }}{% endblock %}""",
    "index.html": """{{ entries | length }}{% for e in entries %}{{ e.answer or e.summary }}{% if loop.first %}
{{ e.tags | length }}{% endif %}{% endfor %}{{ pagination.count }}""",
    "archive.html": "{% for year, entries in years %}{{ year }}{{ entries | length }}{% endfor %}",
    "tags.html": "{{ tags | length }}{{ tags[0].name if tags }}",
    "tag.html": "{{ entries | length }}{{ tag.name }}{{ (entries | last).title }}",
    "answers.html": """{% for e in entries %}{{ e.method }}{% if loop.last %}{{ e.checks }}{% endif %}
{% endfor %}""",
    "404.html": "{{ url('') }}{{ site.title }}",
    "redirect.html": "{{ target }}{{ site.language }}",
    "part.txt": "A part.",
    "assets/a.css": "a {}",
}


def built(root, posts, **more):
    """The keys of the pages of a site, and their bytes, by path."""
    pages = make_pages(make_site(load_theme(root), posts, **more))
    return {page.path: page.key for page in pages}, {page.path: page.render() for page in pages}


def compared(root, before, after, change=lambda: None):
    """Two sites, each the posts and what else makes it: the paths whose keys, and those whose bytes, differ."""
    keys, one = built(root, before[0], **before[1])
    change()
    later, other = built(root, after[0], **after[1])
    both = set(one) & set(other)
    return {p for p in both if keys[p] != later[p]}, {p for p in both if one[p] != other[p]}


# Any two sites

INLINES = st.sampled_from([Inline("", ""), Inline("a", "a"), Inline("b", "b")])
LINKS = st.sampled_from([(), (Link("0.md", "posts/0.md", "", False),), (Link("/1", "/posts/1/", "#x", False),)])


@st.composite
def sites(draw):
    """Up to three posts in which few things are said, so that two sites often say the same."""
    posts, bodies = [], {}
    for number in range(draw(st.integers(0, 3))):
        links = draw(LINKS)
        html = "".join(link(each.target, each.fragment) for each in links) + draw(st.sampled_from("xy"))
        headings = tuple(Heading(2, a, a, ()) for a in draw(st.sampled_from(["", "a", "abc"])))
        post = brief(
            str(number),
            path=draw(st.sampled_from([f"posts/{number}/", f"{number}.html"])),
            date=datetime(draw(st.integers(2024, 2025)), 1, 1),
            title=draw(INLINES),
            summary=draw(INLINES),
            answer=draw(INLINES),
            method=draw(INLINES),
            checks=draw(st.integers(0, 2)),
            solvers=draw(st.sampled_from([{}, {"a": True}, {"b": False}])),
            series=draw(st.sampled_from(["", "a", "b"])),
            author=draw(st.sampled_from(["", "a"])),
            puzzle=draw(st.sampled_from([None, PuzzleCredit(name="a"), PuzzleCredit(source="a")])),
            tags=tuple(draw(st.lists(st.sampled_from(["a", "A", "b"]), max_size=2, unique=True))),
            aliases=tuple(draw(st.lists(st.sampled_from([f"old/{number}/"]), max_size=1))),
            toc=draw(st.sampled_from([None, True, False])),
            extra={"a": draw(st.sampled_from([False, True, 1, "b"]))},
            words=draw(st.sampled_from([10, 400, 2000])),
            links=links,
        )
        bodies[post.source] = Body(html, (), headings)
        posts.append(post._replace(body=f"{html}{headings}"))
    posts.sort(key=lambda post: post.date, reverse=True)
    facts = {
        "title": draw(st.sampled_from(["a", "b"])),
        "description": draw(st.sampled_from(["", "a"])),
        "language": draw(st.sampled_from(["en", "de"])),
        "posts_per_page": draw(st.integers(1, 2)),
        "posts_in_feed": draw(st.integers(1, 2)),
        "base_url": draw(st.sampled_from(["https://a.org/", "https://a.org/b/"])),
    }
    pages = [brief("about", path="about/", is_page=True, date=None, title=draw(INLINES))]
    return posts, {"settings": facts, "bodies": bodies, "pages": pages}


@pytest.fixture(scope="module")
def nosy(tmp_path_factory):
    root = tmp_path_factory.mktemp("nosy")
    write_theme(root, NOSY)
    return root


@given(sites(), sites())
def test_pages_of_two_sites_with_the_same_key_are_the_same(nosy, before, after):
    keys, contents = compared(nosy, before, after)

    assert contents <= keys


@given(sites())
def test_the_same_site_has_the_same_keys_again(nosy, site):
    assert compared(nosy, site, site) == (set(), set())


# One change at a time

POSTS = [
    brief("c", date=datetime(2026, 3, 3), title=Inline("C", "C"), tags=("x",), extra={"a": 1}),
    brief("b", date=datetime(2026, 3, 2), title=Inline("B", "B"), tags=("x", "y"), aliases=("old-b/",), extra={"a": 1}),
    brief(
        "a",
        date=datetime(2025, 3, 1),
        title=Inline("A", "A"),
        series="a",
        puzzle=PuzzleCredit(name="p", source="s"),
        extra={"a": 0},
    ),
]
PAGES = [brief("about", source="content/pages/about.md", path="about/", is_page=True, date=None)]
ANSWERS = {"answers/index.html", "answers.json"}  # it has an answer now, so these list it
FEEDS, FEEDS_OF_X = {"feed.xml"}, {"tags/x/feed.xml"}
OF_C = {"posts/c/index.html", *FEEDS, *FEEDS_OF_X}


def changed(root, number=None, posts=POSTS, facts=None, files=None, **changes):
    """What a change of one post, or of what else is given, makes of the keys and bytes of pages."""
    after = [post._replace(**changes) if place == number else post for place, post in enumerate(posts)]
    before = POSTS, {"pages": PAGES, "files": {"x.png": "1"}}
    return compared(root, before, (after, {"pages": PAGES, "files": files or {"x.png": "1"}, "settings": facts or {}}))


@pytest.fixture
def plain(tmp_path):
    write_theme(tmp_path, PLAIN)
    return tmp_path


LISTS_OF_C = {"index.html", "archive/index.html", "tags/x/index.html"}
LISTS_OF_A = {"index.html", "archive/index.html"}
OF_A = {"posts/a/index.html", *FEEDS}
CHANGES = {
    "a text": (0, {"body": "another"}, OF_C),
    "its length": (0, {"words": 11}, OF_C),
    "its table of contents": (0, {"toc": True}, OF_C),
    "what templates may read of it": (0, {"extra": {"a": True}}, OF_C),
    "its answer": (0, {"answer": Inline("1", "1")}, OF_C | LISTS_OF_C | ANSWERS),
    "its series": (2, {"series": "b"}, OF_A | LISTS_OF_A),
    "the name of its puzzle": (2, {"puzzle": PuzzleCredit(name="q", source="s")}, OF_A | LISTS_OF_A),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_a_post_changes_the_keys_of_its_page_its_feeds_and_the_lists_that_may_show_it(plain, change):
    number, changes, expected = CHANGES[change]

    keys, _ = changed(plain, number, **changes)

    assert keys == expected


def test_a_title_changes_the_pages_that_show_it(plain):
    keys, contents = changed(plain, 0, title=Inline("Z", "Z"))

    beside = {"posts/b/index.html"}  # which has it as the newer post, and shares a tag with it
    assert keys == OF_C | LISTS_OF_C | beside == contents | OF_C | beside


def test_a_neighbours_title_changes_a_page_that_shows_it_and_its_text_does_not(plain):
    write_theme(plain, {"post.html": "{{ post.older.title if post.older }}"})

    keys, contents = changed(plain, 1, title=Inline("Z", "Z"))

    assert "posts/c/index.html" in keys & contents
    assert "posts/c/index.html" not in changed(plain, 1, body="another", words=11)[0]


def test_a_related_posts_title_changes_a_page_that_shows_it_and_no_other(plain):
    write_theme(plain, {"post.html": "{% for other in post.related %}{{ other.title }}{% endfor %}"})

    keys, contents = changed(plain, 1, title=Inline("Z", "Z"))

    assert "posts/c/index.html" in keys & contents


def test_a_tags_count_changes_the_pages_of_tags_and_of_no_post(plain):
    write_theme(plain, {"tags.html": "{% for tag in tags %}{{ tag.count }}{% endfor %}"})

    keys, contents = changed(plain, posts=[*POSTS[:2], POSTS[2]._replace(tags=("y",))])

    assert {"tags/index.html", "tags/y/index.html"} <= keys
    assert "tags/index.html" in contents
    assert "posts/c/index.html" not in keys


@pytest.mark.parametrize("fact", [{"navigation": {"Tags": "/tags/"}}, {"author": "T"}, {"extra": {"a": 1}}])
def test_a_setting_that_templates_may_show_changes_the_keys_of_all_that_they_make(plain, fact):
    keys, contents = changed(plain, facts=fact)

    assert contents <= keys
    assert {"posts/a/index.html", "about/index.html", "index.html", "404.html", *FEEDS, *FEEDS_OF_X} <= keys
    assert not {"x.png", "robots.txt", "sitemap.xml"} & keys


def test_the_lengths_of_lists_and_feeds_change_these_alone(plain):
    assert changed(plain, facts={"posts_in_feed": 2})[0] == FEEDS
    assert changed(plain, facts={"posts_per_page": 2})[0] == {"index.html", "sitemap.xml"}


def test_another_address_of_the_site_changes_the_page_for_addresses_that_do_not_exist(plain):
    write_theme(plain, {"404.html": '{{ url("tags/") }}'})

    keys, contents = changed(plain, facts={"base_url": "https://blog.example.org/elsewhere/"})

    assert "404.html" in keys & contents
    assert contents <= keys


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("tag.html", "tags/x/index.html"),
        ("index.html", "index.html"),
        ("archive.html", "archive/index.html"),
        ("tags.html", "tags/index.html"),
    ],
)
def test_a_list_that_only_counts_its_entries_changes_with_their_number(plain, template, path):
    shown = {"archive.html": "{% for y, e in years %}{{ e | length }}{% endfor %}", "tags.html": "{{ tags | length }}"}
    write_theme(plain, {template: shown.get(template, "{{ entries | length }}")})
    more = [*POSTS, brief("z", date=datetime(2024, 1, 1), tags=("x", "z"))]

    keys, contents = changed(plain, posts=more)

    assert path in keys & contents


def test_another_share_card_changes_the_page_that_names_it_and_its_own_address(plain):
    write_theme(plain, {"post.html": "{{ page.card }}"})
    cards = [{"": "of the site", POSTS[0].source: name * 10} for name in "ab"]

    keys, contents = compared(plain, (POSTS, {"cards": cards[0]}), (POSTS, {"cards": cards[1]}))

    assert contents <= keys
    assert "posts/c/index.html" in contents
    assert "posts/a/index.html" not in keys


def test_a_file_that_is_published_as_it_is_changes_alone(plain):
    keys, _ = changed(plain, files={"x.png": "2"})

    assert keys == {"x.png"}


def test_a_redirect_changes_with_its_target_and_title_alone(plain):
    write_theme(plain, {"redirect.html": "{{ target }}{{ page.title }}"})
    keys, contents = changed(plain, 1, path="posts/elsewhere/")

    assert "old-b/index.html" in keys & contents
    keys, contents = changed(plain, 1, title=Inline("Another", "Another"))
    assert "old-b/index.html" in keys & contents
    assert "old-b/index.html" not in changed(plain, 1, body="another")[0]


def test_a_link_changes_its_page_when_its_target_moves(plain):
    link_to_a = Link("a.md", "posts/a.md", "", False)
    linking = [POSTS[0]._replace(links=(link_to_a,)), *POSTS[1:]]
    moved = [*linking[:2], POSTS[2]._replace(path="moved/")]
    bodies = {POSTS[0].source: Body(f'<a href="{link("posts/a.md")}">', (), ())}

    keys, contents = compared(plain, (linking, {"bodies": bodies}), (moved, {"bodies": bodies}))

    assert {"posts/c/index.html", "feed.xml"} <= keys & contents
    assert contents <= keys


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("base.html", {"posts/a/index.html", "index.html", "about/index.html"}),
        ("redirect.html", {"old-b/index.html"}),
        ("404.html", {"404.html"}),
        ("tags.html", {"tags/index.html"}),
    ],
)
def test_a_template_changes_the_pages_that_use_it(plain, name, pages):
    before = POSTS, {"pages": PAGES}

    keys, contents = compared(plain, before, before, lambda: write_theme(plain, {name: PLAIN[name] + "!"}))

    assert pages <= contents <= keys
    assert not {"robots.txt", "sitemap.xml", "answers.json"} & keys


def test_an_asset_changes_the_pages_that_name_it_and_no_file_that_is_copied(plain):
    write_theme(plain, {"tags.html": '{{ asset("a.css") }}', "assets/a.css": "old", "assets/b.css": "old"})
    before = POSTS, {"pages": PAGES}

    keys, contents = compared(plain, before, before, lambda: write_theme(plain, {"assets/a.css": "new"}))

    assert contents == {"tags/index.html"} <= keys
    assert not {"robots.txt", "sitemap.xml", "answers.json"} & keys


def test_a_drawing_changes_the_pages_that_show_it_and_the_addresses_of_its_files(plain):
    posts = [POSTS[0]._replace(figures=(("key", "fig"),)), *POSTS[1:]]
    part = FigureBlock("key", "fig", Inline("t", "t"), Inline("c", "c"), "alt")
    bodies = {POSTS[0].source: Body(f"{OPEN}0{CLOSE}", (part,), ())}
    before = {
        "key": FigureFiles(
            {"svg": "1" * 32, "narrow_svg": "2" * 32, "png": "3" * 32, "csv": "6" * 32, "table": "8" * 32},
            ((600, 400, 300, 200),),
        )
    }
    digests = {**before["key"].digests, "svg": "4" * 32, "png": "5" * 32}
    after = {"key": replace(before["key"], digests=digests)}

    keys, contents = compared(
        plain, (posts, {"bodies": bodies, "drawings": before}), (posts, {"bodies": bodies, "drawings": after})
    )
    paths = {path for path in built(plain, posts, bodies=bodies, drawings=after)[1] if "figures/" in path}

    assert contents == keys == OF_C
    assert paths == {
        "posts/c/figures/fig.4444444444.svg",
        "posts/c/figures/fig-narrow.2222222222.svg",
        "posts/c/figures/fig.5555555555.png",
        "posts/c/figures/fig.6666666666.csv",
    }


def test_the_same_values_under_other_names_are_not_the_same(plain):
    template = "{% if post.plain_answer == 'x' %}{{ post.series }}{% else %}{{ post.author }}{% endif %}"
    write_theme(plain, {"post.html": template})
    one, other = [brief(answer=Inline("", "x"), series="y")], [brief(author="x", answer=Inline("", "y"))]

    keys, contents = built(plain, one)
    others, more = built(plain, other)

    path = "posts/a/index.html"
    assert (contents[path], more[path]) == (b"y", b"x")
    assert keys[path] != others[path]


def test_templates_make_pages_and_other_files_are_copied(plain):
    pages = {page.path: page for page in make_pages(make_site(load_theme(plain), POSTS))}

    assert not pages["index.html"].is_copied
    assert pages["robots.txt"].is_copied


def test_keys_are_the_same_in_every_process(nosy):
    code = (
        "import sys; from pathlib import Path; from tests.site import test_page as t;"
        "print(sorted(t.built(Path(sys.argv[1]), t.POSTS, pages=t.PAGES)[0].items()))"
    )

    found = {
        subprocess.run(
            [sys.executable, "-c", code, str(nosy)],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, zone in [("1", "UTC"), ("2", "Asia/Tokyo")]
    }

    assert len(found) == 1
    assert "posts/c/index.html" in found.pop()
