"""A small project of solvers, of which tests change one thing at a time and ask what the key of a result says to it."""

from site_builder.storage.code_fingerprints import solver_entries
from site_builder.storage.code_graph.project_modules import Code
from site_builder.storage.code_graph.reachability import reach

FILES = {
    "solvers/ruin/__init__.py": '''
"""The gambler's ruin."""

from solvers.ruin.picturing import figures
from solvers.ruin.puzzle import Parameters, Result, solve

DATA = ()
__all__ = ["Parameters", "Result", "figures", "solve"]
''',
    "solvers/ruin/puzzle.py": '''
"""The chance of the goal."""

from dataclasses import dataclass

from site_builder.contract import Field, parameters
from solvers.common import lattice

MOST = 4
UNUSED = 5


@parameters
class Parameters:
    goal: int = 3


@dataclass(frozen=True)
class Result:
    chance: float

    def half(self):
        return self.chance / 2


def solve(given):
    """The result."""
    start = lattice.first(given.goal)  # where it begins
    return Result(min(start, MOST))


def unused():
    return 1
''',
    "solvers/ruin/picturing.py": """
from site_builder.contract import Heatmap

CAPTION = "the chance"


def figures(result):
    return {"map": Heatmap("chance", None, "coins", _label(result), CAPTION)}


def _label(result):
    return "chance"
""",
    "solvers/common/__init__.py": '"""Shared."""\n',
    "solvers/common/lattice.py": """
from solvers.common.deeper import step


def first(goal, by=1):
    return step(goal, by)


def last(goal):
    return goal
""",
    "solvers/common/deeper.py": """
def step(goal, by):
    return goal - by
""",
    "solvers/other.py": "def solve(given):\n    return 7\n",
}
PUZZLE = "solvers/ruin/puzzle.py"
LATTICE = "solvers/common/lattice.py"
DEEPER = "solvers/common/deeper.py"
PICTURING = "solvers/ruin/picturing.py"


class Tree:
    def __init__(self, root):
        self.root = root
        for path, text in FILES.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def change(self, path, old, new):
        text = (self.root / path).read_text("utf-8")
        assert text.count(old) == 1, f"{old!r} in {path}"
        self.write(path, text.replace(old, new))

    def add(self, path, text):
        """Write the text at the end of the file."""
        self.write(path, (self.root / path).read_text("utf-8") + text)

    def reach(self, function="solve", solver="ruin"):
        return reach(Code(self.root), solver_entries(solver, function))

    def key(self, function="solve"):
        return self.reach(function).key

    def changes(self, path, old, new, function="solve"):
        """Whether the key is another one after the change; the change stays."""
        before = self.key(function)
        self.change(path, old, new)
        return self.key(function) != before
