"""The store: what is kept between builds, and what a build meets when it was damaged, is full or cannot be written."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from site_builder.errors import SiteError
from site_builder.storage.store import NAME, Store, clean, peek

ROOT = Path(__file__).resolve().parents[2]
LARGE = 2**30
DAMAGED = "the cache .store/puzzlepress.sqlite was damaged; what was lost is computed again"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".store"


@pytest.fixture
def warnings():
    return []


def filled(folder, count=20, size=20_000):
    """A store of entries and documents of which every test knows what they were; the file of the store."""
    with Store(folder, LARGE, pytest.fail) as store:
        for number in range(count):
            store.put("page", f"key{number}", payload(number, size))
        store.set_documents("posts", {f"post{number}": payload(number, 700) for number in range(count)})
    return folder / NAME


def payload(number, size=20_000):
    return f"payload {number} ".encode() * (size // 10)


def query(file, sql, *values):
    """What a second connection, which knows nothing of the store, reads or changes."""
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(sql, values).fetchall()


def child(code, *arguments, stderr=None):
    """Another process that can import the store."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom site_builder.storage.store import Store, peek\n{code}"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, stderr=stderr, text=True
    )


def test_what_was_put_is_there_at_once_and_in_a_later_build(folder):
    with Store(folder, LARGE, pytest.fail) as store:
        store.put("page", "a", b"one")
        store.put("figure", "a", b"two")
        at_once = store.get("page", "a"), store.get("figure", "a"), store.get("page", "b")

    with Store(folder, LARGE, pytest.fail) as store:
        later = store.get("page", "a"), store.get("figure", "a"), store.get("page", "b")

    assert at_once == later == (b"one", b"two", None)


@pytest.mark.parametrize("data", [b"", b"z", b"=z", bytes(range(256)) * 4000, Random(1).randbytes(1_000_000)])
def test_entries_of_any_bytes_are_read_as_they_were_put(folder, data):
    with Store(folder, LARGE, pytest.fail) as store:
        store.put("result", "key", data)

    with Store(folder, LARGE, pytest.fail) as store:
        assert store.get("result", "key") == data


def test_a_long_table_takes_less_than_half_of_its_bytes(folder):
    table = repr([(number % 100, number % 7) for number in range(100_000)]).encode()
    with Store(folder, LARGE, pytest.fail) as store:
        store.put("checks", "key", table)

    assert (folder / NAME).stat().st_size < len(table) / 2
    with Store(folder, LARGE, pytest.fail) as store:
        assert store.get("checks", "key") == table


def test_a_later_put_takes_the_place_of_an_earlier_one(folder):
    filled(folder)

    with Store(folder, LARGE, pytest.fail) as store:
        store.put("page", "key3", b"new")

    with Store(folder, LARGE, pytest.fail) as store:
        assert store.get("page", "key3") == b"new"


def test_thousands_of_entries_are_read_at_once_from_what_is_written_and_what_is_not_yet(folder):
    expected = {f"key{number}": str(number).encode() for number in range(5000)}

    with Store(folder, LARGE, pytest.fail) as store:
        for key, data in expected.items():
            store.put("page", key, data)
        found = store.get_many("page", [*expected, "none"])

    with Store(folder, LARGE, pytest.fail) as store:
        assert store.get_many("page", iter([*expected, "none"])) == found == expected


def test_documents_of_a_family_are_read_at_once(folder):
    expected = {f"content/posts/{number}.md": payload(number, 70) for number in range(10_000)}

    with Store(folder, LARGE, pytest.fail) as store:
        store.set_documents("posts", expected)
        store.set_documents("pages", {"about": b"other"})

    with Store(folder, LARGE, pytest.fail) as store:
        assert store.documents("posts") == expected
        assert store.documents("none") == {}


