"""What publishing changes, by the record of what it wrote there."""

import pytest

from site_builder.publish.diff import TargetFiles, difference, lost_addresses, read_record, written_record


def test_a_setting_of_a_post_that_stays_is_no_lost_address():
    there = frozenset(
        ("posts/a/index.html", "posts/a/4/index.html", "posts/b/index.html", "posts/b/4/index.html", "old.html")
    )
    found = difference(frozenset(["posts/a/index.html"]), TargetFiles(there, frozenset(), there))

    assert lost_addresses(found, ["posts/a/index.html"]) == ["/old.html", "/posts/b/4/", "/posts/b/"]


def test_a_record_is_read_as_it_was_written_also_by_versions_before():
    files = frozenset(("index.html", "posts/\xe9\u2028x.html"))

    assert read_record(written_record(files)) == files
    assert read_record(b'{"format": 1, "files": ["index.html"], "posts": []}') == {"index.html"}
    assert read_record(None) is None


@pytest.mark.parametrize(
    "record", [b"", b"{", b"[]", b"{}", b'{"files": 5}', b'{"files": [5]}', b'{"files": ["../x"]}']
)
def test_of_a_record_that_cannot_be_read_nothing_is_removed(record):
    there = frozenset(["mine.html"])
    found = TargetFiles(there, frozenset(), read_record(record))

    assert difference(frozenset(["index.html"]), found).removed == ()


def test_while_files_change_the_record_names_all_that_may_be_there():
    old, new = frozenset(["a", "b"]), frozenset(["b", "c"])

    wider, last = difference(new, TargetFiles(old | {"theirs"}, frozenset(), old)).records

    assert read_record(wider) == {"a", "b", "c"}
    assert read_record(last) == new
