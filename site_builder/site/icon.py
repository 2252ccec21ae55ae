"""The icon of the site: its colours after the theme's, and its picture for phones and share cards."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

from site_builder.project.theme_settings import ThemeSettings
from site_builder.values.colours import mix
from site_builder.values.digest import bytes_digest

if TYPE_CHECKING:
    from PIL import Image

SVG, PNG = "icon.svg", "icon.png"  # below templates/assets/
_SIZE, _FINER = 360, 4  # pixels of the picture, and how much finer it is drawn before it is scaled down
_NAMESPACE = "{http://www.w3.org/2000/svg}"
_GROUND, _STATES, _PATH = "#0d4f5a", "#8cc3c9", "#ffcf85"  # of the default theme's icon.svg


def themed_icons(
    svg: bytes, theme: ThemeSettings, recall: Callable[[str, Callable[[], bytes]], bytes]
) -> dict[str, bytes]:
    """The icons of the default theme on the accent of light mode, with the paper's colour for the best path.

    svg: its icon.svg. recall: gives the cached bytes of a key, or computes them with the function.
    """
    coloured = _coloured(svg, theme)
    return {SVG: coloured, PNG: recall(f"{PNG} {bytes_digest(coloured)}", lambda: icon_picture(coloured))}


def _coloured(svg: bytes, theme: ThemeSettings) -> bytes:
    found = theme.resolved(0)
    colours = {
        _GROUND: found["accent"],
        _STATES: mix(found["accent"], found["paper"], 0.5),
        _PATH: found["paper"],
    }
    return re.sub("|".join(colours), lambda match: colours[match[0]], svg.decode()).encode()


def icon_picture(svg: bytes) -> bytes:
    """The PNG of an icon, 360 x 360, which may hold one <rect>, circles and a <path> of straight lines.

    Its ground has no rounded corners: phones round them in their own way.
    """
    from PIL import Image  # imported by those who draw alone

    root = ET.fromstring(svg)
    scale = _SIZE * _FINER / float(root.get("viewBox", "0 0 32 32").split()[2])
    image = Image.new("RGB", (_SIZE * _FINER, _SIZE * _FINER))
    for node in root:
        _draw(image, node, node.get("fill", ""), scale)
    image = image.resize((_SIZE, _SIZE), Image.Resampling.LANCZOS)
    data = BytesIO()
    image.quantize(128, dither=Image.Dither.NONE).save(data, "PNG", optimize=True)
    return data.getvalue()


def _draw(image: "Image.Image", node: ET.Element, fill: str, scale: float) -> None:
    from PIL import ImageDraw

    pen = ImageDraw.Draw(image)
    if node.tag == f"{_NAMESPACE}rect":
        pen.rectangle((0, 0, *image.size), fill)
    elif node.tag == f"{_NAMESPACE}circle":
        x, y, r = (float(node.get(name, "0")) * scale for name in ("cx", "cy", "r"))
        pen.ellipse((x - r, y - r, x + r, y + r), fill)
    elif node.tag == f"{_NAMESPACE}path":
        numbers = [float(word) * scale for word in node.get("d", "").lstrip("M").split()]
        width = round(float(node.get("stroke-width", "1")) * scale)
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        pen.line(points, node.get("stroke"), width, joint="curve")
    for child in node:
        _draw(image, child, child.get("fill", fill), scale)
