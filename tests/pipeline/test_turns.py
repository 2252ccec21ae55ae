"""Posts that readers can turn: at each setting the article is the one that a build with `--set` makes."""

import re

import pytest

from site_builder.pipeline.build import build_and_write
from site_builder.pipeline.options import BuildOptions
from site_builder.site.turn_script import apply, blocks
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
PAGE = "posts/ruin/index.html"


def control(page):
    """The control of a page, and the page without it."""
    found = re.search(r'<div class="turn".*?</div>', page, re.DOTALL)
    return (found[0], page.replace(found[0], "")) if found else ("", page)


def scripts(project):
    """The scripts of a post by the keys of their settings."""
    found = {name: data for name, data in project.files().items() if re.fullmatch(r"posts/ruin/turn/[^/]+\.js", name)}
    return {name.split("/")[-1].split(".")[0]: data for name, data in found.items()}


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
def test_the_turned_article_is_the_one_that_set_builds(turning, key):
    _, page = control(turning.page(PAGE))
    found = apply(scripts(turning)[key], page)

    turning.build("--set", f"gamblers_ruin.goal={key}", "--no-turns", "--output", "set")

    expected = blocks((turning.root / "set" / PAGE).read_text("utf-8"))
    assert {name: [each.replace(f"turn/{key}/", "") for each in those] for name, those in found.items()} == expected
    assert "A short game." in "".join(found["prose"]) or key == "6"


def test_every_file_that_a_turned_article_names_is_published(turned):
    _, page = control(turned.page(PAGE))
    for script in scripts(turned).values():
        named = re.findall(r'(?:src|srcset|href)="([^"#:]+)[" ]', "".join(apply(script, page)["prose"]))
        assert named
        assert [name for name in named if not (turned.root / "_site/posts/ruin" / name).exists()] == []
    assert "6" in turned.page("posts/ruin/turn/6/provenance.json")
    assert '"goal": "6"' in turned.page("posts/ruin/turn/6/provenance.json")


def test_the_control_has_all_settings_with_the_published_one_in_its_place(turned):
    found, _ = control(turned.page(PAGE))

    assert re.findall(r'value="(\w*)" data-script="([^"]*)"( data-published checked)?', found) == [
        ("4", next(f"turn/{name.split('/')[-1]}" for name in turned.files() if "turn/4." in name), ""),
        ("6", next(f"turn/{name.split('/')[-1]}" for name in turned.files() if "turn/6." in name), ""),
        ("20", "", " data-published checked"),
    ]


