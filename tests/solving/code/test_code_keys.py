"""The code behind each task of a solver, from the cache and anew, and the digest of the builder."""

import dataclasses
import sqlite3
import sys
from contextlib import closing

import pytest

from site_builder.contract.answers import Tolerance
from site_builder.project.extensions import load_extensions
from site_builder.solving.checks.answers import Comparison
from site_builder.solving.code import code_keys
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage.file_fingerprints import digests, scan
from site_builder.storage.sqlite_file import NAME
from site_builder.storage.store import Store
from site_builder.values.digest import digest
from tests.conftest import ROOT, RUIN
from tests.solving.code.test_libraries import forget, install


def keys(project, ask, stamp="stamp"):
    """What `ask` gets of the keys of a project as its files are now."""
    with Store(project.root / ".store", 2**30, pytest.fail) as store:
        return ask(CodeKeys(project.root, store, digests(scan(project.root), {}), stamp, load_extensions(project.root)))


def solving_key(project, solver="gamblers_ruin", stamp="stamp"):
    return keys(project, lambda codes: codes.of(solver).solving.key, stamp)


def test_the_builder_counts_by_the_modules_of_a_checkout(tmp_path):
    with Store(tmp_path / ".store", 2**30, pytest.fail) as store:
        found = [
            CodeKeys(tmp_path, store, files, "stamp").builder
            for files in (
                {"config.yaml": "a"},
                {"config.yaml": "a", "@errors.py": "1"},
                {"config.yaml": "b", "@errors.py": "1"},
                {"config.yaml": "a", "@errors.py": "2"},
                {"config.yaml": "a", "@errors.py": "1", "@default_theme/post.html": "3"},
            )
        ]

    assert found[1] == found[2] == found[4]
    assert len(set(found)) == 3


@pytest.mark.parametrize(("name", "value"), [("__version__", "9.9"), ("environment_stamp", str)])
def test_the_builder_counts_by_its_version_and_those_of_its_libraries(project, monkeypatch, name, value):
    before = keys(project, lambda codes: codes.builder)
    solving = solving_key(project)

    monkeypatch.setattr(code_keys, name, value)

    assert keys(project, lambda codes: codes.builder, "another environment") != before
    assert solving_key(project) == solving


def test_the_libraries_of_the_builder_are_among_its_requirements():
    required = (ROOT / "pyproject.toml").read_text().replace("-", "_")

    assert [name for name in code_keys._LIBRARIES if name not in required] == ["markupsafe"]  # which jinja2 needs


def test_results_of_another_form_are_computed_again(project, monkeypatch):
    before = solving_key(project)

    monkeypatch.setattr(code_keys, "_FORM", {"form of results": "of the future"})
    project.write("solvers/gamblers_ruin.py", RUIN.replace("# Feller's", "# William Feller's"))

    assert solving_key(project) != before


def test_the_form_of_what_workers_pack_of_checks_is_counted():
    fields = [each.name for kind in (Comparison, Tolerance) for each in dataclasses.fields(kind)]

    # Where the fields differ, count `_FORM` up: cached answers of the old form cannot be compared any more.
    assert (code_keys._FORM["form of results"], digest(fields)) == ("8", "4dcaefa03774284a9deb5aee")


def test_only_a_new_module_is_read_when_there_is_one_more_solver(project):
    solving_key(project)
    before = modules_read(project)
    project.write("solvers/another.py", "def solve(n=1):\n    return n\n")

    solving_key(project, "another")
    after = modules_read(project)

    assert before < after
    assert len(after - before) == 1


def test_a_module_that_appears_in_a_package_beside_solvers_is_seen(project):
    project.write("helping/slow.py", "def power(n):\n    return 1\n")
    tried = "try:\n    from helping.fast import power\nexcept ImportError:\n    from helping.slow import power\n\n\n"
    project.write("solvers/tried.py", tried + "def solve(n: int = 1):\n    return {'power': power(n)}\n")
    before = solving_key(project, "tried")

    project.write("helping/fast.py", "def power(n):\n    return 2\n")

    assert solving_key(project, "tried") != before


