"""The search page, and the files of its index."""

from collections.abc import Iterator

from site_builder.site.layout import Head, Layout, copied, plain
from site_builder.site.page import Page, Recipe

SEARCH = "search/"


class SearchPages:
    """Makes the recipes of all that search is made of."""

    def __init__(self, shells: Layout) -> None:
        self.shells = shells
        self.search = shells.site.search

    def pages(self) -> Iterator[Page]:
        """The page, and the files that its script asks for."""
        yield self.shells.traced(f"{SEARCH}index.html", self._recipe)
        for path, name in self.search.files.items():
            yield copied(path, lambda path=path: self.search.file(path), name)  # type: ignore[misc]

    def _recipe(self) -> Recipe:
        head = Head("search", SEARCH, plain("Search"), f"Find a word or a number in {self.shells.settings.title}.")
        topics = self.shells.tags if self.search.folders else ()
        tags = [(tag.path.split("/")[1], tag.name, tag.count) for tag in topics]
        told = {"indexes": self.search.folders, "tags": tags}
        return self.shells.shell("search.html", head, lambda reads: told, fixed=lambda: told)
