"""What readers guess comes from results, and fits the slider or the choices; the text of a post comes out whole."""

import re
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest

from site_builder.errors import Place, SiteError
from site_builder.posts.jinja import PostEnvironment
from site_builder.posts.job import Job, JobData
from site_builder.posts.links import check_links
from site_builder.posts.summary import PostSummary
from site_builder.posts.texts.render import body_and_facts
from site_builder.posts.texts.write import guess_of
from site_builder.project.front_matter import FrontMatter, Guess
from site_builder.project.posts import read_post, slugged
from site_builder.values.json_records import from_json, to_json
from tests.support.content import errors_in_text
from tests.support.sites import brief

PLACE = Place("content/posts/a.md", 4)
SLIDER = {"start": 0, "stop": 100, "unit": "%"}


def guessed(answer, written="{{ results.a.x }}", **keys):
    front = FrontMatter.model_validate({"title": "A", "guess": {"question": "How many?", "answer": written, **keys}})
    return guess_of(front.guess, "How many?", answer, PLACE)


def test_a_guess_has_its_question_and_answer_as_they_are_rendered():
    assert guessed("64.03", **SLIDER) == Guess(question="How many?", answer="64.03", **SLIDER)
    assert guessed("0.3", start=0, stop=1, step="1/4", unit="coins").unit == " coins"


def test_a_slider_has_its_numbers_in_decimals(project):
    guess = 'guess: {question: "How?", answer: "{{ results.fair.half | number(2) }}", start: 1/4, stop: 1, step: 1/8}\n'
    project.post("A game.", front=f"answer: Often enough\n{guess}")

    project.build()

    assert '<input type="range" min="0.25" max="1.0" step="0.125" ' in project.page("posts/ruin/index.html")


def test_a_question_may_hold_results(project):
    guess = """guess:
  question: "How often do you win with {{ results.fair.goal }} coins?"
  answer: "{{ 100 * results.fair.half }}"
  start: 0
  stop: 100
"""
    project.post("A game.", front=f"answer: Often enough\n{guess}")

    project.build()

    assert "How often do you win with 20 coins?" in project.page("posts/ruin/index.html")


def test_an_answer_with_signs_for_readers_is_a_number():
    assert guessed("\u221212\u202f000", start=-20000, stop=0).answer == "\u221212\u202f000"


@pytest.mark.parametrize("answer", ["Ann's coin", "Ann’s coin"])
def test_an_answer_is_a_choice_whether_its_quotes_are_straight_or_curled(answer):
    found = guessed(answer, choices=["Ann's coin", "neither"])

    assert (found.answer, found.choices) == ("Ann’s coin", ["Ann’s coin", "neither"])


def test_an_answer_that_is_no_choice_is_told_all_of_them():
    with pytest.raises(SiteError) as caught:
        guessed("coin C", choices=["coin A", "coin B", "neither"])

    assert caught.value.cure == "let the result give one of: coin A, coin B, neither"


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"answer": "64", "written": "64", **SLIDER}, "the answer of the guess is typed: 64"),
        ({"answer": "64 %", **SLIDER}, "the answer of the guess is '64 %', which is no number"),
        ({"answer": "101", **SLIDER}, "the answer 101 is not on the slider"),
        ({"answer": "c", "choices": ["a", "b"]}, "the answer of the guess is 'c', which is not among the choices"),
    ],
)
def test_an_answer_that_nobody_could_guess_is_an_error_at_its_line(facts, message):
    with pytest.raises(SiteError) as caught:
        guessed(**facts)

    assert (caught.value.message, str(caught.value.place)) == (message, "content/posts/a.md:4")
    assert caught.value.cure


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({}, "needs `start:` and `stop:`"),
        ({"start": 1, "stop": 1}, "goes from `start:` up to `stop:`"),
        ({"start": 0, "stop": 1, "step": 0}, "by a `step:` above 0"),
        ({"choices": ["a"]}, "two or more different ones"),
        ({"choices": ["a", "b"], "start": 1}, "for a number, or `choices:`, and not both"),
    ],
)
def test_a_guess_has_either_a_slider_or_choices(keys, why):
    with pytest.raises(ValueError, match=why):
        guessed("1", **keys)


@pytest.mark.parametrize(
    "guess",
    [
        None,
        Guess(question="Which?", answer="b", choices=["a", "b"]),
        Guess(question="?", answer="1", start="1/4", stop=2, unit="%"),
    ],
)
def test_a_summary_keeps_its_guess(guess):
    assert from_json(PostSummary, to_json(brief(guess=guess))).guess == guess


def rendered(body):
    head = b"---\ntitle: A\ndate: 2026-01-01\n---\n"
    post = read_post(head + body.encode(), PurePosixPath("posts/a.md"), "content/posts/a.md")
    body, facts = body_and_facts(PostEnvironment(), post, JobData(Path(), Job(post)))
    return SimpleNamespace(html=body.html, **facts)


def test_a_bar_behind_a_backslash_is_one_bar_in_a_table_and_the_norm_elsewhere():
    table = "| a | b |\n|---|---|\n| 1 | $P(A\\|B)$ |\n\nThen $P(A\\|B)$."

    assert re.findall('alttext="([^"]*)"', rendered(table).html) == ["P(A|B)", "P(A‖B)"]


