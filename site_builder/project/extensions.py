"""The extensions of a project, loaded: its extensions.py, installed distributions, and those of the builder itself."""

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from site_builder.errors import Place, SiteError, raise_all
from site_builder.extension import (
    ADDED_KINDS,
    AddedKind,
    Registration,
    Registry,
    Site,
    class_name,
    described,
    place_in,
)
from site_builder.project.validation import explained_errors, site_errors
from site_builder.project.yaml_reader import Reading
from site_builder.values.digest import bytes_digest, digest

OWN = "extensions.py"
"""The file of a project with its extension."""

GROUP = "puzzlepress"
"""The group of entry points by which the extensions of installed distributions are found."""

_BUILT_IN = Path(__file__).parents[1] / "extensions"
_INSTALLED = ("site-packages", "dist-packages")
_WORD = re.compile(r"[^\W\d]\w*")
_EXPRESSION = re.compile(r"""\{[{%](?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|[^"'])*?[}%]\}""", re.DOTALL)  # of Jinja
_OF_SOLVERS = ("solve", "validate", "check_", "figure_")  # functions of solvers that the builder itself knows


@dataclass(frozen=True, eq=False)
class Extensions:
    """The extensions of a project.

    digests: by extension, of its version and of its files that belong to no installed library; empty for those of the
    builder. files: digests of the files and folders that they were loaded from, by path. names: of all that could be
    turned off. libraries: the installed distribution of each that has one, with its version.
    """

    registry: Registry = field(default_factory=Registry)
    digests: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[Path, str] = field(default_factory=dict)
    names: Collection[str] = ()
    libraries: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A digest of all of them."""
        return digest(sorted(self.digests.items()))

    def used_by(self, text: str, keys: Collection[str]) -> tuple[str, ...]:
        """The extensions that a text can use: by names of theirs in it, by Markdown, and by keys of front matter."""
        names = self.registry.of("filter") | self.registry.of("function")
        found = {each.owner for each in self.registry.markdown}
        kinds = {each.owner for each in self.registry.of("kind of figure").values()}
        expressions = " ".join(_EXPRESSION.findall(text)) if names or kinds else ""
        found |= kinds if "figure(" in expressions else set()
        found |= {names[word].owner for word in set(_WORD.findall(expressions)) & names.keys()}
        found |= {each.owner for name, each in self.registry.of("option").items() if name in keys}
        return tuple(sorted(found))

    def solver_functions(self) -> dict[str, Registration]:
        """The functions that solvers may have, by name. Raises SiteError for a name of the builder's."""
        names = self.registry.of("function of solvers")
        taken = [each for each in names if each in _OF_SOLVERS or each.startswith(_OF_SOLVERS[2:])]
        return self.registry.of("function of solvers", taken)

    def code_digest(self, name: str) -> str:
        """Digest of the code of an extension, also of one of the builder, whose results are kept by other versions."""
        return self.digests[name] or _digest_of_own(name)

    def needed(self, names: Collection[str], root: Path) -> tuple[list[str], dict[str, str]]:
        """The files in the project and the versions of the libraries that some extensions are loaded from."""
        files = [path for path in self.files if OWN in names and path.is_relative_to(root) and path.is_file()]
        libraries = dict(self.libraries[name] for name in names if name in self.libraries)
        return [path.relative_to(root).as_posix() for path in files], libraries

    def options(self, *given: Mapping[str, Any]) -> dict[str, Any]:
        """The values of all options; those given first go before."""
        defaults = {name: each.value.default for name, each in self.registry.of("option").items()}
        for values in reversed(given):
            defaults |= values
        return defaults


NO_EXTENSIONS = Extensions()
Model = TypeVar("Model", bound=BaseModel)


class _Source(NamedTuple):
    """An extension before it is loaded. home: the folder of its code; load: gives its module or function.

    library: the distribution that has it, with its version; empty without one.
    """

    name: str
    home: Path
    library: tuple[str, str]
    load: Callable[[], Any]


