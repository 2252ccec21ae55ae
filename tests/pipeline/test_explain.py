"""`explain POST`: what differs for a post from the last build; and the reasons of `--explain`."""

import shutil
import sqlite3

import pytest

from tests.conftest import ROOT, Project

FRONT = """runs:
  fair: {solver: gamblers_ruin, fixed: true}
  mine: {solver: gamblers_ruin, parameters: {goal: 6}}
  by_win:
    solver: gamblers_ruin
    fixed: true
    sweep: {win: [0.3, 0.4, 0.5]}
    keep: [half]
tags: [coins]
"""
BODY = """It is {{ results.fair.half }}, or {{ results.mine.half }}, or {{ results.by_win.half[0] }}.

{{ figure(results.mine.figures.chance) }}
"""
KEPT_ANYWAY = ("module", "code inputs", "reply", "references")  # what code says, and nothing of tasks


@pytest.fixture(scope="module")
def built(builds, tmp_path_factory):
    """A blog with three posts, built; one has runs."""
    project = Project(tmp_path_factory.mktemp("built"))
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")
    project.post("The first.\n", "first", "runs: {}\ntags: [coins]\n", "The first")
    project.post(BODY, "ruin", FRONT, "Ruin")
    project.post("The last.\n", "zero", "runs: {}\n", "The last")
    project.build()
    return project


@pytest.fixture
def blog(built, tmp_path):
    """A copy of the blog for one test; its first build there leaves nothing to do."""
    shutil.copytree(built.root, tmp_path / "blog", symlinks=True)
    project = Project.__new__(Project)
    project.root = tmp_path / "blog"
    project.build()
    return project


NOTHING = "nothing differs from the last build\n"


def differing(project, *words):
    """The tasks that differ and what is told of each."""
    told = project.build("explain", *words).out
    return {} if told == NOTHING else dict(line.split(": ", 1) for line in told.splitlines())


def done(project):
    """The tasks of the post `ruin`, and the pages of the whole site, that a build ran, and what it told of each."""
    found = {}
    for line in project.build("--explain").out.splitlines()[:-1]:
        if not line.startswith("  "):
            subject = line
        elif subject == "content/posts/ruin.md" or line.startswith("  page "):
            task, words = line.strip().split(": ", 1)
            found[task] = words
    return found


def change(project, path, *pairs):
    text = (project.root / path).read_text("utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    project.write(path, text)


def state(project):
    """What builds have left: the site, and all of the store that says what was done."""
    store = sqlite3.connect(next((project.root / ".store").glob("*.sqlite")))
    entries = set(store.execute("SELECT kind, key, data FROM entries"))
    documents = set(store.execute("SELECT family, name, data FROM documents"))
    store.close()
    return project.files(), {row for row in entries | documents if row[0] not in KEPT_ANYWAY}


def forget(project, kind):
    store = sqlite3.connect(next((project.root / ".store").glob("*.sqlite")))
    with store:
        store.execute("DELETE FROM entries WHERE kind = ?", (kind,))
    store.close()


# What differs


def test_where_nothing_has_changed_nothing_differs(blog):
    assert differing(blog, "ruin") == {}


FEEDS = ("feed.xml", "tags/coins/feed.xml")
CHANGES = {
    "prose": ("content/posts/ruin.md", "It is", "It was"),
    "the title": ("content/posts/ruin.md", "title: Ruin", "title: To ruin"),
    "a parameter": ("content/posts/ruin.md", "goal: 6", "goal: 8"),
    "a point of a sweep": ("content/posts/ruin.md", "0.5]", "0.5, 0.6]"),
    "a comment of the solver": ("solvers/gamblers_ruin.py", "# Feller's", "# William Feller's"),
    "the solver": ("solvers/gamblers_ruin.py", "    ratio = (1", "    ratio = 0 + (1"),
    "a check": ("solvers/gamblers_ruin.py", "{0: 0, goal: 1}", "{goal: 1}"),
    "a check that finds the same": ("solvers/gamblers_ruin.py", "{0: 0,", "{0: 0 * 2,"),
    "the title of a check": ("solvers/gamblers_ruin.py", "Both ends, by", "The two ends, by"),
    "a correction": ("content/posts/ruin.md", "tags:", "corrections: [{date: 2026-04-02, text: Oh.}]\ntags:"),
    "a caption": ("solvers/gamblers_ruin.py", '"With $p$."', '"With a $p$."'),
    "the site's title": ("config.yaml", "title: A blog", "title: The blog"),
    "another post": ("content/posts/zero.md", "title: The last", "title: The very last"),
}


EVERY_DAY = ("a parameter", "a check", "another post")  # test_staleness.py has all kinds


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[] if what in EVERY_DAY else pytest.mark.deep) for what in CHANGES]
)
def test_what_differs_is_why_the_next_build_runs(blog, what):
    path, old, new = CHANGES[what]
    change(blog, path, (old, new))

    told = differing(blog, "ruin")
    did = {task: words for task, words in done(blog).items() if not task.startswith("page ")}

    open_tasks = {task for task, words in told.items() if "depends on" in words}
    assert told.keys() - open_tasks <= did.keys() <= told.keys()
    assert all(did[task].endswith(words) for task, words in told.items() if task not in open_tasks)
    assert told or what in ("the site's title", "another post")


