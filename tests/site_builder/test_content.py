"""The files of content/: front matter as authors know it, and what becomes of every other file."""

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.config import load_config
from site_builder.content import load_content
from site_builder.errors import SiteError, faults_of
from site_builder.front_matter import Steps, read_moment

HEAD = "title: A title\ndate: 2026-03-01\n"
PLAIN = f"---\n{HEAD}---\nText.\n"
UNDATED = "---\ntitle: A title\n---\nText.\n"


def load(folder, files, drafts=False):
    (folder / "config.yaml").write_text("title: A blog\nbase_url: https://example.org/\n", "utf-8")
    (folder / "content").mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / "content" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return load_content(load_config(folder), drafts)


def post(folder, front, name="posts/a-name.md", drafts=True):
    """The one post with these lines of front matter."""
    (found,) = load(folder, {name: f"---\n{front}\n---\nText.\n"}, drafts).writeups
    return found


def messages(folder, files):
    """What an author reads, one text for each fault."""
    with pytest.raises((SiteError, ExceptionGroup)) as caught:
        load(folder, files)
    return [str(fault) for fault in faults_of(caught.value)]


def message(folder, front, name="posts/a-name.md"):
    """The only fault of a post with these lines of front matter."""
    (found,) = messages(folder, {name: f"---\n{front}\n---\nText.\n"})
    return found


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


@pytest.mark.parametrize("name", ["posts/2017-10-03-a-coin.md", "posts/2017-10-3-a-coin/index.md"])
def test_a_dated_file_name_gives_the_date_and_stays_out_of_the_address(tmp_path, name):
    found = post(tmp_path, "title: A", name)

    assert (found.date, found.path) == (datetime(2017, 10, 3, tzinfo=UTC), "posts/a-coin/")


def test_the_date_of_the_front_matter_goes_before_that_of_the_name(tmp_path):
    assert post(tmp_path, "title: A\ndate: 2020-01-01", "posts/2017-10-13-a.md").date.year == 2020


def test_a_file_name_with_an_impossible_date_is_a_fault_of_that_file(tmp_path):
    found = message(tmp_path, "title: A", "posts/2017-13-13-a.md")

    assert found.startswith("content/posts/2017-13-13-a.md:1: ")
    assert "'2017-13-13' is not a date" in found


def test_updated_takes_the_same_dates(tmp_path):
    assert post(tmp_path, HEAD + "updated: 2026/04/02").front.updated == datetime(2026, 4, 2, tzinfo=UTC)


def test_posts_come_newest_first_whatever_their_names(tmp_path):
    dates = {"b": "2020-01-01", "a": "2022-01-01 00:30 +0200", "c": "2021-12-31 23:00", "d": "2021-12-31 10:00"}

    found = load(tmp_path, {f"posts/{name}.md": f"---\ntitle: A\ndate: {day}\n---\n" for name, day in dates.items()})

    # half past midnight two hours east of Greenwich is 22:30 there, half an hour before post c
    assert [post.slug for post in found.posts] == ["c", "a", "d", "b"]


# Drafts


@pytest.mark.parametrize("line", ["draft: true", "draft: yes", "published: false", "published: no"])
def test_a_draft_is_left_out_unless_asked_for(tmp_path, line):
    files = {"posts/a.md": f"---\n{HEAD}{line}\n---\nText.\n"}

    assert load(tmp_path, files).posts == ()
    assert [post.slug for post in load(tmp_path, files, drafts=True).posts] == ["a"]


@pytest.mark.parametrize("line", ["draft: false", "published: true", "draft:"])
def test_what_is_no_draft_is_published(tmp_path, line):
    assert len(load(tmp_path, {"posts/a.md": f"---\n{HEAD}{line}\n---\nText.\n"}).posts) == 1


def test_draft_takes_true_or_false_alone(tmp_path):
    assert "draft is 'maybe'; it must be true or false" in message(tmp_path, HEAD + "draft: maybe")


def test_a_fault_in_a_draft_is_a_fault(tmp_path):
    assert "'titel' is not known here" in message(tmp_path, HEAD + "draft: true\ntitel: B")


