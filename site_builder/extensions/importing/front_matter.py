"""Reads the front matter of a source, as YAML or TOML, and writes that of a post."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from decimal import Decimal
from html import unescape
from typing import Any
from urllib.parse import urljoin

import yaml
from pydantic import ValidationError

from site_builder.errors import Place, SiteError
from site_builder.extensions.importing.lines import ConversionContext, Dialect
from site_builder.extensions.importing.spans import convert_words
from site_builder.project.front_matter import FRONT_TEXTS, FrontMatter, read_moment
from site_builder.project.posts import is_safe_path, slugged, split_front_matter
from site_builder.project.yaml_reader import read_yaml

_TOML_END = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)
_RENAMED = {
    "category": "categories",
    "tag": "tags",
    "redirect_from": "aliases",
    "last_modified_at": "updated",
    "lastmod": "updated",
    "date-modified": "updated",
    "publishdate": "date",
    "url": "permalink",
    "description": "summary",
    "excerpt": "summary",
    "subtitle": "summary",
    "abstract": "summary",
}
_OTHER_MEANING = ("solver", "parameters", "runs", "limits", "corrections", "puzzle", "numbers", "sources", "extra")
_DATE_FORMS = ("%m/%d/%Y", "%m-%d-%Y", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y")
_NEEDS_CONVERSION = re.compile(r"\$|\\\\?[(\[]|\{[{%#]")
_BRACES = re.compile(r"\{([{%#])")


@dataclass(frozen=True)
class SourceFront:
    """The front matter of a source, its keys in small letters. format: yaml, toml or empty."""

    format: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


def split_source(raw: str, source: str) -> tuple[SourceFront, list[str]]:
    """Split a text into front matter and lines. source: its path. Raises SiteError if front matter cannot be read."""
    try:
        if re.match(r"---[ \t]*\n", raw):
            front, text, _ = split_front_matter(raw, source)
            return read_yaml_front(front, source), text.split("\n")
        if opening := re.match(r"\+\+\+[ \t]*\n", raw):
            return _split_toml(raw, opening.end(), source)
    except (ValueError, RecursionError) as error:  # those of TOML, and that of a number too long to read
        found = re.search(r"\(at line (\d+)", str(error))
        message = f"this is not TOML: {str(error).partition(' (at line')[0]}"
        place = Place(source, int(found[1]) if found else 1)
        raise SiteError(place, message, "write key = value; text needs quotes") from error
    return SourceFront(), raw.split("\n")


def read_yaml_front(text: str, source: str, line: int = 2) -> SourceFront:
    """Read YAML, which begins at a line of its file. Raises SiteError if it is none."""
    return SourceFront("yaml", {key.lower(): value for key, value in read_yaml(text, source, line).said.items()})


def _split_toml(raw: str, start: int, source: str) -> tuple[SourceFront, list[str]]:
    end = _TOML_END.search(raw, start)
    if end is None:
        raise SiteError(Place(source, 1), "the front matter does not end", "close it with a line +++")
    data = tomllib.loads("\n" + raw[start : end.start()])
    body = raw[end.end() + 1 :].split("\n")
    return SourceFront("toml", {key.lower(): value for key, value in data.items()}), body


def parse_date(value: Any) -> datetime | None:
    """Return the date of a value in front matter or a file name, also one in words; None if it has none."""
    if value is None:
        return None
    try:
        return read_moment(value)
    except ValueError:
        pass
    for form in _DATE_FORMS:
        try:
            return read_moment(datetime.strptime(str(value).strip(), form))
        except ValueError:
            continue
    return None


def inline_text(text: str, context: ConversionContext) -> str:
    """Convert a title or summary: formulas as in posts, other dollars and braces escaped."""
    text = " ".join(text.split())
    if _NEEDS_CONVERSION.search(text):
        text = unescape(convert_words(text, context))
    return _BRACES.sub(lambda found: f'{{{{ "{{{found[1]}" }}}}', text) if "$" not in text else text


def convert_front_matter(
    front: SourceFront, dialect: Dialect, added: Mapping[str, Any], context: ConversionContext
) -> list[str]:
    """Convert front matter to lines of YAML; fields that the builder does not accept go below `extra:`.

    dialect: of the front matter; a notebook in a project of Quarto has that of Quarto. added: fields where it lacks
    them; their permalink and slug are those that it has, as they are here. Raises SiteError.
    """
    fields: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for key, value in front.data.items():
        name = _renamed(key, front.data, dialect)
        is_date = name in ("date", "updated")
        if name in FrontMatter.model_fields and name not in _OTHER_MEANING and (not is_date or parse_date(value)):
            fields[name] = _converted(name, key, value, dialect, context)
        else:
            extra[key] = value
    for key, value in added.items():
        if key in ("permalink", "slug") or (key == "aliases" and key in fields):
            fields[key] = [*dict.fromkeys([*fields[key], *value])] if key == "aliases" else value
        elif fields.get(key) in (None, "") and not (key == "draft" and "published" in fields):
            fields[key] = value
    if extra:
        problem = f"front matter: {', '.join(extra)} not known here"
        context.report(next(iter(extra)), problem, "kept under extra:")
    _move_rejected(fields, extra, context)
    fields |= {"extra": extra} if extra else {}
    return [row for key, value in fields.items() for row in _yaml(key, value)]


def _renamed(key: str, data: Mapping[str, Any], dialect: Dialect) -> str:
    """The name that a key has here; its own where the name is taken, as description is preferred to subtitle."""
    if dialect == "quarto" and key == "categories":
        return "tags"
    name = _RENAMED.get(key)
    if name is None or data.get(name) is not None or isinstance(data[key], dict):
        return key
    same = [each for each, other in _RENAMED.items() if other == name and data.get(each) is not None]
    return name if same[0] == key else key


def _converted(name: str, key: str, value: Any, dialect: Dialect, context: ConversionContext) -> Any:
    """The value that a field has here. key: its name in the source."""
    if name in ("tags", "categories") and isinstance(value, str) and "," not in value:
        return value.split() if dialect == "kramdown" and key not in ("tag", "category") else [value]
    if name == "aliases":
        aliases = [urljoin(context.alias_base, str(alias)) for alias in (value if isinstance(value, list) else [value])]
        if wrong := [alias for alias in aliases if not is_safe_path(alias.lstrip("/"))]:
            context.report(key, f"the old addresses {', '.join(wrong)} are no paths in the site", "left out")
        return [alias for alias in aliases if alias not in wrong]
    if name == "author" and isinstance(value, (dict, list)):
        return _names(value if isinstance(value, list) else [value], context)
    if name in ("date", "updated") and (moment := parse_date(value)):
        is_day = moment.time() == time()
        return moment.date() if is_day else moment
    if name == "slug":
        return slugged(str(value))
    return inline_text(value, context) if name in FRONT_TEXTS and isinstance(value, str) else value


def _names(authors: Sequence[Any], context: ConversionContext) -> list[str]:
    """The names of authors, each a text or a mapping with a name."""
    if any(isinstance(each, dict) for each in authors):
        context.report("author", "front matter: more of the author than a name", "the name is kept")
    names = [each.get("name") if isinstance(each, dict) else each for each in authors]
    return [str(each) for each in names if each]


def _move_rejected(fields: dict[str, Any], extra: dict[str, Any], context: ConversionContext) -> None:
    """Move fields to `extra` until the builder accepts the rest. Raises SiteError for one that cannot be moved."""
    while True:
        try:
            FrontMatter(**fields)
            return
        except ValidationError as error:
            rejected = {str(each["loc"][0]): each["msg"] for each in error.errors()}
        for key, message in rejected.items():
            if key == "title" or key not in fields:
                raise SiteError(Place(context.source), f"{key}: {message}", "correct it")
            extra[key] = fields.pop(key)
            context.report(key, f"front matter: {key}: {message}", "kept under extra:")


class _Dumper(yaml.SafeDumper):
    """Writes YAML, with the numbers and times that readers of YAML and TOML give."""


_Dumper.add_representer(Decimal, lambda dumper, value: dumper.represent_float(float(value)))
_Dumper.add_representer(time, lambda dumper, value: dumper.represent_str(value.isoformat()))


def _yaml(key: str, value: Any) -> list[str]:
    """A field as lines of YAML, a list in one line."""
    is_list = isinstance(value, list)
    shown = value if is_list else {key: value}
    text = yaml.dump(
        shown, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6, default_flow_style=is_list
    ).strip("\n")
    return f"{key}: {text}".split("\n") if is_list else text.split("\n")
