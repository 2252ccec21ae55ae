"""Posts that readers can turn: the page of each setting is the one that a build with `--set` makes."""

import json
import re
import sqlite3
from contextlib import closing
from html import unescape
from posixpath import join, normpath

import pytest

from site_builder.pipeline.build import build_and_write
from site_builder.pipeline.options import BuildOptions
from tests.conftest import CONFIG, Project
from tests.support.steps import Counted

TURN = "turn: {gamblers_ruin.goal: [4, 6, 20]}\nruns:\n  main: {solver: gamblers_ruin}\n"
BODY = """\
With {{ results.main.goal }} coins: {{ results.main.half | percent }}.

{{ figure(results.main.figures.chance) }}

{{ table({"coins": range(results.main.goal + 1) | list}, title="All") }}

{% if results.main.goal < 5 %}A short game.{% endif %}

The end.
"""
COUNTING = """\
from pathlib import Path


def extend(site):
    site.function("count", count)


def count():
    with Path(__file__).with_name("calls").open("a") as file:
        file.write("called\\n")
    return ""
"""
PAGE = "posts/ruin/index.html"


def control(page):
    """The links to the settings of a page, and the page without them."""
    found = re.search(r'<nav class="turn".*?</nav>', page, re.DOTALL)
    return (found[0], page.replace(found[0], "")) if found else ("", page)


def settings_in(page):
    """The label of each setting that a page links to, with its address; the present one with a star."""
    links = re.findall(r'<a href="([^"]*)"( aria-current="page")?>([^<]*)</a>', control(page)[0].partition("</p>")[0])
    return [(unescape(label) + "*" * bool(current), address) for address, current, label in links]


def resolved(page, folder):
    """The article of a page without its control, each address from the root of the site.

    Without links to PNG and CSV, and without the mark of pages that are searched, which no page of a setting has.
    """
    article = re.search(r"<article.*</article>", control(page)[1], re.DOTALL)[0].replace(" data-pagefind-body", "", 1)
    article = re.sub(r"\n\s*\n", "\n", article)  # the line of the control
    article = re.sub(r"\s*<p>[^<]*as <a href=\"[^\"]*\" download>CSV.*?</p>", "", article, flags=re.DOTALL)
    article = re.sub(r"<details class=\"figure-data\">\s*<summary[^>]*>⋯</summary>\s*</details>\n", "", article)

    def absolute(match):
        beside = [each.strip().partition(" ") for each in match[2].split(",")] if match[1] == "srcset" else None
        if beside:
            return f'srcset="{", ".join(place(folder, path) + space + size for path, space, size in beside)}"'
        return f'{match[1]}="{place(folder, match[2])}"'

    return re.sub(r'\b(href|src|srcset|data-explore|data-script)="([^"#:]+)"', absolute, article)


def place(folder, path):
    return normpath(join(folder, path))


def said_of(project, page):
    """What the page of a setting says of it."""
    (said,) = re.findall(r'<p class="turned-to".*?>(.*?)</p>', project.page(page), re.DOTALL)
    return " ".join(re.sub("<.*?>", "", said).split())


def turned_page(key):
    return f"posts/ruin/{key}/index.html"


@pytest.fixture(scope="module")
def turned(builds, tmp_path_factory):
    """A project with a post that can be turned, built: only to be read."""
    project = Project(tmp_path_factory.mktemp("turned"))
    project.post(BODY, front=TURN)
    project.build()
    return project


@pytest.fixture
def turning(turned, tmp_path):
    """The same, to be changed."""
    return turned.copy_to(tmp_path / "blog")


@pytest.mark.parametrize("key", ["4", "6"])
def test_the_page_of_a_setting_has_the_article_that_set_builds(turning, key):
    found = resolved(turning.page(turned_page(key)), f"posts/ruin/{key}")

    turning.build("--set", f"gamblers_ruin.goal={key}", "--no-turns", "--output", "set")

    expected = resolved((turning.root / "set" / PAGE).read_text("utf-8"), "posts/ruin")
    of_records = re.sub(rf'"posts/ruin/{key}/(provenance|checks)\.json"', r'"posts/ruin/\1.json"', found)
    assert of_records == expected
    assert ("A short game." in found) == (key == "4")


