"""What runs, and what is reused, when code, parameters or data behind results change."""

import pytest

from tests.changes.small_blog import BUNDLED, NOTHING, OWN, POSTS, because, drawn, feeds, files_of, lists, ran, records

MOVES, LATTICE = "solvers/common/moves.py", "solvers/common/lattice.py"
PUZZLE, PICTURING = "solvers/steps/puzzle.py", "solvers/steps/picturing.py"
FIGURES_CHANGED = {
    **because("written, results.fair.figures.ways changed", "fixed text"),
    **because("written, results.yours.figures.ways changed", "turned text"),
    **because("drawn, its figure changed", "fixed drawing fair-ways", "turned drawing yours-ways"),
    **because(OWN, "fixed page posts/fixed/index.html", "turned page posts/turned/index.html"),
    **because(POSTS, "page feed.xml", "page tags/stairs/feed.xml"),
}
RESULTS_CHANGED = {
    **because("run, its result changed", "fixed figures fair", "turned figures yours"),
    **because("run, its result changed", "fixed checks fair", "turned checks yours"),
    **FIGURES_CHANGED,
    "fixed text": "written, results.fair.checks changed, results.fair.figures.ways changed, results.fair.ways changed",
    "turned text": (
        "written, results.yours.checks changed, results.yours.figures.ways changed, results.yours.ways changed"
    ),
    **because(POSTS, *lists("fixed", "turned")),
}
DRAWINGS = drawn("fixed", "fair-ways") | drawn("turned", "yours-ways")
PAGES_OF_STAIRS = {"posts/fixed/index.html", "posts/turned/index.html"}
SHOWING = PAGES_OF_STAIRS | {"feed.xml", "tags/stairs/feed.xml"}
RECORDS = records("fixed", "turned")
PROVENANCE = records("fixed", "turned", names=["provenance"])
GOAL_TURNED = {
    "turned solve yours": "run, goal changed 5 -> 6",
    "turned figures yours": "run, its result changed",
    "turned checks yours": "run, goal changed 5 -> 6",
    "turned text": (
        "written, results.yours.checks changed, results.yours.figures.ways changed, results.yours.parameters changed, "
        "results.yours.ways changed"
    ),
    "turned drawing yours-ways": "drawn, its figure changed",
    "turned page posts/turned/index.html": OWN,
    **because(POSTS, *lists("turned"), *feeds("turned")),
}
PAGES_OF_GOAL = {task: words for task, words in GOAL_TURNED.items() if " page " in f" {task}"}
GOAL_FILES = drawn("turned", "yours-ways") | records("turned")
GOAL_FILES |= files_of(("posts/turned/index.html", "index.html", "feed.xml", "tags/stairs/feed.xml"))
GRID_CHANGED = {
    "square text": "written, content/posts/square.md changed, results.both.checks changed, results.both.most changed",
    "square page posts/square/index.html": OWN,
    **because(POSTS, *lists("square"), *feeds("square")),  # which may show the number of its checks
}
GRID_FILES = {"posts/square/index.html", *records("square", names=["provenance"])}
BUNDLE = "posts/square/dice-one.zip"
LISTING = "written, the code of common.moves.step changed, which it shows"


def solved_again(words):
    return because(f"run, {words}", "fixed solve fair", "turned solve yours")


def test_when_nothing_has_changed_every_task_is_told_to_be_reused(blog):
    assert blog.explained() == NOTHING


def test_a_function_two_imports_deep_solves_what_reaches_it_and_is_listed_anew_where_it_is_shown(blog):
    blog.change(MOVES, "return one + two ", "return one + two + 1 ")

    found = blog.explained()

    shown = {"code text": LISTING, "code page posts/code/index.html": OWN}
    words = solved_again(f"{MOVES} changed (function step)") | RESULTS_CHANGED | shown
    assert found == ran(words, DRAWINGS | SHOWING | RECORDS | {"index.html", "posts/code/index.html"})


def test_a_function_that_the_solver_does_not_use_runs_nothing(blog):
    blog.change(MOVES, "def unused(n):\n    return n", "def unused(n):\n    return n + 1")
    blog.change(LATTICE, "def unused(n):\n    return n", "def unused(n):\n    return n + 1")
    blog.change(PUZZLE, "return 1\n", "return 2\n")

    assert blog.explained() == NOTHING


