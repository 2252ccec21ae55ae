"""A solver's name -> its description, as its own code gives it in a worker process."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.processes.failure import Failure

SHARED = "common"  # mathematics that solvers share, itself no solver


@dataclass(frozen=True)
class Parameter:
    """One parameter of a solver. bounds: its range, by ge, gt, le and lt."""

    name: str
    default: Any
    bounds: Mapping[str, Any]
    description: str

    @property
    def span(self) -> str:
        """The range in words that can follow "it must"."""
        return span_of(self.bounds)


@dataclass(frozen=True)
class SolverDescription:
    """The description of a solver. sentence: the first of its docstring; path: its file, relative to the project.

    result_fields: of its results; None where they show only once it has run. checks: by name of the function; figures:
    their names. errors: in the names and arguments of its functions.
    """

    name: str
    sentence: str
    path: str
    parameters: Mapping[str, Parameter]
    result_fields: tuple[str, ...] | None = None
    checks: Mapping[str, CheckDescription] = field(default_factory=dict)
    figures: tuple[str, ...] = ()
    errors: tuple[Failure, ...] = ()


def span_of(bounds: Mapping[str, Any]) -> str:
    """Bounds in words that can follow "it must": `lie between 0 and 1`; empty where there are none."""
    if {"ge", "le"} <= bounds.keys():
        return f"lie between {bounds['ge']} and {bounds['le']}"
    if {"gt", "lt"} <= bounds.keys():
        return f"lie strictly between {bounds['gt']} and {bounds['lt']}"
    words = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
    parts = [f"{words[b]} {bounds[b]}" for b in words if b in bounds]
    return "be " + " and ".join(parts) if parts else ""


def solver_names(root: Path) -> list[str]:
    """The solvers in the project's solvers/: files and folders, in the order of their names."""
    found = []
    for entry in (root / "solvers").glob("[!._]*"):
        if entry.name != SHARED and (entry / "__init__.py").is_file():
            found.append(entry.name)
        elif entry.name != SHARED and entry.is_file() and entry.suffix == ".py":
            found.append(entry.stem)
    return sorted(found)
