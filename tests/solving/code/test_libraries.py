"""Libraries behind top-level modules: versions from what installers leave, content for everything else."""

import importlib.metadata
import json
import os
import re
import sys

import pytest

from site_builder.solving.code.libraries import Library, libraries_of


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of installed libraries, the only one."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder)])
    return folder


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def install(place, name, version, *files, editable=False):
    """Install a library as pip does: its files, and a folder with their list."""
    info = f"{name}-{version}.dist-info"
    listed = "".join(f"{file},sha256=abc,1\n" for file in (*files, f"{info}/METADATA"))
    origin = {"url": "file:///home/me/work", "dir_info": {"editable": editable}}
    write(place, {file: "" for file in files if not file.startswith("..")})
    write(place, {f"{info}/RECORD": listed, f"{info}/direct_url.json": json.dumps(origin)})


def test_a_module_has_the_version_of_the_library_that_it_belongs_to(place):
    install(place, "pyyaml", "6.0.3", "../../bin/yaml", "yaml/__init__.py", "_yaml.py")
    install(place, "yamllint", "1.0", "yamllint/__init__.py")

    assert libraries_of("yaml") == [Library("pyyaml", "6.0.3")]
    assert libraries_of("_yaml") == [Library("pyyaml", "6.0.3")]


def test_all_libraries_that_share_a_module_count(place):
    names = ["shared_a", "shared_b", "shared_c", "shared_d", "shared_e"]
    for name in names:
        install(place, name, "1", f"shared/{name}.py")

    assert libraries_of("shared") == [Library(name, "1") for name in names]


def test_a_library_of_a_linux_distribution_counts_by_its_version(place):
    write(place, {"dicelib/__init__.py": "", "DiceLib-6.0.egg-info/top_level.txt": "_dicelib\ndicelib\n"})

    assert libraries_of("dicelib") == [Library("DiceLib", "6.0")]


def test_another_version_is_noticed_in_the_same_process(place):
    install(place, "dice", "1", "dice.py")
    assert libraries_of("dice") == [Library("dice", "1")]

    (place / "dice-1.dist-info").rename(place / "dice-2.dist-info")
    os.utime(place, ns=(1, 1))  # as another time of change, however coarse the clock of the file system

    assert libraries_of("dice") == [Library("dice", "2")]


def test_a_library_that_is_not_there_is_not_installed(place):
    assert libraries_of("nowhere") == [Library("nowhere", "not installed")]


def test_an_editable_library_counts_by_its_content(place):
    install(place, "dice", "1", "dice.py", editable=True)
    [before] = libraries_of("dice")

    (place / "dice.py").write_text("FACES = 6\n")

    assert before.files == (str(place / "dice.py"),)
    assert libraries_of("dice")[0].version != before.version


@pytest.mark.parametrize("beside", [{}, {"dice.egg-info/top_level.txt": "dice\n"}], ids=["alone", "with metadata"])
@pytest.mark.parametrize("edited", ["dice/__init__.py", "dice/inner/roll.py", "dice/fast.so"])
def test_a_library_outside_of_site_packages_counts_by_its_content(tmp_path, monkeypatch, beside, edited):
    files = {"dice/__init__.py": "", "dice/inner/roll.py": "", "dice/fast.so": "", "dice/notes.txt": ""}
    write(tmp_path / "work", files | beside)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "work")])
    [before] = libraries_of("dice")

    (tmp_path / "work" / "dice" / "notes.txt").write_text("a note")
    assert libraries_of("dice") == [before]
    (tmp_path / "work" / edited).write_text("FACES = 6\n")

    assert libraries_of("dice")[0].version != before.version
    assert len(before.files) == 3


def test_the_folder_of_a_library_does_not_count(tmp_path, monkeypatch):
    found = []
    for folder in ("here", "there"):
        write(tmp_path / folder, {"dice.py": "FACES = 6\n"})
        monkeypatch.setattr(sys, "path", [str(tmp_path / folder)])
        found.append(libraries_of("dice")[0].version)

    assert found[0] == found[1]


@pytest.mark.parametrize("module", ["numpy", "pydantic", "yaml", "matplotlib", "PIL", "mpl_toolkits"])
def test_versions_are_those_that_python_itself_finds(module):
    provided = importlib.metadata.packages_distributions()[module]
    expected = {re.sub(r"[-_.]+", "_", name).lower(): importlib.metadata.version(name) for name in provided}

    assert {each.name.lower(): each.version for each in libraries_of(module)} == expected
