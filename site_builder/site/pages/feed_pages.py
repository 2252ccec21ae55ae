"""The feeds: one of all posts, one for each tag, as Atom and as JSON Feed."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from site_builder.site.entries import Entry
from site_builder.site.layout import FEED, Layout, json_feed_path
from site_builder.site.page import Page, PageSource
from site_builder.site.pages.feed import Feed, FeedEntry, atom, json_feed
from site_builder.values.digest import digest

_CACHED = 50  # texts that are held, since the next feed most likely has them as well


class FeedPages:
    """The feeds of a site."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.settings = layout.settings
        self._texts: dict[str, tuple[str, set[str]]] = {}

    def pages(self) -> Iterator[Page]:
        """Every feed in both of its forms."""
        yield from self._both("", FEED, "", self.layout.entries)
        for tag in self.layout.tags:
            yield from self._both(tag.name, tag.feed_path, tag.path, self.layout.by_tag[tag.path])

    def _both(self, tag: str, path: str, page: str, entries: Sequence[Entry]) -> Iterator[Page]:
        newest = sorted(entries, key=lambda entry: entry.date, reverse=True)[: self.settings.posts_in_feed]
        yield self._feed(atom, tag, path, page, newest)
        yield self._feed(json_feed, tag, json_feed_path(path), page, newest)

    def _feed(self, write: Callable[..., bytes], tag: str, path: str, page: str, entries: Sequence[Entry]) -> Page:
        title = self.settings.title
        about = Feed(f"{title}: {tag}" if tag else title, path, page)

        def render(reads: set[str]) -> bytes:
            reads |= {f"site.{name}" for name in self.layout.facts if name != "navigation"}
            return write(self.settings, about, [self._entry(entry, reads) for entry in entries])

        def fixed() -> str:
            posts = [self.layout.by_path[entry.path] for entry in entries]
            made_of = [self.layout.made_of(post) for post in posts]
            return digest(tag, path, page, [_shown(entry) for entry in entries], made_of, cards)

        names_cards = write is json_feed
        cards = [self.layout.card_path(self.layout.by_path[entry.path]) for entry in entries] if names_cards else []
        return self.layout.traced(
            about.path,
            lambda: PageSource(render, fixed, {"entries": entries}),
            lambda: self.layout.stamp(entries, about, cards),
        )

    def _entry(self, entry: Entry, reads: set[str]) -> FeedEntry:
        post = self.layout.by_path[entry.path]
        if entry.path not in self._texts:
            seen: set[str] = set()
            html = self.layout.filler.for_feed(post, self.layout.site.files.body(post), seen)
            self._texts[entry.path] = html, seen
            if len(self._texts) > _CACHED:
                del self._texts[next(iter(self._texts))]
        html, seen = self._texts[entry.path]
        reads |= seen
        return FeedEntry(entry, html, self.layout.card_path(post))


def _shown(entry: Entry) -> Any:
    """What a feed shows of a post beside its text: the names of its tags, nothing of how its answer was found."""
    shown = entry._replace(tags=(), method_html="", plain_method="", plain_states="", checks=0)
    return shown, [tag.name for tag in entry.tags]
