"""Key <-> stored bytes: results by kind and key, and small documents by family and name.

A shortcut and nothing more: whatever is damaged, foreign or gone is a miss, and a build without the store is the same.
Imports no library from outside, because a build that finds nothing changed pays for every import.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType

from site_builder.errors import Place, SiteError
from site_builder.storage import sqlite_file
from site_builder.storage.sqlite_file import FAULTS, NAME, Row, checksum, is_whole

_PUT_ENTRY = "INSERT OR REPLACE INTO entries (kind, key, used, size, checksum, data) VALUES (?, ?, ?, ?, ?, ?)"
_PUT_DOCUMENT = "INSERT OR REPLACE INTO documents (family, name, checksum, data) VALUES (?, ?, ?, ?)"
_DROP_DOCUMENT = "DELETE FROM documents WHERE family = ? AND name = ?"
_HIDE_DOCUMENT = "INSERT OR REPLACE INTO documents (family, name) VALUES (?, ?)"
_NOTE_USE = "UPDATE entries SET used = ? WHERE rowid = ?"

_BATCH_BYTES = 4 * 2**20
_BATCH_ENTRIES = 512
_CHUNK = 500  # names in one query; SQLite before 3.32 takes no more than 999
_DAY = 86_400 * 10**9


class MissingEntryError(Exception):
    """Something that an earlier build kept is in the store no more, so it has to be made again."""


class Store:
    """The stored things of a project, to be used in a `with`; several builds may do so at once, each in one thread
    at a time.

    folder: made when there is none. max_size: bytes; beyond it the least recently used entries go when the store is
    closed. warn: told at most once, when something was damaged or when nothing new can be kept for the next build.
    wait: seconds for another build that is writing; after that the store counts as one that cannot be written.
    Nothing here raises for the state of the disk, and anything may be a miss at any time, even what was found before,
    except after `hold`.
    What cannot be kept lies in a temporary file until the store is closed; only where there is no room for that either
    is it forgotten at once.
    """

    def __init__(self, folder: Path, max_size: int, warn: Callable[[str], None], wait: float = 30.0) -> None:
        self._folder, self._file, self._max_size, self._warn, self._wait = folder, folder / NAME, max_size, warn, wait
        self._pending: dict[tuple[str, str], bytes] = {}
        self._pending_size = 0
        self._read: set[int] = set()
        self._long_unused: set[int] = set()
        self._apart: sqlite3.Connection | None = None
        self._is_silent = self._is_checked = self._is_new = self._holds = False
        self._unwritable = ""  # the reason, when there is one
        self._identity = (0, 0)
        self._shared = self._open(damaged=None)

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_new(self) -> bool:
        """Whether nothing was in it when it was opened."""
        return self._is_new

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
                there = self._entries(connection, kind, missing[start : start + _CHUNK])
                if self._holds and there and connection is self._shared:
                    self._write_apart([_entry(kind, key, data) for key, data in there.items()], [], [])
                found |= there
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
        self._save([(family, name, checksum(family, name, data), data) for name, data in documents.items()])

    def drop_documents(self, family: str, names: Iterable[str]) -> None:
        """Forget these documents, whether they are there or not."""
        self._save(dropped=[(family, name) for name in names])

    def flush(self) -> None:
        """Let other stores of the folder see what was put."""
        self._save()

    def hold(self) -> None:
        """From now on let nothing that is found or put be a miss later, whatever other builds take out of the file."""
        self._holds = True

    def let_go(self) -> bool:
        """Hold no file until `take_up`, so that this process may be forked. False, and nothing done, where it cannot.

        What is pending is kept first. One that holds things or cannot be written has some that no other process sees.
        """
        self._save()
        if self._shared is None or self._unwritable or self._apart or self._holds:
            return False
        sqlite_file.close(self._shared)
        self._shared = None
        return True

    def take_up(self) -> None:
        """Hold the file again, after `let_go`, in this process or in one that was forked from it."""
        self._shared = self._open(damaged=None)

    def close(self) -> None:
        """Keep what is pending, note which entries were used, and keep the file within its bound. May be repeated."""
        try:
            self._save()
            if self._shared and not self._unwritable:
                self._tidy(self._shared)
        except FAULTS as error:
            self._meet(error, is_reading=False)
        finally:
            for connection in (self._shared, self._apart):
                if connection:
                    sqlite_file.close(connection)
            self._shared = self._apart = None

    def _entries(self, connection: sqlite3.Connection | None, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        places = ",".join("?" * len(keys))
        query = f"SELECT rowid, used, key, checksum, data FROM entries WHERE kind = ? AND key IN ({places})"
        found = {}
        now = time.time_ns()
        for row, used, key, noted, data in self._rows(connection, query, (kind, *keys)):
            if not is_whole(kind, key, noted, data):
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
            for name, noted, data in self._rows(connection, query, values):
                if is_whole(values[0], name, noted, data):
                    found[name] = data
                elif connection is self._apart:
                    found.pop(name, None)  # dropped in this build
                else:
                    self._doubt(connection)
        return found

    def _rows(self, connection: sqlite3.Connection | None, query: str, values: Sequence[str]) -> Iterator[Row]:
        """The rows of a query, to be read to their end; fewer or none when the file fails."""
        if connection is None:
            return
        try:
            yield from connection.execute(query, values)
        except FAULTS as error:
            if connection is self._shared:
                self._meet(error, is_reading=True)

    def _save(self, documents: Sequence[Row] = (), dropped: Sequence[Row] = ()) -> None:
        """What is pending and these documents, in one short transaction."""
        if not (self._pending or documents or dropped):
            return
        entries = [_entry(kind, key, data) for (kind, key), data in self._pending.items()]
        for _ in range(2):  # a second time when the first found the file damaged, and it was begun anew
            if self._shared is None or self._unwritable:
                continue
            try:
                sqlite_file.write(
                    self._shared, (_PUT_ENTRY, entries), (_PUT_DOCUMENT, documents), (_DROP_DOCUMENT, dropped)
                )
                if self._holds:
                    self._write_apart(entries, [], [])
                break
            except FAULTS as error:
                self._meet(error, is_reading=False)
        else:
            self._unwritable = self._unwritable or "it was damaged twice"
            self._say(f"cannot be written ({self._unwritable}); what is new is computed again in the next build")
            self._write_apart(entries, documents, dropped)
        self._pending, self._pending_size = {}, 0

    def _write_apart(self, entries: Sequence[Row], documents: Sequence[Row], dropped: Sequence[Row]) -> None:
        with suppress(*FAULTS, OverflowError):  # no room anywhere
            if self._apart is None:
                self._apart = sqlite_file.open_temporary()
            sqlite_file.write(self._apart, (_PUT_ENTRY, entries), (_PUT_DOCUMENT, documents), (_HIDE_DOCUMENT, dropped))

    def _tidy(self, connection: sqlite3.Connection) -> None:
        """Uses noted, and the file within its bound. A build that used only what was used lately writes nothing."""
        now = time.time_ns()
        is_large = sqlite_file.size_of_pages(connection) > self._max_size
        excess = sqlite_file.size_of_payloads(connection) - self._max_size if is_large else 0
        used = self._read if excess > 0 else self._long_unused
        if used:
            sqlite_file.write(connection, (_NOTE_USE, [(now, row) for row in used]))
        if excess > 0:
            rows = sqlite_file.least_recently_used(connection, excess + self._max_size // 10)
            sqlite_file.write(connection, ("DELETE FROM entries WHERE rowid = ?", rows))
            connection.executescript("PRAGMA incremental_vacuum")  # execute would free one page, and stop

    def _meet(self, error: Exception, is_reading: bool) -> None:
        """After a failure of the shared file: begun anew if it is damaged, else only read or left alone."""
        if isinstance(error, sqlite3.ProgrammingError):  # the fault is ours, such as a second thread
            raise error
        if not sqlite_file.is_damage(error):
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
            if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                self._meet(sqlite3.DatabaseError("the pages are not in order"), is_reading=True)
        except FAULTS as error:
            self._meet(error, is_reading=True)

    def _leave(self) -> None:
        if self._shared:
            sqlite_file.close(self._shared)
        self._shared = None
        self._read.clear()
        self._long_unused.clear()

    def _open(self, damaged: tuple[int, int] | None) -> sqlite3.Connection | None:
        """The shared file, made or begun anew where need be; None when it cannot even be read.

        damaged: the file that was found to be so, which another build may have replaced meanwhile.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with sqlite_file.alone(self._folder, self._wait):
                if damaged and damaged == sqlite_file.identity(self._file):
                    sqlite_file.set_aside(self._file)
                connection = self._open_or_begin()
                self._identity = sqlite_file.identity(self._file)
                return connection
        except (OSError, *FAULTS) as error:
            self._unwritable = getattr(error, "strerror", None) or str(error)
            return None if damaged else sqlite_file.open_read_only(self._file)

    def _open_or_begin(self) -> sqlite3.Connection:
        if self._file.exists():
            try:
                return sqlite_file.open_file(self._file, self._wait)
            except FAULTS as error:
                if not (sqlite_file.is_damage(error) or self._file.is_dir()):
                    raise
            sqlite_file.set_aside(self._file)
            self._say_damaged()
        sqlite_file.make_file(self._file)
        self._is_new = True
        return sqlite_file.open_file(self._file, self._wait)

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
        with closing(sqlite_file.connect(file, "mode=ro" if logged else sqlite_file.IMMUTABLE)) as connection:
            query = "SELECT checksum, data FROM documents WHERE family = ? AND name = ?"
            row = connection.execute(query, (family, name)).fetchone()
    except (OSError, *FAULTS):
        return None
    return row[1] if row and is_whole(family, name, *row) else None


def clean(folder: Path) -> None:
    """Remove the store, and its folder when nothing else lies in it. Raises SiteError when that is not allowed."""
    for path in (folder / name for name in sqlite_file.FILES):
        if path.is_file() or path.is_symlink():
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise SiteError(Place(str(path)), f"it cannot be removed: {error.strerror}") from error
    with suppress(OSError):  # there is none, or it is not empty
        folder.rmdir()


def _entry(kind: str, key: str, data: bytes) -> Row:
    return kind, key, time.time_ns(), len(data), checksum(kind, key, data), data
