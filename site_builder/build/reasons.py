"""Why tasks ran: what each was made from at the last build and now, as an author writes it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from site_builder.site.page import Last, Page
from site_builder.storage.code_fingerprints import CodeKeys, Ingredients
from site_builder.storage.code_graph.reachability import ReachedCode
from site_builder.storage.store import Store

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_FAMILY, _MADE = "lineage", "made"
_MOST_REASONS = 4
_FIRST = "for the first time"
_LOST = "what was kept of it is gone"


@dataclass(frozen=True)
class TaskReport:
    """A task of a post, or of the site where `subject` is empty, and why it ran or was reused.

    ran: whether it has to run; None where that depends on tasks that have not run yet.
    """

    subject: str
    task: str
    ran: bool | None
    words: str

    def __str__(self) -> str:
        return f"{self.task}: {self.words}"


def changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What differs between two lists of ingredients, in words."""
    names = sorted({*before, *now}, key=_importance)
    return [_change(name, before.get(name), now.get(name)) for name in names if before.get(name) != now.get(name)]


def _importance(name: str) -> tuple[int, str]:
    """Parameters first, then the author's own files, then libraries, then the builder."""
    if name.startswith("parameter "):
        return 0, name
    if name.startswith(("solvers/", "data file")):
        return 1, name
    return (3 if name.startswith("site_builder/") else 2), name


def _change(name: str, before: str | None, now: str | None) -> str:
    plain = name.removeprefix("parameter ")
    file, bracket, part = name.partition(" (")
    if bracket and "/" in file:
        if before and now:
            return f"{file} changed ({part}"
        return f"{name} is used {'now' if now else 'no more'}"
    if "/" in name or " " in plain:
        return f"{plain} changed" if before and now else f"{plain} is {'new' if now else 'gone'}"
    if before is None or now is None:
        return f"{plain} is {'new' if now else 'gone'}"
    return f"{plain} changed {before} -> {now}"


def reasons(found: Sequence[str]) -> str:
    """Join reasons into one phrase: at most four, then "and N more"."""
    shown = list(dict.fromkeys(found))
    more = len(shown) - _MOST_REASONS
    return ", ".join(shown[:_MOST_REASONS]) + (f" and {more} more" if more > 0 else "")


