"""`solve`: one solver run for its author."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from tests.conftest import CONFIG, ROOT, RUIN
from tests.processes import BEGUN, WAITING, Begun, let_go, processes_left_in, wait_until_begun

ENDLESS = RUIN.replace("    ratio = ", f"{BEGUN}    while True:\n        pass\n    ratio = ")
SAYING = RUIN.replace("    ratio = ", '    print(f"at {win}")\n    ratio = ')
FAILING = RUIN.replace("{0: 0, goal: 1}", "{0: 0, goal: 2}")


def solve(project, *words, status=0):
    return project.run("solve", "gamblers_ruin", *words, status=status)


def solve_json(project, *words, status=0):
    return json.loads(solve(project, "--json", *words, status=status).out)


def rows(text, heading):
    """The lines of the table under a heading, cut into cells."""
    below = text.split(f"\n{heading}\n", 1)[1].splitlines()
    table = below[: next((at for at, line in enumerate(below) if not line.startswith("  ")), len(below))]
    return [re.split(r" {2,}", line.strip()) for line in table]


def test_exact_values_are_shown_with_their_decimals_and_what_confirmed_them(project):
    out = solve(project, "--set", "goal=4", "--set", "win=2/3").out

    # r = 1/2: (1 - r^2) / (1 - r^4) = (3/4) / (15/16) = 4/5, by Feller's (2.4).
    assert rows(out, "parameters") == [["goal", "4"], ["win", "2/3 ≈ 0.666666666666667"]]
    assert ["half", "4/5 = 0.8"] in rows(out, "result")
    assert ["chance", "(0, 8/15, 4/5, 14/15, 1)"] in rows(out, "result")
    assert ["names.a_b", "1"] in rows(out, "result")
    cells = "(0, 1, 8/15, 4/5, 14/15)"
    ends = ["passed", "chance", cells, cells, "exactly", "Both ends, by the rules of the game"]
    assert ends in rows(out, "checks")
    assert "not confirmed" not in out
    assert "\nfigures: chance, map, table\n" in out


def test_a_grid_is_shown_by_its_shape_its_entries_and_its_axes(project):
    out = solve(project, "--set", "goal=4", "--set", "win=1/2").out

    entries = "0.0, 0.25, 0.5, 0.75, 1.0, 1.0, 0.75, 0.5, 0.25, 0.0"
    shown = f"2 x 5 array [{entries}] over outcome goal, ruin, coins 0 to 4 (5)"
    assert ["map", shown] in rows(out, "result")


def test_a_parameter_may_be_written_with_the_solver_before_it_as_for_other_commands(project):
    assert ["goal", "4"] in rows(solve(project, "--set", "gamblers_ruin.goal=4").out, "parameters")


def test_a_second_time_the_answer_comes_from_the_store(project):
    project.write("solvers/gamblers_ruin.py", SAYING)

    first, second = solve(project), solve(project)

    assert ["solver: at 1/2" in ran.err for ran in (first, second)] == [True, False]
    assert first.out.split("time:")[0] == second.out.split("time:")[0]


def test_a_check_that_fails_is_shown_and_ends_with_1(project):
    project.write("solvers/gamblers_ruin.py", FAILING)

    ran, data = solve(project, status=1), solve_json(project, status=1)

    difference = "of 21 values number 2 should be 2, and is 1"
    failed = next(row for row in rows(ran.out, "checks") if row[0] == "FAILED")
    assert failed[:4] == ["FAILED", "chance", "21 values", difference]
    assert failed[-1] == "Both ends, by the rules of the game"
    assert difference in ran.err
    assert data["passed"] is False
    check = data["checks"][0]
    assert (check["check"], check["title"]) == ("check_both_ends", "Both ends, by the rules of the game")
    assert (check["field"], check["cells"], check["total"]) == ("chance", 21, 21)
    assert (check["expected"], check["found"], check["difference"]) == ("21 values", "21 values", difference)
    assert (check["passed"], check["confirms"], check["closely"]) == (False, False, "exactly")


def test_the_values_are_shown_first_and_what_nothing_confirms_is_named(project):
    text = RUIN.replace('{"half": chance[goal // 2], ', "{")
    project.write("solvers/gamblers_ruin.py", text)

    out, data = solve(project).out, solve_json(project)

    assert out.index("\nresult\n") < out.index("\nchecks\n")
    assert "\nnot confirmed by a second method: half\n" in out
    assert (data["unconfirmed"], data["passed"]) == (["half"], True)


def test_a_solver_that_fails_is_told_with_its_line_and_parameters(project):
    project.write("solvers/gamblers_ruin.py", RUIN.replace("    ratio = ", "    assert False, 'a slip'\n    ratio = "))

    err = solve(project, "--set", "goal=3", status=1).err

    assert "AssertionError: a slip" in err
    assert "solvers/gamblers_ruin.py:" in err
    assert "goal=3" in err


@pytest.mark.parametrize(
    ("words", "said", "cure"),
    [
        (["--set", "gaol=3"], "--set gaol=3: 'gaol' is not known here", "did you mean 'goal'?"),
        (["--set", "other.goal=3"], "--set other.goal=3: 'other.goal' is not known", "there is: goal, win"),
        (["--set", "goal=0"], "--set goal=0: goal is 0; it must lie between 1 and 1000", "goal: coins that end"),
        (["--set", "win=x"], "--set win=x: win is 'x'; it must be a number such as 0.6", "win: chance"),
        (["--set", "goal"], "--set goal: it must be name=value", "--set flips=20"),
        (["--sweep", "win=1/4:3/4"], "--sweep win=1/4:3/4: it must be name=start:stop:steps", "0:1:11"),
        (["--sweep", "win=1/4:3/4:x"], "it must be name=start:stop:steps", "0:1:11"),
        (["--sweep", "=1:2:3"], "it must be name=start:stop:steps", "0:1:11"),
        (["--sweep", "wni=1/4:3/4:3"], "'wni' is not known here", "did you mean 'win'?"),
        (["--sweep", "win=a:1:3"], "--sweep win=a:1:3: start is 'a'; it must be a number", ""),
        (["--sweep", "win=1/4:3/4:1"], "1 steps do not lead from 1/4 to 3/4, both included", ""),
        (["--sweep", "win=1/4:3/4:1000000"], "steps is 1000000; it must be at most 100001", ""),
        (["--sweep", "win=0:1/2:3"], "--sweep win=0:1/2:3: win is 0; it must lie strictly between 0 and 1", "win:"),
        (["--sweep", "goal=[[1], 2]"], "--sweep goal=[[1], 2]: [1] is not a single value", ""),
        (["--sweep", "goal=[]"], "a sweep needs at least one value", ""),
        (["--sweep", "goal=1:10:5"], "--sweep goal=1:10:5: goal is 13/4; it must be a whole number", "goal: coins"),
        (["--sweep", "goal=2:4:3", "--set", "goal=3"], "goal is swept: leave it out of `parameters:` and `keep:`", ""),
        (["--sweep", "goal=2:4:3", "--sweep", "goal=5:6:2"], "goal is swept twice", "keep one of the two"),
        (["--sweep", "goal=2:4:3", "--keep", "goal"], "goal is swept: leave it out of `parameters:` and `keep:`", ""),
        (["--keep", "half"], "--keep goes with a sweep", "add --sweep"),
    ],
)
def test_what_cannot_be_so_is_told_with_its_place_and_cure(project, words, said, cure):
    err = solve(project, *words, status=2).err

    assert said in err
    assert cure in err


def test_a_name_that_no_solver_has_is_told_with_the_nearest(project):
    assert "did you mean 'gamblers_ruin'?" in project.run("solve", "gambler_ruin", status=2).err
    assert "there is: gamblers_ruin" in project.run("solve", status=2).err


def test_a_parameter_without_a_default_is_an_error(project):
    project.write("solvers/gamblers_ruin.py", RUIN.replace('that end the game")] = 20', 'that end the game")]'))

    err = solve(project, "--set", "goal=4", status=1).err

    assert "solvers/gamblers_ruin.py:26: solver 'gamblers_ruin': the parameter goal of solve has no default" in err
    assert "mend: write goal=..." in err


# Sweeps


def test_a_sweep_is_exact_with_both_ends_and_shows_all_single_values(project):
    out = solve(project, "--set", "goal=2", "--sweep", "win=0.25:3/4:3").out

    # With a goal of two coins the chance from one is the chance of winning a round.
    assert rows(out, "sweep") == [
        ["win", "half", "rounded"],
        ["1/4 = 0.25", "1/4 = 0.25", "0.25"],
        ["1/2 = 0.5", "1/2 = 0.5", "0.5"],
        ["3/4 = 0.75", "3/4 = 0.75", "0.75"],
    ]
    assert rows(out, "parameters") == [["goal", "2"]]
    assert "s for 3 points\n" in out


def test_two_swept_names_give_every_pair_and_whole_numbers_stay_whole(project):
    out = solve(project, "--sweep", "goal=2:4:2", "--sweep", "win=[1/3, 1/2]", "--keep", "half").out

    # r = 2: (1 - r^2) / (1 - r^4) = 1/5 for a goal of 4.
    assert [row[0] for row in rows(out, "sweep")] == ["goal", "2", "2", "4", "4"]
    assert [row[-1].split()[0] for row in rows(out, "sweep")] == ["half", "1/3", "1/2", "1/5", "1/2"]


def test_the_sweep_of_a_post_and_that_of_the_command_line_share_their_points(project):
    swept = "runs:\n  by_win: {solver: gamblers_ruin, sweep: {win: {start: 0.2, stop: 0.8, steps: 4}}, keep: [half]}\n"
    project.post("It is {{ results.by_win.half[0] | number(6) }}.\n", front=swept)
    project.write("solvers/gamblers_ruin.py", SAYING)
    project.build()

    coarse = solve(project, "--sweep", "win=1/5:4/5:4", "--keep", "half")
    finer = solve(project, "--sweep", "win=1/5:4/5:7", "--keep", "half")

    assert "s for 4 points\n" in coarse.out
    assert "s for 7 points\n" in finer.out
    assert "solver: at" not in coarse.err
    assert set(re.findall(r"solver: at (\S+)", finer.err)) == {"3/10", "1/2", "7/10"}


def test_a_point_at_which_the_solver_fails_is_told_with_its_parameters(project):
    project.write("solvers/gamblers_ruin.py", RUIN.replace("    ratio = ", "    assert goal != 3\n    ratio = "))

    ran = solve(project, "--sweep", "goal=2:4:3", status=1)

    assert ran.out == ""
    assert "AssertionError" in ran.err
    assert "parameters: goal=3" in ran.err


def test_a_sweep_takes_a_parameter_that_is_a_float(project):
    project.write(
        "solvers/gamblers_ruin.py",
        RUIN.replace("win: Annotated[Fraction, ", "x: float = 0.5,\n    win: Annotated[Fraction, ")
        .replace("float(chance[goal // 2])", "x")
        .replace("check_half_way(chance, goal)", "check_half_way(chance, goal, x)"),
    )

    out = solve(project, "--sweep", "x=0:1:5", "--keep", "rounded").out

    assert [row[1] for row in rows(out, "sweep")[1:]] == ["0.0", "0.25", "0.5", "0.75", "1.0"]


# JSON


def test_json_is_all_that_is_printed_with_exact_values_as_text_beside_floats(project):
    data = solve_json(project, "--set", "goal=4", "--set", "win=2/3")

    assert data["solver"] == "gamblers_ruin"
    assert data["parameters"] == {"goal": 4, "win": {"exact": "2/3", "float": 2 / 3}}
    assert data["result"]["half"] == {"exact": "4/5", "float": 0.8}
    assert data["result"]["chance"][1] == {"exact": "8/15", "float": 8 / 15}
    assert data["result"]["map"]["axes"] == {"outcome": ["goal", "ruin"], "coins": [0, 1, 2, 3, 4]}
    assert data["result"]["map"]["values"][0][2] == 0.8
    assert data["result"]["names"] == {"a_b": 1}
    assert data["figures"] == ["chance", "map", "table"]
    assert data["passed"] is True
    assert data["seconds"] > 0


def test_a_sweep_as_json_has_columns(project):
    data = solve_json(project, "--set", "goal=2", "--sweep", "win=1/4:3/4:3", "--keep", "half")

    values = [{"exact": "1/4", "float": 0.25}, {"exact": "1/2", "float": 0.5}, {"exact": "3/4", "float": 0.75}]
    assert data["columns"] == {"win": values, "half": values}
    assert (data["swept"], data["parameters"]) == (["win"], {"goal": 2})
    assert data["points"] == 3


def test_every_key_of_the_json_is_documented(project):
    documented = (ROOT / "docs" / "solver-contract.md").read_text("utf-8").split("## Exploring")[1]
    one, along = solve_json(project), solve_json(project, "--sweep", "goal=2:4:3")

    keys = {*one, *one["checks"][0], *along, *one["result"]["map"], *one["result"]["half"]}
    assert [key for key in keys if f"`{key}`" not in documented and f'"{key}"' not in documented] == []


# Terminals and ends


def on_a_terminal(project, *words, stream="stdout", until="", **environment):
    """All that `solve` writes to an output that is a terminal. until: what it writes before the solver may go on."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); " + _RUN, *words]
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    given = {**inherited, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment}
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with Begun(command, **(streams | {stream: theirs}), env=given, cwd=project.root) as ran:
        os.close(theirs)
        written = b""
        with suppress(OSError):  # Linux says so when the other end is closed
            while data := os.read(ours, 65536):
                written += data
                if until and re.search(until, written.decode(errors="ignore")):
                    let_go(project.root)
        ran.communicate(timeout=120)
    os.close(ours)
    assert ran.returncode == 0
    return written.decode()