def test_a_constant_two_imports_deep_runs_what_uses_it(blog):
    blog.change(LATTICE, "FIRST = 1", "FIRST = 2")

    found = blog.explained()

    words = solved_again(f"{LATTICE} changed (constant FIRST)") | RESULTS_CHANGED
    assert found == ran(words, DRAWINGS | SHOWING | RECORDS | {"index.html"})


def test_comments_docstrings_and_formatting_run_nothing(blog):
    blog.change(LATTICE, "FIRST = 1", "# the first step\nFIRST = 1  # is one")
    blog.change(LATTICE, '"""Counting ways."""', '"""Counting all ways."""')
    blog.change(PUZZLE, '"""The ways up."""', '"""All ways up."""')
    blog.change(LATTICE, "return FIRST if n < 2 else", "return FIRST if n<2 else \\\n       ")

    assert blog.explained() == NOTHING


def test_a_docstring_of_code_that_is_shown_writes_the_text_that_shows_it_and_nothing_else(blog):
    blog.change(MOVES, "Both ways together", "All ways together")

    found = blog.explained()

    words = {"code text": LISTING, "code page posts/code/index.html": OWN, "page feed.xml": POSTS}
    assert found == ran(words, {"posts/code/index.html", "feed.xml"})


def test_code_that_nothing_imports_is_listed_anew_where_it_is_shown(blog):
    blog.write("solvers/dice/__init__.py", (blog.root / "solvers/dice.py").read_text("utf-8"))
    blog.write("solvers/dice/aside.py", "def aside():\n    return 1\n")
    (blog.root / "solvers/dice.py").unlink()
    blog.change("content/posts/plain.md", "Only words.", '{{ source("dice", "aside.aside") }}')
    blog.run()
    blog.change("solvers/dice/aside.py", "return 1", "return 2")

    found = blog.explained()

    assert found.ran["plain text"] == "written, the code of dice.aside.aside changed, which it shows"
    assert "posts/plain/index.html" in found.changed


def test_a_caption_makes_figures_anew_and_solves_nothing(blog):
    blog.change(PICTURING, "All the ways.", "Every way.")

    found = blog.explained()

    figures = because(f"run, {PICTURING} changed (function figures)", "fixed figures fair", "turned figures yours")
    # The pictures themselves show no caption; what machines read of them does.
    data = {"posts/fixed/figures/fair-ways.json", "posts/turned/figures/yours-ways.json"}
    assert found == ran(figures | FIGURES_CHANGED, SHOWING | data)


def test_a_helper_of_figures_alone_solves_nothing(blog):
    blog.change("solvers/common/wording.py", "{n} steps", "{n} stairs")

    found = blog.explained()

    words = "run, solvers/common/wording.py changed (function counted)"
    figures = because(words, "fixed figures fair", "turned figures yours")
    found_lists = because(POSTS, *lists("fixed", "turned"))  # which may show the pictures
    assert found == ran(figures | FIGURES_CHANGED | found_lists, DRAWINGS | SHOWING)


SMALL = "{% if entry.thumbnail %}{{ url(entry.thumbnail.path) }}{% endif %}"


def show_figures_in_lists(blog):
    blog.change("templates/_entry.html", "</a>", f"</a>{SMALL}")
    blog.run()


def test_a_figure_that_is_drawn_anew_renders_the_lists_that_show_it(blog):
    show_figures_in_lists(blog)
    blog.change("solvers/common/wording.py", "{n} steps", "{n} stairs")

    found = blog.explained()

    words = "run, solvers/common/wording.py changed (function counted)"
    figures = because(words, "fixed figures fair", "turned figures yours")
    figures |= because(POSTS, *lists("fixed", "turned"))
    assert found == ran(figures | FIGURES_CHANGED, DRAWINGS | SHOWING | {"index.html"})


