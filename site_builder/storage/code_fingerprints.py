"""The code that each kind of task can reach: its key, its parts and its files."""

import json
import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from site_builder.storage.code_graph.definitions import Facts, facts_of
from site_builder.storage.code_graph.libraries import InstalledCode, installed_code
from site_builder.storage.code_graph.project_modules import Code
from site_builder.storage.code_graph.reachability import ReachedCode, reach
from site_builder.storage.file_fingerprints import (
    THEME,
    Loadable,
    Signature,
    content_digest,
    read_as_scanned,
    signature,
)
from site_builder.storage.recorded_reads import RecordedReads
from site_builder.storage.store import Store
from site_builder.values.digest import digest

_FAMILY = "codes"
_INSTALLED = "installed"
_TASKS = "solving.solver_tasks"
_DRAWING_TASK = "solving.drawing_tasks:figures"
_OPTIONAL = "game"  # the function that a solver may leave out
_JOBS = "pipeline.steps.worker_tasks"
_BUILDER_CODE = {
    "drawing": (
        *("figures.charts.draw:draw", "figures.charts.draw:draw_small"),
        *(f"{_JOBS}:draw", f"{_JOBS}:draw_small"),
    ),
    "carding": ("figures.share_card_drawing:draw_cards", f"{_JOBS}:draw_cards"),
    "bundling": ("solving.bundle.archive:bundle", "solving.bundle.proof:prove", f"{_JOBS}:prove"),
    "indexing": ("site.search_documents:search_html", "pipeline.steps.pagefind:make_index", "posts.body:read_body"),
    "writing": ("posts.write:write_text", "project.posts:read_post", "solving.plan:plan_runs"),
    "turning": ("pipeline.steps.turns:Turns",),
    "paging": ("site.pages.all:make_pages", "posts.body:read_body"),
}


class Ingredients(NamedTuple):
    """What something was made from: digests by what they are of, in words, and code by what it does."""

    of: Mapping[str, str | list[str]]  # a list: the values of a sweep
    codes: Mapping[str, ReachedCode]


