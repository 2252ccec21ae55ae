"""Which results that a post shows are confirmed, by which checks and how closely; findings for the others."""

from dataclasses import replace

import pytest

from site_builder.errors import Place
from site_builder.posts.findings import coverage_of, finding_of, open_rows, shown_rows
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.checks.outcomes import CheckOutcome
from site_builder.solving.checks.tolerances import EXACTLY, Closeness
from site_builder.solving.plan import PlannedRun, Solve
from site_builder.values.records import Record

DESCRIPTION = SolverDescription("game", "A game.", "solvers/game.py", {})
CLOSE = Closeness(0.3, "to ±0.6 points by 20,000 games")
LOOSE = Closeness(4.5, "to ±9 points by 100 games", "play 2,007 games or more, for ±2 points")
FIELDS = {"chance": 0.5, "goal": 20, "limit": None, "pair": Record({"first": 1, "second": 2}), "table": (1, 2)}


def outcome(field, name="it", closeness=EXACTLY, cells=1, total=1, kind="answer", **more):
    shown = ("1", "1", "", cells, total, closeness)
    return CheckOutcome(f"check_{name}", name, kind, field, *shown, **more)


def run(axes=(), keep=()):
    solve = Solve("game", b"")
    axes = dict.fromkeys(axes, (1, 2))
    return PlannedRun("a", "main", "game", Place("a", 1), {"goal": 20}, (solve,), axes, keep, DESCRIPTION, True)


def rows(outcomes, *reads, figures=None, planned=None, fields=FIELDS):
    made = planned or run()
    found = shown_rows(made, coverage_of(made, Record(fields), outcomes), {"takes": figures or {}}, reads)
    return {row.field: row for row in found}


def statuses(outcomes, *reads, **more):
    return {field: row.status for field, row in rows(outcomes, *reads, **more).items()}


def test_each_field_that_is_read_has_the_checks_that_confirm_it():
    point = [outcome("chance", "formula"), outcome("chance", "hand"), outcome("table", "hand")]
    found = rows([point], "main.chance", "main.table")

    assert (found["chance"].status, found["chance"].checks) == ("confirmed", ("formula", "hand"))
    assert found["table"].checks == ("hand",)


def test_a_field_without_a_check_is_unconfirmed_and_so_is_one_with_a_check_that_shares_code():
    found = rows([[outcome("table", shared=("moves",))]], "main.chance", "main.table")

    assert [row.status for row in found.values()] == ["unconfirmed"] * 2
    assert [(each.name, each.reason) for each in found["table"].loose] == [("check_it", "shares moves with solve")]


def test_a_parameter_and_what_is_none_need_no_check():
    assert statuses([[]], "main.goal", "main.limit") == {"goal": "parameter"}


def test_a_field_of_a_record_is_confirmed_by_itself():
    found = statuses([[outcome("pair.first")]], "main.pair")

    assert found == {"pair.first": "confirmed", "pair.second": "unconfirmed"}


def test_three_smaller_cases_make_a_field_tested_and_two_do_not():
    cases = [outcome("chance", kind="case", parameters=f"n={n}") for n in (1, 2, 3)]
    wrong = replace(cases[2], difference="it should be 2, and is 1")
    shared, loose = [replace(each, shared=("f",)) for each in cases], [replace(each, closeness=LOOSE) for each in cases]

    found = rows([cases], "main.chance")["chance"]
    assert (found.status, found.closeness, found.checks) == ("tested", "in 3 smaller cases", ("it",))
    for few in (cases[:2], [*cases[:2], cases[1]], [*cases[:2], wrong], shared, loose):
        assert statuses([few], "main.chance") == {"chance": "unconfirmed"}


def test_a_field_that_agrees_given_an_unconfirmed_one_says_so():
    (found,) = rows([[outcome("chance", takes=("table",), given=("table",))]], "main.chance").values()

    assert (found.status, found.given, found.is_confirmed) == ("given", ("table",), False)


def test_a_field_of_which_laws_alone_hold_is_lawful():
    (found,) = rows([[outcome("", "sum", kind="law", takes=("chance",))]], "main.chance").values()

    assert (found.status, found.checks, found.is_confirmed) == ("lawful", ("sum",), False)


def test_a_figure_stands_for_the_fields_that_it_takes():
    taken = {"map": ("table", "look"), "other": ("chance",)}

    assert statuses([[outcome("table")]], "main.figures.map", figures=taken) == {"table": "confirmed"}
    assert statuses([[]], "main.figures.map", figures={"map": ("result",)}).keys() == {
        *("chance", "goal", "pair.first", "pair.second", "table")
    }


def test_a_figure_with_numbers_of_its_own_is_unconfirmed():
    (row,) = shown_rows(run(), (), {"foreign": {"map": [0.25, 3.5], "other": [1.0]}}, ["main.figures.map"])

    assert (row.field, row.status) == ("figures.map", "unconfirmed")
    assert row.loose[0].reason == "shows numbers of its own: 0.25, 3.5"


def test_what_is_not_read_does_not_count():
    assert rows([[]], "other.chance", "main.parameters", "main.checks") == {}


