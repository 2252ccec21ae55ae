"""Publishing with rsync to a real daemon: what arrives, what stays, what goes, and what is told when it fails."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.ports import free_port
from tests.support.published import POST, copy_of, listed, site_of, to

PUBLISHED = ".puzzlepress-published.json"
PASSWORD = "a-password-of-the-daemon"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    """An rsync daemon of this file's own on 127.0.0.1; its port and the folder that it serves."""
    if shutil.which("rsync") is None:
        pytest.fail("these tests need rsync: sh script/rsync installs it where it may (on Debian: apt install rsync)")
    folder = tmp_path_factory.mktemp("rsync")
    (folder / "served").mkdir()
    (folder / "secrets").write_text(f"ann:{PASSWORD}\n", "utf-8")
    (folder / "secrets").chmod(0o600)
    port = free_port()
    modules = f"[open]\npath = {folder}/served\nread only = no\n[locked]\npath = {folder}/served\nread only = no\n"
    modules += f"auth users = ann\nsecrets file = {folder}/secrets\n[readable]\npath = {folder}/served\n"
    identity = f"uid = {os.geteuid()}\ngid = {os.getegid()}\n" if os.geteuid() == 0 else ""
    head = f"port = {port}\naddress = 127.0.0.1\nuse chroot = no\nmotd file = {folder}/motd\n{identity}"
    (folder / "motd").write_text("Welcome to this server.\n", "utf-8")
    (folder / "rsyncd.conf").write_text(head + modules, "utf-8")
    words = ["rsync", "--daemon", "--no-detach", f"--config={folder}/rsyncd.conf", f"--log-file={folder}/log"]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
    for _ in range(2400):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        assert process.poll() is None, (folder / "log").read_text("utf-8")
        time.sleep(0.05)
    yield port, folder / "served"
    process.terminate()
    process.wait()


@pytest.fixture
def project(published_blog, tmp_path, daemon):
    project = copy_of(published_blog, tmp_path / "blog")
    port, served = daemon
    for path in served.iterdir():
        shutil.rmtree(path)
    to(project, f"{{rsync: 'rsync://127.0.0.1:{port}/open/www'}}")
    return project


@pytest.fixture
def www(daemon):
    return daemon[1] / "www"


def held(project, www):
    return {path: data for path, data in project.files(www).items() if path != PUBLISHED}


def test_the_folder_there_holds_the_site_and_anybody_can_read_it(project, www):
    ran = project.build("publish", umask=0o077)

    assert held(project, www) == site_of(project)
    assert "0 changed, 0 removed" in ran.out
    assert {oct(path.stat().st_mode & 0o777) for path in www.rglob("*.html")} == {"0o644"}
    assert {oct(path.stat().st_mode & 0o777) for path in (www, www / "posts")} == {"0o755"}


def test_publishing_again_with_nothing_new_sends_nothing(project, www):
    project.run("publish")
    before = {path: path.stat().st_mtime_ns for path in www.rglob("*")}

    ran = project.run("publish")

    assert "Nothing to publish: rsync://127.0.0.1:" in ran.out
    assert {path: path.stat().st_mtime_ns for path in www.rglob("*")} == before


def test_a_dry_run_lists_adds_changes_and_removals_and_changes_nothing(project, www):
    project.run("publish")
    page = www / "index.html"
    page.write_bytes(page.read_bytes()[::-1])  # as long as before
    (project.root / "content" / "posts" / "a.md").unlink()
    project.write("content/posts/dä *[x].txt", "words")
    before = project.files(www)

    ran = project.run("publish", "--dry-run")

    assert "posts/dä *[x].txt" in listed(ran.out, "add")
    assert {"index.html", PUBLISHED} <= set(listed(ran.out, "change"))
    assert "posts/a/index.html" in listed(ran.out, "remove")
    assert project.files(www) == before


def test_a_file_that_is_gone_there_is_sent_again_with_a_separator_of_lines_in_its_name(project, www):
    project.write("content/files/a\u2028b.txt", "words")
    project.run("publish")
    (www / "files" / "a\u2028b.txt").unlink()

    ran = project.run("publish")

    assert "1 file added, 0 changed, 0 removed" in ran.out
    assert held(project, www) == site_of(project)


