"""The record of what a task reads and writes, in a file that its child processes write to as well."""

import fcntl
import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath
from tempfile import TemporaryFile

from site_builder.errors import changed
from site_builder.solving.processes.failure import Failure, TaskError
from site_builder.storage.file_fingerprints import Signature, content_digest, signature

CODE, READ, CHANGE, MAKE = "code", "read", "change", "make"  # kinds of events


class Record:
    """The record of the files that a process and its children read and write, for the project in `root`.

    lines: of an earlier record.
    """

    def __init__(self, root: str, lines: bytes = b"") -> None:
        self._root = root
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - as long as the record
        self._noted: set[tuple[str, str]] = set()
        fcntl.fcntl(self._file, fcntl.F_SETFL, os.O_APPEND)
        self._file.write(lines)

    def note(self, kind: str, path: str) -> None:
        """Add an event with the signature that the file has now, unless this process has noted it before."""
        if (kind, path) not in self._noted:
            self._noted.add((kind, path))
            self._file.write(json.dumps([kind, path, signature(path)]).encode() + b"\n")

    def lines(self) -> bytes:
        """All events in their order."""
        return os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0)

    def reads(self, code: Mapping[str, str]) -> dict[str, str]:
        """The digests of what was read, by path: of files, of the names in folders, of what was looked for in vain.

        code: digests of modules, which are left out, as is what was made meanwhile. Raises TaskError when a file is no
        longer what was read, or a module has another digest.
        """
        read: dict[tuple[str, bool], Signature | None] = {}
        written: set[str] = set()
        made: set[str] = set()
        for kind, path, found in map(json.loads, self.lines().splitlines()):
            if kind in (CODE, READ):
                if not made or made.isdisjoint((path, *map(str, PurePath(path).parents))):
                    read.setdefault((path, kind == CODE), tuple(found) if found else None)
                continue
            written.add(path)
            if kind == MAKE and not read.get((path, False)):
                read.pop((path, False), None)
                made.add(path)
        digests = {}
        for (path, is_code), before in read.items():
            name = project_name(path, self._root)
            if os.path.isabs(name) and before and not signature(path):  # a temporary file of a library
                continue
            digest = _digest(path, name, before, path in written)
            if not is_code or name not in code:
                digests[name] = digest
            elif digest != code[name]:
                raise _changed(name)
        return digests


def project_name(path: str, root: str) -> str:
    """A path as the build knows it: relative to the project for one that is in it."""
    return path[len(root) + 1 :] or "." if is_inside(path, root) else path


def is_inside(path: str, folder: str) -> bool:
    """True when a path is that of a folder or of something in it."""
    return path == folder or path.startswith(f"{folder}/")


def _digest(path: str, name: str, before: Signature | None, is_written: bool) -> str:
    """The digest of what had this signature when it was read. Raises TaskError when it has another one by now."""
    if signature(path) == before:
        digest = _content(path, before)
        if signature(path) == before:
            return digest
    if is_written:
        cure = "let it write to another file, and to a folder that it does not list"
        raise TaskError(Failure("contract", f"it changes {name}, which it has read before", cure=cure))
    raise _changed(name)


@cache  # children of a process know what it has found
def _content(path: str, _: Signature | None) -> str:
    return content_digest(Path(path))


def _changed(name: str) -> TaskError:
    error = changed(name)
    return TaskError(Failure("changed", error.message, name, cure=error.cure))
