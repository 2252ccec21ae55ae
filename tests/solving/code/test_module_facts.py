"""Facts of a module: which changes of its text change them, and that they can be cached."""

from dataclasses import asdict

import pytest
from pydantic import TypeAdapter

from site_builder.errors import SiteError
from site_builder.solving.code.module_facts import Import, ModuleFacts, module_facts
from tests.conftest import ROOT, of_the_five


def facts(text):
    return module_facts(text if isinstance(text, bytes) else text.encode(), "solvers/dice.py")


def shape(text):
    return [each.digest for each in facts(text).definitions]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"),
        ("1", "True"),
        ("0", "False"),
        ("0.0", "-0.0"),
        ("1", "'1'"),
        ("1", "'0x1'"),
        ("'1'", "b'1'"),
        ("''", "None"),
        ("...", "None"),
        ("1e999", "'inf'"),
        ("1.0", "1.0000000000000002"),
        ("'a', 'b'", "'a' 'b'"),
        ("f'{x}'", "f'{x!r}'"),
        ("f'{x:3}'", "f'{x:4}'"),
        ("f'{x}'", "'{x}'"),
        ("'\\ud800'", "'\\ud801'"),
        ("'é'", "'e\u0301'"),
        ("(1, 2), 3", "1, (2, 3)"),
        ("(1,), (2, 3)", "(1, 2), (3,)"),
        ("[1, 2]", "(1, 2)"),
        ("x.y", "x, y"),
        ("lambda a: a", "lambda a, /: a"),
        ("lambda a=1, *, b: a", "lambda a, *, b=1: a"),
        ("{**a}", "{a: a}"),
        ("x[1:2]", "x[1, 2]"),
        ("x[:2]", "x[2:]"),
        ("x < y", "x <= y"),
        ("x and y", "x or y"),
        ("-x", "+x"),
    ],
)
def test_different_values_have_different_digests(one, other):
    assert shape(f"A = {one}") != shape(f"A = {other}")


@pytest.mark.parametrize(
    ("one", "other"),
    [("1000", "1_000"), ("255", "0xff"), ("'ab'", "'a' 'b'"), ("'a'", '"a"'), ("1.5", "1.50")],
)
def test_different_ways_to_write_a_value_have_one_digest(one, other):
    assert shape(f"A = {one}") == shape(f"A = {other}")


@pytest.mark.parametrize("head", ["def f():", "async def f():", "class F:", "class F:\n    def g(self):"])
def test_docstrings_change_a_digest_of_their_own(head):
    inner = "\n" + " " * (4 if head.count("\n") == 0 else 8)
    plain, one, other = (facts(f"{head}{inner}{text}x = 1\n") for text in ("", f"'one'{inner}", f"'other'{inner}"))

    assert plain.definitions[0].digest == one.definitions[0].digest == other.definitions[0].digest
    assert len({each.definitions[0].documented for each in (plain, one, other)}) == 3


@pytest.mark.parametrize(
    "text",
    [
        *("f(1)", "for i in x: pass", "x += 1", "x.y = 1", "x[0] = 1", "a, b.c = d", "x = [y[0] for y[0] in z]"),
        *("x = table.append(1)", "x = register(1)", "x = f'{register(1)}'", "x: int = [f(1) for f in table]"),
        *("class A:\n  table.append(1)\n", "class A:\n  x = Own(1)\n", "def f(x=table.append(1)): pass\n"),
        *("from math import sqrt\ndef sqrt(x): pass\ny = sqrt(1)", "def len(x): pass\ny = len(1)"),
        *("from a import *\nx = len(y)", "class A:\n  table[0] = 1\n", "class A:\n  @table.add\n  def f(self): pass"),
        *("x = setattr(1, 'a', 2)", "from a import b\nx = b()", "from .a import b\nx = b.c()", "x = (lambda: y)()"),
    ],
)
def test_what_does_more_than_bind_a_name_is_always_run(text):
    assert facts(text).definitions[-1].is_always_run


