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
from site_builder.importer.hugo import HUGO
from site_builder.importer.jekyll import JEKYLL, filled_permalink
from site_builder.importer.markdown.conversion import Dialect, ImportNote, SourceLine, join_lines
from site_builder.importer.markdown.shortcodes import has_shortcode
from site_builder.importer.quarto import QUARTO, quarto_reason
from site_builder.importer.site_generator import NOTEBOOK_SUFFIX, QUARTO_SUFFIX, Kind, SiteGenerator, SourceFile
from site_builder.importer.skipped_files import BUILT, HIDDEN, UNUSED, SkippedFile, files_below
from site_builder.importer.tex_settings import tex_settings
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import is_safe_path, slugged
from site_builder.project.yaml_reader import read_yaml

_NONE = SiteGenerator(
    "", reason_to_skip=lambda file, path: quarto_reason(file, path) if file.suffix.lower() == QUARTO_SUFFIX else ""
)
_BUILT_PAGES = ("index", "404", "archive", "archives", "tags", "categories", "search", "feed")
_DATED_NAME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+(.+))?$")


@dataclass(frozen=True)
class SourceProject:
    """The files to import, and the settings of their project.

    root: the folder to which links such as /assets/x.png refer. all_dollars, macros: of MathJax. skipped: all other
    files, each with the reason why it is not imported.
    """

    root: Path
    generator: SiteGenerator
    settings: Mapping[str, Any]
    all_dollars: bool
    macros: Mapping[str, tuple[int, str]]
    sources: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]

    @property
    def is_jekyll(self) -> bool:
        """True when it is a project of Jekyll."""
        return self.generator is JEKYLL

    @property
    def is_hugo(self) -> bool:
        """True when it is a project of Hugo."""
        return self.generator is HUGO


def find_sources(path: Path, display_path: str) -> SourceProject:
    """Find the files to import in a file or folder. display_path: its path for messages.

    Raises UsageError if it does not exist.
    """
    if not path.exists():
        raise UsageError(f"there is no {display_path}", "name a post, a notebook, or a folder of them")
    found = [(root, each) for each in (JEKYLL, HUGO, QUARTO) if (root := each.root_of(path.absolute()))]
    root, generator = max(found, key=lambda each: len(each[0].parts), default=(None, _NONE))
    folder, is_alone = root or (path if path.is_dir() else path.parent), path.is_file()
    settings = generator.read_settings(folder)
    left_out = {folder.absolute() / name: why for name, why in generator.folders_left_out(settings).items()}
    sources: list[SourceFile] = []
    skipped: list[SkippedFile] = []
    for file, reason_of_folder in [(path, "")] if is_alone else files_below(path, left_out=left_out):
        inside = Path(os.path.relpath(file, path)).as_posix()
        relative_path = Path(os.path.relpath(file.absolute(), folder.absolute())).as_posix()
        if relative_path in generator.settings_files:
            continue
        if reason_of_folder:
            skipped.append(SkippedFile(file, inside, reason_of_folder, is_folder=True))
            continue
        reason = "" if is_alone or is_inside(file, folder) else "this link leads out of the folder"
        if reason := reason or _reason_to_skip(file, relative_path, generator, is_alone):
            skipped.append(SkippedFile(file, inside, reason))
            continue
        name = display_path if is_alone else os.path.join(display_path, inside)
        source = _source_file(file, name, relative_path, generator, is_alone)
        if source.kind == "page" and source.name.lower() in _BUILT_PAGES:
            skipped.append(SkippedFile(file, inside, BUILT))
        else:
            sources.append(source)
    all_dollars, macros = tex_settings(folder, generator.tex_folders)
    all_dollars = all_dollars or bool(settings.get("single_dollars"))
    return SourceProject(folder, generator, settings, all_dollars, macros, tuple(sources), tuple(skipped))


def is_inside(file: Path, folder: Path) -> bool:
    """True when a file is in a folder once links are followed."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


def _reason_to_skip(file: Path, relative_path: str, generator: SiteGenerator, is_alone: bool) -> str:
    """Why a file is not imported; empty if it is. is_alone: whether the path of the import is this file."""
    suffix, parts = file.suffix.lower(), relative_path.split("/")
    if not is_alone:
        if file.name.startswith("."):
            return HIDDEN
        if reason := generator.reason_to_skip(file, relative_path):
            return reason
    if "assets" in parts[:-1]:
        return UNUSED
    if suffix in (*generator.suffixes, NOTEBOOK_SUFFIX) or (suffix == QUARTO_SUFFIX and is_alone):
        return ""
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
    own = str(front_matter.get("url" if dialect == "hugo" else "permalink") or "")
    permalink = filled_permalink(own, source, date, front_matter)
    old_url = permalink or project.generator.old_url(source, date, front_matter, project.settings)
    old_url = old_url if project.settings and not notebook else ""
    permalink = permalink if is_safe_path(permalink.lstrip("/")) else ""
    if permalink:
        path = permalink.strip("/") + ("" if permalink.endswith(".html") else "/")
    else:
        path = f"{slug}/" if is_page else f"posts/{slug}/"
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
    of_project = project.generator.dialect
    if of_project == "quarto" or source.path.suffix.lower() == QUARTO_SUFFIX:
        return "quarto"
    if source.kind == "notebook":
        return "notebook"
    return of_project or ("hugo" if form in ("toml", "json") or has_shortcode(raw) else "kramdown")


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


def all_text(post: SourcePost) -> str:
    """Return the whole Markdown of a post, cells of a notebook included."""
    cells = post.notebook.cells if post.notebook else ()
    return "\n".join([join_lines(post.body), *(join_lines(cell.lines) for cell in cells if cell.kind == "markdown")])
