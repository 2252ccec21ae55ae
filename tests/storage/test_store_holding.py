"""What a build has found in the store stays there for it when it asks for that, though another build makes room."""

from random import Random

import pytest

from site_builder.storage.store import Store

BOUND = 2**20


def told(words):
    pytest.fail(words)


def make_room(folder):
    """Another build, which leaves the store within its bound."""
    with Store(folder, BOUND, told) as other:
        for number in range(12):
            other.put("page", f"new {number}", Random(number).randbytes(100_000))


def looked_for_again(folder, holds):
    with Store(folder, BOUND, told) as store:
        store.put("body", "before", b"put before")
    with Store(folder, BOUND, told) as store:
        if holds:
            store.hold()
        assert store.get("body", "before") == b"put before"
        store.put("body", "now", b"put now")
        store.set_documents("family", {})  # what is pending goes into the file
        make_room(folder)
        make_room(folder)
        return [store.get("body", name) for name in ("before", "now")]


def test_what_another_build_takes_out_is_a_miss(tmp_path):
    assert looked_for_again(tmp_path, holds=False) == [None, None]


def test_a_store_that_holds_loses_nothing_that_was_found_or_put(tmp_path):
    assert looked_for_again(tmp_path, holds=True) == [b"put before", b"put now"]
