"""Where the pages of a site get bytes from: the cache, and files as they are."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from site_builder.build.steps.context import StepContext
from site_builder.figures.rendered import FigureFiles
from site_builder.posts.body import Body, read_body
from site_builder.posts.evidence import Evidence, read_evidence
from site_builder.posts.summary import PostSummary
from site_builder.site.provenance import CodeFacts


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

    def of_site(self, static_paths: Mapping[str, str], drawings: Mapping[str, FigureFiles]) -> "CachedFiles":
        """The same for a site of these files and drawings."""
        return replace(self, static_paths=static_paths, drawings=drawings)

    def body(self, post: PostSummary) -> Body:
        """The body of a post."""
        return read_body(self.context.load("body", post.body))

    def has_body(self, post: PostSummary) -> bool:
        """Whether the body and the evidence of a post are in the cache."""
        wanted = [("body", post.body), *([("evidence", post.evidence)] if post.evidence else [])]
        return all(self.context.store.get(kind, key) is not None for kind, key in wanted)

    def evidence(self, post: PostSummary) -> Evidence:
        """The evidence of a post."""
        return read_evidence(self.context.load("evidence", post.evidence))

    def code_behind(self, post: PostSummary) -> Mapping[str, CodeFacts]:
        """The code of the solvers of a post."""
        found = {name: self.context.codes.solving(name) for name in sorted(post.solvers) if name in self.solvers}
        return {name: CodeFacts(known.key, known.libraries) for name, known in found.items()}

    def static(self, path: str) -> bytes:
        """A file that is published as it is, by its path in the site."""
        return self.read(self.static_paths[path])

    def drawing(self, figure: str, kind: str) -> bytes:
        """A file of a rendered figure. kind: the field of FigureFiles."""
        return self.context.load("drawn", getattr(self.drawings[figure], kind))

    def bundle(self, content: str) -> bytes:
        """A bundle, by the digest of its bytes."""
        return self.context.load("bundled", content)
