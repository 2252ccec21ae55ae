"""The evidence of a post as plain data: its runs with parameters and checks, its claims, its answers.

It is made with the text of the post and cached beside it. The end of the page, the records in JSON and the accepted
answers are made from it. It changes only when an answer, a parameter, a check or a claim does.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from site_builder.posts.blocks import CheckRow


@dataclass(frozen=True)
class RunRow:
    """A run: its solver, parameters and checks.

    settings: the parameters that are not the solver's defaults, as the command line takes them. axes and points: of a
    sweep, which has no checks of its own; none and 0 for a single run.
    """

    name: str
    solver: str
    is_fixed: bool
    parameters: tuple[tuple[str, str], ...]
    settings: tuple[str, ...]
    axes: tuple[tuple[str, str], ...]
    points: int
    checks: tuple[CheckRow, ...]

    @property
    def command(self) -> str:
        """The command that computes the answer again."""
        words = [f"--set {_quoted(setting)}" for setting in self.settings]
        return " ".join(["python build.py solve", self.solver, *words])


@dataclass(frozen=True)
class ClaimRow:
    """A published number that was compared with the computed one."""

    line: int
    text: str
    expression: str
    computed: str
    held: str
    source: str
    simulated: int

    @property
    def agreement(self) -> str:
        """How it agrees, in words: to 12 decimals, exactly, within 4 standard errors."""
        if self.simulated:
            return f"within {self.held}"
        return self.held if self.held in ("exactly", "word for word") else f"to {self.held}"


@dataclass(frozen=True)
class Evidence:
    """The evidence of one post. answers: the results that its text shows, by run and field, as JSON."""

    runs: tuple[RunRow, ...]
    claims: tuple[ClaimRow, ...]
    answers: Mapping[str, Mapping[str, Any]]


@dataclass
class ResultTexts:
    """Texts made of a result, cached for the result because they are slow to make; filled in while a post is written.

    report: what a bundle must print, None until a post offers one. answers: fields of the result as evidence holds
    them, by name; see `gather_evidence.answer_of`.
    """

    report: str | None = None
    answers: dict[str, Any] = field(default_factory=dict)

    def packed(self) -> bytes:
        """The texts as bytes; the same for equal ones."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True).encode()


def read_result_texts(data: bytes) -> ResultTexts:
    """The texts that were packed. Raises ValueError or TypeError for what another version of the builder wrote."""
    return ResultTexts(**json.loads(data))


def write_evidence(evidence: Evidence) -> bytes:
    """The evidence as bytes; the same for equal evidence."""
    return json.dumps(asdict(evidence), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def read_evidence(data: bytes) -> Evidence:
    """The evidence that `write_evidence` was given. Raises ValueError when the bytes are not what it writes."""
    return _evidence_type().validate_json(data)


@cache
def _evidence_type() -> TypeAdapter[Evidence]:
    return TypeAdapter(Evidence)


def _quoted(setting: str) -> str:
    return setting if all(sign.isalnum() or sign in "=._/-+" for sign in setting) else f"'{setting}'"
