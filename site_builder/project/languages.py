"""The languages of a project: files words/<tag>.yaml of the default theme and of templates/; English needs none.

A tag with parts, such as de-AT, has what de has, and its own file over that.
"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from site_builder.errors import Place, SiteError, guide, nearest, raise_all
from site_builder.project.config import text_of
from site_builder.project.validation import site_errors
from site_builder.project.yaml_reader import read_yaml
from site_builder.values.digest import digest
from site_builder.values.language import ENGLISH, Language

OWN = "templates/"
_FILE = re.compile(r"words/(?P<tag>[^/]+)\.yaml")
_NAMED = re.compile(r"%\((\w+)\)s")


def _date(form: str) -> str:
    if sorted(re.findall(r"\{(.*?)\}", form)) != ["day", "month", "year"]:
        raise ValueError(f"{form!r} needs {{day}}, {{month}} and {{year}}, each once")
    return form


def _words(words: dict[str, str]) -> dict[str, str]:
    for english, word in words.items():
        lost = set(_NAMED.findall(word)) - set(_NAMED.findall(english))
        if lost or "%" in _NAMED.sub("", word):
            raise ValueError(f"{word!r} may hold no % but those of {english!r}")
        if '"' in word and '"' not in english:
            raise ValueError(f"{word!r} holds a straight quotation mark, which would end an attribute")
    return {" ".join(english.split()): word for english, word in words.items()}


class LanguageFile(BaseModel):
    """The keys of a file of a language; see Language."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    decimal: str = ""
    group: str = ""
    grouped_from: int = 0
    percent: str = ""
    quotes: Annotated[list[str], Field(min_length=4, max_length=4)] = []
    date: Annotated[str, AfterValidator(_date)] = ""
    months: Annotated[list[str], Field(min_length=12, max_length=12)] = []
    words: Annotated[dict[str, str], AfterValidator(_words)] = {}


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
        names = [name for end in range(1, len(parts) + 1) for name in self._files.get("-".join(parts[:end]), [])]
        if not names and parts[0] != ENGLISH.code:
            cure = (
                f"{nearest(tag, [ENGLISH.code, *self._files])}\nor write templates/words/{tag}.yaml: {guide('theming')}"
            )
            raise SiteError(place, f"there is no language {tag!r}", cure)
        fields: dict[str, Any] = {"code": tag}
        for name in names:
            found = self._file(name)
            fields |= found | {"words": fields.get("words", {}) | found.get("words", {})}
        return Language(**fields)

    def _file(self, name: str) -> dict[str, Any]:
        """The fields that a file sets."""
        reading = read_yaml(text_of(self._read(name), name), name)
        try:
            found = LanguageFile(**reading.said).model_dump(exclude_unset=True)
        except ValidationError as error:
            raise_all(site_errors(error, reading, LanguageFile, "the language"))
            raise
        return {field: tuple(value) if isinstance(value, list) else value for field, value in found.items()}
