"""Pydantic's faults in the author's words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from site_builder.errors import SiteError, nearest
from site_builder.yaml_text import Reading

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "string": "text",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping of names to values",
    "date": "a date such as 2026-11-20",
    "datetime": "a date such as 2026-11-20",
    "url": "an address such as https://example.org/",
}
_BRANCHES = {"str", "int", "bool", "tuple", "list", "dict", "float"}
_BOUNDS = {
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
    "greater_than": ("gt", "more than"),
    "less_than": ("lt", "less than"),
}


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a value. at: the keys that lead to it, from the outside in."""

    at: tuple[str | int, ...]
    fault: str
    cure: str = ""


def retold(error: ValidationError, known: Iterable[str], ranges: Mapping[str, str] | None = None) -> list[Fault]:
    """The faults that pydantic found, each once. known: the names allowed at the top.

    ranges: for some of the names, the range of values in words, which then stands in for the single bound.
    """
    told: dict[tuple[str | int, ...], Fault] = {}
    for entry in error.errors(include_url=False):
        at = tuple(part for part in entry["loc"] if not _is_branch(part))
        told.setdefault(at, Fault(at, *_words(entry, at, list(known), ranges or {})))
    # A union refuses a value once for each branch; the deeper fault says which part of the value is meant.
    inner = {at[:depth] for at in told for depth in range(len(at))}
    return [fault for at, fault in told.items() if at not in inner or not at]


def site_errors(error: ValidationError, reading: Reading, known: Iterable[str], whole: str) -> list[SiteError]:
    """The faults that pydantic found in a YAML text, at the lines of their keys. whole: what the text is."""
    faults = retold(error, known)
    return [SiteError(reading.place(*f.at), f.fault.replace("<whole>", whole), f.cure) for f in faults]


def shown(value: Any) -> str:
    """A value as its author wrote it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, Decimal, Fraction, float)):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _words(
    entry: Mapping[str, Any], at: tuple[str | int, ...], known: list[str], ranges: Mapping[str, str]
) -> tuple[str, str]:
    kind = str(entry["type"])
    name = ".".join(str(part) for part in at)
    if kind == "missing":
        return f"{_within(at)} has no {at[-1]}", f"add a line such as {at[-1]}: {_example(str(at[-1]))}"
    if kind in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"{at[-1]!r} is not known here", nearest(str(at[-1]), known) if len(at) == 1 else ""
    context = entry.get("ctx") or {}
    if kind == "value_error":
        return (f"{name}: " if name else "") + str(context["error"]), ""
    return (
        f"{name} is {shown(entry['input'])}; {_wanted(kind, entry, context, ranges.get(str(at[0]) if at else ''))}",
        "",
    )


def _wanted(kind: str, entry: Mapping[str, Any], context: Mapping[str, Any], span: str | None) -> str:
    if kind in _BOUNDS:
        bound, words = _BOUNDS[kind]
        return f"it must {span}" if span else f"it must be {words} {shown(context[bound])}"
    if kind == "literal_error":
        return f"it must be {context['expected']}"
    if kind == "rational":
        return str(entry["msg"])
    for start, words in _KINDS.items():
        if kind.startswith(f"{start}_"):
            return f"it must be {words}"
    message = str(entry["msg"])
    return message[0].lower() + message[1:]


def _within(at: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in at[:-1]) or "<whole>"


def _is_branch(part: str | int) -> bool:
    """Pydantic names the branch of a union in a location: `list[str]`, `function-plain[...]`, `str`, a model's name."""
    if not isinstance(part, str):
        return False
    return "[" in part or part in _BRANCHES or (part.isalpha() and part[0].isupper() and part[1:].islower())


def _example(key: str) -> str:
    return {"date": "2026-11-20", "title": '"A title"', "base_url": "https://example.org/"}.get(key, "...")
