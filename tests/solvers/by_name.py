"""Solvers called as the builder calls them: arguments by name, and the answers of checks compared with a result."""

from inspect import signature

from site_builder.solving.checks.outcomes import judge, read_outcomes
from site_builder.solving.tasks.checking import raw_checks
from site_builder.solving.tasks.solver import read_solver
from site_builder.values.packing import pack


def values_of(module, **settings):
    """The parameters and the fields of the result of a solver's module, by name."""
    solver = read_solver(module)
    parameters = solver.completed(settings)
    fields = solver.solve(parameters)
    return {**parameters, **fields, "result": fields}


def call(function, values):
    """Call a function with the values of its arguments."""
    return function(**{name: values[name] for name in signature(function).parameters})


def outcomes_of(module, values, **wrong):
    """The outcomes of all checks of a solver's module, where some fields have other values."""
    fields = {**values["result"], **wrong}
    raw = list(raw_checks(read_solver(module), {**values, **wrong, "result": fields}, fields))
    return read_outcomes(judge(pack((raw, {})), {}))
