"""The checks of a solver: what they confirm, what stands on what they were given, laws and smaller cases."""

import pytest

from site_builder.solving.checks.answers import Comparison
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.checks.outcomes import CheckOutcome, judge, read_outcomes, with_given
from site_builder.solving.processes.failure import TaskError
from site_builder.values.packing import pack
from tests.support.short_solvers import checked, solver_of

# Two coins: the totals of a game of n tosses.
SOLVE = """
from dataclasses import dataclass
from fractions import Fraction

from site_builder.contract import Estimate, at_least, at_most, case, close, one_of, simulated


def solve(n: int = 4):
    rows = [[k * n for k in range(3)] for n in range(5)]
    estimate = Estimate(0.5, 0.01, 2500)
    return {"ways": 2**n, "half": Fraction(1, 2), "rows": rows, "move": "left", "n": n, "estimate": estimate}


"""


@pytest.fixture
def outcomes(tmp_path):
    """The outcomes of checks with this code."""

    def run(code, **more):
        return checked(solver_of(tmp_path, SOLVE + code), **more)

    return run


@pytest.fixture
def refused(outcomes):
    """The failure of checks with this code."""

    def run(code):
        with pytest.raises(TaskError) as caught:
            outcomes(code)
        return caught.value.failure

    return run


def confirmed(found):
    return [each.field for each in found if each.confirms]


# Answers


def test_a_check_is_given_parameters_and_fields_by_name_and_confirms_what_it_returns(outcomes):
    (found,) = outcomes("def check_product(n):\n    'Doubled'\n    return {'ways': 2 * 2 ** (n - 1)}\n", n=10)

    assert (found.check, found.title, found.kind, found.field) == ("check_product", "Doubled", "answer", "ways")
    assert (found.expected, found.found, found.difference, found.how_closely) == ("1024", "1024", "", "exactly")
    assert found.confirms


def test_an_answer_that_differs_is_told_and_confirms_nothing(outcomes):
    (found,) = outcomes("def check_product(n):\n    return {'ways': 17}\n")

    assert (found.passed, found.confirms, found.difference) == (False, False, "it should be 17, and is 16")


def test_the_place_of_a_difference_in_a_table_is_told(outcomes):
    (found,) = outcomes("def check_rows():\n    return {'rows': [[0, 0, 0], [0, 1, 3]] + 3 * [[0, 0, 0]]}\n")

    assert found.difference == "of 15 values number 2, 3 should be 3, and is 2"


def test_some_cells_confirm_these_cells_alone(outcomes):
    (found,) = outcomes("def check_rows():\n    return {'rows': {(4, 2): 8, (0, 0): 0}}\n")

    assert found.confirms
    assert found.how_closely == "exactly in 2 of 15 cells"


def test_a_check_may_say_that_it_does_not_apply(outcomes):
    assert outcomes("def check_small(n):\n    return {} if n > 3 else {'ways': 0}\n") == ()


def test_the_value_of_an_estimate_confirms_no_standard_error(outcomes):
    found = outcomes("def check_it():\n    return {'estimate': close(0.5, absolute=0.01)}\n")

    assert confirmed(found) == ["estimate.value"]


def test_checks_whose_words_depend_on_code_that_solve_shares_confirm_nothing(outcomes):
    (found,) = outcomes("def check_it(n):\n    return {'ways': 2**n}\n", shared={"check_it": ("power",)})

    assert (found.passed, found.shared, found.confirms) == (True, ("power",), False)


# Laws


def test_a_check_that_asserts_and_returns_nothing_is_a_law_and_confirms_nothing(outcomes):
    (found,) = outcomes("def check_even(ways):\n    'It is even'\n    assert ways % 2 == 0\n")

    assert (found.kind, found.field, found.passed, found.confirms) == ("law", "", True, False)


def test_a_law_that_fails_is_told_with_its_assertion(outcomes):
    (found,) = outcomes("def check_odd(ways):\n    assert ways % 2, 'an even number'\n")

    assert not found.passed
    assert found.difference.startswith("it does not hold: ")
    assert "an even number" in found.difference


