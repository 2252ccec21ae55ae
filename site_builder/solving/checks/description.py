"""The description of a check, as its source has it; without the libraries that comparisons need."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckDescription:
    """A check. title: the first line of its docstring; takes: fields of the result among its arguments.

    answers: the fields that it confirms; None where these show only once it has run. shared: functions that `solve`
    reaches too, which make it no second method; rules: those that state the rules of the puzzle. Both are found from
    the source, without the solver.
    """

    title: str
    takes: tuple[str, ...] = ()
    answers: tuple[str, ...] | None = None
    shared: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
