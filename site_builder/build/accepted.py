"""Accepted answers: small JSON files in content/accepted/, compared with the results of this build."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.posts.evidence import Evidence, read_evidence
from site_builder.posts.summary import PostSummary
from site_builder.storage.store import MissingEntryError, Store

FOLDER = "content/accepted/"
_FORMAT = 1
_MOST_CHARACTERS = 24
_FRACTION = re.compile(r"-?\d+/\d+")
_NOTHING = "nothing"


@dataclass(frozen=True)
class Accepted:
    """The accepted answers of a post, by run and field. corrections: how many notes of correction it had then."""

    answers: Mapping[str, Mapping[str, Any]]
    corrections: int


@dataclass(frozen=True)
class ComparedPost:
    """A post with results, compared with its accepted answers.

    file: of the accepted answers; accepted: None where there is none. changed: the answers that differ, in words.
    """

    source: str
    slug: str
    evidence: Evidence
    file: str
    accepted: Accepted | None
    corrections: int
    changed: tuple[str, ...]

    @property
    def is_refused(self) -> bool:
        """Whether answers differ without a note of correction since they were accepted."""
        return bool(self.changed) and (self.accepted is None or self.corrections <= self.accepted.corrections)


def accepted_file(summary: PostSummary) -> str:
    """The file with the accepted answers of a post: content/accepted/<slug>.json."""
    path = summary.path.strip("/").removesuffix(".html").removeprefix("posts/")
    return f"{FOLDER}{path.replace('/', '--')}.json"


def write_accepted(accepted: Accepted) -> bytes:
    """The bytes of the file; one answer a line, so that a change is easy to read in version control."""
    plain = {"format": _FORMAT, "corrections": accepted.corrections, "answers": accepted.answers}
    return (json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def read_accepted(data: bytes, name: str) -> Accepted:
    """The accepted answers in a file. Raises SiteError when it is not what `write_accepted` writes."""
    try:
        found = json.loads(data)
        if found["format"] == _FORMAT and all(isinstance(fields, dict) for fields in found["answers"].values()):
            return Accepted(found["answers"], int(found["corrections"]))
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    cure = "take it from version control again, or look at the answers and write it anew with python build.py accept"
    raise SiteError(Place(name, 1), "the accepted answers cannot be read", cure)


def differences(before: Any, now: Any, name: str = "results") -> Iterator[str]:
    """The answers that differ, each down to the single value, in words. name: of what is compared."""
    if before == now:
        return
    if isinstance(before, dict) and isinstance(now, dict) and "digest" not in before:
        for key in sorted({*before, *now}):
            yield from differences(before.get(key, _NOTHING), now.get(key, _NOTHING), f"{name}.{key}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, f"{name}[{place}]")
    else:
        short = _shown(before, _MOST_CHARACTERS), _shown(now, _MOST_CHARACTERS)
        yield f"{name}: {' -> '.join(short if short[0] != short[1] else (_shown(before), _shown(now)))}"


def _shown(value: Any, most: int = 0) -> str:
    """A value as text. most: characters of an exact fraction, of which a longer one becomes a decimal; 0 for any."""
    if most and isinstance(value, str) and len(value) > most and _FRACTION.fullmatch(value):
        with suppress(OverflowError):
            return f"{float(Fraction(value)):.12g}..."
    if isinstance(value, dict) and "digest" in value:
        return f"{value['size']} values from {value['first']} on, digest {value['digest'][:8]}"
    if isinstance(value, list):
        return f"({', '.join(_shown(entry, most) for entry in value)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(entry, most)}" for key, entry in value.items()) + "}"
    return str(value)


def compare_accepted(
    summaries: Iterable[PostSummary], digests: Collection[str], read: Callable[[str], bytes], store: Store
) -> Iterator[ComparedPost]:
    """The posts with results, each compared with its accepted answers.

    digests: of the files of the project; read: gives the bytes of one. Raises MissingEntryError when the
    evidence of a post is no longer in the cache; SiteError for a file of accepted answers that cannot be read.
    """
    for summary in summaries:
        if summary.evidence:
            data = store.get("evidence", summary.evidence)
            if data is None:
                raise MissingEntryError
            evidence, file = read_evidence(data), accepted_file(summary)
            accepted = read_accepted(read(file), file) if file in digests else None
            changed = tuple(differences(accepted.answers, evidence.answers)) if accepted else ()
            yield ComparedPost(
                summary.source, summary.slug, evidence, file, accepted, len(summary.corrections), changed
            )


def orphaned_files(summaries: Iterable[PostSummary], digests: Collection[str]) -> tuple[str, ...]:
    """Files of accepted answers that belong to no post."""
    wanted = {accepted_file(summary) for summary in summaries if summary.evidence}
    return tuple(sorted(name for name in digests if name.startswith(FOLDER) and name not in wanted))
