"""Solvers in processes of their own: whatever one does, the author reads what and where, and the others go on."""

import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import Future
from functools import cache

import pytest

from site_builder.errors import Place
from site_builder.pipeline.steps.context import Report
from site_builder.pipeline.steps.results import SolveRuns
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.plan import PlannedRun, Solve
from site_builder.solving.processes.failure import Failure
from site_builder.storage.store import Store
from site_builder.values.packing import pack
from tests.conftest import CONFIG, ROOT, RUIN, Project
from tests.processes import BEGUN, Begun, processes_left_in, wait_until_begun
from tests.support.steps import StandIn, context_of

HEAD, BODY = RUIN.split("    ratio = ")
SOLVE = "    ratio = " + BODY.partition("\n\n\ndef figure_")[0]
AFTER = BODY.removeprefix(SOLVE.removeprefix("    ratio = "))
RESULT = "Result((Fraction(1),), Fraction(1), ROUNDED, Grid(np.zeros((1, 1)), {'a': (0,), 'b': (0,)}), {}, goal)"


def solving(body):
    """A solver whose solve has this body."""
    return f"{HEAD}{body}{AFTER}"


def giving(rounded, chance="(Fraction(1),)"):
    """A solver that puts something else where a number belongs, or a tuple of them."""
    return solving(f"    return {RESULT.replace('ROUNDED', rounded).replace('(Fraction(1),)', chance)}")


def showing(body):
    """A solver one of whose figures has this body."""
    head, (first, *others) = RUIN.split("def figure_")[0], RUIN.split("def figure_")[1:]
    return "def figure_".join([head, first.partition("\n")[0] + f"\n{body}\n\n\n", *others])


def line_of(text, words):
    """The line of a text in which these words stand first."""
    return text[: text.index(words)].count("\n") + 1


def paragraphs(text):
    """The faults in what a build says, each with the lines that belong to it."""
    found: list[str] = []
    for line in text.splitlines():
        if line.startswith("    "):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


# Faults of solving and of figures: what the solver does, what is said of it, and where in its file it is.
FAILING = {
    "raises": (solving("    raise ValueError('no way')"), "ValueError: no way", "raise ValueError"),
    "asserts": (solving("    assert goal < 0"), "AssertionError", "assert goal"),
    "recurses": (solving("    return solve(goal)"), "RecursionError", "return solve"),
    "exits": (solving("    import sys\n    sys.exit(0)"), "SystemExit: 0", "sys.exit"),
    "chatty": (
        solving(
            "    for row in range(20000):\n"
            "        print(f'\\x1b[31m\\x1b]0;title\\x07row {row}', '.' * 900, 'end\\r')\n"
            "    raise ValueError('no\\x1b[2J way')"
        ),
        "ValueError: no way",
        "raise ValueError",
    ),
    "environment": (
        solving("    import os\n\n    raise ValueError(sorted(os.environ))"),
        "ValueError: ['LC_ALL', 'MKL_NUM_THREADS', 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'PYTHONHASHSEED', 'TZ']",
        "raise ValueError",
    ),
    "interrupts": (solving("    raise KeyboardInterrupt"), "KeyboardInterrupt", "raise Key"),
    "wordy": (solving("    raise ValueError('one\\ntwo ' + 'x' * 10**6)"), "ValueError: one two xxx", "raise Val"),
    "hungry": (solving("    return bytearray(10**9)"), "it needs more memory than it may have", "return bytearray"),
    "nothing": (solving("    return None"), "solve returned None", "def solve"),
    "list": (solving("    return [1]"), "solve returned (1)", "def solve"),
    "unnamed": (solving("    return {1: 2}"), "the result has a field 1; a field is named by letters", "def solve"),
    "another": (
        solving("    return {'goal': 1}"),
        "the result has a field 'goal', the name of a parameter",
        "def solve",
    ),
    "set": (giving("{1, 2}"), "result.rounded is a set, which no result may hold", "def solve"),
    "complex": (
        solving("    return {'rounded': 1j}"),
        "result.rounded is a complex, which no result may hold",
        "def solve",
    ),
    "not_a_number": (
        giving("float('nan')"),
        "in the result, rounded holds nan, and no field says that this is meant",
        "@dataclass",
    ),
    "infinite": (
        solving(SOLVE.replace("floats = np.array(", "floats = np.divide(1, ")),
        "in the result, map holds inf, and no field says that this is meant",
        "@dataclass",
    ),
    "dates": (
        solving("    return {'chance': np.array(['2026-01-01'], 'datetime64[D]')}"),
        "result.chance is an array of datetime64[D], which no result may hold",
        "def solve",
    ),
    "connects": (
        solving("    import socket\n\n    socket.create_connection(('127.0.0.1', 1))"),
        "it uses the network, which may answer otherwise tomorrow",
        "socket.create",
    ),
    "figure_connects": (
        showing("    import socket\n\n    socket.create_connection(('127.0.0.1', 1))"),
        "it uses the network, which may answer otherwise tomorrow",
        "socket.create",
    ),
    "figure_raises": (showing("    raise KeyError('x')"), "KeyError: 'x'", "raise KeyError"),
    "figure_list": (showing("    return []"), "figure_chance returned a list, which is no figure", "def figure_chance"),
    "figure_name": (
        RUIN.replace("figure_chance", "figure_Chance"),
        "the figure 'Chance' needs a name of small letters, digits and _",
        "def figure_Chance",
    ),
}
# Faults that end the process, so that nobody knows the line.
ENDING = {
    "hangs": (solving("    while True:\n        pass"), "it ran for more than 4 seconds and was stopped"),
    "deaf": (
        solving("    import signal, time\n\n    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n    time.sleep(600)"),
        "it ran for more than 4 seconds and was stopped",
    ),
    "killed": (
        solving("    import os\n\n    print('before the end')\n    os.kill(os.getpid(), 9)"),
        "its process died (signal 9)",
    ),
    "crashes": (solving("    import ctypes\n\n    ctypes.string_at(0)"), "its process died (signal 11)"),
    "hoards": (
        solving("    kept = []\n    while True:\n        kept.append([0] * 10)"),
        "it needs more memory than it may have",
    ),
}
DEEP = "def fall(depth):\n    return fall(depth - 1) if depth else 1 / 0\n"
MARKER = "    from pathlib import Path\n\n    Path('../solved').write_text('yes')\n"


