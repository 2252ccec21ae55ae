"""Notes beside the text, where each stands and what links it with its references."""

import re
from xml.etree import ElementTree

import pytest

from site_builder.markup.markdown import convert
from tests.support.html import Html

PHRASING = {"p", "h2", "h3", "summary", "dt", "a", "em", "span", "th"}  # elements that hold no block (HTML, 3.2.5.2.5)


def tree(text: str) -> ElementTree.Element:
    html = convert(text).html
    Html(html)  # refuses what is not closed
    return ElementTree.fromstring(f"<body>{html.replace('<hr>', '<hr/>')}</body>")


def notes_in(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [element for element in root.iter("details") if element.get("class") == "sidenote"]


def before_the_note(text: str) -> tuple[str, str]:
    """What stands right before the first note, and in what both stand."""
    root = tree(text)
    (parent,) = (element for element in root.iter() if set(notes_in(root)[:1]) & set(element))
    index = list(parent).index(notes_in(root)[0])
    return parent.tag, parent[index - 1].tag


def words(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


@pytest.mark.parametrize(
    ("text", "parent", "before"),
    [
        ("A[^1].", "body", "p"),
        ("*A **b[^1]***.", "body", "p"),
        ("## A[^1]", "body", "h2"),
        ("- a\n\n    b[^1]\n\n- c", "li", "p"),
        ("> A[^1]\n>\n> B", "blockquote", "p"),
        ("| a |\n|---|\n| b[^1] |\n| c |", "body", "div"),  # the box of the table
        ('!!! note "T"\n    A[^1]', "div", "p"),
        ('??? hint "T"\n    A[^1]', "details", "p"),
        ('??? hint "T[^1]"\n    A', "body", "details"),
        ("Term[^1]\n:   A", "body", "dl"),
        ("Term\n\n:   A[^1]\n\n    B", "dd", "p"),
        ('<div markdown="1">\nA[^1]\n\nB\n</div>', "div", "p"),
    ],
)
def test_a_note_stands_right_after_the_block_that_refers_to_it(text, parent, before):
    assert before_the_note(f"{text}\n\n[^1]: The note.") == (parent, before)


def test_in_a_list_without_paragraphs_a_note_stands_after_the_line_and_before_what_is_below_it():
    root = tree("- a[^1] *b* c\n    - d\n- e\n\n[^1]: The note.")

    assert [child.tag for child in root[0][0]] == ["sup", "em", "details", "ul"]
    assert root[0][0][1].tail.strip() == "c"


def test_notes_are_numbered_as_the_text_refers_to_them():
    text = "A[^x] b[^7].\n\n| a |\n|---|\n| c[^7] d[^z] |\n\n[^z]: Three.\n\n[^7]: Two.\n\n[^x]: One."

    root = tree(text)

    assert [words(note[0]) for note in notes_in(root)] == ["Note 1", "Note 2", "Note 3"]
    assert [words(note[1]).partition(".")[0] for note in notes_in(root)] == ["One", "Two", "Three"]
    assert [note[1].get("data-number") for note in notes_in(root)] == ["1", "2", "3"]
    assert [words(sup) for sup in root.iter("sup")] == ["1", "2", "2", "3"]


def test_reference_and_note_are_linked_in_both_directions():
    root = tree("A[^x], b[^x].\n\n> c[^x]\n\n[^x]: The note.")
    links = {link.get("aria-label"): link.get("href") for link in root.iter("a")}
    anchors = [element.get("id") for element in root.iter() if element.get("id")]

    assert links == {
        "Note 1": "#fn:x",
        "Back to the text, note 1, place 1": "#fnref:x",
        "Back to the text, note 1, place 2": "#fnref2:x",
        "Back to the text, note 1, place 3": "#fnref3:x",
    }
    assert sorted(anchors) == ["fn:x", "fnref2:x", "fnref3:x", "fnref:x"]
    assert len(notes_in(root)) == 1


def test_the_roles_of_a_note_are_those_of_digital_publishing():
    # DPUB-ARIA 1.1: doc-noteref, doc-footnote and doc-backlink; ARIA in HTML allows them on a, div and a
    root = tree("A[^x].\n\n[^x]: The note.")
    (note,) = notes_in(root)

    assert [(each.tag, each.get("role")) for each in root.iter() if each.get("role")] == [
        *(("a", "doc-noteref"), ("div", "doc-footnote"), ("a", "doc-backlink"))
    ]
    assert note.get("id") is None  # the anchor is inside: for that a browser opens the fold by itself
    assert note[1].get("id") == "fn:x"


def test_a_note_may_hold_paragraphs_lists_code_and_formulas():
    text = (
        "A[^x].\n\n[^x]: One [link](y.md).\n\n    - two\n\n    ```python\n    three = 3\n    ```\n\n    \ufdd01\ufdd1"
        "\n\nAfter."
    )

    root = tree(text)
    (note,) = notes_in(root)

    assert [child.tag for child in note[1]] == ["p", "ul", "div", "p", "p"]
    assert note[1][3].text == "\ufdd01\ufdd1"  # alone in its paragraph, so that a displayed formula takes its place
    assert words(note[1][2]) == "three = 3"
    assert words(root[-1]) == "After."


def test_a_note_of_a_note_stands_after_it():
    root = tree("A[^x] b[^y].\n\n[^x]: One[^z].\n\n[^y]: Two.\n\n[^z]: Three[^x].")

    assert [child.tag for child in root] == ["p", "details", "details", "details"]
    assert [words(note[1])[:3] for note in notes_in(root)] == ["One", "Two", "Thr"]


@pytest.mark.parametrize(
    ("text", "loose"),
    [
        ("A[^x].", [("no note", "x")]),
        ("A.\n\n[^x]: B.", [("no reference", "x")]),
        ("A.\n\n[^x]: B[^y].\n\n[^y]: C[^x].", [("no reference", "x"), ("no reference", "y")]),
        ("A[^x].\n\n[^x]: B.\n\n[^x]: C.", [("twice", "x")]),
        ("A[^x] `[^y]` \\[^z].\n\n```\n[^a]\n```\n\n[^x]: B.", []),
        ("A.", []),
    ],
)
def test_what_belongs_to_nothing_is_told(text, loose):
    assert sorted(convert(text).loose_notes) == loose


LABELS = ["1", "a b", "a-b", "ä", "50%", "**", "", "<i>", "x&y", '"']


def test_any_label_gives_an_anchor_without_spaces_that_is_the_only_one():
    text = " ".join(f"[^{label}]" for label in LABELS) + "".join(f"\n\n[^{label}]: Note." for label in LABELS)

    anchors = [note[1].get("id") for note in notes_in(tree(text))]

    assert len(set(anchors)) == len(LABELS)
    assert all(re.fullmatch(r"fn:[\w-]+", anchor) for anchor in anchors)


def test_no_note_stands_where_html_allows_no_block():
    places = ["A[^{}]", "## A[^{}]", "- a[^{}]", "> a *b[^{}]*", "| a[^{}] |\n|---|\n| b |", "T[^{}]\n:   d"]
    text = "\n\n".join(place.format(n) for n, place in enumerate(places))
    text += "".join(f"\n\n[^{n}]: Note." for n in range(len(places)))

    root = tree(text)

    parents = {child: parent for parent in root.iter() for child in parent}
    assert len(notes_in(root)) == len(places)
    for note in notes_in(root):
        around = []
        while (note := parents.get(note)) is not None:
            around.append(note.tag)
        assert not PHRASING & set(around)


def test_a_heading_is_named_in_the_contents_without_its_reference():
    (heading,) = convert("## A[^x]\n\n[^x]: The note.").headings

    assert (heading.title, heading.anchor) == ("A", "a")
