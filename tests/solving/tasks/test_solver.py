"""A solver's module by the contract: its parameters, the names that its functions take, what they confirm."""

import inspect
from dataclasses import dataclass
from fractions import Fraction

import pytest

from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.tasks.solver import ContractError, contract_errors, place_of
from site_builder.solving.tasks.solver_tasks import answer_to, description, wrong_default
from tests.support.short_solvers import solver_of

FLIPS = '''
"""How many coin flips until several heads in a row?"""

from fractions import Fraction


def solve(heads: int = 3, p: Fraction = Fraction(1, 2)):
    expected = [Fraction(0)]
    for _ in range(heads):
        expected.append((expected[-1] + 1) / p)
    return {"flips": expected[-1], "by_heads": expected}


def check_closed_form(heads, p):
    """Feller, vol. I, sect. XIII.7.

    A second paragraph.
    """
    return {"flips": (1 - p**heads) / ((1 - p) * p**heads)}


def figure_flips(by_heads):
    return None
'''


@pytest.fixture
def read(tmp_path):
    """Reads the solver with this text."""
    return lambda text: solver_of(tmp_path, text)


@pytest.fixture
def taking(read):
    """Reads a solver with these parameters."""
    return lambda parameters, head="": read(f"{head}\ndef solve({parameters}):\n    return {{'x': 1}}\n")


HEAD = (
    "from fractions import Fraction\nfrom typing import Annotated, Literal\nfrom site_builder.contract import Field\n"
)


# Parameters


def test_parameters_are_those_of_solve_with_their_defaults(read):
    solver = read(FLIPS)

    assert solver.completed({}) == {"heads": 3, "p": Fraction(1, 2)}
    assert solver.completed({"heads": 5}) == {"heads": 5, "p": Fraction(1, 2)}
    assert solver.solve(solver.completed({}))["flips"] == 14  # 2^4 - 2: Feller, vol. I, sect. XIII.7


def test_a_parameter_without_an_annotation_has_the_type_of_its_default(taking):
    solver = taking("n=3, p=Fraction(1, 2), word='a'", HEAD)

    assert solver.completed({"n": 4, "p": "3/5", "word": "b"}) == {"n": 4, "p": Fraction(3, 5), "word": "b"}
    assert answer_to(solver, {"n": "4"})["faults"] == [["n", "n is '4'; it must be a whole number", ""]]


@pytest.mark.parametrize("given", [0.6, "0.6", "3/5", Fraction(3, 5)])
def test_a_fraction_is_read_from_decimals_and_texts_and_is_exact(taking, given):
    (found,) = taking("p: Fraction = Fraction(1, 2)", HEAD).completed({"p": given}).values()

    assert (found, type(found)) == (Fraction(3, 5), Fraction)


@pytest.mark.parametrize(
    ("parameter", "given", "found"),
    [
        ("x: float = 1.0", 2, 2.0),
        ("x: bool = False", True, True),
        ("x: Literal['rush', 'pass'] = 'rush'", "pass", "pass"),
        ("x: int | None = None", 4, 4),
        ("x: tuple[int, ...] = ()", [1, 2], (1, 2)),
        ("x: tuple[Fraction, int] = (Fraction(1), 2)", ["1/3", 2], (Fraction(1, 3), 2)),
        ("x: Annotated[int, Field(ge=1, le=9)] = 2", 9, 9),
        ("x: 'int' = 2", 9, 9),
    ],
)
def test_values_of_all_types_of_parameters_are_taken(taking, parameter, given, found):
    assert answer_to(taking(parameter, HEAD), {"x": given}) == {"parameters": {"x": found}}


@pytest.mark.parametrize(
    ("parameter", "given", "message"),
    [
        ("x: int = 1", True, "x is true; it must be a whole number"),
        ("x: int = 1", 1.5, "x is 1.5; it must be a whole number"),
        ("x: bool = False", 1, "x is 1; it must be true or false"),
        ("x: Annotated[int, Field(ge=1, le=9)] = 2", 10, "x is 10; it must lie between 1 and 9"),
        (
            "x: Annotated[Fraction, Field(gt=0, lt=1)] = Fraction(1, 2)",
            "3/2",
            "x is '3/2'; it must lie strictly between",
        ),
        ("x: float = 1.0", float("nan"), "x is nan; it must be a finite number"),
        ("y: int = 1", 1, "'x' is not known here"),
    ],
)
def test_other_values_are_refused_in_the_authors_words(taking, parameter, given, message):
    ((_, said, _),) = answer_to(taking(parameter, HEAD), {"x": given})["faults"]

    assert said.startswith(message)


def test_validate_takes_parameters_by_name_and_its_error_is_that_of_the_parameter_that_is_given(read):
    solver = read(f"{FLIPS}\n\ndef validate(p, heads):\n    if heads > 9 * p:\n        raise ValueError('too many')\n")

    assert answer_to(solver, {"heads": 4})["parameters"]["heads"] == 4
    assert answer_to(solver, {"heads": 5}) == {"faults": [["heads", "too many", ""]]}


