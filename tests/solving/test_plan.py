"""What posts wish for, layer over layer, and the distinct solves behind it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.errors import SiteError, UsageError, errors_of
from site_builder.project.config import load_config
from site_builder.project.posts import load_content
from site_builder.solving.plan import SolverReply, plan_runs, read_reply, read_setting, requests_of
from site_builder.solving.tasks import solver_tasks
from site_builder.storage.file_fingerprints import scan
from site_builder.values.packing import pack, unpack
from tests.support.short_solvers import solver_of

SOLVER = """
from fractions import Fraction
from typing import Annotated, Literal

from site_builder.contract import Field


def solve(
    goal: Annotated[int, Field(ge=1, le=1000, description="coins that end the game")] = 20,
    win: Annotated[Fraction, Field(gt=0, lt=1)] = Fraction(1, 2),
    weight: Annotated[float, Field(ge=0)] = 1.0,
    first: Literal["me", "you"] = "me",
    values: tuple[Fraction, ...] = (Fraction(1),),
    bonus: int | float = 0,
):
    return {"chance": Fraction(1), "rounded": 1.0}


def validate(values, goal):
    if len(values) > goal:
        raise ValueError("there are more values than the goal has coins")
"""


class Plan:
    """A small project whose solvers, ruin and race, are asked without a process."""

    def __init__(self, root):
        self.root = root
        self.config = ""
        self.questions = []
        self.solver = solver_of(root, SOLVER)

    def post(self, runs, name="a"):
        """A post whose front matter goes on with these lines from line 4."""
        path = self.root / "content" / "posts" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\ntitle: A\ndate: 2026-03-01\n{runs}\n---\n", "utf-8")

    def describe(self, questions):
        """What the solvers say to these questions, as it comes back from a worker."""
        self.questions = questions
        found = {}
        for question in questions:
            described = solver_tasks.description(self.solver, f"solvers/{question.solver}.py")
            answers = [solver_tasks.answer_to(self.solver, parameters) for parameters in question.parameters]
            found[question] = read_reply(pack(SolverReply(replace(described, name=question.solver), answers)))
        return found

    def runs(self, *settings):
        """The planned runs by post and name; settings as the command line writes them."""
        text = "title: A\nbase_url: https://example.org/\n" + self.config
        (self.root / "config.yaml").write_text(text, "utf-8")
        config = load_config(self.root)
        given = [read_setting(text) for text in settings]
        content = load_content(config, scan(self.root).signatures)
        requests = requests_of(content.read, config, given, ["race", "ruin"])
        found = plan_runs(requests, self.describe(requests.questions), config, given)
        return {(source[14:-3], run.name): run for source, runs in found.items() for run in runs}

    def values(self, *settings, run=("a", "main")):
        """All parameters of one run."""
        return dict(self.runs(*settings)[run].parameters)

    def messages(self, *settings):
        with pytest.raises((SiteError, ExceptionGroup)) as caught:
            self.runs(*settings)
        return [str(error) for error in errors_of(caught.value)]

    def message(self, *settings):
        (found,) = self.messages(*settings)
        return found


@pytest.fixture
def plan(tmp_path):
    return Plan(tmp_path)


# The layers


def test_a_run_that_says_nothing_takes_the_solvers_defaults(plan):
    plan.post("solver: ruin")

    defaults = {"goal": 20, "win": Fraction(1, 2), "weight": 1.0, "first": "me", "values": (1,), "bonus": 0}
    assert plan.values() == defaults


def test_later_layers_go_over_earlier_ones_name_by_name(plan):
    plan.config = "parameters: {ruin: {goal: 30, win: 0.3, weight: 3}}\n"
    plan.post("solver: ruin\nparameters: {win: 0.4, weight: 4}")

    values = plan.values("ruin.weight=5")

    # goal from config.yaml over the default 20, win from the post over config.yaml, weight from --set over both
    assert (values["goal"], values["win"], values["weight"]) == (30, Fraction(2, 5), 5.0)


def test_a_fixed_run_takes_the_defaults_and_the_post_alone(plan):
    plan.config = "parameters: {ruin: {goal: 30, win: 0.3}}\n"
    plan.post("runs:\n  fair: {solver: ruin, fixed: true, parameters: {win: 0.4}}\n  yours: {solver: ruin}")

    fixed = plan.values("ruin.goal=50", run=("a", "fair"))

    assert (fixed["goal"], fixed["win"]) == (20, Fraction(2, 5))
    assert plan.values("ruin.goal=50", run=("a", "yours"))["goal"] == 50


def test_parameters_of_one_solver_leave_another_alone(plan):
    plan.config = "parameters: {race: {goal: 30}}\n"
    plan.post("runs:\n  one: {solver: ruin}\n  two: {solver: race}")

    runs = plan.runs("race.win=0.9")

    assert (runs["a", "one"].parameters["goal"], runs["a", "one"].parameters["win"]) == (20, Fraction(1, 2))
    assert (runs["a", "two"].parameters["goal"], runs["a", "two"].parameters["win"]) == (30, Fraction(9, 10))


def test_the_last_of_two_settings_of_a_name_counts(plan):
    plan.post("solver: ruin")

    assert plan.values("ruin.goal=30", "ruin.goal=40")["goal"] == 40


@pytest.mark.parametrize(
    ("written", "value"),
    [("0.6", Fraction(3, 5)), ("'3/5'", Fraction(3, 5)), ("3/5", Fraction(3, 5)), ("6e-1", Fraction(3, 5))],
)
def test_a_rational_is_exactly_what_is_written_in_every_layer(plan, written, value):
    plan.config = f"parameters: {{ruin: {{win: {written}}}}}\n"
    plan.post(f"runs:\n  config: {{solver: ruin}}\n  post: {{solver: ruin, parameters: {{win: {written}}}}}")

    runs = plan.runs()
    from_command = plan.runs(f"ruin.win={written}")

    assert runs["a", "config"].parameters["win"] == value
    assert runs["a", "post"].parameters["win"] == value
    assert from_command["a", "config"].parameters["win"] == value


def test_a_list_is_a_row_of_exact_values(plan):
    plan.post("solver: ruin\nparameters: {values: [0.1, 3/5, 2]}")

    assert plan.values()["values"] == (Fraction(1, 10), Fraction(3, 5), 2)


def test_a_float_parameter_takes_decimals_and_whole_numbers(plan):
    plan.post("solver: ruin\nparameters: {weight: 0.25}")

    assert (plan.values()["weight"], plan.values("ruin.weight=2")["weight"]) == (0.25, 2.0)


# Equal solves


def solve_of(plan, line):
    plan.post(f"solver: ruin\nparameters: {{{line}}}")
    (solve,) = plan.runs()["a", "main"].solves
    return solve


@pytest.mark.parametrize("written", ["0.6", '"3/5"', "3/5", "6/10", "0.60", "'0.6'", "60e-2"])
def test_one_value_has_one_key_however_it_is_written(plan, written):
    assert solve_of(plan, f"win: {written}").key == solve_of(plan, "win: 0.6").key


def test_a_default_written_out_is_the_same_solve(plan):
    assert solve_of(plan, "goal: 20, win: 1/2") == solve_of(plan, "")


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_keys_are_equal_exactly_when_the_parameters_are(tmp_path_factory, one, other):
    plan = Plan(tmp_path_factory.mktemp("keys"))
    if not (0 < one < 1 and 0 < other < 1):
        return

    keys = [solve_of(plan, f"win: {value}").key for value in (one, other)]

    assert (keys[0] == keys[1]) == (one == other)


def test_another_solver_or_parameter_has_another_key(plan):
    plan.post(
        "runs:\n  a: {solver: ruin}\n  b: {solver: race}\n  c: {solver: ruin, parameters: {goal: 21}}\n"
        "  d: {solver: ruin, parameters: {first: you}}\n  e: {solver: ruin, parameters: {values: [1, 1]}}"
    )

    keys = {run.solves[0].key for run in plan.runs().values()}

    assert len(keys) == 5


def test_two_posts_that_want_the_same_share_one_solve(plan):
    plan.post("runs:\n  mine: {solver: ruin, parameters: {win: 0.6}}", "a")
    plan.post("runs:\n  yours: {solver: ruin, fixed: true, parameters: {win: 6/10, goal: 20}}", "b")

    runs = plan.runs()

    assert runs["a", "mine"].solves == runs["b", "yours"].solves


def test_the_points_of_a_sweep_share_their_solves_with_single_runs(plan):
    plan.post(
        "runs:\n  by_goal: {solver: ruin, sweep: {goal: [10, 20, 30]}, keep: chance}\n"
        "  fair: {solver: ruin}\n"
        "  by_win: {solver: ruin, sweep: {win: {start: 0.25, stop: 0.75, steps: 3}}, keep: chance}"
    )

    runs = plan.runs()

    assert runs["a", "fair"].solves[0] == runs["a", "by_goal"].solves[1] == runs["a", "by_win"].solves[1]


# Sweeps


def test_a_sweep_solves_each_point_and_has_exact_axes(plan):
    plan.post("runs:\n  by_p: {solver: ruin, sweep: {win: {start: 0.1, stop: 0.9, steps: 81}}, keep: chance}")

    run = plan.runs()["a", "by_p"]

    assert run.axes["win"] == tuple(Fraction(i, 100) for i in range(10, 91))
    assert [unpack(solve.parameters)["win"] for solve in run.solves] == [Fraction(i, 100) for i in range(10, 91)]
    assert len({solve.key for solve in run.solves}) == 81


@pytest.mark.parametrize(("steps", "checked"), [(8, 64), (11, 36)])  # the corners and 32 others of more than 64
def test_all_points_of_a_short_sweep_are_checked_and_of_a_long_one_the_corners_and_others(plan, steps, checked):
    axes = ", ".join(f"{name}: {{start: 1, stop: {steps}, steps: {steps}}}" for name in ("goal", "weight"))
    plan.post(f"runs:\n  by: {{solver: ruin, sweep: {{{axes}}}, keep: chance}}")

    run = plan.runs()["a", "by"]

    corners = {run.solves[place].key for place in (0, steps - 1, -steps, -1)}
    assert (len(run.solves), len(run.checked)) == (steps**2, checked)
    assert corners <= run.checked


def test_whole_swept_numbers_are_ints(plan):
    plan.post("runs:\n  by_goal: {solver: ruin, sweep: {goal: {start: 10, stop: 30, steps: 3}}, keep: chance}")

    axis = plan.runs()["a", "by_goal"].axes["goal"]

    assert axis == (10, 20, 30)
    assert {type(value) for value in axis} == {int}


def test_steps_between_whole_numbers_are_refused_for_a_parameter_that_counts(plan):
    plan.post("runs:\n  by_goal:\n    solver: ruin\n    sweep: {goal: {start: 1, stop: 2, steps: 3}}\n    keep: chance")

    found = plan.message()

    assert found.startswith("content/posts/a.md:7: ")
    assert "goal is 3/2; it must be a whole number" in found


def test_a_sweep_may_list_values_of_any_kind(plan):
    plan.post("runs:\n  by: {solver: ruin, sweep: {first: [me, you], win: [0.5, 3/5, '1/3']}, keep: chance}")

    run = plan.runs()["a", "by"]

    assert dict(run.axes) == {"first": ("me", "you"), "win": (Fraction(1, 2), Fraction(3, 5), Fraction(1, 3))}
    # the first name is the outer one, as the axes of the grid have it
    points = [unpack(solve.parameters) for solve in run.solves]
    assert [(point["first"], point["win"]) for point in points] == [
        (first, win) for first in ("me", "you") for win in (Fraction(1, 2), Fraction(3, 5), Fraction(1, 3))
    ]


def test_a_value_that_a_sweep_has_twice_counts_once(plan):
    plan.post("runs:\n  by: {solver: ruin, sweep: {first: [me, you], win: [0.5, 0.25, 1/2]}, keep: chance}")

    run = plan.runs()["a", "by"]

    assert run.axes["win"] == (Fraction(1, 2), Fraction(1, 4))
    assert len(run.solves) == 4


def test_a_sweep_has_one_solve_for_values_that_are_equal_as_coordinates(plan):
    plan.post("runs:\n  by: {solver: ruin, sweep: {bonus: [1, 1.0, 2, 2.5]}, keep: chance}")

    run = plan.runs()["a", "by"]

    assert run.axes["bonus"] == (1, 2, 2.5)
    assert [unpack(solve.parameters)["bonus"] for solve in run.solves] == [1, 2, 2.5]


def test_other_parameters_of_a_sweep_come_from_the_layers(plan):
    plan.config = "parameters: {ruin: {goal: 30, win: 0.3}}\n"
    plan.post("runs:\n  by: {solver: ruin, sweep: {win: [0.5]}, keep: chance, parameters: {first: you}}")

    values = unpack(plan.runs("ruin.weight=7")["a", "by"].solves[0].parameters)

    assert (values["goal"], values["win"], values["first"], values["weight"]) == (30, Fraction(1, 2), "you", 7.0)


def test_a_sweep_has_its_own_values_of_a_name_that_is_set(plan):
    plan.post("runs:\n  by_p: {solver: ruin, sweep: {win: [0.5]}, keep: chance}\n  yours: {solver: ruin}")

    runs = plan.runs("ruin.win=0.6", "ruin.weight=7")

    assert runs["a", "by_p"].axes["win"] == (Fraction(1, 2),)
    assert unpack(runs["a", "by_p"].solves[0].parameters)["weight"] == 7.0
    assert runs["a", "yours"].parameters["win"] == Fraction(3, 5)


def test_a_field_that_results_do_not_have_cannot_be_kept(plan):
    plan.post("runs:\n  by:\n    solver: ruin\n    sweep: {win: [0.5]}\n    keep: [chance, chanse]")

    found = plan.message()

    assert found.startswith("content/posts/a.md:8: ")
    assert "'chanse'" in found
    assert "did you mean 'chance'?" in found


# Faults and their places


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("goal: 0", "goal is 0; it must lie between 1 and 1000"),
        ("goal: 1001", "goal is 1001; it must lie between 1 and 1000"),
        ("goal: 2.5", "goal is 2.5; it must be a whole number"),
        ("goal: '5'", "goal is '5'; it must be a whole number"),
        ("goal: true", "goal is true; it must be a whole number"),
        ("goal:", "goal is empty; it must be a whole number"),
        ("win: 1.47", "win is 1.47; it must lie strictly between 0 and 1"),
        ("win: 3/2", "win is '3/2'; it must lie strictly between 0 and 1"),
        ("win: half", "win is 'half'; it must be a number such as 0.6 or a fraction such as 3/5"),
        ("win: 1/0", "win is '1/0'; it must be a number such as 0.6"),
        ("win: .inf", "it must be a number such as 0.6"),
        ("weight: -1", "weight is -1; it must be at least 0"),
        ("first: nobody", "first is 'nobody'; it must be 'me' or 'you'"),
        ("values: 3", "values is 3; it must be a list"),
        ("gaol: 3", "'gaol' is not known here"),
    ],
)
def test_a_parameter_out_of_its_range_is_reported_at_its_line(plan, line, words):
    plan.post(f"runs:\n  fair:\n    solver: ruin\n    parameters:\n      {line}")

    found = plan.message()

    assert found.startswith("content/posts/a.md:8: ")
    assert words in found


def test_an_entry_of_a_list_is_named_by_its_place(plan):
    plan.post("solver: ruin\nparameters:\n  values: [1, x]")

    found = plan.message()

    assert found.startswith("content/posts/a.md:6: ")
    assert "values.1 is 'x'" in found


def test_a_rule_between_two_parameters_speaks_for_itself(plan):
    plan.post("runs:\n  fair:\n    solver: ruin\n    parameters: {goal: 1, values: [1, 2]}")

    found = plan.message()

    assert found.startswith("content/posts/a.md:7: ")
    assert "there are more values than the goal has coins" in found


def test_the_meaning_of_a_parameter_stands_with_its_fault(plan):
    plan.post("solver: ruin\nparameters: {goal: 0}")

    assert plan.message().endswith("mend: goal: coins that end the game")


def test_a_value_of_config_is_reported_there_once_for_all_posts(plan):
    plan.config = "parameters:\n  ruin:\n    goal: 0\n"
    plan.post("solver: ruin", "a")
    plan.post("solver: ruin", "b")

    assert plan.message().startswith("config.yaml:5: goal is 0; it must lie between 1 and 1000")


def test_a_value_of_the_command_line_is_reported_as_such(plan):
    plan.post("solver: ruin\nparameters: {goal: 3}")

    assert plan.message("ruin.goal=0").startswith("--set ruin.goal: goal is 0; it must lie between 1 and 1000")


def test_a_value_that_a_later_layer_covers_is_no_fault(plan):
    plan.config = "parameters: {ruin: {goal: 0}}\n"
    plan.post("solver: ruin\nparameters: {goal: 5}")

    assert plan.values()["goal"] == 5


@pytest.mark.parametrize(
    ("name", "cure"), [("ruine", "did you mean 'ruin'?"), ("zzzzz", "there is: race, ruin"), ("Ruin", "'ruin'")]
)
def test_a_misspelt_solver_is_reported_with_the_nearest_one(plan, name, cure):
    plan.post(f"runs:\n  fair:\n    fixed: true\n    solver: {name}")

    found = plan.message()

    assert found.startswith(f"content/posts/a.md:7: no solver is named '{name}'")
    assert cure in found


def test_a_misspelt_solver_of_the_short_form_has_its_line(plan):
    plan.post("tags: [a]\nsolver: ruine")

    assert plan.message().startswith("content/posts/a.md:5: no solver is named 'ruine'")


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            "parameters:\n  ruine: {goal: 3}\n",
            "config.yaml:4: no solver is named 'ruine'\n    mend: did you mean 'ruin'?",
        ),
        ("parameters:\n  ruin:\n    gaol: 3\n", "config.yaml:5: 'gaol' is not known here"),
    ],
)
def test_a_misspelt_name_in_config_is_a_fault(plan, config, words):
    plan.config = config
    plan.post("solver: ruin")

    assert plan.message().startswith(words)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("ruine.goal=3", "--set ruine.goal: no solver is named 'ruine'\n    mend: did you mean 'ruin'?"),
        ("ruin.gaol=3", "--set ruin.gaol: it has no parameter 'gaol'\n    mend: did you mean 'goal'?"),
    ],
)
def test_a_setting_that_nothing_can_take_is_wrong_usage(plan, setting, words):
    plan.post("runs:\n  yours: {solver: ruin}\n  fair: {solver: race, fixed: true}")

    with pytest.raises(UsageError) as caught:
        plan.runs(setting)

    assert str(caught.value).startswith(words)


def test_all_faults_of_all_runs_are_reported_in_one_run(plan):
    plan.config = "parameters: {ruin: {weight: -1}}\n"
    plan.post("runs:\n  one: {solver: ruin, parameters: {goal: 0}}\n  two: {solver: ruine}", "a")
    plan.post("runs:\n  three: {solver: race, parameters: {win: 2, first: x}}", "b")

    found = [text.partition(": ")[0] for text in plan.messages()]

    assert found == [
        "config.yaml:3",
        "content/posts/a.md:5",
        "content/posts/a.md:6",
        "content/posts/b.md:5",
        "content/posts/b.md:5",
    ]


def test_a_post_without_runs_asks_nothing(plan):
    plan.post("tags: [a]")

    assert plan.runs() == {}
    assert plan.questions == []
