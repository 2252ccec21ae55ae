"""Finds the posts, pages and notebooks below a path, reads them, and lists the files that are left out."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from site_builder.errors import Place, SiteError, UsageError
from site_builder.importer import generators
from site_builder.importer.front_matter import SourceFront, parse_date, read_yaml_front, split_source
from site_builder.importer.generators import (
    BUILT,
    NOTEBOOK_SUFFIX,
    OUTPUT,
    QUARTO_SUFFIX,
    UNUSED,
    Kind,
    SiteGenerator,
    SourceFile,
    is_inside,
)
from site_builder.importer.lines import Dialect, ImportNote, SourceLine
from site_builder.importer.notebooks import LARGEST, Notebook, read_notebook
from site_builder.importer.shortcodes import has_shortcode
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import is_safe_path, slugged

_BUILT_PAGES = ("index", "404", "archive", "archives", "tags", "categories", "search", "feed")
_DATED_NAME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+(.+))?$")
_SINGLE_DOLLARS = re.compile(r"inlineMath[\"']?\s*:\s*\[[^\]]*\[\s*[\"']\$[\"']|\bleft[\"']?\s*:\s*[\"']\$[\"']")
_MOST_OF_SCRIPT = 2**20  # bytes of a file in which MathJax may be configured
_LIBRARIES = ("node_modules", "vendor")


class SkippedFile(NamedTuple):
    """A file, or a folder that is not searched, and why it is not imported. inside: its path below the source."""

    path: Path
    inside: str
    reason: str


@dataclass(frozen=True)
class SourceProject:
    """The files to import, and the settings of their project.

    root: the folder to which links such as /assets/x.png refer. all_dollars: whether single dollars enclose TeX.
    skipped: all other files.
    """

    root: Path
    generator: SiteGenerator
    settings: Mapping[str, Any]
    all_dollars: bool
    sources: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]

    @property
    def is_jekyll(self) -> bool:
        """True when it is a project of Jekyll."""
        return isinstance(self.generator, generators.Jekyll)

    @property
    def is_hugo(self) -> bool:
        """True when it is a project of Hugo."""
        return isinstance(self.generator, generators.Hugo)


@dataclass(frozen=True)
class SourcePost:
    """A post that was read.

    dialect: of its front matter, and of its text unless that is a notebook. body: lines of Markdown, empty for a
    notebook. new_slug: that of the command in place of its own; else empty. path: its path in the site.
    permalink: its own, with placeholders filled, if it can be used. old_url: its URL in the old blog; empty for a
    notebook. target: its file below content/ without suffix. has_folder: whether its files stand beside it.
    """

    source: SourceFile
    dialect: Dialect
    front: SourceFront
    body: Sequence[SourceLine]
    notebook: Notebook | None
    date: datetime | None
    new_slug: str
    path: str
    permalink: str
    old_url: str
    target: str
    has_folder: bool


def find_sources(path: Path, display_path: str) -> SourceProject:
    """Find the files to import in a file or folder. display_path: its path for messages.

    Raises UsageError if it does not exist.
    """
    if not path.exists():
        raise UsageError(f"there is no {display_path}", "name a post, a notebook, or a folder of them")
    root, generator = generators.generator_of(path)
    root = root or (path if path.is_dir() else path.parent)
    settings = generator.read_settings(root)
    sources: list[SourceFile] = []
    skipped: list[SkippedFile] = []
    folders = {**generator.folders, str(settings.get("output") or "_site"): OUTPUT}
    for file, reason in [(path, "")] if path.is_file() else _files_below(path, folders):
        inside = Path(os.path.relpath(file, path)).as_posix()
        relative = Path(os.path.relpath(file.absolute(), root.absolute())).as_posix()
        if relative in generator.settings_files:
            continue
        source = None
        if not reason and not (reason := _reason_to_skip(file, relative, root, generator, path.is_file())):
            name = display_path if path.is_file() else os.path.join(display_path, inside)
            source = _source_file(file, name, relative, generator, path.is_file())
            reason = BUILT if source.kind == "page" and source.name.lower() in _BUILT_PAGES else ""
        if reason:
            skipped.append(SkippedFile(file, inside, reason))
        elif source:
            sources.append(source)
    all_dollars = bool(settings.get("single_dollars")) or _has_single_dollars(root, generator.tex_folders)
    return SourceProject(root, generator, settings, all_dollars, tuple(sources), tuple(skipped))


def _files_below(folder: Path, left_out: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """The files below a folder in the order of their names, and with the reason each folder that is not searched.

    left_out: names of such folders.
    """
    for base, folders, names in os.walk(folder):
        for name in sorted(folders):
            path = Path(base, name)
            reason = left_out.get(name, "")
            reason = "installed libraries" if name in _LIBRARIES else "hidden" if name.startswith(".") else reason
            reason = "links to folders are not followed" if path.is_symlink() else reason
            if reason:
                folders.remove(name)
                yield path, reason
        folders.sort()
        yield from ((Path(base, name), "") for name in sorted(names))


def _reason_to_skip(file: Path, relative_path: str, root: Path, generator: SiteGenerator, is_alone: bool) -> str:
    """Why a file is not imported; empty if it is. is_alone: whether the path of the import is this file."""
    suffix, parts = file.suffix.lower(), relative_path.split("/")
    if not is_alone:
        if not is_inside(file, root):
            return "this link leads out of the folder"
        if reason := "hidden" if file.name.startswith(".") else generator.reason_to_skip(file, relative_path):
            return reason
    if suffix in (*generator.suffixes, NOTEBOOK_SUFFIX) or (suffix == QUARTO_SUFFIX and is_alone):
        return UNUSED if "assets" in parts[:-1] else ""
    is_post = "_posts" in parts or is_alone
    return f"no posts are made of files of the kind {suffix or 'without a name ending'}" if is_post else UNUSED


def _source_file(
    file: Path, display_path: str, relative_path: str, generator: SiteGenerator, is_alone: bool
) -> SourceFile:
    kind: Kind = "post"
    if file.suffix.lower() == NOTEBOOK_SUFFIX:
        kind = "notebook"
    elif "_drafts" in relative_path.split("/"):
        kind = "draft"
    elif generator.is_page(file, relative_path, is_alone):
        kind = "page"
    stem = file.name[: -len(file.suffix)]
    if stem == "index" and generator.is_bundle(relative_path):
        stem = file.parent.name
    dated = _DATED_NAME.match(stem) if kind != "page" else None
    date, name = (dated[1], dated[2] or stem) if dated else ("", stem)
    return SourceFile(file, display_path, relative_path, kind, date, name)


def _has_single_dollars(root: Path, folders: Sequence[str]) -> bool:
    """True when MathJax or KaTeX is configured to read TeX between single dollars."""
    for path in chain.from_iterable((root / folder).rglob("*") for folder in folders):
        is_script = path.suffix in (".html", ".js") and path.is_file() and path.stat().st_size < _MOST_OF_SCRIPT
        if is_script and _SINGLE_DOLLARS.search(path.read_text("utf-8", "replace")):
            return True
    return False


def notes_on_skipped(skipped: Sequence[SkippedFile], used: set[str], source: str) -> list[ImportNote]:
    """Return notes on skipped files, one for all files of a folder with the same reason.

    used: paths below the source of those that are copied. source: its path.
    """
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in skipped:
        if each.inside not in used:
            folder, name = os.path.split(each.inside)
            groups[folder, each.reason].append(f"{name}/" if each.path.is_dir() else name)
    notes = []
    for (folder, reason), names in groups.items():
        place = os.path.normpath(os.path.join(source, folder))
        if len(names) == 1:
            notes.append(ImportNote(Place(os.path.join(place, names[0])), reason, "not imported"))
        else:
            shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
            notes.append(ImportNote(Place(f"{place}/"), reason, f"{shown} are not imported"))
    return notes


# one source


def read_source(
    source: SourceFile,
    project: SourceProject,
    default_date: str,
    slugs: dict[str, str],
    new_name: str = "",
) -> SourcePost:
    """Read a file. Raises SiteError.

    default_date: of a post without one. slugs: slug -> file, of the posts read so far; its own is added. new_name: its
    slug instead of its own.
    """
    raw, is_page = _text(source), source.kind == "page"
    notebook = read_notebook(raw, source.display_path) if source.kind == "notebook" else None
    body: Sequence[SourceLine] = ()
    if notebook:
        front = read_yaml_front(notebook.settings, source.display_path)
    else:
        front, body = split_source(raw, source.display_path)
    dialect = _dialect(source, project, front.format, raw)
    front = front.with_small_keys() if dialect == "hugo" else front
    date = _date(source, front.data, notebook, "" if is_page else default_date)
    if date is None and not is_page:
        raise SiteError(Place(source.display_path), "no date is known of it", "give one, such as --date 2026-11-20")
    slug = new_name or slugged(str(front.data.get("slug") or source.name))
    if not is_page and slugs.setdefault(slug, source.display_path) != source.display_path:
        message = f"posts/{slug}/ is taken by {slugs[slug]}"
        raise SiteError(Place(source.display_path), message, "give it another slug: in its front matter")
    permalink, old_url = _addresses(source, project, front.data, date)
    path = permalink.strip("/") + ("" if permalink.endswith(".html") else "/") if permalink else ""
    stem = slug if notebook or source.date in ("", source.name) else f"{source.date}-{new_name or source.name}"
    return SourcePost(
        source=source,
        dialect=dialect,
        front=front,
        body=body,
        notebook=notebook,
        date=date,
        new_slug=new_name if front.data.get("slug") else "",
        path=path or (f"{slug}/" if is_page else f"posts/{slug}/"),
        permalink=permalink,
        old_url="" if notebook else old_url,
        target=f"pages/{new_name or source.name}" if is_page else f"posts/{stem}",
        has_folder=bool(notebook) or not project.is_jekyll,
    )


def _addresses(
    source: SourceFile, project: SourceProject, front: Mapping[str, Any], date: datetime | None
) -> tuple[str, str]:
    """The permalink of a post if it can be used, and its URL in the old site."""
    own = str(front.get("permalink") or (front.get("url") if project.is_hugo else "") or "")
    permalink = generators.filled_permalink(own, source, date, front)
    old_url = permalink or project.generator.old_url(source, date, front, project.settings)
    return permalink if is_safe_path(permalink.lstrip("/")) else "", old_url if project.settings else ""


def _date(source: SourceFile, front: Mapping[str, Any], notebook: Notebook | None, default: str) -> datetime | None:
    """The date of front matter, else of the file's name, else of the notebook, else of the command."""
    own = notebook.metadata.get("date") if notebook else None
    candidates = (front.get("date"), front.get("publishdate"), source.date or None, own, default or None)
    return next(filter(None, map(parse_date, candidates)), None)


def _dialect(source: SourceFile, project: SourceProject, form: str, raw: str) -> Dialect:
    """The dialect of a source; of a notebook that of its front matter. form: of the front matter."""
    of_project = project.generator.dialect
    if of_project == "quarto" or source.path.suffix.lower() == QUARTO_SUFFIX:
        return "quarto"
    if source.kind == "notebook":
        return "notebook"
    return of_project or ("hugo" if form == "toml" or has_shortcode(raw) else "kramdown")


def _text(source: SourceFile) -> str:
    place = Place(source.display_path)
    if not source.path.is_file():
        raise SiteError(place, "this is no file", "delete it, or mend the link")
    if source.path.stat().st_size > LARGEST:
        raise SiteError(place, "a file of more than 256 MiB", "clear the outputs of the notebook")
    raw = text_of(read_bytes(source.path, source.display_path), source.display_path)
    if not raw.strip():
        raise SiteError(place, "this file is empty", "delete it, or write something into it")
    return raw
