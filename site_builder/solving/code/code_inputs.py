"""The code that a task depends on, as named inputs of its key.

Names are followed from the entries through a graph: functions, classes and assignments of the project, what these use,
and the imports that give names their meaning. Importing a module runs its statements, so they count too, with what they
reach. A module that is passed on as a value counts as a whole, and so does one whose names are looked up, as with
`eval`, `globals` or `__dict__`; code that imports modules by a call reaches the whole project, and counts with every
installed library.

Names do not show to what a pickled object refers, what a function of Python does to a table that an assignment gives it
(`x = list.append(TABLE, 1)`), or that a file beside solvers/ takes the place of a module of Python.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

from site_builder.solving.code.libraries import NOT_INSTALLED, environment_stamp, libraries_of
from site_builder.solving.code.module_facts import Definition, Import, Kind, ModuleFacts, module_facts
from site_builder.values.digest import digest

BUILDER = "site_builder"
LIBRARY = "library "
_LOOKS_UP = {"eval", "exec", "globals", "__dict__", "__getattribute__", "__globals__"}  # any name of a module
_IMPORTS_ANY = (
    *("__import__.", "exec.", "importlib.import_module.", "importlib.reload."),
    *("pkgutil.resolve_name.", "pydoc.locate.", "runpy.", "sys.modules."),
)
_OWN_NAMES = {"locals", "vars"}  # of the module in which they stand, but for functions
_KINDS: tuple[Kind, ...] = ("value", "record", "class", "function", "rules")  # the last of those that a name has counts
T = TypeVar("T")


class Name(NamedTuple):
    """A dotted name that is looked up in a module; "" for all of it.

    base: full name of what an import binds, of which it is read as an attribute.
    """

    module: str
    dotted: str
    base: str = ""


class Code(NamedTuple):
    """A definition in a module."""

    module: "Module"
    definition: Definition


class Imported(NamedTuple):
    """A module that is imported, or a name of one."""

    path: str


Node = Name | Code | Imported  # no two of which are equal


@dataclass(frozen=True, eq=False)
class Module:
    """A module of the project. shown: its path in the project; that of the folder when it has no __init__.py."""

    name: str
    shown: str
    is_package: bool
    facts: ModuleFacts

    @cached_property
    def definitions(self) -> Mapping[str, list[Definition]]:
        """Definitions by the names that they bind, each of which may have several."""
        return _by_name((name, each) for each in self.facts.definitions for name in each.bound)

    @cached_property
    def bound(self) -> Mapping[str, list[Import]]:
        """Imports by the names that they bind, those inside of functions too; "*" has those of all names."""
        return _by_name((row.bound, row) for each in self.facts.definitions for row in each.imports)


class ProjectModules:
    """The modules of the project in `root`, each as it is when it is first requested, and the graph of their names.

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
        self.find = cache(self._find)
        self.libraries_of = cache(libraries_of)  # of the environment as it is in one build
        self._next = cache(lambda node: tuple(self._edges(node)))

    def _find(self, name: str) -> Module | None:
        """The module of this name; None when the project has none, and for the builder's own."""
        path = name.replace(".", "/")
        if not name or name.partition(".")[0] == BUILDER:
            return None
        for shown, is_package in ((f"{path}/__init__.py", True), (f"{path}.py", False)):
            if self._is_file(shown):
                return Module(name, shown, is_package, self._read_facts(shown))
        has_modules = any((self._root / path).rglob("*.py"))  # a folder without __init__.py
        return Module(name, path, True, ModuleFacts()) if has_modules else None

    def reach(self, entries: Iterable[tuple[str, str]], is_run: bool = False) -> set[Node]:
        """All that entries reach by name, each a module and a name in it. is_run: what importing modules runs, too."""
        waiting: list[Node] = [Name(module, name) for module, name in entries]
        found: set[Node] = set()
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting += self._next(node)
                if is_run and isinstance(node, Imported) and (module := self.find(node.path)):
                    waiting += [Code(module, each) for each in module.facts.definitions if each.is_always_run]
        return found

    def definitions(self, entries: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Kind]:
        """The kinds of the definitions that entries reach by name, but for imports, by module and name."""
        codes = [node for node in self.reach(entries) if isinstance(node, Code) and node.definition.kind != "import"]
        codes.sort(key=lambda code: _KINDS.index(code.definition.kind))
        return {(code.module.name, name): code.definition.kind for code in codes for name in code.definition.bound}

    def names(self, name: str) -> list[str]:
        """The names that a module binds, those that `from ... import *` brings from the project among them."""
        waiting = [name]  # it grows
        found: dict[str, None] = {}
        for module in filter(None, map(self.find, waiting)):
            found |= dict.fromkeys([*module.definitions, *module.bound])
            waiting += [row.module for row in module.bound.get("*", ()) if row.module not in waiting]
        return [name for name in found if name != "*"]

    def contract(self, entries: Iterable[tuple[str, str]]) -> set[str]:
        """The names that entries take from the builder."""
        names = [node for node in self.reach(entries) if isinstance(node, Name)]
        return {part for node in names if node.module.startswith(BUILDER) for part in node.dotted.split(".")}

    def imports_any(self, name: Name) -> bool:
        """True for a function that imports modules by computed names."""
        path = name.dotted if self.find(name.module) else f"{name.module}.{name.dotted}"
        return f"{path}.".startswith(_IMPORTS_ANY)

    # Edges of the graph

    def _edges(self, node: Node) -> Iterator[Node]:
        if isinstance(node, Code):
            yield from self._used(node.module, node.definition)
        elif isinstance(node, Imported):
            yield from self._imports(node.path)
        else:
            if self.imports_any(node):
                yield from (Name(name, "") for name in self._inside(""))
            if module := self.find(node.module):
                yield Imported(module.name)
                yield from self._meanings(module, node.dotted) if node.dotted else self._whole(module)

    def _used(self, module: Module, used_by: Definition) -> Iterator[Node]:
        """The names and imports of a definition."""
        base = module.name if module.is_package else ""
        yield from (Imported(row.target) for row in used_by.imports)
        yield from (Name(module.name, name, base) for name in used_by.names)
        if used_by.is_always_run and _OWN_NAMES & {*used_by.names}:
            yield Name(module.name, "")

    def _imports(self, path: str) -> Iterator[Node]:
        """The packages that a module lies in, and the project's modules that it imports itself."""
        if parent := path.rpartition(".")[0]:
            yield Imported(parent)
        module = self.find(path)
        for each in module.facts.definitions if module else ():
            if each.kind == "import" or each.is_always_run:
                yield from (Imported(row.target) for row in each.imports if self.find(row.target.partition(".")[0]))

    def _meanings(self, module: Module, dotted: str) -> Iterator[Node]:
        """What a module may mean by a name: definitions, what imports bind to it, and a module in a package."""
        head, _, rest = dotted.partition(".")
        yield from (Code(module, each) for each in module.definitions.get(head, ()))
        yield from (Name(row.module, f"{row.name}.{rest}".strip("."), row.target) for row in module.bound.get(head, ()))
        for row in module.bound.get("*", ()):
            yield from (Name(row.module, "__all__"), Name(row.module, dotted, row.module))
        if head != "__getattr__":
            yield Name(module.name, "__getattr__")
        if module.is_package and self.find(inner := f"{module.name}.{head}"):
            yield Name(inner, rest, module.name)
        if _LOOKS_UP & {*dotted.split(".")}:
            yield Name(module.name, "")

    def _whole(self, module: Module) -> Iterator[Node]:
        """All names of a module, and the modules in it."""
        yield from (Name(module.name, name) for name in self.names(module.name))
        if module.is_package:
            yield from (Name(name, "") for name in self._inside(module.name))

    def _inside(self, package: str) -> list[str]:
        """All modules in a package, at any depth; for "" all in solvers/ and the files beside it."""
        paths = [*(self._root / (package or "solvers").replace(".", "/")).rglob("*.py")]
        paths += [] if package else self._root.glob("*.py")
        shown = (path.relative_to(self._root).with_suffix("").as_posix() for path in paths)
        return sorted(name.removesuffix("/__init__").replace("/", ".") for name in shown)


