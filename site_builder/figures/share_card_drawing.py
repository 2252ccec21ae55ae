"""Draws share cards with Pillow: the images that other sites show for a link to a post."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from site_builder.figures.share_card import CardLook, ShareCard, is_simple_script

WIDTH, HEIGHT = 1200, 630

_PANEL = "#ffffff"  # behind the figure, which is drawn on white
# In pixels, as are the font sizes:
_MARGIN, _TOP, _BOTTOM = 64, 160, 566  # of the text; the last is the lowest baseline
_BOX = (604, 40, 1160, 590)  # around the figure
_PADDING, _CORNER, _ICON = 16, 20, 64
_SITE_SIZES = range(34, 15, -2)
_TITLE_SIZES = (88, 80, 72, 66, 60, 54, 48, 44, 40, 36, 32, 28, 24, 20)
_TEXT_SIZES = (56, 48, 42, 36, 32, 28, 24, 20)
_TRUNCATED_SIZES = (24, 20, 16, 12, 8)  # the smaller ones only where a word is wider than the card
_LABEL_SIZE, _GAP = 26, 76  # the gap is between title and text, and includes the label
_TEXT_COLOURS, _FIGURE_COLOURS = 64, 112  # of the PNG; separate palettes, so that a figure displaces no text colour
LEADING = 1.2  # distance between baselines, in multiples of the font size
_MEASURED = 100  # widths are measured at this size and scaled to others
_TOLERANCE = 0.985  # share of a line that may be filled: hinting changes widths a little from size to size
_UNASSIGNED = "\uffff"  # drawn as the glyph for missing characters


class FontStack:
    """The fonts of one weight; a character is drawn in the first font that has it.

    fonts: the bytes of font files. fallback: the name of the DejaVu font that comes last; a character that it does not
    have either is left out.
    """

    def __init__(self, fonts: Sequence[bytes], fallback: str) -> None:
        self._fonts = (*fonts, _fallback_font(fallback))

    def lacks(self, character: str) -> bool:
        """True when no font has the character."""
        return not any(_has(font, character) for font in self._fonts)

    def width(self, text: str, size: float) -> float:
        """Return the width of a line in pixels."""
        return sum(_font(font, _MEASURED).getlength(run) for run, font in self._runs(text)) * size / _MEASURED

    def wrap(self, text: str, size: float, width: float) -> list[str] | None:
        """Break the text between words into lines of this width; return None where a word is wider than a line."""
        lines: list[str] = []
        used, space = 0.0, self.width(" ", size)
        for word in re.split(r"[ \t\n]+", text.strip()):
            more = self.width(word, size)
            if more > width * _TOLERANCE:
                return None
            if lines and used + space + more <= width * _TOLERANCE:
                lines[-1], used = f"{lines[-1]} {word}", used + space + more
            else:
                lines.append(word)
                used = more
        return lines

    def draw(self, image: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, colour: str) -> None:
        """Draw one line that starts at `at` on its baseline."""
        x, y = at
        for run, font in self._runs(text):
            image.text((round(x), round(y)), run, colour, _font(font, size), anchor="ls")
            x += _font(font, size).getlength(run)

    def _runs(self, text: str) -> list[tuple[str, bytes]]:
        runs: list[tuple[str, bytes]] = []
        for character in text:
            font = next((font for font in self._fonts if _has(font, character)), None)
            if font is not None and runs and runs[-1][1] is font:
                runs[-1] = runs[-1][0] + character, font
            elif font is not None:
                runs.append((character, font))
        return runs


@lru_cache(maxsize=64)
def _font(data: bytes, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout: the other one needs a system library, so that bytes would differ between machines.
    return ImageFont.truetype(BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _has(font: bytes, character: str) -> bool:
    if character == " ":
        return True
    drawn, missing = (_font(font, 32).getmask(each) for each in (character, _UNASSIGNED))
    return (drawn.size, bytes(drawn)) != (missing.size, bytes(missing))


@lru_cache
def _fallback_font(name: str) -> bytes:
    """A font that comes with matplotlib; matplotlib itself is not loaded, which would take half a second."""
    found: Any = find_spec("matplotlib")
    return (Path(found.origin).parent / f"mpl-data/fonts/ttf/{name}.ttf").read_bytes()


@dataclass(frozen=True)
class _TextBlock:
    """Lines of text of one size."""

    lines: list[str]
    size: int

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * LEADING


def draw_cards(cards: Iterable[tuple[ShareCard, bytes]], look: CardLook) -> list[bytes]:
    """Draw cards, each with the PNG of its figure (may be empty)."""
    return [draw_card(card, look, figure) for card, figure in cards]


def unwritable(letters: Iterable[str], look: CardLook) -> set[str]:
    """Return those characters that cannot be drawn on a card."""
    stacks = FontStack(look.bold, "DejaVuSerif-Bold"), FontStack(look.regular, "DejaVuSerif")
    return {each for each in letters if not is_simple_script(each) or any(fonts.lacks(each) for fonts in stacks)}


def is_font(data: bytes) -> bool:
    """True when the data is a font that can be used on cards."""
    try:
        FontStack((data,), "DejaVuSerif").width("A", 20)
    except OSError:
        return False
    return True


def is_picture(data: bytes) -> bool:
    """True when the data is an image that can be shown on cards."""
    try:
        Image.open(BytesIO(data)).convert("RGB")
    except (OSError, SyntaxError, ValueError):  # Pillow raises any of them for an invalid PNG
        return False
    return True


def draw_card(card: ShareCard, look: CardLook, figure: bytes = b"") -> bytes:
    """Draw a card as PNG; the same card gives the same bytes. figure: a PNG to show beside the text."""
    paper, ink, soft, line, warm = look.colours
    image = Image.new("RGB", (WIDTH, HEIGHT), paper)
    draw = ImageDraw.Draw(image)
    bold, regular = FontStack(look.bold, "DejaVuSerif-Bold"), FontStack(look.regular, "DejaVuSerif")
    width = (_BOX[0] if figure else WIDTH) - 2 * _MARGIN + (_MARGIN // 3 if figure else 0)
    _draw_head(image, card.site, look.icon, bold, width, soft)
    title, text = _fit_text(card, bold, regular, width)
    _draw_block(draw, bold, title, _TOP, ink)
    if text.lines:
        top = _BOTTOM - text.height
        _draw_block(draw, regular, text, top, ink if card.label else soft)
        bold.draw(draw, (_MARGIN, top - 14), card.label, _LABEL_SIZE, warm)
    file = BytesIO()
    image = _with_fewer_colours(image, _TEXT_COLOURS)
    if figure:
        image = image.convert("RGB")
        _draw_figure(image, figure, line)
        image = _with_fewer_colours(image, _TEXT_COLOURS + _FIGURE_COLOURS)
    image.save(file, "png", compress_level=6)
    return file.getvalue()


def _with_fewer_colours(image: Image.Image, colours: int) -> Image.Image:
    return image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _draw_figure(image: Image.Image, figure: bytes, line: str) -> None:
    """Draw the figure on its panel, scaled to fit."""
    ImageDraw.Draw(image).rounded_rectangle(_BOX, _CORNER, _PANEL, line, 2)
    picture = Image.open(BytesIO(figure)).convert("RGB")
    across, down = _BOX[2] - _BOX[0] - 2 * _PADDING, _BOX[3] - _BOX[1] - 2 * _PADDING
    scale = min(across / picture.width, down / picture.height)
    size = round(picture.width * scale), round(picture.height * scale)
    place = (_BOX[0] + _BOX[2] - size[0]) // 2, (_BOX[1] + _BOX[3] - size[1]) // 2
    image.paste(_with_fewer_colours(picture.resize(size, Image.Resampling.LANCZOS), _FIGURE_COLOURS), place)


def _draw_head(image: Image.Image, site: str, icon_png: bytes, bold: FontStack, width: float, colour: str) -> None:
    """Draw the icon and the name of the site."""
    left = _MARGIN
    if icon_png:
        icon = Image.open(BytesIO(icon_png)).convert("RGB").resize((_ICON, _ICON), Image.Resampling.LANCZOS)
        mask = Image.new("L", (4 * _ICON, 4 * _ICON))
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, 4 * _ICON, 4 * _ICON), 3 * _CORNER, 255)
        image.paste(icon, (_MARGIN, _MARGIN - 12), mask.resize((_ICON, _ICON)))
        left += _ICON + 20
    if site:
        free = width - (left - _MARGIN)
        size = next((size for size in _SITE_SIZES if bold.width(site, size) <= free), _SITE_SIZES[-1])
        bold.draw(ImageDraw.Draw(image), (left, _MARGIN + _ICON // 2 - 12 + size * 0.36), site, size, colour)


def _fit_text(card: ShareCard, bold: FontStack, regular: FontStack, width: float) -> tuple[_TextBlock, _TextBlock]:
    """Title and text at the largest sizes at which both fit; truncated where none does."""
    height = _BOTTOM - _TOP
    if not card.text:
        fitting = (each for each in _blocks(bold, card.title, width, _TITLE_SIZES) if each.height <= height)
        return next(fitting, None) or _truncated(bold, card.title, width, height), _TextBlock([], 0)
    texts = list(_blocks(regular, card.text, width, _TEXT_SIZES))
    both = [
        (title, text)
        for title in _blocks(bold, card.title, width, _TITLE_SIZES)
        for text in texts
        if text.size <= title.size and title.height + text.height + _GAP <= height
    ]
    if both:
        return max(both, key=lambda each: (each[0].size + 2 * each[1].size, each[0].size))
    half = (height - _GAP) / 2
    return _truncated(bold, card.title, width, half), _truncated(regular, card.text, width, half)


def _blocks(fonts: FontStack, text: str, width: float, sizes: tuple[int, ...]) -> Iterator[_TextBlock]:
    """The wrapped text at each size at which no word is too wide."""
    for size in sizes:
        lines = fonts.wrap(text, size, width)
        if lines is not None:
            yield _TextBlock(lines, size)


def _truncated(fonts: FontStack, text: str, width: float, height: float) -> _TextBlock:
    """The first words that fit, with an ellipsis if others follow."""
    words = text.split()
    size = next((size for size in _TRUNCATED_SIZES if fonts.wrap(text, size, width) is not None), _TRUNCATED_SIZES[-1])
    kept = _TextBlock([], size)
    for count in range(1, len(words) + 1):
        lines = fonts.wrap(" ".join(words[:count]) + ("" if count == len(words) else " …"), size, width)
        if lines is None or (block := _TextBlock(lines, size)).height > height:
            break
        kept = block
    return kept


def _draw_block(draw: ImageDraw.ImageDraw, fonts: FontStack, block: _TextBlock, top: float, colour: str) -> None:
    for number, line in enumerate(block.lines):
        fonts.draw(draw, (_MARGIN, top + block.size * (0.84 + number * LEADING)), line, block.size, colour)
