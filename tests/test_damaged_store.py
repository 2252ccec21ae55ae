"""Whatever became of the store, a build gives the same site, and says at most one line about it."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass

import pytest

from site_builder.errors import SiteError
from site_builder.pipeline.build import open_sources, with_site
from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.steps.context import Report
from site_builder.storage.store import MissingEntryError
from tests.conftest import CONFIG
from tests.everything import EDITS, SHORT_POST, Edit, everything, one_of_each

pytestmark = pytest.mark.usefixtures("builds")

STAGES = ("Solving", "Writing", "Drawing", "Indexing", "Saving")

# All that a build keeps; the test below finds out when one is missing here.
KINDS = (
    *("body", "card", "checks", "drawing", "drawn", "evidence", "figure", "figures"),
    *("module", "outcomes", "related", "reply", "result", "row", "text"),
)
FAMILIES = (
    *("code inputs", "inputs of tasks", "last build", "last build, short"),
    *("page inputs", "reads", "summaries"),
)


@dataclass(frozen=True)
class Subject:
    """A project, how to write it into a folder, and two edits: of one post, and of the shell of all pages."""

    write: object
    post: Edit
    shell: Edit


SHELL = EDITS["the shell of all pages"]
SUBJECTS = {
    "small": Subject(one_of_each, Edit("content/posts/plain-2.md", "Strong", "Bold"), SHELL),
    "everything": Subject(everything, EDITS["prose"], SHELL),
}


class Worn:
    """A project that is built again and again, with two edits made and undone, and a store that fares badly."""

    def __init__(self, project, subject, sites):
        self.project = project
        self.subject = subject
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

    def turn_post(self):
        self._turn(self.subject.post)

    def turn_shell(self):
        self._turn(self.subject.shell)

    def _turn(self, edit):
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


@pytest.fixture(scope="module", params=["small", pytest.param("everything", marks=pytest.mark.deep)])
def worn(request, tmp_path_factory):
    """The project, and what must come of it with each choice of edits, from builds that had a sound store.

    That these give what a build without any store gives is for test_sameness.py.
    """
    subject = SUBJECTS[request.param]
    project = subject.write(tmp_path_factory.mktemp("worn") / "project")
    project.build()
    worn = Worn(project, subject, {frozenset(): project.files()})
    for turn in (worn.turn_post, worn.turn_shell, worn.turn_post):
        turn()
        project.build()
        worn.sites[worn.edited] = project.files()
    worn.turn_shell()
    worn.build()
    assert len({tuple(site.items()) for site in worn.sites.values()}) == 4
    return worn


def rebuilt_twice(worn, damage):
    """Damage the store before each of two builds; what these said.

    The first one needs little of it, after the edit of a post; the second all, with every page new and no output left.
    """
    assert damage() > 0
    worn.turn_post()
    first = worn.build()
    damage()
    worn.turn_shell()
    shutil.rmtree(worn.project.root / "_site")
    return first, worn.build()


def test_every_kind_of_what_is_kept_is_lost_in_turn_below(worn):
    assert sorted(worn.rows("SELECT DISTINCT kind FROM entries")) == [(kind,) for kind in sorted(KINDS)]
    assert sorted(worn.rows("SELECT DISTINCT family FROM documents")) == [(family,) for family in sorted(FAMILIES)]


# Every day those without which pages or numbers would be wrong if a build took another entry for them.
EVERY_DAY = ("body", "checks", "outcomes", "module", "drawing", "result", "code inputs", "last build")


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind in EVERY_DAY else pytest.mark.deep) for kind in KINDS]
)
def test_all_entries_of_a_kind_lost(worn, kind):
    assert rebuilt_twice(worn, lambda: worn.change("DELETE FROM entries WHERE kind = ?", kind)) == ("", "")


@pytest.mark.parametrize(
    "family", [pytest.param(family, marks=[] if family in EVERY_DAY else pytest.mark.deep) for family in FAMILIES]
)
def test_all_documents_of_a_family_lost(worn, family):
    assert rebuilt_twice(worn, lambda: worn.change("DELETE FROM documents WHERE family = ?", family)) == ("", "")


def test_what_a_page_is_made_of_lost_while_every_page_is_new(worn):
    worn.turn_shell()
    worn.change("DELETE FROM entries WHERE kind IN ('body', 'file', 'drawn', 'drawing', 'evidence', 'figure')")

    assert worn.build() == ""


@pytest.mark.deep
def test_bodies_lost_while_several_processes_make_pages(tmp_path):
    project = one_of_each(tmp_path / "project")
    for number in range(200):  # two hundred pages and more are made by several processes
        project.write(f"content/posts/more-{number}.md", SHORT_POST.format(number=f"more {number}"))
    SHELL.make(project)
    project.build("--jobs", "1")
    worn = Worn(project, SUBJECTS["small"], {frozenset({SHELL}): project.files()})
    Edit(SHELL.path, SHELL.new, SHELL.old).make(project)
    project.build()
    worn.change("DELETE FROM entries WHERE kind = 'body' AND rowid % 3 = 0")
    worn.turn_shell()

    assert worn.build() == ""


def test_a_build_whose_entries_are_always_gone_says_how_to_keep_more(tmp_path):
    (tmp_path / "config.yaml").write_text(CONFIG)
    (tmp_path / "content/posts").mkdir(parents=True)
    options, tries = BuildOptions(tmp_path, search=False), []

    def use(built):
        tries.append(built)
        raise MissingEntryError

    with open_sources(options, pytest.fail) as (sources, store), pytest.raises(SiteError) as raised:
        with_site(options, sources, store, Report(), use, pytest.fail)

    assert str(raised.value) == (
        ".store: entries that were needed are gone: the cache is too small, or another build removed them\n"
        "    mend: build again, or allow more with store: {max_size: 4 GiB} in config.yaml"
    )
    assert len(tries) == 3


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
}
# All of the store is lost as well; that each is a miss with one warning is for storage/test_store.py.
AS_LOST = {
    "cut in half": cut_in_half,
    "a folder in its place": a_folder_in_its_place,
    "replaced by text": lambda worn: worn.store.write_text("Dear diary,\n" * 1000, "utf-8"),
    "emptied": lambda worn: worn.store.write_bytes(b""),
    "another format": of_another_format,
    "a foreign database": foreign,
}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(damage, id=name, marks=[] if "all over" in name or "keys" in name else pytest.mark.deep)
        for name, damage in DAMAGES.items()
    ]
    + [pytest.param(damage, id=name, marks=pytest.mark.deep) for name, damage in AS_LOST.items()],
)
def test_a_damaged_store_costs_one_line_and_is_made_whole(worn, damage):
    damage(worn)
    worn.turn_shell()
    first = worn.build()
    worn.turn_post()

    second = worn.build()

    assert first == "the cache .store/puzzlepress.sqlite was damaged; what was lost is computed again"
    assert second in ("", first)  # again where the second build needs something damaged that the first one did not
    assert worn.rows("PRAGMA integrity_check") == [("ok",)]


def test_a_log_that_is_not_the_stores_own_is_not_believed(worn):
    log = worn.store.with_name(f"{worn.store.name}-wal")
    log.write_bytes(b"\x37\x7f\x06\x82" + bytes(9_000))
    worn.turn_post()

    assert worn.build() == ""
