"""The search index of a site: made by pagefind when a post or page has changed, and recorded like every other file."""

import errno
import gzip
import json
import shutil
import sys
from dataclasses import replace
from itertools import count

import pytest

from site_builder.errors import SiteError, StoppedError, UnfinishedError
from site_builder.pipeline import search_index
from site_builder.pipeline.output import write_site
from site_builder.pipeline.search_index import SearchIndex, find_program
from site_builder.pipeline.steps.context import Report
from site_builder.site.model import copied
from tests.conftest import Project
from tests.support.faults import is_killed
from tests.support.html import Html

COINS = """---
title: Coins of $\\frac{1}{2}$ & dice
date: 2026-03-01
tags: [Games, "Odds & ends"]
summary: In short a zebrafish.
answer: 8128
corrections: [{date: 2026-03-02, text: It said crispbread.}]
---
A zwieback wins $P = \\frac{3}{5} < 0.6403$. ![A walrus](/walrus.png)

## Why it works

Words.[^1]

[^1]: A note.

```python
print("fenced")
```
"""

MORE = f"---\ntitle: More\ndate: 2026-03-02\ntags: {[f'topic {number}' for number in range(12)]}\n---\nWords.\n"


def write_coins(project):
    project.write("content/posts/coins.md", COINS)
    project.write("content/walrus.png", "")
    project.write("content/pages/about.md", "---\ntitle: About\n---\nNothing.\n")
    return project


@pytest.fixture
def coins(project):
    """A project with one post in which words stand that no other text has."""
    return write_coins(project)


@pytest.fixture(scope="module")
def built(builds, tmp_path_factory):
    """The same project, built: only to be read."""
    project = write_coins(Project(tmp_path_factory.mktemp("coins")))
    project.build()
    return project


def of_search(files):
    return {path: data for path, data in files.items() if path.startswith("pagefind/")}


def indexed(files):
    """What pagefind recorded of each page, by its address."""
    found = [gzip.decompress(data) for path, data in files.items() if path.endswith(".pf_fragment")]
    records = [json.loads(data.removeprefix(b"pagefind_dcd")) for data in found]
    return {record["url"]: record for record in records}


def recorded(files):
    return json.loads(files[".puzzlepress.json"])


def test_posts_and_pages_are_indexed_with_title_summary_date_and_tags(built):
    found = indexed(built.files())
    assert found.keys() == {"/posts/coins/", "/about/"}
    post = found["/posts/coins/"]
    assert {name: post["meta"][name] for name in ("title", "summary", "date")} == {
        "title": "Coins of 1/2 & dice",
        "summary": "In short a zebrafish.",
        "date": "1 March 2026",
    }
    assert (post["meta"]["tags"], post["meta"]["topics"]) == ("Games. Odds & ends.", "games odds-ends")
    assert [each["text"] for each in post["anchors"] if each["element"] == "h2" and each["text"].startswith("Why")] == [
        "Why it works"
    ]


def test_a_post_is_indexed_with_formulas_as_text_and_without_what_belongs_to_the_page(built):
    text = indexed(built.files())["/posts/coins/"]["content"]
    assert all(word in text for word in ("8128", "crispbread", "P = 3/5 < 0.6403", "A walrus", "A note."))
    assert not [word for word in ("min read", "Note 1", "¶", "Answer", "#", "35") if word in text.replace("1/2", "")]


def test_the_same_pages_give_the_same_bytes(coins):
    coins.write("content/posts/more.md", MORE)
    coins.build()
    first = coins.files()
    shutil.rmtree(coins.root / "_site")

    coins.build()

    assert coins.files() == first  # pagefind's own filters come in another order: twelve in the same once in 12! times


def test_a_build_without_changes_runs_nothing(coins):
    first = coins.build()
    again = coins.build()

    assert "Indexing: 1" in first.err
    assert again.out.startswith("Nothing has changed")


def test_the_index_is_made_anew_when_a_post_has_changed_and_leaves_nothing_of_the_older_one(coins):
    coins.build()
    before = of_search(coins.files())
    coins.write("content/posts/coins.md", COINS.replace("zwieback", "biscuit"))

    out = coins.build("--explain").out

    files = coins.files()
    assert "search index: made, as pages have changed" in out
    assert "biscuit" in indexed(files)["/posts/coins/"]["content"]
    assert of_search(files).keys() == {path for path in recorded(files)["files"] if path.startswith("pagefind/")}
    assert len(indexed(files)) == len([path for path in files if path.endswith(".pf_fragment")]) == 2
    assert of_search(files).keys() != before.keys()


