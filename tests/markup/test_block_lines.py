"""Lists are read as CommonMark reads them; markdown-it-py, an implementation of CommonMark, is the reference."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from site_builder.markup.block_lines import code_lines, with_lists
from site_builder.markup.markdown import convert

_KEPT = re.compile(r"</?(?:ul|ol|li|blockquote|pre|br|h2)\b|[A-Za-z0-9]+(?=[^<>]*(?:<|\Z))")
LISTS = {
    "bullets by two columns": "- one\n  - two\n    - three\n- four",
    "bullets by three columns": "* one\n   * two\n      * three",
    "bullets by four columns": "- one\n    - two\n        - three\n- four",
    "numbers by three columns": "1. one\n   - two\n   - three\n2. four\n   1. five\n   2. six",
    "a list right after text": "text\n- one\n- two\n\ntext\n1. one\n2. two",
    "a number within text": "in the year\n1986. a good one",
    "parentheses": "1) one\n2) two\n   - three",
    "code in items": "1. one\n   ```\n   x\n\n   y\n   ```\n2. two\n\n   ```\n   z\n   ```\n3. three",
    "paragraphs in items": "- one\n\n  two\n\n  - three\n\n    four\n- five",
    "text in a paragraph of an item": "- one\n\n  two\n  - three",
    "a lazy line": "- one\n  - two\nthree\n- four",
    "a heading after an item": "- one\n## two",
    "text after code in an item": "- one\n  ```\n  x\n  ```\ntwo",
    "a list in a quotation": "> text\n> - one\n>   - two\n> - three",
    "a quotation in an item": "- one\n\n  > two\n\n- three",
    "numbers after bullets": "- one\n1. two",
    "indented code in an item": "- one\n\n      x\n\n- two",
    "indented code by eight columns": "- one\n\n        x = 1\n\n    text",
    "a rule": "- one\n\n* * *\n\n- two",
    "tabs": "- one\n\t- two\n\t\t- three",
    "marks in code": "text\n\n    - x\n      - y\n\n```\n- a\n  - b\n```",
    "ten items": "10. one\n    - two\n11. three",
}


def outline(html):
    """The lists, quotations, code and words of some HTML in their order."""
    return _KEPT.findall(re.sub(r'<a class="headerlink".*?</a>| class="[^"]*"', "", html))


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_a_list_has_the_items_that_commonmark_sees_in_it(text):
    assert outline(convert(text).html) == outline(MarkdownIt().render(text))


@given(steps=st.lists(st.integers(-3, 1), max_size=12), marks=st.lists(st.sampled_from(["-", "1."]), min_size=13))
def test_any_nesting_is_that_of_commonmark(steps, marks):
    depths, kinds = [0], [marks[0]]
    for step, mark in zip(steps, marks[1:], strict=False):
        depth = max(0, depths[-1] + step)
        same = [kind for at, kind in zip(depths, kinds, strict=True) if at == depth]
        kinds.append(same[-1] if same else mark)
        depths.append(depth)
    lines = zip(depths, kinds, range(99), strict=False)
    text = "\n".join(f"{'   ' * depth}{kind} w{number}" for depth, kind, number in lines)

    assert outline(convert(text).html) == outline(MarkdownIt().render(text))


def test_a_formula_by_three_columns_is_in_its_item_and_the_numbers_go_on():
    html = convert("1. one\n\n   \ufdd00\ufdd1\n\n2. two").html

    assert re.sub(r"\s+", "", html) == "<ol><li><p>one</p><p>\ufdd00\ufdd1</p></li><li><p>two</p></li></ol>"


def test_a_list_in_a_fold_is_nested_by_two_columns():
    html = convert("??? hint\n\n    - one\n      - two").html

    assert outline(html)[-10:] == ["<ul", "<li", "one", "<ul", "<li", "two", "</li", "</ul", "</li", "</ul"]


def test_a_text_without_lists_stays_as_it_is():
    text = "a\n    b\n\n> c\n  d\n\n!!! note\n    e"

    assert with_lists(text) is text


def test_lines_of_indented_code_are_known():
    assert code_lines("a\n    b\n\n    c\n\n    d\n\n- e\n\n    f\n\n      g\n") == {3, 5, 11}
    assert code_lines("!!! note\n\n    a\n\n        b\n\nc\n\n```\n\n    d\n```\n") == {4}


@pytest.mark.parametrize("text", ["one\\\ntwo", "- one\\\n  two", "> one\\\n> two"])
def test_a_backslash_at_the_end_of_a_line_breaks_the_line(text):
    # CommonMark 0.31, section 6.7, hard line breaks.
    assert outline(convert(text).html) == outline(MarkdownIt().render(text))
    assert "\\" not in convert(text).html
