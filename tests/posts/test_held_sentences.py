"""Held sentences: which branch is shown, what is recorded, and what is refused."""

import re
from fractions import Fraction
from types import SimpleNamespace

import pytest

from site_builder.errors import Place, SiteError
from site_builder.markup.placeholders import Placeholders
from site_builder.posts.held_sentences import HeldSentences
from site_builder.posts.jinja import PostEnvironment, render
from site_builder.posts.result_values import COMPARED, results_value
from site_builder.values.records import Record
from tests.support.calls import calls_of

FIRST = "{% set first = results.main.x %}"
TEXT = (
    FIRST + "{% holds 2 * first < 1 %}Go second.{% otherwise 2 * first > 1 %}Go first.{% otherwise %}All one."
    "{% endholds %}"
)
NO_REST = FIRST + "{% holds first < 1 %}Less.{% otherwise first > 2 %}More.{% endholds %}"


def rendered(text, is_free=False, **fields):
    errors = []
    held = HeldSentences("content/posts/a.md", errors, is_free)
    names = {"results": results_value({"main": Record(fields)}), "_held": held}
    shown = render(PostEnvironment(), text, Place("content/posts/a.md", 3), names, Placeholders())[0]
    return SimpleNamespace(text=shown, errors=errors)


def refused(text, **fields):
    (error,) = rendered(text, **fields).errors
    return str(error)


def test_the_first_branch_is_shown_where_it_holds():
    found = rendered(TEXT, x=Fraction(1, 3))

    assert (found.text, found.errors) == ("Go second.", [])


def test_a_first_branch_that_does_not_hold_is_refused_with_its_line_and_values():
    assert refused("\n\n" + TEXT, x=Fraction(2, 3)) == (
        "content/posts/a.md:5: the condition does not hold for 4/3 and 1\n"
        "    mend: say what is true now, or put the branch that holds first"
    )


def test_all_first_branches_that_do_not_hold_are_refused_at_once():
    found = rendered(TEXT + TEXT.replace("<", "==") + "\n" + TEXT, x=Fraction(2, 3))

    assert [each.place.line for each in found.errors] == [3, 3, 4]


@pytest.mark.parametrize(
    ("text", "x", "shown"),
    [
        (TEXT, Fraction(2, 3), "Go first."),
        (TEXT, Fraction(1, 2), "All one."),
        (NO_REST, 3, "More."),
        (NO_REST, 1, ""),
    ],
)
def test_of_a_run_that_was_set_the_branch_that_fits_is_shown_or_none(text, x, shown):
    found = rendered(text, is_free=True, x=x)

    assert (found.text, found.errors) == (shown, [])


def test_a_sentence_holds_for_the_posts_own_parameters_whatever_its_run_is_named():
    text = "{% set name = 'main' %}{% holds results[name].x > 1 %}More.{% endholds %}"

    assert rendered(text, is_free=True, x=1).errors == []
    assert rendered(text, x=1).errors


@pytest.mark.parametrize(
    ("condition", "fields"),
    [
        ("results.main.x < 1/2", {"x": 0.5 - 1e-13}),
        ("results.main.x == 0.3", {"x": 0.1 + 0.2}),
        ("results.main.x in [0.3, 1]", {"x": 0.1 + 0.2}),
        ("(1, results.main.x) == (1, 0.3)", {"x": 0.1 + 0.2}),
        ("results.main.x or ([results.main.y == 1] | first)", {"x": 0, "y": 1.0}),
    ],
)
def test_floats_that_are_closer_than_their_error_are_refused(condition, fields):
    message = refused("{% holds " + condition + " %}So it is.{% endholds %}", **fields)

    assert "this held sentence cannot be decided: " in message
    assert "are closer than the error of a float" in message
    assert "let the solver decide it" in message


@pytest.mark.parametrize(
    ("condition", "x"),
    [
        ("results.main.x == 0", 0.0),
        ("results.main.x < 1", 1 - 1e-6),
        ("results.main.x < 10 ** 400", 2.5),
        ("results.main.x == 1/3", Fraction(1, 3)),
        ("results.main.x > 1", float("inf")),
        ("0 < results.main.x < 1", 0.5),
        ("not results.main.x", False),
        ("results.main.x in ['left', 'right']", "left"),
        ("results.main.x is not none and results.main.x is odd", 3),
    ],
)
def test_what_can_be_told_apart_is_compared(condition, x):
    found = rendered("{% holds " + condition + " %}So it is.{% endholds %}", x=x)

    assert (found.text, found.errors) == ("So it is.", [])


