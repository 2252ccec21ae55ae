"""Finds and reads posts, drafts and pages of Jekyll, Hugo or Quarto, Markdown files and notebooks."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from site_builder.errors import Place, SiteError, UsageError
from site_builder.importer import notebooks
from site_builder.importer.front_matter import parse_date, quarto_date
from site_builder.importer.front_matter_formats import split_source
from site_builder.importer.hugo import (
    FOLDERS_LEFT_OUT,
    HUGO_SETTINGS,
    hugo_reason,
    hugo_root,
    hugo_settings,
    is_hugo_page,
)
from site_builder.importer.markdown.conversion import Dialect, ImportNote, SourceLine, join_lines
from site_builder.importer.markdown.shortcodes import has_shortcode
from site_builder.importer.old_urls import hugo_url, jekyll_page_url, jekyll_url
from site_builder.importer.quarto import (
    QUARTO_SETTINGS,
    QUARTO_SUFFIX,
    is_quarto_page,
    quarto_folders_left_out,
    quarto_reason,
    quarto_root,
    quarto_settings,
    quarto_url,
)
from site_builder.importer.skipped_files import BUILT, HIDDEN, UNUSED, SkippedFile, files_below
from site_builder.importer.tex_settings import HUGO_FOLDERS, JEKYLL_FOLDERS, tex_settings
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import is_safe_path, slugged
from site_builder.project.yaml_reader import read_yaml

MARKDOWN = (".md", ".markdown", ".mkdown", ".mkdn", ".mkd")
_SETTINGS = ("_config.yml", "_config.yaml")
_BUILT_PAGES = ("index", "404", "archive", "archives", "tags", "categories", "search", "feed")
_DATED_NAME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+(.+))?$")
_FRONT_MATTER_BYTES = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")


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

    root: the folder to which links such as /assets/x.png refer. tool: jekyll, hugo, quarto, or empty. settings: of
    _config.yml, or what hugo_settings or quarto_settings returns. all_dollars, macros: of MathJax. skipped: all other
    files, each with the reason why it is not imported.
    """

    root: Path
    tool: str
    settings: Mapping[str, Any]
    all_dollars: bool
    macros: Mapping[str, tuple[int, str]]
    sources: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]

    @property
    def is_jekyll(self) -> bool:
        """Whether it is one of Jekyll."""
        return self.tool == "jekyll"

    @property
    def is_hugo(self) -> bool:
        """Whether it is one of Hugo."""
        return self.tool == "hugo"


def find_sources(path: Path, display_path: str) -> SourceProject:
    """Find the files to import in a file or folder. display_path: its path for messages.

    Raises UsageError if it does not exist.
    """
    if not path.exists():
        raise UsageError(f"there is no {display_path}", "name a post, a notebook, or a folder of them")
    roots = {"jekyll": _jekyll_root, "hugo": hugo_root, "quarto": quarto_root}
    found = [(root, tool) for tool, find in roots.items() if (root := find(path.absolute()))]
    root, tool = max(found, key=lambda each: len(each[0].parts), default=(None, ""))
    is_jekyll, is_hugo, is_quarto = tool == "jekyll", tool == "hugo", tool == "quarto"
    folder = root or (path if path.is_dir() else path.parent)
    readers = {"jekyll": _settings, "hugo": hugo_settings, "quarto": quarto_settings}
    settings = readers[tool](folder) if tool else {}
    folders_left_out = FOLDERS_LEFT_OUT if is_hugo else quarto_folders_left_out(settings) if is_quarto else {}
    left_out = {folder.absolute() / name: reason for name, reason in folders_left_out.items()}
    sources: list[SourceFile] = []
    skipped: list[SkippedFile] = []
    for file, reason in [(path, "")] if path.is_file() else files_below(path, left_out=left_out):
        inside = Path(os.path.relpath(file, path)).as_posix()
        name = os.path.join(display_path, inside) if path.is_dir() else display_path
        relative_path = Path(os.path.relpath(file.absolute(), folder.absolute())).as_posix()
        if relative_path in (HUGO_SETTINGS if is_hugo else QUARTO_SETTINGS if is_quarto else ()):
            continue
        kind = reason
        if path.is_dir() and not kind:
            kind = hugo_reason(file, relative_path) if is_hugo else quarto_reason(relative_path) if is_quarto else ""
        kind = kind or _kind_or_reason(file, relative_path, is_jekyll, path.is_file())
        if is_hugo and kind == "post" and is_hugo_page(relative_path):
            kind = BUILT if file.stem in _BUILT_PAGES else "page"
        if is_quarto and kind == "post" and is_quarto_page(file, relative_path):
            kind = BUILT if file.stem in _BUILT_PAGES else "page"
        if kind and not reason and path.is_dir() and not is_inside(file, folder):
            kind = "this link leads out of the folder"
        if kind in ("post", "draft", "page", "notebook"):
            stem = file.name[: -len(file.suffix)]
            stem = file.parent.name if stem == "index" and not is_jekyll and "/" in relative_path else stem
            dated = _DATED_NAME.match(stem)
            date, own_name = (dated[1], dated[2] or stem) if dated and kind != "page" else ("", stem)
            sources.append(SourceFile(file, name, relative_path, kind, date, own_name))
        elif kind:
            skipped.append(SkippedFile(file, inside, kind, bool(reason)))
    folders = JEKYLL_FOLDERS if is_jekyll else HUGO_FOLDERS if is_hugo else ()
    all_dollars, macros = tex_settings(folder, folders)
    all_dollars = all_dollars or bool(settings.get("single_dollars"))
    return SourceProject(folder, tool, settings, all_dollars, macros, tuple(sources), tuple(skipped))


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


