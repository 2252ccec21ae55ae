"""Front matter as authors know it: dates, tags, runs and all that a post may say of itself."""

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.project.front_matter import Steps, read_moment
from tests.support.content import HEAD, message, post

# Dates


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-11-20", datetime(2026, 11, 20, tzinfo=UTC)),
        ("2017/10/13", datetime(2017, 10, 13, tzinfo=UTC)),
        ("2017/1/3", datetime(2017, 1, 3, tzinfo=UTC)),
        ("2026-1-2", datetime(2026, 1, 2, tzinfo=UTC)),
        ("'2026-11-20'", datetime(2026, 11, 20, tzinfo=UTC)),
        ("2026-11-20 10:30", datetime(2026, 11, 20, 10, 30, tzinfo=UTC)),
        ("2026-11-20 9:05", datetime(2026, 11, 20, 9, 5, tzinfo=UTC)),
        ("2026-11-20 10:30:15", datetime(2026, 11, 20, 10, 30, 15, tzinfo=UTC)),
        ("2017/10/13 09:05", datetime(2017, 10, 13, 9, 5, tzinfo=UTC)),
        ("2026-11-20T10:30:00Z", datetime(2026, 11, 20, 10, 30, tzinfo=UTC)),
        ("2026-11-20 10:30 UTC", datetime(2026, 11, 20, 10, 30, tzinfo=UTC)),
        ("2026-11-20 10:30:00 +0200", datetime(2026, 11, 20, 10, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("2026-11-20 10:30:00 -05:00", datetime(2026, 11, 20, 10, 30, tzinfo=timezone(timedelta(hours=-5)))),
        ("2126-01-01", datetime(2126, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_date_is_read_as_authors_write_it(tmp_path, written, moment):
    found = post(tmp_path, f"title: A\ndate: {written}").date

    assert found == moment
    assert found.utcoffset() == moment.utcoffset()


@given(st.datetimes(min_value=datetime(1000, 1, 1)))
def test_a_date_that_is_written_out_reads_as_itself(moment):
    zoned = moment.replace(microsecond=0, tzinfo=UTC)

    assert read_moment(zoned.isoformat()) == zoned
    assert read_moment(f"{zoned:%Y/%m/%d %H:%M:%S}") == zoned


@pytest.mark.parametrize(
    "written",
    ["tomorrow", "20260102", "2026", "2026-01", "13.10.2017", "2026/02/30", "2026-11-20 25:00", "true", "[2026]"],
)
def test_what_is_no_date_is_refused_with_one_that_is(tmp_path, written):
    found = message(tmp_path, f"title: A\ntags: [x]\ndate: {written}")

    assert found.startswith("content/posts/a-name.md:4: ")
    assert "is not a date; write one such as 2026-11-20" in found


def test_a_day_that_no_calendar_has_is_refused(tmp_path):
    assert message(tmp_path, "title: A\ndate: 2026-02-30").startswith("content/posts/a-name.md:3: ")


def test_a_post_needs_a_date(tmp_path):
    found = message(tmp_path, "title: A")

    assert "the front matter has no date" in found
    assert "mend: add a line such as date: 2026-11-20" in found


def test_updated_takes_the_same_dates(tmp_path):
    assert post(tmp_path, HEAD + "updated: 2026/04/02").front.updated == datetime(2026, 4, 2, tzinfo=UTC)


# Tags and other words


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        ("tags: [coins, dynamic programming]", ("coins", "dynamic programming")),
        ("tags:\n  - coins\n  - games", ("coins", "games")),
        ("tags: coins", ("coins",)),
        ("tags: dynamic programming", ("dynamic programming",)),
        ("tags: coins, games", ("coins", "games")),
        ("tags: 2048", ("2048",)),
        ("tags: [2048, 3.50]", ("2048", "3.50")),
        ("tags: [coins, coins]", ("coins",)),
        ("categories: [coins]\ntags: games", ("games", "coins")),
        ("tags:", ()),
        ("tags: ''", ()),
        ("tags: []", ()),
    ],
)
def test_tags_and_categories_are_lists_or_text(tmp_path, lines, tags):
    assert post(tmp_path, HEAD + lines).tags == tags


@pytest.mark.parametrize("tags", ["{a: b}", "[[a]]", "[true]", "true"])
def test_tags_that_are_no_words_are_refused(tmp_path, tags):
    assert message(tmp_path, HEAD + f"tags: {tags}").startswith("content/posts/a-name.md:4: tags")


def test_everything_that_the_language_lists_is_taken(tmp_path):
    front = post(
        tmp_path,
        HEAD + "updated: 2026-04-01\ntags: [a]\nsummary: About coins.\nanswer: 3/5\nauthor: Somebody\nslug: s\n"
        "permalink: /p/\naliases: [/o/]\nseries: Coins\ncategories: [c]\nlayout: post\ndraft: false\npublished: true\n"
        "puzzle: {name: N, source: S, url: https://example.org/n, published: 2020-02-21}\nruns: {}\ntoc: true\n"
        "extra: {anything: [1, {a: 0.1}]}\n",
    ).front

    assert (front.summary, front.answer, front.author, front.series) == ("About coins.", "3/5", ["Somebody"], "Coins")
    assert (front.puzzle.name, front.puzzle.source, front.puzzle.published.year) == ("N", "S", 2020)
    assert front.toc is True
    assert Fraction(front.extra["anything"][1]["a"]) == Fraction(1, 10)


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("titel: B", 4, "did you mean 'title'?"),
        ("Title: B", 4, "did you mean 'title'?"),
        ("tag: x", 4, "did you mean 'tags'?"),
        ("puzzle:\n  nam: x", 5, "did you mean 'name'?"),
        ("runs:\n  fair:\n    solver: s\n    fixd: true", 7, "did you mean 'fixed'?"),
        ("comments: true", 4, "there is: aliases, answer"),
    ],
)
def test_an_unknown_key_is_a_fault_with_a_suggestion(tmp_path, lines, line, words):
    found = message(tmp_path, HEAD + lines)

    assert found.startswith(f"content/posts/a-name.md:{line}: ")
    assert "is not known here" in found
    assert words in found.partition("mend:")[2]


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("title: B", 4, "'title' is set twice"),
        ("puzzle: a name", 4, "it must be a mapping of names to values"),
        ("puzzle:\n  url: javascript:alert(1)", 5, "is not an address such as https://example.org/"),
        ("toc: perhaps", 4, "it must be true or false"),
        ("summary: [a]", 4, "summary is ['a']; it must be text"),
        ("extra: text", 4, "it must be a mapping of names to values"),
        ("summary: a: b", 4, "put a text that holds a colon into quotes"),
        ("answer: 'open", 4, "close the quotes"),
    ],
)
def test_a_wrong_value_is_reported_at_its_line(tmp_path, lines, line, words):
    found = message(tmp_path, HEAD + lines)

    assert found.startswith(f"content/posts/a-name.md:{line}: ")
    assert words in found


