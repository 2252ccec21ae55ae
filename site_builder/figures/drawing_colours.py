"""The colours of figures that solvers draw: which of them follow the scheme of the page.

A figure is drawn in light colours. On dark pages those of the house style, black, white and greys follow the scheme,
but not where colours stand for values, nor what lies on a field of such colours.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from site_builder.figures.canvas.palette import DARK_COLOURS, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FIXED = "fixed"  # id of what keeps its colours on dark pages
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_MOST_TINT = 12  # of 255, by which the parts of a grey differ


def mark_fixed(figure: "Figure") -> None:
    """Mark what keeps its colours: values that are shown as colours, and what lies on a field of such values."""
    from matplotlib.collections import PolyCollection, QuadMesh
    from matplotlib.contour import ContourSet
    from matplotlib.image import AxesImage

    for axes in figure.axes:
        fields = [
            each for each in axes.get_children() if isinstance(each, AxesImage | QuadMesh | PolyCollection | ContourSet)
        ]
        on_field = axes.name != "3d" and any(_shows_values(each) for each in fields)
        texts = [text for text in axes.texts if axes.bbox.contains(*_middle(text))]
        for artist in (*axes.lines, *axes.patches, *axes.collections, *texts) if on_field else axes.collections:
            if on_field or _shows_values(artist):
                artist.set_gid(_FIXED)


def _shows_values(artist: Any) -> bool:
    return artist.get_array() is not None


def _middle(artist: Any) -> tuple[float, float]:
    box = artist.get_window_extent()
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def with_fixed_colours(raw: bytes) -> str:
    """The SVG with the colours of what is marked written so that no rule for dark pages meets them."""
    if f'id="{_FIXED}"'.encode() not in raw:
        return raw.decode()
    root = ElementTree.fromstring(raw)
    for group in root.iterfind(f".//*[@id='{_FIXED}']"):
        group.set("fill", "rgb(0,0,0)")  # black is left out elsewhere, as the default
        for element in group.iter():
            if style := element.get("style"):
                element.set("style", _COLOUR.sub(_in_decimals, style))
    return ElementTree.tostring(root, "unicode")


def dark_rules(svg: str) -> str:
    """Rules that show black, white and greys on dark pages between the colours of ink and paper."""
    return "".join(_dark_greys(svg))


def _dark_greys(svg: str) -> Iterator[str]:
    yield f":root{{fill:light-dark(#000000,{INK.dark})}}"
    for attribute, colour in sorted(set(re.findall(r'\b(fill|stroke)="(#[0-9a-f]{6})"', svg))):
        parts = _parts(colour)
        if colour not in DARK_COLOURS and max(parts) - min(parts) <= _MOST_TINT:
            share = sum(parts) / 3 / 255
            mixed = (round(a + (b - a) * share) for a, b in zip(_parts(INK.dark), _parts(PAPER.dark), strict=True))
            yield f'[{attribute}="{colour}"]{{{attribute}:light-dark({colour},#{bytes(mixed).hex()})}}'


def _in_decimals(colour: re.Match[str]) -> str:
    return f"rgb({','.join(map(str, _parts(colour[0])))})"


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
