"""The builder of Puzzlepress: posts and solvers in, a static site out. docs/architecture.md describes the packages."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from site_builder.api.project import Project

__version__ = "0.1.0"


def load(path: "str | Path" = ".") -> "Project":
    """The project in a folder, or in the nearest one above it, for notebooks: docs/notebooks.md.

    Raises UsageError where there is none.
    """
    from site_builder.api.project import open_project  # solvers import this file too, and nothing of the builder

    return open_project(path)
