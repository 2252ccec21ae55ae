"""Static site generators: which files their projects have, what these become, and their old URLs."""

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
from site_builder.importer.lines import Dialect
from site_builder.project.config import read_bytes, text_of
from site_builder.project.posts import slugged
from site_builder.project.yaml_reader import read_yaml

MARKDOWN = (".md", ".markdown", ".mkdown", ".mkdn", ".mkd")
QUARTO_SUFFIX = ".qmd"
NOTEBOOK_SUFFIX = ".ipynb"
UNUSED = "not shown by or linked from an imported post"
BUILT = "this page is made by the builder itself"
OUTPUT = "the old blog's output, made from its sources"
_LAYOUTS = "layouts and styles: pages here have those of templates/"
_DATA = "data files and plugins of the old blog are not run here"
Kind = Literal["post", "draft", "page", "notebook"]


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


class SiteGenerator:
    """A static site generator; this class itself is for files outside of all projects.

    dialect: of its Markdown; None if that depends on the file. suffixes: of its texts. settings_files: paths below the
    root, of which the first that exists is read. tex_folders: those in which MathJax may be configured. folders: those
    that are not searched, each with the reason.
    """

    dialect: Dialect | None = None
    suffixes: tuple[str, ...] = (*MARKDOWN, QUARTO_SUFFIX)
    settings_files: tuple[str, ...] = ()
    tex_folders: tuple[str, ...] = ()
    folders: Mapping[str, str] = {}

    def root_of(self, path: Path) -> Path | None:
        """Return the root of the project to which a path belongs: the nearest folder with settings; None if none."""
        return next((folder for folder in (path, *path.parents) if self._settings_path(folder)), None)

    def read_settings(self, root: Path) -> Mapping[str, Any]:
        """Return the settings of a project; empty if it has none. Raises SiteError if they cannot be read."""
        file = self._settings_path(root)
        if file is None:
            return {}
        name = file.relative_to(root).as_posix()
        return self._parsed(text_of(read_bytes(file, name), name), name)

    def _settings_path(self, root: Path) -> Path | None:
        files = (root / name for name in self.settings_files)
        return next((file for file in files if file.is_file() and self._is_settings_file(root, file)), None)

    def _is_settings_file(self, root: Path, file: Path) -> bool:
        return True

    def _parsed(self, text: str, path: str) -> Mapping[str, Any]:
        return read_yaml(text, path).said

    def reason_to_skip(self, file: Path, relative_path: str) -> str:
        """Return why a file is neither post nor page; empty if it may be one."""
        return ""

    def is_bundle(self, relative_path: str) -> bool:
        """Return True when an index file has the name of its folder."""
        return "/" in relative_path

    def is_page(self, file: Path, relative_path: str, is_alone: bool) -> bool:
        """Return True when a text is a page. is_alone: whether it is imported by itself."""
        return False

    def old_url(
        self, source: SourceFile, date: datetime | None, front: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> str:
        """Return the URL of a file in the old site; empty if it is unknown."""
        return ""


def _site_address(url: Any) -> dict[str, str]:
    """The address of a site in two parts, as Jekyll has them: `url` without a path, and the path `baseurl`."""
    parts = urlsplit(str(url or ""))
    address = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
    return {"url": address, "baseurl": parts.path.strip("/")}


def filled_permalink(
    permalink: str, source: SourceFile, date: datetime | None, front: Mapping[str, Any], more: Mapping[str, str] = {}
) -> str:
    """Return a permalink, or that of a named style of Jekyll, with its placeholders filled; empty if one is unknown."""
    name = str(front.get("slug") or source.name)
    categories = front.get("categories") or front.get("category") or []
    categories = categories if isinstance(categories, list) else str(categories).split()
    values = {"title": name, "slug": slugged(name), "output_ext": ".html"}
    values["categories"] = "/".join(slugged(str(each)) for each in categories)
    if date:
        values |= {"year": f"{date:%Y}", "month": f"{date:%m}", "day": f"{date:%d}", "short_year": f"{date:%y}"}
        values |= {"i_month": str(date.month), "i_day": str(date.day), "y_day": f"{date:%j}"}
    values |= more
    permalink = _JEKYLL_STYLES.get(permalink, permalink)
    placeholders = re.findall(r":([a-z_]+)", permalink)
    if not permalink or any(each not in values for each in placeholders):
        return ""
    return re.sub("/+", "/", "/" + re.sub(r":([a-z_]+)", lambda found: values[found[1]], permalink))


_JEKYLL_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}


