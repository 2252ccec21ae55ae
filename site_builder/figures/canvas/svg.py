"""An SVG as matplotlib writes it -> one that follows the reader's colour scheme, and is small."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from site_builder.figures.canvas.palette import TWINS

FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

# Between these two stands what is written in italics.
ITALIC, UPRIGHT = "\ue000", "\ue001"

_SVG = "{http://www.w3.org/2000/svg}"
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_DROPPED = {"font-family", "stroke-dashoffset"}
_DEFAULTS = {("stroke-linecap", "butt"), ("text-anchor", "start"), ("stroke-opacity", "1"), ("fill-opacity", "1")}


def tidy(raw: str, width: int, height: int) -> bytes:
    """The drawing with plain light colours as attributes, and a style sheet that turns them where it can.

    A viewer that does not know `light-dark()` shows the light colours.
    """
    root = ElementTree.fromstring(raw)
    names = _short_names(root)
    body = "".join(_written(child, names) for child in root)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{FONTS}" stroke-linejoin="round">'
    )
    return f"{head}<style>{_style_sheet(body)}</style>{body}</svg>\n".encode()


def _style_sheet(body: str) -> str:
    rules = [":root{color-scheme:light dark}"]
    for light, dark in TWINS.items():
        rules += [
            f'[{part}="{light}"]{{{part}:light-dark({light},{dark})}}'
            for part in ("fill", "stroke")
            if f'{part}="{light}"' in body
        ]
    return "".join(rules)


def _short_names(root: ElementTree.Element) -> dict[str, str]:
    """For each id that something refers to, a short one."""
    used: dict[str, str] = {}
    for element in root.iter():
        for value in element.attrib.values():
            for name in re.findall(r"url\(#([^)]+)\)", value):
                used.setdefault(name, f"i{len(used)}")
    return used


def _written(element: ElementTree.Element, names: dict[str, str]) -> str:
    tag = element.tag.removeprefix(_SVG)
    if tag in ("metadata", "style"):
        return ""
    attributes = dict(_attributes(element, names))
    inside = _letters(element.text or "") if tag == "text" else "".join(_written(child, names) for child in element)
    if tag in ("g", "defs") and not inside:
        return ""
    if tag == "g" and not attributes:
        return inside
    start = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    return f"<{tag}{start}>{inside}</{tag}>" if inside else f"<{tag}{start}/>"


def _letters(text: str) -> str:
    italics = {ITALIC: '<tspan font-style="italic">', UPRIGHT: "</tspan>"}
    return re.sub(f"[{ITALIC}{UPRIGHT}]", lambda mark: italics[mark[0]], escape(text))


def _attributes(element: ElementTree.Element, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    given = {key: value for key, value in element.attrib.items() if key != "style"}
    given |= dict(part.strip().split(":", 1) for part in element.get("style", "").split(";") if ":" in part)
    for key, value in given.items():
        value = re.sub(r"url\(#([^)]+)\)", lambda m: f"url(#{names[m[1]]})", value.strip())
        if key == "id":
            if value in names:
                yield key, names[value]
        elif key == "d":
            yield key, _short_path(value)
        elif key == "transform":
            if not value.startswith("rotate(-0 "):
                yield key, _rounded(value)
        elif key == "font-size":
            yield key, value.removesuffix("px")
        elif key not in _DROPPED and (key, value) not in _DEFAULTS:
            yield key, value if key in ("width", "height") and element.tag.endswith("pattern") else _rounded(value)


def _short_path(data: str) -> str:
    """The path with coordinates to a hundredth of a pixel, and level and upright strokes by one number."""
    parts: list[str] = []
    here = ("", "")
    for command, *numbers in (stroke.split() for stroke in re.findall(r"[MLQCz][^MLQCz]*", data)):
        short = [_short(float(number)) for number in numbers]
        if command == "L" and short[1] == here[1]:
            parts.append(f"H{short[0]}")
        elif command == "L" and short[0] == here[0]:
            parts.append(f"V{short[1]}")
        else:
            parts.append(command + " ".join(short))
        here = (short[-2], short[-1]) if short else ("", "")
    return "".join(parts)


def _rounded(value: str) -> str:
    return _NUMBER.sub(lambda number: _short(float(number[0])), value)


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
