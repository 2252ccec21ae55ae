"""Every file of the site as a recipe: its path, and how to make its bytes."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from markupsafe import Markup

from site_builder.config import Config
from site_builder.content import Content, Post, addresses_of, tag_slug
from site_builder.entries import Entry, Tag, all_tags, make_entries
from site_builder.errors import Place, SiteError, raise_all
from site_builder.feed import FeedEntry, atom
from site_builder.filling import Filler
from site_builder.parts import Drawing
from site_builder.rendering import Body, Card
from site_builder.theme import Theme, addresses, relative
from site_builder.tokens import Inline, fill

_LONG = 1200  # words from which a post has a table of contents by itself
_FEED = "feed.xml"


@dataclass(frozen=True)
class Page:
    """One file of the site: its path, and how to make its bytes. key: what they are made from, "" when not known."""

    path: str
    render: Callable[[], bytes]
    key: str = ""


@dataclass(frozen=True)
class Pagination:
    """Where a list stands among its pages."""

    number: int
    count: int
    newer: str | None
    older: str | None
    pages: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class TocItem:
    """A heading in the table of contents."""

    id: str
    title: Markup
    children: "tuple[TocItem, ...]"


@dataclass(frozen=True)
class Site:
    """All that pages are made of. cards and bodies: by a post's source; drawings: by the key of the figure."""

    config: Config
    theme: Theme
    content: Content
    cards: Mapping[str, Card]
    bodies: Mapping[str, Body]
    drawings: Mapping[str, Drawing]


def make_pages(site: Site) -> tuple[Page, ...]:
    """The recipes of all files. Raises SiteError where two of them want the same path."""
    pages = tuple(_Maker(site).pages())
    raise_all(_clashes([page.path for page in pages], site.content))
    return pages


