"""The record of the last build into a folder: its inputs and outputs, to see quickly that nothing has changed.

It is read before anything else of the builder is imported, so it needs the file system and the cache alone.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from site_builder.errors import Place, SiteError
from site_builder.pipeline.options import BuildOptions
from site_builder.solving.code.libraries import environment_stamp
from site_builder.storage import store
from site_builder.storage.file_fingerprints import (
    OutputSignature,
    Signature,
    content_digest,
    output_signature,
    scan,
)
from site_builder.storage.staging import MANIFEST, STAGING

STORE = ".store"
_FAMILY = "last build"


class WrittenFile(NamedTuple):
    """The record of one file of the output from the last build.

    key: of the page when it was last rendered, "" for unknown; digest: BLAKE2b of the bytes, 128 bits in hexadecimal.
    The others are its signature.
    """

    key: str
    digest: str
    size: int
    modified: int
    inode: int

    @property
    def signature(self) -> OutputSignature:
        """The signature by which it is known."""
        return self[2:]


@dataclass(frozen=True)
class LastBuild:
    """The last build into a folder. variant: of its options; stamp: digest of the installed libraries.

    inputs: signatures and digests of the files that it was made from, None for a signature that cannot be trusted yet;
    further: those that lie outside of the usual folders. output: the folder; manifest: the signature of the record in
    it; outputs: the files of the site, by path. posts: how many it has.
    """

    variant: str = ""
    stamp: str = ""
    inputs: Mapping[str, tuple[Signature | None, str]] = field(default_factory=dict)
    further: Sequence[str] = ()
    output: str = ""
    manifest: OutputSignature | None = None
    outputs: Mapping[str, WrittenFile] = field(default_factory=dict)
    posts: int = 0


def unchanged(options: BuildOptions) -> LastBuild | None:
    """The last build with these options; None where something has changed since, or others were built there."""
    root = options.root
    found = _read(store.peek(root / STORE, _FAMILY, options.output))
    if (found.variant, found.stamp) != (options.variant, environment_stamp()):
        return None
    now = scan(root, found.further)
    if now.signatures.keys() != found.inputs.keys():
        return None
    for name, (before, digest) in found.inputs.items():
        if before != now.signatures[name] and (before or content_digest(now.path(name)) != digest):
            return None
    folder = str(root / found.output)
    if os.path.lexists(f"{folder}/{STAGING}"):  # of a build that was cut short
        return None
    if any(output_signature(f"{folder}/{path}") != each.signature for path, each in found.outputs.items()):
        return None
    return found if output_signature(f"{folder}/{MANIFEST}") == found.manifest else None


def save(kept: store.Store, options: BuildOptions, left: LastBuild) -> None:
    """Store the record of a build."""
    kept.set_documents(_FAMILY, {options.output: json.dumps(vars(left), separators=(",", ":")).encode()})


def last(kept: store.Store, output: str) -> LastBuild:
    """The last build into this folder, as options name it, whatever has changed since; an empty one where none was."""
    return _read(kept.document(_FAMILY, output))


def entries_gone() -> SiteError:
    """Return the error for entries of the cache that are gone each time that they were made anew."""
    message = "entries that were needed are gone: the cache is too small, or another build removed them"
    return SiteError(Place(STORE), message, "build again, or allow more with store: {max_size: 4 GiB} in config.yaml")


def _read(data: bytes | None) -> LastBuild:
    try:
        plain = json.loads(data or b"{}")
        inputs = {name: (each and tuple(each), digest) for name, (each, digest) in plain["inputs"].items()}
        outputs = {path: WrittenFile._make(each) for path, each in plain["outputs"].items()}
        return LastBuild(**{**plain, "inputs": inputs, "outputs": outputs, "manifest": tuple(plain["manifest"])})
    except (ValueError, TypeError, LookupError, AttributeError):  # as another version of the builder wrote it
        return LastBuild()
