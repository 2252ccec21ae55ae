"""Share cards, drawn with Pillow: the title of a post beside the PNG of its figure; and which titles they can show.

Pillow is loaded when a card is drawn.
"""

import unicodedata
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
# In pixels, as are the font sizes:
_BAR, _MARGIN, _TOP, _BOTTOM = 16, 64, 160, 566  # the bar has the accent; the others are those of the text
_BOX = (560, 40, 1160, 590)  # around the figure, on white
_PADDING, _CORNER = 16, 20
_SITE_SIZES = (34, 30, 26, 22, 18)
_TITLE_SIZES = (88, 80, 72, 66, 60, 54, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8)
_LEADING = 1.2  # distance between baselines, in multiples of the font size
_COLOURS = 160  # of the PNG
_UNASSIGNED = "\uffff"  # drawn as the glyph for missing characters
_LAST_CYRILLIC = "\u052f"  # DejaVu has nearly all letters up to this one


class CardColours(NamedTuple):
    """The colours of all cards, each `#rrggbb`."""

    paper: str = "#fdfcf9"
    ink: str = "#23211d"
    accent: str = "#0d5c68"


def can_be_drawn(text: str) -> bool:
    """True when all letters of a text are Latin, Greek or Cyrillic, which the font of cards has."""
    return all(each <= _LAST_CYRILLIC or unicodedata.category(each)[0] not in "LM" for each in text)


def draw_card(site: str, title: str, colours: CardColours, figure: bytes = b"") -> bytes:
    """Draw a card as PNG; the same card gives the same bytes. figure: a PNG to show beside the title."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), colours.paper)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, _BAR - 1, HEIGHT), colours.accent)
    right = _BOX[0] if figure else WIDTH
    _write(draw, site, (_MARGIN, _MARGIN, right - _MARGIN // 2, _TOP), _SITE_SIZES, colours.ink)
    _write(draw, title, (_MARGIN, _TOP, right - _MARGIN // 2, _BOTTOM), _TITLE_SIZES, colours.ink)
    if figure:
        _paste(image, figure)
    file = BytesIO()
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(file, "png", compress_level=6)
    return file.getvalue()


def _write(
    draw: "ImageDraw.ImageDraw", text: str, box: tuple[int, int, int, int], sizes: tuple[int, ...], colour: str
) -> None:
    """Write a text into a box at the largest size at which it fits; its end is cut off where none does."""
    left, top, right, bottom = box
    text = "".join(each for each in text if _is_in_font(each))
    for size in sizes:
        font, room = _font(size), int((bottom - top) / (size * _LEADING))
        lines = wrapped(text, font, right - left)
        if len(lines) <= room and all(font.getlength(line) <= right - left for line in lines):
            break
    for number, line in enumerate(lines[:room]):
        draw.text((left, round(top + size * (0.84 + number * _LEADING))), line, colour, font, anchor="ls")


def wrapped(text: str, font: "ImageFont.FreeTypeFont", width: float) -> list[str]:
    """Break a text between words into lines of this width; a word that is wider has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and font.getlength(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _paste(image: "Image.Image", figure: bytes) -> None:
    """Show the figure in its box, scaled to fit."""
    from PIL import Image, ImageDraw

    left, top, right, bottom = _BOX
    ImageDraw.Draw(image).rounded_rectangle(_BOX, _CORNER, "#ffffff", "#cccccc", 2)
    picture = Image.open(BytesIO(figure)).convert("RGB")
    scale = min((right - left - 2 * _PADDING) / picture.width, (bottom - top - 2 * _PADDING) / picture.height)
    size = round(picture.width * scale), round(picture.height * scale)
    place = (left + right - size[0]) // 2, (top + bottom - size[1]) // 2
    image.paste(picture.resize(size, Image.Resampling.LANCZOS), place)


@lru_cache(maxsize=64)
def _font(size: int) -> "ImageFont.FreeTypeFont":
    """A font that comes with matplotlib; matplotlib itself is not loaded, which would take half a second."""
    from PIL import ImageFont

    found: Any = find_spec("matplotlib")
    file = Path(found.origin).parent / "mpl-data/fonts/ttf/DejaVuSerif-Bold.ttf"
    # The basic layout: the other one needs a system library, so that bytes would differ between machines.
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _is_in_font(character: str) -> bool:
    if character.isspace():
        return True
    drawn, missing = (_font(32).getmask(each) for each in (character, _UNASSIGNED))
    return (drawn.size, bytes(drawn)) != (missing.size, bytes(missing))
