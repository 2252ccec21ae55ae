"""Plain Markdown files and folders of them become posts: titles, dates, task lists, alerts."""

import pytest

from tests.conftest import few
from tests.support.visible_text import visible_text


def post(project, name):
    return (project.root / f"content/posts/{name}").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("# Two *stones*\n\nText.\n", "title: Two stones\n---\nText.\n"),
        ("Two stones\n===\n\n## Rules\n\nText.\n", "title: Two stones\n---\n## Rules\n\nText.\n"),
        (
            "![a](data:image/png;base64,AA==)\n\n# [A](b.md) game\nText.\n",
            "title: A game\n---\n![a](data:image/png;base64,AA==)\n\nText.\n",
        ),
        ("## First\n\n## Second\n", "title: First\n---\n## Second\n"),
        ("Text.\n\n# Late\n", "title: A\n---\nText.\n\n## Late\n"),
        ("---\ntitle: Own\n---\n# Own\n\n## Rules\n", "title: Own\n---\n## Rules\n"),
        ("---\ntitle: Own\n---\n# Other\n\nText.\n", "title: Own\n---\n## Other\n\nText.\n"),
        ("~~~\n# a comment\n~~~\n", "title: A\n---\n~~~\n# a comment\n~~~\n"),
    ],
)
def test_the_first_heading_is_the_title_unless_front_matter_has_one(project, text, becomes):
    project.write("2020-01-02-a.md", text)

    project.run("import", "2020-01-02-a.md")

    assert post(project, "2020-01-02-a.md") == f"---\n{becomes}"


@pytest.mark.parametrize(
    ("name", "front", "options", "target", "date"),
    few(
        ("2020-01-02-a.md", "", (), "2020-01-02-a.md", ""),
        ("2020-01-02_a.md", "", (), "2020-01-02-a.md", ""),
        ("2020-01-02 a.md", "", (), "2020-01-02-a.md", ""),
        ("2020-01-02.md", "", (), "2020-01-02.md", "date: 2020-01-02\n"),
        ("a.md", "date: 2020-01-02", (), "a.md", "date: 2020-01-02\n"),
        ("a.md", "", ("--date", "2020-01-02"), "a.md", "date: 2020-01-02\n"),
    ),
)
def test_the_date_is_that_of_the_name_of_front_matter_or_of_the_command(project, name, front, options, target, date):
    project.write(name, f"---\ntitle: A title\n{front}\n---\nText.\n" if front else "# A title\n\nText.\n")

    project.run("import", name, *options)
    project.build()

    assert post(project, target).count(date or "title:") == 1
    assert "2 January 2020" in visible_text(
        project.page(f"posts/{target.removesuffix('.md').removeprefix('2020-01-02-')}/index.html")
    )


def test_a_folder_of_files_that_link_to_each_other_is_imported_with_its_images(project):
    project.write("notes/2020-01-02-a.md", "# First\n\n[second](sub/b.md#rules) ![x](images/x.png)\n")
    project.write("notes/sub/b.md", "# Second\n\n## Rules\n\n[first](../2020-01-02-a.md)\n")
    project.write("notes/2020-03-04-folder/index.md", "# Third\n\n![y](y.png)\n")
    for image in ("images/x.png", "2020-03-04-folder/y.png"):
        project.write(f"notes/{image}", "picture")

    project.run("import", "notes", "--date", "2021-01-01")
    project.build()

    assert '<a href="../b/#rules">second</a>' in project.page("posts/a/index.html")
    assert '<a href="../a/">first</a>' in project.page("posts/b/index.html")
    assert {"posts/2020-01-02-a/images/x.png", "posts/2020-03-04-folder/y.png"} <= project.files().keys()
    assert 'src="../2020-03-04-folder/y.png"' in project.page("posts/folder/index.html")


@pytest.mark.parametrize(
    ("text", "html"),
    few(
        ("- [ ] weigh\n- [x] think", "disabled checked/> think</li>"),
        ("> [!NOTE]\n> Only *two*\n> stones.", '<p class="admonition-title">Note</p>\n<p>Only <em>two</em>'),
        ("> [!tip]- Why\n> Because.", '<details class="tip">\n<summary>Why</summary>'),
        ("> [x] is\n> quoted", "<p>[x] is\nquoted</p>"),
        ("Text\n- a\n  - b", "<ul>\n<li>a<ul>\n<li>b</li>"),
        ("~~gone~~, ==x==, one\\\ntwo", "<del>gone</del>, <mark>x</mark>, one<br>\ntwo"),
        ("See https://a.example/b.", 'See <a href="https://a.example/b">'),
        ("#hashtag", "<p>#hashtag</p>"),
    ),
)
def test_markdown_of_github_is_on_the_page_what_it_is_there(project, text, html):
    project.write("2020-01-02-a.md", f"# A\n\n{text}\n")

    ran = project.run("import", "2020-01-02-a.md")
    project.build()

    assert html in project.page("posts/a/index.html")
    assert ran.out == "Imported 1 post into content/\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [('{:start="3"}\n- a', 3), ('{:start="x"}\n1. a', 3), ('{:start="3"}\n\nText.', 3)],
)
def test_the_first_number_of_a_list_in_an_attribute_list_is_listed(project, text, line):
    project.write("2020-01-02-a.md", f"# A\n\n{text}\n")

    ran = project.run("import", "2020-01-02-a.md")

    assert f"2020-01-02-a.md:{line}: {{:start=" in ran.out
    assert "start" not in post(project, "2020-01-02-a.md")


@pytest.mark.parametrize(
    "said", ["![x](https://a.example/x.png)", '<iframe src="https://a.example/7"></iframe>', "[a](https://a.example/)"]
)
def test_addresses_on_other_hosts_stay(project, said):
    project.write("a.md", f"# A\n\n{said}\n")

    project.run("import", "a.md", "--date", "2026-01-01")

    assert post(project, "a.md").endswith(f"---\n{said}\n")
