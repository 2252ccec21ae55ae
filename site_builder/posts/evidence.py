"""The evidence of a post as plain data: its runs with parameters and checks, its claims, its answers.

It is made with the text of the post and cached beside it. The end of the page, the records in JSON and the accepted
answers are made from it. It changes only when an answer, a parameter, a check or a claim does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from shlex import quote
from typing import Any, NamedTuple

from site_builder.errors import Place, SiteError
from site_builder.posts.blocks import CheckRow


class Finding(NamedTuple):
    """A number that a post shows and that nothing verifies: a build warns of it, and `publish` refuses it.

    line: of the post's file. name: in a few words, such as "results.main.flips". is_typed: whether it is typed.
    """

    line: int
    message: str
    cure: str
    name: str
    is_typed: bool = False

    def error(self, source: str) -> SiteError:
        """The finding as the error that it is for `check` and `publish`."""
        return SiteError(Place(source, self.line), self.message, self.cure)


@dataclass(frozen=True)
class ClaimRow:
    """A published number that was compared with the computed one.

    source: the name of one of the post's sources, or empty; where: the place in it. loose: why fewer digits agree than
    were printed, empty where all of them do.
    """

    line: int
    text: str
    expression: str
    computed: str
    held: str
    source: str
    where: str
    loose: str
    simulated: int

    @property
    def agreement(self) -> str:
        """The closeness of its agreement, in words: to 12 decimals, exactly, within 4 standard errors."""
        if self.simulated:
            return f"within {self.held}"
        return self.held if self.loose or self.held in ("exactly", "word for word") else f"to {self.held}"


@dataclass(frozen=True)
class CoverageRow:
    """A field that a post shows.

    status: "confirmed" by the `checks`; "tested" by them in smaller cases; "given" where they agree, given the fields
    in `given`, which nothing confirms; "lawful" where laws alone hold; "parameter" where it repeats one; "untraced" for
    a figure of matplotlib without data; else "unconfirmed". points: of a sweep at which it is confirmed. closeness: how
    closely, at the point where that is least; loose: the checks that agree and confirm nothing.
    """

    field: str
    status: str
    checks: tuple[str, ...]
    points: int = 0
    closeness: str = ""
    given: tuple[str, ...] = ()
    loose: "tuple[LooseCheck, ...]" = ()

    @property
    def is_confirmed(self) -> bool:
        """True when it may be published without a reason."""
        return self.status in ("confirmed", "tested", "parameter", "untraced")


@dataclass(frozen=True)
class LooseCheck:
    """A check that agrees and does not confirm a field. reason: why; cure: what would confirm it."""

    name: str
    reason: str
    cure: str


@dataclass(frozen=True)
class RunRow:
    """A run: its solver, parameters and checks.

    settings: the parameters that are not the solver's defaults, as the command line takes them. axes and points: of a
    sweep; none and 0 for a single run. checks: of a single run; checked: the points of a sweep that were checked;
    confirmations: how many checks confirm a field, at all points. coverage: the fields that the post shows with the
    checks behind them; unchecked: the reasons why those without one are shown, by field.
    """

    name: str
    solver: str
    is_fixed: bool
    parameters: tuple[tuple[str, str], ...]
    settings: tuple[str, ...]
    axes: tuple[tuple[str, str], ...]
    points: int
    checks: tuple[CheckRow, ...]
    checked: int = 0
    confirmations: int = 0
    coverage: tuple[CoverageRow, ...] = ()
    unchecked: Mapping[str, str] = field(default_factory=dict)

    @property
    def unconfirmed(self) -> dict[str, str]:
        """The fields that the post shows and nothing confirms, with the reasons."""
        rows = [row for row in self.coverage if not row.is_confirmed]
        return {row.field: self.reason(row) for row in rows}

    @property
    def confirmed(self) -> dict[str, list[str]]:
        """The fields that the post shows and checks confirm, by how closely."""
        found: dict[str, list[str]] = {}
        for row in self.coverage:
            if row.status in ("confirmed", "tested"):
                found.setdefault(row.closeness, []).append(row.field)
        return found

    @property
    def untraced(self) -> list[str]:
        """The figures whose numbers cannot be compared with the results."""
        return [row.field for row in self.coverage if row.status == "untraced"]

    def reason(self, row: CoverageRow) -> str:
        """The author's reason for a field that nothing confirms; what is known of it without one."""
        own = self.unchecked.get(row.field) or self.unchecked.get(row.field.partition(".")[0])
        return own or (f"agrees, given {', '.join(row.given)}" if row.given else "no second method")

    @property
    def command(self) -> str:
        """The command that computes the answer again."""
        words = [f"--set {quote(setting)}" for setting in self.settings]
        return " ".join(["python build.py solve", self.solver, *words])  # the same on every machine


@dataclass(frozen=True)
class Evidence:
    """The evidence of one post.

    answers: the results that its text shows, by run and field, as JSON. sources: those of its claims, by name: their
    title, author, date and url.
    """

    runs: tuple[RunRow, ...]
    claims: tuple[ClaimRow, ...]
    answers: Mapping[str, Mapping[str, Any]]
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
