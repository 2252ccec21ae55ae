"""A file of the site as a recipe: its path, the key of what it is made from, and how to make its bytes.

The key is found from what the page looked at when it was last rendered, so that it is known without rendering it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from site_builder.site.entries import Entry, Tag
from site_builder.site.read_tracking import Digests, by_object
from site_builder.values.digest import digest

_GLOBAL = ("site.", "asset ", "template ")

Names = tuple[str, ...]


@dataclass(frozen=True)
class Recipe:
    """How to make a file. render: its bytes, noting what is looked at; fixed: a name for what it is made from whatever
    its template looks at; shown: what its template may look at besides."""

    render: Callable[[set[str]], bytes]
    fixed: Callable[[], str]
    shown: Mapping[str, Any] = field(default_factory=dict)


class Page:
    """One file of the site: its path, and how to make its bytes.

    digests: for a page that is made by a template; without them it is copied. stamp: gives a name, quickly found,
    for more than it can be made from; last: what is known of it from the last build, without which its key is not known
    before it is rendered.
    """

    __slots__ = ("_digests", "_found", "_key", "_last", "_recipe", "_stamp", "names", "path")

    def __init__(
        self,
        path: str,
        recipe: Callable[[], Recipe],
        digests: Digests | None = None,
        stamp: Callable[[], str] = lambda: "",
        last: "Last | None" = None,
    ) -> None:
        self.path = path
        self._found = stamp
        self._stamp: str | None = None
        self.names = last.names if last is not None else None
        self._last = last
        self._recipe = recipe
        self._digests = digests
        self._key: str | None = None

    @property
    def stamp(self) -> str:
        """A name for more than the page can be made from."""
        if self._stamp is None:
            self._stamp = self._found()
        return self._stamp

    @property
    def is_traced(self) -> bool:
        """Whether it is rendered, and not just copied."""
        return self._digests is not None

    @property
    def key(self) -> str:
        """A name for all that the page is made from; empty while nobody knows.

        Three words: for its text and what stands with it, for what was looked at of posts, and for all that does not
        depend on the page.
        """
        if self._digests is None:
            return self._recipe().fixed()
        if self.names is None:
            return ""
        if self._key is None:
            shared = self._digests.of_names(self.names)
            last = self._last
            if last is not None and last.stamp == self.stamp != "" and last.key.endswith(shared):
                self._key = last.key
            else:
                recipe = self._recipe()
                looked_at = [
                    self._digests.of_values(recipe.shown.get(first), fields) for first, fields in _own(self.names)
                ]
                self._key = f"{recipe.fixed()} {digest(looked_at)} {shared}"
        return self._key

    @property
    def fixed(self) -> Mapping[str, str]:
        """What stands behind each name that does not depend on the page."""
        return self._digests.fixed if self._digests is not None else {}

    def shows(self, path: str) -> bool:
        """Whether it is made with the post at a path of the site, be it as one of many."""
        shown = self._recipe().shown.values()
        found = ([each] if each is None or isinstance(each, Entry | Tag) else each for each in shown)
        return any(isinstance(entry, Entry) and entry.path == path for entries in found for entry in entries)

    def render(self) -> bytes:
        """The bytes of the file; afterwards the page knows what was looked at."""
        reads: set[str] = set()
        data = self._recipe().render(reads)
        self.learn(tuple(sorted(reads)))
        return data

    def learn(self, names: Names | None) -> None:
        """Take up what was looked at when the page was rendered elsewhere."""
        self.names, self._key, self._last = names, None, None


@dataclass(frozen=True)
class Last:
    """What is known of a page from the last build: what it looked at, its stamp and its key."""

    names: Names
    stamp: str
    key: str


@cache
def _own(names: Names) -> Sequence[tuple[str, Names]]:
    """The names that depend on the page, by the object that they belong to."""
    return tuple(by_object(tuple(name for name in names if not name.startswith(_GLOBAL))).items())
