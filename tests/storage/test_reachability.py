"""What can be reached from `solve`: the key of a result changes with all that may change the result."""

import json
import os
import subprocess
import sys

import pytest

from site_builder.errors import SiteError
from site_builder.storage.code_fingerprints import solver_entries
from site_builder.storage.code_graph.definitions import Facts, facts_of
from site_builder.storage.code_graph.project_modules import Code
from site_builder.storage.code_graph.reachability import reach
from tests.conftest import ROOT
from tests.support.reaching import DEEPER, FILES, LATTICE, PICTURING, PUZZLE, Tree


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path / "blog")


# What counts


def test_a_helper_two_imports_away_counts(tree):
    assert tree.changes(DEEPER, "goal - by", "goal - by - 1")


def test_a_constant_counts(tree):
    assert tree.changes(PUZZLE, "MOST = 4", "MOST = 4.0")


def test_a_default_of_a_reached_function_counts(tree):
    assert tree.changes(LATTICE, "by=1", "by=2")


def test_an_annotation_of_a_field_counts(tree):
    assert tree.changes(PUZZLE, "goal: int = 3", "goal: float = 3")


def test_a_method_of_a_reached_class_counts(tree):
    assert tree.changes(PUZZLE, "self.chance / 2", "self.chance / 3")


def test_a_constant_of_a_reached_class_counts(tree):
    tree.change(PUZZLE, "    chance: float\n", "    chance: float\n    digits = 3\n")

    assert tree.changes(PUZZLE, "digits = 3", "digits = 4")


def test_a_decorator_that_registers_counts(tree):
    tree.add(LATTICE, "\nTABLE = []\n\n\n@TABLE.append\ndef entry():\n    return 1\n")

    assert tree.changes(LATTICE, "return 1", "return 2")


def test_a_class_counts_that_a_base_of_the_project_may_register(tree):
    tree.add(
        LATTICE,
        "\nclass Base:\n    def __init_subclass__(cls):\n        pass\n\n\nclass Derived(Base):\n    size = 1\n",
    )

    assert tree.changes(LATTICE, "size = 1", "size = 2")


def test_a_class_counts_whose_members_run_its_code_when_it_is_made(tree):
    tree.add(
        LATTICE,
        "\nfrom enum import Enum\n\n\nclass Side(Enum):\n    A = 1\n\n    def __init__(self, n):\n        n + 1\n",
    )

    assert tree.changes(LATTICE, "n + 1", "n + 2")


def test_the_order_of_what_registers_counts(tree):
    first, second = "\n@TABLE.append\ndef one():\n    return 1\n", "\n@TABLE.append\ndef two():\n    return 2\n"
    tree.add(LATTICE, f"\nTABLE = []\n{first}{second}")

    assert tree.changes(LATTICE, first + second, second + first)


def test_a_default_that_is_computed_when_the_module_is_imported_counts(tree):
    tree.add(LATTICE, "\n\ndef unnamed(start=print()):\n    return 1\n")

    assert tree.changes(LATTICE, "return 1", "return 2")


def test_what_a_module_does_when_it_is_imported_counts(tree):
    tree.add(PICTURING, "\nfor number in range(3):\n    print(number)\n")

    assert tree.changes(PICTURING, "range(3)", "range(4)")


def test_a_definition_under_a_condition_counts(tree):
    tree.add(LATTICE, "\nif first:\n    def sometimes():\n        return 1\n")

    assert tree.changes(LATTICE, "return 1", "return 2")


def test_an_import_inside_a_definition_under_a_condition_counts(tree):
    tree.add(
        LATTICE, "\nif first:\n    def sometimes():\n        from solvers import other\n\n        other.solve(1)\n"
    )

    assert tree.changes("solvers/other.py", "return 7", "return 8")


def test_a_table_of_functions_reaches_them(tree):
    tree.add(LATTICE, "\n\nTABLE = {'last': last}\n")
    tree.change(PUZZLE, "lattice.first(given.goal)", "lattice.TABLE['last'](given.goal)")

    assert tree.changes(LATTICE, "return goal\n", "return goal + 1\n")


