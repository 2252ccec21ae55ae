"""What the last build left: the files that it was made from and those that it wrote, to see whether anything changed.

It is asked before anything else of the builder is loaded, so it needs nothing but the file system and the store.
"""

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from site_builder.storage import store
from site_builder.storage.code_graph.libraries import environment_stamp
from site_builder.storage.file_fingerprints import Scan, Signature, file_digest, scan, settled, signature
from site_builder.storage.folder_transaction import is_torn

STORE = ".store"
_FAMILY = "standing"


@dataclass(frozen=True)
class Variant:
    """What a build was asked for. output: the folder, as it was named; settings: as they were written; search: whether
    with a search index."""

    output: str
    drafts: bool
    settings: tuple[str, ...]
    search: bool = True

    @property
    def name(self) -> str:
        """Tells it from the others."""
        return json.dumps([self.output, self.drafts, self.settings, self.search])


@dataclass(frozen=True)
class LastBuild:
    """How a build left everything. stamp: names the libraries that were installed.

    inputs: signatures of the files that it was made from; fresh: names of the bytes of those whose signatures cannot be
    trusted yet; further: those that lie outside of the usual folders.
    outputs: signatures of the files in the folder `output`. posts and files: how many it holds.
    """

    stamp: str
    inputs: Mapping[str, Signature]
    fresh: Mapping[str, str]
    further: Sequence[str]
    output: str
    outputs: Mapping[str, Signature]
    posts: int
    files: int


def unchanged(root: Path, variant: Variant) -> LastBuild | None:
    """How the last build of the variant left everything, if nothing of that has changed; None where a build is due."""
    found = _read(store.peek(root / STORE, _FAMILY, variant.name))
    if found is None or found.stamp != environment_stamp():
        return None
    now = scan(root, found.further)
    if now.signatures != found.inputs or any(file_digest(now.path(name)) != was for name, was in found.fresh.items()):
        return None
    folder = str(root / found.output)
    if is_torn(folder):
        return None
    for path, before in found.outputs.items():
        if signature(f"{folder}/{path}") != before:
            return None
    if found.fresh and len(still_fresh := fresh(now, found.fresh)) < len(found.fresh):
        with store.Store(root / STORE, 2**60, lambda words: None) as kept:
            save(kept, variant, replace(found, fresh=still_fresh))
    return found


def save(kept: store.Store, variant: Variant, standing: LastBuild) -> None:
    """Remember how a build left everything."""
    kept.set_documents(_FAMILY, {variant.name: _written(standing)})


def last(kept: store.Store, name: str) -> LastBuild | None:
    """How the last build of the variant of this name left everything, whatever has changed since."""
    return _read(kept.document(_FAMILY, name))


def _written(standing: LastBuild) -> bytes:
    """One line of JSON, and then all signatures, inputs first."""
    inputs, outputs = standing.inputs, standing.outputs
    fields = (standing.stamp, standing.fresh, standing.further, standing.output, standing.posts, standing.files)
    head = json.dumps([*fields, list(inputs), list(outputs)], separators=(",", ":"))
    numbers = array("q", chain(chain.from_iterable(inputs.values()), chain.from_iterable(outputs.values())))
    return head.encode() + b"\n" + numbers.tobytes()


def _read(data: bytes | None) -> LastBuild | None:
    head, _, rest = (data or b"").partition(b"\n")
    try:
        stamp, fresh, further, output, posts, files, inputs, outputs = json.loads(head)
        numbers = iter(array("q", rest))
        signatures = list(zip(numbers, numbers, numbers, numbers, strict=True))
        if len(signatures) != len(inputs) + len(outputs):
            return None
    except (ValueError, TypeError):  # as another version of the builder wrote it
        return None
    before, after = dict(zip(inputs, signatures, strict=False)), signatures[len(inputs) :]
    return LastBuild(stamp, before, fresh, further, output, dict(zip(outputs, after, strict=True)), posts, files)


def fresh(scanned: Scan, digests: Mapping[str, str]) -> dict[str, str]:
    """Names of the bytes of files that were changed so lately that their signatures cannot be trusted yet."""
    sure = settled(scanned)
    return {name: digest for name, digest in digests.items() if name not in sure}
