"""What a post depends on, in lines for its author: runs, code, libraries, and what its text read."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from site_builder.errors import Place
from site_builder.project.validation import shown
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.code_graph.reachability import INSTALLED_FILES

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_WIDTH = 110
_LEVEL = "module level"
_SMALL = ("imports", "order", "docstrings")  # what else counts of a file, and is left out


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
    """The code that the results, figures and checks of a solver are made of, by file, its data and its libraries."""
    every = [codes.describing(name), codes.solving(name), codes.showing(name), codes.checking(name)]
    ingredients = {part: value for known in every for part, value in known.ingredients.items()}
    files: dict[str, list[str]] = {}
    libraries = []
    for part, value in sorted(ingredients.items()):
        file, bracket, what = part.partition(" (")
        if part.startswith(INSTALLED_FILES):
            continue
        if part.startswith("data file "):
            files[part] = []
        elif bracket:
            files.setdefault(file, []).append(what.removesuffix(")"))
        else:
            libraries.append(f"{part} {value}")
    own = {file: parts for file, parts in files.items() if not file.startswith("site_builder/")}
    count = sum(len(parts) for file, parts in files.items() if file not in own)
    lines = [f"solver {name}"]
    for file, parts in own.items():
        lines += _listed(f"  {file}", _definitions(parts) if parts else [], "; ") or [f"  {file}"]
    if count:
        lines.append(f"  site_builder/: {count} definitions in {len(files) - len(own)} files of the builder itself")
    return lines + _listed("  libraries", libraries)


def _definitions(parts: Sequence[str]) -> list[str]:
    """The definitions of a file, those of a kind together, such as `function solve, step`."""
    kinds: dict[str, list[str]] = {}
    for part in parts:
        if part not in _SMALL:
            kind, _, name = part.partition(" ") if part != _LEVEL else (part, "", "")
            kinds.setdefault(kind, []).append(name)
    return [f"{kind} {', '.join(names)}".strip() for kind, names in kinds.items()] or ["its imports"]


def text_lines(reads: Iterable[str]) -> list[str]:
    """What the text of a post read of results and of solvers' code."""
    shown_code = sorted(name.removeprefix("source ") for name in reads if name.startswith("source "))
    results = sorted(f"results.{name}" for name in reads if not name.startswith("source "))
    return _listed("its text read", results) + _listed("its text shows the code of", shown_code)


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
