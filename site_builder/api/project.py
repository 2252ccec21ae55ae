"""A project as a notebook loads it: its solvers; figures show themselves."""

import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from site_builder.api.solve import SolveRequest, solve
from site_builder.contract import Figure, Table
from site_builder.errors import UsageError, raise_all
from site_builder.figures.kinds.registry import kind_of
from site_builder.pipeline.steps.context import Report
from site_builder.project.root import project_around
from site_builder.solving.catalog import solver_names
from site_builder.solving.results import post_results
from site_builder.values.records import Record, fields_of

if TYPE_CHECKING:
    from site_builder.figures.rendered import RenderedFigure


class ShownFigure:
    """A figure as a page shows it: drawn as SVG and PNG, of Frames the last step; a Table is named alone.

    figure: its data, of `contract`.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def __repr__(self) -> str:
        return f"{type(self.figure).__name__}: {self.figure.title}"

    def _repr_svg_(self) -> str | None:
        """The drawing for wide screens; None for a Table. Notebooks call it."""
        return (self._drawn, *self._drawn.frames)[-1].svg.decode() if self._drawn else None

    def _repr_png_(self) -> bytes | None:
        """The same in light colours on white, at twice its size; None for a Table."""
        return self._drawn.png if self._drawn else None

    @cached_property
    def _drawn(self) -> "RenderedFigure | None":
        return None if isinstance(self.figure, Table) else kind_of(self.figure).render(self.figure)


@dataclass(frozen=True)
class Project:
    """The project in the folder `root`. Files are read with each call, so that an edited solver counts at once.

    Results come from the project's cache; what is not there is computed in a worker process, and stored.
    """

    root: Path

    @property
    def solvers(self) -> tuple[str, ...]:
        """The names of its solvers."""
        return tuple(solver_names(self.root))

    def solve(self, solver: str, /, **parameters: Any) -> Record:
        """The result of a solver: its fields, `parameters`, `checks` and `figures`; defaults for what is not given.

        Parameters are numbers, texts and lists, fractions as Fraction(3, 5) or "3/5". Raises UsageError for a solver or
        parameter that does not exist or cannot be so, TypeError for a value that is no parameter; SiteError when the
        solver or one of its checks fails.
        """
        words = {name: f"{name}={value!r}" for name, value in parameters.items()}
        asked = SolveRequest(solver, parameters, words=words)
        ran = solve(self.root, asked, 0, _warn, Report())
        raise_all(ran.errors)
        return _with_shown_figures(post_results([ran.run], ran.results)[ran.run.name])


def open_project(path: str | Path = ".") -> Project:
    """The project in a folder, or in the nearest one above it. Raises UsageError where there is none."""
    folder = Path(path).resolve()
    root = project_around(folder)
    if root is None:
        message = "neither it nor a folder above it holds config.yaml and the folder content/"
        cure = 'name the folder of a project: load("path/to/blog")'
        raise UsageError(f"load: {folder} is no project: {message}", cure)
    return Project(root)


def _with_shown_figures(record: Record) -> Record:
    fields = dict(fields_of(record))
    if isinstance(figures := fields.get("figures"), Record):
        fields["figures"] = Record({name: ShownFigure(each) for name, each in fields_of(figures).items()}, "figures")
    return Record(fields)


def _warn(words: str) -> None:
    warnings.warn(words, stacklevel=2)
