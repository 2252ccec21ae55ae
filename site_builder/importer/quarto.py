"""Projects of Quarto: their root and settings, and what they make of their files."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from site_builder.importer.skipped_files import OUTPUT
from site_builder.project.config import read_bytes, text_of
from site_builder.project.yaml_reader import read_yaml

QUARTO_SETTINGS = ("_quarto.yml", "_quarto.yaml")
QUARTO_SUFFIX = ".qmd"
_SHARED = "settings that the posts of its folder share are not read; write them into the posts"
_PART = "Quarto makes no page of a file whose path has a name that begins with _"
_DATE = re.compile(rb"^date\s*:", re.MULTILINE)


def quarto_root(path: Path) -> Path | None:
    """Return the root of the Quarto project to which a path belongs: the nearest folder with its settings."""
    return next((folder for folder in (path, *path.parents) if _settings_file(folder)), None)


def _settings_file(root: Path) -> Path | None:
    return next((root / name for name in QUARTO_SETTINGS if (root / name).is_file()), None)


def quarto_settings(root: Path) -> Mapping[str, Any]:
    """Return url and baseurl as Jekyll has them, and the output folder. Raises SiteError if they cannot be read."""
    path = _settings_file(root)
    if path is None:
        return {}
    said = read_yaml(text_of(read_bytes(path, path.name), path.name), path.name).said
    website, project = said.get("website"), said.get("project")
    parts = urlsplit(str(website.get("site-url") or "") if isinstance(website, dict) else "")
    return {
        "url": f"{parts.scheme}://{parts.netloc}" if parts.netloc else "",
        "baseurl": parts.path.strip("/"),
        "output": str(project.get("output-dir") or "_site").strip("/") if isinstance(project, dict) else "_site",
    }


def quarto_folders_left_out(settings: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the folders of a project that are not searched, below its root, each with the reason."""
    return {
        str(settings.get("output") or "_site"): OUTPUT,
        "_freeze": "outputs of cells, which are not computed here",
        "_extensions": "layouts and extensions: pages here have those of templates/",
    }


def quarto_reason(relative_path: str) -> str:
    """Return the reason why a file of a project is no page; empty for one that may be a page."""
    path = PurePosixPath(relative_path)
    if path.stem == "_metadata" and path.suffix in (".yml", ".yaml"):
        return _SHARED
    if any(part.startswith("_") for part in path.parts) and path.suffix in (QUARTO_SUFFIX, ".md", ".ipynb"):
        return _PART
    return ""


def is_quarto_page(file: Path, relative_path: str) -> bool:
    """Whether a file is a page and not a post: it stands in the project's own folder, and has no date."""
    return "/" not in relative_path and not _DATE.search(file.read_bytes()[:4096])


def quarto_url(relative_path: str) -> str:
    """Return the URL of a file by its path below the root: /posts/a/ for posts/a/index.qmd, else /posts/a.html."""
    path = PurePosixPath(relative_path).with_suffix("")
    return f"/{path.parent}/".replace("/./", "/") if path.name == "index" else f"/{path}.html"
