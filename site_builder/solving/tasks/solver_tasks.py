"""The tasks of a solver: describe it, solve, solve at a point of a sweep, make its figures, check a result.

Nothing else imports solvers. Arguments and answers are packed bytes; an error comes back as a Failure.
"""

import inspect
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from site_builder.contract import Figure, progress_report
from site_builder.contract.bounds import AnnotationError
from site_builder.errors import CuredError
from site_builder.figures.kinds.drawing import drawings_in, drawn_figure, words_of
from site_builder.figures.kinds.registry import is_figure, kind_of
from site_builder.project.validation import explained_errors
from site_builder.solving.catalog import Parameter, SolverDescription, span_of
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.plan import SolverReply
from site_builder.solving.processes import audit
from site_builder.solving.processes.failure import Failure, TaskAnswer, TaskError
from site_builder.solving.processes.worker import failure_of, run_limited, send_share, shown_path
from site_builder.solving.tasks.checking import certificates, raw_checks
from site_builder.solving.tasks.figure_numbers import foreign_numbers
from site_builder.solving.tasks.solved_result import (
    as_record,
    fields_of_result,
    misfit,
    read_result,
    refuse_wrong_names,
    refuse_wrong_values,
)
from site_builder.solving.tasks.solver import (
    FIGURE,
    LOOK,
    READ_CONTRACT,
    RESULT,
    ContractError,
    NamedFunction,
    Solver,
    contract_at,
    contract_errors,
    load_solver,
    prepare_solver,
)
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.packing import pack, unpack

_MOST_FOREIGN = 4  # numbers of a figure that are named
_FIGURE_NAME = re.compile(r"[a-z][a-z0-9_]*")


def solver_task(function: Callable[..., bytes]) -> Callable[..., "TaskAnswer | Failure"]:
    """The function as a task of the solver that is its first argument, recorded, in a process for this solver alone.

    The task is given the name of the solver and what it needs.
    """

    @wraps(function)
    def loaded(name: str, loadable: Loadable, *arguments: Any) -> bytes:
        solver = load_solver(name, loadable.extensions)
        try:
            return function(solver, *arguments)
        except AnnotationError as error:
            raise misfit(solver, error) from error

    @wraps(loaded)
    def run(memory: int, name: str, loadable: Loadable, *arguments: Any) -> TaskAnswer | Failure:
        progress_report.listen(send_share)
        try:
            with audit.recording(loadable.code) as reads:
                answer = run_limited(memory, loaded, name, loadable, *arguments)
        except TaskError as error:  # a file has changed, which may be why the solver failed
            return error.failure
        return replace(answer, reads=reads) if isinstance(answer, Failure) else TaskAnswer(answer, reads)

    run.prepare = prepare_solver  # type: ignore[attr-defined]
    return run


@solver_task
def describe(solver: Solver, requests: Sequence[Mapping[str, Any]]) -> bytes:
    """The packed reply of a solver: its description, and an answer to each request for parameters."""
    if wrong := wrong_default(solver):
        raise broken(solver, f"in the defaults {wrong}")
    answers = tuple(answer_to(solver, request) for request in requests)
    return packed_of(SolverReply(description(solver, shown_path(str(solver.module.__file__))), answers), solver)


@solver_task
def solve(solver: Solver, parameters: bytes) -> bytes:
    """The packed result of one solve."""
    result = _solved(solver, parameters)
    packed = packed_of(as_record(result), solver)
    refuse_wrong_values(result)
    return packed


@solver_task
def solve_point(solver: Solver, keep: Sequence[str], parameters: bytes, is_checked: bool) -> bytes:
    """The packed pair of the kept fields of the result at a point of a sweep, packed, and the whole packed result.

    is_checked: whether the result is needed, to be checked; else it is empty.
    """
    result = _solved(solver, parameters)
    fields = fields_of_result(result)
    if missing := [each for each in keep if each not in fields]:
        message = f"the result has no {missing[0]!r} to keep; it has: {', '.join(fields)}"
        raise broken(solver, message)
    row = packed_of(tuple(fields[each] for each in keep), solver)
    refuse_wrong_values(result, keep)
    return pack((row, packed_of(as_record(result), solver) if is_checked else b""))