def modules_read(project):
    with closing(sqlite3.connect(project.root / ".store" / NAME)) as store:
        return {key for (key,) in store.execute("SELECT key FROM entries WHERE kind = 'module'")}


@pytest.fixture
def with_proof(project):
    """A project with an extension that reads functions `proof` of solvers."""
    project.write("extensions.py", "def extend(site):\n    site.solver_function('proof', print)\n")
    return project


def test_the_code_that_an_extension_reads_counts_for_checks_and_not_for_solving(with_proof):
    proof = ("solvers/dice/moves.py", "proof")
    functions = (f"def {name}():\n    return 1\n" for name in ("solve", "figure_ways", "check_ways"))
    with_proof.write("solvers/dice/__init__.py", "from solvers.dice.moves import proof\n" + "".join(functions))
    with_proof.write("solvers/dice/moves.py", "def proof():\n    return 1\n")

    reached = keys(
        with_proof, lambda codes: [codes.of("dice").checking, codes.of("dice").whole, codes.of("dice").solving]
    )

    assert [proof in code.definitions for code in reached] == [True, True, False]
    assert ["the extension extensions.py" in code.inputs for code in reached] == [True, True, False]


def test_a_worker_is_given_the_extensions_that_read_a_solver_with_their_modules(with_proof):
    with_proof.write("solvers/dice.py", "def solve():\n    return {}\n\n\ndef proof():\n    return 1\n")

    read, other = keys(with_proof, lambda codes: [codes.loadable("dice"), codes.loadable("gamblers_ruin")])

    assert read.extensions["proof"][0] == "extensions.py"
    assert sorted(read.code) == ["extensions.py", "solvers/dice.py"]
    assert other.extensions == {}
    assert "extensions.py" not in other.code


@pytest.mark.parametrize("reads", ["", "def extend(site):\n    site.solver_function('theorem', print)\n"])
def test_an_extension_that_reads_a_solver_no_more_is_no_extension_of_it(with_proof, reads):
    with_proof.write("solvers/dice.py", "def solve():\n    return {}\n\n\ndef proof():\n    return 1\n")
    before = keys(with_proof, lambda codes: codes.of("dice"))

    (with_proof.root / "extensions.py").unlink()
    if reads:
        with_proof.write("extensions.py", reads)
    after = keys(with_proof, lambda codes: codes.of("dice"))

    assert (before.extensions, after.extensions) == ({"proof": "extensions.py"}, {})
    assert before.checking.key != after.checking.key


def test_a_module_that_is_named_like_the_function_is_none(with_proof):
    with_proof.write("solvers/plain/proof.py", "RULES = 1\n")
    functions = (f"def {name}():\n    return 1\n" for name in ("solve", "figure_ways", "check_ways"))
    with_proof.write("solvers/plain/__init__.py", "".join(functions))

    found = keys(with_proof, lambda codes: codes.of("plain").checking.definitions)

    assert {name for file, name in found} == {"check_ways"}


@pytest.mark.parametrize("used", [True, False])
def test_matplotlib_and_docstrings_count_for_figures_that_it_draws(project, used):
    imports = "import matplotlib.pyplot as plt\n"
    head = "def figure_chance(chance):\n"
    assert head in RUIN

    def tasks(words):
        added = f'    """{words}"""\n' + ("    plt.figure()\n" if used else "")
        project.write("solvers/gamblers_ruin.py", imports + RUIN.replace(head, head + added))
        return keys(project, lambda codes: [codes.of("gamblers_ruin").showing, codes.of("gamblers_ruin").solving])

    (showing, solving), (again, _) = tasks("A line."), tasks("Another line.")

    assert ("matplotlib" in showing.libraries) == used
    assert (showing.key != again.key) == used
    assert ("the builder" in showing.inputs) == used  # in whose style it draws
    assert "matplotlib" not in solving.libraries


# The code that checks share with solve


