"""Describes a static site generator to the importer: the files, settings, pages and URLs of its projects."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from site_builder.importer.markdown.conversion import Dialect
from site_builder.project.config import read_bytes, text_of

MARKDOWN = (".md", ".markdown", ".mkdown", ".mkdn", ".mkd")
QUARTO_SUFFIX = ".qmd"
NOTEBOOK_SUFFIX = ".ipynb"
Kind = Literal["post", "draft", "page", "notebook"]
_PLACEHOLDER = re.compile(r":([a-z_]+)")


@dataclass(frozen=True)
class SourceFile:
    """A file to import. relative_path: below the root of the project.

    display_path: for messages; date, name: the parts of the file's name, the date empty if it has none.
    """

    path: Path
    display_path: str
    relative_path: str
    kind: Kind
    date: str
    name: str


@dataclass(frozen=True)
class SiteGenerator:
    """A static site generator; without a name none, for files outside of all projects.

    dialect: of its Markdown; None if that depends on the file. suffixes: of its texts. settings_files: paths below the
    root, of which the first that exists is read. is_settings_file: root and existing file -> whether it is one of this
    generator. parse_settings: text and path of the file -> settings, with the site's url and baseurl as in Jekyll.
    root_without_settings: path -> the root of a project without settings. tex_folders: those in which MathJax may be
    configured. folders_left_out: settings -> the folders that are not searched, each with the reason. reason_to_skip:
    file and path below the root -> why it is neither post nor page; empty if it may be one. is_bundle: path of an index
    file below the root -> whether it has the name of its folder. is_page: file, path below the root, and whether it is
    imported by itself -> whether a text is a page. old_url: file, date, front matter and settings -> its URL in the old
    site; empty if it is unknown.
    """

    name: Literal["jekyll", "hugo", "quarto", ""]
    dialect: Dialect | None = None
    suffixes: tuple[str, ...] = (*MARKDOWN, QUARTO_SUFFIX)
    settings_files: tuple[str, ...] = ()
    is_settings_file: Callable[[Path, Path], bool] = lambda root, file: True
    parse_settings: Callable[[str, str], Mapping[str, Any]] = lambda text, path: {}
    root_without_settings: Callable[[Path], Path | None] = lambda path: None
    tex_folders: tuple[str, ...] = ()
    folders_left_out: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda settings: {}
    reason_to_skip: Callable[[Path, str], str] = lambda file, relative_path: ""
    is_bundle: Callable[[str], bool] = lambda relative_path: "/" in relative_path
    is_page: Callable[[Path, str, bool], bool] = lambda file, relative_path, is_alone: False
    old_url: Callable[[SourceFile, datetime | None, Mapping[str, Any], Mapping[str, Any]], str] = lambda *_: ""

    def root_of(self, path: Path) -> Path | None:
        """Return the root of the project to which a path belongs: the nearest folder with settings; None if none."""
        roots = (folder for folder in (path, *path.parents) if self._settings_path(folder))
        return next(roots, None) or self.root_without_settings(path)

    def read_settings(self, root: Path) -> Mapping[str, Any]:
        """Return the settings of a project; empty if it has none. Raises SiteError if they cannot be read."""
        file = self._settings_path(root)
        if file is None:
            return {}
        name = file.relative_to(root).as_posix()
        return self.parse_settings(text_of(read_bytes(file, name), name), name)

    def _settings_path(self, root: Path) -> Path | None:
        files = (root / name for name in self.settings_files)
        return next((file for file in files if file.is_file() and self.is_settings_file(root, file)), None)


def site_address(url: Any) -> dict[str, str]:
    """Return the address of a site in two parts, as Jekyll has them: `url` without a path, and the path `baseurl`."""
    parts = urlsplit(str(url or ""))
    return {
        "url": f"{parts.scheme}://{parts.netloc}" if parts.netloc else "",
        "baseurl": parts.path.strip("/"),
    }


def fill_placeholders(permalink: str, values: Mapping[str, str], date: datetime | None) -> str:
    """Return a permalink with its placeholders filled; empty if it is empty, or if the value of one is unknown."""
    dates = {"year": f"{date:%Y}", "month": f"{date:%m}", "day": f"{date:%d}"} if date else {}
    known = {**values, **dates}
    if not permalink or any(placeholder not in known for placeholder in _PLACEHOLDER.findall(permalink)):
        return ""
    return re.sub("/+", "/", "/" + _PLACEHOLDER.sub(lambda found: known[found[1]], permalink))
