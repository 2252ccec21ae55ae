"""The search page, and the files of its index."""

from collections.abc import Iterator

from site_builder.site.layout import Head, Layout, copied, plain
from site_builder.site.page import Page, PageSource

SEARCH = "search/"


class SearchPages:
    """The pages of the search."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.search = layout.site.search

    def pages(self) -> Iterator[Page]:
        """The page, and the files that its script asks for."""
        yield self.layout.traced(f"{SEARCH}index.html", self._source)
        for path, name in self.search.files.items():
            yield copied(path, lambda path=path: self.search.file(path), name)  # type: ignore[misc]

    def _source(self) -> PageSource:
        head = Head("search", SEARCH, plain("Search"), f"Find a word or a number in {self.layout.settings.title}.")
        topics = self.layout.tags if self.search.folders else ()
        tags = [(tag.path.split("/")[1], tag.name, tag.count) for tag in topics]
        found = {"indexes": self.search.folders, "tags": tags}
        return self.layout.page_source("search.html", head, lambda reads: found, fixed=lambda: found)