def test_pages_that_are_not_indexed_may_change_without_a_new_index(coins):
    coins.build()
    before = of_search(coins.files())
    coins.write("content/data.txt", "a file that is published as it is")

    ran = coins.build("--explain")

    assert "search index" not in ran.out
    assert "Indexing" not in ran.err
    assert of_search(coins.files()) == before


def test_the_index_is_made_anew_when_a_published_html_file_has_changed(coins):
    html = "<html><body data-pagefind-body><h1>Old page</h1><p>{}</p></body></html>"
    coins.write("content/old.html", html.format("zeppelin"))
    coins.build()
    coins.write("content/old.html", html.format("airship"))

    coins.build()

    assert "airship" in indexed(coins.files())["/old.html"]["content"]


def test_an_html_file_beside_a_post_with_settings_is_found(project):
    html = "<html><body data-pagefind-body><h1>Demo</h1><p>{}</p></body></html>"
    project.post("Text.\n", front="turn: {gamblers_ruin.goal: [4, 20]}\nruns:\n  main: {solver: gamblers_ruin}\n")
    project.write("content/posts/ruin/demo.html", html.format("zeppelin"))
    project.build()
    first = indexed(project.files())
    project.write("content/posts/ruin/demo.html", html.format("airship"))

    project.build()

    assert first.keys() == {"/posts/ruin/", "/posts/ruin/demo.html"}
    assert "airship" in indexed(project.files())["/posts/ruin/demo.html"]["content"]


def test_another_language_makes_the_index_anew(coins):
    coins.build()
    config = coins.root / "config.yaml"
    config.write_text(config.read_text() + "language: de\n")

    coins.build()

    assert "pagefind/wasm.de.pagefind" in coins.files()
    assert "pagefind/wasm.en.pagefind" not in coins.files()


def test_an_index_from_which_a_file_is_gone_is_made_again(coins):
    coins.build()
    whole = coins.files()
    (coins.root / "_site" / "pagefind" / "pagefind.js").unlink()

    coins.build()

    assert coins.files().keys() == whole.keys()


def test_pagefinds_own_search_fields_are_not_published(built):
    assert not [path for path in built.files() if "-ui." in path or "highlight" in path or "worker" in path]


def test_without_an_index_the_page_says_so_and_nothing_is_left_of_an_older_one(coins):
    coins.build()
    assert of_search(coins.files())

    coins.build("--no-search")

    files = coins.files()
    assert of_search(files) == {}
    assert "search/words.txt" not in files
    page = Html(files["search/index.html"].decode())
    assert "This copy of the site has no search." in " ".join(page.all("main")[0].text.split())
    assert not page.all("form")
    assert not page.all("script", src="../assets/search.js")
    assert "../archive/" in {link.attributes["href"] for link in page.all("a")}
    assert coins.build("--no-search").out.startswith("Nothing has changed")


def test_a_build_with_search_after_one_without_makes_the_index(coins):
    coins.build("--no-search")
    coins.build()

    assert "pagefind/pagefind.js" in coins.files()
    assert coins.build().out.startswith("Nothing has changed")


def test_there_is_no_index_where_there_is_nothing_to_find(project):
    project.build()

    assert of_search(project.files()) == {}
    assert not Html(project.files()["search/index.html"].decode()).all("form")


def test_links_to_the_search_page_are_known(coins):
    coins.write("content/pages/more.md", "---\ntitle: More\n---\n[Find](/search/?q=coins) [gone](/searching/)\n")

    ran = coins.build(status=1)

    assert "searching" in ran.err
    assert "1 error" in ran.err


# The output folder


def site(word):
    html = f"<html><body><article data-pagefind-body><h1>Title</h1><p>{word}</p></article></body></html>".encode()
    return [copied("a/index.html", lambda: html, word), copied("style.css", lambda: b"p {}", "same")]


def index(program=None):
    return SearchIndex(program or find_program(), ["a/index.html"], "en", "", Report())


def files_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_file_of_others_in_the_folder_of_the_index_stays(tmp_path):
    (tmp_path / "pagefind").mkdir()
    (tmp_path / "pagefind" / "mine.txt").write_text("mine")

    write_site(site("old"), tmp_path, index=index())
    write_site(site("new"), tmp_path)

    assert files_in(tmp_path / "pagefind") == {"mine.txt": b"mine"}


