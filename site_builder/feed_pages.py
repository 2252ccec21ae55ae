"""The recipes of feeds: one of all posts, one for each tag."""

from collections.abc import Iterator, Sequence

from site_builder.entries import Entry
from site_builder.feed import FeedEntry, atom
from site_builder.reads import digest
from site_builder.recipes import Page, Recipe
from site_builder.shells import FEED, Shells


class FeedPages:
    """The feeds of a site."""

    def __init__(self, shells: Shells) -> None:
        self.shells = shells
        self.settings = shells.settings

    def pages(self) -> Iterator[Page]:
        yield self._feed("", FEED, "", self.shells.entries)
        for tag in self.shells.tags:
            yield self._feed(tag.name, tag.feed_path, tag.path, self.shells.by_tag[tag.path])

    def _feed(self, tag: str, path: str, page: str, entries: Sequence[Entry]) -> Page:
        title = f"{self.settings.title}: {tag}" if tag else self.settings.title
        newest = sorted(entries, key=lambda entry: entry.date, reverse=True)[: self.settings.posts_in_feed]

        def render(reads: set[str]) -> bytes:
            reads |= {f"site.{name}" for name in self.shells.facts if name != "navigation"}
            texts = []
            for entry in newest:
                post = self.shells.by_path[entry.path]
                texts.append(FeedEntry(entry, self.shells.filler.for_feed(post, self.shells.site.body(post), reads)))
            return atom(self.settings, title, path, page, texts)

        def fixed() -> str:
            made_of = [(entry, self.shells.made_of(self.shells.by_path[entry.path])) for entry in newest]
            return digest(tag, path, page, made_of)

        return self.shells.traced(
            path, lambda: Recipe(render, fixed, {"entries": newest}), self.shells.stamp(newest, title, path, page)
        )
