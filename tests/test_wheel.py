"""The wheel: what is in it, and the program that it installs, in environments of their own without the checkout."""

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.util import find_spec

import pytest

from site_builder import __version__
from site_builder.cli import scaffold
from tests.conftest import ROOT, of_the_five
from tests.support.installing import Installed, install, make_wheel

pytestmark = pytest.mark.skipif(find_spec("hatchling") is None, reason="script/test installs hatchling")


@of_the_five
def test_the_wheel_holds_the_builder_its_theme_docs_and_examples_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}

    theme = {f"site_builder/default_theme/{name}" for name in files(ROOT / "templates")}
    examples = {f"site_builder/examples/{name}" for name, _ in scaffold.examples()}
    docs = {f"site_builder/docs/{name}" for name in files(ROOT / "docs")}
    assert names == {f"site_builder/{name}" for name in files(ROOT / "site_builder")} | theme | examples | docs


@pytest.mark.timeout(1800)  # the tests of the five solvers take minutes
@pytest.mark.parametrize("words", [(), pytest.param(("--examples",), marks=pytest.mark.deep)])
def test_a_new_blog_builds_and_passes_its_checks_and_tests(installed, tmp_path, words):
    installed.built(tmp_path, "init", "blog", *words)

    assert f"Built {'6 posts' if words else '1 post'}" in installed.built(tmp_path / "blog")
    assert "no answer differs" in installed.built(tmp_path / "blog", "check")
    assert installed.built(tmp_path / "blog").startswith("Nothing has changed")
    python = installed.folder / "bin" / "python"
    tested = installed.call(tmp_path / "blog", python, "-m", "pytest", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    door = installed.call(tmp_path, python, "blog/build.py")
    assert door.stdout.startswith("Nothing has changed")


def test_a_new_blog_holds_the_wheel_that_its_requirements_install(wheel, installed, tmp_path):
    installed.built(tmp_path, "init", "blog")

    lines = (tmp_path / "blog" / "requirements.txt").read_text("utf-8").splitlines()
    assert lines[1] == f"./wheels/{wheel.name}"
    assert (tmp_path / "blog" / lines[1]).read_bytes() == wheel.read_bytes()


@pytest.fixture
def next_wheel(tmp_path):
    """A later version, of which one file of the theme is another."""
    source = tmp_path / "next"
    left_out = shutil.ignore_patterns(".git", ".venv", ".store", "_site", "node_modules", "__pycache__", "dist")
    shutil.copytree(ROOT, source, ignore=left_out, symlinks=True)
    for name, old, new in (
        ("site_builder/__init__.py", f'__version__ = "{__version__}"', '__version__ = "99.0"'),
        ("templates/_tags.html", "{#", "{# Another one. #}{#"),
    ):
        text = (source / name).read_text("utf-8")
        assert old in text
        (source / name).write_text(text.replace(old, new, 1), "utf-8")
    make_wheel(tmp_path / "wheels", source)
    return next((tmp_path / "wheels").glob("*.whl"))


@pytest.mark.deep
def test_a_blog_of_one_version_is_built_by_the_next_which_writes_nothing_in_it(wheel, next_wheel, tmp_path):
    own = install(wheel, tmp_path / "environment")
    own.built(tmp_path, "init", "blog")
    blog = tmp_path / "blog"
    own.built(blog, "theme", "copy", "_tags.html")
    own.built(blog, "theme", "copy", "_entry.html")
    own.built(blog)
    before = {path: path.read_bytes() for path in sources_of(blog)}
    pip = [sys.executable, "-m", "pip", "--python", own.folder / "bin" / "python", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--no-index", "--upgrade", next_wheel], check=True, capture_output=True)

    said = own.built(blog, "--explain")
    checked = own.run(blog, "check")

    assert "  text: written, the builder changed\n" in said
    assert own.built(blog).startswith("Nothing has changed")
    assert "_tags.html" in checked.stdout + checked.stderr
    assert "_entry.html" not in checked.stdout + checked.stderr
    provenance = json.loads((blog / "_site/posts/the-gamblers-ruin/provenance.json").read_text("utf-8"))
    assert provenance["builder"] == "puzzlepress 99.0"
    assert {path: path.read_bytes() for path in sources_of(blog)} == before


def sources_of(blog):
    """All files of a blog but what builds make."""
    made = {"_site", ".store", "__pycache__"}
    return [path for path in blog.rglob("*") if path.is_file() and not made & set(path.relative_to(blog).parts)]


def test_without_the_builder_the_front_door_of_a_new_blog_says_what_to_install(installed, tmp_path):
    installed.built(tmp_path, "init", "blog")

    done = installed.call(tmp_path, sys.executable, "-I", "-S", "blog/build.py")

    assert done.returncode == 1
    assert done.stderr.endswith("-m pip install -r requirements.txt\n")


def files(folder):
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix() for path in paths}


@pytest.mark.deep
def test_it_builds_from_any_folder_of_a_project_the_site_that_a_checkout_builds(installed, project):
    (project.root / "templates").unlink()  # both have the default theme of their own
    project.post("{{ figure(results.fair.figures.chance) }}\n")

    installed.built(project.root / "content" / "posts", "--output", str(project.root / "other"))
    project.build()

    assert project.files("other") == project.files()
    assert len(project.files()) > 40


@pytest.mark.deep
def test_it_builds_with_an_environment_inside_the_project(wheel, project):
    project.post("It is {{ results.fair.half }}.\n")

    own = install(wheel, project.root / ".venv")

    assert "Built 1 post" in own.built(project.root)


def test_without_a_project_it_says_what_to_do(installed, tmp_path):
    done = installed.run(tmp_path, "build")

    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (1, "", [])
    assert done.stderr.startswith(f"{tmp_path}/config.yaml: there is no config.yaml here\n")
    assert "or make a project: puzzlepress init my-blog" in done.stderr


@pytest.mark.parametrize(("word", "status"), [("--version", 0), ("--help", 0), ("biuld", 2)])
def test_what_needs_no_project_is_answered_anywhere(installed, tmp_path, word, status):
    done = installed.run(tmp_path, word)

    assert done.returncode == status
    assert "there is no config.yaml" not in done.stderr


def test_messages_name_the_program_that_was_called(installed, project):
    done = installed.run(project.root, "explain")

    assert done.stderr.startswith("Usage: puzzlepress explain [OPTIONS] POST\n")


@pytest.mark.needs("bash")
def test_bash_completes_the_program_by_the_line_of_the_documentation(installed, project):
    script = """eval "$(_PUZZLEPRESS_COMPLETE=bash_source puzzlepress)"
COMP_WORDS=(puzzlepress solve gam); COMP_CWORD=2
_puzzlepress_completion puzzlepress; echo "${COMPREPLY[@]}" """
    path = f"PATH={installed.folder}/bin:{os.environ['PATH']}"

    done = installed.call(project.root, "env", path, "bash", "-c", script)

    assert (done.stdout, done.stderr) == ("gamblers_ruin\n", "")


@pytest.mark.deep
def test_it_is_built_and_installed_with_its_libraries_from_a_clean_clone(tmp_path):
    clone, folder = tmp_path / "clone", tmp_path / "environment"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    venv.create(folder, with_pip=True)
    own, python = Installed(folder), folder / "bin" / "python"

    built = own.call(clone, python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", "dist", ".")
    done = own.call(tmp_path, python, "-m", "pip", "install", *clone.glob("dist/*.whl"))

    assert built.returncode == 0, built.stderr
    assert done.returncode == 0, done.stderr
    own.built(tmp_path, "init", "blog")
    assert "Built 1 post" in own.built(tmp_path / "blog")
    assert "no answer differs" in own.built(tmp_path / "blog", "check")
    assert own.call(tmp_path / "blog", python, "-m", "pytest").returncode == 0


@pytest.mark.deep
def test_an_editable_installation_is_the_checkout(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("editable") / "environment"
    venv.create(folder, with_pip=True)
    own = Installed(folder)
    pip = own.call(folder, folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--editable", ROOT)
    assert pip.returncode == 0, pip.stderr
    project.post("It is {{ results.fair.half }}.\n")

    assert "Built 1 post" in own.built(project.root)
