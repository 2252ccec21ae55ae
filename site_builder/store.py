"""Key <-> stored bytes: one SQLite file of results by kind and key, and of small documents by family and name.

A shortcut and nothing more: whatever is damaged, foreign or gone is a miss, and a build without the file is the same.
Imports the standard library alone, because a build that finds nothing changed pays for every import.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any

from site_builder.errors import Place, SiteError

NAME = "puzzlepress.sqlite"
_FORMAT = 1
_APPLICATION = 0x50555A5A
_NEW = f"{NAME}.new"
_SIDES = ("-wal", "-shm", "-journal")

# Uses and sizes have an index of their own, so that eviction reads no payload.
_TABLES = (
    "CREATE TABLE entries (kind TEXT NOT NULL, key TEXT NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, "
    "checksum BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (kind, key))",
    "CREATE INDEX entries_by_use ON entries (used, size)",
    "CREATE TABLE documents (family TEXT NOT NULL, name TEXT NOT NULL, checksum BLOB, data BLOB, "
    "PRIMARY KEY (family, name)) WITHOUT ROWID",
)
_PUT_ENTRY = "INSERT OR REPLACE INTO entries (kind, key, used, size, checksum, data) VALUES (?, ?, ?, ?, ?, ?)"
_PUT_DOCUMENT = "INSERT OR REPLACE INTO documents (family, name, checksum, data) VALUES (?, ?, ?, ?)"
_DROP_DOCUMENT = "DELETE FROM documents WHERE family = ? AND name = ?"
_HIDE_DOCUMENT = "INSERT OR REPLACE INTO documents (family, name) VALUES (?, ?)"
_NOTE_USE = "UPDATE entries SET used = ? WHERE rowid = ?"

_PAGE = 8192  # bytes; of 4, 8, 16 and 32 KiB none was clearly faster for payloads of 20 KB, and 32 wastes much
_CHECKPOINT = 16 * 2**20 // _PAGE  # pages in the log before they move into the file
_BATCH_BYTES = 4 * 2**20
_BATCH_ENTRIES = 512
_CHUNK = 500  # names in one query; SQLite before 3.32 takes no more than 999
_DAY = 86_400 * 10**9
_IMMUTABLE = "mode=ro&immutable=1"  # reads the file alone, and makes no log beside it

# What goes wrong around a file that may itself be whole. Every other fault is the file's.
_OUTSIDE = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL),
    *(sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISUSE),
}

_FAULTS = (sqlite3.Error, UnicodeDecodeError)  # the second comes of messages that quote a damaged file

_Row = tuple[Any, ...]


class Store:
    """The stored things of a project, to be used in a `with`; several builds may do so at once, each in one thread.

    folder: made when there is none. max_size: bytes; beyond it the least recently used entries go when the store is
    closed. warn: told at most once, when something was damaged or when nothing new can be kept for the next build.
    wait: seconds for another build that is writing; after that the store counts as one that cannot be written.
    Nothing here raises for the state of the disk. What cannot be kept lies in a temporary file until the store is
    closed; only where there is no room for that either is an entry forgotten at once.
    """

    def __init__(self, folder: Path, max_size: int, warn: Callable[[str], None], wait: float = 30.0) -> None:
        self._folder, self._file, self._max_size, self._warn, self._wait = folder, folder / NAME, max_size, warn, wait
        self._pending: dict[tuple[str, str], bytes] = {}
        self._pending_size = 0
        self._read: set[int] = set()
        self._long_unused: set[int] = set()
        self._apart: sqlite3.Connection | None = None
        self._is_silent = self._is_checked = False
        self._unwritable = ""  # the reason, when there is one
        self._identity = (0, 0)
        self._shared = self._open(damaged=None)

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, kind: str, key: str) -> bytes | None:
        """The bytes put under this kind and key; None when they are not there, or not whole."""
        return self.get_many(kind, (key,)).get(key)

    def get_many(self, kind: str, keys: Iterable[str]) -> dict[str, bytes]:
        """The entries of one kind that are there and whole, by key."""
        wanted = list(dict.fromkeys(keys))
        found = {key: self._pending[kind, key] for key in wanted if (kind, key) in self._pending}
        for connection in (self._apart, self._shared):
            missing = [key for key in wanted if key not in found]
            for start in range(0, len(missing), _CHUNK):
                found |= self._entries(connection, kind, missing[start : start + _CHUNK])
        return found

    def put(self, kind: str, key: str, data: bytes) -> None:
        """Keep bytes under a kind and a key, in place of any before. An entry above the bound is kept till the end."""
        if len(data) > self._max_size:
            self._pending.pop((kind, key), None)
            self._write_apart([_entry(kind, key, data)], [], [])
            return
        self._pending_size += len(data) - len(self._pending.get((kind, key), b""))
        self._pending[kind, key] = data
        if self._pending_size >= _BATCH_BYTES or len(self._pending) >= _BATCH_ENTRIES:
            self._save()

    def documents(self, family: str) -> dict[str, bytes]:
        """Every whole document of a family, by name."""
        return self._documents("family = ?", (family,))

    def document(self, family: str, name: str) -> bytes | None:
        """One document; None when it is not there, or not whole."""
        return self._documents("family = ? AND name = ?", (family, name)).get(name)

    def set_documents(self, family: str, documents: Mapping[str, bytes]) -> None:
        """Add these documents or replace them, all or none; what was put before is kept first."""
        self._save([(family, name, _checksum(family, name, data), data) for name, data in documents.items()])

    def drop_documents(self, family: str, names: Iterable[str]) -> None:
        """Forget these documents, whether they are there or not."""
        self._save(dropped=[(family, name) for name in names])

    def close(self) -> None:
        """Keep what is pending, note which entries were used, and keep the file within its bound. May be repeated."""
        try:
            self._save()
            if self._shared and not self._unwritable:
                self._tidy(self._shared)
        except _FAULTS as error:
            self._meet(error, is_reading=False)
        finally:
            for connection in (self._shared, self._apart):
                if connection:
                    _close(connection)
            self._shared = self._apart = None

    def _entries(self, connection: sqlite3.Connection | None, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        places = ",".join("?" * len(keys))
        query = f"SELECT rowid, used, key, checksum, data FROM entries WHERE kind = ? AND key IN ({places})"
        found = {}
        now = time.time_ns()
        for row, used, key, checksum, data in self._rows(connection, query, (kind, *keys)):
            if not _is_whole(kind, key, checksum, data):
                self._doubt(connection)
                continue
            found[key] = data
            if connection is self._shared:
                self._read.add(row)
                if not isinstance(used, int) or abs(now - used) > _DAY:
                    self._long_unused.add(row)
        return found

    def _documents(self, condition: str, values: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        query = f"SELECT name, checksum, data FROM documents WHERE {condition}"
        for connection in (self._shared, self._apart):
            for name, checksum, data in self._rows(connection, query, values):
                if _is_whole(values[0], name, checksum, data):
                    found[name] = data
                elif connection is self._apart:
                    found.pop(name, None)  # dropped in this build
                else:
                    self._doubt(connection)
        return found

    def _rows(self, connection: sqlite3.Connection | None, query: str, values: Sequence[str]) -> Iterator[_Row]:
        """The rows of a query, to be read to their end; fewer or none when the file fails."""
        if connection is None:
            return
        try:
            yield from connection.execute(query, values)
        except _FAULTS as error:
            if connection is self._shared:
                self._meet(error, is_reading=True)

    def _save(self, documents: Sequence[_Row] = (), dropped: Sequence[_Row] = ()) -> None:
        """What is pending and these documents, in one short transaction."""
        if not (self._pending or documents or dropped):
            return
        entries = [_entry(kind, key, data) for (kind, key), data in self._pending.items()]
        for _ in range(2):  # a second time when the first found the file damaged, and it was begun anew
            if self._shared is None or self._unwritable:
                continue
            try:
                _write(self._shared, (_PUT_ENTRY, entries), (_PUT_DOCUMENT, documents), (_DROP_DOCUMENT, dropped))
                break
            except _FAULTS as error:
                self._meet(error, is_reading=False)
        else:
            self._unwritable = self._unwritable or "it was damaged twice"
            self._say(f"cannot be written ({self._unwritable}); what is new is computed again in the next build")
            self._write_apart(entries, documents, dropped)
        self._pending, self._pending_size = {}, 0

    def _write_apart(self, entries: Sequence[_Row], documents: Sequence[_Row], dropped: Sequence[_Row]) -> None:
        with suppress(*_FAULTS, OverflowError):  # no room anywhere
            if self._apart is None:
                self._apart = _open_temporary()
            _write(self._apart, (_PUT_ENTRY, entries), (_PUT_DOCUMENT, documents), (_HIDE_DOCUMENT, dropped))

    def _tidy(self, connection: sqlite3.Connection) -> None:
        """Uses noted, and the file within its bound. A build that used only what was used lately writes nothing."""
        now = time.time_ns()
        is_large = _size_of_pages(connection) > self._max_size
        excess = _size_of_payloads(connection) - self._max_size if is_large else 0
        used = self._read if excess > 0 else self._long_unused
        if used:
            _write(connection, (_NOTE_USE, [(now, row) for row in used]))
        if excess > 0:
            rows = _least_recently_used(connection, excess + self._max_size // 10)
            _write(connection, ("DELETE FROM entries WHERE rowid = ?", rows))
            connection.executescript("PRAGMA incremental_vacuum")  # execute would free one page, and stop

    def _meet(self, error: Exception, is_reading: bool) -> None:
        """After a failure of the shared file: begun anew if it is damaged, else only read or left alone."""
        if isinstance(error, sqlite3.ProgrammingError):  # the fault is ours, such as a second thread
            raise error
        if not _is_damage(error):
            self._unwritable = self._unwritable or str(error)
            if is_reading:
                self._leave()
            return
        self._say_damaged()
        self._leave()
        if not self._unwritable:
            self._shared = self._open(damaged=self._identity)

    def _doubt(self, connection: sqlite3.Connection | None) -> None:
        """After a row that is not whole: where the pages are not in order either, new rows would be lost among them."""
        self._say_damaged()
        if connection is None or connection is not self._shared or self._is_checked:
            return
        self._is_checked = True
        try:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                self._meet(sqlite3.DatabaseError("the pages are not in order"), is_reading=True)
        except _FAULTS as error:
            self._meet(error, is_reading=True)

    def _leave(self) -> None:
        if self._shared:
            _close(self._shared)
        self._shared = None
        self._read.clear()
        self._long_unused.clear()

    def _open(self, damaged: tuple[int, int] | None) -> sqlite3.Connection | None:
        """The shared file, made or begun anew where need be; None when it cannot even be read.

        damaged: the file that was found to be so, which another build may have replaced meanwhile.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with _alone(self._folder, self._wait):
                if damaged and damaged == _identity(self._file):
                    _set_aside(self._file)
                connection = self._open_or_begin()
                self._identity = _identity(self._file)
                return connection
        except (OSError, *_FAULTS) as error:
            self._unwritable = getattr(error, "strerror", None) or str(error)
            return None if damaged else _open_read_only(self._file)

    def _open_or_begin(self) -> sqlite3.Connection:
        if self._file.exists():
            try:
                return _open_file(self._file, self._wait)
            except _FAULTS as error:
                if not (_is_damage(error) or self._file.is_dir()):
                    raise
            _set_aside(self._file)
            self._say_damaged()
        _make_file(self._file)
        return _open_file(self._file, self._wait)

    def _say_damaged(self) -> None:
        self._say("was damaged; what was lost is computed again")

    def _say(self, what: str) -> None:
        if not self._is_silent:
            self._warn(f"the store {self._folder.name}/{NAME} {what}")
        self._is_silent = True


