"""The dependencies of a post, in lines for its author: runs, code and libraries."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from site_builder.errors import Place
from site_builder.project.validation import shown
from site_builder.solving.code.code_keys import CodeKeys

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_WIDTH = 110


def run_lines(run: "PlannedRun", places: Mapping[str, Place]) -> list[str]:
    """A run with its parameters. places: where each of them is written, but for those at their defaults."""
    points = f"{len(run.solves):,} points" if run.keep else ""
    keeps = f"keeps {', '.join(run.keep)}" if run.keep else ""
    facts = [f"solver {run.solver}", "fixed" if run.pinned else "", points, keeps]
    lines = [f"run {run.name} ({run.place}): {', '.join(fact for fact in facts if fact)}"]
    values = {n: _values(run.axes[n]) if n in run.axes else shown(value) for n, value in run.parameters.items()}
    lines += [f"  {name} = {value} ({places[name]})" for name, value in values.items() if name in places]
    return lines + _listed(
        "  by default", [f"{name} = {value}" for name, value in values.items() if name not in places]
    )


def _values(values: Sequence[object]) -> str:
    listed = [shown(value) for value in values]
    return ", ".join(listed) if len(listed) <= 3 else f"{listed[0]}, {listed[1]}, ... {listed[-1]}"


def solver_lines(name: str, codes: CodeKeys) -> list[str]:
    """The code of a solver by file, the data that it has read, and its libraries."""
    code = codes.whole(name)
    files: dict[str, list[str]] = {file: [] for file in sorted(code.files)}
    for file, definition in sorted(code.definitions):
        files.setdefault(file, []).append(definition)
    lines = [f"solver {name}"]
    for file, definitions in files.items():
        lines += _listed(f"  {file}", definitions) or [f"  {file}"]
    lines += [f"  data file {path}" for path in sorted({*codes.reads.digests(name), *codes.data(name)})]
    libraries = [f"{library} {version}" for library, version in code.libraries.items()]
    return lines + _listed("  libraries", libraries)


def _listed(head: str, names: Sequence[str], between: str = ", ") -> list[str]:
    """The names in wrapped lines after these words; nothing when there are none."""
    if not names:
        return []
    inside = " " * (len(head) - len(head.lstrip()) + 4)
    return textwrap.wrap(
        f"{head}: {between.join(names)}",
        _WIDTH,
        subsequent_indent=inside,
        break_long_words=False,
        break_on_hyphens=False,
    )
