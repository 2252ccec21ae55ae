"""Files that solvers read without naming them: an edit solves again, and going back to what was there does not."""

import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT, deep
from tests.support.finders import finding

WORDS = "data/words.txt"
SOLVED = re.compile(r"(\d+) solutions? and (\d+) figures? of them anew")
AFTER_IMPORTS = "\n\n@dataclass"


MINE = "runs:\n  mine: {solver: finder, unchecked: {names: found in a file}}\n"


def reading(way):
    """A solver that gives a text which it finds in this way."""
    return finding(f"import os\n    from pathlib import Path\n\n    {way}")


WAYS = {
    "file": reading("found = open('data/words.txt').read()"),
    "by its place": reading("found = (Path(__file__).parents[1] / 'data' / 'words.txt').read_text()"),
    "import": reading("found = TEXT").replace(AFTER_IMPORTS, f"\nTEXT = open('{WORDS}').read(){AFTER_IMPORTS}", 1),
    "child": reading(
        "import multiprocessing\n    with multiprocessing.Pool(1) as pool:\n        (found,) = pool.map(read, [0])"
    )
    + f"\n\ndef read(_):\n    return open('{WORDS}').read()\n",
}


@pytest.fixture
def words(project):
    """A project with a post that shows what a solver finds, and files in a folder of their own."""
    project.write(WORDS, "first")
    project.write("solvers/finder.py", WAYS["file"])
    project.post("Found: {{ results.mine.names.found }}.\n", front=MINE)
    return project


def found(project):
    return re.search(r"Found: (.*)\.<", project.page("posts/ruin/index.html"))[1]


def anew(ran):
    """How many solutions and figures a build has made."""
    return tuple(map(int, SOLVED.search(ran.out).groups()))


@pytest.mark.parametrize("way", ["file", "child", deep("by its place"), deep("import")])
def test_an_edit_of_a_file_solves_again_and_going_back_does_not(words, way):
    words.write("solvers/finder.py", WAYS[way])
    words.build()
    first = found(words)

    words.write(WORDS, "second")
    words.build()
    second = found(words)
    words.write(WORDS, "first")
    back = words.build()

    assert (first, second, found(words)) == ("first", "second", "first")
    assert anew(back)[0] == 0


def test_a_dotfile_beside_the_solver_counts_like_any_file_that_it_reads(words):
    words.write("solvers/.words", "first")
    words.write("solvers/finder.py", reading("found = open('solvers/.words').read()"))
    words.build()

    words.write("solvers/.words", "second")
    words.build()

    assert found(words) == "second"


def test_when_no_file_has_changed_nothing_has(words):
    words.build()

    assert words.build().out.startswith("Nothing has changed")


def test_a_file_that_is_not_read_any_more_counts_no_more(words):
    words.build()
    words.write("solvers/finder.py", reading("found = 'none'"))
    words.build()

    words.write(WORDS, "second")

    assert words.build().out.startswith("Nothing has changed")


def test_the_reason_for_a_solve_is_the_file(words):
    words.build()
    words.write(WORDS, "second")

    told = words.run("explain", "ruin").out
    ran = words.build("--explain")

    assert f"solve mine: data file {WORDS} changed\n" in told
    assert f"  solve mine: run, data file {WORDS} changed\n" in ran.out


ABSENT = reading(
    "try:\n        found = open('data/more.txt').read()\n    except FileNotFoundError:\n        found = 'nothing'"
)


def test_a_file_that_was_not_there_solves_again_when_it_is(words):
    words.write("solvers/finder.py", ABSENT)
    words.build()
    before = found(words)

    words.write("data/more.txt", "more")
    words.build()
    after = found(words)
    (words.root / "data/more.txt").unlink()
    back = words.build()

    assert (before, after, found(words)) == ("nothing", "more", "nothing")
    assert anew(back)[0] == 0


@pytest.mark.parametrize("listing", ["os.listdir('data')", "(each.name for each in Path('data').glob('*.txt'))"])
def test_a_file_more_in_a_folder_that_was_listed_solves_again(words, listing):
    words.write("solvers/finder.py", reading(f"found = ' '.join(sorted({listing}))"))
    words.build()

    words.write("data/zoo.txt", "")
    words.build()
    after = found(words)
    words.write("data/zoo.txt", "other content")

    assert after == "words.txt zoo.txt"
    assert anew(words.build("--explain"))[0] == 0


def test_a_module_that_appears_in_a_package_beside_solvers_solves_again(words):
    words.write("helping/slow.py", "TEXT = 'first'\n")
    tried = "try:\n    from helping.fast import TEXT\nexcept ImportError:\n    from helping.slow import TEXT\n"
    solver = reading("found = TEXT").replace(AFTER_IMPORTS, f"\n{tried}{AFTER_IMPORTS}", 1)
    words.write("solvers/finder.py", solver)
    words.build()
    assert found(words) == "first"
    assert words.build().out.startswith("Nothing has changed")
    words.write("helping/fast.py", "TEXT = 'second'\n")

    words.build()

    assert found(words) == "second"


def test_what_the_solve_itself_writes_is_no_reason_to_solve_again(words):
    way = "Path('data/cache.txt').write_text('kept')\n    found = open('data/cache.txt').read()"
    words.write("solvers/finder.py", reading(way))
    words.build()
    words.write("data/cache.txt", "something else")

    assert words.build().out.startswith("Nothing has changed")


