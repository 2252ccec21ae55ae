"""The code that a task depends on, as named inputs of its key.

Names are followed from the entries: functions, classes and assignments of the project, what these use, and the imports
that give names their meaning. Importing a module runs its statements, so they count too, with what they reach. A module
that is passed on as a value counts as a whole, and so does one whose names are looked up, as with `eval`, `globals` or
`__dict__`; code that imports modules by a call reaches the whole project, and counts with every installed library.

Names do not show what a call in an assignment adds to a table of another name, to what a pickled object refers, or that
a file beside solvers/ takes the place of a module of Python.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from site_builder.solving.code.libraries import NOT_INSTALLED, environment_stamp, libraries_of
from site_builder.solving.code.module_facts import Definition, Import, ModuleFacts, module_facts
from site_builder.values.digest import digest

BUILDER = "site_builder"
LIBRARY = "library "
_SOLVERS = "solvers"
_LOOKS_UP = ("eval", "exec", "globals")
_LOOKS_UP_AT_TOP = ("locals", "vars")  # in a function they have its own names
_HAS_NAMES = {"__dict__", "__getattribute__", "__globals__"}  # attributes by which any name of a module can be found
_IMPORTS_ANY = (
    *("builtins.__import__", "builtins.exec", "importlib.import_module", "importlib.reload"),
    *("pkgutil.resolve_name", "pydoc.locate", "runpy.", "sys.modules"),
)


@dataclass(frozen=True)
class Module:
    """A module of the project. shown: its path in the project; that of the folder when it has no __init__.py."""

    name: str
    shown: str
    is_package: bool
    facts: ModuleFacts

    @cached_property
    def definitions(self) -> dict[str, list[Definition]]:
        """Definitions by name, each of which may have several; "" has the statements."""
        names = dict.fromkeys(each.name for each in self.facts.definitions)
        return {name: [each for each in self.facts.definitions if each.name == name] for name in names}

    @cached_property
    def bound(self) -> dict[str, list[Import]]:
        """Imports by the names that they bind, those inside of functions too; "*" has those of all names."""
        rows = [row for each in self.facts.definitions for row in each.imports]
        return {name: [row for row in rows if row.bound == name] for name in dict.fromkeys(row.bound for row in rows)}

    @property
    def imports(self) -> Iterator[Import]:
        """Those that run when the module is imported."""
        is_run = (each for each in self.facts.definitions if each.kind == "import" or each.is_always_run)
        return (row for each in is_run for row in each.imports)


class ProjectModules:
    """The modules of the project in `root`, each as it is when it is first requested.

    read_facts: gives the facts of a file by its path in the project, as from a cache. is_file: says whether there is a
    file, as a scan has found it.
    """

    def __init__(
        self,
        root: Path,
        read_facts: Callable[[str], ModuleFacts] | None = None,
        is_file: Callable[[str], bool] | None = None,
    ) -> None:
        self._root = root
        self._is_file = is_file or (lambda shown: (root / shown).is_file())
        self._read_facts = read_facts or (lambda shown: module_facts((root / shown).read_bytes(), shown))
        self._found: dict[str, Module | None] = {}
        self.libraries_of = cache(libraries_of)  # of the environment as it is in one build

    def find(self, name: str) -> Module | None:
        """The module of this name; None when the project has none, and for the builder's own."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> Module | None:
        path = name.replace(".", "/")
        if not name or name.partition(".")[0] == BUILDER:
            return None
        for shown, is_package in ((f"{path}/__init__.py", True), (f"{path}.py", False)):
            if self._is_file(shown):
                return Module(name, shown, is_package, self._read_facts(shown))
        has_modules = any((self._root / path).rglob("*.py"))  # a folder without __init__.py
        return Module(name, path, True, ModuleFacts()) if has_modules else None

    def inside(self, package: str) -> list[Module]:
        """All modules in a package, at any depth; for "" all in solvers/ and the files beside it."""
        paths = list((self._root / (package or _SOLVERS).replace(".", "/")).rglob("*.py"))
        paths += [] if package else self._root.glob("*.py")
        shown = sorted(path.relative_to(self._root).with_suffix("").as_posix() for path in paths)
        found = [self.find(name.removesuffix("/__init__").replace("/", ".")) for name in shown]
        return [module for module in found if module is not None]


