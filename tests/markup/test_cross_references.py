"""Numbers of figures and formulas, references to them, and citations.

Expected words: Quarto, "Cross References" (quarto.org/docs/authoring/cross-references.html) and Pandoc's User's Guide,
"Citations", with a numeric style.
"""

from pathlib import Path, PurePosixPath

import pytest

from site_builder.posts.blocks import Body
from site_builder.posts.job import Job
from site_builder.posts.summary import PostSummary
from site_builder.posts.texts.write import write_text
from site_builder.project.config import Limits
from site_builder.project.posts import read_post
from site_builder.values.json_records import from_json
from tests.support.content import HEAD
from tests.support.html import Html

SOURCES = """sources:
  gal: {title: On *games* of $n$ coins, author: S. Gal, date: 2003-05-01, url: "https://example.org/gal"}
  lee: {title: Two piles}
"""


def made(body):
    post = read_post(f"---\n{HEAD}{SOURCES}---\n{body}\n".encode(), PurePosixPath("posts/a.md"), "content/posts/a.md")
    return write_text(Path(), Job(post), Limits())


def body_of(written):
    assert not isinstance(written, list), [str(error) for error in written]
    return from_json(Body, next(data for (kind, _), data in written.entries.items() if kind == "body"))


def html_of(body):
    return Html(body_of(made(body)).html)


def words(body):
    """The first paragraph with text."""
    return next(each.text for each in html_of(body).all("p") if each.text.strip()).replace("\u00a0", " ")


PICTURE = "\n\n![An *elephant*](/a.png){#fig-elephant width=200}\n"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("See @fig-elephant.", "See Figure 1."),
        ("See [Fig. @fig-elephant] there", "See Fig. 1 there"),
        ("See [-@fig-elephant] there", "See 1 there"),
        (r"A \@fig-elephant and x@fig-elephant", "A @fig-elephant and x@fig-elephant"),
    ],
)
def test_a_reference_has_the_words_that_quarto_gives_it(written, shown):
    assert words(written + PICTURE) == shown


def test_a_numbered_picture_is_a_figure_with_its_caption():
    html = html_of(f"See @fig-elephant.{PICTURE}\n\n![](/b.png){{#fig-other}}")

    figures = html.all("figure")
    assert [each.attributes["id"] for each in figures] == ["fig-elephant", "fig-other"]
    assert [each.text for each in html.all("figcaption")] == ["Figure 1: An elephant", "Figure 2"]
    assert [each.attributes["alt"] for each in html.all("img")] == ["An elephant", ""]
    assert html.all("img")[0].attributes["width"] == "200"
    assert html.all("em")[0].text == "elephant"


def test_a_formula_is_numbered_by_a_label_behind_it():
    body = (
        "See @eq-sum, [again](#eq-sum).\n\n$$a$$ {#eq-sum}\n\n$$b \\label{eq:other}$$\n\n@eq-other and \\eqref{eq-sum}"
    )

    assert words(body) == "See Equation 1, again."
    assert html_of(body).all("p")[-1].text.replace("\u00a0", " ") == "Equation 2 and (1)"


def test_a_drawn_figure_is_numbered_among_the_pictures(project):
    drawn = '{{ figure(curve([1, 2], [3, 4], title="A", across_label="x", up_label="y")) }} {#fig-curve}'
    project.post(f"See @fig-curve and @fig-elephant.\n\n{drawn}\n\n![B](/b.svg){{#fig-elephant}}")
    project.write("content/b.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')

    project.build()

    page = Html(project.page("posts/ruin/index.html"))
    assert [each.attributes["id"] for each in page.all("figure", **{"class": "figure"})] == [
        "fig-curve",
        "fig-elephant",
    ]
    assert [each.text for each in page.all("span", **{"class": "figure-number"})] == ["Figure 1:", "Figure 2:"]
    assert "See Figure 1 and Figure 2." in page.all("main")[0].text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Known [@gal].", "Known [1]."),
        ("Known [see @lee, pp. 33-35; also @gal].", "Known [see 1, pp. 33-35; also 2]."),
        ("Known [@lee, p. 3; p. 5].", "Known [1, p. 3; p. 5]."),
        ("As @gal says, and @lee.", "As S. Gal [1] says, and [2]."),
        ("A mail to a@gal.org, `@gal`, @someone, [@other](/).", "A mail to a@gal.org, @gal, @someone, @other."),
    ],
)
def test_a_citation_has_the_number_of_its_source(written, shown):
    assert words(written) == shown


def test_the_references_stand_at_the_end_in_the_order_of_their_numbers():
    html = html_of("First [@lee], then [@gal], again [@lee].")

    (listed,) = html.all("section", **{"class": "references"})
    assert [each.text for each in html.all("li")] == ["Two piles.", "S. Gal. On *games* of n coins. 2003."]
    assert [each.attributes["id"] for each in html.all("li")] == ["ref-lee", "ref-gal"]
    assert [each.text for each in html.all("a", role="doc-biblioref")] == ["1", "2", "1"]
    assert html.all("h2")[0].text == "References#"
    assert listed.text.split() == ["Two", "piles.", "S.", "Gal.", "On", "*games*", "of", "n", "coins.", "2003."]


def test_references_go_below_a_heading_with_which_the_text_ends():
    # Pandoc, "Placement of the bibliography": at the end of the document, below its last heading.
    notes = "\n\n[^1]: A note.\n\n    More of it.\n[x]: https://example.org\n"
    for end in ("## Read on", "Read on\n-------\n", f"## Read on{notes}"):
        html = html_of(f"Known [@gal][^1].\n\n{end}" + ("" if notes in end else notes[:18]))

        assert [each.text for each in html.all("h2")] == ["Read on#"]


def test_the_list_of_references_is_in_the_table_of_contents():
    written = made("## One\n\nKnown [@gal].")

    assert [each.title for each in body_of(written).headings] == ["One", "References"]
    assert "references" not in from_json(PostSummary, made("## One").summary).anchors


@pytest.mark.parametrize(
    ("body", "message", "cure"),
    [
        (f"See @fig-elefant.{PICTURE}", "no figure has the label 'fig-elefant'", "did you mean 'fig-elephant'?"),
        ("Known [@gall].", "no source is named 'gall'", "did you mean 'gal'?"),
        ("See @tbl-wins.", "no table has the label 'tbl-wins'", "[words](#anchor)"),
        ("See @eq-no.", "no formula has the label 'eq-no'", "{#eq-no}"),
        ("Words {#fig-x}", "a label of a figure stands behind no figure", "alone on its line"),
        (f"A{PICTURE}{PICTURE}", "the label fig-elephant is given twice", "another label"),
    ],
)
def test_a_reference_that_leads_nowhere_is_an_error_at_its_line(body, message, cure):
    (error,) = made(body)

    assert error.message == message
    assert cure in error.cure
    assert error.place.line == 13 if "twice" in message else 8


def test_a_link_in_a_heading_is_words_in_the_contents():
    written = made("## By @eq-sum and [words](/)\n\n$$a$$ {#eq-sum}")

    assert [each.title for each in body_of(written).headings] == ["By Equation&nbsp;1 and words"]


@pytest.mark.parametrize(
    ("written", "shown"), [("[@eq-sum]", "Equation 1"), ("[Eq. @eq-sum]", "Eq. 1"), ("-@eq-sum", "1")]
)
def test_brackets_around_a_reference_to_a_formula_are_those_of_quarto(written, shown):
    assert words(f"See {written} here.\n\n$$a$$ {{#eq-sum}}") == f"See {shown} here."