def test_a_function_put_into_a_module_by_a_third_one_counts(tree):
    tree.write("solvers/ruin/faster.py", "def quick(goal):\n    return 1\n")
    tree.write(
        "solvers/ruin/patch.py",
        "from solvers.common import lattice\nfrom solvers.ruin import faster\n\nlattice.first = faster.quick\n",
    )
    tree.add(PICTURING, "\nimport solvers.ruin.patch\n")

    assert tree.changes("solvers/ruin/faster.py", "return 1", "return 2")


def test_the_order_in_which_modules_with_effects_are_imported_counts(tree):
    for name in ("one", "two"):
        tree.write(
            f"solvers/ruin/{name}.py", f"from solvers.common import lattice\n\nlattice.first = lambda goal: '{name}'\n"
        )
    one, two = "import solvers.ruin.one\n", "import solvers.ruin.two\n"
    tree.add(PICTURING, one + two)

    assert tree.changes(PICTURING, one + two, two + one)


def test_an_import_inside_a_function_counts(tree):
    tree.change(PUZZLE, "    start = ", "    from solvers.other import solve as guess\n\n    guess(1)\n    start = ")

    assert tree.changes("solvers/other.py", "return 7", "return 8")


def test_an_import_inside_a_function_under_a_global_name_counts(tree):
    tree.change(PUZZLE, "    start = ", "    _prepare()\n    guesses.solve(1)\n    start = ")
    tree.add(PUZZLE, "\n\ndef _prepare():\n    global guesses\n    from solvers import other as guesses\n")

    assert tree.changes("solvers/other.py", "return 7", "return 8")


def test_a_relative_import_counts(tree):
    tree.change(PUZZLE, "from solvers.common import lattice", "from ..common import lattice")

    assert tree.changes(DEEPER, "goal - by", "goal - by - 1")


def test_a_plain_import_of_a_module_counts(tree):
    tree.change(PUZZLE, "from solvers.common import lattice", "import solvers.common.lattice")
    tree.change(PUZZLE, "lattice.first(given.goal)", "solvers.common.lattice.first(given.goal)")

    assert tree.changes(LATTICE, "step(goal, by)", "step(goal, by) + 1")
    assert not tree.changes(LATTICE, "return goal\n", "return goal + 1\n")


def test_a_module_that_its_package_has_without_naming_it_counts(tree):
    tree.write(
        "solvers/ruin/__init__.py",
        "from solvers.ruin.puzzle import Parameters, Result\n\n\ndef solve(given):\n    return puzzle.unused()\n",
    )

    assert tree.changes(PUZZLE, "return 1", "return 2")


def test_a_module_with_a_builtins_name_that_its_package_has_counts(tree):
    tree.write("solvers/ruin/filter.py", "def run():\n    return 1\n")
    text = "import solvers.ruin.filter\nfrom solvers.ruin.puzzle import Parameters, Result\n\n\n"
    tree.write("solvers/ruin/__init__.py", f"{text}def solve(given):\n    return filter.run()\n")

    assert tree.changes("solvers/ruin/filter.py", "return 1", "return 2")


def test_a_module_taken_from_its_own_package_counts(tree):
    text = "from . import puzzle\nfrom .puzzle import Parameters, Result\n\n\n"
    tree.write("solvers/ruin/__init__.py", f"{text}def solve(given):\n    return puzzle.unused()\n")

    assert tree.changes(PUZZLE, "return 1", "return 2")
    assert not tree.changes(PUZZLE, "min(start, MOST)", "max(start, MOST)")


def test_code_that_changes_where_a_package_is_looked_for_reaches_everything(tree):
    tree.add("solvers/common/__init__.py", "\n__path__ = [__path__[0] + '/../hidden']\n")

    assert tree.changes("solvers/other.py", "return 7", "return 8")


def test_everything_counts_that_a_star_import_brings(tree):
    tree.change(PUZZLE, "from solvers.common import lattice", "from solvers.common.lattice import *")
    tree.change(PUZZLE, "lattice.first(given.goal)", "first(given.goal)")

    assert tree.changes(DEEPER, "goal - by", "goal - by - 1")
    assert tree.changes(LATTICE, "return goal\n", "return goal + 1\n")


