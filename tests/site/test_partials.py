"""The templates of what stands on a line of its own in a post: figures, tables, listings, parameters."""

from datetime import date
from types import SimpleNamespace as Thing
from typing import Any

import pytest
from markupsafe import Markup

from tests.site.test_templates import EVIDENCE
from tests.support.html import TEMPLATES, Html, environment

FORMULA = Markup("<math><mi>k</mi></math>")
DATA = Thing(
    heads=[Thing(label="score", numeric=True), Thing(label="0", numeric=True), Thing(label="10", numeric=True)],
    rows=[("1", "0.50 A", "0.60 B"), ("0", "0.40 A", "")],
    columns_axis="flips made",
)
FIGURE = Thing(
    number="",
    svg="figures/chance.svg",
    narrow_svg="figures/chance-narrow.svg",
    png="figures/chance.png",
    csv="figures/chance.csv",
    js="",
    data=DATA,
    width=680,
    height=400,
    narrow_width=328,
    narrow_height=300,
    title=Markup("The chance by ") + FORMULA,
    caption=Markup("It rises."),
    alt="A curve that rises from 0 to 1.",
    id="chance",
    frames=[],
)
TABLE = Thing(
    title=Markup("Best answers"),
    caption=Markup("For every ") + FORMULA,
    id="best",
    columns=[Thing(label=FORMULA, numeric=True), Thing(label=Markup("Answer"), numeric=False)],
    rows=[[Markup("1"), Markup("RB")], [Markup("2"), Markup("BB")]],
    row_heads=True,
)
PARAMETERS = [
    ("n_flips", Markup("60"), Markup("100"), True, Markup("how many flips"), "1 to 5000"),
    ("p_a", FORMULA, FORMULA, False, Markup("chance of heads"), ""),
]
AGREES = {
    **{"name": "check_states", "title": Markup("every state"), "kind": "answer", "expected": "1/2", "found": "1/2"},
    **{"passed": True, "of": "chance", "closely": "exactly", "shared": (), "rules": (), "given": ()},
    "confirms": True,
}
GAMES = {
    **{"title": Markup("games"), "expected": "0.48", "found": "0.5", "closely": "to ±1 points by 900 games"},
}
CHECKS = [AGREES, AGREES | GAMES, AGREES | {"title": Markup("limit"), "expected": "2", "found": "3", "passed": False}]

PARTS: dict[str, dict[str, Any]] = {
    "picture.html": {"figure": FIGURE},
    "stepper.html": {"steps": 3},
    "figure.html": {"figure": FIGURE},
    "feed_figure.html": {"figure": FIGURE},
    "table.html": {"table": TABLE},
    "parameters.html": {"parameters": PARAMETERS},
    "checks.html": {"checks": CHECKS, "count": 2, "page": ""},
    "evidence.html": {"evidence": EVIDENCE},
    "feed_corrections.html": {"corrections": [(date(2026, 4, 2), Markup("It was <b>half</b>."))]},
}


def part(template: str, **changes: Any) -> Html:
    return Html(environment().get_template(f"parts/{template}").render(PARTS[template] | changes))


def test_every_part_has_a_sample_here():
    assert {path.name for path in (TEMPLATES / "parts").glob("*.html")} == set(PARTS)


def test_a_figure_keeps_its_place_free_before_it_is_loaded():
    html = part("figure.html")

    (wide,) = html.all("img")
    (narrow,) = html.all("source")
    assert (wide.attributes["width"], wide.attributes["height"]) == ("680", "400")
    assert (narrow.attributes["width"], narrow.attributes["height"]) == ("328", "300")
    assert wide.attributes["loading"] == "lazy"


@pytest.mark.parametrize("template", ["figure.html", "feed_figure.html"])
def test_a_figure_says_in_words_what_it_shows(template):
    html = part(template)

    assert html.all("img")[0].attributes["alt"] == FIGURE.alt
    assert "It rises." in html.all("figcaption")[0].text
    assert html.all("math")


def test_a_figure_in_a_feed_is_a_picture_that_every_reader_can_show():
    assert [e.attributes["src"] for e in part("feed_figure.html").all("img")] == ["figures/chance.png"]


def test_the_data_of_a_figure_are_folded_with_links_to_all_of_them():
    html = part("figure.html")

    (fold,) = html.all("details")
    assert fold.attributes == {"class": "figure-data"}
    assert html.all("summary")[0].attributes["aria-label"] == "The data of this figure"
    assert [e.attributes["href"] for e in html.all("a")] == [
        "figures/chance.csv",
        "figures/chance.png",
    ]
    assert html.all("figure")[0].text.count("0.50 A") == 0  # or it would be read out as the figure's name


def test_the_heads_of_a_map_as_a_table_stand_under_what_they_count():
    heads = part("figure.html").all("th")

    spans = [(e.text, e.attributes.get("rowspan"), e.attributes.get("colspan"), e.attributes["scope"]) for e in heads]
    assert spans[:4] == [
        ("score", "2", None, "col"),
        ("flips made", None, "2", "colgroup"),
        ("0", None, None, "col"),
        ("10", None, None, "col"),
    ]


