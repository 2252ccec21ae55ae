"""Builds that are killed, or that find the disk full: every file is whole, and the next build makes the same site."""

import json
import os
import re
import shutil
import subprocess
from contextlib import contextmanager

import pytest

from site_builder.cli.main import main
from tests.conftest import CONFIG
from tests.support.faults import is_killed, snapshot, watched
from tests.support.published import POST
from tests.support.sites import PLAIN, write_theme

pytestmark = pytest.mark.usefixtures("builds")

BUILD = ("build", "--no-search", "--jobs", "1")
PUBLISH = ("publish", "--yes", "--jobs", "1")
FOREIGN = {"mine.txt": b"mine", "posts/mine/photo.jpg": b"photo"}
MANIFEST = ".puzzlepress.json"
MOMENTS = 20
REFUSED = (
    "_site/.puzzlepress.json: a build into this folder was cut short, or still runs: "
    "a part of the site may be new, the rest old\n"
    "    mend: build the site, which compares every file and completes it; then publish again\n"
    "1 error; nothing was published.\n"
)


class Blog:
    """A project in one of two states, and its site among files of others.

    Between the two a post and some files are changed, others removed, and others new.
    """

    def __init__(self, root):
        self.root = root
        self.site = root / "_site"
        self.edit(0)
        (root / "config.yaml").write_text(f"{CONFIG}publish: {{folder: target}}\n")
        write_theme(root, PLAIN)
        for path, data in FOREIGN.items():
            (self.site / path).parent.mkdir(parents=True, exist_ok=True)
            (self.site / path).write_bytes(data)

    def edit(self, state):
        """Write the posts and files of this state."""
        shutil.rmtree(self.root / "content", ignore_errors=True)
        texts = {f"posts/{name}.md": POST.format(name) for name in ("b", "c" if state else "d")}
        texts["posts/a.md"] = POST.format(f"state {state}") + f"[Data](/files/{state}/0/data.txt)"
        texts["data.txt"] = f"data of state {state}"
        texts |= {f"files/{state}/{number}/data.txt": "data" for number in range(6)}
        for name, text in texts.items():
            file = self.root / "content" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def build(self):
        return main(self.root, BUILD)

    def files(self):
        """The site, of which the files of others are left out."""
        found = snapshot(self.site)
        assert {path: found.pop(path) for path in FOREIGN} == FOREIGN
        return found


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """The site of each state, built where nothing was before."""

    def build(state):
        blog = Blog(tmp_path_factory.mktemp("clean") / "blog")
        blog.edit(state)
        assert blog.build() == 0
        return blog.files()

    return build(0), build(1)


@pytest.fixture
def blog(tmp_path):
    return Blog(tmp_path / "blog")


def are_whole(files, *sites):
    """Return whether each file, but for the manifest and what is staged, is that of one of these sites."""
    staged = {path for path in files if path.startswith(".puzzlepress-new/")}
    return all(files[path] in [site.get(path) for site in sites] for path in files.keys() - staged - {MANIFEST})


def named_files(files):
    """The files that the pages name."""
    pages = (data.decode() for path, data in files.items() if path.endswith(".html"))
    return {name for text in pages for name in re.findall(r'href="[^"]*(files/[^"]+)"', text)}


def moments(number):
    """Numbers of changes, spread over all changes of a build."""
    return sorted({1 + number * each // MOMENTS for each in range(MOMENTS)})


def test_a_build_killed_at_20_moments_is_refused_by_publish_and_completed_by_the_next(blog, clean, capfd):
    target, states = blog.root / "target", []
    assert blog.build() == 0
    blog.edit(1)
    with watched(blog.site) as changes:
        assert blog.build() == 0
    for number, at in enumerate(moments(len(changes))):
        state = number % 2
        blog.edit(state)

        assert is_killed(blog.site, at, blog.build)

        files = blog.files()
        assert are_whole(files, *clean), at
        assert named_files(files) <= files.keys(), at
        if "unfinished" in json.loads(files[MANIFEST]):
            capfd.readouterr()
            assert main(blog.root, PUBLISH) == 1
            assert capfd.readouterr().err == REFUSED
            assert not target.exists()
            states.append("unfinished")
        else:
            states.append("old" if are_whole(files, clean[1 - state]) else "new")
            assert are_whole(files, clean[state] if states[-1] == "new" else clean[1 - state])
        assert blog.build() == 0
        assert blog.files() == clean[state], at
    assert [named_files(site) for site in clean] == [{"files/0/0/data.txt"}, {"files/1/0/data.txt"}]
    assert len(states) == MOMENTS
    assert states == sorted(states, key=["old", "unfinished", "new"].index)
    assert states.count("unfinished") >= MOMENTS / 2
    assert main(blog.root, PUBLISH) == 0
    assert clean[1].keys() - {MANIFEST} <= snapshot(target).keys()


@pytest.mark.deep
def test_a_build_into_an_empty_folder_killed_at_20_moments_is_completed_by_the_next(blog, clean):
    assert blog.build() == 0
    assert main(blog.root, ["clean"]) == 0
    with watched(blog.site) as changes:
        assert blog.build() == 0
    for at in moments(len(changes)):
        assert main(blog.root, ["clean"]) == 0
        assert blog.files() == {}

        assert is_killed(blog.site, at, blog.build)

        assert are_whole(blog.files(), clean[0]), at
        assert blog.build() == 0
        assert blog.files() == clean[0], at


@contextmanager
def small_disk(folder):
    """Put a file system of a few megabytes in place of the folder, which root alone may do.

    Gives a function that allows it so many more files, folders and pages of memory than there are.
    """
    kept = shutil.move(folder, folder.with_suffix(".kept"))
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], check=False)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)

        def allow(files, pages=1000):
            used = os.statvfs(folder)
            inodes, blocks = used.f_files - used.f_ffree + files, used.f_blocks - used.f_bfree + pages
            options = f"remount,nr_inodes={inodes},size={blocks * used.f_frsize}"
            subprocess.run(["mount", "-o", options, folder], check=True)

        yield allow
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.needs("mount")
@pytest.mark.skipif(os.geteuid() != 0, reason="root alone may mount a file system")
def test_a_disk_that_is_full_leaves_whole_files_and_the_next_build_with_room_completes_them(blog, clean, capfd):
    told = []
    assert blog.build() == 0
    with small_disk(blog.site) as allow:
        for number, (files, pages) in enumerate([(1000, 0), (1000, 3), *((files, 1000) for files in range(0, 40, 2))]):
            state = (number + 1) % 2
            blog.edit(state)
            allow(files, pages)
            capfd.readouterr()
            if blog.build() == 0:
                break
            told.append(capfd.readouterr().err)

            assert "it cannot be written: No space left on device" in told[-1]
            assert (
                "mend: see that there is room, and that it may be written; then run the same command again" in told[-1]
            )
            found = blog.files()
            assert are_whole(found, *clean)
            assert ("a part of the site in" in told[-1]) == ("unfinished" in json.loads(found[MANIFEST]))
            assert told[-1].endswith("1 error.\n" if "a part of" in told[-1] else "1 error; the site is as it was.\n")
            allow(1000)
            assert blog.build() == 0
            assert blog.files() == clean[state]
    assert sum("a part of the site in" in each for each in told) > 0
    assert sum("the site is as it was" in each for each in told) > 5