def test_the_end_of_a_chain_of_imports_counts(tree):
    tree.write("solvers/common/middle.py", "from solvers.common.lattice import first as begin\n")
    tree.write("solvers/common/__init__.py", "from .middle import begin as start\n")
    tree.change(PUZZLE, "from solvers.common import lattice", "from solvers.common import start as opening")
    tree.change(PUZZLE, "lattice.first(given.goal)", "opening(given.goal)")

    assert tree.changes(DEEPER, "goal - by", "goal - by - 1")
    assert not tree.changes(LATTICE, "return goal\n", "return goal + 1\n")


def test_which_of_two_names_means_which_function_counts(tree):
    tree.write("solvers/common/__init__.py", "from solvers.common.lattice import first as f, last as g\n")
    tree.change(PUZZLE, "from solvers.common import lattice", "from solvers.common import f, g")
    tree.change(PUZZLE, "lattice.first(given.goal)", "f(given.goal) + 2 * g(given.goal)")

    assert tree.changes("solvers/common/__init__.py", "first as f, last as g", "last as f, first as g")


def test_all_of_a_module_counts_when_it_is_passed_on(tree):
    tree.change(PUZZLE, "lattice.first(given.goal)", "getattr(lattice, given.name)(given.goal)")

    assert tree.changes(LATTICE, "return goal\n", "return goal + 1\n")


def test_a_name_in_a_string_counts(tree):
    tree.change(PUZZLE, "chance: float", "chance: 'tuple[Odds, ...]'")
    tree.add(PUZZLE, "\n\nclass Odds:\n    digits = 3\n")

    assert tree.changes(PUZZLE, "digits = 3", "digits = 4")


def test_a_module_named_in_a_string_counts(tree):
    tree.change(PUZZLE, "lattice.first(given.goal)", "load('solvers.other')")

    assert tree.changes("solvers/other.py", "return 7", "return 8")


def test_a_name_counts_though_an_argument_has_the_same(tree):
    tree.change(PUZZLE, "def solve(given):", "def solve(given, unused=0):")
    tree.change(PUZZLE, "min(start, MOST)", "min(start, MOST, unused)")

    assert tree.changes(PUZZLE, "return 1", "return 2")


@pytest.mark.parametrize("words", ["globals()", "vars()", "locals()", "solve.__dict__"])
def test_all_of_its_own_module_counts_for_code_that_looks_names_up(tree, words):
    tree.change(PUZZLE, "lattice.first(given.goal)", words)

    assert tree.changes(PUZZLE, "return 1", "return 2")


def test_the_order_of_definitions_counts_for_code_that_looks_names_up(tree):
    tree.change(PUZZLE, "lattice.first(given.goal)", "list(globals())")

    assert tree.changes(PUZZLE, "MOST = 4\nUNUSED = 5\n", "UNUSED = 5\nMOST = 4\n")


@pytest.mark.parametrize(
    ("imported", "words"),
    [
        ("import importlib", "importlib.import_module(given.name)"),
        ("from importlib import import_module as load", "load(given.name)"),
        ("import sys", "sys.modules[given.name]"),
        ("from sys import modules", "modules[given.name]"),
        ("import sys", "getattr(sys, given.name)"),
        ("import inspect as looking", "looking.getsource(solve)"),
        ("from importlib import *", "import_module(given.name)"),
        ("import pickle", "pickle.loads(given.name)"),
        ("import builtins", "builtins.eval(given.name)"),
        ("import numpy as np", "np.load(given.name, allow_pickle=True)"),
        ("", "eval(given.name)"),
        ("", "__import__(given.name)"),
        ("", "solve.__globals__"),
        ("", "'{0.__globals__}'.format(solve)"),
    ],
)
def test_every_solver_counts_with_its_text_for_code_that_may_reach_anything(tree, imported, words):
    tree.change(PUZZLE, "from solvers.common import lattice", f"from solvers.common import lattice\n{imported}")
    tree.change(PUZZLE, "lattice.first(given.goal)", words)

    assert tree.changes("solvers/other.py", "return 7", "return 7  # a comment")


def test_a_doubtful_import_counts_only_for_code_that_uses_it(tree):
    tree.change(PUZZLE, "from solvers.common import lattice", "import inspect\n\nfrom solvers.common import lattice")
    tree.change(PUZZLE, "return 1", "return inspect.getsource(solve)")

    assert not tree.changes("solvers/other.py", "return 7", "return 8")