@dataclass(frozen=True)
class CodeInputs:
    """The code of a task.

    inputs: digests and versions by names such as "code of solve in solvers/dice.py" or "library numpy".
    definitions: those that the entries reach by name, as (file, name).
    modules: the project's modules that are imported, each with the path of its file, or of a folder without a file.
    contract: the names that they take from the builder.
    """

    inputs: Mapping[str, str]
    definitions: frozenset[tuple[str, str]]
    modules: Mapping[str, str]
    contract: frozenset[str]

    @cached_property
    def key(self) -> str:
        """Digest of the inputs."""
        return digest(sorted(self.inputs.items()))

    @cached_property
    def files(self) -> frozenset[str]:
        """Paths of the project's modules."""
        return frozenset(path for path in self.modules.values() if path.endswith(".py"))

    @cached_property
    def libraries(self) -> dict[str, str]:
        """Versions of Python and of the installed libraries that are imported."""
        found = {name.removeprefix(LIBRARY): each for name, each in self.inputs.items() if name.startswith(LIBRARY)}
        return {"Python": self.inputs["Python"]} | {n: each for n, each in found.items() if each != NOT_INSTALLED}


def code_inputs(project: ProjectModules, entries: Iterable[tuple[str, str]], reads_docs: bool = False) -> CodeInputs:
    """The code behind entries, each a module and a name in it, "" for all. reads_docs: docstrings count, read or not.

    Raises SiteError when a module is not valid Python, and LookupError when the project has no module of an entry.
    """
    walk = _Walk(project, reads_docs)
    for module, name in entries:
        if project.find(module) is None:
            raise LookupError(f"the project has no module {module}")
        walk.attribute(module, name)
    definitions = frozenset(walk.definitions())
    walk.run_statements()
    inputs = {"Python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    for library in sorted(walk.libraries):
        inputs |= {f"{LIBRARY}{name}": version for name, version in project.libraries_of(library).items()}
    if walk.imports_any:
        inputs["installed libraries"] = environment_stamp()
    for each in walk.modules.values():
        inputs |= walk.inputs_of(each)
    modules = {name: walk.modules[name].shown for name in sorted(walk.modules)}
    return CodeInputs(dict(sorted(inputs.items())), definitions, modules, frozenset(walk.contract))


class _Walk:
    """Follows names through a project.

    modules: those that are imported. libraries: top-level modules from outside. imports_any: something is imported by a
    call. contract: names that are taken from the builder.
    """

    def __init__(self, project: ProjectModules, reads_docs: bool = False) -> None:
        self.modules: dict[str, Module] = {}
        self.libraries: set[str] = set()
        self.imports_any = False
        self.contract: set[str] = set()
        self._project = project
        self._reads_docs = reads_docs
        self._reached: set[tuple[str, str]] = set()  # definitions, as (module, name); "" for the statements of a module
        self._followed: set[tuple[str, str]] = set()  # dotted names, each with the module in which it is looked up
        self._read: set[tuple[str, str]] = set()  # what an import binds, and the attribute of it that is read
        self._waiting: list[tuple[Module, Definition]] = []
        self._statements: list[tuple[Module, str]] = []

    def attribute(self, name: str, dotted: str) -> None:
        """Reach what a dotted name means in a module, and all that it uses; all of the module without one."""
        self._attribute(name, dotted)
        self._follow()

    def run_statements(self) -> None:
        """Reach what importing the modules runs, and all that it uses."""
        while self._statements:
            self._reach(*self._statements.pop())
            self._follow()

    def definitions(self) -> Iterator[tuple[str, str]]:
        """The definitions that are reached, as (file, name), but for imports."""
        for name, reached in self._reached:
            module = self.modules[name]
            if reached and any(each.kind != "import" for each in module.definitions[reached]):
                yield module.shown, reached

    def inputs_of(self, module: Module) -> dict[str, str]:
        """The inputs that a module adds.

        Where importing it runs something or binds a name twice, the order of what is reached counts too.
        """
        names = {
            name for name in module.definitions if (module.name, name) in self._reached or self._may_add(module, name)
        }
        reached = [each for each in module.facts.definitions if each.name in names]
        digests = {_words(name, module): [each.digest for each in module.definitions[name]] for name in names if name}
        if any(each.is_always_run for each in reached) or len(reached) > len(names):
            digests[f"statements of {module.shown}"] = [each.name or each.digest for each in reached]
        if self._reads_docs:
            digests[f"docstrings of {module.shown}"] = [module.facts.docs, *(each.docs for each in reached)]
        return {name: digest(parts) for name, parts in digests.items()}

    def _may_add(self, module: Module, name: str) -> bool:
        """True when an import of a name changes what others mean: `import a.b` makes b an attribute of a everywhere."""
        rows = [row for each in module.definitions[name] if each.kind == "import" for row in each.imports]
        paths = [f"{path}." for row in rows for path in (row.inner or row.module, row.target)]
        read = [(path, name) for path in paths for base, name in self._read if path.startswith(base) and path != base]
        return any(name.startswith(path) or path.startswith(name) for path, name in read)

    def _follow(self) -> None:
        while self._waiting:
            module, definition = self._waiting.pop()
            self._reads_docs |= "__doc__" in definition.names
            for row in definition.imports:
                if not self._import(row):
                    self._outside(row.module, "")
            for name in definition.names:
                self._attribute(module.name, name)
                self._outside("builtins", name)
                if name in _LOOKS_UP or (name in _LOOKS_UP_AT_TOP and definition.kind == "value"):
                    self._attribute(module.name, "")

    def _reach(self, module: Module, name: str) -> None:
        if name in module.definitions and (module.name, name) not in self._reached:
            self._reached.add((module.name, name))
            self._waiting += [(module, each) for each in module.definitions[name]]

    def _load(self, name: str) -> Module | None:
        """Import a module with the packages that it lies in; None when it is not the project's."""
        module = self._project.find(name)
        if module is not None and name not in self.modules:
            self.modules[name] = module
            self._load(name.rpartition(".")[0])
            self._statements += [(module, each.name) for each in module.facts.definitions if each.is_always_run]
            for row in module.imports:
                self._import(row)
        return module

    def _import(self, row: Import) -> bool:
        """Run an import; False when it imports nothing of the project."""
        names = (row.inner, f"{row.module}.{row.name}" if row.name else "", row.module)
        return any(self._load(name) is not None for name in names if name)

    def _attribute(self, name: str, dotted: str) -> None:
        """Reach what a dotted name means in a module; all of the module without one."""
        module = self._load(name)
        if module is None:
            self._outside(name, dotted)
        elif (name, dotted) not in self._followed:
            self._followed.add((name, dotted))
            if dotted:
                self._name(module, dotted)
            else:
                self._whole(module)

    def _name(self, module: Module, dotted: str) -> None:
        """Reach what a module may mean by a name: definitions, what imports bind to it, and a module in a package."""
        head, _, rest = dotted.partition(".")
        self._reach(module, head)
        self._attribute(module.name, "__getattr__")
        if _HAS_NAMES & {*dotted.split(".")}:
            self._attribute(module.name, "")
        for row in module.bound.get(head, ()):
            self._read_from(row.target, rest)
            self._attribute(row.module, f"{row.name}.{rest}".strip("."))
        for row in module.bound.get("*", ()):
            self._read_from(row.module, dotted)
            self._attribute(row.module, "__all__")
            self._attribute(row.module, dotted)
        if module.is_package:
            self._read_from(module.name, dotted)
            if inner := self._project.find(f"{module.name}.{head}"):
                self._attribute(inner.name, rest)

    def _whole(self, module: Module) -> None:
        """Reach all of a module, and of the modules in it."""
        for each in self._project.inside(module.name) if module.is_package else [module]:
            self._load(each.name)
            for name in {*each.definitions, *each.bound} - {"", "*"}:
                self._attribute(each.name, name)

    def _read_from(self, base: str, dotted: str) -> None:
        """Note that a dotted attribute of a module is read, or the module itself without one."""
        self._read.add((f"{base}.", f"{base}.{dotted}.".replace("..", ".")))

    def _outside(self, name: str, attribute: str) -> None:
        """Reach a module that is not the project's, or is not there."""
        top = name.partition(".")[0]
        if f"{name}.{attribute}".startswith(_IMPORTS_ANY):
            self.imports_any = True
            for module in self._project.inside(""):
                self._attribute(module.name, "")
        if top == BUILDER:
            self.contract.add(attribute.partition(".")[0])
        elif top not in sys.stdlib_module_names and not self._project.find(top):
            self.libraries.add(top)


def _words(name: str, module: Module) -> str:
    is_import = all(each.kind == "import" for each in module.definitions[name])
    return f"{'import' if is_import else 'code'} of {name} in {module.shown}"