def test_a_changed_parameter_is_told_with_both_values_and_what_follows_waits_for_the_result(blog):
    change(blog, "content/posts/ruin.md", ("goal: 6", "goal: 8"))

    told = differing(blog, "ruin")

    assert "solve fair" not in told
    assert told["solve mine"] == told["figures mine"] == told["checks mine"] == "goal changed 6 -> 8"
    assert told["text"] == "depends on the new result"
    assert told["drawing mine-chance"] == "depends on the new text"


def test_a_parameter_of_the_command_line_waits_for_the_text_too(blog):
    told = differing(blog, "ruin", "--set", "gamblers_ruin.win=0.6")

    assert told["solve mine"] == "win changed 1/2 -> 3/5"
    assert told["text"] == "depends on the new result"


def test_a_check_that_changed_is_named_and_what_shows_it_waits_for_it(blog):
    change(blog, "solvers/gamblers_ruin.py", ("{0: 0, goal: 1}", "{goal: 1}"))

    told = differing(blog, "ruin")

    why = "code of check_both_ends in solvers/gamblers_ruin.py changed"
    again = {"checks fair": why, "checks mine": why, "solve by_win": why, "text": "depends on the new result"}
    assert told == again | {"drawing mine-chance": "depends on the new text"}


STILL = """from site_builder.contract import Bars, BarSeries


def solve(goal=6):
    return {"half": 2}


def check_half():
    return {"half": 2}


def figure_half(half):
    return Bars("Half", ("a",), (BarSeries("", (half,)),), "value", "Always the same.")
"""


def test_a_parameter_that_leaves_the_result_as_it_is_is_told_of_the_figures_and_checks_that_see_it(blog):
    blog.write("solvers/still.py", STILL)
    text = "{{ results.mine.half }}\n\n{{ figure(results.mine.figures.half) }}\n"
    blog.post(text, "still", "runs:\n  mine: {solver: still, parameters: {goal: 6}}\n")
    blog.build()
    change(blog, "content/posts/still.md", ("goal: 6", "goal: 8"))

    told = blog.build("--explain").out.partition("content/posts/still.md\n")[2]

    for task in ("solve", "figures", "checks"):
        assert f"  {task} mine: run, goal changed 6 -> 8\n" in told


def test_only_new_points_of_a_sweep_run(blog):
    change(blog, "content/posts/ruin.md", ("0.5]", "0.5, 0.6]"))

    assert differing(blog, "ruin")["solve by_win"] == "the values of win changed"
    assert done(blog)["solve by_win"] == "1 of 4 points run, the values of win changed"


def test_a_function_of_shared_mathematics_that_changed_is_named(blog):
    blog.write("solvers/common/__init__.py", "")
    blog.write("solvers/common/odds.py", "def odds(win):\n    return (1 - win) / win\n")
    change(
        blog,
        "solvers/gamblers_ruin.py",
        ("import numpy as np\n", "import numpy as np\n\nfrom solvers.common.odds import odds\n"),
        ("(1 - win) / win", "odds(win)"),
    )
    blog.build()
    change(blog, "solvers/common/odds.py", ("(1 - win) / win", "1 / win - 1"))

    told = differing(blog, "ruin")

    assert told["solve mine"] == "code of odds in solvers/common/odds.py changed"


def test_a_changed_template_is_the_reason_of_every_page_and_feed(blog):
    change(blog, "templates/post.html", ("{% block", "{# new #}{% block"))

    found = done(blog)

    assert set(found.values()) == {"rendered, a template changed"}
    assert {"page posts/ruin/index.html", "page tags/index.html", "page feed.xml"} <= found.keys()


