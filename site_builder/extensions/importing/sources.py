"""Finds the posts, pages and notebooks below a path, reads them, and lists the files that are left out."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from site_builder.errors import Place, SiteError, UsageError
from site_builder.extensions.importing.front_matter import SourceFront, parse_date, read_yaml_front, split_source
from site_builder.extensions.importing.generators import (
    Generator,
    Kind,
    SourceFile,
    filled_permalink,
    folder_reason,
    generator_of,
    has_single_dollars,
    is_inside,
)
from site_builder.extensions.importing.lines import Dialect, ImportNote
from site_builder.extensions.importing.notebooks import Notebook, read_notebook
from site_builder.extensions.importing.shortcodes import has_shortcode
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import is_safe_path, slugged

_DATED_NAME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+(.+))?$")


class SkippedFile(NamedTuple):
    """A file, or a folder that is not searched, and why it is not imported."""

    path: Path
    reason: str


@dataclass(frozen=True)
class SourceProject:
    """The files to import, and the settings of their project.

    root: the folder to which links such as /assets/x.png refer. all_dollars: whether single dollars enclose TeX.
    skipped: all other files.
    """

    root: Path
    generator: Generator
    settings: Mapping[str, Any]
    all_dollars: bool
    sources: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]

    @property
    def is_hugo(self) -> bool:
        """True when it is a project of Hugo."""
        return self.generator.dialect == "hugo"


@dataclass(frozen=True)
class SourcePost:
    """A post that was read.

    dialect: of its front matter, and of its text unless that is a notebook. raw: the text of the file; body: lines of
    Markdown, empty for a notebook. new_slug: that of the command in place of its own; else empty. path: its path in the
    site. permalink: its own, with placeholders filled, if it can be used. old_url: its URL in the old blog; empty for a
    notebook. target: its file below content/ without suffix. has_folder: whether its files stand beside it.
    """

    source: SourceFile
    dialect: Dialect
    front: SourceFront
    raw: str
    body: Sequence[str]
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
    root, generator = generator_of(path)
    root = root or (path if path.is_dir() else path.parent)
    settings = generator.settings(root)
    sources: list[SourceFile] = []
    skipped: list[SkippedFile] = []
    for file, reason in [(path, "")] if path.is_file() else _files_below(path, root, generator, settings):
        relative = _relative(file, root)
        if reason or (reason := "" if path.is_file() else _reason_to_skip(file, relative, root, generator)):
            skipped.append(SkippedFile(file, reason))
        elif relative not in generator.settings_files:
            name = display_path if path.is_file() else os.path.join(display_path, _relative(file, path))
            sources.append(_source_file(file, name, relative, generator, path.is_file()))
    all_dollars = has_single_dollars(root, generator)
    return SourceProject(root, generator, settings, all_dollars, tuple(sources), tuple(skipped))


def _relative(file: Path, root: Path) -> str:
    return Path(os.path.relpath(file.absolute(), root.absolute())).as_posix()


def _files_below(
    folder: Path, root: Path, generator: Generator, settings: Mapping[str, Any]
) -> Iterator[tuple[Path, str]]:
    """The files below a folder in the order of their names, and with the reason each folder that is not searched."""
    project = settings.get("project")
    output = str(project.get("output-dir") or "") if isinstance(project, dict) else ""
    for base, folders, names in os.walk(folder):
        for name in sorted(folders):
            path = Path(base, name)
            if reason := folder_reason(path, _relative(path, root), generator, output):
                folders.remove(name)
                yield path, reason
        folders.sort()
        yield from ((Path(base, name), "") for name in sorted(names))


def _reason_to_skip(file: Path, relative_path: str, root: Path, generator: Generator) -> str:
    if relative_path in generator.settings_files:
        return ""
    if not is_inside(file, root):
        return "this link leads out of the folder"
    return "hidden" if file.name.startswith(".") else generator.reason_to_skip(file, relative_path)


def _source_file(file: Path, display_path: str, relative_path: str, generator: Generator, is_alone: bool) -> SourceFile:
    kind: Kind = "post"
    if file.suffix.lower() == ".ipynb":
        kind = "notebook"
    elif "_drafts" in relative_path.split("/"):
        kind = "draft"
    elif generator.is_page(file, relative_path, is_alone):
        kind = "page"
    name = generator.name(PurePosixPath(relative_path))
    dated = _DATED_NAME.match(name) if kind != "page" else None
    date, name = (dated[1], dated[2] or name) if dated else ("", name)
    return SourceFile(file, display_path, relative_path, kind, date, name)


def notes_on_skipped(
    skipped: Sequence[SkippedFile], copied: set[str], path: Path, display_path: str
) -> list[ImportNote]:
    """Return notes on skipped files, one for all files of a folder with the same reason.

    copied: the real paths of those that are copied. path: that of the import; display_path: the same for messages.
    """
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file, reason in skipped:
        if os.path.realpath(file) not in copied:
            folder = os.path.normpath(os.path.join(display_path, _relative(file.parent, path)))
            groups[folder, reason].append(f"{file.name}/" if file.is_dir() else file.name)
    notes = []
    for (folder, reason), names in groups.items():
        shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        notes.append(ImportNote(Place(f"{folder}/"), reason, f"not imported: {shown}"))
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
    body: Sequence[str] = ()
    if notebook:
        front = read_yaml_front("\n".join(notebook.settings), source.display_path, 1)
    else:
        front, body = split_source(raw, source.display_path)
    dialect = _dialect(source, project, front.format, raw)
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
        raw=raw,
        body=body,
        notebook=notebook,
        date=date,
        new_slug=new_name if front.data.get("slug") else "",
        path=path or (f"{slug}/" if is_page else f"posts/{slug}/"),
        permalink=permalink,
        old_url="" if notebook else old_url,
        target=f"pages/{new_name or source.name}" if is_page else f"posts/{stem}",
        has_folder=bool(notebook) or project.generator.dialect != "kramdown",
    )


def _addresses(
    source: SourceFile, project: SourceProject, front: Mapping[str, Any], date: datetime | None
) -> tuple[str, str]:
    """The permalink of a post if it can be used, and its URL in the old site."""
    own = str(front.get("permalink") or (front.get("url") if project.is_hugo else "") or "")
    permalink = filled_permalink(own, source, date, front)
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
    if of_project == "quarto" or source.path.suffix.lower() == ".qmd":
        return "quarto"
    if source.kind == "notebook":
        return "notebook"
    return of_project or ("hugo" if form == "toml" or has_shortcode(raw) else "kramdown")


def _text(source: SourceFile) -> str:
    raw = text_of(read_bytes(source.path, source.display_path), source.display_path)
    if not raw.strip():
        raise SiteError(Place(source.display_path), "this file is empty", "delete it, or write something into it")
    return raw
