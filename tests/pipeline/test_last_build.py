"""What a build left, and whether anything of it has changed."""

import os
import time
from dataclasses import replace

import pytest

from site_builder.pipeline import last_build
from site_builder.pipeline.last_build import STORE, LastBuild, WrittenFile
from site_builder.pipeline.options import BuildOptions
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage.file_fingerprints import digests, output_signature, scan, settled, signature
from site_builder.storage.store import NAME, Store
from tests.conftest import ROOT, RUIN


def options(output="", drafts=False, settings=(), root=None):
    return BuildOptions(root, output, drafts, settings)


PLAIN = options()
FAMILIES = "last build", "last build, short"


def write(path, text="x"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def keep(root, left, variant=PLAIN):
    with Store(root / STORE, 2**30, pytest.fail) as store:
        last_build.save(store, variant, left)


def left_by_a_build(root, fresh=None, further=()):
    scanned = scan(root, further)
    named = digests(scanned, {})
    trusted = settled(scanned) if fresh is None else scanned.signatures.keys() - {*fresh}
    inputs = {name: (each if name in trusted else None, named[name]) for name, each in scanned.signatures.items()}
    outputs = {"index.html": WrittenFile("key", "digest", *output_signature(str(root / "_site/index.html")))}
    manifest = output_signature(str(root / "_site/.puzzlepress.json"))
    return LastBuild(PLAIN.variant, environment_stamp(), inputs, further, "_site", manifest, outputs, 1)


@pytest.fixture
def built(tmp_path):
    """A project as a build leaves it."""
    for name in ("config.yaml", "content/posts/a.md", "templates/a.html", "data/t.csv"):
        write(tmp_path / name)
    for name in ("index.html", ".puzzlepress.json"):
        write(tmp_path / "_site" / name)
    keep(tmp_path, left_by_a_build(tmp_path, further=("data/t.csv",)))
    return tmp_path


def test_a_project_that_nobody_touched_is_unchanged(built):
    found = last_build.unchanged(replace(PLAIN, root=built))

    assert found is not None
    assert (found.output, found.posts, len(found.outputs)) == ("_site", 1, 1)


def test_a_project_that_was_never_built_is_due(tmp_path):
    write(tmp_path / "config.yaml")

    assert last_build.unchanged(replace(PLAIN, root=tmp_path)) is None
    assert not (tmp_path / STORE).exists()


CHANGES = {
    "a file is another": lambda root: write(root / "content/posts/a.md", "other"),
    "a file is another of the same size": lambda root: write(root / "content/posts/a.md", "y"),
    "a file is new": lambda root: write(root / "content/posts/b.md"),
    "a file is gone": lambda root: (root / "content/posts/a.md").unlink(),
    "a file has another name": lambda root: (root / "content/posts/a.md").rename(root / "content/posts/b.md"),
    "a template is another": lambda root: write(root / "templates/a.html", "other"),
    "the settings are others": lambda root: write(root / "config.yaml", "other"),
    "a module beside is new": lambda root: write(root / "lattice.py"),
    "data elsewhere are others": lambda root: write(root / "data/t.csv", "other"),
    "data elsewhere are gone": lambda root: (root / "data/t.csv").unlink(),
    "a page was altered": lambda root: write(root / "_site/index.html", "by hand"),
    "the record of the site is gone": lambda root: (root / "_site/.puzzlepress.json").unlink(),
    "a page was deleted": lambda root: (root / "_site/index.html").unlink(),
    "a folder stands in place of a page": lambda root: (
        (root / "_site/index.html").unlink(),
        (root / "_site/index.html").mkdir(),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_build_is_due_when(built, change):
    CHANGES[change](built)

    assert last_build.unchanged(replace(PLAIN, root=built)) is None


def test_files_that_no_build_looks_at_make_no_difference(built):
    for name in ("notes.txt", "content/.draft.md.swp", "content/a.md~", "_site/foreign.html", "data/other.csv"):
        write(built / name)

    assert last_build.unchanged(replace(PLAIN, root=built)) is not None


@pytest.mark.parametrize("variant", [options("out", False, ()), options("", True, ()), options("", False, ("a.b=1",))])
def test_another_variant_is_due(built, variant):
    assert last_build.unchanged(replace(variant, root=built)) is None


def test_variants_have_names_of_their_own():
    variants = [
        PLAIN,
        options("x", False, ()),
        options("", True, ()),
        options("", False, ("a", "b")),
        options("", False, ("a,b",)),
        options("", False, ('a","b',)),
        options("", False, ("",)),
    ]

    assert len({variant.variant for variant in variants}) == len(variants)


def test_other_libraries_are_due(built):
    keep(built, replace(left_by_a_build(built), stamp="others"))

    assert last_build.unchanged(replace(PLAIN, root=built)) is None


def test_a_change_that_the_file_system_hides_is_seen_while_a_file_is_fresh(built):
    """As where whole seconds are kept, and two changes fall into one."""
    keep(built, left_by_a_build(built, fresh=["content/posts/a.md"]))
    write(built / "content/posts/a.md", "y")

    assert last_build.unchanged(replace(PLAIN, root=built)) is None


def test_what_was_left_is_known_whatever_has_changed_since(built):
    write(built / "content/posts/a.md", "other")

    with Store(built / STORE, 2**30, pytest.fail) as store:
        assert last_build.last(store, "").further == ["data/t.csv"]
        assert last_build.last(store, "x") == LastBuild()


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{", b"\xff", b"{}", b'{"stamp": "x"}', b'{"stamp":1,"more":2}', b"3"]
)
def test_what_is_no_snapshot_is_none(built, data):
    with Store(built / STORE, 2**30, pytest.fail) as store:
        for family in FAMILIES:
            store.set_documents(family, {"": data})

        assert last_build.last(store, "") == LastBuild()
    assert last_build.unchanged(replace(PLAIN, root=built)) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data + data[-32:],
        lambda data: b'{"builder": "0.1.0"}',
        lambda data: data.replace(b'"outputs":{', b'"outputs":{"a":3,').replace(b'"outputs":[', b'"outputs":["a",'),
        lambda data: b"[" + data[1:].replace(b"[", b"{", 1),
    ],
)
def test_a_snapshot_that_is_not_whole_is_none(built, change):
    with Store(built / STORE, 2**30, pytest.fail) as store:
        for family in FAMILIES:
            store.set_documents(family, {"": change(store.document(family, ""))})

        assert last_build.last(store, "") == LastBuild()
    assert last_build.unchanged(replace(PLAIN, root=built)) is None


def test_to_look_whether_anything_changed_changes_nothing_on_disk(built):
    time.sleep(0.1)
    last_build.unchanged(replace(PLAIN, root=built))
    before = signature(str(built / STORE / NAME)), sorted(os.listdir(built / STORE))

    last_build.unchanged(replace(PLAIN, root=built))

    assert (signature(str(built / STORE / NAME)), sorted(os.listdir(built / STORE))) == before


def test_installed_code_that_was_edited_under_its_version_is_noticed_though_the_project_is_as_it_was(
    project, tmp_path_factory
):
    apart = tmp_path_factory.mktemp("apart")
    write(apart / "helper_of_mine.py", "PARTS = 2\n")
    text = RUIN.replace("import numpy as np", "import helper_of_mine\nimport numpy as np")
    project.write("solvers/halving.py", text.replace("goal // 2", "goal // helper_of_mine.PARTS"))
    project.post("It is {{ results.fair.half | fraction }}.\n", front="runs:\n  fair: {solver: halving}\n")
    found = os.pathsep.join([str(ROOT), str(apart)])
    project.build(PYTHONPATH=found)
    nothing = project.build(PYTHONPATH=found).out
    before = project.page("posts/ruin/index.html")

    write(apart / "helper_of_mine.py", "PARTS = 4\n")
    project.build(PYTHONPATH=found)

    assert "It is 1/2." in before
    assert nothing.startswith("Nothing has changed")
    assert "It is 1/4." in project.page("posts/ruin/index.html")
