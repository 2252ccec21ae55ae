"""The theme of a project: its templates, and its assets under fingerprinted names."""

import posixpath
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any, ClassVar

from jinja2 import (
    BytecodeCache,
    Environment,
    FunctionLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)
from jinja2.bccache import Bucket
from jinja2.sandbox import safe_range
from markupsafe import Markup

from site_builder.errors import Place, SiteError, guide, nearest, raise_all
from site_builder.project.config import Limits, text_of
from site_builder.project.work_limits import TOO_LONG, TimeIsUpError, limited
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.language import current

ASSETS = "assets"
PARTS = "parts/"  # the folder of the theme with the templates of pieces of pages
OWN = "templates/"  # the folder of a project with files that take the place of those of the default theme
CUSTOM = "custom.css"  # in OWN: the stylesheet of a project that comes after all others
CONFIGURED = "config.css"  # the asset with what `theme:` in config.yaml sets
DEFAULT = "default/"  # before the name of a template of the default theme that a file of the project may have replaced
# Of a stylesheet. Comments and strings are matched to be skipped, but for the string of an @import.
_CSS_PIECE = re.compile(
    r"""/\*.*?(?:\*/|\Z)
    | (?P<url>\burl\(\s*(?P<mark>["']?)(?P<address>[^"'()\\\s]*)(?P=mark)\s*\))
    | (?P<import>@import\s+(?P<sign>["'])(?P<sheet>[^"'\\\n]*)(?P=sign))
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_MINIFIED_IMPORT = re.compile(r'@import "([^"]*)"(?:;|$)')
_NOT_INSIDE_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)
_NO_ASSET = re.compile(r"[a-z][a-z0-9+.-]*:|//|#|$", re.IGNORECASE)


def theme_files(sources: Iterable[str], default: str) -> dict[str, str]:
    """The source of each file of a theme, by its path in the theme: the project's, or else that of the default theme.

    A template that the project has replaced is there also under its name after DEFAULT, and CUSTOM is an asset.
    default: the prefix of sources that belong to the default theme.
    """
    own, behind = (
        {source.removeprefix(prefix): source for source in sources if source.startswith(prefix)}
        for prefix in (OWN, default)
    )
    replaced = {f"{DEFAULT}{name}": source for name, source in behind.items() if name in own and name.endswith(".html")}
    if CUSTOM in own:
        own[f"{ASSETS}/{CUSTOM}"] = own.pop(CUSTOM)
    return behind | replaced | own


class _CompiledTemplates(BytecodeCache):
    """Templates that a process compiles once, as for a preview that builds repeatedly."""

    _codes: ClassVar[dict[tuple[str, str], CodeType | None]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """See BytecodeCache."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """See BytecodeCache."""
        self._codes[bucket.key, bucket.checksum] = bucket.code


class Theme:
    """The default theme, with the files of a project's templates/ in place of its own.

    Args:
        files: of the theme, as `theme_files` gives them: the source of each by its path in the theme.
        digests: of sources.
        read_source: gives the bytes of a source, which have that digest.
        place: gives the file of a source.
        limits: of a page's time and memory.
        made: files that the build itself has made, by their paths in the theme; they come before those of `files`.
        is_default: whether a source belongs to the default theme, whose scripts and stylesheets are published
            minified; files of a project are published as they are written.
    """

    def __init__(
        self,
        files: Mapping[str, str],
        digests: Mapping[str, str],
        read_source: Callable[[str], bytes],
        place: Callable[[str], Path],
        limits: Limits,
        made: Mapping[str, bytes] = MappingProxyType({}),
        is_default: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._sources = {name: source for name, source in files.items() if name not in made}
        self._files = {name: digests[source] for name, source in files.items()}
        self._files |= {name: bytes_digest(data) for name, data in made.items()}
        self._made = made
        self._minified = {
            name
            for name, source in self._sources.items()
            if name.endswith((".css", ".js")) and name != f"{ASSETS}/{CUSTOM}" and is_default(source)
        }
        self._read_source = read_source
        self._path = place
        self._limits = limits
        self._texts: dict[str, bytes] = {}
        self._paths: dict[str, str] = {}  # of assets, by name
        self._published: dict[str, bytes] = {}  # those assets that are not published as they are
        self._environment = Environment(
            loader=FunctionLoader(self._source),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            optimized=False,  # the theme has no constants to fold, and to look for them takes a seventh of compiling
            extensions=["jinja2.ext.i18n"],
            bytecode_cache=_CompiledTemplates(),
        )
        self._environment.install_gettext_callables(  # type: ignore[attr-defined]
            lambda words: current().word(words),
            lambda one, many, count: current().word(one if count == 1 else many),
            newstyle=True,
        )
        self._environment.filters |= {
            "date_words": lambda day: current().date_words(day),
            "date_iso": lambda day: day.isoformat()[:10],
            "phrase": lambda words: current().phrase(words),
        }
        del self._environment.filters["random"], self._environment.globals["lipsum"]  # they differ in each build
        self._environment.globals["range"] = safe_range  # a long one that a filter adds up could not be interrupted

    @cached_property
    def assets(self) -> Mapping[str, str]:
        """The fingerprinted path in the site of each file of templates/assets/, by its name.

        Raises SiteError at the lines of stylesheets that refer to files which do not exist.
        """
        errors: list[SiteError] = []
        names = [name.removeprefix(f"{ASSETS}/") for name in sorted(self._files) if name.startswith(f"{ASSETS}/")]
        found = {name: self._publish(name, errors) for name in names}
        raise_all(errors)
        return found

    def _publish(self, asset: str, errors: list[SiteError]) -> str:
        """The path of an asset in the site."""
        name = f"{ASSETS}/{asset}"
        if asset not in self._paths:
            self._paths[asset] = ""  # until it is known, for which those that it names have to be published
            data = self._stylesheet(asset, errors) if asset.endswith(".css") else None
            if name in self._minified:
                data = minified(name, self._read(name) if data is None else data)
                data = self._with_imports(data) if asset.endswith(".css") else data
            if data is not None:
                self._published[asset] = data
            self._paths[asset] = fingerprinted(name, self._files[name] if data is None else bytes_digest(data))
        if not self._paths[asset]:
            message = "stylesheets name each other in a circle, of which this is one"
            raise SiteError(Place(self._shown(name)), message, "take one of the addresses out")
        return self._paths[asset]

    def _with_imports(self, data: bytes) -> bytes:
        """A minified stylesheet with those that it imports in place of the imports, so that a page asks for one.

        As it is where the project has replaced one of them, which might take in those behind it.
        """
        names = {path: name for name, path in self._paths.items()}
        imported = {each: names[f"{ASSETS}/{each}"] for each in _MINIFIED_IMPORT.findall(data.decode())}
        if not all(f"{ASSETS}/{name}" in self._minified for name in imported.values()):
            return data
        return _MINIFIED_IMPORT.sub(lambda found: self._content(imported[found[1]]).decode(), data.decode()).encode()

    def _content(self, asset: str) -> bytes:
        return self._published[asset] if asset in self._published else self._read(f"{ASSETS}/{asset}")

    def _stylesheet(self, asset: str, errors: list[SiteError]) -> bytes:
        """A stylesheet in which each address of another file is the final one; those of no file are errors."""
        name = f"{ASSETS}/{asset}"

        def final(address: str, line: int) -> str:
            path = re.split("[?#]", address)[0]
            other = _asset_of(path, asset)
            if not address.startswith("/") and f"{ASSETS}/{other}" in self._files:
                return relative(self._publish(other, errors), name) + address[len(path) :]
            message = f"url({address}) leads to no file of templates/{ASSETS}/, seen from the stylesheet"
            known = [each.removeprefix("" if asset == CUSTOM else f"{ASSETS}/") for each in self._files]
            errors.append(SiteError(Place(self._shown(name), line), message, nearest(address, known)))
            return address

        return with_urls(text_of(self._read(name), self._shown(name)), final).encode()

    def asset_bytes(self, name: str) -> bytes:
        """The published content of an asset; a stylesheet refers to others by their fingerprinted names."""
        _ = self.assets
        return self._content(name)

    def inline_script(self, name: str) -> str:
        """A script of templates/assets/ as it is published, for a `<script>` element of a page."""
        if name not in self.assets:
            raise LookupError(f"there is no file templates/{ASSETS}/{name}")
        return script_text(self.asset_bytes(name), self._shown(f"{ASSETS}/{name}"))

    def _read(self, name: str) -> bytes:
        return self._made[name] if name in self._made else self._read_source(self._sources[name])

    def _shown(self, name: str) -> str:
        """A file of the theme as messages name it: by its path in the project, or by its whole path outside of it."""
        source = self._sources.get(name, f"{OWN}{name}")
        return source if source.startswith(OWN) else str(self._path(source))

    def _source(self, name: str) -> tuple[str, str, None] | None:
        """The text of a template and its source, for Jinja; None where the theme has no such file."""
        if name not in self._files:
            return None
        data = self._texts[name] if name in self._texts else self._read(name)
        return data.decode(), self._sources[name], None

    def hold(self) -> None:
        """Read all templates now, so that later changes of their files have no effect."""
        self._texts = {name: self._read(name) for name in self._files if name.endswith(".html")}

    @cached_property
    def assets_digest(self) -> str:
        """Digest of the names and paths of all assets."""
        return digest(sorted(self.assets.items()))

    @cached_property
    def templates_digest(self) -> str:
        """Digest of all its files but the assets."""
        return digest(sorted(each for each in self._files.items() if not each[0].startswith(f"{ASSETS}/")))

    def render(self, template: str, context: Mapping[str, Any]) -> str:
        """Render a template. Raises SiteError at the template's line."""
        try:
            with limited(self._limits.text):
                return self._environment.get_template(template).render(context)
        except TemplateSyntaxError as error:
            place = Place(self._shown(error.name or template), error.lineno)
            raise SiteError(place, str(error.message)) from error
        except TemplateNotFound as error:
            message = f"there is no template {error.name}"
            cure = f"write templates/{error.name}; {guide('theming')} lists those of the default theme"
            raise SiteError(self._place(error, template), message, cure) from error
        except TimeIsUpError as error:
            raise SiteError(self._place(error, template), *TOO_LONG) from error
        except (TemplateError, TypeError, ValueError, LookupError, ArithmeticError, RecursionError) as error:
            raise SiteError(self._place(error, template), f"{type(error).__name__}: {error}") from error

    def _place(self, error: BaseException, template: str) -> Place:
        """The template and line in which an error arose, the innermost where templates include each other."""
        names = {source: name for name, source in self._sources.items()}
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in names]
        if not frames:
            return Place(self._shown(template))
        return Place(self._shown(names[frames[-1].filename]), frames[-1].lineno or 0)

    def part(self, name: str, context: Mapping[str, Any]) -> Markup:
        """A piece of a page. name: of its template, without the folder and the ending."""
        return Markup(self.render(f"{PARTS}{name}.html", context))


