"""Reads Jupyter notebooks and converts them to posts: Markdown as text, code in fences, outputs left out or kept."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from site_builder.errors import Place, SiteError, counted
from site_builder.extensions.importing.blocks import convert_text, has_first_level, take_heading, with_signs
from site_builder.extensions.importing.conversion import Conversion, fenced, figure, trimmed

_SUFFIXES: Mapping[str, str] = {"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg"}
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours of a terminal
_CAPTION = "Not computed here: output of the notebook, {}"
_ALT = "Output of the code above"
_LEFT_OUT = "left out: no number is published that was not computed by the build (--keep-outputs keeps them)"


class Cell(NamedTuple):
    """A cell. outputs: as in the file."""

    kind: str
    text: str
    outputs: Sequence[Any] = ()


class Notebook(NamedTuple):
    """A notebook. settings: the front matter in a raw cell at its start."""

    cells: Sequence[Cell]
    language: str
    settings: str


def read_notebook(raw: str, source: str) -> Notebook:
    """Parse a notebook. source: its path for messages. Raises SiteError if it is no notebook of format 4."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        line, message = getattr(error, "lineno", 0), getattr(error, "msg", str(error))
        raise SiteError(Place(source, line), f"this is no notebook: {message}", "save it again with Jupyter") from error
    if not isinstance(data, dict) or data.get("nbformat") != 4 or not isinstance(data.get("cells"), list):
        cure = "convert it with jupyter nbconvert --to notebook --nbformat 4"
        raise SiteError(Place(source, 1), "this is no notebook of format 4", cure)
    cells = [_cell(cell, source) for cell in data["cells"]]
    is_raw = bool(cells) and cells[0].kind == "raw"
    front = re.fullmatch(r"\s*---\n(.*)\n---\s*", cells[0].text, re.DOTALL) if is_raw else None
    return Notebook(cells[1:] if front else cells, _language(data.get("metadata")), front[1] if front else "")


def _cell(cell: Any, source: str) -> Cell:
    text, outputs = (cell.get("source"), cell.get("outputs")) if isinstance(cell, dict) else (None, None)
    if not isinstance(text, (str, list)) or "cell_type" not in cell:
        raise SiteError(Place(source), "this cell has no type or text", "save the notebook again with Jupyter")
    shown = [each for each in outputs if isinstance(each, dict)] if isinstance(outputs, list) else []
    return Cell(str(cell["cell_type"]), _joined(text).replace("\r\n", "\n"), shown)


def _language(metadata: Any) -> str:
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        value = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(value, dict) and re.fullmatch(r"[\w#.+-]+", str(value.get(name, ""))):
            return str(value[name]).lower()
    return ""


def convert_cells(
    notebook: Notebook, conversion: Conversion, outputs_date: str = ""
) -> tuple[str, str, dict[str, bytes]]:
    """Return the heading with which the first cell begins, the text, and the images beside the post by file name.

    outputs_date: of the outputs, for readers; without it they are left out.
    """
    images: dict[str, bytes] = {}
    texts = [
        with_signs(conversion.without_code(each.text)) if each.kind == "markdown" else "" for each in notebook.cells
    ]
    title, rest = take_heading("".join(texts[:1]))
    texts[:1] = [rest] if texts else []
    is_shifted = any(map(has_first_level, texts))
    parts: list[str] = []
    for cell, text in zip(notebook.cells, texts, strict=True):
        if cell.kind == "markdown":
            parts.append(conversion.with_code(convert_text(text, conversion, is_shifted)))
        elif cell.kind == "code":
            parts.append(fenced(trimmed(cell.text), notebook.language) if cell.text.strip() else "")
            parts.append(_kept_outputs(cell, outputs_date, images, conversion) if outputs_date else "")
        else:
            conversion.report("", f"a {cell.kind} cell", "left out")
    if not outputs_date and (numbers := [len(cell.outputs) for cell in notebook.cells if cell.outputs]):
        what = f"{counted(sum(numbers), 'output')} of {counted(len(numbers), 'cell')} of code"
        conversion.report("", what, _LEFT_OUT)
    return title, "\n\n".join(filter(None, map(trimmed, parts))), images


def _kept_outputs(cell: Cell, date: str, images: dict[str, bytes], conversion: Conversion) -> str:
    """The outputs of a cell as one figure; empty if nothing of them can be kept. Pictures are added to `images`."""
    blocks: list[str] = []
    for output in cell.outputs:
        if picture := _picture(output):
            suffix, data = picture
            file = f"output-{len(images) + 1}{suffix}"
            images[file] = data
            conversion.report("", f"the picture {file} has no alt text", f"“{_ALT}”; write what it shows")
            blocks.append(f"![{_ALT}]({file})")
        else:
            blocks.append(_shown(_printed(output, conversion)))
    inside = "\n\n".join(filter(None, blocks))
    return figure(inside, _CAPTION.format(date)) if inside else ""


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


def _printed(output: Mapping[str, Any], conversion: Conversion) -> str:
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
        conversion.report("", f"an output of the kind {', '.join(others) or kind}", action)
    return _joined(data.get("text/plain"))


def _joined(value: Any, between: str = "") -> str:
    """A text of a notebook, which may be a list of its lines."""
    return between.join(map(str, value)) if isinstance(value, list) else str(value or "")


def _shown(text: str) -> str:
    """Printed text as fenced code; empty for nothing but white space."""
    shown = re.sub(r"[ \t]+$", "", _ESCAPE.sub("", text), flags=re.MULTILINE).strip("\n").rstrip()
    return fenced(shown, "") if shown else ""
