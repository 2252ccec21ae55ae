"""A sixth puzzle is one solver, one post and one test, as `new` writes them; nothing else of the project changes."""

import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT, of_the_five

NEW = ["content/posts/a-ladder-of-coins.md", "solvers/coin_ladder.py", "tests/solvers/test_coin_ladder.py"]


def run(root, *arguments):
    return subprocess.run([sys.executable, *arguments], cwd=root, capture_output=True, text=True, check=False)


def files_of(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


@pytest.fixture
def root(tmp_path):
    """A copy of the project without its posts."""
    root = tmp_path / "project"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("benchmarks/", "content/posts/")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, root / name)
    shutil.rmtree(root / "content" / "accepted", ignore_errors=True)  # of posts that this copy leaves out
    return root


def begin(root):
    return run(root, "build.py", "new", "A ladder of coins", "--solver", "coin_ladder")


@of_the_five
def test_a_sixth_puzzle_takes_one_solver_one_post_and_one_test_and_all_work_as_they_are_begun(root):
    before = files_of(root)

    begun = begin(root)
    after = files_of(root)
    built = run(root, "build.py")
    checked = run(root, "build.py", "check")
    tested = run(root, "-m", "pytest", "-p", "no:cacheprovider", NEW[2], "tests/test_layout.py")
    linted = run(root, "-m", "ruff", "check", "--no-cache", *NEW[1:])
    formatted = run(root, "-m", "ruff", "format", "--check", "--no-cache", *NEW[1:])

    assert begun.returncode == 0, begun.stderr
    assert {name for name in after if after[name] != before.get(name)} == set(NEW)
    assert [name for name in NEW if f"Wrote {name}\n" not in begun.stdout] == []
    assert built.returncode == 0, built.stderr
    assert checked.returncode == 0, checked.stderr
    # Feller, vol. I, ch. XIV, table 1: from 9 coins to 10, with 0.45 a round.
    assert "0.790 agrees with results.main.chance" in checked.stdout
    page = (root / "_site" / "posts" / "a-ladder-of-coins" / "index.html").read_text("utf-8")
    assert "79.0%" in page
    assert "a-ladder-of-coins" in (root / "_site" / "index.html").read_text("utf-8")
    assert tested.returncode == 0, tested.stdout
    assert linted.returncode == 0, linted.stdout
    assert formatted.returncode == 0, formatted.stdout


@of_the_five
@pytest.mark.deep
def test_the_solver_that_is_begun_has_the_types_that_it_says(root):
    begin(root)

    typed = run(root, "-m", "mypy", "--allow-untyped-defs", "--allow-incomplete-defs", NEW[1])

    assert typed.returncode == 0, typed.stdout
