"""Posts of Quarto: front matter, callouts, cells, cross-references, divs, shortcodes."""

from html import unescape

import pytest

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
        (f"{FRONT}author: [Ann, Bob]\n", f"{FRONT}author: Ann, Bob\n"),
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
            "summary: D\nextra:\n  subtitle: S\n",
            "a.qmd:4: front matter: subtitle not known here; kept under extra:",
        ),
        (
            "format:\n  html:\n    toc: true\n",
            "extra:\n  format:\n    html:\n      toc: true\n",
            "a.qmd:4: front matter: format not known here; kept under extra:",
        ),
        (
            "author:\n  - name: Ann\n    orcid: 1\n",
            "author: Ann\n",
            "a.qmd:4: front matter: more of the author than a name; the name is kept",
        ),
    ],
)
def test_keys_without_a_place_here_are_kept_and_listed(project, line, settings, note):
    assert imported(project, "Text.\n", FRONT + line) == (FRONT + settings, "Text.", [note])


def test_a_date_that_quarto_fills_in_is_that_of_the_command(project):
    project.write("a.qmd", "---\ntitle: A\ndate: today\n---\nText.\n")

    ran = project.run("import", "a.qmd", "--date", "2020-01-02")

    assert (project.root / "content/posts/a.md").read_text("utf-8") == f"---\n{FRONT}---\nText.\n"
    assert ran.out.startswith("a.qmd:3: the date 'today' is none here; written as 2020-01-02\n")


# callouts and other divs


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("::: {.callout-note}\nA *b*\n:::", "!!! note\n    A *b*"),
        ('::: {.callout-tip title="Mind"}\nA\n\n- b\n:::', '!!! tip "Mind"\n    A\n\n    - b'),
        ("::: {.callout-warning}\n## Mind *it*\n\nA\n:::", '!!! warning "Mind *it*"\n    A'),
        ('::: {.callout-caution collapse="true"}\nA\n:::', '??? caution "Caution"\n    A'),
        ("::: callout-important\nA\n:::\nMore", "!!! important\n    A\n\nMore"),
        ("::: {.callout-note}\n$$\na\n$$\n\n```\n:::\n```\n:::", "!!! note\n    $$a$$\n\n    ```\n    :::\n    ```"),
        (
            ":::: {.callout-note}\nA\n\n::: {.callout-tip}\nB\n:::\n::::",
            "!!! note\n    A\n\n    !!! tip\n        B",
        ),
        ("- a\n\n  ::: {.callout-tip}\n  b\n  :::\n- c", "- a\n\n    !!! tip\n        b\n\n- c"),
    ],
)
def test_divs_become_notes_and_folds(project, said, becomes):
    _, body, notes = imported(project, f"Text.\n\n{said}\n")
    project.build()

    assert body == f"Text.\n\n{becomes}"
    assert [note for note in notes if not note.endswith("the text inside it stays")] == []