class Lineage:
    """What the tasks of posts were made from, at the last build and now."""

    def __init__(self, store: Store, codes: CodeKeys) -> None:
        self._store = store
        self._codes = codes

    def result_report(self, run: "PlannedRun", task: str, ran: int, of: int) -> TaskReport:
        """The report of the task "solve", "figures" or "checks" of a run, of whose `of` solves `ran` were computed."""
        subject = f"{task} {run.name}"
        if not ran:
            return TaskReport(run.post, subject, False, _reused(of))
        before = self._of(run.post).get(run.name)
        why = self._solve_reasons(run, before) if task == "solve" else self._beside_reasons(run, task, before)
        return TaskReport(run.post, subject, True, f"{_run(ran, of)}, {why}")

    def _solve_reasons(self, run: "PlannedRun", before: Mapping[str, Any] | None) -> str:
        if before is None:
            return _FIRST
        if before["solver"] != run.solver:
            return f"solver changed {before['solver']} -> {run.solver}"
        swept = {f"parameter {name}" for name in run.axes} | {f"parameter {name}" for name, _ in before["points"][:-1]}
        parameters = [before["parameters"], _parameters(run)]
        found = changes(*({name: each[name] for name in each.keys() - swept} for each in parameters))
        found += self._code_changes(before["solve"], self._codes.solving(run.solver))
        return reasons(found + _sweep_changes(before["points"], _points(run))) or _LOST

    def _beside_reasons(self, run: "PlannedRun", task: str, before: Mapping[str, Any] | None) -> str:
        if before is None or before["solver"] != run.solver:
            return _FIRST
        code = self._codes.showing if task == "figures" else self._codes.checking
        found = changes(before["parameters"], _parameters(run)) if task == "checks" else []  # which see them as well
        return reasons(found + self._code_changes(before[task], code(run.solver))) or "its result changed"

    def _code_changes(self, before: str, now: ReachedCode) -> list[str]:
        if before == now.key:
            return []
        data = self._store.get("ingredients", before)
        return changes(json.loads(data), now.ingredients) if data else ["its code changed"]

    def unchanged_reports(self, source: str, has_runs: bool) -> Iterator[TaskReport]:
        """The reports of a post that was not read, since nothing has changed that it may depend on."""
        for name, run in self._of(source).items() if has_runs else ():
            if name:
                *axes, keep = run["points"]
                yield TaskReport(source, f"solve {name}", False, _reused(prod(len(values) for _, values in axes)))
                if not keep:
                    yield TaskReport(source, f"figures {name}", False, _reused(1))
                    yield TaskReport(source, f"checks {name}", False, _reused(1))
        yield TaskReport(source, "text", False, _reused(1))

    def text_report(self, source: str, head: str | None, now: str, reads: Mapping[str, str] | None) -> TaskReport:
        """The report of the text of a post.

        head and now: digests of its file and of the code that writes it, of the last build and of this. reads: digests
        of what it read of results, by name; None when it was not written.
        """
        if reads is None or head is None:
            return _report(source, "text", reads is not None, "written", None)
        (file_before, code_before, *_), (file, *_) = head.split(), now.split()
        before = self.reads(source)
        found = [f"{source} changed"] if file_before != file else []
        found += self._code_changes(code_before, self._codes.writing)
        found += [_read_change(name) for name in sorted(before) if name in reads and before[name] != reads[name]]
        return _report(source, "text", True, "written", found)

    def drawing_report(self, source: str, name: str, key: str, ran: bool) -> TaskReport:
        """The report of the drawing of a figure. key: digest of its data."""
        known, code = self.drawings(source)
        found = None
        if ran and name in known:
            found = ["its figure changed"] if known[name] != key else []
            found += self._code_changes(code, self._codes.drawing)
        return _report(source, f"drawing {name}", ran, "drawn", found)

    def ingredients_report(self, subject: str, task: str, done: str, now: Ingredients, ran: bool) -> TaskReport:
        """The report of a share card or a part of the search index. done: the verb for its making, such as "drawn"."""
        before = self._document(_MADE, f"{subject} {task}") if ran else {}
        found = changes(before["of"], now.of) if before else None
        for name, code in now.codes.items():
            if found is not None and name in before["codes"]:
                found += self._code_changes(before["codes"][name], code)
        return _report(subject, task, ran, done, found)

    def has_ingredients(self, subject: str, task: str) -> bool:
        """Whether the last build that made it stored such a share card or part of the index."""
        return bool(self._document(_MADE, f"{subject} {task}"))

    def store_ingredients(self, made: Mapping[tuple[str, str], Ingredients]) -> None:
        """Store what share cards and parts of the index are made from, by subject and task."""
        documents = {}
        for (subject, task), each in made.items():
            self.store_code(*each.codes.values())
            codes = {name: code.key for name, code in each.codes.items()}
            documents[f"{subject} {task}"] = json.dumps({"of": dict(each.of), "codes": codes}).encode()
        self._store.set_documents(_MADE, documents)

    def page_report(
        self, source: str, page: Page, before: Last | None, shared: Mapping[str, str], ran: bool
    ) -> TaskReport:
        """The report of a page.

        before: what is known of it from the last build; shared: digests of what it read then that no page owns.
        """
        if before is None or not ran:
            return _report(source, f"page {page.path}", ran, "rendered", None)
        altered = [name for name in before.names if name in shared and shared[name] != page.fixed.get(name)]
        found = [_name_change(name, shared, page.fixed) for name in altered]
        found += self._code_changes(shared["code"], self._codes.paging)
        (own_before, shown_before, *_), (own, shown, *_) = before.key.split(), page.key.split()
        if own != own_before:
            of_site = (
                f"what it shows of {'posts' if page.path.endswith(('feed.xml', 'feed.json')) else 'the site'} changed"
            )
            found.append("its text or what stands with it changed" if source else of_site)
        if shown != shown_before:
            found.append("what it shows of posts changed")
        return _report(source, f"page {page.path}", True, "rendered", found, "its file was gone or altered")

    def reads(self, source: str) -> Mapping[str, str]:
        """Digests of what the text of a post read of results at the last build, by name."""
        return dict(self._of(source).get("", {}).get("reads", {}))

    def drawings(self, source: str) -> tuple[Mapping[str, str], str]:
        """The keys of the figures that a post showed last, by name, and the key of the code that drew them."""
        found = self._of(source).get("", {})
        return dict(found.get("drawings", {})), str(found.get("drawing", ""))

    def remember(
        self, source: str, reads: Mapping[str, str], drawings: Mapping[str, str], runs: "Iterable[PlannedRun]"
    ) -> None:
        """Store what the tasks of a post with results or figures are made from."""
        drawing = self._codes.drawing.key if drawings else ""
        found: dict[str, Any] = {"": {"reads": dict(reads), "drawings": dict(drawings), "drawing": drawing}}
        for run in runs:
            solving, showing = self._codes.solving(run.solver), self._codes.showing(run.solver)
            checking = self._codes.checking(run.solver)
            self.store_code(solving, showing, checking)
            found[run.name] = {
                "solver": run.solver,
                "parameters": _parameters(run),
                "points": _points(run),
                "solve": solving.key,
                "figures": showing.key,
                "checks": checking.key,
            }
        if drawings:
            self.store_code(self._codes.drawing)
        self._store.set_documents(_FAMILY, {source: json.dumps(found).encode()})

    def store_code(self, *codes: ReachedCode) -> None:
        """Store the parts of code, to report later which of them changed."""
        for code in codes:
            if self._store.get("ingredients", code.key) is None:
                self._store.put("ingredients", code.key, json.dumps(code.ingredients).encode())

    def _of(self, source: str) -> Mapping[str, Any]:
        return self._document(_FAMILY, source)

    def _document(self, family: str, name: str) -> Mapping[str, Any]:
        data = self._store.document(family, name)
        try:
            found = json.loads(data) if data else {}
        except ValueError:
            found = {}
        return found if isinstance(found, dict) else {}


