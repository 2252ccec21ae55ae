"""The lines at which classes and fields are declared."""

import inspect
from dataclasses import dataclass

from site_builder.solving.description import origin


@dataclass(frozen=True)
class Result:
    """What is found.

    second: this line looks as if it declared the field, and does not.
    """

    first: int

    second: "int"


def test_a_field_is_found_at_the_line_that_declares_it():
    file, line = origin(Result, "second")

    assert file == __file__
    assert inspect.getsource(inspect.getmodule(Result)).splitlines()[line - 1] == '    second: "int"'


def test_a_class_is_found_at_its_first_line():
    assert origin(Result)[1] == inspect.getsourcelines(Result)[1]


def test_a_field_that_is_not_declared_is_told_as_its_class():
    assert origin(Result, "third") == origin(Result)


def test_what_is_written_in_no_file_has_no_place():
    made: dict[str, type] = {}
    exec("class Made: pass", made)

    assert origin(made["Made"]) == ("", 1)
    assert origin(3) == ("", 1)