def test_only_files_that_publishing_wrote_are_removed_whatever_they_are_called(project, www):
    project.write("content/files/a*.txt", "words")
    project.write("content/files/[b].txt", "words")
    project.write("content/files/back\\slash.txt", "words")
    project.run("publish")
    for name in ("files/ab.txt", "files/b.txt", "posts/a/photo.jpg", ".htaccess"):
        (www / name).write_text("of others", "utf-8")
    shutil.rmtree(project.root / "content" / "files")
    (project.root / "content" / "posts" / "a.md").unlink()

    ran = project.run("publish")

    others = {"files/ab.txt", "files/b.txt", "posts/a/photo.jpg", ".htaccess"}
    assert "4 files there that publishing did not write: kept" in ran.out
    assert set(held(project, www)) == {*site_of(project), *others}


def test_a_folder_that_is_empty_afterwards_goes_with_its_page(project, www):
    project.run("publish")
    (project.root / "content" / "posts" / "a.md").unlink()

    project.run("publish")

    assert not (www / "posts" / "a").exists()
    assert "Nothing to publish" in project.run("publish").out


def test_a_file_of_others_in_the_place_of_a_page_that_was_removed_stays(project, www):
    project.run("publish")
    (project.root / "content/posts/b.md").unlink()
    project.run("publish")
    (www / "posts/b").mkdir()
    (www / "posts/b/index.html").write_text("of others", "utf-8")
    project.write("content/posts/a.md", POST.format("Another title"))

    ran = project.run("publish")

    assert "1 file there that publishing did not write: kept (posts/b/index.html)" in ran.err + ran.out
    assert (www / "posts/b/index.html").read_text("utf-8") == "of others"


def test_a_file_may_become_a_folder_and_a_folder_a_file(project, www):
    project.write("content/first", "a file")
    project.write("content/second/inside.txt", "in a folder")
    project.run("publish")
    (project.root / "content" / "first").unlink()
    shutil.rmtree(project.root / "content" / "second")
    project.write("content/first/inside.txt", "in a folder")
    project.write("content/second", "a file")

    project.run("publish")

    assert held(project, www) == site_of(project)


def test_files_of_others_are_not_written_over_without_yes(project, www):
    www.mkdir()
    (www / "index.html").write_text("another site", "utf-8")

    refused = project.run("publish", status=1)
    unchanged = project.files(www)
    project.run("publish", "--yes")

    assert "publishing would write over 1 file that it did not write (index.html)" in refused.err
    assert unchanged == {"index.html": b"another site"}
    assert held(project, www) == site_of(project)


def test_a_link_there_where_the_site_has_a_folder_is_not_removed_without_yes(project, www, daemon):
    www.mkdir()
    theirs = daemon[1] / "theirs"
    theirs.mkdir()
    (theirs / "photo.jpg").write_text("of others", "utf-8")
    (www / "posts").symlink_to("../theirs")

    ran = project.run("publish", status=1)
    before = (www / "posts").readlink(), set(www.iterdir())
    project.run("publish", "--yes")

    assert "publishing would write over 1 file that it did not write (posts)" in ran.err
    assert before == (Path("../theirs"), {www / "posts"})
    assert held(project, www) == site_of(project)
    assert project.files(theirs) == {"photo.jpg": b"of others"}


def test_a_file_of_others_where_the_site_has_a_folder_is_not_removed_without_yes(project, www):
    www.mkdir()
    (www / "posts").write_text("of others", "utf-8")

    ran = project.run("publish", status=1)
    before = project.files(www)
    project.run("publish", "--yes")

    assert "publishing would write over 1 file that it did not write (posts)" in ran.err
    assert before == {"posts": b"of others"}
    assert held(project, www) == site_of(project)