@pytest.mark.parametrize(
    "text",
    [
        *("x = 1", "x: int = y", "x, [y, *z] = 1, (2, 3)", "x = [y := 1]", "x = len(y) + sum(z)", "x = ' '.join(y)"),
        *("import numpy as np\nx = np.linspace(0, 1)", "from re import compile as c\nx = c(y)", "x = lambda: 1"),
        *("class A:\n  x = len(y)\n  def f(self): table.append(1)", "def f(x=len(y)):\n  table[0] = x"),
    ],
)
def test_what_binds_constants_or_what_libraries_compute_runs_for_its_names_alone(text):
    assert not facts(text).definitions[-1].is_always_run


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(): pass", ["f"]),
        ("async def f(): pass", ["f"]),
        ("class F: pass", ["F"]),
        ("x = 1", ["x"]),
        ("x: int = 1", ["x"]),
        ("x = y = 1", ["x", "y"]),
        ("x, y = range(2)", ["x", "y"]),
        ("x = [y for y in range(2)]", ["x"]),
        ("x = [y := 1]", ["x", "y"]),
        ("if f(1):\n  x = 1\n  def y(): z = 1\n", ["x", "y"]),
        ("for x in range(3): y = x\n", ["x", "y"]),
    ],
)
def test_definitions_bind_these_names(text, names):
    assert [name for each in facts(text).definitions for name in each.bound] == names


def test_names_are_dotted_and_local_ones_are_left_out():
    found = facts(
        "def f(a, b=start.x):\n    c = 1\n    return a + c + np.linalg.norm(rest.y[0].z) + min(w for w in a)\n"
    )

    assert found.definitions[0].names == ("min", "np.linalg.norm", "rest.y", "start.x")


def test_words_within_an_annotation_are_no_names():
    found = facts("def f(a: Annotated[int, Field(description='the first of all')] = 1, b: 'Odds' = 2): pass\n")

    assert found.definitions[0].names == ("Annotated", "Field", "Odds", "int")


@pytest.mark.parametrize("imports", ["", "import collections.abc\n"])
def test_a_class_with_a_base_that_is_no_name_may_be_registered_by_it(imports):
    assert facts(f"{imports}class A(bases[0]): pass\n").definitions[-1].is_always_run


def test_imports_are_found_with_the_names_that_they_bind():
    found = facts("import a.b\nimport a.b as c\nfrom .d import e as f\nfrom g import *\n")

    assert [(each.bound, each.imports) for each in found.definitions] == [
        (("a.b",), (Import("a.b", "a.b"),)),
        (("a",), (Import("a", "a"),)),
        (("c",), (Import("c", "a.b"),)),
        (("f",), (Import("f", "solvers.d", "e"),)),
        ((), (Import("*", "g"),)),
    ]


@of_the_five
def test_facts_can_be_cached_as_json():
    adapter = TypeAdapter(ModuleFacts)
    for path in sorted((ROOT / "solvers").rglob("*.py")):
        found = module_facts(path.read_bytes(), path.name)

        assert asdict(adapter.validate_json(adapter.dump_json(found))) == asdict(found)


@pytest.mark.parametrize(
    "content", [b"A = '\\d'\n", b"\xef\xbb\xbfA = 1\n", b"# coding: latin-1\ndef f(): return '\xe9'\n", b""]
)
def test_unusual_files_have_facts_without_a_warning(content):
    assert facts(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"A = 1\nB = (\n", "solvers/dice.py:2: this is not Python: '(' was never closed"),
        (b"A = \x00\n", "solvers/dice.py: this is not Python: source code string cannot contain null bytes"),
        (b"\xff\n", "solvers/dice.py:1: this is not Python: (unicode error)"),
        (b"A = " + b"-" * 20_000 + b"1", "solvers/dice.py: this file cannot be analysed: MemoryError"),
        (b"A = " + b"1 + " * 2_000 + b"1", "solvers/dice.py: this file cannot be analysed: maximum recursion depth"),
    ],
)
def test_a_file_that_is_no_python_is_an_error_with_its_line(content, message):
    with pytest.raises(SiteError) as caught:
        facts(content)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("number", [b"0x" + b"f" * 3_600, b"0b" + b"1" * 15_000, b"9" * 5_000])
def test_a_number_with_more_digits_than_python_writes_is_an_error(number):
    with pytest.raises(SiteError, match=r"Exceeds the limit \(4300"):
        facts(b"A = 1\nB = " + number + b"\n")

    assert facts(b"A = 1\nB = 16**5000 - 1\n")