def test_a_figure_below_the_first_renders_no_list(blog):
    show_figures_in_lists(blog)
    means = "figure(curve(results.by_faces.faces, results.by_faces.mean, title="
    second = '"Again", across_label="faces", up_label="mean")) }}\n'
    file = blog.root / "content/posts/sweep.md"
    blog.write("content/posts/sweep.md", f"{file.read_text('utf-8')}\n{{{{ {means}{second}")

    found = blog.explained()

    assert {"sweep page posts/sweep/index.html"} <= found.ran.keys()
    assert not {"page index.html", "page page/2/index.html", "page page/3/index.html"} & found.ran.keys()


def test_a_refactoring_with_the_same_results_solves_and_changes_what_is_on_record_of_the_code_alone(blog):
    blog.change(LATTICE, "step(ways(n - 1), ways(n - 2))", "step(ways(n - 2), ways(n - 1))")

    assert blog.explained() == ran(solved_again(f"{LATTICE} changed (function ways)"), PROVENANCE)


def test_a_constant_that_is_used_no_more_is_told_of(blog):
    blog.change(PUZZLE, "MOST) for", "1000) for")

    found = blog.explained()

    words = solved_again(f"{PUZZLE} (constant MOST) is no longer used, {PUZZLE} changed (function solve)")
    assert found == ran(words, PROVENANCE)


def test_a_field_that_no_post_reads_goes_no_further_than_the_figures_and_the_checks(blog):
    blog.change(PUZZLE, "rows[-2], rows)", "rows[-3], rows)")

    found = blog.explained()

    beside = ("fixed figures fair", "fixed checks fair", "turned figures yours", "turned checks yours")
    words = solved_again(f"{PUZZLE} changed (function solve)") | because("run, its result changed", *beside)
    assert found == ran(words, PROVENANCE)


def test_a_data_file_runs_the_solver_that_declares_it(blog):
    blog.change("solvers/weights.txt", "2\n", "3\n")

    found = blog.explained()

    words = {
        **because("run, data file solvers/weights.txt changed", "data solve all", "data figures all"),
        "data checks all": "run, data file solvers/weights.txt changed",
        "data text": "written, results.all.checks changed, results.all.total changed",
        "data page posts/data/index.html": OWN,
        **because(POSTS, "page archive/index.html", "page page/2/index.html", "page feed.xml"),
    }
    assert found == ran(words, {"posts/data/index.html", "page/2/index.html", "feed.xml"} | records("data"))


def test_another_solver_leaves_the_posts_of_this_one_alone(blog):
    blog.change("solvers/dice.py", "parameters.faces * parameters.rolls)", "parameters.rolls * parameters.faces)")

    found = blog.explained()

    why = "solvers/dice.py changed (function solve)"
    words = {
        "sweep solve by_faces": f"all 3 points run, {why}",
        "square solve both": f"all 4 points run, {why}",
        "square solve one": f"run, {why}",
        "square bundle one": BUNDLED,
    }
    assert found == ran(words, records("sweep", "square", names=["provenance"]) | {BUNDLE})


def test_a_new_solver_that_no_post_names_runs_nothing(blog):
    blog.write("solvers/new.py", (blog.root / "solvers/dice.py").read_text("utf-8"))

    assert blog.explained() == NOTHING


@pytest.mark.xfail(strict=True, reason="the sandbox refuses libraries with metadata outside of Python's own folders")
def test_a_version_of_a_library_runs_the_solver_that_imports_it(blog, tmp_path_factory):
    folder = tmp_path_factory.mktemp("libraries")
    told = folder / "thing-1.0.dist-info"
    told.mkdir()
    (folder / "thing.py").write_text("def same(value):\n    return value\n", "utf-8")
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n", "utf-8")
    (told / "RECORD").write_text("thing.py,,\n", "utf-8")
    blog.change("solvers/weights.py", "from pathlib import Path\n", "from pathlib import Path\n\nimport thing\n")
    blog.change("solvers/weights.py", "Result(sum(", "Result(thing.same(sum(")
    blog.change("solvers/weights.py", ".split()))", ".split())))")
    blog.run_with(folder)()

    told = told.rename(folder / "thing-1.1.dist-info")
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.1\n", "utf-8")
    found = blog.explained(build=blog.run_with(folder))

    tasks = ("data solve all", "data figures all", "data checks all")
    assert found == ran(because("run, thing changed 1.0 -> 1.1", *tasks), records("data", names=["provenance"]))


# What confirms results, and what readers run by themselves


