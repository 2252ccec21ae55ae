"""All that the pages of a site are made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from site_builder.figures.rendered import FigureFiles
from site_builder.posts.body import Body
from site_builder.posts.evidence import Evidence
from site_builder.posts.links import Addresses
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Settings
from site_builder.site.entries import Entry
from site_builder.site.page import Last
from site_builder.site.provenance import CodeFacts
from site_builder.site.theme import Theme


@dataclass(frozen=True)
class Search:
    """The search index of a site, in parts. folders: of the parts, none where there is no index.

    files: what names the bytes of each, by its path in the site; file gives them.
    """

    folders: tuple[str, ...]
    files: Mapping[str, str]
    file: Callable[[str], bytes]


NO_SEARCH = Search((), {}, lambda path: b"")


@dataclass(frozen=True)
class Site:
    """All that pages are made of.

    posts: newest first. files: digests of those published as they are, by path. places: by source, what the links of
    each post lead to. drawings: by the key of the figure. body, evidence, file and drawing give what is too much to
    hold at once, and so do bundle and card. behind: the code of a post's solvers.
    bundles: what names the bytes of each, by order. cards: by source, what names the share card of each post that has
    one of its own, and of the site under ""; carding: names the code that draws them.
    last: what is known of the pages from the last build; grounds: what named all that relates posts then.
    stamps: by source, a name for all that a post is made from.
    code: a name for the code that makes pages. entries: of the posts, in their order.
    """

    settings: Settings
    theme: Theme
    posts: Sequence[PostSummary]
    pages: Sequence[PostSummary]
    files: Mapping[str, str]
    addresses: Addresses
    places: Mapping[str, tuple[str, ...]]
    drawings: Mapping[str, FigureFiles]
    body: Callable[[PostSummary], Body]
    evidence: Callable[[PostSummary], Evidence]
    behind: Callable[[PostSummary], Mapping[str, CodeFacts]]
    bundles: Mapping[str, str]
    bundle: Callable[[str], bytes]
    search: Search
    file: Callable[[str], bytes]
    drawing: Callable[[str, str], bytes]
    cards: Mapping[str, str]
    card: Callable[[str], bytes]
    carding: str
    last: Mapping[str, Last]
    grounds: str
    stamps: Mapping[str, bytes]
    code: str
    entries: Sequence[Entry]
