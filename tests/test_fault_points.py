"""Every change to the disk fails in turn, or is the last of its process: no site is broken, and none is misdescribed.

The points of a build are counted through storage/disk.py. Every day a sample of them is tried, with --deep all.
"""

import errno
import gc
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from site_builder.cli.main import main
from site_builder.errors import WRITTEN
from site_builder.storage.disk import STAGING
from site_builder.storage.sqlite_file import NAME
from tests.conftest import CONFIG
from tests.support.faults import CTRL_C, Died, fault, snapshot
from tests.support.published import POST
from tests.support.sites import PLAIN, write_theme

pytestmark = pytest.mark.usefixtures("builds")

BUILD = ("build", "--no-search", "--jobs", "1")
PUBLISH = ("publish", "--yes", "--jobs", "1")
FOREIGN = {"mine.txt": b"mine", "posts/mine/photo.jpg": b"photo"}
PART = "a part of the site"
WAYS = {
    "no space once": (errno.ENOSPC, False),
    "no permission once": (errno.EACCES, False),
    "disk error once": (errno.EIO, False),
    "disk error from then on": (errno.EIO, True),
    "death": (None, False),
    "Ctrl-C": (CTRL_C, False),
}


class Blog:
    """A project of three posts, with files of others in the two folders that it writes: built, and published."""

    def __init__(self, root: Path) -> None:
        self.root = root / "blog"
        self.outside = root / "outside"
        self.targets = {"build": self.root / "_site", "publish": self.root / "public"}
        for name in "abc":
            self.write(name)
        (self.root / "config.yaml").write_text(f"{CONFIG}publish: {{folder: public}}\n")
        write_theme(self.root, PLAIN)
        self.outside.mkdir()
        (self.outside / "letter.txt").write_text("mine")
        for target in self.targets.values():
            for path, data in FOREIGN.items():
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                (target / path).write_bytes(data)
            (target / "theirs").symlink_to(self.outside)

    def write(self, name, text=""):
        file = self.root / f"content/posts/{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(POST.format(text or name))

    def remove(self, name):
        (self.root / f"content/posts/{name}.md").unlink()

    def forget(self):
        """Remove the site and the cache, but for what is known of the builder's own code."""
        for path in snapshot(self.targets["build"]).keys() - FOREIGN.keys() - {"theirs"}:
            (self.targets["build"] / path).unlink()
        with closing(sqlite3.connect(self.root / ".store" / NAME)) as store, store:
            store.execute("DELETE FROM entries WHERE kind NOT IN ('code', 'references')")
            store.execute("DELETE FROM documents WHERE family != 'codes'")


@dataclass(frozen=True)
class Scenario:
    """A command after an edit, and what undoes the edit."""

    words: tuple[str, ...]
    edit: Callable[[Blog], None]
    undo: Callable[[Blog], None]


def several(blog):
    blog.write("a", "changed")
    blog.remove("b")
    blog.write("d")


def undo_several(blog):
    blog.write("a")
    blog.write("b")
    blog.remove("d")


SCENARIOS = {
    "cold": Scenario(BUILD, Blog.forget, lambda blog: None),
    "edit": Scenario(BUILD, lambda blog: blog.write("a", "changed"), lambda blog: blog.write("a")),
    "removal": Scenario(BUILD, lambda blog: blog.remove("a"), lambda blog: blog.write("a")),
    "publish": Scenario(PUBLISH, several, undo_several),
}


@pytest.fixture(autouse=True)
def collected(monkeypatch):
    """Builds of this process leave its garbage collector as it was."""
    for name in ("freeze", "set_threshold"):
        monkeypatch.setattr(gc, name, lambda *numbers: None)


@pytest.fixture(scope="module")
def blog(tmp_path_factory):
    blog = Blog(tmp_path_factory.mktemp("faults"))
    for words in (BUILD, PUBLISH, BUILD):
        assert main(blog.root, words) == 0
    return blog


def files(folder):
    """What the builder wrote into a folder, beside the files of others."""
    found = snapshot(folder)
    del found["theirs"]
    assert {path: found.pop(path) for path in FOREIGN} == FOREIGN
    return found


@pytest.fixture(scope="module")
def clean(blog, tmp_path_factory):
    """For each scenario what its command makes where nothing was before, and how many changes it makes here."""
    found = {}
    for name, scenario in SCENARIOS.items():
        other = Blog(tmp_path_factory.mktemp("clean"))
        shutil.copytree(blog.root / ".store", other.root / ".store")
        other.forget()
        scenario.edit(other)
        scenario.edit(blog)
        with fault(0) as changes:
            assert main(blog.root, scenario.words) == 0
        assert main(other.root, scenario.words) == 0
        scenario.undo(blog)
        assert main(blog.root, scenario.words) == 0
        found[name] = files(other.targets[scenario.words[0]]), len(changes)
    return found


def is_true(status, said, now, old, new):
    """Whether what a command said of a folder that held `old` is so."""
    now = {path: data for path, data in now.items() if not path.startswith(STAGING)}
    if status == 0 or WRITTEN in said:
        return now == new
    if PART in said or "a part of it may have arrived" in said:
        lists = (".puzzlepress.json", ".puzzlepress-published.json")
        return all(data in (old.get(path), new.get(path)) for path, data in now.items() if path not in lists)
    return now == old and ("the site is as it was" in said or "nothing was " in said)


# Every day all kinds of faults in an edited site, and in the others those that a build ends with in different ways.
EVERY_DAY = ("no space once", "death", "Ctrl-C")
CASES = [
    pytest.param(name, way, marks=[] if name == "edit" or way in EVERY_DAY else pytest.mark.deep)
    for name in SCENARIOS
    for way in WAYS
]


@pytest.mark.parametrize("each", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["a few", "all"])
@pytest.mark.parametrize(("name", "way"), CASES)
def test_a_site_is_whole_or_said_not_to_be_after_a_fault_and_right_after_the_next_build(
    blog, clean, capsys, name, way, each
):
    scenario, (new, points), (number, lasts) = SCENARIOS[name], clean[name], WAYS[way]
    folder, outside = blog.targets[scenario.words[0]], snapshot(blog.outside)
    at, step = (0, 1) if each else (points * list(WAYS).index(way) // (2 * len(WAYS)), points // 2)
    while True:
        at += step
        scenario.edit(blog)
        texts, old = snapshot(blog.root / "content"), files(folder)
        capsys.readouterr()
        status = None
        with fault(at, number, lasts) as changes, suppress(Died):
            status = main(blog.root, scenario.words)
        said, now = capsys.readouterr().err, files(folder)

        assert status is None or is_true(status, said, now, old, new), (at, changes[at - 1 :][:1], said)
        assert main(blog.root, scenario.words) == 0
        assert files(folder) == new, (at, changes[at - 1 :][:1])
        assert (snapshot(blog.outside), snapshot(blog.root / "content")) == (outside, texts)
        scenario.undo(blog)
        assert main(blog.root, scenario.words) == 0
        if len(changes) < at:  # nothing was left to fail
            break
