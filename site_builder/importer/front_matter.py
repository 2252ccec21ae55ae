"""Converts the front matter of a post; lines that need no change keep their text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from typing import Any
from urllib.parse import urljoin

from pydantic import ValidationError

from site_builder.errors import Place, SiteError, errors_of
from site_builder.importer.markdown.conversion import ConversionContext, Dialect, SourceLine, join_lines
from site_builder.importer.markdown.spans import convert_spans
from site_builder.project.front_matter import FRONT_TEXTS, FrontMatter, read_moment
from site_builder.project.posts import is_safe_path, slugged
from site_builder.project.validation import site_errors
from site_builder.project.yaml_reader import read_yaml

_RENAMED_OF_JEKYLL = {
    "category": "categories",
    "tag": "tags",
    "redirect_from": "aliases",
    "last_modified_at": "updated",
    "description": "summary",
    "excerpt": "summary",
}
_RENAMED_OF_HUGO = {
    # Hugo takes Title for title.
    **{key: key for key in ("title", "date", "tags", "categories", "aliases", "draft", "slug", "summary")},
    "description": "summary",
    "lastmod": "updated",
    "publishdate": "date",
    "url": "permalink",
}
_RENAMED_OF_QUARTO = {
    "categories": "tags",
    "description": "summary",
    "subtitle": "summary",
    "abstract": "summary",
    "date-modified": "updated",
}
_OTHER_MEANING = ("solver", "parameters", "runs", "limits", "corrections", "puzzle", "numbers", "extra")
_PLAIN = re.compile(r"[A-Za-z](?:[\w ./-]*[\w.])?$")
_YAML_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_NEEDS_CONVERSION = re.compile(r"\$|\\\\?[(\[]|\{[{%#]")
_BRACES = re.compile(r"&#123;([{%#])|\{\{")


@dataclass(frozen=True)
class AddedFields:
    """Fields that are added where front matter lacks them. permalink: the post's own, with placeholders filled."""

    title: str
    date: str = ""
    is_draft: bool = False
    slug: str = ""
    aliases: tuple[str, ...] = ()
    permalink: str = ""
    has_contents: bool = False


@dataclass
class _Field:
    """A field with its lines. extra: whether it goes below `extra:`."""

    key: str
    value: Any
    lines: list[SourceLine]
    extra: bool = False


@dataclass
class _Fields:
    """The fields of front matter. head: the lines before the first."""

    head: list[SourceLine]
    fields: list[_Field]
    added: list[SourceLine] = field(default_factory=list)

    def find(self, key: str) -> _Field | None:
        return next((each for each in self.fields if each.key == key and not each.extra), None)

    def lines(self) -> list[SourceLine]:
        kept = [line for each in self.fields if not each.extra for line in each.lines]
        extra = [line for each in self.fields if each.extra for line in each.lines]
        indented = [line.changed(f"  {line.text}" if line.text.strip() else "") for line in extra]
        heading = [extra[0].changed("extra:")] if extra else []
        return [*self.head, *kept, *self.added, *heading, *indented]


def convert_front_matter(
    lines: Sequence[SourceLine], dialect: Dialect, added: AddedFields, context: ConversionContext
) -> list[SourceLine]:
    """Convert the lines of front matter; fields that the builder does not accept go below `extra:`.

    dialect: of the front matter; a notebook in a project of Quarto has that of Quarto. Raises SiteError if it cannot be
    converted.
    """
    front_matter = _read_fields(lines, context.source)
    for each in front_matter.fields:
        _convert_field(each, front_matter, dialect, added, context)
    _add_missing(front_matter, added)
    _move_rejected(front_matter, context)
    moved = [each for each in front_matter.fields if each.extra and each.key != "extra"]
    unknown = [each.key for each in moved if each.key not in FrontMatter.model_fields]
    if unknown:
        problem = f"front matter: {', '.join(unknown)} not known here"
        context.report(moved[0].lines[0].number, problem, "kept under extra:")
    return front_matter.lines()


def yaml_scalar(text: str) -> str:
    """Return a text as a YAML scalar, quoted if needed."""
    text = " ".join(text.split())
    if _PLAIN.fullmatch(text) and text.lower() not in _YAML_WORDS:
        return text
    return "'" + text.replace("'", "''") + "'"


