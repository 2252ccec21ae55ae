"""The sources of a build, and the languages that it can write."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from site_builder.errors import Place, SiteError, guide, nearest, raise_all
from site_builder.pipeline.last_build import WrittenFile
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config, read_as_scanned, text_of
from site_builder.project.validation import site_errors
from site_builder.project.yaml_reader import read_yaml
from site_builder.site.theme import OWN
from site_builder.storage.file_fingerprints import THEME, Scan
from site_builder.values.digest import digest
from site_builder.values.language import ENGLISH, Language

_WORDS = re.compile(rf"({re.escape(THEME)}|{OWN})words/[^/]+\.yaml")


class Languages:
    """The languages of a project, each read when it is needed: files words/<tag>.yaml; English needs none.

    A tag with parts, such as de-AT, has what de has, and its own file over that. digests: of the files of the project
    and of the default theme, by name. read: gives the bytes of one.
    """

    def __init__(self, digests: Mapping[str, str], read: Callable[[str], bytes]) -> None:
        self._read = read
        self._known: dict[str, Language] = {}
        files = sorted(name for name in digests if _WORDS.fullmatch(name))
        self._files = {name.lower(): name for name in files}
        self.digest = digest([(name, digests[name]) for name in files])

    def get(self, tag: str, place: Place) -> Language:
        """The language with this tag. Raises SiteError for none, at the place where it stands, and in its file."""
        if tag not in self._known:
            self._known[tag] = self._load(tag, place)
        return self._known[tag]

    def _load(self, tag: str, place: Place) -> Language:
        parts = tag.lower().split("-")
        tags = ["-".join(parts[: end + 1]) for end in range(len(parts))]
        paths = [f"{folder}words/{each}.yaml".lower() for each in tags for folder in (THEME, OWN)]
        names = [self._files[path] for path in paths if path in self._files]
        if not names and parts[0] != ENGLISH.code:
            cure = nearest(tag, [ENGLISH.code, *(PurePath(name).stem for name in self._files)])
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
            return Language(**reading.keys_with_values)
        except ValidationError as error:
            raise_all(site_errors(error, reading, Language, "the language"))
            raise


@dataclass(frozen=True)
class Sources:
    """The sources of a build. digests: of all files that the scan found; stamp: digest of the installed libraries.

    last_pages: the files of the last build into this folder, whatever its options were, by path.
    anew: see StepContext. summaries: that this process has read before, as a preview does, by the sources of their
    posts, with the bytes that they were read from. further: files outside of the usual folders that the last build
    into this folder came upon.
    """

    config: Config
    scan: Scan
    digests: Mapping[str, str]
    stamp: str
    last_pages: Mapping[str, WrittenFile] = field(default_factory=dict)
    anew: bool = False
    summaries: dict[str, tuple[bytes, PostSummary]] = field(default_factory=dict)
    further: Sequence[str] = ()

    @cached_property
    def languages(self) -> Languages:
        """The languages in which its texts may be."""
        return Languages(self.digests, self.read)

    def read(self, name: str) -> bytes:
        """The bytes of a file that the scan found. Raises SiteError when they have changed since."""
        return read_as_scanned(self.scan.path(name), name, self.digests[name])
