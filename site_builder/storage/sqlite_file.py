"""The SQLite file of the cache: create, open, verify, write and trim it; recover from damage."""

import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

NAME = "puzzlepress.sqlite"
_NEW = f"{NAME}.new"
_SIDES = ("-wal", "-shm", "-journal")
FILES = tuple(f"{name}{side}" for name in (NAME, _NEW) for side in ("", *_SIDES))
_FORMAT = 2
_APPLICATION = 0x50555A5A

# Uses and sizes have an index of their own, so that eviction reads no data.
_TABLES = (
    "CREATE TABLE entries (kind TEXT NOT NULL, key TEXT NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, "
    "checksum BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (kind, key))",
    "CREATE INDEX entries_by_use ON entries (used, size)",
    "CREATE TABLE documents (family TEXT NOT NULL, name TEXT NOT NULL, checksum BLOB, data BLOB, "
    "PRIMARY KEY (family, name)) WITHOUT ROWID",
)

_PAGE = 8192  # bytes; of 4, 8, 16 and 32 KiB none was clearly faster for payloads of 20 KB, and 32 wastes much
_LARGE = 2**16  # bytes beyond which an entry is compressed; texts have fewer, and it would cost more than it saves
_CHECKPOINT = 16 * 2**20 // _PAGE  # pages in the log before they move into the file
IMMUTABLE = "mode=ro&immutable=1"  # reads the file alone, and makes no log beside it

# Errors around a file that may itself be whole. Every other error means that the file is damaged.
_OUTSIDE = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL),
    *(sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISUSE),
}

ERRORS = (sqlite3.Error, UnicodeDecodeError)  # the second from messages that quote a damaged file

Row = tuple[Any, ...]


def checksum(kind: str, key: str, data: bytes) -> bytes:
    """The checksum of stored bytes, their kind and key, and the format: swapped data is as wrong as altered data."""
    return blake2b(f"{_FORMAT} {len(kind)} {kind} {len(key)} {key} ".encode() + data, digest_size=16).digest()


def compressed(data: bytes) -> bytes:
    """The data of an entry as it is stored: large ones with fewer bytes, as tables of answers have."""
    packed = zlib.compress(data, 1) if len(data) > _LARGE else data
    return b"z" + packed if len(packed) < len(data) else b"=" + data


def decompressed(stored: bytes) -> bytes:
    """The data that `compressed` was given."""
    return zlib.decompress(stored[1:]) if stored[:1] == b"z" else stored[1:]


def is_whole(kind: object, key: object, noted: object, data: object) -> bool:
    """True when a row, which may hold anything, is as it was put under this kind and key."""
    if not (isinstance(kind, str) and isinstance(key, str) and isinstance(data, bytes)):
        return False
    return noted == checksum(kind, key, data)


