"""Files of Jinja that posts import or include: content/macros.html for all of them, others by their names."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from jinja2 import BaseLoader, Environment, TemplateNotFound

from site_builder.errors import nearest
from site_builder.markup.jinja_text import loose_filter
from site_builder.project.config import text_of
from site_builder.project.posts import MACROS

FOLDERS = ("content", "templates")
"""The folders in which a file is looked for, in this order."""

_TAG = re.compile(r"\{%[-+]?\s*(?:import|include|from|extends)\b(.*?)%\}", re.DOTALL)
_NAME = re.compile(r"\"([^\"]*)\"|'([^']*)'")


def macro_files(text: str, digests: Mapping[str, str], read: Callable[[str], bytes]) -> dict[str, str]:
    """The files that a text may take macros from, and those that these import: digests by name.

    Empty ones are of files that are named and not there. digests: of all files of the project.
    """
    if "{{" not in text and "{%" not in text:
        return {}
    found: dict[str, str] = {}
    waiting = [MACROS] if MACROS in digests else []
    waiting += _named(text, digests)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = digests.get(name, "")
            waiting += _named(read(name).decode("utf-8", "replace"), digests) if found[name] else ()
    return found


def _named(text: str, digests: Mapping[str, str]) -> Iterator[str]:
    """The files that a text names in imports: each at the first place where there is one, and the places before it."""
    for tag in _TAG.findall(text):
        for one, other in _NAME.findall(tag):
            for path in (f"{folder}/{one or other}" for folder in FOLDERS):
                yield path
                if path in digests:
                    break


class MacroLoader(BaseLoader):
    """Loads files for the environment of posts.

    files: those of the project in `root` that a text may use, as `macro_files` has them; read: gives the bytes of one.
    """

    def __init__(self) -> None:
        self.root = Path()
        self.files: Mapping[str, str] = {}
        self.read: Callable[[str], bytes] = lambda name: b""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """The text of a file, its name in the project, and a function that says whether it is still the same."""
        paths = [f"{folder}/{template}" for folder in FOLDERS]
        if not (name := next(filter(self.files.get, paths), "")):
            raise TemplateNotFound(template)
        data = self.read(name)
        source = text_of(data, name)
        if error := loose_filter(environment, source, name):
            raise error
        return source, name, lambda: bool(self.files.get(name)) and self.read(name) == data

    def missing(self, name: str) -> tuple[str, str]:
        """The error of a name that cannot be loaded, and the cure."""
        known = sorted(
            path.relative_to(self.root / folder).as_posix()
            for folder in FOLDERS
            for path in (self.root / folder).rglob("*.html")
        )
        if name in known:
            cure = f'write it in quotes where it is imported: {{% include "{name}" %}}'
            return f"the name of the file {name} is computed, so that no change of it would be noticed", cure
        return f"there is no file {name} in content/ or templates/", nearest(name, known)
