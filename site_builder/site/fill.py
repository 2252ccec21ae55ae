"""Fills the placeholders of bodies with links, figures and tables, for a page or a feed."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeGuard
from urllib.parse import quote, unquote

from markupsafe import Markup

from site_builder.figures.rendered import PICTURES
from site_builder.markup.placeholders import Inline, fill_links, fill_parts, without_folds_of
from site_builder.markup.tex.mathml import with_plain_formulas
from site_builder.posts.blocks import (
    AnyBlock,
    Body,
    ChecksBlock,
    EvidenceBlock,
    FigureBlock,
    HtmlBlock,
    TableBlock,
)
from site_builder.posts.summary import PostSummary
from site_builder.site.entries import Thumbnail
from site_builder.site.model import Site
from site_builder.site.picture_sizes import with_sizes
from site_builder.site.theme import fingerprinted, relative

_SHOWN = 6  # checks that a panel shows without a fold
_FIGURE = "figure"
_DOWNLOADS = ("png", "csv")  # files of figures that turned pages do not have
Address = Callable[[str, str], str]


@dataclass(frozen=True)
class Filler:
    """Fills the bodies of a site.

    size: path of a picture in the site -> its width and height, zeros where they are unknown.
    """

    site: Site
    size: Callable[[str], tuple[int, int]]

    def for_page(self, post: PostSummary, body: Body, evidence: Mapping[str, Any]) -> Markup:
        """The body for the page of the post, its addresses relative to it; without the picture of a post.

        evidence: what a page shows of where its numbers come from; empty where it has none.
        """
        return self._filled(post, body, partial(self._relative, post), _FIGURE, evidence)

    def picture(self, post: PostSummary, body: Body) -> Markup:
        """The picture of a post for the head of its own page; empty without one."""
        for part in body.parts:
            if _is_picture(part, post):
                facts = self._figure_facts(post, part, partial(self._relative, post))
                return Markup(self.site.theme.part("picture", {"figure": facts}))
        return Markup()

    def for_feed(self, post: PostSummary, body: Body) -> str:
        """The body for a feed, not yet cleaned: every address absolute, formulas as plain text.

        It has no fold with the evidence.
        """

        def address(path: str, fragment: str) -> str:
            return self.site.settings.base_url + quote(path) + fragment

        notes = [(each.date, Markup(each.note.html)) for each in post.corrections]
        head = self.site.theme.part("feed_corrections", {"corrections": notes}) if notes else ""
        evidence = [number for number, part in enumerate(body.parts) if isinstance(part, EvidenceBlock)]
        read = dataclasses.replace(body, html=without_folds_of(body.html, evidence))
        return with_plain_formulas(f"{head}{self._filled(post, read, address, 'feed_figure')}")

    def figure_files(self, post: PostSummary) -> dict[str, tuple[str, str]]:
        """The files of a post's figures: path -> key of the figure and which of its files it is."""
        return {path: (key, kind) for key, name in post.figures for kind, path in self._paths(post, key, name).items()}

    def thumbnail(self, post: PostSummary) -> Thumbnail:
        """The first figure of a post, for lists; that of `picture:` is always the first."""
        key, name = post.figures[0]
        *_, width, height = self.site.drawings[key].sizes[0]
        return Thumbnail(self._paths(post, key, name)["narrow_svg"], width, height)

    def scripts(self, body: Body) -> list[str]:
        """The scripts of what a body shows, each with a stylesheet of its name: maps and curves, steps."""
        figures = [part for part in body.parts if isinstance(part, FigureBlock)]
        needed = {"explore"} if any("js" in self.site.drawings[part.key].digests for part in figures) else set()
        needed |= {"frames"} if any(part.frames for part in figures) else set()
        return sorted(needed)

    def _paths(self, post: PostSummary, key: str, name: str) -> dict[str, str]:
        drawn, start = self.site.drawings[key], post.beside(f"figures/{name}")
        found = {}
        for kind, content in drawn.digests.items():
            file, _, number = kind.partition(" ")
            step = f"-step-{number}" if number else ""
            if file != "table" and not (post.setting and file in _DOWNLOADS):
                ending = "-narrow.svg" if file == "narrow_svg" else f".{file}"
                found[kind] = fingerprinted(f"{start}{step}{ending}", content)
        return found

    def _filled(
        self,
        post: PostSummary,
        body: Body,
        address: Address,
        figure: str,
        evidence: Mapping[str, Any] = MappingProxyType({}),
    ) -> Markup:
        def form(number: int) -> str:
            part = body.parts[number]
            if figure == _FIGURE and _is_picture(part, post):
                return ""
            if isinstance(part, FigureBlock):
                facts = self._figure_facts(post, part, address)
                facts |= {"data": json.loads(self.site.drawing(part.key, "table"))} if figure == _FIGURE else {}
                return self.site.theme.part(figure, {"figure": facts})
            if isinstance(part, EvidenceBlock):
                return self.site.theme.part("evidence", {"evidence": evidence}) if evidence else ""
            if isinstance(part, HtmlBlock):
                return part.html if figure == _FIGURE else part.feed
            if isinstance(part, TableBlock):
                return self.site.theme.part("table", {"table": _marked(part) | {"id": part.name}})
            if isinstance(part, ChecksBlock):
                return self._checks(part, "" if figure == _FIGURE else address(post.path, ""))
            parameters = [tuple(_marked(row).values()) for row in part.rows]
            return self.site.theme.part("parameters", {"parameters": parameters})

        def to(target: str, rest: str) -> str:
            return address(self.site.addresses.place(post.path, unquote(target)), rest)

        def size(target: str) -> tuple[int, int]:
            return self.size(self.site.addresses.place(post.path, unquote(target)))

        html = with_sizes(body.html, size) if figure == _FIGURE else body.html
        return Markup(fill_links(fill_parts(html, form), to))

    def _relative(self, post: PostSummary, path: str, fragment: str) -> str:
        """An address of the site, seen from the page of a post."""
        return fragment if path == post.path and fragment else quote(relative(path, post.page)) + fragment

    def _checks(self, part: ChecksBlock, page: str) -> str:
        """The checks, those that confirm something first; in a feed a line that leads to the page that has them."""
        rows = sorted(part.rows, key=lambda row: not row.confirms)
        shown = {"checks": [_marked(row) for row in rows], "count": min(len(rows), _SHOWN), "page": page}
        return self.site.theme.part("checks", shown)

    def _figure_facts(self, post: PostSummary, part: FigureBlock, address: Address) -> dict[str, Any]:
        drawn = self.site.drawings[part.key]
        files = {kind: address(path, "") for kind, path in self._paths(post, part.key, part.name).items()}
        facts = _marked(part) | _sizes(drawn.sizes[0]) | dict.fromkeys(("js", *_DOWNLOADS), "")
        facts |= {"axes": drawn.axes} | files | {"id": part.label or part.name}
        frames = []
        # while they are not drawn, there is one step only
        for number, (label, sizes) in enumerate(zip(part.frames, drawn.sizes, strict=False), 1):
            names = {kind: kind if number == 1 else f"{kind} {number}" for kind in PICTURES}
            pictures = {kind: files[name] for kind, name in names.items() if name in files}
            frames.append(_marked(label) | _sizes(sizes) | pictures)
        return facts | {"frames": frames}


def _is_picture(part: AnyBlock, post: PostSummary) -> TypeGuard[FigureBlock]:
    return isinstance(part, FigureBlock) and part.name == post.picture and not post.is_page


def _sizes(sizes: Sequence[int]) -> dict[str, int]:
    return dict(zip(("width", "height", "narrow_width", "narrow_height"), sizes, strict=True))


def _marked(part: Any) -> dict[str, Any]:
    """The fields of a part, its text marked as HTML."""
    return {field.name: _as_markup(getattr(part, field.name)) for field in dataclasses.fields(part)}


def _as_markup(value: Any) -> Any:
    if isinstance(value, Inline):
        return Markup(value.html)
    if isinstance(value, tuple):
        return [_as_markup(entry) for entry in value]
    return _marked(value) if dataclasses.is_dataclass(value) else value
