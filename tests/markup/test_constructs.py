"""Everyday Markdown of GitHub and Pandoc, with the outputs that their documents give.

GFM: GitHub Flavored Markdown Spec 0.29 (github.github.com/gfm). Alerts: docs.github.com, Basic writing and formatting
syntax. Pandoc: the User's Guide (pandoc.org/MANUAL.html). Quarto: quarto.org/docs/authoring. Tabs: the documentation of
pymdownx.tabbed.
"""

import pytest

from site_builder.markup.markdown import convert
from site_builder.markup.syntax_check import syntax_errors
from tests.support.html import Html


def html_of(text):
    return " ".join(convert(text).html.split())


@pytest.mark.parametrize(
    ("text", "html"),
    [
        # GFM, example 491; Pandoc, "Strikeout", "Superscripts and subscripts" and "Extension: mark".
        ("~~Hi~~ Hello, world!", "<p><del>Hi</del> Hello, world!</p>"),
        ("This ~~is deleted text.~~", "<p>This <del>is deleted text.</del></p>"),
        ("H~2~O is a liquid. 2^10^ is 1024.", "<p>H<sub>2</sub>O is a liquid. 2<sup>10</sup> is 1024.</p>"),
        ("This ==is highlighted text.==", "<p>This <mark>is highlighted text.</mark></p>"),
        # Pandoc, "Extension: bracketed_spans".
        ("[This is *some text*]{.class}", '<p><span class="class">This is <em>some text</em></span></p>'),
        # Pandoc: the text between ~ or ^ may hold no spaces. CommonMark 0.31, example 12: such backslashes stay.
        ("a ~ b, 5~6 and 7~8, 2^10 and 2^11", "<p>a ~ b, 5~6 and 7~8, 2^10 and 2^11</p>"),
        (r"C:\ and \~a\~", r"<p>C:\ and ~a~</p>"),
        # CommonMark 0.31, example 12: a backslash before any punctuation of ASCII makes it literal.
        (r"n == 0 \~ a \^ b \= c", "<p>n == 0 ~ a ^ b = c</p>"),
        ("a==b and c==d, `~~x~~`", "<p>a==b and c==d, <code>~~x~~</code></p>"),
    ],
)
def test_signs_around_words_are_read_as_github_or_pandoc_reads_them(text, html):
    assert html_of(text) == html


@pytest.mark.parametrize(
    ("text", "address", "words"),
    [
        # GFM, examples 622 to 634.
        ("www.commonmark.org", "http://www.commonmark.org", "www.commonmark.org"),
        ("Visit www.commonmark.org.", "http://www.commonmark.org", "www.commonmark.org"),
        ("(www.google.com/search?q=Markup+(business))", None, "www.google.com/search?q=Markup+(business)"),
        ("(Visit https://encrypted.google.com/search?q=Markup+(business))", None, None),
        ("foo@bar.baz", "mailto:foo@bar.baz", "foo@bar.baz"),
        ('"https://example.org/a--b"', "https://example.org/a--b", "https://example.org/a--b"),
    ],
)
def test_a_bare_address_is_a_link_without_the_punctuation_behind_it(text, address, words):
    (link,) = Html(convert(text).html).all("a")

    shown = words or "https://encrypted.google.com/search?q=Markup+(business)"
    assert link.text == shown
    assert link.attributes["href"] == (address or ("http://" + shown if shown.startswith("www") else shown))


def test_an_address_within_a_link_or_code_stays_text():
    html = Html(convert("[see https://a.example](b.md) and `https://c.example`").html)

    assert [link.attributes["href"] for link in html.all("a")] == ["b.md"]


def test_tasks_have_boxes():
    # GFM, example 280: nested tasks.
    html = Html(convert("- [x] foo\n    - [ ] bar\n    - [x] baz\n- [ ] bim").html)

    assert ["checked" in box.attributes for box in html.all("input", type="checkbox")] == [True, False, True, False]
    assert all("disabled" in box.attributes for box in html.all("input"))
    assert len(html.all("li", **{"class": "task-list-item"})) == 4


def test_other_brackets_at_the_head_of_an_item_are_no_task():
    assert "<input" not in convert("- [] a\n- [y] b\n- [c](d.md)").html


ALERTS = ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"]  # all that GitHub has
CALLOUTS = ["note", "tip", "important", "warning", "caution"]  # all that Quarto has


@pytest.mark.parametrize(
    "text",
    [
        *(f"!!! {kind}\n    Words." for kind in CALLOUTS),
        *(f"> [!{kind}]\n> Words." for kind in ALERTS),
        *(f"::: {{.callout-{kind}}}\nWords.\n:::" for kind in CALLOUTS),
    ],
)
def test_the_three_forms_of_callouts_give_one_box_with_the_name_of_its_kind(text):
    (box, title, words) = [each for each in Html(convert(text).html).elements if each.name in ("div", "p")]

    kind = box.attributes["class"].removeprefix("admonition ")
    assert kind in CALLOUTS
    assert title.text == kind.capitalize()
    assert words.text == "Words."


@pytest.mark.parametrize(
    "text",
    [
        '!!! tip "The *title*"\n    Words.',
        "> [!TIP] The *title*\n> Words.",
        "::: {.callout-tip}\n## The *title*\n\nWords.\n:::",
        '::: {.callout-tip title="The *title*"}\nWords.\n:::',
    ],
)
def test_a_callout_has_the_title_that_its_author_gave(text):
    html = convert(text).html

    assert '<p class="admonition-title">The <em>title</em></p>' in html
    assert "<h2" not in html