@pytest.mark.parametrize(
    ("names", "status", "points"),
    [(("chance", "chance"), "confirmed", 2), (("chance", "table"), "unconfirmed", 0)],
)
def test_a_field_of_a_sweep_is_confirmed_where_it_is_at_every_point_that_is_checked(names, status, points):
    planned = run(("goal",), ("chance", "table"))
    fields = {"goal": (1, 2), "chance": (0.1, 0.2), "table": ((1,), (2,))}
    found = rows([[outcome(name)] for name in names], "main.chance", "main.goal", planned=planned, fields=fields)

    assert list(found) == ["chance"]
    assert (found["chance"].status, found["chance"].points) == (status, points)


def test_a_field_is_as_close_as_its_closest_check():
    (found,) = rows([[outcome("chance", closeness=CLOSE), outcome("chance")]], "main.chance").values()

    assert found.closeness == "exactly"


def test_a_check_of_the_whole_field_counts_before_a_closer_one_of_some_cells():
    some, every = outcome("table", cells=1, total=2), outcome("table", closeness=CLOSE, cells=2, total=2)

    assert rows([[some, every]], "main.table")["table"].closeness == CLOSE.text


def test_a_check_of_some_cells_confirms_no_field_and_a_game_that_reaches_some_does():
    some = outcome("table", cells=1, total=2)
    (found,) = rows([[some]], "main.table").values()

    assert (found.status, found.loose[0].reason) == ("unconfirmed", "agrees in 1 of 2 cells")
    assert statuses([[replace(some, given=("chance",))]], "main.table") == {"table": "unconfirmed"}
    assert rows([[replace(some, kind="certificate")]], "main.table")["table"].closeness == "exactly in 1 of 2 cells"


def test_cases_of_some_cells_test_no_field():
    cases = [outcome("table", cells=2, total=2, kind="case", parameters=f"n={n}") for n in (1, 2, 3)]
    some = [*cases[:2], replace(cases[2], cells=1)]

    assert [statuses([each], "main.table")["table"] for each in (cases, some)] == ["tested", "unconfirmed"]


@pytest.mark.parametrize(("names", "status"), [(("first", "second"), "confirmed"), (("first",), "unconfirmed")])
def test_a_record_in_a_sweep_is_confirmed_with_all_of_its_fields(names, status):
    planned, leaves = run(("goal",), ("pair",)), ("pair.first", "pair.second")
    fields = {"goal": (1, 2), "pair": (FIELDS["pair"], FIELDS["pair"])}
    point = [outcome(f"pair.{name}", leaves=leaves) for name in names]

    assert statuses([point, point], "main.pair", planned=planned, fields=fields) == {"pair": status}


def test_a_field_of_a_sweep_that_is_tested_says_at_how_many_points_it_is_confirmed_too():
    planned = run(("goal",), ("chance",))
    cases = [outcome("chance", kind="case", parameters=f"n={n}") for n in (1, 2, 3)]
    points = [[outcome("chance"), *cases], [*cases]]
    found = rows(points, "main.chance", planned=planned, fields={"goal": (1, 2), "chance": (0.1, 0.2)})

    assert (found["chance"].status, found["chance"].points) == ("tested", 1)


def test_a_field_of_a_sweep_is_as_close_as_at_its_loosest_point():
    planned = run(("goal",), ("chance",))
    points = [[outcome("chance")], [outcome("chance", closeness=CLOSE)]]
    found = rows(points, "main.chance", planned=planned, fields={"goal": (1, 2), "chance": (0.1, 0.2)})

    assert found["chance"].closeness == CLOSE.text


def test_a_loose_check_confirms_nothing_and_is_remembered():
    (found,) = rows([[outcome("chance", "games", closeness=LOOSE)]], "main.chance").values()

    assert not found.is_confirmed
    assert [(each.name, each.reason, each.cure) for each in found.loose] == [
        ("check_games", f"agrees {LOOSE.text}", LOOSE.cure)
    ]


def findings(outcomes, *reads, unchecked=()):
    planned = replace(run(), unchecked=dict(unchecked))
    open_ones = open_rows(planned, rows(outcomes, *reads).values())
    return [(each.line, each.message, each.cure) for each in (finding_of(planned, row) for row in open_ones)]


def test_each_unconfirmed_field_is_a_finding_that_ends_with_the_line_to_paste():
    write = "write a function check_<method> in solvers/game.py that returns {'table': ...}"
    assert findings([[outcome("chance", "games", closeness=LOOSE)]], "main.chance", "main.table") == [
        (
            1,
            "results.main.chance is not confirmed by a second method: check_games agrees to ±9 points by 100 games",
            "play 2,007 games or more, for ±2 points\n"
            "or give readers the reason: unchecked: {chance: to ±9 points by 100 games}",
        ),
        (
            1,
            "results.main.table is not confirmed by a second method",
            f"{write}\nor give readers the reason: unchecked: {{table: why it is shown all the same}}",
        ),
    ]


def test_a_field_that_stands_on_an_unconfirmed_one_says_what_to_confirm():
    ((_, message, cure),) = findings([[outcome("chance", given=("table",))]], "main.chance")

    assert message.endswith("is not confirmed by a second method: it agrees, given table")
    assert cure.startswith("confirm table by a check that takes parameters alone\n")


@pytest.mark.parametrize("field", ["pair", "pair.first"])
def test_a_field_for_which_the_run_gives_a_reason_is_no_finding(field):
    assert not findings([[outcome("pair.second")]], "main.pair", unchecked={field: "played 100 times"})


def test_a_reason_for_another_field_is_none_for_this_one():
    assert len(findings([[]], "main.chance", unchecked={"table": "played 100 times"})) == 1