def test_a_link_there_in_place_of_a_file_is_not_written_over_without_yes(project, www, daemon):
    www.mkdir()
    (daemon[1] / "theirs").mkdir()
    (www / "index.html").symlink_to("../theirs/index.html")

    refused = project.run("publish", status=1)
    is_link = (www / "index.html").is_symlink()
    project.run("publish", "--yes")

    assert "publishing would write over 1 file that it did not write (index.html)" in refused.err
    assert is_link
    assert held(project, www) == site_of(project)


def test_a_publishing_that_stopped_before_its_removals_is_finished_by_the_next(project, www):
    project.run("publish")
    (project.root / "content" / "posts" / "a.md").unlink()
    record = (www / PUBLISHED).read_bytes()
    gone = (www / "posts" / "a" / "index.html").read_bytes()
    project.run("publish")
    (www / PUBLISHED).write_bytes(record)  # which names the pages of before as well
    (www / "posts" / "a").mkdir()
    (www / "posts" / "a" / "index.html").write_bytes(gone)

    project.run("publish")

    assert held(project, www) == site_of(project)


def test_a_password_is_taken_from_the_environment_and_never_told(project, www, daemon):
    to(project, f"{{rsync: 'rsync://ann@127.0.0.1:{daemon[0]}/locked/www'}}")

    wrong = project.build("publish", status=1, RSYNC_PASSWORD="not-the-password")
    none = project.run("publish", status=1)
    right = project.build("publish", RSYNC_PASSWORD=PASSWORD)

    assert "rsync could not reach it; nothing was published" in wrong.err
    assert "auth failed" in wrong.err
    assert "RSYNC_PASSWORD" in none.err
    assert "not-the-password" not in wrong.out + wrong.err
    assert PASSWORD not in right.out + right.err
    assert held(project, www) == site_of(project)


def test_a_server_that_lets_nobody_write_is_told_in_its_own_words(project, www, daemon):
    to(project, f"{{rsync: 'rsync://127.0.0.1:{daemon[0]}/readable/www'}}")

    ran = project.run("publish", status=1)

    assert "module is read only" in ran.err
    assert ran.err.endswith("\n1 error; nothing was published.\n")
    assert not www.exists()


def test_a_module_that_is_not_there_is_told_in_the_servers_own_words(project, daemon):
    to(project, f"{{rsync: 'rsync://127.0.0.1:{daemon[0]}/nowhere/www'}}")

    assert "Unknown module 'nowhere'" in project.run("publish", status=1).err


def test_a_server_that_does_not_answer_is_told(project):
    to(project, "{rsync: 'rsync://127.0.0.1:9/open/www'}")

    ran = project.run("publish", status=1)

    assert "rsync://127.0.0.1:9/open/www: rsync could not reach it; nothing was published" in ran.err


def test_without_rsync_it_says_how_to_get_it_before_anything_is_built(project, tmp_path):
    ran = project.build("publish", status=1, PATH=str(tmp_path))

    assert "rsync: it is needed to publish, and it is not installed\n    mend: install it" in ran.err
    assert "Saving" not in ran.err


def test_what_is_sent_is_what_was_listed(project, www):
    project.run("publish")
    project.write("content/posts/a.md", POST.format("another title"))
    listed_before = {*listed(project.run("publish", "--dry-run").out, "change")}
    before = project.files(www)

    project.run("publish")

    after = project.files(www)
    assert {path for path in before if after.get(path, before[path]) != before[path]} == listed_before


def test_the_answers_there_are_compared(project, www):
    front = "title: Ruin\ndate: 2026-03-01\nruns: {main: {solver: gamblers_ruin}}\n"
    project.write("content/posts/ruin.md", f"---\n{front}---\n{{{{ results.main.half | number(3) }}}}\n")
    project.run("publish")
    solver = project.root / "solvers" / "gamblers_ruin.py"
    right = solver.read_text("utf-8")
    solver.write_text(right.replace("chance[goal // 2],", "chance[goal // 2] * Fraction(9, 10),"), "utf-8")

    ran = project.run("publish", status=1)

    assert "an answer differs from the one published on rsync://127.0.0.1" in ran.err
    assert "results.main.half: 1/2 -> 9/20" in ran.err
    assert b"1/2" in (www / "answers.json").read_bytes()