def test_a_doubtful_module_counts_though_another_module_imports_it(tree):
    tree.write("solvers/common/tools.py", "import importlib\n")
    tree.change(PUZZLE, "from solvers.common import lattice", "from solvers.common.tools import importlib")
    tree.change(PUZZLE, "lattice.first(given.goal)", "importlib.import_module(given.name).solve(1)")

    assert tree.changes("solvers/other.py", "return 7", "return 8")


def test_a_docstring_counts_for_code_that_reads_docstrings(tree):
    tree.change(PUZZLE, "lattice.first(given.goal)", "len(lattice.first.__doc__ or '')")

    assert tree.changes(LATTICE, "    return step(goal, by)\n", '    """A text."""\n    return step(goal, by)\n')


def test_a_file_that_is_no_python_counts_with_its_text(tree):
    tree.write(DEEPER, "def step(:\n    # one\n")

    assert tree.changes(DEEPER, "# one", "# two")


def test_a_package_that_takes_the_place_of_a_file_counts(tree):
    before = tree.key()
    tree.write("solvers/common/deeper/__init__.py", FILES[DEEPER].replace("goal - by", "goal"))

    assert tree.key() != before


def test_a_module_beside_the_solvers_counts(tree):
    tree.write("helping.py", "def help_out(goal):\n    return 1\n")
    tree.change(PUZZLE, "from solvers.common import lattice", "import helping as lattice")
    tree.change(PUZZLE, "lattice.first", "lattice.help_out")

    assert tree.changes("helping.py", "return 1", "return 2")


def test_a_module_that_takes_the_place_of_one_of_pythons_is_not_taken_for_it(tree):
    tree.write("dataclasses.py", "KNOWN = []\n\n\ndef dataclass(kind=None, **options):\n    KNOWN.append(kind)\n")
    tree.add(PUZZLE, "\n\n@dataclass\nclass Unnamed:\n    size = 1\n")

    assert tree.changes(PUZZLE, "size = 1", "size = 2")


def test_the_contract_counts_where_solve_uses_it(tree):
    tree.change(PUZZLE, "import Field, parameters", "import Grid, parameters")
    tree.change(PUZZLE, "chance: float", "chance: Grid")

    reached = tree.reach().ingredients

    assert "site_builder/contract/grid.py (class Grid)" in reached
    assert "site_builder/contract/parameters.py (function parameters)" in reached
    assert not [name for name in reached if "class Heatmap" in name or "class Curve" in name]


# What does not count


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (PUZZLE, "# where it begins", "# where it starts"),
        (PUZZLE, '"""The result."""', '"""The one result."""'),
        (PUZZLE, '"""The chance of the goal."""', '"""The chance."""'),
        (PUZZLE, "MOST = 4", 'MOST = 4\n"""The most."""'),
        (PUZZLE, "min(start, MOST)", "min(\n        start,\n        MOST,\n    )"),
        (PUZZLE, "MOST = 4", "MOST = (4)"),
        (PUZZLE, "def unused", "\n\n\ndef unused"),
        (PUZZLE, "return 1", "return 2"),
        (PUZZLE, "UNUSED = 5", "UNUSED = 6"),
        (PUZZLE, "import Field, parameters", "import Curve, Field, parameters"),
        (PUZZLE, "from dataclasses import dataclass", "import math\nfrom dataclasses import dataclass"),
        (PICTURING, '"the chance"', '"the chance of the goal"'),
        (PICTURING, 'return "chance"', 'return "chances"'),
        (PICTURING, "{", "{**{}, "),
        (LATTICE, "return goal\n", "return goal + 1\n"),
        ("solvers/other.py", "return 7", "return 8"),
        ("solvers/ruin/__init__.py", '"figures", "solve"', '"solve"'),
    ],
)
def test_what_cannot_change_the_result_does_not_count(tree, path, old, new):
    assert not tree.changes(path, old, new)


def test_what_runs_only_as_a_program_does_not_count(tree):
    tree.add(PUZZLE, '\nif __name__ == "__main__":\n    print(1)\n')

    assert not tree.changes(PUZZLE, "print(1)", "print(2)")


def test_what_is_imported_for_type_checkers_alone_does_not_count(tree):
    tree.write("solvers/common/kinds.py", "KIND = 1\n")
    tree.add(
        PUZZLE, "\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from solvers.common.kinds import KIND\n"
    )

    assert not tree.changes("solvers/common/kinds.py", "KIND = 1", "print(KIND := 2)")


