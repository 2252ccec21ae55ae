"""Reads Jupyter notebooks and converts them to posts: Markdown as text, code in fences, outputs left out or kept."""

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any
from urllib.parse import unquote

from site_builder.errors import Place, SiteError, counted
from site_builder.importer.long_numbers import long_number_error
from site_builder.importer.markdown.blocks import convert_blocks
from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, fence_for, without_blank_ends
from site_builder.importer.markdown.first_heading import has_first_level, starts_text, take_heading
from site_builder.importer.notebook_outputs import kept_outputs

LARGEST = 256 * 2**20  # bytes
_JSON_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"(?P<colon>\s*:)?|[{}\[\]\n]')
_IMAGE = re.compile(r"\.(png|jpe?g|gif|svg|webp|avif|bmp)$", re.IGNORECASE)
_CONVERT = "convert it with jupyter nbconvert --to notebook --nbformat 4"


@dataclass(frozen=True)
class Cell:
    """A cell. line: its first line in the file; outputs: as in the file; attachments: name -> bytes."""

    kind: str
    lines: tuple[SourceLine, ...]
    line: int
    outputs: tuple[Any, ...]
    attachments: Mapping[str, bytes]


@dataclass(frozen=True)
class Notebook:
    """A notebook. settings: the front matter in a raw cell at its start."""

    cells: tuple[Cell, ...]
    language: str
    metadata: Mapping[str, Any]
    settings: tuple[SourceLine, ...]


def read_notebook(raw: str, source: str) -> Notebook:
    """Parse a notebook. source: its path for messages. Raises SiteError if it is no notebook of format 4."""
    try:
        data = json.loads(raw)
    except json.JSONDecodeError as error:
        raise SiteError(Place(source, error.lineno), f"this is no notebook: {error.msg}", "save it again") from error
    except RecursionError as error:
        raise SiteError(Place(source), "this is no notebook: it is nested too deeply", "save it again") from error
    except ValueError as error:
        raise long_number_error(raw, source, 1) from error
    if not isinstance(data, dict) or "nbformat" not in data:
        raise SiteError(Place(source, 1), "this is no notebook: it has no nbformat", "save it with Jupyter")
    if data["nbformat"] != 4:
        raise SiteError(Place(source, 1), f"a notebook of format {data['nbformat']}; only 4 is read", _CONVERT)
    if not isinstance(data.get("cells"), list):
        raise SiteError(Place(source, 1), "this notebook has no list of cells", "save it with Jupyter")
    lines = [*_cell_lines(raw), *[(1, [])] * len(data["cells"])]
    cells = [_cell(cell, number, *lines[number], source) for number, cell in enumerate(data["cells"])]
    metadata = data.get("metadata") if isinstance(data.get("metadata"), dict) else {}
    settings: Sequence[SourceLine] = ()
    if cells and cells[0].kind == "raw" and cells[0].lines and cells[0].lines[0].text.strip() == "---":
        inside = [line for line in cells[0].lines[1:] if line.text.strip()]
        if inside and inside[-1].text.strip() == "---":
            settings, cells = inside[:-1], cells[1:]
    return Notebook(tuple(cells), _language(metadata or {}), metadata or {}, tuple(settings))


def _cell_lines(raw: str) -> list[tuple[int, list[int]]]:
    """The line of each cell in valid JSON, and those of the strings in its source."""
    found: list[tuple[int, list[int]]] = []
    keys: list[str] = []  # of the open objects the last key, of the open lists ""
    line = 1
    for match in _JSON_TOKEN.finditer(raw):
        token = match[0]
        if token in "{[":
            if keys == ["cells", ""]:
                found.append((line, []))
            keys.append("")
        elif token in "}]":
            keys.pop()
        elif match["colon"]:
            keys[-1] = token[1 : token.rindex('"')]
        elif keys[:3] == ["cells", "", "source"] and token != "\n":
            found[-1][1].append(line)
        line += token.count("\n")
    return found


