"""The body of a post as plain data, and as bytes: a line of JSON for its blocks and headings, then the HTML."""

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

from site_builder.markup.placeholders import Inline
from site_builder.posts import blocks
from site_builder.posts.blocks import AnyBlock


@dataclass(frozen=True)
class Section:
    """A heading of the text: its anchor, its title as HTML, and the headings below it."""

    anchor: str
    title: str
    children: "tuple[Section, ...]"


@dataclass(frozen=True)
class Body:
    """The text of a post as HTML with a placeholder for each of its parts, by number, and for each link in the site."""

    html: str
    parts: tuple[AnyBlock, ...]
    sections: tuple[Section, ...]


_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Section, Inline, blocks.FigureBlock, blocks.TableBlock, blocks.ColumnHead, blocks.SourceBlock),
        *(blocks.ParametersBlock, blocks.ParameterRow, blocks.ChecksBlock, blocks.CheckRow, blocks.BundleBlock),
    )
}


def write_body(body: Body) -> bytes:
    """The body as bytes; the same for equal bodies."""
    head = json.dumps([_plain(body.parts), _plain(body.sections)], ensure_ascii=False, separators=(",", ":"))
    return f"{head}\n{body.html}".encode("utf-8", "surrogatepass")


def read_body(data: bytes) -> Body:
    """The body that `write_body` was given. Raises ValueError when the bytes are not what it writes."""
    head, ends, html = data.decode("utf-8", "surrogatepass").partition("\n")
    try:
        if not ends:
            raise ValueError("this is no body: it is cut short")
        found, sections = json.loads(head)
        return Body(html, _made(found), _made(sections))
    except (TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"this is no body: {error}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    if dataclasses.is_dataclass(value):
        fields = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"": type(value).__name__} | fields
    return value


def _made(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_made(entry) for entry in value)
    if isinstance(value, dict):
        fields = {name: _made(entry) for name, entry in value.items() if name}
        return _KINDS[value[""]](**fields)
    return value