def peek(folder: Path, family: str, name: str) -> bytes | None:
    """One document as it was last kept; None for anything odd. Makes and changes nothing."""
    file = folder / NAME
    try:
        # With a log, another build is at work or was killed, and a reader needs its index; without, the file is all.
        logged = file.with_name(f"{NAME}-wal").exists()
        if logged and not file.with_name(f"{NAME}-shm").exists():
            return None
        with closing(_connect(file, "mode=ro" if logged else _IMMUTABLE)) as connection:
            query = "SELECT checksum, data FROM documents WHERE family = ? AND name = ?"
            row = connection.execute(query, (family, name)).fetchone()
    except (OSError, *_FAULTS):
        return None
    return row[1] if row and _is_whole(family, name, *row) else None


def clean(folder: Path) -> None:
    """Remove the store, and its folder when nothing else lies in it. Raises SiteError when that is not allowed."""
    for name in (NAME, _NEW):
        for side in ("", *_SIDES):
            path = folder / f"{name}{side}"
            if path.is_file() or path.is_symlink():
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    raise SiteError(Place(str(path)), f"it cannot be removed: {error.strerror}") from error
    with suppress(OSError):  # there is none, or it is not empty
        folder.rmdir()


def _checksum(kind: str, key: str, data: bytes) -> bytes:
    """Over the names too, so that what was swapped is no more trusted than what was altered."""
    head = f"{_FORMAT} {len(kind)} {kind} {len(key)} {key} ".encode("utf-8", "surrogatepass")
    return blake2b(head + data, digest_size=16).digest()


