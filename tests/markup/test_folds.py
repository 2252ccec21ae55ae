"""Folds: their anchors, and what opens them."""

import re

from site_builder.markup.markdown import convert
from tests.support.html import Html


def anchors(text: str) -> list[str]:
    """The anchors inside of folds, in their order."""
    page = Html(convert(text).html)
    return [each.attributes["id"] for each in page.elements if each.attributes.get("class") == "folded"]


def test_a_fold_is_linked_by_its_title():
    assert anchors('??? hint "Try Small Cases!"\n    Text.\n\n??? solution\n    Text.') == [
        "try-small-cases",
        "solution",
    ]


def test_the_anchor_is_inside_where_a_browser_opens_the_fold_for_it():
    # HTML, 7.4.6.4 Scrolling to a fragment: the folds around its target are opened, the target itself is not
    html = convert('??? hint "Hint"\n    One.\n\n    Two.').html

    assert re.fullmatch(
        r'<details class="hint">\s*<summary>Hint</summary>\s*<div class="folded" id="hint">\s*<p>One.</p>\s*<p>Two.</p>'
        r"\s*</div>\s*</details>",
        html,
    )


def test_anchors_of_folds_give_way_to_those_of_headings_and_of_folds_before_them():
    assert anchors("??? hint\n    A.\n\n??? hint\n    B.\n\n## Hint") == ["hint_1", "hint_2"]


def test_folds_in_one_another_have_their_own_anchors():
    assert anchors('??? hint "A"\n    x\n\n    ??? hint "B"\n        y') == ["a", "b"]


def test_a_title_that_depends_on_results_gives_an_anchor_that_does_not():
    assert anchors('??? hint "Only \ufdd05\ufdd1 left[^1]"\n    A.\n\n[^1]: B.') == ["only-left"]


def test_a_fold_without_a_title_is_named_for_what_it_is():
    assert "<summary>Solution</summary>" in convert('??? solution ""\n    Text.').html


def test_a_fold_of_raw_html_keeps_its_own_anchor():
    html = convert('<details markdown="1" id="mine"><summary>More</summary>\nText.\n</details>').html

    assert 'id="mine"' in html
    assert "folded" not in html
