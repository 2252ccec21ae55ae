"""Converts the outputs of a notebook's cells to figures with their origin: pictures as files, text as code."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, fence_for, split_lines
from site_builder.importer.markdown.shortcode_outputs import alt_text, figure

_SUFFIXES: Mapping[str, str] = {"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg"}
_STARTS: Mapping[str, bytes] = {"image/png": b"\x89PNG\r\n", "image/jpeg": b"\xff\xd8"}
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours of a terminal
_OVERWRITTEN = re.compile(r"^[^\n]*\r(?=[^\n])", re.MULTILINE)  # progress bars
_CAPTION = "Not computed here: output of the notebook, {}"


class _Picture(NamedTuple):
    suffix: str
    data: bytes
    alt: str


def kept_outputs(
    outputs: Sequence[Any],
    line: int,
    date: str,
    add_image: Callable[[str, bytes], str],
    context: ConversionContext,
) -> list[SourceLine]:
    """Return the outputs of a cell as one figure; empty if nothing of them can be kept.

    outputs: as the notebook has them. line: of the cell in the file. date: of the outputs, for readers. add_image: the
    ending and the bytes of a picture -> its file name.
    """
    parts: list[str | _Picture] = []
    for output in outputs:
        for part in _parts(output if isinstance(output, dict) else {}, line, context):
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part  # print writes one stream in several pieces
            else:
                parts.append(part)
    rows: list[str] = []
    pictures = 0
    for part in parts:
        if isinstance(part, str):
            block = _text_rows(part)
        else:
            pictures += 1
            block = [_image(part, pictures, line, add_image, context)]
        rows += ["", *block] if rows and block else block
    made = [SourceLine(row, line) for row in rows]
    return figure(made, _CAPTION.format(date)) if made else []


def _parts(output: Mapping[str, Any], line: int, context: ConversionContext) -> list[str | _Picture]:
    """The text and the picture of one output; what cannot be kept is reported."""
    kind = output.get("output_type")
    if kind == "stream":
        return [_joined(output.get("text"))]
    if kind == "error":
        return [_joined(output.get("traceback"), "\n") or f"{output.get('ename')}: {output.get('evalue')}"]
    data = output.get("data")
    data = data if isinstance(data, dict) else {}
    broken = []
    for form in (form for form in _SUFFIXES if form in data):
        if (picture := _decoded(form, _joined(data[form]))) is not None:
            return [_Picture(_SUFFIXES[form], picture, _alt(output, form))]
        broken.append(form)
    others = broken or [form for form in data if form != "text/plain"]
    has_text = "text/plain" in data
    if others or not has_text:
        problem = f"an output of the kind {', '.join(others) or kind}{' is broken' if broken else ''}"
        context.report(line, problem, "its plain text is kept" if has_text else "left out")
    return [f"\n{_joined(data['text/plain']).rstrip()}\n"] if has_text else []


def _joined(value: Any, between: str = "") -> str:
    """A text of a notebook, which may be a list of its lines."""
    return between.join(map(str, value)) if isinstance(value, list) else str(value or "")


def _decoded(form: str, text: str) -> bytes | None:
    """The bytes of a picture; None if it is broken."""
    if form == "image/svg+xml":
        return text.encode() if "<svg" in text else None
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if data.startswith(_STARTS[form]) else None


def _alt(output: Mapping[str, Any], form: str) -> str:
    """The alt text that code gave its picture, as IPython.display.Image(alt=...) does."""
    metadata = output.get("metadata")
    own = metadata.get(form) if isinstance(metadata, dict) else None
    return str(own.get("alt") or "") if isinstance(own, dict) else ""


def _text_rows(text: str) -> list[str]:
    """Text as fenced code; empty for nothing but white space."""
    shown = _OVERWRITTEN.sub("", _ESCAPE.sub("", text.replace("\r\n", "\n"))).rstrip()
    lines = [line.text.rstrip() for line in split_lines(shown.strip("\n"), 1)]
    fence = fence_for([SourceLine(line, 1) for line in lines])
    return [fence, *lines, fence] if any(lines) else []


def _image(
    picture: _Picture, number: int, line: int, add_image: Callable[[str, bytes], str], context: ConversionContext
) -> str:
    """A picture as an image of the post, with its own alt text or with one that is reported."""
    file = add_image(picture.suffix, picture.data)
    alt = picture.alt
    if not alt:
        alt = "Output of the code above" if number == 1 else f"Output {number} of the code above"
        context.report(line, f"the picture {file} has no alt text", f"“{alt}”; write what it shows")
    return f"![{alt_text(alt)}]({file})"
