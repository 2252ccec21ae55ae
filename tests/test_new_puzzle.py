"""A sixth puzzle is one solver, one post and one test file; nothing else of the project changes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import RUIN

ROOT = Path(__file__).resolve().parents[1]

POST = """\
---
title: The gambler's ruin
date: 2026-07-01
tags: [probability]
answer: "{{ results.fair.half | percent }}"
runs:
  fair: {solver: gamblers_ruin, parameters: {goal: 10}}
---
Half way the chance is {{ results.fair.half | fraction }}.

{{ figure(results.fair.figures.chance) }}
"""

TEST = """\
from solvers.gamblers_ruin import Parameters, checks, solve


def test_in_a_fair_game_the_chance_is_the_share_of_the_goal_already_held():
    # Feller, vol. I, ch. XIV, sect. 2: for fair rounds the chance from s coins is s / goal.
    result = solve(Parameters(goal=4))

    assert [float(c) for c in result.chance] == [0, 0.25, 0.5, 0.75, 1]
    assert all(check.passed for check in checks(Parameters(goal=4), result))
"""


def run(root, *arguments):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=root, capture_output=True, text=True, env=environment, check=False
    )


def test_a_sixth_puzzle_takes_one_solver_one_post_and_one_test(tmp_path):
    root = tmp_path / "project"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("benchmarks/", "docs/", "content/posts/")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, root / name)
    (root / "content" / "posts").mkdir(parents=True, exist_ok=True)
    (root / "solvers" / "gamblers_ruin.py").write_text(RUIN, "utf-8")
    (root / "content" / "posts" / "gamblers-ruin.md").write_text(POST, "utf-8")
    (root / "tests" / "solvers" / "test_gamblers_ruin.py").write_text(TEST, "utf-8")

    built = run(root, "build.py")
    tested = run(root, "-m", "pytest", "tests/solvers/test_gamblers_ruin.py", "tests/site_builder/test_walls.py")

    assert built.returncode == 0, built.stderr
    page = (root / "_site" / "posts" / "gamblers-ruin" / "index.html").read_text("utf-8")
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac>" in page
    assert "gamblers-ruin" in (root / "_site" / "index.html").read_text("utf-8")
    assert tested.returncode == 0, tested.stdout
