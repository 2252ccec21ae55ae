"""Records: results as posts read them, without the code of their solvers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

ALL_FIELDS = "*"  # noted in place of each field, by whoever looks at all of them


class Record:
    """A result as the builder sees it: the fields of a solver's dataclass, without the solver's code.

    note: told the name of each field that is asked for, whether or not there is such a field.
    """

    __slots__ = ("_fields", "_kind", "_note")

    def __init__(
        self, fields: Mapping[str, Any], kind: str = "result", note: Callable[[str], None] | None = None
    ) -> None:
        self._fields = MappingProxyType(dict(fields))
        self._kind = kind
        self._note = note

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self._note is not None:
            self._note(name)
        try:
            return self._fields[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r}; there is: {', '.join(self._fields)}") from None

    def __dir__(self) -> list[str]:
        return list(self._fields)

    def __repr__(self) -> str:
        return f"Record({', '.join(self._fields)})"


def fields_of(record: Record) -> Mapping[str, Any]:
    """The fields of a record by name, in their order."""
    return record._fields


def read_all(record: Record) -> Mapping[str, Any]:
    """The fields of a record by name, noted as ALL_FIELDS."""
    if record._note is not None:
        record._note(ALL_FIELDS)
    return record._fields
