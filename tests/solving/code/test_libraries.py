"""Libraries behind top-level modules: versions from what installers leave."""

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

from site_builder.solving.code import libraries
from site_builder.solving.code.libraries import environment_stamp, libraries_of, versions
from tests.conftest import ROOT


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of installed libraries, the only one."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder)])
    forget()
    yield folder
    forget()


def forget():
    """Look for libraries anew, as another process does."""
    libraries._about.cache_clear()
    libraries._files.cache_clear()


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def install(place, name, version, *files, needs=()):
    """Install a library as pip does: its files, and a folder with their list."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    listed = "".join(f"{file},sha256=abc,1\n" for file in (*files, f"{info}/METADATA"))
    needed = "".join(f"Requires-Dist: {need}\n" for need in needs)
    write(place, {file: "" for file in files if not file.startswith("..") and not (place / file).exists()})
    write(place, {f"{info}/RECORD": listed})
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}\nRequires-Dist: prose\n"
    write(place, {f"{info}/METADATA": about})


def test_a_module_has_the_version_of_the_library_that_it_belongs_to(place):
    install(place, "Py_YAML", "6.0.3", "../../bin/yaml", "yaml/__init__.py", "_yaml.py")
    install(place, "yamllint", "1.0", "yamllint/__init__.py")

    assert libraries_of("yaml") == {"py-yaml": "6.0.3"}
    assert libraries_of("_yaml") == {"py-yaml": "6.0.3"}


def test_all_libraries_that_share_a_module_count(place):
    names = ["shared-a", "shared-b", "shared-c", "shared-d", "shared-e"]
    for name in names:
        install(place, name, "1", f"shared/{name}.py")

    assert libraries_of("shared") == dict.fromkeys(names, "1")


def test_libraries_that_a_library_needs_count_at_any_depth(place):
    install(place, "top", "1", "top.py", needs=["middle (>=1) ; python_version > '3'", 'unused ; extra == "more"'])
    install(place, "middle", "2", "middle.py", needs=["Bot.Tom[fast]>=3", "absent"])
    install(place, "bot_tom", "3", "bottom.py")
    install(place, "unused", "4", "unused.py")
    install(place, "prose", "5", "prose.py")

    assert libraries_of("top") == {"bot-tom": "3", "middle": "2", "top": "1"}


def test_a_library_of_a_linux_distribution_counts_by_its_version(place):
    info = "PyYAML-6.0.egg-info"
    about = "Metadata-Version: 2.1\nName: PyYAML\nVersion: 6.0\n"
    write(place, {"yaml/__init__.py": "", f"{info}/top_level.txt": "_yaml\nyaml\n", f"{info}/PKG-INFO": about})

    assert libraries_of("yaml") == {"pyyaml": "6.0"}


def test_another_version_that_is_installed_while_the_builder_runs_counts(place):
    install(place, "changing", "1", "changing.py")
    before = libraries_of("changing")

    (place / "changing-1.dist-info").rename(place / "gone")
    install(place, "changing", "2", "changing.py")

    assert (before, libraries_of("changing")) == ({"changing": "1"}, {"changing": "2"})


def test_the_first_of_two_installed_versions_counts(place, tmp_path, monkeypatch):
    install(place, "twice", "1", "twice.py")
    install(tmp_path / "later" / "site-packages", "twice", "2", "twice.py")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "later" / "site-packages")])

    assert libraries_of("twice") == {"twice": "1"}
    assert versions(["twice"]) == {"twice": "1"}


def test_what_a_removed_library_has_left_is_no_library(place):
    (place / "gone-1.0.dist-info").mkdir()
    install(place, "numpy", "2.4.0", "numpy/__init__.py")

    assert versions(["gone", "numpy"]) == {"numpy": "2.4.0"}
    assert libraries_of("gone") == {"gone": "not installed"}


def test_a_library_that_is_not_there_is_not_installed(place):
    assert libraries_of("nowhere") == {"nowhere": "not installed"}


@pytest.mark.parametrize("module", ["numpy", "pydantic", "yaml", "matplotlib", "PIL", "mpl_toolkits"])
def test_versions_are_those_that_python_itself_finds(module):
    forget()
    provided = importlib.metadata.packages_distributions()[module]
    names = {re.sub(r"[-_.]+", "-", name).lower(): importlib.metadata.version(name) for name in provided}

    assert names.items() <= libraries_of(module).items()
    assert names.items() <= versions(names).items()


# The stamp of the environment


def test_the_stamp_changes_with_every_installation(place):
    seen = {environment_stamp()}
    install(place, "one", "1", "one.py")
    seen.add(environment_stamp())
    (place / "one-1.dist-info").rename(place / "one-2.dist-info")
    seen.add(environment_stamp())
    (place / "paths.pth").write_text("", "utf-8")
    seen.add(environment_stamp())

    assert len(seen) == 4


def test_the_stamp_stays_the_same_in_another_folder_and_process(place):
    install(place, "one", "1", "one.py")
    words = "import sys; from site_builder.solving.code import libraries; sys.path[:] = sys.argv[1:]; "
    words += "print(libraries.environment_stamp())"
    moved = place.rename(Path(f"{place}-moved"))

    said = subprocess.run(
        [sys.executable, "-c", words, str(moved)], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    sys.path[:] = [str(moved)]

    assert said == [environment_stamp()]
