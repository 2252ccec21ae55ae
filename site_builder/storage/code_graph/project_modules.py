"""The code of a project: the modules in its folder and the builder's own, found by name, with the facts of each."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from site_builder.storage.code_graph.definitions import Facts, Import, Part, facts_of
from site_builder.storage.code_graph.libraries import is_standard, provided_by
from site_builder.values.digest import bytes_digest

_BUILDER = "site_builder"
_SOLVERS = "solvers"
_DOOR = "build.py"  # of the builder, no solver's
_COMPILED = (".so", ".pyd", ".pyc")


@dataclass(frozen=True)
class Module:
    """A module of the project. path: its file, None for a folder without __init__.py. shown: its path for messages.

    compiled: files of the same name that Python would load instead. is_package: whether it can hold other modules.
    """

    name: str
    path: Path | None
    shown: str
    folder: Path
    compiled: tuple[Path, ...]
    is_package: bool
    facts: Facts

    @property
    def is_builders(self) -> bool:
        """Whether it belongs to the builder and not to an author."""
        return self.name.partition(".")[0] == _BUILDER

    @cached_property
    def parts(self) -> Mapping[str, Part]:
        """The definitions by name; "" is what the module does when it is imported."""
        return {part.name: part for part in self.facts.parts}

    @cached_property
    def bound(self) -> Mapping[str, tuple[Import, ...]]:
        """What names of the module are imported, each with every place it may come from."""
        found: dict[str, tuple[Import, ...]] = {}
        for row in self.facts.imports:
            found[row.bound] = (*found.get(row.bound, ()), row)
        return found

    def absolute(self, row: Import) -> str:
        """The dotted name of the module that an import of this module names."""
        if not row.level:
            return row.module
        package = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        package = package[: len(package) - row.level + 1]
        return ".".join([*package, row.module] if row.module else package)


class Code:
    """The project in `root`, as it is when first read: make a new one when files have changed.

    Functions in place of the file system: facts of a file, digest of its bytes, names of a folder's entries (or None).
    """

    def __init__(
        self,
        root: Path,
        facts: Callable[[Path], Facts] | None = None,
        content_hash: Callable[[Path], str] | None = None,
        entries: Callable[[Path], Iterable[str] | None] = lambda folder: None,
    ) -> None:
        self.root = Path(os.path.abspath(root))
        self._builder = Path(__file__).resolve().parents[2]
        self._facts = facts or (lambda path: facts_of(path.read_bytes()))
        self.content_hash = content_hash or (lambda path: bytes_digest(path.read_bytes()))
        self._known_entries = entries
        self._modules: dict[str, Module | None] = {}
        self._folders: dict[Path, frozenset[str]] = {}

    def find(self, name: str) -> Module | None:
        """The module of this name, or None when the project has none."""
        if name not in self._modules:
            self._modules[name] = self._found(name) if name else None
        return self._modules[name]

    def all_of(self, package: str) -> list[Module]:
        """The module of this name and all that lie in it, at any depth, in the order of their names."""
        module = self.find(package)
        found = [] if module is None else [module]
        if module is not None and module.is_package:
            for entry in sorted({entry.partition(".")[0] for entry in self._entries(module.folder)}):
                if entry.isidentifier() and entry not in ("__init__", "__pycache__"):
                    found += self.all_of(f"{package}.{entry}")
        return found

    def beside_solvers(self) -> list[Module]:
        """The modules that lie in the project's own folder, as single files."""
        names = sorted(entry[:-3] for entry in self._entries(self.root) if entry.endswith(".py") and entry != _DOOR)
        return [module for module in map(self.find, names) if module is not None]

    @cached_property
    def hides_python(self) -> bool:
        """Whether a module in the project's own folder takes the place of one of Python's."""
        entries = self._entries(self.root)
        return any(
            is_standard(entry.removesuffix(".py"))
            and (entry.endswith(".py") or "__init__.py" in self._entries(self.root / entry))
            for entry in entries
        )

    def path(self, shown: str) -> Path:
        """Where a file lies that a Reach names."""
        inside = self._builder.parent if shown.startswith(f"{_BUILDER}/") else self.root
        return inside / shown

    def shown(self, path: Path) -> str:
        """A file of the project or the builder, as authors know it."""
        inside = self._builder.parent if path.is_relative_to(self._builder) else self.root
        return path.relative_to(inside).as_posix()

    def _found(self, name: str) -> Module | None:
        parent, _, last = name.rpartition(".")
        if not parent:
            return self._top(name)
        package = self.find(parent)
        return self._in_folder(name, package.folder, last) if package is not None and package.is_package else None

    def _top(self, name: str) -> Module | None:
        if name == _BUILDER:
            return self._in_folder(name, self._builder.parent, _BUILDER)
        module = self._in_folder(name, self.root, name)
        is_only_a_folder = module is not None and module.path is None and not module.compiled
        if is_only_a_folder and name != _SOLVERS and (is_standard(name) or provided_by(name)):
            return None  # what is installed comes before a folder without __init__.py
        return module

    def _in_folder(self, name: str, folder: Path, last: str) -> Module | None:
        entries = self._entries(folder)
        inner = self._entries(folder / last) if last in entries else frozenset()
        if _holds(inner, "__init__"):
            return self._module(name, folder / last, "__init__", inner, is_package=True)
        if _holds(entries, last):
            return self._module(name, folder, last, entries, is_package=False)
        if inner:
            return Module(name, None, self.shown(folder / last), folder / last, (), True, Facts(""))
        return None

    def _module(self, name: str, folder: Path, stem: str, entries: frozenset[str], is_package: bool) -> Module:
        path = folder / f"{stem}.py" if f"{stem}.py" in entries else None
        compiled = [folder / entry for entry in sorted(entries) if _is_compiled(entry, stem)]
        shown = self.shown(path or compiled[0])
        facts = self._facts(path) if path else Facts("")
        return Module(name, path, shown, folder, tuple(compiled), is_package, facts)

    def _entries(self, folder: Path) -> frozenset[str]:
        if folder not in self._folders:
            try:
                known = self._known_entries(folder)
                self._folders[folder] = frozenset(os.listdir(folder) if known is None else known)
            except OSError:  # a file, or nothing
                self._folders[folder] = frozenset()
        return self._folders[folder]


def _holds(entries: frozenset[str], stem: str) -> bool:
    return f"{stem}.py" in entries or any(_is_compiled(entry, stem) for entry in entries)


def _is_compiled(entry: str, stem: str) -> bool:
    return entry.endswith(_COMPILED) and entry.partition(".")[0] == stem