_RUN = """
from pathlib import Path
from site_builder.cli.main import main
sys.exit(main(Path.cwd(), ["solve", "gamblers_ruin", *sys.argv[1:]]))
"""


def test_on_a_terminal_lines_keep_within_its_width_and_colours_within_what_is_wanted(project):
    coloured = on_a_terminal(project, "--set", "goal=30", COLUMNS="60")
    plain = on_a_terminal(project, "--set", "goal=30", COLUMNS="60", NO_COLOR="1")

    assert "\x1b[32mpassed" in coloured
    assert "\x1b[32m" not in plain
    bare = re.sub(r"\x1b\[[0-9;]*m", "", plain)
    assert max(map(len, bare.splitlines())) <= 60
    assert "passed" in bare


def test_ctrl_c_leaves_no_process(project):
    project.write("solvers/gamblers_ruin.py", ENDLESS)
    with project.start("solve", "gamblers_ruin") as ran:
        wait_until_begun(project.root)

        os.killpg(ran.pid, signal.SIGINT)

        _, err = ran.communicate(timeout=120)
    assert ran.returncode == 130
    assert "Traceback" not in err
    assert processes_left_in(project.root) == []


# Time that a solve takes, and what it says meanwhile


def solver_with(lines):
    """A solver that begins with these lines."""
    return RUIN.replace("    ratio = ", f"{lines}    ratio = ").replace("Table\n", "Table, progress\n", 1)