_loaded: dict[tuple[Path, frozenset[str], frozenset[str]], Extensions] = {}


def load_extensions(root: Path, off: Collection[str] = (), only: Collection[str] = ()) -> Extensions:
    """The extensions of the project in `root`, loaded once for as long as their files stay the same.

    off: the names of those that are turned off; only: of those that are wanted, where not all others are. Raises
    SiteError, at its line, for one that cannot be loaded.
    """
    key = root.resolve(), frozenset(off), frozenset(only)
    known = _loaded.get(key)
    if known is None or not _is_current(known, key[0], not only or OWN in only):
        known = _loaded[key] = _load(*key)
    return known


def _is_current(known: Extensions, root: Path, has_own: bool) -> bool:
    """True when the files of extensions are what they were, and none has come to the project that is wanted of it."""
    if has_own and (root / OWN).is_file() != (root / OWN in known.files):
        return False
    return all(_content(path) == content for path, content in known.files.items())


def _load(root: Path, off: Collection[str], only: Collection[str]) -> Extensions:
    registry, digests, files, names = Registry(), dict[str, str](), dict[Path, str](), list[str]()
    libraries: dict[str, tuple[str, str]] = {}
    for source in _sources(root, only):
        names.append(source.name)
        if source.name in off or (only and source.name not in only):
            continue
        is_built_in = source.home.is_relative_to(_BUILT_IN)  # which counts as the builder does
        with nullcontext(list[Path]()) if is_built_in else _modules_of(root) as found:
            _extend(source, registry)
        if assets := registry.assets.get(source.name):
            found += [assets, *sorted(assets.rglob("*"))]
        own = {path: _content(path) for path in found}
        files |= own
        digests[source.name] = "" if is_built_in else digest(source.library, sorted(own.values()))
        libraries |= {source.name: source.library} if any(source.library) else {}
    extensions = Extensions(registry, digests, files, tuple(names), libraries)
    for each in registry.of("kind of figure").values():
        ADDED_KINDS[class_name(each.value.figure)] = AddedKind(each.value, extensions.code_digest(each.owner))
    return extensions


def _extend(source: _Source, registry: Registry) -> None:
    """Let an extension register what it adds. Raises SiteError at the line of its error."""
    try:
        found = source.load()
        extend = getattr(found, "extend", None if isinstance(found, ModuleType) else found)
        if not callable(extend):
            cure = "write def extend(site): and in it site.filter(...), site.function(...)"
            raise SiteError(Place(OWN if source.name == OWN else source.name), "it has no function extend(site)", cure)
        extend(Site(source.name, source.home, registry))
    except SiteError:
        raise
    except SyntaxError as error:
        path = Path(error.filename or "")
        place = path.relative_to(source.home).as_posix() if path.is_relative_to(source.home) else source.name
        raise SiteError(Place(place, error.lineno or 0), f"this is no Python: {error.msg}") from error
    except Exception as error:
        cure = "mend it, or turn it off in config.yaml: extensions: {" + source.name + ": false}"
        line = place_in(error, source.home) or Place(source.name)
        raise SiteError(line, f"the extension fails: {described(error)}", cure) from error


def _sources(root: Path, only: Collection[str] = ()) -> Iterator[_Source]:
    """The builder's own extensions, those of installed distributions, and that of the project.

    only: names of those that are wanted; installed ones are looked for where they may be among these.
    """
    built_in = sorted(_BUILT_IN.glob("*/extend.py"))
    for module_file in built_in:
        name = module_file.parent.name
        module = f"site_builder.extensions.{name}.extend"
        yield _Source(name, module_file.parent, ("", ""), lambda module=module: importlib.import_module(module))  # type: ignore[misc]
    if not only or not {OWN, *(each.parent.name for each in built_in)}.issuperset(only):
        yield from _installed(root)
    if (root / OWN).is_file():
        yield _Source(OWN, root, ("", ""), lambda: _own_module(root / OWN))


