"""The front matter of a Jekyll post -> front matter that posts have here, its text kept wherever it can be."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from typing import Any

from pydantic import ValidationError

from site_builder.errors import Place, SiteError, faults_of, raise_all
from site_builder.importer.markdown.kramdown_spans import spans
from site_builder.importer.markdown.lines import Line, Text, joined
from site_builder.project.front_matter import CARD, FrontMatter
from site_builder.project.posts import is_safe_path, tag_slug
from site_builder.project.validation import site_errors
from site_builder.project.yaml_reader import read_yaml

_RENAMED = {
    "category": "categories",
    "tag": "tags",
    "redirect_from": "aliases",
    "last_modified_at": "updated",
    "description": "summary",
    "excerpt": "summary",
}
_MEANT_FOR_SOLVERS = ("solver", "parameters", "runs", "limits", "corrections", "puzzle", "extra")
_PLAIN = re.compile(r"[A-Za-z](?:[\w ./-]*[\w.])?$")
_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_BRACES = re.compile(r"&#123;([{%#])|\{\{")


@dataclass(frozen=True)
class Added:
    """What goes into front matter where it says nothing of it. permalink: what stands there, with its parts filled."""

    title: str
    date: str = ""
    is_draft: bool = False
    slug: str = ""
    aliases: tuple[str, ...] = ()
    permalink: str = ""
    has_contents: bool = False


@dataclass
class _Entry:
    key: str
    value: Any
    lines: list[Line]
    extra: bool = False


@dataclass
class _Front:
    head: list[Line]
    entries: list[_Entry]
    added: list[Line] = field(default_factory=list)

    def entry(self, key: str) -> _Entry | None:
        return next((each for each in self.entries if each.key == key and not each.extra), None)

    def lines(self) -> list[Line]:
        kept = [line for entry in self.entries if not entry.extra for line in entry.lines]
        extra = [entry for entry in self.entries if entry.extra]
        moved = [Line(f"  {line.text}" if line.text.strip() else "", line.number) for e in extra for line in e.lines]
        mark = [Line("extra:", extra[0].lines[0].number)] if extra else []
        return [*self.head, *kept, *self.added, *mark, *moved]


def converted(lines: Sequence[Line], added: Added, text: Text) -> list[Line]:
    """The lines of the front matter as posts have it here. Raises SiteError where nothing can be made of it."""
    front = _split(lines, text.source)
    for entry in front.entries:
        _convert(entry, front, added, text)
    _add(front, added)
    _until_accepted(front, text)
    moved = [entry for entry in front.entries if entry.extra and entry.key not in ("extra",)]
    unknown = [entry.key for entry in moved if entry.key not in FrontMatter.model_fields]
    if unknown:
        said = f"front matter: {', '.join(unknown)} not known here"
        text.note(moved[0].lines[0].number, said, "kept under extra:")
    return front.lines()


def scalar(said: str) -> str:
    """A text as YAML has it, in quotes where it needs them."""
    said = " ".join(said.split())
    if _PLAIN.fullmatch(said) and said.lower() not in _WORDS_OF_YAML:
        return said
    return "'" + said.replace("'", "''") + "'"


def line_of_text(said: str, text: Text, number: int) -> str:
    """A title or summary as posts have it here: dollars that are none of TeX and braces made harmless."""
    said = " ".join(said.split())
    made = joined(spans([Line(said, number)], text)) if re.search(r"\$|\\\\?[(\[]|\{[{%#]", said) else said
    return unescape(_BRACES.sub(lambda found: f'{{{{ "{{{found[1]}" }}}}' if found[1] else found[0], made))


def _split(lines: Sequence[Line], source: str) -> _Front:
    reading = read_yaml(joined(lines), source, 0)  # so that its lines are places in `lines`
    starts = sorted((reading.lines[(key,)], key) for key in reading.data)
    places = [place for place, _ in starts]
    if len(set(places)) < len(places):
        place = Place(source, lines[places[0]].number)
        raise SiteError(place, "this front matter is in braces", "write each key on a line of its own")
    front = _Front(list(lines[: places[0]] if places else lines), [])
    for (at, key), end in zip(starts, [*places[1:], len(lines)], strict=False):
        front.entries.append(_Entry(key, reading.data[key], list(lines[at:end])))
    for before, after in zip(front.entries, front.entries[1:], strict=False):  # a comment belongs to what follows it
        while len(before.lines) > 1 and re.match(r"#|\s*$", before.lines[-1].text):
            after.lines.insert(0, before.lines.pop())
    return front


def _convert(entry: _Entry, front: _Front, added: Added, text: Text) -> None:
    number = entry.lines[0].number
    is_one = entry.key in ("category", "tag")
    renamed = _RENAMED.get(entry.key)
    if renamed and front.entry(renamed) is None and not isinstance(entry.value, dict):
        _rename(entry, renamed)
    if entry.key in _MEANT_FOR_SOLVERS or entry.key not in FrontMatter.model_fields:
        entry.extra = True
        if entry.key in _MEANT_FOR_SOLVERS and entry.key != "extra":
            text.note(number, f"front matter: {entry.key} means something else here", "kept under extra:")
        return
    if entry.key in ("tags", "categories") and isinstance(entry.value, str) and not is_one:
        words = entry.value.split()
        if len(words) > 1 and "," not in entry.value:  # Jekyll parts them at spaces
            _rewrite(entry, f"[{', '.join(map(scalar, words))}]")
    elif entry.key == "aliases":
        _aliases(entry, added, text)
    elif entry.key == "permalink" and added.permalink and added.permalink != str(entry.value):
        _rewrite(entry, scalar(added.permalink) if is_safe_path(added.permalink.lstrip("/")) else added.permalink)
    elif entry.key == "slug" and added.slug:
        _rewrite(entry, added.slug)
    elif entry.key == "slug" and entry.value is not None and tag_slug(str(entry.value)) != str(entry.value):
        text.note(number, f"slug {entry.value!r} is none here", f"written as {tag_slug(str(entry.value))}")
        _rewrite(entry, tag_slug(str(entry.value)))
    elif entry.key == "author" and isinstance(entry.value, dict) and isinstance(entry.value.get("name"), str):
        text.note(number, "front matter: more of the author than a name", "the name is kept")
        _rewrite(entry, scalar(entry.value["name"]))
    elif entry.key in CARD and isinstance(entry.value, str):
        said = line_of_text(entry.value, text, number)
        if said != " ".join(entry.value.split()):
            _rewrite(entry, scalar(said))


def _aliases(entry: _Entry, added: Added, text: Text) -> None:
    number = entry.lines[0].number
    given = entry.value if isinstance(entry.value, list) else [] if entry.value is None else [entry.value]
    words = [str(each) for each in given]
    safe = [word for word in words if is_safe_path(word.lstrip("/"))]
    for word in words:
        if word not in safe:
            text.note(number, f"the old address {word} is no path in the site", "left out")
    wanted = list(dict.fromkeys([*safe, *added.aliases]))
    if wanted != words:
        _rewrite(entry, f"[{', '.join(map(_path_scalar, wanted))}]")


def _path_scalar(path: str) -> str:
    return path if re.fullmatch(r"/[\w./~-]*", path) else scalar(path)


def _rename(entry: _Entry, name: str) -> None:
    first = entry.lines[0]
    at = next(
        place for place, line in enumerate(entry.lines) if re.match(rf"[\"']?{re.escape(entry.key)}\b", line.text)
    )
    first = entry.lines[at]
    entry.lines[at] = Line(re.sub(rf"^([\"']?){re.escape(entry.key)}\1", name, first.text), first.number)
    entry.key = name


def _rewrite(entry: _Entry, value: str) -> None:
    """The entry with another value; comments around it stay."""
    at = next(i for i, line in enumerate(entry.lines) if re.match(rf"[\"']?{re.escape(entry.key)}\b", line.text))
    end = len(entry.lines)
    while end > at + 1 and re.match(r"#|\s*$", entry.lines[end - 1].text):
        end -= 1
    comment = re.search(r"\s#[^'\"]*$", entry.lines[at].text) if end == at + 1 else None
    line = Line(f"{entry.key}: {value}{comment[0] if comment else ''}", entry.lines[at].number)
    entry.lines[at:end] = [line]


def _add(front: _Front, added: Added) -> None:
    """What front matter does not say, at its end."""
    number = front.entries[-1].lines[-1].number if front.entries else 1
    known = {entry.key for entry in front.entries if not entry.extra and entry.value is not None}

    def add(key: str, value: str) -> None:
        if value and key not in known:
            if empty := front.entry(key):
                front.entries.remove(empty)
            front.added.append(Line(f"{key}: {value}", number))

    add("title", scalar(added.title))
    add("date", added.date)
    add("slug", added.slug)
    if added.is_draft and "published" not in known:
        add("draft", "true")
    if added.aliases and "aliases" not in known:
        add("aliases", f"[{', '.join(map(_path_scalar, added.aliases))}]")
    if added.has_contents:
        add("toc", "true")


def _until_accepted(front: _Front, text: Text) -> None:
    """Move what this builder does not accept below `extra:`."""
    for _ in range(len(front.entries) + 1):
        lines = front.lines()
        reading = read_yaml(joined(lines), text.source, 1)
        try:
            FrontMatter(**reading.said)
            return
        except ValidationError as error:
            try:
                raise_all(site_errors(error, reading, FrontMatter, "the front matter"))
            except* SiteError as group:
                _move(front, lines, faults_of(group), text)


def _move(front: _Front, lines: Sequence[Line], faults: Sequence[SiteError], text: Text) -> None:
    for fault in faults:
        line = lines[min(fault.place.line, len(lines)) - 1] if fault.place.line else lines[0]
        entry = next((each for each in front.entries if line in each.lines and not each.extra), None)
        if entry is None or entry.key == "title":
            raise SiteError(Place(text.source, line.number), fault.fault, fault.cure)
        entry.extra = True
        text.note(line.number, f"front matter: {fault.fault}", "kept under extra:")


def moment_of(value: Any) -> datetime | None:
    """The date in front matter or a name; None where there is none."""
    from site_builder.project.front_matter import read_moment

    try:
        return read_moment(value) if value is not None else None
    except ValueError:
        return None
