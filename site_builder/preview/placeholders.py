"""What a preview shows in the place of drawings and bundles that are being made."""

import base64
from dataclasses import fields
from typing import Any

from site_builder.figures.rendered import FigureFiles, data_table
from site_builder.values.digest import bytes_digest

_SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<style>rect {{ fill: #8881; stroke: #8886; stroke-dasharray: 6 6 }} text {{ fill: light-dark(#555, #aaa) }}</style>
<rect x="1" y="1" width="{right}" height="{bottom}" rx="8"/>
<text x="50%" y="50%" text-anchor="middle" font-family="sans-serif" font-size="16">This figure is being drawn …</text>
</svg>
"""
_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="


def _svg(width: int, height: int) -> bytes:
    return _SVG.format(width=width, height=height, right=width - 2, bottom=height - 2).encode()


_FILES = {
    "svg": _svg(680, 400),
    "narrow_svg": _svg(320, 320),
    "png": base64.b64decode(_PNG),
    "csv": b"\n",
    "json": b"{}\n",
    "table": data_table(),
}
_EMPTY_ZIP = b"PK\x05\x06" + bytes(18)

_NAMES: dict[str, Any] = {
    field.name: bytes_digest(_FILES[field.name]) for field in fields(FigureFiles) if field.name in _FILES
}
DRAWN = FigureFiles(width=680, height=400, narrow_width=320, narrow_height=320, **_NAMES)
DRAWN_FILES = {bytes_digest(data): data for data in _FILES.values()}
BUNDLE = bytes_digest(_EMPTY_ZIP)
BUNDLE_FILES = {BUNDLE: _EMPTY_ZIP}
