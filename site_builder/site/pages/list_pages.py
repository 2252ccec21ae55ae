"""The pages of lists: the home page and those after it, the archive, the tags, the answers."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

from site_builder.posts.summary import PostSummary
from site_builder.project.posts import file_path
from site_builder.site.entries import Entry, Tag, listed
from site_builder.site.layout import Head, Layout, plain
from site_builder.site.model import Page, copied
from site_builder.site.provenance import ANSWERS, RESULTS
from site_builder.values.digest import digest

_NEAR = 2  # pages on either side of this one that its list of pages may name


class ListPages:
    """The pages that list posts and tags."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.settings = layout.settings
        self.entries = layout.entries
        self.word = layout.word
        self._names = {"title": self.settings.title}

    def pages(self) -> Iterator[Page]:
        """All lists, the home page first."""
        size = self.settings.posts_per_page
        chunks = [self.entries[i : i + size] for i in range(0, len(self.entries), size)] or [()]
        for number, chunk in enumerate(chunks, 1):
            yield self._index(number, len(chunks), chunk)
        yield self._archive()
        yield from self._answers()
        tags = Head("tags", "tags/", plain(self.word("Tags")), self.word("The subjects of %(title)s.") % self._names)
        counted = [self._counted(tag) for tag in self.layout.tags]
        yield Page(
            file_path(tags.path),
            lambda: self.layout.render("tags.html", tags, {"tags": counted}),
            lambda: self.layout.inputs({"the list of tags": digest(counted)}),
        )
        for tag in self.layout.tags:
            yield self._tag(tag)

    def _list(self, template: str, head: Head, entries: Sequence[Entry], more: Mapping[str, Any]) -> Page:
        """A page that lists posts. more: plain data in its context beside them."""
        return Page(
            file_path(head.path),
            lambda: self.layout.render(template, head, {"entries": listed(entries), **more}),
            lambda: self.layout.inputs({"the list": digest(head, more), "the posts in it": _digest(entries)}),
        )

    def _index(self, number: int, count: int, entries: Sequence[Entry]) -> Page:
        near = sorted({1, count, *range(max(1, number - _NEAR), min(count, number + _NEAR) + 1)})
        pagination = {
            "number": number,
            "count": count,
            "newer": index_path(number - 1) if number > 1 else None,
            "older": index_path(number + 1) if number < count else None,
            "pages": [(n, index_path(n)) for n in near],
        }
        title, about = self.settings.title, self.settings.description
        if number > 1:
            names = {**self._names, "number": number, "count": count}
            title = self.word("Posts, page %(number)s of %(count)s") % names
            about = self.word("Older posts of %(title)s, page %(number)s of %(count)s.") % names
        head = Head("index", index_path(number), plain(title), about)
        return self._list("index.html", head, entries, {"pagination": pagination})

    def _archive(self) -> Page:
        years = [(year, len(list(group))) for year, group in groupby(self.entries, key=lambda entry: entry.date.year)]

        about = self.word("All posts of %(title)s by year.") % self._names
        head = Head("archive", "archive/", plain(self.word("Archive")), about)

        def render() -> bytes:
            entries = iter(listed(self.entries))
            grouped = [(year, list(islice(entries, count))) for year, count in years]
            return self.layout.render("archive.html", head, {"years": grouped})

        return Page(
            "archive/index.html",
            render,
            lambda: self.layout.inputs({"the posts in it": _digest(self.entries)}),
        )

    def _answers(self) -> Iterator[Page]:
        """Every answer in one table, and the same for machines, with all results that posts show."""
        answered = [entry for entry in self.entries if entry.post.answer.text]
        about = self.word("Every answer of %(title)s in one table.") % self._names
        head = Head("answers", "answers/", plain(self.word("Answers")), about)
        yield self._list("answers.html", head, answered, {})
        site = self.settings
        rows = [_answer_row(entry, site.base_url) for entry in answered]
        found = {"title": site.title, "url": site.base_url, "answers": rows}
        every = sorted((*self.layout.site.posts, *self.layout.site.pages), key=lambda post: post.path)
        with_results = [post for post in every if _is_compared(post)]

        def render() -> bytes:
            answers = {post.path: self.layout.site.evidence(post).answers for post in with_results}
            return (json.dumps(found | {RESULTS: answers}, ensure_ascii=False, indent=1) + "\n").encode()

        evidence = [(post.path, post.evidence) for post in with_results]
        yield copied(ANSWERS, render, digest(self.layout.site.builder, found, evidence))

    def _tag(self, tag: Tag) -> Page:
        names = {**self._names, "tag": tag.name}
        about = self.word("Posts of %(title)s about %(tag)s.") % names
        head = Head("tag", tag.path, plain(self.word("Tag: %(tag)s") % names), about, tag.feed_path)
        return self._list("tag.html", head, self.layout.by_tag[tag.path], {"tag": self._counted(tag)})

    def _counted(self, tag: Tag) -> SimpleNamespace:
        """A tag with the number of posts that have it."""
        count = len(self.layout.by_tag[tag.path])
        return SimpleNamespace(name=tag.name, path=tag.path, feed_path=tag.feed_path, count=count)


def _digest(entries: Iterable[Entry]) -> str:
    return digest([entry.digest for entry in entries])


def _is_compared(post: PostSummary) -> bool:
    """True when publishing compares the answers of a post with the published ones."""
    return bool(post.evidence) and not post.is_draft


def _answer_row(entry: Entry, base_url: str) -> dict[str, Any]:
    post = entry.post
    return {
        "title": post.title.text,
        "url": base_url + quote(post.path),
        "date": entry.date.date().isoformat(),
        "answer": post.answer.text,
        "method": post.method.text or None,
        "checks": post.checks,
        "solvers": list(entry.solvers),
    }


def index_path(number: int) -> str:
    """The address of a page of the list of all posts."""
    return "" if number == 1 else f"page/{number}/"
