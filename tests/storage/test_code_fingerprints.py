"""The code behind each kind of task: what must be made anew when the builder itself is another."""

import sqlite3
import sys
from contextlib import closing

import pytest

from site_builder.storage import code_fingerprints
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.file_fingerprints import digests, scan
from site_builder.storage.sqlite_file import NAME
from site_builder.storage.store import Store
from tests.conftest import ROOT
from tests.storage.test_libraries import forget, install


@pytest.fixture(scope="module")
def codes(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("codes") / ".store", 2**30, pytest.fail) as store:
        yield CodeKeys(ROOT, store, digests(scan(ROOT), {}), "stamp")


# What decides of the bytes of each, although only a function handed over, or the build itself, calls it.
BEHIND = {
    "writing": [
        "project/posts.py (function read_post)",
        "project/posts.py (function split_front_matter)",
        "project/front_matter.py (class FrontMatter)",
        "project/yaml_reader.py (function read_yaml)",
        "solving/plan.py (function plan_runs)",
        "solving/results.py (function post_results)",
        "posts/summary.py (function write_summary)",
        "posts/body.py (function write_body)",
        "posts/render.py (class Renderer)",
        "markup/markdown.py (function convert)",
    ],
    "paging": [
        "site/pages/all.py (function make_pages)",
        "posts/body.py (function read_body)",
        "site/theme.py (class Theme)",
        "site/theme.py (function date_words)",
        "site/fill.py (class Filler)",
        "site/pages/feed.py (function atom)",
        "posts/links.py (class Addresses)",
        "markup/placeholders.py (function fill_links)",
    ],
    "bundling": [
        "solving/bundle/archive.py (function bundle)",
        "solving/bundle/proof.py (function prove)",
        "pipeline/steps/worker_tasks.py (function prove)",
    ],
    "drawing": ["figures/charts/draw.py (function draw)", "pipeline/steps/worker_tasks.py (function draw)"],
}


@pytest.mark.parametrize(("kind", "part"), [(kind, part) for kind, parts in BEHIND.items() for part in parts])
def test_the_code_that_makes_something_is_part_of_its_key(codes, kind, part):
    assert f"site_builder/{part}" in codes.builder(kind).ingredients


def test_pages_and_texts_are_kept_when_only_the_command_line_is_another(codes):
    for kind in ("writing", "paging", "drawing"):
        parts = codes.builder(kind).ingredients
        assert not [
            part for part in parts if part.startswith(("site_builder/cli/main.py", "site_builder/pipeline/output.py"))
        ]


def test_code_is_found_anew_when_this_list_of_it_is_another(project, monkeypatch):
    names = digests(scan(project.root), {})
    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        with monkeypatch.context() as older:
            older.setitem(code_fingerprints._BUILDER_CODE, "carding", ("site.icon:icon_picture",))
            before = CodeKeys(project.root, store, names | {"@storage/code_fingerprints.py": "older"}, "stamp")
            assert not [part for part in before.builder("carding").ingredients if "draw_cards" in part]
        now = CodeKeys(project.root, store, names, "stamp")

        assert [part for part in now.builder("carding").ingredients if "draw_cards" in part]


def test_only_a_new_file_is_read_when_there_is_one_more_solver(project):
    before = files_read(project)
    project.write("solvers/another.py", "def solve(parameters):\n    return parameters\n")

    after = files_read(project, "another")

    assert len(before) > 50
    assert len(after - before) == 1
    assert before < after


def files_read(project, solver="gamblers_ruin"):
    """What names each file that was ever read to find the code behind solving and writing."""
    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        codes = CodeKeys(project.root, store, digests(scan(project.root), {}), "stamp")
        assert codes.builder("writing").key
        assert codes.solving(solver).key
    with closing(sqlite3.connect(project.root / ".store" / NAME)) as store:
        return {key for (key,) in store.execute("SELECT key FROM entries WHERE kind = 'code'")}


@pytest.fixture
def apart(project, tmp_path_factory, monkeypatch):
    """A folder of installed code, of which the solver imports the module `mine`."""
    folder = tmp_path_factory.mktemp("apart") / "site-packages"
    folder.mkdir()
    (folder / "mine.py").write_text("import further\n\nVALUE = 1\n")
    (folder / "further.py").write_text("VALUE = 1\n")
    project.write("solvers/one.py", "import mine\n\n\ndef solve(parameters):\n    return mine.VALUE\n")
    monkeypatch.syspath_prepend(str(folder))
    forget()
    yield folder
    forget()


def solving_key(project):
    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        codes = CodeKeys(project.root, store, digests(scan(project.root), {}), "stamp")
        return codes.solving("one").key


@pytest.mark.parametrize("is_listed", [True, False], ids=["installed", "found through PYTHONPATH"])
@pytest.mark.parametrize("edited", [pytest.param("mine", marks=pytest.mark.deep), "further"])
def test_code_outside_of_the_project_that_was_edited_under_its_version_gives_another_key(
    project, apart, is_listed, edited
):
    if is_listed:
        install(apart, "further", "1", "further.py")
        install(apart, "mine", "1", "mine.py", needs=["further"])
    before = solving_key(project)
    assert solving_key(project) == before

    (apart / f"{edited}.py").write_text((apart / f"{edited}.py").read_text().replace("VALUE = 1", "VALUE = 2"))

    assert solving_key(project) != before


def test_the_key_is_the_same_wherever_the_code_is_installed(project, apart, monkeypatch):
    before = solving_key(project)
    moved = apart.rename(apart.parent.parent / "moved")
    monkeypatch.setattr(sys, "path", [str(moved), *sys.path[1:]])
    forget()

    assert solving_key(project) == before


def test_the_code_of_a_game_counts_for_checks_and_not_for_solving(codes):
    game = "solvers/wythoff/moves.py (function game)"

    assert game in codes.checking("wythoff").ingredients
    assert game in codes.whole("wythoff").ingredients
    assert game not in codes.solving("wythoff").ingredients


def test_a_solver_without_a_game_reaches_what_its_checks_do(project):
    project.write("solvers/plain/game.py", "RULES = 1\n")
    functions = (f"def {name}():\n    return 1\n" for name in ("Parameters", "Result", "solve", "figures", "checks"))
    project.write("solvers/plain/__init__.py", "DATA = ()\n" + "".join(functions))
    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        codes = CodeKeys(project.root, store, digests(scan(project.root), {}), "stamp")

        parts = codes.checking("plain").ingredients

    assert "solvers/plain/__init__.py (function checks)" in parts
    assert "solvers/plain/__init__.py (function figures)" not in parts
