"""The log of a build: the tasks that ran, for --explain, and records of the inputs of all tasks.

The reason why a task ran is the difference between its inputs at the last build and now, in words for authors.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from site_builder.errors import counted
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import Post
from site_builder.site.model import Page
from site_builder.solving.code.code_keys import CodeKeys
from site_builder.storage.store import Store

if TYPE_CHECKING:
    from site_builder.pipeline.steps.results import RunPart
    from site_builder.solving.plan import PlannedRun

_FILE_READ = "data file "  # before the path of one that a solver has read, which is known only afterwards
_PARAMETER = "parameter "
_CODE_INPUTS = ("code of ", "statements of ", "import of ", "docstrings of ")  # beginnings of names
_MOST_REASONS = 4
_FAMILY = "inputs of tasks"
_FIRST = "for the first time"
_LOST = "it is no longer in the cache"


Inputs = Mapping[str, str | list[str]]
"""The inputs of a task, by names for authors: digests and values; a list has those of a sweep."""


class BuildLog:
    """The log of the build so far. texts, solves, figures: the number of each that was computed.

    explain: whether to report the tasks that ran. reports: these with the reasons, as lines for each post and for the
    site, which is the subject "". text_inputs: of each post whose text was requested, the inputs of that text.
    """

    def __init__(self, store: Store, codes: CodeKeys, explain: bool) -> None:
        self.texts = self.solves = self.figures = 0
        self.reports: dict[str, list[str]] = {}
        self.text_inputs: dict[str, Mapping[str, str]] = {}
        self._store = store
        self._codes = codes
        self._explain = explain

    def add(self, subject: str, task: str, words: str) -> None:
        """Report that a task ran."""
        if self._explain:
            self.reports.setdefault(subject, []).append(f"{task}: {words}")

    def result(self, part: "RunPart") -> None:
        """A part of a run is in the cache, or has to be computed for some of its solves."""
        ran, of, task = len(part.missing), len(part.solves), f"{part.task} {part.run.name}"
        self.solves += ran if part.task == "solve" else 0
        if ran and self._explain:
            done = "run" if of == 1 else f"{ran} of {counted(of, 'point')} run"
            now, otherwise = self._run_inputs(part.run)[task], _LOST if part.task == "solve" else "its result changed"
            self._report(part.run.post, task, done, now, otherwise)

    def text(self, post: Post, ran: bool, inputs: Mapping[str, str]) -> None:
        """A text was written, or was in the cache."""
        self.text_inputs[post.source] = inputs
        if ran:
            self.texts += 1
            self._report(post.source, "text", "written", inputs)

    def drawing(self, post: PostSummary, figure: str) -> None:
        """A figure of a post has to be rendered."""
        self.figures += 1
        name = next(name for each, name in post.figures if each == figure)
        self._report(post.source, f"drawing {name}", "drawn", self._drawing(figure))

    def page(self, source: str, page: Page, before: Mapping[str, str] | None) -> None:
        """A page was rendered by a template. before: its inputs at the last build."""
        why = self.difference(before, page.inputs()) or "its file was gone or altered"
        self.add(source, f"page {page.path}", f"rendered, {why}")

    def _report(self, subject: str, task: str, done: str, now: Inputs, otherwise: str = _LOST) -> None:
        """Report on a task that ran. done: the verb for it; otherwise: the reason where no input differs."""
        if self._explain:
            why = self.difference(self.recorded(subject).get(task), now) or otherwise
            self.add(subject, task, f"{done}, {why}")

    def difference(self, before: Inputs | None, now: Inputs) -> str:
        """The differences of the inputs of a task from the recorded ones in words; empty where there are none."""
        return _FIRST if before is None else _joined(_changes(before, now))

    # Records of tasks

    def recorded(self, subject: str) -> dict[str, Inputs]:
        """The inputs of the tasks of a subject at the last build, by task."""
        data = self._store.document(_FAMILY, subject)
        try:
            return {task: dict(inputs) for task, inputs in json.loads(data or b"{}").items()}
        except (ValueError, TypeError, AttributeError):  # another version of the builder wrote it
            return {}

    def inputs_of(self, runs: "Iterable[PlannedRun]") -> dict[str, Inputs]:
        """The inputs of the tasks of runs, by task."""
        return {task: inputs for run in runs for task, inputs in self._run_inputs(run).items()}

    def _run_inputs(self, run: "PlannedRun") -> dict[str, Inputs]:
        """The inputs of the tasks of a run, by task."""
        codes = self._codes
        solver = {"solver": run.solver}
        solver |= {f"{_FILE_READ}{name}": each for name, each in codes.reads.digests(run.solver).items()}
        parameters = {
            f"{_PARAMETER}{name}": [str(each) for each in run.axes[name]] if name in run.axes else str(value)
            for name, value in run.parameters.items()
        }
        solving, checking = codes.of(run.solver).solving.inputs, codes.of(run.solver).checking.inputs
        own: Inputs = {**solver, **parameters}
        if run.keep:
            return {f"solve {run.name}": {**own, "keep": f"[{', '.join(run.keep)}]", **checking, **solving}}
        figures = {f"figures {run.name}": {**own, **codes.of(run.solver).showing.inputs}} if run.figures else {}
        return {f"solve {run.name}": {**own, **solving}, **figures, f"checks {run.name}": {**own, **checking}}

    def _drawing(self, figure: str) -> Inputs:
        return {"its figure": figure, "the builder": self._codes.builder}

    def store(self, posts: Iterable[PostSummary], runs: "Mapping[str, Sequence[PlannedRun]]") -> None:
        """Store the inputs of the tasks of posts whose texts were requested."""
        documents = {}
        for post in posts:
            tasks = self.inputs_of(runs.get(post.source, ()))
            tasks |= {"text": self.text_inputs[post.source]}
            tasks |= {f"drawing {name}": self._drawing(key) for key, name in post.figures}
            documents[post.source] = json.dumps(tasks, default=dict).encode()
        if documents:
            self._store.set_documents(_FAMILY, documents)


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The differences between two lists of inputs, in words."""
    if before.get("solver") != now.get("solver"):
        return [_change("solver", before.get("solver"), now.get("solver"))]
    names = [*now, *(name for name in before if name not in now)]
    found = [_change(name, before.get(name), now.get(name)) for name in names if before.get(name) != now.get(name)]
    return [words for words in found if words]


def _change(name: str, before: Any, now: Any) -> str:
    """One change in words; empty for one that is no reason to run. Lists are the values of sweeps."""
    plain = name.removeprefix(_PARAMETER)
    if name.startswith(_FILE_READ) and not (before and now):
        return ""
    if list in (type(before), type(now)):
        return f"the values of {plain} changed"
    if before is None or now is None:
        is_code = name.startswith(_CODE_INPUTS)
        return f"{plain} is {('now' if now else 'no longer') + ' used' if is_code else 'new' if now else 'gone'}"
    return f"{plain} changed {before} -> {now}" if _has_value(plain) and "/" not in name else f"{plain} changed"


def _has_value(name: str) -> bool:
    """True for inputs whose value is no digest."""
    return " " not in name or (name.startswith("library ") and "(" not in name)


def _joined(found: Sequence[str]) -> str:
    """Join reasons into one phrase: at most four, then "and N more"."""
    shown = list(dict.fromkeys(found))
    more = len(shown) - _MOST_REASONS
    return ", ".join(shown[:_MOST_REASONS]) + (f" and {more} more" if more > 0 else "")
