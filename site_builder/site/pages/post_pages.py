"""The pages of posts: each with its figures, records and redirects."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from site_builder import __version__
from site_builder.markup.placeholders import Heading
from site_builder.markup.typeset import curled
from site_builder.posts.blocks import Body, EvidenceBlock
from site_builder.posts.summary import PostSummary, beside
from site_builder.project.posts import file_path
from site_builder.site.entries import Entry, make_entries
from site_builder.site.layout import CARD_PATH, Head, Layout
from site_builder.site.model import Inputs, Page, copied
from site_builder.site.provenance import PROVENANCE, fold, provenance_json
from site_builder.site.theme import relative
from site_builder.values.digest import digest

_WORDS, _FIGURES, _HEADINGS = 1000, 4, 3  # from which a post has a table of contents by itself
_TAG = re.compile(
    r"<(?P<end>/?)(?:(?P<box>div|details|section|blockquote|article|aside|ul|ol|dl|table|figure)|(?P<top>p|h[2-6]))\b"
    r"(?P<attributes>[^>]*)>"
)
_NOTE = 'class="sidenote"'
_OF_REFERENCES = re.compile(r'<h[2-6]\b(?:(?!</h).)*</h[2-6]>\s*<section class="references"', re.DOTALL)
_FORMULA = re.compile(r'<math(?=[^>]* alttext="[^"]*[^\w."])')  # one of one sign is its own text
_PICTURE = re.compile(r"<img(?=\s)")


class Sections(NamedTuple):
    """The sections of a text.

    puzzle: up to the first heading or fold behind its first paragraph; without these, or with a list of references
    alone below the heading, that paragraph. solution: up to the next heading; rest: from there on.
    """

    puzzle: str
    solution: str
    rest: str


class PostPages:
    """The files that belong to posts and pages."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.site = layout.site

    def pages(self) -> Iterator[Page]:
        """Each post and page, with all that lies beside it."""
        for place, post in enumerate(self.site.posts):
            yield from self._figures(post)
            yield self._page(self.layout.entries[place], place)
            yield from self.turned(place)
            yield from self._beside(post)
        for post in self.site.pages:
            yield from self._figures(post)
            yield self._page_of(post)
            yield from self._beside(post)

    def turned(self, place: int) -> Iterator[Page]:
        """The pages of the other settings of a post, with their figures and records. place: among those of the site."""
        own = self.site.posts[place]
        drawn = {page.path for page in self._figures(own)}
        for post in self.site.turned.get(own.source, ()):
            for page in self._figures(post):
                if page.path not in drawn:
                    drawn |= {page.path}
                    yield page
            (entry,) = make_entries([post], self.layout.settings.author)
            yield self._page(replace(entry, tags=self.layout.entries[place].tags), place)
            yield from self._records(post)

    def _page(self, entry: Entry, place: int) -> Page:
        """The page of a post, or of one of its settings. place: of the post among those of the site."""
        path = file_path(entry.post.page)
        return Page(path, partial(self._render, entry, place), partial(self._inputs, entry, place))

    def _inputs(self, entry: Entry, place: int) -> Inputs:
        """What the page of a post shows, as digests and keys that are known already."""
        post = entry.post
        text = self.layout.text_digest(post) if post.setting else self.layout.texts[post.source]
        shown = f"{entry.digest} {text} {self.layout.card_path(post)}"
        return self.layout.inputs({"the post": shown, "the posts beside it": digest(self._around(place))})

    def _around(self, place: int) -> dict[str, Any]:
        """The other posts that the page of a post leads to."""
        entries, related_posts = self.layout.entries, self.layout.related_posts
        return {
            "newer": entries[place - 1].pointer if place else None,
            "older": entries[place + 1].pointer if place + 1 < len(entries) else None,
            "series_place": related_posts.series(place),
            "related": related_posts.related(place),
        }

    def _render(self, entry: Entry, place: int) -> bytes:
        return self._rendered(entry.post, lambda: {"post": SimpleNamespace(**self._post_facts(entry, place))})

    def _rendered(self, post: PostSummary, context: Callable[[], Mapping[str, Any]]) -> bytes:
        """The page of a post or page. context: as in `Layout.render`."""
        kind, card = "page" if post.is_page else "post", self.layout.card_path(post)
        head = Head(
            *(kind, post.page, post.title, post.summary.text),
            card=card,
            card_shows=post.title.text if card != CARD_PATH else "",
            hosts=post.hosts,
            assets=self.layout.assets(post),
            published=post.path if post.setting else "",
            language=post.language,
        )
        return with_plain_texts(self.layout.render(f"{kind}.html", head, context))

    def _post_facts(self, entry: Entry, place: int) -> dict[str, Any]:
        """All that the template of a post may show of it."""
        post, body = entry.post, self.site.body(entry.post)
        toc, facts = _toc(body), self._text_facts(post, body)
        is_long = post.words >= _WORDS or len(post.figures) >= _FIGURES  # about four screens
        return {
            **entry.facts,
            **facts,
            **self._around(place),
            "words": post.words,
            "sections": sections_of(facts["body"]),
            "picture": self.layout.filler.picture(post, body),
            "toc": toc,
            "show_toc": post.toc if post.toc is not None else is_long and len(toc) >= _HEADINGS,
            "extra": post.extra,
            "turns": _links_to_turns(post),
        }

    def _text_facts(self, post: PostSummary, body: Body) -> dict[str, Any]:
        """The text of a post or page, and what belongs to it."""
        evidence = self._fold(post)
        return {
            "body": self.layout.filler.for_page(post, body, evidence),
            "scripts": self.layout.filler.scripts(body),
            "corrections": [(each.date, Markup(each.note.html)) for each in post.corrections],
            "evidence": {} if any(isinstance(part, EvidenceBlock) for part in body.parts) else evidence,
        }

    def _page_of(self, post: PostSummary) -> Page:
        def render() -> bytes:
            return self._rendered(post, lambda: self._text_facts(post, self.site.body(post)))

        def inputs() -> Inputs:
            return self.layout.inputs({"the page": self.layout.texts[post.source]})

        return Page(file_path(post.path), render, inputs)

    def _figures(self, post: PostSummary) -> Iterator[Page]:
        """The files of the figures of a post and of extensions."""
        for file, (key, kind) in self.layout.filler.figure_files(post).items():
            yield copied(file, lambda key=key, kind=kind: self.site.drawing(key, kind), file)  # type: ignore[misc]
        for key, name in post.files_of_extensions:
            yield copied(post.beside(name), lambda key=key: self.site.load("file", key), key)  # type: ignore[misc]

    def _beside(self, post: PostSummary) -> Iterator[Page]:
        """Its share card, the records of its answers, and its redirects."""
        if card := self.site.cards.get(post.source):
            key = digest(card, self.site.builder)
            yield copied(self.layout.card_path(post), lambda card=card: self.site.card(card), key)  # type: ignore[misc]
        yield from self._records(post)
        yield from (self._redirect(post, path) for path in post.aliases)

    def _records(self, post: PostSummary) -> Iterator[Page]:
        """The record of the answers of a post, beside its page."""
        if post.evidence:
            builder, codes = f"puzzlepress {__version__}", self.site.codes(post)
            key = digest(self.site.builder, post.evidence, codes, __version__)

            def render() -> bytes:
                return provenance_json(post.path, builder, self.site.evidence(post), codes)

            yield copied(beside(post.page, PROVENANCE), render, key)

    def _fold(self, post: PostSummary) -> dict[str, Any]:
        """The context of the fold that says where the numbers of a page come from; empty where it has none."""
        if not post.evidence:
            return {}
        return fold(self.site.evidence(post)) | {"provenance": relative(beside(post.page, PROVENANCE), post.page)}

    def _redirect(self, post: PostSummary, path: str) -> Page:
        """The page at an old address of a post."""
        facts = {"target": relative(post.path, path), "canonical": self.layout.settings.base_url + quote(post.path)}
        head = Head("redirect", path, post.title)
        return Page(
            file_path(path),
            lambda: self.layout.render("redirect.html", head, lambda: facts),
            lambda: self.layout.inputs({"its target": digest(head, facts)}),
        )


