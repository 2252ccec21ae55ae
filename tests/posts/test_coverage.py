"""Which results that a post shows are confirmed, and by which checks."""

from dataclasses import replace

import pytest

from site_builder.errors import Place
from site_builder.posts.coverage import coverage_of, unconfirmed_errors
from site_builder.posts.evidence import RunRow
from site_builder.project.config import Limits
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.checks.closeness import EXACTLY, Closeness
from site_builder.solving.checks.outcomes import CheckOutcome, Confirmation
from site_builder.solving.plan import PlannedRun, Solve
from site_builder.values.records import Record

DESCRIPTION = SolverDescription("game", "A game.", "solvers/game.py", {}, (), {})
CLOSE = Closeness(0.3, "to ±0.6 points by 20,000 games")
LOOSE = Closeness(4.5, "to ±9 points by 100 games", "play 2,007 games or more, for ±2 points")
FIELDS = {"chance": 0.5, "goal": 20, "limit": None, "pair": Record({"first": 1, "second": 2}), "table": (1, 2)}


def outcome(of, name="it", shared=(), closeness=EXACTLY, cells=1, total=1):
    confirmed = tuple(Confirmation(field, cells, total, closeness) for field in of.split(", "))
    return CheckOutcome(name, "by hand", "1", "1", "", "exactly", confirmed, shared, "")


def run(axes=(), keep=()):
    solve = Solve("game", b"", Limits())
    axes = dict.fromkeys(axes, (1, 2))
    return PlannedRun("a", "main", "game", Place("a", 1), {"goal": 20}, (solve,), axes, keep, DESCRIPTION, True)


def rows(outcomes, *reads, figure_reads=(), planned=None, fields=FIELDS):
    found = coverage_of(planned or run(), Record(fields), outcomes, figure_reads, reads)
    return {row.field: row for row in found}


def test_each_field_that_is_read_has_the_checks_that_name_it():
    found = rows([[outcome("chance", "closed form"), outcome("chance, table", "by hand")]], "main.chance", "main.table")

    assert found["chance"].checks == ("closed form", "by hand")
    assert found["table"].checks == ("by hand",)


def test_a_field_without_a_check_is_unconfirmed_and_so_is_one_with_a_check_that_shares_code():
    found = rows([[outcome("table", shared=("solve",))]], "main.chance", "main.table")

    assert [row.is_checked for row in found.values()] == [False, False]


def test_a_parameter_and_what_is_none_need_no_check():
    found = rows([[]], "main.goal", "main.limit")

    assert found["goal"].is_checked
    assert "limit" not in found


def test_a_field_of_a_record_is_confirmed_by_itself():
    found = rows([[outcome("pair.first")]], "main.pair")

    assert {field: row.is_checked for field, row in found.items()} == {"pair.first": True, "pair.second": False}


def test_a_record_is_confirmed_by_a_check_of_all_of_it():
    assert all(row.is_checked for row in rows([[outcome("pair")]], "main.pair").values())


def test_a_figure_stands_for_the_fields_that_figures_are_made_from():
    found = rows([[outcome("table")]], "main.figures.map", figure_reads=("table", "chance"))

    assert {field: row.is_checked for field, row in found.items()} == {"table": True, "chance": False}


def test_what_is_not_read_does_not_count():
    assert rows([[]], "other.chance", "main.parameters", "main.checks") == {}


@pytest.mark.parametrize(
    ("names", "points"), [(("chance", "chance"), 2), (("chance", "table"), 1), (("table", "table"), 0)]
)
def test_a_field_of_a_sweep_counts_the_points_at_which_it_is_checked(names, points):
    planned = run(("goal",), ("chance", "table"))
    fields = {"goal": (1, 2), "chance": (0.1, 0.2), "table": ((1,), (2,))}
    found = rows([[outcome(name)] for name in names], "main.chance", "main.goal", planned=planned, fields=fields)

    assert list(found) == ["chance"]
    assert found["chance"].points == points


def test_a_field_is_as_close_as_its_closest_check():
    (found,) = rows([[outcome("chance", closeness=CLOSE), outcome("chance")]], "main.chance").values()

    assert found.closeness == "exactly"


def test_a_check_of_the_whole_field_counts_before_a_closer_one_of_some_cells():
    some, every = outcome("table", cells=1, total=2), outcome("table", closeness=CLOSE, cells=2, total=2)

    assert rows([[some, every]], "main.table")["table"].closeness == CLOSE.text
    assert rows([[some]], "main.table")["table"].closeness == "exactly in 1 of 2 cells"


def test_a_field_of_a_sweep_is_as_close_as_at_its_loosest_point():
    planned = run(("goal",), ("chance",))
    points = [[outcome("chance")], [outcome("chance", closeness=CLOSE)]]
    found = rows(points, "main.chance", planned=planned, fields={"goal": (1, 2), "chance": (0.1, 0.2)})

    assert found["chance"].closeness == CLOSE.text


def test_a_loose_check_confirms_nothing_and_is_remembered():
    (found,) = rows([[outcome("chance", "games", closeness=LOOSE)]], "main.chance").values()

    assert not found.is_checked
    assert [(check.name, check.closeness) for check in found.loose] == [("games", LOOSE.text)]


def errors(outcomes, *reads, unchecked=""):
    planned = replace(run(), unchecked=unchecked)
    coverage = coverage_of(planned, Record(FIELDS), outcomes, (), reads)
    row = RunRow("main", "game", True, (), (), (), 0, (), coverage=coverage)
    return [str(error) for error in unconfirmed_errors([planned], [row])]


def test_an_unconfirmed_field_is_refused_with_how_close_its_check_is_and_what_would_do():
    assert errors([[outcome("chance", "games", closeness=LOOSE)]], "main.chance", "main.table") == [
        "a:1: the post shows results.main.chance, results.main.table, which no independent check confirms: 'games'"
        " agrees to ±9 points by 100 games\n"
        '    mend: in solvers/game.py play 2,007 games or more, for ±2 points, and yield a check with of="table"; or'
        " write in this run\n"
        "          unchecked: agrees to ±9 points by 100 games"
    ]


def test_a_run_that_says_why_it_is_not_confirmed_is_no_error():
    assert not errors([[outcome("chance", closeness=LOOSE)]], "main.chance", unchecked="played 100 times")
