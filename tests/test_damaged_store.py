"""Whatever became of the store, a build gives the same site, and says at most one line about it."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.everything import EDITS, PLAIN_POST, Edit, everything

pytestmark = pytest.mark.usefixtures("builds")

POST, SHELL = EDITS["prose"], EDITS["the shell of all pages"]
STAGES = ("Solving", "Writing", "Drawing", "Proving", "Indexing", "Saving")

# All that a build keeps; the test below finds out when one is missing here.
KINDS = (
    *("body", "bundle", "bundled", "card", "carded", "checks", "code", "description", "drawing", "drawn"),
    *(
        "evidence",
        "figure",
        "figures",
        "granted",
        "ingredients",
        "order",
        "page",
        "reads",
        "references",
        "result",
        "row",
    ),
    *("search", "searched", "small", "text"),
)
FAMILIES = ("briefs", "codes", "files", "lineage", "made", "pages", "standing")


class Worn:
    """A project that is built again and again, with two edits made and undone, and a store that fares badly."""

    def __init__(self, project, sites):
        self.project = project
        self.sites = sites
        self.edited = frozenset()

    @property
    def store(self):
        return self.project.root / ".store" / "puzzlepress.sqlite"

    def rows(self, query):
        with closing(sqlite3.connect(self.store)) as connection:
            return connection.execute(query).fetchall()

    def change(self, statement, *values):
        """Run a statement of SQL on the store; how many rows it changed."""
        with closing(sqlite3.connect(self.store)) as connection:
            done = connection.execute(statement, values)
            connection.commit()
        return done.rowcount

    def turn(self, edit):
        """Make an edit, or undo it if it is made."""
        file = self.project.root / edit.path
        old, new = (edit.new, edit.old) if edit in self.edited else (edit.old, edit.new)
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")
        self.edited ^= {edit}

    def build(self):
        """Build, and see that the site is right and that little was said; what was said beyond the stages."""
        ran = self.project.build(status=None)
        assert ran.status == 0, ran.err
        found, expected = self.project.files(), self.sites[self.edited]
        assert sorted(path for path in found.keys() | expected.keys() if found.get(path) != expected.get(path)) == []
        said = [line for line in ran.err.splitlines() if not line.startswith(STAGES)]
        assert len(said) <= 1, ran.err
        return "".join(said)


@pytest.fixture(scope="module")
def sites(clean, tmp_path_factory):
    """What must come of the project with each choice of edits, from builds without any store."""
    found = {frozenset(): clean.files()}
    for edits in ({POST}, {SHELL}, {POST, SHELL}):
        project = everything(tmp_path_factory.mktemp("clean"))
        for edit in edits:
            edit.make(project)
        project.build()
        found[frozenset(edits)] = project.files()
    return found


@pytest.fixture(scope="module")
def worn(clean, sites, tmp_path_factory):
    return Worn(clean.copy_to(tmp_path_factory.mktemp("worn") / "project"), sites)


def rebuilt_twice(worn, damage):
    """Damage the store before each of two builds; what these said.

    The first one needs little of it, after the edit of a post; the second all, with every page new and no output left.
    """
    assert damage() > 0
    worn.turn(POST)
    first = worn.build()
    damage()
    worn.turn(SHELL)
    shutil.rmtree(worn.project.root / "_site")
    return first, worn.build()


def test_every_kind_of_what_is_kept_is_lost_in_turn_below(worn):
    assert sorted(worn.rows("SELECT DISTINCT kind FROM entries")) == [(kind,) for kind in sorted(KINDS)]
    assert sorted(worn.rows("SELECT DISTINCT family FROM documents")) == [(family,) for family in sorted(FAMILIES)]


@pytest.mark.parametrize("kind", KINDS)
def test_all_entries_of_a_kind_lost(worn, kind):
    assert rebuilt_twice(worn, lambda: worn.change("DELETE FROM entries WHERE kind = ?", kind)) == ("", "")


@pytest.mark.parametrize("family", FAMILIES)
def test_all_documents_of_a_family_lost(worn, family):
    assert rebuilt_twice(worn, lambda: worn.change("DELETE FROM documents WHERE family = ?", family)) == ("", "")


def test_what_a_page_is_made_of_lost_while_every_page_is_new(worn):
    worn.turn(SHELL)
    worn.change("DELETE FROM entries WHERE kind IN ('body', 'bundled', 'drawn', 'drawing', 'evidence', 'figure')")

    assert worn.build() == ""


def test_bodies_lost_while_several_processes_make_pages(tmp_path):
    project = everything(tmp_path / "project")
    for number in range(200):  # two hundred pages and more are made by several processes
        text = PLAIN_POST.format(number=1).replace("Plain 1", f"More {number}")
        project.write(f"content/posts/more-{number}.md", text)
    SHELL.make(project)
    project.build("--jobs", "1")
    after = frozenset({SHELL})
    worn = Worn(project, {after: project.files()})
    Edit(SHELL.path, SHELL.new, SHELL.old).make(project)
    project.build()
    worn.change("DELETE FROM entries WHERE kind = 'body' AND rowid % 3 = 0")
    worn.turn(SHELL)

    assert worn.build() == ""


# Damage to the file


def flip(data, place):
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def flip_a_byte_of_each_entry(worn):
    with closing(sqlite3.connect(worn.store)) as connection:
        for row, data in connection.execute("SELECT rowid, data FROM entries").fetchall():
            connection.execute("UPDATE entries SET data = ? WHERE rowid = ?", (flip(data, len(data) // 2), row))
        connection.commit()


def flip_a_byte_of_each_document(worn):
    with closing(sqlite3.connect(worn.store)) as connection:
        for family, name, data in connection.execute("SELECT family, name, data FROM documents").fetchall():
            where = (flip(data, len(data) // 2), family, name)
            connection.execute("UPDATE documents SET data = ? WHERE family = ? AND name = ?", where)
        connection.commit()


def swap_entries(worn):
    """Each kind's entries under each other's keys, checksums and all."""
    with closing(sqlite3.connect(worn.store)) as connection:
        for (kind,) in connection.execute("SELECT DISTINCT kind FROM entries").fetchall():
            found = connection.execute("SELECT rowid, checksum, data FROM entries WHERE kind = ?", (kind,)).fetchall()
            for (row, _, _), (_, checksum, data) in zip(found, found[1:] + found[:1], strict=True):
                where = (checksum, data, row)
                connection.execute("UPDATE entries SET checksum = ?, data = ? WHERE rowid = ?", where)
        connection.commit()


def flip_bytes_all_over(worn):
    data = bytearray(worn.store.read_bytes())
    for place in range(20_000, len(data), 49_999):
        data[place] ^= 255
    worn.store.write_bytes(data)


def cut_in_half(worn):
    data = worn.store.read_bytes()
    worn.store.write_bytes(data[: len(data) // 2 - 100])


def of_another_format(worn):
    worn.change("PRAGMA user_version = 99")


def foreign(worn):
    worn.store.unlink()
    worn.change("CREATE TABLE entries (name TEXT, data BLOB)")


def a_folder_in_its_place(worn):
    worn.store.unlink()
    worn.store.mkdir()
    (worn.store / "letter.txt").write_text("Somebody's.", "utf-8")


DAMAGES = {
    "a byte of each entry flipped": flip_a_byte_of_each_entry,
    "a byte of each document flipped": flip_a_byte_of_each_document,
    "entries under each other's keys": swap_entries,
    "bytes flipped all over the file": flip_bytes_all_over,
    "cut in half": cut_in_half,
    "replaced by text": lambda worn: worn.store.write_text("Dear diary,\n" * 1000, "utf-8"),
    "emptied": lambda worn: worn.store.write_bytes(b""),
    "another format": of_another_format,
    "a foreign database": foreign,
    "a folder in its place": a_folder_in_its_place,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_store_costs_one_line_and_is_made_whole(worn, damage):
    damage(worn)
    worn.turn(SHELL)
    first = worn.build()
    worn.turn(POST)

    second = worn.build()

    assert first == "the store .store/puzzlepress.sqlite was damaged; what was lost is computed again"
    assert second in ("", first)  # again where the second build needs something damaged that the first one did not
    assert worn.rows("PRAGMA integrity_check") == [("ok",)]


def test_a_log_that_is_not_the_stores_own_is_not_believed(worn):
    log = worn.store.with_name(f"{worn.store.name}-wal")
    log.write_bytes(b"\x37\x7f\x06\x82" + bytes(9_000))
    worn.turn(POST)

    assert worn.build() == ""


def test_where_no_store_can_be_kept_the_site_is_the_same(worn):
    kept = worn.project.root / ".store"
    moved = kept.rename(worn.project.root / "moved-store")
    kept.write_text("A file where the folder belongs.", "utf-8")
    worn.turn(SHELL)
    try:
        said = worn.build()
    finally:
        kept.unlink()
        moved.rename(kept)

    assert said.startswith("the store .store/puzzlepress.sqlite cannot be written")
