"""The messages of other programs are shown without passwords and tokens."""

import pytest

from site_builder.publish.programs import redacted

HIDDEN = [
    ("fatal: unable to access 'https://ann:s3cret@host/x.git/'", "fatal: unable to access 'https://***@host/x.git/'"),
    ("https://ghp_token@github.com/a/b", "https://***@github.com/a/b"),
    ("ssh://git@host/x", "ssh://***@host/x"),
    ("https://host/x.git?private_token=abc&depth=1", "https://host/x.git?private_token=***&depth=***"),
    ("\x1b[31mred\x1b[0m and \x07bell", "red and bell"),
    ("user@host:path is as it was", "user@host:path is as it was"),
]


@pytest.mark.parametrize(("text", "shown"), HIDDEN, ids=[shown for _, shown in HIDDEN])
def test_addresses_are_shown_without_their_users(text, shown):
    assert redacted(text) == shown