@pytest.mark.parametrize(
    ("said", "becomes", "note"),
    [
        ("::: {.column-margin}\nA\n:::", "A", "the div .column-margin; left out; the text inside it stays"),
        (
            ':::: {.columns}\n::: {.column width="40%"}\nA\n:::\n::::',
            "A",
            "the div .columns; left out; the text inside it stays",
        ),
        (":::", ":::", "the div :::; it stands as text; write in Markdown what it showed"),
        ("A [b]{.big} c", "A [b]{.big} c", "attributes {.big}; they stand as text; delete them"),
        ("A `b`{.python}", "A `b`{.python}", "attributes {.python}; they stand as text; delete them"),
        ("A `{python} x + 1`", "A `{python} x + 1`", "the expression `{python} x + 1`; not run; it stands as code"),
        ("A `r mean(x)`", "A `r mean(x)`", "the expression `r mean(x)`; not run; it stands as code"),
        (
            "```{=latex}\nx\n```",
            "```\nx\n```",
            "the words '{=latex}' after the signs of a fence; only '' is kept",
        ),
        (r"\newpage", r"\newpage", r"\newpage; it stands as text; delete it"),
        ("A [@knuth, p. 3]", "A [@knuth, p. 3]", "the citation [@knuth, p. 3]; it stands as text; write the source"),
        ("A @fig-none.", "A @fig-none.", "the reference @fig-none; it stands as text; nothing here has this label"),
        ("A @thm-p.", "A @thm-p.", "the reference @thm-p; it stands as text; nothing here has this label"),
        (
            "+---+\n| a |\n+---+",
            "+---+\n| a |\n+---+",
            "a table that is drawn with lines; it stands as text; write it with |",
        ),
        (
            "A {{< include _b.qmd >}}",
            "A &#123;{< include _b.qmd >}}",
            "the shortcode include; it stands as text; write in Markdown what it showed",
        ),
        (
            "{{< video https://v.example/a.mp4 >}}",
            "[Video](https://v.example/a.mp4)",
            "the shortcode video is not shown; a link leads to it",
        ),
    ],
)
def test_what_is_lost_is_listed_with_its_line(project, said, becomes, note):
    _, body, notes = imported(project, f"Text.\n\n{said}\n")

    assert body == f"Text.\n\n{becomes}".strip()
    assert notes[0].startswith(("a.qmd:7:", "a.qmd:8:"))
    assert notes[0].partition(": ")[2] == note


# cells


def test_cells_are_code_without_their_options_and_are_listed_as_not_run(project):
    cells = "```{python}\n#| eval: false\n#| fig-width: 5\nprint(1)\n```\n\n```{r setup, out.width=3}\nx\n```"

    _, body, notes = imported(project, f"{cells}\n\n```{{.python}}\ny\n```\n")
    project.build()

    assert body == "```python\nprint(1)\n```\n\n```r\nx\n```\n\n```python\ny\n```"
    assert notes == ["a.qmd:5: 2 cells of code; not run: the code stands as text, without its outputs"]


@pytest.mark.parametrize("caption", ['"A, b"', ">\n#|   A,\n#|   b"])
def test_captions_of_cells_are_read_in_one_line_and_in_several(project, caption):
    _, body, _ = imported(project, f"```{{python}}\n#| fig-cap: {caption}\nx\n```\n")

    assert '<figcaption markdown="span">A, b</figcaption>' in body


@pytest.mark.parametrize("option", ["echo: false", "include: false", "code-fold: true"])
def test_code_that_was_hidden_or_folded_is_in_a_fold(project, option):
    _, body, _ = imported(project, f"```{{python}}\n#| {option}\n#| code-summary: Why\nx\n```\n")

    assert body == '??? details "Why"\n    ```python\n    x\n    ```'


def test_a_cell_that_makes_a_figure_keeps_its_caption_and_is_listed(project):
    _, body, notes = imported(project, '```{python}\n#| label: fig-p\n#| fig-cap: "A *walk*"\nx\n```\n\nSee @fig-p.\n')
    project.build()

    assert "<figcaption>Figure 1: A <em>walk</em></figcaption>" in project.page("posts/a/index.html")
    assert body.endswith("See [Figure 1](#fig-p).")
    assert notes[0] == (
        "a.qmd:5: the figure fig-p that this cell makes; not made: its code and caption stand in its place"
    )


# cross-references


