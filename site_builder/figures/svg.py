"""Rewrites an SVG of matplotlib so that it is small and follows the reader's colour scheme."""

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from site_builder.figures.palette import DARK_COLOURS, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

# Characters of the private use area that mark the start and the end of italics within a text.
ITALIC, UPRIGHT = "\ue000", "\ue001"
_ITALICS = str.maketrans({ITALIC: '<tspan font-style="italic">', UPRIGHT: "</tspan>"})

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_URL = re.compile(r"url\(#([^)]+)\)")
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_FIXED = "fixed"  # id of what keeps its colours on dark pages
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_MOST_TINT = 12  # of 255, by which the parts of a grey differ
_DROPPED = {"font-family", "stroke-dashoffset"}
_DEFAULTS = {("stroke-linecap", "butt"), ("text-anchor", "start"), ("stroke-opacity", "1"), ("fill-opacity", "1")}


def clean_svg(raw: str, width: int, height: int) -> bytes:
    """Return the SVG with light colours as attributes and a style sheet that replaces them on dark pages.

    A viewer without support for `light-dark()` shows the light colours.
    """
    root = ElementTree.fromstring(raw)
    used = dict.fromkeys(found for element in root.iter() for found in _references(element))
    ids = {found: f"i{number}" for number, found in enumerate(used)}
    body = "".join(_serialized(child, ids) for child in root)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{FONTS}" stroke-linejoin="round">'
    )
    return f"{head}<style>{_style_sheet(body)}</style>{body}</svg>\n".encode()


def _references(element: ElementTree.Element) -> Iterator[str]:
    """The ids that an element refers to."""
    for key, value in element.attrib.items():
        if key == _HREF and value.startswith("#"):
            yield value[1:]
        yield from _URL.findall(value)


def _style_sheet(body: str) -> str:
    rules = [":root{color-scheme:light dark}"]
    for light, dark in DARK_COLOURS.items():
        rules += [
            f'[{attribute}="{light}"]{{{attribute}:light-dark({light},{dark})}}'
            for attribute in ("fill", "stroke")
            if f'{attribute}="{light}"' in body
        ]
    return "".join(rules)


def _serialized(element: ElementTree.Element, ids: dict[str, str]) -> str:
    tag = element.tag.removeprefix(_SVG)
    if tag in ("metadata", "style"):
        return ""
    attributes = dict(_attributes(element, ids))
    inside = "".join(_serialized(child, ids) for child in element)
    if tag in ("text", "tspan"):
        inside = escape((element.text or "").strip("\n"), quote=False).translate(_ITALICS) + inside
    if tag in ("g", "defs") and not inside:
        return ""
    if tag == "g" and not attributes:
        return inside
    start = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{start}>{inside}</{tag}>" if inside else f"<{tag}{start}/>"


def _attributes(element: ElementTree.Element, ids: dict[str, str]) -> Iterator[tuple[str, str]]:
    given = {key: value for key, value in element.attrib.items() if key != "style"}
    given |= dict(part.strip().split(":", 1) for part in element.get("style", "").split(";") if ":" in part)
    for key, value in given.items():
        if key == _HREF:
            yield "href", f"#{ids[value[1:]]}" if value.startswith("#") else value
            continue
        value = _URL.sub(lambda found: f"url(#{ids[found[1]]})", value.strip())
        if key == "id":
            if value in ids:
                yield key, ids[value]
        elif key == "d":
            yield key, _short_path(value)
        elif key == "transform":
            if not value.startswith("rotate(-0 "):
                yield key, value if "scale" in value or "matrix" in value else _rounded(value)
        elif key == "font-size":
            yield key, value.removesuffix("px")
        elif key not in _DROPPED and (key, value) not in _DEFAULTS:
            yield key, value if key in ("width", "height") and element.tag.endswith("pattern") else _rounded(value)


def _short_path(data: str) -> str:
    """The path with coordinates rounded to 0.01 pixels, and H and V commands for axis-parallel lines."""
    commands: list[str] = []
    here = ("", "")
    for command, *numbers in (stroke.split() for stroke in re.findall(r"[MLQCz][^MLQCz]*", data)):
        short = [_short(float(number)) for number in numbers]
        if command == "L" and short[1] == here[1]:
            commands.append(f"H{short[0]}")
        elif command == "L" and short[0] == here[0]:
            commands.append(f"V{short[1]}")
        else:
            commands.append(command + " ".join(short))
        here = (short[-2], short[-1]) if short else ("", "")
    return "".join(commands)


def _rounded(value: str) -> str:
    return _NUMBER.sub(lambda number: _short(float(number[0])), value)


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


# The colours of figures that solvers draw: on dark pages black, white and greys follow the scheme too, but not where
# colours stand for values, nor what lies on a field of such colours.


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