def test_an_assertion_in_a_check_that_returns_values_is_a_failure_of_the_check(outcomes):
    (found,) = outcomes("def check_it(n):\n    assert n == 7\n    return {'ways': 16}\n")

    assert (found.kind, found.passed) == ("law", False)


# Chains


def test_what_a_check_confirms_stands_on_what_it_was_given(outcomes):
    (found,) = outcomes("def check_it(half):\n    return {'ways': 8 / half}\n")

    assert (found.agrees, found.confirms, found.given) == (True, False, ("half",))


def test_a_chain_that_ends_in_parameters_confirms_each_of_its_fields(outcomes):
    code = (
        "def check_ways(half):\n    return {'ways': 8 / half}\n\n\n"
        "def check_half(move):\n    return {'half': 0.5 if move == 'left' else 1}\n\n\n"
        "def check_move():\n    return {'move': 'left'}\n"
    )

    assert confirmed(outcomes(code)) == ["ways", "half", "move"]


def test_two_fields_that_confirm_each_other_are_both_given(outcomes):
    code = "def check_a(half):\n    return {'ways': 8 / half}\n\n\ndef check_b(ways):\n    return {'half': 8 / ways}\n"

    assert [each.given for each in outcomes(code)] == [("half",), ("ways",)]


def test_a_chain_does_not_begin_with_a_check_that_fails_or_is_loose_or_shares_code(outcomes):
    chain = "def check_a(half):\n    return {'ways': 8 / half}\n\n\ndef check_b():\n    return {'half': HALF}\n"

    assert confirmed(outcomes(chain.replace("HALF", "0.5"))) == ["ways", "half"]
    for wrong in ("0.6", "close(0.5, absolute=0.1)", "simulated(0.5, 100)", "at_least(0.4)"):
        assert confirmed(outcomes(chain.replace("HALF", wrong))) == []
    assert confirmed(outcomes(chain.replace("HALF", "0.5"), shared={"check_b": ("solve",)})) == []


def test_a_field_that_repeats_a_parameter_needs_no_confirming(outcomes):
    assert confirmed(outcomes("def check_it(n):\n    return {'ways': 2**n}\n")) == ["ways"]


def test_a_check_that_takes_the_whole_result_stands_on_it(outcomes):
    failure_free = outcomes("def check_law(result):\n    assert result['ways'] == 16\n")

    assert [each.passed for each in failure_free] == [True]


def test_a_certificate_confirms_the_fields_that_it_takes_and_a_chain_may_begin_there():
    game = Comparison("game", "certificate", "policy", cells=3, total=3, found="every one of 3 states")
    outcome = CheckDescription("The game", takes=("policy",))
    (found,) = read_outcomes(judge(pack(([game], {})), {"game": outcome}))
    assert (found.confirms, found.field) == (True, "policy")

    played = CheckOutcome(
        *("check_play", "Play", "answer", "chance", "1", "1", "", 1, 1, found.closeness), takes=("policy",)
    )
    assert [each.confirms for each in with_given([played, found])] == [True, True]
    assert [each.given for each in with_given([played])] == [("policy",)]


def test_a_check_that_took_a_table_of_which_some_cells_are_confirmed_stands_on_an_unconfirmed_field(outcomes):
    chain = "def check_a():\n    return {'rows': ROWS}\n\n\ndef check_b(rows):\n    return {'ways': 2 ** rows[4][1]}\n"
    whole = "[[0, r, r + r] for r in range(5)]"

    assert confirmed(outcomes(chain.replace("ROWS", whole))) == ["rows", "ways"]
    assert confirmed(outcomes(chain.replace("ROWS", "{(4, 1): 4}"))) == ["rows"]


