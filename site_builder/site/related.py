"""Series and related posts."""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from site_builder.site.entries import Entry, Pointer
from site_builder.values.digest import digest

_MOST = 3  # related posts of one
_NEAR = 8  # posts of a subject, on either side in time, that are candidates


class SeriesPlace(NamedTuple):
    """The place of a post in its series, counted from 1. previous, next: the posts before and after it."""

    name: str
    number: int
    total: int
    previous: Pointer | None
    next: Pointer | None


class RelatedPosts:
    """Finds the posts that have subjects in common. A post is given by its place among the entries.

    entries: newest first. recall: gives the bytes that were made under a key, or makes them.
    """

    def __init__(
        self, entries: Sequence[Entry], recall: Callable[[str, Callable[[], bytes]], bytes] = lambda key, make: make()
    ) -> None:
        self._entries = entries
        self._recall = recall

    def series(self, place: int) -> SeriesPlace | None:
        """The place of a post in its series; None where it has none, or is the only one of it so far."""
        name = self._entries[place].post.series
        posts = self._by_series.get(name, [])
        if len(posts) < 2:
            return None
        at = bisect_left(posts, place)
        newer = self._entries[posts[at - 1]].pointer if at else None
        older = self._entries[posts[at + 1]].pointer if at + 1 < len(posts) else None
        return SeriesPlace(name, len(posts) - at, len(posts), older, newer)

    def related(self, place: int) -> tuple[Pointer, ...]:
        """Up to three posts that share tags or solvers with a post, those of its series left out.

        A subject counts the more, the fewer posts have it; of equal posts the nearer in time comes first.
        """
        return tuple([self._entries[at].pointer for at in self._related[place]])

    @cached_property
    def _related(self) -> list[list[int]]:
        """The numbers of the posts related to each, which depend on places, series and subjects alone."""
        key = digest([(entry.post.path, entry.post.series, _subjects(entry)) for entry in self._entries])
        made = self._recall(key, lambda: json.dumps([self._find(*each) for each in enumerate(self._entries)]).encode())
        return json.loads(made)  # type: ignore[no-any-return]

    def _find(self, here: int, entry: Entry) -> list[int]:
        """The numbers of the posts related to the one with the number `here`, the nearest first."""
        score: dict[int, int] = {}
        for subject in _subjects(entry):
            posts = self._by_subject[subject]
            place, weight = bisect_left(posts, here), 10_000_000 // len(posts)  # whole: no sum depends on its order
            for other in (*posts[max(0, place - _NEAR) : place], *posts[place + 1 : place + 1 + _NEAR]):
                score[other] = score.get(other, 0) + weight
        count, series = len(self._entries), entry.post.series
        kin = [at for at in score if not series or self._entries[at].post.series != series]
        # One whole number for each, the smaller the better: by score, then distance in time, then place. A tuple as the
        # key takes four times as long.
        ranked = sorted([(abs(at - here) - score[at] * count) * count + at for at in kin])
        return [rank % count for rank in ranked[:_MOST]]

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