def test_a_file_that_figures_read_makes_them_again_and_solves_nothing(words):
    text = WAYS["file"].replace("open('data/words.txt').read()", "'it'")
    table = "open('data/words.txt').read()"
    figures = f"def figure_words():\n    return Table('Words', (Column('word', ({table},)),), 'All.')\n"
    words.write("solvers/finder.py", f"{text}\n\n{figures}")
    words.post("{{ figure(results.mine.figures.words) }}\n", front=MINE)
    words.build()

    words.write(WORDS, "second")
    ran = words.build("--explain")

    assert "second" in words.page("posts/ruin/index.html")
    assert f"content/posts/ruin.md\n  figures mine: run, data file {WORDS} changed\n" in ran.out
    assert "  solve mine" not in ran.out
    assert "  checks mine" not in ran.out


def test_a_file_that_checks_read_checks_again_and_solves_nothing(words):
    text = WAYS["file"].replace("open('data/words.txt').read()", "'it'")
    check = "def check_one():\n    return {'half': int(open('data/one.txt').read())}\n"
    words.write("solvers/finder.py", f"{text}\n\n{check}")
    words.write("data/one.txt", "1")
    words.build()

    words.write("data/one.txt", "2")
    ran = words.build(status=1)

    assert "solver 'finder' failed check_one (one) in run 'mine': half: it should be 2, and is 1" in ran.err


def test_a_file_counts_for_each_point_of_a_sweep(words):
    sweep = MINE.replace("finder,", "finder, sweep: {goal: [2, 3, 4]}, keep: [names],")
    words.post("Found: {{ results.mine.names[2].found }}.\n", front=sweep)
    words.build()
    words.write(WORDS, "second")
    again = words.build()
    second = found(words)
    words.write(WORDS, "first")
    back = words.build()

    assert (second, found(words)) == ("second", "first")
    assert anew(again)[0] == 3
    assert anew(back)[0] == 0


def test_a_file_outside_of_the_project_counts_too_and_is_warned_of(words, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "words.txt"
    outside.write_text("far")
    words.write("solvers/finder.py", reading(f"found = open({str(outside)!r}).read()"))
    ran = words.build()
    first = found(words)
    outside.write_text("away")
    words.build()

    assert (first, found(words)) == ("far", "away")
    warning = f"solver 'finder' reads {outside}, which lies outside of the project: another machine will not have it\n"
    assert ran.err.count(warning) == 1
    words.write("solvers/finder.py", WAYS["file"])
    assert "outside" not in words.build().err


def test_a_solver_that_uses_the_network_is_told_its_line_and_what_to_do(words):
    way = "from urllib.request import urlopen\n    found = urlopen('http://127.0.0.1:9/').read()"
    words.write("solvers/finder.py", reading(way))
    line = next(n for n, text in enumerate(reading(way).splitlines(), 1) if "found = urlopen" in text)

    ran = words.build(status=1)

    where = f"solver 'finder' failed in run 'mine': solvers/finder.py:{line}: "
    assert f"{where}it uses the network, which may answer otherwise tomorrow\n" in ran.err
    assert "    mend: save what it needs in a file beside the solver, and read that\n" in ran.err


OPTIONAL = """try:
        import thing
        found = thing.value
    except ImportError:
        found = 'without'"""


def install(folder, version, value):
    """A library in a folder, as an installer leaves it."""
    for old in folder.glob("*.dist-info"):
        for file in old.iterdir():
            file.unlink()
        old.rmdir()
    info = folder / f"thing-{version}.dist-info"
    info.mkdir()
    (folder / "thing.py").write_text(f"value = {value!r}\n", "utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: thing\nVersion: {version}\n", "utf-8")
    (info / "RECORD").write_text("thing.py,,\n", "utf-8")


def test_an_optional_library_that_is_installed_later_or_upgraded_solves_its_users_again(words, tmp_path_factory):
    folder = tmp_path_factory.mktemp("libraries")
    path = f"{ROOT}:{folder}"
    words.write("solvers/finder.py", finding(OPTIONAL))
    words.build(PYTHONPATH=path)
    seen = [found(words)]

    for version, value in (("1.0", "one"), ("1.1", "two")):
        install(folder, version, value)
        words.build(PYTHONPATH=path)
        seen.append(found(words))

    assert seen == ["without", "one", "two"]


def test_a_library_that_is_installed_to_be_edited_counts_by_the_files_that_were_imported(words, tmp_path_factory):
    folder = tmp_path_factory.mktemp("libraries")
    thing, path = folder / "thing", f"{ROOT}:{folder}"
    thing.mkdir()
    (thing / "__init__.py").write_text("from thing.inner import value\n")
    (thing / "unused.py").write_text("")
    seen = []
    words.write("solvers/finder.py", finding(OPTIONAL))
    for value in ("one", "two two"):
        (thing / "inner.py").write_text(f"value = {value!r}\n")
        subprocess.run([sys.executable, "-m", "compileall", "-q", thing], check=True)  # as an import by others does
        told = words.build(PYTHONPATH=path)
        seen.append(found(words))
        assert "outside of the project" not in told.err

    (thing / "unused.py").write_text("value = 'three'\n")
    assert seen == ["one", "two two"]
    assert words.build(PYTHONPATH=path).out.startswith("Nothing has changed")