def test_changed_prose_writes_the_text_and_renders_its_page_and_its_feeds(blog):
    change(blog, "content/posts/ruin.md", ("{{ figure", "The end.\n\n{{ figure"))

    told = differing(blog, "ruin")
    did = done(blog)

    why = "content/posts/ruin.md changed"
    assert told == {"text": why, "drawing mine-chance": "depends on the new text"}
    assert did == {
        "text": f"written, {why}",
        "page posts/ruin/index.html": "rendered, the post changed",
        **{f"page {feed}": "rendered, the posts in it changed" for feed in FEEDS},
    }


@pytest.mark.parametrize(
    ("path", "old", "new", "why"),
    [
        ("config.yaml", "title: A blog", "title: The blog", "a setting of the site changed"),
        ("templates/parts/figure.html", "{#", "{# new", "a template changed"),
        ("templates/assets/post.js", "{", "{;", "a file of assets/ changed"),
        ("content/posts/zero.md", "title: The last", "title: The very last", "the posts beside it changed"),
    ],
)
def test_a_page_is_rendered_for_what_it_is_given_and_says_which_that_was(blog, path, old, new, why):
    change(blog, path, (old, new))

    assert done(blog)["page posts/ruin/index.html"].startswith(f"rendered, {why}")  # its share card names the site


def test_a_new_post_has_everything_for_the_first_time(blog):
    blog.post("{{ results.fair.half }}\n", "new")

    told = differing(blog, "new")

    assert told["solve fair"] == told["checks fair"] == "for the first time"


def test_in_a_project_that_was_never_built_everything_runs(project):
    project.post(BODY, "ruin", FRONT)

    told = differing(project, "ruin")
    did = done(project)

    assert told["solve mine"] == told["solve by_win"] == "for the first time"
    assert did["solve by_win"] == "3 of 3 points run, for the first time"
    assert did["page posts/ruin/index.html"] == "rendered, for the first time"
    assert told.keys() <= did.keys()


def test_a_drawing_that_is_gone_is_drawn_again(blog):
    forget(blog, "drawing")

    assert done(blog) == {"drawing mine-chance": "drawn, it is no longer in the cache"}


def test_a_file_of_the_output_that_was_altered_is_rendered_again(blog):
    blog.write("_site/posts/ruin/index.html", "altered")

    assert done(blog) == {"page posts/ruin/index.html": "rendered, its file was gone or altered"}


def test_the_cache_holds_no_copy_of_a_page_and_a_site_that_is_gone_is_rendered_again(blog):
    before = blog.files()
    pages = {data for name, data in before.items() if name.endswith((".html", ".xml"))}
    held = {data for _, _, data in state(blog)[1]}
    shutil.rmtree(blog.root / "_site")

    told = blog.build("--explain").out

    assert pages
    assert pages.isdisjoint(held)
    assert "  page index.html: rendered, its file was gone or altered\n" in told
    assert "  text: written" not in told
    assert blog.files() == before


def test_output_and_store_stay_as_they_are(blog):
    change(blog, "content/posts/ruin.md", ("goal: 6", "goal: 8"))
    change(blog, "solvers/gamblers_ruin.py", ('"With $p$."', '"With a $p$."'))
    before = state(blog)

    differing(blog, "ruin")

    assert state(blog) == before


# Which post is meant


@pytest.mark.parametrize("name", ["ruin", "posts/ruin/", "/posts/ruin", "content/posts/ruin.md"])
def test_a_post_is_named_by_slug_address_or_file(built, name):
    assert built.build("explain", name).out == NOTHING


def test_an_unknown_post_is_wrong_usage_and_the_nearest_is_offered(built):
    told = built.build("explain", "ruine", status=2)

    assert told.err == "explain ruine: there is no such post\n    mend: did you mean 'ruin'?\n"
    assert told.out == ""


def test_a_draft_is_explained_with_drafts_alone(blog):
    blog.post("Text.\n", "secret", "draft: true\n")

    told = blog.build("explain", "secret", status=2)

    assert told.err.startswith("explain secret: there is no such post\n    mend: name its slug, its address")
    assert "--drafts adds those" in told.err
    assert differing(blog, "secret", "--drafts")["solve fair"] == "for the first time"


# Errors


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("goal: 6", "goal: 0", "content/posts/ruin.md:6: goal is 0; it must lie between 1 and 1000"),
    ],
)
def test_an_error_of_a_run_is_told_as_in_a_build(blog, old, new, said):
    change(blog, "content/posts/ruin.md", (old, new))

    told = blog.build("explain", "ruin", status=1)

    assert said in told.err
    assert told.err == blog.build(status=1).err[-len(told.err) :]
    assert told.out == ""
