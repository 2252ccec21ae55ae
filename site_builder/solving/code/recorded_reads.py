"""The files that tasks of a solver have read beside its modules, and the cache entries of their answers.

An answer is an entry under its key and the digests of what the task read. Which files these may be says a document for
each solver: every set of files that one of its tasks has read, by the digest of the code that it had then.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from site_builder.errors import changed
from site_builder.storage.store import Store
from site_builder.values.digest import digest

_FAMILY = "reads"
_MOST_VERSIONS = 10  # of a solver's code whose sets of files are known
Sets = dict[str, list[tuple[str, ...]]]


class RecordedReads:
    """The record of the files that the solvers of a project have read.

    Args:
        code: gives the digest of a solver's present code.
        digests: gives the digests of files as they are in this build.
    """

    def __init__(
        self, store: Store, code: Callable[[str], str], digests: Callable[[Iterable[str]], dict[str, str]]
    ) -> None:
        self._store = store
        self._code = code
        self._digests = digests
        self._known: dict[str, tuple[bytes, Sets]] = {}

    def digests(self, solver: str) -> dict[str, str]:
        """Every file that the present code of a solver has read, with its digest."""
        sets = self._sets(solver).get(self._code(solver), ())
        return self._digests(sorted({name for names in sets for name in names}))

    def find(self, store: Store, kind: str, solver: str, keys: Collection[str]) -> dict[str, bytes]:
        """The entries of answers with these keys for which everything that was read is as it was."""
        found = store.get_many(kind, keys)
        for names in self._every_set(solver):
            if len(found) == len(keys):
                break
            digests = self._digests(names)
            full = {_full_key(key, digests): key for key in keys if key not in found}
            if entries := store.get_many(kind, full):
                self._note(solver, names)
                found |= {full[each]: data for each, data in entries.items()}
        return found

    def put(self, store: Store, kind: str, key: str, data: bytes, reads: Mapping[str, str]) -> None:
        """Store an answer whose reads were noted."""
        store.put(kind, _full_key(key, reads) if reads else key, data)

    def note(self, solver: str, reads: Mapping[str, str]) -> None:
        """Note what a task has read. Raises SiteError for a file that is another one in this build."""
        if reads:
            self._note(solver, tuple(sorted(reads)))
            now = self._digests(reads)
            for name in sorted(name for name in reads if reads[name] != now[name]):
                raise changed(name)

    def _note(self, solver: str, names: tuple[str, ...]) -> None:
        sets, code = self._sets(solver), self._code(solver)
        if names not in sets.get(code, ()):
            sets[code] = [*sets.pop(code, ()), names]
            for old in list(sets)[:-_MOST_VERSIONS]:
                del sets[old]
            self._store.set_documents(_FAMILY, {solver: json.dumps(sets).encode()})

    def _every_set(self, solver: str) -> Iterator[tuple[str, ...]]:
        """Each set of files once, those of the newest code first."""
        newest_first = [names for code in reversed(self._sets(solver)) for names in self._sets(solver)[code]]
        return iter(dict.fromkeys(newest_first))

    def _sets(self, solver: str) -> Sets:
        data = self._store.document(_FAMILY, solver) or b"{}"  # another build may have added to it
        if solver not in self._known or self._known[solver][0] != data:
            sets: Sets = {}
            with suppress(ValueError, TypeError, AttributeError):  # another version of the builder wrote it
                sets = {code: [tuple(names) for names in each] for code, each in json.loads(data).items()}
            self._known[solver] = data, sets
        return self._known[solver][1]


def _full_key(key: str, reads: Mapping[str, str]) -> str:
    return digest(key, sorted(reads.items()))
