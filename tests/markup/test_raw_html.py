"""Signs are signs, tags are tags, and an element that is wrong is an error at its line.

What has the form of a tag: CommonMark 0.31, section 6.6. Which elements there are: the HTML Standard, section 4.
"""

import pytest

from site_builder.markup.markdown import convert
from site_builder.markup.raw_html import html_errors, with_signs


@pytest.mark.parametrize(
    "text",
    [
        "a<b and c>d",
        "x <y and z> w",
        "p<q",
        "1<2 and 3>2",
        "n </ m",
        "<!x",
        "<?php x ?>",
        "a <b",
        "<3",
    ],
)
def test_signs_in_text_are_signs(text):
    html = convert(text).html

    assert "<" not in html.removeprefix("<p>").removesuffix("</p>")
    assert html_errors(text) == []


@pytest.mark.parametrize(
    "text",
    [
        '<b>b</b> <span class="x" hidden>y</span><br> <a href="?a=1">c</a>',
        "<https://example.org/a_b> <me@example.org> <mailto:me@example.org>",
        '<video controls src="film.mp4"></video> <my-part>x</my-part>',
        '<svg viewBox="0 0 1 1"><circle r="1"/><foreignObject></foreignObject></svg>',
        "<ul><li>a<li>b</ul> <p>open",
        "`<b>` and $a<b>c$ and <!-- <i> -->",
        "```\n<b>\n```\n\n    <i>\n\ntext",
    ],
)
def test_elements_and_addresses_stay(text):
    assert with_signs(text) == text
    assert html_errors(text) == []


def test_a_bracket_behind_a_backslash_is_a_sign():
    assert convert(r"a \<b> c").html == "<p>a &lt;b&gt; c</p>"


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a\n\n<b>bold", 3, "<b> is never closed"),
        ("a <code>b", 1, "<code> is never closed"),
        ("a\n\nvector<int> x", 3, "there is no element <int>"),
        ("a\n</div>", 2, "</div> closes nothing"),
        ("<div>\n<i>\n</div>", 2, "<i> is never closed"),
        ("- a\n\n  <details>\n  <summary>b</summary>\n\n  c\n  </details>", 3, "<details> in a list"),
        ("> <div>\n> a\n> </div>", 1, "<div> in a list, a quotation"),
    ],
)
def test_an_element_that_would_spoil_the_page_is_an_error_at_its_line(text, line, problem):
    (found,) = html_errors(text)

    assert found[0] == line
    assert problem in found[1]
    assert found[2]


def test_markdown_after_an_empty_line_in_a_block_is_read():
    html = convert("<details>\n<summary>Why</summary>\n\nA *word*.\n\n- one\n- two\n\n</details>").html

    assert "<summary>Why</summary>" in html
    assert "<p>A <em>word</em>.</p>" in html
    assert html.count("<li>") == 2


def test_the_title_of_a_fold_that_is_read_is_read_too():
    text = "<details>\n<summary>A **hint** &amp; <i>more</i></summary>{}A *word*.\n\n</details>\n"

    read, html = convert(text.format("\n\n")).html, convert(text.replace("\n\n", "\n").format("\n")).html

    assert "<summary>A <strong>hint</strong> &amp; <i>more</i></summary>" in read
    assert "<summary>A **hint** &amp; <i>more</i></summary>" in html


def test_a_block_without_an_empty_line_is_html():
    text = "<div>\nA *word*.\n</div>"

    assert convert(text).html == text
