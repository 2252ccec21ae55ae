"""Rewrites an SVG of matplotlib so that it is small and follows the reader's colour scheme."""

import re
from collections.abc import Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from site_builder.figures.palette import DARK_COLOURS, FIXED, INK, NOT_FIXED, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

# Characters of the private use area that mark the start and the end of italics within a text.
ITALIC, UPRIGHT = "\ue000", "\ue001"
_ITALICS = str.maketrans({ITALIC: '<tspan font-style="italic">', UPRIGHT: "</tspan>"})

_SVG = "http://www.w3.org/2000/svg"
_TAG = re.compile(r'<(\w+)((?: [\w:-]+="[^"]*")*) ?(/?)>')
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_REFERENCE = re.compile(r'(?:url\(|href=")#([^")]+)')
_BETWEEN = re.compile(r">\s*\n\s*<")
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_MOST_TINT = 12  # of 255, by which the parts of a grey differ
_DROPPED = {"font-family", "stroke-dashoffset"}
_UNTURNED = ' transform=""'
_DEFAULTS = {("stroke-linecap", "butt"), ("text-anchor", "start"), ("stroke-opacity", "1"), ("fill-opacity", "1")}


def clean_svg(raw: str, width: int, height: int) -> bytes:
    """Return the SVG with light colours as attributes and a style sheet that replaces them on dark pages.

    A viewer without support for `light-dark()` shows the light colours.
    """
    _, _, inside = raw.rpartition("</svg>")[0].partition("</defs>")  # the first ones hold styles
    shortened = partial(_shortened, used=frozenset(_REFERENCE.findall(inside)))
    body = _TAG.sub(shortened, _BETWEEN.sub("><", inside.strip())).translate(_ITALICS)
    head = (
        f'<svg xmlns="{_SVG}" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{FONTS}" stroke-linejoin="round">'
    )
    return f"{head}<style>{_style_sheet(body)}</style>{body}</svg>\n".encode()


def _style_sheet(body: str) -> str:
    dark = [
        _dark_rule(body, attribute, light, dark)
        for light, dark in DARK_COLOURS.items()
        for attribute in ("fill", "stroke")
        if f'{attribute}="{light}"' in body
    ]
    return "".join([":root{color-scheme:light dark}", *dark])


def _dark_rule(body: str, attribute: str, light: str, dark: str) -> str:
    others = NOT_FIXED if f'class="{FIXED}"' in body else ""
    return f'[{attribute}="{light}"]{others}{{{attribute}:light-dark({light},{dark})}}'


def _shortened(tag: re.Match[str], used: Collection[str]) -> str:
    """A tag with its style as attributes, without those that change nothing. used: the ids that others refer to."""
    attributes = dict(_ATTRIBUTE.findall(tag[2]))
    attributes |= dict(part.strip().split(": ", 1) for part in attributes.pop("style", "").split(";") if ": " in part)
    if attributes.get("id") == FIXED:
        attributes["class"] = FIXED
    kept = "".join(
        f' {name.removeprefix("xlink:")}="{_short_value(name, value.strip())}"'
        for name, value in attributes.items()
        if name not in _DROPPED and (name, value) not in _DEFAULTS and (name != "id" or value in used)
    )
    return f"<{tag[1]}{kept.replace(_UNTURNED, '')}{tag[3]}>"


def _short_value(name: str, value: str) -> str:
    """A value with its numbers rounded to 0.01 pixels, but for factors and addresses."""
    if name == "xlink:href" or (name == "transform" and ("scale" in value or "matrix" in value)):
        return value
    if name == "transform" and value.startswith("rotate(-0 "):
        return ""
    if name == "d":
        return _short_path(value)
    return _NUMBER.sub(lambda number: _short(float(number[0])), value.removesuffix("px"))


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
                artist.set_gid(FIXED)


def _shows_values(artist: Any) -> bool:
    return artist.get_array() is not None


def _middle(artist: Any) -> tuple[float, float]:
    box = artist.get_window_extent()
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def dark_rules(svg: str) -> str:
    """Rules that show black, white and greys on dark pages between the colours of ink and paper."""
    return "".join(_dark_greys(svg))


def _dark_greys(svg: str) -> Iterator[str]:
    yield f":root{{fill:light-dark(#000000,{INK.dark})}}.{FIXED}{{fill:#000000}}"  # SVG leaves out its default fill
    for attribute, colour in sorted(set(re.findall(r'\b(fill|stroke)="(#[0-9a-f]{6})"', svg))):
        parts = _parts(colour)
        if colour not in DARK_COLOURS and max(parts) - min(parts) <= _MOST_TINT:
            share = sum(parts) / 3 / 255
            mixed = (round(a + (b - a) * share) for a, b in zip(_parts(INK.dark), _parts(PAPER.dark), strict=True))
            yield _dark_rule(svg, attribute, colour, f"#{bytes(mixed).hex()}")


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
