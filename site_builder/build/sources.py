"""What a build starts from, and what a process that builds repeatedly keeps between builds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from site_builder.build.link_check import CheckedLinks
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config
from site_builder.site.page import Last
from site_builder.storage.file_fingerprints import Scan, read_as_scanned


@dataclass
class ProcessMemory:
    """What a preview keeps between builds; empty at first. A build gives the same site with and without it.

    summaries: by the sources of their posts, with the bytes that they were read from; links: those without errors.
    """

    summaries: dict[str, tuple[bytes, PostSummary]] = field(default_factory=dict)
    links: CheckedLinks = field(default_factory=CheckedLinks)


@dataclass(frozen=True)
class Sources:
    """What a build starts from. digests: of all files that the scan found; stamp: digest of the installed libraries.

    last: what is known of each page from the last build; related_digest: digest of everything that relates posts, at
    the last build. verify: see StepContext. memory: of this process.
    """

    config: Config
    scan: Scan
    digests: Mapping[str, str]
    stamp: str
    last: Mapping[str, Last]
    related_digest: str = ""
    verify: bool = False
    memory: ProcessMemory = field(default_factory=ProcessMemory)

    def read(self, name: str) -> bytes:
        """The bytes of a file that the scan found. Raises SiteError when they have changed since."""
        return read_as_scanned(self.scan.path(name), name, self.digests[name])
