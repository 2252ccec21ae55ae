"""The record beside a post, provenance.json, and the same for the end of its page.

The page has no digest of code and no versions, so that a rewritten solver with the same answers changes the record and
not the page. There are no times and no names of machines: the bytes stay the same.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from site_builder.posts.blocks import CheckRow
from site_builder.posts.evidence import ClaimRow, CoverageRow, Evidence, RunRow, SourceRow

PROVENANCE = "provenance.json"
ANSWERS, RESULTS = "answers.json", "results"
"""The list of all answers, and its key with the results that each post shows, by the address of the post."""

_IN_FOLD = (
    *("name", "solver", "is_fixed", "axes", "points", "checked"),
    *("confirmed", "unconfirmed", "untraced", "command"),
)  # the attributes of a run that its page shows


@dataclass(frozen=True)
class CodeFacts:
    """The code behind a solver's answers. key: digest of all of it; libraries: the versions that it uses."""

    key: str
    libraries: Mapping[str, str]


@dataclass(frozen=True)
class FaultScore:
    """The fault score of a solver: its checks find `found` of `seeded` faults in its code that change an answer."""

    found: int
    seeded: int


def provenance_json(
    path: str, builder: str, evidence: Evidence, codes: Mapping[str, CodeFacts], scores: Mapping[str, FaultScore]
) -> bytes:
    """The runs and claims of the post at `path`. builder: its name and version. codes: of its solvers by name, also of
    those it only shows.

    scores: of those solvers that have one.
    """
    solvers = {run.solver for run in evidence.runs}
    return _json(
        {
            "post": path,
            "builder": builder,
            "runs": {run.name: _run(run) for run in evidence.runs},
            "solvers": {
                name: {"code": code.key, "libraries": dict(code.libraries)}
                | ({"seeded faults": asdict(scores[name])} if name in scores else {})
                for name, code in codes.items()
                if name in solvers
            },
            "sources": {source.name: _source(source) for source in evidence.sources},
            "claims": [_claim(claim) for claim in evidence.claims],
            "answers": evidence.answers,
        }
    )


def fold(evidence: Evidence, scores: Mapping[str, FaultScore]) -> dict[str, Any]:
    """The evidence for the template of the page. scores: of the solvers that have one."""
    solvers = dict.fromkeys(run.solver for run in evidence.runs)
    return {
        "runs": [
            {name: getattr(run, name) for name in _IN_FOLD}
            | {"checks": run.confirmations, "settings": [tuple(each.split("=", 1)) for each in run.settings]}
            for run in evidence.runs
        ],
        "sources": _by_source(evidence),
        "checks": sum(run.confirmations for run in evidence.runs),
        "held": evidence.held_sentences,
        "faults": [{"solver": name, **asdict(scores[name])} for name in solvers if name in scores],
    }


def _by_source(evidence: Evidence) -> list[dict[str, Any]]:
    """The sources with the claims of each; claims without a source are the last."""
    found = []
    for source in (*evidence.sources, SourceRow("", "", "", "", "")):
        claims = [claim for claim in evidence.claims if claim.source == source.name]
        rows = [{**asdict(claim), "agreement": claim.agreement} for claim in claims]
        found += [{**asdict(source), "claims": rows}] if rows else []
    return found


def _run(run: RunRow) -> dict[str, Any]:
    found: dict[str, Any] = {"solver": run.solver, "fixed": run.is_fixed, "parameters": dict(run.parameters)}
    found |= {"checks passed": run.confirmations, "shown": {row.field: _behind(row) for row in run.coverage}}
    if run.checks:
        found["checks"] = [_check(each) for each in run.checks]
    if run.unconfirmed:
        found["unchecked"] = run.unconfirmed
    if run.points:
        return found | {"sweep": dict(run.axes), "points": run.points, "points checked": run.checked}
    return found | {"command": run.command}


def _behind(row: CoverageRow) -> Any:
    """The evidence for a field that the post shows: its status, the checks behind it, and the closeness."""
    if row.status == "parameter":
        return "a parameter"
    found = {"checks": list(row.checks), "confirmed": row.closeness, "given": list(row.given)}
    return {"status": row.status} | {name: value for name, value in found.items() if value}


def _claim(claim: ClaimRow) -> dict[str, Any]:
    found = {
        "published": claim.text,
        "value": claim.expression,
        "computed": claim.computed,
        "agrees": claim.agreement,
        "source": claim.source,
    }
    more = {"where": claim.where, "loose because": claim.loose, "simulated games": claim.simulated}
    return found | {name: value for name, value in more.items() if value}


def _source(source: SourceRow) -> dict[str, Any]:
    return {name: value for name, value in asdict(source).items() if value and name != "name"}


def _check(check: CheckRow) -> dict[str, Any]:
    return {**asdict(check), "title": check.title.text}


def _json(value: Mapping[str, Any] | Sequence[Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
