"""The code behind each task of a solver, found once and kept in the cache, and the digest of the builder itself."""

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from site_builder import __version__
from site_builder.errors import changed
from site_builder.project.extensions import NO_EXTENSIONS, Extensions
from site_builder.solving.code.code_inputs import CodeInputs, Module, ProjectModules, code_inputs
from site_builder.solving.code.libraries import installed, versions
from site_builder.solving.code.module_facts import ModuleFacts, module_facts
from site_builder.storage.file_fingerprints import (
    THEME,
    Loadable,
    Signature,
    content_digest,
    read_as_scanned,
    signature,
)
from site_builder.storage.store import Store
from site_builder.values.digest import digest
from site_builder.values.json_records import from_json, to_json

_FAMILY = "code inputs"
_FORM = {"form of results": "6"}  # counted up when results, figures or answers of checks change their form
_CASE = "case"  # the function of the contract with which a check has `solve` run for other parameters
_MATPLOTLIB = "matplotlib"  # whose figures have words from docstrings
_SOLVE, _VALIDATE = "solve", "validate"
_CHECK, _FIGURE = "check_", "figure_"
_OF_THE_CONTRACT = ("numpy", "pydantic")  # libraries that its modules import
_LIBRARIES = (  # of the builder, that decide of bytes of a site
    *("jinja2", "markdown", "markupsafe", "matplotlib", "nh3", "numpy", "pagefind-bin", "pillow", "pydantic"),
    *("pygments", "pymdown-extensions", "pyyaml", "rcssmin", "rjsmin"),
)
Definition = tuple[str, str]  # file and name
Entry = tuple[str, str]  # module and name
_FAMILY_OF_READS = "reads"
_MOST_VERSIONS = 10  # of a solver's code whose sets of files are known
Sets = dict[str, list[tuple[str, ...]]]


@dataclass(frozen=True)
class Independence:
    """The code that a check and `solve` both reach.

    shared: functions that make it no second method; rules: functions that state the rules of the puzzle.
    """

    shared: tuple[str, ...]
    rules: tuple[str, ...]


