"""Posts and tags as templates see them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

from site_builder.errors import SiteError, raise_all
from site_builder.posts.summary import PostSummary
from site_builder.project.front_matter import FRONT_TEXTS
from site_builder.project.posts import slugged
from site_builder.values.digest import digest

_WORDS_A_MINUTE = 230
# The fields of a summary that templates are given as they are.
_FIELDS = (
    *("path", "date", "updated", "changed", "author", "authors", "series", "checks", "guess", "puzzle", "language"),
)
_listed = attrgetter(*FRONT_TEXTS, *_FIELDS, "solvers")


class Tag(NamedTuple):
    """A tag with its page."""

    name: str
    path: str

    @property
    def feed_path(self) -> str:
        """The place of its feed."""
        return f"{self.path}feed.xml"


class Thumbnail(NamedTuple):
    """The first figure of a post, as lists show it: its path in the site, and its size in CSS pixels."""

    path: str
    width: int
    height: int


class Pointer(NamedTuple):
    """A link to another post, with what a page shows of it. key: all of that, written once for all pages."""

    path: str
    title: Markup
    date: datetime
    key: str

    def __repr__(self) -> str:  # of which the digests of pages are made
        return self.key


@dataclass(frozen=True, eq=False)
class Entry:
    """A dated post in lists and feeds, and at the head of its own page; templates are given its facts.

    listed: digest of all that lists may show of the post itself. author: that of the site.
    """

    post: PostSummary
    tags: tuple[Tag, ...]
    listed: str
    author: str
    thumbnail: Thumbnail | None = None

    @property
    def date(self) -> datetime:
        """When it was published."""
        assert self.post.date
        return self.post.date

    @property
    def changed(self) -> datetime:
        """When it was last changed."""
        return self.post.changed or self.date

    @property
    def facts(self) -> dict[str, Any]:
        """All that a list may show of it; docs/theming.md has the names."""
        texts = {name: getattr(self.post, name) for name in FRONT_TEXTS}
        return {
            **{name: Markup(text.html) for name, text in texts.items()},
            **{f"plain_{name}": text.text for name, text in texts.items()},
            **{name: getattr(self.post, name) for name in _FIELDS},
            "author": self.post.author or self.author,
            "authors": self.authors,
            "solvers": self.solvers,
            "reading_minutes": _reading_minutes(self.post.words),
            "tags": self.tags,
            "thumbnail": self.thumbnail,
        }

    @cached_property
    def pointer(self) -> Pointer:
        """A link to it, for the pages of other posts."""
        path, title, date = self.post.path, self.post.title.html, self.date
        return Pointer(path, Markup(title), date, f"{path}\n{title}\n{date}")

    @cached_property
    def digest(self) -> str:
        """Digest of its facts; those that come from the site's settings count where these do."""
        return digest(self.listed, self.tags, self.thumbnail)

    @property
    def authors(self) -> tuple[str, ...]:
        """Its authors; the site's where it names none."""
        return self.post.authors or tuple(filter(None, [self.post.author or self.author]))

    @property
    def solvers(self) -> tuple[str, ...]:
        """The names of its solvers, in order."""
        return tuple(sorted(self.post.solvers))


def listed_digest(post: PostSummary) -> str:
    """Digest of all that lists may show of a post, without its tags and its thumbnail."""
    return digest(_listed(post), _reading_minutes(post.words))


def _reading_minutes(words: int) -> int:
    """Whole minutes, at least one."""
    return max(1, round(words / _WORDS_A_MINUTE))


def make_entries(
    posts: Sequence[PostSummary],
    author: str,
    thumbnails: Mapping[str, Thumbnail] = MappingProxyType({}),
    listed: Callable[[PostSummary], str] = listed_digest,
) -> tuple[Entry, ...]:
    """The entries of dated posts, in their order.

    author: that of the site; thumbnails: by source; listed: gives what `listed_digest` does.
    """
    tags = _tags(posts)
    return tuple(
        [
            Entry(
                post,
                tuple({tags[name].path: tags[name] for name in post.tags}.values()),
                listed(post),
                author,
                thumbnails.get(post.source),
            )
            for post in posts
        ]
    )


def tag_paths(posts: Iterable[PostSummary]) -> set[str]:
    """The addresses of the pages of all tags."""
    return {f"tags/{slugged(name)}/" for name in {name for post in posts for name in post.tags}}


def _tags(posts: Sequence[PostSummary]) -> dict[str, Tag]:
    """The tags of all posts by each of the ways in which they are written, named as they were first written."""
    slugs = {name: slugged(name) for name in {name for post in posts for name in post.tags}}
    names: dict[str, str] = {}
    errors = []
    for post in sorted(posts, key=lambda post: (post.date, post.slug)):
        for name in post.tags:
            names.setdefault(slugs[name], name)
            if not slugs[name]:
                message = f"the tag {name!r} has no letter or digit for an address"
                errors.append(SiteError(post.place("tags"), message, f"add a word, such as {f'{name} games'!r}"))
    raise_all(errors)
    made = {slug: Tag(name, f"tags/{slug}/") for slug, name in names.items()}
    return {name: made[slug] for name, slug in slugs.items()}
