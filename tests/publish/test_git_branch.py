"""Publishing to a branch of real repositories: on top of what is there, never over it, and nothing else is touched."""

import os
import shutil
import signal
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.conftest import Project
from tests.support.published import POST, copy_of, files_of_branch, git, listed, make_repository, site_of, to

PUBLISHED = ".puzzlepress-published.json"


@pytest.fixture
def remote(tmp_path):
    return tmp_path / "remote.git"


@pytest.fixture
def project(published_blog, tmp_path, remote):
    project = copy_of(published_blog, tmp_path / "blog")
    make_repository(project, remote)
    to(project, "{branch: gh-pages}")
    return project


@pytest.fixture(scope="module")
def once_published(published_blog, tmp_path_factory):
    """The folder of a project that was published once, and of its remote."""
    folder = tmp_path_factory.mktemp("published")
    project = copy_of(published_blog, folder / "blog")
    make_repository(project, folder / "remote.git")
    to(project, "{branch: gh-pages}")
    project.run("publish")
    return folder


@pytest.fixture
def published(once_published, tmp_path, remote):
    """A project that was published once."""
    shutil.copytree(once_published, tmp_path, symlinks=True, dirs_exist_ok=True)
    project = Project.at(tmp_path / "blog")
    git(project.root, "remote", "set-url", "origin", str(remote))
    return project


@pytest.fixture
def clone(remote, tmp_path):
    """Makes a clone of the branch, where somebody else works."""

    def make():
        git(tmp_path, "clone", "-q", "-b", "gh-pages", str(remote), "theirs")
        return tmp_path / "theirs"

    return make


def commit(folder, name, text, subject="A change of theirs"):
    (folder / name).write_text(text, "utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", subject)


def state(project):
    """All that is the author's own in a repository: branches, index, working tree."""
    references = git(project.root, "for-each-ref", "refs/heads", "refs/tags")
    index = (project.root / ".git" / "index").read_bytes()
    return references, index, git(project.root, "symbolic-ref", "HEAD"), project.files("content")


def test_the_first_publishing_makes_the_branch_in_an_empty_remote(project, remote):
    ran = project.run("publish")

    there = files_of_branch(remote)
    assert {name: there[name] for name in site_of(project)} == site_of(project)
    assert set(there) - set(site_of(project)) == {".nojekyll", PUBLISHED}
    assert there[".nojekyll"] == b""
    added = len(there) - 1  # .nojekyll is no file of the site
    assert f"Published to branch gh-pages of origin: {added} files added, 0 changed, 0 removed\n" in ran.out


def test_publishing_leaves_the_authors_branches_index_and_files_as_they_are(project, remote):
    project.write("content/posts/a.md", POST.format("a, staged"))
    git(project.root, "add", "content/posts/a.md")
    project.write("content/posts/a.md", POST.format("a, not staged"))
    before = state(project)

    project.run("publish")

    assert state(project) == before


def test_publishing_again_with_nothing_new_makes_no_commit(published, remote):
    before = git(remote, "rev-parse", "gh-pages")

    ran = published.run("publish")

    assert ran.out.startswith("Nothing to publish: branch gh-pages of origin has the site as it is (")
    assert git(remote, "rev-parse", "gh-pages") == before


def test_a_later_publishing_is_one_commit_on_top(published, remote):
    first = git(remote, "rev-parse", "gh-pages")
    git(published.root, "add", "-A")
    published.write("content/posts/a.md", POST.format("another title"))
    git(published.root, "commit", "-qam", "Two")

    published.run("publish")

    assert git(remote, "rev-parse", "gh-pages^") == first
    assert git(remote, "log", "-1", "--format=%an %s", "gh-pages") == "Ann Publish the site"


def test_a_dry_run_lists_adds_changes_and_removals_and_changes_nothing(published, remote):
    before = git(remote, "rev-parse", "gh-pages"), git(published.root, "for-each-ref"), state(published)
    (published.root / "content" / "posts" / "a.md").rename(published.root / "content" / "posts" / "d.md")
    before = (*before[:2], state(published))

    ran = published.run("publish", "--dry-run")

    assert "posts/d/index.html" in listed(ran.out, "add")
    assert "index.html" not in listed(ran.out, "add")
    assert {"sitemap.xml", PUBLISHED} <= set(listed(ran.out, "change"))
    assert "posts/a/index.html" in listed(ran.out, "remove")
    assert ran.out.endswith("Nothing was changed.\n")
    assert (git(remote, "rev-parse", "gh-pages"), git(published.root, "for-each-ref"), state(published)) == before


def test_a_publishing_that_is_interrupted_when_the_push_arrived_says_so(project, remote, tmp_path):
    arrived = tmp_path / "arrived"
    hook = remote / "hooks" / "post-receive"  # the branch has moved when it runs, and git waits for it
    hook.write_text(f"#!/bin/sh\ntouch {arrived}\nwhile [ -e {arrived} ]; do sleep 0.05; done\n", "utf-8")
    hook.chmod(0o755)
    process = project.start("publish")
    while not arrived.exists():
        assert process.poll() is None
        time.sleep(0.02)

    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    arrived.unlink()

    assert process.returncode == 130
    said = "Publishing was interrupted, and the site or a part of it may have arrived; publish again to be sure."
    assert err.splitlines()[-1] == said
    assert "posts/a/index.html" in files_of_branch(remote)
    hook.unlink()
    assert "Nothing to publish" in project.run("publish").out