def _installed(root: Path) -> Iterator[_Source]:
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        spec = importlib.util.find_spec(point.module.partition(".")[0])
        home = Path(spec.origin).parent if spec and spec.origin else root
        library = (point.dist.name, point.dist.version) if point.dist else ("", "")
        yield _Source(point.name, home, library, point.load)


def _own_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def _modules_of(root: Path) -> Iterator[list[Path]]:
    """The files of modules outside of the builder and of installed libraries that are imported in the block.

    The project is the last place where they are looked for, and only there and then. Those of the project are forgotten
    afterwards, so that they are read again when they have changed; those that a solver has imported stand aside.
    """
    aside = {name: sys.modules.pop(name) for name in _beside_solvers(root)}
    before, places, found = set(sys.modules), [*sys.path], list[Path]()
    wrote_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # it would hide an edit in the same second
    sys.path.append(str(root))
    importlib.invalidate_caches()
    try:
        yield found
    finally:
        sys.path[:] = places
        sys.dont_write_bytecode = wrote_bytecode
        for name in set(sys.modules) - before:
            path = Path(getattr(sys.modules[name], "__file__", None) or sys.prefix)
            if set(_INSTALLED) & set(path.parts) or path.is_relative_to(_BUILT_IN.parent):
                continue
            if path.suffix == ".py" and not path.is_relative_to(sys.base_prefix + "/lib"):
                found.append(path)
            if path.is_relative_to(root):
                del sys.modules[name]
        sys.modules.update(aside)


def _beside_solvers(root: Path) -> list[str]:
    """The modules in the folder of the project, but for the program itself."""
    known = dict(sys.modules)  # a copy, since another thread may import meanwhile
    files = {name: getattr(module, "__file__", None) for name, module in known.items() if name != "__main__"}
    return [name for name, file in files.items() if file and os.path.dirname(file) == str(root)]


@cache
def _digest_of_own(name: str) -> str:
    """Digest of the modules of an extension of the builder."""
    files = sorted((_BUILT_IN / name).rglob("*.py"))
    return digest([(path.relative_to(_BUILT_IN).as_posix(), bytes_digest(path.read_bytes())) for path in files])


def _content(path: Path) -> str:
    """Digest of a file's bytes or of the names in a folder; empty where there is neither."""
    try:
        names = sorted(each.name for each in path.iterdir()) if path.is_dir() else None
        return bytes_digest(path.read_bytes()) if names is None else digest(names)
    except OSError:
        return ""


def read_settings(
    model: type[Model],
    given: Mapping[str, Any],
    reading: Reading,
    whole: str,
    extensions: Callable[[], Extensions],
) -> tuple[Model, dict[str, Any]]:
    """The keys of a YAML text as a model, and the values of those that are options of extensions.

    whole: what the text is; extensions: gives them. Raises SiteError, or a group of them, at wrong keys.
    """
    unknown = given.keys() - model.model_fields.keys()
    options = extensions().registry.of("option") if unknown else {}
    values, errors = dict[str, Any](), list[SiteError]()
    own = [name for name in given if name in unknown and name in options]
    for name in own:
        value = float(given[name]) if isinstance(given[name], Decimal) else given[name]
        try:
            values[name] = TypeAdapter(options[name].value.kind).validate_python(value, strict=True)
        except ValidationError as error:
            found = explained_errors(error, {name: value}, lambda at: (), name)
            errors += [SiteError(reading.place(name, *at), f"{name}: {words}", cure) for at, words, cure in found]
    try:
        settings = model(**{name: value for name, value in given.items() if name not in own})
    except ValidationError as error:
        raise_all([*errors, *site_errors(error, reading, model, whole)])
        raise
    raise_all(errors)
    return settings, values