def _kind_or_reason(file: Path, relative_path: str, is_jekyll: bool, is_alone: bool) -> str:
    """The kind of a file, or the reason why it is skipped; empty for the settings of a blog, which are read."""
    suffix, parts = file.suffix.lower(), relative_path.split("/")
    if is_jekyll and relative_path in _SETTINGS:
        return ""
    if file.name.startswith(".") and not is_alone:
        return HIDDEN
    if "assets" in parts[:-1]:
        return UNUSED
    if suffix == ".ipynb":
        return "notebook"
    if suffix == QUARTO_SUFFIX and not is_jekyll:
        return "post" if is_alone else quarto_reason(relative_path) or "post"
    if suffix not in MARKDOWN and not (suffix == QUARTO_SUFFIX and is_alone):
        is_post = "_posts" in parts or is_alone
        return f"no posts are made of files of the kind {suffix or 'without a name ending'}" if is_post else UNUSED
    if "_drafts" in parts:
        return "draft"
    if "_posts" in parts or not is_jekyll or is_alone:
        return "post"
    if not _has_front_matter(file):
        return "without front matter, Jekyll makes no page of it"
    if any(part.startswith("_") for part in parts[:-1]):
        return "it stands in a collection; import its folder by name if these are posts"
    if file.stem.lower() in _BUILT_PAGES:
        return BUILT
    return "page"


