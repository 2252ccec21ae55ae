"""One solver run for its author: parameters as they are written -> its result and what confirmed it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_builder.building import sources_of
from site_builder.catalog import Description, solver_names
from site_builder.codes import Codes
from site_builder.computing import ask_solvers, compute
from site_builder.config import load_config
from site_builder.contract import Check
from site_builder.errors import Place, UsageError, nearest
from site_builder.plain_values import fields_of_any, text_of
from site_builder.standing import STORE, Variant
from site_builder.store import Store
from site_builder.tasks import PlannedRun, Solve
from site_builder.values import pack, unpack
from site_builder.workers import local_workers


@dataclass(frozen=True)
class Solved:
    """The answer of a solver. parameters: complete; result: its fields; checks: what confirmed it."""

    description: Description
    parameters: Mapping[str, Any]
    result: Mapping[str, Any]
    checks: Sequence[Check]


def solve_one(root: Path, name: str, given: Mapping[str, Any], jobs: int, warn: Callable[[str], None]) -> Solved:
    """The answer of one solver; from the store where it is there.

    Raises UsageError for a solver or parameter that does not exist or cannot be so; SiteError when the solver fails or
    its answer does not pass a check.
    """
    known = solver_names(root)
    if name not in known:
        raise UsageError(f"solve {name}: no solver is named {name!r}", nearest(name, known))
    config = load_config(root)
    with Store(root / STORE, config.settings.store.max_size, warn) as store, local_workers(root, jobs) as workers:
        sources, _ = sources_of(config, Variant("", False, ()), store)
        codes = Codes(root, store, sources.digests, sources.stamp)
        limits, place = config.settings.limits, Place(f"solve {name}")
        description, (told,) = ask_solvers(workers, store, codes, limits, {name: place}, {name: [given]})[name]
        for at, fault, cure in told.get("faults", ()):
            wrong = nearest(str(at[0]), description.parameters) if at and at[0] not in description.parameters else cure
            raise UsageError(f"solve {name}: {fault}", wrong)
        solve = Solve(name, pack(told["parameters"]), limits)
        run = PlannedRun("", name, name, place, told["parameters"], (solve,), {}, (), description, True)
        answers = compute([run], workers, store, codes, lambda *told: None, lambda count: None)
    result = fields_of_any(unpack(answers.results[solve.key]))
    return Solved(description, told["parameters"], result, unpack(answers.checks[solve.key]))


def told(solved: Solved) -> Iterator[str]:
    """The answer in lines."""
    yield f"{solved.description.name}: {solved.description.sentence}"
    yield from _listed("parameters", {name: text_of(value) for name, value in solved.parameters.items()})
    yield from _listed("result", {name: text_of(value) for name, value in solved.result.items()})
    yield "checks"
    for check in solved.checks:
        yield f"  passed  {check.name} ({check.method}): {text_of(check.found)}"


def _listed(head: str, values: Mapping[str, str]) -> Iterator[str]:
    yield head
    width = max(map(len, values), default=0)
    for name, text in values.items():
        yield f"  {name:{width}}  {text}"
