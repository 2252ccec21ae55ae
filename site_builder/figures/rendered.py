"""A rendered figure as plain data: its files, their sizes and digests, and the data table that a page shows."""

import dataclasses
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class RenderedFigure:
    """The files of a figure. Sizes are in CSS pixels; both SVGs follow the reader's light or dark scheme.

    svg: for wide screens. narrow_svg: for phones, laid out for their width. png: the wide one at twice its size, in the
    light scheme on white, for feeds and share cards.
    """

    svg: bytes
    width: int
    height: int
    narrow_svg: bytes
    narrow_width: int
    narrow_height: int
    png: bytes


@dataclass(frozen=True)
class FigureFiles:
    """What pages need of a rendered figure: its sizes, and the digest of each of its files.

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
class ColumnHead:
    """The header cell of a column of a DataTable."""

    label: str
    numeric: bool


@dataclass(frozen=True)
class DataTable:
    """What a page shows of a figure's data; the first cell of each row is its header.

    rows_extract, columns_extract: which rows and columns it shows, such as "every 10th of 201 columns"; empty if all.
    columns_axis: the label of the axis whose coordinates are the column heads; empty if they are no coordinates.
    letters: the letters of actions in cells, each with the action's name. files_extract: which rows and columns the
    files have; empty if all.
    """

    heads: tuple[ColumnHead, ...]
    rows: tuple[tuple[str, ...], ...]
    rows_extract: str = ""
    columns_extract: str = ""
    columns_axis: str = ""
    letters: tuple[tuple[str, str], ...] = ()
    files_extract: str = ""

    def packed(self) -> bytes:
        """Return the table as bytes."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False).encode()


def read_table(data: bytes) -> DataTable:
    """Return the table that `packed` gave."""
    fields = json.loads(data)
    heads = tuple(ColumnHead(**head) for head in fields.pop("heads"))
    rows, letters = (tuple(tuple(row) for row in fields.pop(name)) for name in ("rows", "letters"))
    return DataTable(heads, rows, letters=letters, **fields)