def test_a_draft_takes_no_address_from_others(tmp_path):
    draft = f"---\n{HEAD}draft: true\nslug: same\n---\n"

    found = load(tmp_path, {"posts/a.md": draft, "posts/same.md": PLAIN})

    assert [post.source for post in found.posts] == ["content/posts/same.md"]


# Addresses


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("posts/two-coins.md", "posts/two-coins/"),
        ("posts/Two Coins.md", "posts/two-coins/"),
        ("posts/two_coins.md", "posts/two_coins/"),
        ("posts/two-coins/index.md", "posts/two-coins/"),
        ("posts/2026/two-coins.md", "posts/two-coins/"),
        ("posts/Zwei Münzen.md", "posts/zwei-münzen/"),
        ("posts/two-coins.markdown", "posts/two-coins/"),
        ("posts/two-coins.MD", "posts/two-coins/"),
    ],
)
def test_the_address_of_a_post_comes_from_its_file_name(tmp_path, name, path):
    assert load(tmp_path, {name: PLAIN}).posts[0].path == path


@pytest.mark.parametrize(("name", "path"), [("pages/about.md", "about/"), ("pages/about/index.md", "about/")])
def test_a_page_stands_at_the_top_and_needs_no_date(tmp_path, name, path):
    found = load(tmp_path, {name: UNDATED})

    assert [(page.path, page.date) for page in found.pages] == [(path, None)]
    assert found.posts == ()


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("slug: other", "posts/other/"),
        ("slug: 2048", "posts/2048/"),
        ("permalink: /2017/10/old-name/", "2017/10/old-name/"),
        ("permalink: /old-name", "old-name/"),
        ("permalink: /old-name.html", "old-name.html"),
        ("permalink: /writing/:title/", "writing/a-name/"),
        ("slug: other\npermalink: /writing/:slug/", "writing/other/"),
        ("slug:\npermalink:", "posts/a-name/"),
    ],
)
def test_slug_and_permalink_change_the_address(tmp_path, line, path):
    assert post(tmp_path, HEAD + line).path == path


@pytest.mark.parametrize("slug", ["My Slug", "a/b", "../up", "UPPER", "/a/"])
def test_a_slug_that_is_no_name_is_refused_with_one_that_is(tmp_path, slug):
    found = message(tmp_path, HEAD + f"slug: {slug}")

    assert found.startswith("content/posts/a-name.md:4: slug is ")
    assert "mend: write slug: " in found


@pytest.mark.parametrize("key", ["permalink", "aliases"])
@pytest.mark.parametrize("path", ["../../etc/", "/", "/a//b/", "/../", "https://example.org/a/", "/a?b/", "/.git/"])
def test_an_address_outside_the_site_is_refused(tmp_path, key, path):
    found = message(tmp_path, HEAD + f"{key}: '{path}'")

    assert found.startswith("content/posts/a-name.md:4: ")
    assert f"{path!r}" in found
    assert "mend: write one such as /" in found


@pytest.mark.parametrize(
    ("written", "paths"),
    [
        ("/old/", ("old/",)),
        ("old", ("old/",)),
        ("/2017/10/old.html", ("2017/10/old.html",)),
        ("[/old/, /older/]", ("old/", "older/")),
        ("[/old/, old]", ("old/",)),
        ("", ()),
    ],
)
def test_aliases_are_old_addresses_in_any_spelling(tmp_path, written, paths):
    assert post(tmp_path, HEAD + f"aliases: {written}").aliases == paths


def test_a_name_without_letters_needs_a_slug(tmp_path):
    found = message(tmp_path, HEAD, "posts/!!!.md")

    assert "no address can be made of the file's name" in found
    assert "mend: add a line slug: name" in found


