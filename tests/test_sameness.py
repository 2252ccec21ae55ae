"""The built site is the same, byte for byte, whatever the store held and whoever built it when and where.

The days on which a build runs are told apart by the times of its files alone: nothing here can turn the clock.
"""

import os
import shutil
import sqlite3
from contextlib import closing
from itertools import pairwise

import pytest

from site_builder.storage.sqlite_file import NAME
from tests.conftest import Project
from tests.everything import EDITS, Edit, everything, files, own_templates, write

pytestmark = pytest.mark.usefixtures("builds")

TEN_YEARS = 10 * 366 * 86_400
OTHERWISE = ("--drafts", "--set", "random_walk.seed=4")  # the same project, another site
WEST = {"TZ": "Etc/GMT+12", "umask": 0}


@pytest.fixture(scope="module")
def expected(clean):
    return clean.files()


@pytest.fixture
def project(tmp_path):
    """A project that was never built; what stands in the builder's own code is known."""
    return everything(tmp_path / "project")


@pytest.fixture
def built(clean, tmp_path):
    """A project built already, with its store, to change."""
    return clean.copy_to(tmp_path / "project")


def differing(found, expected):
    """The files that are not the same in both trees."""
    return sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))


# What the site holds, so that sameness means something


def test_the_project_uses_everything(expected):
    suffixes = {name.rpartition(".")[2] for name in expected}
    post = expected["posts/ruin/index.html"].decode()
    drawn = [name for name in expected if "/figures/" in name and name.endswith(".png")]

    assert suffixes >= {"html", "xml", "svg", "png", "css", "csv", "txt", "json"}
    assert len(drawn) == 11
    assert {
        "page/4/index.html",
        "posts/große-zahlen/index.html",
        "tags/größe/index.html",
        "2017/old-ruin/index.html",
        "posts/ruin/provenance.json",
    } < {*expected}
    assert not any("draft" in name or "hidden" in name for name in expected)
    assert all(
        words in post for words in ("<math", "<table", "<pre", "<details", "<picture", "From half way you win 50")
    )
    assert all(
        words in post
        for words in ("Both ends, by the rules", "Correction", "Feller has", "agrees to", "provenance.json")
    )


# What the store held


def test_with_a_warm_store_into_a_fresh_folder(built, expected):
    shutil.rmtree(built.root / "_site")

    again = built.build()
    elsewhere = built.build("--output", "elsewhere")

    assert "0 texts, 0 solutions and 0 figures" in again.out
    assert "0 texts, 0 solutions and 0 figures" in elsewhere.out
    assert differing(built.files(), expected) == []
    assert differing(built.files("elsewhere"), expected) == []


@pytest.mark.deep  # the edits of every kind, below, are made in a store of older texts, and leave drafts in it
def test_with_a_store_that_holds_drafts_and_other_parameters(project, expected):
    project.build(*OTHERWISE)
    other = project.files()

    project.build()

    assert differing(other, expected) != []
    assert differing(project.files(), expected) == []


@pytest.mark.deep  # as above
def test_with_a_store_that_holds_older_texts_solvers_and_templates(project, expected):
    older = [EDITS[name] for name in ("prose", "a caption", "another answer of a solver", "a piece of a list")]
    for edit in older:
        edit.make(project)
    project.build()
    other = project.files()
    for edit in older:
        Edit(edit.path, edit.new, edit.old).make(project)

    project.build()

    assert differing(other, expected) != []
    assert differing(project.files(), expected) == []


# 1 MiB is the least that config.yaml may say; one download is larger than that, and so is the rest of the site.
SMALL = Edit("config.yaml", "title:", "store: {max_size: 1 MiB}\ntitle:")


@pytest.mark.deep
def test_with_a_store_that_becomes_too_small_for_the_site(built, expected):
    SMALL.make(built)
    Edit("templates/base.html", "Skip to the text", "Skip").make(built)
    built.build()
    other = built.files()
    Edit("templates/base.html", "Skip", "Skip to the text").make(built)

    built.build()

    assert differing(other, expected) != []
    assert differing(built.files(), expected) == []


@pytest.mark.deep  # the same from the first build on
def test_with_a_store_too_small_for_the_site(project, expected):
    SMALL.make(project)
    project.build()
    first = project.files()
    Edit("templates/base.html", "Skip to the text", "Skip").make(project)
    project.build()
    other = project.files()
    Edit("templates/base.html", "Skip", "Skip to the text").make(project)

    project.build()

    assert differing(first, expected) == []
    assert differing(other, expected) != []
    assert differing(project.files(), expected) == []


# Who built it, when and where


