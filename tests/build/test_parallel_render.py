"""Pages that are made ahead in other processes."""

import os

import pytest

from site_builder.build.parallel_render import Made, made_ahead
from site_builder.site.page import Page, Recipe
from site_builder.site.read_tracking import Digests
from site_builder.storage.store import Store


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / ".store", 2**30, lambda warning: None) as opened:
        for number in range(10):
            opened.put("body", str(number), f"body {number}".encode())
        yield opened


def pages(count=10):
    recipe = Recipe(lambda reads: b"", lambda: "")
    return [Page(f"{number}/", lambda: recipe, Digests(lambda: {"code": ""})) for number in range(count)]


def maker(store):
    """Makes a page of its body in the store, and notes the process in which that was done."""

    def make(page):
        data = store.get("body", page.path.strip("/"))
        assert data is not None
        return Made(data, (str(os.getpid()),), True)

    return make


def test_other_processes_make_the_pages_of_what_is_in_the_store(store):
    wanted = pages()

    with made_ahead(wanted, lambda: None, maker(store), store, jobs=2, many=5) as make:
        made = [make(page) for page in wanted]

    assert [each.data for each in made] == [f"body {number}".encode() for number in range(10)]
    assert len({each.names for each in made}) == 2
    assert (str(os.getpid()),) not in {each.names for each in made}


@pytest.mark.parametrize(("jobs", "many"), [(1, 5), (2, 11)])
def test_with_one_job_or_few_pages_they_are_made_here(store, jobs, many):
    wanted = pages()

    with made_ahead(wanted, lambda: None, maker(store), store, jobs, many) as make:
        made = [make(page) for page in wanted]

    assert {each.names for each in made} == {(str(os.getpid()),)}


def test_other_pages_may_be_asked_for_in_between(store):
    wanted = pages()

    with made_ahead(wanted[::2], lambda: None, maker(store), store, jobs=2, many=5) as make:
        made = [make(page) for page in wanted]

    assert [each.data for each in made] == [f"body {number}".encode() for number in range(10)]


def test_what_a_process_cannot_make_is_made_here_from_then_on(store):
    wanted, here = pages(), os.getpid()

    def make_or_fail(page):
        if page.path == "4/" and os.getpid() != here:
            raise LookupError
        return maker(store)(page)

    with made_ahead(wanted, lambda: None, make_or_fail, store, jobs=2, many=5) as make:
        made = [make(page) for page in wanted]

    assert [each.data for each in made] == [f"body {number}".encode() for number in range(10)]
    assert [each.names == (str(here),) for each in made] == [number in (4, 6, 8) for number in range(10)]


def test_no_process_is_left_when_something_raises(store):
    wanted, ran_in = pages(), []

    def interrupted():
        with made_ahead(wanted, lambda: None, maker(store), store, jobs=2, many=5) as make:
            ran_in.append(int(make(wanted[0]).names[0]))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with pytest.raises(ProcessLookupError):
        os.kill(ran_in[0], 0)


def test_the_store_can_be_written_afterwards(store, tmp_path):
    wanted = pages()
    with made_ahead(wanted, lambda: None, maker(store), store, jobs=2, many=5) as make:
        for page in wanted:
            store.put("page", page.path, make(page).data)
    store.close()

    with Store(tmp_path / ".store", 2**30, lambda warning: None) as again:
        assert again.get("page", "7/") == b"body 7"


def test_a_store_that_no_other_process_can_see_keeps_the_pages_here(tmp_path):
    (tmp_path / "file").write_text("in the way of a folder")
    with Store(tmp_path / "file", 2**30, lambda warning: None) as store:
        for number in range(10):
            store.put("body", str(number), b"a body")
        wanted = pages()

        with made_ahead(wanted, lambda: None, maker(store), store, jobs=2, many=5) as make:
            made = [make(page) for page in wanted]

    assert {each.names for each in made} == {(str(os.getpid()),)}
