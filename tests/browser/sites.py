"""The sites that are looked at, and their pages of every kind."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Site:
    """A built site. folder: its files; address: where they are served, with a slash at its end."""

    folder: Path
    address: str

    def pages(self) -> list[str]:
        files = (file.relative_to(self.folder).as_posix() for file in sorted(self.folder.rglob("*.html")))
        return [file.removesuffix("index.html") for file in files]

    def file(self, path: str) -> Path:
        """The file that is served at a path."""
        return self.folder / path / "index.html" if path.endswith("/") or not path else self.folder / path

    def text(self, path: str) -> str:
        """The HTML of a page."""
        return self.file(path).read_text("utf-8")


# Name of a page: the fixture of its site, its path.
PAGES = {
    "home": ("blog", ""),
    "archive": ("blog", "archive/"),
    "tags": ("blog", "tags/"),
    "tag": ("blog", "tags/probability/"),
    "search": ("blog", "search/"),
    "answers": ("blog", "answers/"),
    "page": ("blog", "about/"),
    "404": ("blog", "404.html"),
    "two coins": ("blog", "posts/two-coins-a-hundred-flips/"),
    "coinball": ("blog", "posts/coinball/"),
    "penney": ("blog", "posts/penneys-game-with-one-deck/"),
    "row of coins": ("blog", "posts/a-row-of-coins/"),
    "two piles": ("blog", "posts/two-piles-of-pennies/"),
    "home, page 2": ("sample", "page/2/"),
    "post with everything": ("sample", "posts/ruin/"),
    "post with all figures": ("sample", "posts/walk/"),
    "post with all constructs": ("sample", "posts/constructs/"),
    "post with steps": ("sample", "posts/steps/"),
    "short post": ("sample", "posts/plain-3/"),
    "tag with a long name": (
        "sample",
        "tags/a-tag-whose-name-is-so-long-that-it-has-to-be-broken-on-a-small-screen/",
    ),
    "home of a new blog": ("begun", ""),
    "post of a new blog": ("begun", "posts/the-gamblers-ruin/"),
}

# Pages with the same parts as others of these: some tests look at them with --deep alone.
ALIKE = ("coinball", "penney", "row of coins", "home, page 2", "short post", "home of a new blog")
