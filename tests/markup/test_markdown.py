"""Tables of Markdown as HTML that is valid today, and that a screen reader can read out."""

import pytest

from site_builder.errors import CuredError
from site_builder.extension import MarkdownExtension
from site_builder.markup.markdown import convert
from tests.support.html import Html

ROWS = '| place | chance | odds |\n|---|---:|:---:|\n| 1 | 2 | `<td align="left">` |\n'


def test_a_header_says_that_it_heads_its_column():
    html = Html(convert(ROWS).html)

    assert [header.attributes["scope"] for header in html.all("th")] == ["col"] * 3


def test_the_side_of_a_column_is_a_class_and_no_attribute_of_old():
    html = Html(convert(ROWS).html)

    cells = html.all("th") + html.all("td")
    assert [cell.attributes.get("class") for cell in cells] == [None, "align-right", "align-center"] * 2
    assert not any("align" in cell.attributes for cell in cells)


def test_what_an_author_wrote_as_html_stays():
    rows = "<tr><th>a row</th><td>1</td></tr>"

    assert rows in convert(f"<table><thead><tr><th>a</th></tr></thead><tbody>{rows}</tbody></table>").html


def test_a_text_that_is_nested_too_deeply_is_refused_and_the_next_one_is_converted_as_before():
    before = convert("- a\n    - b").html

    with pytest.raises(CuredError, match="nested too deeply"):
        convert('<div markdown="1">\n' * 1000 + "a\n" + "</div>\n" * 1000)

    assert convert("- a\n    - b").html == before


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Well :smile: :+1:", "Well 😄 👍"),
        ("`:smile:`, \\:smile: and :nosuchname:", "<code>:smile:</code>, :smile: and :nosuchname:"),
        ("Great! (:tada:) :100:, :8ball:", "Great! (🎉) 💯, 🎱"),
        (":smile: x:cat:y, x::cat::y, /:cat:/", "😄 x:cat:y, x::cat::y, /:cat:/"),
    ],
)
def test_a_name_of_an_emoji_is_its_sign(text, shown):
    assert convert(text).html == f"<p>{shown}</p>"


@pytest.mark.parametrize(
    "odds", ["1:100:1", "\ufdd00\ufdd1:100:\ufdd01\ufdd1", "\ufdd00\ufdd1:cat:\ufdd01\ufdd1", "1:-1:"]
)
@pytest.mark.parametrize("front", ["", ":smile: "])
def test_a_number_between_colons_is_no_name_of_an_emoji(front, odds):
    assert convert(front + odds).html == f"<p>{front.replace(':smile:', '😄')}{odds}</p>"


def test_a_number_beside_marked_or_struck_out_ones_is_no_name_of_an_emoji():
    assert convert("**1**:100:**1**").html == "<p><strong>1</strong>:100:<strong>1</strong></p>"
    assert convert(":smile: `1`:100:`1`").html == "<p>😄 <code>1</code>:100:<code>1</code></p>"


def test_names_of_emoji_of_an_extension_are_read_as_carefully():
    with_emoji = (MarkdownExtension("pymdownx.emoji", (), "ours"),)

    assert convert("1:100:1", with_emoji).html == "<p>1:100:1</p>"
