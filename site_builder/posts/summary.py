"""Briefs: what the rest of the site needs to know of a post, so that nobody has to read it again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from site_builder.errors import Place
from site_builder.markup.placeholders import Inline
from site_builder.posts.links import Link


@dataclass(frozen=True, slots=True)
class Credit:
    """Where a puzzle comes from."""

    name: str
    source: str
    url: str
    published: datetime | None


class Correction(NamedTuple):
    """A note on what a post said wrongly, and its date."""

    date: datetime
    note: Inline


class Ordered(NamedTuple):
    """A run to repeat at home. key: of the order in the store; name: of the zip file; line: of the run in the post.

    time and memory: the limits of its solve, in seconds and bytes.
    """

    key: str
    name: str
    line: int
    time: float
    memory: int


class PostSummary(NamedTuple):
    """A post or page without its text. body: the key under which its body is kept; evidence: that of what its answers
    rest on, empty where it has no results.

    figures: for each that it shows, the key of its drawing and its name in the post.

    lines: of the file, for faults found later: "address", "tags", and each alias. solvers: the names that it mentions,
    and whether a parameter from outside turns any of its runs. checks: how many confirmed its answers.
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
    orders: tuple[Ordered, ...]
    checks: int

    def place(self, what: str) -> Place:
        """The line of the file that gives the address, the tags or an alias."""
        return Place(self.source, self.lines.get(what, 1))

    @property
    def changed(self) -> datetime | None:
        """When it was last changed: at its date, unless it says otherwise, and never before it; None where it has none.

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


def write_summary(brief: PostSummary) -> bytes:
    """The brief as one line of JSON."""
    puzzle = brief.puzzle
    plain = [
        brief.source,
        brief.path,
        brief.slug,
        brief.is_page,
        brief.is_draft,
        _stamp(brief.date),
        _stamp(brief.updated),
        [brief.title.html, brief.title.text],
        [brief.summary.html, brief.summary.text],
        [brief.answer.html, brief.answer.text],
        [brief.method.html, brief.method.text],
        [brief.states.html, brief.states.text],
        brief.excerpt,
        brief.author,
        brief.series,
        [puzzle.name, puzzle.source, puzzle.url, _stamp(puzzle.published)] if puzzle else None,
        brief.tags,
        brief.aliases,
        brief.toc,
        {name: _plain(value) for name, value in brief.extra.items()},
        dict(brief.lines),
        brief.words,
        brief.anchors,
        [[link.written, link.target, link.fragment, link.is_image, link.lines] for link in brief.links],
        dict(brief.solvers),
        brief.figures,
        brief.body,
        brief.evidence,
        [[_stamp(each.date), each.note.html, each.note.text] for each in brief.corrections],
        brief.orders,
        brief.checks,
    ]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def read_summary(data: bytes) -> PostSummary:
    """The brief that `write_summary` was given. Raises ValueError when the bytes are not what it writes."""
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
        found[28] = tuple([Correction(datetime.fromisoformat(a), Inline(b, c)) for a, b, c in found[28]])
        found[29] = tuple([Ordered._make(order) for order in found[29]])
        return PostSummary._make(found)
    except (TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"this is no brief: {error}") from error


def _stamp(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _plain(value: Any) -> Any:
    """A value of YAML as JSON that keeps its kind."""
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
