"""The author's pictures on a page: their sizes, so that nothing jumps."""

import re
from collections.abc import Callable
from io import BytesIO

from site_builder.markup.placeholders import LINK_CLOSE, LINK_OPEN

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif")
_TURNED = 5  # from which the orientation in a photo's EXIF turns it on its side
_ORIENTATION = 0x112
_IMAGE = re.compile(r"<img\b[^<>]*>")
_SOURCE = re.compile(rf'\ssrc="({LINK_OPEN}([^"?#{LINK_CLOSE}]*)[^"]*)"')
_OWN_SIZE = re.compile(r"\s(width|height)=[\"']?(\d+)(%?)")
_FIRST = re.compile(r'\A(<img) loading="lazy"')
_SVG_SIZE = re.compile(rb"\s(width|height)\s*=\s*[\"']([\d.]+)(?:px)?[\"']")
_VIEW_BOX = re.compile(rb"\sviewBox\s*=\s*[\"'][\d.+-]+[ ,]+[\d.+-]+[ ,]+([\d.]+)[ ,]+([\d.]+)")


def size_of(data: bytes, path: str) -> tuple[int, int]:
    """Return the width and height of a picture in pixels; zeros where they are unknown."""
    if path.lower().endswith(".svg"):
        return _size_of_drawing(data)
    from PIL import Image  # other pages do not need it

    try:
        with Image.open(BytesIO(data)) as image:
            is_turned = image.getexif().get(_ORIENTATION, 1) >= _TURNED
            return image.size[::-1] if is_turned else image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return 0, 0


def _size_of_drawing(data: bytes) -> tuple[int, int]:
    tag = data[data.find(b"<svg") :].partition(b">")[0] if b"<svg" in data else b""
    box = _VIEW_BOX.search(tag)
    sizes = {name: float(number) for name, number in _SVG_SIZE.findall(tag)}
    width, height = (
        sizes.get(name, float(box[place]) if box else 0) for place, name in ((1, b"width"), (2, b"height"))
    )
    return (round(width), round(height)) if width and height else (0, 0)


def with_sizes(html: str, size: Callable[[str], tuple[int, int]]) -> str:
    """Return the HTML of a text with sizes at its pictures; the first one is loaded at once.

    size: the target of a picture, as in its placeholder -> its width and height, zeros where they are unknown.
    """
    before, image, rest = html.partition("<img")
    html = before + _FIRST.sub(r"\1", image + rest, count=1) if image else html
    return _IMAGE.sub(lambda found: _sized(found[0], size), html)


def _sized(tag: str, size: Callable[[str], tuple[int, int]]) -> str:
    """A picture with its width and height, as its file or the author has them."""
    source = _SOURCE.search(tag)
    width, height = size(source[2]) if source else (0, 0)
    own = {name: (int(number), sign) for name, number, sign in _OWN_SIZE.findall(tag)}
    if not width or not height or any(sign for _, sign in own.values()):
        return tag
    shown = width
    if "width" in own:
        shown = own["width"][0]
    elif "height" in own:
        shown = round(own["height"][0] * width / height)
    given = {"width": shown, "height": round(shown * height / width)}
    missing = "".join(f' {name}="{each}"' for name, each in given.items() if name not in own)
    return tag.removesuffix(">").removesuffix("/") + missing + ">"