class Jekyll(SiteGenerator):
    """Projects with _config.yml or _posts."""

    dialect: Dialect | None = "kramdown"
    suffixes = MARKDOWN
    settings_files = ("_config.yml", "_config.yaml")
    tex_folders = ("_layouts", "_includes", "assets", "js")
    folders: Mapping[str, str] = {
        "_site": OUTPUT,
        **dict.fromkeys(("_layouts", "_includes", "_sass"), _LAYOUTS),
        **dict.fromkeys(("_data", "_plugins"), _DATA),
    }

    def root_of(self, path: Path) -> Path | None:
        """Return the root of a project, which may have no settings."""
        inside = next((each for each in (path, *path.parents) if each.name in ("_posts", "_drafts")), None)
        without_settings = inside.parent if inside else path if (path / "_posts").is_dir() else None
        return super().root_of(path) or without_settings

    def reason_to_skip(self, file: Path, relative_path: str) -> str:
        """Return why a file is neither post nor page: it has no front matter, or belongs to a collection."""
        folders = relative_path.split("/")[:-1]
        if file.suffix.lower() not in MARKDOWN or {"_posts", "_drafts", "assets"} & set(folders):
            return ""
        if not (file.is_file() and re.match(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n", file.read_bytes()[:100])):
            return "without front matter, Jekyll makes no page of it"
        if any(folder.startswith("_") for folder in folders):
            return "it stands in a collection; import it by its name if it is a post"
        return ""

    def is_bundle(self, relative_path: str) -> bool:
        """Return False: index.md has its own name in Jekyll."""
        return False

    def is_page(self, file: Path, relative_path: str, is_alone: bool) -> bool:
        """Return True outside of _posts."""
        return not is_alone and "_posts" not in relative_path.split("/")

    def old_url(
        self, source: SourceFile, date: datetime | None, front: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> str:
        """Return the URL according to the permalink of the settings."""
        style = str(settings.get("permalink") or "date")
        if source.kind == "page":
            ending = "/" if _JEKYLL_STYLES.get(style, style).endswith("/") else ".html"
            return f"/{PurePosixPath(source.relative_path).with_suffix('')}{ending}"
        return filled_permalink(style, source, date, front)


class Hugo(SiteGenerator):
    """Projects with hugo.toml or config.toml, and with content/."""

    dialect: Dialect | None = "hugo"
    settings_files = tuple(
        f"{folder}{name}{suffix}"
        for folder, name in (("", "hugo"), ("config/_default/", "hugo"), ("config/_default/", "config"), ("", "config"))
        for suffix in (".toml", ".yaml", ".yml")
    )
    tex_folders = ("layouts", "assets", "static", "themes")
    folders: Mapping[str, str] = {
        **dict.fromkeys(("layouts", "themes", "archetypes"), _LAYOUTS),
        **dict.fromkeys(("public", "resources"), OUTPUT),
        **dict.fromkeys(("data", "i18n"), _DATA),
    }

    def _is_settings_file(self, root: Path, file: Path) -> bool:
        """True when it is named hugo, or has a key of Hugo, for other programs have a config.yaml too."""
        keys = rb"^\s*[\"']?(?i:baseURL|languageCode)[\"']?\s*[:=]"
        is_named = file.stem == "hugo"
        return (root / "content").is_dir() and (is_named or bool(re.search(keys, file.read_bytes(), re.MULTILINE)))

    def _parsed(self, text: str, path: str) -> Mapping[str, Any]:
        """The address, permalinks (section -> style), and single_dollars, whether these enclose TeX."""
        try:
            data = tomllib.loads(text) if path.endswith(".toml") else read_yaml(text, path).said
        except (ValueError, RecursionError) as error:
            raise SiteError(Place(path), f"these settings cannot be read: {error}", "correct them") from error
        keys = {key.lower(): value for key, value in data.items()}
        styles = _inside(keys, "permalinks")
        styles = _inside(styles, "page") or styles
        inline = _inside(keys, "markup", "goldmark", "extensions", "passthrough", "delimiters").get("inline")
        return {
            **_site_address(keys.get("baseurl")),
            "permalinks": {key: value for key, value in styles.items() if isinstance(value, str)},
            "single_dollars": isinstance(inline, list) and ["$", "$"] in inline,
        }

    def reason_to_skip(self, file: Path, relative_path: str) -> str:
        """Return why a file is neither post nor page: it is no Markdown file in content/, or a list or part."""
        path, suffix = PurePosixPath(relative_path), file.suffix.lower()
        if path.parts[0] != "content":
            is_file_of_site = path.parts[0] in ("static", "assets")
            return UNUSED if is_file_of_site else "not in content/ or static/: Hugo makes no page of it"
        if path.stem == "_index":
            return BUILT
        if suffix in (".org", ".adoc", ".rst", ".html"):
            return f"no posts are made of files of the kind {suffix}; pandoc --to gfm converts it to Markdown"
        is_part = suffix == ".md" and path.stem != "index" and len(path.parts) > 2
        if is_part and (file.parent / "index.md").is_file():
            return "a part of the page index.md beside it, of which Hugo makes no page"
        return ""

    def is_bundle(self, relative_path: str) -> bool:
        """Return True for an index file in a folder of content/."""
        return "/" in relative_path.removeprefix("content/")

    def is_page(self, file: Path, relative_path: str, is_alone: bool) -> bool:
        """Return True when a file belongs to no section: content/about.md, content/about/index.md."""
        parts = PurePosixPath(relative_path).parts
        is_bundle = len(parts) == 3 and parts[2].startswith("index.")
        return parts[0] == "content" and (len(parts) == 2 or is_bundle)

    def old_url(
        self, source: SourceFile, date: datetime | None, front: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> str:
        """Return the URL according to the permalinks of the settings."""
        path = PurePosixPath(source.relative_path)
        name = f"{source.date}-{source.name}" if source.date not in ("", source.name) else source.name
        folders = list(path.parts[1:-1])
        if path.stem == "index" and folders:
            folders.pop()
        own, title = str(front.get("slug") or ""), slugged(str(front.get("title") or name))
        style = settings.get("permalinks", {}).get(folders[0] if folders else "", "")
        if not style:
            return "/" + "/".join([*map(str.lower, folders), slugged(own or name)]) + "/"
        values = {"section": (folders or [""])[0], "sections": "/".join(folders), "title": title}
        values |= {"slug": slugged(own) or title}
        values |= dict.fromkeys(("filename", "contentbasename"), slugged(name))
        values |= dict.fromkeys(("slugorfilename", "slugorcontentbasename"), slugged(own or name))
        return filled_permalink(style.rstrip("/") + "/", source, date, front, values).lower()


def _inside(data: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """The mapping under nested keys; empty if there is none."""
    for key in keys:
        value = data.get(key)
        data = value if isinstance(value, dict) else {}
    return data


class Quarto(SiteGenerator):
    """Projects with _quarto.yml."""

    dialect: Dialect | None = "quarto"
    settings_files = ("_quarto.yml", "_quarto.yaml")
    folders: Mapping[str, str] = {
        "_site": OUTPUT,
        "_freeze": "outputs of cells, which are not computed here",
        "_extensions": _LAYOUTS,
    }

    def _parsed(self, text: str, path: str) -> Mapping[str, Any]:
        """The address, and the output folder."""
        data = read_yaml(text, path).said
        address = _site_address(_inside(data, "website").get("site-url"))
        return {**address, "output": str(_inside(data, "project").get("output-dir") or "_site").strip("/")}

    def reason_to_skip(self, file: Path, relative_path: str) -> str:
        """Return why a file is no page: a part of its path begins with _."""
        is_part = any(part.startswith("_") for part in PurePosixPath(relative_path).parts)
        return "Quarto makes no page of a file whose path has a name that begins with _" if is_part else ""

    def is_page(self, file: Path, relative_path: str, is_alone: bool) -> bool:
        """Return True when a file stands in the project's own folder, and has no date."""
        return "/" not in relative_path and not re.search(rb"^date\s*:", file.read_bytes()[:4096], re.MULTILINE)

    def old_url(
        self, source: SourceFile, date: datetime | None, front: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> str:
        """Return the URL: /posts/a/ for posts/a/index.qmd, else /posts/a.html."""
        path = PurePosixPath(source.relative_path).with_suffix("")
        return f"/{path.parent}/".replace("/./", "/") if path.name == "index" else f"/{path}.html"


GENERATORS = (Jekyll(), Hugo(), Quarto())
NONE = SiteGenerator()


def generator_of(path: Path) -> tuple[Path | None, SiteGenerator]:
    """Return the project to which a path belongs: its root and generator; the root is None outside of all projects."""
    found = [(root, each) for each in GENERATORS if (root := each.root_of(path.absolute()))]
    return max(found, key=lambda each: len(each[0].parts), default=(None, NONE))


def is_inside(file: Path, folder: Path) -> bool:
    """Return True when a file is in a folder once links are followed."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))
