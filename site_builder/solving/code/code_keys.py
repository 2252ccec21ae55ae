"""The code behind each task of a solver, found once and kept in the cache, and the digest of the builder itself."""

import json
import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from site_builder import __version__
from site_builder.errors import changed
from site_builder.project.config import read_as_scanned
from site_builder.project.extensions import NO_EXTENSIONS, Extensions
from site_builder.solving.code.code_inputs import CodeInputs, ProjectModules, code_inputs
from site_builder.solving.code.libraries import environment_stamp, versions
from site_builder.solving.code.module_facts import Kind, ModuleFacts, module_facts
from site_builder.storage.file_fingerprints import (
    THEME,
    Loadable,
    Signature,
    content_digest,
    signature,
)
from site_builder.storage.store import Store
from site_builder.values.digest import digest
from site_builder.values.json_records import from_json, to_json

_FAMILY = "code inputs"
_FORM = {"form of results": "8"}  # counted up when results, figures or answers of checks change their form
_CASE = "case"  # the function of the contract with which a check has `solve` run for other parameters
_MATPLOTLIB = "matplotlib"  # whose figures have words from docstrings
_SOLVE, _VALIDATE = "solve", "validate"
_CHECK, _FIGURE = "check_", "figure_"
_OF_THE_CONTRACT = ("numpy", "pydantic")  # libraries that its modules import
_LIBRARIES = (  # of the builder, that decide of bytes of a site
    *("jinja2", "markdown", "markupsafe", "matplotlib", "nh3", "numpy", "pagefind_bin", "pillow", "pydantic"),
    *("pygments", "pymdown_extensions", "pyyaml", "rcssmin", "rjsmin"),
)
Place = tuple[str, str]  # of a definition: module and name
_FAMILY_OF_READS = "reads"
_MOST_SETS = 1_000  # of files, that are known of a solver


@dataclass(frozen=True)
class Independence:
    """The code that a check and `solve` both reach.

    shared: functions that make it no second method; rules: functions that state the rules of the puzzle.
    """

    shared: tuple[str, ...]
    rules: tuple[str, ...]


UNKNOWN = Independence(("code that the source does not show",), ())
"""Of a check that is made by a call, whose code no source shows."""


@dataclass(frozen=True)
class TaskCode:
    """The code behind each task of a solver.

    whole: all that it exposes, with docstrings. solving: what computes a result; checking and showing: what checks it
    and makes its figures, with the classes of the records that it may hold. independence: by check. extensions: those
    that read functions of it, by the names of these.
    """

    whole: CodeInputs
    solving: CodeInputs
    showing: CodeInputs
    checking: CodeInputs
    independence: Mapping[str, Independence]
    extensions: Mapping[str, str]


