"""The search index of a site: made when a text has changed, taken from the store else."""

import sqlite3
from contextlib import closing
from datetime import datetime

import pytest

from site_builder.bodies import Body
from site_builder.codes import Codes
from site_builder.picturing import LostError
from site_builder.reach.libraries import environment_stamp
from site_builder.scanning import digests, scan
from site_builder.searching import Searching
from site_builder.store import Store
from site_builder.store_file import NAME
from site_builder.tokens import Inline
from tests.conftest import ROOT
from tests.site_builder.sites import brief
from tests.site_builder.test_search_index import chunks, fragments

POSTS = [brief(f"post-{day}", date=datetime(2026, 1, day), tags=("Coins",)) for day in range(1, 6)]
ABOUT = brief("about", path="about/", is_page=True, date=None)


class Library:
    """A store, and the search that is kept in it."""

    def __init__(self, store, codes):
        self.store = store
        self.codes = codes
        self.made = []

    def search(self, briefs, language="en", **settings):
        """The index over posts whose text is the name of their body; `made` then says which parts were made."""
        self.made = []
        return Searching(self.store, self.codes, language, **settings).make(
            briefs,
            lambda brief: Body(f"<p>{brief.body}</p>", (), ()),
            lambda part, ran, made_of: self.made.append((part, ran)),
            lambda name, steps: None,
            lambda count: None,
        )


@pytest.fixture(scope="module")
def named():
    return digests(scan(ROOT), {})


@pytest.fixture
def library(tmp_path, named):
    with Store(tmp_path, 2**30, pytest.fail) as store:
        yield Library(store, Codes(ROOT, store, named, environment_stamp()))


def bytes_of(search):
    return {path: search.file(path) for path in search.files}


def titles(search, folder="pagefind/"):
    inside = {path.removeprefix(folder): data for path, data in bytes_of(search).items() if path.startswith(folder)}
    return sorted(each["meta"]["title"] for each in fragments(inside))


def test_the_index_holds_every_post_and_page(library):
    search = library.search([*POSTS, ABOUT])

    assert titles(search) == ["about", *(f"post-{day}" for day in range(1, 6))]
    assert b"bodi" in chunks({path.removeprefix("pagefind/"): data for path, data in bytes_of(search).items()})


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
        {"answer": Inline("7", "7")},
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


def test_pagefind_is_part_of_what_an_index_is_made_of(library):
    assert library.codes.indexing.ingredients["pagefind-bin"]


def test_a_part_whose_bytes_the_store_has_lost_is_missed_and_then_made_again_the_same(tmp_path, named):
    def library_in(store):
        return Library(store, Codes(ROOT, store, named, environment_stamp()))

    with Store(tmp_path, 2**30, pytest.fail) as store:
        whole = bytes_of(library_in(store).search(POSTS))
    with closing(sqlite3.connect(tmp_path / NAME)) as connection:
        connection.execute("DELETE FROM entries WHERE kind = 'searched'")
        connection.commit()
    with Store(tmp_path, 2**30, pytest.fail) as store:
        hasty = library_in(store).search(POSTS)
        with pytest.raises(LostError):
            hasty.file("pagefind/pagefind.js")
        thorough = library_in(store).search(POSTS, thorough=True)

        assert bytes_of(thorough) == whole


def test_there_is_no_index_where_there_is_nothing_to_find(library):
    search = library.search([])

    assert (search.folders, search.files) == ((), {})


def test_many_texts_are_indexed_in_parts_and_a_new_one_leaves_the_older_parts_alone(library):
    newest = brief("post-9", date=datetime(2026, 1, 9))
    first = library.search([ABOUT, *POSTS], most=2)
    before = bytes_of(first)

    second = library.search([ABOUT, newest, *POSTS], most=2)

    assert (first.folders, second.folders) == (
        ("pagefind/", "pagefind/2/", "pagefind/3/"),
        ("pagefind/", "pagefind/2/", "pagefind/3/", "pagefind/4/"),
    )
    assert library.made == [(1, False), (2, False), (3, True), (4, True)]
    assert titles(second, "pagefind/4/") == ["about"]
    after = bytes_of(second)
    assert {path for path in before if before[path] != after.get(path)} <= {
        path for path in before if path.startswith("pagefind/3/")
    }
