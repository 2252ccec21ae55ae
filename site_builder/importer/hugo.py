"""Projects of Hugo: their root and settings, what they make of their files, and the targets of references."""

import json
import posixpath
import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from site_builder.errors import Place, SiteError
from site_builder.importer.long_numbers import long_number_error
from site_builder.importer.skipped_files import BUILT, HIDDEN, LAYOUTS, OUTPUT, UNUSED
from site_builder.project.config import read_bytes, text_of
from site_builder.project.yaml_reader import read_yaml

_DATA = "data files and translations of the old blog are not read here"
FOLDERS_LEFT_OUT: Mapping[str, str] = {
    **dict.fromkeys(("layouts", "themes", "archetypes"), LAYOUTS),
    **dict.fromkeys(("public", "resources"), OUTPUT),
    **dict.fromkeys(("data", "i18n"), _DATA),
}
_ENDINGS = ("", ".md", "/index.md", "/_index.md", ".markdown")
_OTHER_MARKUP = (".org", ".adoc", ".asciidoc", ".rst", ".pdc", ".pandoc")
HUGO_SETTINGS = tuple(
    f"{folder}{name}{suffix}"
    for folder, name in (("", "hugo"), ("config/_default/", "hugo"), ("config/_default/", "config"), ("", "config"))
    for suffix in (".toml", ".yaml", ".yml", ".json")
)
_KEY_OF_HUGO = re.compile(rb"^\s*[\"']?(baseURL|languageCode)[\"']?\s*[:=]", re.IGNORECASE | re.MULTILINE)


def hugo_root(path: Path) -> Path | None:
    """Return the root of the Hugo project to which a path belongs: the nearest folder with its settings."""
    return next((folder for folder in (path, *path.parents) if _settings_file(folder)), None)


def _settings_file(root: Path) -> Path | None:
    """The file with the settings; a config.yaml with a key of Hugo, for other programs have such a file too."""
    if not (root / "content").is_dir():
        return None
    for path in (root / name for name in HUGO_SETTINGS):
        if path.is_file() and (path.stem == "hugo" or _KEY_OF_HUGO.search(path.read_bytes())):
            return path
    return None


def hugo_settings(root: Path) -> Mapping[str, Any]:
    """Return url and baseurl as Jekyll has them, permalinks (section -> style), uglyurls, params, single_dollars.

    params: with names in small letters; single_dollars: whether they enclose TeX. Raises SiteError if the settings
    cannot be read.
    """
    path = _settings_file(root)
    if path is None:
        return {}
    name = path.relative_to(root).as_posix()
    text = text_of(read_bytes(path, name), name)
    try:
        if path.suffix == ".toml":
            data: Any = tomllib.loads(text)
        else:
            data = json.loads(text) if path.suffix == ".json" else read_yaml(text, name).said
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise SiteError(Place(name), f"these settings cannot be read: {error}", "correct them") from error
    except ValueError as error:
        raise long_number_error(text, name, 1) from error
    keys = {key.lower(): value for key, value in data.items()} if isinstance(data, dict) else {}
    parts = urlsplit(str(keys.get("baseurl") or ""))
    styles = _inside(keys, "permalinks")
    styles = _inside(styles, "page") or styles
    passthrough = _inside(keys, "markup", "goldmark", "extensions", "passthrough", "delimiters").get("inline")
    return {
        "url": f"{parts.scheme}://{parts.netloc}" if parts.netloc else "",
        "baseurl": parts.path.strip("/"),
        "permalinks": {key: value for key, value in styles.items() if isinstance(value, str)},
        "uglyurls": keys.get("uglyurls") is True,
        "params": {key.lower(): value for key, value in _inside(keys, "params").items()},
        "single_dollars": isinstance(passthrough, list) and ["$", "$"] in passthrough,
    }


def _inside(data: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """The mapping under nested keys; empty if there is none."""
    for key in keys:
        value = data.get(key)
        data = value if isinstance(value, dict) else {}
    return data


def hugo_reason(file: Path, relative_path: str) -> str:
    """Return the reason why a file of the project is no page; empty for one that may be a page, or a notebook."""
    path = PurePosixPath(relative_path)
    if path.name.startswith("."):
        return HIDDEN
    if path.parts[0] != "content":
        is_file_of_site = path.parts[0] in ("static", "assets")
        return UNUSED if is_file_of_site else "not in content/ or static/: Hugo makes no page of it"
    if path.stem == "_index":
        return BUILT
    if path.suffix.lower() in _OTHER_MARKUP:
        return f"no posts are made of files of the kind {path.suffix}; pandoc --to gfm converts it to Markdown"
    if path.suffix.lower() == ".qmd":
        return "Hugo shows the .md that Quarto makes of it; import it by its name if there is none"
    if path.suffix.lower() in (".html", ".htm") and file.read_bytes()[:3] in (b"---", b"+++"):
        return "no posts are made of pages in HTML; write the text as Markdown"
    is_resource = path.suffix.lower() == ".md" and not path.name.startswith("index.")
    if is_resource and len(path.parts) > 2 and (file.parent / "index.md").is_file():
        return "a part of the page index.md beside it, of which Hugo makes no page"
    return ""


def is_hugo_page(relative_path: str) -> bool:
    """Whether a file in content/ belongs to no section: content/about.md, content/about/index.md."""
    parts = PurePosixPath(relative_path).parts
    is_bundle = len(parts) == 3 and parts[2].startswith("index.")
    return parts[0] == "content" and (len(parts) == 2 or is_bundle)


def referenced_file(written: str, page: str, files: Collection[str]) -> str | None:
    """Return the file to which ref or relref leads: its path below the root; None if there is none.

    page, files: paths of the page with the reference and of all pages, below the root.
    """
    wanted = written.strip("/")
    folders = ["content", ""] if written.startswith("/") else [posixpath.dirname(page), "content", ""]
    for folder in folders:
        path = posixpath.normpath(posixpath.join(folder, wanted))
        if found := next((path + ending for ending in _ENDINGS if path + ending in files), None):
            return found
    named = (each for each in sorted(files) if any(f"/{each}".endswith(f"/{wanted}{ending}") for ending in _ENDINGS))
    return next(named, None)
