"""The inputs that a task's code adds to its key: they change with all that may change its answer, and with no more."""

import os
import subprocess
import sys

import pytest

from site_builder.errors import SiteError
from site_builder.solving.code.code_inputs import ProjectModules, code_inputs
from site_builder.solving.code.libraries import environment_stamp
from tests.conftest import ROOT

FILES = {
    "solvers/ruin/__init__.py": '''
"""The gambler's ruin."""

from solvers.ruin.picture import figure_chance
from solvers.ruin.puzzle import Result, solve

__all__ = ["Result", "figure_chance", "solve"]
''',
    "solvers/ruin/puzzle.py": '''
"""The chance of the goal."""

from dataclasses import dataclass

from site_builder.contract import Grid
from solvers.common import lattice

MOST = 4
UNUSED = 5


@dataclass(frozen=True)
class Result:
    chance: float

    def half(self):
        return self.chance / 2


def solve(goal: int = 3):
    """The result."""
    start = lattice.first(goal)  # where it begins
    return Result(min(start, MOST))


def unused():
    return 1
''',
    "solvers/ruin/picture.py": """
import matplotlib.pyplot as plt

CAPTION = "the chance"
COLOUR = "tab:blue"


def figure_chance(chance):
    plt.plot(chance, color=COLOUR, label=_label())


def _label():
    return CAPTION
""",
    "solvers/common/__init__.py": "",
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
    "solvers/other.py": """
from solvers.common.lattice import last


def solve(goal: int = 3):
    return last(goal)
""",
}
PUZZLE = "solvers/ruin/puzzle.py"
PICTURE = "solvers/ruin/picture.py"
LATTICE = "solvers/common/lattice.py"
COMMON = "solvers/common/__init__.py"
DEEPER = "solvers/common/deeper.py"
OTHER = "solvers/other.py"


class Project:
    """A small project of two solvers, of which tests change one thing at a time."""

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

    def code(self, *entries):
        return code_inputs(ProjectModules(self.root), entries or [("solvers.ruin", "solve")])

    def inputs(self, *entries):
        return dict(self.code(*entries).inputs)

    def changed(self, path, old, new, *entries):
        """Names of the inputs that differ after a change of a file; the change stays."""
        before = self.inputs(*entries)
        self.change(path, old, new)
        after = self.inputs(*entries)
        return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "blog")


# Helpers and their users


def test_a_helper_in_another_module_changes_the_inputs_of_exactly_its_users(project):
    solves = {name: [(f"solvers.{name}", "solve")] for name in ("ruin", "other")}
    before = {name: project.inputs(*entries) for name, entries in solves.items()}

    project.change(DEEPER, "goal - by", "goal - by - 1")

    assert project.inputs(*solves["ruin"]) != before["ruin"]
    assert project.inputs(*solves["other"]) == before["other"]


def test_the_input_that_changes_is_the_helper(project):
    assert project.changed(DEEPER, "goal - by", "goal - by - 1") == {"code of step in solvers/common/deeper.py"}


def test_inputs_have_readable_names(project):
    assert list(project.inputs()) == [
        "Python",
        "code of MOST in solvers/ruin/puzzle.py",
        "code of Result in solvers/ruin/puzzle.py",
        "code of first in solvers/common/lattice.py",
        "code of solve in solvers/ruin/puzzle.py",
        "code of step in solvers/common/deeper.py",
        "import of dataclass in solvers/ruin/puzzle.py",
        "import of lattice in solvers/ruin/puzzle.py",
        "import of solve in solvers/ruin/__init__.py",
        "import of step in solvers/common/lattice.py",
    ]
    assert project.inputs()["Python"] == f"{sys.version_info.major}.{sys.version_info.minor}"


def test_the_code_of_a_figure_counts_for_the_figure(project):
    figure = ("solvers.ruin", "figure_chance")

    assert project.changed(PICTURE, '"the chance"', '"chances"', figure) == {
        "code of CAPTION in solvers/ruin/picture.py"
    }
    assert not project.changed(PUZZLE, "min(start, MOST)", "max(start, MOST)", figure)


