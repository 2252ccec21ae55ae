"""Words on a picture: in the fonts that have their letters, and broken into lines that fit."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from PIL import ImageDraw, ImageFont

LEADING = 1.2  # from line to line, by the size of the letters
_MEASURED = 100  # pixels: words are measured at this size; all others are in proportion
_SLACK = 0.985  # of a line: at other sizes letters are rounded to other widths
_NO_CHARACTER = "\uffff"  # every font shows it as it shows those that it does not have


class Face:
    """Letters of one weight. fonts: files, the next of which is asked for a letter that one does not have.

    spare: the name of the DejaVu font that has most others; what it does not have either is left out.
    """

    def __init__(self, fonts: Sequence[bytes], spare: str) -> None:
        self._fonts = (*fonts, _spare(spare))

    def lacks(self, letter: str) -> bool:
        """Whether no font has it."""
        return not any(_has(font, letter) for font in self._fonts)

    def width(self, text: str, size: float) -> float:
        """How wide a line is, in pixels."""
        return sum(_font(font, _MEASURED).getlength(run) for run, font in self._runs(text)) * size / _MEASURED

    def lines(self, text: str, size: float, width: float) -> list[str] | None:
        """The text broken between words; None where a word is wider than the line."""
        found: list[str] = []
        done, space = 0.0, self.width(" ", size)
        for word in re.split(r"[ \t\n]+", text.strip()):
            more = self.width(word, size)
            if more > width * _SLACK:
                return None
            if found and done + space + more <= width * _SLACK:
                found[-1], done = f"{found[-1]} {word}", done + space + more
            else:
                found.append(word)
                done = more
        return found

    def write(self, pen: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, ink: str) -> None:
        """One line, from `at` on its baseline."""
        x, y = at
        for run, font in self._runs(text):
            pen.text((round(x), round(y)), run, ink, _font(font, size), anchor="ls")
            x += _font(font, size).getlength(run)

    def _runs(self, text: str) -> list[tuple[str, bytes]]:
        found: list[tuple[str, bytes]] = []
        for letter in text:
            font = next((font for font in self._fonts if _has(font, letter)), None)
            if font is not None and found and found[-1][1] is font:
                found[-1] = found[-1][0] + letter, font
            elif font is not None:
                found.append((letter, font))
        return found


@lru_cache(maxsize=64)
def _font(data: bytes, size: int) -> ImageFont.FreeTypeFont:
    # The plain layout: the other one is there only where a library of the system is.
    return ImageFont.truetype(BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _has(font: bytes, letter: str) -> bool:
    if letter == " ":
        return True
    shown, unknown = (_font(font, 32).getmask(each) for each in (letter, _NO_CHARACTER))
    return (shown.size, bytes(shown)) != (unknown.size, bytes(unknown))


@lru_cache
def _spare(name: str) -> bytes:
    """A font that comes with matplotlib, which is not loaded for it."""
    found = find_spec("matplotlib")
    assert found is not None
    assert found.origin is not None
    return (Path(found.origin).parent / f"mpl-data/fonts/ttf/{name}.ttf").read_bytes()