@pytest.mark.parametrize(
    ("named", "found"), [("ä-1.html", {"/ä-1.html"}), ("{1}, 2.html", {"/{1}, 2.html", "/x.html"})]
)
def test_pagefind_reads_the_pages_that_are_named_or_all_where_a_name_is_unusual(tmp_path, named, found):
    (render,) = (page.render for page in site("word") if page.path == "a/index.html")
    pages = [copied(path, render, path) for path in (named, "x.html")]

    write_site(pages, tmp_path, index=replace(index(), pages=[named]))

    assert indexed(files_in(tmp_path)).keys() == found


def test_a_file_of_others_in_place_of_the_index_is_an_error_before_anything_is_written(tmp_path):
    (tmp_path / "pagefind").mkdir()
    (tmp_path / "pagefind" / "pagefind.js").write_text("mine")

    with pytest.raises(SiteError, match="this file was not written by this tool"):
        write_site(site("new"), tmp_path, index=index())

    assert files_in(tmp_path).keys() == {"pagefind/pagefind.js"}


def test_where_pagefind_fails_the_pages_are_new_and_the_next_build_completes_the_index(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho out of luck >&2\nexit 3\n")
    broken.chmod(0o755)
    folder = tmp_path / "site"
    first = write_site(site("old"), folder, index=index())

    with pytest.raises(UnfinishedError) as caught:
        write_site(site("new"), folder, first.after, index=index(broken))
    left = files_in(folder)
    write_site(site("new"), folder, first.after, index=index())

    assert "cannot make the search index: out of luck; the pages" in str(caught.value)
    assert "mend: leave the search index out: python build.py build --no-search" in str(caught.value)
    assert b"new" in left["a/index.html"]
    assert "unfinished" in recorded(left)
    assert [record["content"] for record in indexed(files_in(folder)).values()] == ["Title. new."]
    assert "unfinished" not in recorded(files_in(folder))


def no_room():
    raise OSError(errno.ENOSPC, "No space left on device", "fragment")


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("fail", "error", "words"),
    [
        (interrupt, StoppedError, "Interrupted; the pages in {} are new, the search index is old. The same command"),
        (
            no_room,
            UnfinishedError,
            "fragment: it cannot be written: No space left on device; the pages in {} are new, the",
        ),
    ],
)
def test_what_stops_the_making_of_the_index_says_that_the_pages_are_new(tmp_path, monkeypatch, fail, error, words):
    folder = tmp_path / "site"
    first = write_site(site("old"), folder, index=index())

    with monkeypatch.context() as patched:
        patched.setattr(search_index, "TemporaryDirectory", lambda **_: fail())
        with pytest.raises(error) as caught:
            write_site(site("new"), folder, first.after, index=index())
    left = files_in(folder)
    write_site(site("new"), folder, first.after, index=index())

    assert str(caught.value).startswith(words.format(folder))
    assert b"new" in left["a/index.html"]
    assert of_search(left)
    assert [record["content"] for record in indexed(files_in(folder)).values()] == ["Title. new."]


def test_a_file_of_others_in_place_of_a_fragment_is_an_error_that_says_that_the_pages_are_new(tmp_path):
    write_site(site("new"), tmp_path / "clean", index=index())
    (fragment,) = (path for path in files_in(tmp_path / "clean") if path.endswith(".pf_fragment"))
    mine = tmp_path / "site" / fragment
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")

    with pytest.raises(UnfinishedError, match=r"this file was not written by this tool.*the search index is old"):
        write_site(site("new"), tmp_path / "site", index=index())

    assert mine.read_text() == "mine"


@pytest.mark.deep
def test_a_build_that_is_killed_at_any_moment_is_completed_by_the_next(tmp_path):
    write_site(site("new"), tmp_path / "clean", index=index())
    clean = files_in(tmp_path / "clean")
    for at in count(1):
        folder = tmp_path / str(at)
        write_site(site("old"), folder, index=index())

        if not is_killed(folder, at, lambda folder=folder: write_site(site("new"), folder, index=index())):
            break
        left = files_in(folder)
        write_site(site("new"), folder, index=index())

        assert "unfinished" in recorded(left) or b"old" in left["a/index.html"] or at > 10
        assert files_in(folder) == clean
    assert at > 10


def test_where_pagefind_is_not_installed_the_message_says_how_to_do_without(monkeypatch):
    monkeypatch.setitem(sys.modules, "pagefind_bin", None)

    with pytest.raises(SiteError) as caught:
        find_program()

    assert str(caught.value).startswith("pagefind: it cannot be run: ")
    assert "mend: leave the search index out: python build.py build --no-search" in str(caught.value)
