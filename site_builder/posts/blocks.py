"""The body of a post as plain data. Its blocks are figures, tables, parameters, checks, HTML.

Each block has its kind as a field, by which the cache tells them apart.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from site_builder.markup.placeholders import Heading, Inline


@dataclass(frozen=True)
class FigureBlock:
    """A figure. key: of the rendered figure; name: of its files and its anchor, unique in the post.

    frames: the steps of Frames; alt then is about all of them. label, number: those of a numbered figure, such as fig-x
    and "Figure 1".
    """

    key: str
    name: str
    title: Inline
    caption: Inline
    alt: str
    frames: "tuple[FrameLabel, ...]" = ()
    label: str = ""
    number: str = ""
    kind: Literal["figure"] = "figure"


@dataclass(frozen=True)
class FrameLabel:
    """A step of Frames: its label, and its figure in words."""

    label: Inline
    alt: str


@dataclass(frozen=True)
class ColumnHead:
    """The head of a table's column."""

    label: Inline
    numeric: bool


@dataclass(frozen=True)
class TableBlock:
    """A table, row by row. row_heads: whether the first cell of a row names it."""

    name: str
    title: Inline
    caption: Inline
    columns: tuple[ColumnHead, ...]
    rows: tuple[tuple[Inline, ...], ...]
    row_heads: bool
    kind: Literal["table"] = "table"


@dataclass(frozen=True)
class ParameterRow:
    """One parameter of a run. changed: whether it differs from the solver's default."""

    name: str
    value: Inline
    default: Inline
    changed: bool
    description: Inline
    span: str


@dataclass(frozen=True)
class ParametersBlock:
    """The parameters that a run used."""

    rows: tuple[ParameterRow, ...]
    kind: Literal["parameters"] = "parameters"


@dataclass(frozen=True)
class CheckRow:
    """A check as a reader sees it. name: of its function; title: the method. of: the fields that it compares.

    kind: "answer", "case", "law" or "certificate". closely: how closely both answers agree. shared: functions that it
    uses as the solver does, which make it no second method; rules: those that state the rules of the puzzle. given:
    fields that it took and that nothing confirms. confirms: whether it confirms a field.
    """

    name: str
    title: Inline
    kind: str
    expected: str
    found: str
    passed: bool
    of: str = ""
    closely: str = "exactly"
    shared: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    confirms: bool = True


@dataclass(frozen=True)
class ChecksBlock:
    """The checks of the answer of a run."""

    rows: tuple[CheckRow, ...]
    kind: Literal["checks"] = "checks"


@dataclass(frozen=True)
class EvidenceBlock:
    """The evidence of the post, in its text and not at the end of its page."""

    kind: Literal["evidence"] = "evidence"


@dataclass(frozen=True)
class HtmlBlock:
    """A block by a function of an extension, for pages and for feeds."""

    html: str
    feed: str
    kind: Literal["html"] = "html"


AnyBlock = FigureBlock | TableBlock | ParametersBlock | ChecksBlock | EvidenceBlock | HtmlBlock


@dataclass(frozen=True)
class Body:
    """The text of a post as HTML with a placeholder for each of its parts, by number, and for each link in the site."""

    html: str
    parts: tuple[Annotated[AnyBlock, Field(discriminator="kind")], ...]
    headings: tuple[Heading, ...]
