"""The body of a post as plain data, and as bytes for the cache."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from site_builder.markup.placeholders import Heading
from site_builder.posts.blocks import AnyBlock
from site_builder.values.json_records import from_json, to_json


@dataclass(frozen=True)
class Body:
    """The text of a post as HTML with a placeholder for each of its parts, by number, and for each link in the site."""

    html: str
    parts: tuple[Annotated[AnyBlock, Field(discriminator="kind")], ...]
    headings: tuple[Heading, ...]


def write_body(body: Body) -> bytes:
    """The body as bytes; the same for equal bodies."""
    return to_json(body)


def read_body(data: bytes) -> Body:
    """The body that `write_body` was given. Raises ValueError when the bytes are not what it writes."""
    return from_json(Body, data)
