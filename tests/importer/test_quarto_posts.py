"""Posts of Quarto: front matter, callouts, cells, cross-references, divs, shortcodes."""

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
        (f"{FRONT}categories: two words\n", f"{FRONT}tags: two words\n"),
        (f"{FRONT}subtitle: How far?\n", f"{FRONT}summary: How far?\n"),
        (f"{FRONT}draft: true\n", f"{FRONT}draft: true\n"),
        (f"{FRONT}date-modified: 2020-03-04\n", f"{FRONT}updated: 2020-03-04\n"),
        (f"{FRONT}author: [Ann, Bob]\n", f"{FRONT}author: 'Ann, Bob'\n"),
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
        ("::: {.proof}\nClear.\n:::", '!!! note "Proof"\n    Clear.'),
        ('::: {.content-visible when-format="html"}\nA\n:::', "A"),
        ('::: {.content-hidden unless-format="html"}\nA\n:::', "A"),
        ("B\n\n::: {#refs}\n:::", "B"),
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
        (
            '::: {.content-visible when-format="pdf"}\nA\n:::',
            "",
            "the div .content-visible when-format=pdf; left out, with the text inside it",
        ),
        (
            "::: {.callout-note icon=false}\nA\n:::",
            "!!! note\n    A",
            "{icon=false} cannot be given to a note; left out",
        ),
        ("::: {.callout-note}\nA", "!!! note\n    A", "this div is never closed; it is closed where the text ends"),
        (":::", "", "::: closes no div; left out"),
        ("A [b]{.big} c", "A b c", "{.big} cannot be given to words; left out"),
        (
            "A [b](https://b.example/){.big}",
            "A [b](https://b.example/)",
            "{.big} cannot be given to a link or an image; left out",
        ),
        ("A `b`{.python}", "A `b`", "{.python} cannot be given to code within a line; left out"),
        ("A `{python} x + 1`", "A `x + 1`", "the expression x + 1 is not run; it stands as code"),
        ("A `r mean(x)`", "A `mean(x)`", "the expression mean(x) is not run; it stands as code"),
        (r"A `\b`{=latex}", "A ", r"text in latex, \b; left out"),
        ("```{=latex}\n\\newpage\n```", "", "a block in latex; left out"),
        (r"\newpage", "", r"\newpage, which is for paper; left out"),
        ("A [@knuth, p. 3]", "A [@knuth, p. 3]", "the citation @knuth; its sign stands as text"),
        ("A @fig-none.", "A @fig-none.", "there is no fig-none in this file; its sign stands as text"),
        (
            "+---+\n| a |\n+---+",
            "```\n+---+\n| a |\n+---+\n```",
            "a table that is drawn with lines; it stands as text in a code block",
        ),
        ("A {{< include _b.qmd >}}", "A ", "the shortcode include _b.qmd; left out; write in Markdown what it showed"),
        ("A {{< fa star >}}", "A ", "the shortcode fa; left out; write in Markdown what it showed"),
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
    assert notes == [
        "a.qmd:5: the option fig-width of a cell; left out",
        "a.qmd:5: 2 cells of code; not run: the code stands as text, without its outputs",
        "a.qmd:11: the option out-width of a cell; left out",
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "```{r, fig.cap='A, b'}\nx\n```",
        '```{python}\n#| fig-cap: "A, b"\nx\n```',
        "```{python}\n#| fig-cap: >\n#|   A,\n#|   b\nx\n```",
    ],
)
def test_captions_of_cells_are_read_in_all_forms(project, cell):
    _, body, _ = imported(project, f"{cell}\n")

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


def test_a_diagram_is_its_source(project):
    _, body, notes = imported(project, "```{mermaid}\n%%| label: x\na --> b\n```\n")

    assert body == "```mermaid\na --> b\n```"
    assert notes == ["a.qmd:5: a diagram of mermaid is not drawn here; its source stands as code"]


# cross-references