SHARING = """
from functools import cache, lru_cache, partial

import numpy as np

from site_builder.contract import rules

FLIPS = 3
POWERS = {"two": 2}


@cache
def power(n):
    return 2**n


def step(n):
    return n + 1


@rules
def moves(n):
    return [step(n)]


class Coin:
    def chance(self):
        return 0.5


class Pair:
    first: int = 1


TABLE = [power(n) for n in range(5)]
vectorised = np.vectorize(lambda n: power(n))
doubled = partial(power, 2)
memo = {}


def solve(n: int = FLIPS):
    memo[n] = POWERS["two"]
    moves(n), Coin().chance(), TABLE, vectorised, doubled, Pair, power
    return {"ways": 8}


def check_it(n):
    return {"ways": USED}
"""


def independence(project, used, text=SHARING):
    """What a check shares with solve when it computes this."""
    project.write("solvers/coins.py", text.replace("USED", used))
    return keys(project, lambda codes: codes.of("coins").independence["check_it"])


@pytest.mark.parametrize(
    ("used", "shared"),
    [
        ("power(n)", ("power",)),
        ("sum(map(power, range(n)))", ("power",)),
        ("getattr(power, '__wrapped__')(n)", ("power",)),
        ("Coin().chance()", ("Coin",)),
        ("TABLE[n]", ("power",)),
        ("vectorised(n)", ("power", "vectorised")),
        ("doubled()", ("power",)),
        ("solve(n)['ways']", ("Coin", "power", "solve", "vectorised")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_check_that_reaches_a_function_of_solve_says_which(project, used, shared):
    assert independence(project, used).shared == shared


@pytest.mark.parametrize("used", ["2**n", "FLIPS + POWERS['two']", "Pair.first", "len(range(n))"])
def test_literal_constants_and_classes_without_methods_are_free(project, used):
    assert independence(project, used).shared == ()


@pytest.mark.parametrize("used", ["moves(n)", "step(n)"])
def test_rules_and_what_they_reach_may_be_shared_and_are_named(project, used):
    found = independence(project, used)

    assert (found.shared, found.rules) == ((), ("moves",) if used == "moves(n)" else ())


@pytest.mark.parametrize("head", ["if FLIPS:", "try:\n    import fast\nexcept ImportError:", "for _ in range(1):"])
@pytest.mark.parametrize("name", ["check_it", "power"])
def test_functions_that_stand_in_a_statement_are_seen(project, head, name):
    before, found, rest = SHARING.partition(f"def {name}(n):\n")
    body, _, rest = rest.partition("\n\n\n")
    text = f"{before}pass\n{head}\n    {found}    {body}\n\n\n{rest}".replace("@cache\npass", "pass")

    assert independence(project, "power(n)", text).shared == ("power",)


@pytest.mark.parametrize("mark", ["", "@rules\n"])
def test_a_class_of_which_a_result_may_hold_objects_counts_for_checks_and_figures(project, mark):
    def tasks(text):
        project.write("solvers/coins.py", text)
        return keys(project, lambda codes: [codes.of("coins").checking.key, codes.of("coins").showing.key])

    text = SHARING.replace("class Coin:", f"{mark}class Coin:").replace("USED", "8")

    assert not {*tasks(text)} & {*tasks(text.replace("return 0.5", "return 0.25"))}


def test_rules_do_not_free_what_they_share_with_nothing(project):
    assert independence(project, "(moves(n), power(n))").shared == ("power",)


@pytest.mark.parametrize(
    "computed",
    ["if FLIPS:\n    OTHER = power(3)", "for OTHER in [power(3)]:\n    pass", "OTHER = 1\nOTHER += power(3)"],
)
def test_a_value_that_a_statement_computes_by_a_function_counts_as_the_function(project, computed):
    text = SHARING.replace("def solve", f"{computed}\n\n\ndef solve")

    assert independence(project, "OTHER", text).shared == ("power",)


@pytest.mark.parametrize("imported", ["from site_builder import contract", "import site_builder.contract as contract"])
def test_code_of_solve_counts_for_checks_that_have_it_run(project, imported):
    def checking(text):
        project.write("solvers/coins.py", f"{imported}\n{text}")
        return keys(project, lambda codes: codes.of("coins").checking.key)

    for used, counts in (("contract.case({'n': 2}, 4)", True), ("contract.close(8)", False)):
        text = SHARING.replace("USED", used)
        assert (checking(text) != checking(text.replace('POWERS["two"]', 'POWERS["two"] + 0'))) == counts


def test_a_function_that_only_the_check_reaches_is_its_own(project):
    text = SHARING.replace("def check_it", "def own(n):\n    return 2 * own(n - 1) if n else 1\n\n\ndef check_it")

    assert independence(project, "own(n)", text).shared == ()


@pytest.mark.parametrize("names", ["check_it, solve", "*"])
def test_the_modules_of_a_package_and_shared_mathematics_count_alike(project, names):
    project.write("solvers/common/__init__.py", "")
    project.write("solvers/common/sums.py", "def total(n):\n    return n\n")
    project.write("solvers/coins/__init__.py", f"from .inner import {names}\n")
    project.write("solvers/coins/inner.py", f"from solvers.coins.parts import {names}\n")
    parts = "from solvers.common.sums import total\n\n\ndef solve(n=1):\n    return {'ways': total(n)}\n\n\n"
    project.write("solvers/coins/parts.py", parts + "def check_it(n):\n    return {'ways': total(n)}\n")

    found = keys(project, lambda codes: codes.of("coins").independence)

    assert {name: each.shared for name, each in found.items()} == {"check_it": ("total",)}


def test_a_function_that_an_extension_reads_shares_code_as_a_check_does(with_proof):
    text = SHARING.replace('def check_it(n):\n    return {"ways": USED}', "def proof(ways):\n    return power(ways)")
    with_proof.write("solvers/coins.py", text)

    assert keys(with_proof, lambda codes: codes.of("coins").independence["proof"].shared) == ("power",)


# Code outside of the project


@pytest.fixture
def apart(project, tmp_path_factory, monkeypatch):
    """A folder of libraries, of which the solver imports the module `mine`."""
    folder = tmp_path_factory.mktemp("apart") / "site-packages"
    folder.mkdir()
    (folder / "mine.py").write_text("VALUE = 1\n")
    project.write("solvers/one.py", "import mine\n\n\ndef solve(n=1):\n    return mine.VALUE\n")
    monkeypatch.syspath_prepend(str(folder))
    forget()
    yield folder
    forget()


@pytest.mark.parametrize(
    ("edited", "is_other"), [({"mine": "2"}, True), ({"below": "2"}, True), ({"beside": "2"}, False)], ids=str
)
def test_the_versions_of_a_library_and_of_what_it_needs_count(project, apart, edited, is_other):
    versions = {"mine": "1", "below": "1", "beside": "1"}

    def installed(versions):
        for name, version in versions.items():
            for old in apart.glob(f"{name}-*.dist-info"):
                for file in old.iterdir():
                    file.unlink()
                old.rmdir()
            install(apart, name, version, f"{name}.py", needs=["below"] if name == "mine" else [])
        forget()
        return solving_key(project, "one", environment_stamp())

    assert (installed(versions) != installed(versions | edited)) == is_other


def test_the_key_is_the_same_wherever_the_code_is_installed(project, apart, monkeypatch):
    before = solving_key(project, "one")
    moved = apart.rename(apart.parent.parent / "site-packages")
    monkeypatch.setattr(sys, "path", [str(moved), *sys.path[1:]])
    forget()

    assert solving_key(project, "one", "moved") == before


def test_the_first_check_and_figure_of_a_solver_are_seen_where_the_cache_knows_it_without(project):
    alone = '"""A sum."""\n\n\ndef solve(n: int = 3):\n    return {"sum": 6}\n'
    project.write("solvers/summing.py", alone)

    def parts(codes):
        return set(codes.of("summing").independence), codes.of("summing").checking.key, codes.of("summing").showing.key

    before = keys(project, parts)
    project.write(
        "solvers/summing.py", f"{alone}\n\ndef check_sum(n):\n    return {{}}\n\n\ndef figure_sum(sum):\n    ...\n"
    )
    after = keys(project, parts)

    assert (before[0], after[0]) == (set(), {"check_sum"})
    assert before[1] != after[1]
    assert before[2] != after[2]