def _cell(cell: Any, number: int, line: int, starts: Sequence[int], source: str) -> Cell:
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        raise SiteError(Place(source, line), f"cell {number + 1} has no type", "save the notebook again with Jupyter")
    text = cell.get("source", "")
    pieces = text if isinstance(text, list) else [text]
    if not all(isinstance(piece, str) for piece in pieces):
        raise SiteError(Place(source, line), f"the source of cell {number + 1} is no text", "save the notebook again")
    starts = starts or [line]
    lines = [SourceLine("", starts[0])]
    for piece, start in zip(pieces, starts, strict=False):
        for at, part in enumerate(piece.replace("\r\n", "\n").split("\n")):
            if at:
                lines.append(SourceLine(part, start))
            else:
                lines[-1] = SourceLine(lines[-1].text + part, lines[-1].number if lines[-1].text else start)
    outputs = cell.get("outputs")
    attachments = cell.get("attachments") or {}
    return Cell(
        cell["cell_type"],
        tuple(lines),
        line,
        tuple(outputs) if isinstance(outputs, list) else (),
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


def take_title(cells: Sequence[Cell]) -> tuple[str, tuple[Cell, ...]]:
    """Return the first heading of level 1 and the cells without it; empty text if other text precedes it."""
    for number, cell in enumerate(cells):
        if cell.kind != "markdown":
            continue
        heading, rest = take_heading(cell.lines)
        if heading:
            return heading, (*cells[:number], replace(cell, lines=tuple(rest)), *cells[number + 1 :])
        if starts_text(cell.lines):
            break
    return "", tuple(cells)


def convert_cells(
    cells: Sequence[Cell], language: str, context: ConversionContext, outputs_date: str = ""
) -> tuple[list[SourceLine], dict[str, bytes]]:
    """Convert the cells to the lines of a post, and to the images that lie beside it, by file name.

    outputs_date: of the outputs, for readers; without it they are left out.
    """
    images: dict[str, bytes] = {}
    own: list[dict[str, str]] = []
    for cell in cells:
        shown = {name: data for name, data in cell.attachments.items() if _IMAGE.search(name)}
        for name in cell.attachments.keys() - shown.keys():  # other.md and index.md would be posts
            context.report(cell.line, f"the attachment {name} is no image", "left out")
        own.append({name: _add_image(name, data, images) for name, data in shown.items()})
    every = {name: file for names in own for name, file in names.items()}
    resolve = context.resolve
    numbers = count(1)

    def add_output(suffix: str, data: bytes) -> str:
        return _add_image(f"output-{next(numbers)}{suffix}", data, images)

    context.shift = int(any(has_first_level(cell.lines) for cell in cells if cell.kind == "markdown"))
    lines: list[SourceLine] = []
    for cell, names in zip(cells, own, strict=True):
        if cell.kind == "markdown":
            context.resolve = partial(_resolve, every | names, resolve)
            part = convert_blocks(cell.lines, context)
        elif cell.kind == "code":
            part = _fenced(cell.lines, language)
            if outputs_date:
                kept = kept_outputs(cell.outputs, cell.line, outputs_date, add_output, context)
                part = [*part, SourceLine("", cell.line), *kept] if part and kept else [*part, *kept]
        else:
            context.report(cell.line, f"a {cell.kind} cell", "left out")
            part = []
        while part and not part[-1].text:
            part = part[:-1]
        if part:
            lines += [*part, SourceLine("", part[-1].number)]
    with_outputs = [cell for cell in cells if cell.outputs]
    if with_outputs and not outputs_date:
        outputs = counted(sum(len(cell.outputs) for cell in with_outputs), "output")
        problem = f"{outputs} of {counted(len(with_outputs), 'cell')} of code"
        action = "left out: no number is published that was not computed by the build (--keep-outputs keeps them)"
        context.report(with_outputs[0].line, problem, action)
    return lines, images


def _add_image(name: str, data: bytes, images: dict[str, bytes]) -> str:
    """Add an image of a cell to those of the post; its file name, which no other image has."""
    file = re.sub(r"[^\w.-]+", "-", name.replace("\\", "/").rsplit("/", 1)[-1]).lstrip(".-_") or "image"
    while images.setdefault(file, data) != data:
        file = f"_{file}"
    return file


def _resolve(images: Mapping[str, str], resolve: Callable[[str], str | None], link: str) -> str | None:
    is_image = link.startswith("attachment:")
    return images.get(unquote(link.removeprefix("attachment:"))) if is_image else resolve(link)


def _fenced(lines: Sequence[SourceLine], language: str) -> list[SourceLine]:
    code = without_blank_ends(lines)
    fence = fence_for(code)
    return [code[0].changed(f"{fence}{language}"), *code, code[-1].changed(fence)] if code else []
