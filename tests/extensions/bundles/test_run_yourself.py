"""`{{ run_yourself(run) }}` in a post: its words and its file."""

import re
from zipfile import ZipFile

import pytest

TEXT = "A text.\n\n{{ run_yourself(results.fair) }}\n"


def test_a_bundle_is_fetched_and_run_by_one_line(project):
    project.post(TEXT)

    project.build()

    page = project.page("posts/ruin/index.html")
    assert '<a href="gamblers_ruin-fair.zip" download>gamblers_ruin-fair.zip</a>' in page
    command = re.search(r'<pre class="command"><code>(.*?)</code>', page)[1].replace("&amp;", "&")
    assert command == (
        "unzip gamblers_ruin-fair.zip && cd gamblers_ruin-fair && pip install -r requirements.txt && python run.py"
    )
    with ZipFile(project.root / "_site/posts/ruin/gamblers_ruin-fair.zip") as archive:
        assert b"half = 1/2\n" in archive.read("gamblers_ruin-fair/expected.txt")
    assert re.search(r"https://[^ ]*/posts/ruin/gamblers_ruin-fair.zip", project.page("feed.xml"))


def test_a_setting_leads_to_the_file_of_the_post_and_a_build_with_its_parameter_has_its_own(project):
    front = "runs:\n  fair: {solver: gamblers_ruin}\nturn: [{set: {gamblers_ruin.goal: 4}}]\n"
    project.post(TEXT, front=front)
    project.build()

    words = "gamblers_ruin-fair.zip</a> has the solver, its parameters as published and the answer"
    assert words in project.page("posts/ruin/index.html")
    assert f'<a href="../gamblers_ruin-fair.zip" download>{words}' in project.page("posts/ruin/4/index.html")
    assert _goal(project) == b"'goal': 20"
    project.build("--set", "gamblers_ruin.goal=4")
    assert _goal(project) == b"'goal': 4"


def _goal(project):
    with ZipFile(project.root / "_site/posts/ruin/gamblers_ruin-fair.zip") as archive:
        return re.search(rb"'goal': \d+", archive.read("gamblers_ruin-fair/parameters.py"))[0]


def test_a_sweep_is_no_answer_to_repeat(project):
    front = "runs:\n  fair: {solver: gamblers_ruin, sweep: {goal: [2, 3]}, keep: [half]}\n"
    project.post("{{ run_yourself(results.fair) }}\n", front=front)

    assert "the run 'fair' is a sweep, and no single answer to repeat" in project.build(status=1).err


@pytest.mark.deep
def test_a_docstring_of_the_solver_is_part_of_the_file_and_solves_nothing(project):
    project.post(TEXT)
    project.build()
    solver = project.root / "solvers/gamblers_ruin.py"
    project.write("solvers/gamblers_ruin.py", solver.read_text("utf-8").replace('"""', '"""Ruin. ', 1))

    ran = project.build("--explain")

    assert "solve fair" not in ran.out
    with ZipFile(project.root / "_site/posts/ruin/gamblers_ruin-fair.zip") as archive:
        code = next(name for name in archive.namelist() if name.endswith("solvers/gamblers_ruin.py"))
        assert b'"""Ruin. ' in archive.read(code)


@pytest.mark.deep
def test_the_look_of_a_bundle_is_loaded_by_the_pages_that_have_one_alone(project):
    project.post(TEXT)
    project.write("content/posts/plain.md", "---\ntitle: Plain\ndate: 2026-01-01\n---\nText.\n")

    project.build()

    (style,) = [name for name in project.files() if name.endswith("bundle.css")]
    assert ".bundle" in project.page(style)
    assert style in project.page("posts/ruin/index.html")
    assert "bundle.css" not in project.page("posts/plain/index.html")
    theme = [name for name in project.files() if name.endswith(".css") and name != style]
    assert not any(".bundle" in project.page(name) for name in theme)