@pytest.fixture(scope="module")
def failed(builds, tmp_path_factory):
    """One build of many posts, each with a solver that fails in its own way, and one that does not."""
    project = Project(tmp_path_factory.mktemp("failing") / "blog")
    project.post("An older site.\n")
    project.build()
    project.before = project.files()
    project.write("config.yaml", f"{CONFIG}limits: {{time: 4, memory: 200 MiB}}\n")
    for name, text in {name: case[0] for name, case in (FAILING | ENDING).items()}.items():
        project.write(f"solvers/{name}.py", text)
        project.post("{{ results.mine.figures }}\n", name, front=f"runs:\n  mine:\n    solver: {name}\n")
    project.write("solvers/common/deep.py", DEEP)
    project.write("solvers/shared.py", solving("    from solvers.common.deep import fall\n\n    return fall(goal)"))
    project.post("Text.\n", "shared", front="runs:\n  mine: {solver: shared, parameters: {goal: 7, win: 0.6}}\n")
    project.write("solvers/at_six.py", solving("    if goal == 6:\n        raise ValueError\n" + SOLVE))
    project.post("Text.\n", "sweep", front="runs:\n  by: {solver: at_six, sweep: {goal: [5, 6, 7]}, keep: half}\n")
    project.write("solvers/zzz_fine.py", solving(MARKER + SOLVE))
    project.post("Text.\n", "zzz-fine", front="solver: zzz_fine\n", title="The last to be solved")
    project.ran = project.build("--jobs", "2", status=1)
    project.errors = {
        text.partition(".md")[0].removeprefix("content/posts/"): text for text in paragraphs(project.ran.err)
    }
    return project


@pytest.mark.parametrize("name", FAILING)
def test_a_fault_names_post_run_parameters_and_the_line_in_the_solver(failed, name):
    text, words, at = FAILING[name]

    message = failed.errors[name]

    assert message.startswith(f"content/posts/{name}.md:5: solver '{name}' failed in run 'mine': ")
    assert f": solvers/{name}.py:{line_of(text, at)}: {words}" in message + "\n"
    assert "parameters: goal=20, win=1/2" in message


@pytest.mark.parametrize("name", ENDING)
def test_the_end_of_a_process_names_post_run_and_parameters(failed, name):
    message = failed.errors[name]

    assert message.startswith(f"content/posts/{name}.md:5: solver '{name}' failed in run 'mine': ")
    assert ENDING[name][1] in message
    assert "parameters: goal=20, win=1/2" in message


def test_the_end_of_what_a_solver_prints_is_shown_with_its_error_and_sends_nothing_to_a_terminal(failed):
    printed = failed.errors["chatty"].partition("it printed last:\n")[2].splitlines()

    assert [line.split()[:2] for line in printed] == [["row", str(row)] for row in range(19990, 20000)]
    assert {len(line.strip()) for line in printed} == {502}
    assert not {"\x1b", "\r", "\x07"} & set(failed.ran.err)


