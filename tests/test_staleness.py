"""One edit of a blog at a time, through whole builds: what depends on it is made anew, and nothing stale is left."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from site_builder.cli.main import main
from tests.conftest import ROOT, Project
from tests.support.small_blog import PAGES, TASKS, Blog, feeds, lists, page_of

MOVES, LATTICE, PUZZLE = "solvers/common/moves.py", "solvers/common/lattice.py", "solvers/steps/puzzle.py"
PICTURING, WORDING = "solvers/steps/picturing.py", "solvers/common/wording.py"
DICE, WEIGHTS = "solvers/dice.py", "solvers/weights.py"
CORRECTION = "corrections: [{date: 2026-05-09, text: 'They weigh {{ results.all.total }}.'}]"
POSTS = ("fixed", "turned", "sweep", "square", "prose", "data", "plain")
NEXT = {"page page/2/index.html", "page page/3/index.html"}


class Edit(NamedTuple):
    """Texts to be replaced, and all that a build has to make anew then.

    changes: by file, the old and the new text; no old text for a file that is new, no new one for a file that goes.
    tasks: those that run. why: the reason for one of them. gone: tasks that are no more, pages with their files.
    """

    changes: tuple[tuple[str, str, str], ...]
    tasks: Iterable[str] = ()
    why: str = ""
    gone: Iterable[str] = ()


def edit(path: str, old: str, new: str, *tasks: str | set[str], why: str = "", gone: Iterable[str] = ()) -> Edit:
    """One text that is replaced in a file."""
    return Edit(((path, old, new),), names(*tasks), why, gone)


def names(*tasks: str | set[str]) -> set[str]:
    return set().union(*({each} if isinstance(each, str) else each for each in tasks))


def solves(*posts: str, code: bool = False) -> set[str]:
    """The tasks that compute the answers of posts. code: only those that run for another code with the same answers."""
    found = {task for task in TASKS if task.startswith(tuple(f"{post} solve" for post in posts))}
    beside = {task for task in TASKS if task.startswith(tuple(f"{post} {kind}" for post in posts for kind in BESIDE))}
    return found if code else found | beside


BESIDE = ("figures", "checks")


def draws(*posts: str) -> set[str]:
    """The tasks that draw the figures of posts."""
    return {task for task in TASKS if task.startswith(tuple(f"{post} drawing" for post in posts))}


def text(*posts: str) -> set[str]:
    """The tasks that write posts and render their own pages and feeds."""
    return {f"{post} text" for post in posts} | {page_of(post) for post in posts} | feeds(*posts)


CODE = {
    "a function two imports deep": edit(
        *(MOVES, "return one + two ", "return one + two + 1 "),
        *(
            solves("fixed", "turned"),
            draws("fixed", "turned"),
            text("fixed", "turned"),
            lists("fixed", "turned"),
        ),
        why="fixed solve fair: run, code of step in solvers/common/moves.py changed",
    ),
    "a constant two imports deep": edit(
        *(LATTICE, "FIRST = 1", "FIRST = 2"),
        *(solves("fixed", "turned"), draws("fixed", "turned"), text("fixed", "turned"), lists("fixed", "turned")),
        why="turned solve yours: run, code of FIRST in solvers/common/lattice.py changed",
    ),
    "functions that nothing uses": Edit(
        (
            (PUZZLE, "return 1\n", "return 2\n"),
            (PUZZLE, "def unused():", "VALUE = 1\n\n\ndef unused():"),
        )
    ),
    "comments, docstrings and formatting": Edit(
        (
            (LATTICE, "FIRST = 1", "# the first step\nFIRST = 1  # is one"),
            (LATTICE, '"""Counting ways."""', '"""Counting all ways."""'),
            (PUZZLE, '"""The ways up."""', '"""All ways up."""'),
            (LATTICE, "return FIRST if n < 2 else", "return FIRST if n<2 else \\\n       "),
        ),
    ),
    "a caption": edit(
        *(PICTURING, "All the ways.", "Every way."),
        *("fixed figures fair", "turned figures yours", draws("fixed", "turned"), text("fixed", "turned")),
        why="fixed figures fair: run, code of figure_ways in solvers/steps/picturing.py changed",
    ),
    "a helper of figures": edit(
        *(WORDING, "{n} steps", "{n} stairs", "fixed figures fair", "turned figures yours"),
        *(draws("fixed", "turned"), text("fixed", "turned"), lists("fixed", "turned")),
    ),
    "a refactoring with the same answers": edit(
        *(LATTICE, "step(ways(n - 1), ways(n - 2))", "step(ways(n - 2), ways(n - 1))"),
        solves("fixed", "turned", code=True),
    ),
    "a constant that is used no more": edit(
        *(PUZZLE, "MOST) for", "1000) for", solves("fixed", "turned", code=True)),
        why="fixed solve fair: run, code of solve in solvers/steps/puzzle.py changed, "
        "code of MOST in solvers/steps/puzzle.py is no longer used",
    ),
    "code of another solver": edit(
        *(DICE, "faces * rolls}", "rolls * faces}"),
        solves("sweep", "square", code=True),
        why="square solve both: 4 of 4 points run, code of solve in solvers/dice.py changed",
    ),
    "an answer": Edit(
        ((DICE, "faces * rolls}", "faces * rolls + 1}"), (DICE, "sum([faces] * rolls)", "sum([faces] * rolls, 1)")),
        names(solves("sweep", "square"), text("square"), lists("square")),
    ),
    "a solver that no post names": edit("solvers/new.py", "", "VALUE = 1\n"),
    "a data file": edit(
        *("solvers/weights.txt", "2\n", "3\n", solves("data"), text("data"), lists("data")),
        why="data solve all: run, data file solvers/weights.txt changed",
    ),
    # Checks and files of extensions
    "the title of a check": edit(WEIGHTS, "A tally", "A tally of strokes", text("data")),
    "a check that looks at more": edit(
        *(
            PUZZLE,
            "{0: ways}",
            "{0: ways, 1: ways}",
            "fixed checks fair",
            "turned checks yours",
            text("fixed", "turned"),
        )
    ),
    "code of a check that finds the same": edit(
        *(PUZZLE, "ways <= 2 ** (goal + 1)", "ways <= 2 * 2**goal", "fixed checks fair", "turned checks yours"),
        why="fixed checks fair: run, code of check_growth in solvers/steps/puzzle.py changed",
    ),
}

POSTS_AND_PAGES = {
    # Parameters
    "a parameter in the post": edit(
        *("content/posts/turned.md", "goal: 5", "goal: 6"),
        *(solves("turned"), draws("turned"), text("turned"), lists("turned")),
        why="turned solve yours: run, goal changed 5 -> 6",
    ),
    "a parameter in config.yaml": edit(
        *("config.yaml", "navigation: {}\n", "navigation: {}\nparameters: {steps: {pace: 3/5}}\n"),
        *("turned solve yours", "turned figures yours", "turned checks yours", text("turned")),
        why="turned checks yours: run, pace changed 1/2 -> 3/5",
    ),
    "a parameter in config.yaml that the post sets itself": edit(
        "config.yaml", "navigation: {}\n", "navigation: {}\nparameters: {steps: {goal: 7}}\n"
    ),
    "a finer sweep": edit(
        *("content/posts/sweep.md", "steps: 3", "steps: 5"),
        *("sweep solve by_faces", draws("sweep"), text("sweep"), lists("sweep")),
        why="sweep solve by_faces: 2 of 5 points run, the values of faces changed",
    ),
    "a coarser sweep": edit("content/posts/square.md", "rolls: [1, 2]", "rolls: [2]", text("square"), lists("square")),
    "another field of a sweep": edit(
        *("content/posts/sweep.md", "keep: [mean]", "keep: [mean, most]", "sweep solve by_faces", "sweep text"),
        why="sweep solve by_faces: 3 of 3 points run, keep changed [mean] -> [mean, most]",
    ),
    # Posts
    "prose": edit(
        *("content/posts/data.md", "They weigh", "All of them weigh", text("data"), lists("data")),
        why="data text: written, content/posts/data.md changed",
    ),
    "prose below the excerpt": edit("content/posts/plain.md", "![A dot]", "![The dot]", text("plain")),
    "a page": edit("content/pages/about.md", "About us", "About you", "about text", "about page about/index.html"),
    "a title": edit(
        *("content/posts/turned.md", "title: Turned", "title: Turned again"),
        *(text("turned"), lists("turned"), page_of("fixed"), page_of("sweep")),
    ),
    "a tag": edit(  # a post with the same tag is related to it
        *("content/posts/sweep.md", "tags: [dice]", "tags: [dice, words]", text("sweep"), lists("sweep")),
        *("page tags/index.html", "page tags/words/index.html", "page tags/words/feed.xml", page_of("plain")),
    ),
    "the last post of a tag": edit(
        *("content/posts/sweep.md", "tags: [dice]", "tags: [words]", "sweep text", page_of("sweep"), page_of("plain")),
        *("page index.html", "page archive/index.html", "page feed.xml", "page tags/words/feed.xml"),
        *("page tags/index.html", "page tags/words/index.html"),
        gone={"page tags/dice/index.html", "page tags/dice/feed.xml"},
    ),
    "a date": edit(
        *("content/posts/square.md", "2026-05-04", "2026-04-30", text("square"), NEXT, "page archive/index.html"),
        {page_of(post) for post in ("sweep", "prose", "plain")},
    ),
    "a new post": edit(
        *("content/posts/new.md", "", "---\ntitle: New\ndate: 2026-05-03 12:00\n---\nNew words.\n"),
        *("new text", page_of("new"), page_of("square"), page_of("prose"), NEXT, "page archive/index.html"),
        "page feed.xml",
        why="new text: written, for the first time",
    ),
    "a post that goes": edit(
        *("content/posts/plain.md", "all", "", page_of("data"), "page archive/index.html"),
        *("page feed.xml", "page tags/index.html", "page index.html", "page page/2/index.html"),
        gone={
            *("plain text", page_of("plain"), "page page/3/index.html"),
            *("page tags/words/index.html", "page tags/words/feed.xml"),
        },
    ),
    "a draft": edit(
        *("content/posts/sweep.md", "title: Sweep", "title: Sweep\ndraft: true", page_of("turned"), page_of("square")),
        *(
            "page archive/index.html",
            "page feed.xml",
            "page tags/index.html",
            "page index.html",
            "page page/2/index.html",
        ),
        gone={
            *(task for task in TASKS | PAGES if task.startswith("sweep ")),
            *("page tags/dice/index.html", "page tags/dice/feed.xml", "page page/3/index.html"),
        },
    ),
    "a correction": edit(
        *("content/posts/data.md", "title: Data", f"title: Data\n{CORRECTION}", text("data"), lists("data"))
    ),
    "an image": edit("content/images/dot.png", "no real picture", "another picture"),
}

WRITTEN = {task for task in TASKS if " text" in task or " drawing " in task}
SITE = {
    # Templates and config.yaml
    "a template two includes deep": edit("templates/_mark.html", "mark", "sign", PAGES),
    "a template of figures": edit("templates/parts/figure.html", "<img", "<img loading=lazy", PAGES),
    "a template that no page uses": edit("templates/unused.html", "Nobody", "No one", PAGES),
    "a stylesheet": edit("templates/assets/style.css", "margin: 0", "margin: 1px", PAGES),
    "the title of the site": edit("config.yaml", "title: A blog", "title: My blog", PAGES),
    "the language of the site": edit("config.yaml", "navigation: {}", "navigation: {}\nlanguage: he", WRITTEN, PAGES),
    "the length of lists": edit(
        *("config.yaml", "posts_per_page: 3", "posts_per_page: 4", "page index.html", "page page/2/index.html"),
        gone={"page page/3/index.html"},
    ),
    "limits": edit("config.yaml", "navigation: {}", "navigation: {}\nlimits: {time: 60, memory: 1 GiB}"),
}

EDITS = CODE | POSTS_AND_PAGES | SITE
APART = {  # they change or remove what others change
    *("comments, docstrings and formatting", "an answer", "a parameter in config.yaml that the post sets itself"),
    *("the last post of a tag", "a post that goes"),
}
TOGETHER = {
    "code": CODE.keys() - APART,
    "posts and pages": POSTS_AND_PAGES.keys() - APART - {"a draft"},
    "templates and config.yaml": {*SITE, "a draft"},
    "others": APART,
}


@pytest.fixture(scope="module")
def built(builds, tmp_path_factory):
    blog = Blog(tmp_path_factory.mktemp("built"))
    blog.start()
    return blog


@pytest.fixture
def blog(built, tmp_path):
    """A copy of the blog, which is built, for one test."""
    return built.copy_to(tmp_path / "blog")


def make(blog: Blog, changes: Iterable[tuple[str, str, str]]) -> None:
    for path, old, new in changes:
        if not old:
            blog.write(path, new)
        elif not new:
            (blog.root / path).unlink()
        else:
            blog.change(path, old, new)


def clean(blog: Blog, root: Path) -> dict[str, bytes]:
    """The files of the site when it is built from the same sources, and from nothing else."""
    shutil.copytree(blog.root, root, ignore=shutil.ignore_patterns("_site", ".store", "__pycache__"))
    fresh = Blog(root)
    fresh.run()
    return fresh.files()


def files_of(tasks: Iterable[str]) -> set[str]:
    """The files of the pages among tasks: of `sweep page posts/sweep/index.html`, posts/sweep/index.html."""
    return {task.rpartition("page ")[2] for task in tasks if "page " in task}


def written(blog: Blog) -> dict[str, int]:
    """When each file of the site was written."""
    return {path: (blog.root / "_site" / path).stat().st_mtime_ns for path in blog.files()}


def test_where_nothing_has_changed_nothing_is_made(blog):
    found = blog.explained()

    assert found.ran == {}
    assert not found.has_changed


@pytest.mark.parametrize("name", EDITS)
def test_after_an_edit_just_what_depends_on_it_is_made(blog, name):
    wanted = EDITS[name]
    make(blog, wanted.changes)
    pages, made, gone = map(files_of, (PAGES, wanted.tasks, wanted.gone))
    before = written(blog)

    found = blog.explained()

    assert found.ran.keys() == set(wanted.tasks)
    assert pages & blog.files().keys() == pages - gone
    assert {path for path in pages - gone if written(blog)[path] != before[path]} <= made
    assert not wanted.why or wanted.why in [f"{task}: {why}" for task, why in found.ran.items()]


@pytest.mark.parametrize("edits", TOGETHER.values(), ids=TOGETHER.keys())
def test_after_edits_at_once_nothing_stale_is_left(blog, tmp_path, edits):
    for name in sorted(edits, key=[*EDITS].index):
        make(blog, EDITS[name].changes)

    blog.run()

    assert blog.files() == clean(blog, tmp_path / "clean")


@pytest.mark.deep  # those at once, above, and the tasks of each
@pytest.mark.parametrize("name", EDITS)
def test_after_an_edit_nothing_stale_is_left(blog, tmp_path, name):
    make(blog, EDITS[name].changes)

    blog.run()

    assert blog.files() == clean(blog, tmp_path / "clean")


@pytest.mark.parametrize("name", ["a parameter in the post", "an answer", "a title"])
def test_after_an_edit_that_is_taken_back_nothing_is_computed_and_the_site_is_as_before(blog, name):
    before = blog.files()
    make(blog, EDITS[name].changes)
    blog.run()
    make(blog, [(path, new, old) for path, old, new in EDITS[name].changes])

    found = blog.explained()

    assert [task for task in found.ran if "page " not in task] == []
    assert blog.files() == before


def test_a_parameter_of_the_command_line_runs_its_run_once(blog):
    there, back, again = (
        blog.explained(*words) for words in (["--set", "steps.goal=6"], [], ["--set", "steps.goal=6"])
    )

    assert there.ran.keys() == EDITS["a parameter in the post"].tasks
    assert there.ran["turned solve yours"] == "run, goal changed 5 -> 6"
    assert [task for task in (*back.ran, *again.ran) if "page " not in task] == []


def test_answers_that_are_accepted_change_no_page(blog):
    assert main(blog.root, ["accept"]) == 0

    found = blog.explained()

    assert (blog.root / "content/accepted/data.json").exists()
    assert found.ran == {}
    assert not found.has_changed


def test_files_of_the_site_that_were_altered_or_deleted_by_hand_come_back(blog):
    before = blog.files()
    (blog.root / "_site/posts/plain/index.html").write_text("mine", "utf-8")
    (blog.root / "_site/index.html").unlink()

    found = blog.explained()

    why = "rendered, its file was gone or altered"
    assert found.ran == {page_of("plain"): why, "page index.html": why}
    assert blog.files() == before


# Libraries and the builder, which a process has to load anew


def test_another_version_of_a_library_solves_what_imports_it(blog, tmp_path):
    folder = tmp_path / "libraries"
    info = folder / "thing-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "thing.py").write_text("def same(value):\n    return value\n", "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n", "utf-8")
    (info / "RECORD").write_text("thing.py,,\n", "utf-8")
    blog.change(WEIGHTS, "from pathlib import Path\n", "from pathlib import Path\n\nimport thing\n")
    blog.change(WEIGHTS, '"total": sum(', '"total": thing.same(sum(')
    blog.change(WEIGHTS, ".split())}", ".split()))}")
    blog.run_with(folder)()

    info = info.rename(folder / "thing-1.1.dist-info")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.1\n", "utf-8")
    found = blog.explained(build=blog.run_with(folder))

    assert found.ran == {"data solve all": "run, library thing changed 1.0 -> 1.1"}


def test_another_builder_writes_and_draws_everything_and_solves_nothing(blog, tmp_path):
    shutil.copytree(ROOT / "templates", tmp_path / "builder/templates")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "site_builder", tmp_path / "builder/site_builder", ignore=ignored)
    with open(tmp_path / "builder/site_builder/markup/markdown.py", "a", encoding="utf-8") as module:
        module.write("# a comment\n")
    before = blog.files()

    found = blog.explained(build=blog.run_with(tmp_path / "builder"))

    assert found.ran.keys() == WRITTEN | PAGES
    assert found.ran["fixed text"] == "written, the builder changed"
    assert blog.files() == before


def test_a_cache_of_another_branch_gives_no_stale_number(blog, tmp_path):
    """Two branches take turns with one folder .store, as after `git switch`."""
    numbers = []
    for goal in ("6", "5", "6"):
        other = tmp_path / f"branch {len(numbers)}"
        shutil.copytree(blog.root, other, ignore=shutil.ignore_patterns("_site", ".store"))
        (other / ".store").symlink_to(blog.root / ".store")
        branch = Blog(other)
        if goal == "6":
            branch.change("content/posts/turned.md", "goal: 5", "goal: 6")
        branch.run()
        numbers.append(branch.page("posts/turned/index.html").partition("You have ")[2].split()[0])

    assert numbers == ["13", "8", "13"]  # Fibonacci's numbers, by a step of one or two: OEIS A000045


@pytest.mark.deep  # every day two that begin with nothing, in test_noticing.py
def test_two_builds_at_once_give_the_site_of_one(blog):
    blog.change(MOVES, "return one + two ", "return one + two + 1 ")

    both = [Project.start(blog, "--no-search") for _ in range(2)]
    for each in both:
        each.communicate(timeout=300)

    assert [each.returncode for each in both] == [0, 0]
    after = blog.files()
    assert blog.explained().ran == {}
    assert blog.files() == after
