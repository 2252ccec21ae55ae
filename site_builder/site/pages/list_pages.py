"""The pages of lists: the home page and those after it, the archive, the tags, the answers."""

import json
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

from site_builder.site.entries import Entry
from site_builder.site.layout import Head, Layout, plain
from site_builder.site.model import Page, copied
from site_builder.site.provenance import ANSWERS, RESULTS
from site_builder.values.digest import digest

_NEAR = 2  # pages on either side of this one that its list of pages may name


def list_pages(layout: Layout) -> Iterator[Page]:
    """All pages that list posts and tags, the home page first."""
    size, word = layout.settings.posts_per_page, layout.word
    chunks = [layout.entries[i : i + size] for i in range(0, len(layout.entries), size)] or [()]
    for number, chunk in enumerate(chunks, 1):
        yield _index(layout, number, len(chunks), chunk)
    head = Head("archive", "archive/", plain(word("Archive")), word("All posts of %(title)s by year."))
    yield layout.list_page("archive.html", head, layout.entries)
    yield from _answers(layout)
    tags = [
        SimpleNamespace(name=tag.name, path=tag.path, feed_path=tag.feed_path, count=len(entries))
        for tag, entries in layout.by_tag.items()
    ]
    head = Head("tags", "tags/", plain(word("Tags")), word("The subjects of %(title)s."))
    yield layout.list_page("tags.html", head, more={"tags": tags})
    for tag, entries in zip(tags, layout.by_tag.values(), strict=True):
        about = word("Posts of %(title)s about %(tag)s.", tag=tag.name)
        head = Head("tag", tag.path, plain(word("Tag: %(tag)s", tag=tag.name)), about, tag.feed_path)
        yield layout.list_page("tag.html", head, entries, {"tag": tag})


def _index(layout: Layout, number: int, count: int, entries: Sequence[Entry]) -> Page:
    near = sorted({1, count, *range(max(1, number - _NEAR), min(count, number + _NEAR) + 1)})
    pagination = {
        "number": number,
        "count": count,
        "newer": index_path(number - 1) if number > 1 else None,
        "older": index_path(number + 1) if number < count else None,
        "pages": [(n, index_path(n)) for n in near],
    }
    title, about = layout.settings.title, layout.settings.description
    if number > 1:
        title = layout.word("Posts, page %(number)s of %(count)s", number=number, count=count)
        about = layout.word("Older posts of %(title)s, page %(number)s of %(count)s.", number=number, count=count)
    head = Head("index", index_path(number), plain(title), about)
    return layout.list_page("index.html", head, entries, {"pagination": pagination})


def _answers(layout: Layout) -> Iterator[Page]:
    """Every answer in one table, and the same for machines, with all results that posts show."""
    answered = [entry for entry in layout.entries if entry.post.answer.text]
    about = layout.word("Every answer of %(title)s in one table.")
    yield layout.list_page("answers.html", Head("answers", "answers/", plain(layout.word("Answers")), about), answered)
    site, settings = layout.site, layout.settings
    rows = [_answer_row(entry, settings.base_url) for entry in answered]
    found = {"title": settings.title, "url": settings.base_url, "answers": rows}
    every = sorted((*site.posts, *site.pages), key=lambda post: post.path)
    with_results = [post for post in every if post.evidence and not post.is_draft]  # which publishing compares

    def render() -> bytes:
        answers = {post.path: site.evidence(post).answers for post in with_results}
        return (json.dumps(found | {RESULTS: answers}, ensure_ascii=False, indent=1) + "\n").encode()

    evidence = [(post.path, post.evidence) for post in with_results]
    yield copied(ANSWERS, render, digest(site.builder, found, evidence))


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
