"""What stands on a line of its own in a post, as plain data: figures, tables, listings, lists of parameters."""

import dataclasses
import json
from dataclasses import dataclass

from site_builder.tokens import Inline


@dataclass(frozen=True)
class FigurePart:
    """A drawn figure. key: names the drawing; name: of its files and its anchor, unique in the post."""

    key: str
    name: str
    title: Inline
    caption: Inline
    alt: str


@dataclass(frozen=True)
class Drawing:
    """A figure made visible. Sizes in CSS pixels; both SVGs follow the reader's light or dark scheme.

    svg: for wide screens. narrow_svg: for phones, drawn anew for their width. png: the wide one at twice its size, in
    the light scheme on white, for feeds and share cards.
    """

    svg: bytes
    width: int
    height: int
    narrow_svg: bytes
    narrow_width: int
    narrow_height: int
    png: bytes


@dataclass(frozen=True)
class Drawn:
    """What pages need to know of a drawing: its sizes, and a digest of each of its files.

    csv, json: the data of the figure; table: what a page shows of it, a packed DataTable.
    """

    width: int
    height: int
    narrow_width: int
    narrow_height: int
    svg: str
    narrow_svg: str
    png: str
    csv: str
    json: str
    table: str


@dataclass(frozen=True)
class DataHead:
    """The head of a column of a figure's data."""

    label: str
    numeric: bool


@dataclass(frozen=True)
class DataTable:
    """What a page shows of a figure's data; the first cell of each row names it.

    rows_told, columns_told: of which rows and columns it is an extract, such as "every 10th of 201 columns"; empty
    where all are there. over: what the heads of the columns count, where they are coordinates. letters: those that
    stand in cells, each with what it stands for. files_told: of which rows and columns the files are an extract, empty
    where they have all.
    """

    heads: tuple[DataHead, ...]
    rows: tuple[tuple[str, ...], ...]
    rows_told: str = ""
    columns_told: str = ""
    over: str = ""
    letters: tuple[tuple[str, str], ...] = ()
    files_told: str = ""

    def packed(self) -> bytes:
        """The table as bytes."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False).encode()


def read_table(data: bytes) -> DataTable:
    """The table that was packed."""
    fields = json.loads(data)
    heads = tuple(DataHead(**head) for head in fields.pop("heads"))
    rows, letters = (tuple(tuple(row) for row in fields.pop(name)) for name in ("rows", "letters"))
    return DataTable(heads, rows, letters=letters, **fields)


@dataclass(frozen=True)
class ColumnHead:
    """The head of a table's column."""

    label: Inline
    numeric: bool


@dataclass(frozen=True)
class TablePart:
    """A table, row by row. row_heads: whether the first cell of a row names it."""

    name: str
    title: Inline
    caption: Inline
    columns: tuple[ColumnHead, ...]
    rows: tuple[tuple[Inline, ...], ...]
    row_heads: bool


@dataclass(frozen=True)
class SourcePart:
    """Code of a solver, highlighted. path: its file; name: of the function or class."""

    path: str
    name: str
    line: int
    code: str


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
class ParametersPart:
    """The parameters that a run used."""

    rows: tuple[ParameterRow, ...]


@dataclass(frozen=True)
class CheckRow:
    """A check as a reader sees it: what was confirmed, how, what it should be and what was found."""

    name: Inline
    method: str
    expected: str
    found: str
    passed: bool
    detail: Inline


@dataclass(frozen=True)
class ChecksPart:
    """The checks of the answer of a run."""

    rows: tuple[CheckRow, ...]


@dataclass(frozen=True)
class BundlePart:
    """A run to repeat at home. run: its name in the post; name: of the zip file, without its ending."""

    run: str
    name: str


Part = FigurePart | TablePart | SourcePart | ParametersPart | ChecksPart | BundlePart
