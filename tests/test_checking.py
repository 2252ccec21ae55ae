"""What `check` and `accept` say and do: answers that change are told until they are accepted or corrected."""

import json
import re
from textwrap import dedent

import pytest

from tests.conftest import RUIN, Project

BODY = "The chance is {{ results.fair.half | number(3) }}, of {{ results.fair.goal }} coins.\n"
WRONG = "chance[goal // 2],", "Fraction(9, 10) * chance[goal // 2],"  # a tenth too small, 9/20, in the check as well


@pytest.fixture(scope="module")
def checked(builds, tmp_path_factory):
    """A post that was checked, which each test copies: what it leaves as it is has not to be solved again."""
    project = Project(tmp_path_factory.mktemp("checked"))
    project.post(BODY)
    project.run("check")
    return project


@pytest.fixture
def project(checked, tmp_path):
    return checked.copy_to(tmp_path / "blog")


def change(project, old, new):
    path = project.root / "solvers" / "gamblers_ruin.py"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def accepted(project, name="ruin"):
    return json.loads((project.root / "content" / "accepted" / f"{name}.json").read_text("utf-8"))


def test_answers_that_nobody_has_accepted_are_told_and_no_fault(project):
    project.forget()

    ran = project.run("check")

    assert "its answers are not accepted yet; python build.py accept records them" in ran.out
    assert "1 post with results, 0 claims, 2 checks: no answer differs\n" in ran.out
    assert ran.out.endswith("1 solution solved once more in fresh processes: the same bytes\n")


def test_accept_keeps_what_the_text_says_of_results_and_nothing_else(project):
    project.post(BODY)

    ran = project.run("accept")

    assert ran.out == "content/accepted/ruin.json: 1 answer written\n"
    assert accepted(project)["answers"] == {"fair": {"half": "1/2"}}


def test_an_answer_that_has_changed_is_told_with_the_accepted_one_and_ends_with_1(project):
    project.post(BODY)
    project.run("accept")
    change(project, *WRONG)

    ran = project.run("check", status=1)

    assert "    fair.half, exactly: Half way, a chance of the table\n  results.fair.half: 1/2 -> 9/20\n" in ran.out
    assert "python build.py accept ruin" in ran.out
    assert "1 with answers that differ" in ran.out


def test_check_lists_the_posts_that_are_named_and_looks_through_all(project):
    project.post(BODY, name="ruin")
    project.post(BODY, name="again")

    ran = project.run("check", "again")

    assert ran.out.startswith("content/posts/again.md\n  2 checks passed: 2 of fair\n")
    assert "content/posts/ruin.md" not in ran.out
    assert "2 posts with results, 0 claims, 4 checks: no answer differs\n" in ran.out


def test_check_of_one_post_still_tells_that_an_answer_of_another_has_changed(project):
    project.post(BODY, name="ruin")
    project.run("accept")
    change(project, *WRONG)
    project.post("{{ results.fair.goal }} coins.\n", name="again")

    ran = project.run("check", "again", status=1)

    assert "    fair.half, exactly: Half way, a chance of the table\n  results.fair.half: 1/2 -> 9/20\n" in ran.out


def test_check_of_a_post_that_is_not_there_names_the_nearest(project):
    project.post(BODY)

    ran = project.run("check", "riun", status=2)

    assert ran.err.endswith("check riun: no post with results is named so\n    mend: did you mean 'ruin'?\n")


def test_a_build_says_that_answers_have_changed_and_goes_on(project):
    project.post(BODY)
    project.run("accept")
    change(project, *WRONG)

    ran = project.build()

    assert "1 post has answers that differ from the accepted ones; python build.py check shows them" in ran.err


def test_an_accepted_change_is_no_fault_any_more(project):
    project.post(BODY)
    project.run("accept")
    change(project, *WRONG)

    ran = project.run("accept", "ruin")

    assert ran.out == "content/accepted/ruin.json: 1 answer written\n  results.fair.half: 1/2 -> 9/20\n"
    assert "no answer differs" in project.run("check").out


