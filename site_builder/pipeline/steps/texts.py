"""Step: posts -> their texts. A text is written anew when one of its inputs has changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from site_builder.errors import SiteError, collecting
from site_builder.markup.markdown import EXTENSIONS
from site_builder.pipeline.steps.context import StepContext, StepPlan, Task
from site_builder.posts.job import Job, WrittenPost
from site_builder.posts.summary import PostSummary
from site_builder.posts.texts.write import write_text
from site_builder.solving.processes.failure import Failure
from site_builder.values.digest import digest
from site_builder.values.json_records import from_json

RESULTS = "results of run "  # before the name of a run, among the inputs of a text
_FEW = 8  # texts that are written sooner than workers are started
_BATCH = 16
_AHEAD = 12  # batches
MODULES_TO_WRITE = (  # modules that every process loads which writes texts
    *(f"site_builder.{name}" for name in ("markup.side_notes", "markup.triggered_markdown", "posts.texts.write")),
    *("site_builder.pipeline.steps.worker_tasks", "jinja2.ext"),
    *EXTENSIONS,
    *("site_builder.markup.block_extensions", "pygments.lexers.python", "pygments.styles.default"),
)


@dataclass(frozen=True)
class Texts:
    """The step that writes posts. Its items are the keys of posts."""

    context: StepContext

    def plan(self, jobs: Mapping[str, Job]) -> StepPlan[str, PostSummary]:
        """Look up texts in the cache. One that reads a run without a result counts as missing."""
        if self.context.store.is_new:
            return StepPlan(missing=list(jobs))
        keys = {key: "" if job.unanswered else _key(self.inputs(job)) for key, job in jobs.items()}
        return self.context.look_up("text", keys, partial(from_json, PostSummary))

    def run(self, plan: StepPlan[str, PostSummary], jobs: Mapping[str, Job]) -> StepPlan[str, PostSummary]:
        """Write the missing posts."""
        waiting = [jobs[key] for key in plan.missing]

        def keep(batch: Sequence[Job], written: Iterable[WrittenPost | list[SiteError]]) -> None:
            for job, each in zip(batch, written, strict=True):
                with collecting(plan.errors):
                    if isinstance(each, WrittenPost):
                        plan.found[job.post.key] = self._store(job, each)
                    else:
                        plan.errors.extend(each)

        if len({job.post.source for job in waiting}) > _FEW:  # one post at many settings shares what is unpacked
            plan.errors.extend(self.context.compute(self._tasks(waiting, keep), most=_AHEAD))
        else:
            keep(waiting, [write_text(self.context.root, job, self.context.limits) for job in waiting])
            self.context.progress(len(waiting))
        return plan

    def inputs(self, job: Job) -> dict[str, str]:
        """The inputs of the text of a post, by names for authors; its runs all have results."""
        context = self.context
        settings = digest(job.hosts)
        found = {
            **context.codes.digests([job.post.source]),
            "allow_hosts in config.yaml": settings,
            "language": digest(job.language),
            "macros": digest(sorted(job.macros.items())),
            **{f"the extension {name}": each for name, each in job.used.items()},
            **{f"code of solver '{name}'": digest(*code) for name, code in job.code.items()},
            "the builder": context.codes.builder,
        }
        if job.runs and job.answers is not None:
            from site_builder.solving.results import run_digest

            found |= {f"{RESULTS}'{run.name}'": run_digest(run, job.answers) for run in job.runs}
        if job.used and job.post.setting:
            found["turn:"] = "a setting"  # has no files of its own that are checked
        return {**found, **job.imports}

    def _store(self, job: Job, written: WrittenPost) -> PostSummary:
        for (kind, key), data in written.entries.items():
            self.context.store.put(kind, key, data)
        self.context.store.put("text", _key(self.inputs(job)), written.summary)
        return from_json(PostSummary, written.summary)

    def _tasks(
        self, jobs: Sequence[Job], keep: Callable[[Sequence[Job], Iterable[WrittenPost | list[SiteError]]], None]
    ) -> Iterable[Task]:
        from site_builder.pipeline.steps.worker_tasks import write
        from site_builder.solving.processes.worker import run_limited

        self.context.workers.expect(MODULES_TO_WRITE)
        own = self.context.limits
        limits = own.model_copy(update={"time": own.text * (_BATCH + 1)})
        for start in range(0, len(jobs), _BATCH):
            batch = jobs[start : start + _BATCH]

            def fail(failure: Failure, batch: Sequence[Job] = batch) -> None:
                # One of the posts is the cause: written one by one in this process, it gives its error.
                keep(batch, [write_text(self.context.root, job, self.context.limits) for job in batch])

            yield Task(run_limited, (write, batch, own), limits, partial(keep, batch), fail, len(batch))


def _key(inputs: Mapping[str, str]) -> str:
    return digest(sorted(inputs.items()))
