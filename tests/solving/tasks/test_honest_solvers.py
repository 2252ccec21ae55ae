"""Ordinary code in solvers works: what people write when they think of their puzzle, and not of the builder."""

import re
from textwrap import dedent

import pytest

from tests.conftest import Project

# Two dice: 15 of 36 throws reach 8, counted by hand (5 + 4 + 3 + 2 + 1).
DICE = '''
    """Two dice: how often is the sum at least a target?"""

    import os
    from fractions import Fraction
    from pathlib import Path
    from typing import Annotated

    from site_builder.contract import Field


    def solve(target: Annotated[int, Field(ge=2, le=12)] = 8):
        won = sum(a + b >= target for a in range(1, 7) for b in range(1, 7))
        return {"chance": Fraction(won, 36)}


    def count(a):
        return sum(a + b >= 8 for b in range(1, 7))


    def check_counting(target):
        ways = {s: 6 - abs(7 - s) for s in range(2, 13)}
        return {"chance": Fraction(sum(w for s, w in ways.items() if s >= target), 36)}
'''
WON = "won = sum(a + b >= target for a in range(1, 7) for b in range(1, 7))"


def counting(way):
    """The solver that counts in this way."""
    lines = dedent(way).strip().splitlines()
    return dedent(DICE.replace(WON, "\n        ".join(lines))).lstrip()


SOLVERS = {
    "pool": counting(
        """
        import multiprocessing
        with multiprocessing.Pool(2) as pool:
            won = sum(pool.map(count, range(1, 7)))
        """
    ),
    "timed": counting(f"import time\nstarted = time.perf_counter()\n{WON}\nprint(time.perf_counter() - started)"),
    "dated": counting(f"import datetime\n{WON}\nprint(datetime.datetime.now())"),
    "threads": counting(
        """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(2) as pool:
            won = sum(pool.map(count, range(1, 7)))
        """
    ),
    "temporary": counting(
        """
        import tempfile
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as file:
            file.write(b"15")
            file.seek(0)
            Path(folder, "won").write_bytes(file.read())
            won = int(Path(folder, "won").read_text())
        """
    ),
    "loadtxt": counting("import numpy\nwon = int(numpy.loadtxt(Path(__file__).parent / 'ways.txt')[6:].sum())"),
    "csv": counting("import csv\nwon = sum(int(row[0]) for row in list(csv.reader(open('solvers/ways.txt')))[6:])"),
    "json": counting("import json\nwon = json.loads(Path('data/won.json').read_bytes())['won']"),
    "writer": counting(f"{WON}\nPath('data/table.txt').write_text(str(won))\nwon = int(open('data/table.txt').read())"),
    "internal": counting(f"from site_builder.values.packing import pack\n{WON}\npack(won)"),
    "matplotlib_at_top": counting(WON).replace("import os\n", "import matplotlib.pyplot as plt\n"),
    "cached": counting(
        """
        try:
            won = int(open("data/cache.txt").read())
        except FileNotFoundError:
            won = sum(map(count, range(1, 7)))
            Path("data/cache.txt").write_text(str(won))
        """
    ),
    "offline": counting(
        f"""
        import urllib.request
        try:
            urllib.request.urlopen("http://127.0.0.1:9/dice")
        except OSError:
            {WON}
        """
    ),
}


@pytest.fixture(scope="module")
def answers(builds, tmp_path_factory):
    """What a post shows of each of these solvers."""
    root = tmp_path_factory.mktemp("honest") / "project"
    root.mkdir()
    project = Project(root)
    project.write("solvers/ways.txt", "1\n2\n3\n4\n5\n6\n5\n4\n3\n2\n1\n")
    project.write("data/won.json", '{"won": 15}')
    for name, text in SOLVERS.items():
        project.write(f"solvers/{name}.py", text)
    runs = "".join(f"  {name}: {{solver: {name}}}\n" for name in SOLVERS)
    lines = "".join(f"{name} gives {{{{ results.{name}.chance | fraction }}}}.\n\n" for name in SOLVERS)
    project.post(lines, front=f"runs:\n{runs}")
    ran = project.build(status=None)
    assert ran.status == 0, ran.err
    page = project.page("posts/ruin/index.html")
    return dict(re.findall(r"<p>(\w+) gives .*?<mn>(\d+)</mn>", page, re.DOTALL))


@pytest.mark.parametrize("name", SOLVERS)
def test_ordinary_code_in_a_solver_works(answers, name):
    assert answers[name] == "5"  # of 12