class CodeKeys:
    """The code of one project as it is now.

    Args:
        digests: of the project's files, by their names in the scan.
        stamp: digest of the installed libraries.
        extensions: those of the project.
    """

    def __init__(
        self,
        root: Path,
        store: Store,
        digests: Mapping[str, str],
        stamp: str,
        extensions: Extensions = NO_EXTENSIONS,
    ) -> None:
        self._root = root
        self._store = store
        self._digests = digests
        self._stamp = stamp
        self._extensions = extensions
        self._added = {name: each.owner for name, each in extensions.solver_functions().items()}
        self.kinds = {name: each.owner for name, each in extensions.registry.of("kind of figure").items()}
        self._unscanned: dict[str, tuple[Signature | None, str]] = {}
        self._project = ProjectModules(root, self._facts, self._is_file)
        self.of = cache(self._of)
        self.loadable = cache(self._loadable)  # the same for the whole build
        self.reads = RecordedReads(store, self)

    @cached_property
    def builder(self) -> str:
        """Digest of the builder: its version, those of its libraries, and the modules of a checkout."""
        own = [(name, each) for name, each in self._digests.items() if name.startswith("@")]
        modules = sorted((name, each) for name, each in own if not name.startswith(THEME))
        return digest(__version__, environment_stamp(_LIBRARIES), modules)

    def _of(self, solver: str) -> TaskCode:
        """The code of a solver. Raises SiteError for a file that is not valid Python."""
        state, _, data = (self._store.document(_FAMILY, solver) or b"").partition(b"\n")
        with suppress(ValueError):  # another version of the builder wrote it
            found = from_json(TaskCode, data)
            if state.decode() == self._state(found):
                return found
        found = self._read(solver)
        self._store.set_documents(_FAMILY, {solver: self._state(found).encode() + b"\n" + to_json(found)})
        return found

    # Files

    def _loadable(self, solver: str) -> Loadable:
        """The files and libraries that a worker needs of this solver."""
        code = self.of(solver).whole
        read = [name for name in self.reads.digests(solver) if not os.path.isabs(name)]
        data = self.digests(name for name in read if os.path.isfile(self._root / name))
        libraries = {name: version for name, version in code.libraries.items() if name != "Python"}
        owners = {**self.of(solver).extensions, **{f"figure {name}": each for name, each in self.kinds.items()}}
        extensions = {name: (each, self._extensions.digests[each]) for name, each in owners.items()}
        modules, more = self._extensions.needed({*owners.values()}, self._root.resolve())
        return Loadable(self.digests(sorted({*code.files, *modules})), data, libraries | more, extensions)

    def shared_code(self, solver: str) -> tuple[dict[str, str], dict[str, str]]:
        """The needs of others who run a solver: digests of its files and data files, and versions of libraries."""
        loadable = self.loadable(solver)
        return {**loadable.code, **loadable.data}, {**versions(_OF_THE_CONTRACT), **loadable.libraries}

    def digests(self, names: Iterable[str]) -> dict[str, str]:
        """Digests of files of the project."""
        return {name: self._digest(name) for name in names}

    def read(self, name: str) -> bytes:
        """The bytes of a file of the project. Raises SiteError when they have changed since the scan."""
        return read_as_scanned(self._root / name, name, self._digest(name))

    def modules(self, solver: str) -> set[str]:
        """The project's modules that make up a solver, and the folders beside solvers/ where another may appear."""
        return _modules(self.of(solver))

    def unscanned(self) -> dict[str, tuple[Signature, str]]:
        """Files that were read and not scanned, each with its signature before and the digest of its bytes."""
        return {name: (before, each) for name, (before, each) in self._unscanned.items() if before}

    # What is found from names, and what the cache holds of it

    def _state(self, found: TaskCode) -> str:
        """Digest of all that code was found from: names and bytes of modules, libraries, extensions and the builder."""
        owners, added = {*self.kinds.values(), *self._added.values()}, sorted(self._added.items())
        files = self.digests(sorted(_modules(found)))
        return digest(self.builder, self._names, files, self._stamp, added, self._code_of(owners))

    @cached_property
    def _names(self) -> str:
        """Digest of the names of files that may become modules."""
        return digest(sorted(name for name in self._digests if name.startswith("solvers/") or name.endswith(".py")))

    def _read(self, solver: str) -> TaskCode:
        """The code of a solver, as its files are now."""
        module = f"solvers.{solver}"
        exposed = self._exposed(module)
        checks = [place for place in exposed if place[1].startswith(_CHECK) or place[1] in self._added]
        figures = [place for place in exposed if place[1].startswith(_FIGURE)]
        solve = [(module, _SOLVE)] if (module, _SOLVE) in exposed else [(module, "")]
        solving = self._project.definitions(solve)
        classes = [place for place, kind in solving.items() if kind in ("class", "record", "rules")]
        extensions = {name: self._added[name] for _, name in exposed if name in self._added}
        added, kinds = self._code_of(extensions.values()), self._code_of(self.kinds.values())
        showing = code_inputs(self._project, [*figures, *classes])
        if _MATPLOTLIB in showing.libraries:
            showing = code_inputs(self._project, [*figures, *classes], reads_docs=True)
            kinds["the builder"] = self.builder
        cases = solve if _CASE in self._project.contract(checks) else []
        return TaskCode(
            whole=_with(code_inputs(self._project, exposed, reads_docs=True), added),
            solving=_with(code_inputs(self._project, solve), {}),
            showing=_with(showing, kinds),
            checking=_with(code_inputs(self._project, [*checks, *classes, *cases]), added),
            independence=self._independence(solving, checks),
            extensions=extensions,
        )

    def _code_of(self, owners: Iterable[str]) -> dict[str, str]:
        """The inputs that these extensions add."""
        return {f"the extension {owner}": self._extensions.code_digest(owner) for owner in sorted(set(owners))}

    def _independence(self, solving: Mapping[Place, Kind], checks: Iterable[Place]) -> dict[str, Independence]:
        """The code that checks share with `solve`. solving: the definitions that it reaches."""
        rules = {place for place, kind in solving.items() if kind == "rules"}
        free = self._project.definitions(rules)
        counted = {each for each, kind in solving.items() if kind in ("function", "class") and each not in free}
        reached = {name: self._project.definitions([(module, name)]) for module, name in checks}
        return {
            name: Independence(_names(counted & each.keys()), _names(rules & each.keys()))
            for name, each in reached.items()
        }

    def _exposed(self, module: str) -> list[Place]:
        """The names of the contract that a solver binds, with "", all of its module, where it binds no `solve`."""
        bound = self._project.names(module)
        single = (_SOLVE, _VALIDATE, *self._added)
        names = [name for name in bound if name in single or name.startswith((_CHECK, _FIGURE))]
        return [(module, name) for name in (names if _SOLVE in bound else [*names, ""])]

    def _facts(self, shown: str) -> ModuleFacts:
        """The facts of a module, from the cache where they are known."""
        content = self._digest(shown)
        data = read_as_scanned(self._root / shown, shown, content)
        key = digest(self.builder, shown, content)
        if known := self._store.get("module", key):
            return from_json(ModuleFacts, known)
        facts = module_facts(data, shown)
        self._store.put("module", key, to_json(facts))
        return facts

    def _is_file(self, name: str) -> bool:
        """True also for a file of the scan that is away for a moment: its loss is an error, no missing module."""
        return name in self._digests or (self._root / name).is_file()

    def _digest(self, name: str) -> str:
        if name in self._digests:
            return self._digests[name]
        if name not in self._unscanned:  # outside of the folders that are scanned
            path = self._root / name
            self._unscanned[name] = signature(str(path)), content_digest(path)
        return self._unscanned[name][1]


