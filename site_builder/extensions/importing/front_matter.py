"""Reads the front matter of a source, as YAML or TOML, and writes that of a post."""

import re
import tomllib
from collections.abc import Mapping
from datetime import datetime, time
from decimal import Decimal
from html import unescape
from typing import Any
from urllib.parse import urljoin

import yaml
from pydantic import ValidationError

from site_builder.errors import Place, SiteError
from site_builder.extensions.importing.conversion import Conversion, Dialect
from site_builder.extensions.importing.spans import convert_spans
from site_builder.project.front_matter import FRONT_TEXTS, FrontMatter, read_moment
from site_builder.project.posts import slugged, split_front_matter
from site_builder.project.yaml_reader import read_yaml

_TOML = re.compile(r"\+\+\+[ \t]*\n(?P<front>.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_RENAMED = {
    "category": "categories",
    "tag": "tags",
    "redirect_from": "aliases",
    **dict.fromkeys(("last_modified_at", "lastmod", "date-modified"), "updated"),
    "publishdate": "date",
    "url": "permalink",
    **dict.fromkeys(("description", "excerpt", "subtitle", "abstract"), "summary"),
}
_SAME = "title date updated tags categories series summary author slug permalink aliases layout draft published toc"
_DATE_FORMS = ("%m/%d/%Y", "%B %d, %Y")  # of Quarto
_NEEDS_CONVERSION = re.compile(r"\$|\\\\?[(\[]|\{[{%#]")
_LIST = "tag:yaml.org,2002:seq"
_BRACES = re.compile(r"\{([{%#])")


def split_source(raw: str, source: str) -> tuple[str, Mapping[str, Any], str]:
    """Split a text into the form of its front matter, the front matter and the text.

    source: its path. Raises SiteError if front matter cannot be read.
    """
    if re.match(r"---[ \t]*\n", raw):
        front, text, _ = split_front_matter(raw, source)
        return "yaml", read_yaml_front(front, source), text
    if not re.match(r"\+\+\+[ \t]*\n", raw):
        return "", {}, raw
    found = _TOML.match(raw)
    if found is None:
        raise SiteError(Place(source, 1), "the front matter does not end", "close it with a line +++")
    data = read_toml(found["front"], source, 2)
    return "toml", {key.lower(): value for key, value in data.items()}, raw[found.end() :]


def read_yaml_front(text: str, source: str, line: int = 2) -> Mapping[str, Any]:
    """Read YAML, which begins at a line of its file. Raises SiteError if it is none."""
    return {key.lower(): value for key, value in read_yaml(text, source, line).keys_with_values.items()}


def read_toml(text: str, source: str, line: int = 1) -> Mapping[str, Any]:
    """Read TOML, which begins at a line of its file. Raises SiteError if it is none."""
    try:
        return tomllib.loads("\n" * (line - 1) + text)
    except (ValueError, RecursionError) as error:  # also that of a number too long to read
        found = re.search(r"\(at line (\d+)", str(error))
        message = f"this is not TOML: {str(error).partition(' (at line')[0]}"
        cure = "write key = value; text needs quotes"
        raise SiteError(Place(source, int(found[1]) if found else line), message, cure) from error


def parse_date(value: Any) -> datetime | None:
    """Return the date of a value in front matter or a file name, also one in words; None if it has none."""
    for form in ("", *_DATE_FORMS) if value else ():
        try:
            return read_moment(datetime.strptime(str(value).strip(), form) if form else value)
        except ValueError:
            continue
    return None


def inline_text(text: str, conversion: Conversion) -> str:
    """Convert a title or summary: formulas as in posts, other dollars and braces escaped."""
    text = " ".join(text.split())
    if _NEEDS_CONVERSION.search(text):
        text = convert_spans(conversion.without_code(text), conversion)
        text = unescape(conversion.with_code(text))
    return _BRACES.sub(lambda found: f'{{{{ "{{{found[1]}" }}}}', text) if "$" not in text else text


def convert_front_matter(
    front: Mapping[str, Any], dialect: Dialect, added: Mapping[str, Any], folder_url: str, conversion: Conversion
) -> str:
    """Convert front matter to YAML; fields that the builder does not accept go below `extra:`.

    dialect: of the front matter; a notebook in a project of Quarto has that of Quarto. added: fields where it lacks
    them; their permalink replaces its own. folder_url: to which old addresses refer. Raises SiteError.
    """
    fields: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for key, value in front.items():
        name = "tags" if dialect == "quarto" and key == "categories" else _RENAMED.get(key, key)
        is_taken = name != key and (front.get(name) is not None or name in fields)
        has_no_date = name in ("date", "updated") and parse_date(value) is None
        if name not in _SAME.split() or is_taken or has_no_date:
            extra[key] = value
        else:
            fields[name] = _converted(name, value, dialect == "kramdown" and key == name, conversion)
    if aliases := fields.get("aliases"):
        old = [urljoin(folder_url, str(alias)) for alias in (aliases if isinstance(aliases, list) else [aliases])]
        fields["aliases"] = [*dict.fromkeys([*old, *added.get("aliases", [])])]
    for key, value in added.items():
        if key == "permalink" or (fields.get(key) in (None, "") and not (key == "draft" and "published" in fields)):
            fields[key] = value
    if extra:
        conversion.report(next(iter(extra)), f"front matter: {', '.join(extra)} not known here", "kept under extra:")
    _move_rejected(fields, extra, conversion)
    fields |= {"extra": extra} if extra else {}
    return yaml.dump(fields, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6)


def _converted(name: str, value: Any, is_of_words: bool, conversion: Conversion) -> Any:
    """The value that a field has here. is_of_words: whether a text is a list of words."""
    if name in ("tags", "categories") and isinstance(value, str) and "," not in value:
        return value.split() if is_of_words else [value]
    if name in ("date", "updated") and (moment := parse_date(value)):
        return moment.date() if moment.time() == time() else moment
    if name == "series" and isinstance(value, list) and len(value) == 1:  # of Hugo
        return value[0]
    if name == "slug":
        return slugged(str(value))
    return inline_text(value, conversion) if name in FRONT_TEXTS and isinstance(value, str) else value


def _move_rejected(fields: dict[str, Any], extra: dict[str, Any], conversion: Conversion) -> None:
    """Move fields to `extra` until the builder accepts the rest. Raises SiteError for one that cannot be moved."""
    while True:
        try:
            FrontMatter(**fields)
            return
        except ValidationError as error:
            rejected = {str(each["loc"][0]): each["msg"] for each in error.errors()}
        for key, message in rejected.items():
            if key == "title" or key not in fields:
                raise SiteError(Place(conversion.source), f"{key}: {message}", "correct it")
            extra[key] = fields.pop(key)
            conversion.report(key, f"front matter: {key}: {message}", "kept under extra:")


class _Dumper(yaml.SafeDumper):
    """Writes YAML, with the numbers and times that readers of YAML and TOML give."""


_Dumper.add_representer(Decimal, lambda dumper, value: dumper.represent_float(float(value)))
_Dumper.add_representer(list, lambda dumper, value: dumper.represent_sequence(_LIST, value, flow_style=True))
_Dumper.add_representer(time, lambda dumper, value: dumper.represent_str(value.isoformat()))
