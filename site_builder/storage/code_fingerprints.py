"""The code behind each kind of task: its key, what it is made of, and the files in which it was found."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from site_builder.storage.code_graph.definitions import Facts, facts_of
from site_builder.storage.code_graph.project_modules import Code
from site_builder.storage.code_graph.reachability import key_of, reach, solver_entries
from site_builder.storage.file_fingerprints import read_as_scanned
from site_builder.storage.loadable import Loadable
from site_builder.storage.store import Store
from site_builder.values.digest import bytes_digest, digest

_FAMILY = "codes"
Entries = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class ReachedCode:
    """Code that a task can reach. key: names all of it; ingredients: what it is made of, in an author's words.

    modules: the project's modules that may be imported; files: those in which the answer was found; data: declared.
    """

    key: str
    ingredients: Mapping[str, str]
    modules: tuple[str, ...]
    files: tuple[str, ...]
    data: tuple[str, ...]

    @property
    def libraries(self) -> dict[str, str]:
        """The versions of Python and of the libraries that it uses."""
        return {name: version for name, version in sorted(self.ingredients.items()) if _is_library(name)}


class Ingredients(NamedTuple):
    """What something was made from: a name for the content of each ingredient, in words, and code by what it does."""

    of: Mapping[str, str]
    codes: Mapping[str, ReachedCode]


class CodeKeys:
    """The code of one project as it now is.

    digests: of the project's files as the scan names them. stamp: names the libraries that are installed. What was
    found out earlier is taken from the store while the files that it was found in are the same.
    """

    def __init__(self, root: Path, store: Store, digests: Mapping[str, str], stamp: str) -> None:
        self._root = root
        self._store = store
        self._digests = digests
        there = sorted(name for name in digests if not name.startswith(("content/", "templates/")))
        finder = [digest for name, digest in sorted(digests.items()) if name.startswith("@storage/code_graph/")]
        self._finder = digest(finder, stamp)
        self._there = digest(there, self._finder)
        self._further: dict[str, str] = {}
        self._found: dict[str, ReachedCode] = {}

    def describing(self, solver: str) -> ReachedCode:
        """What a solver's description is made of."""
        entries = [*_exposed(solver, "Parameters", "Result", "DATA"), ("site_builder.solving.solver_tasks", "describe")]
        return self._of(f"describing {solver}", entries)

    def solving(self, solver: str) -> ReachedCode:
        """What a result is made of besides its parameters."""
        worker = [("site_builder.solving.solver_tasks", "solve"), ("site_builder.solving.solver_tasks", "solve_points")]
        return self._of(f"solving {solver}", [*solver_entries(solver, "solve"), *worker])

    def showing(self, solver: str, records: Collection[str] = ()) -> ReachedCode:
        """What the figures of a result are made of besides the result. records: the kinds of records in it."""
        entries = [*solver_entries(solver, "figures", records), ("site_builder.solving.solver_tasks", "figures")]
        return self._of(" ".join(["showing", solver, *sorted(records)]), entries)

    def checking(self, solver: str, records: Collection[str] = ()) -> ReachedCode:
        """What the checks of a result are made of besides it and its parameters. records: kinds of records in it."""
        entries = [*solver_entries(solver, "checks", records), ("site_builder.solving.solver_tasks", "checks")]
        return self._of(" ".join(["checking", solver, *sorted(records)]), entries)

    def loadable(self, solver: str) -> Loadable:
        """What of the project a worker may load with this solver."""
        known = self.whole(solver)
        code = {name: self._digest(name) for name in known.files if not name.startswith("site_builder/")}
        return Loadable(known.modules, code, {name: self._digest(name) for name in known.data})

    def whole(self, solver: str) -> ReachedCode:
        """All that a solver exposes, without what runs it."""
        entries = _exposed(solver, "Parameters", "Result", "DATA", "solve", "figures", "checks")
        return self._of(f"all of {solver}", entries)

    def data(self, solver: str) -> tuple[str, ...]:
        """The data files that a solver declares."""
        return self.whole(solver).data

    def libraries(self, solver: str) -> dict[str, str]:
        """The installed libraries that a solver needs, with their versions."""
        found = self.whole(solver).ingredients.items()
        is_own = ("Python", "data file ")
        return {n: v for n, v in found if not n.startswith(is_own) and not n.endswith(")") and v != "not found"}

    def digests(self, names: Iterable[str]) -> dict[str, str]:
        """What names the bytes of files of the project and of the builder."""
        return {name: self._digest(name) for name in names}

    def read(self, name: str) -> bytes:
        """The bytes of a file of the project or the builder. Raises SiteError when they are others by now."""
        return read_as_scanned(self._code.path(name), name, self._digest(name))

    def files(self, solver: str) -> Mapping[str, str]:
        """The project's files that make up a solver, with a name for the content of each."""
        every = [self.describing(solver), self.solving(solver), self.showing(solver), self.checking(solver)]
        return {name: self._digest(name) for known in every for name in known.files}

    @cached_property
    def drawing(self) -> ReachedCode:
        """What a drawing is made of besides its figure."""
        tasks = [
            ("site_builder.build.steps.worker_tasks", "draw"),
            ("site_builder.build.steps.worker_tasks", "draw_small"),
        ]
        return self._of(
            "drawing",
            [("site_builder.figures.charts.draw", "draw"), ("site_builder.figures.charts.draw", "draw_small"), *tasks],
        )

    @cached_property
    def carding(self) -> ReachedCode:
        """What a share card is made of besides its words, its figure and its look."""
        return self._of(
            "carding",
            [
                ("site_builder.figures.share_card_drawing", "draw_cards"),
                ("site_builder.build.steps.worker_tasks", "draw_cards"),
            ],
        )

    @cached_property
    def bundling(self) -> ReachedCode:
        """What a bundle is made of besides its order and the files in it."""
        proving = [("site_builder.solving.bundle.proof", "prove"), ("site_builder.build.steps.worker_tasks", "prove")]
        return self._of("bundling", [("site_builder.solving.bundle.archive", "bundle"), *proving])

    @cached_property
    def indexing(self) -> ReachedCode:
        """What the search index is made of besides the texts."""
        making = [("site_builder.build.steps.pagefind", "make_index"), ("site_builder.posts.body", "read_body")]
        return self._of("indexing", [("site_builder.site.search_documents", "search_html"), *making])

    @cached_property
    def writing(self) -> ReachedCode:
        """What the text of a post is made of besides its file and its results."""
        reading = [("site_builder.project.posts", "read_post"), ("site_builder.solving.plan", "plan_runs")]
        return self._of("writing", [("site_builder.posts.write", "write_text"), *reading])

    @cached_property
    def paging(self) -> ReachedCode:
        """What a page is made of besides texts, drawings and templates."""
        return self._of(
            "paging", [("site_builder.site.pages.all", "make_pages"), ("site_builder.posts.body", "read_body")]
        )

    def _of(self, name: str, entries: Entries) -> ReachedCode:
        found = self._found.get(name) or self._recalled(name)
        if found is None:
            made = reach(self._code, entries)
            found = ReachedCode(
                key_of(made.ingredients),
                dict(made.ingredients),
                tuple(sorted(made.modules)),
                tuple(sorted(made.files)),
                tuple(sorted(made.data)),
            )
            looked_at = [*found.files, *found.data]
            plain = [found.key, found.ingredients, found.modules, found.files, found.data, self._stamp(looked_at)]
            self._store.set_documents(_FAMILY, {name: json.dumps(plain).encode()})
        self._found[name] = found
        return found

    def _recalled(self, name: str) -> ReachedCode | None:
        data = self._store.document(_FAMILY, name)
        if data is None:
            return None
        try:
            key, ingredients, modules, files, declared, stamp = json.loads(data)
            if stamp != self._stamp([*files, *declared]):
                return None
            return ReachedCode(key, dict(ingredients), tuple(modules), tuple(files), tuple(declared))
        except (ValueError, TypeError):  # as another version of the builder wrote it
            return None

    def _stamp(self, files: Sequence[str]) -> str:
        """Names all that the answer was found from: content of files, which solvers there are, and libraries."""
        return digest(self._there, [(name, self._digest(name)) for name in files])

    def _digest(self, name: str) -> str:
        scanned = f"@{name.removeprefix('site_builder/')}" if name.startswith("site_builder/") else name
        if scanned in self._digests:
            return self._digests[scanned]
        if name not in self._further:  # outside of the folders that are always looked at
            try:
                self._further[name] = bytes_digest((self._root / name).read_bytes())
            except OSError:
                self._further[name] = "not there"
        return self._further[name]

    @cached_property
    def _code(self) -> Code:
        return Code(
            self._root,
            self._facts,
            lambda path: self._digest(self._code.shown(path)),
            lambda folder: self._folders.get(folder),
        )

    @cached_property
    def _folders(self) -> Mapping[Path, set[str]]:
        """What the scan found in each folder of solvers/ and of the builder."""
        found: dict[Path, set[str]] = {}
        for name in self._digests:
            if name.startswith(("solvers/", "@")):
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


def _is_library(ingredient: str) -> bool:
    return "/" not in ingredient and not ingredient.startswith("data file ")


def _exposed(solver: str, *names: str) -> list[tuple[str, str]]:
    return [(f"solvers.{solver}", name) for name in names]
