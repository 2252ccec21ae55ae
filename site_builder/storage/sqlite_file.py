"""The store's SQLite file: how it is made, opened, trusted, written and kept small, whatever became of it."""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

NAME = "puzzlepress.sqlite"
_NEW = f"{NAME}.new"
_SIDES = ("-wal", "-shm", "-journal")
FILES = tuple(f"{name}{side}" for name in (NAME, _NEW) for side in ("", *_SIDES))
_FORMAT = 1
_APPLICATION = 0x50555A5A

# Uses and sizes have an index of their own, so that eviction reads no payload.
_TABLES = (
    "CREATE TABLE entries (kind TEXT NOT NULL, key TEXT NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, "
    "checksum BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (kind, key))",
    "CREATE INDEX entries_by_use ON entries (used, size)",
    "CREATE TABLE documents (family TEXT NOT NULL, name TEXT NOT NULL, checksum BLOB, data BLOB, "
    "PRIMARY KEY (family, name)) WITHOUT ROWID",
)

_PAGE = 8192  # bytes; of 4, 8, 16 and 32 KiB none was clearly faster for payloads of 20 KB, and 32 wastes much
_CHECKPOINT = 16 * 2**20 // _PAGE  # pages in the log before they move into the file
IMMUTABLE = "mode=ro&immutable=1"  # reads the file alone, and makes no log beside it

# What goes wrong around a file that may itself be whole. Every other fault is the file's.
_OUTSIDE = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL),
    *(sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISUSE),
}

FAULTS = (sqlite3.Error, UnicodeDecodeError)  # the second comes of messages that quote a damaged file

Row = tuple[Any, ...]


def checksum(kind: str, key: str, data: bytes) -> bytes:
    """The checksum of stored bytes: over their names too, so that what was swapped is no more trusted than what was
    altered, and over the format.
    """
    return blake2b(f"{_FORMAT} {len(kind)} {kind} {len(key)} {key} ".encode() + data, digest_size=16).digest()


def is_whole(kind: str, key: object, noted: object, data: object) -> bool:
    """Whether a row, in which anything may stand, holds what was once put under these names."""
    return isinstance(key, str) and isinstance(data, bytes) and noted == checksum(kind, key, data)


def is_damage(error: Exception) -> bool:
    """Whether the file itself is at fault."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF not in _OUTSIDE


def identity(file: Path) -> tuple[int, int]:
    """What tells a file from another that takes its place; zeros when there is none."""
    try:
        status = file.stat()
        return status.st_dev, status.st_ino
    except FileNotFoundError:
        return 0, 0


@contextmanager
def alone(folder: Path, wait: float) -> Iterator[None]:
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


def connect(file: Path, how: str, wait: float = 1.0) -> sqlite3.Connection:
    """The file opened in the way that SQLite's addresses name, unseen. wait: seconds for another that is writing."""
    # No mmap: a file that another process cuts short would end this one with a signal.
    # A store is used by one thread at a time, which need not be the one that opened it.
    address = f"{file.absolute().as_uri()}?{how}"
    return sqlite3.connect(address, timeout=wait, isolation_level=None, uri=True, check_same_thread=False)


def close(connection: sqlite3.Connection) -> None:
    """The last build to close moves the log into the file and removes it."""
    with suppress(*FAULTS):
        connection.close()


def open_file(file: Path, wait: float) -> sqlite3.Connection:
    """The store opened to read and write. Raises one of FAULTS, also when the file is something else."""
    connection = connect(file, "mode=rw", wait)
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


def open_read_only(file: Path) -> sqlite3.Connection | None:
    """The store opened to read, though nothing can be written beside it; None when it cannot be."""
    for how in ("mode=ro", IMMUTABLE):  # the second where no log can be made beside the file
        connection = None
        try:
            connection = connect(file, how)
            _refuse_foreign(connection)
            return connection
        except FAULTS:
            if connection:
                connection.close()
    return None


def open_temporary() -> sqlite3.Connection:
    """A file in the system's temporary folder that nobody else sees, and that is gone when its process is."""
    connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
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


def make_file(file: Path) -> None:
    """An empty store, in place only when it is whole."""
    new = file.with_name(_NEW)
    for path in (new, *(path.with_name(path.name + side) for path in (new, file) for side in _SIDES)):
        path.unlink(missing_ok=True)
    with closing(connect(new, "mode=rwc")) as connection:
        for name, value in (
            *(("synchronous", "OFF"), ("page_size", _PAGE), ("auto_vacuum", "INCREMENTAL"), ("journal_mode", "WAL")),
            *(("application_id", _APPLICATION), ("user_version", _FORMAT)),
        ):
            connection.execute(f"PRAGMA {name} = {value}")
        for statement in _TABLES:
            connection.execute(statement)
    os.replace(new, file)


def set_aside(file: Path) -> None:
    """What stands in the way of a new store removed; a folder, which may hold anything, renamed."""
    if file.is_dir():
        file.rename(file.with_name(f"{NAME}.set-aside"))
    for side in (*_SIDES, ""):
        file.with_name(NAME + side).unlink(missing_ok=True)


def write(connection: sqlite3.Connection, *statements: tuple[str, Sequence[Row]]) -> None:
    """All of these rows or, when it raises, none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement, rows in statements:
            connection.executemany(statement, rows)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with suppress(*FAULTS):
                connection.execute("ROLLBACK")
        raise


def size_of_pages(connection: sqlite3.Connection) -> int:
    """Bytes of the pages in use, which are never fewer than those of the payloads, and known at once."""
    pages, unused, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - unused) * size)


def size_of_payloads(connection: sqlite3.Connection) -> int:
    """Bytes that were put, of entries and documents."""
    entries, documents = connection.execute(
        "SELECT (SELECT total(size) FROM entries), (SELECT total(length(data)) FROM documents)"
    ).fetchone()
    return int(entries + documents)


def least_recently_used(connection: sqlite3.Connection, size: int) -> list[Row]:
    """The rows of the entries to go, so that this many bytes go with them."""
    rows: list[Row] = []
    query = "SELECT rowid, CAST(size AS INTEGER) FROM entries ORDER BY used, rowid"
    for row, own_size in connection.execute(query).fetchall():
        if size <= 0:
            break
        rows.append((row,))
        size -= own_size
    return rows