def script_text(data: bytes, file: str) -> str:
    """A script as the content of a `<script>` element, with the line ends that browsers read, which the hash needs.

    file: of the script, for messages. Raises SiteError where the text would end the element, or is not UTF-8.
    """
    text = text_of(data, file)
    if found := _NOT_INSIDE_SCRIPT.search(text):
        message = f"{found[0]} cannot be part of a script that pages contain"
        cure = f"write {found[0][0]}\\{found[0][1:]} in a string, and take it out of comments"
        raise SiteError(Place(file, text.count("\n", 0, found.start()) + 1), message, cure)
    return text


def minified(name: str, data: bytes) -> bytes:
    """A script or stylesheet without comments and needless spaces.

    rjsmin takes spaces from a template literal inside of another one and from a regular expression after `=>`, rcssmin
    the one before a pseudo-class in parentheses, `:not(.a :is(.b))`; tests find these in the default theme.
    """
    if name.endswith(".js"):
        from rjsmin import jsmin  # imported by those who minify alone

        return str(jsmin(data.decode())).encode()
    from rcssmin import cssmin

    return str(cssmin(data.decode())).encode()


def with_urls(css: str, final: Callable[[str, int], str]) -> str:
    """The stylesheet with another address for each file that it refers to.

    final: gives it for an address and its line; for none of other hosts, of data: and of #parts.
    """

    def replace(piece: re.Match[str]) -> str:
        address = piece["address"] or piece["sheet"]
        if not address or _NO_ASSET.match(address):
            return piece[0]
        line = css.count("\n", 0, piece.start()) + 1
        before, _, after = piece[0].rpartition(address)
        return f"{before}{final(address, line)}{after}"

    return _CSS_PIECE.sub(replace, css)


