"""The sources of a build, the memory of a preview between builds, and the source of the bytes of pages."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from site_builder.figures.rendered import FigureFiles, styled
from site_builder.pipeline.link_check import CheckedLinks
from site_builder.pipeline.output import WrittenFile
from site_builder.pipeline.steps.context import StepContext
from site_builder.posts.blocks import Body
from site_builder.posts.evidence import Evidence
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config
from site_builder.site.provenance import CodeFacts
from site_builder.storage.file_fingerprints import Scan, read_as_scanned
from site_builder.values.json_records import from_json


@dataclass
class ProcessMemory:
    """The memory of a preview between builds; empty at first. A build gives the same site with and without it.

    summaries: by the sources of their posts, with the bytes that they were read from; links: those without errors.
    """

    summaries: dict[str, tuple[bytes, PostSummary]] = field(default_factory=dict)
    links: CheckedLinks = field(default_factory=CheckedLinks)


@dataclass(frozen=True)
class Sources:
    """The sources of a build. digests: of all files that the scan found; stamp: digest of the installed libraries.

    last_pages: the files of the last build into this folder, whatever its options were, by path.
    verify: see StepContext. memory: of this process.
    """

    config: Config
    scan: Scan
    digests: Mapping[str, str]
    stamp: str
    last_pages: Mapping[str, WrittenFile] = field(default_factory=dict)
    verify: bool = False
    memory: ProcessMemory = field(default_factory=ProcessMemory)

    def read(self, name: str) -> bytes:
        """The bytes of a file that the scan found. Raises SiteError when they have changed since."""
        return read_as_scanned(self.scan.path(name), name, self.digests[name])


@dataclass(frozen=True)
class CachedFiles:
    """The bytes of a site, each loaded when a page needs it; see `site.model.SiteFiles`.

    read: gives a file of the project. solvers: the names that exist. card: gives a share card by its key. static_paths:
    the files of the project that are published as they are, by path in the site. drawings: by figure. What comes from
    the cache raises MissingEntryError where it is gone.
    """

    context: StepContext
    read: Callable[[str], bytes]
    solvers: Collection[str]
    card: Callable[[str], bytes]
    static_paths: Mapping[str, str] = field(default_factory=dict)
    drawings: Mapping[str, FigureFiles] = field(default_factory=dict)
    style: str = ""  # of SVGs: what the theme adds to each

    def body(self, post: PostSummary) -> Body:
        """The body of a post."""
        return from_json(Body, self.context.load("body", post.body))

    def has_body(self, post: PostSummary) -> bool:
        """True when the body and the evidence of a post are in the cache."""
        wanted = [("body", post.body), *([("evidence", post.evidence)] if post.evidence else [])]
        return all(self.context.has(kind, key) for kind, key in wanted)

    def evidence(self, post: PostSummary) -> Evidence:
        """The evidence of a post."""
        return from_json(Evidence, self.context.load("evidence", post.evidence))

    def code_behind(self, post: PostSummary) -> Mapping[str, CodeFacts]:
        """The code of the solvers of a post."""
        found = {name: self.context.codes.solving(name) for name in sorted(post.solvers) if name in self.solvers}
        return {name: CodeFacts(known.key, known.libraries) for name, known in found.items()}

    def static(self, path: str) -> bytes:
        """A file that is published as it is, by its path in the site."""
        return self.read(self.static_paths[path])

    def drawing(self, figure: str, kind: str) -> bytes:
        """A file of a rendered figure. kind: as in FigureFiles.digests."""
        data = self.context.load("drawn", self.drawings[figure].digests[kind])
        return styled(data, self.style) if self.style and kind.startswith(("svg", "narrow_svg")) else data

    def of_extension(self, key: str) -> bytes:
        """A file that an extension publishes beside a post, by its digest."""
        return self.context.load("file", key)
