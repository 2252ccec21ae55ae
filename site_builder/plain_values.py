"""Values as plain text, exact values exact, for records of what was found; needs nothing of the project.

The text is for people and for comparing: equal values have the same text. What is long is cut to its beginning, its
size and a digest of all of it.
"""

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

_MOST = 24  # entries of a list, mapping or array that are written out


def text_of(value: Any, most: int = _MOST) -> str:
    """The value on one line. most: entries of a list that are written before the rest is only counted."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "{" + _listed([f"{text_of(k, most)}: {text_of(v, most)}" for k, v in value.items()], most) + "}"
    if isinstance(value, (tuple, list, range)):
        return "(" + _listed([text_of(entry, most) for entry in value], most) + ")"
    if hasattr(value, "axes") and hasattr(value, "values"):  # a Grid
        axes = ", ".join(f"{name} {_span(coordinates, most)}" for name, coordinates in value.axes.items())
        return f"{text_of(value.values, most)} over {axes}"
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        return _array(value, most)
    if fields := dict(_fields(value)):
        return "(" + ", ".join(f"{name}={text_of(entry, most)}" for name, entry in fields.items()) + ")"
    return str(value)


def fields_of_any(value: Any) -> dict[str, Any]:
    """The fields of a record by name, be it a solver's own dataclass or what stands for it in the builder."""
    return dict(_fields(value))


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield field.name, getattr(value, field.name)
    elif isinstance(found := getattr(value, "_fields", None), Mapping):
        yield from found.items()


def _listed(texts: list[str], most: int) -> str:
    if len(texts) <= most:
        return ", ".join(texts)
    whole = hashlib.blake2b("\n".join(texts).encode(), digest_size=6).hexdigest()
    return f"{', '.join(texts[: max(1, most // 4)])}, ... {len(texts)} in all, digest {whole}"


def _array(value: Any, most: int) -> str:
    entries = value.ravel().tolist()
    listed = _listed([text_of(entry, most) for entry in entries], most)
    shape = " x ".join(str(length) for length in value.shape)
    return f"[{listed}]" if len(value.shape) == 1 and len(entries) <= most else f"{shape} array [{listed}]"


def _span(coordinates: Any, most: int) -> str:
    entries = [text_of(entry, most) for entry in coordinates]
    return _listed(entries, 4) if len(entries) <= 4 else f"{entries[0]} to {entries[-1]} ({len(entries)})"
