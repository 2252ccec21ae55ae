"""A rendered figure as plain data: its files, their sizes and digests, and the data table that a page shows."""

import dataclasses
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class RenderedFigure:
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
class FigureFiles:
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
