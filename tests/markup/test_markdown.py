"""Tables of Markdown as HTML that is valid today, and that a screen reader can read out."""

import pytest

from site_builder.errors import CuredError
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
        ("At 10:30:20, a:b:c, x::b::y, https://a.org/:b:/x", "At 10:30:20, a:b:c, x::b::y, "),
    ],
)
def test_a_name_of_an_emoji_is_its_sign(text, shown):
    assert convert(text).html.startswith(f"<p>{shown}")
