"""The data of a site from which its pages are made, and the pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from site_builder.figures.rendered import FigureFiles
from site_builder.posts.blocks import Body
from site_builder.posts.evidence import Evidence
from site_builder.posts.links import Addresses
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Settings
from site_builder.project.posts import slugged
from site_builder.site.provenance import CodeFacts
from site_builder.site.theme import Theme
from site_builder.values.digest import digest
from site_builder.values.json_records import from_json
from site_builder.values.language import Language

Inputs = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Page:
    """One file of the site.

    render: gives its bytes. inputs: gives a digest of each thing that they are made from, by the name that reasons
    have for it, such as "the post". is_copied: whether no template makes it.
    """

    path: str
    render: Callable[[], bytes]
    inputs: Callable[[], Inputs]
    is_copied: bool = False

    @cached_property
    def key(self) -> str:
        """Cache key of the file: the digest of its inputs."""
        return digest(self.inputs())


def copied(path: str, read: Callable[[], bytes], content: str) -> Page:
    """A file that no template makes. content: a digest of what it is made from."""
    return Page(path, read, lambda: {"the file": content}, is_copied=True)


@dataclass(frozen=True)
class Site:
    """All that pages are made of.

    posts: newest first. static_files: digests of the files that are published as they are, by path. links: what the
    links of each post lead to, by the path of its page. drawings: by figure. has_search: whether there is a search
    index. cards: keys of the share cards by the source of the post, that of the site under an empty one. builder:
    digest of the builder. digest, listed_digest: give the digest of a summary, and of what lists show of it. load:
    gives what the cache holds by kind and key; static: a file that is published as it is, by path; drawing: a file of
    a figure, by the key of that and one of `FigureFiles.digests`; card: a share card by its key; codes: the code of
    the solvers of a post, by solver. recall: gives what was made of the site's data under a key, or makes it. turned:
    the posts at their settings, by source. language: gives that with a tag. assets: the scripts and stylesheets of the
    extensions that posts can use, by extension and name.
    """

    settings: Settings
    theme: Theme
    posts: Sequence[PostSummary]
    pages: Sequence[PostSummary]
    static_files: Mapping[str, str]
    addresses: Addresses
    links: Mapping[str, tuple[str, ...]]
    drawings: Mapping[str, FigureFiles]
    cards: Mapping[str, str]
    has_search: bool
    builder: str
    digest: Callable[[PostSummary], str]
    listed_digest: Callable[[PostSummary], str]
    load: Callable[[str, str], bytes]
    static: Callable[[str], bytes]
    drawing: Callable[[str, str], bytes]
    card: Callable[[str], bytes]
    codes: Callable[[PostSummary], Mapping[str, CodeFacts]]
    recall: Callable[[str, Callable[[], bytes]], bytes]
    turned: Mapping[str, Sequence[PostSummary]] = field(default_factory=dict)
    language: Callable[[str], Language] = lambda tag: Language(code=tag)
    assets: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)

    def body(self, post: PostSummary) -> Body:
        """The body of a post."""
        return from_json(Body, self.load("body", post.body))

    def evidence(self, post: PostSummary) -> Evidence:
        """The evidence of a post."""
        return from_json(Evidence, self.load("evidence", post.evidence))

    def assets_of(self, extension: str) -> dict[str, bytes]:
        """The scripts and stylesheets of an extension, by their paths in the site, which change with their bytes."""
        files = self.assets.get(extension, {})
        folder = f"assets/{slugged(extension.removesuffix('.py'))}.{digest(sorted(files.items()))[:10]}"
        return {f"{folder}/{name}": data for name, data in files.items()}
