"""/build.json names the commit that a published site was built from, and is there for no other site."""

import json

import pytest

from site_builder import __version__
from tests.support.published import copy_of, git, make_repository, to

TOKEN = "ghp_1234567890abcdef"


@pytest.fixture
def project(published_blog, tmp_path):
    project = copy_of(published_blog, tmp_path / "blog")
    to(project, "{folder: public}")
    make_repository(project, tmp_path / "remote.git")
    return project


@pytest.fixture
def origin(tmp_path):
    return tmp_path / "blog" / "public" / "build.json"


def test_a_site_of_a_commit_names_it_with_the_sources_and_the_builder(project, origin, tmp_path):
    project.run("publish")

    assert json.loads(origin.read_text("utf-8")) == {
        "commit": git(project.root, "rev-parse", "HEAD"),
        "sources": str(tmp_path / "remote.git"),
        "builder": f"puzzlepress {__version__}",
    }


def test_an_address_is_written_without_its_token(project, origin):
    git(project.root, "remote", "set-url", "origin", f"https://ann:{TOKEN}@example.org/blog.git")

    project.run("publish")

    assert TOKEN not in origin.read_text("utf-8")
    assert json.loads(origin.read_text("utf-8"))["sources"].endswith("@example.org/blog.git")


@pytest.mark.parametrize("name", ["content/posts/a.md", "content/data/new.csv"], ids=["changed", "untracked"])
def test_a_file_that_is_not_committed_leaves_a_site_without_it(project, origin, name):
    project.run("publish")
    file = project.root / name
    project.write(name, (file.read_text("utf-8") if file.exists() else "") + "More words.\n")

    project.run("publish")

    assert not origin.exists()


def test_a_commit_that_changes_no_page_is_published_by_its_name_alone(project, origin):
    project.run("publish")
    git(project.root, "commit", "-q", "--allow-empty", "-m", "Nothing")

    ran = project.run("publish")

    assert "0 files added, 1 changed, 0 removed" in ran.out
    assert json.loads(origin.read_text("utf-8"))["commit"] == git(project.root, "rev-parse", "HEAD")


def test_a_file_of_the_site_with_that_name_stays_the_sites_own(project, origin):
    project.write("content/build.json", "{}\n")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-q", "-m", "A file of its own")

    project.run("publish")

    assert origin.read_text("utf-8") == "{}\n"


def test_without_a_repository_there_is_none(published_blog, tmp_path):
    project = copy_of(published_blog, tmp_path / "plain")
    to(project, "{folder: public}")

    project.run("publish")

    assert (project.root / "public" / "index.html").exists()
    assert not (project.root / "public" / "build.json").exists()
