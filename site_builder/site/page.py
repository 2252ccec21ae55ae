"""A file of the site: its path, its cache key, and how to render it.

The key is made of what the page read when it was last rendered, so that it is known without rendering the page.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from site_builder.site.entries import Entry
from site_builder.site.read_tracking import ReadDigests, by_object
from site_builder.values.digest import digest

_GLOBAL = ("site.", "extra.", "asset ", "template ")

Names = tuple[str, ...]


@dataclass(frozen=True)
class PageSource:
    """How a file is made.

    render: gives its bytes, and adds what it reads to its argument. fixed: digest of what it is made from whatever its
    template reads. shown: the objects of which its template may read fields.
    """

    render: Callable[[set[str]], bytes]
    fixed: Callable[[], str]
    shown: Mapping[str, Any] = field(default_factory=dict)


class NewSite(Protocol):
    """A site that is about to be written, with those of its files that stay as they are."""

    def paths(self) -> Iterable[str]:
        """The paths of its files."""
        ...

    def size(self, path: str) -> int:
        """The size of a file, in bytes."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        ...


class Page:
    """One file of the site.

    digests: of what pages read, for a page that a template makes; without them the file is copied. stamp: gives a cheap
    digest of at least all that the page is made from. last: its record from the last build; without it the key is not
    known before the page is rendered.
    """

    __slots__ = ("_digests", "_found", "_key", "_last", "_source", "_stamp", "names", "path")

    def __init__(
        self,
        path: str,
        source: Callable[[], PageSource],
        digests: ReadDigests | None = None,
        stamp: Callable[[], str] = lambda: "",
        last: "Last | None" = None,
    ) -> None:
        self.path = path
        self._found = stamp
        self._stamp: str | None = None
        self.names = last.names if last is not None else None
        self._last = last
        self._source = source
        self._digests = digests
        self._key: str | None = None

    @property
    def stamp(self) -> str:
        """Cheap cache key: while it is unchanged, so is the page."""
        if self._stamp is None:
            self._stamp = self._found()
        return self._stamp

    @property
    def is_traced(self) -> bool:
        """Whether a template makes it."""
        return self._digests is not None

    @property
    def key(self) -> str:
        """Cache key of the page; empty while it is not known.

        Three digests: of its text and what belongs to it, of what it read of posts, and of all that pages share.
        """
        if self._digests is None:
            return self._source().fixed()
        if self.names is None:
            return ""
        if self._key is None:
            shared = self._digests.of_names(self.names)
            last = self._last
            if last is not None and last.stamp == self.stamp != "" and last.key.endswith(shared):
                self._key = last.key
            else:
                source = self._source()
                read = [self._digests.of_values(source.shown.get(first), fields) for first, fields in _own(self.names)]
                self._key = f"{source.fixed()} {digest(read)} {shared}"
        return self._key

    @property
    def fixed(self) -> Mapping[str, str]:
        """Digests of what pages share, by name."""
        return self._digests.fixed if self._digests is not None else {}

    def shows(self, path: str) -> bool:
        """Whether the post at this path is among the objects that the page shows."""
        shown = self._source().shown.values()
        found = (each if isinstance(each, list | tuple) else [each] for each in shown)
        return any(isinstance(entry, Entry) and entry.path == path for entries in found for entry in entries)

    def render(self) -> bytes:
        """The bytes of the file; afterwards the key of the page is known."""
        reads: set[str] = set()
        data = self._source().render(reads)
        self.learn(_kept_once(tuple(sorted(reads))))
        return data

    def learn(self, names: Names | None) -> None:
        """Set what the page read when it was rendered."""
        self.names, self._key, self._last = names, None, None


@dataclass(frozen=True)
class Last:
    """A page at the last build: the names that it read, its stamp and its key."""

    names: Names
    stamp: str
    key: str


@cache
def _kept_once(names: Names) -> Names:
    """These names, as one object for all pages that read the same: 3 kB a page less."""
    return names


@cache
def _own(names: Names) -> Sequence[tuple[str, Names]]:
    """The names that depend on the page, by the object that they belong to."""
    return tuple(by_object(tuple(name for name in names if not name.startswith(_GLOBAL))).items())