def test_a_default_outside_of_its_range_is_named(taking):
    solver = taking("x: Annotated[int, Field(ge=1, le=9)] = 10", HEAD)

    assert wrong_default(solver) == "x is 10; it must lie between 1 and 9"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("n", "the parameter n of solve has no default"),
        ("n: list = ()", "the parameter n of solve is of the type list"),
        ("n: tuple[dict, ...] = ()", "the parameter n of solve is of the type dict"),
        ("*rest", "solve takes *rest, which cannot be filled in by name"),
        ("result=1", "solve has a parameter result, a name that is taken"),
        ("figures=1", "solve has a parameter figures, a name that is taken"),
        ("n: 'Missing' = 1", "an annotation of solve cannot be read: name 'Missing' is not defined"),
    ],
)
def test_parameters_that_cannot_be_given_are_an_error_at_solve(taking, parameters, message):
    with pytest.raises(ContractError) as caught:
        taking(parameters)

    assert caught.value.failure.message == message
    assert caught.value.failure.line == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "it has no function solve"),
        (
            f"{FLIPS}\nfrom functools import cache\n\n\n@cache\ndef check_all(heads):\n    pass\n",
            "check_all is a _lru_cache_wrapper and no function, so that it would not count",
        ),
        (f"{FLIPS}\n\ndef check_all(*args):\n    pass\n", "check_all takes *args, which cannot be filled in by name"),
    ],
)
def test_a_module_that_is_no_solver_is_refused(read, text, message):
    with pytest.raises(ContractError) as caught:
        read(text)

    assert caught.value.failure.message == message


# Names


def errors(solver, fields=("flips", "by_heads")):
    return [(error.failure.message, error.failure.cure) for error in contract_errors(solver, dict.fromkeys(fields))]


def test_arguments_are_names_of_parameters_of_fields_or_the_result(read):
    assert errors(read(f"{FLIPS}\n\ndef check_law(result, heads, flips):\n    assert flips >= heads\n")) == []


@pytest.mark.parametrize("function", ["check_more", "figure_more"])
def test_an_argument_that_is_neither_is_an_error_with_the_names_there_are(read, function):
    ((message, cure),) = errors(read(f"{FLIPS}\n\ndef {function}(flip):\n    assert flip\n"))

    assert message == f"{function} takes 'flip', which is no parameter of solve and no field of its result"
    look = ", look" if function == "figure_more" else ""
    assert cure == f"did you mean 'flips'?\nthere is: flips, by_heads, heads, p, result{look}"


@pytest.mark.parametrize("taken", ["flips", "result"])
def test_a_check_that_is_given_what_it_confirms_is_an_error(read, taken):
    ((message, _),) = errors(read(f"{FLIPS}\n\ndef check_it({taken}):\n    return {{'flips': 14}}\n"))

    assert message == "check_it is given flips and cannot confirm it"


def test_a_check_of_a_field_that_does_not_exist_is_an_error(read):
    ((message, cure),) = errors(read(f"{FLIPS}\n\ndef check_it():\n    return {{'flipps': 14}}\n"))

    assert (message, cure) == ("check_it confirms 'flipps', which is no field of the result", "did you mean 'flips'?")


@pytest.mark.parametrize(
    ("body", "answers"),
    [
        ("return {'a': 1, 'b': 2}", {"a", "b"}),
        ("return {} if n else {'a': 1}", None),
        ("if n:\n        return {}\n    return {'a': 1}", {"a"}),
        ("if n:\n        return\n    return {'a': 1}", {"a"}),
        ("found = {'a': 1}\n    return found", None),
        ("return {**{}, 'a': 1}", None),
        ("def inner():\n        return {'b': 1}\n    return {'a': inner()}", {"a"}),
        ("assert n", set()),
    ],
)
def test_the_fields_that_a_check_confirms_are_read_from_its_source_where_they_are_written_out(read, body, answers):
    solver = read(f"def solve(n=1):\n    return {{'a': 1}}\n\n\ndef check_it(n):\n    {body}\n")

    assert solver.checks[0].answers == (None if answers is None else frozenset(answers))


def test_the_title_of_a_check_is_the_first_line_of_its_docstring_or_its_name_in_words(read):
    solver = read(f"{FLIPS}\n\ndef check_by_hand():\n    return {{'flips': 14}}\n")

    assert [each.title for each in solver.checks] == ["Feller, vol. I, sect. XIII.7", "by hand"]


# What it gives


def test_a_solver_describes_itself(read):
    found = description(read(FLIPS), "solvers/flips.py")

    assert found.sentence == "How many coin flips until several heads in a row?"
    assert [(each.name, each.default) for each in found.parameters.values()] == [
        ("heads", 3),
        ("p", Fraction(1, 2)),
    ]
    assert tuple(found.result_fields or ()) == ("by_heads", "flips")
    title = "Feller, vol. I, sect. XIII.7"
    assert found.checks == {"check_closed_form": CheckDescription(title, (), ("flips",))}
    assert found.figures == ("flips",)


def test_fields_of_an_annotated_dataclass_are_known(read):
    solver = read(
        """
        from dataclasses import dataclass
        from fractions import Fraction

        @dataclass
        class Result:
            chance: Fraction
            rows: "tuple[int, ...]"

        def solve(n=1) -> Result:
            return Result(Fraction(1), ())
        """
    )

    assert solver.result_fields == ("chance", "rows")


def test_fields_that_show_only_once_it_has_run_are_not_known_before(read):
    assert read("def solve(n=1):\n    found = {'a': 1}\n    return found\n").result_fields is None


# Places


@dataclass(frozen=True)
class Declared:
    first: int


def test_a_class_is_found_at_its_first_line_and_what_is_in_no_file_has_the_place_that_is_given():
    made: dict[str, type] = {}
    exec("class Made: pass", made)

    assert place_of(Declared) == (__file__, inspect.getsourcelines(Declared)[1])
    assert [place_of(made["Made"], "a.py"), place_of(3)] == [("a.py", 1), ("", 1)]
