"""The recipes of feeds: one of all posts, one for each tag, both as Atom and as JSON Feed."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from site_builder.site.entries import Entry
from site_builder.site.layout import FEED, Layout, json_feed_path
from site_builder.site.page import Page, Recipe
from site_builder.site.pages.feed import Feed, FeedEntry, atom, json_feed
from site_builder.values.digest import digest

_LATELY = 50  # texts that are kept, since the next feed most likely has them as well


class FeedPages:
    """The feeds of a site."""

    def __init__(self, shells: Layout) -> None:
        self.shells = shells
        self.settings = shells.settings
        self._texts: dict[str, tuple[str, set[str]]] = {}

    def pages(self) -> Iterator[Page]:
        """Every feed in both of its forms."""
        yield from self._both("", FEED, "", self.shells.entries)
        for tag in self.shells.tags:
            yield from self._both(tag.name, tag.feed_path, tag.path, self.shells.by_tag[tag.path])

    def _both(self, tag: str, path: str, page: str, entries: Sequence[Entry]) -> Iterator[Page]:
        newest = sorted(entries, key=lambda entry: entry.date, reverse=True)[: self.settings.posts_in_feed]
        yield self._feed(atom, tag, path, page, newest)
        yield self._feed(json_feed, tag, json_feed_path(path), page, newest)

    def _feed(self, write: Callable[..., bytes], tag: str, path: str, page: str, entries: Sequence[Entry]) -> Page:
        title = self.settings.title
        about = Feed(f"{title}: {tag}" if tag else title, path, page)

        def render(reads: set[str]) -> bytes:
            reads |= {f"site.{name}" for name in self.shells.facts if name != "navigation"}
            return write(self.settings, about, [self._entry(entry, reads) for entry in entries])

        def fixed() -> str:
            posts = [self.shells.by_path[entry.path] for entry in entries]
            made_of = [self.shells.made_of(post) for post in posts]
            return digest(tag, path, page, [_shown(entry) for entry in entries], made_of, cards)

        names_cards = write is json_feed
        cards = [self.shells.card_path(self.shells.by_path[entry.path]) for entry in entries] if names_cards else []
        return self.shells.traced(
            about.path,
            lambda: Recipe(render, fixed, {"entries": entries}),
            lambda: self.shells.stamp(entries, about, cards),
        )

    def _entry(self, entry: Entry, reads: set[str]) -> FeedEntry:
        post = self.shells.by_path[entry.path]
        if entry.path not in self._texts:
            seen: set[str] = set()
            html = self.shells.filler.for_feed(post, self.shells.site.files.body(post), seen)
            self._texts[entry.path] = html, seen
            if len(self._texts) > _LATELY:
                del self._texts[next(iter(self._texts))]
        html, seen = self._texts[entry.path]
        reads |= seen
        return FeedEntry(entry, html, self.shells.card_path(post))


def _shown(entry: Entry) -> Any:
    """What a feed shows of a post beside its text: of its tags the names, and nothing of how its answer was found."""
    told = entry._replace(tags=(), method_html="", plain_method="", plain_states="", checks=0)
    return told, [tag.name for tag in entry.tags]