def _has_front_matter(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return bool(_FRONT_MATTER_BYTES.match(stream.read(100)))
    except OSError:
        return False


def _settings_file(root: Path) -> Path | None:
    return next((root / name for name in _SETTINGS if (root / name).is_file()), None)


def _settings(root: Path) -> Mapping[str, Any]:
    """The settings of _config.yml. Raises SiteError if it cannot be read."""
    path = _settings_file(root)
    if path is None:
        return {}
    return read_yaml(text_of(read_bytes(path, path.name), path.name), path.name).said


@dataclass(frozen=True)
class SourcePost:
    """A post that was read.

    dialect: of its front matter, and of its text unless that is a notebook. body: lines of Markdown, empty for a
    notebook. new_slug: a slug made because another post has the same; else empty. path: its path in the site.
    permalink: its own, with placeholders filled, if it can be used. old_url: its URL in the old blog; empty for a
    notebook. target: its file in the project, unless it needs a folder. folder: the folder below content/ for its
    files; empty if they keep their paths, as in a Jekyll project.
    """

    source: SourceFile
    dialect: Dialect
    settings: tuple[SourceLine, ...]
    front_matter: Mapping[str, Any]
    body: tuple[SourceLine, ...]
    notebook: notebooks.Notebook | None
    date: datetime | None
    new_slug: str
    path: str
    permalink: str
    old_url: str
    target: str
    folder: str


def read_source(
    source: SourceFile,
    project: SourceProject,
    default_date: str,
    slugs: dict[str, str],
    notes: list[ImportNote],
    new_name: str = "",
) -> SourcePost:
    """Read a file. Raises SiteError.

    default_date: of a post without one. slugs: slug -> file, of the posts read so far; its own is added. new_name: its
    slug instead of its own.
    """
    place = Place(source.display_path)
    raw = _text(source)
    notebook = notebooks.read_notebook(raw, source.display_path) if source.kind == "notebook" else None
    settings: Sequence[SourceLine] = notebook.settings if notebook else ()
    body: Sequence[SourceLine] = ()
    form = ""
    if not notebook:
        form, settings, body = split_source(raw, source.display_path)
    dialect = _dialect(source, project, form, raw)
    front_matter = read_yaml(join_lines(settings), source.display_path, settings[0].number if settings else 1).said
    if dialect == "hugo":
        front_matter = {key.lower(): value for key, value in front_matter.items()}
    is_page = source.kind == "page"
    given = front_matter.get("date") or (front_matter.get("publishdate") if dialect == "hugo" else None)
    candidates = [
        quarto_date(given) if dialect == "quarto" else given,
        source.date or None,
        notebook and notebook.metadata.get("date"),
    ]
    candidates += [] if is_page else [default_date or None]
    date = next(filter(None, map(parse_date, candidates)), None)
    if date is None and not is_page:
        raise SiteError(place, "no date is known of it", "give one, such as --date 2026-11-20")
    name = str(front_matter.get("slug") or source.name)
    slug, new_slug = new_name or slugged(name), new_name if front_matter.get("slug") else ""
    if slug in slugs and not is_page and date:
        new_slug = f"{slug}-{date:%Y-%m-%d}"
        notes.append(ImportNote(place, f"posts/{slug}/ is taken by {slugs[slug]}", f"slug: {new_slug}"))
        slug = new_slug
    slugs.setdefault(slug, source.display_path)
    categories = _words(front_matter.get("categories") or front_matter.get("category"))
    permalink = jekyll_url(
        str(front_matter.get("url" if dialect == "hugo" else "permalink") or ""), name, date, categories
    )
    style = str(project.settings.get("permalink") or "date")
    if project.is_hugo:
        full_name = f"{source.date}-{source.name}" if source.date not in ("", source.name) else source.name
        old_url = hugo_url(source.relative_path, full_name, date, front_matter, project.settings)
    elif project.tool == "quarto":
        old_url = quarto_url(source.relative_path)
    elif is_page:
        old_url = jekyll_page_url(source.relative_path, style)
    else:
        old_url = jekyll_url(style, name, date, categories)
    old_url = permalink or old_url
    permalink = permalink if is_safe_path(permalink.lstrip("/")) else ""
    if permalink:
        path = permalink.strip("/") + ("" if permalink.endswith(".html") else "/")
    else:
        path = f"{slug}/" if is_page else f"posts/{slug}/"
    old_url = old_url if project.settings and not notebook else ""
    stem = slug if notebook or source.date in ("", source.name) else f"{source.date}-{new_name or source.name}"
    target = f"pages/{new_name or source.name}" if is_page else f"posts/{stem}"
    folder = target if notebook or not project.is_jekyll else ""
    return SourcePost(
        source=source,
        dialect=dialect,
        settings=tuple(settings),
        front_matter=front_matter,
        body=tuple(body),
        notebook=notebook,
        date=date,
        new_slug=new_slug,
        path=path,
        permalink=permalink,
        old_url=old_url,
        target=f"content/{target}.md",
        folder=folder,
    )


def _dialect(source: SourceFile, project: SourceProject, form: str, raw: str) -> Dialect:
    """The dialect of a source; of a notebook that of its front matter. form: of the front matter."""
    if project.tool == "quarto" or source.path.suffix.lower() == QUARTO_SUFFIX:
        return "quarto"
    if source.kind == "notebook":
        return "notebook"
    if project.is_jekyll:
        return "kramdown"
    return "hugo" if project.is_hugo or form in ("toml", "json") or has_shortcode(raw) else "kramdown"


def _text(source: SourceFile) -> str:
    place = Place(source.display_path)
    if not source.path.is_file():
        raise SiteError(place, "this is no file", "delete it, or mend the link")
    if source.path.stat().st_size > notebooks.LARGEST:
        raise SiteError(place, "a file of more than 256 MiB", "clear the outputs of the notebook")
    raw = text_of(read_bytes(source.path, source.display_path), source.display_path)
    if not raw.strip():
        raise SiteError(place, "this file is empty", "delete it, or write something into it")
    return raw


def _words(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(each) for each in value]
    return [] if value is None else str(value).split()


def all_text(post: SourcePost) -> str:
    """Return the whole Markdown of a post, cells of a notebook included."""
    cells = post.notebook.cells if post.notebook else ()
    return "\n".join([join_lines(post.body), *(join_lines(cell.lines) for cell in cells if cell.kind == "markdown")])