@pytest.mark.parametrize(
    "start",
    ["from typing import TYPE_CHECKING\n\nTYPE_CHECKING = True", "from solvers.common.kinds import TYPE_CHECKING"],
)
def test_what_only_looks_as_if_it_were_for_type_checkers_counts(tree, start):
    tree.write("solvers/common/kinds.py", "TYPE_CHECKING = True\n")
    tree.write("solvers/common/more.py", "KIND = 1\n")
    tree.add(PUZZLE, f"\n{start}\n\nif TYPE_CHECKING:\n    import solvers.common.more\n")

    assert tree.changes("solvers/common/more.py", "KIND = 1", "print(2)")


def test_moving_a_definition_does_not_count(tree):
    assert not tree.changes(PUZZLE, "MOST = 4\nUNUSED = 5\n", "UNUSED = 5\nMOST = 4\n")


def test_what_a_decorator_of_known_harmlessness_adorns_does_not_count(tree):
    tree.add(LATTICE, "\nfrom functools import cache\n\n\n@cache\ndef slow():\n    return 1\n")

    assert not tree.changes(LATTICE, "return 1", "return 2")


def test_what_a_decorator_that_only_wraps_adorns_does_not_count(tree):
    wrap = "def wrap(function):\n    def inner():\n        return function()\n\n    return inner\n"
    tree.add(LATTICE, f"\n\n{wrap}\n\n@wrap\ndef slow():\n    return 1\n")

    assert not tree.changes(LATTICE, "return 1", "return 2")


def test_what_figures_use_counts_for_figures(tree):
    assert tree.changes(PICTURING, 'return "chance"', 'return "chances"', function="figures")
    assert tree.changes(PICTURING, '"the chance"', '"the chance of the goal"', function="figures")
    assert not tree.changes(PUZZLE, "min(start, MOST)", "max(start, MOST)", function="figures")


def test_a_class_of_which_the_result_holds_records_counts_for_figures(tree):
    tree.add(PUZZLE, "\n\nclass Odds:\n    digits = 3\n")
    entries = solver_entries("ruin", "figures", ["solvers.ruin.puzzle:Odds"])

    before = reach(Code(tree.root), entries)
    tree.change(PUZZLE, "digits = 3", "digits = 4")

    assert reach(Code(tree.root), entries).key != before.key


# Constants are told apart


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"),
        ("1", "True"),
        ("0", "False"),
        ("0.0", "-0.0"),
        ("1", "'1'"),
        ("'1'", "b'1'"),
        ("''", "None"),
        ("...", "None"),
        ("1e999", "'inf'"),
        ("1.0", "1.0000000000000002"),
        ("0x" + "f" * 5000, "0x" + "f" * 4999 + "e"),
        ("'a', 'b'", "'a' 'b'"),
        ("f'{x}'", "f'{x!r}'"),
        ("f'{x:3}'", "f'{x:4}'"),
        ("f'{x}'", "'{x}'"),
        ("'\\ud800'", "'\\ud801'"),
        ("'é'", "'e\u0301'"),
        ("(1, 2), 3", "1, (2, 3)"),
        ("[1, 2]", "(1, 2)"),
        ("x.y", "x, y"),
        ("lambda a: a", "lambda a, /: a"),
        ("x[1:2]", "x[1, 2]"),
        ("x < y", "x <= y"),
        ("x and y", "x or y"),
    ],
)
def test_different_values_have_different_shapes(one, other):
    assert shape(f"A = {one}") != shape(f"A = {other}")


@pytest.mark.parametrize(
    ("one", "other"),
    [("1000", "1_000"), ("255", "0xff"), ("'ab'", "'a' 'b'"), ("'a'", '"a"'), ("u'a'", "'a'"), ("1.5", "1.50")],
)
def test_different_writings_of_one_value_have_one_shape(one, other):
    assert shape(f"A = {one}") == shape(f"A = {other}")


def shape(text):
    return facts_of(text.encode()).parts[0].shape


def test_facts_come_back_from_json():
    for path in sorted((ROOT / "solvers").rglob("*.py")):
        facts = facts_of(path.read_bytes())

        assert Facts.from_json(json.loads(json.dumps(facts.to_json()))) == facts


