"""The answers that were accepted: small JSON files in content/accepted/, held against what a build finds now."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from site_builder.briefs import Brief
from site_builder.errors import Place, SiteError

FOLDER = "content/accepted/"
_FORMAT = 1
_NOTHING = "nothing"


@dataclass(frozen=True)
class Accepted:
    """What was accepted of a post. answers: by run and field; corrections: how many notes the post had then."""

    answers: Mapping[str, Mapping[str, Any]]
    corrections: int


@dataclass(frozen=True)
class Difference:
    """An answer that is another one than was accepted, both as text."""

    name: str
    before: str
    now: str

    def __str__(self) -> str:
        return f"{self.name}: {self.before} -> {self.now}"


def accepted_file(brief: Brief) -> str:
    """The file with the accepted answers of a post: content/accepted/<slug>.json."""
    path = brief.path.strip("/").removesuffix(".html").removeprefix("posts/")
    return f"{FOLDER}{path.replace('/', '--')}.json"


def write_accepted(accepted: Accepted) -> bytes:
    """The bytes of the file; one answer a line, so that a change is easy to read in version control."""
    plain = {"format": _FORMAT, "corrections": accepted.corrections, "answers": accepted.answers}
    return (json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def read_accepted(data: bytes, name: str) -> Accepted:
    """What the file of that name says. Raises SiteError when it is not what `write_accepted` writes."""
    try:
        found = json.loads(data)
        if found["format"] == _FORMAT and all(isinstance(fields, dict) for fields in found["answers"].values()):
            return Accepted(found["answers"], int(found["corrections"]))
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    cure = "take it from version control again, or look at the answers and write it anew with python build.py accept"
    raise SiteError(Place(name, 1), "the accepted answers cannot be read", cure)


def differences(before: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]]) -> list[Difference]:
    """The answers that differ, each down to the single value."""
    return list(_compared("results", before, now))


def _compared(name: str, before: Any, now: Any) -> Iterator[Difference]:
    if before == now:
        return
    if isinstance(before, dict) and isinstance(now, dict) and "digest" not in before:
        for key in sorted({*before, *now}):
            yield from _compared(f"{name}.{key}", before.get(key, _NOTHING), now.get(key, _NOTHING))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _compared(f"{name}[{place}]", one, other)
    else:
        yield Difference(name, _shown(before), _shown(now))


def _shown(value: Any) -> str:
    if isinstance(value, dict) and "digest" in value:
        return f"{value['size']} values from {value['first']} on, digest {value['digest'][:8]}"
    if isinstance(value, list):
        return f"({', '.join(_shown(entry) for entry in value)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(entry)}" for key, entry in value.items()) + "}"
    return str(value)