class CodeKeys:
    """The code of one project as it is now. Earlier answers come from the cache while the files they used are the same.

    Args:
        digests: of the project's files, by their names in the scan.
        stamp: digest of the installed libraries.
    """

    def __init__(self, root: Path, store: Store, digests: Mapping[str, str], stamp: str) -> None:
        self._root = root
        self._store = store
        self._digests = digests
        apart = ("content/", "templates/", THEME, "/")
        inside = [name for name in digests if not name.startswith(apart)]
        names = sorted(name for name in inside if name.startswith(("solvers/", "@")) or name.endswith(".py"))
        finder = [digest for name, digest in sorted(digests.items()) if name.startswith("@storage/code_")]
        self._finder = digest(finder, stamp)
        self._names = digest(names, self._finder)
        self._unscanned: dict[str, tuple[Signature | None, str]] = {}
        self._found: dict[str, ReachedCode] = {}
        self._installed: dict[str, tuple[InstalledCode, str]] = {}
        self._environment = stamp
        self._loadable: dict[str, Loadable] = {}
        self.reads = RecordedReads(store, lambda solver: self.whole(solver).key, self.digests)

    def describing(self, solver: str) -> ReachedCode:
        """The code that describes a solver."""
        return self._of(f"describing {solver}", _exposed(solver, "Parameters", "Result", "DATA"), f"{_TASKS}:describe")

    def solving(self, solver: str) -> ReachedCode:
        """The code that computes a result from parameters."""
        entries = solver_entries(solver, "solve")
        return self._of(f"solving {solver}", entries, f"{_TASKS}:solve", f"{_TASKS}:solve_points")

    def showing(self, solver: str, records: Collection[str] = ()) -> ReachedCode:
        """The code that makes the figures of a result. records: the classes of records in it."""
        entries = solver_entries(solver, "figures", records)
        name = " ".join(["showing", solver, *sorted(records)])
        return self._of(name, entries, f"{_TASKS}:figures", with_drawings=_DRAWING_TASK)

    def has_drawings(self, solver: str) -> bool:
        """Whether the solver's code names the class Drawing, without which it can make none."""
        return "site_builder/solving/drawing_tasks.py" in self.showing(solver).files

    def checking(self, solver: str, records: Collection[str] = ()) -> ReachedCode:
        """The code that checks a result. records: the classes of records in it."""
        entries = solver_entries(solver, "checks", records)
        return self._of(
            " ".join(["checking", solver, *sorted(records)]),
            [*entries, *_exposed(solver, _OPTIONAL)],
            f"{_TASKS}:checks",
            "solving.checks.outcomes:judge",
        )

    def whole(self, solver: str) -> ReachedCode:
        """The code of all that a solver exposes, without the tasks that run it."""
        entries = _exposed(solver, "Parameters", "Result", "DATA", "solve", "figures", "checks")
        return self._of(f"all of {solver}", [*entries, *_exposed(solver, _OPTIONAL)])

    def loadable(self, solver: str) -> Loadable:
        """What a worker needs of this solver; the same for the whole build."""
        if solver not in self._loadable:
            known = self.whole(solver)
            code = self.digests(sorted(name for name in known.files if not name.startswith("site_builder/")))
            unlisted = sorted({path for module in known.imports for path in self._installed_code(module)[0].unlisted})
            data = self.digests(sorted(self.data(solver)))
            self._loadable[solver] = Loadable(code, data, unlisted, self.libraries(solver))
        return self._loadable[solver]

    def data(self, solver: str) -> set[str]:
        """The data files of the project that a solver declares or has read."""
        read = {name for name in self.reads.digests(solver) if not os.path.isabs(name)}
        return {*self.whole(solver).data, *(name for name in read if os.path.isfile(self._root / name))}

    def libraries(self, solver: str) -> dict[str, str]:
        """The installed libraries that a solver needs, with their versions."""
        found = self.whole(solver).libraries.items()
        return {name: version for name, version in found if name != "Python" and version != "not found"}

    def digests(self, names: Iterable[str]) -> dict[str, str]:
        """Digests of files of the project and of the builder."""
        return {name: self._digest(name) for name in names}

    def read(self, name: str) -> bytes:
        """The bytes of a file of the project or the builder. Raises SiteError when they have changed since the scan."""
        return read_as_scanned(self._code.path(name), name, self._digest(name))

    def files(self, solver: str) -> Mapping[str, str]:
        """Digests of the project's files that make up a solver."""
        every = [self.describing(solver), self.solving(solver), self.showing(solver), self.checking(solver)]
        return self.digests(sorted({name for known in every for name in known.files}))

    def checked_code(self, solver: str) -> str:
        """Digest of the text of the project's files that define what solves and what checks; the same everywhere."""
        every = {**self.solving(solver).ingredients, **self.checking(solver).ingredients}
        names = {name.removeprefix("data file ").partition(" (")[0] for name in every if "/" in name}
        return digest(sorted(self.digests(name for name in names if not name.startswith("site_builder/")).items()))

    def installed_files(self) -> set[str]:
        """The installed files, by their whole paths, on which what was asked for so far depends."""
        every = [code for code, _ in self._installed.values()]
        return {path for code in every for path in (*code.files.values(), *code.records)}

    def unscanned(self) -> dict[str, tuple[Signature, str]]:
        """Files that were read and not scanned, each with its signature before and the digest of its bytes."""
        return {name: (before, each) for name, (before, each) in self._unscanned.items() if before}

    def builder(self, task: str) -> ReachedCode:
        """The builder's own code for one of these tasks."""
        return self._of(task, (), *_BUILDER_CODE[task])

    def _of(
        self, name: str, entries: Iterable[tuple[str, str]], *functions: str, with_drawings: str = ""
    ) -> ReachedCode:
        """The code behind these entries of solvers and these functions of the builder, as "module:name".

        with_drawings: a function that counts too when the code names the class Drawing.
        """
        found = self._found.get(name) or self._cached(name)
        if found is None:
            found = self._reach(entries, functions)
            if with_drawings and any(self._names_drawing(module) for module in found.modules):
                found = self._reach(entries, (*functions, with_drawings))
            sets = (found.modules, found.files, found.data, found.imports)
            plain = [found.key, found.ingredients, *map(sorted, sets)]
            data = json.dumps([*plain, self._stamp(found)]).encode()
            self._store.set_documents(_FAMILY, {name: data})
        self._found[name] = found
        return found

    def _reach(self, entries: Iterable[tuple[str, str]], functions: Iterable[str]) -> ReachedCode:
        own = [function.split(":") for function in functions]
        exposed = [each for each in entries if each[1] != _OPTIONAL or self._binds(*each)]
        every = [*exposed, *((f"site_builder.{module}", function) for module, function in own)]
        return reach(self._code, every, (lambda module: self._installed_code(module)[1]) if entries else None)

    def _binds(self, module: str, name: str) -> bool:
        found = self._code.find(module)
        return found is not None and (name in found.parts or name in found.bound)

    def _names_drawing(self, module: str) -> bool:
        found = self._code.find(module) if module.startswith("solvers") else None
        if found is None:
            return False
        uses = {name for part in found.facts.parts for use in part.uses for name in use.split(".")}
        return "Drawing" in uses | {row.name for row in found.facts.imports}

    def _cached(self, name: str) -> ReachedCode | None:
        data = self._store.document(_FAMILY, name)
        if data is None:
            return None
        try:
            key, ingredients, *sets, stamp = json.loads(data)
            found = ReachedCode(key, ingredients, *map(frozenset, sets))
            return found if stamp == self._stamp(found) else None
        except (ValueError, TypeError):  # written by another version of the builder
            return None

    def _stamp(self, found: ReachedCode) -> str:
        """Digest of all that the answer was found from: content of files, names of files, and libraries."""
        installed = [self._installed_code(module)[1] for module in sorted(found.imports)]
        return digest(self._names, self.digests([*sorted(found.files), *sorted(found.data)]), installed)

    def _installed_code(self, module: str) -> tuple[InstalledCode, str]:
        """The installed code behind a top-level module, with the digest of its names and bytes."""
        if module not in self._installed:
            code = self._listed_code(module)
            self._installed[module] = (
                code,
                digest(sorted((name, self._digest(path)) for name, path in code.files.items())),
            )
        return self._installed[module]

    def _listed_code(self, module: str) -> InstalledCode:
        """Which files these are; found anew when an installer has changed its lists, and for code that none lists."""
        if data := self._store.document(_INSTALLED, module):
            with suppress(ValueError, TypeError):  # written by another version of the builder
                environment, records, *lists = json.loads(data)
                if environment == self._environment and records == self.digests(records):
                    return InstalledCode(*lists)
        found = installed_code(module)
        if not found.unlisted:
            lists = (found.files, found.records)
            plain = [self._environment, self.digests(found.records), *lists]
            self._store.set_documents(_INSTALLED, {module: json.dumps(plain).encode()})
        return found

    def _digest(self, name: str) -> str:
        scanned = f"@{name.removeprefix('site_builder/')}" if name.startswith("site_builder/") else name
        if scanned in self._digests:
            return self._digests[scanned]
        if name not in self._unscanned:  # outside of the folders that are scanned
            path = self._root / name
            self._unscanned[name] = signature(str(path)), content_digest(path)
        return self._unscanned[name][1]

    @cached_property
    def _code(self) -> Code:
        return Code(self._root, self._facts, lambda path: self._digest(self._code.shown(path)), self._entries)

    def _entries(self, folder: Path) -> set[str] | None:
        return self._folders.get(folder)

    @cached_property
    def _folders(self) -> Mapping[Path, set[str]]:
        """The names that the scan found in each folder of solvers/ and of the builder."""
        found: dict[Path, set[str]] = {}
        for name in self._digests:
            if name.startswith(("solvers/", "@")) and not name.startswith(THEME):
                parts = (f"site_builder/{name[1:]}" if name.startswith("@") else name).split("/")
                for depth in range(1, len(parts)):
                    found.setdefault(self._code.path("/".join([*parts[:depth], ""])), set()).add(parts[depth])
        return found

    def _facts(self, path: Path) -> Facts:
        shown = self._code.shown(path)
        named = self._digest(shown)
        data = read_as_scanned(path, shown, named)
        key = digest(named, self._finder)
        known = self._store.get("code", key)
        if known is not None:
            return Facts.from_json(json.loads(known))
        facts = facts_of(data)
        self._store.put("code", key, json.dumps(facts.to_json()).encode())
        return facts


def solver_entries(solver: str, function: str, records: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The entry points behind `solve`, `figures` or `checks` of a solver.

    records: classes, as "solvers.<module>:<Class>", of which values are made for the function; a result may hold
    records of any class, so that the figures of a result depend on the classes in it.
    """
    beside = ["Result"] if function == "figures" else ["Parameters", "Result"]
    own = [(f"solvers.{solver}", name) for name in (function, *beside)]
    return own + sorted((kind.partition(":")[0], kind.partition(":")[2]) for kind in records)


def _exposed(solver: str, *names: str) -> list[tuple[str, str]]:
    return [(f"solvers.{solver}", name) for name in names]
