"""A file of Jekyll, or a notebook, as it was read: what its front matter says, its text, its date and its addresses."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.importer import jekyll_urls, notebooks
from site_builder.importer.find import Found, Source
from site_builder.importer.front_matter import moment_of
from site_builder.importer.markdown.lines import Line, Note, joined, lines_of
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import is_safe_path, split_front_matter, tag_slug
from site_builder.project.yaml_reader import read_yaml

_HEAD = re.compile(r"---[ \t]*\n")


@dataclass(frozen=True)
class Wanted:
    """What was asked for besides PATH. date: for what has none; single_dollars: they are mathematics."""

    date: str = ""
    single_dollars: bool = False


@dataclass(frozen=True)
class Read:
    """A source that was read.

    said: what its front matter says; body: lines of Markdown, none of a notebook; moment: its date; own_slug: the slug
    that it gets because another has its own; path: its place in the site; address: that which it had.
    """

    source: Source
    settings: tuple[Line, ...]
    said: Mapping[str, Any]
    body: tuple[Line, ...]
    notebook: notebooks.Notebook | None
    moment: datetime | None
    slug: str
    own_slug: str
    path: str
    permalink: str
    address: str

    @property
    def target(self) -> str:
        """Its file in the project, unless it needs a folder."""
        if self.source.kind == "page":
            return f"content/pages/{self.source.path.stem}.md"
        if self.notebook or not self.source.date:
            return f"content/posts/{self.slug}.md"
        return f"content/posts/{self.source.date}-{self.source.name}.md"


def read(source: Source, found: Found, wanted: Wanted, slugs: dict[str, str], notes: list[Note]) -> Read:
    """What a file says. slugs: those of files before it, to which its own is added. Raises SiteError."""
    if not source.path.is_file():
        raise SiteError(Place(source.shown), "this is no file", "delete it, or mend the link")
    if source.path.stat().st_size > notebooks.LARGEST:
        raise SiteError(Place(source.shown), "a file of more than 256 MiB", "clear the outputs of the notebook")
    raw = text_of(read_bytes(source.path, source.shown), source.shown)
    if not raw.strip():
        raise SiteError(Place(source.shown), "this file is empty", "delete it, or write something into it")
    notebook = notebooks.read_notebook(raw, source.shown) if source.kind == "notebook" else None
    settings, body = _parts(raw, source.shown) if notebook is None else (notebook.settings, ())
    said = read_yaml(joined(settings), source.shown, settings[0].number if settings else 1).said
    is_page = source.kind == "page"
    moment = moment_of(said.get("date")) or moment_of(source.date or None)
    if moment is None and notebook:
        moment = moment_of(notebook.metadata.get("date"))
    if moment is None and not is_page:
        moment = moment_of(wanted.date or None)
    if moment is None and not is_page:
        raise SiteError(Place(source.shown), "no date is known of it", "give one, such as --date 2026-11-20")
    slug = tag_slug(str(said.get("slug") or source.name))
    own_slug = ""
    if slug in slugs and not is_page and moment:
        own_slug = f"{slug}-{moment:%Y-%m-%d}"
        notes.append(Note(Place(source.shown), f"posts/{slug}/ is taken by {slugs[slug]}", f"slug: {own_slug}"))
        slug = own_slug
    slugs.setdefault(slug, source.shown)
    categories = _words(said.get("categories") or said.get("category"))
    permalink = str(said.get("permalink") or "")
    name = str(said.get("slug") or source.name)
    own = jekyll_urls.filled(permalink, name, moment, categories) if permalink else ""
    style = jekyll_urls.style_of(found.settings)
    was = own or (_page_address(source, style) if is_page else jekyll_urls.filled(style, name, moment, categories))
    is_own = bool(own) and is_safe_path(own.lstrip("/"))
    path = (
        (own.strip("/") + ("" if own.endswith(".html") else "/"))
        if is_own
        else f"{slug}/"
        if is_page
        else f"posts/{slug}/"
    )
    return Read(
        source, tuple(settings), said, tuple(body), notebook, moment, slug, own_slug, path, own if is_own else "",
        was if found.settings and not notebook else "",
    )  # fmt: skip


def _page_address(source: Source, style: str) -> str:
    stem = source.inside[: -len(source.path.suffix)]
    return f"/{stem}/" if style.endswith("/") else f"/{stem}.html"


def _parts(raw: str, shown: str) -> tuple[Sequence[Line], Sequence[Line]]:
    if not _HEAD.match(raw):
        return (), lines_of(raw, 1)
    settings, body, first = split_front_matter(raw, shown)
    return lines_of(settings, 2), lines_of(body, first)


def _words(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(each) for each in value]
    return [] if value is None else str(value).split()


def all_text(of: Read) -> str:
    cells = of.notebook.cells if of.notebook else ()
    return "\n".join([joined(of.body), *(joined(cell.lines) for cell in cells if cell.kind == "markdown")])