class RecordedReads:
    """The record of the files that the solvers of a project have read. codes: of the solvers, and digests of files."""

    def __init__(self, store: Store, codes: CodeKeys) -> None:
        self._store = store
        self._codes = codes

    def digests(self, solver: str) -> dict[str, str]:
        """Every file that the present code of a solver has read, with its digest."""
        present = self._codes.of(solver).whole.key
        names = {name for code, own in self._sets(solver) if code == present for name in own}
        return self._codes.digests(sorted(names))

    def find(self, store: Store, kind: str, solver: str, keys: Collection[str]) -> dict[str, bytes]:
        """The entries of answers with these keys for which everything that was read is as it was."""
        found = store.get_many(kind, keys)
        for names in dict.fromkeys(names for _, names in reversed(self._sets(solver))):
            if len(found) == len(keys):
                break
            digests = self._codes.digests(names)
            full = {_full_key(key, digests): key for key in keys if key not in found}
            if entries := store.get_many(kind, full):
                self._note(solver, names)
                found |= {full[each]: data for each, data in entries.items()}
        return found

    def put(self, store: Store, kind: str, key: str, data: bytes, reads: Mapping[str, str]) -> None:
        """Store an answer whose reads were noted."""
        store.put(kind, _full_key(key, reads) if reads else key, data)

    def note(self, solver: str, reads: Mapping[str, str]) -> None:
        """Note what a task has read. Raises SiteError for a file that is another one in this build."""
        if reads:
            self._note(solver, tuple(sorted(reads)))
            now = self._codes.digests(reads)
            for name in sorted(name for name in reads if reads[name] != now[name]):
                raise changed(name)

    def _note(self, solver: str, names: tuple[str, ...]) -> None:
        sets, noted = self._sets(solver), (self._codes.of(solver).whole.key, names)
        if noted not in sets:
            data = json.dumps([*sets, noted][-_MOST_SETS:]).encode()
            self._store.set_documents(_FAMILY_OF_READS, {solver: data})

    def _sets(self, solver: str) -> list[tuple[str, tuple[str, ...]]]:
        """Digests of code with files that one task of it has read, the newest last."""
        data = self._store.document(_FAMILY_OF_READS, solver) or b"[]"  # another build may have added to it
        with suppress(ValueError):  # another version of the builder wrote it
            return [(code, tuple(names)) for code, names in json.loads(data)]
        return []


def _with(found: CodeInputs, more: Mapping[str, str]) -> CodeInputs:
    return replace(found, inputs={**found.inputs, **_FORM, **more})


def _modules(code: TaskCode) -> set[str]:
    files = code.whole.files
    return {*files, *(os.path.dirname(name) for name in files if not name.startswith("solvers/"))} - {""}


def _names(places: Iterable[Place]) -> tuple[str, ...]:
    return tuple(sorted(name for _, name in places))


def _full_key(key: str, reads: Mapping[str, str]) -> str:
    return digest(key, sorted(reads.items()))
