"""Two piles of pennies: published figures, brute force written here, closed forms and laws."""

import re
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from site_builder.contract import Diagram, Grid, Heatmap, PolicyMap, Table
from site_builder.figures.house_style import WIDE, look_of
from site_builder.solving.tasks.solver import read_solver
from solvers import wythoff
from solvers.wythoff import solve
from solvers.wythoff.checks import losing_pairs
from solvers.wythoff.checks import wins as wins_by_the_rule
from solvers.wythoff.figures import count
from solvers.wythoff.rules import after, states_after
from solvers.wythoff.theory import (
    fibonacci_parts,
    grundy_values,
    is_losing,
    is_losing_total,
    losing_state,
    losing_states,
)
from solvers.wythoff.winning_play import best_moves
from tests.solvers.by_name import call, outcomes_of, values_of

# FiveThirtyEight "Riddler Classic", writeup dated 2020-01-24: the losing states with piles to 50.
PUBLISHED_LOSING_STATES = (
    (0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20), (14, 23),
    (16, 26), (17, 28), (19, 31), (21, 34), (22, 36), (24, 39), (25, 41), (27, 44), (29, 47), (30, 49),
)  # fmt: skip

PARAMETER_SETS = [
    {},
    {"total_min": 2, "total_max": 2, "max_pile": 8},
    {"total_min": 21, "total_max": 21, "max_pile": 9},
    {"total_min": 3, "total_max": 60, "max_pile": 40},
    {"total_min": 1990, "total_max": 2000, "max_pile": 13},
    {"total_min": 2, "total_max": 2000, "max_pile": 1000},
]


@cache
def values(**settings):
    return values_of(wythoff, **settings)


def solved(**settings):
    return SimpleNamespace(**values(**settings)["result"])


def figure(name, **settings):
    return call(getattr(wythoff, f"figure_{name}"), {**values(**settings), "look": look_of(WIDE)})


def figures(**settings):
    names = [name.removeprefix("figure_") for name in vars(wythoff) if name.startswith("figure_")]
    return {name: figure(name, **settings) for name in names}


def options(a, b):
    """All states one move away, from the rules."""
    one_pile = [(x, b) for x in range(a)] + [(a, y) for y in range(b)]
    return one_pile + [(a - z, b - z) for z in range(1, min(a, b) + 1)]


@cache
def wins(a, b):
    return any(not wins(*sorted(state)) for state in options(a, b))


def zeckendorf(number):
    """Fibonacci digits, most significant first: 11 = 8 + 3 is 10100."""
    fibonacci = [1, 2]
    while fibonacci[-1] <= number:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    digits = ""
    for f in reversed(fibonacci):
        digits += "1" if f <= number else "0"
        number -= f if f <= number else 0
    return digits.lstrip("0")


def test_the_published_totals_are_won_however_they_are_divided():
    result = solved()

    # FiveThirtyEight "Riddler Classic", writeup dated 2020-01-24.
    assert result.winning_totals == (20, 22, 23, 25, 26, 27, 28, 30)
    assert result.losing_totals == (21, 24, 29)
    assert result.losing_splits == ((8, 13), (9, 15), (11, 18))


def test_the_losing_states_with_piles_to_50_are_the_published_ones():
    assert solved(max_pile=50).losing_states == PUBLISHED_LOSING_STATES


@pytest.mark.parametrize(("state", "move"), [((75, 90), (51, 51)), ((8, 14), (0, 1)), ((9, 10), (8, 8))])
def test_best_moves_are_the_published_ones(state, move):
    # The same writeup.
    assert best_moves(*state) == [move]


def test_the_published_best_move_from_75_and_90_leaves_24_and_39():
    example = next(e for e in solved().examples if (e["a"], e["b"]) == (75, 90))

    assert (example["taken"], example["left"], example["others"]) == ((51, 51), (24, 39), ())


def test_equally_good_moves_come_from_b_before_from_both():
    # From (2, 3) taking 2 from b or 1 from each leaves piles of 1 and 2.
    assert best_moves(2, 3) == [(0, 2), (1, 1)]


def test_equally_good_moves_come_from_a_before_from_both():
    assert best_moves(3, 2) == [(2, 0), (1, 1)]