def inline_text(text: str, context: ConversionContext, number: int) -> str:
    """Convert a title or summary: formulas as in posts, other dollars and braces escaped."""
    text = " ".join(text.split())
    if _NEEDS_CONVERSION.search(text):
        text = join_lines(convert_spans([SourceLine(text, number)], context))
    return unescape(_BRACES.sub(lambda found: f'{{{{ "{{{found[1]}" }}}}' if found[1] else found[0], text))


def quarto_date(value: Any) -> Any:
    """Return a date as ISO 8601 if it is one in words or numbers that Quarto reads; else the value itself."""
    for form in ("%m/%d/%Y", "%m-%d-%Y", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y"):
        try:
            return datetime.strptime(str(value).strip(), form).strftime("%Y-%m-%d")
        except ValueError:
            continue
    return value


def parse_date(value: Any) -> datetime | None:
    """Return the date of a value in front matter or a file name; None if it has none."""
    try:
        return read_moment(value) if value is not None else None
    except ValueError:
        return None


def _read_fields(lines: Sequence[SourceLine], source: str) -> _Fields:
    reading = read_yaml(join_lines(lines), source, 0)  # numbered from 0, so that its lines are indices of `lines`
    starts = sorted((reading.lines[(key,)], key) for key in reading.data)
    indices = [index for index, _ in starts]
    if len(set(indices)) < len(indices):
        place = Place(source, lines[indices[0]].number)
        raise SiteError(place, "this front matter is in braces", "write each key on a line of its own")
    front_matter = _Fields(list(lines[: indices[0]] if indices else lines), [])
    for (start, key), end in zip(starts, [*indices[1:], len(lines)], strict=False):
        front_matter.fields.append(_Field(key, reading.data[key], list(lines[start:end])))
    for before, after in zip(front_matter.fields, front_matter.fields[1:], strict=False):
        while len(before.lines) > 1 and re.match(r"#|\s*$", before.lines[-1].text):
            after.lines.insert(0, before.lines.pop())  # a comment belongs to the field after it
    return front_matter


def _convert_field(
    each: _Field, front_matter: _Fields, dialect: Dialect, added: AddedFields, context: ConversionContext
) -> None:
    number = each.lines[0].number
    is_single = each.key in ("category", "tag")
    renamed = _renamed(each.key, front_matter, dialect)
    if renamed and renamed != each.key and front_matter.find(renamed) is None and not isinstance(each.value, dict):
        _rename(each, renamed)
    key, value = each.key, each.value
    if key in _OTHER_MEANING or key not in FrontMatter.model_fields:
        each.extra = True
        if key in _OTHER_MEANING and key != "extra":
            context.report(number, f"front matter: {key} means something else here", "kept under extra:")
        return
    changed = None
    if key in ("tags", "categories") and isinstance(value, str) and not is_single and dialect == "kramdown":
        words = value.split()
        if len(words) > 1 and "," not in value:  # Jekyll splits them at spaces
            changed = f"[{', '.join(map(yaml_scalar, words))}]"
    elif key == "aliases":
        changed = _merged_aliases(value, number, added, context)
    elif key == "permalink" and added.permalink and added.permalink != str(value):
        is_safe = is_safe_path(added.permalink.lstrip("/"))
        changed = yaml_scalar(added.permalink) if is_safe else added.permalink
    elif key == "slug" and added.slug:
        changed = added.slug
    elif key == "slug" and value is not None and slugged(str(value)) != str(value):
        changed = slugged(str(value))
        context.report(number, f"slug {value!r} is none here", f"written as {changed}")
    elif key == "author" and isinstance(value, (dict, list)) and (names := _names(value)):
        changed = yaml_scalar(", ".join(names))
        if isinstance(value, dict) or any(isinstance(each, dict) for each in value):
            context.report(number, "front matter: more of the author than a name", "the name is kept")
    elif key == "date" and added.date and parse_date(value) is None:
        changed = added.date
        if value is not None and quarto_date(value) == value:
            context.report(number, f"the date {value!r} is none here", f"written as {changed}")
    elif key in FRONT_TEXTS and isinstance(value, str):
        text = inline_text(value, context, number)
        changed = yaml_scalar(text) if text != " ".join(value.split()) else None
    if changed is not None:
        _rewrite(each, changed)


def _renamed(key: str, front_matter: _Fields, dialect: Dialect) -> str | None:
    """The name that a key has here; None for the same."""
    if dialect != "quarto":
        return _RENAMED_OF_HUGO.get(key.lower()) if dialect == "hugo" else _RENAMED_OF_JEKYLL.get(key)
    renamed = _RENAMED_OF_QUARTO.get(key)
    same = [other for other, name in _RENAMED_OF_QUARTO.items() if name == renamed and front_matter.find(other)]
    return renamed if not same or same[0] == key else None  # a description is preferred to a subtitle


def _names(authors: Any) -> list[str]:
    """The names of authors, each a text or a mapping with a name; empty if there are others."""
    given = authors if isinstance(authors, list) else [authors]
    names = [each.get("name") if isinstance(each, dict) else each for each in given]
    return [str(each) for each in names] if all(isinstance(each, str) for each in names) else []


def _merged_aliases(value: Any, number: int, added: AddedFields, context: ConversionContext) -> str | None:
    """The field's own paths and those that are added; None if nothing changes."""
    given = value if isinstance(value, list) else [] if value is None else [value]
    aliases = [urljoin(context.alias_base, str(alias)) for alias in given]
    safe = [alias for alias in aliases if is_safe_path(alias.lstrip("/"))]
    for alias in aliases:
        if alias not in safe:
            context.report(number, f"the old address {alias} is no path in the site", "left out")
    merged = list(dict.fromkeys([*safe, *added.aliases]))
    return _yaml_paths(merged) if merged != [str(alias) for alias in given] else None


def _yaml_paths(paths: Sequence[str]) -> str:
    scalars = [path if re.fullmatch(r"/[\w./~-]*", path) else yaml_scalar(path) for path in paths]
    return f"[{', '.join(scalars)}]"


def _key_index(each: _Field) -> int:
    """The index of the line with the key; comments may precede it."""
    return next(i for i, line in enumerate(each.lines) if re.match(rf"[\"']?{re.escape(each.key)}\b", line.text))


def _rename(each: _Field, key: str) -> None:
    at = _key_index(each)
    line = each.lines[at]
    each.lines[at] = line.changed(re.sub(rf"^([\"']?){re.escape(each.key)}\1", key, line.text))
    each.key = key


def _rewrite(each: _Field, value: str) -> None:
    """Replace the value of a field; comments around it stay."""
    at, end = _key_index(each), len(each.lines)
    while end > at + 1 and re.match(r"#|\s*$", each.lines[end - 1].text):
        end -= 1
    comment = re.search(r"\s#[^'\"]*$", each.lines[at].text) if end == at + 1 else None
    each.lines[at:end] = [each.lines[at].changed(f"{each.key}: {value}{comment[0] if comment else ''}")]


def _add_missing(front_matter: _Fields, added: AddedFields) -> None:
    """Add the fields that are missing, at the end."""
    number = front_matter.fields[-1].lines[-1].number if front_matter.fields else 1
    known = {each.key for each in front_matter.fields if not each.extra and each.value is not None}
    values = {
        "title": yaml_scalar(added.title),
        "date": added.date,
        "slug": added.slug,
        "draft": "true" if added.is_draft and "published" not in known else "",
        "aliases": _yaml_paths(added.aliases) if added.aliases else "",
        "toc": "true" if added.has_contents else "",
    }
    for key, value in values.items():
        if value and key not in known:
            if empty := front_matter.find(key):
                front_matter.fields.remove(empty)
            front_matter.added.append(SourceLine(f"{key}: {value}", number))


def _move_rejected(front_matter: _Fields, context: ConversionContext) -> None:
    """Move fields below `extra:` until the builder accepts the rest. Raises SiteError for one that cannot be moved."""
    for _ in range(len(front_matter.fields) + 1):
        lines = front_matter.lines()
        reading = read_yaml(join_lines(lines), context.source, 1)
        try:
            FrontMatter(**reading.said)
            return
        except ValidationError as error:
            errors = ExceptionGroup("", site_errors(error, reading, FrontMatter, "the front matter"))
        for each in sorted(errors_of(errors), key=lambda error: error.place.line):
            line = lines[min(each.place.line, len(lines)) - 1] if each.place.line else lines[0]
            moved = next((field for field in front_matter.fields if line in field.lines and not field.extra), None)
            if moved is None or moved.key == "title":
                raise SiteError(Place(context.source, line.number), each.message, each.cure)
            moved.extra = True
            context.report(line.number, f"front matter: {each.message}", "kept under extra:")
