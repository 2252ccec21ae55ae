"""The code behind each task of a solver, from the cache and anew, and the digest of the builder."""

import sqlite3
import sys
from contextlib import closing

import pytest

from site_builder.errors import SiteError
from site_builder.solving.code import code_keys
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage.file_fingerprints import digests, scan
from site_builder.storage.sqlite_file import NAME
from site_builder.storage.store import Store
from tests.conftest import ROOT, RUIN
from tests.solving.code.test_libraries import forget, install


def keys(project, ask, stamp="stamp"):
    """What `ask` gets of the keys of a project as its files are now."""
    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        return ask(CodeKeys(project.root, store, digests(scan(project.root), {}), stamp))


def solving_key(project, solver="gamblers_ruin", stamp="stamp"):
    return keys(project, lambda codes: codes.solving(solver).key, stamp)


def test_the_builder_counts_by_the_modules_of_a_checkout(tmp_path):
    with Store(tmp_path / ".store", 2**30, pytest.fail) as store:
        found = [
            CodeKeys(tmp_path, store, files, "stamp").builder
            for files in (
                {"config.yaml": "a"},
                {"config.yaml": "a", "@errors.py": "1"},
                {"config.yaml": "b", "@errors.py": "1"},
                {"config.yaml": "a", "@errors.py": "2"},
                {"config.yaml": "a", "@errors.py": "1", "@default_theme/post.html": "3"},
            )
        ]

    assert found[1] == found[2] == found[4]
    assert len(set(found)) == 3


@pytest.mark.parametrize(
    ("name", "value"), [("__version__", "9.9"), ("installed_versions", lambda names: {"jinja2": "0"})]
)
def test_the_builder_counts_by_its_version_and_those_of_its_libraries(project, monkeypatch, name, value):
    before = keys(project, lambda codes: codes.builder)
    solving = solving_key(project)

    monkeypatch.setattr(code_keys, name, value)

    assert keys(project, lambda codes: codes.builder) != before
    assert solving_key(project) == solving


def test_the_libraries_of_the_builder_are_among_its_requirements():
    required = (ROOT / "pyproject.toml").read_text().replace("_", "-")

    assert [name for name in code_keys._LIBRARIES if name not in required] == ["markupsafe"]  # which jinja2 needs


def test_results_of_another_form_are_computed_again(project, monkeypatch):
    before = solving_key(project)

    monkeypatch.setattr(code_keys, "_FORM", {"form of results": "of the future"})
    project.write("solvers/gamblers_ruin.py", RUIN.replace("# Feller's", "# William Feller's"))

    assert solving_key(project) != before


def test_only_a_new_module_is_read_when_there_is_one_more_solver(project):
    solving_key(project)
    before = modules_read(project)
    project.write("solvers/another.py", "def solve(parameters):\n    return parameters\n")

    solving_key(project, "another")
    after = modules_read(project)

    assert before < after
    assert len(after - before) == 1


def modules_read(project):
    with closing(sqlite3.connect(project.root / ".store" / NAME)) as store:
        return {key for (key,) in store.execute("SELECT key FROM entries WHERE kind = 'module'")}


def test_the_code_of_a_game_counts_for_checks_and_not_for_solving(project):
    game = ("solvers/dice/moves.py", "game")
    functions = (f"def {name}():\n    return 1\n" for name in ("Parameters", "Result", "solve", "figures", "checks"))
    project.write("solvers/dice/__init__.py", "from solvers.dice.moves import game\nDATA = ()\n" + "".join(functions))
    project.write("solvers/dice/moves.py", "def game():\n    return 1\n")

    reached = keys(project, lambda codes: [codes.checking("dice"), codes.whole("dice"), codes.solving("dice")])

    assert [game in code.definitions for code in reached] == [True, True, False]


def test_a_module_that_is_named_like_the_game_is_none(project):
    project.write("solvers/plain/game.py", "RULES = 1\n")
    functions = (f"def {name}():\n    return 1\n" for name in ("Parameters", "Result", "solve", "figures", "checks"))
    project.write("solvers/plain/__init__.py", "DATA = ()\n" + "".join(functions))

    found = keys(project, lambda codes: codes.checking("plain").definitions)

    assert {name for file, name in found} >= {"checks", "Parameters", "Result"}
    assert "figures" not in {name for file, name in found}


