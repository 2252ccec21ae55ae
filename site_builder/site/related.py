"""Series and related posts."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from markupsafe import Markup

from site_builder.site.entries import Entry
from site_builder.values.digest import digest

RELATED = "related posts"  # among the names that do not depend on a page: digest of everything that relates posts
_MOST = 3  # related posts of one
_NEAR = 8  # posts of a subject, on either side in time, that are candidates


@dataclass(frozen=True)
class Pointer:
    """A link to another post, with what a page shows of it."""

    path: str
    title_html: str
    date: datetime

    @property
    def title(self) -> Markup:
        """The title as HTML."""
        return Markup(self.title_html)


@dataclass(frozen=True)
class SeriesPlace:
    """The place of a post in its series, counted from 1. previous, next: the posts before and after it."""

    name: str
    number: int
    total: int
    previous: Pointer | None
    next: Pointer | None


class RelatedPosts:
    """Finds the posts that have subjects in common."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """entries: newest first."""
        self._entries = entries

    @cached_property
    def stamp(self) -> str:
        """Digest of everything that relates posts."""
        posts = [entry.post for entry in self._entries]
        shown = [(post.path, post.title.html, post.date, post.series) for post in posts]
        return digest(shown, [_subjects(entry) for entry in self._entries])

    def series(self, entry: Entry) -> SeriesPlace | None:
        """The place of a post in its series; None where it has none, or is the only one of it so far."""
        posts = self._by_series.get(entry.post.series, [])
        if len(posts) < 2:
            return None
        place = bisect_left(posts, self._order[entry.post.path])
        newer = _pointer(self._entries[posts[place - 1]]) if place else None
        older = _pointer(self._entries[posts[place + 1]]) if place + 1 < len(posts) else None
        return SeriesPlace(entry.post.series, len(posts) - place, len(posts), older, newer)

    def related(self, entry: Entry) -> tuple[Pointer, ...]:
        """Up to three posts that share tags or solvers with a post, those of its series left out.

        A subject counts the more, the fewer posts have it; of equal posts the nearer in time comes first.
        """
        score: Counter[int] = Counter()
        here = self._order[entry.post.path]
        for subject in _subjects(entry):
            posts = self._by_subject[subject]
            place, weight = bisect_left(posts, here), 10_000_000 // len(posts)  # whole: no sum depends on its order
            for other in (*posts[max(0, place - _NEAR) : place], *posts[place + 1 : place + 1 + _NEAR]):
                score[other] += weight
        kin = (at for at in score if not entry.post.series or self._entries[at].post.series != entry.post.series)
        best = sorted(kin, key=lambda at: (-score[at], abs(at - here), at))[:_MOST]
        return tuple(_pointer(self._entries[at]) for at in best)

    @cached_property
    def _order(self) -> dict[str, int]:
        return {entry.post.path: at for at, entry in enumerate(self._entries)}

    @cached_property
    def _by_subject(self) -> dict[str, list[int]]:
        return self._by(_subjects)

    @cached_property
    def _by_series(self) -> dict[str, list[int]]:
        return self._by(lambda entry: filter(None, [entry.post.series]))

    def _by(self, names_of: Callable[[Entry], Iterable[str]]) -> dict[str, list[int]]:
        """The numbers of the entries that have each of these names."""
        found: dict[str, list[int]] = {}
        for at, entry in enumerate(self._entries):
            for name in names_of(entry):
                found.setdefault(name, []).append(at)
        return found


def _subjects(entry: Entry) -> tuple[str, ...]:
    """The subjects of a post: the pages of its tags, the names of its solvers."""
    return (*(tag.path for tag in entry.tags), *entry.solvers)


def _pointer(entry: Entry) -> Pointer:
    return Pointer(entry.post.path, entry.post.title.html, entry.date)
