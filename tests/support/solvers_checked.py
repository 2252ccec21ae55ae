"""The figures of a solver and what its checks find, as a build has them: for tests that plant wrong results."""

from dataclasses import replace
from types import ModuleType
from typing import Any

from site_builder.figures.house_style import WIDE, look_of
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.checks.outcomes import CheckOutcome, judge, read_outcomes
from site_builder.solving.tasks.checking import certificates, raw_checks
from site_builder.solving.tasks.solved_result import fields_of_result
from site_builder.solving.tasks.solver import read_solver
from site_builder.values.packing import pack
from tests.support.short_solvers import GAMES


def complete(solver: ModuleType, **parameters: Any) -> dict[str, Any]:
    """All parameters of a solver, with the defaults of those that are not given; refuses what a build refuses."""
    return read_solver(solver).completed(parameters)


def figures(solver: ModuleType, result: Any, width: int = WIDE, /, **parameters: Any) -> dict[str, Any]:
    """The figures of a solver by name, for a result, a width and the parameters that differ from the defaults."""
    read = read_solver(solver)
    values = {**read.completed(parameters), **fields_of_result(result), "result": result, "look": look_of(width)}
    return {each.name.removeprefix("figure_"): each.call(values) for each in read.figures}


def outcomes(solver: ModuleType, result: Any, only: str = "", **parameters: Any) -> list[CheckOutcome]:
    """The outcomes of the checks and of the game of a solver, for a result and the parameters that differ.

    only: the name of a check that alone runs.
    """
    read, fields = read_solver(solver, GAMES), fields_of_result(result)
    if only:
        read = replace(read, checks=tuple(each for each in read.checks if each.name == only), added=())
    values = {**read.completed(parameters), **fields, "result": result}
    raw = [*raw_checks(read, values, fields), *certificates(read, values)[0]]
    takes = {each.name: tuple(name for name in each.takes if name not in read.fields) for each in read.functions}
    sources = {each.name: CheckDescription(each.title, takes[each.name]) for each in read.functions}
    return list(read_outcomes(judge(pack((raw, {})), sources)))
