"""Posts as templates see them: what lists show of each, and the neighbours, tags and years that they make together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import unescape

from markupsafe import Markup

from site_builder.content import Post, tag_slug
from site_builder.errors import SiteError, raise_all
from site_builder.rendering import Body, Card
from site_builder.tokens import Inline

_WORDS_A_MINUTE = 230


@dataclass(frozen=True)
class Tag:
    """A tag with its page and how many posts have it."""

    name: str
    path: str
    count: int

    @property
    def feed_path(self) -> str:
        """The place of its feed."""
        return f"{self.path}feed.xml"


@dataclass(frozen=True)
class Credit:
    """Where a puzzle comes from."""

    name: str
    source: str
    url: str
    published: datetime | None


@dataclass(frozen=True)
class Entry:
    """A post in lists and feeds, and at the head of its own page."""

    title: Markup
    plain_title: str
    summary: Markup
    plain_summary: str
    answer: Markup
    plain_answer: str
    path: str
    date: datetime
    updated: datetime | None
    author: str
    tags: tuple[Tag, ...]
    puzzle: Credit | None
    series: str
    words: int

    @property
    def reading_minutes(self) -> int:
        """Whole minutes, at least one."""
        return max(1, round(self.words / _WORDS_A_MINUTE))


def make_entries(
    posts: Sequence[Post], cards: Mapping[str, Card], bodies: Mapping[str, Body], author: str
) -> tuple[Entry, ...]:
    """The entries of dated posts, in their order. cards and bodies: by source. author: for posts that name none."""
    tags = _tags(posts)
    return tuple(_entry(post, cards[post.source], bodies[post.source], tags, author) for post in posts)


def all_tags(entries: Sequence[Entry]) -> tuple[Tag, ...]:
    """Each tag once, by name."""
    found = {tag.path: tag for entry in entries for tag in entry.tags}
    return tuple(sorted(found.values(), key=lambda tag: (tag.name.lower(), tag.name)))


def _entry(post: Post, card: Card, body: Body, tags: Mapping[str, Tag], author: str) -> Entry:
    summary = card.summary if card.summary.text else Inline(body.excerpt, unescape(body.excerpt))
    assert post.date is not None  # content refuses a post without one
    puzzle = post.front.puzzle
    return Entry(
        title=Markup(card.title.html),
        plain_title=card.title.text,
        summary=Markup(summary.html),
        plain_summary=summary.text,
        answer=Markup(card.answer.html),
        plain_answer=card.answer.text,
        path=post.path,
        date=post.date,
        updated=post.front.updated,
        author=post.front.author or author,
        tags=tuple(dict.fromkeys(tags[tag_slug(name)] for name in post.tags)),
        puzzle=Credit(puzzle.name, puzzle.source, puzzle.url, puzzle.published) if puzzle else None,
        series=post.front.series,
        words=body.words,
    )


def _tags(posts: Sequence[Post]) -> dict[str, Tag]:
    """The tags of all posts by their slug, each named as it was first written."""
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    faults = []
    for post in sorted(posts, key=lambda post: (post.date is None, post.date, post.slug)):
        for slug in dict.fromkeys(tag_slug(name) for name in post.tags):
            counts[slug] = counts.get(slug, 0) + 1
        for name in post.tags:
            names.setdefault(tag_slug(name), name)
            if not tag_slug(name):
                fault = f"the tag {name!r} has no letter or digit for an address"
                faults.append(SiteError(post.reading.place("tags"), fault))
    raise_all(faults)
    return {slug: Tag(name, f"tags/{slug}/", counts[slug]) for slug, name in names.items()}
