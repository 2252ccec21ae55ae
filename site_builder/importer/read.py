"""Reads a post of Jekyll or a notebook: front matter, text, date, and its old and new URL."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.importer import notebooks
from site_builder.importer.find import SourceFile, SourceProject
from site_builder.importer.front_matter import parse_date
from site_builder.importer.markdown.conversion import ImportNote, SourceLine, join_lines, split_lines
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import is_safe_path, slugged, split_front_matter
from site_builder.project.yaml_reader import read_yaml

_FRONT_MATTER = re.compile(r"---[ \t]*\n")
_PERMALINK_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
_PLACEHOLDER = re.compile(r":([a-z_]+)")


@dataclass(frozen=True)
class SourcePost:
    """A post that was read.

    body: lines of Markdown, empty for a notebook. new_slug: a slug made because another post has the same; else empty.
    path: its path in the site. permalink: its own, with placeholders filled, if it can be used. old_url: its URL in the
    old blog; empty for a notebook. target: its file in the project, unless it needs a folder. folder: the folder below
    content/ for its files; empty if they keep their paths, as in a Jekyll project.
    """

    source: SourceFile
    settings: tuple[SourceLine, ...]
    front_matter: Mapping[str, Any]
    body: tuple[SourceLine, ...]
    notebook: notebooks.Notebook | None
    date: datetime | None
    new_slug: str
    path: str
    permalink: str
    old_url: str
    target: str
    folder: str


def read_source(
    source: SourceFile, project: SourceProject, default_date: str, slugs: dict[str, str], notes: list[ImportNote]
) -> SourcePost:
    """Read a file. Raises SiteError.

    default_date: of a post without one. slugs: slug -> file, of the posts read so far; its own is added.
    """
    place = Place(source.display_path)
    raw = _text(source)
    notebook = notebooks.read_notebook(raw, source.display_path) if source.kind == "notebook" else None
    settings: Sequence[SourceLine] = notebook.settings if notebook else ()
    body = split_lines(raw, 1) if not notebook else []
    if not notebook and _FRONT_MATTER.match(raw):
        front, text, first = split_front_matter(raw, source.display_path)
        settings, body = split_lines(front, 2), split_lines(text, first)
    front_matter = read_yaml(join_lines(settings), source.display_path, settings[0].number if settings else 1).said
    is_page = source.kind == "page"
    candidates = [front_matter.get("date"), source.date or None, notebook and notebook.metadata.get("date")]
    candidates += [] if is_page else [default_date or None]
    date = next(filter(None, map(parse_date, candidates)), None)
    if date is None and not is_page:
        raise SiteError(place, "no date is known of it", "give one, such as --date 2026-11-20")
    name = str(front_matter.get("slug") or source.name)
    slug, new_slug = slugged(name), ""
    if slug in slugs and not is_page and date:
        new_slug = f"{slug}-{date:%Y-%m-%d}"
        notes.append(ImportNote(place, f"posts/{slug}/ is taken by {slugs[slug]}", f"slug: {new_slug}"))
        slug = new_slug
    slugs.setdefault(slug, source.display_path)
    categories = _words(front_matter.get("categories") or front_matter.get("category"))
    permalink = _jekyll_url(str(front_matter.get("permalink") or ""), name, date, categories)
    style = str(project.settings.get("permalink") or "date")
    style = _PERMALINK_STYLES.get(style, style)
    page_url = f"/{source.relative_path[: -len(source.path.suffix)]}{'/' if style.endswith('/') else '.html'}"
    old_url = permalink or (page_url if is_page else _jekyll_url(style, name, date, categories))
    permalink = permalink if is_safe_path(permalink.lstrip("/")) else ""
    if permalink:
        path = permalink.strip("/") + ("" if permalink.endswith(".html") else "/")
    else:
        path = f"{slug}/" if is_page else f"posts/{slug}/"
    old_url = old_url if project.settings and not notebook else ""
    stem = slug if notebook or not source.date else f"{source.date}-{source.name}"
    target = f"pages/{source.path.stem}" if is_page else f"posts/{stem}"
    folder = target if notebook or not project.is_jekyll else ""
    return SourcePost(
        source=source,
        settings=tuple(settings),
        front_matter=front_matter,
        body=tuple(body),
        notebook=notebook,
        date=date,
        new_slug=new_slug,
        path=path,
        permalink=permalink,
        old_url=old_url,
        target=f"content/{target}.md",
        folder=folder,
    )


def _text(source: SourceFile) -> str:
    place = Place(source.display_path)
    if not source.path.is_file():
        raise SiteError(place, "this is no file", "delete it, or mend the link")
    if source.path.stat().st_size > notebooks.LARGEST:
        raise SiteError(place, "a file of more than 256 MiB", "clear the outputs of the notebook")
    raw = text_of(read_bytes(source.path, source.display_path), source.display_path)
    if not raw.strip():
        raise SiteError(place, "this file is empty", "delete it, or write something into it")
    return raw


def _words(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(each) for each in value]
    return [] if value is None else str(value).split()


def all_text(post: SourcePost) -> str:
    """Return the whole Markdown of a post, cells of a notebook included."""
    cells = post.notebook.cells if post.notebook else ()
    return "\n".join([join_lines(post.body), *(join_lines(cell.lines) for cell in cells if cell.kind == "markdown")])


def _jekyll_url(permalink: str, name: str, date: datetime | None, categories: list[str]) -> str:
    """A permalink with its placeholders filled; empty if the value of one is unknown."""
    if not permalink:
        return ""
    permalink = _PERMALINK_STYLES.get(permalink, permalink)
    values = {"title": name, "slug": slugged(name), "categories": "/".join(slugged(each) for each in categories)}
    values["output_ext"] = ".html"
    if date:
        forms = {"year": "%Y", "month": "%m", "day": "%d", "short_year": "%y", "y_day": "%j"}
        values |= {"i_month": str(date.month), "i_day": str(date.day)}
        values |= {key: date.strftime(form) for key, form in forms.items()}
    if any(placeholder not in values for placeholder in _PLACEHOLDER.findall(permalink)):
        return ""
    return re.sub("/+", "/", "/" + _PLACEHOLDER.sub(lambda found: values[found[1]], permalink))
