"""What builds notice, between one and the next and while they run: nothing stale is left, nothing is done twice."""

import os
import random
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import ROOT, RUIN, Project
from tests.everything import EDITS, Edit, one_of_each, own_templates
from tests.processes import BEGUN, WAITING, let_go, processes_left_in, wait_until_begun

pytestmark = pytest.mark.usefixtures("builds")

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the processes of others in /proc")
NOTHING = "Nothing has changed"
NOTHING_ANEW = "0 texts, 0 solutions and 0 figures of them anew"
PLAIN = "---\ntitle: {title}\ndate: 2026-02-01\n---\n{text}\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A small site that the tests below go on building; each of them changes files of its own."""
    root = tmp_path_factory.mktemp("site") / "project"
    root.mkdir()
    project = Project(root)
    own_templates(project)
    shown = "{{ figure(results.fair.figures.chance) }}\n"
    project.post("It is {{ results.fair.half | fraction }}.\n\n" + shown)
    for name in ("edited", "touched", "removed", "renamed", "linked"):
        project.write(f"content/posts/{name}.md", PLAIN.format(title=name, text="Old words."))
    project.write("content/files/download.txt", "A download.")
    project.build()
    return project


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What comes of the project that has one of each kind."""
    project = one_of_each(tmp_path_factory.mktemp("expected") / "project")
    project.build()
    return project.files()


def differing(found, expected):
    return sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))


def settle(project):
    """Build until nothing is left to be done, and see that this is soon."""
    project.build()
    assert project.build().out.startswith(NOTHING)


def alter(file, old, new):
    """Change a file without a change of its size, and set its time back."""
    before = file.stat()
    text = file.read_text("utf-8")
    assert old in text
    assert len(old) == len(new)
    file.write_text(text.replace(old, new), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


# The output


def append(file):
    with file.open("ab") as opened:
        opened.write(b"more")


def alter_bytes(file):
    """Change a file, but not its size."""
    file.write_bytes(file.read_bytes()[:-1] + b"?")


def put_a_folder_there(file):
    file.unlink()
    file.mkdir()


DAMAGES = {
    "deleted": Path.unlink,
    "emptied": lambda file: file.write_bytes(b""),
    "appended to": append,
    "altered": alter_bytes,
    "made folders": put_a_folder_there,
}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(damage, id=name, marks=[] if name in ("deleted", "altered") else pytest.mark.deep)
        for name, damage in DAMAGES.items()
    ],
)
def test_output_files_are_restored_and_nothing_is_made_anew(site, damage):
    settle(site)
    before = site.files()
    ends = ("posts/edited/index.html", "feed.xml", "robots.txt", "download.txt", ".png", ".css")
    ends += ("posts/ruin/provenance.json",)
    for end in ends:
        damage(site.root / "_site" / next(name for name in before if name.endswith(end)))

    ran = site.build()

    assert NOTHING_ANEW in ran.out
    assert f"{len(ends)} files written" in ran.out
    assert differing(site.files(), before) == []


def test_the_record_of_the_output_is_restored(site):
    settle(site)
    before = site.files()
    (site.root / "_site" / ".puzzlepress.json").unlink()

    site.build()

    assert differing(site.files(), before) == []


# The sources


def test_a_change_that_keeps_size_and_time_is_noticed(site):
    settle(site)
    alter(site.root / "content/posts/edited.md", "Old words.", "New words.")

    site.build()

    assert "New words." in site.page("posts/edited/index.html")


def test_a_change_right_after_a_build_is_noticed(site):
    file = site.write("content/posts/quick.md", PLAIN.format(title="Quick", text="0000"))
    for number in range(1, 5):
        site.build()
        alter(file, f"{number - 1:04d}", f"{number:04d}")

    site.build()

    assert "0004" in site.page("posts/quick/index.html")


def test_a_file_touched_but_not_changed_makes_nothing_anew(site):
    settle(site)
    os.utime(site.root / "content/posts/touched.md", (1, 1))
    os.utime(site.root / "solvers/gamblers_ruin.py", (1, 1))
    os.utime(site.root / "templates/base.html", (1, 1))

    ran = site.build()

    assert NOTHING_ANEW in ran.out
    assert "0 files written" in ran.out


def test_a_new_file_is_noticed(site):
    settle(site)
    site.write("content/posts/new.md", PLAIN.format(title="New", text="Here."))

    site.build()

    assert "Here." in site.page("posts/new/index.html")


def test_a_removed_and_a_renamed_file_are_noticed(site):
    settle(site)
    posts = site.root / "content/posts"
    (posts / "removed.md").unlink()
    (posts / "renamed.md").rename(posts / "another-name.md")

    site.build()

    built = site.files()
    assert "posts/another-name/index.html" in built
    assert not {"posts/removed/index.html", "posts/renamed/index.html"} & built.keys()


def test_a_file_replaced_by_a_link_is_noticed_and_so_is_a_change_behind_the_link(site):
    settle(site)
    target = site.root / "elsewhere.md"
    target.write_text(PLAIN.format(title="linked", text="By a link."), "utf-8")
    file = site.root / "content/posts/linked.md"
    file.unlink()
    file.symlink_to(target)
    site.build()
    first = site.page("posts/linked/index.html")
    alter(target, "By a link.", "Behind it.")

    site.build()

    assert "By a link." in first
    assert "Behind it." in site.page("posts/linked/index.html")


def test_a_template_that_comes_or_goes_is_noticed(site):
    including = '{% block main %}{% include "banner.txt" ignore missing %}'
    Edit("templates/404.html", "{% block main %}", including).make(site)
    settle(site)
    site.write("templates/banner.txt", "A banner.")
    site.build()
    first = site.page("404.html")
    (site.root / "templates/banner.txt").unlink()

    site.build()

    assert "A banner." in first
    assert "A banner." not in site.page("404.html")


def test_an_empty_folder_and_files_of_editors_do_not_matter(site):
    settle(site)
    (site.root / "content/posts/empty").mkdir()
    site.write("content/posts/.edited.md.swp", "An editor's.")
    site.write("content/posts/edited.md~", "An editor's.")

    assert site.build().out.startswith(NOTHING)


# The builder and its libraries


@pytest.mark.deep
def test_a_library_installed_or_removed_is_noticed(site, tmp_path):
    settle(site)
    library = tmp_path / "some_library-1.0.dist-info"
    library.mkdir()
    path = os.pathsep.join([str(ROOT), str(tmp_path)])
    assert not site.build(PYTHONPATH=path).out.startswith(NOTHING)
    assert site.build(PYTHONPATH=path).out.startswith(NOTHING)
    library.rename(tmp_path / "some_library-1.1.dist-info")

    upgraded = site.build(PYTHONPATH=path)
    removed = site.build()

    assert NOTHING_ANEW in upgraded.out
    assert NOTHING_ANEW in removed.out


def test_another_version_of_the_builder_is_noticed(tmp_path):
    builder = shutil.copytree(ROOT / "site_builder", tmp_path / "lib" / "site_builder")
    root = tmp_path / "project"
    root.mkdir()
    project = Project(root)
    project.post("It is {{ results.fair.half | fraction }}.\n")
    path = {"PYTHONPATH": str(tmp_path / "lib")}
    project.build(**path)
    assert project.build(**path).out.startswith(NOTHING)
    module = builder / "posts/texts/html_parts.py"
    old, text = "return Inline(words, unescape(words))", module.read_text("utf-8")
    assert old in text
    module.write_text(text.replace(old, old.replace("words", "words.upper()")), "utf-8")

    project.build(**path)

    assert "IT IS" in project.page("index.html")


# While a build runs

# A solver that loads a module late.
LATE = """    from solvers.common import sizes
    goal = sizes.FACTOR * goal
    ratio = (1"""


def held_project(root):
    """A project whose solver tells when it has begun, and waits until `let_go`."""
    root.mkdir()
    project = Project(root)
    own_templates(project)
    late = f"    from solvers.common import pace\n{BEGUN}{WAITING}{LATE}"
    solver = RUIN.replace("    ratio = (1", late, 1)
    project.write("solvers/gamblers_ruin.py", solver)
    project.write("solvers/common/pace.py", "")
    project.write("solvers/common/sizes.py", "FACTOR = 1\n")
    project.post("It is {{ results.fair.goal }}.\n")
    project.write("content/posts/other.md", PLAIN.format(title="Other", text="Old words."))
    project.write("content/files/download.txt", "Old download.")
    return project


@pytest.fixture
def held(tmp_path):
    return held_project(tmp_path / "project")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """What comes of it."""
    project = held_project(tmp_path_factory.mktemp("undisturbed") / "project")
    let_go(project.root)
    project.build()
    return project.files()


def wait_for(running, words):
    assert any(line.startswith(words) for line in running.stderr)


# The other kinds of files are for build/test_files_that_change.py.
CHANGES = {
    "a download": ("content/files/download.txt", "Old", "New"),
    "a module that a solver loads late": ("solvers/common/sizes.py", "= 1", "= 2"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_of_a_file_that_was_different_only_while_a_build_ran_nothing_stays(held, undisturbed, change):
    path, old, new = change
    running = held.start()
    wait_until_begun(held.root)
    Edit(path, old, new).make(held)
    let_go(held.root)
    _, said = running.communicate(timeout=120)
    Edit(path, new, old).make(held)

    held.build()

    assert running.returncode == 1
    assert f"{path}: it changed while the site was built" in said
    assert differing(held.files(), undisturbed) == []


def test_a_file_changed_while_a_build_ran_is_noticed_by_the_next(held):
    running = held.start()
    wait_until_begun(held.root)
    alter(held.root / "content/posts/other.md", "Old words", "New words")
    let_go(held.root)
    running.communicate(timeout=120)

    held.build()

    assert "New words" in held.page("posts/other/index.html")


# Two builds at once, and builds that are killed


def finish(running):
    _, said = running.communicate(timeout=120)
    assert running.returncode == 0, said


@pytest.mark.parametrize(
    "folders",
    [
        pytest.param(("_site", "_site"), id="one folder"),
        pytest.param(("one", "two"), id="two folders", marks=pytest.mark.deep),  # as with a small store, below
    ],
)
def test_two_builds_at_once_give_the_same_site(tmp_path, expected, folders):
    project = one_of_each(tmp_path / "project")
    running = [project.start("--output", folder) for folder in folders]

    for one in running:
        finish(one)

    assert [differing(project.files(folder), expected) for folder in folders] == [[], []]
    assert [project.build("--output", folder).out.startswith(NOTHING) for folder in folders] == [True, True]


@pytest.mark.deep
def test_builds_at_once_that_take_from_a_small_store_what_the_others_need(clean, tmp_path):
    project = clean.copy_to(tmp_path / "project")
    Edit("config.yaml", "title:", "store: {max_size: 1 MiB}\ntitle:").make(project)  # the site needs more
    EDITS["the shell of all pages"].make(project)

    running = [project.start("--output", folder) for folder in ("one", "two")]
    for one in running:
        finish(one)

    assert differing(project.files("one"), project.files("two")) == []


def kill(project, stage, seconds, folder):
    """Begin a build and kill it so long after it has told the stage; afterwards none of its processes is left."""
    running = project.start("--output", folder)
    wait_for(running, stage)
    time.sleep(seconds)
    with suppress(ProcessLookupError):  # it has just ended
        os.kill(running.pid, signal.SIGKILL)
    running.communicate(timeout=120)
    assert processes_left_in(project.root) == []


@linux
@pytest.mark.parametrize("kills", [1, pytest.param(3, marks=pytest.mark.deep)])
def test_builds_killed_at_any_moment_leave_nothing_behind_and_the_next_one_gives_the_site(tmp_path, expected, kills):
    project = one_of_each(tmp_path / "project")
    chance = random.Random(7)
    for stage in ("Solving", "Writing", "Drawing", "Indexing", "Saving"):
        for longest in [1 / 4, 1 / 8, 1 / 2][:kills]:
            if kills > 1:  # what the killed build has kept may be all of a stage
                project.forget()
            folder = "_site" if stage == "Saving" else "first"  # what one has saved, the next has not to save again
            share = 1 / 8 if stage == "Saving" else 1  # which takes least
            kill(project, stage, chance.random() * longest * share, folder)

    project.build()
    project.build("--output", "elsewhere")  # has something to do, whenever the last one was killed

    assert [differing(project.files(folder), expected) for folder in ("_site", "elsewhere")] == [[], []]
    assert os.listdir(project.root / ".store") == ["puzzlepress.sqlite"]
    assert project.build().out.startswith(NOTHING)
