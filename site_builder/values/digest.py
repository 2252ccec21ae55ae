"""BLAKE2 digests of bytes and of plain values, as hexadecimal text; all cache keys are made of them."""

import hashlib
from typing import Any


def digest(*values: Any) -> str:
    """Return the digest of plain values: texts, numbers, dates, and tuples, lists and mappings of them."""
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def bytes_digest(data: bytes) -> str:
    """Return the digest of bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
