"""Numbers of displayed formulas in the text of a post, and references to them."""

import re
from pathlib import Path, PurePosixPath

import pytest

from site_builder.posts.blocks import Body
from site_builder.posts.job import Job
from site_builder.posts.summary import PostSummary
from site_builder.posts.texts.write import write_text
from site_builder.project.config import Limits
from site_builder.project.posts import read_post
from site_builder.site.pages.feed import for_readers
from site_builder.values.json_records import from_json
from tests.support.content import HEAD, errors_in_text
from tests.support.html import Html


def written(body):
    """The text of a post as it is stored."""
    post = read_post(f"---\n{HEAD}---\n{body}".encode(), PurePosixPath("posts/a.md"), "content/posts/a.md")
    made = write_text(Path(), Job(post), Limits())
    assert not isinstance(made, list), [str(error) for error in made]
    return made


def html_of(body):
    (found,) = (data for (kind, _), data in written(body).entries.items() if kind == "body")
    return from_json(Body, found).html


def numbers(body):
    """The anchor and the number of each numbered formula."""
    boxes = [each for each in Html(html_of(body)).elements if each.attributes.get("class") == "equation"]
    return [(box.attributes.get("id"), box.text.rpartition("Equation ")[2]) for box in boxes]


def links(body):
    """The words and the label of each link."""
    return [(each.text, each.attributes.get("aria-label")) for each in Html(html_of(body)).all("a")]


def errors(body):
    return [(str(each.place), each.message, each.cure) for each in errors_in_text(body)]


def test_formulas_with_a_label_are_numbered_in_their_order():
    text = "$$a \\label{eq:a}$$\n\n$$b$$\n\n\\[c \\label{c}\\]\n"

    assert numbers(text) == [("eq:a", "(1)"), ("eq:c", "(2)")]


def test_a_tag_is_the_number_and_no_label_gets_the_same_one():
    text = "$$a \\label{a}$$\n\n$$b \\tag{1}$$\n\n$$c \\tag*{Euler}$$\n\n$$d \\tag{$\\star$}\\label{d}$$"
    text += "\n\n$$e\\label{e}$$"

    assert numbers(text) == [("eq:a", "(2)"), (None, "(1)"), (None, "Euler"), ("eq:d", "(⋆)"), ("eq:e", "(3)")]


def test_a_label_that_stands_behind_no_formula_is_left_to_the_heading_that_has_it():
    assert '<h2 id="eq-a">' in html_of("## Sums {#eq-a}\n\nWords.\n")


@pytest.mark.parametrize("reference", [r"\eqref{eq:a}", r"$\eqref{eq:a}$", r"\(\eqref{eq:a}\)"])
def test_a_reference_is_a_link_to_the_formula(reference):
    text = f"By {reference}, so.\n\n$$a \\label{{eq:a}}$$\n"

    assert links(text) == [("(1)", "Equation (1)")]
    assert "#eq:a" in html_of(text)


def test_a_reference_without_parentheses_shows_the_number_alone():
    assert links("Number \\ref{a\\_1}.\n\n$$a \\label{a_1}$$") == [("1", "Equation 1")]


def test_a_reference_alone_is_a_paragraph_and_a_numbered_formula_is_none():
    assert [each.text for each in Html(html_of("$$a \\label{a}$$\n\n\\eqref{a}")).all("p")] == ["(1)"]


def test_a_reference_in_a_picture_is_its_number_as_text():
    (picture,) = Html(html_of("![By \\eqref{a}](/a.png)\n\n$$a \\label{a}$$")).all("img")

    assert picture.attributes["alt"] == "By (1)"


def test_a_reference_within_a_longer_formula_is_its_number_as_text():
    html = html_of("$x \\overset{\\eqref{a}}{=} y$\n\n$$a \\label{a}$$")

    assert "<mtext>(1)</mtext>" in html
    assert "<a " not in html


def test_a_reference_within_a_link_of_the_author_is_no_second_link():
    assert links("[as \\eqref{a} says](#eq:a)\n\n$$a \\label{a}$$") == [("as (1) says", None)]


def test_the_anchor_of_a_formula_can_be_linked_to_from_other_posts():
    assert "eq:a" in from_json(PostSummary, written("$$a \\label{a}$$").summary).anchors


