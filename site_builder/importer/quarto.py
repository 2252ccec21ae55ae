"""Projects of Quarto: their settings, what it makes of their files, and their URLs."""

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from site_builder.importer.site_generator import NOTEBOOK_SUFFIX, QUARTO_SUFFIX, SiteGenerator, SourceFile, site_address
from site_builder.importer.skipped_files import OUTPUT
from site_builder.project.yaml_reader import read_yaml

_SHARED = "settings that the posts of its folder share are not read; write them into the posts"
_PART = "Quarto makes no page of a file whose path has a name that begins with _"
_DATE = re.compile(rb"^date\s*:", re.MULTILINE)


def _parse_settings(text: str, path: str) -> Mapping[str, Any]:
    """The address, and the output folder. Raises SiteError."""
    said = read_yaml(text, path).said
    website, project = said.get("website"), said.get("project")
    return {
        **site_address(website.get("site-url") if isinstance(website, dict) else ""),
        "output": str(project.get("output-dir") or "_site").strip("/") if isinstance(project, dict) else "_site",
    }


def _folders_left_out(settings: Mapping[str, Any]) -> Mapping[str, str]:
    return {
        str(settings.get("output") or "_site"): OUTPUT,
        "_freeze": "outputs of cells, which are not computed here",
        "_extensions": "layouts and extensions: pages here have those of templates/",
    }


def quarto_reason(file: Path, relative_path: str) -> str:
    """Return the reason why a file of a project is no page; empty for one that may be a page."""
    path = PurePosixPath(relative_path)
    if path.stem == "_metadata" and path.suffix in (".yml", ".yaml"):
        return _SHARED
    if any(part.startswith("_") for part in path.parts) and path.suffix in (QUARTO_SUFFIX, ".md", NOTEBOOK_SUFFIX):
        return _PART
    return ""


def _is_page(file: Path, relative_path: str, is_alone: bool) -> bool:
    """True when a file stands in the project's own folder, and has no date."""
    return "/" not in relative_path and not _DATE.search(file.read_bytes()[:4096])


def _old_url(
    source: SourceFile, date: datetime | None, front_matter: Mapping[str, Any], settings: Mapping[str, Any]
) -> str:
    """The URL of a file: /posts/a/ for posts/a/index.qmd, else /posts/a.html."""
    path = PurePosixPath(source.relative_path).with_suffix("")
    return f"/{path.parent}/".replace("/./", "/") if path.name == "index" else f"/{path}.html"


QUARTO = SiteGenerator(
    "quarto",
    dialect="quarto",
    settings_files=("_quarto.yml", "_quarto.yaml"),
    parse_settings=_parse_settings,
    folders_left_out=_folders_left_out,
    reason_to_skip=quarto_reason,
    is_page=_is_page,
    old_url=_old_url,
)
