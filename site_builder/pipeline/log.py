"""What a build did, task by task: counts, the reports of --explain, and what the tasks were made from."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from site_builder.pipeline.known_posts import KnownPosts
from site_builder.pipeline.reasons import TaskReport, changes, joined
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Post
from site_builder.site.page import Page
from site_builder.storage.code_fingerprints import CodeKeys, Ingredients
from site_builder.storage.code_graph.reachability import ReachedCode
from site_builder.storage.store import Store

if TYPE_CHECKING:
    from site_builder.pipeline.steps.results import RunPart
    from site_builder.pipeline.steps.share_cards import WantedCard
    from site_builder.solving.plan import PlannedRun

CARD_TASK = "share card"
_FAMILY = "made"
_FIRST = "for the first time"
_LOST = "it is no longer in the cache"


class BuildLog:
    """What has been done so far. texts, solves, figures: how many were computed.

    explain: whether to report on every task. reports: what was reported. reads: for each post whose text was asked for,
    digests of what that reads, by name.
    """

    def __init__(self, store: Store, codes: CodeKeys, known_posts: KnownPosts, explain: bool) -> None:
        self.texts = self.solves = self.figures = 0
        self.reports: list[TaskReport] = []
        self.reads: dict[str, Mapping[str, str]] = {}
        self._store = store
        self._codes = codes
        self._known_posts = known_posts
        self._explain = explain
        self._made: dict[str, dict[str, Ingredients]] = {}  # by subject and task

    def add(self, subject: str, task: str, ran: bool | None, words: str) -> None:
        """Report on a task."""
        if self._explain:
            self.reports.append(TaskReport(subject, task, ran, words))

    def unchanged(self, posts: Iterable[PostSummary]) -> None:
        """These posts come from the cache as they are."""
        for post in posts if self._explain else ():
            for task, (of, _) in self.last_made(post.source).items() if post.solvers else ():
                if task.startswith(("solve ", "figures ", "checks ")):
                    points = prod(len(each) for each in of.values() if isinstance(each, list))
                    self.add(post.source, task, False, _reused(points))
            self.add(post.source, "text", False, "reused")

    def result(self, part: "RunPart") -> None:
        """A part of a run is in the cache, or has to be computed for some of its solves."""
        ran, of = len(part.missing), part.of
        if part.task == "solve":
            self.solves += ran
        if self._explain:
            now = self._run_tasks(part.run)[f"{part.task} {part.run.name}"]
            some = f"all {of} points run" if ran == of else f"{of - ran} of {of} points reused, {ran} run"
            done = "" if not ran else "run" if of == 1 else some
            otherwise = _LOST if part.task == "solve" else "its result changed"
            self._report(part.run.post, f"{part.task} {part.run.name}", done, now, _reused(of), otherwise)

    def text(self, post: Post, ran: bool, reads: Mapping[str, str]) -> None:
        """A text was written, or was in the cache."""
        self.texts += ran
        self.reads[post.source] = reads
        self._report(post.source, "text", "written" if ran else "", self._text(post.source))

    def drawing(self, post: PostSummary, figure: str, ran: bool) -> None:
        """A figure of a post has to be rendered, or is in the cache."""
        self.figures += ran
        name = next(name for each, name in post.figures if each == figure)
        self._report(post.source, f"drawing {name}", "drawn" if ran else "", self._drawing(figure))

    def cards(
        self,
        wanted: Sequence["WantedCard"],
        missing: Sequence["WantedCard"],
        ingredients: Callable[["WantedCard"], Ingredients],
    ) -> None:
        """These share cards are wanted, and those of them have to be drawn. ingredients: what a card is made from."""
        drawn = {card.key for card in missing}
        for card in wanted:
            ran = card.key in drawn
            if ran or card.owner in self.reads:
                made = self._made.setdefault(card.owner, {})[CARD_TASK] = ingredients(card)
                self._report(card.owner, CARD_TASK, "drawn" if ran else "", made)
            else:
                self.add(card.owner, CARD_TASK, False, "reused")

    def index_part(self, number: int, ran: bool, made_from: Callable[[], Mapping[str, str]]) -> None:
        """A part of the search index has to be made, or is in the cache."""
        task = f"search index {number}"
        if ran:
            made = self._made.setdefault("", {})[task] = Ingredients(
                made_from(), {"indexing": self._codes.builder("indexing")}
            )
            self._report("", task, "made", made)
        else:
            self.add("", task, False, "reused")

    def bundle(self, source: str, run: str, ran: bool) -> None:
        """A bundle has to be made and proved, or is in the cache."""
        self.add(source, f"bundle {run}", ran, "made and proved, as something in it is new" if ran else "reused")

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
        self, subject: str, task: str, done: str, now: Ingredients, reused: str = "reused", otherwise: str = _LOST
    ) -> None:
        """Report on a task. done: the verb for it where it ran, else empty; otherwise: the reason without a change."""
        if not self._explain or not done:
            self.add(subject, task, False, reused)
            return
        before = self.last_made(subject).get(task)
        why = _FIRST if before is None else joined(self._changes(*before, now)) or otherwise
        self.add(subject, task, True, f"{done}, {why}")

    def _changes(self, of: Mapping[str, Any], codes: Mapping[str, str], now: Ingredients) -> list[str]:
        found = changes(of, now.of)
        for name, code in now.codes.items() if of.get("solver") == now.of.get("solver") else ():
            found += self._code_changes(codes[name], code) if name in codes else []
        return found

    def _code_changes(self, before: str, now: ReachedCode) -> list[str]:
        if before == now.key:
            return []
        data = self._store.get("ingredients", before)
        return changes(json.loads(data), now.ingredients) if data else ["its code changed"]

    # What tasks are made from

    def last_made(self, subject: str) -> Mapping[str, tuple[Mapping[str, Any], Mapping[str, str]]]:
        """What the tasks of a subject were made from at the last build: digests, and keys of code, each by name."""
        data = self._store.document(_FAMILY, subject)
        try:
            return {task: (of, codes) for task, (of, codes) in json.loads(data).items()} if data else {}
        except (ValueError, TypeError, AttributeError):  # another version of the builder wrote it
            return {}

    def last_reads(self, source: str) -> dict[str, str]:
        """Digests of what the text of a post read of results at the last build, by name."""
        of, _ = self.last_made(source).get("text", ({}, {}))
        return {name.removeprefix("read "): each for name, each in of.items() if name.startswith("read ")}

    def last_drawings(self, source: str) -> dict[str, tuple[str, str]]:
        """The key of each figure that a post showed last, and that of the code that drew it, by name."""
        made = self.last_made(source)
        drawings = {task.removeprefix("drawing "): each for task, each in made.items() if task.startswith("drawing ")}
        return {name: (of["its figure"], codes["drawing"]) for name, (of, codes) in drawings.items()}

    def _run_tasks(self, run: "PlannedRun") -> dict[str, Ingredients]:
        solver, codes = {"solver": run.solver}, self._codes
        parameters = {
            f"parameter {name}": [str(each) for each in run.axes[name]] if name in run.axes else str(value)
            for name, value in run.parameters.items()
        }
        sweep = {"keep": f"[{', '.join(run.keep)}]"}
        solving = {"solve": codes.solving(run.solver)} | ({"checks": codes.checking(run.solver)} if run.keep else {})
        tasks = {"solve": Ingredients(solver | parameters | sweep, solving)}
        if not run.keep:
            tasks["figures"] = Ingredients(solver, {"figures": codes.showing(run.solver)})
            tasks["checks"] = Ingredients(solver | parameters, {"checks": codes.checking(run.solver)})
        return {f"{task} {run.name}": made for task, made in tasks.items()}

    def _text(self, source: str) -> Ingredients:
        reads = {f"read {name}": each for name, each in self.reads[source].items()}
        made_from = {source: self._known_posts.sources.digests[source]} | self._language | reads
        return Ingredients(made_from, {"writing": self._codes.builder("writing")})

    @property
    def _language(self) -> dict[str, str]:
        return {"language": self._known_posts.sources.config.settings.language}

    def _drawing(self, figure: str) -> Ingredients:
        return Ingredients({"its figure": figure} | self._language, {"drawing": self._codes.builder("drawing")})

    def store(
        self,
        posts: Iterable[PostSummary],
        runs: "Mapping[str, Sequence[PlannedRun]]",
        pending: Collection[str] = (),
    ) -> None:
        """Store what the next build has to know of those of these posts whose texts were asked for.

        pending: sources of posts that something is still missing of; they count as not built.
        """
        fresh = {post.source: post for post in posts if post.source in self.reads and post.source not in pending}
        for source, post in fresh.items():
            made = self._made.setdefault(source, {})
            for run in runs.get(source, ()):
                made |= self._run_tasks(run)
            made |= {"text": self._text(source)} | {f"drawing {name}": self._drawing(key) for key, name in post.figures}
        codes: dict[str, ReachedCode] = {}
        documents = {}
        for subject, tasks in self._made.items():
            last = self.last_made(subject)
            plain: dict[str, Any] = {task: last[task] for task in last if subject not in fresh or task == CARD_TASK}
            for task, each in tasks.items():
                codes |= {code.key: code for code in each.codes.values()}
                plain[task] = each.of, {name: code.key for name, code in each.codes.items()}
            documents[subject] = json.dumps(plain).encode()
        for key, code in codes.items():
            if self._store.get("ingredients", key) is None:
                self._store.put("ingredients", key, json.dumps(code.ingredients).encode())
        if documents:
            self._store.set_documents(_FAMILY, documents)
        self._known_posts.store_all(fresh.values())


def _reused(points: int) -> str:
    return "reused" if points == 1 else f"all {points} points reused"