@dataclass(frozen=True)
class CodeInputs:
    """The code of a task.

    inputs: digests and versions by names such as "code of solve in solvers/dice.py" or "library numpy".
    definitions: those that the entries reach by name, as (file, name).
    modules: the project's modules that are imported, each with the path of its file, or of a folder without a file.
    """

    inputs: Mapping[str, str]
    definitions: frozenset[tuple[str, str]]
    modules: Mapping[str, str]

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

    Raises SiteError when a module is not valid Python.
    """
    entries = tuple(entries)
    reached = project.reach(entries, is_run=True)
    names = [node for node in reached if isinstance(node, Name)]
    imported = {node.path: project.find(node.path) for node in reached if isinstance(node, Imported)}
    modules = {name: module for name, module in sorted(imported.items()) if module}
    tops = {name.partition(".")[0] for name in (*imported, *(node.module for node in names))}
    inputs = {"Python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    for top in tops - sys.stdlib_module_names - modules.keys() - {BUILDER}:
        inputs |= {f"{LIBRARY}{name}": version for name, version in project.libraries_of(top).items()}
    if any(map(project.imports_any, names)):
        inputs["installed libraries"] = environment_stamp()
    read = _by_name((node.base, f"{node.module}.{node.dotted}.".replace("..", ".")) for node in names)
    reads_docs |= any(isinstance(node, Code) and "__doc__" in node.definition.names for node in reached)
    for module in modules.values():
        own = [each for each in module.facts.definitions if Code(module, each) in reached or _adds_to(read, each)]
        inputs |= _inputs_of(module.shown, [(each, each.documented if reads_docs else each.digest) for each in own])
    return CodeInputs(
        inputs=dict(sorted(inputs.items())),
        definitions=frozenset((modules[module].shown, name) for module, name in project.definitions(entries)),
        modules={name: module.shown for name, module in modules.items()},
    )


def _adds_to(read: Mapping[str, list[str]], each: Definition) -> bool:
    """True for an import that changes what others read: `import a.b` makes b an attribute of a everywhere.

    read: full names of attributes, each with a dot behind it, by what they are read of.
    """
    if each.kind != "import":
        return False
    paths = {path for row in each.imports for path in (row.module, row.target)}
    pairs = ((path, end) for path in paths for end, letter in enumerate(path) if letter == ".")
    names = ((f"{path}.", name) for path, end in pairs for name in read.get(path[:end], ()))
    return any(path.startswith(name) or name.startswith(path) for path, name in names)


def _inputs_of(shown: str, reached: Iterable[tuple[Definition, str]]) -> dict[str, str]:
    """The inputs that a module adds. reached: definitions with their digests, "" for one that does not count.

    Where importing it runs something or binds a name twice, the order of what is reached counts too.
    """
    codes = [(each, code, ", ".join(each.bound)) for each, code in reached if code]
    kinds = {True: "import", False: "code"}
    found = _by_name(
        (f"{kinds[each.kind == 'import']} of {bound} in {shown}", code) for each, code, bound in codes if bound
    )
    names = [name for each, _, _ in codes for name in each.bound]
    if len({*names}) < len(names) or any(each.is_always_run for each, _, _ in codes):
        found[f"statements of {shown}"] = [bound or code for _, code, bound in codes]
    return {name: digest(each) for name, each in found.items()}


def _by_name(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """What stands under each name, in its order."""
    found: dict[str, list[T]] = {}
    for name, each in pairs:
        found.setdefault(name, []).append(each)
    return found