@pytest.mark.parametrize(
    ("jobs", "circumstances"),
    [
        pytest.param(
            "1",
            {"PYTHONHASHSEED": "0", "TZ": "Pacific/Kiritimati", "umask": 0o077},
            id="one job, east",
            marks=pytest.mark.deep,  # every day in another folder and time zone, below
        ),
        pytest.param("4", {"PYTHONHASHSEED": "1", **WEST}, id="four jobs, west", marks=pytest.mark.deep),
        pytest.param(
            "3",
            {"PYTHONHASHSEED": "random", "LANG": "tr_TR.UTF-8", "LC_ALL": "C"},
            id="three jobs, C",
            marks=pytest.mark.deep,
        ),
    ],
)
def test_after_the_store_was_deleted_with_any_number_of_jobs_in_any_environment(built, expected, jobs, circumstances):
    shutil.rmtree(built.root / ".store")

    built.build("--jobs", jobs, **circumstances)

    assert differing(built.files(), expected) == []


def test_in_another_folder_and_time_zone_with_files_made_years_ago_in_another_order(tmp_path, expected):
    root = tmp_path / "a folder with a much longer path" / "größer" / "project"
    root.mkdir(parents=True)
    project = Project(root, is_bare=True, from_nothing=True)
    own_templates(project)
    write(project, sorted(files(), reverse=True))
    templates = everything(tmp_path / "other").root / "templates"
    for place, name in enumerate(sorted(os.listdir(templates), reverse=True)):
        if (templates / name).is_file():
            (root / "templates" / name).unlink(missing_ok=True)
            shutil.copyfile(templates / name, root / "templates" / name)
            os.utime(root / "templates" / name, (place, place))
    for place, name in enumerate(files()):
        past = (root / name).stat().st_mtime - TEN_YEARS - place
        os.utime(root / name, (past, past))

    project.build("--jobs", "4", **WEST)

    assert differing(project.files(), expected) == []


# One edit after the other


def test_with_texts_written_few_at_a_time(built, expected):
    later = [name for name in files() if "plain" in name]
    linking = [name for name in later if not name.endswith(("-1.md", "-2.md"))]
    for name in linking:
        (built.root / name).unlink()
    with closing(sqlite3.connect(built.root / ".store" / NAME)) as store, store:
        store.execute("DELETE FROM entries WHERE kind IN ('text', 'body')")
        store.execute("DELETE FROM documents WHERE family = 'briefs'")
    first = built.build()
    write(built, linking)

    second = built.build()

    assert "6 texts" in first.out  # above eight they are written by workers: site_builder/pipeline/steps/texts.py
    assert "6 texts" in second.out
    assert differing(built.files(), expected) == []


STEPS = [
    [name for place, name in enumerate(EDITS) if place % 2 == step] for step in range(2)
]  # half of them at a time, so that each build meets changes of every kind


def test_after_edits_of_every_kind_and_after_all_of_them_were_undone(built, expected, tmp_path):
    trees = [expected]
    sources = [snapshot(built)]
    for names, options in zip(STEPS, [(), OTHERWISE], strict=True):
        for name in names:
            EDITS[name].make(built)
        built.build(*options)
        trees.append(built.files())
        sources.append(snapshot(built))
    edited = Project(tmp_path)
    (edited.root / "templates").unlink()
    restore(edited, sources[-1])
    edited.build(*OTHERWISE)
    undone = []
    for source in reversed(sources[:-1]):
        restore(built, source)
        built.build()
        undone.append(built.files())

    assert all(differing(one, other) for one, other in pairwise(trees))
    assert differing(trees[-1], edited.files()) == []
    assert [differing(tree, before) for tree, before in zip(undone, reversed(trees[:-1]), strict=True)] == [[], []]


def snapshot(project):
    """The files that the project is made of, by path."""
    parts = ("content", "templates", "solvers")
    found = [file for part in parts for file in (project.root / part).rglob("*") if "__pycache__" not in file.parts]
    return {
        file.relative_to(project.root).as_posix(): file.read_bytes()
        for file in (project.root / "config.yaml", *found)
        if file.is_file()
    }


def restore(project, source):
    """Let the project be made of these files; those that are the same already stay untouched."""
    now = snapshot(project)
    for name in now.keys() - source.keys():
        (project.root / name).unlink()
    for name, data in source.items():
        if now.get(name) != data:
            (project.root / name).parent.mkdir(parents=True, exist_ok=True)
            (project.root / name).write_bytes(data)


@pytest.mark.deep  # every day those at once, above, and one by one those of test_staleness.py
@pytest.mark.parametrize("name", EDITS)
def test_after_one_edit_alone(built, name, tmp_path):
    EDITS[name].make(built)
    built.build()
    edited = Project(tmp_path / "edited")
    (edited.root / "templates").unlink()
    restore(edited, snapshot(built))

    edited.build()

    assert differing(built.files(), edited.files()) == []
