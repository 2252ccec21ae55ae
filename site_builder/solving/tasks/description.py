"""A solver as plain data: its parameters, checks and figures; requested parameters checked."""

import inspect
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from site_builder.project.validation import explained_errors
from site_builder.solving.catalog import CheckDescription, Parameter, SolverDescription, span_of
from site_builder.solving.tasks.solver import NamedFunction, Solver, contract_errors


def description(solver: Solver, path: str) -> SolverDescription:
    """The description of a solver. path: of its file, in the project."""
    return SolverDescription(
        solver.module.__name__.removeprefix("solvers."),
        (inspect.getdoc(solver.module) or "").partition("\n")[0],
        path,
        {name: _parameter(name, info) for name, info in solver.fields.items()},
        solver.result_fields,
        {each.name: _check(solver, each) for each in (*solver.checks, *solver.added)},
        tuple(each.figure for each in solver.figures),
        tuple(each.failure for each in contract_errors(solver, solver.result_fields)),
    )


def _check(solver: Solver, each: NamedFunction) -> CheckDescription:
    takes = tuple(name for name in each.takes if name not in solver.fields)
    return CheckDescription(
        each.title, takes, None if each.verify or each.answers is None else tuple(sorted(each.answers))
    )


def _parameter(name: str, info: FieldInfo) -> Parameter:
    default = info.get_default(call_default_factory=True)
    return Parameter(name, default, _bounds(info), info.description or "")


def _bounds(info: FieldInfo) -> dict[str, Any]:
    """The range of a parameter: those of ge, gt, le and lt that it has."""
    return {b: getattr(m, b) for m in info.metadata for b in ("ge", "gt", "le", "lt") if hasattr(m, b)}


def answer(solver: Solver, requested: Mapping[str, Any]) -> dict[str, Any]:
    """Check and complete parameters: {"parameters": all of them}, or {"faults": [[at, message, cure], ...]}."""
    fields = solver.fields
    given = {
        name: _input(value, fields[name].annotation if name in fields else None) for name, value in requested.items()
    }
    try:
        return {"parameters": solver.completed(given)}
    except ValidationError as error:
        spans = {name: span_of(_bounds(info)) for name, info in fields.items()}
        errors = explained_errors(error, given, lambda _: fields, "the run", spans)
        return {"faults": [[list(at), message, cure] for at, message, cure in errors]}
    except ValueError as error:  # of the solver's own `validate`
        named = [name for name in solver.validated if name in given]
        return {"faults": [[named[:1], str(error), ""]]}


def wrong_default(solver: Solver) -> str:
    """The error in a default; empty when there is none."""
    defaults = {name: info.get_default(call_default_factory=True) for name, info in solver.fields.items()}
    errors = answer(solver, defaults).get("faults", ())
    return next((str(message) for _, message, _ in errors), "")


def _input(value: Any, annotation: Any) -> Any:
    """A value from YAML as strict types take it: lists are tuples, and a decimal is a float where one is declared."""
    if isinstance(value, (list, tuple)):
        inner = get_args(annotation)[0] if get_origin(annotation) is tuple else None
        return tuple(_input(entry, inner) for entry in value)
    return float(value) if isinstance(value, (Decimal, Fraction)) and annotation is float else value
