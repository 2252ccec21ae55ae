"""Rewrites an SVG of matplotlib so that it is small and follows the reader's colour scheme."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from site_builder.figures.canvas.palette import DARK_COLOURS

FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

# Characters of the private use area that mark the start and the end of italics within a text.
ITALIC, UPRIGHT = "\ue000", "\ue001"
_ITALICS = str.maketrans({ITALIC: '<tspan font-style="italic">', UPRIGHT: "</tspan>"})

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_URL = re.compile(r"url\(#([^)]+)\)")
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
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
        inside = escape((element.text or "").strip("\n")).translate(_ITALICS) + inside
    if tag in ("g", "defs") and not inside:
        return ""
    if tag == "g" and not attributes:
        return inside
    start = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
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