@pytest.mark.parametrize("state", [(24, 39), (1, 2), (2, 1), (39, 24)])
def test_asking_for_a_best_move_from_a_losing_state_says_so(state):
    with pytest.raises(ValueError, match=re.escape(f"no winning move: the player to move loses from {state}")):
        best_moves(*state)


def test_asking_for_a_best_move_without_pennies_says_that_the_game_is_over():
    with pytest.raises(ValueError, match="no winning move: the game is over"):
        best_moves(0, 0)


@pytest.mark.parametrize("move", [(0, 0), (-1, 0), (4, 0), (0, 8), (4, 4), (1, 2)])
def test_an_illegal_move_is_refused(move):
    with pytest.raises(
        ValueError, match="from piles of 3 and 7 is illegal: a move takes some pennies of one pile, or the"
    ):
        after(3, 7, move)


def test_the_example_game_begins_as_published():
    # The same writeup: from (3, 7) take 2 from b; the opponent takes 1 from b; take 2 from each, leaving (1, 2).
    turns = solved().example_game[:3]

    assert [(turn["before"], turn["taken"]) for turn in turns] == [((3, 7), (0, 2)), ((3, 5), (0, 1)), ((3, 4), (2, 2))]
    assert turns[-1]["left"] == (1, 2)


def test_the_player_who_moves_first_takes_the_last_penny_of_the_example_game():
    last = solved().example_game[-1]

    assert (last["player"], last["left"]) == ("you", (0, 0))


def test_marking_finds_the_states_that_lose_in_every_line_of_play():
    expected = tuple((a, b) for a in range(26) for b in range(a, 26) if not wins(a, b))

    assert losing_states(25) == expected


@pytest.mark.parametrize("max_pile", [0, 1, 2, 3])
def test_marking_works_for_tables_of_any_size(max_pile):
    # By hand: (0, 0) and (1, 2) are the first losing states, and pile 3 needs a 5 beside it.
    assert losing_states(max_pile) == ((0, 0), (1, 2))[: 1 + (max_pile >= 2)]


def test_the_rule_states_the_game_as_written_here():
    for a in range(13):
        for b in range(13):
            assert sorted(states_after(a, b)) == sorted(options(a, b))
            assert wins_by_the_rule(a, b) == wins(*sorted((a, b)))


@pytest.mark.parametrize("largest", [0, 1, 2, 25])
def test_taking_the_smallest_unused_number_finds_the_states_that_lose_in_every_line_of_play(largest):
    expected = [(a, b) for a in range(largest + 1) for b in range(a, largest + 1) if not wins(a, b)]

    assert losing_pairs(largest) == expected


def test_every_positive_number_is_in_exactly_one_losing_state():
    # Complementarity of the two Beatty sequences.
    piles = sorted(pile for k in range(1, 2000) for pile in losing_state(k))

    assert piles[:3000] == list(range(1, 3001))


def test_the_first_trap_leaves_what_its_four_moves_leave():
    # The same writeup, by hand: 1 from a, 1 or 2 from b, 1 from each.
    assert solved().first_trap_leaves == ((0, 2), (1, 1), (1, 0), (0, 1))
    assert solved(total_min=2, total_max=2, max_pile=8).first_trap_leaves == solved().first_trap_leaves


@given(k=st.integers(1, 10**40))
def test_the_smaller_pile_ends_in_an_even_number_of_fibonacci_zeros_and_the_larger_has_one_more(k):
    a, b = losing_state(k)

    digits = zeckendorf(a)
    assert (len(digits) - len(digits.rstrip("0"))) % 2 == 0
    assert zeckendorf(b) == digits + "0"
    assert b - a == k


def test_the_closed_form_is_exact_where_rounded_arithmetic_is_not():
    result = solved()

    # floor(10^15 phi) from the decimals of phi = 1.618033988749894848204586834...; the nearest float gives ...895.
    assert result.far_state == (1_618_033_988_749_894, 2_618_033_988_749_894)
    assert zeckendorf(result.far_state[1]) == zeckendorf(result.far_state[0]) + "0"


def test_the_losing_states_of_any_order_are_the_marked_ones():
    losing = {state for a, b in losing_states(150) for state in ((a, b), (b, a))}

    assert {(a, b) for a in range(151) for b in range(151) if is_losing(a, b)} == losing


