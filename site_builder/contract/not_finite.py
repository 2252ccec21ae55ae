"""The marker of a field that may hold infinity or NaN."""

from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema


@dataclass(frozen=True)
class NotFinite:
    """Says of a field that infinity and NaN are meant in it: `Annotated[Grid, NotFinite("no play leads there")]`.

    why: what such a number stands for. On a field of `Result`, of a record inside it, or of `Parameters`; without it
    the builder refuses a result or parameter that is not finite.
    """

    why: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """How a parameter that is marked so is checked: as it is, but that its floats need not be finite."""
        return _unbounded(handler(source))  # type: ignore[no-any-return]


def _unbounded(schema: Any) -> Any:
    if isinstance(schema, (list, tuple)):
        return type(schema)(_unbounded(part) for part in schema)
    if not isinstance(schema, dict):
        return schema
    allowed = {"allow_inf_nan": True} if schema.get("type") == "float" else {}
    return {name: _unbounded(part) for name, part in schema.items()} | allowed
