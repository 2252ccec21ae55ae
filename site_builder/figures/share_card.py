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
_LAST_CYRILLIC = "\u052f"  # DejaVu, behind the fonts of the theme, has nearly all letters up to this one


class ShareCard(NamedTuple):
    """The texts of a card."""

    site: str
    title: str


class CardLook(NamedTuple):
    """Fonts and colours of all cards. fonts: font files, the first that has a text being its font.

    colours: of paper, ink and accent, each `#rrggbb`.
    """

    fonts: tuple[bytes, ...] = ()
    colours: tuple[str, str, str] = ("#fdfcf9", "#23211d", "#0d5c68")


def can_be_drawn(text: str) -> bool:
    """True when all letters of a text are Latin, Greek or Cyrillic, which the fonts of cards have."""
    return all(each <= _LAST_CYRILLIC or unicodedata.category(each)[0] not in "LM" for each in text)


def draw_card(card: ShareCard, look: CardLook, figure: bytes = b"") -> bytes:
    """Draw a card as PNG; the same card gives the same bytes. figure: a PNG to show beside the title."""
    from PIL import Image, ImageDraw

    paper, ink, accent = look.colours
    image = Image.new("RGB", (WIDTH, HEIGHT), paper)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, _BAR - 1, HEIGHT), accent)
    right = _BOX[0] if figure else WIDTH
    _write(draw, card.site, look, (_MARGIN, _MARGIN, right - _MARGIN // 2, _TOP), _SITE_SIZES, ink)
    _write(draw, card.title, look, (_MARGIN, _TOP, right - _MARGIN // 2, _BOTTOM), _TITLE_SIZES, ink)
    if figure:
        _paste(image, figure)
    file = BytesIO()
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(file, "png", compress_level=6)
    return file.getvalue()


def is_font(data: bytes) -> bool:
    """True when the data is a font that can be used on cards."""
    try:
        _font(data, 20)
    except OSError:
        return False
    return True


def _write(
    draw: "ImageDraw.ImageDraw",
    text: str,
    look: CardLook,
    box: tuple[int, int, int, int],
    sizes: tuple[int, ...],
    colour: str,
) -> None:
    """Write a text into a box at the largest size at which it fits; its end is cut off where none does."""
    left, top, right, bottom = box
    data = min(_fonts(look), key=lambda font: sum(not _has(font, each) for each in text))
    text = "".join(each for each in text if _has(data, each))
    for size in sizes:
        font, room = _font(data, size), int((bottom - top) / (size * _LEADING))
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


def _fonts(look: CardLook) -> tuple[bytes, ...]:
    return (*look.fonts, _fallback_font())


@lru_cache(maxsize=64)
def _font(data: bytes, size: int) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont

    # The basic layout: the other one needs a system library, so that bytes would differ between machines.
    return ImageFont.truetype(BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _has(font: bytes, character: str) -> bool:
    if character.isspace():
        return True
    drawn, missing = (_font(font, 32).getmask(each) for each in (character, _UNASSIGNED))
    return (drawn.size, bytes(drawn)) != (missing.size, bytes(missing))


@lru_cache
def _fallback_font(name: str = "DejaVuSerif-Bold") -> bytes:
    """A font that comes with matplotlib; matplotlib itself is not loaded, which would take half a second."""
    found: Any = find_spec("matplotlib")
    return (Path(found.origin).parent / f"mpl-data/fonts/ttf/{name}.ttf").read_bytes()