# What does not count


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(PICTURE, '"the chance"', '"the chance of the goal"', id="a caption"),
        pytest.param(PICTURE, '"tab:blue"', '"tab:red"', id="a colour"),
        pytest.param(PICTURE, "return CAPTION", "return CAPTION.upper()", id="a figure's helper"),
        pytest.param(PICTURE, "CAPTION =", "WIDTH = len('wide')\nCAPTION =", id="a new constant of a figure"),
        pytest.param(PUZZLE, "# where it begins", "# where it starts", id="a comment"),
        pytest.param(PUZZLE, '"""The result."""', '"""The one result."""', id="the docstring of solve"),
        pytest.param(PUZZLE, '"""The chance of the goal."""', '"""The chance."""', id="the docstring of a module"),
        pytest.param(PUZZLE, "MOST = 4", 'MOST = 4\n"""The most."""', id="the docstring of a constant"),
        pytest.param(PUZZLE, "    chance: float", '    """Found."""\n\n    chance: float', id="that of a class"),
        pytest.param(PUZZLE, "        return self", '        """One."""\n        return self', id="that of a method"),
        pytest.param(PUZZLE, "min(start, MOST)", "min(\n        start,\n        MOST,\n    )", id="formatting"),
        pytest.param(PUZZLE, "def unused", "\n\n\ndef unused", id="line numbers"),
        pytest.param(PUZZLE, "MOST = 4\nUNUSED = 5\n", "UNUSED = 5\nMOST = 4\n", id="the order of definitions"),
        pytest.param(PUZZLE, "return 1", "return 2", id="an unused function"),
        pytest.param(PUZZLE, "import Grid", "import Curve, Grid", id="an unused import"),
        pytest.param(LATTICE, "return goal\n", "return goal + 1\n", id="an unused function of a used module"),
        pytest.param(OTHER, "return last(goal)", "return 7", id="another solver"),
    ],
)
def test_what_cannot_change_the_answer_does_not_count(project, path, old, new):
    assert not project.changed(path, old, new)


@pytest.mark.parametrize("test", ['__name__ == "__main__"', "TYPE_CHECKING"])
def test_what_no_import_runs_does_not_count(project, test):
    project.add(PUZZLE, f"\nif {test}:\n    print(unused())\n")

    assert not project.changed(PUZZLE, "return 1", "return 2")
    assert not project.changed(PUZZLE, "print(unused())", "print(UNUSED)")


def test_a_local_name_that_hides_a_global_one_is_not_the_global_one(project):
    project.add(PUZZLE, "\n\ndef idle():\n    return unused() + UNUSED\n")
    project.change(PUZZLE, "def solve(goal: int = 3):", "def solve(unused: int = 3):")
    project.change(PUZZLE, "lattice.first(goal)", "lattice.first(sum(UNUSED for UNUSED in range(unused)))")

    assert not project.changed(PUZZLE, "return 1", "return 2")
    assert not project.changed(PUZZLE, "UNUSED = 5", "UNUSED = 6")


def test_a_global_name_counts_though_it_is_local_elsewhere_in_the_function(project):
    project.change(PUZZLE, "min(start, MOST)", "min(start, MOST, [unused for unused in ()] or unused())")

    assert project.changed(PUZZLE, "return 1", "return 2")


def test_a_global_name_counts_that_a_class_binds_anew(project):
    project.change(PUZZLE, "    chance: float\n", "    chance: float\n    UNUSED = UNUSED\n")

    assert project.changed(PUZZLE, "UNUSED = 5", "UNUSED = 6")


def test_the_folder_of_the_project_does_not_count(project, tmp_path):
    assert Project(tmp_path / "elsewhere" / "deeper").inputs() == project.inputs()


# What counts


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(PUZZLE, "MOST = 4", "MOST = 4.0", id="a constant"),
        pytest.param(LATTICE, "by=1", "by=2", id="a default"),
        pytest.param(PUZZLE, "goal: int = 3", "goal: float = 3", id="an annotation"),
        pytest.param(PUZZLE, "self.chance / 2", "self.chance / 3", id="a method"),
        pytest.param(PUZZLE, "frozen=True", "frozen=False", id="a decorator"),
    ],
)
def test_each_part_of_what_is_reached_counts(project, path, old, new):
    assert project.changed(path, old, new)


def test_what_a_method_uses_counts(project):
    project.change(PUZZLE, "self.chance / 2", "unused()")

    assert project.changed(PUZZLE, "return 1", "return 2")


def test_a_table_made_at_import_by_a_function_of_the_project_counts_as_the_function(project):
    project.add(LATTICE, "\n\nTABLE = {goal: _entry(goal) for goal in range(9)}\n\n\ndef _entry(goal):\n    return 1\n")
    project.change(PUZZLE, "lattice.first(goal)", "lattice.TABLE[goal]")

    assert (LATTICE, "_entry") in project.code().definitions
    assert project.changed(LATTICE, "return 1", "return 3") == {"code of _entry in solvers/common/lattice.py"}


def test_a_table_of_functions_reaches_them(project):
    project.add(LATTICE, "\n\nTABLE = {'last': last}\n")
    project.change(PUZZLE, "lattice.first(goal)", "lattice.TABLE['last'](goal)")

    assert project.changed(LATTICE, "return goal\n", "return goal + 1\n")


def test_every_assignment_to_a_name_counts(project):
    project.change(PUZZLE, "MOST = 4\n", "MOST = 4\nMOST = MOST + 1\n")

    assert project.changed(PUZZLE, "MOST = 4\n", "MOST = 3\n")
    assert project.changed(PUZZLE, "MOST + 1", "MOST + 2")