def test_claims_are_compared_at_the_posts_own_parameters_once(project):
    project.write("extensions.py", COUNTING)
    claimed = '{{ count() }}{{ claim("20", results.main.goal) }}\n' + BODY
    project.post(claimed, front=TURN)
    project.build()
    calls = (project.root / "calls").read_text()
    found = resolved(project.page(turned_page("4")), "posts/ruin/4")

    project.build("--set", "gamblers_ruin.goal=4", "--no-turns", "--output", "set")

    assert calls == "called\n" * 3  # the post and two settings
    # With --set it is written at both: only then may it have files of extensions, such as zip files of its runs.
    assert (project.root / "calls").read_text() == calls + "called\n" * 2
    expected = resolved((project.root / "set" / PAGE).read_text("utf-8"), "posts/ruin")
    assert found == re.sub(r'"posts/ruin/(provenance|checks)\.json"', r'"posts/ruin/4/\1.json"', expected)
    assert "20<" in found


def test_a_claim_that_is_shown_at_a_setting_alone_is_compared_there(project):
    only_there = '{{% if results.main.goal == 6 %}}{{{{ claim("{}", results.main.goal) }}}}{{% endif %}}\n'
    project.post(only_there.format(7), front=TURN)
    err = project.build(status=1).err

    assert "content/posts/ruin.md:8: turned to 6: the claim 7" in err
    assert "content/posts/ruin.md:8: the claim 7" in project.build("--set", "gamblers_ruin.goal=6", status=1).err

    project.post(only_there.format(6), front=TURN)
    project.build()

    assert '<span class="claim">6</span>' in project.page(turned_page("6"))
    assert '"claims": []' in project.page("posts/ruin/4/provenance.json")
    assert '"text": "6"' in project.page("posts/ruin/6/provenance.json")


def test_the_page_of_a_setting_leads_search_engines_to_the_post(turned):
    for key in ("4", "6"):
        page = turned.page(turned_page(key))
        assert '<meta name="robots" content="noindex">' in page
        assert '<link rel="canonical" href="https://blog.example.org/sub/posts/ruin/">' in page
    published = turned.page(PAGE)
    assert "noindex" not in published


def test_pages_of_settings_are_in_no_list_feed_or_sitemap(turned):
    files = turned.files()
    for name in ("sitemap.xml", "feed.xml", "index.html", "archive/index.html", "answers.json"):
        assert b"posts/ruin/" in files[name]
        assert b"posts/ruin/4" not in files[name]


def test_every_file_that_the_page_of_a_setting_names_is_published(turned):
    for key in ("4", "6"):
        page = turned.page(turned_page(key))
        named = re.findall(r'(?:src|srcset|href|data-explore)="([^"#:]+)"', page)
        assert named
        files = [place(f"posts/ruin/{key}", name) for name in named]
        assert [each for each in files if not (turned.root / "_site" / each).exists()] == []
        assert "PNG" not in page
    assert not [name for name in turned.files() if name.startswith("posts/ruin/4/") and name.endswith((".png", ".csv"))]
    (run,) = json.loads(turned.page("posts/ruin/6/provenance.json"))["runs"]
    assert ["goal", "6"] in run["parameters"]


def test_no_png_or_csv_is_made_for_the_figures_of_settings(turned):
    with closing(sqlite3.connect(turned.root / ".store" / "puzzlepress.sqlite")) as store:
        drawn = [data[1:] for (data,) in store.execute("SELECT data FROM entries WHERE kind = 'drawn'")]

    assert sum(data.startswith(b"\x89PNG") for data in drawn) == 1  # of the figure of the post
    assert sum(data.startswith(b"coins,") for data in drawn) == 1
    assert sum(b"<svg" in data for data in drawn) == 6


def test_the_control_has_all_settings_with_the_published_one_in_its_place(turned):
    assert settings_in(turned.page(PAGE)) == [("4", "4/"), ("6", "6/"), ("20*", "./")]
    assert settings_in(turned.page(turned_page("4"))) == [("4*", "./"), ("6", "../6/"), ("20", "../")]


def test_the_page_of_a_setting_says_what_it_is_made_with(turned):
    expected = "You see this post with 4 instead of 20 (coins that end the game). As published"
    assert said_of(turned, turned_page("4")) == expected
    assert "You see this post with" not in turned.page(PAGE)


JOINED = [
    ("{gamblers_ruin.goal: [4, 30]}", ["20", "4", "30"]),
    ("[{label: short, set: {gamblers_ruin.goal: 4}}]", ["20", "short"]),
    ("[{label: odd, set: {gamblers_ruin.goal: 5, gamblers_ruin.win: 0.4}}]", ["as published", "odd"]),
]


