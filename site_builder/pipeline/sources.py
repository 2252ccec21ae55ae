"""The sources of a build."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from site_builder.pipeline.last_build import LastBuild
from site_builder.pipeline.output import WrittenFile
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config
from site_builder.project.languages import Languages
from site_builder.storage.file_fingerprints import THEME, Scan, read_as_scanned


@dataclass(frozen=True)
class Sources:
    """The sources of a build. digests: of all files that the scan found; stamp: digest of the installed libraries.

    last_pages: the files of the last build into this folder, whatever its options were, by path.
    verify: see StepContext. summaries: that this process has read before, as a preview does, by the sources of their
    posts, with the bytes that they were read from. last_build: with the same options.
    """

    config: Config
    scan: Scan
    digests: Mapping[str, str]
    stamp: str
    last_pages: Mapping[str, WrittenFile] = field(default_factory=dict)
    verify: bool = False
    summaries: dict[str, tuple[bytes, PostSummary]] = field(default_factory=dict)
    last_build: LastBuild | None = None

    @cached_property
    def languages(self) -> Languages:
        """The languages in which its texts may be."""
        return Languages(self.digests, THEME, self.read)

    def read(self, name: str) -> bytes:
        """The bytes of a file that the scan found. Raises SiteError when they have changed since."""
        return read_as_scanned(self.scan.path(name), name, self.digests[name])
