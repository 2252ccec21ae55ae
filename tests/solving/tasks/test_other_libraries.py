"""Values of pandas and sympy in solvers: what is kept, and what is said of all others; the classes are stand-ins."""

from datetime import datetime, timedelta
from numbers import Integral, Rational

import pytest

from site_builder.errors import CuredError
from site_builder.values.packing import pack, unpack

# As in sympy and pandas: https://docs.sympy.org, https://pandas.pydata.org/docs. Tried with sympy 1.14, pandas 3.1.


class Number:
    """A whole number of sympy: registered with Python's numbers, and no int."""

    def __init__(self, numerator, denominator=1):
        self.numerator, self.denominator = numerator, denominator

    def __int__(self):
        return self.numerator


class Integer(Number):
    pass


class Ratio(Number):
    pass


class Index:
    pass


class Timestamp(datetime):
    pass


Integral.register(Integer)
Rational.register(Ratio)


def test_exact_numbers_of_other_libraries_are_kept_exact():
    found = unpack(pack([Integer(7), Ratio(1, 3)]))

    assert [(type(each).__name__, str(each)) for each in found] == [("int", "7"), ("Fraction", "1/3")]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Index(), "an Index"),
        (Timestamp(2026, 1, 2), "a Timestamp"),
        (timedelta(1), "a timedelta"),
        ({1}, "a set"),
        (1j, "a complex"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_refused_with_what_to_return_instead(value, kind):
    with pytest.raises(CuredError) as caught:
        pack(value, "x")

    assert str(caught.value) == f"x is {kind}, which no result may hold"
    assert "sorted(x) of a set, x.tolist() of a Series" in caught.value.cure


LISTED = """
class Series:
    shape = (2,)

    def tolist(self):
        return [1, 2]

    def __len__(self):
        return 2

    def __getitem__(self, place):
        return [1, 2][place]


"""


def built(project, code, body="Text."):
    project.write("solvers/own.py", LISTED.lstrip() + code)
    project.post(body, front="solver: own\n")
    return project.build(status=1).err


ANSWER = """
def solve(n=1):
    return {"x": [1, 2]}


def check_x(n):
    return {"x": Series()}
"""


def test_an_answer_of_another_kind_is_an_error_of_its_check(project):
    err = built(project, ANSWER)

    assert "the answer of check_x to x is a Series, which no result may hold\n" in err
    assert (
        "    mend: return numbers, texts, None, lists, mappings, arrays of numpy, Grids, or dataclasses of these,\n"
        in err
    )
    assert f"solvers/own.py:{line_of(ANSWER, 'def check_x')}: " in err


def test_a_result_of_another_kind_is_named_by_its_class(project):
    assert "solve returned a Series\n" in built(project, "def solve(n=1):\n    return Series()\n")


FIGURE = """
from site_builder.contract import Bars, BarSeries


def solve(n=1):
    return {"x": [1, 2]}


def figure_c(x):
    return Bars("A title", Series(), (BarSeries("", (1, 2)),), "count", "A caption.")
"""


def test_a_value_of_another_kind_in_a_figure_is_an_error_of_the_figure(project):
    err = built(project, FIGURE, "{{ figure(results.main.figures.c) }}")

    assert "figure_c.categories is a Series, which no result may hold\n" in err
    assert f"solvers/own.py:{line_of(FIGURE, 'def figure_c')}: " in err


def line_of(code, words):
    """The line of the solver with this code in which the words stand."""
    text = LISTED.lstrip() + code
    return text[: text.index(words)].count("\n") + 1