def test_what_a_solver_prints_is_shown_when_its_process_is_killed_too(failed):
    assert "it printed last:\n      before the end" in failed.errors["killed"]


def test_time_and_memory_are_told_with_how_to_allow_more(failed):
    assert "allow more with limits: {time: " in failed.errors["hangs"]
    assert "allow more with limits: {memory: " in failed.errors["hungry"]


def test_a_fault_in_shared_mathematics_is_at_its_line_there(failed):
    message = failed.errors["shared"]

    assert "solvers/common/deep.py:2: ZeroDivisionError: division by zero" in message
    assert "    parameters: goal=7, win=3/5\n" in message


def test_what_breaks_the_contract_is_at_its_line_in_the_file_of_a_folder(project):
    text = solving("    return None")
    project.write("solvers/split/puzzle.py", text)
    project.write("solvers/split/__init__.py", "from solvers.split.puzzle import check_both_ends, solve\n")
    project.post("Text.\n", front="runs:\n  mine: {solver: split}\n")

    told = project.build(status=1).err

    assert f"solvers/split/puzzle.py:{line_of(text, 'def solve')}: solve returned None" in told


def test_a_fault_at_one_point_of_a_sweep_names_that_point(failed):
    assert "failed in run 'by'" in failed.errors["sweep"]
    assert failed.errors["sweep"].endswith("parameters: goal=6, win=1/2")


def test_each_fault_is_told_once_and_the_last_line_counts_them(failed):
    told = [text for text in paragraphs(failed.ran.err) if text.startswith("content/")]

    assert len(told) == len(FAILING) + len(ENDING) + 2
    assert failed.ran.err.splitlines()[-1] == f"{len(told)} errors; the site is as it was."


def test_no_fault_of_a_solver_shows_a_traceback(failed):
    assert "Traceback" not in failed.ran.err
    assert max(len(line) for line in failed.ran.err.splitlines()) < 700


def test_a_solver_goes_on_while_others_fail(failed):
    assert (failed.root.parent / "solved").read_text() == "yes"


def test_a_failed_build_leaves_the_site_as_it_was(failed):
    assert failed.files() == failed.before


def test_no_process_is_left_when_solvers_hang_or_die(failed):
    assert processes_left_in(failed.root) == []


# Faults of the solver's file, found when it is described. Each with what is said, and the line.
UNDESCRIBED = {
    "syntax": ("x = 1\ny = (\n", "this is not Python: '(' was never closed", 2),
    "missing": (
        RUIN.replace("import numpy as np", "import no_such_thing"),
        "it imports no_such_thing, which is not",
        11,
    ),
    "raising": (f"{RUIN}\nraise RuntimeError('on import')\n", "RuntimeError: on import", RUIN.count("\n") + 2),
    "exiting": (f"{RUIN}\nraise SystemExit(4)\n", "SystemExit: 4", RUIN.count("\n") + 2),
    "empty": ("", "it has no function solve", 1),
    "no_function": (f"{RUIN}\nsolve = 3\n", "it has no function solve", 1),
    "connecting": (
        f"{RUIN}\nimport socket; socket.create_connection(('127.0.0.1', 1))\n",
        "it uses the network, which may answer otherwise tomorrow",
        RUIN.count("\n") + 2,
    ),
    "default": (
        RUIN.replace("Fraction(1, 2),\n)", "Fraction(5, 2),\n)"),
        "in the defaults win is 5/2; it must lie strictly between 0 and 1",
        line_of(RUIN, "def solve"),
    ),
    "no_default": (
        RUIN.replace("= 20,", ","),
        "the parameter goal of solve has no default",
        line_of(RUIN, "def solve"),
    ),
}


@pytest.fixture(scope="module")
def undescribed(builds, tmp_path_factory):
    """One build of many posts, each with a solver that cannot even be described."""
    project = Project(tmp_path_factory.mktemp("undescribed"))
    project.write("config.yaml", f"{project.root.joinpath('config.yaml').read_text()}limits: {{time: 20}}\n")
    for name, (text, _, _) in UNDESCRIBED.items():
        project.write(f"solvers/{name}.py", text)
        project.post("Text.\n", name, front=f"runs:\n  mine:\n    solver: {name}\n")
    project.write("solvers/dying.py", f"{RUIN}\nimport os\n\nos.kill(os.getpid(), 9)\n")
    project.post("Text.\n", "dying", front="tags: [a]\nsolver: dying\n")
    project.write("solvers/broken_sum.py", RUIN.replace("import numpy as np", "from solvers.common import sums"))
    project.write("solvers/common/sums.py", "half = 1 / 2\nthird = 1 / 0\n")
    project.post("Text.\n", "sum", front="solver: broken_sum\n")
    project.post("Text.\n", "misspelt", front="solver: gamblers_ruine\n")
    project.ran = project.build(status=1)
    return project