@pytest.mark.parametrize(
    "text",
    [
        "{% holds results.main.x == 0 or 1 / results.main.x > 2 %}So it is.{% endholds %}",
        "{% holds not (results.main.x > 0 and 1 / results.main.x > 2) %}So it is.{% endholds %}",
        "{% holds results.main.x == 0 %}So it is.{% otherwise 1 / results.main.x > 2 %}Else.{% endholds %}",
    ],
)
def test_what_a_condition_does_not_need_is_not_evaluated(text):
    found = rendered(text, x=0)

    assert (found.text, found.errors) == ("So it is.", [])


@pytest.mark.parametrize(
    ("condition", "written"),
    [
        ("results.main.x", ""),
        ("results.main.x > 1 or results.main.y is none", " for 0 and 1"),
        ("results.main.x < results.main.y < 1", " for 0 and 1; 1 and 1"),
    ],
)
def test_the_message_has_all_values_that_were_compared(condition, written):
    message = refused("{% holds " + condition + " %}So it is.{% endholds %}", x=0, y=1)

    assert message.splitlines()[0].endswith(f"the condition does not hold{written}")


def test_a_sentence_that_stands_raw_is_printed_as_it_is():
    text = "{% raw %}{% holds x < 1 %}{% endraw %}{{ results.main.x }}"

    assert rendered(text, x=0).text.startswith("{% holds x < 1 %}")


def test_words_in_an_expression_that_look_like_a_sentence_stay_as_they_are():
    with pytest.raises(Exception, match=re.escape("has no '{% holds x %}'")):
        rendered("{{ results.main['{% holds x %}'] }}", x=0)


@pytest.mark.parametrize("begin", ["{%- holds\n  2 * first\n  < 1 -%}", "{%holds(2 * first < 1)%}"])
def test_a_condition_is_read_however_it_is_written(begin):
    message = refused(FIRST + begin + "So it is.{% endholds %}", x=1)

    assert "the condition does not hold for 2 and 1" in message


def test_a_name_that_does_not_exist_is_refused_as_everywhere():
    with pytest.raises(Exception, match="result has no 'z'"):
        rendered("{% holds results.main.z %}So it is.{% endholds %}", x=0)


def test_held_sentences_nest_and_set_variables():
    inner = "{% set word = 'yes' %}{% holds results.main.y %}A{% endholds %}"
    text = "{% holds results.main.x %}" + inner + "{% endholds %}{{ word }}"

    found = rendered(text, x=1, y=2)

    assert found.text.endswith("A\ufdd00\ufdd1")  # with a placeholder for the word


@pytest.mark.parametrize("condition", ["many() and results.main.x > 0.3", "many() == 'Many.' and results.main.x > 0.3"])
def test_a_held_sentence_in_a_macro_of_a_condition_leaves_the_rest_of_it_recorded(condition):
    macro = "{% macro many() %}{% holds results.main.n > 1 %}Many.{% endholds %}{% endmacro %}"
    message = refused(macro + "{% holds " + condition + " %}Go.{% endholds %}", n=2, x=0.1 + 0.2)

    assert "0.30000000000000004 and 0.3 are closer than the error of a float" in message


def test_an_error_in_a_condition_leaves_nothing_recorded_for_the_next_text():
    with pytest.raises(SiteError):
        rendered("{% holds results.main.x == 1 and 1 / (results.main.x - 1) %}Go.{% endholds %}", x=1)
    HeldSentences("content/posts/b.md", [])

    assert COMPARED.get() is None


def test_a_sentence_without_its_end_is_refused_at_its_line():
    with pytest.raises(Exception, match=r"a\.md:3: \{% holds %\} is never closed"):
        rendered("{% holds results.main.x %}So it is.", x=1)


@pytest.mark.parametrize("words", [(), ("--set", "gamblers_ruin.win=1/2"), ("--set", "gamblers_ruin.win=0.6")])
def test_a_sentence_is_held_to_the_posts_own_parameters_whatever_is_set(project, words):
    front = "runs:\n  yours: {solver: gamblers_ruin}\n"
    project.post("{% holds results.yours.half > 1/2 %}Good.{% otherwise %}Not good.{% endholds %}", front=front)

    assert "the condition does not hold for 1/2 and 1/2" in project.build(*words, status=1).err


def test_a_sentence_that_holds_shows_another_branch_where_something_is_set(project):
    front = "runs:\n  yours: {solver: gamblers_ruin}\n"
    project.post("{% holds results.yours.half == 1/2 %}Fair.{% otherwise %}Not fair.{% endholds %}", front=front)

    project.build("--set", "gamblers_ruin.win=0.6")

    assert "Not fair." in project.page("posts/ruin/index.html")


def test_the_work_grows_as_the_number_of_sentences():
    def show(count):
        errors = []
        held = HeldSentences("content/posts/a.md", errors)
        for line in range(count):
            held.decide(held.begin(), (line, "name"), True, False)
        assert len(errors) == count

    assert calls_of(lambda: show(400)) < 2.1 * calls_of(lambda: show(200))