@pytest.mark.parametrize("again", ["MOST = 5", "from solvers.common.deeper import step as MOST", "def MOST(): pass"])
def test_where_a_name_is_bound_anew_counts_for_what_reads_it_at_import(project, again):
    project.change(PUZZLE, "MOST = 4\n", f"MOST = 4\nDOUBLE = str(MOST)\n{again}\n")
    project.change(PUZZLE, "min(start, MOST)", "min(start, MOST, DOUBLE)")

    changed = project.changed(PUZZLE, f"DOUBLE = str(MOST)\n{again}\n", f"{again}\nDOUBLE = str(MOST)\n")

    assert changed == {f"statements of {PUZZLE}"}


def test_each_name_of_an_unpacked_assignment_counts(project):
    project.change(PUZZLE, "MOST = 4\n", "LEAST, MOST = 1, 4\n")

    assert project.changed(PUZZLE, "1, 4", "1, 5")


def test_a_name_bound_inside_of_an_assignment_counts(project):
    project.change(PUZZLE, "MOST = 4\n", "ALL = [MOST := 4]\n")

    assert project.changed(PUZZLE, "MOST := 4", "MOST := 5")


def test_functions_that_call_each_other_come_to_an_end(project):
    project.change(
        DEEPER,
        "goal - by",
        "even(goal)\n\n\ndef even(n):\n    return odd(n - 1)\n\n\ndef odd(n):\n    return even(n - 1)",
    )

    assert project.changed(DEEPER, "return odd(n - 1)", "return odd(n - 2)")


def test_a_name_in_an_annotation_that_is_a_text_counts(project):
    project.change(PUZZLE, "chance: float", "chance: 'tuple[Odds, ...]'")
    project.add(PUZZLE, "\n\nclass Odds:\n    digits = 3\n")

    assert project.changed(PUZZLE, "digits = 3", "digits = 4")


def test_a_name_in_an_annotation_counts_though_annotations_are_not_evaluated(project):
    project.change(PUZZLE, "from dataclasses", "from __future__ import annotations\n\nfrom dataclasses")
    project.change(PUZZLE, "chance: float", "chance: tuple[Odds, ...]")
    project.add(PUZZLE, "\n\nclass Odds:\n    digits = 3\n")

    assert project.changed(PUZZLE, "digits = 3", "digits = 4")


def test_a_docstring_counts_for_code_that_reads_docstrings(project):
    project.change(PUZZLE, "lattice.first(goal)", "len(lattice.first.__doc__ or '')")

    changed = project.changed(LATTICE, "    return step(goal, by)\n", '    """A text."""\n    return step(goal, by)\n')

    assert changed == {"code of first in solvers/common/lattice.py"}
    assert project.changed(PUZZLE, '"""The chance of the goal."""', '"""The chance."""') == {f"statements of {PUZZLE}"}


# Imports


def test_a_name_that_a_package_passes_on_is_found_where_it_is_defined(project):
    project.write("solvers/common/middle.py", "from solvers.common.lattice import first as begin\n")
    project.write(COMMON, "from .middle import begin as start\n")
    project.change(PUZZLE, "from solvers.common import lattice", "from solvers.common import start as opening")
    project.change(PUZZLE, "lattice.first(goal)", "opening(goal)")

    assert project.changed(DEEPER, "goal - by", "goal - by - 1")
    assert not project.changed(LATTICE, "return goal\n", "return goal + 1\n")


def test_which_of_two_names_means_which_function_counts(project):
    project.write(COMMON, "from solvers.common.lattice import first as f, last as g\n")
    project.change(PUZZLE, "from solvers.common import lattice", "from solvers.common import f, g")
    project.change(PUZZLE, "lattice.first(goal)", "f(goal) + 2 * g(goal)")

    assert project.changed(COMMON, "first as f, last as g", "last as f, first as g") == {
        f"import of {name} in {COMMON}" for name in "fg"
    }


def test_an_import_from_the_future_counts(project):
    future = "from __future__ import annotations\n\nfrom dataclasses"

    assert project.changed(PUZZLE, "from dataclasses", future) == {f"statements of {PUZZLE}"}


def test_the_order_of_imports_does_not_count(project):
    project.change(PUZZLE, "import lattice", "import lattice\nfrom solvers.common.deeper import step")
    project.change(PUZZLE, "min(start, MOST)", "step(start, MOST)")

    assert not project.changed(
        PUZZLE,
        "from solvers.common import lattice\nfrom solvers.common.deeper import step",
        "from solvers.common.deeper import step\nfrom solvers.common import lattice",
    )


DOM = "xml.dom.minidom.parse"