@pytest.fixture(scope="module")
def joined(builds, tmp_path_factory):
    """A project with a post for each of these lists, built."""
    project = Project(tmp_path_factory.mktemp("joined"))
    for number, (wish, _) in enumerate(JOINED):
        front = TURN.replace("{gamblers_ruin.goal: [4, 6, 20]}", wish)
        project.post("{{ results.main.half }}\n", name=f"post-{number}", front=front)
    project.build()
    return project


@pytest.mark.parametrize(("number", "labels"), [(number, labels) for number, (_, labels) in enumerate(JOINED)])
def test_a_published_setting_that_the_list_does_not_have_is_the_first(joined, number, labels):
    found = settings_in(joined.page(f"posts/post-{number}/index.html"))

    assert [label.removesuffix("*") for label, _ in found] == labels
    assert [address for label, address in found if label.endswith("*")] == ["./"]


def test_the_page_of_a_setting_says_each_parameter_that_differs(joined):
    said = said_of(joined, "posts/post-2/odd/index.html")

    assert re.fullmatch(
        r"You see this post with 5 instead of 20 \(coins .*\), 0.4 instead of 1/2 \(chance .*\)\. As published", said
    )


CODES = """\
from fractions import Fraction
from typing import Annotated

from site_builder.contract import Field


def solve(
    code: str = "007",
    share: Fraction = Fraction(3, 4),
    row: Annotated[tuple[int, ...], Field(description="coins, $c$, at 3:1: a list")] = (1, 2),
):
    return {"letters": len(code), "twice": 2 * share}
"""


def test_a_parameter_that_differs_is_named_without_how_it_is_written(project):
    project.write("solvers/codes.py", CODES)
    turn = "[{label: other, set: {codes.row: [3, 4], codes.share: 0.75, codes.code: '[x]'}}]"
    front = f"turn: {turn}\nruns:\n  main: {{solver: codes}}\n"
    project.post("{{ results.main.twice }}\n", front=front)
    project.build()

    said = said_of(project, turned_page("other"))

    changes = "3, 4 instead of 1, 2 (coins, c, at 3:1), [x] instead of 007 (code)"
    assert said == f"You see this post with {changes}. As published"


def test_a_number_that_differs_is_written_as_the_language_of_the_post_has_it(project):
    project.write("solvers/codes.py", CODES)
    turn = "[{label: other, set: {codes.share: 0.5, codes.code: '1.5'}}]"
    project.post("{{ results.main.twice }}\n", front=f"language: de\nturn: {turn}\nruns: {{main: {{solver: codes}}}}\n")
    project.build()

    said = said_of(project, turned_page("other"))

    assert said == "Gezeigt wird: 0,5 statt 3/4 (share), 1.5 statt 007 (code). Wie veröffentlicht"


def test_a_setting_is_the_published_one_by_the_number_or_by_the_very_text(project):
    project.write("solvers/codes.py", CODES)
    front = "turn: {codes.%s}\nruns:\n  main: {solver: codes}\n"
    project.post("{{ results.main.letters }}\n", name="texts", front=front % 'code: ["007", "7", "7.0"]')
    project.post("{{ results.main.twice }}\n", name="numbers", front=front % "share: [0.75, 1/2]")
    project.build()

    texts, numbers = (settings_in(project.page(f"posts/{name}/index.html")) for name in ("texts", "numbers"))

    assert texts == [("007*", "./"), ("7", "7/"), ("7.0", "7.0/")]
    assert numbers == [("0.75*", "./"), ("1/2", "1-2/")]


def test_a_setting_with_far_too_many_digits_is_refused_at_once(project):
    project.write("solvers/codes.py", CODES)
    front = "turn: {codes.share: [1e999999999]}\nruns:\n  main: {solver: codes}\n"
    project.post("{{ results.main.twice }}\n", front=front)

    assert "content/posts/ruin.md:4: share is '1e999999999'; it must be a number" in project.build(status=1).err