def test_a_library_that_is_not_installed_is_named_with_what_to_write_where(undescribed):
    lines = undescribed.ran.err.splitlines()

    place = lines.index("solvers/missing.py:11: solver 'missing': it imports no_such_thing, which is not there")
    assert [line.strip() for line in lines[place + 1 : place + 3]] == [
        "mend: write a library, as pip calls it, into requirements.txt, and run pip install -r requirements.txt",
        "of a module in solvers/: from solvers import no_such_thing; docs/installing.md has more",
    ]


@pytest.mark.parametrize("name", UNDESCRIBED)
def test_a_solver_that_breaks_its_contract_is_reported_at_its_own_line(undescribed, name):
    _, words, line = UNDESCRIBED[name]

    (error,) = [text for text in paragraphs(undescribed.ran.err) if f"solver '{name}': " in text]

    assert error.startswith(f"solvers/{name}.py:{line}: ")
    assert words in error


def test_a_solver_that_ends_its_process_on_import_is_reported_at_its_file(undescribed):
    assert "solvers/dying.py: solver 'dying' cannot be described: its process died" in undescribed.ran.err


def test_a_module_that_solvers_share_is_reported_at_its_own_line(undescribed):
    assert "solvers/common/sums.py:2: solver 'broken_sum': ZeroDivisionError" in undescribed.ran.err


def test_all_solvers_that_cannot_be_described_are_told_in_one_run(undescribed):
    assert undescribed.ran.err.splitlines()[-1] == f"{len(UNDESCRIBED) + 3} errors; the site is as it was."
    assert "Traceback" not in undescribed.ran.err


def test_all_solvers_that_broke_their_contract_since_the_last_build_are_told_in_one_run(project):
    for name in ("one", "other"):
        project.write(f"solvers/{name}.py", RUIN)
        project.post("Text.\n", name, front=f"solver: {name}\n")
    project.build()
    for name in ("one", "other"):
        project.write(f"solvers/{name}.py", RUIN.replace("= 20,", ","))

    told = paragraphs(project.build(status=1).err)

    at = line_of(RUIN, "def solve")
    assert [text.partition(": the parameter")[0] for text in told[:-1]] == [
        f"solvers/{name}.py:{at}: solver '{name}'" for name in ("one", "other")
    ]


def test_all_errors_in_the_names_of_functions_are_told_in_one_run(project):
    text = RUIN.replace("check_both_ends(goal, win)", "check_both_ends(gaol, win)").replace('"half":', '"chance":')
    project.write("solvers/one.py", text)
    project.write("solvers/other.py", RUIN.replace("figure_map(map)", "figure_map(mad)"))
    project.post("Text.\n", "one", front="solver: one\n")
    project.post("Text.\n", "other", front="solver: other\n")

    told = paragraphs(project.build(status=1).err)

    unknown = "which is no parameter of solve and no field of its result"
    assert [text.partition("\n")[0] for text in told] == [
        f"solvers/one.py:{line_of(RUIN, 'def check_both')}: solver 'one': check_both_ends takes 'gaol', {unknown}",
        f"solvers/one.py:{line_of(RUIN, 'def check_half')}: solver 'one': check_half_way is given chance and cannot "
        "confirm it",
        f"solvers/other.py:{line_of(RUIN, 'def figure_map')}: solver 'other': figure_map takes 'mad', {unknown}",
        "3 errors; the site is as it was.",
    ]
    assert "did you mean 'goal'?" in told[0]


# What workers keep to themselves


def working(project):
    """The project with posts that solve, sweep, draw and print, and a solver that leaves its process id."""
    noisy = "    import os\n\n    print('noise from a solver')\n    open('../pid', 'w').write(str(os.getpid()))\n"
    project.write("solvers/noisy.py", solving(noisy + SOLVE))
    runs = "runs:\n  noisy: {solver: noisy}\n  by: {solver: gamblers_ruin, sweep: {goal: [2, 4, 6]}, keep: half}\n"
    project.post(
        "{{ results.noisy.half | fraction }}\n\n{{ figure(results.noisy.figures.chance) }}\n\n"
        "{{ table({'goal': results.by.goal, 'half': results.by.half}) }}\n",
        front=runs,
    )
    project.post("{{ results.fair.chance[7] | fraction }}\n", "other")
    return project


