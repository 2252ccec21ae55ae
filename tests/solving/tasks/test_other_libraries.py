"""Values of pandas and sympy in solvers: what is kept, and what is said of all others; the classes are stand-ins."""

from datetime import datetime, timedelta
from numbers import Integral, Rational

import pytest

from site_builder.values.packing import PackingError, kind_of, pack, unpack

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


class Expr:
    pass


class Pow(Expr):
    pass


class Index:
    pass


class RangeIndex(Index):
    pass


class Timestamp(datetime):
    pass


class NaTType(datetime):
    pass


Integral.register(Integer)
Rational.register(Ratio)


def test_exact_numbers_of_other_libraries_are_kept_exact():
    found = unpack(pack([Integer(7), Ratio(1, 3)]))

    assert [(type(each).__name__, str(each)) for each in found] == [("int", "7"), ("Fraction", "1/3")]


@pytest.mark.parametrize(
    ("value", "message", "cure"),
    [
        (Pow(), "x is a Pow", "return a number, float(x), or a text, str(x)"),
        (RangeIndex(), "x is a RangeIndex", "return its values: x.tolist()"),
        (Timestamp(2026, 1, 2), "x is a Timestamp", "return a day, x.date(), or a text"),
        (datetime(2026, 1, 2), "x is a datetime", "return a day, x.date(), or a text"),
        (NaTType(2026, 1, 2), "x is a NaTType", "return None"),
        (timedelta(1), "x is a timedelta", "return a number, such as x.total_seconds()"),
        ({1}, "x is a set", "return a list, such as sorted(x)"),
        (1j, "x is a complex", "return both parts"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_refused_with_what_to_return_instead(value, message, cure):
    with pytest.raises(PackingError) as caught:
        pack(value, "x")

    assert str(caught.value).startswith(f"{message}, which no result may hold")
    assert caught.value.cure.startswith(cure)


def test_a_class_is_named_with_its_article():
    assert [kind_of(each()) for each in (Index, Pow)] == ["an Index", "a Pow"]


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

    assert "check_x answers x with a Series, which cannot be compared\n" in err
    assert "    mend: return its values: x.tolist() or x.to_numpy()\n" in err
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