def site_paths(config: Config, content: Content) -> set[str]:
    """The addresses of everything but figures and assets, as links write them: posts/x/, tags/, feed.xml."""
    fixed = {"", "tags/", "archive/", _FEED, "sitemap.xml", "robots.txt"}
    tags = {tag.path for post in content.posts for tag in _tags_of(post)}
    count = -(-len(content.posts) // config.settings.posts_per_page)
    later = {_index_path(number) for number in range(2, count + 1)}
    return fixed | tags | later | {post.path for post in content.writeups} | set(content.files)


def _clashes(paths: Sequence[str], content: Content) -> list[SiteError]:
    """Files of the site that want the same path, or a path below another file, at the lines that ask for them."""
    places = {path.lower(): Place(f"content/{path}") for path in content.files}
    places |= {file_path(path).lower(): place for post in content.writeups for path, place in addresses_of(post)}
    taken: set[str] = set()
    faults = []
    for path in sorted(path.lower() for path in paths):
        above = [path[:end] for end, sign in enumerate(path) if sign == "/"]
        if clash := next((other for other in (*above, path) if other in taken), ""):
            place = places.get(path) or places.get(clash) or Place("content")
            fault = f"two files of the site want the address /{clash.removesuffix('index.html')}"
            faults.append(SiteError(place, fault, "give the post or file another name"))
        taken.add(path)
    return faults


def file_path(path: str) -> str:
    """The file behind an address: posts/x/ is posts/x/index.html."""
    return f"{path}index.html" if path.endswith("/") or not path else path


class _Maker:
    def __init__(self, site: Site) -> None:
        self.site = site
        self.settings = site.config.settings
        self.entries = make_entries(site.content.posts, site.cards, site.bodies, self.settings.author)
        self.tags = all_tags(self.entries)
        self.by_path = {entry.path: entry for entry in self.entries}
        self.filler = Filler(site.theme, site.drawings, self.settings.base_url)
        navigation = [(label, path.lstrip("/")) for label, path in self.settings.navigation.items()]
        self.site_facts = {
            "title": self.settings.title,
            "description": self.settings.description,
            "language": self.settings.language,
            "author": self.settings.author,
            "base_url": self.settings.base_url,
            "navigation": navigation,
        }

    def pages(self) -> Iterator[Page]:
        for path, data in self.site.theme.assets.values():
            yield Page(path, lambda data=data: data)  # type: ignore[misc]
        for post in self.site.content.writeups:
            yield from self._figures(post)
            yield Page(file_path(post.path), lambda post=post: self._writeup(post))  # type: ignore[misc]
            yield from self._redirects(post)
        for path, file in self.site.content.files.items():
            yield Page(path, file.read_bytes)
        yield from self._lists()
        yield from self._feeds()
        yield Page("sitemap.xml", self._sitemap)
        yield Page("robots.txt", self._robots)
        yield Page("404.html", lambda: self._page("404.html", "404.html", "404", plain("Page not found"), "", {}))

    def _lists(self) -> Iterator[Page]:
        size = self.settings.posts_per_page
        chunks = [self.entries[i : i + size] for i in range(0, len(self.entries), size)] or [()]
        for number, chunk in enumerate(chunks, 1):
            path = _index_path(number)
            yield Page(file_path(path), lambda n=number, c=chunk: self._index(n, len(chunks), c))  # type: ignore[misc]
        yield Page("archive/index.html", self._archive)
        yield Page("tags/index.html", self._all_tags)
        for tag in self.tags:
            yield Page(file_path(tag.path), lambda tag=tag: self._tag(tag))  # type: ignore[misc]

    def _feeds(self) -> Iterator[Page]:
        yield Page(_FEED, lambda: self._feed(self.settings.title, _FEED, "", self.entries))
        for tag in self.tags:
            title = f"{self.settings.title}: {tag.name}"
            yield Page(
                tag.feed_path,
                lambda tag=tag, title=title: self._feed(title, tag.feed_path, tag.path, self._with(tag)),  # type: ignore[misc]
            )

    def _with(self, tag: Tag) -> list[Entry]:
        return [entry for entry in self.entries if tag in entry.tags]

    def _writeup(self, post: Post) -> bytes:
        body = self.site.bodies[post.source]
        card = self.site.cards[post.source]
        html = self.filler.for_page(post, body)
        toc = _toc(body.headings[0].children if len(body.headings) == 1 else body.headings, body)
        if post.is_page:
            context: dict[str, Any] = {"body": html}
            return self._page("page.html", post.path, "page", card.title, card.summary.text or body.excerpt, context)
        entry = self.by_path[post.path]
        place = self.entries.index(entry)
        facts = {field.name: getattr(entry, field.name) for field in dataclasses.fields(entry)}
        facts |= {
            "reading_minutes": entry.reading_minutes,
            "body": html,
            "toc": toc,
            "show_toc": post.front.toc if post.front.toc is not None else body.words >= _LONG and len(toc) > 2,
            "newer": self.entries[place - 1] if place else None,
            "older": self.entries[place + 1] if place + 1 < len(self.entries) else None,
            "extra": post.front.extra,
        }
        return self._page("post.html", post.path, "post", card.title, entry.plain_summary, {"post": facts})

    def _figures(self, post: Post) -> Iterator[Page]:
        for path, (key, kind) in self.filler.figure_files(post, self.site.bodies[post.source]).items():
            yield Page(path, lambda key=key, kind=kind: getattr(self.site.drawings[key], kind))  # type: ignore[misc]

    def _redirects(self, post: Post) -> Iterator[Page]:
        for path in post.aliases:
            context = {
                "site": self.site_facts,
                "target": relative(post.path, path),
                "canonical": self.settings.base_url + quote(post.path),
            }
            yield Page(file_path(path), lambda c=context: self.site.theme.render("redirect.html", c).encode())  # type: ignore[misc]

    def _index(self, number: int, count: int, entries: Sequence[Entry]) -> bytes:
        numbers = tuple((n, _index_path(n)) for n in range(1, count + 1))
        newer = _index_path(number - 1) if number > 1 else None
        older = _index_path(number + 1) if number < count else None
        title = plain(self.settings.title if number == 1 else f"Posts, page {number} of {count}")
        context = {"entries": entries, "pagination": Pagination(number, count, newer, older, numbers)}
        about = self.settings.description if number == 1 else ""
        return self._page("index.html", _index_path(number), "index", title, about, context)

    def _archive(self) -> bytes:
        years = [(year, list(group)) for year, group in groupby(self.entries, key=lambda entry: entry.date.year)]
        about = f"All posts of {self.settings.title} by year."
        return self._page("archive.html", "archive/", "archive", plain("Archive"), about, {"years": years})

    def _all_tags(self) -> bytes:
        about = f"The subjects of {self.settings.title}."
        return self._page("tags.html", "tags/", "tags", plain("Tags"), about, {"tags": self.tags})

    def _tag(self, tag: Tag) -> bytes:
        about = f"Posts of {self.settings.title} about {tag.name}."
        context = {"tag": tag, "entries": self._with(tag)}
        return self._page("tag.html", tag.path, "tag", plain(f"Tag: {tag.name}"), about, context, tag.feed_path)

    def _page(
        self,
        template: str,
        path: str,
        kind: str,
        title: Inline,
        description: str,
        context: Mapping[str, Any],
        feed_path: str = _FEED,
    ) -> bytes:
        page = {
            "kind": kind,
            "title": Markup(title.html),
            "plain_title": title.text,
            "description": description,
            "canonical": self.settings.base_url + quote(path),
            "path": path,
            "feed_path": feed_path,
        }
        base = urlsplit(self.settings.base_url).path if kind == "404" else ""
        functions = addresses(path, self.site.theme.assets, base)
        return self.site.theme.render(
            template, {"site": self.site_facts, "page": page, **functions, **context}
        ).encode()

    def _feed(self, title: str, path: str, page: str, entries: Sequence[Entry]) -> bytes:
        posts = {post.path: post for post in self.site.content.posts}
        newest = sorted(entries, key=lambda entry: entry.date, reverse=True)[: self.settings.posts_in_feed]
        texts = []
        for entry in newest:
            post = posts[entry.path]
            texts.append(FeedEntry(entry, self.filler.for_feed(post, self.site.bodies[post.source])))
        return atom(self.settings, title, path, page, texts)

    def _sitemap(self) -> bytes:
        root = ElementTree.Element("urlset", {"xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"})
        dated = {entry.path: entry.updated or entry.date for entry in self.entries}
        listed = site_paths(self.site.config, self.site.content)
        for path in sorted(p for p in listed if p.endswith(("/", ".html")) or not p):
            url = ElementTree.SubElement(root, "url")
            ElementTree.SubElement(url, "loc").text = self.settings.base_url + quote(path)
            if path in dated:
                ElementTree.SubElement(url, "lastmod").text = dated[path].date().isoformat()
        ElementTree.indent(root)
        text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
        return text + b"\n"

    def _robots(self) -> bytes:
        return f"User-agent: *\nAllow: /\nSitemap: {self.settings.base_url}sitemap.xml\n".encode()


def plain(text: str) -> Inline:
    """Plain text as it is."""
    return Inline(str(Markup.escape(text)), text)


def _tags_of(post: Post) -> Iterable[Tag]:
    return [Tag(name, f"tags/{tag_slug(name)}/", 0) for name in post.tags]


def _index_path(number: int) -> str:
    return "" if number == 1 else f"page/{number}/"


def _toc(headings: Sequence[Any], body: Body) -> tuple[TocItem, ...]:
    return tuple(
        TocItem(
            heading.anchor,
            Markup(fill(heading.title, body.tokens, lambda token: token.inline.html)),
            _toc(heading.children, body),
        )
        for heading in headings
    )
