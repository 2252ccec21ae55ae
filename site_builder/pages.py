"""Every file of the site as a recipe: its path, the key of what it is made from, and how to make its bytes."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from markupsafe import Markup

from site_builder.bodies import Body, Section
from site_builder.briefs import Brief
from site_builder.config import Settings
from site_builder.content import file_path
from site_builder.entries import Entry, Tag, all_tags, make_entries, tag_paths
from site_builder.errors import Place, SiteError, raise_all
from site_builder.feed import FeedEntry, atom
from site_builder.filling import Filler
from site_builder.links import Addresses
from site_builder.parts import Drawn
from site_builder.reads import Digests, Facts, Seen, by_object, digest
from site_builder.theme import Theme, addresses, relative
from site_builder.tokens import Inline

_LONG = 1200  # words from which a post has a table of contents by itself
_NEAR = 2  # pages on either side of this one that its list of pages may name
_FEED = "feed.xml"
_GLOBAL = ("site.", "asset ", "template ")

Names = tuple[str, ...]


class Page:
    """One file of the site: its path, and how to make its bytes.

    names: what was looked at when it was last rendered; without them its key is not known before it is rendered.
    fixed: what it is made from whatever its template looks at; shown: what its template may look at besides.
    """

    __slots__ = ("_digests", "_fixed", "_key", "_made_of", "_render", "_shown", "names", "path")

    def __init__(
        self,
        path: str,
        render: Callable[[set[str]], bytes],
        fixed: Callable[[], str],
        shown: Mapping[str, Any] | None = None,
        digests: Digests | None = None,
        names: Names | None = None,
    ) -> None:
        self.path = path
        self.names = names
        self._render = render
        self._fixed = fixed
        self._shown = shown or {}
        self._digests = digests
        self._key: str | None = None
        self._made_of: tuple[str, str] | None = None

    @property
    def is_traced(self) -> bool:
        """Whether it is rendered, and not just copied."""
        return self._digests is not None

    @property
    def key(self) -> str:
        """A name for all that the page is made from; empty while nobody knows."""
        if self._digests is None:
            return self._fixed()
        if self.names is None:
            return ""
        if self._key is None:
            apart = tuple(name for name in self.names if name.startswith(_GLOBAL))
            self._key = digest(self._digests.code, self._digests.of_names(apart), *self.made_of)
        return self._key

    @property
    def made_of(self) -> tuple[str, str]:
        """A name for its text and what stands with it, and one for what was looked at of posts."""
        if self._digests is None:
            return self._fixed(), ""
        if self._made_of is None:
            own = by_object(name for name in self.names or () if not name.startswith(_GLOBAL))
            looked_at = [self._digests.of_values(self._shown.get(first), fields) for first, fields in own.items()]
            self._made_of = self._fixed(), digest(looked_at)
        return self._made_of

    @property
    def fixed(self) -> Mapping[str, str]:
        """What stands behind each name that does not depend on the page."""
        return self._digests.fixed if self._digests is not None else {}

    def render(self) -> bytes:
        """The bytes of the file; afterwards the page knows what was looked at."""
        reads: set[str] = set()
        data = self._render(reads)
        self.learn(tuple(sorted(reads)))
        return data

    def learn(self, names: Names | None) -> None:
        """Take up what was looked at when the page was rendered elsewhere."""
        if names != self.names:
            self.names, self._key, self._made_of = names, None, None


@dataclass(frozen=True)
class Pagination:
    """Where a list stands among its pages. pages: the first, the last, and those near this one."""

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
    """All that pages are made of.

    posts: newest first. files: digests of those published as they are, by path. places: by source, what the links of
    each post lead to. drawings: by the key of the figure. body, file and drawing give what is too much to hold at once.
    names: what each page looked at when it was last rendered. code: a name for the code that makes pages.
    """

    settings: Settings
    theme: Theme
    posts: Sequence[Brief]
    pages: Sequence[Brief]
    files: Mapping[str, str]
    addresses: Addresses
    places: Mapping[str, tuple[str, ...]]
    drawings: Mapping[str, Drawn]
    body: Callable[[Brief], Body]
    file: Callable[[str], bytes]
    drawing: Callable[[str, str], bytes]
    names: Mapping[str, Names]
    code: str


def make_pages(site: Site) -> tuple[Page, ...]:
    """The recipes of all files. Raises SiteError where two of them want the same path."""
    pages = tuple(_Maker(site).pages())
    raise_all(_clashes([page.path for page in pages], site))
    return pages


def site_paths(settings: Settings, posts: Sequence[Brief], pages: Sequence[Brief], files: Iterable[str]) -> set[str]:
    """The addresses of everything but figures and assets, as links write them: posts/x/, tags/, feed.xml."""
    fixed = {"", "tags/", "archive/", _FEED, "sitemap.xml", "robots.txt"}
    count = -(-len(posts) // settings.posts_per_page)
    later = {_index_path(number) for number in range(2, count + 1)}
    return fixed | tag_paths(posts) | later | {post.path for post in (*posts, *pages)} | set(files)


def _clashes(paths: Sequence[str], site: Site) -> list[SiteError]:
    """Files of the site that want the same path, or a path below another file, at the lines that ask for them."""
    taken = {path.lower() for path in paths}
    folders = {posixpath.dirname(path) for path in taken}
    above = {folder[:end] for folder in folders for end, sign in enumerate(folder) if sign == "/"} | folders
    if len(taken) == len(paths) and taken.isdisjoint(above):
        return []
    places = {path.lower(): Place(f"content/{path}") for path in site.files}
    writeups = (*site.posts, *site.pages)
    places |= {file_path(path).lower(): place for post in writeups for path, place in post.addresses()}
    taken = set()
    faults = []
    for path in sorted(path.lower() for path in paths):
        over = [path[:end] for end, sign in enumerate(path) if sign == "/"]
        if clash := next((other for other in (*over, path) if other in taken), ""):
            place = places.get(path) or places.get(clash) or Place("content")
            fault = f"two files of the site want the address /{clash.removesuffix('index.html')}"
            faults.append(SiteError(place, fault, "give the post or file another name"))
        taken.add(path)
    return faults


class _Maker:
    def __init__(self, site: Site) -> None:
        self.site = site
        self.settings = site.settings
        self.entries = make_entries(site.posts, self.settings.author)
        self.tags = all_tags(self.entries)
        self.filler = Filler(site.theme, site.addresses, site.drawings, self.settings.base_url)
        self.by_tag: dict[str, list[Entry]] = {tag.path: [] for tag in self.tags}
        for entry in self.entries:
            for tag in entry.tags:
                self.by_tag[tag.path].append(entry)
        self.facts = {
            "title": self.settings.title,
            "description": self.settings.description,
            "language": self.settings.language,
            "author": self.settings.author,
            "base_url": self.settings.base_url,
            "navigation": [(label, path.lstrip("/")) for label, path in self.settings.navigation.items()],
        }
        facts = {f"site.{name}": digest(value) for name, value in self.facts.items()}
        self.digests = Digests({**site.theme.digests, **facts, "code": site.code})

    def pages(self) -> Iterator[Page]:
        for name, path in self.site.theme.assets.items():
            yield Page(path, lambda _, name=name: self.site.theme.asset_bytes(name), lambda path=path: path)  # type: ignore[misc]
        for place, post in enumerate(self.site.posts):
            yield from self._figures(post)
            yield self._post(post, place)
            yield from self._redirects(post)
        for post in self.site.pages:
            yield from self._figures(post)
            yield self._page_of(post)
            yield from self._redirects(post)
        for path, known in self.site.files.items():
            yield Page(path, lambda _, path=path: self.site.file(path), lambda known=known: known)  # type: ignore[misc]
        yield from self._lists()
        yield from self._feeds()
        yield Page("sitemap.xml", lambda _: self._sitemap(), lambda: digest(self.site.code, self._mapped()))
        robots = f"User-agent: *\nAllow: /\nSitemap: {self.settings.base_url}sitemap.xml\n".encode()
        yield Page("robots.txt", lambda _: robots, lambda: digest(robots))
        yield self._shell("404.html", "404.html", "404", plain("Page not found"), "")

    def _shell(
        self,
        template: str,
        path: str,
        kind: str,
        title: Inline,
        description: str,
        context: Callable[[set[str]], Mapping[str, Any]] = lambda _: {},
        shown: Mapping[str, Any] | None = None,
        fixed: Callable[[], Any] = lambda: None,
        feed_path: str = _FEED,
    ) -> Page:
        """A page made by a template. context: what the template finds, its reads noted; fixed: what that is made of."""
        page = {
            "kind": kind,
            "title": Markup(title.html),
            "plain_title": title.text,
            "description": description,
            "canonical": self.settings.base_url + quote(path),
            "path": path,
            "feed_path": feed_path,
        }

        def render(reads: set[str]) -> bytes:
            base = urlsplit(self.settings.base_url).path if kind == "404" else ""
            functions = addresses(path, self.site.theme.assets, reads, base)
            names = {"site": Facts(self.facts, "site", reads), "page": page, **functions, **context(reads)}
            return self.site.theme.render(template, names, reads).encode()

        return self._traced(file_path(path), render, lambda: digest(page, fixed()), shown)

    def _traced(
        self,
        path: str,
        render: Callable[[set[str]], bytes],
        fixed: Callable[[], str],
        shown: Mapping[str, Any] | None = None,
    ) -> Page:
        return Page(path, render, fixed, shown, self.digests, self.site.names.get(path))

    def _post(self, post: Brief, place: int) -> Page:
        entry = self.entries[place]
        newer = self.entries[place - 1] if place else None
        older = self.entries[place + 1] if place + 1 < len(self.entries) else None

        def context(reads: set[str]) -> Mapping[str, Any]:
            body = self.site.body(post)
            toc = _toc(body)
            more = {
                "body": self.filler.for_page(post, body, reads),
                "toc": toc,
                "show_toc": post.toc if post.toc is not None else post.words >= _LONG and len(toc) > 2,
                "newer": newer and Seen(newer, "newer", reads),
                "older": older and Seen(older, "older", reads),
                "extra": post.extra,
            }
            return {"post": Seen(entry, "post", reads, more)}

        shown = {"post": entry, "newer": newer, "older": older}

        def fixed() -> Any:
            return self._made_of(post), post.toc, post.extra, newer is None, older is None

        return self._shell("post.html", post.path, "post", post.title, entry.plain_summary, context, shown, fixed)

    def _page_of(self, post: Brief) -> Page:
        def context(reads: set[str]) -> Mapping[str, Any]:
            return {"body": self.filler.for_page(post, self.site.body(post), reads)}

        about = post.summary.text or post.excerpt
        return self._shell(
            "page.html", post.path, "page", post.title, about, context, fixed=lambda: self._made_of(post)
        )

    def _made_of(self, post: Brief) -> Any:
        """What the text of a post is made of, in any medium."""
        drawings = [(name, self.site.drawings[key]) for key, name in post.figures]
        return post.path, post.body, self.site.places[post.source], post.words, drawings

    def _figures(self, post: Brief) -> Iterator[Page]:
        for path, (key, kind) in self.filler.figure_files(post).items():
            yield Page(path, lambda _, key=key, kind=kind: self.site.drawing(key, kind), lambda path=path: path)  # type: ignore[misc]

    def _redirects(self, post: Brief) -> Iterator[Page]:
        for path in post.aliases:
            facts = {"target": relative(post.path, path), "canonical": self.settings.base_url + quote(post.path)}

            def render(reads: set[str], facts: Mapping[str, str] = facts) -> bytes:
                names = {"site": Facts(self.facts, "site", reads), **facts}
                return self.site.theme.render("redirect.html", names, reads).encode()

            yield self._traced(file_path(path), render, lambda facts=facts: digest(facts))  # type: ignore[misc]

    def _lists(self) -> Iterator[Page]:
        size = self.settings.posts_per_page
        chunks = [self.entries[i : i + size] for i in range(0, len(self.entries), size)] or [()]
        for number, chunk in enumerate(chunks, 1):
            yield self._index(number, len(chunks), chunk)
        yield self._archive()
        yield self._list(
            "tags.html", "tags/", "tags", "Tags", f"The subjects of {self.settings.title}.", {"tags": self.tags}
        )
        for tag in self.tags:
            yield self._tag(tag)

    def _list(
        self, template: str, path: str, kind: str, title: str, about: str, shown: Mapping[str, Any], more: Any = None
    ) -> Page:
        """A page that shows the things in `shown`; more: plain data by name that its template finds as well."""

        def context(reads: set[str]) -> Mapping[str, Any]:
            seen = {name: _seen(value, name, reads) for name, value in shown.items()}
            return seen | (more or {})

        feed = shown["tag"].feed_path if "tag" in shown else _FEED
        return self._shell(template, path, kind, plain(title), about, context, shown, lambda: more, feed)

    def _index(self, number: int, count: int, entries: Sequence[Entry]) -> Page:
        near = [n for n in range(1, count + 1) if n in (1, count) or abs(n - number) <= _NEAR]
        newer = _index_path(number - 1) if number > 1 else None
        older = _index_path(number + 1) if number < count else None
        numbers = tuple((n, _index_path(n)) for n in near)
        title = self.settings.title if number == 1 else f"Posts, page {number} of {count}"
        about = self.settings.description if number == 1 else ""
        more = {"pagination": Pagination(number, count, newer, older, numbers)}
        return self._list("index.html", _index_path(number), "index", title, about, {"entries": entries}, more)

    def _archive(self) -> Page:
        years = [(year, len(list(group))) for year, group in groupby(self.entries, key=lambda entry: entry.date.year)]

        def context(reads: set[str]) -> Mapping[str, Any]:
            entries = iter(self.entries)
            return {"years": [(y, [Seen(next(entries), "entries", reads) for _ in range(n)]) for y, n in years]}

        about = f"All posts of {self.settings.title} by year."
        shown = {"entries": self.entries}
        return self._shell(
            "archive.html", "archive/", "archive", plain("Archive"), about, context, shown, lambda: years
        )

    def _tag(self, tag: Tag) -> Page:
        about = f"Posts of {self.settings.title} about {tag.name}."
        shown = {"tag": tag, "entries": self.by_tag[tag.path]}
        return self._list("tag.html", tag.path, "tag", f"Tag: {tag.name}", about, shown)

    def _feeds(self) -> Iterator[Page]:
        yield self._feed(self.settings.title, _FEED, "", self.entries)
        for tag in self.tags:
            title = f"{self.settings.title}: {tag.name}"
            yield self._feed(title, tag.feed_path, tag.path, self.by_tag[tag.path])

    def _feed(self, title: str, path: str, page: str, entries: Sequence[Entry]) -> Page:
        newest = sorted(entries, key=lambda entry: entry.date, reverse=True)[: self.settings.posts_in_feed]

        def render(reads: set[str]) -> bytes:
            texts = []
            for entry in newest:
                post = self._by_path[entry.path]
                texts.append(FeedEntry(entry, self.filler.for_feed(post, self.site.body(post), reads)))
            return atom(self.settings, title, path, page, texts)

        def fixed() -> str:
            made_of = [(entry, self._made_of(self._by_path[entry.path])) for entry in newest]
            settings = {name: fact for name, fact in self.facts.items() if name != "navigation"}
            return digest(title, path, page, settings, made_of)

        return self._traced(path, render, fixed)

    @cached_property
    def _by_path(self) -> Mapping[str, Brief]:
        return {post.path: post for post in self.site.posts}

    def _mapped(self) -> list[tuple[str, str | None]]:
        """The addresses of the sitemap, each with the day of its last change where it is known."""
        dated = {entry.path: entry.updated or entry.date for entry in self.entries}
        listed = site_paths(self.settings, self.site.posts, self.site.pages, self.site.files)
        found = []
        for path in sorted(p for p in listed if p.endswith(("/", ".html")) or not p):
            day = dated[path].date().isoformat() if path in dated else None
            found.append((self.settings.base_url + quote(path), day))
        return found

    def _sitemap(self) -> bytes:
        root = ElementTree.Element("urlset", {"xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"})
        for address, day in self._mapped():
            url = ElementTree.SubElement(root, "url")
            ElementTree.SubElement(url, "loc").text = address
            if day:
                ElementTree.SubElement(url, "lastmod").text = day
        ElementTree.indent(root)
        text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
        return text + b"\n"


def plain(text: str) -> Inline:
    """Plain text as it is."""
    return Inline(str(Markup.escape(text)), text)


def _seen(value: Any, name: str, reads: set[str]) -> Any:
    return [Seen(entry, name, reads) for entry in value] if isinstance(value, Sequence) else Seen(value, name, reads)


def _index_path(number: int) -> str:
    return "" if number == 1 else f"page/{number}/"


def _toc(body: Body) -> tuple[TocItem, ...]:
    return _items(body.sections[0].children if len(body.sections) == 1 else body.sections)


def _items(sections: Sequence[Section]) -> tuple[TocItem, ...]:
    return tuple(TocItem(each.anchor, Markup(each.title), _items(each.children)) for each in sections)
