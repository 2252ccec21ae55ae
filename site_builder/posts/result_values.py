"""Values of results in a text, which know the fields that they come from: no syntax tree says that."""

import operator
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import wraps
from typing import Any

from jinja2 import Undefined
from jinja2.runtime import Macro
from jinja2.utils import Namespace

from site_builder.values.records import Record

RESULTS = "results"
_WITH_VALUES = "with_values"  # an attribute of functions
COMPARED: ContextVar[list[tuple[Any, Any]] | None] = ContextVar("compared", default=None)
"""While it is a list, each comparison of a Value adds its two sides to it."""


def _comparison(compare: Callable[[Any, Any], Any]) -> Callable[["Value", Any], Any]:
    def call(value: "Value", other: Any) -> Any:
        sides = value.raw, raw(other)
        if (pairs := COMPARED.get()) is not None:
            pairs.append(sides)
        return compare(*sides)

    return call


class Value:
    """A value that comes from results. raw: itself; sources: the fields that it comes from, as posts write them.

    name: the expression that gives it, such as "results.main.table[3]"; empty behind arithmetic, filters and calls.
    Jinja reads, calls and computes with it through `PostEnvironment`; what Python does with it is below.
    """

    __slots__ = ("name", "raw", "sources")

    def __init__(self, raw: Any, sources: frozenset[str], name: str = "") -> None:
        self.raw, self.sources, self.name = raw, sources, name

    def __str__(self) -> str:
        return str(self.raw)

    def __bool__(self) -> bool:
        return bool(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def __iter__(self) -> Iterator[Any]:
        return (derived(each, self) for each in self.raw)

    def __contains__(self, value: Any) -> bool:
        return raw(value) in self.raw

    def __getitem__(self, place: slice) -> Any:
        return derived(self.raw[place], self)

    def __index__(self) -> int:
        return int(self.raw.__index__())

    def __hash__(self) -> int:
        return hash(self.raw)

    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)
    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)


def results_value(results: Mapping[str, Record]) -> Value:
    """What a text knows as `results`: the records of its runs."""
    return Value(Record(results, RESULTS), frozenset(), RESULTS)


def unwrapped(value: Any) -> Any:
    """The value itself."""
    return value.raw if isinstance(value, Value) else value


def raw(value: Any) -> Any:
    """The value itself, also those in a list, tuple or mapping that a text has written."""
    if isinstance(value, Value):
        return value.raw
    if type(value) in (list, tuple):
        return type(value)(map(raw, value))
    return {raw(key): raw(each) for key, each in value.items()} if type(value) is dict else value


def sources_of(value: Any) -> frozenset[str]:
    """The fields that a value comes from, or those in a list, tuple or mapping."""
    if isinstance(value, Value):
        return value.sources
    if type(value) is dict:
        return sources_of([*value, *value.values()])
    return frozenset().union(*map(sources_of, value)) if type(value) in (list, tuple) else frozenset()


def name_of(value: Any) -> str:
    """The expression that gives a value, such as "results.main.table[3]"; empty for others."""
    return value.name if isinstance(value, Value) else ""


def derived(value: Any, *origins: Any) -> Any:
    """A value that is computed from others."""
    if isinstance(value, (Value, Undefined)) or not (sources := sources_of(origins)):
        return value
    return Value(value, sources)


def part_of(owner: Any, part: Any, value: Any) -> Any:
    """A field or an entry of an owner, which is a source of its own where the owner is a record."""
    if not isinstance(owner, Value) or isinstance(value, Undefined):
        return derived(value, part)
    is_field = isinstance(owner.raw, Record)
    place = f".{raw(part)}" if is_field or isinstance(part, str) else f"[{raw(part)}]"
    name = f"{owner.name}{place}" if owner.name else ""
    return Value(value, frozenset([name]) if is_field else owner.sources | sources_of(part), name)


def with_values(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of posts that is given values of results as Values; others are given the values themselves."""
    setattr(function, _WITH_VALUES, True)
    return function


def takes_values(function: Any) -> bool:
    """True for such a function, for macros, and for lists, mappings and namespaces of the text itself."""
    is_of_text = type(getattr(function, "__self__", None)) in (list, dict) or function in (dict, Namespace)
    return is_of_text or isinstance(function, Macro) or hasattr(function, _WITH_VALUES)


def with_sources(function: Any) -> Callable[..., Any]:
    """A filter or test whose result comes from what its arguments come from."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        return derived(function(*raw(arguments), **raw(named)), arguments, named)

    return call