@pytest.mark.parametrize(
    ("said", "link"),
    [
        ("@eq-sum", 'Equation <a href="#eq:sum" aria-label="Equation (1)">(1)</a>'),
        ("[-@eq-sum]", '<a href="#eq:sum"'),
        ("[that](#eq-sum)", '<a href="#eq:sum">that</a>'),
        ("@fig-x", '<a href="#fig-x">Figure 1</a>'),
        ("[Fig. @fig-x]", '<a href="#fig-x">Fig. 1</a>'),
        ("[-@fig-x]", '<a href="#fig-x">1</a>'),
        ("[@fig-x; @tbl-t]", '<a href="#fig-x">Figure 1</a>, <a href="#tbl-t">Table 1</a>'),
        ("@sec-rules", '<a href="#sec-rules">Section “Rules”</a>'),
        ("@tbl-t", '<a href="#tbl-t">Table 1</a>'),
        ("@thm-p", '<a href="#thm-p">Theorem 1</a>'),
        ("@lst-l", '<a href="#lst-l">Listing 1</a>'),
        ("@fig-sub", '<a href="#fig-sub">Figure 2 (a)</a>'),
        ("a@fig-x.example", "a@fig-x.example"),
        ("`@fig-x`", "<code>@fig-x</code>"),
    ],
)
def test_references_are_links_to_what_they_name(project, said, link):
    targets = (
        "## Rules {#sec-rules}\n\n$$\na\n$$ {#eq-sum}\n\n![A walk](x.png){#fig-x}\n\n"
        "| a |\n|---|\n| b |\n\n: Odds {#tbl-t}\n\n::: {#thm-p}\n## P\nc\n:::\n\n"
        '```{#lst-l .python lst-cap="L"}\nd\n```\n\n'
        "::: {#fig-two}\n![One](x.png){#fig-sub}\n\nTwo\n:::\n"
    )

    _, _, notes = imported(project, f"See {said} here.\n\n{targets}")
    project.build()

    assert f"<p>See {link}" in project.page("posts/a/index.html")
    assert notes == []


@pytest.mark.parametrize(
    "table",
    [
        "| a |\n|---|\n| b |\n\n: Odds {#tbl-t}",
        "| a |\n|---|\n| b |\n: Odds {#tbl-t}",
        "Table: Odds {#tbl-t}\n\n| a |\n|---|\n| b |",
    ],
)
def test_a_caption_above_or_below_belongs_to_the_table(project, table):
    _, body, _ = imported(project, f"Text.\n\n{table}\n\n: no caption\n")

    caption = '<figcaption markdown="span">Table 1: Odds</figcaption>'
    assert body.startswith(f'Text.\n\n<figure markdown="1" id="tbl-t">\n\n| a |\n|---|\n| b |\n\n{caption}\n</figure>')


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("```{python}\nword", "```python\nword\n```"),
        ("::: {.callout-note}\n::: {.callout-tip}\nword\n:::", "!!! note\n    !!! tip\n        word"),
    ],
)
def test_what_is_never_closed_ends_with_the_text_and_is_listed_once(project, said, kept):
    _, body, notes = imported(project, f"{said}\n")

    assert body == kept
    assert [note for note in notes if "never closed" in note] == [
        f"a.qmd:5: this {'fence' if '`' in said else 'div'} is never closed; it is closed where the text ends"
    ]


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("> A\n>\n> ```{python}\n> x\n> ```", "> A\n>\n> ```python\n> x\n> ```"),
        ("> ::: {.callout-note}\n> A\n> :::", "> !!! note\n>     A"),
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
    assert notes == ["a.qmd:5: {width=50%} cannot be given to an image; left out"]


def test_a_figure_in_a_note_keeps_caption_and_anchor(project):
    _, body, _ = imported(project, "::: {.callout-note}\n![A walk](x.png){#fig-x}\n:::\n\n@fig-x\n")
    project.build()

    assert body == (
        '!!! note\n    ![A walk](x.png)\n\n    <span id="fig-x"></span>Figure 1: A walk\n\n[Figure 1](#fig-x)'
    )


def test_a_label_of_a_formula_that_ends_in_a_comment_is_no_part_of_it(project):
    assert imported(project, "$$a % b$$ {#eq-x}\n")[1] == r"$$\label{eq:x} a$$"


# Markdown


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("Costs $5 or $10, and $x + 1$.", "Costs \\$5 or \\$10, and $x + 1$."),
        ("H~2~O, x^2^, [a]{.mark}", "H<sub>2</sub>O, x<sup>2</sup>, <mark>a</mark>"),
        ("A^[Of *b*.] and c[^d].\n\n[^d]: D.", "A[^inline-1] and c[^d].\n\n[^d]: D.\n\n[^inline-1]: Of *b*."),
        ("A\\\nB", "A  \nB"),
        ("`<b>A</b>`{=html} \\(x\\)", "<b>A</b> &#40;x&#41;"),
        ("```{=html}\n<p>A</p>\n```", "<p>A</p>"),
        ("## B {#c .unnumbered .d}", "## B {: #c .d }"),
        ("{{< meta title >}} {{< kbd Ctrl C >}}", "A <kbd>Ctrl C</kbd>"),
        ("{{< video x.png >}}", '<video controls src="x.png"></video>'),
        ("`{{{< meta title >}}}`", "`{{< meta title >}}`"),
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
    project.write("old/_part.qmd", "Text.\n")

    ran = project.run("import", "old")
    project.build()

    assert '<a href="../two/#my.rules">two</a>' in project.page("posts/one/index.html")
    reason = "Quarto makes no page of a file whose path has a name that begins with _"
    assert ran.out.splitlines()[0] == f"old/_part.qmd: {reason}; not imported"