COUNT_MODULES = """
import os
import sys
from pathlib import Path

from site_builder.cli.main import main

status = main(Path(sys.argv[1]), [])
print(os.getpid(), *[name for name in sys.modules if name.split(".")[0] in ("solvers", "matplotlib")])
sys.exit(status)
"""


@pytest.fixture(scope="module")
def worked(builds, tmp_path_factory):
    """A build in one worker, and one that tells which modules its own process has imported."""
    project = working(Project(tmp_path_factory.mktemp("working") / "blog"))
    project.ran = project.build("--jobs", "1")
    project.one_job = project.files()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", COUNT_MODULES, str(project.root)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=project.root, check=True)
    project.pid, *project.modules = done.stdout.splitlines()[-1].split()
    return project


def test_the_builds_own_process_imports_no_solver_and_nothing_to_draw_with(worked):
    assert worked.modules == []


def test_solvers_run_in_another_process(worked):
    assert (worked.root.parent / "pid").read_text() not in ("", worked.pid)


def test_what_a_solver_prints_is_no_word_of_the_builds(worked):
    assert "noise from a solver" not in worked.ran.out + worked.ran.err


def test_no_process_is_left_after_a_build(worked):
    assert processes_left_in(worked.root) == []


def test_any_number_of_jobs_gives_the_same_bytes(worked):
    worked.build("--jobs", "3", "--output", "again")

    again = {path.relative_to(worked.root / "again").as_posix() for path in (worked.root / "again").rglob("*")}
    assert again >= set(worked.one_job)
    assert {name: (worked.root / "again" / name).read_bytes() for name in worked.one_job} == worked.one_job


@pytest.mark.parametrize("sent", [pytest.param(signal.SIGTERM, marks=pytest.mark.deep), signal.SIGKILL])
def test_a_build_that_is_killed_takes_its_solvers_with_it(project, sent):
    project.write("solvers/endless.py", solving(f"{BEGUN}    while True:\n        pass"))
    project.post("Text.\n", front="solver: endless\n")
    command = [sys.executable, "-c", "import sys\nfrom pathlib import Path\nfrom site_builder.cli.main import main\n"]
    command[-1] += "sys.exit(main(Path(sys.argv[1]), []))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with Begun(
        [*command, str(project.root)], stderr=subprocess.PIPE, text=True, env=environment, cwd=project.root
    ) as build:
        wait_until_begun(project.root)

        build.send_signal(sent)

        build.communicate(timeout=120)
    assert processes_left_in(project.root) == []


# Progress


class Refusing(StandIn):
    """Workers that answer each task with a failure."""

    def submit(self, task, *arguments, **_):
        answer = Future()
        answer.set_result(Failure("raised", "it is wrong"))
        return answer


def run_of(post, numbers=(1,), keep=()):
    """A run that wants a solve for each number."""
    solves = tuple(Solve("gamblers_ruin", pack({"n": number})) for number in numbers)
    description = SolverDescription("gamblers_ruin", "", "solvers/gamblers_ruin.py", {}, ("half",))
    place = Place(f"content/posts/{post}.md", 5)
    return PlannedRun(post, "mine", "gamblers_ruin", place, {"n": 1}, solves, {}, keep, description, False)


class Steps(Report):
    """Calls a function with each number of steps that is done."""

    def __init__(self, step):
        self.step = step


def compute_in(project, runs, workers, step=lambda count: None):
    """Compute the runs in a project whose cache is empty."""
    with Store(project.root / ".store", 2**20, pytest.fail) as store:
        solving = SolveRuns(context_of(project.root, store, workers, report=Steps(step)), lambda part: None)
        return solving.run(solving.plan(runs))


def test_progress_counts_every_solve(project):
    steps = []

    with pytest.raises(ExceptionGroup):
        compute_in(project, [run_of("a", range(150), ("half",))], Refusing(), steps.append)

    assert sum(steps) == 150


# A solver that does not end


SLOW = solving("    import time\n\n    if goal < 40:\n        time.sleep(600)\n" + SOLVE)


def test_after_three_runs_at_the_time_limit_the_other_runs_of_a_solver_are_not_tried(project):
    project.write("solvers/slow.py", SLOW)
    project.write("solvers/other.py", RUIN)
    project.write("config.yaml", f"{CONFIG}limits: {{time: 2}}\n")
    runs = "".join(f"  at_{goal}: {{solver: slow, parameters: {{goal: {goal}}}}}\n" for goal in range(2, 10))
    project.post("Text.\n", front=f"runs:\n{runs}  last: {{solver: other}}\n")

    told = paragraphs(project.build("--jobs", "2", status=1).err.partition("\n")[2])

    late = [text for text in told if "it ran for more than 2 seconds" in text]
    assert len(late) in (3, 4)  # the other process may be at the limit at that moment, too
    (rest,) = (text for text in told if "not tried" in text)
    assert rest.startswith("solvers/slow.py: solver 'slow' reached the time limit 3 times; ")
    assert f"{8 - len(late)} other runs of it were not tried" in rest
    assert "limits: {time: 600}" in rest


