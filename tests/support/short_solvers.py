"""Solvers that are written out in tests, read and checked in this process."""

import importlib.util
import itertools
import sys
from textwrap import dedent

from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.checks.outcomes import judge, read_outcomes
from site_builder.solving.tasks.checking import raw_checks
from site_builder.solving.tasks.solved_result import fields_of_result, refuse_wrong_names
from site_builder.solving.tasks.solver import read_solver
from site_builder.values.packing import pack

_NUMBERS = itertools.count()
GAMES = (("game", ("games", "")),)  # what a build finds for a solver with a game


def solver_of(folder, text, extensions=()):
    """The solver with this text, whose file lies in the folder. extensions: as of `read_solver`."""
    path = folder / f"solver_{next(_NUMBERS)}.py"
    path.write_text(dedent(text).lstrip("\n"), "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # where annotations of its classes are read
    spec.loader.exec_module(module)
    return read_solver(module, extensions)


def checked(solver, shared=None, kept=None, **requested):
    """The outcomes of the checks of a solver at these parameters. shared: functions of `solve` by name of the check."""
    parameters = solver.completed(requested)
    returned = solver.solve(parameters)
    refuse_wrong_names(solver, parameters, returned)
    fields = fields_of_result(returned)
    raw = list(raw_checks(solver, {**parameters, **fields, "result": returned}, fields, kept))
    return read_outcomes(judge(pack((raw, {})), sources_of(solver, shared or {}), parameters))


def sources_of(solver, shared):
    """What the source says of each check."""
    return {
        each.name: CheckDescription(
            each.title, tuple(name for name in each.takes if name not in solver.fields), None, shared.get(each.name, ())
        )
        for each in solver.checks
    }