NOT_READ = [
    ("{gamblers_ruin.goal: 4}", "is not one parameter with a list, such as {coin_game.flips: [10, 50]}"),
    ("x", "'x' is not one parameter with a list, such as {coin_game.flips: [10, 50]}, nor a list such as [{set: {"),
    ("{gamblers_ruin.goal: []}", "it has 0 settings; write from 1 to 24"),
    ("{goal: [4]}", "'goal' is no parameter; write solver.name"),
    ("[{label: x}]", "turn.0 has no set\n    mend: add a line such as set: {coin_game.flips: 200}"),
    ("[{lable: x, set: {gamblers_ruin.goal: 4}}]", "'lable' is not known here\n    mend: did you mean 'label'?"),
    ("[{set: {gamblers_ruin.goal: 4}, bla: 10}]", "'bla' is not known here\n    mend: there is: key, label, set"),
    ("[{set: {}}]", "turn.0.set is {}; it must not be empty"),
    ("{gamblers_ruin.goal: [ü, 4]}", "'' cannot be part of an address; write key: with small letters"),
    ("[{key: a, set: {a.b: 1}}, {key: a, set: {a.b: 2}}]", "two settings have the key a"),
    ("[{key: A b, set: {a.b: 1}}]", "'A b' cannot be part of an address"),
]
NOT_PLANNED = [
    ("{gamblers_ruin.gaol: [4]}", "'gaol' is not known here\n    mend: did you mean 'goal'?"),
    ("{other.goal: [4]}", "the setting 4 changes nothing: no run of other can be turned"),
    ("{gamblers_ruin.goal: [4, 4000]}", "goal is 4000; it must lie between 1 and 1000"),
]


@pytest.mark.parametrize("wishes", [NOT_READ, NOT_PLANNED], ids=["read", "planned"])
def test_what_cannot_be_turned_is_refused_at_its_line(project, wishes):
    for number, (wish, _) in enumerate(wishes):
        front = TURN.replace("{gamblers_ruin.goal: [4, 6, 20]}", wish)
        project.post(BODY, name=f"post-{number}", front=front)

    err = project.build(status=1).err

    errors = re.split(r"^(?=content/)", err, flags=re.MULTILINE)
    for number, (_, said) in enumerate(wishes):
        own = "".join(error for error in errors if error.startswith(f"content/posts/post-{number}.md:4: "))
        assert said in own


def test_a_post_without_a_run_cannot_be_turned(project):
    project.post("No number.\n", front=TURN.partition("runs:")[0] + "runs: {}\n")

    err = project.build(status=1).err

    assert "content/posts/ruin.md:4: the setting 4 changes nothing: no run of gamblers_ruin can be turned" in err


def test_an_error_at_a_setting_names_it_with_the_line(project):
    project.post("{{ results.main.chance[10] | percent }}\n", front=TURN)

    err = project.build(status=1).err

    assert "content/posts/ruin.md:8: turned to 4: the list has 5 entries" in err
    assert "content/posts/ruin.md:8: turned to 6: the list has 7 entries" in err
    assert "turned to 20" not in err


def test_an_error_at_a_setting_says_how_to_see_it(project):
    project.post("{{ 1 // (results.main.goal - 6) }}\n", front=TURN)

    err = project.build(status=1).err

    assert "content/posts/ruin.md:8: turned to 6: this divides by zero\n" in err
    assert "mend: a build with --set gamblers_ruin.goal=6 shows only this; write what fails there in {% if %}" in err


def test_a_page_template_that_fails_at_a_setting_alone_is_an_error_at_its_line(project):
    (project.root / "templates").unlink()
    fails = "{% block main %}\n{{ 1 // (0 if 'With 6' in post.body else 1) }}{{ super() }}{% endblock %}"
    project.write("templates/post.html", '{% extends "default/post.html" %}' + fails)
    project.post(BODY, front=TURN)

    assert "templates/post.html:2: ZeroDivisionError: " in project.build(status=1).err


@pytest.mark.parametrize("is_cold", [True, False], ids=["from nothing", "after an edit"])
def test_the_progress_of_a_build_counts_the_settings_apart(turning, is_cold):
    if is_cold:
        turning.forget()
        turning.lay_store()
    turning.post(BODY.replace("The end.", "It ends."), front=TURN)
    report = Counted()

    build_and_write(BuildOptions(turning.root), report, pytest.fail)

    assert "Turning" in [name for name, _, _ in report.stages]
    assert [(name, steps) for name, steps, done in report.stages if steps != done and name != "Saving"] == []