def test_a_figure_without_data_has_no_empty_table():
    html = part("figure.html", figure=Thing(**vars(FIGURE) | {"data": Thing(**vars(DATA) | {"rows": []})}))

    assert html.all("table") == []
    assert len(html.all("a")) == 2


@pytest.mark.parametrize("template", ["figure.html", "table.html", "parameters.html"])
def test_every_head_of_a_table_says_what_it_is_the_head_of(template):
    heads = part(template).all("th")

    assert {e.attributes["scope"] for e in heads if "thead" in e.parents} <= {"col", "colgroup"}
    assert {e.attributes["scope"] for e in heads if "tbody" in e.parents} == {"row"}


def test_a_table_without_row_heads_has_only_plain_cells_in_its_rows():
    html = part("table.html", table=Thing(**vars(TABLE) | {"row_heads": False}))

    assert [e.text for e in html.all("td")] == ["1", "RB", "2", "BB"]


def test_numbers_in_a_table_stand_to_the_right_with_their_head():
    html = part("table.html")

    marked = [e.text for e in html.elements if e.attributes.get("class") == "numeric"]
    assert marked == ["k", "1", "2"]


@pytest.mark.parametrize(("title", "name"), [("The chance", "The chance"), ("", "The data of this figure")])
def test_the_box_of_a_figures_data_can_be_reached_by_keyboard_and_has_a_name(title, name):
    html = part("figure.html", figure=Thing(**vars(FIGURE) | {"title": Markup(title)}))

    (box,) = html.all("div", role="group", tabindex="0")
    names = {e.attributes["id"]: e.text.strip() for e in html.elements if "id" in e.attributes}
    assert (box.attributes.get("aria-label") or names[box.attributes["aria-labelledby"]]) == name


@pytest.mark.parametrize(("title", "caption"), [("Best", "All."), ("Best", ""), ("", "All."), ("", "")])
def test_the_box_in_which_a_table_scrolls_can_be_reached_by_keyboard_and_has_a_name(title, caption):
    html = part("table.html", table=Thing(**vars(TABLE) | {"title": Markup(title), "caption": Markup(caption)}))

    (box,) = html.all("div", role="region", tabindex="0")
    names = {e.attributes["id"]: e.text.strip() for e in html.elements if "id" in e.attributes}
    name = box.attributes.get("aria-label") or names[box.attributes["aria-labelledby"]]
    assert name == (title or caption or "Table")


def test_a_changed_parameter_says_in_words_what_it_stands_instead_of():
    changed, usual = part("parameters.html").all("tr")[1:]

    assert "instead of 100" in changed.text
    assert "instead" not in usual.text
    assert "(1 to 5000)" in changed.text
    assert "(" not in usual.text


def test_a_check_that_agrees_says_its_value_once_and_one_within_a_bound_both():
    first, second, third = (" ".join(e.text.split()) for e in part("checks.html").all("p", **{"class": "verdict"}))

    assert first == "found and expected 1/2 ✓ agrees"
    assert second == "found 0.5, simulated 0.48 ✓ agrees"
    assert third == "found 3, expected 2 ✗ differs"


def test_checks_beyond_the_first_ones_are_folded_and_counted():
    html = part("checks.html")

    assert [e.text for e in html.all("summary")] == ["1 more"]
    folded = [e for e in html.all("p", **{"class": "check-name"}) if "details" in e.parents]
    assert [" ".join(e.text.split()) for e in folded] == ["limit"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "of chance"),
        ({"closely": "to ±0.01"}, "of chance; confirmed to ±0.01"),
        ({"confirms": False}, "of chance; too loose to confirm it"),
        ({"shared": ("moves",)}, "of chance; not independent, it uses moves as the solver does"),
        ({"given": ("stake",), "confirms": False}, "of chance; agrees, given stake"),
        ({"kind": "case", "confirms": False}, "of chance; in a smaller case"),
        ({"rules": ("moves",)}, "of chance; both read the rules of the puzzle in the same place"),
        ({"kind": "law", "of": "", "confirms": False}, "a law, which confirms no value"),
    ],
)
def test_a_check_says_what_it_confirms_or_why_it_confirms_nothing(changes, said):
    (detail,) = part("checks.html", checks=[AGREES | changes]).all("p", **{"class": "detail"})

    assert " ".join(detail.text.split()) == said


def test_a_feed_has_a_line_that_leads_to_the_checks():
    html = part("checks.html", page="https://blog.example.org/posts/pennies/")

    assert [e.attributes["href"] for e in html.all("a")] == ["https://blog.example.org/posts/pennies/"]
    assert [" ".join(e.text.split()) for e in html.all("p")] == ["Confirmed by 3 checks of other methods"]


def test_a_short_list_of_checks_has_no_fold():
    assert part("checks.html", count=3).all("details") == []


def test_a_correction_in_a_feed_has_its_date():
    assert "Correction, 2.4.2026: It was half." in " ".join(part("feed_corrections.html").all("p")[0].text.split())
