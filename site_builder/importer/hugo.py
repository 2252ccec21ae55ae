"""Projects of Hugo: their settings, what it makes of their files, their URLs, and the targets of references."""

import json
import posixpath
import re
import tomllib
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.importer.long_numbers import long_number_error
from site_builder.importer.site_generator import (
    QUARTO_SUFFIX,
    SiteGenerator,
    SourceFile,
    fill_placeholders,
    site_address,
)
from site_builder.importer.skipped_files import BUILT, LAYOUTS, OUTPUT, UNUSED
from site_builder.project.posts import slugged
from site_builder.project.yaml_reader import read_yaml

_DATA = "data files and translations of the old blog are not read here"
_FOLDERS_LEFT_OUT: Mapping[str, str] = {
    **dict.fromkeys(("layouts", "themes", "archetypes"), LAYOUTS),
    **dict.fromkeys(("public", "resources"), OUTPUT),
    **dict.fromkeys(("data", "i18n"), _DATA),
}
_ENDINGS = ("", ".md", "/index.md", "/_index.md", ".markdown")
_OTHER_MARKUP = (".org", ".adoc", ".asciidoc", ".rst", ".pdc", ".pandoc")
_SETTINGS_FILES = tuple(
    f"{folder}{name}{suffix}"
    for folder, name in (("", "hugo"), ("config/_default/", "hugo"), ("config/_default/", "config"), ("", "config"))
    for suffix in (".toml", ".yaml", ".yml", ".json")
)
_KEY_OF_HUGO = re.compile(rb"^\s*[\"']?(baseURL|languageCode)[\"']?\s*[:=]", re.IGNORECASE | re.MULTILINE)


def _is_settings_file(root: Path, file: Path) -> bool:
    """True when it is named hugo, or has a key of Hugo, for other programs have a config.yaml too."""
    return (root / "content").is_dir() and (file.stem == "hugo" or bool(_KEY_OF_HUGO.search(file.read_bytes())))


def _parse_settings(text: str, path: str) -> Mapping[str, Any]:
    """The address, permalinks (section -> style), uglyurls, params, single_dollars. Raises SiteError.

    params: with names in small letters; single_dollars: whether they enclose TeX.
    """
    try:
        if path.endswith(".toml"):
            data: Any = tomllib.loads(text)
        else:
            data = json.loads(text) if path.endswith(".json") else read_yaml(text, path).said
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise SiteError(Place(path), f"these settings cannot be read: {error}", "correct them") from error
    except ValueError as error:
        raise long_number_error(text, path, 1) from error
    keys = {key.lower(): value for key, value in data.items()} if isinstance(data, dict) else {}
    styles = _inside(keys, "permalinks")
    styles = _inside(styles, "page") or styles
    passthrough = _inside(keys, "markup", "goldmark", "extensions", "passthrough", "delimiters").get("inline")
    return {
        **site_address(keys.get("baseurl")),
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


def _reason_to_skip(file: Path, relative_path: str) -> str:
    path = PurePosixPath(relative_path)
    if path.parts[0] != "content":
        is_file_of_site = path.parts[0] in ("static", "assets")
        return UNUSED if is_file_of_site else "not in content/ or static/: Hugo makes no page of it"
    if path.stem == "_index":
        return BUILT
    if path.suffix.lower() in _OTHER_MARKUP:
        return f"no posts are made of files of the kind {path.suffix}; pandoc --to gfm converts it to Markdown"
    if path.suffix.lower() == QUARTO_SUFFIX:
        return "Hugo shows the .md that Quarto makes of it; import it by its name if there is none"
    if path.suffix.lower() in (".html", ".htm") and file.read_bytes()[:3] in (b"---", b"+++"):
        return "no posts are made of pages in HTML; write the text as Markdown"
    is_resource = path.suffix.lower() == ".md" and not path.name.startswith("index.")
    if is_resource and len(path.parts) > 2 and (file.parent / "index.md").is_file():
        return "a part of the page index.md beside it, of which Hugo makes no page"
    return ""


def _is_page(file: Path, relative_path: str, is_alone: bool) -> bool:
    """True when a file in content/ belongs to no section: content/about.md, content/about/index.md."""
    parts = PurePosixPath(relative_path).parts
    is_bundle = len(parts) == 3 and parts[2].startswith("index.")
    return parts[0] == "content" and (len(parts) == 2 or is_bundle)


def _old_url(
    source: SourceFile, date: datetime | None, front_matter: Mapping[str, Any], settings: Mapping[str, Any]
) -> str:
    """The URL of a file in content/; empty if the style of its section has a placeholder that is unknown here."""
    path = PurePosixPath(source.relative_path)
    name = f"{source.date}-{source.name}" if source.date not in ("", source.name) else source.name
    folders = list(path.parts[1:-1])
    if path.name.startswith("index.") and folders:
        folders.pop()
    section = folders[0] if folders else ""
    own, title = str(front_matter.get("slug") or ""), str(front_matter.get("title") or name)
    ending = ".html" if settings.get("uglyurls") else "/"
    if not (style := settings.get("permalinks", {}).get(section, "")):
        return "/" + "/".join([*map(str.lower, folders), slugged(own or name)]) + ending
    values = {"section": section, "sections": "/".join(folders), "title": slugged(title), "slug": slugged(own or title)}
    values |= dict.fromkeys(("filename", "contentbasename"), slugged(name))
    values |= dict.fromkeys(("slugorfilename", "slugorcontentbasename"), slugged(own or name))
    if date:
        values |= {"yearday": str(int(f"{date:%j}")), "monthname": f"{date:%B}".lower()}
    return fill_placeholders(style.rstrip("/") + ending, values, date).lower()


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


HUGO = SiteGenerator(
    "hugo",
    dialect="hugo",
    settings_files=_SETTINGS_FILES,
    is_settings_file=_is_settings_file,
    parse_settings=_parse_settings,
    tex_folders=("layouts", "assets", "static", "themes"),
    folders_left_out=lambda settings: _FOLDERS_LEFT_OUT,
    reason_to_skip=_reason_to_skip,
    is_bundle=lambda relative_path: "/" in relative_path.removeprefix("content/"),
    is_page=_is_page,
    old_url=_old_url,
)
