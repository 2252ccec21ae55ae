"""Static site generators: their settings, which files are posts or pages, and their old URLs."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from urllib.parse import urlsplit

from site_builder.errors import Place, SiteError
from site_builder.extensions.importing.lines import Dialect
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import slugged
from site_builder.project.yaml_reader import read_yaml

_BUILT_PAGES = ("index", "404", "archive", "archives", "tags", "categories", "search", "feed")
_BUILT = "this page is made by the builder itself"
_UNUSED = "neither a post nor shown by or linked from one"
_NOT_SEARCHED = "no posts are looked for there"
_SUFFIXES = (".md", ".markdown", ".mkdown", ".mkd", ".qmd", ".ipynb")
_PLACEHOLDER = re.compile(r":([a-z_]+)")
_SINGLE_DOLLARS = re.compile(
    r"\[\s*[\"']\$[\"']\s*,\s*[\"']\$[\"']\s*\]|\bleft[\"']?\s*:\s*[\"']\$[\"']"  # of MathJax or Hugo, of KaTeX
)
_LARGEST_SCRIPT = 2**20  # bytes of a file in which MathJax may be configured
_HUGO = re.compile(rb"^\s*[\"']?(?i:baseURL|languageCode)[\"']?\s*[:=]", re.MULTILINE)
_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
"""The named permalinks of Jekyll."""
Kind = Literal["post", "draft", "page", "notebook"]
Front = Mapping[str, Any]


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
class Generator:
    """A static site generator. settings_files: paths below the root, of which the first that exists is read.

    script_folders: those in which MathJax may be configured.
    """

    dialect: Dialect | None = None  # of its Markdown; None if that depends on the file
    settings_files: tuple[str, ...] = ()
    script_folders: tuple[str, ...] = ()

    def root_of(self, path: Path) -> Path | None:
        """Return the root of the project to which a path belongs: the nearest folder with settings; None if none."""
        folders = (path, *path.parents)
        if root := next((folder for folder in folders if self.settings_path(folder)), None):
            return root
        inside = next((each for each in folders if each.name in ("_posts", "_drafts")), path / "_posts")
        return inside.parent if self.dialect == "kramdown" and inside.is_dir() else None

    def settings_path(self, root: Path) -> Path | None:
        """Return the file of settings; None if there is none. Other programs than Hugo have a config.yaml too."""
        files = [file for name in self.settings_files if (file := root / name).is_file()]
        if self.dialect == "hugo":
            is_hugo = (root / "content").is_dir()
            files = [file for file in files if is_hugo and (file.stem == "hugo" or _HUGO.search(file.read_bytes()))]
        return files[0] if files else None

    def settings(self, root: Path) -> Mapping[str, Any]:
        """Return the settings of a project; empty without a file. Raises SiteError if they cannot be read."""
        file = self.settings_path(root)
        if file is None:
            return {}
        name = file.relative_to(root).as_posix()
        text = text_of(read_bytes(file, name), name)
        if not name.endswith(".toml"):
            return dict(read_yaml(text, name).said)
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise SiteError(Place(name), f"these settings cannot be read: {error}", "correct them") from error

    def reason_to_skip(self, file: Path, relative_path: str) -> str:
        """Return why a file is neither post, page nor notebook; empty if it is one."""
        path = PurePosixPath(relative_path)
        if file.suffix.lower() not in _SUFFIXES or "assets" in path.parts[:-1]:
            return _UNUSED
        if self.dialect == "kramdown" and path.parts[0] not in ("_posts", "_drafts") and not _has_front_matter(file):
            return "without front matter, Jekyll makes no page of it"
        is_in_section = self.dialect == "hugo" and len(path.parts) > 2
        if is_in_section and path.stem != "index" and (file.parent / "index.md").is_file():
            return "a part of the page index.md beside it, of which Hugo makes no page"
        if path.stem == "_index" or (self.is_page(file, relative_path, False) and self.name(path) in _BUILT_PAGES):
            return _BUILT
        is_outside = self.dialect == "hugo" and path.parts[0] != "content"
        return _UNUSED if is_outside or path.name.startswith("_") else ""

    def name(self, path: PurePosixPath) -> str:
        """Return the name of a file without suffix; an index file has the name of its folder."""
        top = 2 if self.dialect == "hugo" else 1
        is_bundle = path.stem == "index" and len(path.parts) > top and self.dialect != "kramdown"
        return path.parent.name if is_bundle else path.stem

    def is_page(self, file: Path, relative_path: str, is_alone: bool) -> bool:
        """Return True when a text is a page and no post. is_alone: it is imported by itself."""
        parts = relative_path.split("/")
        if self.dialect == "kramdown":
            return not is_alone and not any(part.startswith("_") for part in parts)
        if self.dialect == "hugo":  # it belongs to no section
            return parts[0] == "content" and (len(parts) == 2 or (len(parts) == 3 and parts[2].startswith("index.")))
        is_at_top = self.dialect == "quarto" and len(parts) == 1 and file.is_file()
        return is_at_top and not re.search(rb"^date\s*:", file.read_bytes()[:4096], re.MULTILINE)

    def old_url(self, source: SourceFile, date: datetime | None, front: Front, settings: Mapping[str, Any]) -> str:
        """Return the URL of a file in the old site; empty if it is unknown."""
        path = PurePosixPath(source.relative_path)
        if self.dialect == "hugo":
            return _url_of_hugo(path, source, date, front, settings)
        if self.dialect == "quarto":
            return f"/{path.parent}/".replace("/./", "/") if path.stem == "index" else f"/{path.with_suffix('.html')}"
        style = str(settings.get("permalink") or "date")
        if source.kind == "page":
            ending = "/" if _STYLES.get(style, style).endswith("/") else ".html"
            return f"/{path.with_suffix('')}{ending}"
        return filled_permalink(style, source, date, front)


def _has_front_matter(file: Path) -> bool:
    return file.is_file() and bool(re.match(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n", file.read_bytes()[:100]))


def filled_permalink(
    permalink: str, source: SourceFile, date: datetime | None, front: Front, more: Mapping[str, str] = {}
) -> str:
    """Return a permalink, or that of a named style of Jekyll, with its placeholders filled; empty if one is unknown."""
    name = str(front.get("slug") or source.name)
    categories = front.get("categories") or front.get("category") or []
    categories = categories if isinstance(categories, list) else str(categories).split()
    values = {"title": name, "slug": slugged(name), "categories": "/".join(slugged(str(each)) for each in categories)}
    if date:
        values |= {"year": f"{date:%Y}", "month": f"{date:%m}", "day": f"{date:%d}", "y_day": f"{date:%j}"}
    values |= more
    permalink = _STYLES.get(permalink, permalink)
    if not permalink or any(each not in values for each in _PLACEHOLDER.findall(permalink)):
        return ""
    return re.sub("/+", "/", "/" + _PLACEHOLDER.sub(lambda found: values[found[1]], permalink))


def _url_of_hugo(
    path: PurePosixPath, source: SourceFile, date: datetime | None, front: Front, settings: Mapping[str, Any]
) -> str:
    """The URL according to `permalinks` of the settings, of which Hugo has two forms."""
    file_name = f"{source.date}-{source.name}" if source.date not in ("", source.name) else source.name
    folders = list(path.parts[1:-1])[: -1 if path.stem == "index" else None]
    own, title = slugged(str(front.get("slug") or "")), slugged(str(front.get("title") or file_name))
    styles = settings.get("permalinks")
    styles = styles.get("page", styles) if isinstance(styles, dict) else {}
    style = styles.get(folders[0] if folders else "") if isinstance(styles, dict) else ""
    if not isinstance(style, str) or not style:
        return "/" + "/".join([*map(str.lower, folders), own or slugged(file_name)]) + "/"
    values = {"section": (folders or [""])[0], "sections": "/".join(folders), "title": title, "slug": own or title}
    values |= dict.fromkeys(("filename", "contentbasename"), slugged(file_name))
    values |= dict.fromkeys(("slugorfilename", "slugorcontentbasename"), own or slugged(file_name))
    return filled_permalink(style.rstrip("/") + "/", source, date, front, values).lower()


_CONFIG = ("hugo", "config", "config/_default/hugo", "config/_default/config")
GENERATORS = (
    Generator("kramdown", ("_config.yml", "_config.yaml"), ("_layouts", "_includes", "assets", "js")),
    Generator(
        "hugo",
        tuple(f"{name}{suffix}" for name in _CONFIG for suffix in (".toml", ".yaml", ".yml")),
        ("layouts", "assets", "static", "themes"),
    ),
    Generator("quarto", ("_quarto.yml", "_quarto.yaml")),
)


def generator_of(path: Path) -> tuple[Path | None, Generator]:
    """Return the project to which a path belongs: its root and generator; the root is None outside of all projects."""
    found = [(root, each) for each in GENERATORS if (root := each.root_of(path.absolute()))]
    return max(found, key=lambda each: len(each[0].parts), default=(None, Generator()))


def site_address(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return the address of a site without a path, and the path below it, without slashes."""
    lower, website = {key.lower(): value for key, value in settings.items()}, settings.get("website")
    base = str(lower.get("baseurl") or "")
    if url := str(lower.get("url") or ""):  # of Jekyll
        return url.rstrip("/"), base.strip("/")
    parts = urlsplit(str(website.get("site-url") or "") if isinstance(website, dict) else base)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else "", parts.path.strip("/")


def has_single_dollars(root: Path, generator: Generator) -> bool:
    """Return True when MathJax, KaTeX or Hugo is configured to read TeX between single dollars."""
    folders = [root / name for name in generator.script_folders]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".html", ".js")]
    files += [file for file in [generator.settings_path(root)] if file]
    return any(
        _SINGLE_DOLLARS.search(file.read_text("utf-8", "replace"))
        for file in files
        if file.is_file() and file.stat().st_size < _LARGEST_SCRIPT
    )


def folder_reason(path: Path, relative_path: str, generator: Generator, output: str) -> str:
    """Return why a folder is not searched; empty if it is. output: the folder of the old blog's output."""
    top, name = relative_path.split("/")[0], path.name
    if path.is_symlink():
        return "links to folders are not followed"
    is_hugo = generator.dialect == "hugo"
    is_hidden = name.startswith("." if is_hugo else (".", "_")) and name not in ("_posts", "_drafts")
    is_outside = is_hugo and top not in ("content", "static", "assets", "config")
    is_other = name in ("node_modules", "vendor") or relative_path == output
    return _NOT_SEARCHED if is_hidden or is_outside or is_other else ""


def is_inside(file: Path, folder: Path) -> bool:
    """Return True when a file is in a folder once links are followed."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))