def is_damage(error: Exception) -> bool:
    """True when the error means that the file itself is damaged."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF not in _OUTSIDE


def connect(file: Path, mode: str, wait: float = 1.0) -> sqlite3.Connection:
    """Open the file, unchecked. mode: query part of an SQLite URI; wait: seconds for another process that writes."""
    # No mmap: a file that another process cuts short would end this one with a signal.
    # A store is used by one thread at a time, which need not be the one that opened it.
    address = f"{file.absolute().as_uri()}?{mode}"
    return sqlite3.connect(address, timeout=wait, isolation_level=None, uri=True, check_same_thread=False)


def close(connection: sqlite3.Connection) -> None:
    """Close the connection; the last one moves the log into the file and removes it."""
    with suppress(*ERRORS):
        connection.close()


def open_file(file: Path, wait: float) -> sqlite3.Connection:
    """Open the cache to read and write. Raises one of ERRORS, also when the file is something else."""
    connection = connect(file, "mode=rw", wait)
    try:
        _refuse_foreign(connection)
        # NORMAL: without any sync a power failure could cost the whole file, with hours of solving; syncing cost less
        # than the noise of the measurements (60 to 90 us an entry).
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT}")
        return connection
    except BaseException:
        connection.close()
        raise


def _refuse_foreign(connection: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError unless the file is a cache of this format, by its first pages."""
    numbers = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    tables = {statement for (statement,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if numbers != [_APPLICATION, _FORMAT] or tables != set(_TABLES):
        raise sqlite3.DatabaseError("this is no cache, or one of another format")


def make_file(file: Path, old: sqlite3.Connection | None = None) -> None:
    """Create a cache, renamed into place when it is complete: empty, or with what can be read of an old one.

    The old one is closed. Raises OSError and one of ERRORS.
    """
    new = file.with_name(_NEW)
    _remove(new, *(new.with_name(new.name + side) for side in _SIDES))
    with closing(connect(new, "mode=rwc")) as connection:
        settings = f"synchronous = OFF, page_size = {_PAGE}, auto_vacuum = INCREMENTAL, journal_mode = WAL"
        for setting in f"{settings}, application_id = {_APPLICATION}, user_version = {_FORMAT}".split(", "):
            connection.execute(f"PRAGMA {setting}")
        for statement in _TABLES:
            connection.execute(statement)
        if old:
            _copy_whole_rows(old, connection)
            close(old)
    _remove(*(file.with_name(file.name + side) for side in _SIDES))
    new.replace(file)


def _remove(*files: Path) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _copy_whole_rows(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Copy what can be read of a damaged file without its indexes, the newest first."""
    old.text_factory = lambda text: text.decode("utf-8", "replace")
    entries = "SELECT kind, key, checksum, data, used, size FROM entries NOT INDEXED ORDER BY rowid DESC"
    documents = "SELECT family, name, checksum, data FROM documents"
    put_entry = "INSERT OR IGNORE INTO entries (kind, key, checksum, data, used, size) VALUES (?, ?, ?, ?, ?, ?)"
    put_document = "INSERT OR IGNORE INTO documents (family, name, checksum, data) VALUES (?, ?, ?, ?)"
    for query, statement in ((entries, put_entry), (documents, put_document)):
        new.execute("BEGIN")
        with suppress(*ERRORS):
            for row in old.execute(query):
                if is_whole(*row[:4]):
                    new.execute(statement, row)
        new.execute("COMMIT")


def is_sound(connection: sqlite3.Connection) -> bool:
    """True when tables and indexes agree; what the rows hold is another matter."""
    with suppress(*ERRORS):
        return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
    return False


def remove(file: Path) -> None:
    """Remove what is in the place of a new cache; a folder, which may hold anything, is renamed."""
    if file.is_dir():
        file.replace(file.with_name(f"{NAME}.set-aside"))
    for side in (*_SIDES, ""):
        file.with_name(NAME + side).unlink(missing_ok=True)


def write(connection: sqlite3.Connection, *statements: tuple[str, Sequence[Row]]) -> None:
    """Write all rows in one transaction or, when it raises, none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement, rows in statements:
            connection.executemany(statement, rows)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with suppress(*ERRORS):
                connection.execute("ROLLBACK")
        raise


def size_of_pages(connection: sqlite3.Connection) -> int:
    """Bytes of the pages in use: never less than those of the data, and quick to find."""
    pages, unused, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - unused) * size)


def sizes_of_data(connection: sqlite3.Connection) -> tuple[int, int]:
    """Bytes of all documents and of all entries."""
    documents, entries = connection.execute(
        "SELECT (SELECT total(length(data)) FROM documents), (SELECT total(size) FROM entries)"
    ).fetchone()
    return int(documents), int(entries)


def evict(connection: sqlite3.Connection, size: int) -> None:
    """Remove the least recently used entries, so that the others have at most `size` bytes."""
    newer = "SELECT rowid, total(size) OVER (ORDER BY used DESC, rowid DESC) AS so_far FROM entries"
    write(connection, (f"DELETE FROM entries WHERE rowid IN (SELECT rowid FROM ({newer}) WHERE so_far > ?)", [(size,)]))
    connection.executescript("PRAGMA incremental_vacuum")  # execute would free one page, and stop