@pytest.mark.parametrize(
    ("one", "other", "used"),
    [
        ("import xml.dom.minidom", "import xml", DOM),
        ("import xml.dom.minidom, xml.sax", "import xml.dom.minidom", f"{DOM}, xml.sax.parse"),
        ("import xml\nimport xml.dom.minidom as m", "import xml", DOM),
        ("import xml\nfrom xml.dom import minidom", "import xml", DOM),
        ("import xml\nfrom xml.dom.minidom import parse", "import xml", DOM),
        ("import xml as x\nimport xml.dom.minidom", "import xml as x", "x.dom.minidom.parse"),
        ("from xml import dom\nimport xml.dom.minidom", "from xml import dom", "dom.minidom.parse"),
        ("from xml import *\nimport xml.dom.minidom", "from xml import *", "dom.minidom.parse"),
        ("import xml\nimport xml.dom.minidom", "import xml", "getattr(xml, 'dom')"),
        ("import solvers.common.deeper", "import solvers.common", "solvers.common.deeper.step"),
        ("import solvers.common.deeper as m", "import solvers.common.lattice as m", "m.step"),
        ("from math import sqrt\nfrom cmath import sqrt", "from cmath import sqrt\nfrom math import sqrt", "sqrt"),
        ("from math import *\nfrom cmath import *", "from cmath import *\nfrom math import *", "sqrt"),
        ("from math import *\nfrom cmath import sqrt", "from cmath import sqrt\nfrom math import *", "sqrt"),
        ("from math import *\nfrom cmath import *", "from math import *", "sqrt"),
    ],
)
def test_an_import_counts_that_changes_what_a_name_in_use_means(project, one, other, used):
    project.change(PUZZLE, "from dataclasses", f"{one}\nfrom dataclasses")
    project.change(PUZZLE, "min(start, MOST)", f"min(start, MOST, {used})")

    assert project.changed(PUZZLE, one, other)


def test_an_import_counts_by_which_another_module_makes_a_module_an_attribute(project):
    project.change(PUZZLE, "from dataclasses", "import xml\nfrom dataclasses")
    project.change(PUZZLE, "min(start, MOST)", f"min(start, MOST, {DOM})")
    project.change(LATTICE, "from solvers", "import xml.dom.minidom\nfrom solvers")

    assert project.changed(LATTICE, "import xml.dom.minidom\n", "") == {
        f"import of {DOM.rpartition('.')[0]} in {LATTICE}"
    }


def test_an_import_counts_by_which_a_package_has_a_module_without_naming_it(project):
    imported = "from solvers.ruin.puzzle import Result"
    project.write("solvers/ruin/__init__.py", f"{imported}\n\n\ndef solve(goal=3):\n    return puzzle.unused()\n")

    assert project.changed("solvers/ruin/__init__.py", imported, "") == {"import of Result in solvers/ruin/__init__.py"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("import xml.sax\nimport json.decoder", "import json.decoder\nimport xml.sax"),
        ("import xml.sax\nimport json.decoder\nfrom xml.dom import Node", "import xml.sax\nimport json.decoder"),
        ("import xml.sax\nimport json.decoder\nimport csv", "import xml.sax\nimport json.decoder"),
    ],
)
def test_an_import_does_not_count_that_changes_the_meaning_of_no_name_in_use(project, one, other):
    project.change(PUZZLE, "from dataclasses", f"{one}\nfrom dataclasses")
    project.change(PUZZLE, "min(start, MOST)", "min(start, MOST, xml.sax.parse, json.decoder.scanner)")

    assert not project.changed(PUZZLE, one, other)


@pytest.mark.parametrize("imported", ["from solvers.other import last as first", "from solvers.other import *"])
def test_whether_a_definition_or_an_import_of_its_name_is_the_last_counts(project, imported):
    project.add(OTHER, "\n\ndef first(goal):\n    return goal\n")
    project.change(LATTICE, "def first", f"{imported}\n\n\ndef first")

    text = (project.root / LATTICE).read_text("utf-8")
    before = project.inputs()
    project.write(LATTICE, text.replace(f"{imported}\n", "") + f"\n\n{imported}\n")

    assert project.inputs() != before


def test_what_a_star_import_brings_counts_beside_an_import_of_the_same_name(project):
    project.change(PUZZLE, "from dataclasses", "from solvers.common.deeper import step\nfrom dataclasses")
    project.change(PUZZLE, "import lattice", "import lattice\nfrom solvers.common.other import *")
    project.write("solvers/common/other.py", "def step(goal, by):\n    return goal\n")
    project.change(PUZZLE, "min(start, MOST)", "step(start, MOST)")

    assert project.changed("solvers/common/other.py", "return goal", "return by")


@pytest.mark.parametrize(
    ("imported", "used"),
    [
        ("from solvers.common.lattice import first", "first"),
        ("from solvers.common.lattice import first as begin", "begin"),
        ("from solvers.common.lattice import *", "first"),
        ("from ..common import lattice", "lattice.first"),
        ("from ..common.lattice import first", "first"),
        ("import solvers.common.lattice", "solvers.common.lattice.first"),
        ("import solvers.common.lattice as grid", "grid.first"),
        ("from solvers import common", "common.lattice.first"),
    ],
)
def test_however_a_name_is_imported_its_code_counts_and_its_neighbour_does_not(project, imported, used):
    project.change(PUZZLE, "from solvers.common import lattice", imported)
    project.change(PUZZLE, "lattice.first(goal)", f"{used}(goal)")

    assert project.changed(DEEPER, "goal - by", "goal - by - 1")
    assert not project.changed(LATTICE, "return goal\n", "return goal + 1\n")


