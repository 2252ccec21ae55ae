"""What publishing changes, by the record of what it wrote there, and the programs that it runs."""

import sys
from subprocess import CompletedProcess

import pytest

from site_builder.publish.target import (
    TargetFiles,
    difference,
    failed,
    lost_addresses,
    read_record,
    run,
    written_record,
)


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


# Programs have no terminal to ask on, and their messages are shown without passwords and tokens


HIDDEN = [
    ("fatal: unable to access 'https://ann:s3cret@host/x.git/'", "fatal: unable to access 'https://***@host/x.git/'"),
    ("https://ghp_token@github.com/a/b", "https://***@github.com/a/b"),
    ("ssh://git@host/x", "ssh://***@host/x"),
    ("\x1b[31mred\x1b[0m and \x07bell", "red and bell"),
    ("user@host:path is as it was", "user@host:path is as it was"),
]


@pytest.mark.parametrize(("text", "shown"), HIDDEN, ids=[shown for _, shown in HIDDEN])
def test_addresses_are_shown_without_their_users(text, shown):
    ran = CompletedProcess([], 1, "", text)

    assert str(failed("origin", "git could not push", ran, "")) == f"origin: git could not push\n    {shown}"


def test_a_program_has_a_session_of_its_own_without_a_terminal(tmp_path):
    ran = run(tmp_path, sys.executable, "-c", "import os; print(os.getsid(0) == os.getpid(), os.isatty(0))")

    assert ran.stdout == "True False\n"
