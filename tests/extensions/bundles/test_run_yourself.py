"""`{{ run_yourself(run) }}` in a post: its words, its file, and that the file is checked before it is published."""

import re
from zipfile import ZipFile

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


def test_an_edit_of_the_text_checks_no_bundle_again(project):
    project.post(TEXT)
    project.build()
    project.post(TEXT.replace("A text", "Another text"))

    ran = project.build("--explain")

    assert "file gamblers_ruin-fair.zip: reused" in ran.out


def test_a_sweep_is_no_answer_to_repeat(project):
    front = "runs:\n  fair: {solver: gamblers_ruin, sweep: {goal: [2, 3]}, keep: [half]}\n"
    project.post("{{ run_yourself(results.fair) }}\n", front=front)

    assert "the run 'fair' is a sweep, and no single answer to repeat" in project.build(status=1).err
