"""Every file of the site as a page: assets, posts, lists, feeds, and what search engines read."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from urllib.parse import quote
from xml.etree import ElementTree

from site_builder.errors import Place, SiteError, raise_all
from site_builder.markup.placeholders import fill_parts, strip_tags
from site_builder.posts.blocks import Body, FigureBlock, TableBlock
from site_builder.posts.links import Addresses, check_links
from site_builder.posts.summary import PostSummary
from site_builder.project.config import Config, Settings
from site_builder.project.posts import Content, file_path
from site_builder.site.entries import tag_paths
from site_builder.site.layout import CARD_PATH, FEED, Head, Layout, plain
from site_builder.site.model import Page, Site, copied
from site_builder.site.pages.feed import feed_pages
from site_builder.site.pages.list_pages import index_path, list_pages
from site_builder.site.pages.post_pages import PostPages
from site_builder.site.provenance import ANSWERS, PROVENANCE
from site_builder.values.digest import digest

SEARCH = "search/"
_WITH_WORDS = 500  # newest posts whose words are offered for misspelt ones
_MATHEMATICS = re.compile(r"<math\b.*?</math>", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{4,24}")


def make_pages(site: Site) -> tuple[Page, ...]:
    """All pages. Raises SiteError where two of them have the same path."""
    pages = tuple(_every_page(site))
    raise_all(_clashes([page.path for page in pages], site))
    return pages


def turned_pages(site: Site, source: str) -> Iterator[Page]:
    """The pages of the other settings of a post, with the files that come with them."""
    return PostPages(Layout(site)).turned([post.source for post in site.posts].index(source))


def site_paths(
    settings: Settings, posts: Sequence[PostSummary], pages: Sequence[PostSummary], files: Iterable[str]
) -> set[str]:
    """The addresses of everything but figures and assets, as links write them: posts/x/, tags/, feed.xml."""
    fixed = {
        *("", "tags/", "archive/", SEARCH, "answers/", ANSWERS),
        *(FEED, CARD_PATH, "sitemap.xml", "robots.txt"),
    }
    count = -(-len(posts) // settings.posts_per_page)
    later = {index_path(number) for number in range(2, count + 1)}
    every = (*posts, *pages)
    records = {post.beside(PROVENANCE) for post in every if post.evidence}
    records |= {post.beside(name) for post in every for _, name in post.files_of_extensions}
    tags = tag_paths(posts)
    feeds = {path + FEED for path in tags}
    return fixed | tags | feeds | later | {post.path for post in every} | records | set(files)


@dataclass(frozen=True)
class LinkTargets:
    """All that links can lead to. anchors: of every path of the site; None where they are not known."""

    addresses: Addresses
    anchors: Mapping[str, Sequence[str] | None]

    def check(self, post: PostSummary) -> tuple[tuple[str, ...], list[SiteError]]:
        """The path in the site of each link of a post, and an error for each link that leads nowhere."""
        places, anchors = tuple([self.addresses.place(post.path, link.target) for link in post.links]), self.anchors
        if post.setting:
            own = {post.beside(name): None for _, name in post.files_of_extensions}
            anchors = {**anchors, **own, post.path: post.anchors}
        if anchors.keys() >= set(places) and not any(link.fragment for link in post.links):
            return places, []
        errors = check_links(post.source, post.links, places, anchors)
        about = f"turned to {post.setting.label}: " if post.setting else ""
        return places, [each.copy(message=about + each.message) for each in errors]


def link_targets(
    config: Config, content: Content[PostSummary], summaries: Sequence[PostSummary], pending: Sequence[PostSummary]
) -> LinkTargets:
    """The targets of links in a site of these posts. pending: those whose present texts are not known yet."""
    every = [*summaries, *pending]
    posts, pages = [b for b in every if not b.is_page], [b for b in every if b.is_page]
    anchors: dict[str, Sequence[str] | None] = dict.fromkeys(site_paths(config.settings, posts, pages, content.files))
    anchors |= {path: None for post in content.read for path, _ in post.addresses()}  # also where a text has errors
    anchors |= {alias: None for summary in summaries for alias in summary.aliases}
    anchors |= {summary.path: summary.anchors for summary in summaries}
    paths = {summary.source: summary.path for summary in summaries}
    paths |= {post.source: post.path for post in content.read}
    return LinkTargets(Addresses(paths, content.files), anchors)


def _clashes(paths: Sequence[str], site: Site) -> list[SiteError]:
    """An error for each page with the path of another, or with one below it, at the line that requests it."""
    taken = {path.lower() for path in paths}
    folders = {posixpath.dirname(path) for path in taken}
    above = {folder[:end] for folder in folders for end, sign in enumerate(folder) if sign == "/"} | folders
    if len(taken) == len(paths) and taken.isdisjoint(above):
        return []
    places = {path.lower(): Place(f"content/{path}") for path in site.static_files}
    writeups = (*site.posts, *site.pages)
    places |= {file_path(path).lower(): place for post in writeups for path, place in post.addresses()}
    places |= {file_path(each.path).lower(): post.place("turn") for post in site.posts for each in post.other_turns}
    taken = set()
    errors = []
    for path in sorted(path.lower() for path in paths):
        over = [path[:end] for end, sign in enumerate(path) if sign == "/"]
        if clash := next((other for other in (*over, path) if other in taken), ""):
            place = places.get(path) or places.get(clash) or Place("content")
            message = f"two files of the site want the address /{clash.removesuffix('index.html')}"
            errors.append(SiteError(place, message, "give the post or file another name"))
        taken.add(path)
    return errors


def _every_page(site: Site) -> Iterator[Page]:
    layout = Layout(site)
    for name, path in site.theme.assets.items():
        yield copied(path, lambda name=name: site.theme.asset_bytes(name), path)  # type: ignore[misc]
    for extension in site.assets:
        for path, data in site.assets_of(extension).items():
            yield copied(path, lambda data=data: data, path)  # type: ignore[misc]
    yield from PostPages(layout).pages()
    for path, known in site.static_files.items():
        yield copied(path, lambda path=path: site.static(path), known)  # type: ignore[misc]
    yield from list_pages(layout)
    yield from feed_pages(layout)
    name = site.cards[""]
    yield copied(CARD_PATH, lambda: site.card(name), digest(name, site.builder))
    yield from _search_pages(layout)
    mapped, base_url = cache(lambda: _mapped(layout)), site.settings.base_url
    yield Page(
        "sitemap.xml",
        lambda: _sitemap(base_url, mapped()),
        lambda: {"the list of pages": digest(site.builder, base_url, mapped())},
        is_copied=True,
    )
    robots = f"User-agent: *\nAllow: /\nSitemap: {base_url}sitemap.xml\n".encode()
    yield copied("robots.txt", lambda: robots, digest(robots))
    yield layout.list_page("404.html", Head("404", "404.html", plain(layout.word("Page not found"))))


def _search_pages(layout: Layout) -> Iterator[Page]:
    """The search page, and the words that its script offers for misspelt ones."""
    site = layout.site
    topics = layout.by_tag.items() if site.has_search else ()
    found = {
        "has_search": site.has_search,
        "tags": [(tag.path.split("/")[1], tag.name, len(entries)) for tag, entries in topics],
    }
    about = layout.word("Find a word or a number in %(title)s.")
    yield layout.list_page("search.html", Head("search", SEARCH, plain(layout.word("Search")), about), more=found)
    if site.has_search:
        texts = [*site.pages, *site.posts[:_WITH_WORDS]]
        own = digest(site.builder, [layout.texts[text.source] for text in texts])
        yield copied(f"{SEARCH}words.txt", lambda: offered_words(site, texts), own)


def offered_words(site: Site, texts: Iterable[PostSummary]) -> bytes:
    """The words that a search may offer for a misspelt one: of four letters or more, one to a line."""
    found: set[str] = set()
    for text in texts:
        key = digest("words", text.title.text, text.summary.text, text.body)
        found.update(site.recall(key, lambda text=text: _words(text, site.body(text))).decode().split())  # type: ignore[misc]
    return "\n".join(sorted(found)).encode()


def _words(text: PostSummary, body: Body) -> bytes:
    blocks = [block for block in body.parts if isinstance(block, (FigureBlock, TableBlock))]
    captions = [part.html for block in blocks for part in (block.title, block.caption)]
    html = " ".join([text.title.text, text.summary.text, fill_parts(body.html, lambda number: " "), *captions])
    words = _WORD.findall(strip_tags(_MATHEMATICS.sub(" ", html)).lower())
    return " ".join(sorted(set(words))).encode()


def _mapped(layout: Layout) -> list[tuple[str, datetime | None]]:
    """The paths of the sitemap, each with the moment of its last change where it is known."""
    site = layout.site
    dated = {post.path: post.changed for post in (*site.posts, *site.pages)}
    listed = site_paths(site.settings, site.posts, site.pages, site.static_files)
    return [(path, dated.get(path)) for path in sorted(listed) if path.endswith(("/", ".html")) or not path]


def _sitemap(base_url: str, mapped: Iterable[tuple[str, datetime | None]]) -> bytes:
    root = ElementTree.Element("urlset", {"xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"})
    for path, moment in mapped:
        url = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(url, "loc").text = base_url + quote(path)
        if moment:
            ElementTree.SubElement(url, "lastmod").text = moment.date().isoformat()
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"