def test_documents_are_replaced_and_dropped_by_name(folder):
    with Store(folder, LARGE, pytest.fail) as store:
        store.set_documents("posts", {"a": b"1", "b": b"2", "c": b"3"})

    with Store(folder, LARGE, pytest.fail) as store:
        store.set_documents("posts", {"b": b"new"})
        store.drop_documents("posts", ["c", "never there"])

    with Store(folder, LARGE, pytest.fail) as store:
        assert store.documents("posts") == {"a": b"1", "b": b"new"}
        assert (store.document("posts", "b"), store.document("posts", "c")) == (b"new", None)


def test_a_store_is_new_to_the_build_that_finds_nothing(folder, warnings):
    with Store(folder, 2**30, warnings.append) as store:
        first = store.is_new
    with Store(folder, 2**30, warnings.append) as store:
        second = store.is_new

    assert (first, second) == (True, False)


def test_a_closed_store_is_one_file(folder):
    filled(folder)

    assert os.listdir(folder) == [NAME]


def test_a_build_that_only_reads_writes_nothing(folder):
    file = filled(folder)
    before = file.read_bytes()

    with Store(folder, LARGE, pytest.fail) as store:
        assert len(store.get_many("page", [f"key{number}" for number in range(20)])) == 20

    assert file.read_bytes() == before


# Damages. After each: what is lost is a miss, one warning says so, and what is put afterwards stays.


def flip_a_byte(file):
    data = file.read_bytes()
    place = data.index(b"payload 7 " * 300) + 1000  # no document is as long
    file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])


def flip_a_byte_of_a_document(file):
    query(file, "UPDATE documents SET data = CAST('x' || substr(data, 2) AS BLOB) WHERE name = 'post7'")