@given(state=st.tuples(st.integers(0, 45), st.integers(0, 45)).filter(lambda state: wins(*sorted(state))))
def test_best_moves_are_the_legal_moves_that_leave_the_smallest_losing_state(state):
    a, b = state
    expected = {(a - x, b - y) for x, y in options(a, b) if not wins(*sorted((x, y)))}

    assert set(best_moves(a, b)) == {move for move in expected if sum(move) == max(map(sum, expected))}


def test_the_map_of_best_moves_agrees_with_brute_force():
    result = solved(max_pile=30)

    for a in range(31):
        for b in range(31):
            left = [(c, d) for c, d in options(a, b) if not wins(*sorted((c, d)))]
            least = min((c + d for c, d in left), default=None)
            best = [(a - c, b - d) for c, d in left if c + d == least]
            kinds = {3 if x and y else 1 if (x > 0) == (a < b) else 2 for x, y in best}
            expected = 4 if len(best) > 1 else (kinds.pop() if best else 0)
            assert result.best_move.at(a=a, b=b) == expected, (a, b)


def test_values_are_plus_one_where_the_player_to_move_wins_and_minus_one_elsewhere():
    value = solved(max_pile=25).value

    assert all(value.at(a=a, b=b) == (1 if wins(*sorted((a, b))) else -1) for a in range(26) for b in range(26))


def test_grundy_values_are_the_smallest_missing_among_the_options():
    size = 14
    expected = np.zeros((size + 1, size + 1), dtype=int)
    for a in range(size + 1):
        for b in range(size + 1):
            seen = {expected[state] for state in options(a, b)}
            expected[a, b] = next(g for g in range(4 * size) if g not in seen)

    np.testing.assert_array_equal(grundy_values(size), expected)


def test_grundy_values_with_piles_to_1000_are_zero_on_losing_states_and_differ_in_every_line():
    result = solved(max_pile=1000)
    values = result.grundy.values
    lines = [*values, *(np.diagonal(values, k) for k in range(1001))]
    lows, highs = np.nonzero(np.triu(values == 0))

    assert values.shape == (1001, 1001)
    assert tuple(zip(lows.tolist(), highs.tolist(), strict=True)) == tuple(losing_pairs(1000))
    assert all(len(np.unique(line)) == len(line) for line in lines)
    assert figure("grundy", max_pile=1000).grid.values.shape == (301, 211)


def test_grundy_values_with_piles_to_150_are_zero_exactly_where_the_player_to_move_loses():
    grundy = solved().grundy

    assert np.array_equal(grundy.values == 0, solved().value.values == -1)
    assert grundy.values.shape == (151, 151)


def test_no_grundy_value_comes_twice_in_a_row_or_on_a_diagonal():
    values = solved().grundy.values

    assert all(len(set(row)) == len(row) for row in values.tolist())
    assert all(len(set(d)) == len(d) for d in (np.diagonal(values, k).tolist() for k in range(150)))


@cache
def longest(a, b):
    """Moves to the end, the winner hurrying and the loser delaying, over every line of play."""
    lengths = {state: longest(*sorted(state)) for state in options(a, b)}
    if not wins(a, b):
        return 1 + max(lengths.values()) if lengths else 0
    return 1 + min(length for state, length in lengths.items() if not wins(*sorted(state)))


def test_taking_the_most_pennies_is_never_slower_than_any_other_way_to_win():
    result = solved(max_pile=26)
    lost = PUBLISHED_LOSING_STATES[:11]

    assert result.longest_games == tuple(longest(a, b) for a, b in lost)
    assert result.slower_states == 0


def test_a_stubborn_loser_passes_through_every_smaller_losing_state():
    assert solved().longest_games == tuple(2 * k for k in range(58))


def test_taking_from_the_smaller_pile_alone_is_never_best():
    # Taking from a < b leaves (c, b), the k-th losing state, k = b - c > b - a; taking from both leaves an earlier one.
    assert 1 not in solved(max_pile=300).best_move.values
    for a in range(41):
        for b in range(a + 1, 41):
            assert all(x == y or y > 0 for x, y in (best_moves(a, b) if wins(a, b) else ()))


