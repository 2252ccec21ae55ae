"""Reads Jupyter notebooks and converts them to posts: Markdown as text, code in fences, outputs left out or kept."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from site_builder.errors import Place, SiteError, counted
from site_builder.extensions.importing.blocks import convert_text, has_first_level, take_heading, with_signs
from site_builder.extensions.importing.lines import ConversionContext, fenced, without_blank_ends
from site_builder.extensions.importing.shortcodes import figure

_SUFFIXES: Mapping[str, str] = {"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg"}
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours of a terminal
_OVERWRITTEN = re.compile(r"^[^\n]*\r(?=[^\n])", re.MULTILINE)  # progress bars
_CAPTION = "Not computed here: output of the notebook, {}"
_ALT = "Output of the code above"
_LEFT_OUT = "left out: no number is published that was not computed by the build (--keep-outputs keeps them)"


@dataclass(frozen=True)
class Cell:
    """A cell. outputs: as in the file."""

    kind: str
    lines: tuple[str, ...]
    outputs: Sequence[Any]


@dataclass(frozen=True)
class Notebook:
    """A notebook. settings: the front matter in a raw cell at its start."""

    cells: tuple[Cell, ...]
    language: str
    metadata: Mapping[str, Any]
    settings: tuple[str, ...]


def read_notebook(raw: str, source: str) -> Notebook:
    """Parse a notebook. source: its path for messages. Raises SiteError if it is no notebook of format 4."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        line, message = getattr(error, "lineno", 0), getattr(error, "msg", str(error))
        raise SiteError(Place(source, line), f"this is no notebook: {message}", "save it again with Jupyter") from error
    if not isinstance(data, dict) or "nbformat" not in data:
        raise SiteError(Place(source, 1), "this is no notebook: it has no nbformat", "save it again with Jupyter")
    if data["nbformat"] != 4 or not isinstance(data.get("cells"), list):
        cure = "convert it with jupyter nbconvert --to notebook --nbformat 4"
        raise SiteError(Place(source, 1), f"a notebook of format {data['nbformat']}; only 4 is read", cure)
    cells = [_cell(cell, source) for cell in data["cells"]]
    metadata = data["metadata"] if isinstance(data.get("metadata"), dict) else {}
    settings: tuple[str, ...] = ()
    rows = without_blank_ends(cells[0].lines) if cells and cells[0].kind == "raw" else []
    if rows and rows[0].strip() == "---" == rows[-1].strip():
        settings, cells = tuple(rows[1:-1]), cells[1:]
    return Notebook(tuple(cells), _language(metadata), metadata, settings)


def _cell(cell: Any, source: str) -> Cell:
    text = cell.get("source", "") if isinstance(cell, dict) else None
    pieces: list[Any] = text if isinstance(text, list) else [text]
    if text is None or "cell_type" not in cell or not all(isinstance(piece, str) for piece in pieces):
        raise SiteError(Place(source), "this cell has no type or text", "save the notebook again with Jupyter")
    lines = "".join(pieces).replace("\r\n", "\n").split("\n")
    kind, outputs = str(cell["cell_type"]), cell.get("outputs")
    return Cell(
        kind,
        tuple(with_signs(lines) if kind == "markdown" else lines),
        [each for each in outputs if isinstance(each, dict)] if isinstance(outputs, list) else (),
    )


def _language(metadata: Mapping[str, Any]) -> str:
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        value = metadata.get(key)
        if isinstance(value, dict) and re.fullmatch(r"[\w#.+-]+", str(value.get(name, ""))):
            return str(value[name]).lower()
    return ""


def take_title(cells: Sequence[Cell]) -> tuple[str, tuple[Cell, ...]]:
    """Return the heading of level 1 with which the first cell begins, and the cells without it."""
    if not cells or cells[0].kind != "markdown":
        return "", tuple(cells)
    heading, rest = take_heading(cells[0].lines)
    return heading, (replace(cells[0], lines=tuple(rest)), *cells[1:])