def cut_in_half(file):
    os.truncate(file, file.stat().st_size // 2)


def replace_by_text(file):
    file.write_text("These are the notes of somebody else.\n" * 1000)


def empty(file):
    file.write_bytes(b"")


def replace_by_a_folder(file):
    file.unlink()
    file.mkdir()
    (file / "notes.txt").write_text("mine")


def make_another_format(file):
    query(file, "PRAGMA user_version = 99")


def replace_by_a_foreign_database(file):
    file.unlink()
    query(file, "CREATE TABLE entries (kind, key, used, size, checksum, data)")
    query(file, "INSERT INTO entries VALUES ('page', 'key7', 0, 4, x'00', x'00')")


def add_a_foreign_table(file):
    query(file, "CREATE TABLE films (title)")
    query(file, "INSERT INTO films VALUES ('Rope')")


def garble_the_table_of_tables(file):
    file.write_bytes(file.read_bytes().replace(b"CREATE TABLE documents", b"CREATE TABLE documen \xf0"))


def swap_two_keys(file):
    query(file, "UPDATE entries SET key = 'x' WHERE key = 'key7'")
    query(file, "UPDATE entries SET key = 'key7' WHERE key = 'key8'")
    query(file, "UPDATE entries SET key = 'key8' WHERE key = 'x'")


def put_text_for_bytes(file):
    query(file, "UPDATE entries SET data = 'text', checksum = 3 WHERE key = 'key7'")


DAMAGES = [
    *(flip_a_byte, cut_in_half, replace_by_text, empty, replace_by_a_folder, make_another_format),
    *(replace_by_a_foreign_database, add_a_foreign_table, garble_the_table_of_tables),
    *(swap_two_keys, put_text_for_bytes),
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_what_was_damaged_is_a_miss_with_one_warning_and_can_be_put_again(folder, warnings, damage):
    damage(filled(folder))

    with Store(folder, LARGE, warnings.append) as store:
        found = store.get_many("page", [f"key{number}" for number in range(20)])
        store.documents("posts")
        for number in range(20):
            if f"key{number}" not in found:
                store.put("page", f"key{number}", payload(number))

    assert "key7" not in found
    assert found == {key: payload(int(key.removeprefix("key"))) for key in found}
    assert warnings == [DAMAGED]
    with Store(folder, LARGE, pytest.fail) as store:
        assert all(store.get("page", f"key{number}") == payload(number) for number in range(20))


@pytest.mark.parametrize("damage", [flip_a_byte, swap_two_keys], ids=lambda damage: damage.__name__)
def test_a_damaged_entry_costs_no_other_entry(folder, warnings, damage):
    damage(filled(folder))

    with Store(folder, LARGE, warnings.append) as store:
        found = store.get_many("page", [f"key{number}" for number in range(20)])

    assert {f"key{number}" for number in range(20) if number not in (7, 8)} <= set(found)


def test_a_damaged_document_is_a_miss_and_the_others_are_read(folder, warnings):
    flip_a_byte_of_a_document(filled(folder))

    with Store(folder, LARGE, warnings.append) as store:
        names = set(store.documents("posts"))

    assert names == {f"post{number}" for number in range(20) if number != 7}
    assert warnings == [DAMAGED]
    assert peek(folder, "posts", "post7") is None
    assert peek(folder, "posts", "post8") == payload(8, 700)


def page_of(file, table):
    """Where the first page of a table or index begins in the file."""
    return 8192 * (query(file, "SELECT rootpage FROM sqlite_master WHERE name = ?", table)[0][0] - 1)


def garble_the_index_of_keys(file):
    """A key of the index, which then names a row that is not under it, and a byte of a row to be noticed by."""
    flip_a_byte(file)
    data = bytearray(file.read_bytes())
    place = data.index(b"pagekey12", page_of(file, "sqlite_autoindex_entries_1"))
    data[place + 4] ^= 1
    file.write_bytes(data)


def garble_the_last_page_of_documents(file):
    data = file.read_bytes()
    place = data.index(b"postspost19", page_of(file, "documents")) // 8192 * 8192
    file.write_bytes(data[:place] + b"\x0d\xa5" * 4096 + data[place + 8192 :])


@pytest.mark.parametrize(
    "damage",
    [garble_the_index_of_keys, garble_the_last_page_of_documents],
    ids=["an index", "a page"],
)
def test_a_file_damaged_in_its_structure_is_made_anew_with_all_that_can_be_read(folder, warnings, damage):
    file = filled(folder)
    damage(file)

    with Store(folder, LARGE, warnings.append) as store:
        store.documents("posts")
        missing = [number for number in range(20) if store.get("page", f"key{number}") is None]
        for number in missing:
            store.put("page", f"key{number}", payload(number))

    assert warnings == [DAMAGED]
    assert query(file, "PRAGMA integrity_check") == [("ok",)]
    assert len(missing) <= 6  # a search among keys that are not in order misses some
    with Store(folder, LARGE, pytest.fail) as store:
        assert all(store.get("page", f"key{number}") == payload(number) for number in range(20))


def test_a_folder_in_the_place_of_the_file_is_set_aside_with_all_that_it_holds(folder, warnings):
    replace_by_a_folder(filled(folder))

    Store(folder, LARGE, warnings.append).close()

    assert (folder / f"{NAME}.set-aside" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("bound", [LARGE, 150_000], ids=["within its bound", "beyond its bound"])
def test_pages_of_junk_anywhere_in_the_file_never_stop_a_build(folder, warnings, bound):
    file = filled(folder, count=60, size=3000)
    whole = file.read_bytes()
    for start in range(0, len(whole), 8192):
        file.write_bytes(whole[:start] + b"\x0d\xa5" * 4096 + whole[start + 8192 :])
        warnings.clear()

        with Store(folder, bound, warnings.append) as store:
            found = store.get_many("page", [f"key{number}" for number in range(60)]) | store.documents("posts")
            store.put("page", "new", b"new")

        assert all(data.startswith(f"payload {key.strip('keypost')} ".encode()) for key, data in found.items()), start
        assert warnings == [DAMAGED] or (warnings == [] and len(found) == 120), start
        with Store(folder, LARGE, warnings.append) as store:
            if bound == LARGE:  # else the damage may show only when the bound is kept, and all goes
                assert store.get("page", "new") == b"new", start
            store.put("page", "newer", b"newer")
        with Store(folder, LARGE, warnings.append) as store:
            assert store.get("page", "newer") == b"newer", start
        clean(folder)
        folder.mkdir()


def test_damage_that_is_done_while_a_build_runs_is_met_by_that_build(folder, warnings):
    file = filled(folder, count=400)

    with Store(folder, LARGE, warnings.append) as store:
        assert store.get("page", "key0") == payload(0)
        with file.open("r+b") as opened:
            opened.seek(8192)
            opened.write(b"\x0d\xa5" * (file.stat().st_size // 2 - 8192))
        found = store.get_many("page", [f"key{number}" for number in range(400)])
        store.put("page", "new", b"new")
        assert store.get("page", "new") == b"new"

    assert len(found) < 400
    assert warnings == [DAMAGED]
    with Store(folder, LARGE, pytest.fail) as store:
        assert store.get("page", "new") == b"new"


# Folders that cannot be written.


def test_a_file_in_the_place_of_the_folder_is_an_error(folder):
    folder.write_text("not a folder")

    with pytest.raises(SiteError, match=r"\.store/puzzlepress\.sqlite: the cache cannot be written: File exists"):
        Store(folder, LARGE, pytest.fail)

    assert folder.read_text() == "not a folder"


READ_ONLY = """
import os
from pathlib import Path
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
Store(Path(sys.argv[1]), 2**30, print).set_documents("posts", {"new": b"1"})
"""


@pytest.fixture
def open_to_all(folder):
    """Folders above the store that a process without rights can pass through."""
    parents = [parent for parent in folder.parents if parent.stat().st_uid == os.getuid() and parent != Path("/")]
    modes = {parent: parent.stat().st_mode for parent in parents}
    for parent in parents:
        parent.chmod(modes[parent] | 0o055)
    yield
    for parent, mode in modes.items():
        parent.chmod(mode)


@pytest.mark.usefixtures("open_to_all")
@pytest.mark.parametrize("is_left_open", [False, True], ids=["closed", "left by a killed build"])
def test_a_store_that_can_only_be_read_is_an_error_and_stays_as_it_is(folder, is_left_open):
    filled(folder, count=2)
    if is_left_open:
        kill(folder)
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    held = {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}

    process = child(READ_ONLY, folder, stderr=subprocess.PIPE)
    _, error = process.communicate(timeout=120)

    assert "the cache cannot be written: " in error
    assert {name: (folder / name).read_bytes() for name in held} == held


def test_a_store_that_another_build_does_not_let_go_is_an_error(folder):
    file = filled(folder)

    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with (
            pytest.raises(SiteError, match="the cache cannot be written: database is locked"),
            Store(folder, LARGE, pytest.fail, wait=0.05) as store,
        ):
            store.put("page", "new", b"new")

    with Store(folder, LARGE, pytest.fail) as store:
        assert store.get("page", "key3") == payload(3)


FULL_DISK = """
import resource
from pathlib import Path
Store(Path(sys.argv[1]), 2**30, print).close()
resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))  # bytes; no file can grow beyond
with Store(Path(sys.argv[1]), 2**30, print) as store:
    for number in range(3000):
        store.put("page", f"{number}", b"x" * 20_000)
"""


def test_a_full_disk_is_an_error_that_damages_nothing(folder):
    filled(folder)

    process = child(FULL_DISK, folder, stderr=subprocess.PIPE)
    printed, error = process.communicate(timeout=120)

    assert printed == ""
    assert "the cache cannot be written: " in error
    with Store(folder, LARGE, pytest.fail) as store:
        assert len(store.get_many("page", [f"key{number}" for number in range(20)])) == 20


# Several builds at once.

WRITE = """
from pathlib import Path
with Store(Path(sys.argv[1]), 2**30, print) as store:
    for number in range(1500):
        key = f"{sys.argv[2]}{number}"
        store.put("page", key, key.encode() * 1000)
        other = f"{sys.argv[3]}{number // 2}"
        found = store.get("page", other)
        if found not in (None, other.encode() * 1000):
            print("wrong", other)
        store.put("page", f"both{number}", b"same" * 1000)
        if number % 100 == 0:
            store.set_documents("posts", {f"{sys.argv[2]}{number}": b"1"})
"""


def test_two_builds_at_once_keep_everything_that_both_put(folder):
    builds = [child(WRITE, folder, "a", "b"), child(WRITE, folder, "b", "a")]

    said = [build.communicate(timeout=120)[0] for build in builds]

    assert said == ["", ""]
    assert [build.returncode for build in builds] == [0, 0]
    expected = {f"{who}{number}": f"{who}{number}".encode() * 1000 for who in "ab" for number in range(1500)}
    with Store(folder, LARGE, pytest.fail) as store:
        assert store.get_many("page", expected) == expected
        assert len(store.get_many("page", [f"both{number}" for number in range(1500)])) == 1500
        assert len(store.documents("posts")) == 30


def test_two_builds_that_find_the_same_damage_begin_one_new_store(folder):
    for _ in range(2):
        replace_by_text(filled(folder))

        builds = [child(WRITE, folder, "a", "b"), child(WRITE, folder, "b", "a")]
        said = [build.communicate(timeout=120)[0] for build in builds]

        assert sorted(said) == ["", f"{DAMAGED}\n"]
        with Store(folder, LARGE, pytest.fail) as store:
            assert len(store.get_many("page", [f"{who}{number}" for who in "ab" for number in range(1500)])) == 3000
        clean(folder)


KILLED = """
from pathlib import Path
import os
store = Store(Path(sys.argv[1]), 2**30, print)
store.set_documents("state", {"written": b"by the killed build"})
print("ready", flush=True)
for number in range(10**9):
    store.put("killed", f"{number}", b"%09d" % number * 2000)
"""


def kill(folder, after=0.3):
    build = child(KILLED, folder)
    assert build.stdout.readline() == "ready\n"
    time.sleep(after)
    os.kill(build.pid, signal.SIGKILL)
    build.communicate()


@pytest.mark.parametrize("after", [0.0, 0.1, 0.3, 0.5])
def test_a_build_that_is_killed_while_it_writes_leaves_a_whole_file(folder, after):
    file = filled(folder)

    kill(folder, after)

    assert peek(folder, "state", "written") == b"by the killed build"
    with Store(folder, LARGE, pytest.fail) as store:
        assert len(store.get_many("page", [f"key{number}" for number in range(20)])) == 20
        killed = store.get_many("killed", [f"{number}" for number in range(5000)])
    assert all(data == b"%09d" % int(key) * 2000 for key, data in killed.items())
    assert query(file, "PRAGMA integrity_check") == [("ok",)]
    assert os.listdir(folder) == [NAME]


# The bound.


def test_the_least_recently_used_entries_go_until_nine_tenths_of_the_bound_are_left(folder):
    filled(folder, count=100, size=20_000)
    size = query(folder / NAME, "SELECT sum(size) FROM entries")[0][0]
    documents = query(folder / NAME, "SELECT sum(length(data)) FROM documents")[0][0]
    bound = size + documents - 1

    with Store(folder, bound, pytest.fail) as store:
        store.get("page", "key0")
        store.get_many("page", ["key1", "key2"])

    kept = {key for (key,) in query(folder / NAME, "SELECT key FROM entries")}
    left = query(folder / NAME, "SELECT sum(size) FROM entries")[0][0] + documents
    gone = 100 - len(kept)
    assert kept == {"key0", "key1", "key2"} | {f"key{number}" for number in range(3 + gone, 100)}
    assert 0.9 * bound - 25_000 < left <= 0.9 * bound
    with Store(folder, bound, pytest.fail) as store:
        assert len(store.documents("posts")) == 100


def test_the_file_gets_smaller_when_entries_go(folder):
    file = filled(folder, count=300)
    before = file.stat().st_size

    Store(folder, 2_000_000, pytest.fail).close()

    assert before > 6_000_000
    assert file.stat().st_size < 2_500_000
    assert query(file, "PRAGMA integrity_check") == [("ok",)]


def test_an_entry_that_was_last_used_long_ago_is_noted_as_used_today(folder):
    file = filled(folder, count=3)
    query(file, "UPDATE entries SET used = 5")

    with Store(folder, LARGE, pytest.fail) as store:
        store.get("page", "key1")

    assert query(file, "SELECT key FROM entries WHERE used > 5") == [("key1",)]


def test_an_entry_above_the_bound_serves_its_own_build_only(folder):
    with Store(folder, 100_000, pytest.fail) as store:
        store.put("page", "small", b"small")
        store.put("page", "large", bytes(100_001))
        assert store.get("page", "large") == bytes(100_001)

    with Store(folder, 100_000, pytest.fail) as store:
        assert (store.get("page", "small"), store.get("page", "large")) == (b"small", None)


# A look from outside.


def test_a_look_at_a_store_that_is_not_there_makes_nothing(folder):
    assert peek(folder, "posts", "a") is None
    assert not folder.exists()

    folder.mkdir()
    assert peek(folder, "posts", "a") is None
    assert os.listdir(folder) == []


def test_a_look_at_a_store_reads_one_document_and_changes_nothing(folder):
    filled(folder)
    before = (folder / NAME).stat().st_mtime_ns

    found = peek(folder, "posts", "post3"), peek(folder, "posts", "none")

    assert found == (payload(3, 700), None)
    assert os.listdir(folder) == [NAME]
    assert (folder / NAME).stat().st_mtime_ns == before


def test_a_look_while_a_build_is_at_work_sees_what_it_has_set(folder):
    filled(folder)

    with Store(folder, LARGE, pytest.fail) as store:
        store.set_documents("posts", {"post3": b"new"})
        found = peek(folder, "posts", "post3")

    assert found == b"new"


@pytest.mark.parametrize(
    "damage", [cut_in_half, replace_by_text, empty, replace_by_a_folder, garble_the_table_of_tables]
)
def test_a_look_at_a_damaged_store_finds_nothing_or_what_was_kept(folder, damage):
    damage(filled(folder))

    assert peek(folder, "posts", "post3") in (None, payload(3, 700))


def test_cleaning_removes_the_store_and_nothing_else(folder):
    filled(folder)
    (folder / "notes.txt").write_text("mine")

    clean(folder)
    assert os.listdir(folder) == ["notes.txt"]

    (folder / "notes.txt").unlink()
    clean(folder)
    assert not folder.exists()

    clean(folder)


def test_opening_the_store_imports_nothing_beyond_the_standard_library():
    process = child("print(*{name.split('.')[0] for name in sys.modules})")

    modules = set(process.communicate(timeout=120)[0].split())

    assert "sqlite3" in modules
    assert modules & {"pydantic", "numpy", "click", "yaml", "jinja2", "matplotlib", "rich", "markdown"} == set()


def test_a_copy_of_the_process_reads_what_was_stored_and_writes_nothing(folder):
    with Store(folder, LARGE, pytest.fail) as store:
        store.put("page", "before", b"1")
        if not (process := store.fork()):
            found = store.get("page", "before")
            store.put("page", "in the copy", b"2")
            store.close()
            os._exit(0 if found == b"1" else 1)
        assert os.waitpid(process, 0)[1] == 0
        store.put("page", "after", b"3")

    with Store(folder, LARGE, pytest.fail) as store:
        assert store.get_many("page", ["before", "in the copy", "after"]) == {"before": b"1", "after": b"3"}