def test_what_is_gone_from_the_site_is_gone_from_the_branch(published, remote):
    (published.root / "content" / "posts" / "a.md").unlink()

    published.run("publish")

    there = files_of_branch(remote)
    assert "posts/a/index.html" not in there
    assert set(there) == {*site_of(published), ".nojekyll", PUBLISHED}


def test_the_host_name_of_the_site_is_never_removed(project, remote):
    host = project.write("content/CNAME", "blog.example.org\n")
    project.run("publish")
    host.unlink()

    kept = project.run("publish")

    assert files_of_branch(remote)["CNAME"] == b"blog.example.org\n"
    assert "CNAME" not in kept.out


def test_commits_of_others_stay_below_and_their_files_stay_there(published, remote, clone):
    theirs = clone()
    (theirs / "tool.sh").write_text("#!/bin/sh\n", "utf-8")
    (theirs / "tool.sh").chmod(0o755)
    commit(theirs, "notes é.txt", "kept\n", "Put notes there")
    git(theirs, "push", "-q")
    tip = git(remote, "rev-parse", "gh-pages")
    published.write("content/posts/a.md", POST.format("another title"))

    ran = published.run("publish")

    assert "2 files there that publishing did not write: kept (notes é.txt, tool.sh)" in ran.out
    assert git(remote, "rev-parse", "gh-pages^") == tip
    assert "100755" in git(remote, "ls-tree", "gh-pages", "tool.sh")
    assert git(remote, "show", "gh-pages:notes é.txt") == "kept"


def test_a_branch_that_others_filled_is_not_written_over_without_a_word(project, remote):
    theirs = remote.parent / "theirs"
    git(remote.parent, "init", "-q", "-b", "gh-pages", "theirs")
    commit(theirs, "index.html", "of others")
    git(theirs, "push", "-q", str(remote), "gh-pages")
    tip = git(remote, "rev-parse", "gh-pages")

    refused = project.run("publish", status=1)
    unchanged = git(remote, "rev-parse", "gh-pages")
    taken = project.run("publish", "--yes")

    assert (
        "branch gh-pages of origin: publishing would write over 1 file that it did not write (index.html)"
        in refused.err
    )
    assert "--yes" in refused.err
    assert unchanged == tip
    assert "1 changed" in taken.out
    assert git(remote, "rev-parse", "gh-pages^") == tip


def test_a_push_of_somebody_else_that_comes_first_is_not_written_over(published, remote, clone):
    theirs = clone()
    commit(theirs, "theirs.txt", "first\n")
    published.write("content/posts/a.md", POST.format("another title"))
    hook = published.root / ".git" / "hooks" / "pre-push"  # what runs between our look and our push
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nunset GIT_DIR\ngit -C {theirs} push -q\n", "utf-8")
    hook.chmod(0o755)

    refused = published.run("publish", status=1)
    hook.unlink()
    again = published.run("publish")

    assert "branch gh-pages of origin: git could not push; nothing was published" in refused.err
    assert "publish again if somebody else pushed meanwhile" in refused.err
    assert "Published to branch gh-pages of origin" in again.out
    assert git(remote, "show", "gh-pages:theirs.txt") == "first"


def test_a_push_that_the_remote_refuses_is_told_in_its_own_words(project, remote):
    hook = remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho this branch is frozen >&2\nexit 1\n", "utf-8")
    hook.chmod(0o755)

    ran = project.run("publish", status=1)

    assert "git could not push; nothing was published" in ran.err
    assert "this branch is frozen" in ran.err
    assert ran.err.endswith("\n1 error.\n")  # it came when git was pushing, and says itself what is there
    assert git(remote, "for-each-ref") == ""


def test_a_branch_with_the_sources_of_the_project_is_refused(project, remote):
    git(project.root, "push", "-q", "origin", "main:main", "main:other")
    to(project, "{branch: main}")
    mine = project.run("publish", status=1)
    to(project, "{branch: other}")

    theirs = project.run("publish", status=1)

    assert "config.yaml: the branch 'main' is the one that you work on" in mine.err
    assert "branch other of origin: it holds the sources of the project" in theirs.err
    assert "gh-pages" in theirs.err


def test_links_that_others_put_there_stay(published, remote, clone):
    theirs = clone()
    (theirs / "link").symlink_to("index.html")
    commit(theirs, "x.txt", "")
    git(theirs, "push", "-q")
    published.write("content/posts/a.md", POST.format("another title"))

    ran = published.run("publish")

    assert "2 files there that publishing did not write: kept (link, x.txt)" in ran.out
    assert git(remote, "ls-tree", "gh-pages", "link").startswith("120000 ")


