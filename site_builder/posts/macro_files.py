"""Files of Jinja that posts import or include: content/macros.html for all of them, others by their names."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from jinja2 import BaseLoader, Environment, TemplateNotFound

from site_builder.markup.jinja_text import loose_filter
from site_builder.project.posts import MACROS

FOLDERS = ("content", "templates")
"""The folders in which a file is looked for, in this order."""

_NAMES = re.compile(r"\{%[-+]?\s*(?:import|include|from)\s+[\"']([^\"']+)[\"']")
_ANY = re.compile(r"\{%[-+]?\s*(?:import|include|from|extends)\b")


def macro_files(text: str, digests: Mapping[str, str], read: Callable[[str], bytes]) -> dict[str, str]:
    """The files that a text may take macros from, and those that these import: digests by name.

    digests: of all files of the project.
    """
    if "{{" not in text and "{%" not in text:
        return {}
    found: dict[str, str] = {}
    waiting = [MACROS, *_found(text, digests)]
    while waiting:
        name = waiting.pop()
        if name in digests and name not in found:
            found[name] = digests[name]
            waiting += _found(read(name).decode("utf-8", "replace"), digests)
    return found


def imports_anything(text: str) -> bool:
    """True when a text imports, includes or extends a file."""
    return _ANY.search(text) is not None


def _found(text: str, digests: Mapping[str, str]) -> list[str]:
    """The files that a text names in imports, as the project has them."""
    paths = ((f"{folder}/{name}" for folder in FOLDERS) for name in _NAMES.findall(text))
    return [found for each in paths if (found := next((path for path in each if path in digests), ""))]


class MacroLoader(BaseLoader):
    """Loads files for the environment of posts. read: gives the bytes of a file of the project in `root` by name."""

    def __init__(self) -> None:
        self.root = Path()
        self.read: Callable[[str], bytes] = lambda name: b""

    def has_macros(self) -> bool:
        """True when the project has macros for all posts."""
        return (self.root / MACROS).is_file()

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """The text of a file, its name in the project, and a function that says whether it is still the same."""
        name = next((f"{each}/{template}" for each in FOLDERS if self._is_inside(each, template)), "")
        if not name:
            raise TemplateNotFound(template)
        data = self.read(name)
        source = data.decode("utf-8", "replace")
        if error := loose_filter(environment, source, name):
            raise error
        return source, name, lambda: self._is_inside("", name) and self.read(name) == data

    def known(self) -> list[str]:
        """The names by which files can be imported."""
        return sorted(
            path.relative_to(self.root / folder).as_posix()
            for folder in FOLDERS
            for path in (self.root / folder).rglob("*.html")
        )

    def _is_inside(self, folder: str, name: str) -> bool:
        path, inside = self.root / folder / name, (self.root / folder).resolve()
        return path.is_file() and path.resolve().is_relative_to(inside)
