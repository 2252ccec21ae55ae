"""The log of a build, task by task: counts, the reports of --explain, and records of the inputs of the tasks."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from site_builder.pipeline.known_posts import KnownPosts
from site_builder.pipeline.reasons import FILE_READ, TaskReport, changes, joined
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Post
from site_builder.site.page import Page
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.storage.store import Store
from site_builder.values.digest import digest

if TYPE_CHECKING:
    from site_builder.pipeline.steps.results import RunPart
    from site_builder.pipeline.steps.share_cards import WantedCard
    from site_builder.solving.plan import PlannedRun

CARD_TASK = "share card"
_FAMILY, _CODE = "tasks", "code of tasks"
_FIRST = "for the first time"
_LOST = "it is no longer in the cache"


class TaskInputs(NamedTuple):
    """The inputs of a task, by names for authors. own: digests and values; a list has those of a sweep.

    code: digests of the code of its solver.
    """

    own: Mapping[str, str | list[str]]
    code: Mapping[str, str] = MappingProxyType({})


class BuildLog:
    """The log of the build so far. texts, solves, figures: the number of each that was computed.

    explain: whether to report on every task. reports: what was reported. text_inputs: for each post whose text was
    requested, the inputs of that text.
    """

    def __init__(self, store: Store, codes: CodeKeys, known_posts: KnownPosts, explain: bool) -> None:
        self.texts = self.solves = self.figures = 0
        self.reports: list[TaskReport] = []
        self.text_inputs: dict[str, Mapping[str, str]] = {}
        self._store = store
        self._codes = codes
        self._known_posts = known_posts
        self._explain = explain
        self._made: dict[str, dict[str, TaskInputs]] = {}  # by subject and task

    def add(self, subject: str, task: str, ran: bool | None, words: str) -> None:
        """Report on a task."""
        if self._explain:
            self.reports.append(TaskReport(subject, task, ran, words))

    def unchanged(self, posts: Iterable[PostSummary]) -> None:
        """These posts come from the cache as they are."""
        for post in posts if self._explain else ():
            for task, inputs in self.recorded(post.source).items() if post.solvers else ():
                if task.startswith(("solve ", "figures ", "checks ")):
                    points = prod(len(each) for each in inputs.own.values() if isinstance(each, list))
                    self.add(post.source, task, False, _points(points))
            self.add(post.source, "text", False, "reused")

    def result(self, part: "RunPart") -> None:
        """A part of a run is in the cache, or has to be computed for some of its solves."""
        ran, of = len(part.missing), part.of
        if part.task == "solve":
            self.solves += ran
        if self._explain:
            now = self.run_inputs(part.run)[f"{part.task} {part.run.name}"]
            some = f"all {of} points run" if ran == of else f"{of - ran} of {of} points reused, {ran} run"
            done = "" if not ran else "run" if of == 1 else some
            otherwise = _LOST if part.task == "solve" else "its result changed"
            self._report(part.run.post, f"{part.task} {part.run.name}", done, now, _points(of), otherwise)

    def text(self, post: Post, ran: bool, inputs: Mapping[str, str]) -> None:
        """A text was written, or was in the cache."""
        self.texts += ran
        self.text_inputs[post.source] = inputs
        self._report(post.source, "text", "written" if ran else "", TaskInputs(inputs))

    def drawing(self, post: PostSummary, figure: str, ran: bool) -> None:
        """A figure of a post has to be rendered, or is in the cache."""
        self.figures += ran
        name = next(name for each, name in post.figures if each == figure)
        self._report(post.source, f"drawing {name}", "drawn" if ran else "", self._drawing(figure))

    def cards(
        self,
        wanted: Sequence["WantedCard"],
        missing: Sequence["WantedCard"],
        inputs: Callable[["WantedCard"], Mapping[str, str]],
    ) -> None:
        """These share cards are wanted, and those of them have to be drawn. inputs: what a card is made from."""
        drawn = {card.key for card in missing}
        for card in wanted:
            ran = card.key in drawn
            if ran or card.owner in self.text_inputs:
                made = self._made.setdefault(card.owner, {})[CARD_TASK] = TaskInputs(inputs(card))
                self._report(card.owner, CARD_TASK, "drawn" if ran else "", made)
            else:
                self.add(card.owner, CARD_TASK, False, "reused")

    def search_index(self, before: Mapping[str, str], now: Mapping[str, str], ran: bool) -> None:
        """The search index was made from pages, or stands as the last build left it.

        before, now: the digests of posts and pages, by path.
        """
        changed = [f"{path} changed" for path in sorted(before.keys() | now) if before.get(path) != now.get(path)]
        why = _FIRST if not before else joined(changed) or "other pages or its own files changed"
        self.add("", "search index", ran, f"made, {why}" if ran else "reused")

    def file(self, source: str, name: str, ran: bool) -> None:
        """A file of an extension has to be checked, or was found right before."""
        self.add(source, f"file {name}", ran, "checked, as something in it is new" if ran else "reused")

    def page(self, source: str, page: Page, before: Mapping[str, str] | None, ran: bool) -> None:
        """A page that a template makes was rendered, or stands as the last build left it. before: its inputs then."""
        if not ran:
            why = "reused"
        elif before is None:
            why = f"rendered, {_FIRST}"
        else:
            changed = [f"{name} changed" for name, each in page.inputs.items() if before.get(name) != each]
            why = f"rendered, {joined(changed) or 'its file was gone or altered'}"
        self.add(source, f"page {page.path}", ran, why)

    def _report(
        self, subject: str, task: str, done: str, now: TaskInputs, reused: str = "reused", otherwise: str = _LOST
    ) -> None:
        """Report on a task. done: the verb for it where it ran, else empty; otherwise: the reason without a change."""
        if not self._explain or not done:
            self.add(subject, task, False, reused)
            return
        before = self.recorded(subject).get(task)
        why = _FIRST if before is None else joined(_difference(before, now)) or otherwise
        self.add(subject, task, True, f"{done}, {why}")

    # Records of tasks

    def recorded(self, subject: str) -> dict[str, TaskInputs]:
        """The inputs of the tasks of a subject at the last build, by task."""
        data = self._store.document(_FAMILY, subject)
        try:
            rows = json.loads(data) if data else {}
            return {task: TaskInputs(own, self._recorded_code(code)) for task, (own, code) in rows.items()}
        except (ValueError, TypeError, AttributeError):  # another version of the builder wrote it
            return {}

    def _recorded_code(self, key: str) -> dict[str, str]:
        data = self._store.get(_CODE, key) if key else None
        return json.loads(data) if data else {}

    def run_inputs(self, run: "PlannedRun") -> dict[str, TaskInputs]:
        """The inputs of the tasks of a run, by task."""
        codes = self._codes
        solver = {"solver": run.solver}
        solver |= {f"{FILE_READ}{name}": each for name, each in codes.reads.digests(run.solver).items()}
        parameters = {
            f"parameter {name}": [str(each) for each in run.axes[name]] if name in run.axes else str(value)
            for name, value in run.parameters.items()
        }
        solving, checking = codes.solving(run.solver).inputs, codes.checking(run.solver).inputs
        own = solver | parameters | {"keep": f"[{', '.join(run.keep)}]"}
        if run.keep:
            return {f"solve {run.name}": TaskInputs(own, {**checking, **solving})}
        return {
            f"solve {run.name}": TaskInputs(own, solving),
            f"figures {run.name}": TaskInputs(solver | parameters, codes.showing(run.solver).inputs),
            f"checks {run.name}": TaskInputs(solver | parameters, checking),
        }

    def _drawing(self, figure: str) -> TaskInputs:
        language = self._known_posts.sources.config.settings.language
        return TaskInputs({"its figure": figure, "language": language, "the builder": self._codes.builder})

    def store(
        self,
        posts: Iterable[PostSummary],
        runs: "Mapping[str, Sequence[PlannedRun]]",
        pending: Collection[str] = (),
    ) -> None:
        """Store what the next build has to know of those of these posts whose texts were requested.

        pending: sources of posts that something is still missing of; they count as not built.
        """
        fresh = {post.source: post for post in posts if post.source in self.text_inputs and post.source not in pending}
        for source, post in fresh.items():
            made = self._made.setdefault(source, {})
            for run in runs.get(source, ()):
                made |= self.run_inputs(run)
            made |= {"text": TaskInputs(self.text_inputs[source])}
            made |= {f"drawing {name}": self._drawing(key) for key, name in post.figures}
        documents = {}
        for subject, tasks in self._made.items():
            last = self.recorded(subject)
            kept = {task: last[task] for task in last if subject not in fresh or task == CARD_TASK}
            rows = {task: (each.own, self._store_code(each.code)) for task, each in {**kept, **tasks}.items()}
            documents[subject] = json.dumps(rows).encode()
        if documents:
            self._store.set_documents(_FAMILY, documents)
        self._known_posts.store_all(fresh.values())

    def _store_code(self, code: Mapping[str, str]) -> str:
        """The key under which the inputs of code are stored, once for all tasks of a solver."""
        if not code:
            return ""
        key = digest(sorted(code.items()))
        if self._store.get(_CODE, key) is None:
            self._store.put(_CODE, key, json.dumps(dict(code)).encode())
        return key


def _difference(before: TaskInputs, now: TaskInputs) -> list[str]:
    """The reasons why a task with inputs that were recorded has to run now."""
    found = changes(before.own, now.own)
    is_same_solver = before.own.get("solver") == now.own.get("solver")
    return found + (changes(before.code, now.code) if is_same_solver and before.code else [])


def _points(count: int) -> str:
    return "reused" if count == 1 else f"all {count} points reused"
