"""Step: posts -> their texts. A text is written anew when something that it read has changed."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from site_builder.errors import SiteError, changed, collecting
from site_builder.pipeline.steps.context import StepContext, StepPlan, StepResult, Task
from site_builder.posts.evidence import read_result_texts
from site_builder.posts.jinja import has_jinja
from site_builder.posts.summary import PostSummary, read_summary
from site_builder.posts.write import Job, WrittenPost, write_text
from site_builder.solving.failure import Failure
from site_builder.storage.file_fingerprints import read_as_scanned
from site_builder.values.digest import bytes_digest, digest

_FEW = 8  # texts that are written sooner than workers are started
_BATCH = 16
_AHEAD = 12  # batches
_MOST_TRACES = 8
MODULES_TO_WRITE = (  # modules that every process loads which writes texts
    *(f"site_builder.{name}" for name in ("markup.notes_and_folds", "markup.triggered_markdown", "posts.write")),
    *("site_builder.pipeline.steps.worker_tasks", "jinja2.ext"),
    *(f"markdown.extensions.{name}" for name in ("abbr", "admonition", "def_list", "footnotes", "md_in_html")),
    *(f"markdown.extensions.{name}" for name in ("sane_lists", "smarty", "tables", "toc")),
    *(f"pymdownx.{name}" for name in ("details", "highlight", "saneheaders", "superfences")),
    *("pygments.lexers.python", "pygments.styles.default"),
)


@dataclass(frozen=True)
class PostText:
    """A text that is in the cache. reads: digests of what it read of results and code, by name."""

    summary: PostSummary
    reads: Mapping[str, str]


@dataclass(frozen=True)
class Texts:
    """The step that writes posts. Its items are the sources of posts."""

    context: StepContext

    def plan(self, jobs: Mapping[str, Job]) -> StepPlan[str, PostText]:
        """Which texts the cache holds. One that reads a run without a result counts as missing."""
        if self.context.store.is_new:
            return StepPlan(missing=list(jobs))
        plan: StepPlan[str, PostText] = StepPlan()
        for source, job in jobs.items():
            found = self._cached(job)
            if found is None:
                plan.missing.append(source)
            else:
                plan.cached[source] = found
        return plan

    def run(self, missing: Iterable[str], jobs: Mapping[str, Job]) -> StepResult[str, PostText]:
        """Write these posts."""
        found: dict[str, PostText] = {}
        waiting = [self._with_result_texts(jobs[source]) for source in missing]
        errors: list[SiteError] = []

        def keep(batch: Sequence[Job], written: Iterable[WrittenPost | list[SiteError]]) -> None:
            for job, each in zip(batch, written, strict=True):
                with collecting(errors):
                    if isinstance(each, WrittenPost):
                        found[job.post.source] = self._store(job, each)
                    else:
                        errors.extend(each)

        if len(waiting) > _FEW:
            return StepResult(found, self.context.compute(self._tasks(waiting, keep), most=_AHEAD) + errors)
        keep(waiting, [write_text(self.context.root, job, self.context.limits) for job in waiting])
        self.context.progress(len(waiting))
        return StepResult(found, errors)

    def may_be_cached(self, job: Job) -> bool:
        """Whether the text may turn out to be in the cache once all its runs have results."""
        return any(len(self.digests_of(job, reads)) < len(reads) for reads in self._traces(job))

    def digests_of(self, job: Job, reads: Iterable[str]) -> dict[str, str]:
        """Digests of what a text reads, by name, without what belongs to runs that have no result."""
        unanswered, found, results = job.unanswered, dict[str, str](), None
        for name in reads:
            run, _, shown = name.removeprefix("source ").partition(".")
            if name.startswith("source "):
                from site_builder.posts.source_listing import listing_digest

                found[name] = listing_digest(self.context.root, run, shown, self._read)
            elif run not in unanswered:
                from site_builder.solving.results import ResultDigests

                assert job.answers is not None
                results = results or ResultDigests(job.runs, job.answers, self._result_digests)
                found[name] = results[name]
        return found

    def _result_digests(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What the cache holds of the digests of a result, or what `make` gives, which is then stored."""
        key = digest(self.context.codes.builder("writing").key, key)
        data = self.context.store.get("result digests", key)
        if data is None:
            data = make()
            self.context.store.put("result digests", key, data)
        return data

    def _cached(self, job: Job) -> PostText | None:
        for reads in self._traces(job):
            found = self.digests_of(job, reads)
            if len(found) < len(reads):
                continue
            data = self.context.store.get("text", self._key(job, found))
            if data is not None:
                try:
                    summary = read_summary(data)
                except ValueError:  # another version of the builder wrote it
                    continue
                if not self.context.verify or self._is_whole(summary):
                    return PostText(summary, found)
        return None

    def _with_result_texts(self, job: Job) -> Job:
        """The job with what the cache holds of the texts of its results."""
        keys = self._result_text_keys(job)
        found = self.context.look_up(
            "result texts", keys, keys.__getitem__, lambda data: data if read_result_texts(data) else None
        )
        return replace(job, result_texts=found.cached)

    def _result_text_keys(self, job: Job) -> dict[str, str]:
        """Keys by run, for runs of one solve: those of sweeps are quick to write."""
        results = job.answers.results if job.answers else {}
        writing = self.context.codes.builder("writing").key
        return {
            run.name: digest(writing, bytes_digest(results[run.solves[0].key]))
            for run in job.runs
            if not run.keep and run.solves[0].key in results
        }

    def _is_whole(self, summary: PostSummary) -> bool:
        wanted = [("figure", key) for key, _ in summary.figures] + [("order", each.key) for each in summary.orders]
        wanted += [("body", summary.body), *([("evidence", summary.evidence)] if summary.evidence else [])]
        return all(self.context.has(kind, key) for kind, key in wanted)

    def _read(self, name: str) -> bytes:
        if name not in self.context.digests:  # created after the scan
            raise changed(name)
        return read_as_scanned(self.context.root / name, name, self.context.digests[name])

    def _store(self, job: Job, written: WrittenPost) -> PostText:
        for name, content in written.files.items():
            if self.context.digests.get(name) != content:
                raise changed(name)
        reads = self.digests_of(job, written.reads)
        summary, put = read_summary(written.summary), self.context.store.put
        for key, data in written.figures.items():
            put("figure", key, data)
        for key, data in written.orders.items():
            put("order", key, data)
        put("body", summary.body, written.body)
        if written.evidence:
            put("evidence", summary.evidence, written.evidence)
        put("text", self._key(job, reads), written.summary)
        keys = self._result_text_keys(job)
        for run, data in written.result_texts.items():
            if run in keys:
                put("result texts", keys[run], data)
        if not _reads_nothing(job):
            earlier = [trace for trace in self._traces(job) if trace != list(written.reads)]
            traces = [list(written.reads), *earlier][:_MOST_TRACES]
            put("reads", self._file_key(job), json.dumps(traces).encode())
        return PostText(summary, reads)

    def _traces(self, job: Job) -> list[list[str]]:
        """What texts of this very file read in earlier builds."""
        if _reads_nothing(job):
            return [[]]
        data = self.context.store.get("reads", self._file_key(job))
        traces: list[list[str]] = json.loads(data) if data else []
        return traces

    def _file_key(self, job: Job) -> str:
        source = job.post.source
        settings = job.numbers, job.hosts, job.language
        return digest(self.context.codes.builder("writing").key, source, self.context.digests[source], *settings)

    def _key(self, job: Job, reads: Mapping[str, str]) -> str:
        return digest(self._file_key(job), sorted(reads.items()))

    def _tasks(
        self, jobs: Sequence[Job], keep: Callable[[Sequence[Job], Iterable[WrittenPost | list[SiteError]]], None]
    ) -> Iterable[Task]:
        from site_builder.pipeline.steps import worker_tasks

        self.context.workers.expect(MODULES_TO_WRITE)
        own = self.context.limits
        limits = own.model_copy(update={"time": own.text * (_BATCH + 1)})
        for start in range(0, len(jobs), _BATCH):
            batch = jobs[start : start + _BATCH]

            def fail(failure: Failure, batch: Sequence[Job] = batch) -> None:
                # One of the posts is the cause: written one by one in this process, it gives its error.
                keep(batch, [write_text(self.context.root, job, self.context.limits) for job in batch])

            yield Task(worker_tasks.write, (batch, own), limits, partial(keep, batch), fail, len(batch))


def _reads_nothing(job: Job) -> bool:
    """Whether the post has no way to read results or code."""
    return not job.runs and not has_jinja(job.post.body)
