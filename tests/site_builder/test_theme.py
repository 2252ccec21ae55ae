"""Templates by name: what each of them uses, so that a change of that is noticed."""

import pytest

from site_builder.errors import SiteError
from site_builder.theme import Theme


def theme(folder, templates):
    """A theme of these texts by name; the digest of a file is its text."""
    for name, text in templates.items():
        (folder / "templates" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "templates" / name).write_text(text, "utf-8")
    return Theme(folder, dict(templates), lambda key, find: find())


@pytest.mark.parametrize("included", ["note.txt", "part.html", "assets/icon.svg", "parts/deep.j2"])
@pytest.mark.parametrize("written", ['{% include "NAME" %}', '{% include "./NAME" %}', "{% include which %}"])
def test_a_template_is_another_when_a_file_of_any_kind_that_it_includes_is(tmp_path, included, written):
    texts = {"post.html": written.replace("NAME", included), "other.html": "Other.", included: "One."}

    one = theme(tmp_path, texts).digests
    two = theme(tmp_path, {**texts, included: "Two."}).digests

    assert one["template post.html"] != two["template post.html"]
    assert one["template other.html"] == two["template other.html"]


def test_a_template_is_another_when_a_file_comes_that_it_would_include(tmp_path):
    texts = {"post.html": '{% include "note.txt" ignore missing %}'}

    one = theme(tmp_path, texts).digests
    two = theme(tmp_path, {**texts, "note.txt": "Note."}).digests

    assert one["template post.html"] != two["template post.html"]


def test_files_that_no_scan_finds_cannot_be_included(tmp_path):
    made = theme(tmp_path, {"post.html": '{% include ".hidden.html" %}'})
    (tmp_path / "templates" / ".hidden.html").write_text("Hidden.", "utf-8")

    with pytest.raises(SiteError, match=r"templates/post\.html:1: TemplateNotFound: \.hidden\.html"):
        made.render("post.html", {}, set())
