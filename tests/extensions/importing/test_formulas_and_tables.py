"""Formulas, tables and HTML of real blogs of Jekyll and Hugo: what MathJax, kramdown and Goldmark made of them."""

import pytest

from tests.support.visible_text import visible_text

SCRIPT = '<script>MathJax = {tex: {inlineMath: [["$","$"]]}};</script>'


def imported(project, body, name):
    """The text of the post that a post of a blog with single dollars becomes."""
    project.write("old/_layouts/post.html", SCRIPT)
    project.write(f"old/{name}", f"---\ntitle: A\ndate: 2020-01-02\n---\n{body}\n")
    project.run("import", f"old/{name}")
    made = next((project.root / "content/posts").glob("*.md")).read_text("utf-8")
    return made.split("---\n", 2)[2].removesuffix("\n")


def of_jekyll(project, body):
    return imported(project, body, "_posts/2020-01-02-a.md")


def of_hugo(project, body):
    project.write("old/hugo.toml", 'title = "A"')
    return imported(project, body, "content/posts/a.md")


# Escapes that kramdown.gettalong.org/syntax.html lists under "Automatic and Manual Escaping": MathJax gets the signs.
@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        (r"$\|s\|/2$ and $P(A\|B)$", "$|s|/2$ and $P(A|B)$"),
        (r"$x\_1 + y\_2$, $a\*b$", "$x_1 + y_2$, $a*b$"),
        (r"$\\{1, 2\\}$", r"$\{1, 2\}$"),
        (r"$21 \\times 10$", r"$21 \times 10$"),
        (r"$$\|s\|$$ in text", r"$\|s\|$ in text"),
        (
            r"$ \approx 6.90 \times 10^{58} $ and $ = 690 $ and $ x $",
            r"$\approx 6.90 \times 10^{58}$ and $= 690$ and $x$",
        ),
        (r"$21 \times 10 /2 $ here, $5 or $6", r"$21 \times 10 /2$ here, \$5 or \$6"),
        ('$f"(x)$ and $P(“O")$', "$f''(x)$ and $P(“O”)$"),
        ("[top](#top) and [also](#)", "[top](#top) and [also](#)"),
    ],
)
def test_formulas_of_kramdown_in_single_dollars_are_those_that_mathjax_got(project, said, becomes):
    assert of_jekyll(project, said) == becomes


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        (r"$ \alpha + 1 $", r"$\alpha + 1$"),
        ("$F&#95;n$ and $a &lt; b$", "$F_n$ and $a < b$"),
        ("$$\na &amp;= b\n$$", "$$a &= b$$"),
        (r"$2 \\times 3$", r"$2 \times 3$"),
        (r"$\|x\|$", r"$\|x\|$"),
        ("It is $5 so $x_1$ is", r"It is \$5 so $x_1$ is"),
    ],
)
def test_formulas_of_hugo_are_those_that_mathjax_got(project, said, becomes):
    assert of_hugo(project, said) == becomes


@pytest.mark.parametrize(
    ("said", "cells"),
    [
        (
            " | | 2 | 1\n - |  - |  - | \n0 | 5.00 | 4.75\n1 | 4.40 | 4.16",
            ["2", "1", "0", "5.00", "4.75", "1", "4.40", "4.16"],
        ),
        ("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 4 |", ["a", "b", "1", "2", "3", "4"]),
        ("| a | b |\n|---|---|\n| $P(A\\|B)$ | x |", ["a", "b", "P(A|B)", "x"]),
    ],
)
def test_every_cell_of_a_table_is_on_the_page_whatever_the_length_of_its_rows(project, said, cells):
    of_jekyll(project, said)
    project.build()

    page = project.page("posts/a/index.html")
    table = page[page.index("<table") : page.index("</table>")]
    assert visible_text(table).split() == cells


# kramdown.gettalong.org/syntax.html, "Tables": a line of = begins the footer, a further line of - another body.
@pytest.mark.parametrize(("line", "place"), [("|===|===|", ":6"), ("|---|---|", "")])
def test_a_line_between_the_parts_of_a_table_is_left_out_and_listed(project, line, place):
    project.write("2020-01-02-a.md", f"# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n{line}\n| 3 | 4 |\n")

    ran = project.run("import", "2020-01-02-a.md")

    text = (project.root / "content/posts/2020-01-02-a.md").read_text("utf-8")
    assert text.endswith("---\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n")
    assert ran.out.startswith(f"2020-01-02-a.md{place}: a line between the parts of a table; left out\n")


@pytest.mark.parametrize("read", [of_jekyll, of_hugo])
def test_markdown_in_html_blocks_is_read_after_an_empty_line(project, read):
    read(
        project,
        "<details>\n<summary>S</summary>\n\nSome *text* with $x_1$.\n\n- one\n\n</details>\n\n<div>\n\n*b*\n\n</div>",
    )
    project.build()

    page = project.page("posts/a/index.html")
    assert "Some <em>text</em> with" in page
    assert "<li>one</li>" in page
    assert "<em>b</em>" in page


@pytest.mark.parametrize("read", [of_jekyll, of_hugo])
def test_a_link_to_the_top_is_no_error(project, read):
    read(project, "[top](#top)")
    project.build()

    assert '<a href="#top">top</a>' in project.page("posts/a/index.html")


@pytest.mark.parametrize("key", ["publishdate", "publishDate"])
def test_the_date_of_publication_is_the_date_without_another(project, key):
    project.write("old/hugo.toml", 'title = "A"')
    project.write("old/content/posts/a.md", f"---\ntitle: A\n{key}: 2020-03-04\n---\nText.\n")

    project.run("import", "old")

    assert (project.root / "content/posts/a.md").read_text("utf-8").startswith("---\ntitle: A\ndate: 2020-03-04\n---\n")