def test_a_check_that_took_a_record_of_which_a_part_is_confirmed_stands_on_an_unconfirmed_field(outcomes):
    chain = "def check_a():\n    return {'estimate': ESTIMATE}\n\n\ndef check_b(estimate):\n    return {'half': 0.5}\n"
    every = "{'value': 0.5, 'standard_error': 0.01, 'n': 2500}"

    assert confirmed(outcomes(chain.replace("ESTIMATE", "0.5"))) == ["estimate.value"]
    assert "half" in confirmed(outcomes(chain.replace("ESTIMATE", every)))


# Smaller cases


def test_a_case_is_compared_with_what_solve_gives_for_other_parameters(outcomes):
    found = outcomes(
        "def check_few():\n    'By hand'\n    return [case({'n': 0}, {'ways': 1}), case({'n': 3}, {'ways': 9})]\n"
    )

    assert [(each.kind, each.parameters, each.difference) for each in found] == [
        ("case", "n=0", ""),
        ("case", "n=3", "it should be 9, and is 8"),
    ]
    assert confirmed(found) == []


def test_a_case_has_the_same_words_however_its_parameters_are_written(outcomes):
    solve = "def solve(n: int = 3, m: int = 2):\n    return {'ways': m**n}\n\n\n"
    cases = "{'n': 0, 'm': 2}, {'n': 0}, {'m': 2, 'n': 0}, {'m': 3, 'n': 0}, {'n': 0, 'm': 3}, {'n': 3}"
    check = f"def check_few():\n    return [case(each, {{'ways': 1 if each['n'] < 3 else 8}}) for each in ({cases})]\n"

    found = outcomes(solve + check)

    assert [each.parameters for each in found] == ["n=0"] * 3 + ["n=0, m=3"] * 2 + ["n=3, m=2"]


def test_one_case_needs_no_list(outcomes):
    assert [each.passed for each in outcomes("def check_one():\n    return case({'n': 0}, {'ways': 1})\n")] == [True]


# Games that are played, bounds, several right values


def test_games_confirm_to_two_standard_errors_and_the_page_can_say_so(outcomes):
    (found,) = outcomes("def check_play():\n    return {'half': simulated(0.503, 20_000)}\n")

    assert found.confirms
    assert found.how_closely == "to ±0.7 points by 20,000 games"  # 2 sqrt(0.25 / 20,000) = 0.0071


def test_bounds_of_two_checks_confirm_to_half_of_their_gap_and_one_alone_nothing(outcomes):
    low = "def check_low():\n    return {'half': at_least(0.49)}\n\n\n"
    high = "def check_high():\n    return {'half': at_most(0.51)}\n"

    both = outcomes(low + high)
    assert [(each.confirms, each.how_closely) for each in both] == [(True, "to ±0.01")] * 2
    (alone,) = outcomes(low)
    assert (alone.passed, alone.confirms, alone.how_closely) == (True, False, "on one side only")


def test_one_of_several_right_values_is_confirmed_exactly(outcomes):
    (found,) = outcomes("def check_moves():\n    return {'move': one_of('left', 'right')}\n")
    (wrong,) = outcomes("def check_moves():\n    return {'move': one_of('up', 'right')}\n")

    assert (found.confirms, found.how_closely) == (True, "exactly")
    assert wrong.difference == "it should be up or right, and is left"


# Sweeps


def test_at_a_point_of_a_sweep_only_checks_run_that_its_kept_fields_need(outcomes):
    code = (
        "def check_ways(half):\n    return {'ways': 8 / half}\n\n\n"
        "def check_half():\n    return {'half': 0.5}\n\n\n"
        "def check_move():\n    return {'move': 'left'}\n\n\n"
        "def check_law(ways):\n    assert ways\n"
    )

    assert [each.check for each in outcomes(code, kept={"ways"})] == ["check_ways", "check_half"]
    assert [each.check for each in outcomes(code, kept={"move"})] == ["check_move"]


def test_at_a_point_a_check_that_is_too_loose_leaves_its_field_to_the_next(outcomes):
    code = (
        "def check_play():\n    return {'half': simulated(0.5, 100)}\n\n\n"
        "def check_law_of_halves():\n    return {'half': 0.5, 'ways': 16}\n"
    )

    found = outcomes(code, kept={"half"})
    assert [(each.check, each.confirms) for each in found] == [("check_play", False), ("check_law_of_halves", True)]


