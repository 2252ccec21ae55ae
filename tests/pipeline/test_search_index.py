"""The search index of a site: made when a text has changed, taken from the store else."""

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from site_builder.markup.placeholders import Inline
from site_builder.pipeline.steps.search_index import SearchIndex, cut
from site_builder.posts.blocks import Body
from site_builder.posts.summary import Correction
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage.file_fingerprints import digests, scan
from site_builder.storage.sqlite_file import NAME
from site_builder.storage.store import MissingEntryError, Store
from tests.conftest import ROOT
from tests.pipeline.test_pagefind import chunks, fragments
from tests.support.html import Html
from tests.support.sites import brief
from tests.support.steps import context_of

POSTS = [brief(f"post-{day}", date=datetime(2026, 1, day), tags=("Coins",)) for day in range(1, 6)]
MANY = [brief(f"many-{number}", date=datetime(2000, 1, 1) + timedelta(number)) for number in range(1000)]
ABOUT = brief("about", path="about/", is_page=True, date=None)


class Library:
    """A store, and the search that is kept in it."""

    def __init__(self, store, codes):
        self.store = store
        self.codes = codes
        self.made = []

    def search(self, briefs, language="en", verify=False, **settings):
        """The index over posts whose text is the name of their body; `made` then says which parts were made."""
        index = SearchIndex(context_of(ROOT, self.store, codes=self.codes, verify=verify), language, **settings)
        parts = index.parts(briefs)
        plan = index.plan(parts)
        self.made = [(number, part in plan.missing) for number, part in enumerate(parts, 1)]
        made = index.run(plan.missing, lambda brief: Body(f"<p>{brief.body}</p>", (), ())).checked()
        return index.search(parts, plan.cached | made)


@pytest.fixture(scope="module")
def named():
    return digests(scan(ROOT), {})


@pytest.fixture
def library(tmp_path, named):
    with Store(tmp_path, 2**30, pytest.fail) as store:
        yield Library(store, CodeKeys(ROOT, store, named, environment_stamp()))


def bytes_of(search):
    return {path: search.file(path) for path in search.files}


def titles(search, folder="pagefind/"):
    inside = {path.removeprefix(folder): data for path, data in bytes_of(search).items() if path.startswith(folder)}
    return sorted(each["meta"]["title"] for each in fragments(inside))


def test_the_index_holds_every_post_and_page(library):
    search = library.search([*POSTS, ABOUT])

    assert titles(search) == ["about", *(f"post-{day}" for day in range(1, 6))]
    assert b"bodi" in chunks({path.removeprefix("pagefind/"): data for path, data in bytes_of(search).items()})


def test_the_answer_the_method_and_the_corrections_of_a_post_are_found(library):
    correction = Correction(datetime(2026, 2, 2), Inline("zwieback", "zwieback"))
    told = {"answer": Inline("8128", "8128"), "method": Inline("guess", "guess"), "corrections": (correction,)}

    search = library.search([POSTS[0]._replace(**told)])

    text = chunks({path.removeprefix("pagefind/"): data for path, data in bytes_of(search).items()})
    assert all(word in text for word in (b"8128", b"guess", b"zwieback"))


def test_under_a_tag_there_are_posts_and_no_pages(library):
    search = library.search([POSTS[0], ABOUT._replace(tags=("Coins", "Us"))])

    found = fragments({path.removeprefix("pagefind/"): data for path, data in bytes_of(search).items()})
    assert {each["url"]: each["filters"] for each in found} == {POSTS[0].path: {"tag": ["coins"]}, ABOUT.path: {}}


def test_a_result_leads_to_the_address_of_its_post(library):
    search = library.search([ABOUT._replace(path="über uns/<&>.html")])

    (found,) = fragments({path.removeprefix("pagefind/"): data for path, data in bytes_of(search).items()})
    assert found["url"] == "über uns/<&>.html"


