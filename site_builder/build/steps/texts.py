"""Posts -> their texts: from the store while all that they read is the same, else written anew."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from site_builder.errors import SiteError, changed
from site_builder.posts.jinja import has_jinja
from site_builder.posts.summary import PostSummary, read_brief
from site_builder.posts.write import Job, WrittenPost, write_or_faults
from site_builder.project.config import Limits
from site_builder.project.posts import Post
from site_builder.solving.failure import Failure
from site_builder.solving.pool import Workers
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.file_fingerprints import read_as_scanned
from site_builder.storage.store import Store
from site_builder.values.digest import digest

_FEW = 8  # texts that are written sooner than workers are started
_BATCH = 16
_AHEAD = 12  # batches
_MOST_TRACES = 8
NEEDED = (  # modules that every process loads which writes texts
    *(
        "site_builder.markup.folds",
        "site_builder.markup.sidenotes",
        "site_builder.markup.triggered_markdown",
    ),
    *("site_builder.build.steps.worker_tasks", "site_builder.posts.write", "jinja2.ext"),
    *(f"markdown.extensions.{name}" for name in ("abbr", "admonition", "def_list", "footnotes", "md_in_html")),
    *(f"markdown.extensions.{name}" for name in ("sane_lists", "smarty", "tables", "toc")),
    *(f"pymdownx.{name}" for name in ("details", "highlight", "saneheaders", "superfences")),
    *("pygments.lexers.python", "pygments.styles.default"),
)


class Tell(Protocol):
    """Whoever is told what becomes of a text, for `--explain`."""

    def __call__(self, post: Post, ran: bool, reads: Mapping[str, str]) -> None:
        """A text was written, or was in the store. reads: what it reads, and what names the values."""


@dataclass(frozen=True)
class Recalled:
    """A text that is in the store. reads: what it reads, and what names the values."""

    brief: PostSummary
    reads: Mapping[str, str]


@dataclass(frozen=True)
class Texts:
    """Where texts come from and are kept. digests: of the project's files; thorough: see if bodies are there."""

    root: Path
    workers: Workers
    store: Store
    codes: CodeKeys
    limits: Limits
    digests: Mapping[str, str]
    thorough: bool

    def write(
        self, jobs: Iterable[Job], tell: Tell, step: Callable[[int], None]
    ) -> tuple[list[PostSummary], list[SiteError]]:
        """The briefs of posts whose texts are then in the store, and the faults of those that cannot be written."""
        briefs: list[PostSummary] = []
        missing: list[Job] = []
        for job in jobs:
            known = None if self.store.is_new else self.recalled(job)
            if known is None:
                missing.append(job)
            else:
                tell(job.post, False, known.reads)
                briefs.append(known.brief)
                step(1)
        faults: list[SiteError] = []
        for job, written in self._written(missing):
            if isinstance(written, WrittenPost):
                briefs.append(self._kept(job, written, tell))
            else:
                faults += written
            step(1)
        return briefs, faults

    def recalled(self, job: Job) -> Recalled | None:
        """The text of a post if it is in the store; None too if that depends on a run that is not answered."""
        for reads in self._traces(job):
            found = self.named(job, reads)
            if len(found) < len(reads):
                continue
            data = self.store.get("text", self._key(job.post, found))
            if data is not None:
                try:
                    brief = read_brief(data)
                except ValueError:  # as another version of the builder wrote it
                    continue
                if not self.thorough or self._is_whole(brief):
                    return Recalled(brief, found)
        return None

    def may_be_recalled(self, job: Job) -> bool:
        """Whether the text of a post may turn out to be in the store once all its runs are answered."""
        return any(len(self.named(job, reads)) < len(reads) for reads in self._traces(job))

    def named(self, job: Job, reads: Iterable[str]) -> dict[str, str]:
        """What names the values of things that a text reads, without those of runs that are not answered."""
        inputs, unanswered = _Inputs(self.root, job, self._read), job.unanswered
        return {name: inputs[name] for name in reads if name.partition(".")[0] not in unanswered}

    def _is_whole(self, brief: PostSummary) -> bool:
        figures = (self.store.get("figure", key) for key, _ in brief.figures)
        there = self.store.get("body", brief.body) is not None
        there &= not brief.evidence or self.store.get("evidence", brief.evidence) is not None
        orders = (self.store.get("order", order.key) for order in brief.orders)
        return there and all(data is not None for data in (*figures, *orders))

    def _read(self, name: str) -> bytes:
        if name not in self.digests:  # it has come since
            raise changed(name)
        return read_as_scanned(self.root / name, name, self.digests[name])

    def _kept(self, job: Job, written: WrittenPost, tell: Tell) -> PostSummary:
        for name, found_there in written.files.items():
            if self.digests.get(name) != found_there:
                raise changed(name)
        found = self.named(job, written.reads)
        brief = read_brief(written.brief)
        for key, data in written.figures.items():
            self.store.put("figure", key, data)
        for key, data in written.orders.items():
            self.store.put("order", key, data)
        self.store.put("body", brief.body, written.body)
        if written.evidence:
            self.store.put("evidence", brief.evidence, written.evidence)
        self.store.put("text", self._key(job.post, found), written.brief)
        if not _reads_nothing(job):
            earlier = [reads for reads in self._traces(job) if reads != list(written.reads)]
            traces = [list(written.reads), *earlier][:_MOST_TRACES]
            self.store.put("reads", self._fixed(job.post), json.dumps(traces).encode())
        tell(job.post, True, found)
        return brief

    def _traces(self, job: Job) -> list[list[str]]:
        """What earlier texts of this very file read, each time."""
        if _reads_nothing(job):
            return [[]]
        data = self.store.get("reads", self._fixed(job.post))
        traces: list[list[str]] = json.loads(data) if data else []
        return traces

    def _fixed(self, post: Post) -> str:
        return digest(self.codes.writing.key, post.source, self.digests[post.source])

    def _key(self, post: Post, reads: Mapping[str, str]) -> str:
        return digest(self._fixed(post), sorted(reads.items()))

    def _written(self, jobs: Sequence[Job]) -> Iterable[tuple[Job, WrittenPost | list[SiteError]]]:
        if len(jobs) <= _FEW:
            return [(job, write_or_faults(self.root, job)) for job in jobs]
        return self._by_workers(jobs)

    def _by_workers(self, jobs: Sequence[Job]) -> Iterable[tuple[Job, WrittenPost | list[SiteError]]]:
        from site_builder.build.steps import worker_tasks

        self.workers.expect(NEEDED)
        batches = [jobs[start : start + _BATCH] for start in range(0, len(jobs), _BATCH)]
        limits = self.limits.model_copy(update={"time": self.limits.time * _BATCH})
        asked: deque[Future[Any]] = deque()
        for place, batch in enumerate(batches):
            for next_batch in batches[place + len(asked) : place + _AHEAD]:  # few at a time: they lie in memory
                asked.append(self.workers.submit(worker_tasks.write, next_batch, limits=limits))
            answer = asked.popleft().result()
            if isinstance(answer, Failure):  # one of them, and nobody knows which: one by one it is told
                yield from ((job, write_or_faults(self.root, job)) for job in batch)
            else:
                yield from zip(batch, answer, strict=True)


def _reads_nothing(job: Job) -> bool:
    """Whether the post has no way to read results or code."""
    return not job.runs and not has_jinja(job.post.body)


class _Inputs:
    """Names for what a post may read, each found when it is asked for."""

    def __init__(self, root: Path, job: Job, read: Callable[[str], bytes]) -> None:
        self._root = root
        self._job = job
        self._read = read

    def __getitem__(self, name: str) -> str:
        if name.startswith("source "):
            from site_builder.posts.source_listing import listing_digest

            solver, _, shown = name.removeprefix("source ").partition(".")
            return listing_digest(self._root, solver, shown, self._read)
        if not hasattr(self, "_results"):
            from site_builder.solving.results import ResultDigests

            assert self._job.answers is not None
            self._results = ResultDigests(self._job.runs, self._job.answers)
        return self._results[name]