@pytest.mark.parametrize(
    ("imported", "used"),
    [
        ("from solvers import other", "other.solve"),
        ("import solvers.other as guesses", "guesses.solve"),
    ],
)
def test_an_import_inside_of_a_function_counts_for_its_users_alone(project, imported, used):
    project.change(PUZZLE, "    return 1", f"    {imported}\n\n    return {used}(1)")
    assert not project.changed(OTHER, "return last(goal)", "return 7")
    project.change(PUZZLE, "lattice.first(goal)", "unused()")

    assert project.changed(OTHER, "return 7", "return 8") == {f"code of solve in {OTHER}"}
    assert f"code of CAPTION in {PICTURE}" not in project.inputs()


def test_an_import_inside_of_a_function_under_a_global_name_counts(project):
    project.change(PUZZLE, "lattice.first(goal)", "_prepare() or guesses.solve(1)")
    project.add(PUZZLE, "\n\ndef _prepare():\n    global guesses\n    from solvers import other as guesses\n")

    assert project.changed(OTHER, "return last(goal)", "return 7")


def test_a_star_import_passes_on_what_its_module_imports(project):
    project.write(COMMON, "from solvers.common.lattice import *\n")
    project.change(PUZZLE, "from solvers.common import lattice", "from solvers.common import *")
    project.change(PUZZLE, "lattice.first(goal)", "step(goal, 1)")

    assert project.changed(DEEPER, "goal - by", "goal - by - 1")


@pytest.mark.parametrize("listed", ["NAMES = ['last']\n__all__ = NAMES", "__all__ = ['last']"])
def test_which_names_a_module_passes_on_counts_under_a_star_import(project, listed):
    project.add(LATTICE, f"\n\n{listed}\n")
    project.write(COMMON, "from solvers.common.deeper import step as first\nfrom solvers.common.lattice import *\n")
    project.change(PUZZLE, "from solvers.common import lattice", "from solvers.common import first")
    project.change(PUZZLE, "lattice.first(goal)", "first(goal, 1)")

    assert project.changed(LATTICE, "['last']", "['first']")


@pytest.mark.parametrize("imported", ["from solvers.other import solve as guess", "from solvers import other as guess"])
def test_what_the_body_of_a_class_imports_counts(project, imported):
    project.change(PUZZLE, "    chance: float\n", f"    {imported}\n    chance: float\n")

    assert project.changed(OTHER, "return last(goal)", "return 7")


def test_a_module_that_its_package_has_without_naming_it_counts(project):
    project.write(
        "solvers/ruin/__init__.py",
        "from solvers.ruin.puzzle import Result\n\n\ndef solve(goal=3):\n    return puzzle.unused()\n",
    )

    assert project.changed(PUZZLE, "return 1", "return 2")


def test_a_module_that_is_passed_on_as_a_value_counts_as_a_whole(project):
    project.change(PUZZLE, "lattice.first(goal)", "getattr(lattice, goal)(goal)")

    assert project.changed(LATTICE, "return goal\n", "return goal + 1\n")


@pytest.mark.parametrize("used", ["lattice.__dict__['last']", "lattice.first.__globals__['last']"])
def test_a_module_whose_names_are_looked_up_counts_as_a_whole(project, used):
    project.change(PUZZLE, "lattice.first(goal)", f"{used}(goal)")

    assert project.changed(LATTICE, "return goal\n", "return goal + 1\n")


@pytest.mark.parametrize("used", ["getattr(middle, 'first')", "middle.call('first')"])
def test_names_that_a_star_import_brings_are_looked_up_too(project, used):
    looks_up = "def call(name):\n    return globals()[name]\n"
    project.write("solvers/common/middle.py", f"from solvers.common.lattice import *\n\n\n{looks_up}")
    project.change(PUZZLE, "import lattice", "import middle")
    project.change(PUZZLE, "lattice.first(goal)", f"{used}(goal)")

    assert project.changed(DEEPER, "goal - by", "goal - by - 1")


@pytest.mark.parametrize("looked_up", ["globals()", "vars()", "locals()"])
def test_a_module_that_looks_up_its_own_names_counts_as_a_whole(project, looked_up):
    project.add(LATTICE, f"\n\nNAMES = {looked_up}\n")
    project.change(PUZZLE, "lattice.first(goal)", "lattice.NAMES['last'](goal)")

    assert project.changed(LATTICE, "return goal\n", "return goal + 1\n")


def test_a_package_that_is_passed_on_as_a_value_counts_with_the_modules_in_it(project):
    project.change(PUZZLE, "from solvers.common import lattice", "from solvers import common")
    project.change(PUZZLE, "lattice.first(goal)", "vars(common)")

    assert "solvers.common.__init__" not in project.code().modules
    assert project.changed(LATTICE, "return goal\n", "return goal + 1\n")


def test_a_package_that_takes_the_place_of_a_file_counts(project):
    before = project.inputs()

    project.write("solvers/common/deeper/__init__.py", FILES[DEEPER].replace("goal - by", "goal"))

    assert project.inputs() != before


