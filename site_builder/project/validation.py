"""Pydantic's errors in the author's words."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from site_builder.errors import CuredError, SiteError, nearest
from site_builder.project.yaml_reader import KeyPath, Reading

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "string": "text",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping of names to values",
    "model": "a mapping of names to values",
    "finite": "a finite number",
    "byte": "a size such as 512 MiB",
}
_OF_PYDANTIC = {
    "Input should": "it must",
    "List should": "it must",
    "Dictionary should": "it must",
    " after validation": "",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "greater than": "more than",
}
_EXAMPLES = {
    "date": "2026-11-20",
    "title": '"A title"',
    "base_url": "https://example.org/",
    "set": "{coin_game.flips: 200}",
}


class StrictModel(BaseModel):
    """A mapping of YAML: values of their very types, and no other keys."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, arbitrary_types_allowed=True)


def exact_fraction(value: object) -> Fraction:
    """The fraction that is meant: 0.6, "3/5", Fraction(3, 5) and Decimal("0.6") all mean three fifths.

    A float means the decimal that it is printed as, never its binary expansion. Raises PydanticCustomError.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Fraction, Decimal)):
        raise _not_rational()
    try:
        return Fraction(value if isinstance(value, (int, Fraction)) else _written(value))
    except (ValueError, ZeroDivisionError):
        raise _not_rational() from None


def _written(value: float | str | Decimal) -> str:
    """Return the number as text. Raises ValueError for one with more digits than Python prints."""
    text = repr(value) if isinstance(value, float) else str(value).strip()
    mantissa, _, exponent = text.lower().partition("e")
    if len(exponent) > 6 or len(mantissa) + abs(int(exponent or 0)) > 4000:
        raise ValueError(text)
    return text


def _not_rational() -> PydanticCustomError:
    return PydanticCustomError("rational", "it must be a number such as 0.6 or a fraction such as 3/5")


def text_of_form(pattern: str, message: str, cure: str = "") -> AfterValidator:
    """A check that a text has this form. message: what to say of another text, `{}` standing for it."""

    def check(value: str) -> str:
        if not re.fullmatch(pattern, value) or not value.isprintable():
            raise CuredError(message.format(repr(value)), cure)
        return value

    return AfterValidator(check)


def explained_errors(
    error: ValidationError,
    given: Mapping[str, Any],
    known: Callable[[KeyPath], Iterable[str]],
    whole: str,
    ranges: Mapping[str, str] | None = None,
) -> list[tuple[KeyPath, str, str]]:
    """The errors that pydantic found, each once: the keys that lead to it, the fault and the cure.

    known: the names allowed below some keys; whole: what was given, in words. ranges: for some names the range of
    values in words, which replaces the single bound.
    """
    found: dict[KeyPath, tuple[str, str]] = {}
    for entry in error.errors(include_url=False):
        at = _keys(entry["loc"], given, with_last=entry["type"] == "missing")
        found.setdefault(at, _words(entry, at, list(known(at[:-1])), whole, ranges or {}))
    # A union refuses a value once for each branch; the deeper error says which part of the value is wrong.
    inner = {at[:depth] for at in found for depth in range(len(at))}
    return [(at, *words) for at, words in found.items() if at not in inner or not at]


def site_errors(error: ValidationError, reading: Reading, model: type[BaseModel], whole: str) -> list[SiteError]:
    """The errors that a model found in a YAML text, at the lines of the keys. whole: what the text is."""

    def known(at: KeyPath) -> list[str]:
        return [name for found in _models(model, at) for name in _fields(found)]

    errors = explained_errors(error, reading.keys_with_values, known, whole)
    return [SiteError(reading.place(*at), message, cure) for at, message, cure in errors]


def shown(value: Any) -> str:
    """A value as its author wrote it."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, Decimal, Fraction, float)):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _words(
    entry: Mapping[str, Any], at: KeyPath, known: list[str], whole: str, ranges: Mapping[str, str]
) -> tuple[str, str]:
    kind = str(entry["type"])
    name = ".".join(str(part) for part in at)
    if kind == "missing":
        inside = ".".join(str(part) for part in at[:-1]) or whole
        return f"{inside} has no {at[-1]}", f"add a line such as {at[-1]}: {_EXAMPLES.get(str(at[-1]), '...')}"
    if kind in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"{at[-1]!r} is not known here", nearest(str(at[-1]), known)
    context = entry.get("ctx") or {}
    if kind == "value_error":
        return (f"{name}: " if name else "") + str(context["error"]), getattr(context["error"], "cure", "")
    span = ranges.get(str(at[0]) if at else "")
    return f"{name} is {shown(entry['input'])}; {_wanted(kind, str(entry['msg']), span)}", ""


def _wanted(kind: str, message: str, span: str | None) -> str:
    if span and kind.startswith(("greater_than", "less_than")):
        return f"it must {span}"
    if kind.endswith("too_short") and " at least 1 " in message:
        return "it must not be empty"
    for start, words in _KINDS.items():
        if kind.startswith(f"{start}_"):
            return f"it must be {words}"
    for words, ours in _OF_PYDANTIC.items():
        message = message.replace(words, ours)
    return message[0].lower() + message[1:]


def _keys(location: Iterable[str | int], given: Any, with_last: bool) -> KeyPath:
    """A location without pydantic's own type names. with_last: keep the last part though nothing was given for it."""
    parts = tuple(location)
    keys = []
    for part in parts:
        length = len(given) if isinstance(given, (list, tuple)) else 0
        if part in given if isinstance(given, Mapping) else part in range(length):
            given = given[part]
            keys.append(part)
    return (*keys, parts[-1]) if with_last else tuple(keys)


def _models(annotation: Any, at: KeyPath) -> Iterator[type[BaseModel]]:
    """The models that a type allows below some keys."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not at:
            yield annotation
        elif field := _fields(annotation).get(str(at[0])):
            yield from _models(field.annotation, at[1:])
    elif get_origin(annotation) in (dict, list):
        yield from _models(get_args(annotation)[-1], at[1:])
    else:
        for part in get_args(annotation):
            yield from _models(part, at)


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a model by the names that authors write."""
    return {field.alias or name: field for name, field in model.model_fields.items()}
