"""Finds the posts, drafts and pages of a Jekyll project, or notebooks, in the order of their names."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from site_builder.errors import Place, SiteError, UsageError

MARKDOWN = (".md", ".markdown", ".mkdown", ".mkdn", ".mkd")
_SKIPPED = re.compile(r"(\..*|_site|_layouts|_includes|_sass|_data|_plugins|node_modules|vendor|assets)$")
_DATED_NAME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})-(.+)$")
_SINGLE_DOLLARS = re.compile(r"inlineMath[\"']?\s*:\s*\[[^\]]*\[\s*[\"']\$[\"']")
_MACROS_SETTING = re.compile(r"\b[Mm]acros[\"']?\s*:\s*\{")
_STRING = r"[\"']((?:\\.|[^\"'\\])*)[\"']"
_MACRO = re.compile(rf"[\"']?([A-Za-z]+)[\"']?\s*:\s*(?:{_STRING}|\[\s*{_STRING}\s*,\s*(\d)\s*\])")
_FRONT_MATTER = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")
_MAX_LAYOUT_SIZE = 2**20


@dataclass(frozen=True)
class SourceFile:
    """A file to import. kind: post, draft, page or notebook; relative_path: below the root of the project.

    display_path: for messages; date, name: the parts of the file's name, the date empty if it has none.
    """

    path: Path
    display_path: str
    relative_path: str
    kind: str
    date: str
    name: str


@dataclass(frozen=True)
class SourceProject:
    """The files to import, and the settings of their project.

    root: the folder to which links such as /assets/x.png refer. settings: of _config.yml. all_dollars, macros: of
    MathJax. rejected: files that look like posts and cannot be imported, each with the reason.
    """

    root: Path
    is_jekyll: bool
    settings: Mapping[str, Any]
    all_dollars: bool
    macros: Mapping[str, tuple[int, str]]
    sources: tuple[SourceFile, ...]
    rejected: tuple[tuple[Place, str], ...]


def find_sources(path: Path, display_path: str) -> SourceProject:
    """Find the files to import in a file or folder. display_path: its path for messages.

    Raises UsageError if it does not exist.
    """
    if not path.exists():
        raise UsageError(f"there is no {display_path}", "name a Jekyll post, a notebook, or a folder of them")
    root = _jekyll_root(path.absolute())
    is_jekyll = root is not None
    folder = root or (path if path.is_dir() else path.parent)
    sources: list[SourceFile] = []
    rejected: list[tuple[Place, str]] = []
    for file in [path] if path.is_file() else _files(path):
        name = os.path.join(display_path, os.path.relpath(file, path)) if path.is_dir() else display_path
        relative_path = Path(os.path.relpath(file.absolute(), folder.absolute())).as_posix()
        kind = _kind_or_reason(file, relative_path, is_jekyll, path.is_file())
        if kind and path.is_dir() and not is_inside(file, folder):
            kind = "this link leads out of the folder"
        if kind in ("post", "draft", "page", "notebook"):
            stem = file.name[: -len(file.suffix)]
            dated = _DATED_NAME.match(stem)
            date, own_name = (dated[1], dated[2]) if dated and kind != "page" else ("", stem)
            sources.append(SourceFile(file, name, relative_path, kind, date, own_name))
        elif kind:
            rejected.append((Place(name), kind))
    settings = _settings(folder) if is_jekyll else {}
    all_dollars, macros = _mathjax_settings(folder) if is_jekyll else (False, {})
    return SourceProject(folder, is_jekyll, settings, all_dollars, macros, tuple(sources), tuple(rejected))


def is_inside(file: Path, folder: Path) -> bool:
    """Whether a file is in a folder once links are followed."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


def _jekyll_root(path: Path) -> Path | None:
    """The root of the Jekyll project to which a path belongs: the nearest folder with _config.yml, or with _posts."""
    for folder in (path, *path.parents):
        if _settings_file(folder):
            return folder
        if folder.name in ("_posts", "_drafts") and folder.is_dir():
            parent = folder.parent
            return next((each for each in (parent, *parent.parents) if (each / "_config.yml").is_file()), parent)
    return path if (path / "_posts").is_dir() else None


def _files(folder: Path, with_skipped: bool = False) -> Iterator[Path]:
    """The files below a folder in the order of their names; without those of folders that hold no posts."""
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if with_skipped or not _SKIPPED.fullmatch(name))
        yield from (Path(base, name) for name in sorted(names) if with_skipped or not name.startswith("."))


def _kind_or_reason(file: Path, relative_path: str, is_jekyll: bool, is_alone: bool) -> str:
    """The kind of a file, or the reason why it is rejected; empty for a file that is no post and is ignored."""
    suffix, parts = file.suffix.lower(), relative_path.split("/")
    if suffix == ".ipynb":
        return "notebook"
    if suffix not in MARKDOWN:
        is_post = "_posts" in parts or is_alone
        return f"files of the kind {suffix or 'without a name ending'} are not imported" if is_post else ""
    if "_drafts" in parts:
        return "draft"
    if "_posts" in parts or not is_jekyll or is_alone:
        return "post"
    if not _has_front_matter(file):
        return ""
    if any(part.startswith("_") for part in parts[:-1]):
        return "it stands in a collection; import its folder by name if these are posts"
    if file.stem.lower() in ("index", "404", "archive", "tags", "search", "feed"):
        return "this page is made by the builder itself"
    return "page"


def _has_front_matter(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return bool(_FRONT_MATTER.match(stream.read(100)))
    except OSError:
        return False


def _settings_file(root: Path) -> Path | None:
    return next((root / name for name in ("_config.yml", "_config.yaml") if (root / name).is_file()), None)


def _settings(root: Path) -> Mapping[str, Any]:
    """The settings of _config.yml. Raises SiteError if it cannot be read."""
    path = _settings_file(root)
    if path is None:
        return {}
    try:
        content = yaml.safe_load(path.read_bytes())
    except (OSError, yaml.YAMLError) as error:
        cure = "mend it, or import the folder _posts elsewhere"
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        raise SiteError(Place(path.name, line), "this is not YAML", cure) from error
    return content if isinstance(content, dict) else {}


def _mathjax_settings(root: Path) -> tuple[bool, dict[str, tuple[int, str]]]:
    """Whether MathJax takes single dollars for TeX in this project, and the macros that it defines."""
    single, macros = False, {}
    for path in (path for folder in ("_layouts", "_includes", "assets", "js") for path in _files(root / folder, True)):
        if path.suffix not in (".html", ".js") or not path.is_file() or path.stat().st_size > _MAX_LAYOUT_SIZE:
            continue
        content = path.read_text("utf-8", "replace")
        single = single or bool(_SINGLE_DOLLARS.search(content))
        if found := _MACROS_SETTING.search(content):
            for command, alone, body, count in _MACRO.findall(content[found.end() : found.end() + 10_000]):
                macros[f"\\{command}"] = (int(count or 0), (alone or body).replace("\\\\", "\\"))
    return single, macros
