"""Finds the project of Jekyll, Hugo or Quarto to which a path belongs, its settings, and its files to import."""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from site_builder.errors import Place, SiteError, UsageError
from site_builder.extensions.importing.conversion import Dialect
from site_builder.project.config import read_bytes, text_of
from site_builder.project.yaml_reader import read_yaml

_BUILT_PAGES = ("index", "404", "archive", "archives", "tags", "categories", "search", "feed")
_SUFFIXES = (".md", ".markdown", ".mkdown", ".mkd", ".qmd", ".ipynb")
_HUGO = re.compile(rb"^\s*[\"']?(?i:baseURL|languageCode)[\"']?\s*[:=]", re.MULTILINE)
_HUGO_CONFIG = ("hugo", "config", "config/_default/hugo", "config/_default/config")
_SETTINGS_FILES: Mapping[Dialect, Sequence[str]] = {
    "kramdown": ("_config.yml", "_config.yaml"),
    "hugo": [f"{name}{suffix}" for name in _HUGO_CONFIG for suffix in (".toml", ".yaml", ".yml")],
    "quarto": ("_quarto.yml", "_quarto.yaml"),
}


@dataclass(frozen=True)
class SourceFile:
    """A file to import. display_path: for messages; inside: its path below the root of its project.

    name: of the file without suffix, of an index file that of its folder. is_page: it is a page and no post.
    """

    path: Path
    display_path: str
    inside: PurePosixPath
    name: str
    is_page: bool


@dataclass
class SourceProject:
    """A project. root: the folder to which links such as /assets/x.png refer; dialect: None outside of all projects.

    sources: the files to import; skipped: paths, for messages, of other texts and notebooks, and of folders
    that are not searched.
    """

    root: Path
    dialect: Dialect | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    sources: list[SourceFile] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def address(self) -> tuple[str, str]:
        """Return the address of the old site without a path, and the path below it, without slashes."""
        lower, website = {key.lower(): value for key, value in self.settings.items()}, self.settings.get("website")
        base = str(lower.get("baseurl") or "")
        if url := str(lower.get("url") or ""):  # of Jekyll
            return url.rstrip("/"), base.strip("/")
        parts = urlsplit(str(website.get("site-url") or "") if isinstance(website, dict) else base)
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else "", parts.path.strip("/")


def find_project(path: Path, display_path: str) -> SourceProject:
    """Return the project to which a file or folder belongs, with its files to import. display_path: for messages.

    Raises UsageError if the path does not exist, SiteError for settings that cannot be read.
    """
    if not path.exists():
        raise UsageError(f"there is no {display_path}", "name a post, a notebook, or a folder of them")
    project = _project_of(path.absolute())
    if path.is_file():
        source = _source_file(path, display_path, project)
        project.sources.append(replace(source, is_page=source.is_page and project.dialect != "kramdown"))
        return project
    for base, folders, names in os.walk(path):
        shown = os.path.normpath(os.path.join(display_path, os.path.relpath(base, path)))
        searched = sorted(each for each in folders if _is_searched(Path(base, each), project))
        project.skipped += [f"{shown}/{each}/" for each in sorted(set(folders) - set(searched))]
        folders[:] = searched
        for name in (name for name in sorted(names) if name.lower().endswith(_SUFFIXES)):
            source = _source_file(Path(base, name), f"{shown}/{name}", project)
            if _is_imported(source, project):
                project.sources.append(source)
            else:
                project.skipped.append(source.display_path)
    return project


def _project_of(path: Path) -> SourceProject:
    """The project of a path: the nearest folder with settings, or with a folder _posts of Jekyll."""
    folders = (path, *path.parents)
    for folder in folders:
        for dialect, names in _SETTINGS_FILES.items():
            files = [file for name in names if (file := folder / name).is_file()]
            if files and (dialect != "hugo" or _is_of_hugo(files[0], folder)):
                return SourceProject(folder, dialect, _settings(files[0]))
    posts = next((each for each in folders if each.name in ("_posts", "_drafts")), path / "_posts")
    if posts.is_dir():
        return SourceProject(posts.parent, "kramdown")
    return SourceProject(path if path.is_dir() else path.parent)


def _is_of_hugo(file: Path, folder: Path) -> bool:
    """True for settings of Hugo: other programs have a config.yaml too."""
    return (folder / "content").is_dir() and (file.stem == "hugo" or bool(_HUGO.search(file.read_bytes())))


def _settings(file: Path) -> Mapping[str, Any]:
    text = text_of(read_bytes(file, file.name), file.name)
    return read_toml(text, file.name) if file.suffix == ".toml" else dict(read_yaml(text, file.name).said)


def read_toml(text: str, source: str, line: int = 1) -> Mapping[str, Any]:
    """Read TOML, which begins at a line of its file. Raises SiteError if it is none."""
    try:
        return tomllib.loads("\n" * (line - 1) + text)
    except (ValueError, RecursionError) as error:  # also that of a number too long to read
        found = re.search(r"\(at line (\d+)", str(error))
        message = f"this is not TOML: {str(error).partition(' (at line')[0]}"
        cure = "write key = value; text needs quotes"
        raise SiteError(Place(source, int(found[1]) if found else line), message, cure) from error


def _inside(file: Path, project: SourceProject) -> PurePosixPath:
    return PurePosixPath(Path(os.path.relpath(file.absolute(), project.root)).as_posix())


def _is_searched(folder: Path, project: SourceProject) -> bool:
    """True unless a folder is hidden, a link, made by programs, or without content."""
    path, name = _inside(folder, project), folder.name
    if folder.is_symlink() or name in ("node_modules", "vendor", "assets"):
        return False
    if project.dialect == "hugo":
        return path.parts[0] in ("content", "config") and name[0] != "."
    return name[0] not in "._" or name in ("_posts", "_drafts")


def _source_file(file: Path, display_path: str, project: SourceProject) -> SourceFile:
    inside = _inside(file, project)
    parts, is_index = inside.parts, inside.stem == "index"
    if project.dialect == "kramdown":
        is_page = not any(part.startswith("_") for part in parts)
    elif project.dialect == "hugo":  # it belongs to no section
        is_page = parts[0] == "content" and (len(parts) == 2 or (len(parts) == 3 and is_index))
    else:
        is_page = project.dialect == "quarto" and len(parts) == 1 and not _has(rb"^date\s*:", file)
    is_in_folder = is_index and len(parts) > 1 + (project.dialect == "hugo") and project.dialect != "kramdown"
    return SourceFile(file, display_path, inside, inside.parent.name if is_in_folder else inside.stem, is_page)


def _has(pattern: bytes, file: Path) -> bool:
    return file.is_file() and bool(re.search(pattern, file.read_bytes()[:4096], re.MULTILINE))


def _is_imported(source: SourceFile, project: SourceProject) -> bool:
    """True for a post, page or notebook, unless it is a page that the builder makes itself."""
    file, parts = source.path, source.inside.parts
    if parts[-1][0] in "._" or not is_inside(file, project.root) or (source.is_page and source.name in _BUILT_PAGES):
        return False
    if project.dialect == "kramdown" and source.is_page:
        return _has(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n", file)
    is_part = len(parts) > 2 and source.inside.stem != "index" and (file.parent / "index.md").is_file()
    return project.dialect != "hugo" or (parts[0] == "content" and not is_part)


def is_inside(file: Path, folder: Path) -> bool:
    """Return True when a file is in a folder once links are followed."""
    return file.is_file() and Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))