def test_the_calls_that_led_to_an_error_are_shown_where_they_are_wanted(project):
    text = solving("    return inner(goal)")
    text = text.replace("def solve(", "def inner(n):\n    return n // 0\n\n\ndef solve(")
    project.write("solvers/boom.py", text)
    project.post("Text.\n", "boom", front="solver: boom\n")
    outer, inner = line_of(text, "return inner("), line_of(text, "return n // 0")

    plain = project.build(status=1).err
    traced = project.build("--traceback", status=1).err

    assert f"solvers/boom.py:{inner}: ZeroDivisionError: integer division or modulo by zero\n" in plain
    assert "mend:" not in plain
    assert "    parameters: goal=20, win=1/2\n    --traceback shows the 2 calls that led there\n" in plain
    calls = f"      solvers/boom.py:{outer}: return inner(goal)\n      solvers/boom.py:{inner}: return n // 0\n"
    assert f"    calls:\n{calls}" in traced
    assert "--traceback shows" not in traced


def test_no_module_in_the_folder_of_a_blog_hides_one_of_a_library(project, tmp_path):
    proof = tmp_path / "proof"
    for name in ("yaml", "json", "numpy", "fractions", "markdown", "jinja2"):
        project.write(f"{name}.py", f"open({str(proof)!r}, 'w').close()\n")
    shutil.copyfile(ROOT / "site_builder/cli/scaffold_files/blog/build.py.txt", project.root / "build.py")
    project.post("It is {{ results.fair.half }}.\n")

    ran = subprocess.run(
        [sys.executable, "build.py"],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, proof.exists()) == (0, False), ran.stderr


def test_a_python_that_drops_the_asserts_of_solvers_builds_nothing(project):
    project.write("solvers/asserts.py", FAILING["asserts"][0])
    project.post("Text.\n", front="solver: asserts\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONOPTIMIZE": "1"}
    code = (
        "import sys; from pathlib import Path; from site_builder.cli.main import main; sys.exit(main(Path.cwd(), []))"
    )

    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=project.root, env=environment, capture_output=True, text=True, check=False
    )

    assert ran.returncode == 2
    assert "Python runs with -O, which leaves out the asserts of solvers" in ran.stderr
    assert not (project.root / "_site").exists()


# One solver at a time


ASKING = """
import json, os, sys
from pathlib import Path
from site_builder.solving.tasks import solver_tasks
from site_builder.project.config import Limits
from site_builder.solving.processes.failure import Failure
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.packing import pack, unpack
from site_builder.solving.processes.pool import Workers

before = dict(os.environ)
with Workers(Path(sys.argv[1]), 1, *sys.argv[3:]) as workers:
    for name in json.loads(sys.argv[2]):
        answer = workers.submit(solver_tasks.solve, name, Loadable(), pack({"goal": 2}), limits=Limits()).result()
        print(answer.message if isinstance(answer, Failure) else unpack(answer.data).names["found"])
print(os.environ == before)
"""


def asked(project, *questions, seed=""):
    """What one worker answers to solves of these solvers, one after the other.

    seed: the hash seed of the worker, if given.
    """
    command = [sys.executable, "-c", ASKING, str(project.root), json.dumps(questions), *([seed] if seed else [])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=project.root, check=True)
    *answers, restored = done.stdout.splitlines()
    assert restored == "True"
    return answers


def finding(words):
    """A solver that imports a module and gives something that it finds there."""
    given = RESULT.replace("ROUNDED", "1.0").replace("{}", "{'found': found}")
    return solving(f"    {words}\n    return {given}").replace("dict[str, int]", "dict[str, object]")


def test_a_solver_finds_nothing_that_another_left_in_a_module_they_share(project):
    project.write("solvers/common/notes.py", "seen = []\n\n\ndef note():\n    seen.append(1)\n    return len(seen)\n")
    for name in ("first", "second"):
        project.write(f"solvers/{name}.py", finding("from solvers.common import notes\n    found = notes.note()"))

    assert asked(project, "first", "second", "first") == ["1", "1", "1"]


def test_a_solver_finds_nothing_that_another_has_changed_in_a_library(project):
    project.write("solvers/first.py", finding("import math\n    math.pi = found = 3"))
    project.write("solvers/second.py", finding("import math\n    found = round(math.pi, 4)"))

    assert asked(project, "first", "second") == ["3", "3.1416"]