def test_a_detail_of_a_check_rewrites_what_is_told_of_it_and_solves_nothing(blog):
    blog.change("solvers/weights.py", '"a tally"', '"a tally of strokes"')

    found = blog.explained()

    words = {
        "data checks all": "run, solvers/weights.py changed (function checks)",
        "data text": "written, results.all.checks changed",
        "data page posts/data/index.html": OWN,
        "page feed.xml": POSTS,
    }
    assert found == ran(words, {"posts/data/index.html", "feed.xml", *records("data", names=["checks"])})


CHECKED_AGAIN = because(f"run, {PUZZLE} changed (function checks)", "fixed checks fair", "turned checks yours")
CHECKS_CHANGED = {
    **CHECKED_AGAIN,
    "fixed text": "written, results.fair.checks changed",
    "turned text": "written, results.yours.checks changed",
    **because(OWN, "fixed page posts/fixed/index.html", "turned page posts/turned/index.html"),
    **because(POSTS, *feeds("fixed", "turned")),
}


def test_a_detail_of_a_check_that_no_text_shows_changes_the_record_alone(blog):
    blog.change(PUZZLE, '"a step doubles them"', '"each step doubles them"')

    assert blog.explained() == ran(CHECKS_CHANGED, records("fixed", "turned", names=["checks"]))


def test_another_method_of_a_check_changes_the_fold_of_each_page_too(blog):
    blog.change(PUZZLE, '"closed form"', '"by hand"')

    assert blog.explained() == ran(CHECKS_CHANGED, PAGES_OF_STAIRS | records("fixed", "turned", names=["checks"]))


def test_a_check_more_changes_the_fold_of_each_page_and_both_records(blog):
    blog.change(
        PUZZLE,
        "within=AtMost(), detail=how)\n",
        'within=AtMost(), detail=how)\n    yield Check("ends", "by hand", True, result.ways > 0, of="ways")\n',
    )

    shown = because(POSTS, *lists("fixed", "turned"))  # which may show the number of checks
    assert blog.explained() == ran(CHECKS_CHANGED | shown, PAGES_OF_STAIRS | RECORDS)


def test_the_code_of_a_check_that_finds_the_same_runs_the_checks_alone(blog):
    blog.change(PUZZLE, "most = 2 ** (parameters.goal + 1)", "most = 2 * 2**parameters.goal")

    assert blog.explained() == ran(CHECKED_AGAIN)


def test_a_comment_in_a_check_runs_nothing(blog):
    blog.change(PUZZLE, "most = 2 ** (parameters.goal + 1)", "most = 2 ** (parameters.goal + 1)  # and one more")

    assert blog.explained() == NOTHING


@pytest.mark.parametrize(
    ("old", "new"),
    [('"""Dice."""', '"""Some dice."""'), ("DATA = ()\n", "DATA = ()  # none\n")],
    ids=["a docstring", "a comment"],
)
def test_words_in_a_solver_make_its_bundle_again_and_no_page(blog, old, new):
    blog.change("solvers/dice.py", old, new)

    there = blog.explained()
    blog.change("solvers/dice.py", new, old)
    back = blog.explained()

    assert there == ran({"square bundle one": BUNDLED}, {BUNDLE})
    assert back == ran({}, {BUNDLE})


def test_an_answer_that_changes_changes_its_bundle_and_what_shows_it(blog):
    blog.change("solvers/dice.py", "parameters.faces * parameters.rolls)", "parameters.faces * parameters.rolls + 1)")

    found = blog.explained()

    why = "solvers/dice.py changed (function solve)"
    words = {
        "sweep solve by_faces": f"all 3 points run, {why}",
        "square solve both": f"all 4 points run, {why}",
        "square solve one": f"run, {why}",
        **because("run, its result changed", "square figures one", "square checks one"),
        "square text": "written, results.both.most changed, results.one changed",
        "square bundle one": BUNDLED,
        "square page posts/square/index.html": OWN,
        **because(POSTS, "page archive/index.html", "page page/2/index.html", "page feed.xml"),
    }
    files = {"posts/square/index.html", "page/2/index.html", "feed.xml", BUNDLE}
    assert found == ran(words, files | records("square", "sweep", names=["provenance"]))


# Parameters