def test_a_file_of_others_where_the_site_needs_a_folder_is_not_removed_without_yes(published, remote, clone):
    theirs = clone()
    commit(theirs, "new", "a file\n")
    git(theirs, "push", "-q")
    published.write("content/new/picture.txt", "words")

    ran = published.run("publish", status=1)
    published.run("publish", "--yes")

    assert "publishing would write over 1 file that it did not write (new)" in ran.err
    assert files_of_branch(remote)["new/picture.txt"] == b"words"


def test_a_remote_that_is_not_there_is_told_before_anything_is_built(project):
    to(project, "{branch: gh-pages, remote: upstream}")

    ran = project.run("publish", status=1)

    assert ran.err.startswith("config.yaml: the project is in no git repository with a remote 'upstream'\n")
    assert "git remote add upstream ADDRESS" in ran.err


def test_a_project_without_a_repository_is_told(published_blog, tmp_path):
    project = copy_of(published_blog, tmp_path / "blog")
    to(project, "{branch: gh-pages}")

    ran = project.build("publish", status=1, GIT_CEILING_DIRECTORIES=str(tmp_path))

    assert "config.yaml: the project is in no git repository with a remote 'origin'" in ran.err
    assert "fatal: not a git repository" in ran.err
    assert "git init" in ran.err


def test_without_git_it_says_how_to_get_it(project, tmp_path):
    ran = project.build("publish", status=1, PATH=str(tmp_path))

    assert "git: it is needed to publish, and it is not installed\n    mend: install it" in ran.err


def test_no_token_of_an_address_is_ever_told(project):
    token = "ghp_1234567890abcdef"
    git(project.root, "remote", "set-url", "origin", f"http://ann:{token}@127.0.0.1:9/blog.git")

    ran = project.run("publish", status=1)

    assert "git could not reach it; nothing was published" in ran.err
    assert "127.0.0.1" in ran.err  # git tells the address, with the token in it
    assert token not in ran.out + ran.err


def test_git_asks_for_no_password(project):
    class Locked(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="all"')
            self.end_headers()

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Locked) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        git(project.root, "remote", "set-url", "origin", f"http://127.0.0.1:{server.server_port}/blog.git")
        unasked = project.run("publish", status=1)
        server.shutdown()

    assert "terminal prompts disabled" in unasked.err
    assert "a credential helper" in unasked.err


def test_a_killed_publishing_leaves_remote_branches_and_index_as_they_were(project, remote, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # where its copy of the site is left
    project.run("publish")
    project.write("content/posts/a.md", POST.format("another title"))
    hook = project.root / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    waits = "while [ ! -s publishing.pid ]; do sleep 0.05; done"
    hook.write_text(f"#!/bin/sh\n{waits}\nkill -KILL $(cat publishing.pid)\nsleep 5\nexit 1\n", "utf-8")
    hook.chmod(0o755)
    before = state(project), git(remote, "for-each-ref")

    process = project.start("publish")
    (project.root / "publishing.pid").write_text(str(process.pid))
    process.communicate(timeout=120)

    (project.root / "publishing.pid").unlink()
    assert process.returncode == -9
    assert (state(project), git(remote, "for-each-ref")) == before
    hook.unlink()
    assert "Published to" in project.run("publish").out


def test_a_publishing_from_a_hook_of_git_finds_the_projects_repository(project, remote, tmp_path):
    ran = project.build("publish", GIT_DIR=str(tmp_path / "elsewhere"), GIT_INDEX_FILE=str(tmp_path / "index"))

    assert "Published to branch gh-pages of origin" in ran.out
    assert not (tmp_path / "index").exists()


def test_a_project_in_a_folder_of_a_larger_repository_publishes_the_same(published_blog, tmp_path, remote):
    git(tmp_path, "init", "-q", "--bare", str(remote))
    git(tmp_path, "init", "-q", "large")
    git(tmp_path / "large", "remote", "add", "origin", str(remote))
    git(tmp_path / "large", "config", "user.name", "Ann")
    git(tmp_path / "large", "config", "user.email", "ann@example.org")
    project = copy_of(published_blog, tmp_path / "large" / "blog")
    to(project, "{branch: gh-pages}")

    project.run("publish")

    assert set(files_of_branch(remote)) == {*site_of(project), ".nojekyll", PUBLISHED}


def test_a_commit_that_git_refuses_to_make_is_no_publishing(project, remote):
    for number in range(256):
        objects = project.root / ".git" / "objects" / f"{number:02x}"
        if not objects.exists():
            objects.write_text("no folder, so that git cannot write there", "utf-8")

    ran = project.run("publish", status=1)

    assert "git could not make the commit; nothing was published" in ran.err
    assert git(remote, "for-each-ref") == ""


def test_who_publishes_has_to_be_known(project, remote):
    git(project.root, "config", "--unset", "user.name")
    git(project.root, "config", "--unset", "user.email")
    git(project.root, "config", "user.useConfigOnly", "true")
    unknown = {name: "" for name in os.environ if name.startswith("GIT_COMMITTER")}

    ran = project.build("publish", status=1, **unknown)

    assert "branch gh-pages of origin: git could not make the commit; nothing was published" in ran.err
    assert "git config --global user.name" in ran.err
    assert git(remote, "for-each-ref") == ""
