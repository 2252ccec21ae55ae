"""`check --vary`: what becomes of posts at settings within what they are written for."""

import pytest

from site_builder.pipeline.options import BuildOptions
from site_builder.pipeline.vary import vary
from tests.conftest import CONFIG, Project
from tests.support.steps import Counted

FRONT = """\
runs:
  yours: {solver: gamblers_ruin}
  fair: {solver: gamblers_ruin, fixed: true}
written_for: {gamblers_ruin.goal: [2, 40], gamblers_ruin.win: {start: 0.4, stop: 0.5}}
"""
BODY = """\
You win {{ results.yours.half | percent }}, {% holds results.yours.half == 1/2 %}as often as not{% otherwise %}which is
rare{% endholds %}. {% holds results.yours.goal > 1 %}It takes a while.{% endholds %}
"""
WRONG = """\
From the tenth coin it is {{ results.yours.chance[10] | percent }}, and {{ (results.yours.goal - 20) | percent }} more.
"""


@pytest.fixture(scope="module")
def checked(builds, tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("vary"))
    project.post(BODY, front=FRONT)
    project.post(BODY + WRONG, name="wrong", front=FRONT)
    project.post("{{ results.fair.half }}", name="fixed")
    return project.run("check", "--vary", "6", status=1).out


def test_a_held_sentence_that_changes_and_a_setting_at_which_it_does_are_reported(checked):
    found = checked.split("content/posts/ruin.md at 6 settings: 1 held sentence that may change, 0 errors\n")[1]

    assert found.startswith(
        "  line 9: results.yours.half == 1 / 2 does not hold\n"
        "    at 5 of the settings, such as --set gamblers_ruin.goal=2 --set gamblers_ruin.win=2/5\n"
    )


def test_errors_and_percentages_out_of_bounds_are_reported_each_once(checked):
    found = checked.split("content/posts/wrong.md at 6 settings: 1 held sentence that may change, 2 errors\n")[1]

    assert (
        "  content/posts/wrong.md:11: the list has 3 entries, so there is no number 10 (they count from 0)\n" in found
    )
    assert "  content/posts/wrong.md: a percentage above 1,000, after: " in found
    assert "tenth coin it is …%, and\n" in found
    assert "such as --set gamblers_ruin.goal=40 --set gamblers_ruin.win=1/2\n" in found


def test_posts_that_do_not_say_what_they_are_written_for_are_left_out(checked):
    assert "content/posts/fixed.md at" not in checked


def test_a_point_over_the_time_limit_is_reported_and_the_others_are_looked_at(project):
    solver = project.root / "solvers" / "gamblers_ruin.py"
    slow = "    while parameters.goal == 40:\n        pass\n    ratio = (1 -"
    solver.write_text(solver.read_text("utf-8").replace("    ratio = (1 -", slow, 1), "utf-8")

    for seconds in (1, 8, 64):  # on a slow machine the others need longer
        project.post(BODY, front=f"{FRONT}limits: {{time: {seconds}}}\n")
        found = project.run("check", "--vary", "3", status=1).out
        if ", 1 error\n" in found:
            break

    assert "at 3 settings: 1 held sentence that may change, 1 error\n" in found
    assert "at 1 of the settings, such as --set gamblers_ruin.goal=40 --set gamblers_ruin.win=1/2\n" in found


def test_the_settings_are_the_same_each_time(project):
    project.post(BODY, front=FRONT)

    assert project.run("check", "--vary", "4").out == project.run("check", "--vary", "4").out


def test_the_rule_for_typed_numbers_is_that_of_the_configuration(project):
    project.post(BODY + "It took 12,345 throws.\n", front=FRONT)
    assert "content/posts/ruin.md:11: the number 12,345 is typed" in project.run("check", "--vary", "1", status=1).err

    project.write("config.yaml", CONFIG + "numbers: equal\n")

    assert "0 errors" in project.run("check", "--vary", "1").out


def test_its_progress_counts_settings(project):
    project.post(BODY, front=FRONT)
    project.lay_store()
    report = Counted()

    vary(BuildOptions(project.root), 3, ["content/posts/ruin.md"], report, pytest.fail)

    assert report.stages == [["Varying", 3, 3]]