@pytest.mark.parametrize(
    ("files", "place", "other"),
    [
        ({"posts/a.md": PLAIN, "posts/b.md": f"---\n{HEAD}slug: a\n---\n"}, "posts/b.md:4", "posts/a.md:2"),
        ({"posts/a.md": PLAIN, "posts/a/index.md": PLAIN}, "posts/a.md:2", "posts/a/index.md:2"),
        ({"posts/a.md": PLAIN, "posts/a/index.html": "x"}, "posts/a.md:2", "posts/a/index.html"),
        ({"posts/A.md": PLAIN, "posts/a.md": PLAIN}, "posts/a.md:2", "posts/A.md:2"),
        ({"pages/x.md": UNDATED, "posts/a.md": f"---\n{HEAD}permalink: /x/\n---\n"}, "posts/a.md:4", "pages/x.md:2"),
        ({"posts/a.md": f"---\n{HEAD}aliases:\n  - /o/\n  - /posts/a/\n---\n"}, "posts/a.md:6", "posts/a.md:2"),
        (
            {"posts/a.md": PLAIN, "posts/b.md": f"---\n{HEAD}aliases: [/posts/a/]\n---\n"},
            "posts/b.md:4",
            "posts/a.md:2",
        ),
        ({"posts/b.md": f"---\n{HEAD}aliases: [/x.html]\n---\n", "x.html": "x"}, "posts/b.md:4", "x.html"),
    ],
)
def test_two_that_want_the_same_address_are_both_named(tmp_path, files, place, other):
    (found,) = messages(tmp_path, files)

    assert found.startswith(f"content/{place}: its address ")
    assert f"is taken by content/{other}\n" in found


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
        "limits: {time: 60, memory: 2 GiB}\nextra: {anything: [1, {a: 0.1}]}\n",
    ).front

    assert (front.summary, front.answer, front.author, front.series) == ("About coins.", "3/5", "Somebody", "Coins")
    assert (front.puzzle.name, front.puzzle.source, front.puzzle.published.year) == ("N", "S", 2020)
    assert (front.toc, front.limits.time, front.limits.memory) == (True, 60, 2 * 1024**3)
    assert Fraction(front.extra["anything"][1]["a"]) == Fraction(1, 10)


def test_the_limits_of_a_post_leave_those_of_the_site_where_they_say_nothing(tmp_path):
    own = post(tmp_path, HEAD + "limits: {time: 5}").front.limits
    site = load_config(tmp_path).settings.limits

    assert (own.over(site).time, own.over(site).memory) == (5, site.memory)


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("titel: B", 4, "did you mean 'title'?"),
        ("Title: B", 4, "did you mean 'title'?"),
        ("tag: x", 4, "did you mean 'tags'?"),
        ("puzzle:\n  nam: x", 5, "did you mean 'name'?"),
        ("limits: {memry: 1 GB}", 4, "did you mean 'memory'?"),
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
        ("limits: {time: -1}", 4, "limits.time is -1; it must be more than 0"),
        ("limits: {memory: lots}", 4, "'lots' is not a size"),
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


def test_the_short_form_is_one_run_named_result(tmp_path):
    runs = post(tmp_path, HEAD + "solver: ruin\nparameters: {goal: 30}").runs

    assert list(runs) == ["result"]
    assert (runs["result"].solver, runs["result"].parameters, runs["result"].fixed) == ("ruin", {"goal": 30}, False)


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
        ("runs:\n  a: {solver: ruin, keep: chance}", 5, "`keep:` goes with a sweep"),
        ("runs:\n  a: {solver: ruin, sweep: {p: [1]}}", 5, "a sweep needs `keep:`"),
        ("runs:\n  a: {solver: ruin, sweep: {p: []}, keep: x}", 5, "at least one value"),
        ("runs:\n  a: {solver: ruin, sweep: {p: 3}, keep: x}", 5, "neither a list of values nor like {start"),
        ("runs:\n  a: {solver: ruin, sweep: {p: [[1]]}, keep: x}", 5, "[1] is not a single value"),
        ("runs:\n  a: {solver: ruin, sweep: {p: [1], q: [1], r: [1]}, keep: x}", 5, "one or two names"),
        ("runs:\n  a: {solver: ruin, parameters: {p: 1}, sweep: {p: [1]}, keep: x}", 5, "swept and set as well"),
        ("runs:\n  a: {solver: ruin, sweep: {p: [1]}, keep: p}", 5, "leave it out of `keep:`"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 1}}, keep: x}", 5, "has no steps"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 1, steps: 0}}, keep: x}", 5, "at least 1"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 1, steps: 1}}, keep: x}", 5, "both included"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: 0, stop: 0, steps: 3}}, keep: x}", 5, "both included"),
        ("runs:\n  a: {solver: ruin, sweep: {p: {start: x, stop: 1, steps: 2}}, keep: x}", 5, "such as 0.6 or 3/5"),
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


