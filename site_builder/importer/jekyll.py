"""Projects of Jekyll: their root and settings, what it makes of their files, and their URLs."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from site_builder.importer.site_generator import MARKDOWN, SiteGenerator, SourceFile, fill_placeholders
from site_builder.project.posts import slugged
from site_builder.project.yaml_reader import read_yaml

_FRONT_MATTER = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")
_PERMALINK_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}


def filled_permalink(permalink: str, source: SourceFile, date: datetime | None, front_matter: Mapping[str, Any]) -> str:
    """Return a permalink, or that of a named style, with its placeholders filled; empty if one of them is unknown."""
    name = str(front_matter.get("slug") or source.name)
    categories = _words(front_matter.get("categories") or front_matter.get("category"))
    values = {"title": name, "slug": slugged(name), "categories": "/".join(slugged(each) for each in categories)}
    values["output_ext"] = ".html"
    if date:
        values |= {
            "i_month": str(date.month),
            "i_day": str(date.day),
            "short_year": f"{date:%y}",
            "y_day": f"{date:%j}",
        }
    return fill_placeholders(_PERMALINK_STYLES.get(permalink, permalink), values, date)


def _words(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(each) for each in value]
    return [] if value is None else str(value).split()


def _old_url(
    source: SourceFile, date: datetime | None, front_matter: Mapping[str, Any], settings: Mapping[str, Any]
) -> str:
    style = str(settings.get("permalink") or "date")
    if source.kind == "page":
        ending = "/" if _PERMALINK_STYLES.get(style, style).endswith("/") else ".html"
        return f"/{PurePosixPath(source.relative_path).with_suffix('')}{ending}"
    return filled_permalink(style, source, date, front_matter)


def _root_by_folder(path: Path) -> Path | None:
    """The root of a project that has _posts, and no settings."""
    folders = (each for each in (path, *path.parents) if each.name in ("_posts", "_drafts") and each.is_dir())
    inside = next(folders, None)
    return inside.parent if inside else path if (path / "_posts").is_dir() else None


def _reason_to_skip(file: Path, relative_path: str) -> str:
    folders = relative_path.split("/")[:-1]
    if file.suffix.lower() not in MARKDOWN or {"_posts", "_drafts", "assets"} & set(folders):
        return ""
    if not _has_front_matter(file):
        return "without front matter, Jekyll makes no page of it"
    if any(folder.startswith("_") for folder in folders):
        return "it stands in a collection; import it by its name if it is a post"
    return ""


def _has_front_matter(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return bool(_FRONT_MATTER.match(stream.read(100)))
    except OSError:
        return False


def _is_page(file: Path, relative_path: str, is_alone: bool) -> bool:
    return not is_alone and "_posts" not in relative_path.split("/")


JEKYLL = SiteGenerator(
    "jekyll",
    dialect="kramdown",
    suffixes=MARKDOWN,
    settings_files=("_config.yml", "_config.yaml"),
    parse_settings=lambda text, path: read_yaml(text, path).said,
    root_without_settings=_root_by_folder,
    tex_folders=("_layouts", "_includes", "assets", "js"),
    reason_to_skip=_reason_to_skip,
    is_bundle=lambda relative_path: False,
    is_page=_is_page,
    old_url=_old_url,
)
