"""`publish:` in config.yaml: one target, strictly, and no fault repeats what may be a password."""

import pytest

from site_builder.errors import SiteError, errors_of
from site_builder.project.config import load_config

LEAST = "title: A blog\nbase_url: https://example.org/blog/\n"


def load(folder, text):
    (folder / "config.yaml").write_text(f"{LEAST}publish: {text}\n", "utf-8")
    return load_config(folder).settings.publish


def message(folder, text):
    with pytest.raises((SiteError, ExceptionGroup)) as caught:
        load(folder, text)
    (error,) = errors_of(caught.value)
    return str(error)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{branch: gh-pages}", {"branch": "gh-pages"}),
        ("{branch: pages/live, remote: up-stream}", {"branch": "pages/live", "remote": "up-stream"}),
        ("{rsync: 'ann@example.org:/srv/www/'}", {"rsync": "ann@example.org:/srv/www/"}),
        ("{rsync: 'example.org:www'}", {"rsync": "example.org:www"}),
        ("{rsync: 'ann@example.org::site/blog'}", {"rsync": "ann@example.org::site/blog"}),
        ("{rsync: 'rsync://ann@example.org:8730/site'}", {"rsync": "rsync://ann@example.org:8730/site"}),
        ("{folder: public}", {"folder": "public"}),
        ('{command: "rclone sync {folder} far:site"}', {"command": "rclone sync {folder} far:site"}),
    ],
)
def test_each_kind_of_target_is_taken(tmp_path, text, said):
    found = load(tmp_path, text)

    assert (
        found.model_dump()
        == {"branch": None, "remote": "origin", "rsync": None, "folder": None, "command": None} | said
    )


def test_without_the_key_there_is_no_target(tmp_path):
    assert load(tmp_path, "") is None


@pytest.mark.parametrize("text", ["{}", "{remote: origin}", "{branch: a, folder: b}", "gh-pages", "[gh-pages]"])
def test_there_must_be_one_target_and_the_cure_shows_all_kinds(tmp_path, text):
    said = message(tmp_path, text)

    assert said.startswith("config.yaml:3: publish: it ")
    assert "it must name one target\n    mend: write one of these into config.yaml:\n" in said
    for target in ("publish: {branch: gh-pages}", "publish: {rsync: me@example.org:/srv/www}", "{folder: public}"):
        assert target in said
    assert "or, for a folder that lies elsewhere, run publish --folder ../site" in said


@pytest.mark.parametrize(
    ("text", "expected", "cure"),
    [
        ("{brunch: gh-pages}", "'brunch' is not known here", "did you mean 'branch'?"),
        ("{folder: x, remote: origin}", "remote belongs to branch, not to folder", "leave remote out"),
        ("{branch: -x}", "it is not the name of a branch", "such as gh-pages"),
        ("{branch: a..b}", "it is not the name of a branch", "such as gh-pages"),
        ("{branch: refs/heads/x}", "it is not the name of a branch", "such as gh-pages"),
        ("{branch: x.lock}", "it is not the name of a branch", "such as gh-pages"),
        ("{branch: x, remote: --exec=y}", "it is not the name of a remote", "git remote add"),
        ("{rsync: ../site}", "it is not a folder of another machine", "use folder:"),
        ("{rsync: '-e x:y'}", "it is not a folder of another machine", "user@host:/path"),
        ("{rsync: 'example.org:'}", "it is not a folder of another machine", "for the site alone"),
        ("{rsync: 'example.org:/'}", "it is not a folder of another machine", "for the site alone"),
        ("{folder: ''}", "it must be text on one line", "publish: {folder: public}"),
        ("{folder: 5}", "it must be text on one line", "publish: {folder: public}"),
        ("{command: rclone sync}", "it does not say where {folder} goes", '"rclone sync {folder} remote:site"'),
        ('{command: "send \'{folder}"}', "it cannot be read as a command", "close its quotes"),
    ],
)
def test_what_is_no_target_is_told_with_its_cure(tmp_path, text, expected, cure):
    said = message(tmp_path, text)

    assert expected in said
    assert cure in said.partition("mend: ")[2]


@pytest.mark.parametrize(
    "text",
    [
        "{rsync: 'ann:s3cret@example.org:/srv/www'}",
        "{rsync: 'rsync://ann:s3cret@example.org/site'}",
        "{rsync: 'rsync://ann:s3cret/@example.org/site'}",
        "{branch: gh-pages, remote: 'https://ann:s3cret@example.org/x.git'}",
        "{branch: 'https://s3cret@example.org'}",
        "{folder: [s3cret]}",
        "https://ann:s3cret@example.org/x.git",
    ],
)
def test_a_password_in_config_is_refused_and_not_repeated(tmp_path, text):
    assert "s3cret" not in message(tmp_path, text)