# The file as a whole


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("---\n", "---  \n").encode(),
        PLAIN.replace("---\nText", "...\nText").encode(),
    ],
)
def test_line_ends_byte_order_marks_and_fences_may_differ(tmp_path, data):
    (found,) = load(tmp_path, {"posts/a.md": data}).posts

    assert (found.front.title, found.body, found.body_line) == ("A title", "Text.\n", 5)


def test_a_file_may_end_with_its_front_matter(tmp_path):
    (found,) = load(tmp_path, {"posts/a.md": f"---\n{HEAD}---"}).posts

    assert found.body == ""


def test_an_indented_line_of_hyphens_does_not_end_the_front_matter(tmp_path):
    found = post(tmp_path, HEAD + "summary: |\n  above\n  ---\n  below")

    assert found.front.summary == "above\n---\nbelow"


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 1, "does not begin with front matter"),
        (b"Text.\n", 1, "does not begin with front matter"),
        (b"\n" + PLAIN.encode(), 1, "does not begin with front matter"),
        (b"+++\ntitle = 'A'\n+++\n", 1, "does not begin with front matter"),
        (b"---\ntitle: A\n", 1, "does not end"),
        (b"---\n- a\n---\n", 2, "write `key: value` lines"),
        (PLAIN.encode() + b"caf\xe9\n", 6, "save it as UTF-8"),
        (PLAIN.encode("utf-16"), 1, "save it as UTF-8"),
        (f"---\n{HEAD}author: A\x00B\n---\n".encode(), 4, "U+0000"),
    ],
)
def test_a_file_that_is_no_post_is_told_what_to_do(tmp_path, data, line, words):
    (found,) = messages(tmp_path, {"posts/a.md": data})

    assert found.startswith(f"content/posts/a.md:{line}: ")
    assert words in found
    assert "mend: " in found


def test_the_faults_of_all_files_are_reported_in_one_run(tmp_path):
    files = {
        "posts/a.md": "---\ntitel: A\ndate: someday\n---\n",
        "posts/b.md": "no front matter",
        "posts/c.md": f"---\n{HEAD}slug: d\n---\n",
        "posts/d.md": PLAIN,
        "pages/e.md": b"\xff\xfe",
    }

    found = {text.partition(": ")[0] for text in messages(tmp_path, files)}

    assert found == {
        "content/pages/e.md:1",
        "content/posts/a.md:2",
        "content/posts/a.md:3",
        "content/posts/b.md:1",
        "content/posts/d.md:2",
    }


def test_a_project_without_content_is_told_where_posts_go(tmp_path):
    (tmp_path / "config.yaml").write_text("title: A\nbase_url: https://example.org/\n")

    with pytest.raises(SiteError, match="there is no folder content/"):
        load_content(load_config(tmp_path))


# Other files


def test_other_files_are_published_at_the_same_path(tmp_path):
    files = {
        "images/a.png": b"1",
        "CNAME": b"example.org",
        "posts/coins/index.md": PLAIN,
        "posts/coins/tree.svg": b"<svg/>",
        "data/notes.md": b"# no front matter",
        "posts/accepted/b.png": b"2",
    }

    found = load(tmp_path, files).files

    assert {path: file.read_bytes() for path, file in found.items()} == {
        path: data for path, data in files.items() if path != "posts/coins/index.md"
    }


@pytest.mark.parametrize(
    "name",
    [
        *(".DS_Store", ".git/config", "posts/.a.md.swp", "posts/a.md~", "posts/#a.md#", "posts/.#a.md", "a.bak"),
        *("images/a.png.orig", "images/a.tmp", "Thumbs.db", "accepted/coins.json", "accepted/deep/x.json"),
    ],
)
def test_leftovers_dotfiles_and_remembered_answers_are_not_published(tmp_path, name):
    found = load(tmp_path, {name: b"x", "posts/a.md": PLAIN})

    assert (found.files, len(found.writeups)) == ({}, 1)


@pytest.mark.parametrize("name", ["about.md", "drafts/idea.md", "about.markdown"])
def test_a_writeup_in_the_wrong_folder_is_a_fault_and_no_download(tmp_path, name):
    (found,) = messages(tmp_path, {name: UNDATED})

    assert found.startswith(f"content/{name}:1: ")
    assert "content/posts/ nor in content/pages/" in found