def test_a_solver_lives_in_the_same_zone_and_language_everywhere_and_the_build_in_its_own(project):
    project.write(
        "solvers/zone.py", finding("import os\n    import time\n    found = os.environ['LC_ALL'] + time.tzname[0]")
    )

    assert asked(project, "zone") == ["C.UTF-8UTC"]


def test_processes_with_another_hash_seed_begin_with_other_random_generators(project):
    found = "import os, random\n    import numpy as np\n    found = "
    found += "f'{os.environ[\"PYTHONHASHSEED\"]} {random.random()} {np.random.random()}'"
    project.write("solvers/seed.py", finding(found))

    first, again = asked(project, "seed", "seed", seed="7")
    (other,) = asked(project, "seed", seed="8")

    assert first == again
    assert [each.split()[0] for each in (first, other)] == ["7", "8"]
    assert not set(first.split()) & set(other.split())


# A fresh state for each solve

# A memo over a global, as puzzle code is often written. First to n points with a lead of one, where the loser of a hole
# may double the next; the check and `chances` have n among the arguments.
HAMMER = """\
from functools import cache
from typing import Annotated

from site_builder.contract import Field


@cache
def value(i, j):
    if i >= points:
        return 1.0
    if j >= points:
        return 0.0
    double = (value(i + 2, j) + value(i, j + 2)) / 2
    single = (value(i + 1, j) + value(i, j + 1)) / 2
    return max(min(double, value(i + 1, j)), min(single, max(double, value(i, j + 1))))


def solve(n: Annotated[int, Field(ge=2, le=50, description="points that win")] = 5):
    global points
    points = n
    return {"chance": value(1, 0)}


@cache
def anew(i, j, goal):
    if i >= goal or j >= goal:
        return float(i >= goal)
    double = (anew(i + 2, j, goal) + anew(i, j + 2, goal)) / 2
    single = (anew(i + 1, j, goal) + anew(i, j + 1, goal)) / 2
    return max(min(double, anew(i + 1, j, goal)), min(single, max(double, anew(i, j + 1, goal))))


def check_goal_among_the_arguments(n):
    return {"chance": anew(1, 0, n)}
"""


def chances(goals):
    """The chance of the leader by one for each goal."""

    @cache
    def value(i, j, n):
        if i >= n or j >= n:
            return float(i >= n)
        double = (value(i + 2, j, n) + value(i, j + 2, n)) / 2
        single = (value(i + 1, j, n) + value(i, j + 1, n)) / 2
        return max(min(double, value(i + 1, j, n)), min(single, max(double, value(i, j + 1, n))))

    return [value(1, 0, n) for n in goals]


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.deep), "4"])
def test_a_memo_that_outlives_its_parameters_reaches_no_other_solve(project, jobs):
    project.write("solvers/hammer.py", HAMMER)
    goals = range(3, 8)
    runs = "".join(f"  at_{n}: {{solver: hammer, parameters: {{n: {n}}}}}\n" for n in goals)
    runs = f"runs:\n{runs}  by: {{solver: hammer, sweep: {{n: [3, 4, 5, 6, 7]}}, keep: chance}}\n"
    alone = " ".join(f"{{{{ results.at_{n}.chance | number(5) }}}}" for n in goals)
    project.post(
        f"alone {alone} swept {{{{ results.by.chance | map('number', 5) | join(' ') }}}}.\n", "hammer", front=runs
    )

    project.build("--jobs", jobs)

    shown = " ".join(f"{chance:.5f}" for chance in chances(goals))
    assert f"<p>alone {shown} swept {shown}.</p>" in project.files()["posts/hammer/index.html"].decode()


# Once for all tasks of a solver


CHECKING = """
import sys
from fractions import Fraction
from pathlib import Path
from site_builder.solving.tasks import solver_tasks
from site_builder.project.config import Limits
from site_builder.solving.processes.pool import Workers
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.packing import pack

with Workers(Path(sys.argv[1]), 1) as workers:
    arguments = "watching", Loadable(), pack({"goal": 2, "win": Fraction(1, 2)})
    solved = workers.submit(solver_tasks.solve, *arguments, limits=Limits()).result()
    workers.submit(solver_tasks.checks, *arguments[:2], (), arguments[2], solved.data, limits=Limits()).result()
    print(*workers.printed(), sep="\\n")
"""


