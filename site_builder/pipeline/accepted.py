"""Accepted answers, in content/accepted/, compared with the results of this build."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from site_builder.errors import Place, SiteError, command_line
from site_builder.posts.evidence import Evidence
from site_builder.posts.summary import PostSummary
from site_builder.project.posts import ACCEPTED
from site_builder.storage.store import MissingEntryError, Store
from site_builder.values.json_records import from_json

NOTHING = "nothing"  # in place of an answer that there is not
_ROOT = "results"


Answers = Mapping[str, Mapping[str, Any]]
"""The answers of a post, by run and field."""


@dataclass(frozen=True)
class _AcceptedFile:
    """A file of accepted answers."""

    format: Literal[1]
    answers: Answers


class Difference(NamedTuple):
    """An answer, or a value in one, that is not as it was accepted."""

    name: str
    before: Any
    now: Any

    def __str__(self) -> str:
        return f"{self.name}: {' -> '.join(self.values)}"

    @property
    def values(self) -> tuple[str, str]:
        """The old and the new value as a note of correction has them."""
        return _shown(self.before), _shown(self.now)

    @property
    def as_correction(self) -> tuple[str, str, str]:
        """The difference as a summary has it of a note of correction."""
        return self.name.removeprefix(f"{_ROOT}."), *self.values


@dataclass(frozen=True)
class ComparedPost:
    """A post with results, compared with its accepted answers; None where there are none."""

    summary: PostSummary
    evidence: Evidence
    accepted: Answers | None

    @cached_property
    def changed(self) -> tuple[Difference, ...]:
        """The answers that differ from the accepted ones."""
        return () if self.accepted is None else tuple(differences(self.accepted, self.evidence.answers))

    @property
    def is_accepted(self) -> bool:
        """True when its answers are the accepted ones."""
        return self.accepted is not None and not self.changed

    @property
    def uncorrected(self) -> tuple[Difference, ...]:
        """The answers that differ without a note of correction that says so."""
        return self.without_correction(self.changed)

    @property
    def is_refused(self) -> bool:
        """True when answers differ without a note of correction that says so."""
        return bool(self.uncorrected)

    def without_correction(self, changed: Iterable[Difference]) -> tuple[Difference, ...]:
        """The differences that no note of correction lists with their old and new value."""
        corrected = {change for note in self.summary.corrections for change in note.changed}
        return tuple(each for each in changed if each.as_correction not in corrected)


def correction(changed: Iterable[Difference], date: str) -> str:
    """The lines of front matter that inform readers of answers that have changed."""
    lines = [f"{each.name}: {json.dumps(each.values, ensure_ascii=False)}" for each in changed]
    return "\n      ".join([f"corrections:\n  - date: {date}\n    text: say what was wrong\n    changed:", *lines])


def accepted_file(summary: PostSummary) -> str:
    """The file with the accepted answers of a post: content/accepted/<slug>.json."""
    path = summary.path.strip("/").removesuffix(".html").removeprefix("posts/")
    return f"{ACCEPTED}{path.replace('/', '--')}.json"


def write_accepted(answers: Answers) -> bytes:
    """The bytes of the file; one answer a line, so that a change is easy to read in version control."""
    plain = asdict(_AcceptedFile(1, answers))
    return (json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def read_accepted(data: bytes, name: str) -> Answers:
    """The accepted answers in a file. Raises SiteError when it is not what `write_accepted` writes."""
    with suppress(ValueError):
        return from_json(_AcceptedFile, data).answers
    cure = f"take it from version control again, or look at the answers and write it anew with {command_line('accept')}"
    raise SiteError(Place(name, 1), "the accepted answers cannot be read", cure)


def differences(before: Any, now: Any, name: str = _ROOT) -> Iterator[Difference]:
    """The answers that differ, each down to the single value. name: of what is compared."""
    if before == now:
        return
    if isinstance(before, dict) and isinstance(now, dict) and "digest" not in before:
        for key in sorted({*before, *now}):
            yield from differences(before.get(key, NOTHING), now.get(key, NOTHING), f"{name}.{key}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for place, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, f"{name}[{place}]")
    else:
        yield Difference(name, before, now)


def _shown(value: Any) -> str:
    if isinstance(value, dict) and "digest" in value:
        return f"{value['size']} values from {value['first']} on, digest {value['digest'][:8]}"
    if isinstance(value, list):
        return f"({', '.join(_shown(entry) for entry in value)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(entry)}" for key, entry in value.items()) + "}"
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
            file = accepted_file(summary)
            accepted = read_accepted(read(file), file) if file in digests else None
            yield ComparedPost(summary, from_json(Evidence, data), accepted)
