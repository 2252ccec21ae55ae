"""The cache: stored bytes by kind and key, and small documents by family and name.

It only saves recomputing: damaged, foreign and missing data is a miss, and a build without a cache makes the same site.
Imports no library from outside, because a build that finds nothing changed pays for every import.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType

from site_builder.errors import Place, SiteError
from site_builder.storage import sqlite_file
from site_builder.storage.atomic_files import locked
from site_builder.storage.sqlite_file import ERRORS, NAME, Row, checksum, compressed, decompressed, is_whole

_PUT_ENTRY = "INSERT OR REPLACE INTO entries (kind, key, used, size, checksum, data) VALUES (?, ?, ?, ?, ?, ?)"
_PUT_DOCUMENT = "INSERT OR REPLACE INTO documents (family, name, checksum, data) VALUES (?, ?, ?, ?)"
_DROP_DOCUMENT = "DELETE FROM documents WHERE family = ? AND name = ?"
_MARK_USED = "UPDATE entries SET used = ? WHERE rowid = ?"

_BATCH_BYTES = 4 * 2**20
_BATCH_ENTRIES = 512
_BATCH_SECONDS = 2.0  # of work that is lost at most with a build that is killed
_CHUNK = 500  # keys in one query; SQLite before 3.32 takes at most 999
_DAY = 86_400 * 10**9


class MissingEntryError(Exception):
    """An entry of an earlier build is no longer in the cache, so it has to be computed again."""


class Store:
    """The cache of a project, used in a `with`. Several builds may use it at once, each from one thread at a time.

    Any entry may be a miss at any time. Damage costs what was damaged; a file that cannot be written is an error.
    is_new: nothing was in it when it was opened.

    Args:
        folder: created when missing.
        max_size: bytes; beyond it the least recently used entries are removed when the store is closed.
        warn: called at most once, when something was damaged.
        wait: seconds to wait for another build that is writing.

    Raises SiteError, here and later, where the file cannot be written.
    """

    def __init__(self, folder: Path, max_size: int, warn: Callable[[str], None], wait: float = 30.0) -> None:
        self._folder, self._file, self._max_size, self._warn, self._wait = folder, folder / NAME, max_size, warn, wait
        self._pending: dict[tuple[str, str], bytes] = {}
        self._pending_size, self._saved = 0, time.monotonic()
        self._memory: dict[tuple[str, str], bytes] = {}
        self._read: set[int] = set()
        self._long_unused: set[int] = set()
        self._has_warned = self._is_damaged = self.is_new = False
        self._connection: sqlite3.Connection | None = self._open()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except SiteError:
            if error is None:
                raise

    def get(self, kind: str, key: str) -> bytes | None:
        """The entry of this kind and key; None when it is missing or damaged."""
        return self.get_many(kind, (key,)).get(key)

    def get_many(self, kind: str, keys: Iterable[str]) -> dict[str, bytes]:
        """The undamaged entries of one kind, by key."""
        found, missing = {}, []
        for key in dict.fromkeys(keys):
            data = self._pending.get((kind, key), self._memory.get((kind, key)))
            if data is None:
                missing.append(key)
            else:
                found[key] = data
        for start in range(0, len(missing), _CHUNK):
            found |= self._entries(kind, missing[start : start + _CHUNK])
        return found

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Store an entry, replacing an earlier one. One larger than the cache may be is kept until it is closed."""
        if len(data) > self._max_size:
            self._pending.pop((kind, key), None)
            self._memory[kind, key] = data
            return
        self._pending_size += len(data) - len(self._pending.get((kind, key), b""))
        self._pending[kind, key] = data
        is_full = self._pending_size >= _BATCH_BYTES or len(self._pending) >= _BATCH_ENTRIES
        if is_full or time.monotonic() > self._saved + _BATCH_SECONDS:
            self._save()

    def documents(self, family: str) -> dict[str, bytes]:
        """The undamaged documents of a family, by name."""
        return self._documents(family, "", ())

    def document(self, family: str, name: str) -> bytes | None:
        """One document; None when it is missing or damaged."""
        return self._documents(family, " AND name = ?", (name,)).get(name)

    def set_documents(self, family: str, documents: Mapping[str, bytes]) -> None:
        """Add or replace these documents, all or none, after all entries that were put before."""
        self._save({(family, name): data for name, data in documents.items()})

    def drop_documents(self, family: str, names: Iterable[str]) -> None:
        """Remove these documents, whether they exist or not."""
        self._save({(family, name): None for name in names})

    def flush(self) -> None:
        """Write pending entries, so that other builds see them."""
        self._save()

    def fork(self) -> int:
        """Copy this process; its id, or 0 in the copy, where the store reads alone. Raises OSError where it cannot be.

        The file is closed meanwhile, since SQLite does not bear a copy of an open one.
        """
        self._save()
        if self._connection:
            sqlite_file.close(self._connection)
        process = -1
        try:
            process = os.fork()
        finally:
            self._connection = self._open() if process else sqlite_file.connect(self._file, "mode=ro")
        if not process:
            self._max_size, self._has_warned, self._is_damaged = -1, True, True  # it writes nothing, and says nothing
        return process

    def close(self) -> None:
        """Write pending entries, record which were used, and trim the file to its maximum size. May be repeated."""
        try:
            self._save()
            if self._connection:
                with suppress(*ERRORS):  # the next build does it
                    self._trim(self._connection)
                if self._has_warned and not (self._is_damaged or sqlite_file.is_sound(self._connection)):
                    self._remake(self._connection)
        finally:
            self._disconnect()

    def _entries(self, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        placeholders = ",".join("?" * len(keys))
        query = f"SELECT key, checksum, data, rowid, used FROM entries WHERE kind = ? AND key IN ({placeholders})"
        found = {}
        now = time.time_ns()
        for key, data, row, used in self._whole_rows(query, kind, keys):
            found[key] = decompressed(data)
            self._read.add(row)
            if not isinstance(used, int) or abs(now - used) > _DAY:
                self._long_unused.add(row)
        return found

    def _documents(self, family: str, condition: str, values: Sequence[str]) -> dict[str, bytes]:
        query = f"SELECT name, checksum, data FROM documents WHERE family = ?{condition}"
        return dict(self._whole_rows(query, family, values))

    def _whole_rows(self, query: str, kind: str, values: Sequence[str]) -> Iterator[Row]:
        """The undamaged rows of a query for a kind or family, without checksums; fewer when the file fails."""
        connection = self._connection
        if connection is None:
            return
        try:
            for key, noted, data, *more in connection.execute(query, (kind, *values)):
                if is_whole(kind, key, noted, data):
                    yield key, data, *more
                else:
                    self._warn_damaged()
        except ERRORS as error:
            self._fail(error)

    def _save(self, documents: Mapping[tuple[str, str], bytes | None] | None = None) -> None:
        """Write pending entries and these documents in one transaction. None drops one."""
        documents = documents or {}
        self._saved = time.monotonic()
        if not (self._pending or documents):
            return
        now = time.time_ns()
        stored = {key: compressed(data) for key, data in self._pending.items()}
        entries = [(*key, now, len(data), checksum(*key, data), data) for key, data in stored.items()]
        added = [(*name, checksum(*name, data), data) for name, data in documents.items() if data is not None]
        dropped = [name for name, data in documents.items() if data is None]
        statements = (_PUT_ENTRY, entries), (_PUT_DOCUMENT, added), (_DROP_DOCUMENT, dropped)
        try:
            if self._connection is not None:
                sqlite_file.write(self._connection, *statements)
        except ERRORS as error:
            self._fail(error)
            self._save(documents)  # into a new file
            return
        self._pending, self._pending_size = {}, 0

    def _trim(self, connection: sqlite3.Connection) -> None:
        """Record uses and remove old entries. A build that used only what was used within a day writes nothing."""
        now = time.time_ns()
        is_large = sqlite_file.size_of_pages(connection) > self._max_size
        documents, entries = sqlite_file.sizes_of_data(connection) if is_large else (0, 0)
        is_large = documents + entries > self._max_size
        used = self._read if is_large else self._long_unused
        if used:
            sqlite_file.write(connection, (_MARK_USED, [(now, row) for row in used]))
        if is_large:
            sqlite_file.evict(connection, self._max_size - self._max_size // 10 - documents)

    def _fail(self, error: Exception) -> None:
        """After a failure, make a new file where this one is damaged. Raises SiteError for others, and the second."""
        if isinstance(error, sqlite3.ProgrammingError):  # a mistake of ours, such as a second thread
            raise error
        if self._is_damaged or not sqlite_file.is_damage(error):
            raise self._refused(error) from error
        self._is_damaged = True
        self._warn_damaged()
        if self._connection:
            self._remake(self._connection)
        self._disconnect()
        self._connection = self._open()

    def _remake(self, damaged: sqlite3.Connection) -> None:
        """Put a new file in the place of the damaged one, with all of it that can still be read."""
        try:
            with locked(str(self._folder)):
                sqlite_file.make_file(self._file, damaged)
        except (OSError, *ERRORS):
            with suppress(OSError):
                sqlite_file.remove(self._file)

    def _disconnect(self) -> None:
        if self._connection:
            sqlite_file.close(self._connection)
        self._connection = None
        self._read.clear()
        self._long_unused.clear()

    def _refused(self, error: Exception) -> SiteError:
        """The error of a file that cannot be written."""
        message = f"the cache cannot be written: {getattr(error, 'strerror', None) or error}"
        return SiteError(
            Place(f"{self._folder.name}/{NAME}"), message, "see that there is room, and that it may be written"
        )

    def _open(self) -> sqlite3.Connection:
        """Open the file, or a new one in place of a damaged one. Raises SiteError."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with locked(str(self._folder)):
                return self._open_or_make()
        except (OSError, *ERRORS) as error:
            raise self._refused(error) from error

    def _open_or_make(self) -> sqlite3.Connection:
        if self._file.exists():
            try:
                return sqlite_file.open_file(self._file, self._wait)
            except ERRORS as error:
                if not (sqlite_file.is_damage(error) or self._file.is_dir()):
                    raise
            sqlite_file.remove(self._file)
            self._warn_damaged()
        sqlite_file.make_file(self._file)
        self.is_new = True
        return sqlite_file.open_file(self._file, self._wait)

    def _warn_damaged(self) -> None:
        if not self._has_warned:
            self._warn(f"the cache {self._folder.name}/{NAME} was damaged; what was lost is computed again")
        self._has_warned = True


def peek(folder: Path, family: str, name: str) -> bytes | None:
    """One document as it was last stored, without changing any file; None when it cannot be read."""
    file = folder / NAME
    try:
        # With a log, another build is running or was killed, and a reader needs its index; without, the file is all.
        logged = file.with_name(f"{NAME}-wal").exists()
        if logged and not file.with_name(f"{NAME}-shm").exists():
            return None
        with closing(sqlite_file.connect(file, "mode=ro" if logged else sqlite_file.IMMUTABLE)) as connection:
            query = "SELECT checksum, data FROM documents WHERE family = ? AND name = ?"
            row = connection.execute(query, (family, name)).fetchone()
    except (OSError, *ERRORS):
        return None
    return row[1] if row and is_whole(family, name, *row) else None


def clean(folder: Path, files: Iterable[str] = sqlite_file.FILES) -> None:
    """Remove files of the cache, and their folder if it holds nothing else. Raises SiteError when that is forbidden."""
    for path in (folder / name for name in files):
        if path.is_file() or path.is_symlink():
            try:
                path.unlink()
            except FileNotFoundError:
                pass
            except OSError as error:
                raise SiteError(Place(str(path)), f"it cannot be removed: {error.strerror}") from error
    with suppress(OSError):  # missing, or not empty
        folder.rmdir()
