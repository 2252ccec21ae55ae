"""All code that a function can reach: a walk from name to name through the code of a project."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from site_builder.errors import Place, SiteError, raise_all
from site_builder.storage.code_graph.definitions import DOCSTRINGS, EVERYTHING, OWN_MODULE, Import, Part
from site_builder.storage.code_graph.libraries import is_standard, provided_by, python_version, versions
from site_builder.storage.code_graph.project_modules import Code, Module
from site_builder.values.digest import digest

# With these, code finds other code that it does not name.
_LOOKING_UP = (
    "_pickle builtins cffi cloudpickle code codeop copyreg ctypes dill imp importlib joblib marshal pickle pkgutil "
    "pyximport runpy shelve subprocess zipimport dis doctest gc inspect linecache pdb pydoc symtable tokenize trace "
    "traceback tracemalloc unittest sys._current_frames sys._getframe sys.meta_path sys.modules sys.path "
    "sys.path_hooks sys.setprofile sys.settrace os.popen os.posix_spawn os.system"
)
_DOUBTFUL = frozenset(_LOOKING_UP.split()) | {
    f"os.{verb}{how}" for verb in ("exec", "spawn") for how in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")
}
_HARMLESS = frozenset(("__file__", "__name__", "__package__", "__doc__", "__version__"))
_OWN = ("solvers", "site_builder")
INSTALLED_FILES = "files of "
_FILES = ("data file ", INSTALLED_FILES)


@dataclass(frozen=True)
class ReachedCode:
    """All code that some entry points can reach.

    key: digest of the ingredients. ingredients: digests and versions by what they are of, in words and sorted. modules:
    the project's modules that may be imported. files: those in which this was found; the answer stays the same while
    these, the data files and the environment do (see `environment_stamp`), and no file is added to or removed from
    solvers/ or the folder beside it. data: the declared data files. Paths are those of `Code.path`. imports: the
    top-level modules from outside of the project, whose code is among the ingredients of a solver.
    """

    key: str
    ingredients: Mapping[str, str]
    modules: frozenset[str]
    files: frozenset[str]
    data: frozenset[str]
    imports: frozenset[str] = frozenset()

    @property
    def libraries(self) -> dict[str, str]:
        """The versions of Python and of the libraries that it uses."""
        found = sorted(self.ingredients.items())
        return {name: version for name, version in found if not name.startswith(_FILES) and name[-1] != ")"}


def reach(
    project: Code, entries: Iterable[tuple[str, str]], installed: Callable[[str], str] | None = None
) -> ReachedCode:
    """What the named definitions, as (module, name), can reach.

    installed: digest of the code that is installed behind a top-level module; without it versions alone count.

    Raises SiteError when a reached module's DATA is no literal tuple of strings or names a file that is not there;
    LookupError when the project has no such module.
    """
    walk = _Walk(project)
    for module, name in entries:
        walk.enter(module, name)
    return walk.answer(installed)


class _Walk:
    def __init__(self, project: Code) -> None:
        self._project = project
        self._loaded: dict[str, Module] = {}
        self._reached: dict[str, set[str]] = {}
        self._used: dict[str, set[Import]] = {}
        self._imported: dict[str, list[list[str]]] = {}
        self._ordered: set[str] = set()
        self._libraries: set[str] = set()
        self._named: set[tuple[str, tuple[str, ...], bool]] = set()
        self._everything = False
        self._docstrings = False
        self._waiting: list[tuple[Module, Part]] = []

    def enter(self, module: str, name: str) -> None:
        found = self._load(module)
        if found is None:
            raise LookupError(f"the project has no module {module}")
        self._attribute(found, [name])
        if name not in found.parts and name not in found.bound:
            self._whole(found)
        while self._waiting:
            self._follow_part(*self._waiting.pop())

    # What is reached

    def _load(self, name: str) -> Module | None:
        """The module, which is imported now with the packages it lies in; None when it is not the project's."""
        if name in self._loaded:
            return self._loaded[name]
        module = self._project.find(name)
        if module is None:
            return None
        self._loaded[name] = module
        self._reached[name] = set()
        self._used[name] = set()
        parent = name.rpartition(".")[0]
        if parent:
            self._load(parent)
        elif name not in _OWN and provided_by(name):  # which one is imported depends on the order
            self._libraries.add(name)
        self._imported[name] = [self._import(module, row) for row in module.facts.imports]
        for part in module.facts.parts:
            if not part.name or self._project.hides_python:
                self._part(module, part.name)
        for step in module.facts.steps:
            if step.kind == "make":
                self._part(module, step.what)
        return module

    def _import(self, module: Module, row: Import) -> list[str]:
        """Run an import; the modules of the project that it imports."""
        names = module.absolute(row).split(".")
        if row.name not in ("", ".", "*"):
            names.append(row.name)
        dotted = [".".join(names[: i + 1]) for i in range(len(names))]
        loaded = [name for name in dotted if self._load(name)]
        if not loaded:
            self._library(names[0])
        if row.name == "*":
            self._target(module, row, [])
        return loaded

    def _part(self, module: Module, name: str) -> None:
        if name in module.parts and name not in self._reached[module.name]:
            self._reached[module.name].add(name)
            self._waiting.append((module, module.parts[name]))

    def _whole(self, module: Module) -> None:
        """All that the module holds, and the modules that lie in it: somebody has it in hand."""
        for each in self._project.all_of(module.name) if module.is_package else [module]:
            if each.name in self._ordered:
                continue
            self._ordered.add(each.name)
            self._load(each.name)
            for name in each.parts:
                self._part(each, name)
            for rows in each.bound.values():
                for row in rows:
                    self._binding(each, row, [])

    def _doubt_everything(self) -> None:
        if not self._everything:
            self._everything = True
            for name in ("solvers", "site_builder.contract"):
                if module := self._load(name):
                    self._whole(module)
            for module in self._project.beside_solvers():
                self._load(module.name)
                self._whole(module)

    # What a name means

    def _follow_part(self, module: Module, part: Part) -> None:
        local: dict[str, list[Import]] = {}
        for row in part.imports:
            self._import(module, row)
            local.setdefault(row.bound, []).append(row)
        for use in part.uses:
            names = use.split(".")
            for row in local.get(names[0], ()):
                self._target(module, row, names[1:])
            self._name(module, names, own=True)
        for dotted in part.modules:
            self._spoken(dotted)
        if DOCSTRINGS in part.doubts:
            self._docstrings = True
        if OWN_MODULE in part.doubts:
            self._whole(module)
        if EVERYTHING in part.doubts and not module.is_builders:
            self._doubt_everything()

    def _name(self, module: Module, names: Sequence[str], own: bool) -> None:
        """A name of the module with attributes; own: used in the module itself, not in another."""
        key = (module.name, tuple(names), own)
        if key in self._named:
            return
        self._named.add(key)
        self._part(module, names[0])
        for row in module.bound.get(names[0], ()):
            self._binding(module, row, names[1:])
        inner = f"{module.name}.{names[0]}"
        if module.is_package and not (own and names[0] in module.bound) and self._project.find(inner):
            rows = module.bound.get(names[0], ())
            if [(module.absolute(row), row.name) for row in rows] != [(inner, names[0])]:  # else it hides its module
                self._module(module, inner, names[1:])

    def _binding(self, module: Module, row: Import, rest: Sequence[str]) -> None:
        self._used[module.name].add(row)
        self._target(module, row, rest)

    def _target(self, module: Module, row: Import, rest: Sequence[str]) -> None:
        target = module.absolute(row)
        if row.name == "":
            self._module(module, target, rest)
        elif row.name == ".":
            self._module(module, target.partition(".")[0], rest)
        elif row.name == "*":
            self._module(module, target, [])
        else:
            self._module(module, target, [row.name, *rest])

    def _module(self, user: Module, name: str, rest: Sequence[str]) -> None:
        """A module, or an attribute of it, that is named in another."""
        found = self._load(name)
        if found is None:
            self._library(name.partition(".")[0])
            if _is_doubtful([*name.split("."), *rest]) and not user.is_builders:
                self._doubt_everything()
        elif rest:
            self._attribute(found, rest)
        else:
            self._whole(found)

    def _library(self, name: str) -> None:
        if not is_standard(name) and self._project.find(name) is None:
            self._libraries.add(name)

    def _attribute(self, module: Module, names: Sequence[str]) -> None:
        """An attribute of a module that is named elsewhere."""
        self._name(module, names, own=False)
        if names[0].startswith("__") and names[0] not in module.parts and names[0] not in _HARMLESS:
            self._whole(module)

    def _spoken(self, dotted: str) -> None:
        """A dotted name in a string, which something may import."""
        while dotted and not self._project.find(dotted):
            dotted = dotted.rpartition(".")[0]
        if found := self._load(dotted) if "." in dotted else None:
            self._whole(found)

    # The answer

    def answer(self, installed: Callable[[str], str] | None) -> ReachedCode:
        modules = [self._loaded[name] for name in sorted(self._loaded)]
        data = self._data(modules)
        noisy = self._noisy(modules)
        ingredients = {f"data file {self._project.shown(path)}": self._project.content_hash(path) for path in data}
        for module in modules:
            ingredients |= {f"{module.shown} ({what})": value for what, value in self._of(module, noisy)}
            for file in module.compiled:
                ingredients[f"{self._project.shown(file)} (bytes)"] = self._project.content_hash(file)
        imports = sorted(self._libraries) if installed else []
        ingredients |= {f"{INSTALLED_FILES}{name}": installed(name) for name in imports if installed}
        ingredients = dict(sorted((ingredients | versions(self._libraries) | {"Python": python_version()}).items()))
        return ReachedCode(
            digest(ingredients),
            ingredients,
            frozenset(self._loaded),
            frozenset(self._project.shown(file) for m in modules for file in (m.path, *m.compiled) if file),
            frozenset(self._project.shown(path) for path in data),
            frozenset(imports),
        )

    def _of(self, module: Module, noisy: set[str]) -> Iterator[tuple[str, str]]:
        """The ingredients that one module adds."""
        facts = module.facts
        if facts.fault or (self._everything and facts.text and not module.is_builders):
            yield "text", facts.text
        parts = [module.parts[name] for name in sorted(self._reached[module.name])]
        for part in parts:
            if part.name:
                yield f"{part.kind} {part.name}", part.shape
        if steps := self._steps(module, noisy):
            yield "module level", digest(steps)
        used = self._used[module.name] | {row for row in facts.imports if row.module == "__future__"}
        if used:
            yield "imports", digest([row for row in facts.imports if row in used])
        if module.name in self._ordered:
            yield "order", facts.order
        docs = [facts.docs, *(part.docs for part in parts)]
        if self._docstrings and any(docs):
            yield "docstrings", digest(docs)

    def _steps(self, module: Module, noisy: set[str]) -> list[str]:
        """What importing the module does that others may notice, in order; importing a quiet module is nothing."""
        steps: list[str] = []
        for step in module.facts.steps:
            if step.kind == "import":
                loaded = self._imported[module.name][int(step.what)]
                steps += [each for name in loaded if name in noisy and (each := f"import {name}") not in steps]
            else:
                steps.append(f"{step.kind} {step.what}")
        return steps

    def _noisy(self, modules: Sequence[Module]) -> set[str]:
        """The modules whose import does something that others may notice."""
        noisy = {m.name for m in modules if m.compiled or any(step.kind != "import" for step in m.facts.steps)}
        users: dict[str, set[str]] = {}
        for name, imports in self._imported.items():
            for each in {each for loaded in imports for each in loaded}:
                users.setdefault(each, set()).add(name)
        waiting = list(noisy)
        while waiting:
            new = users.get(waiting.pop(), set()) - noisy
            noisy |= new
            waiting += new
        return noisy

    def _data(self, modules: Sequence[Module]) -> list[Path]:
        found, errors = [], []
        for module in modules:
            place = Place(module.shown, module.facts.data_line)
            if module.is_builders or not place.line:
                continue
            if module.facts.data_fault:
                cure = 'write the names of the files beside it, such as DATA = ("words.txt",)'
                errors.append(SiteError(place, "DATA must be a tuple of strings, written out", cure))
            for name in module.facts.data:
                path = Path(os.path.normpath(module.folder / name))
                if not path.is_relative_to(self._project.root):
                    cure = "put the file beside the solver"
                    errors.append(SiteError(place, f"DATA names {name!r}, which lies outside the project", cure))
                elif not path.is_file():
                    shown = self._project.shown(path)
                    beside = f"{Path(module.shown).parent.as_posix()}/"
                    cure = f"put the file there, or take its name out of DATA; names are relative to {beside}"
                    errors.append(SiteError(place, f"DATA names {name!r}, but there is no file {shown}", cure))
                else:
                    found.append(path)
        raise_all(errors)
        return found


def _is_doubtful(names: Sequence[str]) -> bool:
    dotted = {".".join(names[: i + 1]) for i in range(len(names))}
    return bool(dotted & _DOUBTFUL) or list(names) == ["sys"]
