"""Posts of Quarto: front matter, callouts, cells, cross-references, divs, shortcodes."""

import pytest

from tests.conftest import few

WRITE = "it stands as text; write in Markdown what it showed"
FRONT = "title: A\ndate: 2020-01-02\n"


def imported(project, text, front=FRONT, status=0):
    """The front matter and the text of the post, and what was listed."""
    project.write("a.qmd", f"---\n{front}---\n{text}")
    project.write("x.png", "picture")
    ran = project.run("import", "a.qmd", status=status)
    made = [*(project.root / "content/posts").glob("a.md"), *(project.root / "content/posts").glob("a/index.md")]
    settings, _, body = made[0].read_text("utf-8").removeprefix("---\n").partition("---\n")
    return settings, body.strip(), ran.out.splitlines()[:-1]


# front matter


@pytest.mark.parametrize(
    ("front", "settings"),
    [
        (f"{FRONT}categories: [walks, two words]\n", f"{FRONT}tags: [walks, two words]\n"),
        (f"{FRONT}categories: two words\n", f"{FRONT}tags: [two words]\n"),
        (f"{FRONT}subtitle: How far?\n", f"{FRONT}summary: How far?\n"),
        (f"{FRONT}draft: true\n", f"{FRONT}draft: true\n"),
        (f"{FRONT}date-modified: 2020-03-04\n", f"{FRONT}updated: 2020-03-04\n"),
        (f"{FRONT}author: [Ann, Bob]\n", f"{FRONT}author: [Ann, Bob]\n"),
        ('title: A\ndate: "March 7, 2021"\n', "title: A\ndate: 2021-03-07\n"),
        ("title: A\ndate: 03/07/2021\n", "title: A\ndate: 2021-03-07\n"),
    ],
)
def test_front_matter_of_quarto_becomes_that_of_posts(project, front, settings):
    assert imported(project, "Text.\n", front) == (settings, "Text.", [])


@pytest.mark.parametrize(
    ("line", "settings", "note"),
    [
        (
            "subtitle: S\ndescription: D\n",
            "summary: S\nextra:\n  description: D\n",
            "a.qmd:5: front matter: description not known here; kept under extra:",
        ),
        (
            "format:\n  html:\n    toc: true\n",
            "extra:\n  format:\n    html:\n      toc: true\n",
            "a.qmd:4: front matter: format not known here; kept under extra:",
        ),
    ],
)
def test_keys_without_a_place_here_are_kept_and_listed(project, line, settings, note):
    assert imported(project, "Text.\n", FRONT + line) == (FRONT + settings, "Text.", [note])


def test_a_date_that_quarto_fills_in_is_that_of_the_command(project):
    project.write("a.qmd", "---\ntitle: A\ndate: today\n---\nText.\n")

    ran = project.run("import", "a.qmd", "--date", "2020-01-02")

    assert (project.root / "content/posts/a.md").read_text(
        "utf-8"
    ) == f"---\n{FRONT}extra:\n  date: today\n---\nText.\n"
    assert ran.out.startswith("a.qmd:3: front matter: date not known here; kept under extra:\n")


# what is read as it stands


@pytest.mark.parametrize(
    ("said", "html"),
    few(
        ("::: {.callout-note}\nA *b*\n:::", '<p class="admonition-title">Note</p>\n<p>A <em>b</em></p>'),
        ('::: {.callout-tip title="Mind"}\nA\n:::', '<p class="admonition-title">Mind</p>'),
        ("::: {.callout-warning}\n## Mind *it*\n\nA\n:::", '<p class="admonition-title">Mind <em>it</em></p>'),
        ('::: {.callout-caution collapse="true"}\nA\n:::', "<summary>Caution</summary>"),
        (":::: {.callout-note}\nA\n\n::: {.callout-tip}\nB\n:::\n::::", '<div class="admonition tip">'),
        ("- a\n\n  ::: {.callout-tip}\n  b\n  :::\n- c", '<div class="admonition tip">'),
        ("$$\na\n$$ {#eq-sum}\n\nSee @eq-sum.", '<a href="#eq-sum"'),
        ('![A walk](x.png){#fig-x fig-alt="A path"}\n\nSee @fig-x.', 'See <a href="#fig-x">Figure&nbsp;1</a>'),
        ('![A walk](x.png){#fig-x fig-alt="A path"}', 'alt="A path"'),
        ("H~2~O, x^2^, ==a==", "H<sub>2</sub>O, x<sup>2</sup>, <mark>a</mark>"),
        ("A [b]{.big} `c`{.python}", '<span class="big">b</span> <code class="python">c</code>'),
        ("## B {#c .unnumbered}", '<h2 class="unnumbered" id="c">B'),
        ("```{.python}\nprint()\n```", '<span class="nb">print</span>'),
    ),
)
def test_constructs_of_quarto_that_posts_read_are_on_the_page(project, said, html):
    _, _, notes = imported(project, f"Text.\n\n{said}\n")
    project.build()

    assert html in project.page("posts/a/index.html")
    assert notes == []


