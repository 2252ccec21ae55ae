"""A post to be written, with its runs and their results, and what it is when it is written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from site_builder.project.posts import Post
from site_builder.values.records import Record

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun, Results


@dataclass(frozen=True)
class WrittenPost:
    """A post's text as bytes.

    evidence: empty where it has no results. figures: packed, by key.

    files: digests of the files of solvers that were read to show code from them. beside: files that extensions publish
    beside it, by their digests.
    """

    summary: bytes
    body: bytes
    evidence: bytes
    figures: Mapping[str, bytes]
    files: Mapping[str, str]
    beside: Mapping[str, bytes]


@dataclass(frozen=True)
class Job:
    """A post to be written, with its runs and their results.

    hosts, language: the allowed hosts and the language of config.yaml. extensions: digest of those of the project,
    empty where none has to do with texts; extensions_off: those that are turned off; used: digests of those that the
    text can use; options: the values of theirs; code: of the solvers of its runs, for these: digests of files, and
    versions of libraries.
    """

    post: Post
    runs: "Sequence[PlannedRun]" = ()
    answers: "Results | None" = None
    hosts: Sequence[str] = ()
    language: str = "en"
    extensions: str = ""
    extensions_off: tuple[str, ...] = ()
    used: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    code: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = field(default_factory=dict)

    @property
    def unanswered(self) -> frozenset[str]:
        """The runs without a result; a post is written when there are none."""
        answers = self.answers
        return frozenset(run.name for run in self.runs if answers is not None and not answers.hold(run))

    def results(self, note: Callable[[str], None]) -> Mapping[str, Record]:
        """The post's records by run. note: is called with the name of each field that is read."""
        return self._records(self.runs, note)

    def own_results(self, note: Callable[[str], None]) -> Mapping[str, Record]:
        """The records at the post's own parameters, by run; none where these are the ones of `results`."""
        runs = [run.own or run for run in self.runs]
        return self._records(runs, note) if any(run.own for run in self.runs) else {}

    def _records(self, runs: "Sequence[PlannedRun]", note: Callable[[str], None]) -> Mapping[str, Record]:
        if self.answers is None:
            return {}
        from site_builder.solving.results import post_results  # imports numpy, which other posts do not need

        return post_results(runs, self.answers, note)
