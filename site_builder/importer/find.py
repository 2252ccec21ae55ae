"""What PATH holds: posts, drafts and pages of a Jekyll project, or notebooks, in the order of their names."""

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
_DATED = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})-(.+)$")
_SINGLE_DOLLARS = re.compile(r"inlineMath[\"']?\s*:\s*\[[^\]]*\[\s*[\"']\$[\"']")
_MACROS = re.compile(r"\b[Mm]acros[\"']?\s*:\s*\{")
_STRING = r"[\"']((?:\\.|[^\"'\\])*)[\"']"
_MACRO = re.compile(rf"[\"']?([A-Za-z]+)[\"']?\s*:\s*(?:{_STRING}|\[\s*{_STRING}\s*,\s*(\d)\s*\])")
_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")
_LARGEST_LAYOUT = 2**20


@dataclass(frozen=True)
class Source:
    """A file to import. kind: post, draft, page or notebook; inside: its path below the folder of the project.

    shown: its path as an author reads it; date and name: from the file's name, the date empty where it has none.
    """

    path: Path
    shown: str
    inside: str
    kind: str
    date: str
    name: str


@dataclass(frozen=True)
class Found:
    """What PATH holds. root: the folder from which addresses such as /assets/x.png count, and is_jekyll whether it is
    a Jekyll project; others: files that look like posts and are none that can be read, each with the reason."""

    root: Path
    is_jekyll: bool
    settings: Mapping[str, Any]
    all_dollars: bool
    macros: Mapping[str, tuple[int, str]]
    sources: tuple[Source, ...]
    others: tuple[tuple[Place, str], ...]


def find(path: Path, shown: str) -> Found:
    """What PATH holds. shown: PATH as it was written. Raises UsageError where there is nothing of that name."""
    if not path.exists():
        raise UsageError(f"there is no {shown}", "name a Jekyll post, a notebook, or a folder of them")
    root = _root_of(path.absolute())
    is_jekyll = root is not None
    folder = root or (path if path.is_dir() else path.parent)
    base = str(path) if path.is_dir() else str(path.parent)
    shown_base = shown if path.is_dir() else os.path.dirname(shown)
    sources: list[Source] = []
    others: list[tuple[Place, str]] = []
    files = [path] if path.is_file() else list(_files(path, folder))
    for file in files:
        name = os.path.join(shown_base, os.path.relpath(file, base)) if path.is_dir() else shown
        place = Place(name)
        inside = Path(os.path.relpath(file.absolute(), folder.absolute())).as_posix()
        kind = _kind(file, inside, is_jekyll, path.is_file())
        if kind and path.is_dir() and not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
            kind = "this link leads out of the folder"
        if kind in ("post", "draft", "page", "notebook"):
            stem = file.name[: -len(file.suffix)]
            dated = _DATED.match(stem)
            date, bare = (dated[1], dated[2]) if dated and kind != "page" else ("", stem)
            sources.append(Source(file, name, inside, kind, date, bare))
        elif kind:
            others.append((place, kind))
    settings = _settings(folder) if is_jekyll else {}
    all_dollars, macros = _mathjax(folder) if is_jekyll else (False, {})
    return Found(folder, is_jekyll, settings, all_dollars, macros, tuple(sources), tuple(others))


def _root_of(path: Path) -> Path | None:
    """The Jekyll project to which a path belongs: the nearest folder with a _config.yml, or around a _posts."""
    for folder in (path, *path.parents):
        if (folder / "_config.yml").is_file() or (folder / "_config.yaml").is_file():
            return folder
        if folder.name in ("_posts", "_drafts") and folder.is_dir():
            above = folder.parent
            return next((each for each in (above, *above.parents) if (each / "_config.yml").is_file()), above)
    return path if (path / "_posts").is_dir() else None


def _files(folder: Path, root: Path) -> Iterator[Path]:
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _SKIPPED.fullmatch(name))
        yield from (Path(base, name) for name in sorted(names) if not name.startswith("."))


def _kind(file: Path, inside: str, is_jekyll: bool, is_alone: bool) -> str:
    """What a file is, or why it cannot be read; empty for one that nobody would expect to be read."""
    suffix, parts = file.suffix.lower(), inside.split("/")
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
            return bool(_HEAD.match(stream.read(100)))
    except OSError:
        return False


def _settings(root: Path) -> Mapping[str, Any]:
    """What _config.yml says; raises SiteError where it cannot be read."""
    path = next((root / name for name in ("_config.yml", "_config.yaml") if (root / name).is_file()), None)
    if path is None:
        return {}
    try:
        said = yaml.safe_load(path.read_bytes())
    except (OSError, yaml.YAMLError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        raise SiteError(
            Place(path.name, line), "this is not YAML", "mend it, or import the folder _posts elsewhere"
        ) from error
    return said if isinstance(said, dict) else {}


def _mathjax(root: Path) -> tuple[bool, dict[str, tuple[int, str]]]:
    """Whether the project tells MathJax to take single dollars for mathematics, and the commands that it defines."""
    single, macros = False, {}
    for folder in ("_layouts", "_includes", "assets", "js"):
        for base, folders, names in os.walk(root / folder):
            folders.sort()
            for name in sorted(names):
                path = Path(base, name)
                if path.suffix not in (".html", ".js") or not path.is_file() or path.stat().st_size > _LARGEST_LAYOUT:
                    continue
                said = path.read_text("utf-8", "replace")
                single = single or bool(_SINGLE_DOLLARS.search(said))
                if found := _MACROS.search(said):
                    for command, alone, body, count in _MACRO.findall(said[found.end() : found.end() + 10_000]):
                        macros[f"\\{command}"] = (int(count or 0), (alone or body).replace("\\\\", "\\"))
    return single, macros
