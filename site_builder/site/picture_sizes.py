"""The author's pictures on a page: their sizes, so that nothing jumps, and a link where a picture is shown smaller."""

import re
from collections.abc import Callable
from io import BytesIO

from site_builder.markup.placeholders import LINK_CLOSE, LINK_OPEN

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif")
_COLUMN = 608  # pixels of the text on a wide screen, 38rem; a wider picture is shown smaller than it is
_TURNED = 5  # from which the orientation in a photo's EXIF turns it on its side
_ORIENTATION = 0x112
_LINK_OR_IMAGE = re.compile(r"<a\b[^<>]*>|</a>|<img\b[^<>]*>")
_SOURCE = re.compile(rf'\ssrc="({LINK_OPEN}([^"?#{LINK_CLOSE}]*)[^"]*)"')
_OWN_SIZE = re.compile(r"\s(width|height)=[\"']?(\d+)(%?)")
_FIRST = re.compile(r'(<img) loading="lazy"')
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
    """Return the HTML of a text with sizes and links at its pictures; the first one is loaded at once.

    size: the target of a picture, as in its placeholder -> its width and height, zeros where they are unknown.
    """
    if "<img" not in html:
        return html
    links = pictures = 0

    def changed(found: re.Match[str]) -> str:
        nonlocal links, pictures
        tag = found[0]
        if not tag.startswith("<img"):
            links += -1 if tag.startswith("</") else 1
            return tag
        pictures += 1
        return _sized(_FIRST.sub(r"\1", tag) if pictures == 1 else tag, bool(links), size)

    return _LINK_OR_IMAGE.sub(changed, html)


def _sized(tag: str, is_linked: bool, size: Callable[[str], tuple[int, int]]) -> str:
    """A picture with its width and height, in a link to the full one where that is larger than what is shown."""
    source = _SOURCE.search(tag)
    width, height = size(source[2]) if source else (0, 0)
    if not source or not width or not height:
        return tag
    own = {name: (int(number), sign) for name, number, sign in _OWN_SIZE.findall(tag)}
    shown, is_share = width, any(sign for _, sign in own.values())
    if "width" in own:
        shown = own["width"][0]
    elif "height" in own:
        shown = round(own["height"][0] * width / height)
    given = {"width": shown, "height": round(shown * height / width)}
    missing = "" if is_share else "".join(f' {name}="{each}"' for name, each in given.items() if name not in own)
    made = tag.removesuffix(">").removesuffix("/") + missing + ">"
    is_smaller = is_share or shown < width or shown > _COLUMN
    has_words = re.search(r'\salt="[^"]', tag)
    if is_linked or not is_smaller or not has_words:
        return made
    return f'<a class="full-picture" href="{source[1]}">{made}</a>'