def test_on_a_terminal_a_solver_says_how_far_it_is(project):
    project.write("solvers/gamblers_ruin.py", solver_with(f"{WAITING}        progress(3, 4)\n"))
    wanted = r"gamblers_ruin 75 %, 0:\d\d left"

    said = on_a_terminal(project, stream="stderr", until=wanted)

    assert re.search(wanted, said)


def test_what_a_solver_prints_is_shown(project):
    project.write("solvers/gamblers_ruin.py", solver_with("    for row in (1, 2):\n        print('row', row)\n"))

    assert solve(project).err == "solver: row 1\nsolver: row 2\n"


def test_a_flood_of_printed_lines_is_cut_to_its_last_ones(project):
    flood = RUIN.replace("    ratio = ", "    for row in range(5000):\n        print(row, '.' * 900)\n    ratio = ")
    project.write("solvers/gamblers_ruin.py", flood)

    lines = [line for line in solve(project).err.splitlines() if line.startswith("solver: ")]

    assert 100 < len(lines) <= 200
    assert lines[-1] == f"solver: 4999 {'.' * 495} …"


def test_a_solve_that_is_stopped_names_the_key_that_allows_more(project):
    project.write("solvers/gamblers_ruin.py", ENDLESS)
    project.write("config.yaml", f"{CONFIG}limits: {{time: 0.5}}\n")

    err = solve(project, status=1).err

    assert "it ran for more than 0.5 seconds and was stopped" in err
    assert "allow more with limits: {time: 600} in config.yaml, or ask for less" in err
