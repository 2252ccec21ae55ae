"""The modules of a project by their dotted names: those in solvers/, and all beside it that can be imported."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from site_builder.solving.code.module_facts import Definition, Import, ModuleFacts, module_facts

BUILDER = "site_builder"
_SOLVERS = "solvers"


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

    def absolute(self, row: Import) -> str:
        """The full name of the module that an import of this module names."""
        if not row.level:
            return row.module
        package = self.name.split(".") if self.is_package else self.name.split(".")[:-1]
        parents = package[: len(package) - row.level + 1]
        return ".".join([*parents, row.module] if row.module else parents)


class ProjectModules:
    """The modules of the project in `root`, each as it is when it is first requested.

    read_facts: gives the facts of a file by its path in the project, as from a cache.
    is_file: says whether there is a file, as a scan has found it.
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
