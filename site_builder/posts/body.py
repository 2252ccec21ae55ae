"""The body of a post as plain data, and as bytes: a line of JSON for its blocks and headings, then the HTML."""

import dataclasses
import json
from dataclasses import dataclass
from typing import Any, get_args

from site_builder.markup.placeholders import Heading, Inline
from site_builder.posts.blocks import AnyBlock, CheckRow, ColumnHead, FrameLabel, ParameterRow


@dataclass(frozen=True)
class Body:
    """The text of a post as HTML with a placeholder for each of its parts, by number, and for each link in the site."""

    html: str
    parts: tuple[AnyBlock, ...]
    headings: tuple[Heading, ...]


_PARTS_OF_BLOCKS = (Heading, Inline, ColumnHead, FrameLabel, ParameterRow, CheckRow)
_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (*_PARTS_OF_BLOCKS, *get_args(AnyBlock))}


def write_body(body: Body) -> bytes:
    """The body as bytes; the same for equal bodies."""
    head = json.dumps([_plain(body.parts), _plain(body.headings)], ensure_ascii=False, separators=(",", ":"))
    return f"{head}\n{body.html}".encode("utf-8", "surrogatepass")


def read_body(data: bytes) -> Body:
    """The body that `write_body` was given. Raises ValueError when the bytes are not what it writes."""
    head, ends, html = data.decode("utf-8", "surrogatepass").partition("\n")
    try:
        if not ends:
            raise ValueError("this is no body: it is cut short")
        parts, headings = json.loads(head)
        return Body(html, _made(parts), _made(headings))
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
