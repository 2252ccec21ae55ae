"""A post to be written, with its runs and their results, and what it is when it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from site_builder.errors import Place, SiteError
from site_builder.extension import RunFacts, SolverCode
from site_builder.posts.evidence import ClaimRow, Finding
from site_builder.project.config import read_as_scanned
from site_builder.project.posts import Post
from site_builder.values.language import ENGLISH, Language
from site_builder.values.records import Record, fields_of

if TYPE_CHECKING:
    from site_builder.posts.findings import CheckedRun
    from site_builder.solving.plan import PlannedRun, Results


@dataclass(frozen=True)
class WrittenPost:
    """A post's text as bytes. entries: of the cache, to which the summary leads, by kind and key."""

    summary: bytes
    entries: Mapping[tuple[str, str], bytes]


class OwnText(NamedTuple):
    """What was found in a text at the post's own parameters: its claims, compared, and its typed numbers."""

    claims: tuple[ClaimRow, ...] = ()
    typed: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Job:
    """A post to be written, with its runs and their results.

    hosts: those that config.yaml allows. language: of the post. macros: of TeX. imports:
    files with macros that its text may use, with their digests. extensions: digest of those of the
    project, empty where none has to do with texts; extensions_off: those that are turned off; used: digests of those
    that the text can use; options: the values of theirs; code: of the solvers of its runs, for these: digests of files,
    and versions of libraries. own_text: of the text at the post's own parameters, where this one is at others.
    """

    post: Post
    runs: "Sequence[PlannedRun]" = ()
    answers: "Results | None" = None
    hosts: Sequence[str] = ()
    language: Language = ENGLISH
    extensions: str = ""
    extensions_off: tuple[str, ...] = ()
    used: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    macros: Mapping[str, str] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    code: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = field(default_factory=dict)
    own_text: OwnText | None = None

    @property
    def own(self) -> "Job | None":
        """The job of the post at its own parameters; None where these are they."""
        return replace(self, runs=[run.own or run for run in self.runs]) if any(run.own for run in self.runs) else None

    @property
    def unanswered(self) -> frozenset[str]:
        """The runs without a result; a post is written when there are none."""
        answers = self.answers
        return frozenset(run.name for run in self.runs if answers is not None and not answers.hold(run))


class JobData:
    """The data that a text is written from, and what is found on the way.

    errors: those that do not end its writing. held: decides the held sentences; reads: the results that were read, such
    as "main.flips"; claims: in their order, all of which hold; figures: packed, by key; printed: the values that
    filters print; beside: files that extensions publish beside the post, by name.
    """

    def __init__(self, root: Path, job: Job) -> None:
        from site_builder.posts.held_sentences import HeldSentences  # imports extensions of Jinja

        self.job, self.root = job, root
        self.place = Place(job.post.source, job.post.body_line)
        self.reads: set[str] = set()
        self.errors: list[SiteError] = []
        self.held = HeldSentences(job.post.source, self.errors, is_free=job.own_text is not None)
        self.claims: dict[ClaimRow, None] = dict.fromkeys(job.own_text.claims if job.own_text else ())
        self.figures: dict[str, bytes] = {}
        self.printed: list[Any] = []
        self.beside: dict[str, bytes] = {}

    @cached_property
    def runs(self) -> "Mapping[str, PlannedRun]":
        """The runs by name."""
        return {run.name: run for run in self.job.runs}

    @cached_property
    def results(self) -> Mapping[str, Record]:
        """The records by run."""
        if self.job.answers is None:
            return {}
        from site_builder.solving.results import post_results  # imports numpy, which other posts do not need

        return post_results(self.job.runs, self.job.answers, self.reads.add)

    @cached_property
    def checked(self) -> "Sequence[CheckedRun]":
        """The runs with their checks; none where nothing was computed."""
        if not self.job.runs or self.job.answers is None:
            return ()
        from site_builder.posts.findings import checked_runs

        return checked_runs(self.job.runs, self.job.answers, self.results)

    def read(self, name: str) -> bytes:
        """One of the files with macros. Raises SiteError where it has changed since the job was made."""
        return read_as_scanned(self.root / name, name, self.job.imports[name])

    def facts(self, name: str) -> RunFacts:
        """The facts of a run."""
        from site_builder.solving.checks.outcomes import read_certified  # with numpy behind these, paid for by solvers
        from site_builder.values.packing import unpack

        run, answers = self.runs[name], self.job.answers
        assert answers is not None
        code = partial(self._code, run.solver)
        if run.keep:
            return RunFacts(name, run.solver, True, {}, {}, dict, code)
        (point,) = run.points
        data, parameters = read_certified(answers.checks[point]), unpack(run.solves[0].parameters)
        packed = answers.results[point]
        return RunFacts(name, run.solver, False, data, parameters, lambda: fields_of(unpack(packed)), code)

    def _code(self, solver: str) -> SolverCode:
        """The code of a solver. Raises SiteError where it has changed since the job was made."""
        digests, libraries = self.job.code[solver]
        files = {name: read_as_scanned(self.root / name, name, digest) for name, digest in digests.items()}
        return SolverCode(files, libraries)
