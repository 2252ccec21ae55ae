"""The extensions of a project, loaded: its extensions.py, installed distributions, and those of the builder itself."""

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from site_builder.errors import Place, SiteError, nearest, raise_all
from site_builder.extension import Option, Registry, Site, described, place_in
from site_builder.project.validation import explained_errors
from site_builder.project.yaml_reader import Reading
from site_builder.values.digest import bytes_digest, digest

OWN = "extensions.py"
"""The file of a project with its extension."""

GROUP = "puzzlepress"
"""The group of entry points by which the extensions of installed distributions are found."""

_BUILT_IN = Path(__file__).parents[1] / "extensions"
_INSTALLED = ("site-packages", "dist-packages")
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, eq=False)
class Extensions:
    """The extensions of a project.

    digests: by extension, of its version and of its files that belong to no installed library; empty for those of the
    builder. files: digests of the files and folders that they were loaded from, by path. names: of all that could be
    turned off.
    """

    registry: Registry = field(default_factory=Registry)
    digests: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[Path, str] = field(default_factory=dict)
    names: Collection[str] = ()

    @property
    def digest(self) -> str:
        """A digest of all that can change a text; empty where nothing can."""
        changing = [each.owner for each in (*self._names_of_texts().values(), *self.registry.markdown)]
        return digest(sorted(self.digests.items())) if changing else ""

    def used_by(self, text: str, keys: Collection[str]) -> tuple[str, ...]:
        """The extensions that a text can use: by names of theirs in it, by Markdown, and by keys of front matter."""
        names = self._names_of_texts()
        found = {each.owner for each in self.registry.markdown}
        found |= {names[word].owner for word in set(_WORD.findall(text)) & names.keys()} if names else set()
        found |= {each.owner for name, each in self.registry.of("option").items() if name in keys}
        return tuple(sorted(found))

    def _names_of_texts(self) -> dict[str, Any]:
        return self.registry.of("filter") | self.registry.of("function")

    def options(self, *given: Mapping[str, Any]) -> dict[str, Any]:
        """The values of all options; those given first go before."""
        defaults = {name: each.value.default for name, each in self.registry.of("option").items()}
        for values in reversed(given):
            defaults |= values
        return defaults


NO_EXTENSIONS = Extensions()


class _Source(NamedTuple):
    """An extension before it is loaded. home: the folder of its code; load: gives its module or function."""

    name: str
    home: Path
    version: str
    load: Callable[[], Any]


_loaded: dict[tuple[Path, frozenset[str]], Extensions] = {}


def load_extensions(root: Path, off: Collection[str] = ()) -> Extensions:
    """The extensions of the project in `root`, loaded once for as long as their files stay the same.

    off: the names of those that are turned off. Raises SiteError, at its line, for one that cannot be loaded.
    """
    key = root.resolve(), frozenset(off)
    known = _loaded.get(key)
    if known is None or not _is_current(known, key[0]):
        known = _loaded[key] = _load(key[0], off)
    return known


def _is_current(known: Extensions, root: Path) -> bool:
    """True when the files of extensions are what they were, and none has come to the project."""
    if (root / OWN).is_file() != (root / OWN in known.files):
        return False
    return all(_content(path) == content for path, content in known.files.items())


def _load(root: Path, off: Collection[str]) -> Extensions:
    registry, digests, files, names = Registry(), dict[str, str](), dict[Path, str](), list[str]()
    for source in _sources(root):
        names.append(source.name)
        if source.name in off:
            continue
        with _modules_of(root) as modules:
            _extend(source, registry)
        own = {path: _content(path) for path in _files_of(modules, registry.assets.get(source.name))}
        files |= own
        digests[source.name] = digest(source.version, sorted(own.values())) if source.version or own else ""
    return Extensions(registry, digests, files, tuple(names))


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


def _sources(root: Path) -> Iterator[_Source]:
    """The builder's own extensions, those of installed distributions, and that of the project."""
    for module_file in sorted(_BUILT_IN.glob("*/extend.py")):
        name = module_file.parent.name
        module = f"site_builder.extensions.{name}.extend"
        yield _Source(name, module_file.parent, "", lambda module=module: importlib.import_module(module))  # type: ignore[misc]
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        spec = importlib.util.find_spec(point.module.partition(".")[0])
        home = Path(spec.origin).parent if spec and spec.origin else root
        yield _Source(point.name, home, point.dist.version if point.dist else "", point.load)
    if (root / OWN).is_file():
        yield _Source(OWN, root, "", lambda: _own_module(root / OWN))


def _own_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def _modules_of(root: Path) -> Iterator[dict[str, ModuleType]]:
    """The modules outside of the builder and of installed libraries that are imported in the block, by name.

    The project is the last place where they are looked for, and only there and then. Those of the project are forgotten
    afterwards, so that they are read again when they have changed.
    """
    before, places, found = set(sys.modules), [*sys.path], dict[str, ModuleType]()
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
            if not path.is_relative_to(_BUILT_IN.parent) and not set(_INSTALLED) & set(path.parts):
                found[name] = sys.modules[name]
            if name in found and path.is_relative_to(root):
                del sys.modules[name]


def _files_of(modules: Mapping[str, ModuleType], assets: Path | None) -> Iterator[Path]:
    """The files of modules but those of Python itself, and a folder of assets with all that is in it."""
    for module in modules.values():
        path = Path(module.__file__ or "") if getattr(module, "__file__", None) else None
        if path and path.suffix == ".py" and not path.is_relative_to(sys.base_prefix + "/lib"):
            yield path
    if assets:
        yield from (assets, *sorted(assets.rglob("*")))


def _content(path: Path) -> str:
    """Digest of a file's bytes or of the names in a folder; empty where there is neither."""
    try:
        names = sorted(each.name for each in path.iterdir()) if path.is_dir() else None
        return bytes_digest(path.read_bytes()) if names is None else digest(names)
    except OSError:
        return ""


def read_options(
    said: Mapping[str, Any], known: Collection[str], reading: Reading, options: Mapping[str, Option]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys of a YAML text without those of options, and the values of these.

    known: the builder's own keys. Raises SiteError, or a group of them, for values of another type.
    """
    own = {name: value for name, value in said.items() if name in options and name not in known}
    values, errors = dict[str, Any](), list[SiteError]()
    for name, value in own.items():
        given = float(value) if isinstance(value, Decimal) else value
        try:
            values[name] = TypeAdapter(options[name].kind).validate_python(given, strict=True)
        except ValidationError as error:
            found = explained_errors(error, {name: given}, lambda at: (), name)
            errors += [SiteError(reading.place(name, *at), f"{name}: {words}", cure) for at, words, cure in found]
    raise_all(errors)
    return {name: value for name, value in said.items() if name not in own}, values


def unknown_extension(name: str, names: Collection[str], place: Place) -> SiteError:
    """The error of a name in `extensions:` that no extension has."""
    return SiteError(place, f"there is no extension {name!r}", nearest(name, names))