def test_the_correction_that_check_writes_stands_on_the_page_and_in_the_feed_and_lets_the_change_pass(project):
    project.post(BODY)
    project.run("accept")
    change(project, *WRONG)
    said = project.run("check", status=1).out
    written = dedent(said.split("in the front matter:\n")[1].split("1 post")[0])
    written = re.sub("date: .*", "date: 2026-04-02", written)
    project.post(BODY, front=written.replace("say what was wrong", "'It is {{ results.fair.half | number(2) }}.'"))

    ran = project.run("check")
    project.build()

    assert written.splitlines()[-1] == '      results.fair.half: ["1/2", "9/20"]'
    assert "results.fair.half: 1/2 -> 9/20" in ran.out
    assert "a note of correction names what has changed; python build.py accept ruin records the new answers" in ran.out
    page = project.page("posts/ruin/index.html")
    assert (
        '<time datetime="2026-04-02">2 April 2026</time>: It is 0.45. <code>fair.half</code> was 1/2 and is 9/20.'
        in page
    )
    feed = project.page("feed.xml")
    assert "Correction, 2 April 2026:" in feed
    assert "<updated>2026-04-02T00:00:00Z</updated>" in feed


def test_prose_and_results_that_are_not_shown_change_no_answer(project):
    project.post(BODY)
    project.run("accept")
    project.post(BODY + "\nMore words.\n")
    change(project, "float(chance[goal // 2])", "2 * float(chance[goal // 2])")

    assert "no answer differs" in project.run("check").out


def test_accepted_answers_are_never_published(project):
    project.post(BODY)
    project.run("accept")

    project.build()

    assert not any("accepted" in path for path in project.files())


def test_accept_of_a_post_that_is_not_there_is_refused_with_the_nearest(project):
    project.post(BODY)

    ran = project.run("accept", "ruins", status=2)

    assert ran.err.endswith("accept ruins: no post with results is named so\n    mend: did you mean 'ruin'?\n")


def test_check_writes_no_site(project):
    project.post(BODY)

    project.run("check")

    assert not (project.root / "_site").exists()


def test_check_tells_the_faults_that_a_build_would_tell(project):
    project.post("[nowhere](/posts/nowhere/)\n")

    assert "the link /posts/nowhere/ leads nowhere" in project.run("check", status=1).err


def test_a_solver_that_gives_the_same_twice_passes(project):
    project.post(BODY)

    assert "1 solution solved once more in fresh processes: the same bytes" in project.run("check", "--twice").out


def test_a_result_that_hangs_on_the_order_of_a_set_is_found(project):
    project.post(BODY)
    change(project, ', "names": {"a_b": 1}}', "}")
    change(
        project,
        'return Result(chance, chance[goal // 2], float(chance[goal // 2]), grid, {"a_b": 1}, goal)',
        'first = {word: 1 for word in sorted({"ruin", "goal", "coins", "round", "gambler"}, key=hash)}\n'
        "    return Result(chance, chance[goal // 2], float(chance[goal // 2]), grid, first, goal)",
    )

    ran = project.run("check", "--twice", status=1)

    assert "content/posts/ruin.md:" in ran.err
    assert "solver 'gamblers_ruin' gave two answers to the same question in run 'fair': names was {" in ran.err
    assert "the order of a set" in ran.err