def _report(
    subject: str, task: str, ran: bool, done: str, found: Sequence[str] | None, otherwise: str = _LOST
) -> TaskReport:
    """done: the verb for a task that ran; found: reasons, None at the first time; otherwise: the reason without any."""
    if not ran:
        return TaskReport(subject, task, False, "reused")
    return TaskReport(subject, task, True, f"{done}, {_FIRST if found is None else reasons(found) or otherwise}")


def _reused(points: int) -> str:
    return "reused" if points == 1 else f"all {points} points reused"


def _run(ran: int, of: int) -> str:
    if of == 1:
        return "run"
    return f"all {of} points run" if ran == of else f"{of - ran} of {of} points reused, {ran} run"


def _parameters(run: "PlannedRun") -> dict[str, str]:
    """The parameters of a run that it does not sweep, as authors write them."""
    return {f"parameter {name}": str(value) for name, value in run.parameters.items() if name not in run.axes}


def _points(run: "PlannedRun") -> list[Any]:
    return [[name, [str(value) for value in values]] for name, values in run.axes.items()] + [list(run.keep)]


def _sweep_changes(before: list[Any], now: list[Any]) -> list[str]:
    """What differs between two sweeps, each as `_points` gives it, in words."""
    (*axes_before, keep_before), (*axes, keep) = before, now
    known = dict(axes_before)
    found = []
    for name, values in axes:
        new = len(set(values) - set(known.get(name, ())))
        if name not in known:
            found.append(f"{name} is swept now")
        elif new:
            found.append(f"the sweep of {name} has {new} new value{'' if new == 1 else 's'}")
    found += [f"{name} is swept no more" for name in known if name not in dict(axes)]
    if keep_before != keep:
        found.append(f"keep changed [{', '.join(keep_before)}] -> [{', '.join(keep)}]")
    return found


def _name_change(name: str, before: Mapping[str, str], now: Mapping[str, str]) -> str:
    kind, dot, fact = name.partition(".")
    if kind == "site" and dot:
        return f"{fact} in config.yaml changed"
    if name.startswith("template "):
        files = [each for each in now if each.startswith("file ") and before.get(each) != now[each]]
        if len(files) == 1:  # it may be another one, which this one uses
            return f"template {files[0].removeprefix('file ')} changed"
    return f"{name} changed"


def _read_change(name: str) -> str:
    if name.startswith("source "):
        return f"the code of {name.removeprefix('source ')} changed, which it shows"
    return f"results.{name.removesuffix('.*')} changed"  # all fields of a run are noted by a star
