"""The summary of a post: everything that lists, links and cache keys need, so that no list reads a body."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from site_builder.errors import Place
from site_builder.markup.placeholders import Inline
from site_builder.posts.links import Link


@dataclass(frozen=True, slots=True)
class Credit:
    """The source of a puzzle."""

    name: str
    source: str
    url: str
    published: datetime | None


class Correction(NamedTuple):
    """A note of correction and its date. changed: the answers that it is about, each with its old and new value."""

    date: datetime
    note: Inline
    changed: tuple[tuple[str, str, str], ...] = ()


class Guess(NamedTuple):
    """A question that readers may guess. answer: one of the choices, or without choices a number as it is shown.

    start, stop, step, middle: of the slider, in decimals; unit: with the space before it, where it has one.
    """

    question: str
    answer: str
    choices: tuple[str, ...] = ()
    start: str = ""
    stop: str = ""
    step: str = ""
    middle: str = ""
    unit: str = ""


class BundleOrder(NamedTuple):
    """A run that readers can repeat. key: of the order in the cache; name: of the zip file; line: in the post.

    time and memory: the limits of its solve, in seconds and bytes.
    """

    key: str
    name: str
    line: int
    time: float
    memory: int


class PostSummary(NamedTuple):
    """A post or page without its text.

    body, evidence: the keys of these in the cache; evidence is empty where it has no results. figures: the key and the
    name of each figure that it shows. lines: of the file, for errors found later: "address", "tags", and each alias.
    solvers: those that it uses, and whether config.yaml or a --set can change one of its runs. checks: how many it has.
    files: the digest and the name of each file that a block has with it, such as the CSV of a table with a fold.
    turns: how many settings it has beside its own. picture: the name of the figure at its top.
    """

    source: str
    path: str
    slug: str
    is_page: bool
    is_draft: bool
    date: datetime | None
    updated: datetime | None
    title: Inline
    summary: Inline
    answer: Inline
    method: Inline
    states: Inline
    excerpt: str
    author: str
    series: str
    puzzle: Credit | None
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
    orders: tuple[BundleOrder, ...]
    checks: int
    files: tuple[tuple[str, str], ...] = ()
    hosts: tuple[str, ...] = ()
    turns: int = 0
    picture: str = ""
    guess: Guess | None = None

    def place(self, what: str) -> Place:
        """The line of the file that gives the address, the tags or an alias."""
        return Place(self.source, self.lines.get(what, 1))

    @property
    def changed(self) -> datetime | None:
        """When it was last changed: its date, or a later `updated`; None where it has no date.

        Corrections count: `updated` is never before the last of them.
        """
        return max(filter(None, [self.date, self.updated]), default=None)

    def beside(self, name: str) -> str:
        """The path in the site of a file that belongs to it: posts/x/ has posts/x/name, and posts/x.html too."""
        folder = self.path if self.path.endswith("/") else self.path.removesuffix(".html") + "/"
        return folder + name

    def addresses(self) -> list[tuple[str, Place]]:
        """The place of the post in the site and those of its aliases, each with the line that gives it."""
        return [(self.path, self.place("address")), *((alias, self.place(alias)) for alias in self.aliases)]


def write_summary(summary: PostSummary) -> bytes:
    """The summary as one line of JSON."""
    found = summary._replace(extra=_plain(dict(summary.extra)))
    text = json.dumps(found, default=_as_json, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _as_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return dict(value) if isinstance(value, Mapping) else [getattr(value, field.name) for field in fields(value)]


def read_summary(data: bytes) -> PostSummary:
    """The summary that `write_summary` was given. Raises ValueError when the bytes are not what it writes."""
    try:
        found = json.loads(data)
        found[5], found[6] = _moment(found[5]), _moment(found[6])
        found[7:12] = [Inline(*each) for each in found[7:12]]
        if puzzle := found[15]:
            found[15] = Credit(puzzle[0], puzzle[1], puzzle[2], _moment(puzzle[3]))
        found[16], found[17] = tuple(found[16]), tuple(found[17])
        found[19] = {name: _made(value) for name, value in found[19].items()}
        found[22], found[25] = tuple(found[22]), tuple([(key, name) for key, name in found[25]])
        found[23] = tuple([Link(a, b, c, d, tuple(e)) for a, b, c, d, e in found[23]])
        found[28] = tuple([_correction(*each) for each in found[28]])
        found[31] = tuple([(key, name) for key, name in found[31]])
        found[32] = tuple(found[32])
        found[29] = tuple([BundleOrder._make(order) for order in found[29]])
        if guess := found[35]:
            found[35] = Guess._make([*guess[:2], tuple(guess[2]), *guess[3:]])
        return PostSummary._make(found)
    except (TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"this is no summary: {error}") from error


def _correction(date: str, note: list[str], changed: list[list[str]]) -> Correction:
    return Correction(datetime.fromisoformat(date), Inline(*note), tuple((a, b, c) for a, b, c in changed))


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _plain(value: Any) -> Any:
    """A value of YAML as JSON, with its type where JSON has none."""
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    if isinstance(value, Decimal):
        return {"": ["Decimal", str(value)]}  # no key of YAML is empty
    if isinstance(value, bytes):
        return {"": ["bytes", value.hex()]}
    if isinstance(value, date):
        return {"": ["datetime" if isinstance(value, datetime) else "date", value.isoformat()]}
    return value


_KINDS: Mapping[str, Any] = {
    "Decimal": Decimal,
    "bytes": bytes.fromhex,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
}


def _made(value: Any) -> Any:
    if isinstance(value, list):
        return [_made(entry) for entry in value]
    if isinstance(value, dict):
        if "" in value:
            kind, text = value[""]
            return _KINDS[kind](text)
        return {name: _made(entry) for name, entry in value.items()}
    return value
