"""Every file of the site as a recipe: posts with their figures and records, pages, lists, feeds, redirects."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from markupsafe import Markup

from site_builder.bodies import Body, Section
from site_builder.briefs import Brief, Correction
from site_builder.config import Settings
from site_builder.content import file_path
from site_builder.entries import Entry, Tag, all_tags, make_entries, tag_paths
from site_builder.errors import Place, SiteError, raise_all
from site_builder.evidence import Evidence
from site_builder.feed import FeedEntry, atom
from site_builder.filling import Filler
from site_builder.links import Addresses
from site_builder.parts import Drawn
from site_builder.provenance import CHECKS, PROVENANCE, CodeFacts, checks_json, fold, provenance_json
from site_builder.reads import Digests, Facts, Seen, digest
from site_builder.recipes import Last, Page, Recipe
from site_builder.theme import Theme, addresses, relative
from site_builder.tokens import Inline

_LONG = 1200  # words from which a post has a table of contents by itself
_NEAR = 2  # pages on either side of this one that its list of pages may name
_FEED = "feed.xml"


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
    each post lead to. drawings: by the key of the figure. body, evidence, file and drawing give what is too much to
    hold at once, and so does bundle. behind: the code of a post's solvers.
    bundles: what names the bytes of each, by order.
    last: what is known of the pages from the last build. stamps: by source, a name for all that a post is made from.
    code: a name for the code that makes pages.
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
    evidence: Callable[[Brief], Evidence]
    behind: Callable[[Brief], Mapping[str, CodeFacts]]
    bundles: Mapping[str, str]
    bundle: Callable[[str], bytes]
    file: Callable[[str], bytes]
    drawing: Callable[[str, str], bytes]
    last: Mapping[str, Last]
    stamps: Mapping[str, bytes]
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
    every = (*posts, *pages)
    records = {post.beside(name) for post in every if post.evidence for name in (PROVENANCE, CHECKS)}
    records |= {post.beside(f"{order.name}.zip") for post in every for order in post.orders}
    return fixed | tag_paths(posts) | later | {post.path for post in every} | records | set(files)


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
        self.shared = digest(site.code, self.facts, self.tags, site.addresses.digest)
        self.stamps = {post.path: self._stamp_of(post) for post in (*site.posts, *site.pages)}

    def pages(self) -> Iterator[Page]:
        for name, path in self.site.theme.assets.items():
            yield _copy(path, lambda name=name: self.site.theme.asset_bytes(name), path)  # type: ignore[misc]
        for place, post in enumerate(self.site.posts):
            yield from self._figures(post)
            yield self._post(post, place)
            yield from self._beside(post)
        for post in self.site.pages:
            yield from self._figures(post)
            yield self._page_of(post)
            yield from self._beside(post)
        for path, known in self.site.files.items():
            yield _copy(path, lambda path=path: self.site.file(path), known)  # type: ignore[misc]
        yield from self._lists()
        yield from self._feeds()
        mapped = digest(self.site.code, self.settings.base_url, self._mapped())
        yield _copy("sitemap.xml", self._sitemap, mapped)
        robots = f"User-agent: *\nAllow: /\nSitemap: {self.settings.base_url}sitemap.xml\n".encode()
        yield _copy("robots.txt", lambda: robots, digest(robots))
        yield self._traced("404.html", lambda: self._shell("404.html", "404.html", "404", plain("Page not found"), ""))

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
    ) -> Recipe:
        """A page made by a template. context: what the template finds, its reads noted; fixed: what that is made of."""
        head = kind, title.html, title.text, description, path, feed_path, self.settings.base_url

        def render(reads: set[str]) -> bytes:
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
            functions = addresses(path, self.site.theme.assets, reads, base)
            names = {"site": Facts(self.facts, "site", reads), "page": page, **functions, **context(reads)}
            return self.site.theme.render(template, names, reads).encode()

        return Recipe(render, lambda: digest(template, head, fixed()), shown or {})

    def _traced(self, path: str, recipe: Callable[[], Recipe], stamp: str = "") -> Page:
        return Page(path, recipe, self.digests, stamp, self.site.last.get(path))

    def _stamp_of(self, post: Brief) -> bytes:
        drawings = [self.site.drawings[key] for key, _ in post.figures]
        return self.site.stamps[post.source] + repr(drawings).encode() if drawings else self.site.stamps[post.source]

    def _stamp(self, entries: Iterable[Entry | None], *more: Any) -> str:
        """A name for these posts and all that pages share, whatever is looked at of them."""
        posts = [self.stamps[entry.path] if entry is not None else b"" for entry in entries]
        return digest(self.shared, more, b"\n".join(posts))

    def _post(self, post: Brief, place: int) -> Page:
        newer = self.entries[place - 1] if place else None
        older = self.entries[place + 1] if place + 1 < len(self.entries) else None
        around = self.entries[place], newer, older
        return self._traced(file_path(post.path), lambda: self._post_recipe(post, *around), self._stamp(around))

    def _post_recipe(self, post: Brief, entry: Entry, newer: Entry | None, older: Entry | None) -> Recipe:
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
                "corrections": _dated(post.corrections),
                "evidence": self._fold(post),
            }
            return {"post": Seen(entry, "post", reads, more)}

        shown = {"post": entry, "newer": newer, "older": older}

        def fixed() -> Any:
            return self._made_of(post), post.evidence, post.toc, post.extra, newer is None, older is None

        return self._shell("post.html", post.path, "post", post.title, entry.plain_summary, context, shown, fixed)

    def _page_of(self, post: Brief) -> Page:
        def context(reads: set[str]) -> Mapping[str, Any]:
            body = self.filler.for_page(post, self.site.body(post), reads)
            return {"body": body, "corrections": _dated(post.corrections), "evidence": self._fold(post)}

        def recipe() -> Recipe:
            about = post.summary.text or post.excerpt
            fixed = self._made_of(post), post.evidence
            return self._shell("page.html", post.path, "page", post.title, about, context, fixed=lambda: fixed)

        return self._traced(file_path(post.path), recipe, self._stamp([], self.stamps[post.path]))

    def _made_of(self, post: Brief) -> Any:
        """What the text of a post is made of, in any medium."""
        drawings = [(name, self.site.drawings[key]) for key, name in post.figures]
        return post.path, post.body, self.site.places[post.source], post.words, drawings, post.corrections

    def _figures(self, post: Brief) -> Iterator[Page]:
        for path, (key, kind) in self.filler.figure_files(post).items():
            yield _copy(path, lambda key=key, kind=kind: self.site.drawing(key, kind), path)  # type: ignore[misc]

    def _beside(self, post: Brief) -> Iterator[Page]:
        """The records of its answers, and what leads to it from its old addresses."""
        if post.evidence:
            codes = self.site.behind(post)
            path, key = post.beside(PROVENANCE), digest(self.site.code, post.evidence, codes)
            yield _copy(path, lambda: provenance_json(post.path, self.site.evidence(post), codes), key)
            path, key = post.beside(CHECKS), digest(self.site.code, post.evidence)
            yield _copy(path, lambda: checks_json(post.path, self.site.evidence(post)), key)
        for order in post.orders:
            name = self.site.bundles[order.key]
            yield _copy(post.beside(f"{order.name}.zip"), lambda name=name: self.site.bundle(name), name)  # type: ignore[misc]
        yield from self._redirects(post)

    def _fold(self, post: Brief) -> dict[str, Any]:
        """What its page says at its foot of where its numbers come from; empty where it has none."""
        if not post.evidence:
            return {}
        files = {
            "provenance": relative(post.beside(PROVENANCE), post.path),
            "record": relative(post.beside(CHECKS), post.path),
        }
        return fold(self.site.evidence(post)) | files

    def _redirects(self, post: Brief) -> Iterator[Page]:
        for path in post.aliases:
            facts = {"target": relative(post.path, path), "canonical": self.settings.base_url + quote(post.path)}

            def render(reads: set[str], facts: Mapping[str, str] = facts) -> bytes:
                names = {"site": Facts(self.facts, "site", reads), **facts}
                return self.site.theme.render("redirect.html", names, reads).encode()

            recipe = Recipe(render, lambda facts=facts: digest(facts))  # type: ignore[misc]
            yield self._traced(file_path(path), lambda recipe=recipe: recipe)  # type: ignore[misc]

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

        def recipe() -> Recipe:
            return self._shell(template, path, kind, plain(title), about, context, shown, lambda: more, feed)

        stamp = self._stamp(shown.get("entries", ()), path, title, about, more)
        return self._traced(file_path(path), recipe, stamp)

    def _index(self, number: int, count: int, entries: Sequence[Entry]) -> Page:
        near = sorted({1, count, *range(max(1, number - _NEAR), min(count, number + _NEAR) + 1)})
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

        def recipe() -> Recipe:
            about = f"All posts of {self.settings.title} by year."
            shown = {"entries": self.entries}
            return self._shell(
                "archive.html", "archive/", "archive", plain("Archive"), about, context, shown, lambda: years
            )

        return self._traced("archive/index.html", recipe, self._stamp(self.entries))

    def _tag(self, tag: Tag) -> Page:
        about = f"Posts of {self.settings.title} about {tag.name}."
        shown = {"tag": tag, "entries": self.by_tag[tag.path]}
        return self._list("tag.html", tag.path, "tag", f"Tag: {tag.name}", about, shown)

    def _feeds(self) -> Iterator[Page]:
        yield self._feed("", _FEED, "", self.entries)
        for tag in self.tags:
            yield self._feed(tag.name, tag.feed_path, tag.path, self.by_tag[tag.path])

    def _feed(self, tag: str, path: str, page: str, entries: Sequence[Entry]) -> Page:
        title = f"{self.settings.title}: {tag}" if tag else self.settings.title
        newest = sorted(entries, key=lambda entry: entry.date, reverse=True)[: self.settings.posts_in_feed]

        def render(reads: set[str]) -> bytes:
            reads |= {f"site.{name}" for name in self.facts if name != "navigation"}
            texts = []
            for entry in newest:
                post = self._by_path[entry.path]
                texts.append(FeedEntry(entry, self.filler.for_feed(post, self.site.body(post), reads)))
            return atom(self.settings, title, path, page, texts)

        def fixed() -> str:
            made_of = [(entry, self._made_of(self._by_path[entry.path])) for entry in newest]
            return digest(tag, path, page, made_of)

        return self._traced(
            path, lambda: Recipe(render, fixed, {"entries": newest}), self._stamp(newest, title, path, page)
        )

    @cached_property
    def _by_path(self) -> Mapping[str, Brief]:
        return {post.path: post for post in self.site.posts}

    def _mapped(self) -> list[tuple[str, datetime | None]]:
        """The paths of the sitemap, each with the moment of its last change where it is known."""
        dated = {entry.path: entry.updated or entry.date for entry in self.entries}
        listed = site_paths(self.settings, self.site.posts, self.site.pages, self.site.files)
        return [(path, dated.get(path)) for path in sorted(listed) if path.endswith(("/", ".html")) or not path]

    def _sitemap(self) -> bytes:
        root = ElementTree.Element("urlset", {"xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9"})
        for path, moment in self._mapped():
            url = ElementTree.SubElement(root, "url")
            ElementTree.SubElement(url, "loc").text = self.settings.base_url + quote(path)
            if moment:
                ElementTree.SubElement(url, "lastmod").text = moment.date().isoformat()
        ElementTree.indent(root)
        text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
        return text + b"\n"


def _dated(corrections: Iterable[Correction]) -> list[tuple[datetime, Markup]]:
    return [(each.date, Markup(each.note.html)) for each in corrections]


def _copy(path: str, read: Callable[[], bytes], key: str) -> Page:
    """A file that no template makes."""
    return Page(path, lambda: Recipe(lambda _: read(), lambda: key))


def plain(text: str) -> Inline:
    """Plain text as it is."""
    return Inline(str(Markup.escape(text)), text)


def _seen(value: Any, name: str, reads: set[str]) -> Any:
    if not isinstance(value, Sequence):
        return Seen(value, name, reads)
    reads.add(name)  # how many there are
    return [Seen(entry, name, reads) for entry in value]


def _index_path(number: int) -> str:
    return "" if number == 1 else f"page/{number}/"


def _toc(body: Body) -> tuple[TocItem, ...]:
    return _items(body.sections[0].children if len(body.sections) == 1 else body.sections)


def _items(sections: Sequence[Section]) -> tuple[TocItem, ...]:
    return tuple(TocItem(each.anchor, Markup(each.title), _items(each.children)) for each in sections)