@pytest.mark.parametrize("collapse", ["true", "false"])
def test_a_callout_that_collapses_is_a_fold(collapse):
    # Quarto, "Callout Blocks", "Collapse": collapse="false" is open to begin with.
    html = Html(convert(f'::: {{.callout-note collapse="{collapse}"}}\n## More\n\nWords.\n:::').html)

    (fold,) = html.all("details", **{"class": "note"})
    assert ("open" in fold.attributes) == (collapse == "false")
    assert [each.text for each in html.all("summary")] == ["More"]


def test_divs_are_fenced_as_by_pandoc():
    # Pandoc, "Extension: fenced_divs": both of its examples.
    first = "::::: {#special .sidebar}\nHere is a paragraph.\n\nAnd another.\n:::::"
    second = (
        "::: Warning ::::::\nThis is a warning.\n\n::: Danger\nThis is a warning within a warning.\n:::\n"
        "::::::::::::::::::"
    )

    assert html_of(first) == (
        '<div class="sidebar" id="special"> <p>Here is a paragraph.</p> <p>And another.</p> </div>'
    )
    assert html_of(second) == (
        '<div class="Warning"> <p>This is a warning.</p> <div class="Danger"> '
        "<p>This is a warning within a warning.</p> </div> </div>"
    )


def test_text_beside_a_div_stays_beside_it_and_code_in_it_is_code():
    html = html_of("before\n::: note\n```\n:::\n```\n\n- a\n\n    b\n:::\nafter")

    assert html.startswith('<p>before</p> <div class="note">')
    assert html.endswith("</ul> </div> <p>after</p>")
    assert ":::" in html


def test_tabs_stand_one_under_the_other_each_below_its_title():
    html = Html(convert('=== "A"\n\n    one\n\n=== "B"\n\n    two\n\ntext').html)

    assert [each.text.strip() for each in html.elements if each.name in ("label", "p")] == [
        "A",
        "one",
        "B",
        "two",
        "text",
    ]
    assert [each.attributes["class"] for each in html.all("div")] == ["tabbed-set", "tabbed-content", "tabbed-content"]
    assert [each.attributes["for"] for each in html.all("label")] == [
        each.attributes["id"] for each in html.all("input")
    ]


@pytest.mark.parametrize(
    ("text", "problem", "cure"),
    [
        ("```mermaid\ngraph TD\n```", "diagrams in mermaid are not drawn", "![words](file.svg)"),
        ("``` {.mermaid}\ngraph TD\n```", "diagrams in mermaid are not drawn", "![words](file.svg)"),
        ("```{python}\n1 + 1\n```", "a cell {python} is not run", "write ```python"),
        ("::: note\nwords", "never closed", "close it with :::"),
        (":::", "closes nothing", "delete it"),
        ("::: note that this is text", "not understood", "::: {.note}"),
        ("=== Tab\n\n    words", "the title of a tab stands in quotes", '=== "Tab"'),
    ],
)
def test_what_would_be_printed_raw_is_refused_at_its_line_with_what_to_do(text, problem, cure):
    ((line, found, mend),) = syntax_errors(f"Words.\n\n{text}\n")

    assert line == 3
    assert problem in found
    assert cure in mend


@pytest.mark.parametrize(
    "text",
    [
        "```text\n:::\n=== A\n```",
        "`::: x` and ::: and a::b",
        "A heading\n===",
        "```{.python .numberLines}\nx\n```",
        "```python {.wide}\nx\n```",
        "> ::: note\n> a\n> :::",
        "- a\n\n    ::: note\n    a\n    :::",
    ],
)
def test_what_only_looks_like_it_is_not_refused(text):
    assert syntax_errors(f"{text}\n") == []


TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("## A {: .x}", '<h2 class="x"'),
        ("Words.\n{: .x}", '<p class="x">Words.</p>'),
        ("> a\n{: .x}", '<p class="x">a</p>'),
        ("![a](b.png)\n{: .x}", '<p class="x"><img'),
    ],
)
def test_a_paragraph_and_a_heading_have_the_attributes_of_the_list_at_their_end(text, start):
    html = html_of(text)

    assert start in html
    assert "{:" not in html
    assert syntax_errors(text) == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"{block}\n{{: .x}}"
            for block in ("```python\nx\n```", "    indented", "<div>\nx\n</div>", "## A", "---", TABLE)
        ),
        *(f"{block}\n\n{{: .x}}" for block in ("$$x^2$$", "{{ table(x) }}", "- a\n- b", "> a", TABLE)),
        "{: .x}\n1. a",
        "{: .x}\nWords.",
        "> | a | b |\n> |---|---|\n> {: .x}",
    ],
)
def test_an_attribute_list_where_no_block_has_it_is_refused_at_its_line(text):
    ((line, problem, cure),) = syntax_errors(f"Words.\n\n{text}\n")

    assert line == 3 + text.partition("{:")[0].count("\n")
    assert problem == "the attribute list {: .x} stands below no paragraph, where it is not read"
    assert "put the block between ::: {.name} and :::" in cure


def test_the_sign_of_a_name_at_the_end_of_a_heading_stays_before_attributes():
    html = Html(convert("## C, C++ and C# {#langs}\n\n## *F*, F# {.x}\n\n## Closed ## {#closed}\n").html)

    assert [each.text.removesuffix("#") for each in html.all("h2")] == ["C, C++ and C#", "F, F#", "Closed"]