@pytest.mark.parametrize(
    ("said", "link"),
    [
        ("@eq-sum", 'Equation <a href="#eq:sum" aria-label="Equation (1)">(1)</a>'),
        ("[-@eq-sum]", '<a href="#eq:sum"'),
        ("@fig-x", '<a href="#fig-x">Figure 1</a>'),
        ("[-@fig-x]", '<a href="#fig-x">1</a>'),
        ("@sec-rules", '<a href="#sec-rules">Section “Rules”</a>'),
        ("@tbl-t", '<a href="#tbl-t">Table 1</a>'),
        ("a@fig-x.example", '<a href="mailto:a@fig-x.example'),
        ("`@fig-x`", "<code>@fig-x</code>"),
    ],
)
def test_references_are_links_to_what_they_name(project, said, link):
    targets = (
        "## Rules {#sec-rules}\n\n$$\na\n$$ {#eq-sum}\n\n![A walk](x.png){#fig-x}\n\n"
        "| a |\n|---|\n| b |\n\n: Odds {#tbl-t}\n"
    )

    _, _, notes = imported(project, f"See {said} here.\n\n{targets}")
    project.build()

    assert f"<p>See {link}" in unescape(project.page("posts/a/index.html"))
    assert notes == []


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_caption_below_a_table_has_its_number(project, gap):
    _, body, _ = imported(project, f"| a |\n|---|\n| b |\n{gap}: Odds {{#tbl-t}}\n")

    assert body.split() == ["|", "a", "|", "|---|", "|", "b", "|", "<span", 'id="tbl-t"></span>Table', "1:", "Odds"]


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("> A\n>\n> ```{python}\n> x\n> ```", "> A\n>\n> ```python\n> x\n> ```"),
        ("- ```{python}\n  x\n  ```\n- b", "- &nbsp;\n\n    ```python\n    x\n    ```\n\n- b"),
        (
            "- a\n\n  ![A walk](x.png){#fig-x}",
            '- a\n\n    ![A walk](x.png)\n\n    <span id="fig-x"></span>Figure 1: A walk',
        ),
    ],
)
def test_cells_notes_and_figures_in_quotations_and_lists(project, said, becomes):
    _, body, _ = imported(project, f"{said}\n")
    project.build()

    assert body == becomes


def test_divs_that_are_nested_without_end_stay_as_text(project):
    _, body, _ = imported(project, "::: {.proof}\n" * 500 + "word\n")

    assert "word" in body


def test_an_image_of_its_own_is_a_figure_with_its_caption(project):
    _, body, notes = imported(project, '![A *walk*, $n$](x.png){fig-alt="A path" width=50%}\n\nWithin ![b](x.png).\n')
    project.build()

    assert body == (
        '<figure markdown="1">\n![A path](x.png)\n<figcaption markdown="span">A *walk*, $n$</figcaption>\n</figure>\n\n'
        "Within ![b](x.png)."
    )
    assert notes == ["a.qmd:5: width of an image; left out"]


def test_a_figure_in_a_note_keeps_caption_and_anchor(project):
    _, body, _ = imported(project, "::: {.callout-note}\n![A walk](x.png){#fig-x}\n:::\n\n@fig-x\n")
    project.build()

    assert body == (
        '!!! note\n    ![A walk](x.png)\n\n    <span id="fig-x"></span>Figure 1: A walk\n\n[Figure 1](#fig-x)'
    )


# Markdown


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("Costs $5 or $10, and $x + 1$.", "Costs \\$5 or \\$10, and $x + 1$."),
        ("H~2~O, x^2^, ==a==", "H<sub>2</sub>O, x<sup>2</sup>, <mark>a</mark>"),
        ("A^[Of *b*.] and c[^d].\n\n[^d]: D.", "A[^inline-1] and c[^d].\n\n[^d]: D.\n\n[^inline-1]: Of *b*."),
        ("A\\\nB", "A  \nB"),
        ("\\(x\\)", "&#40;x&#41;"),
        ("## B {#c .unnumbered .d}", "## B {: #c .d }"),
    ],
)
def test_markdown_of_quarto_becomes_that_of_posts(project, said, becomes):
    _, body, notes = imported(project, f"Text.\n\n{said}\n")
    project.build()

    assert body == f"Text.\n\n{becomes}"
    assert notes == []


def test_posts_in_folders_link_to_each_other(project):
    project.write("old/one/index.qmd", f"---\n{FRONT}---\n[two](../two.qmd#my.rules)\n")
    project.write("old/two.qmd", f"---\n{FRONT}---\n## My.Rules\n")

    ran = project.run("import", "old")
    project.build()

    assert '<a href="../two/#my.rules">two</a>' in project.page("posts/one/index.html")
    assert ran.out == "Imported 2 posts into content/\n"
