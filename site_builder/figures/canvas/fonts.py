"""Measures, wraps and draws text with Pillow, with font fallback, for share cards."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from PIL import ImageDraw, ImageFont

LEADING = 1.2  # distance between baselines, in multiples of the font size
_MEASURED = 100  # pixels: widths are measured at this size and scaled to others
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
        """Whether no font has the character."""
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
    found = find_spec("matplotlib")
    assert found is not None
    assert found.origin is not None
    return (Path(found.origin).parent / f"mpl-data/fonts/ttf/{name}.ttf").read_bytes()
