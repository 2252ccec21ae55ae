"""Posts and tags as templates see them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from typing import NamedTuple

from markupsafe import Markup

from site_builder.errors import SiteError, raise_all
from site_builder.markup.placeholders import Inline
from site_builder.posts.summary import Credit, PostSummary
from site_builder.project.front_matter import CARD
from site_builder.project.posts import slugged
from site_builder.values.number_format import whole_number

_WORDS_A_MINUTE = 230
_PLAIN = {name: f"{name}_html" for name in CARD if name != "states"} | {
    name: name
    for name in (
        *("plain_title", "plain_summary", "plain_answer", "plain_method", "plain_states", "path", "date", "updated"),
        *("changed", "author", "series", "solvers", "words", "reading_minutes", "checks", "n_states"),
    )
}


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


class Entry(NamedTuple):
    """A post in lists and feeds, and at the head of its own page."""

    title_html: str
    plain_title: str
    summary_html: str
    plain_summary: str
    answer_html: str
    plain_answer: str
    method_html: str
    plain_method: str
    plain_states: str
    checks: int
    path: str
    date: datetime
    updated: datetime | None
    changed: datetime
    author: str
    tags: tuple[Tag, ...]
    puzzle: Credit | None
    series: str
    solvers: tuple[str, ...]
    words: int

    @staticmethod
    def plain_fields() -> Mapping[str, str]:
        """Fields without fields of their own, each with the attribute that is cheapest to read; see `read_tracking`."""
        return _PLAIN

    @property
    def title(self) -> Markup:
        """The title as HTML."""
        return Markup(self.title_html)

    @property
    def summary(self) -> Markup:
        """The summary as HTML."""
        return Markup(self.summary_html)

    @property
    def answer(self) -> Markup:
        """The answer as HTML; empty where there is none."""
        return Markup(self.answer_html)

    @property
    def method(self) -> Markup:
        """How the answer was found, as HTML; empty where the post does not say."""
        return Markup(self.method_html)

    @property
    def n_states(self) -> int | None:
        """The number of states of the solution; None where the post does not say."""
        return whole_number(self.plain_states)

    @property
    def reading_minutes(self) -> int:
        """Whole minutes, at least one."""
        return max(1, round(self.words / _WORDS_A_MINUTE))


KnownEntries = dict[str, tuple[PostSummary, tuple[Tag, ...], str, Entry]]  # by source, with all that each was made of


def make_entries(posts: Sequence[PostSummary], author: str, known: KnownEntries | None = None) -> tuple[Entry, ...]:
    """The entries of dated posts, in their order.

    author: of posts that name none. known: the entries of an earlier site, which are reused and replaced.
    """
    before = {} if known is None else dict(known)
    every = _tags(posts)
    found: KnownEntries = {}
    for post in posts:
        tags = _distinct([every[name] for name in post.tags])
        made = before.get(post.source)
        if made is None or made[0] is not post or made[1] != tags or made[2] != author:
            made = post, tags, author, _entry(post, tags, author)
        found[post.source] = made
    if known is not None:
        known.clear()
        known.update(found)
    return tuple([entry for *_, entry in found.values()])


def all_tags(entries: Sequence[Entry]) -> tuple[Tag, ...]:
    """Each tag once, by name."""
    found = {tag.path: tag for entry in entries for tag in entry.tags}
    return tuple(sorted(found.values(), key=lambda tag: (tag.name.lower(), tag.name)))


def tag_paths(posts: Iterable[PostSummary]) -> set[str]:
    """The addresses of the pages of all tags."""
    return {f"tags/{slugged(name)}/" for name in {name for post in posts for name in post.tags}}


def summary_of(post: PostSummary) -> Inline:
    """The summary of a post or page; its first words where its author gives none."""
    return post.summary if post.summary.text else Inline(post.excerpt, unescape(post.excerpt))


def _entry(post: PostSummary, tags: tuple[Tag, ...], author: str) -> Entry:
    summary = summary_of(post)
    assert post.date is not None  # content refuses a post without one
    assert post.changed is not None
    return Entry(
        title_html=post.title.html,
        plain_title=post.title.text,
        summary_html=summary.html,
        plain_summary=summary.text,
        answer_html=post.answer.html,
        plain_answer=post.answer.text,
        method_html=post.method.html,
        plain_method=post.method.text,
        plain_states=post.states.text,
        checks=post.checks,
        path=post.path,
        date=post.date,
        updated=post.updated,
        changed=post.changed,
        author=post.author or author,
        tags=tags,
        puzzle=post.puzzle,
        series=post.series,
        solvers=tuple(sorted(post.solvers)),
        words=post.words,
    )


def _distinct(tags: list[Tag]) -> tuple[Tag, ...]:
    """The tags, each once, however many ways there are to write it."""
    return tuple({tag.path: tag for tag in tags}.values())


def _tags(posts: Sequence[PostSummary]) -> dict[str, Tag]:
    """The tags of all posts by each of the ways in which they are written, named as they were first written."""
    slugs = {name: slugged(name) for name in {name for post in posts for name in post.tags}}
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    faults = []
    for post in sorted(posts, key=lambda post: (post.date, post.slug)):
        for slug in dict.fromkeys([slugs[name] for name in post.tags]):
            counts[slug] = counts.get(slug, 0) + 1
        for name in post.tags:
            names.setdefault(slugs[name], name)
            if not slugs[name]:
                fault = f"the tag {name!r} has no letter or digit for an address"
                faults.append(SiteError(post.place("tags"), fault))
    raise_all(faults)
    made = {slug: Tag(name, f"tags/{slug}/", counts[slug]) for slug, name in names.items()}
    return {name: made[slug] for name, slug in slugs.items()}