@pytest.mark.parametrize("title", ["''", "'  '"])
def test_a_title_says_something(tmp_path, title):
    assert "a title" in message(tmp_path, f"date: 2026-01-01\ntitle: {title}")


# Runs


def test_the_short_form_is_one_run_named_main(tmp_path):
    runs = post(tmp_path, HEAD + "solver: ruin\nparameters: {goal: 30}").runs

    assert list(runs) == ["main"]
    assert (runs["main"].solver, runs["main"].parameters, runs["main"].fixed) == ("ruin", {"goal": 30}, False)


def test_runs_keep_their_names_and_order(tmp_path):
    runs = post(tmp_path, HEAD + "runs:\n  zeta: {solver: ruin}\n  by_p: {solver: ruin, fixed: true}").runs

    assert [(name, run.fixed) for name, run in runs.items()] == [("zeta", False), ("by_p", True)]


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("solver: ruin\nruns: {a: {solver: ruin}}", 5, "name the solver in each run"),
        ("parameters: {goal: 3}", 4, "go with `solver:`"),
        ("runs:\n  Fair: {solver: ruin}", 5, "a name of small letters, digits and _"),
        ("runs:\n  by p: {solver: ruin}", 5, "a name of small letters, digits and _"),
        ("runs:\n  a: ruin", 5, "runs.a is 'ruin'; it must be a mapping of names to values"),
        ("runs:\n  a: {}", 5, "runs.a has no solver"),
        ("runs: [a]", 4, "it must be a mapping of names to values"),
        ("runs:\n  a:\n    solver: ruin\n    fixed: maybe", 7, "runs.a.fixed is 'maybe'; it must be true or false"),
        ("runs:\n  a: {solver: ruin, keep: chance}", 5, "`sweep:` goes with `keep:`"),
        ("runs:\n  a: {solver: ruin, sweep: {p: [1]}}", 5, "`sweep:` goes with `keep:`"),
        ("runs:\n  a: {solver: ruin, sweep: {p: []}, keep: x}", 5, "at least one value"),
        ("runs:\n  a: {solver: ruin, sweep: {p: 3}, keep: x}", 5, "neither a list of values nor like {start"),
        ("runs:\n  a: {solver: ruin, sweep: {p: [[1]]}, keep: x}", 5, "[1] is not a single value"),
        ("runs:\n  a: {solver: ruin, sweep: {p: [1], q: [1], r: [1]}, keep: x}", 5, "one or two names"),
        ("runs:\n  a: {solver: ruin, parameters: {p: 1}, sweep: {p: [1]}, keep: x}", 5, "p is swept: leave it out"),
        ("runs:\n  a: {solver: ruin, sweep: {p: [1]}, keep: p}", 5, "p is swept: leave it out"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 1}}, keep: x}", 5, "has no steps"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 1, steps: 0}}, keep: x}", 5, "at least 1"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 1, steps: 1}}, keep: x}", 5, "both included"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 0, steps: 3}}, keep: x}", 5, "both included"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: x, stop: 1, steps: 2}}, keep: x}", 5, "such as 0.6 or"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 1e999999999, steps: 2}}, keep: x}", 5, "such as 0.6"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 1.0e-5000, steps: 2}}, keep: x}", 5, "such as 0.6"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: .inf, stop: 1, steps: 2}}, keep: x}", 5, "such as 0.6"),
        (
            "runs:\n  a:\n    solver: ruin\n    keep: x\n    sweep:\n      p: {start: 0, stop: 1, steps: 5000}\n"
            "      q: {start: 0, stop: 1, steps: 5000}",
            5,
            "a sweep has at most 100,001 points",
        ),
    ],
)
def test_a_run_that_asks_for_the_impossible_is_refused_at_its_line(tmp_path, lines, line, words):
    found = message(tmp_path, HEAD + lines)

    assert found.startswith(f"content/posts/a-name.md:{line}: ")
    assert words in found