@given(first=st.integers(2, 400), more=st.integers(0, 60), max_pile=st.integers(8, 60))
def test_a_total_is_losing_exactly_when_one_of_its_divisions_is(first, more, max_pile):
    result = SimpleNamespace(**solve(total_min=first, total_max=first + more, max_pile=max_pile))

    splits = {sum(losing_state(k)): losing_state(k) for k in range(1, 200)}
    totals = range(first, first + more + 1)
    assert result.losing_totals == tuple(t for t in totals if t in splits)
    assert result.losing_splits == tuple(splits[t] for t in totals if t in splits)
    assert sorted(result.winning_totals + result.losing_totals) == list(totals)
    assert result.n_divisions == len([a for t in totals for a in range(1, t) if a <= t - a])


def test_two_losing_totals_are_never_less_than_three_apart():
    # a_k grows by 1 or 2 when k grows by 1, so 2 a_k + k grows by 3 or 5.
    gaps = {after - before for before, after in pairwise(solved(total_min=2, total_max=2000).losing_totals)}

    assert gaps == {3, 5}


@pytest.mark.parametrize(("number", "parts"), [(1, (1,)), (4, (3, 1)), (20, (13, 5, 2)), (21, (21,)), (24, (21, 3))])
def test_fibonacci_parts_are_not_neighbours(number, parts):
    # By hand, from 1, 2, 3, 5, 8, 13, 21.
    assert fibonacci_parts(number) == parts


@given(number=st.integers(1, 10**18))
def test_fibonacci_parts_add_up_and_are_the_ones_of_the_digits(number):
    parts = fibonacci_parts(number)

    assert sum(parts) == number
    assert zeckendorf(number).count("1") == len(parts)


def test_the_rule_by_fibonacci_numbers_names_the_published_totals():
    # By hand: 21 = 21, 24 = 21 + 3, 29 = 21 + 8 end in 3, 8 or 21; no other total from 20 to 30 does.
    assert [total for total in range(20, 31) if is_losing_total(total)] == [21, 24, 29]


def test_the_rule_by_fibonacci_numbers_holds_for_all_totals_of_the_table():
    result = solved(total_min=2, total_max=2000)

    assert result.fibonacci_rule_holds


def test_every_second_fibonacci_number_is_a_losing_total():
    # 3 = 1 + 2, 8 = 3 + 5, 21 = 8 + 13, 55 = 21 + 34, 144 = 55 + 89: two neighbouring Fibonacci numbers, k = 1, 2, 5.
    assert solved().losing_fibonacci == (3, 8, 21, 55, 144)


def test_the_smallest_total_must_not_exceed_the_largest():
    with pytest.raises(ValueError, match="total_max is 20 and total_min is 30"):
        wythoff.validate(total_min=30, total_max=20)


@pytest.mark.parametrize(
    "settings",
    [
        {"total_min": 1},
        {"total_max": 2001},
        {"max_pile": 7},
        {"max_pile": 3001},
        {"total_min": 20.0},
        {"max_pile": "150"},
        {"pile": 3},
    ],
)
def test_impossible_parameters_are_refused(settings):
    with pytest.raises(ValidationError):
        read_solver(wythoff).completed(settings)


@pytest.mark.parametrize("settings", PARAMETER_SETS)
def test_all_checks_pass(settings):
    found = outcomes_of(wythoff, values(**settings))

    assert [each for each in found if not each.passed] == []


def test_every_field_of_the_published_game_is_confirmed():
    given = values()

    confirmed = {each.field.partition(".")[0] for each in outcomes_of(wythoff, given) if each.confirms}

    assert confirmed == set(given["result"])


