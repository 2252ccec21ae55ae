"""The record beside a post, provenance.json, and the same for the end of its page.

The page has no digest of code and no versions, so that a rewritten solver with the same answers changes the record and
not the page. There are no times and no names of machines: the bytes stay the same.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from site_builder.posts.evidence import Evidence

PROVENANCE = "provenance.json"
ANSWERS, RESULTS = "answers.json", "results"
"""The list of all answers, and its key with the results that each post shows, by the address of the post."""

_IN_FOLD = (
    *("name", "solver", "is_fixed", "axes", "points", "checked"),
    *("confirmed", "unconfirmed", "untraced", "command"),
)  # the attributes of a run that its page shows


@dataclass(frozen=True)
class CodeFacts:
    """The code behind a solver's answers. code: digest of all of it; libraries: the versions that it uses."""

    code: str
    libraries: Mapping[str, str]


def provenance_json(path: str, builder: str, evidence: Evidence, codes: Mapping[str, CodeFacts]) -> bytes:
    """The evidence of the post at `path`, with the code behind it.

    builder: its name and version. codes: of the solvers of the post by name, also of those it only shows.
    """
    used = {run.solver for run in evidence.runs}
    solvers = {name: asdict(code) for name, code in codes.items() if name in used}
    found = {"post": path, "builder": builder, "solvers": solvers} | asdict(evidence)
    return (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode()


def fold(evidence: Evidence) -> dict[str, Any]:
    """The evidence for the template of the page."""
    return {
        "runs": [
            {name: getattr(run, name) for name in _IN_FOLD}
            | {"checks": run.confirmations, "settings": [tuple(each.split("=", 1)) for each in run.settings]}
            for run in evidence.runs
        ],
        "sources": _by_source(evidence),
        "checks": sum(run.confirmations for run in evidence.runs),
    }


def _by_source(evidence: Evidence) -> list[dict[str, Any]]:
    """The sources with the claims of each; claims without a source are the last."""
    found = []
    for name, source in {**evidence.sources, "": dict.fromkeys(("title", "author", "date", "url"), "")}.items():
        claims = [claim for claim in evidence.claims if claim.source == name]
        rows = [{**asdict(claim), "agreement": claim.agreement} for claim in claims]
        found += [{**source, "claims": rows}] if rows else []
    return found
