"""Which fields a check reads, whether it is independent, and what makes it no confirmation."""

import sys
import types
from textwrap import dedent

import pytest

from site_builder.contract import Check
from site_builder.solving.checks.outcomes import judge, raw_check, read_outcomes
from site_builder.solving.checks.trace import CheckError, traced_checks
from site_builder.values.packing import pack

HEAD = """
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from site_builder.contract import Absolute, Check

@dataclass(frozen=True)
class Parameters:
    n: int = 3

@dataclass(frozen=True, eq=False)
class Pair:
    first: int
    second: int

@dataclass(frozen=True, eq=False)
class Result:
    value: Fraction
    table: tuple
    pair: Pair
    label: str

@cache
def power(n):
    return 2**n

def solve(parameters):
    return Result(Fraction(power(parameters.n)), (1, 2, 4), Pair(1, 2), "a")
"""


@pytest.fixture
def traced(monkeypatch):
    """The checks of a solver with this code, as outcomes."""

    def run(code, fields=None):
        module = types.ModuleType("solvers.powers")
        monkeypatch.setitem(sys.modules, "solvers.powers", module)
        exec(compile(HEAD + dedent(code), "solvers/powers.py", "exec"), vars(module))
        parameters = module.Parameters()
        result = module.solve(parameters)
        found = traced_checks(module, parameters, result, fields)
        return read_outcomes(judge(pack(([raw_check(*each, result) for each in found], b""))))

    return run


def test_a_check_by_other_code_is_independent_and_says_how_much_it_looked_at(traced):
    (outcome,) = traced("""
        def checks(parameters, result):
            yield Check("powers", "by hand", (8, 1, 2), (result.value, *result.table[:2]), of="value, table[2]")
    """)

    assert outcome.passed
    assert outcome.is_independent
    assert [str(each) for each in outcome.of] == ["value", "table (2 of 3)"]


def test_a_check_that_runs_a_function_of_solve_is_not_independent_even_when_it_is_cached(traced):
    own, other = traced("""
        def again(n):
            return power(n)

        def by_solver(parameters, result):
            yield Check("again", "another algorithm", again(parameters.n), result.value, of="value")

        def by_hand(result):
            yield Check("by hand", "by hand", 8, result.value, of="value")

        def checks(parameters, result):
            yield from by_solver(parameters, result)
            yield from by_hand(result)
    """)

    assert own.shared == ("power",)
    assert other.shared == ()


def test_a_check_that_calls_solve_is_not_independent(traced):
    (outcome,) = traced("""
        def checks(parameters, result):
            yield Check("again", "another algorithm", solve(parameters).value, result.value, of="value")
    """)

    assert outcome.shared == ("power", "solve")


def test_fields_of_a_record_are_told_apart(traced):
    (outcome,) = traced("""
        def checks(parameters, result):
            yield Check("pair", "by hand", 1, result.pair.first, of="pair.first")
    """)

    assert [each.field for each in outcome.of] == ["pair.first"]


def test_at_a_point_of_a_sweep_only_kept_fields_count_and_the_solver_may_leave_others_out(traced):
    outcomes = traced(
        """
        def checks(parameters, result, fields=None):
            yield Check("value", "by hand", 8, result.value, of="value")
            if fields is None or "table" in fields:
                raise AssertionError("takes long")
            yield Check("pair", "by hand", 1, result.pair.first, of="pair.first")
        """,
        frozenset({"value"}),
    )

    assert [each.name for each in outcomes] == ["value"]


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ('Check("a", "closed form", 1, 1, of="value")', "confirms 'value', and reads nothing of it"),
        ('Check("a", "closed form", result.value, result.value, of="value")', "compares 'value' with itself"),
        ('Check("a", "closed form", 8, result.value, of="valeu")', "is no field of the result; did you mean 'value'"),
        ('Check("a", "closed form", 8, result.value, of="")', "must name fields of the result"),
        (
            'Check("a", "closed form", (1,), result.table[:1], of="table[4]")',
            "confirms 4 cells of 'table', which has 3",
        ),
        ('Check("a", "by eye", 8, result.value, of="value")', "has the method 'by eye'"),
        ('Check("a", "by hand", 8, result.value, of="value", within=Absolute(-1))', "numbers that are not negative"),
        ("7", "gave a int; it must give Checks"),
    ],
)
def test_a_check_that_confirms_nothing_is_refused(traced, check, message):
    with pytest.raises(CheckError, match=message):
        traced(f"""
            def checks(parameters, result):
                yield {check}
        """)


def test_a_verdict_forged_in_the_worker_changes_nothing(traced, monkeypatch):
    monkeypatch.setattr(Check, "passed", Check.passed)  # given back after the test
    (outcome,) = traced("""
        Check.passed = property(lambda self: True)

        def checks(parameters, result):
            yield Check("forged", "by hand", Fraction(1, 3), result.value, of="value")
    """)

    assert not outcome.passed
    assert outcome.difference == "it should be 1/3, and is 8"


def test_an_empty_list_is_the_same_object_everywhere_and_confirmed_all_the_same(traced):
    (outcome,) = traced("""
        def solve(parameters):
            return Result(Fraction(8), (), Pair(1, 2), "a")

        def checks(parameters, result):
            yield Check("none", "by hand", tuple([]), result.table, of="table")
    """)

    assert outcome.passed