def test_an_answer_for_a_cell_that_is_not_there_is_an_error_at_its_line_beside_the_others(project):
    project.post(BODY)
    change(project, "{0: 0, goal: 1}", "{99: 0}")
    change(project, '{"a_b": 1}}', '{"a_c": 1}}')
    change(project, 'float(chance[goal // 2]), "names"', '0.4, "names"')

    err = project.build(status=1).err

    both = "solver 'gamblers_ruin' failed check_both_ends (Both ends, by the rules of the game) in run 'fair': chance:"
    at = [RUIN[: RUIN.index(f"def {name}")].count("\n") + 1 for name in ("check_both_ends", "check_half_way")]
    assert f"solvers/gamblers_ruin.py:{at[0]}: {both} chance has nothing at 99\n    mend: there is: 0 to 20\n" in err
    assert f"solvers/gamblers_ruin.py:{at[1]}: " in err
    assert "names has no 'a_c'\n    mend: did you mean 'a_b'?\n" in err
    assert "rounded: it should be 0.4, and is 0.5" in err


def test_a_failed_check_stops_the_build_and_names_what_differs(project):
    project.post(BODY)
    change(project, "{0: 0, goal: 1}", "{0: 0, goal: 2}")

    ran = project.build(status=1)

    assert ran.err.endswith(
        "content/posts/ruin.md:5: solver 'gamblers_ruin' failed check_both_ends (Both ends, by the rules of the game) "
        "in run 'fair': chance: of 21 values number 2 should be 2, and is 1\n"
        "    mend: one of the two methods is wrong; see solvers/gamblers_ruin.py\n"
        "    parameters: goal=20, win=1/2\n"
        "1 error; the site is as it was.\n"
    )


def test_a_table_of_which_a_check_confirms_two_cells_is_refused_with_a_cure(project):
    project.post("It ends at {{ results.fair.chance | last }}.")
    change(project, "{0: 0, goal: 1} | between", "{0: 0, goal: 1}")

    ran = project.run("check", status=1)

    assert (
        "content/posts/ruin.md:5: results.fair.chance is not confirmed by a second method: "
        "check_both_ends agrees in 2 of 21 cells\n"
        "    mend: return all of its cells, or make what the post shows a field of its own\n"
        "          or give readers the reason: unchecked: {chance: in 2 of 21 cells}\n"
    ) in ran.err
    assert ["not confirmed", "chance", "(0, 1)", "(0, 1)", "exactly in 2 of 21 cells"] in [
        re.split(" {2,}", line.strip())[:5] for line in project.run("solve", "gamblers_ruin").out.splitlines()
    ]


def test_a_field_that_no_check_returns_is_named_before_anything_is_solved(project):
    project.post("{{ results.fair.half }}, {{ results.fair.rounded }}")
    change(project, ', "rounded": float(chance[goal // 2])', "")
    change(project, "    ratio = ", '    raise ValueError("in solve")\n    ratio = ')

    err = project.run("check", status=1).err

    finding = "content/posts/ruin.md:5: results.fair.rounded is not confirmed by a second method\n"
    assert err.count(finding) == 1
    assert err.index(finding) < err.index("ValueError: in solve")


def test_a_field_that_a_check_leaves_open_is_named_before_a_sweep_is_solved(project):
    runs = "  fair: {solver: gamblers_ruin}\n  by_goal: {solver: gamblers_ruin, sweep: {goal: [2, 3]}, keep: [half]}\n"
    project.post("{{ results.fair.half }}, {{ results.fair.rounded }}", front=f"runs:\n{runs}")
    change(project, '    return {"half"', '    found = {"half"')
    change(project, ', "rounded": float(chance[goal // 2]), "names": {"a_b": 1}}', "}\n    return found")
    change(project, "    ratio = ", '    if goal < 20:\n        raise ValueError("in a sweep")\n    ratio = ')

    err = project.run("check", status=1).err

    finding = "content/posts/ruin.md:5: results.fair.rounded is not confirmed by a second method\n"
    assert err.count(finding) == 1
    assert err.index(finding) < err.index("ValueError: in a sweep")


def test_a_finding_that_was_named_before_solving_is_not_repeated(project):
    project.post("{{ results.fair.rounded | number(3) }}")
    change(project, ', "rounded": float(chance[goal // 2])', "")

    assert [project.build(*words).err.count("results.fair.rounded is not") for words in ([], ["--drafts"])] == [1, 1]


