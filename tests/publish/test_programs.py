"""The messages of other programs are shown without passwords and tokens."""

import pytest

from site_builder.publish.programs import redacted, secrets_in, secrets_of_address

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


@pytest.mark.parametrize("shown", ["p@ss/word", "p%40ss%2Fword", "https://ann:p%40ss%2Fword@host/x"])
def test_a_password_is_hidden_as_it_is_and_as_addresses_write_it(shown):
    secrets = secrets_of_address("https://ann:p%40ss%2Fword@host/x")

    assert "ss" not in redacted(f"refused: {shown}", secrets).removeprefix("refused")


def test_the_plain_user_of_an_address_is_no_secret():
    assert secrets_of_address("ssh://git@host/x") == secrets_of_address("../remote.git") == set()


def test_variables_are_secret_by_their_names():
    environment = {
        "GITHUB_TOKEN": "ghs_abcdef",
        "RSYNC_PASSWORD": "abc",
        "AWS_SECRET_ACCESS_KEY": "secret-key",
        "DEPLOY_KEY_PRIVATE_KEY": "-----BEGIN\nMIIabcdefgh",
        "GIT_AUTHOR_NAME": "Ann Author",
        "SSH_AUTH_SOCK": "/run/agent.sock",
        "USE_TOKEN": "true",  # too short to be one, and a word
        "TOKENIZERS_PARALLELISM": "disabled",
    }

    assert secrets_in(environment) == {"ghs_abcdef", "abc", "secret-key", "-----BEGIN", "MIIabcdefgh"}
