"""The runs of posts: planned with the descriptions of their solvers, and solved.

What is wrong in posts, or confirmed by nothing, is shown as soon as it is known.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from site_builder.errors import SiteError, collecting, raise_all
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.steps.context import StepContext
from site_builder.project.config import Config
from site_builder.project.posts import Post

if TYPE_CHECKING:
    from site_builder.pipeline.steps.descriptions import Descriptions
    from site_builder.pipeline.steps.results import RunPart, SolveRuns
    from site_builder.solving.plan import PlannedRun, Question, Requests, Results, Setting, Solve, SolverReply

Runs = Mapping[str, Sequence["PlannedRun"]]
"""The planned runs of posts, by the key of the post."""


@dataclass(eq=False)
class PostRuns:
    """Plans and solves the runs of posts.

    options: of the build; solvers: the names that exist; log: is called with each part of a run once it is known
    whether it is cached.
    """

    context: StepContext
    config: Config
    options: BuildOptions
    solvers: Sequence[str]
    log: "Callable[[RunPart], None]"
    _under_way: "tuple[Runs, Results | None]" = field(default_factory=lambda: ({}, None))

    @cached_property
    def settings(self) -> "tuple[Setting, ...]":
        """The setting of each --set. Raises UsageError for one that has none."""
        if not self.options.settings:
            return ()
        from site_builder.solving.plan import read_setting

        return tuple(read_setting(text) for text in self.options.settings)

    @cached_property
    def descriptions(self) -> "Descriptions":
        """The step that asks solvers for their descriptions."""
        from site_builder.pipeline.steps.descriptions import Descriptions  # with numpy behind it

        return Descriptions(self.context)

    @cached_property
    def solving(self) -> "SolveRuns":
        """The step that runs solvers."""
        from site_builder.pipeline.steps.results import SolveRuns  # with numpy behind it

        return SolveRuns(self.context, self.log)

    def plan(self, posts: Sequence[Post]) -> Runs:
        """The runs of these posts."""
        requests = self.requests(posts)
        if requests is None:
            return {}
        plan = self.descriptions.plan(requests.questions)
        if errors := self.descriptions.run(plan).errors:
            raise_all([*requests.errors, *errors, *_wrong_names(plan.found)])
        return self.plan_described(requests, plan.found)

    def plan_described(self, requests: "Requests", described: "Mapping[Question, SolverReply]") -> Runs:
        """The runs of the posts of these requests, whose questions are all answered."""
        from site_builder.solving.plan import plan_runs

        errors = _wrong_names(described)
        planned: Runs = {}
        with collecting(errors):
            planned = plan_runs(requests, described, self.config, self.settings)
        raise_all(errors)
        return planned

    def requests(self, posts: Sequence[Post]) -> "Requests | None":
        """The requests of these posts, config.yaml and the command line to solvers; None where there are none."""
        posts = [post for post in posts if post.runs or post.setting]
        if not posts and not self.options.settings and not self.config.settings.parameters:
            return None
        from site_builder.solving.plan import requests_of

        return requests_of(posts, self.config, self.settings, self.solvers)

    def solve(self, runs: Runs, posts: Iterable[Post] = ()) -> "Results | None":
        """The results of these runs; None where there are none.

        posts: those of the runs; wrong names in them, and what no check confirms, are shown as soon as known.
        """
        every = solved_runs(runs)
        if not every:
            return None
        from site_builder.pipeline.steps.results import count_solves

        self.context.report.stage("Solving", count_solves(every))
        plan = self.solving.plan(every)
        self._under_way = runs, plan.results
        posts = list(posts)
        planned = [(post, run) for post in posts for run in runs.get(post.source, ())]
        if any(part.missing for part in plan.parts):
            self._note_early(posts, runs)
        note = partial(self._note_solved, planned, plan.results)
        return replace(self.solving, checked=note).run(plan)

    def solve_turned(self, runs: Runs, texts: int) -> "Results":
        """The results of the runs of posts at settings, whose figures need no PNG. texts: how many are then written."""
        from site_builder.pipeline.steps.results import count_solves

        every = solved_runs(runs)
        self.context.report.stage("Turning", count_solves(every) + texts)
        step = replace(self.solving, log=lambda _: None, has_png=False)
        return step.run(step.plan(every))

    def _note_early(self, posts: Collection[Post], runs: Runs) -> None:
        """Show what needs no result; errors stop the build when all others are known."""
        from site_builder.posts.findings import early_errors, early_findings  # with Jinja behind it

        for post in posts:
            planned = runs.get(post.source, ())
            self._note(early_errors(post, planned))
            self._note(each.error(post.source) for each in early_findings(post, planned))
        if self.options.turns and any(post.front.turn for post in posts):
            errors: list[SiteError] = []
            with collecting(errors):
                self.plan([each for post in posts for each in post.at_settings])
            self._note(errors)

    def _note_solved(self, planned: "Sequence[tuple[Post, PlannedRun]]", results: "Results", solve: "Solve") -> None:
        from site_builder.posts.findings import solved_findings

        for post, run in planned:
            if not run.keep and run.solves[0].key == solve.key:
                self._note(each.error(post.source) for each in solved_findings(post, run, results))

    def _note(self, errors: Iterable[SiteError]) -> None:
        for words in map(str, errors):
            if words not in self.context.report.shown_findings:
                self.context.report.note(words)

    def count_solved(self) -> int:
        """The number of posts that have the results of all their runs by now; for a report while solvers run."""
        runs, results = self._under_way
        return sum(results is not None and all(map(results.hold, planned)) for planned in runs.values())


def solved_runs(runs: Runs) -> "list[PlannedRun]":
    """All runs that are solved for posts, those at their own parameters included."""
    return [each for planned in runs.values() for run in planned for each in run.solved]


def _wrong_names(described: "Mapping[Question, SolverReply]") -> list[SiteError]:
    """The errors in the names that functions of these solvers take and answer, each once."""
    from site_builder.pipeline.steps.descriptions import contract_errors

    kinds = {reply.description.name: reply.description for reply in described.values()}
    return [error for each in kinds.values() for error in contract_errors(each)]
