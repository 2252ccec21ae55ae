"""The recipes of posts and pages: each with its figures, its records, its bundles and its redirects."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from site_builder.posts.body import Body, Section
from site_builder.posts.summary import Correction, PostSummary
from site_builder.project.posts import file_path
from site_builder.site.entries import Entry, summary_of
from site_builder.site.layout import CARD_PATH, Head, Layout, Preview, copied
from site_builder.site.page import Page, Recipe
from site_builder.site.provenance import CHECKS, PROVENANCE, checks_json, fold, provenance_json
from site_builder.site.read_tracking import Tracked, TrackedFacts, seen
from site_builder.site.structured_data import as_script, posting
from site_builder.site.theme import relative
from site_builder.values.digest import digest

_LONG = 1200  # words from which a post has a table of contents by itself


@dataclass(frozen=True)
class TocItem:
    """A heading in the table of contents."""

    id: str
    title: Markup
    children: "tuple[TocItem, ...]"


class PostPages:
    """The files that belong to posts and pages."""

    def __init__(self, shells: Layout) -> None:
        self.shells = shells
        self.site = shells.site
        self.neighbours = shells.neighbours

    def pages(self) -> Iterator[Page]:
        """Each post and page, with all that lies beside it."""
        for place, post in enumerate(self.site.posts):
            yield from self._figures(post)
            yield self._post(post, place)
            yield from self._beside(post)
        for post in self.site.pages:
            yield from self._figures(post)
            yield self._page_of(post)
            yield from self._beside(post)

    def _post(self, post: PostSummary, place: int) -> Page:
        newer = self.shells.entries[place - 1] if place else None
        older = self.shells.entries[place + 1] if place + 1 < len(self.shells.entries) else None
        around = self.shells.entries[place], newer, older
        path = file_path(post.path)
        return self.shells.traced(
            path,
            lambda: self._post_recipe(post, *around),
            lambda: f"{self._stamp(post, around)} {self._beside_it(path, around[0])}",
        )

    def _beside_it(self, path: str, entry: Entry) -> str:
        """A name for the posts that the page leads to: the last one, if nothing that relates posts has changed."""
        last = self.site.history.last.get(path)
        if last is not None and " " in last.stamp and self.neighbours.stamp == self.site.history.related_digest:
            return last.stamp.split()[1]
        return digest(self.neighbours.series(entry), self.neighbours.related(entry))

    def _post_recipe(self, post: PostSummary, entry: Entry, newer: Entry | None, older: Entry | None) -> Recipe:
        series, related = self.neighbours.series(entry), self.neighbours.related(entry)

        def context(reads: set[str]) -> Mapping[str, Any]:
            body = self.site.files.body(post)
            toc = _toc(body)
            more = {
                "body": self.shells.filler.for_page(post, body, reads),
                "toc": toc,
                "show_toc": post.toc if post.toc is not None else post.words >= _LONG and len(toc) > 2,
                "newer": newer and Tracked(newer, "newer", reads),
                "older": older and Tracked(older, "older", reads),
                "series_place": lambda: series and Tracked(series, "series_place", reads),
                "related": lambda: seen(related, "related", reads),
                "extra": post.extra,
                "corrections": _dated(post.corrections),
                "evidence": self._fold(post),
            }
            return {"post": Tracked(entry, "post", reads, more)}

        shown = {"post": entry, "newer": newer, "older": older, "series_place": series, "related": related}

        def fixed() -> Any:
            beside = newer is None, older is None, series is None
            return self.shells.made_of(post), post.evidence, post.toc, post.extra, beside

        card = self.shells.card_path(post)
        data = as_script(posting(self.shells.settings, entry, post.corrections, card))
        preview = Preview(self.shells.window(post), card, _on_card(entry) if card != CARD_PATH else "", data)
        head = Head("post", post.path, post.title, entry.plain_summary)
        return self.shells.shell("post.html", head, context, shown, fixed, preview)

    def _page_of(self, post: PostSummary) -> Page:
        def context(reads: set[str]) -> Mapping[str, Any]:
            body = self.shells.filler.for_page(post, self.site.files.body(post), reads)
            return {"body": body, "corrections": _dated(post.corrections), "evidence": self._fold(post)}

        def recipe() -> Recipe:
            head = Head("page", post.path, post.title, summary_of(post).text)
            preview = Preview(self.shells.window(post))
            fixed = self.shells.made_of(post), post.evidence
            return self.shells.shell("page.html", head, context, fixed=lambda: fixed, preview=preview)

        return self.shells.traced(
            file_path(post.path), recipe, lambda: self._stamp(post, [], self.shells.stamps[post.path])
        )

    def _stamp(self, post: PostSummary, entries: Iterable[Entry | None], *more: Any) -> str:
        return self.shells.stamp(entries, *more, self.shells.window(post), self.shells.card_path(post))

    def _figures(self, post: PostSummary) -> Iterator[Page]:
        for path, (key, kind) in self.shells.filler.figure_files(post).items():
            yield copied(path, lambda key=key, kind=kind: self.site.files.drawing(key, kind), path)  # type: ignore[misc]

    def _beside(self, post: PostSummary) -> Iterator[Page]:
        """Its share card, the records of its answers, and what leads to it from its old addresses."""
        if card := self.site.cards.get(post.source):
            key = digest(card, self.site.card_code)
            yield copied(self.shells.card_path(post), lambda card=card: self.site.files.card(card), key)  # type: ignore[misc]
        if post.evidence:
            codes = self.site.files.code_behind(post)
            path, key = post.beside(PROVENANCE), digest(self.site.history.code, post.evidence, codes)
            yield copied(path, lambda: provenance_json(post.path, self.site.files.evidence(post), codes), key)
            path, key = post.beside(CHECKS), digest(self.site.history.code, post.evidence)
            yield copied(path, lambda: checks_json(post.path, self.site.files.evidence(post)), key)
        for order in post.orders:
            name = self.site.bundles[order.key]
            yield copied(post.beside(f"{order.name}.zip"), lambda name=name: self.site.files.bundle(name), name)  # type: ignore[misc]
        yield from self._redirects(post)

    def _fold(self, post: PostSummary) -> dict[str, Any]:
        """What its page says at its foot of where its numbers come from; empty where it has none."""
        if not post.evidence:
            return {}
        files = {
            "provenance": relative(post.beside(PROVENANCE), post.path),
            "record": relative(post.beside(CHECKS), post.path),
        }
        return fold(self.site.files.evidence(post)) | files

    def _redirects(self, post: PostSummary) -> Iterator[Page]:
        for path in post.aliases:
            facts = {"target": relative(post.path, path), "canonical": self.shells.settings.base_url + quote(post.path)}

            def render(reads: set[str], facts: Mapping[str, str] = facts) -> bytes:
                names = {"site": TrackedFacts(self.shells.facts, "site", reads), **facts}
                return self.site.theme.render("redirect.html", names, reads).encode()

            recipe = Recipe(render, lambda facts=facts: digest(facts))  # type: ignore[misc]
            yield self.shells.traced(file_path(path), lambda recipe=recipe: recipe)  # type: ignore[misc]


def _on_card(entry: Entry) -> str:
    """What is to be seen on the share card of a post."""
    answer = f"Answer: {entry.plain_answer}" if entry.plain_answer else ""
    return ". ".join(filter(None, [entry.plain_title, answer]))


def _dated(corrections: Iterable[Correction]) -> list[tuple[datetime, Markup]]:
    return [(each.date, Markup(each.note.html)) for each in corrections]


def _toc(body: Body) -> tuple[TocItem, ...]:
    return _items(body.sections[0].children if len(body.sections) == 1 else body.sections)


def _items(sections: Sequence[Section]) -> tuple[TocItem, ...]:
    return tuple(TocItem(each.anchor, Markup(each.title), _items(each.children)) for each in sections)