def test_a_solver_without_checks_is_built_as_a_draft_and_refused_by_check(project):
    project.post(BODY)
    change(project, RUIN[RUIN.index("def check_both_ends") :], "")
    finding = "content/posts/ruin.md:5: results.fair.half is not confirmed by a second method\n"

    built, checked = project.build(), project.run("check", status=1)

    assert finding in built.err
    assert finding in checked.err
    assert "Draft:" in project.page("posts/ruin/index.html")


def test_a_field_for_which_the_post_gives_a_reason_passes(project):
    unchecked = "{solver: gamblers_ruin, fixed: true, unchecked: {half: nobody knows another way}}"
    project.post(BODY, front=f"runs:\n  fair: {unchecked}\n")
    change(project, RUIN[RUIN.index("def check_both_ends") :], "")

    project.run("check")
    project.build()

    page = project.page("posts/ruin/index.html")
    assert "Draft:" not in page
    assert "nobody knows another way" in page


def test_a_wrong_name_in_one_solver_is_reported_beside_another_that_cannot_be_described(project):
    project.post(BODY, front="runs:\n  fair: {solver: gamblers_ruin}\n  other: {solver: broken}\n")
    project.write("solvers/broken.py", "def solve(n: int = 1):\n    return {'x': n\n")
    change(project, "def check_half_way(chance, goal)", "def check_half_way(chanse, goal)")

    err = project.build(status=1).err

    assert "check_half_way takes 'chanse', which is no parameter of solve and no field of its result" in err
    assert "solvers/broken.py:1: " in err or "solvers/broken.py:2: " in err


def test_typed_numbers_are_listed_in_the_order_of_their_lines(project):
    front = "summary: It is 77.14%.\nruns:\n  fair: {solver: gamblers_ruin, parameters: {goal: 6, win: 3/5}}\n"
    body = "{{ results.fair.half | percent(2) }}\n\nOr 0.7714.\n\nThat is 77.14%.\n\nOr 27/35, or 0.771429.\n"
    project.post(body, front=front)

    lines = re.findall(r"^content/posts/ruin\.md:(\d+): ", project.build().err, re.MULTILINE)

    assert len(set(lines)) == 4  # half way to 6 coins at 3/5: 27/35, by Feller's (2.4)
    assert lines == sorted(lines, key=int)


def test_checks_run_again_when_their_code_changes_and_solve_nothing(project):
    project.post(BODY)
    project.build()
    change(project, "{0: 0, goal: 1}", "{goal: 1}")

    ran = project.build("--explain")

    assert "solve fair" not in ran.out
    assert "checks fair: run, code of check_both_ends in solvers/gamblers_ruin.py changed" in ran.out


def test_the_record_beside_a_post_holds_what_it_rests_on(project):
    project.post(BODY + "\n{{ checks(results.fair) }}\n")

    project.build()

    found = json.loads(project.page("posts/ruin/provenance.json"))
    assert [check["found"] for check in found["runs"][0]["checks"]] == ["21 values; 42 values", "1/2; 0.5; 1"]
    assert (found["runs"][0]["name"], found["runs"][0]["solver"]) == ("fair", "gamblers_ruin")
    assert found["answers"] == {"fair": {"half": "1/2"}}
    assert "numpy" in found["solvers"]["gamblers_ruin"]["libraries"]
    page = project.page("posts/ruin/index.html")
    assert "Both ends, by the rules of the game" in page
    assert 'href="provenance.json"' in page


def test_a_solver_written_anew_with_the_same_answer_changes_its_record_and_not_the_page(project):
    project.post(BODY)
    project.build()
    before = project.files()
    change(project, "    ratio = (1", "    ratio = 0 + (1")

    project.build()

    after = project.files()
    changed = {path for path in after if after[path] != before[path]}
    assert changed - {".puzzlepress.json"} == {"posts/ruin/provenance.json"}