@pytest.mark.parametrize("path", ["helping.py", "helping/__init__.py", "helping/more.py"])
def test_a_module_beside_solvers_counts(project, path):
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    project.write(path, "def help_out(goal):\n    return 1\n\n\ndef idle():\n    return 3\n")
    project.change(PUZZLE, "from solvers.common import lattice", f"import {module} as lattice")
    project.change(PUZZLE, "lattice.first", "lattice.help_out")

    assert project.changed(path, "return 1", "return 2") == {f"code of help_out in {path}"}
    assert not project.changed(path, "return 3", "return 4")


def test_modules_that_take_a_name_from_each_other_come_to_an_end(project):
    project.write("solvers/common/one.py", "from solvers.common.two import *\nfrom solvers.common.two import f\n")
    project.write("solvers/common/two.py", "from solvers.common.one import *\nfrom solvers.common.one import f\n")
    project.change(PUZZLE, "from solvers.common import lattice", "from solvers.common.one import f, g")
    project.change(PUZZLE, "lattice.first(goal)", "f(goal) + g(goal)")

    assert "solvers.common.two" in project.code().modules


@pytest.mark.parametrize("imported", ["from solvers.common import quick", "import solvers.common.quick as quick"])
def test_a_module_of_the_project_that_is_not_there_counts_once_it_is(project, imported):
    project.add(PUZZLE, f"\n\ntry:\n    {imported}\nexcept ImportError:\n    quick = None\n")
    project.change(PUZZLE, "min(start, MOST)", "min(start, MOST, quick.most)")

    project.write("solvers/common/quick.py", "most = 2\n")

    assert "code of most in solvers/common/quick.py" in project.inputs()


def test_a_module_that_makes_its_attributes_itself_counts(project):
    project.add(LATTICE, "\n\ndef __getattr__(name):\n    return 1\n")
    project.change(PUZZLE, "lattice.first(goal)", "lattice.anything")

    assert project.changed(LATTICE, "return 1", "return 2")


def test_an_import_by_which_a_module_makes_its_attributes_counts(project):
    project.add(LATTICE, "\n\nfrom solvers.common.making import make as __getattr__\n")
    project.write("solvers/common/making.py", "def make(name):\n    return 1\n")
    project.change(PUZZLE, "lattice.first(goal)", "lattice.anything")

    assert project.changed("solvers/common/making.py", "return 1", "return 2")


# Statements, which importing a module runs


@pytest.mark.parametrize(
    ("statement", "old", "new"),
    [
        ("for number in range(3):\n    print(number)\n", "range(3)", "range(4)"),
        ("if first:\n    def sometimes():\n        return 1\n", "return 1", "return 2"),
        ("try:\n    import nowhere\nexcept ImportError:\n    nowhere = 1\n", "nowhere = 1", "nowhere = 2"),
        ("TABLE = []\nTABLE += [1]\n", "+= [1]", "+= [2]"),
        ("TABLE = []\nTABLE.append(1)\n", "append(1)", "append(2)"),
        ("TABLE = {}\nTABLE['a'] = 1\n", "= 1", "= 2"),
        ("TABLE = []\nTABLE.append(1)\nTABLE.append(1)\n", "TABLE.append(1)\nTABLE.append(1)\n", "TABLE.append(1)\n"),
        ("TABLE = []\nnothing = TABLE.append(1)\n", "append(1)", "append(2)"),
        ("TABLE = []\n\n\ndef add(n):\n    TABLE.append(n)\n\n\nadded = add(1)\n", "add(1)", "add(2)"),
        ("TABLE = []\nnothing = [TABLE.append(n) for n in (1, 2)]\n", "(1, 2)", "(1, 3)"),
        ("TABLE = []\n\n\nclass Entry:\n    TABLE.append(1)\n", "append(1)", "append(2)"),
        ("TABLE = []\n\n\ndef entry(number=TABLE.append(1)):\n    pass\n", "append(1)", "append(2)"),
        ("first.most = 1\n", "most = 1", "most = 2"),
        ("TABLE = []\n\n\n@TABLE.append\ndef entry():\n    return 1\n", "return 1", "return 2"),
        ("class Base:\n    pass\n\n\nclass Derived(Base):\n    size = 1\n", "size = 1", "size = 2"),
        ("class Meta(type):\n    pass\n\n\nclass Derived(metaclass=Meta):\n    size = 1\n", "size = 1", "size = 2"),
    ],
)
def test_statements_count_in_each_module_that_is_imported(project, statement, old, new):
    for path in (LATTICE, PICTURE):
        project.add(
            path, f"\nimport contextlib\n\nfirst = contextlib\n\n{statement}" if path == PICTURE else f"\n{statement}"
        )

        assert project.changed(path, old, new)


def test_what_a_statement_reaches_counts(project):
    project.add(LATTICE, "\nif step:\n    from solvers import other\n\n    other.solve(1)\n")

    assert project.changed(OTHER, "return last(goal)", "return 7")