JOINED = [
    ("{gamblers_ruin.goal: [4, 30]}", ["4", "20", "30"]),
    ("{gamblers_ruin.goal: [30, 4]}", ["20", "30", "4"]),
    ("[{label: short, set: {gamblers_ruin.goal: 4}}]", ["20", "short"]),
    ("[{label: odd, set: {gamblers_ruin.goal: 5, gamblers_ruin.win: 0.4}}]", ["as published", "odd"]),
    ("{gamblers_ruin.goal: [2, 3, 4, 5, 6]}", ["2", "3", "4", "5", "6", "20"]),
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
def test_the_published_setting_joins_the_others(joined, number, labels):
    found, _ = control(joined.page(f"posts/post-{number}/index.html"))

    assert re.findall(r"(?:<data[^>]*>|\n {6}(?=\S+.*</label>))\s*([^<]+)</(?:data|label)>", found) == labels
    assert ('type="range"' in found) == (len(labels) > 5)


NOT_READ = [
    ("{gamblers_ruin.goal: 4}", "is not one parameter with a list, such as {coin_game.flips: [10, 50]}"),
    ("{gamblers_ruin.goal: []}", "it has 0 settings; write from 1 to 24"),
    ("{goal: [4]}", "'goal' is no parameter; write solver.name"),
    ("[{label: x}]", "is not like {key: long, label: a long game, set: {coin_game.flips: 200}}"),
    ("[{lable: x, set: {gamblers_ruin.goal: 4}}]", "'lable' is not known here"),
    ("[{key: a, set: {a.b: 1}}, {key: a, set: {a.b: 2}}]", "two settings have the key a"),
    ("[{key: A b, set: {a.b: 1}}]", "'A b' cannot be part of an address"),
]
NOT_PLANNED = [
    ("{gamblers_ruin.gaol: [4]}", "gamblers_ruin.gaol: it has no parameter 'gaol'\n    mend: did you mean 'goal'?"),
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


def test_an_error_at_a_setting_names_it_with_the_line(project):
    project.post("{{ results.main.chance[10] | percent }}\n", front=TURN)

    err = project.build(status=1).err

    assert "content/posts/ruin.md:8: turned to 4: the list has 5 entries" in err
    assert "content/posts/ruin.md:8: turned to 6: the list has 7 entries" in err
    assert "turned to 20" not in err


def test_an_error_at_a_setting_without_a_cure_of_its_own_says_how_to_see_it(project):
    project.post("{{ 1 // (results.main.goal - 6) }}\n", front=TURN)

    err = project.build(status=1).err

    assert "content/posts/ruin.md:8: turned to 6: integer division or modulo by zero\n" in err
    assert "mend: a build with --set gamblers_ruin.goal=6 shows only this; write what fails there in {% if %}" in err


def test_a_page_template_that_fails_at_a_setting_alone_names_the_post_and_the_setting(project):
    (project.root / "templates").unlink()
    fails = "{% block main %}\n{{ 1 // (0 if 'With 6' in post.body else 1) }}{{ super() }}{% endblock %}"
    project.write("templates/post.html", '{% extends "default/post.html" %}' + fails)
    project.post(BODY, front=TURN)

    err = project.build(status=1).err

    assert "templates/post.html:2: content/posts/ruin.md turned to 6: ZeroDivisionError: " in err
    assert "mend: write what fails there in {% if %}, or leave the setting out of the post" in err


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


def test_an_edit_of_prose_solves_nothing_and_writes_the_settings_again(turning):
    turning.write(
        "content/posts/ruin.md", (turning.root / "content/posts/ruin.md").read_text().replace("The end", "Fin")
    )

    ran = turning.build()

    assert "0 solutions and 0 figures" in ran.out
    assert "Fin" not in "".join(facts for facts in map(bytes.decode, scripts(turning).values()))
    assert apply(scripts(turning)["4"], control(turning.page(PAGE))[1])["prose"][-1] == "<p>Fin.</p>"
    assert turning.build().out.startswith("Nothing has changed")


def test_an_edit_of_another_post_keeps_the_settings_and_makes_none(turning):
    before = scripts(turning)
    turning.post("Another.\n", name="other", front="runs: {}\n")

    said = turning.build().err

    assert "Turning" not in said
    assert scripts(turning).keys() == before.keys()
    assert all(name in turning.page(PAGE) for name in (f"turn/{key}." for key in before if key != "20"))
    incremental = turning.files()
    turning.forget()
    turning.build()
    assert turning.files() == incremental


def test_a_parameter_of_the_settings_makes_them_again(turning):
    before = scripts(turning)
    turning.write("config.yaml", f"{CONFIG}parameters: {{gamblers_ruin: {{win: 2/5}}}}\n")

    assert "Turning" in turning.build().err

    assert scripts(turning).keys() == before.keys()
    assert scripts(turning) != before


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

    assert scripts(turning) == {}
    assert control(turning.page(PAGE))[0] == ""


def test_a_link_that_leads_nowhere_at_one_setting_alone_is_an_error(project):
    body = BODY + "\n{% if results.main.goal < 5 %}[There](#nowhere){% endif %}\n"
    project.post(body, front=TURN)

    error = project.build(status=1).err

    assert "turned to 4: " in error
    assert "#nowhere" in error
