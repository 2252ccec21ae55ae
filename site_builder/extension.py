"""The interface of extensions: what extensions.py of a project, or an installed distribution, adds to the builder.

An extension is a function `extend(site)` that registers what it adds; see docs/extending.md. An extension adds: it
never replaces what the builder or another extension has.
"""

import inspect
import sys
import traceback
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import wraps
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from site_builder.errors import CuredError, Place, PostError, SiteError, UsageError, shown_path


class Html(str):
    """HTML that a function of an extension returns.

    text: what stands for it where only plain text can. feed: HTML that stands for it in feeds; what has one is a block
    on a line of its own, whose words are none of the post's.
    """

    text: str
    feed: str

    def __new__(cls, html: str, text: str = "", feed: str = "") -> "Html":
        made = super().__new__(cls, html)
        made.text, made.feed = text, feed
        return made


class Registration(NamedTuple):
    """Something that an extension has registered under a name.

    owner: the extension; home: the folder of its code; place: the line that registered it.
    """

    name: str
    value: Any
    owner: str
    home: Path
    place: Place


class Confirmed(NamedTuple):
    """A field of a result that a solver's function confirms.

    field: its name, or the path of a value in it, such as table.rows. how: that was found, in words for readers. cells:
    so many of its values; 0 for all.
    """

    field: str
    how: str
    cells: int = 0


class Verified(NamedTuple):
    """The answer of the function that verifies what a solver's function has returned.

    data: what functions of posts are given of it, as `page.run_facts(...).data`.
    """

    confirmed: tuple[Confirmed, ...] = ()
    data: bytes = b""


class SolverAnswer(NamedTuple):
    """The answer of a solver's function, to be verified.

    fields: of the result, among its arguments. kept: the fields that a sweep keeps, of which one point is verified;
    None for a run, whose posts may be given data of it.
    """

    value: Any
    fields: Mapping[str, Any]
    kept: frozenset[str] | None = None


class AddedKind(NamedTuple):
    """A kind of figure of an extension. version: digest of its code, which is part of its packed figures."""

    kind: Any
    version: str


ADDED_KINDS: dict[str, AddedKind] = {}
"""The kinds of figures of extensions that this process has loaded, by the names of their classes of figures."""


def class_name(kind: type) -> str:
    """The name of a class, as "module:Class"."""
    return f"{kind.__module__}:{kind.__qualname__}"


class MarkdownExtension(NamedTuple):
    """An extension of Python-Markdown: its name or itself, and the settings that it is made with."""

    extension: Any
    settings: tuple[tuple[str, Any], ...]
    owner: str


class Option(NamedTuple):
    """A key of config.yaml and front matter. kind: the type of its values; default: where neither has it."""

    kind: Any
    default: Any


@dataclass
class Registry:
    """Everything that the extensions of a project have registered, by kind and name."""

    named: dict[tuple[str, str], Registration] = field(default_factory=dict)
    markdown: list[MarkdownExtension] = field(default_factory=list)
    assets: dict[str, Path] = field(default_factory=dict)

    def of(self, kind: str, taken: Collection[str] = ()) -> dict[str, Registration]:
        """The registrations of a kind, by name. Raises SiteError for a name that is taken by the builder itself."""
        found = {name: each for (known, name), each in self.named.items() if known == kind}
        for name in [name for name in found if name in taken]:
            message = f"the builder itself has a {kind} {name!r}"
            raise SiteError(found[name].place, message, "give yours another name: an extension replaces nothing")
        return found


class Site:
    """The argument of `extend(site)`: a method for each kind of thing that an extension can add."""

    def __init__(self, owner: str, home: Path, registry: Registry) -> None:
        """owner, home: as in Registration."""
        self._owner, self._home, self._registry = owner, home, registry

    def filter(self, name: str, function: Callable[..., Any]) -> None:
        """A filter of posts, `{{ value | name }}`, which is also a form of table columns; it returns text or Html."""
        self._register("filter", name, function)

    def function(self, name: str, function: Callable[..., Any]) -> None:
        """A function of posts, `{{ name(...) }}`, which returns text or Html; an argument `page` is a Page."""
        self._register("function", name, function)

    def markdown(self, extension: Any, **settings: Any) -> None:
        """An extension of Python-Markdown, by its name such as `pymdownx.keys`, for all posts."""
        self._registry.markdown.append(MarkdownExtension(extension, tuple(sorted(settings.items())), self._owner))

    def figure(self, kind: Any) -> None:
        """A kind of figure: a class as those in site_builder/figures/kinds/; solvers return values of its `figure`."""
        self._register("kind of figure", kind.figure.__name__, kind())

    def target(self, name: str, publish: Callable[..., Any]) -> None:
        """A target of `publish`, written `publish: {name: value}`: `publish(folder, value)` puts the site there."""
        self._register("target", name, publish)

    def importer(self, name: str, read: Callable[..., Any]) -> None:
        """A kind of blog that `import --from name` reads."""
        self._register("importer", name, read)

    def solver_function(self, name: str, verify: Callable[[SolverAnswer], Verified]) -> None:
        """A function that solvers may have, by its name.

        In the worker that runs a solver's checks, `verify` is called with what the function has returned. It says which
        fields of the result that confirms, and raises CuredError where it is wrong. None is not verified.
        """
        self._register("function of solvers", name, verify)

    def workers(self, scheme: str, connect: Callable[..., Any]) -> None:
        """The workers that `--workers scheme://...` means: `connect(address, root, jobs, warn)`."""
        self._register("workers", scheme, connect)

    def option(self, name: str, kind: Any, default: Any = None) -> None:
        """A key of config.yaml and of front matter, which goes before; a Page has its value in `options`."""
        self._register("option", name, Option(kind, default))

    def command(self, command: Any) -> None:
        """A command of the program: a click command, whose object is the folder of the project."""
        self._register("command", str(command.name), command)

    def assets(self, folder: Path | str) -> None:
        """A folder of scripts and stylesheets, which are published and loaded by the pages that use the extension."""
        self._registry.assets[self._owner] = self._home / folder

    def _register(self, kind: str, name: str, value: Any) -> None:
        """Register a value. Raises SiteError for a name that is taken or no name."""
        frame = sys._getframe(2)
        place = Place(shown_path(Path(frame.f_code.co_filename), self._home), frame.f_lineno)
        if not name.replace("-", "_").isidentifier():
            raise SiteError(place, f"{name!r} is no name for a {kind}", "write letters, digits and _")
        if other := self._registry.named.get((kind, name)):
            cure = "give one of them another name, or turn one extension off"
            raise SiteError(place, f"the {kind} {name!r} is there already, from {other.owner}", cure)
        self._registry.named[kind, name] = Registration(name, value, self._owner, self._home, place)


