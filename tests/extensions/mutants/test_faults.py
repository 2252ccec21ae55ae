"""The faults that are seeded in a solver: what they change, what they leave alone, which of them are chosen."""

import ast
from textwrap import dedent

import pytest

from site_builder.extensions.mutants.faults import choose_faults, faults_in
from tests.conftest import ROOT

PATH = "solvers/ruin.py"


def changes(code, *names):
    """The changes in a file, as "before -> after"."""
    text = dedent(code).encode()
    return [fault.change.partition(": ")[2] for fault in faults_in(PATH, text, names or ["solve"])]


def in_function(line):
    return f"def solve(a, b):\n    {line}\n"


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("return a + b", ["return a - b"]),
        ("return (a) - (b)", ["return a + b"]),
        ("return a * b", ["return a + b"]),
        ("return a / b", ["return a * b"]),
        ("return a // b", ["return a * b"]),
        ("return a ** b", ["return a * b"]),
        ("return a << b", ["return a >> b"]),
        ("return a & b", ["return a | b"]),
        ("a += b", ["a -= b"]),
        ("return -a", ["return --a"]),
        ("return +a", []),
        ("return ~a", ["return ~~a"]),
        ("return a < b", ["return a <= b", "return a >= b"]),
        ("return a == b", ["return a != b"]),
        ("return a not  in b", ["return a in b"]),
        ("return a is b", ["return a is not b"]),
        ("return a and b", ["return a or b"]),
        ("return not a", ["return not not a"]),
        ("return 7", ["return 8"]),
        ("return 0.5", ["return 1.5"]),
        ("return True", ["return False"]),
        ("return max(a, b)", ["return min(a, b)"]),
        ("return a.argmin()", ["return a.argmax()"]),
        ("return range(a)", ["return range(a - 1)"]),
        ("return range(a, b)", ["return range(a, b - 1)"]),
        ("return a[b:]", ["return a[b + 1:]"]),
        ("return a[1:]", ["return a[2:]"]),
        ("return a if b else 'x'", ["return a if not b else 'x'"]),
        ("return [x for x in a if x]", ["return [x for x in a if not x]"]),
    ],
)
def test_each_fault_is_one_other_operator_constant_comparison_or_bound(line, after):
    found = [change.partition(" -> ")[2] for change in changes(in_function(line))]

    assert found == after


def test_a_condition_is_negated():
    assert changes("def solve(a):\n    if a:\n        return a\n") == ["a -> not a"]


def test_a_fault_has_the_line_of_the_file_and_changes_its_code_alone():
    code = "def solve(a, b):\n    return min(\n        a,  # the first\n        a + b,\n    )\n"

    _, fault = faults_in(PATH, code.encode(), ["solve"])

    assert (fault.place, fault.change) == (f"{PATH}:4", "in solve: return min(a, a + b) -> return min(a, a - b)")
    assert fault.seeded(code.encode()).decode() == "def solve(a, b):\n    return min(a, a - b)"


@pytest.mark.parametrize(
    "code",
    [
        'def solve(a):\n    """Gives 1 + 1."""\n    return "1 + 1"\n',
        'def solve(a: "int" | None = None, *, b: tuple[1, 2]) -> Sized[1]:\n    x: Sized[1]\n    return a\n',
        "@cache(maxsize=2)\ndef solve(a):\n    return a\n",
        'def solve(a):\n    raise ValueError(f"{a + 1} is more than {1}", 2)\n',
        'def solve(a):\n    return f"{a + 1}"\n',
        "def solve(goal: int = 20, *, last=False):\n    return goal\n",
        "solve = int | None\n",
    ],
)
def test_what_makes_no_answer_is_left_alone(code):
    assert changes(code) == []


def test_only_the_definitions_that_are_asked_for_have_faults():
    code = "LIMIT = 5\n\ndef solve(a):\n    return a + 1\n\nclass Game:\n    size = 3\n"

    assert changes(code, "LIMIT", "Game") == ["LIMIT = 5 -> LIMIT = 6", "size = 3 -> size = 4"]


def test_faults_that_look_the_same_are_numbered():
    assert changes("def solve(a):\n    a += 1\n    a += 1\n")[2:] == ["a += 1 -> a -= 1 (2)", "a += 1 -> a += 2 (2)"]


def test_of_long_code_only_what_is_beside_the_change_is_shown():
    words = ", ".join(f"number_{number}" for number in range(40))

    (change,) = changes(f"def solve(a):\n    return a([{words}, 7, {words}])\n")

    assert change.startswith("... number_37, number_38, number_39, 7, number_0, ")
    assert " -> ... number_37, number_38, number_39, 8, number_0, " in change
    assert len(change) < 220


@pytest.mark.deep
def test_every_fault_of_the_solvers_is_python_that_differs():
    for path in sorted((ROOT / "solvers").rglob("*.py")):
        text = path.read_bytes()
        names = {getattr(node, "name", "") for node in ast.parse(text).body}
        for fault in faults_in(path.name, text, names)[::7]:
            assert ast.dump(ast.parse(fault.seeded(text))) != ast.dump(ast.parse(text))


CODE = "".join(f"def step_{n}(a):\n    return a + {n} if a > {n} else a * {n}\n" for n in range(30))
NAMES = {PATH: {f"step_{n}" for n in range(30)}}


def chosen(code, most=25):
    return [fault.change for fault in choose_faults({PATH: code.encode()}, NAMES, most)]


def test_of_many_faults_a_sample_is_chosen_and_always_the_same_one():
    first = chosen(CODE)

    assert len(first) == 25
    assert chosen(CODE) == first
    assert len({change.split(":")[0] for change in first}) > 10


def test_lines_that_move_change_no_choice():
    assert chosen(f'"""A solver."""\n\n{CODE}') == chosen(CODE)


def test_an_edit_changes_the_choice_in_other_functions_hardly():
    edited = chosen(CODE.replace("return a + 7 if", "return a + 7 + a if"))

    assert len(set(edited) & set(chosen(CODE))) >= 23


def test_few_faults_are_all_chosen_in_the_order_of_the_text():
    names = {PATH: {"step_3"}}

    found = choose_faults({PATH: CODE.encode()}, names, 25)

    assert len(found) == 7
    assert [fault.line for fault in found] == sorted(fault.line for fault in found)
