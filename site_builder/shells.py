"""What the pages of a site share: its facts, its tags, what names all that they are made from, and their templates."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from markupsafe import Markup

from site_builder.briefs import Brief
from site_builder.entries import Entry, all_tags, make_entries
from site_builder.filling import Filler
from site_builder.reads import Digests, Facts, Seen, digest
from site_builder.recipes import Page, Recipe
from site_builder.site import Site
from site_builder.theme import addresses, date_words, fingerprinted
from site_builder.tokens import Inline

FEED, JSON_FEED, CARD = "feed.xml", "feed.json", "card.png"
_FROM_RIGHT = {
    *("ar", "arc", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "ks", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug"),
    *("ur", "yi"),
}  # languages whose usual script runs from right to left
_SCRIPTS_FROM_RIGHT = {"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}
_TAKEN = ("Archive", "Tags", "Answers", "Search", "Page not found")  # titles of pages that every site has


@dataclass(frozen=True)
class Head:
    """What a page says of itself. path: its address in the site; feed_path: of the feed that goes with it."""

    kind: str
    path: str
    title: Inline
    description: str = ""
    feed_path: str = FEED


class Told(NamedTuple):
    """What a page tells others of itself, where its template asks for it.

    window: its title where another page has the same; card: the path of its share card; card_shows: what is to be seen
    on that; data: for search engines, in the words of schema.org.
    """

    window: str = ""
    card: str = CARD
    card_shows: str = ""
    data: Markup = Markup()


class Shells:
    """Makes the recipes of pages that stand in the shell of the site.

    stamps: for each post and page, a name for all that is made from it.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        self.settings = site.settings
        self.entries = make_entries(site.posts, self.settings.author)
        self.tags = all_tags(self.entries)
        self.filler = Filler(site.theme, site.addresses, site.drawings, site.drawing, self.settings.base_url)
        self.by_tag: dict[str, list[Entry]] = {tag.path: [] for tag in self.tags}
        for entry in self.entries:
            for tag in entry.tags:
                self.by_tag[tag.path].append(entry)
        self.facts = {
            "title": self.settings.title,
            "description": self.settings.description,
            "language": self.settings.language,
            "direction": direction(self.settings.language),
            "author": self.settings.author,
            "base_url": self.settings.base_url,
            "navigation": [(label, path.lstrip("/")) for label, path in self.settings.navigation.items()],
        }
        facts = {f"site.{name}": digest(value) for name, value in self.facts.items()}
        self.digests = Digests({**site.theme.digests, **facts, "code": site.code})
        self.shared = digest(site.code, self.facts, self.tags, site.addresses.digest)
        self.stamps = {post.path: self._stamp_of(post) for post in (*site.posts, *site.pages)}

    def shell(
        self,
        template: str,
        head: Head,
        context: Callable[[set[str]], Mapping[str, Any]] = lambda _: {},
        shown: Mapping[str, Any] | None = None,
        fixed: Callable[[], Any] = lambda: None,
        told: Told | None = None,
    ) -> Recipe:
        """A page made by a template. context: what the template finds, its reads noted; fixed: what that is made of."""
        told = told or Told()
        url = self.settings.base_url + quote(told.card)
        said = told._replace(window=told.window or head.title.text, card=url)

        def render(reads: set[str]) -> bytes:
            page = {
                "kind": head.kind,
                "title": Markup(head.title.html),
                "plain_title": head.title.text,
                "description": head.description,
                "canonical": self.settings.base_url + quote(head.path),
                "path": head.path,
                "feed_path": head.feed_path,
                "json_feed_path": json_feed_path(head.feed_path),
            }
            base = urlsplit(self.settings.base_url).path if head.kind == "404" else ""
            functions = addresses(head.path, self.site.theme.assets, reads, base)
            names = {
                "site": Facts(self.facts, "site", reads),
                "page": Seen(said, "page", reads, page),
                **functions,
                **context(reads),
            }
            return self.site.theme.render(template, names, reads).encode()

        return Recipe(
            render, lambda: digest(template, head, self.settings.base_url, fixed()), {**(shown or {}), "page": said}
        )

    def card_path(self, post: Brief) -> str:
        """Where the share card of a post lies: beside it, or where that of the site does."""
        name = self.site.cards.get(post.source)
        return fingerprinted(post.beside(CARD), name) if name else CARD

    def window(self, post: Brief) -> str:
        """The title of a post or page, with its date or address where another one has the same."""
        title = post.title.text
        if self._titles[title] == 1:
            return title
        return f"{title} ({date_words(post.date) if post.date and not post.is_page else post.slug})"

    @cached_property
    def _titles(self) -> Mapping[str, int]:
        """How many pages have each title."""
        own = [post.title.text for post in (*self.site.posts, *self.site.pages)]
        return Counter([self.settings.title, *_TAKEN, *own])

    def traced(self, path: str, recipe: Callable[[], Recipe], stamp: str = "") -> Page:
        """A page that is rendered again only when something that it looked at has changed."""
        return Page(path, recipe, self.digests, stamp, self.site.last.get(path))

    def _stamp_of(self, post: Brief) -> bytes:
        drawings = [self.site.drawings[key] for key, _ in post.figures]
        return self.site.stamps[post.source] + repr(drawings).encode() if drawings else self.site.stamps[post.source]

    def stamp(self, entries: Iterable[Entry | None], *more: Any) -> str:
        """A name for these posts and all that pages share, whatever is looked at of them."""
        posts = [self.stamps[entry.path] if entry is not None else b"" for entry in entries]
        return digest(self.shared, more, b"\n".join(posts))

    def made_of(self, post: Brief) -> Any:
        """What the text of a post is made of, in any medium."""
        drawings = [(name, self.site.drawings[key]) for key, name in post.figures]
        return post.path, post.body, self.site.places[post.source], post.words, drawings, post.corrections

    @cached_property
    def by_path(self) -> Mapping[str, Brief]:
        """Each post by its address."""
        return {post.path: post for post in self.site.posts}


def direction(language: str) -> str:
    """Where lines of a language run, "ltr" or "rtl": as the script in its tag does, else as it is usually written."""
    first, *others = language.lower().split("-")
    scripts = [part for part in others if len(part) == 4 and part.isalpha()]
    from_right = scripts[0] in _SCRIPTS_FROM_RIGHT if scripts else first in _FROM_RIGHT
    return "rtl" if from_right else "ltr"


def json_feed_path(feed_path: str) -> str:
    """The place of the JSON Feed beside an Atom feed."""
    return feed_path.removesuffix(".xml") + ".json"


def copied(path: str, read: Callable[[], bytes], key: str) -> Page:
    """A file that no template makes."""
    return Page(path, lambda: Recipe(lambda _: read(), lambda: key))


def plain(text: str) -> Inline:
    """Plain text as it is."""
    return Inline(str(Markup.escape(text)), text)
