"""Finds the project of Jekyll, Hugo or Quarto to which a path belongs, and reads the posts in it."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from site_builder.errors import Place, SiteError, UsageError
from site_builder.extensions.importing.conversion import Dialect
from site_builder.extensions.importing.front_matter import parse_date, read_toml, read_yaml_front, split_source
from site_builder.extensions.importing.notebooks import Notebook, read_notebook
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import is_safe_path, slugged
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
_DATED_NAME = re.compile(r"(\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+(.+))?$")
_PLACEHOLDER = re.compile(r":([a-z_]+)")
_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
"""The named permalinks of Jekyll."""
_DATE_PARTS = {"year": "Y", "short_year": "y", "month": "m", "i_month": "-m", "day": "d", "i_day": "-d", "y_day": "j"}


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

    sources: the files to import; skipped: paths, for messages, of what is not imported or not searched.
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
    return read_toml(text, file.name) if file.suffix == ".toml" else dict(read_yaml(text, file.name).keys_with_values)


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


@dataclass(frozen=True)
class SourcePost:
    """A post that was read.

    dialect: of its front matter, and of its text unless that is a notebook. front: its front matter, the keys in small
    letters. raw: the text of the file; body: its Markdown, empty for a notebook. name: its own without the date;
    has_date: whether that was in it. path: in the site. permalink: its own, with placeholders filled, if it can be
    used. old_url: its URL in the old blog; empty if unknown. target: its file below content/ without suffix.
    """

    source: SourceFile
    dialect: Dialect
    front: Mapping[str, Any]
    raw: str
    body: str
    notebook: Notebook | None
    date: datetime | None
    name: str
    has_date: bool
    path: str
    permalink: str
    old_url: str
    target: str


def read_source(source: SourceFile, project: SourceProject, default_date: str) -> SourcePost:
    """Read a file. default_date: of a post without one. Raises SiteError."""
    raw = text_of(read_bytes(source.path, source.display_path), source.display_path)
    if not raw.strip():
        raise SiteError(Place(source.display_path), "this file is empty", "delete it, or write something into it")
    form, body, notebook = "", "", None
    if source.path.suffix.lower() == ".ipynb":
        notebook = read_notebook(raw, source.display_path)
        front = read_yaml_front(notebook.settings, source.display_path, 1)
    else:
        form, front, body = split_source(raw, source.display_path)
    dated = None if source.is_page else _DATED_NAME.match(source.name)
    name = (dated[2] if dated else "") or source.name
    candidates = [front.get("date"), front.get("publishdate"), dated and dated[1]]
    candidates += [] if source.is_page else [default_date]
    date = next(filter(None, map(parse_date, candidates)), None)
    if date is None and not source.is_page:
        raise SiteError(Place(source.display_path), "no date is known of it", "give one, such as --date 2026-11-20")
    slug = slugged(str(front.get("slug") or name))
    permalink, old_url = _addresses(source, name, date, front, project)
    has_date = bool(dated and dated[2]) and notebook is None
    stem = f"{dated[1]}-{name}" if dated and has_date else slug if notebook or not dated else source.name
    return SourcePost(
        source=source,
        dialect=_dialect(source, project, form),
        front=front,
        raw=raw,
        body=body,
        notebook=notebook,
        date=date,
        name=name,
        has_date=has_date,
        path=permalink.lstrip("/") or (f"{slug}/" if source.is_page else f"posts/{slug}/"),
        permalink=permalink,
        old_url=old_url if project.settings and not notebook else "",
        target=f"pages/{source.name}" if source.is_page else f"posts/{stem}",
    )


def _dialect(source: SourceFile, project: SourceProject, form: str) -> Dialect:
    """The dialect of a source; of a notebook that of its front matter. form: of the front matter."""
    if project.dialect == "quarto" or source.path.suffix.lower() == ".qmd":
        return "quarto"
    if source.path.suffix.lower() == ".ipynb":
        return "notebook"
    return project.dialect or ("hugo" if form == "toml" else "kramdown")


def _addresses(
    source: SourceFile, name: str, date: datetime | None, front: Mapping[str, Any], project: SourceProject
) -> tuple[str, str]:
    """The permalink of a post if it can be used, and its URL in the old site; empty where they are unknown."""
    inside, settings = source.inside, project.settings
    categories = front.get("categories") or front.get("category") or []
    categories = categories if isinstance(categories, list) else str(categories).split()
    values = {
        "title": str(front.get("slug") or name),
        "categories": "/".join(slugged(str(each)) for each in categories),
    }
    values["slug"] = slugged(values["title"])
    values |= {key: f"{date:%{form}}" for key, form in _DATE_PARTS.items()} if date else {}
    own = str(front.get("permalink") or (front.get("url") if project.dialect == "hugo" else "") or "")
    permalink = _filled(own, values)
    permalink = f"{permalink.rstrip('/')}/" if permalink and not permalink.endswith(".html") else permalink
    style = str(settings.get("permalink") or "date")
    if project.dialect == "quarto":
        url = f"/{inside.parent}/".replace("/./", "/") if inside.stem == "index" else f"/{inside.with_suffix('.html')}"
    elif project.dialect == "hugo":
        style, more = _style_of_hugo(source, front, settings)
        url = _filled(style, values | more).lower()
    else:
        url = _filled(style, values) if style in _STYLES or ":" in style else ""
    return permalink if is_safe_path(permalink.lstrip("/")) else "", permalink if own else url


def _filled(permalink: str, values: Mapping[str, str]) -> str:
    """A permalink, or that of a named style of Jekyll, with its placeholders filled; empty if one is unknown."""
    permalink = _STYLES.get(permalink, permalink)
    if not permalink or any(each not in values for each in _PLACEHOLDER.findall(permalink)):
        return ""
    return re.sub("/+", "/", "/" + _PLACEHOLDER.sub(lambda found: values[found[1]], permalink))


def _style_of_hugo(
    source: SourceFile, front: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[str, dict[str, str]]:
    """The permalink of a section in the settings, of which Hugo has two forms, and the values in it."""
    inside, name = source.inside, slugged(source.name)
    folders = inside.parts[1 : -2 if inside.stem == "index" else -1]
    slug, title = slugged(str(front.get("slug") or "")), slugged(str(front.get("title") or source.name))
    styles = settings.get("permalinks") or {}
    style = styles.get("page", styles).get("".join(folders[:1])) or "/:sections/:slugorfilename/"
    values = {"section": "".join(folders[:1]), "sections": "/".join(folders), "title": title, "slug": slug or title}
    return f"{style}/", values | {"filename": name, "contentbasename": name, "slugorfilename": slug or name}