def convert_cells(
    cells: Sequence[Cell], language: str, context: ConversionContext, outputs_date: str = ""
) -> tuple[list[str], dict[str, bytes]]:
    """Convert the cells to the lines of a post, and to the images that lie beside it, by file name.

    outputs_date: of the outputs, for readers; without it they are left out.
    """
    images: dict[str, bytes] = {}
    is_shifted = any(has_first_level(cell.lines) for cell in cells if cell.kind == "markdown")
    lines: list[str] = []
    for cell in cells:
        parts: list[list[str]] = []
        if cell.kind == "markdown":
            parts.append(convert_text(cell.lines, context, is_shifted))
        elif cell.kind == "code":
            code = without_blank_ends(cell.lines)
            parts.append(fenced(code, language) if code else [])
            parts.append(_kept_outputs(cell, outputs_date, images, context) if outputs_date else [])
        else:
            context.report("", f"a {cell.kind} cell", "left out")
        for part in filter(None, map(without_blank_ends, parts)):
            lines += [*part, ""]
    with_outputs = [cell for cell in cells if cell.outputs]
    if with_outputs and not outputs_date:
        outputs = counted(sum(len(cell.outputs) for cell in with_outputs), "output")
        context.report("", f"{outputs} of {counted(len(with_outputs), 'cell')} of code", _LEFT_OUT)
    return lines, images


def _kept_outputs(cell: Cell, date: str, images: dict[str, bytes], context: ConversionContext) -> list[str]:
    """The outputs of a cell as one figure; empty if nothing of them can be kept. Pictures are added to `images`."""
    blocks: list[list[str]] = []
    printed = ""
    for output in cell.outputs:
        if picture := _picture(output):
            suffix, data = picture
            file = f"output-{len(images) + 1}{suffix}"
            images[file] = data
            context.report("", f"the picture {file} has no alt text", f"“{_ALT}”; write what it shows")
            blocks += [_text(printed), [f"![{_ALT}]({file})"]]
            printed = ""
        else:
            printed += _printed(output, context)
    blocks.append(_text(printed))
    rows = [row for block in filter(None, blocks) for row in (*block, "")]
    return figure(rows[:-1], _CAPTION.format(date)) if rows else []


def _picture(output: Mapping[str, Any]) -> tuple[str, bytes] | None:
    """The suffix and the bytes of the picture in an output; None if there is none, or if it is broken."""
    data = output.get("data")
    for form, suffix in _SUFFIXES.items():
        text = _joined(data.get(form)) if isinstance(data, dict) else ""
        if suffix == ".svg" and "<svg" in text:
            return suffix, text.encode()
        try:
            decoded = base64.b64decode("".join(text.split()), validate=True)
        except ValueError:
            continue
        if decoded.startswith((b"\x89PNG\r\n", b"\xff\xd8")):
            return suffix, decoded
    return None


def _printed(output: Mapping[str, Any], context: ConversionContext) -> str:
    """The text of an output; what has none is reported."""
    kind = output.get("output_type")
    if kind == "stream":
        return _joined(output.get("text"))
    if kind == "error":
        return _joined(output.get("traceback"), "\n")
    data = output["data"] if isinstance(output.get("data"), dict) else {}
    others = [form for form in data if form != "text/plain"]
    if others or not data:
        action = "its plain text is kept" if "text/plain" in data else "left out"
        context.report("", f"an output of the kind {', '.join(others) or kind}", action)
    return f"\n{_joined(data['text/plain']).rstrip()}\n" if "text/plain" in data else ""


def _joined(value: Any, between: str = "") -> str:
    """A text of a notebook, which may be a list of its lines."""
    return between.join(map(str, value)) if isinstance(value, list) else str(value or "")


def _text(text: str) -> list[str]:
    """Text as fenced code; empty for nothing but white space."""
    shown = _OVERWRITTEN.sub("", _ESCAPE.sub("", text.replace("\r\n", "\n"))).strip("\n").rstrip()
    return fenced([row.rstrip() for row in shown.split("\n")], "") if shown else []
