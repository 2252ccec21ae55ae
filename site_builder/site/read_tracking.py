"""What a page looks at while it is rendered, so that it is rendered again only when something of that has changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, cached_property
from operator import attrgetter
from types import FunctionType
from typing import Any

from site_builder.values.digest import digest

Names = tuple[str, ...]


class Tracked:
    """A value as a template sees it: what is read of it is noted, by its path, such as `post.tags.name`.

    more: further things that a template finds beside its fields, and that are not noted; a function is asked for them
    when the template is, so that it can note what it gives.
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
        value = getattr(self._value, field)
        name = f"{self._name}.{field}"
        self._reads.add(name)
        return _wrapped(value, name, self._reads)

    def __repr__(self) -> str:
        return self._name  # a template that shows it whole shows the same words in every process


def _wrapped(value: Any, name: str, reads: set[str]) -> Any:
    if isinstance(value, tuple) and value and is_dataclass(value[0]):
        return tuple(Tracked(entry, name, reads) for entry in value)
    return Tracked(value, name, reads) if is_dataclass(value) else value


def seen(value: Any, name: str, reads: set[str]) -> Any:
    """The value as a template sees it, or each of several, whose number is noted."""
    if not isinstance(value, Sequence):
        return Tracked(value, name, reads)
    reads.add(name)
    return [Tracked(entry, name, reads) for entry in value]


class TrackedFacts:
    """TrackedFacts by name as a template sees them, such as `site.title`; those that are read are noted."""

    def __init__(self, facts: Mapping[str, Any], name: str, reads: set[str]) -> None:
        self._facts = facts
        self._name = name
        self._reads = reads

    def __getitem__(self, fact: str) -> Any:
        value = self._facts[fact]
        self._reads.add(f"{self._name}.{fact}")
        return value

    def __repr__(self) -> str:
        return self._name


class Digests:
    """Names for what pages looked at, each found once.

    find: gives for each name that does not depend on the page, such as `site.title`, what it stands for; `code` stands
    for the code that makes pages. It is called once, when somebody wants to know.
    """

    def __init__(self, find: Callable[[], Mapping[str, str]]) -> None:
        self._find = find
        self._of_names: dict[Names, str] = {}
        self._of_values: dict[Names, dict[int, tuple[Any, str]]] = {}

    @cached_property
    def fixed(self) -> Mapping[str, str]:
        """What each name stands for that does not depend on the page."""
        return self._find()

    @property
    def code(self) -> str:
        """What stands for the code that makes pages."""
        return self.fixed["code"]

    def of_names(self, names: Names) -> str:
        """For the names themselves, and for what stands behind each that does not depend on the page."""
        found = self._of_names.get(names)
        if found is None:
            found = self._of_names[names] = digest(self.code, [(name, self.fixed.get(name, "")) for name in names])
        return found

    def of_values(self, values: Sequence[Any] | Any | None, fields: Names) -> Any:
        """Plain data that stands for fields of one value, or of several."""
        if values is None:
            return None
        if type(values) not in (list, tuple):
            return _reader(values.__class__, fields)(values)
        known = self._of_values.setdefault(fields, {})
        found = []
        for value in values:
            each = known.get(id(value))
            if each is None:  # kept with the value, or another might come to lie in its place
                each = known[id(value)] = value, digest(_reader(value.__class__, fields)(value))
            found.append(each[1])
        return found


@cache
def _reader(kind: Any, fields: Names) -> Callable[[Any], Any]:
    """What reads these fields of a value of this kind.

    A class may say with plain_fields() which of its fields hold nothing that has fields of its own, and what is the
    quickest name of each; those are read in one go.
    """
    quick: Mapping[str, str] = kind.plain_fields() if hasattr(kind, "plain_fields") else {}
    plain = [quick[field] for field in fields if field in quick]
    read_plain = attrgetter(*plain) if plain else None
    readers = [_field_reader(field) for field in fields if field not in quick]

    def read(value: Any) -> Any:
        return read_plain and read_plain(value), [each(value) for each in readers]

    return read


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