def test_facts_of_doubtful_files_are_found_without_a_word():
    for content in (b"A = '\\d'\n", b"\xef\xbb\xbfA = 1\n", b"# coding: latin-1\nA = '\xe9'\n", b""):
        assert facts_of(content).fault == ""
    for content in (b"A = \x00\n", b"\xff\n", b"A = " + b"(" * 500 + b")" * 500, b"A = " + b"-" * 20_000 + b"1"):
        assert facts_of(content).fault


# Data files


def test_a_declared_data_file_counts_by_its_content(tree):
    tree.write("solvers/ruin/words.txt", "one")
    tree.change("solvers/ruin/__init__.py", "DATA = ()", 'DATA = ("words.txt",)')

    assert tree.reach().data == {"solvers/ruin/words.txt"}
    assert "data file solvers/ruin/words.txt" in tree.reach().ingredients
    assert tree.changes("solvers/ruin/words.txt", "one", "two")


def test_data_of_a_solver_in_one_file_lies_beside_it(tree):
    tree.write("solvers/other_words.txt", "one")
    tree.add("solvers/other.py", 'DATA: tuple[str, ...] = ("other_words.txt", "../shared.txt")\n')
    tree.write("shared.txt", "two")

    assert tree.reach(solver="other").data == {"solvers/other_words.txt", "shared.txt"}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('["words.txt"]', "DATA must be a tuple of strings, written out"),
        ("tuple(NAMES)", "DATA must be a tuple of strings, written out"),
        ("(1,)", "DATA must be a tuple of strings, written out"),
        ('("words.txt",)', "DATA names 'words.txt', but there is no file solvers/ruin/words.txt"),
        ('("../../../words.txt",)', "DATA names '../../../words.txt', which lies outside the project"),
        ('("/etc/hostname",)', "DATA names '/etc/hostname', which lies outside the project"),
    ],
)
def test_data_that_cannot_be_found_is_a_fault_of_its_line(tree, data, said):
    tree.change("solvers/ruin/__init__.py", "DATA = ()", f"DATA = {data}")

    with pytest.raises(SiteError, match="DATA") as caught:
        tree.reach()

    assert str(caught.value).startswith(f"solvers/ruin/__init__.py:7: {said}\n    mend: ")


# The answer


def test_the_answer_names_files_and_modules(tree):
    reached = tree.reach()

    assert {path for path in reached.files if path.startswith("solvers/")} == set(FILES) - {"solvers/other.py"}
    assert {name for name in reached.modules if name.startswith("solvers")} == {
        "solvers",
        "solvers.common",
        "solvers.common.deeper",
        "solvers.common.lattice",
        "solvers.ruin",
        "solvers.ruin.picturing",
        "solvers.ruin.puzzle",
    }
    assert "site_builder/contract/__init__.py" in reached.files


def test_every_file_of_the_answer_can_be_found(tree):
    code = Code(tree.root)

    for shown in reach(code, solver_entries("ruin", "solve")).files:
        assert code.shown(code.path(shown)) == shown
        assert code.path(shown).is_file()


def test_ingredients_are_named_in_words(tree):
    ingredients = tree.reach().ingredients

    assert [name for name in ingredients if name.startswith("solvers/")] == [
        "solvers/common/deeper.py (function step)",
        "solvers/common/lattice.py (function first)",
        "solvers/common/lattice.py (imports)",
        "solvers/ruin/__init__.py (imports)",
        "solvers/ruin/__init__.py (module level)",
        "solvers/ruin/picturing.py (module level)",
        "solvers/ruin/puzzle.py (class Parameters)",
        "solvers/ruin/puzzle.py (class Result)",
        "solvers/ruin/puzzle.py (constant MOST)",
        "solvers/ruin/puzzle.py (function solve)",
        "solvers/ruin/puzzle.py (imports)",
        "solvers/ruin/puzzle.py (module level)",
    ]


def test_a_module_that_is_not_there_is_said_so(tree):
    with pytest.raises(LookupError, match=r"solvers\.nobody"):
        reach(Code(tree.root), [("solvers.nobody", "solve")])


