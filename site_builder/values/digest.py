"""Digests of bytes and of plain values: BLAKE2, as hexadecimal text. Every cache key is made of them."""

import hashlib
from typing import Any


def digest(*values: Any) -> str:
    """A name for plain values: texts, numbers, dates, and tuples, lists and mappings of them."""
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def bytes_digest(data: bytes) -> str:
    """A name for some bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
