"""The figures of a solver that has drawings: made as by `solver_tasks.figures`, and the drawings drawn.

By itself, so that a change of what draws does not make the other solvers' results, figures and checks again.
"""

import inspect
import sys
from dataclasses import replace
from typing import Any

from site_builder.contract import Drawing, Figure, Frames
from site_builder.errors import CuredError
from site_builder.figures.charts.own_drawing import draw_pictures
from site_builder.solving.processes.failure import TaskError
from site_builder.solving.processes.worker import failure_of, shown_path
from site_builder.solving.tasks.solver import ContractError, Solver, load_solver, place_of
from site_builder.solving.tasks.solver_tasks import MadeFigure, made_figures, packed_figures, packed_of, solver_task
from site_builder.values.packing import unpack


@solver_task
def figures(name: str, parameters: bytes, result: bytes) -> bytes:
    """The figures of a result by name, with the pictures of drawings, and the fields that each takes."""
    solver = load_solver(name)
    made = made_figures(solver, parameters, result)
    return packed_figures(solver, [replace(each, figure=_with_pictures(solver, each, each.figure)) for each in made])


def _with_pictures(solver: Solver, made: MadeFigure, figure: Figure) -> Figure:
    """The figure with its drawing, or with those of its steps, drawn."""
    if isinstance(figure, Frames):
        return replace(
            figure, frames=tuple((label, _with_pictures(solver, made, step)) for label, step in figure.frames)
        )
    return _drawn(solver, made, figure) if isinstance(figure, Drawing) else figure


def _drawn(solver: Solver, made: MadeFigure, figure: Drawing) -> Drawing:
    """The drawing with its pictures, and the name of the function in place of the function."""
    function: Any = figure.draw
    place, own = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    is_found = place.startswith("solvers.") and getattr(sys.modules.get(place), own, None) is function
    if not (is_found and inspect.isfunction(function)):
        shown = own or type(function).__name__
        where = "which is no function at the top level of a module of solvers/"
        cure = "write it as a function of its own, with def at the left margin of the solver's file"
        message = f"in the figure {made.name!r} draw is {shown}, {where}"
        raise TaskError(ContractError(message, made.place, cure).failure)
    data = packed_of(dict(figure.data), solver, f"figure_{made.name}")
    try:
        pictures = draw_pictures(function, lambda: unpack(data), figure.aspect)
    except Exception as error:
        failure = failure_of(error)
        if isinstance(error, CuredError):
            message = f"{own} of the figure {made.name!r} {error}"
            failure = replace(failure, kind="contract", message=message, cure=error.cure)
        if not failure.path:
            file, line = place_of(function)
            failure = replace(failure, path=shown_path(file), line=line)
        raise TaskError(failure) from error
    return replace(figure, draw=f"{place}.{own}", pictures=pictures)