# Errors


@pytest.mark.parametrize(
    ("code", "message", "cure"),
    [
        ("def check_it():\n    pass\n", "check_it returns nothing and asserts nothing", "return a mapping of fields"),
        ("def check_it():\n    return 16\n", "check_it returned 16", "return a mapping of fields"),
        ("def check_it():\n    return []\n", "check_it returned ()", "return a mapping of fields"),
        (
            "def check_it():\n    answer = {'way': 16}\n    return answer\n",
            "check_it confirms 'way', which is no field of the result",
            "did you mean 'ways'?",
        ),
        (
            "def check_it(ways):\n    answer = {'ways': ways}\n    return answer\n",
            "check_it is given ways and cannot confirm it",
            "compute ways from the parameters",
        ),
        (
            "def check_it(result):\n    answer = {'ways': 16}\n    return answer\n",
            "check_it is given ways and cannot confirm it",
            "compute ways from the parameters",
        ),
        (
            "def check_it():\n    return case({'m': 1}, {'ways': 1})\n",
            "the case of check_it with m=1: ",
            "write parameters of solve by name",
        ),
        (
            "def check_it(ways):\n    return case({'n': 1}, {'ways': 2})\n",
            "check_it is given ways and cannot confirm it",
            "compute ways from the parameters",
        ),
    ],
)
def test_a_check_that_breaks_the_contract_is_an_error_at_its_line(refused, code, message, cure):
    failure = refused(code)

    assert failure.message.startswith(message)
    assert failure.cure.startswith(cure)
    assert failure.line == SOLVE.lstrip("\n").count("\n") + 1


def test_an_answer_for_a_cell_that_is_not_there_fails_at_its_line_beside_the_other_answers(outcomes):
    code = "def check_it():\n    return {'rows': {(9, 9): 1}, 'ways': 16}\n\n\n"
    wrong, right, other = outcomes(code + "def check_other():\n    return {'ways': 15}\n")

    assert (wrong.field, wrong.passed, wrong.difference) == ("rows", False, "rows has nothing at (9, 9)")
    assert (wrong.cure, wrong.place[1]) == ("there is: 0 to 4", SOLVE.lstrip("\n").count("\n") + 1)
    assert (right.field, right.passed) == ("ways", True)
    assert other.difference == "it should be 15, and is 16"


def test_an_exception_in_a_check_is_that_of_the_check(outcomes):
    with pytest.raises(ZeroDivisionError):
        outcomes("def check_it(n):\n    return {'ways': 1 // 0}\n")


@pytest.mark.parametrize(
    "cells",
    ["{(0, 0): 0, (0, -3): 0}", "{0: [0, 4, 8], (0, 1): 4}", "{(0, 1): 4, 0: [0, 4, 8]}", "{4: {0: 0}, (-1, 0): 0}"],
)
def test_a_cell_that_an_answer_gives_twice_counts_for_no_other(outcomes, cells):
    (found,) = outcomes(f"def check_rows():\n    return {{'rows': {cells}}}\n")

    assert not found.passed
    assert found.difference.startswith("rows is given twice at ")


def test_the_last_cell_has_the_index_minus_one(outcomes):
    (found,) = outcomes("def check_rows():\n    return {'rows': {(-1, -1): 8, (0, 0): 0}}\n")

    assert (found.passed, found.cells, found.total) == (True, 2, 15)


def test_at_a_point_of_a_sweep_a_check_of_some_cells_leaves_the_field_to_others(outcomes):
    code = (
        "def check_some():\n    return {'rows': {(0, 0): 0}}\n\n\n"
        "def check_rows():\n    return {'rows': [[0, r, r + r] for r in range(5)]}\n"
    )

    assert [each.check for each in outcomes(code, kept={"rows"})] == ["check_some", "check_rows"]
