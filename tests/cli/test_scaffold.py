"""What a new post or puzzle begins with."""

import keyword
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.cli.scaffold import slug_of, solver_name, title_of
from site_builder.errors import UsageError
from tests.support.html import Html


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Two coins, one hundred flips", "two-coins-one-hundred-flips"),
        ("Penney's game", "penneys-game"),
        ("Penney’s game", "penneys-game"),
        ("Größe zählt: Fälle", "größe-zählt-fälle"),
        ("コインの山", "コインの山"),
        ("  What?! -- really...  ", "what-really"),
        ("1 + 1 = 2", "1-1-2"),
        ("2026-01-01 A puzzle for the new year", "a-puzzle-for-the-new-year"),
        ("2026-01-01", "2026-01-01"),
        ("word " * 40, "-".join(["word"] * 12)),
        ("x" * 300, "x" * 60),
    ],
)
def test_the_slug_is_made_of_the_titles_words(title, slug):
    assert slug_of(title) == slug


@pytest.mark.parametrize("title", ["???", "🎲🎲", "Index"])
def test_of_some_titles_no_address_can_be_made(title):
    with pytest.raises(UsageError, match="begin with a title of words"):
        slug_of(title)


@pytest.mark.parametrize(
    "wanted", ["Gambler's Ruin", "coin-game", "2coins", "_coins", "größe", "../x", "", "x" * 61, "lambda", "common"]
)
def test_a_name_that_no_solver_can_have_is_refused_with_the_rule_for_names(wanted):
    with pytest.raises(UsageError) as told:
        solver_name(wanted)

    assert "it must be at most 60 small letters, digits and _, first a letter" in str(told.value)
    assert "but no word of Python's own and not common" in str(told.value)


@given(st.text(max_size=80))
def test_what_is_accepted_as_a_name_can_be_imported(text):
    try:
        name = solver_name(text)
    except UsageError:
        return

    assert name.isidentifier()
    assert not keyword.iskeyword(name)


def test_an_empty_title_is_refused():
    with pytest.raises(UsageError, match="empty"):
        title_of(" ")


def test_a_post_is_begun_with_its_title_and_built_as_it_is(project):
    ran = project.run("new", "Coins & dice")
    project.build()

    assert ran.out.splitlines()[0] == "Wrote content/posts/coins-dice.md"
    assert "python build.py serve" in ran.out
    assert "Coins &amp; dice" in project.page("posts/coins-dice/index.html")


TITLES = {  # as it is given: as it reads
    'Say "heads": #1 of <two> & more': "Say “heads”: #1 of <two> & more",
    "A share of $p_1$, or \\ of nothing": None,  # its formula has a reading of its own
    "It costs $5 or $6": "It costs $5 or $6",
    "@ % & ? : - {a: b}": "@ % & ? : - {a: b}",
    "no": "no",
    "1.50": "1.50",
}


def test_a_title_reads_as_it_was_given_whatever_its_signs(project):
    for number, title in enumerate(TITLES):
        project.run("new", title, "--solver", f"puzzle_{number}")

    project.build()

    pages = [Html(project.page(f"posts/{slug_of(title)}/index.html")) for title in TITLES]
    for page, (title, read) in zip(pages, TITLES.items(), strict=True):
        words = page.all("h1")[0].text
        assert words == read or (read is None and words.startswith("A share of ")), title


def test_the_date_is_todays(project):
    project.run("new", "A title")

    text = (project.root / "content/posts/a-title.md").read_text("utf-8")
    written = datetime.fromtimestamp((project.root / "content/posts/a-title.md").stat().st_mtime)
    days = {(written - timedelta(seconds=seconds)).date() for seconds in (0, 60)}  # it may just have become midnight
    assert any(f"date: {day.isoformat()}\n" in text for day in days)


def test_a_draft_is_left_out_of_the_site_until_its_line_is_deleted(project):
    project.run("new", "A title", "--draft")
    project.build()
    assert not (project.root / "_site/posts/a-title").exists()

    file = project.root / "content/posts/a-title.md"
    file.write_text(file.read_text("utf-8").replace("draft: true\n", ""), "utf-8")
    project.build()

    assert (project.root / "_site/posts/a-title/index.html").exists()


@pytest.mark.parametrize(
    "there",
    [
        "content/posts/a-title.md",
        "solvers/some_puzzle.py",
        "tests/solvers/test_some_puzzle.py",
    ],
)
def test_nothing_is_overwritten_and_nothing_written_where_one_of_the_files_is_there(project, there):
    project.write(there, "mine")
    before = project.files(".")

    ran = project.run("new", "A title", "--solver", "some_puzzle", status=1)

    assert f"{there}: it cannot be written: File exists" in ran.err
    assert "leave --solver out and write solver: some_puzzle" in ran.err
    assert project.files(".") == before


def test_a_file_that_cannot_be_written_takes_the_others_back(project):
    project.write("tests", "a file where a folder should be")

    ran = project.run("new", "A title", "--solver", "some_puzzle", status=1)

    assert "tests/solvers/test_some_puzzle.py: it cannot be written" in ran.err
    assert not (project.root / "solvers/some_puzzle.py").exists()
    assert not (project.root / "content/posts/a-title.md").exists()


def test_outside_of_a_project_nothing_is_begun(project):
    (project.root / "config.yaml").unlink()

    assert "there is no config.yaml here" in project.run("new", "A title", status=1).err


def test_a_puzzle_holds_at_the_ends_of_its_ranges(project):
    project.run("new", "A title", "--solver", "some_puzzle")

    project.build("--set", "some_puzzle.coins=1", "--set", "some_puzzle.goal=2")
    ends = project.page("posts/a-title/index.html")
    project.build("--set", "some_puzzle.coins=99", "--set", "some_puzzle.goal=100", "--set", "some_puzzle.win=1/1000")

    assert "You hold 1 coins and want 2" in ends
    assert "You hold 99 coins and want 100" in project.page("posts/a-title/index.html")


def test_a_solver_may_have_the_name_of_a_library_that_it_imports(project):
    project.run("new", "A title", "--solver", "random")
    solver = project.root / "solvers/random.py"
    solver.write_text(
        solver.read_text("utf-8").replace("\nfrom ", "\nimport random\nrandom.Random(1)\nfrom ", 1), "utf-8"
    )

    project.build()

    assert "random.Random" in solver.read_text("utf-8")