def printed_of(project, body):
    """What a solver prints while a worker solves and checks it; the body of a check begins with this line."""
    text = RUIN.replace('    return {"chance": {0', f'    {body}\n    return {{"chance": {{0')
    project.write("solvers/watching.py", f"import sys\n{text}")
    command = [sys.executable, "-c", CHECKING, str(project.root)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=project.root, check=True)
    return done.stdout.splitlines()


def test_the_text_of_a_solver_is_digested_after_its_import_and_not_in_each_task(project):
    told = "event == 'open' and str(arguments[0]).endswith('watching.py') and print('opened')"

    printed = printed_of(project, f"print('checks'); sys.addaudithook(lambda event, arguments: {told})")

    assert printed == ["checks"]


SLOW_START = """
import os, signal, sys, time
from pathlib import Path

here = Path(sys.argv[1])
if __name__ != "__main__":  # in a worker, before it reads what it is for
    try:
        (here / "first").touch(exist_ok=False)
    except FileExistsError:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1)
else:
    from site_builder.solving.tasks import solver_tasks
    from site_builder.project.config import Limits
    from site_builder.storage.file_fingerprints import Loadable
    from site_builder.solving.processes.pool import Workers

    with Workers(here, 2) as workers:
        workers.submit(solver_tasks.describe, "none", Loadable(), [], limits=Limits()).result()
"""


def test_a_worker_that_is_only_starting_when_all_is_done_ends_without_a_word(tmp_path):
    script = tmp_path / "slow_start.py"
    script.write_text(SLOW_START, "utf-8")

    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "first").exists()


LOADED = """
import os, pathlib, sys, time
sys.path.insert(0, sys.argv[1])
from site_builder.solving.processes.pool import Workers
with Workers(pathlib.Path(sys.argv[1]), 2) as workers:
    workers.expect(["telling"])
    workers.prepare()
    for _ in range(2000):
        if os.path.exists(sys.argv[2]):
            break
        time.sleep(0.05)
"""


def test_what_is_expected_is_loaded_in_another_process_wherever_the_build_is_started(tmp_path):
    note = tmp_path / "note"
    (tmp_path / "telling.py").write_text(f"import os\nopen({str(note)!r}, 'w').write(str(os.getpid()))\n")
    (tmp_path / "elsewhere").mkdir()

    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    started = subprocess.Popen(
        [sys.executable, "-c", LOADED, tmp_path, note], cwd=tmp_path / "elsewhere", env=environment
    )

    assert started.wait(120) == 0
    assert int(note.read_text()) != started.pid


WAITING = """
import signal, threading
from concurrent.futures import Future
from site_builder.solving.processes.pool import first_answered

threading.Timer(0.3, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT)).start()
try:
    first_answered([Future()])
except KeyboardInterrupt:
    print("heard")
"""


def test_ctrl_c_in_another_thread_ends_the_wait_for_an_answer():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    ran = subprocess.run(
        [sys.executable, "-c", WAITING], env=environment, capture_output=True, text=True, timeout=120, check=False
    )

    assert ran.stdout == "heard\n"


# How processes are started

BUILD_WITH = """
import sys
from pathlib import Path
from site_builder.cli.main import main
from site_builder.solving.processes import pool
if __name__ == "__main__":
    pool.START_METHOD = sys.argv[1]
    sys.exit(main(Path.cwd(), sys.argv[2:]))
"""


def build_with(project, method, *words):
    """A build whose processes are started by this method."""
    project.lay_store()
    program = project.write("begin.py", BUILD_WITH)
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, str(program), method, *words]
    return subprocess.run(command, cwd=project.root, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.deep
def test_spawned_processes_give_the_same_site_as_forked_ones(project):
    project.post("{{ figure(results.fair.figures.chance) }}\n\nIt is {{ results.fair.half }}.\n")

    for method in ("forkserver", "spawn"):
        ran = build_with(project, method, "--output", method)
        assert ran.returncode == 0, ran.stderr
        project.forget()

    assert project.files("spawn") == project.files("forkserver")


@pytest.mark.parametrize(
    "name",
    ["raises"]
    + [pytest.param(each, marks=pytest.mark.deep) for each in ("hangs", "killed", "environment", "connects", "hungry")],
)
def test_what_goes_wrong_in_a_spawned_process_is_said_as_of_a_forked_one(project, failed, name):
    text = {**FAILING, **ENDING}[name][0]
    project.write(f"solvers/{name}.py", text)
    project.write("config.yaml", f"{CONFIG}limits: {{time: 4, memory: 200 MiB}}\n")
    project.post("Text.\n", name, f"runs:\n  mine: {{solver: {name}}}\n")

    ran = build_with(project, "spawn")

    assert ran.returncode == 1
    assert failed.errors[name].splitlines()[0] in ran.stderr
