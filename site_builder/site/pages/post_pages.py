"""The pages of posts: each with its figures, records, bundles and redirects."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from site_builder import __version__
from site_builder.errors import SiteError
from site_builder.markup.placeholders import Heading
from site_builder.markup.typeset import curled
from site_builder.posts.blocks import EvidenceBlock, FigureBlock, PlayBlock, SourceBlock, TableBlock
from site_builder.posts.body import Body
from site_builder.posts.summary import Correction, PostSummary, write_summary
from site_builder.project.posts import file_path
from site_builder.site.entries import Entry, Pointer, make_entries, summary_of
from site_builder.site.layout import CARD_PATH, Head, Layout
from site_builder.site.model import Turn
from site_builder.site.page import Inputs, Page, copied
from site_builder.site.provenance import CHECKS, PROVENANCE, CodeFacts, FaultScore, checks_json, fold, provenance_json
from site_builder.site.related import SeriesPlace
from site_builder.site.structured_data import as_script, posting
from site_builder.site.theme import fingerprinted, relative
from site_builder.site.turn_script import turn_script
from site_builder.values.digest import digest

# In pixels of a window of 1440 by 900: four screens, from which a post has a table of contents by itself, and what
# fills it.
_TALL = 3600
_OF_A_WORD, _OF_A_FIGURE, _OF_A_ROW, _OF_A_LINE = 2.8, 600, 37, 22


@dataclass(frozen=True)
class _PageContent:
    """A post with what its page shows beside it. turns: its settings; folder: of its records, below its own."""

    post: PostSummary
    entry: Entry
    newer: Entry | None
    older: Entry | None
    turns: Sequence[Mapping[str, str]] = ()
    folder: str = ""


class PostPages:
    """The files that belong to posts and pages."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.site = layout.site
        self.related_posts = layout.related_posts

    def pages(self) -> Iterator[Page]:
        """Each post and page, with all that lies beside it."""
        for place, post in enumerate(self.site.posts):
            yield from self._figures(post)
            yield self._post(post, place)
            yield from self.turned(post, place)
            yield from self._beside(post)
        for post in self.site.pages:
            yield from self._figures(post)
            yield self._page_of(post)
            yield from self._beside(post)

    def _post(self, post: PostSummary, place: int) -> Page:
        shown = _PageContent(post, *self._around(place), turns=self._turns(post))
        return Page(
            file_path(post.path),
            lambda: self._render_post(shown),
            lambda: self.layout.inputs(
                "post.html", self._inputs(shown, self.layout.texts[post.source]), has_parts=True
            ),
        )

    def _around(self, place: int) -> tuple[Entry, Entry | None, Entry | None]:
        newer = self.layout.entries[place - 1] if place else None
        older = self.layout.entries[place + 1] if place + 1 < len(self.layout.entries) else None
        return self.layout.entries[place], newer, older

    # What a post turns to

    def _turns(self, post: PostSummary) -> list[dict[str, str]]:
        """The settings of a post for its template: key, label, and path of the script, empty for the published one."""
        turns = self.site.turns.get(post.source, ())
        if not turns:
            return []
        paths = [self._script_path(post, turn) for turn in turns]
        return [
            {"key": turn.key, "label": curled(turn.label), "script": path and relative(path, post.path)}
            for turn, path in zip(turns, paths, strict=True)
        ]

    def _script_path(self, post: PostSummary, turn: Turn) -> str:
        if turn.is_late:
            return post.beside(f"turn/{turn.key}.js")
        if turn.summary is None:
            return ""
        of = digest(write_summary(post), write_summary(turn.summary), self.site.builder, self.site.theme.digest)
        return fingerprinted(post.beside(f"turn/{turn.key}.js"), of)

    def turned(self, post: PostSummary, place: int) -> Iterator[Page]:
        """The scripts that turn a post, with the figures and records of its other settings.

        place: of the post among those of the site.
        """
        turns = [turn for turn in self.site.turns.get(post.source, ()) if turn.summary is not None]
        if not turns:
            return
        drawn = self.layout.filler.figure_files(post).keys() | self.layout.filler.block_files(post).keys()
        around = self._around(place)
        published = _PageContent(post, *around)
        text = cache(lambda: self._render_post(published).decode())
        for turn in turns:
            assert turn.summary
            for page in self._figures(turn.summary):
                if page.path not in drawn:
                    drawn |= {page.path}
                    yield page
            yield self._script(published, text, turn)
            yield from self._records(turn.summary, f"turn/{turn.key}/")

    def _script(self, published: _PageContent, text: Callable[[], str], turn: Turn) -> Page:
        """The script for a setting. text: gives the published page."""
        assert turn.summary
        (entry,) = make_entries([turn.summary], self.layout.settings.author)
        entry = Entry(entry.post, published.entry.tags, entry.listed)
        turned = replace(published, post=turn.summary, entry=entry, folder=f"turn/{turn.key}/")

        def render() -> bytes:
            published_text = text()
            try:
                return turn_script(turn.key, published_text, self._render_post(turned).decode())
            except SiteError as error:  # of a template, which serves the published page
                cure = error.cure or "write what fails there in {% if %}, or leave the setting out of the post"
                message = f"{entry.post.source} turned to {turn.label}: {error.message}"
                raise SiteError(error.place, message, cure) from error

        def inputs() -> Inputs:
            own = self._inputs(published, self.layout.texts[entry.post.source])
            there = self._inputs(turned, self.layout.text_digest(entry.post))["the post"]
            own |= {"the setting": digest(there, self.site.addresses.digest)}
            return self.layout.inputs("post.html", own, has_parts=True)

        return Page(self._script_path(published.post, turn), render, inputs)

    def _inputs(self, shown: _PageContent, text: str) -> dict[str, str]:
        """Digests of what the page of a post shows. text: of its text."""
        post = shown.post
        title = self.layout.window(post), self.layout.card_path(post)
        series, related = self._related(shown.entry)
        around = [each and each.pointer.digest for each in (shown.newer, shown.older)]
        return {
            "the post": digest(shown.entry.digest, text, title, shown.turns, self._scores(post)),
            "the posts beside it": digest(around, series and series.inputs, [each.digest for each in related]),
        }

    def _related(self, entry: Entry) -> tuple[SeriesPlace | None, tuple[Pointer, ...]]:
        """The place of a post in its series, and the posts related to it."""
        return self.related_posts.series(entry), self.related_posts.related(entry)

    def _render_post(self, shown: _PageContent) -> bytes:
        post, entry = shown.post, shown.entry
        card = self.layout.card_path(post)
        head = Head(
            *("post", post.path, post.title, entry.plain_summary),
            window=self.layout.window(post),
            card=card,
            card_shows=_on_card(entry) if card != CARD_PATH else "",
            hosts=post.hosts,
            data=as_script(posting(self.layout.settings, entry, post.corrections, card)),
        )
        return self.layout.render("post.html", head, {"post": SimpleNamespace(**self._post_facts(shown))})

    def _post_facts(self, shown: _PageContent) -> dict[str, Any]:
        """All that the template of a post may show of it."""
        post, entry = shown.post, shown.entry
        series, related = self._related(entry)
        body = self.site.files.body(post)
        toc = _toc(body)
        return {
            **entry.facts,
            **self._text_facts(post, body, shown.folder),
            "words": post.words,
            "picture": self.layout.filler.picture(post, body),
            "toc": toc,
            "show_toc": post.toc if post.toc is not None else _height(post, body) >= _TALL and len(toc) > 2,
            "newer": shown.newer and shown.newer.pointer,
            "older": shown.older and shown.older.pointer,
            "series_place": series,
            "related": related,
            "extra": post.extra,
            "turns": shown.turns,
        }

    def _text_facts(self, post: PostSummary, body: Body, folder: str = "") -> dict[str, Any]:
        """The text of a post or page, and what belongs to it. folder: of its records, below its own."""
        evidence = self._fold(post, folder)
        return {
            "body": self.layout.filler.for_page(post, body, evidence),
            "scripts": self.layout.filler.scripts(body),
            "corrections": _dated(post.corrections),
            "evidence": evidence if not _shows_evidence(body) else {},
        }

    def _page_of(self, post: PostSummary) -> Page:
        summary, window = summary_of(post).text, self.layout.window(post)
        head = Head("page", post.path, post.title, summary, window=window, hosts=post.hosts)

        def inputs() -> Inputs:
            own = {"the page": digest(self.layout.texts[post.source], window, self._scores(post))}
            return self.layout.inputs("page.html", own, has_parts=True)

        def render() -> bytes:
            return self.layout.render("page.html", head, self._text_facts(post, self.site.files.body(post)))

        return Page(file_path(post.path), render, inputs)

    def _figures(self, post: PostSummary) -> Iterator[Page]:
        for path, (key, kind) in self.layout.filler.figure_files(post).items():
            yield copied(path, lambda key=key, kind=kind: self.site.files.drawing(key, kind), path)  # type: ignore[misc]
        for path, name in self.layout.filler.block_files(post).items():
            yield copied(path, lambda name=name: self._block_file(post, name), path)  # type: ignore[misc]

    def _block_file(self, post: PostSummary, name: str) -> bytes:
        parts = (part for part in self.site.files.body(post).parts if isinstance(part, (TableBlock, PlayBlock)))
        return next(part.file[1] for part in parts if part.file and part.file[0] == name)

    def _beside(self, post: PostSummary) -> Iterator[Page]:
        """Its share card, the records of its answers, its bundles and redirects."""
        if card := self.site.cards.get(post.source):
            key = digest(card, self.site.builder)
            yield copied(self.layout.card_path(post), lambda card=card: self.site.files.card(card), key)  # type: ignore[misc]
        yield from self._records(post)
        for order in post.orders:
            name = self.site.bundles[order.key]
            yield copied(post.beside(f"{order.name}.zip"), lambda name=name: self.site.files.bundle(name), name)  # type: ignore[misc]
        yield from self._redirects(post)

    def _records(self, post: PostSummary, folder: str = "") -> Iterator[Page]:
        """The records of its answers, in a folder below its own."""
        if post.evidence:
            codes = self.site.files.code_behind(post)
            scores = self._scores(post)
            key = digest(self.site.builder, post.evidence, codes, scores, __version__)
            yield copied(post.beside(folder + PROVENANCE), lambda: self._provenance(post, codes, scores), key)
            key = digest(self.site.builder, post.evidence)
            path = post.beside(folder + CHECKS)
            yield copied(path, lambda: checks_json(post.path, self.site.files.evidence(post)), key)

    def _provenance(self, post: PostSummary, codes: Mapping[str, CodeFacts], scores: Mapping[str, FaultScore]) -> bytes:
        evidence = self.site.files.evidence(post)
        return provenance_json(post.path, f"puzzlepress {__version__}", evidence, codes, scores)

    def _scores(self, post: PostSummary) -> dict[str, FaultScore]:
        return {name: self.site.fault_scores[name] for name in sorted(post.solvers) if name in self.site.fault_scores}

    def _fold(self, post: PostSummary, folder: str = "") -> dict[str, Any]:
        """The context of the fold that says where its numbers come from; empty where it has none."""
        if not post.evidence:
            return {}
        files = {
            "provenance": relative(post.beside(folder + PROVENANCE), post.path),
            "record": relative(post.beside(folder + CHECKS), post.path),
        }
        return fold(self.site.files.evidence(post), self._scores(post)) | files

    def _redirects(self, post: PostSummary) -> Iterator[Page]:
        for path in post.aliases:
            facts = {"target": relative(post.path, path), "canonical": self.layout.settings.base_url + quote(post.path)}
            yield self._redirect(file_path(path), facts)

    def _redirect(self, path: str, facts: Mapping[str, str]) -> Page:
        names = {"site": SimpleNamespace(**self.layout.facts), **facts}
        return Page(
            path,
            lambda: self.site.theme.render("redirect.html", names).encode(),
            lambda: self.layout.inputs("redirect.html", {"its target": digest(facts)}),
        )