def module_name(file: str) -> str:
    """The module of a file of the project, by its path."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _class_entry(record: str) -> Entry:
    module, _, name = record.partition(":")
    return module, name


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
        self._found: dict[str, CodeInputs] = {}
        self._names_bound: dict[str, dict[str, None]] = {}  # by module
        self._loadable: dict[str, Loadable] = {}
        self._project = ProjectModules(root, self._facts, self._is_file)
        self.reads = RecordedReads(store, lambda solver: self.whole(solver).key, self.digests)

    @cached_property
    def builder(self) -> str:
        """Digest of the builder: its version, those of its libraries, and the modules of a checkout."""
        own = [(name, each) for name, each in self._digests.items() if name.startswith("@")]
        modules = sorted((name, each) for name, each in own if not name.startswith(THEME))
        return digest(__version__, _own_libraries(self._stamp), modules)

    # The code of each task

    def describing(self, solver: str) -> CodeInputs:
        """The code and the docstrings that describe a solver."""
        return self._of(self._exposed(solver), reads_docs=True)

    def solving(self, solver: str) -> CodeInputs:
        """The code that computes a result from parameters."""
        return self._of([(f"solvers.{solver}", _SOLVE)])

    def showing(self, solver: str, records: Iterable[str] = ()) -> CodeInputs:
        """The code that makes the figures of a result.

        records: classes, as "solvers.<module>:<Class>", of which the result holds values.
        """
        entries = [*self._exposed(solver, _FIGURE), *map(_class_entry, records)]
        code = self._of(entries)
        if _MATPLOTLIB not in code.libraries:
            return self._with_code_of(self.kinds.values(), code)
        code = self._with_code_of(self.kinds.values(), self._of(entries, reads_docs=True))
        return replace(code, inputs={**code.inputs, "the builder": self.builder})  # which saves the pictures

    def checking(self, solver: str, records: Iterable[str] = ()) -> CodeInputs:
        """The code that checks a result. records: see `showing`."""
        entries = [*self._exposed(solver, _CHECK, *self._added), *map(_class_entry, records)]
        found = self._of(entries)
        found = self._of([*entries, (f"solvers.{solver}", _SOLVE)]) if _CASE in found.contract else found
        return self._with_extensions(solver, found)

    def whole(self, solver: str) -> CodeInputs:
        """The code of all that a solver exposes."""
        return self._with_extensions(solver, self._of(self._exposed(solver)))

    def independence(self, solver: str) -> dict[str, Independence]:
        """The code that `solve` shares with each of the checks of a solver, by the names of these."""
        reached = {each[1]: self._of([each]).definitions for each in self._exposed(solver, _CHECK, *self._added)}
        solving = self.solving(solver).definitions
        rules = {each for each in solving if self._kind(each) == "rules"}
        free = self._of((module_name(file), name) for file, name in rules).definitions
        return {name: self._independence(each & solving, rules, free) for name, each in reached.items()}

    def _independence(
        self, common: Collection[Definition], rules: Collection[Definition], free: Collection[Definition]
    ) -> Independence:
        shared = sorted(each[1] for each in common if each not in free and self._kind(each) == "code")
        return Independence(tuple(shared), tuple(sorted(each[1] for each in common if each in rules)))

    # Files

    def loadable(self, solver: str) -> Loadable:
        """The files and libraries that a worker needs of this solver; the same for the whole build."""
        if solver not in self._loadable:
            code = self.whole(solver)
            read = [name for name in self.reads.digests(solver) if not os.path.isabs(name)]
            data = self.digests(name for name in read if os.path.isfile(self._root / name))
            libraries = {name: version for name, version in code.libraries.items() if name != "Python"}
            owners = {**self._extensions_of(solver), **{f"figure {name}": each for name, each in self.kinds.items()}}
            extensions = {name: (each, self._extensions.digests[each]) for name, each in owners.items()}
            modules, more = self._extensions.needed({each for each, _ in extensions.values()}, self._root.resolve())
            files = self.digests(sorted({*code.files, *modules}))
            self._loadable[solver] = Loadable(files, data, libraries | more, extensions)
        return self._loadable[solver]

    def _with_extensions(self, solver: str, found: CodeInputs) -> CodeInputs:
        """The inputs of a solver with the extensions that read functions of it."""
        return self._with_code_of(self._extensions_of(solver).values(), found)

    def _with_code_of(self, owners: Iterable[str], found: CodeInputs) -> CodeInputs:
        """The inputs with the code of these extensions."""
        code = {f"the extension {owner}": self._extensions.code_digest(owner) for owner in sorted(set(owners))}
        return replace(found, inputs={**found.inputs, **code}) if code else found

    def _extensions_of(self, solver: str) -> dict[str, str]:
        """The extensions that read functions of a solver, by the names of these."""
        names = [name for _, name in self._exposed(solver, *self._added)] if self._added else []
        return {name: self._added[name] for name in names if name in self._added}

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

    def files(self, solver: str) -> Mapping[str, str]:
        """Digests of the project's modules that make up a solver."""
        return self.digests(sorted(self.whole(solver).files))

    def checked_code(self, solver: str) -> str:
        """Digest of the texts of the project's files that define what solves and what checks; the same everywhere."""
        definitions = self.solving(solver).definitions | self.checking(solver).definitions
        return digest(sorted(self.digests({file for file, _ in definitions}).items()))

    def unscanned(self) -> dict[str, tuple[Signature, str]]:
        """Files that were read and not scanned, each with its signature before and the digest of its bytes."""
        return {name: (before, each) for name, (before, each) in self._unscanned.items() if before}

    # What is found from names, and what the cache holds of it

    def _of(self, entries: Iterable[Entry], reads_docs: bool = False) -> CodeInputs:
        """The code behind these entries. reads_docs: docstrings count."""
        entries = sorted(set(entries))
        task = " ".join([f"{reads_docs:d}", *map(":".join, entries)])
        found = self._found.get(task) or self._cached(task)
        if found is None:
            code = code_inputs(self._project, entries, reads_docs)
            found = replace(code, inputs={**_FORM, **code.inputs})
            data = self._state(found).encode() + b"\n" + to_json(found)
            self._store.set_documents(_FAMILY, {task: data})
        self._found[task] = found
        return found

    def _cached(self, task: str) -> CodeInputs | None:
        state, _, data = (self._store.document(_FAMILY, task) or b"").partition(b"\n")
        with suppress(ValueError):  # another version of the builder wrote it
            found = from_json(CodeInputs, data)
            return found if state.decode() == self._state(found) else None
        return None

    def _state(self, found: CodeInputs) -> str:
        """Digest of all that the inputs were found from: names and bytes of modules, the libraries and the builder."""
        files = self.digests(sorted(found.files))
        return digest(self.builder, self._names, files, self._stamp)

    @cached_property
    def _names(self) -> str:
        """Digest of the names of files that may become modules."""
        apart = ("content/", "templates/", "@", "/")
        inside = [name for name in self._digests if not name.startswith(apart)]
        return digest(sorted(name for name in inside if name.startswith("solvers/") or name.endswith(".py")))

    def _exposed(self, solver: str, *kinds: str) -> list[Entry]:
        """The names of the contract that a solver binds. kinds: what they begin with; all without any."""
        found = self._project.find(f"solvers.{solver}")
        if found is None:
            return []
        bound = self._bound(found)
        single, several = (_SOLVE, _VALIDATE, *self._added), (_CHECK, _FIGURE)
        exposed = [name for name in bound if name in single or name.startswith(several)]
        exposed += [] if _SOLVE in bound else [_SOLVE]  # which makes the whole module count
        wanted = tuple(set(kinds) & set(several))
        return [(found.name, name) for name in exposed if not kinds or name in kinds or name.startswith(wanted)]

    def _bound(self, module: Module) -> dict[str, None]:
        """The names that a module binds, those that `from ... import *` brings from the project among them."""
        if module.name in self._names_bound:
            return self._names_bound[module.name]
        modules = {module.name: module}
        for each in (waiting := [module]):  # it grows
            stars = (self._project.find(row.module) for row in each.facts.imports if row.bound == "*")
            found = [star for star in stars if star and star.name not in modules]
            modules |= {star.name: star for star in found}
            waiting += found
        rows = [row.bound for each in waiting for row in each.facts.imports]
        names = [*(name for each in waiting for name in each.definitions), *rows]
        return self._names_bound.setdefault(module.name, dict.fromkeys(names))

    def _kind(self, definition: Definition) -> str:
        """The kind of a definition, "code" or "rules" where one of several of its name is."""
        file, name = definition
        module = self._project.find(module_name(file))
        kinds = {each.kind for each in module.definitions.get(name, ())} if module else set()
        return next((kind for kind in ("rules", "code") if kind in kinds), "value")

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
    """The record of the files that the solvers of a project have read.

    Args:
        code: gives the digest of a solver's present code.
        digests: gives the digests of files as they are in this build.
    """

    def __init__(
        self, store: Store, code: Callable[[str], str], digests: Callable[[Iterable[str]], dict[str, str]]
    ) -> None:
        self._store = store
        self._code = code
        self._digests = digests
        self._known: dict[str, tuple[bytes, Sets]] = {}

    def digests(self, solver: str) -> dict[str, str]:
        """Every file that the present code of a solver has read, with its digest."""
        sets = self._sets(solver).get(self._code(solver), ())
        return self._digests(sorted({name for names in sets for name in names}))

    def find(self, store: Store, kind: str, solver: str, keys: Collection[str]) -> dict[str, bytes]:
        """The entries of answers with these keys for which everything that was read is as it was."""
        found = store.get_many(kind, keys)
        for names in self._every_set(solver):
            if len(found) == len(keys):
                break
            digests = self._digests(names)
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
            now = self._digests(reads)
            for name in sorted(name for name in reads if reads[name] != now[name]):
                raise changed(name)

    def _note(self, solver: str, names: tuple[str, ...]) -> None:
        sets, code = self._sets(solver), self._code(solver)
        if names not in sets.get(code, ()):
            sets[code] = [*sets.pop(code, ()), names]
            for old in list(sets)[:-_MOST_VERSIONS]:
                del sets[old]
            self._store.set_documents(_FAMILY_OF_READS, {solver: json.dumps(sets).encode()})

    def _every_set(self, solver: str) -> Iterator[tuple[str, ...]]:
        """Each set of files once, those of the newest code first."""
        newest_first = [names for code in reversed(self._sets(solver)) for names in self._sets(solver)[code]]
        return iter(dict.fromkeys(newest_first))

    def _sets(self, solver: str) -> Sets:
        data = self._store.document(_FAMILY_OF_READS, solver) or b"{}"  # another build may have added to it
        if solver not in self._known or self._known[solver][0] != data:
            sets: Sets = {}
            with suppress(ValueError, TypeError, AttributeError):  # another version of the builder wrote it
                sets = {code: [tuple(names) for names in each] for code, each in json.loads(data).items()}
            self._known[solver] = data, sets
        return self._known[solver][1]


def _full_key(key: str, reads: Mapping[str, str]) -> str:
    return digest(key, sorted(reads.items()))


@lru_cache(1)
def _own_libraries(stamp: str) -> dict[str, str]:
    """The versions of the builder's libraries. stamp: of the environment, see `environment_stamp`."""
    known = installed()
    return {name: known[name].version for name in _LIBRARIES if name in known}
