"""A snapshot of the inputs and outputs of the last build, to see quickly that nothing has changed.

It is read before anything else of the builder is imported, so it needs the file system and the cache alone.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from site_builder.pipeline.options import BuildOptions
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage import store
from site_builder.storage.file_fingerprints import (
    OutputSignature,
    Scan,
    Signature,
    content_digest,
    output_signature,
    scan,
    settled,
)
from site_builder.storage.staging import STAGING

STORE = ".store"
_FAMILY = "last build"
_SIGNED = ("inputs", "outputs")


@dataclass(frozen=True)
class LastBuild:
    """The inputs and outputs of a build. stamp: digest of the installed libraries.

    inputs: signatures of the files that it was made from; fresh: digests of those whose signatures cannot be trusted
    yet; further: those that lie outside of the usual folders.
    outputs: signatures of the files in the folder `output`. posts and files: how many it holds.
    """

    stamp: str
    inputs: Mapping[str, Signature]
    fresh: Mapping[str, str]
    further: Sequence[str]
    output: str
    outputs: Mapping[str, OutputSignature]
    posts: int
    files: int


def unchanged(options: BuildOptions) -> LastBuild | None:
    """The last build with these options; None where something has changed since."""
    root = options.root
    found = _read(store.peek(root / STORE, _FAMILY, options.variant))
    if found is None or found.stamp != environment_stamp():
        return None
    now = scan(root, found.further)
    if now.signatures != found.inputs:
        return None
    if any(content_digest(now.path(name)) != was for name, was in found.fresh.items()):
        return None
    folder = str(root / found.output)
    if os.path.lexists(f"{folder}/{STAGING}"):  # of a build that was cut short
        return None
    for path, before in found.outputs.items():
        if output_signature(f"{folder}/{path}") != before:
            return None
    return found


def save(kept: store.Store, options: BuildOptions, left: LastBuild) -> None:
    """Store the snapshot of a build."""
    kept.set_documents(_FAMILY, {options.variant: json.dumps(vars(left), default=dict).encode()})


def last(kept: store.Store, variant: str) -> LastBuild | None:
    """The last build of this variant, whatever has changed since."""
    return _read(kept.document(_FAMILY, variant))


def _read(data: bytes | None) -> LastBuild | None:
    try:
        found = json.loads(data or b"")
        signatures = {name: dict(zip(found[name], map(tuple, found[name].values()), strict=True)) for name in _SIGNED}
        return LastBuild(**{**found, **signatures})
    except (ValueError, TypeError, LookupError, AttributeError):  # as another version of the builder wrote it
        return None


def fresh(scanned: Scan, digests: Mapping[str, str]) -> dict[str, str]:
    """Digests of files that changed so lately that their signatures cannot be trusted yet."""
    sure = settled(scanned)
    return {name: digest for name, digest in digests.items() if name not in sure}
