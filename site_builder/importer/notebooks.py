"""A Jupyter notebook -> the lines of a post: Markdown as text, code in fences, outputs left out."""

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from site_builder.errors import Place, SiteError, counted
from site_builder.importer.markdown.kramdown_blocks import blocks
from site_builder.importer.markdown.lines import Line, Text
from site_builder.importer.notebook_lines import lines_of_sources

LARGEST = 256 * 2**20  # bytes
_TITLE = re.compile(r" {0,3}#[ \t]+(.+?)[ \t#]*$")
_HEADING = re.compile(r" {0,3}#[ \t]+\S")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CURE_OLD = "convert it with jupyter nbconvert --to notebook --nbformat 4"


@dataclass(frozen=True)
class Cell:
    """A cell. line: where it begins in the file; attachments: name -> bytes."""

    kind: str
    lines: tuple[Line, ...]
    line: int
    outputs: int
    attachments: Mapping[str, bytes]


@dataclass(frozen=True)
class Notebook:
    """A notebook as it was read. settings: what a raw cell at its head says between two lines ---."""

    cells: tuple[Cell, ...]
    language: str
    metadata: Mapping[str, Any]
    settings: tuple[Line, ...]


def read_notebook(raw: str, source: str) -> Notebook:
    """The notebook in the text of a file. Raises SiteError where it is none of format 4."""
    try:
        data = json.loads(raw)
    except json.JSONDecodeError as error:
        raise SiteError(Place(source, error.lineno), f"this is no notebook: {error.msg}", "save it again") from error
    except RecursionError as error:
        raise SiteError(Place(source), "this is no notebook: it is nested too deeply", "save it again") from error
    if not isinstance(data, dict) or "nbformat" not in data:
        raise SiteError(Place(source, 1), "this is no notebook: it has no nbformat", "save it with Jupyter")
    if data["nbformat"] != 4:
        raise SiteError(Place(source, 1), f"a notebook of format {data['nbformat']}; only 4 is read", _CURE_OLD)
    if not isinstance(data.get("cells"), list):
        raise SiteError(Place(source, 1), "this notebook has no list of cells", "save it with Jupyter")
    places = lines_of_sources(raw)
    cells = [_cell(cell, number, places, source) for number, cell in enumerate(data["cells"])]
    metadata = data.get("metadata") if isinstance(data.get("metadata"), dict) else {}
    settings: Sequence[Line] = ()
    if cells and cells[0].kind == "raw" and cells[0].lines and cells[0].lines[0].text.strip() == "---":
        inside = [line for line in cells[0].lines[1:] if line.text.strip()]
        if inside and inside[-1].text.strip() == "---":
            settings, cells = inside[:-1], cells[1:]
    return Notebook(tuple(cells), _language(metadata or {}), metadata or {}, tuple(settings))


def _cell(cell: Any, number: int, places: Mapping[Any, int], source: str) -> Cell:
    line = places.get(("cells", number), 1)
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        raise SiteError(Place(source, line), f"cell {number + 1} has no type", "save the notebook again with Jupyter")
    said = cell.get("source", "")
    pieces = said if isinstance(said, list) else [said]
    if not all(isinstance(piece, str) for piece in pieces):
        raise SiteError(Place(source, line), f"the source of cell {number + 1} is no text", "save the notebook again")
    at = [
        places.get(("cells", number, "source", i), places.get(("cells", number, "source"), line))
        for i in range(len(pieces))
    ]
    lines = [Line("", at[0] if at else line)]
    for piece, start in zip(pieces, at, strict=True):
        for count, part in enumerate(piece.replace("\r\n", "\n").split("\n")):
            if count:
                lines.append(Line(part, start))
            else:
                lines[-1] = Line(lines[-1].text + part, lines[-1].number if lines[-1].text else start)
    outputs = cell.get("outputs")
    attachments = cell.get("attachments") or {}
    return Cell(
        cell["cell_type"],
        tuple(lines),
        line,
        len(outputs) if isinstance(outputs, list) else 0,
        _attachments(attachments if isinstance(attachments, dict) else {}, Place(source, line)),
    )


def _attachments(attachments: Mapping[str, Any], place: Place) -> dict[str, bytes]:
    found = {}
    for name, forms in attachments.items():
        data = next(iter(forms.values()), None) if isinstance(forms, dict) else None
        try:
            found[name] = base64.b64decode("".join(data) if isinstance(data, list) else str(data), validate=False)
        except (binascii.Error, ValueError, TypeError) as error:
            raise SiteError(place, f"the attachment {name} is broken", "put the image into the cell again") from error
    return found


def _language(metadata: Mapping[str, Any]) -> str:
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        value = metadata.get(key)
        if isinstance(value, dict) and re.fullmatch(r"[\w#.+-]+", str(value.get(name, ""))):
            return str(value[name]).lower()
    return ""


def title_in(cells: Sequence[Cell]) -> tuple[str, tuple[Cell, ...]]:
    """The first heading of the first level, and the cells without it; empty where text stands before it."""
    for number, cell in enumerate(cells):
        if cell.kind != "markdown":
            continue
        for at, line in enumerate(cell.lines):
            if found := _TITLE.match(line.text):
                lines = cell.lines[:at] + cell.lines[at + 1 :]
                changed = Cell(cell.kind, lines, cell.line, cell.outputs, cell.attachments)
                return found[1], (*cells[:number], changed, *cells[number + 1 :])
            if line.text.strip() and not line.text.lstrip().startswith(("<", "[", "!")):
                return "", tuple(cells)
    return "", tuple(cells)


def has_first_level(lines: Sequence[Line]) -> bool:
    """Whether some heading, outside of fences, has one # or is underlined with =."""
    signs = ""
    for before, line in zip([Line("", 0), *lines], lines, strict=False):
        fence = _FENCE.match(line.text)
        if fence and (not signs or line.text.strip().startswith(signs)):
            signs = "" if signs else fence[1]
        elif not signs and (
            _HEADING.match(line.text) or (before.text.strip() and re.fullmatch(r" {0,3}=+\s*", line.text))
        ):
            return True
    return False


def body(cells: Sequence[Cell], language: str, text: Text) -> list[Line]:
    """The lines of the post that the cells make."""
    text.shift = int(any(has_first_level(cell.lines) for cell in cells if cell.kind == "markdown"))
    made: list[Line] = []
    for cell in cells:
        if cell.kind == "markdown":
            part = blocks(cell.lines, text)
        elif cell.kind == "code":
            part = _fence(cell.lines, language)
        else:
            text.note(cell.line, f"a {cell.kind} cell", "left out")
            part = []
        while part and not part[-1].text:
            part = part[:-1]
        if part:
            made += [*part, Line("", part[-1].number)]
    with_outputs = [cell for cell in cells if cell.outputs]
    if with_outputs:
        outputs = counted(sum(cell.outputs for cell in with_outputs), "output")
        said = f"{outputs} of {counted(len(with_outputs), 'cell')} of code"
        text.note(with_outputs[0].line, said, "left out: no number is published that was not computed by the build")
    return made


def _fence(lines: Sequence[Line], language: str) -> list[Line]:
    kept = list(lines)
    while kept and not kept[0].text.strip():
        kept.pop(0)
    while kept and not kept[-1].text.strip():
        kept.pop()
    if not kept:
        return []
    longest = max((len(run) for line in kept for run in re.findall("`{3,}", line.text)), default=2)
    signs = "`" * (longest + 1)
    return [Line(f"{signs}{language}", kept[0].number), *kept, Line(signs, kept[-1].number)]
