"""The record of the last build into a folder: its inputs and outputs, and a short form to see that nothing has changed.

That is read before anything else of the builder is imported, so it needs the file system and the cache alone.
"""

import json
import marshal
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
from site_builder.values.digest import bytes_digest

STORE = ".store"
_FAMILY, _SHORT = "last build", "last build, short"


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


class ShortRecord(NamedTuple):
    """What tells that nothing has changed since the last build into a folder.

    variant to posts: as in LastBuild. outputs: paths of the files of the site. untrusted: digests of the inputs whose
    signatures cannot be trusted yet. before, after: digests of the signatures of all other inputs and of the outputs,
    the record in their folder among them.
    """

    variant: str
    stamp: str
    further: Sequence[str]
    output: str
    posts: int
    outputs: Sequence[str]
    untrusted: Mapping[str, str]
    before: str
    after: str


def unchanged(options: BuildOptions) -> ShortRecord | None:
    """The last build with these options; None where something has changed since, or others were built there."""
    root = options.root
    data = store.peek(root / STORE, _SHORT, options.output)
    try:
        found = ShortRecord(**json.loads(data or b"{}"))
    except (ValueError, TypeError):  # as another version of the builder wrote it
        return None
    if (found.variant, found.stamp) != (options.variant, environment_stamp()):
        return None
    now = scan(root, found.further)
    trusted = {name: each for name, each in now.signatures.items() if name not in found.untrusted}
    if _digest_of(trusted) != found.before:
        return None
    if any(content_digest(now.path(name)) != digest for name, digest in found.untrusted.items()):
        return None
    folder = str(root / found.output)
    if os.path.lexists(f"{folder}/{STAGING}"):  # of a build that was cut short
        return None
    after = {path: output_signature(f"{folder}/{path}") for path in (*found.outputs, MANIFEST)}
    return found if _digest_of(after) == found.after else None


def _digest_of(signatures: Mapping[str, Signature | OutputSignature | None]) -> str:
    """Digest of the names and signatures of files, in whichever order."""
    plain = sorted(signatures.items())
    return bytes_digest(marshal.dumps(plain, 2))  # four times as fast as JSON; up to 2, equal values have equal bytes


def save(kept: store.Store, options: BuildOptions, left: LastBuild) -> None:
    """Store the record of a build."""
    untrusted = {name: digest for name, (each, digest) in left.inputs.items() if each is None}
    before = {name: each for name, (each, _) in left.inputs.items() if each is not None}
    after = {path: each.signature for path, each in left.outputs.items()} | {MANIFEST: left.manifest}
    short = ShortRecord(
        *(left.variant, left.stamp, left.further, left.output, left.posts, [*left.outputs], untrusted),
        *(_digest_of(before), _digest_of(after)),
    )
    for family, record in ((_FAMILY, vars(left)), (_SHORT, short._asdict())):
        kept.set_documents(family, {options.output: json.dumps(record, separators=(",", ":")).encode()})


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
