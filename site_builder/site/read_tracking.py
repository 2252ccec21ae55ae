"""Records what a page reads while it is rendered, so that it is rendered again only when that has changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, cached_property
from types import FunctionType
from typing import Any

from site_builder.values.digest import digest

Names = tuple[str, ...]


class Tracked:
    """A value for a template that records each field which is read, by its path, such as `post.tags.name`.

    more: further names that a template finds beside its fields, which are not recorded; a function among them is called
    when its name is read, so that it can record what it gives.
    """

    __slots__ = ("_more", "_name", "_reads", "_value")

    def __init__(self, value: Any, name: str, reads: set[str], more: Mapping[str, Any] | None = None) -> None:
        self._value = value
        self._name = name
        self._reads = reads
        self._more = more

    def __getattr__(self, field: str) -> Any:
        if field.startswith("__"):
            raise AttributeError(field)
        if self._more is not None and field in self._more:
            found = self._more[field]
            return found() if isinstance(found, FunctionType) else found
        name = f"{self._name}.{field}"
        self._reads.add(name)  # also one that is missing: a template may ask whether it is defined
        value = getattr(self._value, field)
        return _wrapped(value, name, self._reads)

    def __repr__(self) -> str:
        return self._name  # a template that prints it whole prints the same in every process


def _wrapped(value: Any, name: str, reads: set[str]) -> Any:
    if isinstance(value, tuple) and value and is_dataclass(value[0]):
        return tuple(Tracked(entry, name, reads) for entry in value)
    return Tracked(value, name, reads) if is_dataclass(value) else value


def tracked(value: Any, name: str, reads: set[str]) -> Any:
    """The value, or each of several, as a Tracked; of several the number is recorded as read."""
    if not isinstance(value, Sequence):
        return Tracked(value, name, reads)
    reads.add(name)
    return [Tracked(entry, name, reads) for entry in value]


class ReadDigests:
    """Digests of what pages read, each computed once.

    find: gives the digest of each name that does not depend on the page, such as `site.title`; `code` is the key of the
    code that makes pages. It is called once, when a digest is asked for.
    """

    def __init__(self, find: Callable[[], Mapping[str, str]]) -> None:
        self._find = find
        self._of_names: dict[Names, str] = {}
        self._of_values: dict[Names, dict[int, tuple[Any, str]]] = {}

    @cached_property
    def fixed(self) -> Mapping[str, str]:
        """Digests of the names that do not depend on the page."""
        return self._find()

    @property
    def code(self) -> str:
        """Key of the code that makes pages."""
        return self.fixed["code"]

    def of_names(self, names: Names) -> str:
        """Digest of the names, and of the values of those that do not depend on the page."""
        found = self._of_names.get(names)
        if found is None:
            found = self._of_names[names] = digest(self.code, [(name, self.fixed.get(name, "")) for name in names])
        return found

    def of_values(self, values: Sequence[Any] | Any | None, fields: Names) -> Any:
        """Plain data made of these fields of one value, or of several."""
        if values is None:
            return None
        if type(values) not in (list, tuple):
            return _reader(fields)(values)
        known = self._of_values.setdefault(fields, {})
        found = []
        for value in values:
            each = known.get(id(value))
            if each is None:  # stored with the value, since the id of a dead object may be used again
                each = known[id(value)] = value, digest(_reader(fields)(value))
            found.append(each[1])
        return found


@cache
def _reader(fields: Names) -> Callable[[Any], list[Any]]:
    """A function that reads these fields of a value."""
    readers = [_field_reader(field) for field in fields]
    return lambda value: [read(value) for read in readers]


def _field_reader(field: str) -> Callable[[Any], Any]:
    first, _, rest = field.partition(".")
    inner = _field_reader(rest) if rest else None

    def read(value: Any) -> Any:
        found = getattr(value, first, None)  # a name from an earlier version of the builder may be gone
        if isinstance(found, tuple) and found and is_dataclass(found[0]):
            return [inner(entry) for entry in found] if inner else len(found)
        if is_dataclass(found):
            return inner(found) if inner else True
        return found if inner is None else None

    return read


def by_object(names: Iterable[str]) -> dict[str, Names]:
    """The names that were read, by the first word of each, without it and in order: {"post": ("date", "title")}.

    A name of one word leaves "", which is no field of anything, and of several values tells their number.
    """
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        first, _, rest = name.partition(".")
        found.setdefault(first, []).append(rest)
    return {first: tuple(fields) for first, fields in found.items()}