def test_each_row_with_a_tag_or_a_label_has_its_number_behind_it_where_there_are_several():
    rows = "$$\\begin{align} a &= b \\tag{1}\\label{a} \\\\ c &= d \\\\ e &= f \\label{b} \\tag*{E} \\end{align}$$"
    html = html_of(f"{rows}\n\n\\eqref{{a}} \\eqref{{b}}")

    assert 'alttext="a = b (1); c = d; e = f E"' in html
    assert [each.text.strip() for each in Html(html).all("mtr")] == ["a=b(1)", "c=d", "e=fE"]
    assert {"eq:a", "eq:b"} <= {each.attributes.get("id") for each in Html(html).elements}
    assert links(f"{rows}\n\n\\eqref{{a}} \\eqref{{b}}") == [("(1)", "Equation (1)"), ("(E)", "Equation (E)")]


def test_rows_with_labels_are_numbered_in_their_order_among_the_formulas():
    rows = "$$\\begin{gather} a \\label{a} \\\\ b \\label{b} \\end{gather}$$"
    text = f"{rows}\n\n$$c \\label{{c}}$$\n\n\\ref{{a}} \\ref{{b}} \\ref{{c}}"

    assert [words for words, _ in links(text)] == ["1", "2", "3"]


def test_the_numbers_of_rows_stand_in_no_matrix():
    (found,) = errors("$$\\begin{pmatrix} a \\tag{1} \\\\ b \\tag{2} \\end{pmatrix}$$")

    assert "outside of the rows of align or gather" in found[1]


def test_a_formula_that_is_copied_has_neither_label_nor_tag():
    assert 'x-tex">a</annotation>' in html_of("$$a \\tag{2} \\label{a}$$")


def test_code_holds_no_references():
    assert "<code>\\eqref{x}</code>" in html_of("`\\eqref{x}`")


def test_a_reader_of_the_feed_gets_number_and_anchor():
    html = for_readers(html_of("$$a \\label{a}$$"))

    assert html.startswith('<span id="eq:a">a <span>')
    assert re.sub("</?span>", "", html).endswith("Equation (1)")


def test_a_number_of_a_formula_stands_in_the_excerpt_without_the_word_for_screen_readers():
    summary = from_json(PostSummary, written("See $$a \\label{a}$$ and \\eqref{a}.").summary)

    assert summary.summary.text == "See a (1) and (1)."


def test_an_unknown_label_is_an_error_at_its_line():
    (plain, in_tex) = errors("$$a \\label{eq:sum}$$\n\nBy\n\\eqref{eq:sun}\nand\n$\\ref{other}$.")

    assert plain == ("content/posts/a.md:8", "no formula has the label 'eq:sun'", "did you mean 'eq:sum'?")
    assert in_tex[0] == "content/posts/a.md:10"
    assert "write \\label{other} in the displayed formula that is meant" in in_tex[2]


@pytest.mark.parametrize(
    "text",
    [
        "$$a \\label{a}$$\n\n$$b \\label{a}$$",
        "$$a \\label{a}$$\n\n$$b \\label{eq:a}$$",
        "$$a \\label{a}$$ or\n\n$$a \\label{a}$$",
    ],
)
def test_a_label_that_is_given_twice_is_an_error_at_the_second(text):
    ((place, message, cure),) = errors(text)

    assert place == "content/posts/a.md:7"
    assert message.endswith("is given twice")
    assert cure == "give one of the two another label"


def test_the_anchor_of_a_label_has_a_hyphen_for_what_an_address_cannot_have():
    assert numbers("$$a \\label{a b}$$\n\n\\eqref{a b}") == [("eq:a-b", "(1)")]


def test_a_label_in_a_loop_is_given_twice():
    ((_, message, _),) = errors("{% for i in [1, 2] %}\n$$a \\label{a}$$\n\n{% endfor %}")

    assert "is given twice" in message


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("$a \\label{a}$", 5, "only displayed formulas"),
        ("$$a\n\\label{a}\n\\label{b}$$", 7, "one \\label and one \\tag each"),
        ("$$a \\tag{\\star}$$", 5, "\\tag{\\star} is no number"),
    ],
)
def test_a_number_that_a_formula_cannot_have_is_an_error(text, place, message):
    (found,) = errors(text)

    assert found[0] == f"content/posts/a.md:{place}"
    assert message in found[1]
    assert found[2]