@solver_task
def figures(solver: Solver, names: Collection[str], has_png: bool, parameters: bytes, result: bytes) -> bytes:
    """The figures of a result of these names, but for those that do not apply to these parameters.

    has_png: whether what matplotlib draws gets a PNG.
    takes: the fields that it is made of; foreign: the numbers in it that are no values of these or of parameters.
    untraced: the names of those that matplotlib has drawn without data.
    """
    values, _ = _values(parameters, result)
    parts: dict[str, Any] = {"figures": {}, "takes": {}, "foreign": {}, "untraced": []}
    for function in [each for each in solver.figures if each.figure in names]:
        if (figure := _drawn(function, values, has_png)) is None:
            continue
        _refuse_wrong_figure(function, figure)
        name, takes = function.figure, [each for each in function.takes if each not in (*solver.fields, LOOK)]
        parts["figures"][name], parts["takes"][name] = figure, takes
        if foreign := _foreign(solver, takes, figure, values):
            parts["foreign"][name] = foreign
        if any(not drawing.data for drawing in drawings_in(figure)):
            parts["untraced"].append(name)
    try:
        return pack(parts)
    except CuredError:
        for name, figure in parts["figures"].items():
            packed_of(figure, solver, f"{FIGURE}{name}")
        raise


def _drawn(function: NamedFunction, values: Mapping[str, Any], has_png: bool) -> Any:
    """The figure that a function gives, with pictures of what matplotlib has drawn."""
    words = words_of(inspect.getdoc(function.function) or "", function.figure)
    try:
        return drawn_figure(lambda look: function.call({**values, LOOK: look}), LOOK in function.takes, words, has_png)
    except CuredError as error:
        message = f"{function.name} {error}"
        raise ContractError(message, function.place, error.cure) from error
    except Exception as error:
        failure, (file, line) = failure_of(error), function.place
        raise TaskError(failure if failure.path else replace(failure, path=shown_path(file), line=line)) from error


def _refuse_wrong_figure(function: NamedFunction, figure: Any) -> None:
    """Raise ContractError for what is no figure, or no right one."""
    message = ""
    if not is_figure(figure):
        message = f"{function.name} returned a {type(figure).__name__}, which is no figure"
    elif not _FIGURE_NAME.fullmatch(function.figure):
        message = f"the figure {function.figure!r} needs a name of small letters, digits and _"
    elif error := kind_of(figure).first_error(figure):
        message = f"in the figure {function.figure!r} {error}"
    if message:
        raise ContractError(message, function.place)


def _foreign(solver: Solver, takes: Sequence[str], figure: Figure, values: Mapping[str, Any]) -> list[float]:
    """The first numbers of a figure that are no values of what it takes, or of parameters."""
    given = [values[each] for each in (*takes, *solver.fields) if each != RESULT]
    given += values[RESULT].values() if RESULT in takes else ()
    return foreign_numbers(figure, given)[:_MOST_FOREIGN]


@solver_task
def checks(solver: Solver, keep: Sequence[str], parameters: bytes, result: bytes) -> bytes:
    """The packed checks of a result, certificates as the last ones, with the data of these.

    keep: the fields that a sweep keeps of it; none of a run, which has all.
    """
    values, own = _values(parameters, result)
    fields = frozenset(keep) or None
    made = list(raw_checks(solver, values, own, fields))
    certified, data = certificates(solver, values, fields)
    try:
        return pack(([*made, *certified], data))
    except CuredError:
        for check, field, value in [(e.check, e.field, value) for e in made for part in e.parts for value in part[1]]:
            packed_of(value, solver, check, f"the answer of {check} to {field}")
        raise


def _values(parameters: bytes, result: bytes) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """The values of names: parameters, fields of a result and "result"; and the fields alone."""
    whole, fields = read_result(result)
    return {**unpack(parameters), **fields, "result": whole}, fields


