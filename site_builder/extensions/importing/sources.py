"""Reads a post, page or notebook of another blog: its front matter, date, and its addresses in the old and new site."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.extensions.importing.conversion import Dialect
from site_builder.extensions.importing.front_matter import parse_date, read_yaml_front, split_source
from site_builder.extensions.importing.notebooks import Notebook, read_notebook
from site_builder.extensions.importing.projects import SourceFile, SourceProject
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import is_safe_path, slugged

_DATED_NAME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+(.+))?$")
_PLACEHOLDER = re.compile(r":([a-z_]+)")
_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "none": "/:categories/:title.html",
}
"""The named permalinks of Jekyll."""
_DATE_PARTS = {"year": "Y", "month": "m", "day": "d"}


@dataclass(frozen=True)
class SourcePost:
    """A post that was read.

    dialect: of its front matter, and of its text unless that is a notebook. front: its front matter, the keys in small
    letters. raw: the text of the file; body: its Markdown, empty for a notebook. name: its own without the date;
    has_date: whether that was in it. path: in the site. permalink: its own, with placeholders filled, if it can be
    used. old_url: its URL in the old blog; empty if unknown. target: its file below content/ without suffix.
    """

    source: SourceFile
    dialect: Dialect
    front: Mapping[str, Any]
    raw: str
    body: str
    notebook: Notebook | None
    date: datetime | None
    name: str
    has_date: bool
    path: str
    permalink: str
    old_url: str
    target: str


def read_source(source: SourceFile, project: SourceProject, default_date: str) -> SourcePost:
    """Read a file. default_date: of a post without one. Raises SiteError."""
    raw = text_of(read_bytes(source.path, source.display_path), source.display_path)
    if not raw.strip():
        raise SiteError(Place(source.display_path), "this file is empty", "delete it, or write something into it")
    form, body, notebook = "", "", None
    if source.path.suffix.lower() == ".ipynb":
        notebook = read_notebook(raw, source.display_path)
        front = read_yaml_front(notebook.settings, source.display_path, 1)
    else:
        form, front, body = split_source(raw, source.display_path)
    dated = None if source.is_page else _DATED_NAME.match(source.name)
    name = (dated[2] if dated else "") or source.name
    candidates = [front.get("date"), front.get("publishdate"), dated and dated[1]]
    candidates += [] if source.is_page else [default_date]
    date = next(filter(None, map(parse_date, candidates)), None)
    if date is None and not source.is_page:
        raise SiteError(Place(source.display_path), "no date is known of it", "give one, such as --date 2026-11-20")
    slug = slugged(str(front.get("slug") or name))
    permalink, old_url = _addresses(source, name, date, front, project)
    has_date = bool(dated and dated[2]) and notebook is None
    stem = f"{dated[1]}-{name}" if dated and has_date else slug if notebook or not dated else source.name
    return SourcePost(
        source=source,
        dialect=_dialect(source, project, form),
        front=front,
        raw=raw,
        body=body,
        notebook=notebook,
        date=date,
        name=name,
        has_date=has_date,
        path=permalink.lstrip("/") or (f"{slug}/" if source.is_page else f"posts/{slug}/"),
        permalink=permalink,
        old_url=old_url if project.settings and not notebook else "",
        target=f"pages/{source.name}" if source.is_page else f"posts/{stem}",
    )


def _dialect(source: SourceFile, project: SourceProject, form: str) -> Dialect:
    """The dialect of a source; of a notebook that of its front matter. form: of the front matter."""
    if project.dialect == "quarto" or source.path.suffix.lower() == ".qmd":
        return "quarto"
    if source.path.suffix.lower() == ".ipynb":
        return "notebook"
    return project.dialect or ("hugo" if form == "toml" else "kramdown")


def _addresses(
    source: SourceFile, name: str, date: datetime | None, front: Mapping[str, Any], project: SourceProject
) -> tuple[str, str]:
    """The permalink of a post if it can be used, and its URL in the old site; empty where they are unknown."""
    inside, settings = source.inside, project.settings
    categories = front.get("categories") or front.get("category") or []
    categories = categories if isinstance(categories, list) else str(categories).split()
    values = {
        "title": str(front.get("slug") or name),
        "categories": "/".join(slugged(str(each)) for each in categories),
    }
    values["slug"] = slugged(values["title"])
    values |= {key: f"{date:%{form}}" for key, form in _DATE_PARTS.items()} if date else {}
    own = str(front.get("permalink") or (front.get("url") if project.dialect == "hugo" else "") or "")
    permalink = _filled(own, values)
    permalink = f"{permalink.rstrip('/')}/" if permalink and not permalink.endswith(".html") else permalink
    style = str(settings.get("permalink") or "date")
    if project.dialect == "quarto":
        url = f"/{inside.parent}/".replace("/./", "/") if inside.stem == "index" else f"/{inside.with_suffix('.html')}"
    elif project.dialect == "hugo":
        style, more = _style_of_hugo(source, front, settings)
        url = _filled(style, values | more).lower()
    else:
        url = _filled(style, values)
    return permalink if is_safe_path(permalink.lstrip("/")) else "", permalink or url


def _filled(permalink: str, values: Mapping[str, str]) -> str:
    """A permalink, or that of a named style of Jekyll, with its placeholders filled; empty if one is unknown."""
    permalink = _STYLES.get(permalink, permalink)
    if not permalink or any(each not in values for each in _PLACEHOLDER.findall(permalink)):
        return ""
    return re.sub("/+", "/", "/" + _PLACEHOLDER.sub(lambda found: values[found[1]], permalink))


def _style_of_hugo(
    source: SourceFile, front: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[str, dict[str, str]]:
    """The permalink of a section in the settings, of which Hugo has two forms, and the values in it."""
    inside, name = source.inside, slugged(source.name)
    folders = inside.parts[1 : -2 if inside.stem == "index" else -1]
    slug, title = slugged(str(front.get("slug") or "")), slugged(str(front.get("title") or source.name))
    styles = settings.get("permalinks") or {}
    style = styles.get("page", styles).get("".join(folders[:1])) or "/:sections/:slugorfilename/"
    values = {"section": "".join(folders[:1]), "sections": "/".join(folders), "title": title, "slug": slug or title}
    return f"{style}/", values | {"filename": name, "contentbasename": name, "slugorfilename": slug or name}
