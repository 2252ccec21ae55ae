"""Versions of libraries, read from the files that installers leave."""

import importlib.metadata
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import importlib_metadata  # noqa: F401 - as by Dask: it finds libraries in place of Python's own, and misses otherwise
import pytest

from site_builder.storage.code_graph import libraries
from site_builder.storage.code_graph.libraries import environment_stamp
from site_builder.storage.code_graph.project_modules import Code
from site_builder.storage.code_graph.reachability import reach
from tests.conftest import ROOT


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of installed libraries, the only one."""
    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder)])
    forget()
    yield folder
    forget()


def forget():
    libraries.installed.cache_clear()
    libraries.provided_by.cache_clear()
    libraries._requirements.cache_clear()
    libraries._listed.cache_clear()


def install(place, name, version, *files, needs=()):
    folder = place / f"{name}-{version}.dist-info"
    folder.mkdir()
    lines = [f"{file},sha256=abc,1" for file in (*files, f"{folder.name}/METADATA")]
    (folder / "RECORD").write_text("\n".join(lines) + "\n", "utf-8")
    needed = "".join(f"Requires-Dist: {need}\n" for need in needs)
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}\nRequires-Dist: prose\n", "utf-8"
    )


def test_a_module_has_the_version_of_the_library_that_provides_it(place):
    install(place, "Py_YAML", "6.0.3", "yaml/__init__.py", "_yaml.cpython-311.so")

    assert libraries.versions(["yaml"]) == {"py-yaml": "6.0.3"}
    assert libraries.versions(["_yaml"]) == {"py-yaml": "6.0.3"}


def test_libraries_that_a_library_needs_count_at_any_depth(place):
    install(place, "top", "1", "top.py", needs=["middle (>=1) ; python_version > '3'", 'unused ; extra == "more"'])
    install(place, "middle", "2", "middle.py", needs=["Bot.Tom[fast]>=3", "absent"])
    install(place, "bot_tom", "3", "bottom.py")
    install(place, "unused", "4", "unused.py")
    install(place, "prose", "5", "prose.py")

    assert libraries.versions(["top"]) == {"bot-tom": "3", "middle": "2", "top": "1"}


def test_all_libraries_that_share_a_module_count(place):
    install(place, "shared-one", "1", "shared/one.py")
    install(place, "shared-two", "2", "shared/two.py")

    assert libraries.versions(["shared"]) == {"shared-one": "1", "shared-two": "2"}


def test_a_library_whose_files_nobody_listed_has_its_own_name(place):
    (place / "plain.egg-info").mkdir()
    (place / "plain.egg-info" / "PKG-INFO").write_text("Name: plain\nVersion: 7.1\n", "utf-8")

    assert libraries.versions(["plain"]) == {"plain": "7.1"}


def test_the_first_of_two_installed_versions_counts(place, tmp_path, monkeypatch):
    (tmp_path / "later").mkdir()
    install(place, "twice", "1", "twice.py")
    install(tmp_path / "later", "twice", "2", "twice.py")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "later")])

    assert libraries.versions(["twice"]) == {"twice": "1"}


def test_an_import_of_nothing_installed_is_said_so(tmp_path, place):
    (tmp_path / "solvers").mkdir()
    (tmp_path / "solvers" / "one.py").write_text("import nowhere.at_all\n\n\ndef solve(p):\n    return 1\n", "utf-8")

    assert reach(Code(tmp_path), [("solvers.one", "solve")]).ingredients["nowhere"] == "not found"


def test_an_import_that_no_reached_code_runs_does_not_count(tmp_path, place):
    text = "def solve(p):\n    return 1\n\n\ndef figures(r):\n    import nowhere\n"
    (tmp_path / "solvers").mkdir()
    (tmp_path / "solvers" / "one.py").write_text(text, "utf-8")

    assert "nowhere" not in reach(Code(tmp_path), [("solvers.one", "solve")]).ingredients
    assert "nowhere" in reach(Code(tmp_path), [("solvers.one", "figures")]).ingredients


def test_the_versions_are_those_that_python_itself_finds():
    forget()
    provided = importlib.metadata.packages_distributions()

    for module in ("numpy", "pydantic", "yaml", "matplotlib", "jinja2"):
        for name in provided[module]:
            spelt = re.sub(r"[-_.]+", "-", name).lower()
            assert libraries.versions([module])[spelt] == importlib.metadata.version(name)


def test_the_version_of_python_is_an_ingredient(tmp_path):
    (tmp_path / "solvers").mkdir()
    (tmp_path / "solvers" / "one.py").write_text("def solve(p):\n    return 1\n", "utf-8")

    python = reach(Code(tmp_path), [("solvers.one", "solve")]).ingredients["Python"]

    assert python.startswith(f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}")
    assert sys.platform in python


def test_the_stamp_changes_with_every_installation(place):
    seen = {environment_stamp()}
    install(place, "one", "1", "one.py")
    seen.add(environment_stamp())
    (place / "one-1.dist-info").rename(place / "one-2.dist-info")
    seen.add(environment_stamp())
    (place / "paths.pth").write_text("", "utf-8")
    seen.add(environment_stamp())
    (place / "plain.egg-info").mkdir()
    seen.add(environment_stamp())
    (place / "plain.egg-info" / "PKG-INFO").write_text("Version: 2\n", "utf-8")
    seen.add(environment_stamp())

    assert len(seen) == 6


def test_the_stamp_stays_the_same_in_another_folder_and_process(place):
    install(place, "one", "1", "one.py")
    words = "import sys; from site_builder.storage.code_graph import libraries; sys.path[:] = sys.argv[1:]; "
    words += "print(libraries.environment_stamp())"
    moved = place.rename(Path(f"{place}-moved"))

    said = subprocess.run(
        [sys.executable, "-c", words, str(moved)], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    sys.path[:] = [str(moved)]

    assert said == [environment_stamp()]


def test_the_stamp_of_this_environment_names_its_libraries():
    installed = Path(sysconfig.get_paths()["purelib"])

    assert any(installed.glob("numpy-*.dist-info"))
    assert "numpy" in libraries.installed()


def code(module):
    """The names of the installed code behind a module, and which paths no installer has listed."""
    found = libraries.installed_code(module)
    return sorted(found.files), sorted(Path(path).name for path in found.unlisted)


def test_the_code_of_a_module_is_that_of_its_library_and_of_all_that_this_needs_without_tests(place):
    files = (
        "top/__init__.py",
        "top/fast.cpython-311-x86_64-linux-gnu.so",
        "top/tests/test_a.py",
        "top/note.txt",
        "../../bin/top.py",
    )
    install(place, "top", "1", *files, needs=["below"])
    install(place, "below", "2", "below.py")

    assert code("top") == (["below.py", "top/__init__.py", "top/fast.cpython-311-x86_64-linux-gnu.so"], [])
    assert libraries.installed_code("top").files["below.py"] == str(place / "below.py")


def test_the_lists_of_installers_are_known_so_that_another_list_is_noticed(place):
    install(place, "top", "1", "top.py", "top-1.dist-info/RECORD")

    assert libraries.installed_code("top").records == [str(place / "top-1.dist-info" / "RECORD")]


def test_code_that_no_installer_has_listed_is_found_with_what_it_imports(place):
    install(place, "listed", "1", "listed.py")
    for name, text in {
        "mine/__init__.py": "import os\nimport second\n",
        "mine/inner/part.py": "from . import other\nimport listed\n",
        "mine/__pycache__/part.py": "",
        "second.py": "import nowhere, mine\n",
    }.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)

    files, unlisted = code("mine")

    assert files == ["listed.py", "mine/__init__.py", "mine/inner/part.py", "second.py"]
    assert unlisted == ["__init__.py", "part.py", "second.py"]


def test_the_code_of_a_library_that_is_installed_as_editable_is_where_python_finds_it(place, tmp_path, monkeypatch):
    install(place, "my-lib", "1", "__editable__.my_lib-1.pth")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "my_lib.py").write_text("")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "work")])

    assert code("my_lib") == (["my_lib.py"], ["my_lib.py"])


def test_what_a_removed_library_has_left_is_no_library(place):
    (place / "gone-1.0.dist-info").mkdir()
    install(place, "numpy", "2.4.0", "numpy/__init__.py")

    assert list(libraries.installed()) == ["numpy"]
