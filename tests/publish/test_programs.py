"""Other programs have no terminal to ask on, and their messages are shown without passwords and tokens."""

import sys

import pytest

from site_builder.publish.programs import redacted, run

HIDDEN = [
    ("fatal: unable to access 'https://ann:s3cret@host/x.git/'", "fatal: unable to access 'https://***@host/x.git/'"),
    ("https://ghp_token@github.com/a/b", "https://***@github.com/a/b"),
    ("ssh://git@host/x", "ssh://***@host/x"),
    ("\x1b[31mred\x1b[0m and \x07bell", "red and bell"),
    ("user@host:path is as it was", "user@host:path is as it was"),
]


@pytest.mark.parametrize(("text", "shown"), HIDDEN, ids=[shown for _, shown in HIDDEN])
def test_addresses_are_shown_without_their_users(text, shown):
    assert redacted(text) == shown


def test_a_program_has_a_session_of_its_own_without_a_terminal(tmp_path):
    ran = run(tmp_path, sys.executable, "-c", "import os; print(os.getsid(0) == os.getpid(), os.isatty(0))")

    assert ran.stdout == "True False\n"