def _on_card(entry: Entry) -> str:
    """The alt text of the share card of a post."""
    answer = f"Answer: {entry.plain_answer}" if entry.plain_answer else ""
    return ". ".join(filter(None, [entry.plain_title, answer]))


def _shows_evidence(body: Body) -> bool:
    """True when the text itself has the evidence of the post."""
    return any(isinstance(part, EvidenceBlock) for part in body.parts)


def _dated(corrections: Iterable[Correction]) -> list[tuple[datetime, Markup]]:
    return [(each.date, Markup(each.note.html)) for each in corrections]


def _height(post: PostSummary, body: Body) -> float:
    """About how tall the text of a post is, in pixels."""
    height = _OF_A_WORD * post.words
    for part in body.parts:
        if isinstance(part, FigureBlock | PlayBlock):
            height += _OF_A_FIGURE
        elif isinstance(part, TableBlock):
            height += _OF_A_ROW * (2 + (part.first or len(part.rows)))
        elif isinstance(part, SourceBlock):
            height += _OF_A_LINE * part.code.count("\n")
    return height


def _toc(body: Body) -> list[dict[str, Any]]:
    return _items(body.headings[0].children if len(body.headings) == 1 else body.headings)


def _items(headings: Sequence[Heading]) -> list[dict[str, Any]]:
    return [{"id": each.anchor, "title": Markup(each.title), "children": _items(each.children)} for each in headings]