@pytest.mark.parametrize("used", [True, False])
def test_matplotlib_counts_for_figures_where_a_solver_can_draw_by_itself(project, used):
    imports = "from site_builder.contract import Drawing\n"
    head = "def figures(result: Result) -> dict[str, Figure]:\n"
    assert head in RUIN
    project.write("solvers/gamblers_ruin.py", imports + RUIN.replace(head, head + ("    Drawing\n" if used else "")))

    showing, solving = keys(project, lambda codes: [codes.showing("gamblers_ruin"), codes.solving("gamblers_ruin")])

    assert ("matplotlib" in showing.libraries) == used
    assert "matplotlib" not in solving.libraries


# Data files


def declared(project, data):
    project.write("solvers/gamblers_ruin.py", RUIN.replace("DATA = ()", f"DATA = {data}"))
    return keys(project, lambda codes: codes.data("gamblers_ruin"))


def test_declared_data_lies_beside_the_solver(project):
    project.write("solvers/words.txt", "one")
    project.write("shared.txt", "two")

    assert declared(project, '("words.txt", "../shared.txt")') == {"solvers/words.txt", "shared.txt"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('["words.txt"]', "DATA must be a tuple of strings, written out"),
        ("tuple(NAMES)", "DATA must be a tuple of strings, written out"),
        ('("words.txt", 1)', "DATA must be a tuple of strings, written out"),
        ('("words.txt",)', "DATA names 'words.txt', but there is no file solvers/words.txt"),
        ('("../../words.txt",)', "DATA names '../../words.txt', which lies outside the project"),
        ('("/etc/hostname",)', "DATA names '/etc/hostname', which lies outside the project"),
    ],
)
def test_data_that_cannot_be_found_is_an_error_at_its_line(project, data, said):
    line = RUIN[: RUIN.index("DATA = ()")].count("\n") + 1

    with pytest.raises(SiteError) as caught:
        declared(project, data)

    assert str(caught.value).startswith(f"solvers/gamblers_ruin.py:{line}: {said}\n    mend: ")


# Code outside of the project


@pytest.fixture
def apart(project, tmp_path_factory, monkeypatch):
    """A folder of libraries, of which the solver imports the module `mine`."""
    folder = tmp_path_factory.mktemp("apart") / "site-packages"
    folder.mkdir()
    (folder / "mine.py").write_text("VALUE = 1\n")
    project.write("solvers/one.py", "import mine\n\n\ndef solve(parameters):\n    return mine.VALUE\n")
    monkeypatch.syspath_prepend(str(folder))
    forget()
    yield folder
    forget()


def test_a_library_without_a_version_counts_by_its_content(project, apart):
    before = solving_key(project, "one")
    assert solving_key(project, "one") == before

    (apart / "mine.py").write_text("VALUE = 20\n")

    assert solving_key(project, "one") != before


@pytest.mark.parametrize(
    ("edited", "is_other"), [({"mine": "2"}, True), ({"below": "2"}, True), ({"beside": "2"}, False)], ids=str
)
def test_the_versions_of_a_library_and_of_what_it_needs_count(project, apart, edited, is_other):
    versions = {"mine": "1", "below": "1", "beside": "1"}

    def installed(versions):
        for name, version in versions.items():
            for old in apart.glob(f"{name}-*.dist-info"):
                for file in old.iterdir():
                    file.unlink()
                old.rmdir()
            install(apart, name, version, f"{name}.py", needs=["below"] if name == "mine" else [])
        forget()
        return solving_key(project, "one", environment_stamp())

    assert (installed(versions) != installed(versions | edited)) == is_other


def test_the_key_is_the_same_wherever_the_code_is_installed(project, apart, monkeypatch):
    before = solving_key(project, "one")
    moved = apart.rename(apart.parent.parent / "site-packages")
    monkeypatch.setattr(sys, "path", [str(moved), *sys.path[1:]])
    forget()

    assert solving_key(project, "one", "moved") == before