def _solved(solver: Solver, parameters: bytes) -> Any:
    """The result of a solver, as `solve` returned it, whose fields have no wrong names."""
    given = unpack(parameters)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "overflow encountered in scalar", RuntimeWarning)  # numpy goes on with garbage
        result = solver.solve(given)
    refuse_wrong_names(solver, given, result)
    if solver.result_fields is None:
        failures = [each.failure for each in contract_errors(solver, fields_of_result(result))]
        if failures:
            raise TaskError(replace(failures[0], more=tuple(failures[1:])))
    return result


def packed_of(value: Any, solver: Solver, function: str = "solve", name: str = "") -> bytes:
    """The value as bytes; what cannot be packed is a breach of the contract by a function of the solver.

    name: of the value, by default that of the function, or "result".
    """
    with contract_at(solver.place(function)):
        return pack(value, name or ("result" if function == "solve" else function))


def broken(solver: Solver, message: str, name: str = "solve", cure: str = READ_CONTRACT) -> ContractError:
    """A breach of the contract, at the function of that name."""
    return ContractError(message, solver.place(name), cure)


# Descriptions


def description(solver: Solver, path: str) -> SolverDescription:
    """The description of a solver. path: of its file, in the project."""
    return SolverDescription(
        solver.module.__name__.removeprefix("solvers."),
        (inspect.getdoc(solver.module) or "").partition("\n")[0],
        path,
        {
            name: Parameter(name, info.default, _bounds(info), info.description or "")
            for name, info in solver.fields.items()
        },
        solver.result_fields,
        {each.name: _described_check(solver, each) for each in (*solver.checks, *solver.added)},
        tuple(each.figure for each in solver.figures),
        tuple(each.failure for each in contract_errors(solver, solver.result_fields)),
    )


def _described_check(solver: Solver, each: NamedFunction) -> CheckDescription:
    answers = None if each.verify or each.answers is None else tuple(sorted(each.answers))
    return CheckDescription(each.title, tuple(name for name in each.takes if name not in solver.fields), answers)


def _bounds(info: FieldInfo) -> dict[str, Any]:
    """The range of a parameter: those of ge, gt, le and lt that it has."""
    return {b: getattr(m, b) for m in info.metadata for b in ("ge", "gt", "le", "lt") if hasattr(m, b)}


def answer_to(solver: Solver, requested: Mapping[str, Any]) -> dict[str, Any]:
    """Check and complete parameters: {"parameters": all of them}, or {"faults": [[name, message, cure], ...]}."""
    fields = solver.fields
    given = {
        name: _input(value, fields[name].annotation if name in fields else None) for name, value in requested.items()
    }
    try:
        return {"parameters": solver.completed(given)}
    except ValidationError as error:
        spans = {name: span_of(_bounds(info)) for name, info in fields.items()}
        errors = explained_errors(error, given, lambda _: fields, "the run", spans)
        named = [(str(at[0]) if at else "", message, cure) for at, message, cure in errors]
        return {"faults": [[name, message, cure or _about(fields, name)] for name, message, cure in named]}
    except ValueError as error:  # of the solver's own `validate`
        name = next((name for name in solver.validated if name in given), "")
        return {"faults": [[name, str(error), _about(fields, name)]]}


def _about(fields: Mapping[str, FieldInfo], name: str) -> str:
    """A parameter in words, as the cure of a value that it may not have; empty where it has none."""
    return f"{name}: {fields[name].description}" if name in fields and fields[name].description else ""


def wrong_default(solver: Solver) -> str:
    """The error in a default; empty when there is none."""
    errors = answer_to(solver, {name: info.default for name, info in solver.fields.items()}).get("faults", ())
    return next((str(message) for _, message, _ in errors), "")


def _input(value: Any, annotation: Any) -> Any:
    """A value from YAML as strict types take it: lists are tuples, and a decimal is a float where one is declared."""
    if isinstance(value, (list, tuple)):
        inner = get_args(annotation)[0] if get_origin(annotation) is tuple else None
        return tuple(_input(entry, inner) for entry in value)
    return float(value) if isinstance(value, (Decimal, Fraction)) and annotation is float else value
