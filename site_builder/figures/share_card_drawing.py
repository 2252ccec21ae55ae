"""A share card as a picture: what other sites show of a post when somebody links to it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw

from site_builder.figures.canvas.fonts import LEADING, Face
from site_builder.figures.share_card import CardLook, ShareCard, is_plainly_set

WIDTH, HEIGHT = 1200, 630

_PAPER, _PANEL, _INK, _SOFT, _LINE, _WARM = "#fdfcf9", "#ffffff", "#23211d", "#5f5a51", "#ddd7ca", "#8f4a0c"
_MARGIN, _TOP, _FOOT = 64, 160, 566  # of the words; the last is the lowest baseline
_BOX = (604, 40, 1160, 590)  # around the figure
_PADDING, _CORNER, _ICON = 16, 20, 64
_NAMES = range(34, 15, -2)
_TITLES = (88, 80, 72, 66, 60, 54, 48, 44, 40, 36, 32, 28, 24, 20)
_TEXTS = (56, 48, 42, 36, 32, 28, 24, 20)
_ENDLESS = (24, 20, 16, 12, 8)  # the smaller ones only where a word is wider than the card
_LABEL, _BETWEEN = 26, 76  # the height of its letters, and what lies between title and text with it
_COLOURS_OF_WORDS, _COLOURS_OF_FIGURE = 64, 112  # apart, or a colourful figure takes away those of the words


@dataclass(frozen=True)
class _Set:
    """Lines of one size."""

    lines: list[str]
    size: int

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * LEADING


def draw_cards(cards: Iterable[tuple[ShareCard, bytes]], look: CardLook) -> list[bytes]:
    """Cards, each with its figure, as `draw_card` draws them."""
    return [draw_card(card, look, figure) for card, figure in cards]


def unwritable(letters: Iterable[str], look: CardLook) -> set[str]:
    """Those of the letters that words on a card cannot have."""
    faces = Face(look.bold, "DejaVuSerif-Bold"), Face(look.regular, "DejaVuSerif")
    return {each for each in letters if not is_plainly_set(each) or any(face.lacks(each) for face in faces)}


def is_font(data: bytes) -> bool:
    """Whether words can be written in this."""
    try:
        Face((data,), "DejaVuSerif").width("A", 20)
    except OSError:
        return False
    return True


def is_picture(data: bytes) -> bool:
    """Whether this can be shown."""
    try:
        Image.open(BytesIO(data)).convert("RGB")
    except (OSError, SyntaxError, ValueError):  # whatever is wrong with a PNG
        return False
    return True


def draw_card(card: ShareCard, look: CardLook, figure: bytes = b"") -> bytes:
    """The card as a PNG; the same bytes for the same card. figure: a PNG that stands beside the words."""
    image = Image.new("RGB", (WIDTH, HEIGHT), _PAPER)
    pen = ImageDraw.Draw(image)
    bold, regular = Face(look.bold, "DejaVuSerif-Bold"), Face(look.regular, "DejaVuSerif")
    width = (_BOX[0] if figure else WIDTH) - 2 * _MARGIN + (_MARGIN // 3 if figure else 0)
    _head(image, pen, card.site, look.icon, bold, width)
    title, text = _fitted(card, bold, regular, width)
    _write(pen, bold, title, _TOP, _INK)
    if text.lines:
        top = _FOOT - text.height
        _write(pen, regular, text, top, _INK if card.label else _SOFT)
        bold.write(pen, (_MARGIN, top - 14), card.label, _LABEL, _WARM)
    file = BytesIO()
    image = _with_fewer_colours(image, _COLOURS_OF_WORDS)
    if figure:
        image = image.convert("RGB")
        _show(image, figure)
        image = _with_fewer_colours(image, _COLOURS_OF_WORDS + _COLOURS_OF_FIGURE)
    image.save(file, "png", compress_level=6)
    return file.getvalue()


def _with_fewer_colours(image: Image.Image, colours: int) -> Image.Image:
    return image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _show(image: Image.Image, figure: bytes) -> None:
    """The figure on its panel, as large as it can be."""
    ImageDraw.Draw(image).rounded_rectangle(_BOX, _CORNER, _PANEL, _LINE, 2)
    picture = Image.open(BytesIO(figure)).convert("RGB")
    across, down = _BOX[2] - _BOX[0] - 2 * _PADDING, _BOX[3] - _BOX[1] - 2 * _PADDING
    scale = min(across / picture.width, down / picture.height)
    size = round(picture.width * scale), round(picture.height * scale)
    place = (_BOX[0] + _BOX[2] - size[0]) // 2, (_BOX[1] + _BOX[3] - size[1]) // 2
    image.paste(_with_fewer_colours(picture.resize(size, Image.Resampling.LANCZOS), _COLOURS_OF_FIGURE), place)


def _head(image: Image.Image, pen: ImageDraw.ImageDraw, site: str, square: bytes, bold: Face, width: float) -> None:
    """The name of the site beside its icon."""
    left = _MARGIN
    if square:
        icon = Image.open(BytesIO(square)).convert("RGB").resize((_ICON, _ICON), Image.Resampling.LANCZOS)
        mask = Image.new("L", (4 * _ICON, 4 * _ICON))
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, 4 * _ICON, 4 * _ICON), 3 * _CORNER, 255)
        image.paste(icon, (_MARGIN, _MARGIN - 12), mask.resize((_ICON, _ICON)))
        left += _ICON + 20
    if site:
        room = width - (left - _MARGIN)
        size = next((size for size in _NAMES if bold.width(site, size) <= room), _NAMES[-1])
        bold.write(pen, (left, _MARGIN + _ICON // 2 - 12 + size * 0.36), site, size, _SOFT)


def _fitted(card: ShareCard, bold: Face, regular: Face, width: float) -> tuple[_Set, _Set]:
    """Title and text as large as there is room for both; where there is none, without their ends."""
    room = _FOOT - _TOP
    if not card.text:
        fitting = (each for each in _sizes(bold, card.title, width, _TITLES) if each.height <= room)
        return next(fitting, None) or _cut(bold, card.title, width, room), _Set([], 0)
    texts = list(_sizes(regular, card.text, width, _TEXTS))
    both = [
        (title, text)
        for title in _sizes(bold, card.title, width, _TITLES)
        for text in texts
        if text.size <= title.size and title.height + text.height + _BETWEEN <= room
    ]
    if both:
        return max(both, key=lambda each: (each[0].size + 2 * each[1].size, each[0].size))
    half = (room - _BETWEEN) / 2
    return _cut(bold, card.title, width, half), _cut(regular, card.text, width, half)


def _sizes(face: Face, text: str, width: float, sizes: tuple[int, ...]) -> Iterator[_Set]:
    """The text in each size in which its words are narrow enough."""
    for size in sizes:
        lines = face.lines(text, size, width)
        if lines is not None:
            yield _Set(lines, size)


def _cut(face: Face, text: str, width: float, room: float) -> _Set:
    """The words that there is room for, with three dots after them where others follow."""
    words = text.split()
    size = next((size for size in _ENDLESS if face.lines(text, size, width) is not None), _ENDLESS[-1])
    kept = _Set([], size)
    for count in range(1, len(words) + 1):
        lines = face.lines(" ".join(words[:count]) + ("" if count == len(words) else " …"), size, width)
        if lines is None or (made := _Set(lines, size)).height > room:
            break
        kept = made
    return kept


def _write(pen: ImageDraw.ImageDraw, face: Face, made: _Set, top: float, ink: str) -> None:
    for number, line in enumerate(made.lines):
        face.write(pen, (_MARGIN, top + made.size * (0.84 + number * LEADING)), line, made.size, ink)
