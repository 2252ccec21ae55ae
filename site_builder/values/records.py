"""Record: a result as posts read it, without the code of its solver."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

BESIDE = ("parameters", "figures", "checks")  # what a run has beside the fields of its result


class Record:
    """The fields of a solver's dataclass, read as attributes.

    on_read: called with the name of each field that is read, whether or not it exists.
    """

    __slots__ = ("_fields", "_kind", "_on_read")

    def __init__(
        self, fields: Mapping[str, Any], kind: str = "result", on_read: Callable[[str], None] | None = None
    ) -> None:
        self._fields = MappingProxyType(dict(fields))
        self._kind = kind
        self._on_read = on_read

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self._on_read is not None:
            self._on_read(name)
        try:
            return self._fields[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r}; there is: {', '.join(self._fields)}") from None

    def __dir__(self) -> list[str]:
        return list(self._fields)

    def __repr__(self) -> str:
        return f"Record({', '.join(self._fields)})"


def fields_of(record: Record) -> Mapping[str, Any]:
    """Return the fields of a record by name, in their order."""
    return record._fields