# what is listed


@pytest.mark.parametrize(
    ("said", "becomes", "note"),
    [
        ("A^[Of *b*.] c", "A^[Of *b*.] c", f"the note ^[Of *b*.]; {WRITE}"),
        (
            "| a |\n|---|\n| b |\n\n: Odds {#tbl-t}",
            "| a |\n|---|\n| b |\n\n: Odds {#tbl-t}",
            f"the caption {{#tbl-t}}; {WRITE}",
        ),
        ("A `{python} x + 1`", "A `{python} x + 1`", "the expression `{python} x + 1`; not run; it stands as code"),
        ("A `r mean(x)`", "A `r mean(x)`", "the expression `r mean(x)`; not run; it stands as code"),
        (
            "```{=latex}\nx\n```",
            "```\nx\n```",
            "the words '{=latex}' after the signs of a fence; only '' is kept",
        ),
        (r"\newpage", r"\newpage", r"the mark \newpage; it stands as text; write in Markdown what it showed"),
        (
            "+----+\n| a |\n+---+",
            "+----+\n| a |\n+---+",
            f"a table that is drawn with lines; {WRITE}",
        ),
        (
            "A {{< include _b.qmd >}}",
            "A &#123;{< include _b.qmd >}}",
            "the shortcode include; it stands as text; write in Markdown what it showed",
        ),
    ],
)
def test_what_is_lost_is_listed_with_its_line(project, said, becomes, note):
    _, body, notes = imported(project, f"Text.\n\n{said}\n")

    assert body == f"Text.\n\n{becomes}".strip()
    assert notes[0].startswith(("a.qmd:7:", "a.qmd:8:", "a.qmd:11:"))
    assert notes[0].partition(": ")[2] == note


# cells


def test_cells_are_code_without_their_options_and_are_listed_as_not_run(project):
    cells = "```{python}\n#| eval: false\n#| fig-width: 5\nprint(1)\n```\n\n```{r setup, out.width=3}\nx\n```"

    _, body, notes = imported(project, f"{cells}\n\n```{{.python}}\ny\n```\n")
    project.build()

    assert body == "```python\nprint(1)\n```\n\n```r\nx\n```\n\n```python\ny\n```"
    action = "not run: its code stands as text, without outputs"
    assert notes == [f"a.qmd:5: a cell of python; {action}", f"a.qmd:11: a cell of r; {action}"]


def test_an_image_of_its_own_is_a_figure_with_its_caption(project):
    said = '![A *walk*, $n$](x.png){fig-alt="A path" width=50%}\n\nWithin ![b](x.png).\n'

    _, _, notes = imported(project, said)
    project.build()

    page = project.page("posts/a/index.html")
    assert "<figcaption>A <em>walk</em>" in page
    assert 'alt="A path"' in page
    assert page.count("<figure") == 1
    assert notes == []


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("Costs $5 or $10, and $x + 1$.", "Costs \\$5 or \\$10, and $x + 1$."),
        ("> ```{python}\n> x\n> ```", "> ```python\n> x\n> ```"),
        ("\\(x\\)", "&#40;x&#41;"),
    ],
)
def test_markdown_of_quarto_becomes_that_of_posts(project, said, becomes):
    _, body, _ = imported(project, f"Text.\n\n{said}\n")
    project.build()

    assert body == f"Text.\n\n{becomes}"


def test_posts_in_folders_link_to_each_other(project):
    project.write("old/one/index.qmd", f"---\n{FRONT}---\n[two](../two.qmd#my-rules)\n")
    project.write("old/two.qmd", f"---\n{FRONT}---\n## My rules\n")

    ran = project.run("import", "old")
    project.build()

    assert '<a href="../two/#my-rules">two</a>' in project.page("posts/one/index.html")
    assert ran.out == "Imported 2 posts into content/\n"