def test_a_sweep_has_its_own_values_at_a_setting(turning):
    swept = "  by_goal: {solver: gamblers_ruin, sweep: {goal: [2, 3]}, keep: [half]}\n"
    words = "\nOf {{ results.by_goal.goal[0] }} to {{ results.by_goal.goal[1] }} coins.\n"
    turning.post(BODY + words, front=TURN + swept)

    turning.build()

    assert "Of 2 to 3 coins." in turning.page("posts/ruin/index.html")
    assert "Of 2 to 3 coins." in turning.page("posts/ruin/6/index.html")
    assert "with 6 instead of 20 (coins that end the game)" in said_of(turning, "posts/ruin/6/index.html")
    assert not (turning.root / "_site/posts/ruin/20").exists()  # the run that is turned has this value


def test_a_setting_that_every_run_sweeps_changes_nothing_and_is_refused(project):
    runs = "runs:\n  main: {solver: gamblers_ruin, sweep: {goal: [2, 3]}, keep: [half]}\n"
    project.post("{{ results.main.half[0] }}\n", front=TURN.partition("runs:")[0] + runs)

    err = project.build(status=1).err

    assert "content/posts/ruin.md:4: the setting 4 changes nothing: no run of gamblers_ruin can be turned\n" in err
    assert "    mend: name a parameter of a run that is not fixed: true and does not sweep goal\n" in err


def test_a_setting_that_cannot_be_is_named_before_anything_is_solved(turning):
    turning.post(BODY, front=TURN.replace("[4, 6, 20]", "[0, 6]"))
    solver = turning.root / "solvers" / "gamblers_ruin.py"
    solver.write_text(solver.read_text().replace("    ratio = ", '    raise ValueError("in solve")\n    ratio = ', 1))

    err = turning.build(status=1).err

    assert err.index("ruin.md:4: goal is 0; it must") < err.index("ValueError: in solve")


def test_an_edit_of_prose_solves_nothing_and_writes_the_settings_again(turning):
    turning.write(
        "content/posts/ruin.md", (turning.root / "content/posts/ruin.md").read_text().replace("The end", "Fin")
    )

    ran = turning.build()

    assert "0 solutions and 0 figures" in ran.out
    assert all("<p>Fin.</p>" in turning.page(turned_page(key)) for key in ("4", "6"))
    assert turning.build().out.startswith("Nothing has changed")


def test_an_edit_of_another_post_keeps_the_settings_and_makes_none(turning):
    before = settings_in(turning.page(PAGE))
    turning.post("Another.\n", name="other", front="runs: {}\n")

    said = turning.build().err

    assert "Turning" not in said
    assert settings_in(turning.page(PAGE)) == before
    incremental = turning.files()
    turning.forget()
    turning.build()
    assert turning.files() == incremental


def test_a_parameter_of_the_settings_makes_them_again(turning):
    before = turning.page(turned_page("4"))
    turning.write("config.yaml", f"{CONFIG}parameters: {{gamblers_ruin: {{win: 2/5}}}}\n")

    assert "Turning" in turning.build().err

    assert resolved(turning.page(turned_page("4")), "") != resolved(before, "")


def test_a_page_that_is_gone_is_an_error_of_a_setting_that_links_to_it_alone(project):
    project.post("Another.\n", name="other", front="runs: {}\n")
    project.post(BODY + "\n{% if results.main.goal < 5 %}[There](other.md){% endif %}\n", front=TURN)
    project.build()
    (project.root / "content/posts/other.md").unlink()

    error = project.build(status=1).err

    assert "turned to 4: " in error
    assert "other.md" in error


def test_without_turns_a_post_has_no_control(turning):
    turning.build("--no-turns")

    assert not [name for name in turning.files() if name.startswith("posts/ruin/4/")]
    assert control(turning.page(PAGE))[0] == ""


def test_a_setting_with_the_address_of_a_file_beside_the_post_is_refused_at_its_line(project):
    project.post(BODY, front=TURN.replace("turn: {gamblers_ruin.goal: [4, 6, 20]}", AS_RECORD))

    err = project.build(status=1).err

    assert "content/posts/ruin.md:4: two files of the site want the address /posts/ruin/provenance.json" in err


AS_RECORD = "turn: [{key: provenance.json, label: short, set: {gamblers_ruin.goal: 4}}]"


def test_a_link_that_leads_nowhere_at_one_setting_alone_is_an_error(project):
    body = BODY + "\n{% if results.main.goal < 5 %}[There](#nowhere){% endif %}\n"
    project.post(body, front=TURN)

    error = project.build(status=1).err

    assert "turned to 4: " in error
    assert "#nowhere" in error
