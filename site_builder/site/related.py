"""Series and related posts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass
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
        return digest([(*astuple(_pointer(e)), _subjects(e), e.post.series) for e in self._entries])

    def series(self, entry: Entry) -> SeriesPlace | None:
        """The place of a post in its series; None where it has none, or is the only one of it so far."""
        posts = self._series.get(entry.post.series, [])
        if len(posts) < 2:
            return None
        at = self._numbers[entry.post.path]
        before = _pointer(posts[at - 1]) if at else None
        after = _pointer(posts[at + 1]) if at + 1 < len(posts) else None
        return SeriesPlace(entry.post.series, at + 1, len(posts), before, after)

    def related(self, entry: Entry) -> tuple[Pointer, ...]:
        """Up to three posts that share tags or solvers with a post, those of its series left out.

        A subject counts the more, the fewer posts have it; of equal posts the nearer in time comes first.
        """
        score: Counter[int] = Counter()
        for subject in _subjects(entry):
            of_it, place = self._by_subject[subject], self._places[subject][entry.post.path]
            near = (*of_it[max(0, place - _NEAR) : place], *of_it[place + 1 : place + 1 + _NEAR])
            for other in near:
                score[other] += self._weights[subject]
        here = self._order[entry.post.path]
        kin = (at for at in score if not entry.post.series or self._entries[at].post.series != entry.post.series)
        best = sorted(kin, key=lambda at: (-score[at], abs(at - here), at))[:_MOST]
        return tuple(_pointer(self._entries[at]) for at in best)

    @cached_property
    def _order(self) -> dict[str, int]:
        return {entry.post.path: at for at, entry in enumerate(self._entries)}

    @cached_property
    def _by_subject(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, entry in enumerate(self._entries):
            for subject in _subjects(entry):
                found.setdefault(subject, []).append(at)
        return found

    @cached_property
    def _places(self) -> dict[str, dict[str, int]]:
        return {
            subject: {self._entries[at].path: place for place, at in enumerate(posts)}
            for subject, posts in self._by_subject.items()
        }

    @cached_property
    def _weights(self) -> dict[str, int]:
        """The weight of each subject, as whole numbers, so that no sum depends on its order."""
        return {subject: 10_000_000 // len(posts) for subject, posts in self._by_subject.items()}

    @cached_property
    def _series(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for entry in reversed(self._entries):
            if entry.post.series:
                found.setdefault(entry.post.series, []).append(entry)
        return found

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {entry.post.path: at for posts in self._series.values() for at, entry in enumerate(posts)}


def _subjects(entry: Entry) -> tuple[str, ...]:
    """The subjects of a post: the pages of its tags, the names of its solvers."""
    return (*(tag.path for tag in entry.tags), *entry.solvers)


def _pointer(entry: Entry) -> Pointer:
    return Pointer(entry.post.path, entry.post.title.html, entry.date)