def _is_whole(kind: str, key: object, checksum: object, data: object) -> bool:
    return isinstance(key, str) and isinstance(data, bytes) and checksum == _checksum(kind, key, data)


def _entry(kind: str, key: str, data: bytes) -> _Row:
    return kind, key, time.time_ns(), len(data), _checksum(kind, key, data), data


def _is_damage(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF not in _OUTSIDE


def _identity(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
        return status.st_dev, status.st_ino
    except FileNotFoundError:
        return 0, 0


@contextmanager
def _alone(folder: Path, wait: float) -> Iterator[None]:
    """One build at a time opens the file, or begins it anew. Raises OSError when another does not come to an end."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        end = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.002)
        yield
    finally:
        os.close(opened)


def _connect(file: Path, how: str, wait: float = 1.0) -> sqlite3.Connection:
    # No mmap: a file that another process cuts short would end this one with a signal.
    return sqlite3.connect(f"{file.absolute().as_uri()}?{how}", timeout=wait, isolation_level=None, uri=True)


def _close(connection: sqlite3.Connection) -> None:
    """The last build to close moves the log into the file and removes it."""
    with suppress(*_FAULTS):
        connection.close()


def _open_file(file: Path, wait: float) -> sqlite3.Connection:
    connection = _connect(file, "mode=rw", wait)
    try:
        _refuse_foreign(connection)
        # NORMAL: checksums would find what a power failure tears even without any sync, but a torn file is lost whole,
        # with hours of solving; and syncing cost less than the noise of the measurements (60 to 90 us an entry).
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")
        return connection
    except BaseException:
        connection.close()
        raise


def _open_read_only(file: Path) -> sqlite3.Connection | None:
    for how in ("mode=ro", _IMMUTABLE):  # the second where no log can be made beside the file
        connection = None
        try:
            connection = _connect(file, how)
            _refuse_foreign(connection)
            return connection
        except _FAULTS:
            if connection:
                connection.close()
    return None


def _open_temporary() -> sqlite3.Connection:
    """A file in the system's temporary folder that nobody else sees, and that is gone when its process is."""
    connection = sqlite3.connect("", isolation_level=None)
    connection.execute(f"PRAGMA cache_size = {-16 * 2**10}")  # KiB; beyond that it lies on the disk
    for statement in _TABLES:
        connection.execute(statement)
    return connection


def _refuse_foreign(connection: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError unless the file is a store of this format, as far as its first pages tell."""
    numbers = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    tables = {statement for (statement,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if numbers != [_APPLICATION, _FORMAT] or tables != set(_TABLES):
        raise sqlite3.DatabaseError("this is no store, or one of another format")


def _make_file(file: Path) -> None:
    """An empty store, in place only when it is whole."""
    new = file.with_name(_NEW)
    for path in (new, *(path.with_name(path.name + side) for path in (new, file) for side in _SIDES)):
        path.unlink(missing_ok=True)
    with closing(_connect(new, "mode=rwc")) as connection:
        for name, value in (
            *(("synchronous", "OFF"), ("page_size", _PAGE), ("auto_vacuum", "INCREMENTAL"), ("journal_mode", "WAL")),
            *(("application_id", _APPLICATION), ("user_version", _FORMAT)),
        ):
            connection.execute(f"PRAGMA {name} = {value}")
        for statement in _TABLES:
            connection.execute(statement)
    os.replace(new, file)


def _set_aside(file: Path) -> None:
    """What stands in the way of a new store removed; a folder, which may hold anything, renamed."""
    if file.is_dir():
        file.rename(file.with_name(f"{NAME}.set-aside"))
    for side in (*_SIDES, ""):
        file.with_name(NAME + side).unlink(missing_ok=True)


def _write(connection: sqlite3.Connection, *statements: tuple[str, Sequence[_Row]]) -> None:
    """All of these rows or, when it raises, none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement, rows in statements:
            connection.executemany(statement, rows)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with suppress(*_FAULTS):
                connection.execute("ROLLBACK")
        raise


def _size_of_pages(connection: sqlite3.Connection) -> int:
    """Bytes of the pages in use, which are never fewer than those of the payloads, and known at once."""
    pages, unused, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - unused) * size)


def _size_of_payloads(connection: sqlite3.Connection) -> int:
    entries, documents = connection.execute(
        "SELECT (SELECT total(size) FROM entries), (SELECT total(length(data)) FROM documents)"
    ).fetchone()
    return int(entries + documents)


def _least_recently_used(connection: sqlite3.Connection, size: int) -> list[_Row]:
    """The rows of the entries to go, so that this many bytes go with them."""
    rows: list[_Row] = []
    query = "SELECT rowid, CAST(size AS INTEGER) FROM entries ORDER BY used, rowid"
    for row, own_size in connection.execute(query).fetchall():
        if size <= 0:
            break
        rows.append((row,))
        size -= own_size
    return rows
