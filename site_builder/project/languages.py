"""The languages of a project: files words/<tag>.yaml of the default theme and of templates/; English needs none.

A tag with parts, such as de-AT, has what de has, and its own file over that.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from site_builder.errors import Place, SiteError, guide, nearest, raise_all
from site_builder.project.config import text_of
from site_builder.project.validation import site_errors
from site_builder.project.yaml_reader import read_yaml
from site_builder.values.digest import digest
from site_builder.values.language import ENGLISH, Language

OWN = "templates/"
_FILE = re.compile(r"words/(?P<tag>[^/]+)\.yaml")


class Languages:
    """The languages of a project, each read when it is needed.

    digests: of the project's files, by name. theme: before the names of those of the default theme. read: gives the
    bytes of a file.
    """

    def __init__(self, digests: Mapping[str, str], theme: str, read: Callable[[str], bytes]) -> None:
        self._files: dict[str, list[str]] = {}
        self._read = read
        self._known: dict[str, Language] = {}
        for folder in (theme, OWN):
            for name in sorted(name for name in digests if name.startswith(f"{folder}words/")):
                if found := _FILE.fullmatch(name.removeprefix(folder)):
                    self._files.setdefault(found["tag"].lower(), []).append(name)
        self.digest = digest([(name, digests[name]) for names in self._files.values() for name in names])

    def get(self, tag: str, place: Place) -> Language:
        """The language with this tag. Raises SiteError for none, at the place where it stands, and in its file."""
        if tag not in self._known:
            self._known[tag] = self._load(tag, place)
        return self._known[tag]

    def _load(self, tag: str, place: Place) -> Language:
        parts = tag.lower().split("-")
        names = [name for end in range(len(parts)) for name in self._files.get("-".join(parts[: end + 1]), [])]
        if not names and parts[0] != ENGLISH.code:
            cure = nearest(tag, [ENGLISH.code, *self._files])
            cure += f"\nor write templates/words/{tag}.yaml: {guide('theming')}"
            raise SiteError(place, f"there is no language {tag!r}", cure)
        fields: dict[str, Any] = {"words": {}}
        for name in names:
            found = self._file(name).model_dump(exclude_unset=True)
            fields |= found | {"words": fields["words"] | found.get("words", {})}
        return Language(**fields | {"code": tag})

    def _file(self, name: str) -> Language:
        """The language as one file has it."""
        reading = read_yaml(text_of(self._read(name), name), name)
        try:
            return Language(**reading.said)
        except ValidationError as error:
            raise_all(site_errors(error, reading, Language, "the language"))
            raise