def _asset_of(path: str, stylesheet: str) -> str:
    """The asset that a path means, seen from the stylesheet."""
    if stylesheet == CUSTOM:  # it is beside the folder of assets, not in it
        return posixpath.relpath(posixpath.join("/", path), f"/{ASSETS}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(stylesheet), path))


def fingerprinted(path: str, digest: str) -> str:
    """The path with a few digits in it that change when the file's digest does."""
    stem, extension = posixpath.splitext(path)
    return f"{stem}.{digest[:10]}{extension}"


def relative(path: str, page: str) -> str:
    """The address of a path of the site as seen from a page of it: `posts/x/` from `tags/` is `../posts/x/`."""
    here, there = page.split("/")[:-1], path.split("/")
    shared, most = 0, min(len(here), len(there) - 1)
    while shared < most and here[shared] == there[shared]:
        shared += 1
    found = "../" * (len(here) - shared) + "/".join(there[shared:])
    return found or "./"


def addresses(page: str, assets: Mapping[str, str], base: str = "") -> dict[str, Callable[[str], Any]]:
    """The functions `url`, `asset` and `has_asset` of a page; with a base, addresses begin at the host's root."""

    def url(path: str) -> str:
        return base + path if base else relative(path, page)

    def asset(name: str) -> str:
        if name not in assets:
            raise LookupError(f"there is no file templates/{ASSETS}/{name}")
        return url(assets[name])

    def has_asset(name: str) -> bool:
        return name in assets

    return {"url": url, "asset": asset, "has_asset": has_asset}