def _links_to_turns(post: PostSummary) -> list[dict[str, Any]]:
    """The settings of a post for its template: label, address, whether it is published or shown, and what differs."""
    return [
        {
            "label": curled(turn.label),
            "address": quote(relative(turn.path, post.page)),
            "is_published": turn.path == post.path,
            "is_shown": turn.path == post.page,
            "changes": [(curled(meaning), *values) for meaning, *values in turn.changes],
        }
        for turn in post.turns
    ]


def _toc(body: Body) -> list[dict[str, Any]]:
    return _items(body.headings[0].children if len(body.headings) == 1 else body.headings)


def _items(headings: Sequence[Heading]) -> list[dict[str, Any]]:
    return [{"id": each.anchor, "title": Markup(each.title), "children": _items(each.children)} for each in headings]


def sections_of(html: str) -> Sections:
    """Split the HTML of a text; joined, the sections are that HTML."""
    first, ends, headings = -1, list[int](), list[int]()  # of the puzzle; behind its first paragraph
    for name, at in _tops(html):
        if name == "p" and first < 0:
            first, ends, headings = at, [], []
        elif name != "p":
            ends += [] if _OF_REFERENCES.match(html, at) else [at]
            headings += [at] if name != "details" else []
        if first >= 0 and len(headings) == 2:  # what follows is long and of no account
            break
    puzzle_end = 0 if first < 0 else ends[0] if ends else html.index("</p>", first) + len("</p>")
    rest = headings[1] if len(headings) > 1 else len(html)
    return Sections(html[:puzzle_end], html[puzzle_end:rest], html[rest:])


def _tops(html: str) -> Iterator[tuple[str, int]]:
    """The paragraphs, headings and folds that stand in no other element: the name of each tag, and its place."""
    depth = 0
    for tag in _TAG.finditer(html):
        name, is_end = tag["box"] or tag["top"], bool(tag["end"])
        is_fold = name == "details" and _NOTE not in tag["attributes"]
        if not (depth or is_end) and (tag["top"] or is_fold):
            yield name, tag.start()
        if tag["box"]:
            depth += -1 if is_end else 1


def with_plain_texts(page: bytes) -> bytes:
    """The page, where pagefind indexes a formula and a picture of the text by their alternative texts.

    The text of MathML would be indexed without its signs: 1 over 2 as 12.
    """
    html = _FORMULA.sub('<math data-pagefind-index-attrs="alttext"', page.decode())
    return _PICTURE.sub('<img data-pagefind-index-attrs="alt"', html).encode()
