"""The summary of a post: everything that lists, links and cache keys need, so that no list reads a body."""

import json
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

from pydantic import PlainSerializer, PlainValidator

from site_builder.errors import Place
from site_builder.markup.placeholders import Inline
from site_builder.posts.evidence import Finding
from site_builder.posts.links import Link
from site_builder.project.front_matter import Guess, PuzzleCredit

Moment = Annotated[datetime, PlainValidator(datetime.fromisoformat), PlainSerializer(datetime.isoformat)]
"""A time as Python's own class has it: times with pydantic's time zones are slow to compare."""


class Correction(NamedTuple):
    """A note of correction and its date. changed: the answers that it is about, each with its old and new value."""

    date: Moment
    note: Inline
    changed: tuple[tuple[str, str, str], ...] = ()


class Turn(NamedTuple):
    """A setting to which readers can turn a post. path: of its page; that of the post for the published setting.

    changes: the meaning of each parameter that differs, with its values at the setting and as published.
    """

    key: str
    label: str
    path: str
    changes: tuple[tuple[str, str, str], ...] = ()


class PostSummary(NamedTuple):
    """A post or page without its text. summary: its first words where its author gives none.

    body, evidence: the keys of these in the cache; evidence is empty where it has no results. figures: the key and the
    name of each figure that it shows. lines: of the file, for errors found later: "address", "tags", and each alias.
    solvers: those that it uses, and whether config.yaml or a --set can change one of its runs. checks: how many it has.
    turns: its settings, the published one among them; setting: the one at which it is, None as it is published.
    picture: the name of the figure at its top. findings: numbers that nothing verifies. macros: files with macros that
    its text has read. extensions: those that its text can use; files_of_extensions: the digest and the name of each
    file that they publish beside it.
    """

    source: str
    path: str
    slug: str
    is_page: bool
    is_draft: bool
    date: Moment | None
    updated: Moment | None
    title: Inline
    summary: Inline
    answer: Inline
    method: Inline
    author: str
    series: str
    puzzle: PuzzleCredit | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    toc: bool | None
    extra: Mapping[str, Any]
    lines: Mapping[str, int]
    words: int
    anchors: tuple[str, ...]
    links: tuple[Link, ...]
    solvers: Mapping[str, bool]
    figures: tuple[tuple[str, str], ...]
    body: str
    evidence: str
    corrections: tuple[Correction, ...]
    checks: int
    hosts: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    setting: Turn | None = None
    picture: str = ""
    guess: Guess | None = None
    findings: tuple[Finding, ...] = ()
    macros: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    files_of_extensions: tuple[tuple[str, str], ...] = ()
    language: str = "en"

    def place(self, what: str) -> Place:
        """The line of the file that gives the address, the tags or an alias."""
        return Place(self.source, self.lines.get(what, 1))

    @property
    def changed(self) -> datetime | None:
        """When it was last changed: its date, or a later `updated`; None where it has no date.

        Corrections count: `updated` is never before the last of them.
        """
        return max(filter(None, [self.date, self.updated]), default=None)

    @property
    def page(self) -> str:
        """The path of the page that shows it; addresses in its text are seen from `path`, also at a setting."""
        return self.setting.path if self.setting else self.path

    @property
    def other_turns(self) -> list[Turn]:
        """Its settings but for the published one."""
        return [each for each in self.turns if each.path != self.path]

    def at_setting(self, key: str, label: str) -> "PostSummary":
        """The summary of a text that was written at this setting."""
        return self._replace(setting=Turn(key, label, self.beside(f"{key}/")))

    def beside(self, name: str) -> str:
        """The path in the site of a file that belongs to it: posts/x/ has posts/x/name, and posts/x.html too."""
        return beside(self.path, name)

    def addresses(self) -> list[tuple[str, Place]]:
        """The place of the post in the site and those of its aliases, each with the line that gives it."""
        return [(self.path, self.place("address")), *((alias, self.place(alias)) for alias in self.aliases)]


def beside(path: str, name: str) -> str:
    """The path in the site of a file that belongs to the page at a path."""
    return (path if path.endswith("/") else path.removesuffix(".html") + "/") + name


def json_values(values: Mapping[str, Any]) -> Any:
    """Values of YAML as those of JSON, of which templates are given those under `extra:`: days and times are texts."""
    return json.loads(json.dumps(values, default=lambda each: float(each) if isinstance(each, Decimal) else str(each)))