def damaged(value):
    """A wrong value in the place of a right one."""
    if isinstance(value, Grid):
        wrong = value.values.copy()
        wrong[30, 40] = 0 if wrong[30, 40] else 1
        return Grid(wrong, value.axes)
    if isinstance(value, dict):
        return {name: damaged(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return (*value[:-1], damaged(value[-1])) if value else (0,)
    return not value if isinstance(value, bool) else "nobody" if isinstance(value, str) else value + 1


@pytest.mark.parametrize("name", values()["result"])
def test_a_wrong_answer_fails_a_check(name):
    given = values()

    outcomes = outcomes_of(wythoff, given, **{name: damaged(given[name])})

    assert any(not each.passed for each in outcomes if each.field.partition(".")[0] == name)


@pytest.mark.parametrize("settings", PARAMETER_SETS)
def test_figures_have_words_and_cells_at_every_parameter_set(settings):
    drawn = figures(**settings)

    assert {"totals", "small_states", "losing_map", "best_moves", "grundy"} <= set(drawn)
    for shown in drawn.values():
        assert shown.title
        assert shown.caption.endswith(".")
        if isinstance(shown, Table):
            assert len({len(column.cells) for column in shown.columns}) == 1
            assert shown.columns[0].cells
        elif isinstance(shown, PolicyMap | Heatmap):
            assert set(shown.labels) == set(shown.grid.axes)
            assert shown.grid.values.size > 0


def columns_of(table):
    """The cells by column, their no-break spaces made plain."""
    return {
        column.label: tuple(cell.replace("\xa0", " ") if isinstance(cell, str) else cell for cell in column.cells)
        for column in table.columns
    }


def test_the_table_of_totals_names_the_division_that_beats_you():
    columns = columns_of(figure("totals"))

    assert columns["total"] == tuple(range(20, 31))
    assert columns["you lose from"][:5] == ("", "(8, 13)", "", "", "(9, 15)")
    assert columns["Fibonacci sum"][:5] == ("13 + 5 + 2", "21", "21 + 1", "21 + 2", "21 + 3")


def test_every_arrow_of_the_graph_leads_from_a_winning_to_a_losing_state():
    graph = figure("small_states")
    kind = {node.name: node.kind for node in graph.nodes}

    assert isinstance(graph, Diagram)
    assert {name for name, k in kind.items() if k == "you lose"} == {"(0, 0)", "(1, 2)", "(3, 5)"}
    assert all((kind[edge.start], kind[edge.end]) == ("you win", "you lose") for edge in graph.edges)
    # By brute force: the winning moves from 1 <= a < b <= 5, and one each for (0, n) and (n, n).
    moves = sum(not wins(*sorted(s)) for a in range(1, 6) for b in range(a + 1, 6) for s in options(a, b))
    assert len(graph.edges) == moves + 2
    assert len({node.at for node in graph.nodes}) == len(graph.nodes)


def test_each_losing_state_crosses_out_the_states_from_which_a_move_leads_to_it():
    steps = [step.grid for _, step in figure("crossing_out").frames]
    places = [(a, b) for a in range(11) for b in range(8)]  # 10 and 7 pennies at most
    crossed = set()

    for grid, losing in zip(steps, PUBLISHED_LOSING_STATES[:4], strict=True):
        now = {state for state in places if {losing, losing[::-1]} & set(options(*state))} - crossed
        assert {state for state in places if grid.at(a=state[0], b=state[1]) == 2} == now
        assert {state for state in places if grid.at(a=state[0], b=state[1]) == 0} == crossed
        crossed |= now
    lost = {state for a, b in PUBLISHED_LOSING_STATES[:4] for state in ((a, b), (b, a))}
    assert set(places) - crossed - lost == {(10, 6)}  # (6, 10) is the next losing state


def test_the_marked_squares_of_the_map_are_the_losing_states_in_both_orders():
    grid = figure("losing_map", max_pile=25).grid

    marked = set(map(tuple, np.argwhere(grid.values == 1).tolist()))
    both = {state for a, b in PUBLISHED_LOSING_STATES for state in ((a, b), (b, a))}
    assert marked == {(a, b) for a, b in both if a <= 25 and b <= 17}


def test_the_map_of_best_moves_draws_losing_states_as_its_second_action():
    shown = figure("best_moves")

    assert shown.actions[shown.grid.at(a=8, b=13)].name == "none: you lose"
    assert shown.actions[shown.grid.at(a=8, b=14)].name == "from the larger pile"
    assert shown.actions[shown.grid.at(a=9, b=10)].name == "from both"
    assert shown.actions[shown.grid.at(a=2, b=3)].name == "two equally good"


def test_captions_group_the_digits_of_large_counts():
    assert [count(number, "division") for number in (1, 135, 20380)] == [
        "1 division",
        "135 divisions",
        "20,380 divisions",
    ]