def test_what_a_statement_imports_is_found_by_its_name(project):
    project.add(
        PUZZLE, "\n\ntry:\n    from solvers.other import solve as guess\nexcept ImportError:\n    guess = None\n"
    )
    project.change(PUZZLE, "min(start, MOST)", "guess(start)")

    assert (OTHER, "solve") in project.code().definitions


@pytest.mark.parametrize(
    "imported", ["import solvers.ruin.patch", "from solvers.ruin import patch", "from . import patch"]
)
def test_a_function_that_a_third_module_puts_into_a_reached_one_counts(project, imported):
    project.write("solvers/ruin/faster.py", "def quick(goal):\n    return 1\n")
    project.write(
        "solvers/ruin/patch.py",
        "from solvers.common import lattice\nfrom solvers.ruin import faster\n\nlattice.first = faster.quick\n",
    )
    project.add(PICTURE, f"\n{imported}\n")

    assert project.changed("solvers/ruin/faster.py", "return 1", "return 2")


def test_where_a_statement_stands_among_definitions_counts(project):
    project.add(PUZZLE, "\n\nlattice.first = unused\n")

    assert project.changed(
        PUZZLE,
        "def unused():\n    return 1\n\n\nlattice.first = unused\n",
        "lattice.first = unused\n\n\ndef unused():\n    return 1\n",
    ) == {f"statements of {PUZZLE}"}


def test_the_order_of_what_decorators_register_counts(project):
    first, second = "\n@TABLE.append\ndef one():\n    return 1\n", "\n@TABLE.append\ndef two():\n    return 2\n"
    project.add(LATTICE, f"\nTABLE = []\n{first}{second}")

    assert project.changed(LATTICE, first + second, second + first) == {f"statements of {LATTICE}"}


def test_a_decorator_of_the_projects_own_counts_with_what_it_adorns(project):
    project.write("solvers/common/timing.py", "def timed(function):\n    return function\n")
    project.add(LATTICE, "\nfrom solvers.common.timing import timed\n\n\n@timed\ndef slow():\n    return 1\n")

    assert project.changed(LATTICE, "return 1", "return 2")
    assert project.changed("solvers/common/timing.py", "return function", "return print")


def test_a_colour_that_a_library_computes_is_no_statement(project):
    project.change(PICTURE, 'COLOUR = "tab:blue"', "COLOUR = plt.colormaps['viridis'](0.5)")

    assert not project.changed(PICTURE, "(0.5)", "(0.7)")


def test_a_colour_that_a_function_of_the_project_computes_is_one(project):
    project.change(PICTURE, 'COLOUR = "tab:blue"', "COLOUR = mixed(0.5)\n\n\ndef mixed(share):\n    return 'red'\n")

    assert project.changed(PICTURE, "(0.5)", "(0.7)") == {f"code of COLOUR in {PICTURE}"}


@pytest.mark.parametrize(
    ("imported", "decorator"),
    [
        ("import functools", "functools.cache"),
        ("from functools import lru_cache as remembered", "remembered(maxsize=9)"),
        ("from site_builder.contract import rules", "rules"),
        ("from numba import njit", "njit"),
    ],
)
def test_what_a_harmless_decorator_adorns_counts_only_where_it_is_used(project, imported, decorator):
    project.add(LATTICE, f"\n{imported}\n\n\n@{decorator}\ndef slow():\n    return 1\n")

    assert not project.changed(LATTICE, "return 1", "return 2")


def test_a_class_that_inherits_from_pythons_own_counts_only_where_it_is_used(project):
    project.add(
        LATTICE, "\nfrom enum import Enum\n\n\nclass Side(Enum):\n    A = 1\n\n\nclass Odd(ValueError):\n    A = 2\n"
    )

    assert not project.changed(LATTICE, "A = 1", "A = 3")
    assert not project.changed(LATTICE, "A = 2", "A = 4")


# Code that looks names up


@pytest.mark.parametrize("words", ["globals()[goal]", "eval(goal)", "exec(goal)"])
def test_all_of_its_own_module_counts_for_code_that_looks_names_up(project, words):
    project.change(PUZZLE, "lattice.first(goal)", words)

    assert project.changed(PUZZLE, "return 1", "return 2")
    assert project.changed(LATTICE, "return goal\n", "return goal + 1\n")


@pytest.mark.parametrize(
    ("imported", "words"),
    [
        ("import importlib", "importlib.import_module(goal)"),
        ("import importlib", "importlib.import_module('solvers.other').solve(goal)"),
        ("from importlib import import_module as load", "load(goal)"),
        ("import sys", "sys.modules[goal]"),
        ("import runpy", "runpy.run_path(goal)"),
        ("", "__import__(goal)"),
        ("", "exec(goal)"),
        ("import pkgutil", "pkgutil.resolve_name(goal)"),
    ],
)
def test_every_solver_counts_for_code_that_imports_modules_by_computed_names(project, imported, words):
    project.change(PUZZLE, "from dataclasses", f"{imported}\nfrom dataclasses")
    project.change(PUZZLE, "lattice.first(goal)", words)
    project.write("beside.py", "def most():\n    return 1\n")

    assert project.changed(PICTURE, '"the chance"', '"chances"')
    assert project.changed(OTHER, "return last(goal)", "return 7")
    assert project.changed("beside.py", "return 1", "return 2")
    assert project.inputs()["installed libraries"] == environment_stamp()


