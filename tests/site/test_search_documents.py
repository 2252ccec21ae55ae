"""What of a post can be found by searching."""

from datetime import date

from site_builder.markup.placeholders import CLOSE, LINK_CLOSE, LINK_OPEN, OPEN, Inline
from site_builder.markup.tex.convert import convert
from site_builder.posts.blocks import (
    Body,
    BundleBlock,
    CheckRow,
    ChecksBlock,
    ColumnHead,
    FigureBlock,
    ParameterRow,
    ParametersBlock,
    SourceBlock,
    TableBlock,
)
from site_builder.site.search_documents import SearchDocument, offered_words, search_html
from tests.support.html import Html

CARD = SearchDocument("posts/a/", "A & <b>", "In short.", date(2026, 3, 1), ("Exact sums",), ("exact-sums",))
TOKEN = f"{OPEN}0{CLOSE}"


def words(text):
    return Inline(text, text)


def read(text="", *parts, card=CARD):
    """The page that is indexed, as elements."""
    return Html(search_html(card, Body(text, parts, ()), "en"))


def said(text, *parts):
    """The words of a body, white space folded."""
    return " ".join(search_html(CARD, Body(text, parts, ()), "en").split("\n")[3].split())


def shown(part):
    """The paragraphs that a part of a text becomes."""
    return [each.text for each in read(TOKEN, part).all("p")][3:-1]


def test_a_page_has_title_summary_and_tags_in_its_text():
    page = read()

    assert [each.text for each in page.all("h1")] == ["A & <b>"]
    assert {"In short.", "Exact sums"} <= {each.text for each in page.all("p") if not each.attributes}


def test_answer_method_and_corrections_stand_before_the_text():
    page = read("<p>Text.</p>", card=CARD._replace(around=("3 < 4", "", "It said 5.")))

    assert [each.text for each in page.all("p") if not each.attributes] == [
        "In short.",
        "3 < 4",
        "It said 5.",
        "Text.",
        "Exact sums",
    ]


def test_a_page_tells_its_date_and_its_tags_outside_of_its_text():
    aside = {"data-pagefind-ignore": ""}

    told = {
        (*(each.attributes.items() - aside.items()), each.text)
        for each in read().all("p")
        if aside.items() <= each.attributes.items()
    }

    assert told == {
        (("data-pagefind-meta", "date"), "1 March 2026"),
        (("data-pagefind-filter", "tag"), "exact-sums"),
    }


def test_a_page_without_a_date_tells_none():
    page = read(card=CARD._replace(date=None))

    assert not page.all("p", **{"data-pagefind-meta": "date"})


def test_headings_keep_their_anchors():
    (heading,) = read('<h2 id="why-it-works">Why it works</h2>').all("h2")

    assert (heading.attributes, heading.text) == ({"id": "why-it-works"}, "Why it works")


def test_a_formula_is_one_line_of_text_that_holds_each_number_once():
    formula = convert(r"P = \frac{3}{5} = 0.6403 < x^2", False).mathml

    assert said(f"<p>So {formula} holds.</p>") == "<p>So P = 3/5 = 0.6403 &lt; x^2 holds.</p>"


def test_a_displayed_formula_with_attributes_is_text_as_well():
    formula = convert(r"n = 52", True).mathml.replace("<math", '<math tabindex="0"')

    assert said(f"<p>{formula}</p>") == "<p>n = 52</p>"


def test_mathematics_that_an_author_typed_carelessly_gives_its_words():
    assert said("<p><math><mi>x</mi>&nbsp;<br><mn>7</mn></math></p>") == "<p>x &nbsp; 7</p>"
    assert said("<p><math><mfrac><mn>7</mn></mfrac></math></p>") == "<p>7</p>"


def test_no_part_of_a_formula_that_an_author_typed_is_left_out():
    assert said("<p><math><mi>a</mi><mo>=</mo><mn>7</mn></math></p>") == "<p>a = 7</p>"


def test_a_picture_is_what_it_shows():
    assert said('<p><img src="x.png" alt="Two piles &amp; one"><img src="y.png"></p>') == "<p> Two piles &amp; one </p>"


def test_links_within_the_site_leave_no_trace_of_their_making():
    assert said(f'<p><a href="{LINK_OPEN}posts/b/#x{LINK_CLOSE}">there</a></p>') == '<p><a href="#">there</a></p>'


def test_a_figure_is_its_title_and_caption():
    figure = FigureBlock("key", "map", words("The map"), words("Who wins, <em>where</em>."), "An alternative text.")

    assert shown(figure) == ["The map", "Who wins, where."]


def test_a_table_is_its_caption_its_heads_and_its_rows():
    heads = ColumnHead(words("coins"), True), ColumnHead(words("chance"), True)
    rows = (words("1"), words("0.25")), (words("2"), words("0.5"))
    table = TableBlock("t", words("Chances"), words(""), heads, rows, False)

    assert shown(table) == ["Chances", "coins chance", "1 0.25", "2 0.5"]


def test_parameters_and_checks_are_their_names_and_what_is_said_of_them():
    row = ParameterRow("n_flips", words("100"), words("100"), False, words("how many flips"), "at least 1")
    check = CheckRow("check_ends", words("both ends"), "answer", "0, 1", "0, 1", True)

    assert shown(ParametersBlock((row,))) == ["n_flips 100 how many flips"]
    assert shown(ChecksBlock((check,))) == ["both ends"]


def test_of_the_code_of_a_solver_only_its_name_is_found():
    code = SourceBlock("solvers/x.py", "solve", 3, "<span>def</span> solve(): ...")

    assert shown(code) == ["solvers/x.py solve"]
    assert shown(BundleBlock("fair", "fair")) == []


def test_a_number_is_one_word_however_its_digits_are_grouped():
    assert said("<p>19\u202f899, 1,048,576 and 0.123,456 of 3, 500</p>").startswith(
        "<p>19899, 1048576 and 0.123,456 of 3, 500</p>"
    )


def test_words_of_four_letters_or_more_are_offered_for_misspelt_ones():
    document = search_html(CARD, Body("<p>The Fibonacci <i>numbers</i>, P = 12 of Fibonacci.</p>", (), ()), "en")

    assert offered_words([document]).split("\n") == ["exact", "fibonacci", "numbers", "short", "sums"]
