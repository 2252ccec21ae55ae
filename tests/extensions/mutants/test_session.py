"""`mutants`: what it prints of seeded faults, and what it refuses."""

from textwrap import dedent

import pytest

SOLVER = '''
    """Coins counted.

    Source: own.
    """

    from typing import Annotated

    from site_builder.contract import Field


    def solve(n: Annotated[int, Field(ge=1, le=9)] = 4):
        total = 0
        for k in range(n):
            total += k
        last = n - 1
        return {"total": total, "last": last}


    def check_sum(n):
        """The closed form"""
        return {"total": n * (n - 1) // 2}
'''
STRONG = '''

    def check_last():
        """By hand"""
        return {"last": 3}
'''


@pytest.fixture
def coins(project):
    """A project with a solver of which a field is not checked."""
    project.write("solvers/coins.py", dedent(SOLVER).lstrip())
    return project


def edit(project, old, new):
    path = project.root / "solvers" / "coins.py"
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


def strengthen(project):
    """Give the solver a check of its other field."""
    path = project.root / "solvers" / "coins.py"
    path.write_text(path.read_text("utf-8") + dedent(STRONG), "utf-8")


def test_faults_that_are_found_are_counted_and_those_that_are_missed_are_listed_with_what_they_change(coins):
    ran = coins.run("mutants", "coins")

    assert ran.out == dedent(
        """\
        coins: 5 faults seeded, each alone, at the default parameters
          3 found: 3 by a check that failed
          2 not found, although every one changes an answer; check the fields that it changes:
            solvers/coins.py:15: in solve: last = n - 1 -> last = n + 1
              changes last
            solvers/coins.py:15: in solve: last = n - 1 -> last = n - 2
              changes last
          3 of the 5 that change an answer are found
        """
    )


@pytest.mark.deep
def test_a_further_check_finds_what_was_missed(coins):
    strengthen(coins)

    ran = coins.run("mutants", "coins")

    assert "  5 of the 5 that change an answer are found" in ran.out
    assert "not found" not in ran.out


@pytest.mark.deep
def test_faults_without_effect_exceptions_breaches_of_the_contract_and_endless_loops_are_told_apart(coins):
    edit(coins, "        total += k\n", "        total += k\n    while total > 10**6:\n        total -= 1\n")
    edit(coins, '{"total": total,', '{"total": total if total < 99 else -(1 // (total - total)),')
    edit(coins, '"last": last}', '"last": last if last <= 3 else float("inf")}')

    ran = coins.run("mutants", "coins")

    assert "by an exception" in ran.out
    assert "by a breach of the contract" in ran.out
    assert "by the time limit" in ran.out
    assert "  13 without effect on any answer at these parameters:\n    solvers/coins.py:" in ran.out


@pytest.mark.deep
def test_the_solver_itself_stays_as_it_is_and_is_not_seeded_with_anything_afterwards(coins):
    text = (coins.root / "solvers" / "coins.py").read_bytes()

    coins.run("mutants", "coins")

    assert (coins.root / "solvers" / "coins.py").read_bytes() == text
    assert "total  6" in coins.run("solve", "coins").out


def test_a_solver_that_fails_a_check_without_any_fault_is_an_error(coins):
    edit(coins, "// 2}", "// 3}")

    ran = coins.run("mutants", "coins", status=1)

    assert "mutants coins: solver 'coins' failed a check without any fault: check_sum: it should be" in ran.err
    assert "mend: correct it first; python build.py solve coins shows it" in ran.err


@pytest.mark.deep
def test_a_solver_that_raises_without_any_fault_is_an_error(coins):
    edit(coins, "total = 0", "total = 1 // 0")

    ran = coins.run("mutants", "coins", status=1)

    assert "solver 'coins' failed without any fault: solvers/coins.py:12: ZeroDivisionError" in ran.err


def test_a_parameter_without_a_default_is_an_error(coins):
    edit(coins, "le=9)] = 4", "le=9)]")

    ran = coins.run("mutants", "coins", status=1)

    assert "solvers/coins.py:11: solver 'coins': the parameter n of solve has no default" in ran.err


def test_a_misspelt_solver_is_told_the_nearest_one(coins):
    assert "mutants coin: no solver is named 'coin'" in coins.run("mutants", "coin", status=2).err