def test_a_parameter_in_the_post_runs_its_run_and_back_again_renders_alone(blog):
    blog.change("content/posts/turned.md", "goal: 5", "goal: 6")

    there = blog.explained()
    blog.change("content/posts/turned.md", "goal: 6", "goal: 5")
    back = blog.explained()

    text = (
        "written, content/posts/turned.md changed, results.yours.checks changed, "
        "results.yours.figures.ways changed, results.yours.parameters changed and 1 more"
    )
    assert there == ran(GOAL_TURNED | {"turned text": text}, GOAL_FILES)
    assert back == ran(PAGES_OF_GOAL, GOAL_FILES)


def test_a_parameter_on_the_command_line_runs_its_run_and_back_again_renders_alone(blog):
    there = blog.explained("--set", "steps.goal=6")
    back = blog.explained()
    again = blog.explained("--set", "steps.goal=6")

    assert there == ran(GOAL_TURNED, GOAL_FILES)
    assert back == ran(PAGES_OF_GOAL, GOAL_FILES)
    assert again == ran(PAGES_OF_GOAL, GOAL_FILES)


def test_a_parameter_in_the_configuration_runs_what_is_not_fixed_and_back_again_renders_alone(blog):
    blog.change("config.yaml", "navigation: {}\n", "navigation: {}\nparameters: {steps: {pace: 3/5}}\n")

    there = blog.explained()
    blog.change("config.yaml", "parameters: {steps: {pace: 3/5}}\n", "")
    back = blog.explained()

    words = {
        **because("run, pace changed 1/2 -> 3/5", "turned solve yours", "turned checks yours"),
        "turned text": "written, results.yours.parameters changed",
    }
    pages = {"turned page posts/turned/index.html": OWN, **because(POSTS, *feeds("turned"))}
    files = records("turned", names=["provenance"]) | {"posts/turned/index.html"}
    assert there == ran(words | pages, files)
    assert back == ran(pages, files)


def test_a_parameter_in_the_configuration_that_the_post_sets_itself_runs_nothing(blog):
    blog.change("config.yaml", "navigation: {}\n", "navigation: {}\nparameters: {steps: {goal: 7}}\n")

    assert blog.explained() == NOTHING


def test_a_finer_sweep_runs_its_new_points_alone(blog):
    blog.change("content/posts/sweep.md", "steps: 3", "steps: 5")

    found = blog.explained()

    read = "results.by_faces.checks changed, results.by_faces.faces changed, results.by_faces.mean changed"
    words = {
        "sweep solve by_faces": "3 of 5 points reused, 2 run, the sweep of faces has 2 new values",
        "sweep text": f"written, content/posts/sweep.md changed, {read}",
        "sweep drawing means": "drawn, its figure changed",
        "sweep page posts/sweep/index.html": OWN,
        **because(POSTS, *lists("sweep"), *feeds("sweep")),
    }
    changed = {"posts/sweep/index.html", "feed.xml", "tags/dice/feed.xml"} | records("sweep", names=["provenance"])
    assert found == ran(words, drawn("sweep", "means", "js") | changed)


def test_a_finer_grid_runs_its_new_points_alone(blog):
    blog.change("content/posts/square.md", "faces: [2, 4]", "faces: [2, 4, 6]")

    found = blog.explained()

    words = {
        "square solve both": "4 of 6 points reused, 2 run, the sweep of faces has 1 new value",
        **GRID_CHANGED,
    }
    assert found == ran(words, GRID_FILES)


def test_a_sweep_that_keeps_another_field_runs_again(blog):
    blog.change("content/posts/sweep.md", "keep: [mean]", "keep: [mean, most]")

    found = blog.explained()

    words = {
        "sweep solve by_faces": "all 3 points run, keep changed [mean] -> [mean, most]",
        "sweep text": "written, content/posts/sweep.md changed",
    }
    assert found == ran(words)


def test_a_coarser_sweep_runs_none_of_its_points(blog):
    blog.change("content/posts/square.md", "rolls: [1, 2]", "rolls: [2]")

    found = blog.explained()

    text = f"{GRID_CHANGED['square text']}, results.both.parameters changed"  # with one value it is swept no more
    assert found == ran(GRID_CHANGED | {"square text": text}, GRID_FILES)