@pytest.mark.parametrize(
    ("values", "words"),
    [("[1/3]", "at least 2 items, not 1"), ("[1, 2, 3]", "at most 2 items, not 3")],
)
def test_a_correction_has_an_old_and_a_new_value(tmp_path, values, words):
    lines = f"corrections:\n  - date: 2026-11-21\n    text: wrong\n    changed:\n      main.p: {values}"

    found = message(tmp_path, HEAD + lines)

    assert found.startswith("content/posts/a-name.md:8: corrections.0.changed.main.p is [")
    assert f"; it must have {words}" in found


def test_a_hundred_and_one_steps_from_0_to_1_hit_every_hundredth_exactly():
    values = Steps(start=0, stop=1, steps=101).values()

    assert list(values) == [Fraction(i, 100) for i in range(101)]
    assert values[10] == Fraction(1, 10)


def test_whole_steps_are_ints_and_may_count_down():
    values = Steps(start=3, stop=1, steps=5).values()

    assert list(values) == [3, Fraction(5, 2), 2, Fraction(3, 2), 1]
    assert [type(value) for value in values] == [int, Fraction, int, Fraction, int]


@given(st.fractions(), st.fractions(), st.integers(2, 200))
def test_steps_include_both_ends_and_are_equally_far_apart(start, stop, steps):
    if start == stop:
        return
    values = Steps(start=f"{start}", stop=f"{stop}", steps=steps).values()

    assert (values[0], values[-1], len(values)) == (start, stop, steps)
    assert {b - a for a, b in pairwise(values)} == {Fraction(stop - start, steps - 1)}