def test_without_a_change_nothing_is_made_again(library):
    first = bytes_of(library.search(POSTS))

    again = library.search(POSTS[::-1])

    assert library.made == [(1, False)]
    assert bytes_of(again) == first


CHANGES = {
    "text": {"body": "another"},
    "title": {"title": Inline("other", "other")},
    "summary": {"summary": Inline("new", "new")},
    "date": {"date": datetime(2026, 2, 1)},
    "tag": {"tags": ("Dice",)},
    "answer": {"answer": Inline("7", "7")},
    "method": {"method": Inline("by hand", "by hand")},
    "correction": {"corrections": (Correction(datetime(2026, 2, 2), Inline("It said 8.", "It said 8.")),)},
    "address": {"path": "posts/moved/"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_that_search_shows_makes_the_index_anew(library, change):
    library.search(POSTS)

    library.search([*POSTS[:-1], POSTS[-1]._replace(**change)])

    assert library.made == [(1, True)]


@pytest.mark.parametrize(
    "change",
    [
        {"figures": (("k", "n"),)},
        {"words": 3},
        {"links": ()},
        {"solvers": {"ruin": True}},
        {"states": Inline("7", "7")},
    ],
)
def test_a_change_that_search_does_not_show_makes_nothing(library, change):
    library.search(POSTS)

    library.search([*POSTS[:-1], POSTS[-1]._replace(**change)])

    assert library.made == [(1, False)]


def test_another_language_makes_the_index_anew(library):
    library.search(POSTS)

    search = library.search(POSTS, "de")

    assert library.made == [(1, True)]
    assert "pagefind/wasm.de.pagefind" in search.files


def test_a_part_whose_bytes_the_store_has_lost_is_missed_and_then_made_again_the_same(tmp_path, named):
    def library_in(store):
        return Library(store, CodeKeys(ROOT, store, named, environment_stamp()))

    with Store(tmp_path, 2**30, pytest.fail) as store:
        whole = bytes_of(library_in(store).search(POSTS))
    with closing(sqlite3.connect(tmp_path / NAME)) as connection:
        connection.execute("DELETE FROM entries WHERE kind = 'searched'")
        connection.commit()
    with Store(tmp_path, 2**30, pytest.fail) as store:
        hasty = library_in(store).search(POSTS)
        with pytest.raises(MissingEntryError):
            hasty.file("pagefind/pagefind.js")
        thorough = library_in(store).search(POSTS, verify=True)

        assert bytes_of(thorough) == whole


def test_there_is_no_index_where_there_is_nothing_to_find(library):
    search = library.search([])

    assert (search.folders, search.files) == ((), {})


def folders_of(search):
    """The addresses of the texts in each folder of an index."""
    files = bytes_of(search)
    found = {}
    for folder in search.folders:
        inside = {path.removeprefix(folder): data for path, data in files.items() if path.startswith(folder)}
        found[folder] = {each["url"] for each in fragments(inside)}
    return found


def test_an_index_in_parts_has_each_text_in_one_of_them(library):
    search = library.search([ABOUT, *MANY[:60]], most=20)

    found = folders_of(search)
    assert len(found) > 2
    assert sum(len(addresses) for addresses in found.values()) == 61
    assert set.union(*found.values()) == {ABOUT.path, *(post.path for post in MANY[:60])}


def test_a_new_post_leaves_the_parts_with_older_posts_alone_and_where_they_lie(library):
    first = library.search([ABOUT, *MANY[:60]], most=20)
    before = bytes_of(first)

    second = library.search([ABOUT, *MANY[:61]], most=20)

    made = [ran for _, ran in library.made]
    assert made == [False] * (len(made) - 1) + [True]
    after = bytes_of(second)
    assert {path for path in before if before[path] != after.get(path)} <= {
        path for path in before if path.startswith(first.folders[-1])
    }


def test_no_part_is_large_and_the_last_one_less_so():
    for count in range(0, 1000, 7):
        parts = cut(MANY[:count], 250)

        assert [post for part in parts for post in part] == MANY[:count]
        assert all(1 <= len(part) <= 250 for part in parts)
        assert not parts or len(parts[-1]) <= 100
    assert len(cut(MANY, 250)) <= 1000 / 125 + 2


@pytest.mark.parametrize("place", range(3, 1000, 83))
def test_a_post_that_goes_or_moves_leaves_most_parts_as_they_are(place):
    before = cut(MANY, 250)
    others = MANY[:place] + MANY[place + 1 :]

    gone = [part for part in cut(others, 250) if part not in before]
    moved = [part for part in cut([MANY[place], *others], 250) if part not in before]

    assert len(gone) <= 2
    assert len(moved) <= 4


# Whole builds


@pytest.fixture
def coins(project):
    """A project with one post in which a word stands that no other text has."""
    project.write("content/posts/coins.md", "---\ntitle: Coins\ndate: 2026-03-01\ntags: [Games]\n---\nA zwieback.\n")
    project.write("content/pages/about.md", "---\ntitle: About\n---\nNothing.\n")
    return project


def of_search(files):
    return {path for path in files if path.startswith("pagefind/")}


def test_without_an_index_the_page_says_so_and_nothing_is_left_of_an_older_one(coins):
    coins.build()
    assert of_search(coins.files())

    coins.build("--no-search")

    files = coins.files()
    assert of_search(files) == set()
    page = Html(files["search/index.html"].decode())
    assert "This copy of the site has no search." in " ".join(page.all("main")[0].text.split())
    assert not page.all("form")
    assert not page.all("script", src="../assets/search.js")
    assert "../archive/" in {link.attributes["href"] for link in page.all("a")}


def test_a_build_with_search_after_one_without_makes_the_index(coins):
    coins.build("--no-search")
    first = coins.build()
    again = coins.build()

    assert "Indexing: 1" in first.err
    assert "pagefind/pagefind.js" in coins.files()
    assert again.out.startswith("Nothing has changed")


def test_a_build_without_search_has_nothing_to_do_when_nothing_has_changed(coins):
    coins.build("--no-search")

    assert coins.build("--no-search").out.startswith("Nothing has changed")


def test_a_build_that_explains_reports_the_index(coins):
    first = coins.build("--explain").out
    second = coins.build("--explain").out
    coins.write("content/posts/coins.md", "---\ntitle: Coins\ndate: 2026-03-01\n---\nOther words.\n")
    third = coins.build("--explain").out

    reported = [
        [line.strip() for line in out.splitlines() if "search index 1" in line] for out in (first, second, third)
    ]
    assert reported == [
        ["search index 1: made, for the first time"],
        ["search index 1: reused"],
        ["search index 1: made, posts/coins/ changed"],
    ]


def test_a_build_that_explains_reports_a_new_language_of_the_index(coins):
    coins.build()
    config = coins.root / "config.yaml"
    config.write_text(config.read_text() + "language: de\n")

    assert "search index 1: made, language changed en -> de\n" in coins.build("--explain").out


def test_an_edited_template_leaves_the_index_as_it_is(coins):
    coins.build()
    before = {path: data for path, data in coins.files().items() if path in of_search(coins.files())}
    (coins.root / "config.yaml").write_text((coins.root / "config.yaml").read_text().replace("A blog", "Another"))

    out = coins.build("--explain").out

    assert "search index 1: reused" in out
    assert {path: data for path, data in coins.files().items() if path in of_search(coins.files())} == before


def test_links_to_the_search_page_are_known(coins):
    coins.write("content/pages/more.md", "---\ntitle: More\n---\n[Find](/search/?q=coins) [gone](/searching/)\n")

    ran = coins.build(status=1)

    assert "searching" in ran.err
    assert "1 error" in ran.err


def test_the_entry_names_how_many_pages_were_indexed(coins):
    coins.build("--no-search", "--output", "elsewhere")
    coins.build()

    entry = json.loads(coins.files()["pagefind/pagefind-entry.json"])

    assert entry["languages"]["en"]["page_count"] == 2