def test_signs_that_an_editor_of_html_wrote_are_tex():
    html = rendered(r"$$\begin{aligned} a &amp;= b \\ c &amp;&lt; d \end{aligned}$$").html

    assert 'alttext="a = b; c &lt; d"' in html


def test_a_message_about_a_formula_has_the_values_of_its_results():
    with pytest.raises(SiteError) as caught:
        rendered("$$\\sum_{k={{ 8 }}}^\\foo$$")

    assert caught.value.message == "in the formula \\sum_{k=8}^\\foo: unknown command \\foo"


def test_an_excerpt_that_ends_in_a_link_keeps_its_full_stop_beside_it():
    assert rendered("See [a *word*](https://example.org), `x`.").summary.text == "See a word, x."


def test_a_link_to_the_top_of_a_page_leads_there():
    # HTML Standard, section 7.4.6.3: the fragment "top" is the top of the document.
    links = rendered("[up](#top) and [down](#bottom)").links
    errors = list(check_links("content/posts/a.md", links, ["posts/a/"] * 2, {"posts/a/": ()}))

    assert [str(error.place) for error in errors] == ["content/posts/a.md:5"]
    assert "'bottom'" in errors[0].message


@pytest.mark.parametrize(("written", "near"), [("plot.png", "posts/plots.png"), ("coin.svg", "images/coin.svg")])
def test_a_picture_that_is_not_there_suggests_one_with_a_near_name(written, near):
    links = rendered(f"![a picture]({written})").links
    site = dict.fromkeys(["posts/a/", "posts/plot/", "posts/coin-svg/", "posts/plots.png", "images/coin.svg"])
    (error,) = check_links("content/posts/a.md", links, [f"posts/{written}"], site)

    assert error.cure == f"did you mean {near!r}?"


def test_lines_of_code_have_their_numbers_in_one_box():
    html = rendered('```python linenums="1"\na = 1\nb = 2\n```').html

    assert html.count("<pre") == 1
    assert re.findall('data-linenos="([^"]*)"', html) == ["1 ", "2 "]


def test_c_and_its_relatives_have_addresses_of_their_own():
    assert [slugged(name) for name in ("C", "C++", "C#", "F#", "a+b", "No. #1", "game theory")] == [
        "c", "c-plus-plus", "c-sharp", "f-sharp", "a-b", "no-1", "game-theory"
    ]  # fmt: skip
    html = rendered("## C\n\n## C++\n\n## C#\n").html
    assert re.findall('<h2 id="([^"]*)"', html) == ["c", "c-plus-plus", "c-sharp"]


def ids_of(page):
    return [found[1] for found in re.finditer(r'<[^<>]*\sid="([^"]+)"', page)]


@pytest.mark.parametrize("above", ["## Both ends", '<p id="both-ends">A</p>'])
def test_a_figure_and_what_has_its_title_in_the_text_have_anchors_of_their_own(project, above):
    figure = '{{ figure(curve([1, 2], [3, 4], title="Both ends", across_label="x", up_label="y")) }}'
    table = '{{ table({"x": [1, 2]}, title="Both ends 2") }}'
    project.post(f"{above}\n\n## Both ends title\n\n## Main\n\n{figure}\n\n{table}\n")

    project.build()

    ids = ids_of(project.page("posts/ruin/index.html"))
    assert len(ids) == len(set(ids))
    assert {"both-ends", "both-ends-title", "main-section"} <= set(ids)
    assert sum(each.startswith("both-ends") for each in ids) == 6


def test_an_id_that_is_given_twice_is_an_error_at_its_lines():
    found = errors_in_text('<p id="x">A</p>\n\n`<p id="x">`\n\n<p id="x">B</p>\n\n<!-- <p id="x"> -->\n')

    assert {each.message for each in found} == {"the id x is given twice"}


@pytest.mark.parametrize("heading", ["#Title", "# Title", "Title\n====="])
def test_a_heading_that_stands_for_the_title_is_an_error_at_its_line(heading):
    (found,) = errors_in_text(f"A.\n\n{heading}\n")

    assert found.place.line == 7 + heading.count("\n")
    assert "stands for the title" in found.message


@pytest.mark.parametrize(
    "text", ["{{ 1 2 }}", "{% if 1 %}", "{# never closed", "{{ 36 * 2 | round }}", "{{ 1 | nope }}"]
)
def test_what_jinja_cannot_read_is_an_error_at_its_line_in_a_post_without_runs(text):
    (found,) = errors_in_text(f"Text.\n\n{text}\n")

    assert str(found.place) == "content/posts/a.md:7"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ (3).mean }}", "3 has no 'mean'"),
        ("{{ (1 / 2).mean }}", "1/2 has no 'mean'"),
        ("{{ 'abc'.mean }}", "abc has no 'mean'"),
        ("{{ [1, 2].mean }}", "this list has no 'mean'"),
        ("{{ {'a': 1}.mean }}", "this has no 'mean'"),
        ("{{ 1 / 0 }}", "this divides by zero"),
        ("{{ 'a' * 10**18 }}", "MemoryError"),  # more than any machine addresses
    ],
)
def test_what_a_value_does_not_have_or_allow_is_said_in_words_with_a_cure(text, message):
    (found,) = errors_in_text(f"Text.\n\n{text}\n")

    assert (str(found.place), found.message) == ("content/posts/a.md:7", message)
    assert found.cure
