"""Step: posts that readers can turn -> their texts at each setting, as a build with `--set` would write them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from shlex import quote
from typing import NamedTuple

from site_builder.errors import COMMAND_LINE, SiteError, UsageError, collecting, errors_of, raise_all
from site_builder.pipeline.steps.context import StepContext
from site_builder.pipeline.steps.descriptions import Descriptions
from site_builder.pipeline.steps.results import SolveRuns, count_solves
from site_builder.pipeline.steps.texts import Texts
from site_builder.posts.evidence import Evidence
from site_builder.posts.gather_evidence import as_written
from site_builder.posts.job import Job, OwnText
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config
from site_builder.project.front_matter import TurnSetting
from site_builder.project.posts import Post
from site_builder.site.model import Turn
from site_builder.solving.plan import PlannedRun, Requests, Results, Setting, plan_runs, requests_of
from site_builder.values.json_records import from_json

Runs = Mapping[str, Sequence[PlannedRun]]


class _PostAtSetting(NamedTuple):
    """A post at one of its settings, with what that requests of solvers, and its runs there once they are planned.

    settings: each --set for which it stands, and those given.
    """

    post: Post
    setting: TurnSetting
    requests: Requests
    settings: Sequence[Setting]
    runs: Sequence[PlannedRun] = ()


@dataclass(frozen=True)
class Turns:
    """The step that writes posts at the settings of their `turn:`.

    settings: each --set of the command line; solvers: the names that exist; jobs: of posts with their runs and results.
    """

    context: StepContext
    config: Config
    settings: Sequence[Setting]
    solvers: Sequence[str]
    descriptions: Descriptions
    texts: Texts
    jobs: Callable[[Sequence[Post], Runs, Results | None], dict[str, Job]]

    def run(
        self, posts: Sequence[Post], runs: Runs, key: str = "", summaries: Iterable[PostSummary] = ()
    ) -> dict[str, tuple[Turn, ...]]:
        """All settings of these posts, by source, the published one among them; their texts are then in the cache.

        runs: of the posts as they are published; key: of the only setting that is wanted; summaries: of posts as they
        have just been written. Raises SiteError, or a group of them, at the lines of the posts.
        """
        posts = [post for post in posts if post.front.turn and not post.is_page]
        if not posts:
            return {}
        planned = self._planned(posts, key)
        other = [each for each in planned if _solves(each.runs) != _solves(runs[each.post.source])]
        every = [solved for each in other for run in each.runs for solved in run.solved]
        if other:
            self.context.report.stage("Turning", count_solves(every) + len(other))
        solving = SolveRuns(self.context, lambda _: None, has_png=False)
        sources = {post.source for post in posts}
        own = {each.source: self._own_text(each, runs[each.source]) for each in summaries if each.source in sources}
        written = self._written(other, solving.run(solving.plan(every)) if every else None, own)
        return {post.source: _settings(post, runs[post.source], planned, written) for post in posts}

    def errors(self, posts: Iterable[Post]) -> list[SiteError]:
        """The errors in the settings of posts that are known before anything is solved."""
        errors: list[SiteError] = []
        with collecting(errors):
            self._planned([post for post in posts if post.front.turn and not post.is_page], "")
        return errors

    def _own_text(self, post: PostSummary, runs: Sequence[PlannedRun]) -> OwnText | None:
        """What was found in a post that was written at its own parameters; None for others."""
        is_own = post.evidence and not any(run.own for run in runs)
        data = self.context.store.get("evidence", post.evidence) if is_own else None
        typed = tuple(each for each in post.findings if each.is_typed)
        return OwnText(from_json(Evidence, data).claims, typed) if data else None

    def _written(
        self,
        turned: Sequence[_PostAtSetting],
        results: Results | None,
        own: Mapping[str, OwnText | None],
    ) -> dict[tuple[str, str], PostSummary]:
        """The summaries of posts at settings, by source and key of the setting. own: see `Job`, by source."""
        written: dict[tuple[str, str], PostSummary] = {}
        errors: list[SiteError] = []
        for key in dict.fromkeys(each.setting.key for each in turned):
            at_key = {each.post.source: each for each in turned if each.setting.key == key}
            runs = {source: [*each.runs] for source, each in at_key.items()}
            made = self.jobs([each.post for each in at_key.values()], runs, results)
            jobs = {source: replace(job, own_text=own.get(source), is_setting=True) for source, job in made.items()}
            texts = self.texts.plan(jobs)
            self.context.progress(len(texts.cached))
            ran = self.texts.run(texts.missing, jobs)
            errors += [_turned_error(at_key[each.place.path], each) for each in ran.errors]
            written |= {(source, key): text.summary for source, text in (texts.cached | ran.found).items()}
        raise_all(errors)
        return written

    def _planned(self, posts: Sequence[Post], key: str) -> list[_PostAtSetting]:
        """The settings with their runs. Raises SiteError for each that cannot be planned."""
        planned, errors = list[_PostAtSetting](), list[SiteError]()
        requested = [each for post in posts for each in self._requested(post, key, errors)]
        plan = self.descriptions.plan([each for one in requested for each in one.requests.questions])
        places = {solver: place for one in requested for solver, place in one.requests.places.items()}
        described = plan.cached | self.descriptions.run(plan.missing, places).checked()
        for one in requested:
            with collecting(errors), _at_the_setting(one.post):
                answers = {each: described[each] for each in one.requests.questions}
                runs = plan_runs(one.requests, answers, self.config, one.settings)
                planned.append(one._replace(runs=runs[one.post.source]))
        raise_all(errors)
        return planned

    def _requested(self, post: Post, key: str, errors: list[SiteError]) -> Iterator[_PostAtSetting]:
        """The settings of a post with what they request of solvers. errors: gets one for each that changes nothing."""
        own = {run.solver for run in post.runs.values() if not run.fixed}
        for setting in (each for each in post.front.turn if key in ("", each.key)):
            names = [(name.partition("."), value) for name, value in setting.values.items()]
            found = [Setting(solver, name, value) for (solver, _, name), value in names]
            if missing := [each.solver for each in found if each.solver not in own]:
                message = f"the setting {setting.label} changes nothing: no run of {missing[0]} can be turned"
                cure = "name the solver of a run that is not fixed: true"
                errors.append(SiteError(post.reading.place("turn"), message, cure))
                continue
            settings = [each for each in self.settings if each.solver in own] + found
            requests = requests_of([post], self.config, settings, self.solvers)
            yield _PostAtSetting(post, setting, replace(requests, mentioned=()), settings)


@contextmanager
def _at_the_setting(post: Post) -> Iterator[None]:
    """Raise the errors of runs at a setting as those of `turn:`, but for those in the post itself."""
    place = post.reading.place("turn")
    try:
        yield
    except UsageError as error:
        raise SiteError(place, error.message.removeprefix(f"{COMMAND_LINE} "), error.cure) from error
    except (SiteError, ExceptionGroup) as error:
        raise_all(
            [
                each.copy(
                    None if each.place.path == post.source else place, each.message.replace(COMMAND_LINE, "turn:")
                )
                for each in errors_of(error)
            ]
        )


def late_settings(post: Post, runs: Sequence[PlannedRun]) -> tuple[Turn, ...]:
    """The settings of a post, the published one among them, none of which is made yet."""
    used = {
        f"{run.solver}.{name}": as_written(value)
        for run in runs
        if not run.pinned
        for name, value in run.parameters.items()
    }

    def is_late(setting: TurnSetting) -> bool:
        return any(used.get(name) != as_written(value) for name, value in setting.values.items())

    found = [Turn(each.key, each.label, None, is_late(each)) for each in post.front.turn]
    return _with_published(found, post.front.turn, runs)


def _solves(runs: Sequence[PlannedRun]) -> list[list[str]]:
    return [[solve.key for solve in run.solves] for run in runs]


def _turned_error(turned: _PostAtSetting, error: SiteError) -> SiteError:
    options = " ".join(f"--set {quote(f'{name}={as_written(value)}')}" for name, value in turned.setting.values.items())
    cure = f"a build with {options} shows only this; write what fails there in {{% if %}}, or leave the setting out"
    return error.copy(
        message=f"turned to {turned.setting.label}: {error.message}", cure="\n".join(filter(None, [cure, error.cure]))
    )


def _settings(
    post: Post,
    runs: Sequence[PlannedRun],
    planned: Sequence[_PostAtSetting],
    written: Mapping[tuple[str, str], PostSummary],
) -> tuple[Turn, ...]:
    """The settings of a post in their order; the published one first where it is none of them."""
    own = [each.setting for each in planned if each.post.source == post.source]
    found = [Turn(each.key, each.label, written.get((post.source, each.key))) for each in own]
    return _with_published(found, own, runs)


def _with_published(found: Sequence[Turn], own: Sequence[TurnSetting], runs: Sequence[PlannedRun]) -> tuple[Turn, ...]:
    """The settings, before them the published one where it is none of them.

    Its label is the value of the only parameter that is turned.
    """
    if any(each.summary is None and not each.is_late for each in found):
        return tuple(found)
    names = {name for setting in own for name in setting.values}
    solver, _, parameter = next(iter(names)).partition(".")
    values = [run.parameters[parameter] for run in runs if run.solver == solver and not run.pinned]
    label = as_written(values[0]) if len(names) == 1 and values else "as published"
    return Turn("", label, None), *found