class SolverCode(NamedTuple):
    """The code of a solver. files: of the project, with data files, by path; libraries: their versions by name."""

    files: Mapping[str, bytes]
    libraries: Mapping[str, str]


class RunFacts(NamedTuple):
    """Facts of a run of a post beside its result.

    is_sweep: a sweep, which has no parameters and fields here. data: what extensions have left of functions of the
    solver, by name. parameters: all of them; fields: gives those of the result; code: gives that of the solver.
    """

    name: str
    solver: str
    is_sweep: bool
    data: Mapping[str, bytes]
    parameters: Mapping[str, Any]
    fields: Callable[[], Mapping[str, Any]]
    code: Callable[[], SolverCode]


@dataclass(frozen=True)
class Page:
    """The post in which a function of an extension is called.

    source: its file, such as content/posts/dice.md; path: its address in the site; language: of its texts; options: the
    values of the options of extensions; results: its results by run, with `parameters` in each; facts: gives those of a
    run; free_name: makes a name for files and anchors of words, which is unique in the post; colour: gives the colour
    that `colours:` of the post has for a name, as a value of CSS, empty for none. is_setting: whether it is the page of
    a setting of `turn:`.
    """

    source: str
    path: str
    language: str
    options: Mapping[str, Any]
    results: Mapping[str, Any]
    facts: Callable[[str], RunFacts]
    free_name: Callable[[str], str]
    colour: Callable[[str], str]
    is_setting: bool = False
    files: dict[str, bytes] = field(default_factory=dict)

    def run(self, name: str) -> Any:
        """The result of one of the post's runs, with its parameters. Raises PostError for an unknown name."""
        if name not in self.results:
            raise PostError(f"there is no run named {name!r}", f"there is: {', '.join(self.results) or 'none'}")
        return self.results[name]

    def facts_of(self, result: Any) -> RunFacts:
        """The facts of the run with this result, which a text gives as `results.<run>`. Raises PostError for others."""
        for name, each in self.results.items():
            if each is result:
                return self.facts(name)
        raise PostError("it needs a run", "write results.<run>")

    def file(self, name: str, data: bytes) -> str:
        """Publish a file beside the post; its address, for `src` or `href`, with a digest in its name."""
        place = PurePosixPath(name)
        named = str(place.with_name(f"{place.stem}.{blake2b(data, digest_size=4).hexdigest()}{place.suffix}"))
        self.files[named] = data
        return self._address(named)

    def download(self, name: str, make: Callable[[], bytes]) -> str:
        """Publish a file beside the post under this very name; its address. make: gives its bytes.

        A setting of the post has no such file: it leads to that of the post.
        """
        if not self.is_setting:
            self.files[name] = make()
        return self._address(name)

    def _address(self, name: str) -> str:
        folder = self.path if self.path.endswith("/") else self.path.removesuffix(".html") + "/"
        return f"/{folder}{name}"


def guarded(kind: str, registration: Registration) -> Callable[..., Any]:
    """The function of an extension, whose errors are PostErrors that say where in the extension they arose."""
    function = registration.value

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except (PostError, CuredError, SiteError, UsageError):
            raise
        except Exception as error:
            place = place_in(error, registration.home) or registration.place
            message = f"the {kind} {registration.name} fails at {place}: {described(error)}"
            raise PostError(message, "see what it was given here, or mend the extension") from error

    return call


def with_page(function: Callable[..., Any], page: Page) -> Callable[..., Any]:
    """A function without its argument `page`, which is the page; the function itself where it has none."""
    try:
        arguments = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some functions written in C say nothing
        return function
    if "page" not in arguments:
        return function
    place = list(arguments).index("page")
    is_named = arguments["page"].kind is inspect.Parameter.KEYWORD_ONLY

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if is_named or len(given) < place:
            return function(*given, page=page, **named)
        return function(*given[:place], page, *given[place:], **named)

    return call


def place_in(error: BaseException, home: Path) -> Place | None:
    """The last line of the code below a folder that led to an error; None where there is none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).is_relative_to(home):
            return Place(Path(frame.filename).relative_to(home).as_posix(), frame.lineno or 0)
    return None


def described(error: BaseException) -> str:
    """An exception in a line: its class and its message."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
