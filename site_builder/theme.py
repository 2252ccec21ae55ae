"""The templates of a project: pages from their shells, and assets under names that tell their content."""

import hashlib
import posixpath
from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError
from markupsafe import Markup

from site_builder.errors import Place, SiteError, line_in

ASSETS = "assets"
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Theme:
    """The folder templates/ of a project."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "templates"
        if not self._folder.is_dir():
            raise SiteError(Place("templates"), "there is no folder templates/", "copy it from a new project")
        self._environment = Environment(
            loader=FileSystemLoader(self._folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._environment.filters |= {"date_words": date_words, "date_iso": date_iso}

    @cached_property
    def assets(self) -> Mapping[str, tuple[str, bytes]]:
        """Each file of templates/assets/ by its name: its path in the site, which tells its content, and its bytes."""
        folder = self._folder / ASSETS
        found = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                name = path.relative_to(folder).as_posix()
                data = path.read_bytes()
                found[name] = (fingerprinted(f"{ASSETS}/{name}", data), data)
        return found

    def render(self, template: str, context: Mapping[str, Any]) -> str:
        """The template filled in. Raises SiteError at the template's line."""
        try:
            return self._environment.get_template(template).render(context)
        except TemplateSyntaxError as error:
            raise SiteError(Place(f"templates/{error.name}", error.lineno), str(error.message)) from error
        except (TemplateError, TypeError, ValueError, LookupError, ArithmeticError, RecursionError) as error:
            raise SiteError(self._place(error, template), f"{type(error).__name__}: {error}") from error

    def _place(self, error: BaseException, template: str) -> Place:
        """The template and line in which an error arose, the innermost where templates include each other."""
        found = {name: line_in(error, str(self._folder / name)) for name in self._environment.list_templates()}
        inner = [name for name, line in found.items() if line]
        name = next((name for name in inner if name != template), template)
        return Place(f"templates/{name}", found.get(name, 0))

    def part(self, template: str, context: Mapping[str, Any]) -> Markup:
        """A piece of a page."""
        return Markup(self.render(template, context))


def fingerprinted(path: str, data: bytes) -> str:
    """The path with a few digits in it that change when the bytes do."""
    stem, extension = posixpath.splitext(path)
    return f"{stem}.{hashlib.blake2b(data, digest_size=5).hexdigest()}{extension}"


def relative(path: str, page: str) -> str:
    """The address of a path of the site as seen from a page of it: `posts/x/` from `tags/` is `../posts/x/`."""
    here = page if page.endswith("/") or not page else posixpath.dirname(page)
    found = posixpath.relpath("/" + path, "/" + here)
    if path.endswith("/") or not path:
        found += "/"
    return "./" if found == "./" else found


def addresses(page: str, assets: Mapping[str, tuple[str, bytes]], base: str = "") -> dict[str, Callable[[str], str]]:
    """The functions `url` and `asset` of a page; with a base, they give addresses from the host's root instead."""

    def url(path: str) -> str:
        return base + path if base else relative(path, page)

    def asset(name: str) -> str:
        if name not in assets:
            raise LookupError(f"there is no file templates/{ASSETS}/{name}")
        return url(assets[name][0])

    return {"url": url, "asset": asset}


def date_words(day: date) -> str:
    """20 November 2026."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def date_iso(day: date) -> str:
    """2026-11-20."""
    return day.strftime("%Y-%m-%d") if day.year >= 1000 else day.isoformat()[:10]