# Libraries


def test_a_library_counts_by_its_version_where_it_is_used(project):
    project.change(PUZZLE, "from dataclasses", "import numpy as np\nfrom dataclasses")
    assert "library numpy" not in project.inputs()
    project.change(PUZZLE, "min(start, MOST)", "np.minimum(start, MOST)")

    import numpy as np

    assert project.inputs()["library numpy"] == np.__version__


def test_a_library_that_a_reached_function_imports_counts(project):
    project.change(PUZZLE, "    start =", "    import numpy\n\n    start =")

    assert "library numpy" in project.inputs()


def test_a_library_whose_names_are_all_imported_counts_where_a_name_may_be_its_own(project):
    project.change(PUZZLE, "from dataclasses", "from numpy import *\nfrom dataclasses")
    project.change(PUZZLE, "min(start, MOST)", "minimum(start, MOST)")

    assert "library numpy" in project.inputs()


def test_a_library_that_is_not_installed_counts_so_that_it_is_noticed_later(project):
    project.change(
        PUZZLE, "    start =", "    try:\n        import nowhere\n    except ImportError:\n        pass\n    start ="
    )

    assert project.inputs()["library nowhere"] == "not installed"


def test_the_builder_and_python_are_no_libraries(project):
    project.change(PUZZLE, "min(start, MOST)", "Grid, dataclass, min(start, MOST)")

    assert not [name for name in project.inputs() if name.startswith("library")]


def test_a_builder_beside_the_solvers_counts_by_its_version_elsewhere(project):
    project.write("site_builder/contract/__init__.py", "class Grid:\n    size = 1\n")
    project.change(PUZZLE, "min(start, MOST)", "Grid(start)")

    assert not project.changed("site_builder/contract/__init__.py", "size = 1", "size = 2")


# The answer


def test_the_answer_names_what_entries_reach_by_name_apart_from_what_imports_run(project):
    project.add(LATTICE, "\n\nTABLE = []\nTABLE.append(last(1))\n")

    code = project.code()

    assert (LATTICE, "first") in code.definitions
    assert (LATTICE, "last") not in code.definitions
    assert "code of last in solvers/common/lattice.py" in code.inputs


def test_the_answer_names_the_modules_that_are_imported(project):
    assert project.code().modules == {
        "solvers": "solvers",
        "solvers.common": COMMON,
        "solvers.common.deeper": DEEPER,
        "solvers.common.lattice": LATTICE,
        "solvers.ruin": "solvers/ruin/__init__.py",
        "solvers.ruin.picture": PICTURE,
        "solvers.ruin.puzzle": PUZZLE,
    }


def test_all_of_a_module_counts_where_no_name_is_the_entry(project):
    assert "code of unused in solvers/ruin/puzzle.py" in project.inputs(("solvers.ruin.puzzle", ""))


def test_statements_are_no_definitions(project):
    project.add(PUZZLE, "\n\nprint(MOST)\n")

    assert (PUZZLE, "") not in project.code(("solvers.ruin.puzzle", "")).definitions


def test_a_syntax_error_is_an_error_at_its_line(project):
    project.write(DEEPER, "ONE = 1\n\n\ndef step(:\n    pass\n")

    with pytest.raises(SiteError) as caught:
        project.code()

    assert str(caught.value).startswith("solvers/common/deeper.py:4: this is not Python: ")
    assert "correct this line: def step(:" in str(caught.value)


def test_facts_are_asked_for_once_for_each_file(project):
    from site_builder.solving.code.module_facts import module_facts

    asked = []

    def read(shown):
        asked.append(shown)
        return module_facts((project.root / shown).read_bytes(), shown)

    modules = ProjectModules(project.root, read)
    for name in ("ruin", "other", "ruin"):
        code_inputs(modules, [(f"solvers.{name}", "solve")])

    assert sorted(asked) == sorted(set(FILES))


def test_every_process_finds_the_same_whatever_the_order_of_sets(project):
    words = "import sys, pathlib; from site_builder.solving.code.code_inputs import *; "
    words += "print(code_inputs(ProjectModules(pathlib.Path(sys.argv[1])), [('solvers.ruin', 'figure_chance')]).inputs)"

    printed = {
        subprocess.run(
            [sys.executable, "-c", words, str(project.root)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(printed) == 1


def test_no_solver_is_imported(project):
    project.add(PUZZLE, "\nraise RuntimeError\n")

    project.code()

    assert not [name for name in sys.modules if name.startswith("solvers.ruin")]