def test_circles_of_imports_come_to_an_end(tree):
    tree.change(DEEPER, "def step", "from solvers.common import lattice\n\n\ndef step")
    tree.change(DEEPER, "goal - by", "lattice.first(goal - by)")

    assert "solvers/common/lattice.py (function first)" in tree.reach().ingredients


def test_two_modules_that_take_a_name_from_each_other_come_to_an_end(tree):
    tree.write("solvers/common/one.py", "from solvers.common.two import f\n")
    tree.write("solvers/common/two.py", "from solvers.common.one import f\n")
    tree.change(PUZZLE, "from solvers.common import lattice", "from solvers.common.one import f")
    tree.change(PUZZLE, "lattice.first(given.goal)", "f(given.goal)")

    assert "solvers.common.two" in tree.reach().modules


def test_every_process_finds_the_same_whatever_the_order_of_sets(tree):
    words = "import sys, pathlib; from site_builder.storage.code_fingerprints import *; "
    words += "print(reach(Code(pathlib.Path(sys.argv[1])), solver_entries('ruin', 'figures')).ingredients)"

    said = {
        subprocess.run(
            [sys.executable, "-c", words, str(tree.root)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(said) == 1


def test_the_folder_of_the_project_does_not_count(tree, tmp_path):
    elsewhere = Tree(tmp_path / "elsewhere" / "deeper")

    assert elsewhere.key() == tree.key()


def test_no_solver_is_imported(tree):
    tree.add(PUZZLE, "\nraise RuntimeError\n")

    tree.reach()

    assert not [name for name in sys.modules if name.startswith("solvers.ruin")]


def test_reaching_costs_no_heavy_import():
    words = "import sys; before = set(sys.modules); import site_builder.storage.code_graph.reachability; "
    words += "print(*(set(sys.modules) - before))"

    said = subprocess.run(
        [sys.executable, "-c", words], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()

    assert "site_builder.storage.code_graph.reachability" in said
    assert not {"numpy", "pydantic", "importlib.metadata", "email"} & set(said)


def test_the_builder_loads_modules_by_name_only_where_it_loads_solvers():
    # What the builder's own code looks up by name does not count, for it is the solver that the entries name. The guard
    # looks at frames, at code and at what is loaded already, and loads nothing. A bundle loads the solver in it. The
    # front door loads the command that is asked for, above all that results are made of; a type is only put in words.
    builder = ROOT / "site_builder"
    users = set()
    for path in sorted(set(builder.rglob("*.py")) - set((builder / "storage" / "code_graph").iterdir())):
        facts = facts_of(path.read_bytes())
        imported = {row.bound for row in facts.imports if row.module in ("importlib", "inspect", "pickle", "builtins")}
        users |= {
            (path.stem, part.name)
            for part in facts.parts
            if "everything" in part.doubts or imported & {use.partition(".")[0] for use in part.uses}
        }

    assert users == {
        ("description", "_type_in_words"),
        ("doctor", "_libraries"),
        ("doctor", "_requirements"),
        ("description", "description"),
        ("description", "origin"),
        ("main", "Commands"),
        ("host", "Host"),
        ("host", "main"),
        ("on_worker", "_Host"),
        ("pool", "Workers"),
        ("run", "_computed"),
        ("run", "_files"),
        ("workers", "ClusterWorkers"),
        ("audit", "_files_behind"),
        ("solver_tasks", "_move_to"),
        ("solver_tasks", "load_solver"),
        ("solver_tasks", "_make_record"),
        ("drawing_tasks", "_drawn"),
        ("trace", "_globals_used"),
        ("trace", "functions_reached"),
        ("trace", "traced_checks"),
        ("worker", "_answer"),
        ("worker", "_import_solver"),
        ("worker", "_run_in_child"),
        ("worker", "_start"),
        ("worker", "serve"),
        ("worker_process", "WorkerProcess"),
    }


def test_the_worker_that_solves_does_not_reach_the_one_that_draws():
    reached = reach(Code(ROOT), [("site_builder.solving.solver_tasks", "solve")]).ingredients

    assert "site_builder/solving/solver_tasks.py (function _solved)" in reached
    assert "site_builder/pipeline/steps/worker_tasks.py (function draw)" not in reached
    assert "matplotlib" not in reached
    assert "matplotlib" in reach(Code(ROOT), [("site_builder.pipeline.steps.worker_tasks", "draw")]).ingredients
