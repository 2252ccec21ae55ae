"""Runs a solver in this process, where `breakpoint()` and `print` work; nothing is read from the cache or stored."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from site_builder.api.solve import SolveAnswer, SolveRequest
from site_builder.errors import Place, SiteError, UsageError, nearest
from site_builder.solving.catalog import read_description, solver_names
from site_builder.solving.checks.outcomes import CheckSource, judge, read_outcomes
from site_builder.solving.processes import worker
from site_builder.solving.processes.failure import Failure, TaskError
from site_builder.solving.tasks import description
from site_builder.solving.tasks.checking import raw_checks
from site_builder.solving.tasks.solved_result import result_of
from site_builder.solving.tasks.solver import Solver, contract_errors, load_solver
from site_builder.values.packing import pack


def solve_here(root: Path, asked: SolveRequest) -> SolveAnswer:
    """The answer of a solver, computed in this process without limits.

    Raises UsageError for a solver or parameter that does not exist or cannot be so, SiteError when the solver fails.
    """
    if asked.solver not in (known := solver_names(root)):
        raise UsageError(f"solve {asked.solver}: no solver is named {asked.solver!r}", nearest(asked.solver, known))
    worker.use_project(root)
    start = time.monotonic()
    try:
        solver = load_solver(asked.solver)
        answer = description.answer(solver, asked.given)
        for at, message, cure in answer.get("faults", ()):
            raise UsageError(f"{asked.place(str(at[0]) if at else '')}: {message}", cure)
        result = result_of(solver, answer["parameters"], solver.solve(answer["parameters"]))
        checks, errors = _checked(solver, answer["parameters"], result.whole, dict(result.fields))
    except TaskError as error:
        raise _error(error.failure, asked.solver) from error
    except (SiteError, UsageError):
        raise
    except Exception as error:
        raise _error(worker.failure_of(error), asked.solver) from error
    described = description.description(asked.solver, solver, worker.shown_path(str(solver.module.__file__)))
    figures = [each.name.removeprefix("figure_") for each in solver.figures]
    parameters, seconds = answer["parameters"], time.monotonic() - start
    return SolveAnswer(
        read_description(described), parameters, result.fields, checks, figures, errors, {"solve"}, seconds, ()
    )


def _checked(
    solver: Solver, parameters: dict[str, Any], whole: Any, fields: dict[str, Any]
) -> tuple[Sequence[Any], list[SiteError]]:
    errors = [_error(each.failure, "") for each in contract_errors(solver, fields)]
    if errors:
        return (), errors
    values = {**parameters, **fields, "result": whole}
    raw = list(raw_checks(solver, values, fields))
    sources = {each.name: CheckSource(each.title, _taken(solver, each.takes)) for each in solver.checks}
    return read_outcomes(judge(pack((raw, b"")), sources, parameters.keys())), []


def _taken(solver: Solver, takes: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in takes if name not in solver.fields)


def _error(failure: Failure, name: str) -> SiteError:
    about = f"solver '{name}': " if name else ""
    return SiteError(Place(failure.path, failure.line), about + failure.message, failure.cure, (), failure.calls)
