"""Two coins, a hundred flips: against the published figures, a plain recursion, closed forms and laws."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import riddler_flips
from solvers.riddler_flips import Result, solve
from tests.support.solvers_checked import complete, figures, outcomes

HALF = Fraction(1, 2)
FAIR = {"p_a": HALF, "p_b": HALF, "v_a": 1, "v_b": 2}
Parameters = Mapping[str, Any]
ODD_SETTINGS: tuple[Any, ...] = (  # every day the small ones
    {"n_flips": 1},
    {"n_flips": 2, "v_a": 0, "target": -1},
    {"p_a": Fraction(1), "p_b": Fraction(0)},
    {"p_a": Fraction(0), "p_b": Fraction(0)},
    {"n_flips": 37, "v_a": 7, "v_b": 3, "p_b": Fraction(9, 20), "target": 12},
    {"n_flips": 12, "v_b": 1000, "target": 2000},
    *(
        pytest.param(wish, marks=pytest.mark.deep)
        for wish in (
            {"p_a": Fraction(3, 5)},
            {"n_flips": 60, "v_a": 10, "v_b": 20},
            {"target": 300},
            {"target": -300},
            {"n_flips": 200, "p_a": Fraction(3, 10)},
        )
    ),
)


def plain_values(
    n_flips: int = 100, p_a: Fraction = HALF, p_b: Fraction = HALF, v_a: int = 1, v_b: int = 2, target: int = 1
) -> Mapping[tuple[int, int], tuple[Fraction, set[str]]]:
    """For every state that a play can reach its value and its best coins, by recursion from the rules alone."""
    known: dict[tuple[int, int], tuple[Fraction, set[str]]] = {}
    coins = {"A": (v_a, p_a), "B": (v_b, p_b)}

    def value(flips: int, score: int) -> Fraction:
        if (flips, score) not in known:
            known[flips, score] = Fraction(score >= target), set()
            if flips < n_flips:
                after = {name: look(flips, score, *coin) for name, coin in coins.items()}
                best = max(after.values())
                known[flips, score] = best, {name for name, found in after.items() if found == best}
        return known[flips, score][0]

    def look(flips: int, score: int, points: int, heads: Fraction) -> Fraction:
        won = heads * value(flips + 1, score + points) if heads else Fraction(0)
        return won + ((1 - heads) * value(flips + 1, score - points) if heads < 1 else Fraction(0))

    value(0, 0)
    return known


def whole_tree(n_flips: int, score: int) -> Fraction:
    """Every play of the published game from a score, remembering nothing."""
    if n_flips == 0:
        return Fraction(score >= 1)
    return (
        max(whole_tree(n_flips - 1, score + points) + whole_tree(n_flips - 1, score - points) for points in (1, 2)) / 2
    )


@cache
def published() -> Result:
    return solve()


chances = st.builds(Fraction, st.integers(0, 6), st.just(6)) | st.sampled_from([Fraction(37, 100), HALF])
values = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any)


@st.composite
def small_games(draw: st.DrawFn) -> Parameters:
    v_a, v_b = draw(values)
    n_flips, target = draw(st.integers(1, 9)), draw(st.integers(-6, 9))
    return {"n_flips": n_flips, "p_a": draw(chances), "p_b": draw(chances), "v_a": v_a, "v_b": v_b, "target": target}


def test_the_published_game_is_won_with_the_published_probability() -> None:
    # The writeup of 2020-02-21 gives 0.6403174472759772.
    assert float(published().win_probability) == 0.6403174472759772


def test_the_answer_for_fair_coins_is_exact_over_a_power_of_two() -> None:
    result = published()

    assert isinstance(result.win_probability, Fraction)
    assert 2**100 % result.win_probability.denominator == 0


def test_coin_a_alone_is_the_chance_of_at_least_51_heads() -> None:
    at_least_51_heads = Fraction(sum(comb(100, heads) for heads in range(51, 101)), 2**100)

    assert published().coin_a_alone == at_least_51_heads


def test_the_published_simulation_of_coin_a_agrees_with_its_exact_chance() -> None:
    # The writeup of 2020-02-21: 46,086 of 100,000 simulated games; the exact chance is 0.4602 to four digits.
    exact = float(published().coin_a_alone)

    assert round(exact, 4) == 0.4602
    assert abs(0.46086 - exact) < 4 * (exact * (1 - exact) / 100_000) ** 0.5


def test_choosing_adds_18_percentage_points_or_39_percent_more_wins() -> None:
    result = published()

    assert round(100 * result.gain) == 18
    assert round(100 * (result.relative_gain or 0)) == 39


def test_with_one_flip_left_and_score_0_the_game_is_even() -> None:
    # The small case of the writeup of 2020-02-21: 0.5.
    assert published().win_probability_by_state.at(flips=99, score=0) == 0.5
    assert published().endgame.at(flips_left=1, score=0) == HALF


def test_every_state_of_the_published_game_agrees_with_a_plain_recursion() -> None:
    plain = plain_values(n_flips=100)

    result = published()

    # State (30, -10) is the one that the puzzle's writeup asks for.
    assert result.win_probability_by_state.at(flips=30, score=-10) == float(plain[30, -10][0])
    assert result.win_probability == plain[0, 0][0]
    for (flips, score), (value, best) in plain.items():
        assert result.win_probability_by_state.at(flips=flips, score=score) == float(value)
        if best:
            code = {frozenset("A"): 0, frozenset("B"): 1, frozenset("AB"): 2}[frozenset(best)]
            assert result.best_coin.at(flips=flips, score=score) == code
            assert result.policy.at(flips=flips, score=score) == {1: 3, 0: 4}.get(value, code)


@pytest.mark.parametrize("n_flips", range(1, 9))
def test_a_short_game_agrees_with_its_whole_tree(n_flips: int) -> None:
    result = solve(n_flips=n_flips)

    assert result.win_probability == whole_tree(n_flips, 0)
    assert published().win_probability_by_flips[n_flips] == float(whole_tree(n_flips, 0))


@given(parameters=small_games())
def test_any_small_game_agrees_with_a_plain_recursion(parameters: Parameters) -> None:
    plain = plain_values(**parameters)

    result = solve(**parameters)

    assert result.win_probability == plain[0, 0][0]
    reached = ~np.isnan(result.win_probability_by_state.values)
    assert reached.sum() == len(plain)
    for (flips, score), (value, best) in plain.items():
        assert result.win_probability_by_state.at(flips=flips, score=score) == float(value)
        if best:
            assert result.best_coin.at(flips=flips, score=score) == {"A": 0, "B": 1, "AB": 2}["".join(sorted(best))]


@given(parameters=small_games())
def test_the_states_that_a_plain_recursion_meets_have_a_value(parameters: Parameters) -> None:
    values = solve(**parameters).win_probability_by_state

    assert np.count_nonzero(~np.isnan(values.values)) == len(plain_values(**parameters))


@given(parameters=small_games())
def test_the_open_states_and_those_with_two_equal_coins_are_counted(parameters: Parameters) -> None:
    plain = plain_values(**parameters)
    undecided = [best for value, best in plain.values() if best and 0 < value < 1]

    result = solve(**parameters)

    assert result.open_states == len(undecided)
    assert result.either_states == undecided.count({"A", "B"})


@given(parameters=small_games())
def test_floats_agree_with_exact_arithmetic(parameters: Parameters) -> None:
    exact, rounded = solve(**parameters), solve(**parameters, arithmetic="float")

    assert rounded.win_probability == pytest.approx(float(exact.win_probability), abs=1e-13)
    np.testing.assert_allclose(rounded.win_probability_by_flips, exact.win_probability_by_flips, atol=1e-13)
    assert (rounded.policy, rounded.rule_mistakes) == (None, None)


@given(parameters=small_games())
def test_the_small_table_agrees_with_plain_recursions_from_each_score(parameters: Parameters) -> None:
    result = solve(**parameters)

    axes: Any = result.endgame.axes
    for left, score in product(axes["flips_left"], axes["score"]):
        if left > 0:
            moved = {**parameters, "n_flips": left, "target": parameters["target"] - score}
            assert result.endgame.at(flips_left=left, score=score) == plain_values(**moved)[0, 0][0]
        else:
            assert result.endgame.at(flips_left=0, score=score) == (score >= parameters["target"])


@given(parameters=small_games())
def test_choosing_is_never_worse_than_one_coin(parameters: Parameters) -> None:
    result = solve(**parameters)

    assert result.gain >= 0
    assert result.win_probability - result.gain == max(result.coin_a_alone, result.coin_b_alone)


@given(parameters=small_games(), better=chances)
def test_a_coin_with_more_heads_never_hurts(parameters: Parameters, better: Fraction) -> None:
    improved = {**parameters, "p_a": max(better, parameters["p_a"])}

    assert solve(**improved).win_probability >= solve(**parameters).win_probability


@given(parameters=small_games())
def test_a_higher_score_never_hurts(parameters: Parameters) -> None:
    for row in solve(**parameters).win_probability_by_state.values:
        assert (np.diff(row[~np.isnan(row)]) >= 0).all()


@given(parameters=small_games())
def test_exchanging_the_coins_exchanges_their_names(parameters: Parameters) -> None:
    names = {"p_a": "p_b", "p_b": "p_a", "v_a": "v_b", "v_b": "v_a"}
    result, swapped = (solve(**each) for each in (parameters, {names.get(k, k): v for k, v in parameters.items()}))

    assert swapped.win_probability == result.win_probability
    np.testing.assert_array_equal(swapped.best_coin.values == 0, result.best_coin.values == 1)


@pytest.mark.deep
def test_a_game_of_10_000_flips_is_solved_in_floats() -> None:
    # 0.6640072952922631 is from whole rows of every score in 80-bit floats, written down from V's equation alone.
    assert solve(n_flips=10_000, arithmetic="float").win_probability == pytest.approx(0.6640072952922631, abs=1e-13)


@given(parameters=small_games(), factor=st.integers(2, 5))
def test_counting_in_larger_points_changes_nothing(parameters: Parameters, factor: int) -> None:
    larger = parameters | {name: factor * parameters[name] for name in ("v_a", "v_b", "target")}

    assert solve(**larger).win_probability == solve(**parameters).win_probability


@given(parameters=small_games())
def test_the_mistakes_of_the_rule_of_thumb_are_counted_in_all_states(parameters: Parameters) -> None:
    result = solve(**parameters)
    settings = complete(riddler_flips, **parameters)
    small, large = "AB" if settings["v_a"] <= settings["v_b"] else "BA"
    moves = [(state, best) for state, (_, best) in plain_values(**parameters).items() if best]

    wrong = [s for s, best in moves if (small if s[1] >= settings["target"] else large) not in best]

    assert (result.rule_mistakes, result.rule_states) == (len(wrong), len(moves))


def test_the_rule_of_thumb_of_the_published_game_makes_no_mistake_and_that_of_a_loaded_coin_does() -> None:
    # With a loaded coin A the threshold would have to move with the flips left: a state behind needs coin A early on.
    assert published().rule_mistakes == 0
    assert solve(p_a=Fraction(3, 5)).rule_mistakes > 0


def test_two_equal_coins_make_every_choice_equal() -> None:
    result = solve(v_a=3, v_b=3)

    assert result.win_probability == result.coin_a_alone == result.coin_b_alone
    assert result.either_states == result.open_states
    assert result.rule_mistakes == 0


@pytest.mark.parametrize(
    ("v_a", "v_b", "limit"), [(1, 2, Fraction(2, 3)), (1, 3, Fraction(3, 4)), (5, 2, Fraction(5, 7))]
)
def test_longer_games_come_near_the_limit_like_one_over_the_root(v_a: int, v_b: int, limit: Fraction) -> None:
    # What a fixed target is worth against a spread of sqrt(n): four times the flips halve the distance.
    chances = solve(n_flips=400, v_a=v_a, v_b=v_b, arithmetic="float")

    gap = [float(limit) - chances.win_probability_by_flips[n] for n in (100, 400)]

    assert chances.limit == limit
    assert gap[1] / gap[0] == pytest.approx(0.5, abs=0.02)


def test_there_is_no_limit_in_between_for_loaded_coins() -> None:
    assert solve(p_b=Fraction(2, 5)).limit is None


@pytest.mark.parametrize("most", [30, pytest.param(100, marks=pytest.mark.deep)])
def test_one_flip_more_can_hurt(most: int) -> None:
    # By hand, whole trees: 9/16 with four flips, 17/32 with five.
    hurtful = [n for n in published().hurtful_flips if n <= most]

    assert 5 in hurtful
    assert hurtful == [n for n in range(1, most + 1) if plain_by_flips(n) < plain_by_flips(n - 1)]


@cache
def cases(flips_left: int, score: int) -> int:
    """In how many of 2^flips_left equally likely cases the published coins win, by the rules."""
    if flips_left == 0:
        return int(score > 0)
    after = {move: cases(flips_left - 1, score + move) for move in (-2, -1, 1, 2)}
    return max(after[1] + after[-1], after[2] + after[-2])


def point(flips_left: int, score: int) -> int:
    """What the last point of a score is worth: D in the post on two coins."""
    return cases(flips_left, score) - cases(flips_left, score - 1)


@pytest.mark.parametrize("left", range(25))
def test_points_behind_are_worth_the_same_as_points_ahead_at_half_the_distance(left: int) -> None:
    # The first fact of the post, by brute force.
    for m in range(left + 3):
        assert point(left, 1 - 2 * m) == point(left, 1 + m)
        assert point(left, -2 * m) == point(left, 3 + m)


@pytest.mark.parametrize("left", range(25))
def test_points_three_apart_ahead_are_worth_the_same_exactly_if_score_and_flips_left_are_even_together(
    left: int,
) -> None:
    # The second and the third fact of the post, by brute force.
    for score in range(1, left + 2):
        if (score + left) % 2 == 0:
            assert point(left, score) == point(left, score + 3)
        else:
            assert point(left, score) > point(left, score + 3)


@pytest.mark.parametrize("left", range(1, 25))
def test_a_third_of_the_open_scores_need_a_certain_coin_and_the_others_are_ties(left: int) -> None:
    # The count of the post, by brute force: with k flips left 3k open scores, of them k or k - 1 without a tie.
    is_open = [score for score in range(-3 * left, 3 * left) if 0 < cases(left, score) < 2**left]
    gain = {score: point(left - 1, score + 2) - point(left - 1, score - 1) for score in is_open}

    assert is_open == list(range(1 - 2 * left, left + 1))
    assert [score for score in is_open if gain[score] < 0] == sorted(range(left - 1, 1, -2))
    assert [score for score in is_open if gain[score] > 0] == list(range(1 - 2 * left, 0, 4))
    assert sum(1 for score in is_open if gain[score]) == (left if left % 2 else left - 1)


def test_the_solver_finds_the_same_ties_where_the_start_leads_to_all_open_scores() -> None:
    for left in range(1, 21):
        codes = [published().policy.at(flips=100 - left, score=score) for score in range(1 - 2 * left, left + 1)]
        assert codes.count(2) == (2 * left if left % 2 else 2 * left + 1)


def test_an_odd_number_of_flips_loses_half_of_what_the_even_number_before_it_gained() -> None:
    # Half of it in chances: with chances p_n = cases / 2^n.
    chance = [Fraction(cases(flips, 0), 2**flips) for flips in range(62)]

    for even in range(2, 61, 2):
        assert chance[even + 1] - chance[even] == -(chance[even] - chance[even - 1]) / 2
        assert even == 2 or chance[even] > chance[even - 1]
    assert published().hurtful_flips == tuple(range(5, 101, 2))


def test_four_flips_by_hand_are_told_one_at_a_time() -> None:
    # By hand: with one flip left coin B alone can lift a score of -1, and coin A alone keeps a 2.
    labels = [label for label, _ in figures(riddler_flips, solve(n_flips=4), n_flips=4)["by_hand"].frames]

    assert labels == [
        "After the last flip a score of 1 or more has won; a lower one has lost.",
        "1 flip left. From −1, the chance is 0 with coin A and 1/2 with coin B: take B. From 2, the chance is 1 with "
        "coin A and 1/2 with coin B: take A.",
        "2 flips left. From 0, coin A leads to 1 or −1, worth (1/2 + 1/2) / 2 = 1/2; coin B leads to 2 or −2, worth "
        "(1 + 0) / 2 = 1/2: take either.",
        "3 flips left. From 0, the chance is 1/2 with coin A and 1/2 with coin B: take either.",
        "4 flips left. From 0, coin A leads to 1 or −1, worth (5/8 + 1/2) / 2 = 9/16; coin B leads to 2 or −2, worth "
        "(7/8 + 1/4) / 2 = 9/16: take either.",
    ]


def test_the_steps_by_hand_draw_what_is_known_and_no_more() -> None:
    frames = figures(riddler_flips, published())["by_hand"].frames

    assert [int(step.drawn.sum()) for _, step in frames] == [7, 14, 21, 28, 35]
    lefts, scores = frames[-1][1].grid.axes.values()
    assert [frames[-1][1].grid.at(flips_left=left, score=score) for left in lefts for score in scores] == [
        Fraction(cases(left, score), 2**left) for left in lefts for score in scores
    ]


def test_the_steps_by_hand_frame_the_squares_of_the_choices_that_they_write_out() -> None:
    for label, step in figures(riddler_flips, published())["by_hand"].frames:
        written = {int(score.replace("−", "-")) for score in re.findall(r"From (−?\d+),", label)}

        assert {round((line.start[0] + line.end[0]) / 2) for line in step.lines[::4]} == written


def test_the_picture_of_points_says_in_how_many_cases_a_point_decides_and_joins_two_that_are_equal() -> None:
    picture = figures(riddler_flips, published())["point"]

    scores = picture.data["score"]
    assert [picture.data[f"{left} flips left"] for left in range(5)] == [
        [point(left, score) for score in scores] for left in range(5)
    ]
    assert point(4, 2) == point(4, 5)
    assert picture.alt.endswith("points 2 and 5 are joined: they are equal.")


@pytest.mark.parametrize("wish", [{"p_a": Fraction(3, 5)}, {"v_b": 3}], ids=str)
def test_points_are_drawn_for_fair_coins_of_one_and_two_points_alone(wish: dict[str, Any]) -> None:
    # The choice is between two points that lie three apart for these coins only.
    assert figures(riddler_flips, solve(**wish), **wish)["point"] is None


def test_the_lengths_of_games_are_drawn_up_to_30_flips() -> None:
    (series,) = figures(riddler_flips, published())["by_flips"].series

    assert list(series.across) == list(range(1, 31))
    np.testing.assert_array_equal(series.up, [float(plain_by_flips(flips)) for flips in range(1, 31)])


@cache
def plain_by_flips(n_flips: int) -> Fraction:
    row = {score: Fraction(score >= 1) for score in range(-2 * n_flips, 2 * n_flips + 1)}
    for left in range(n_flips):
        ends = 2 * (n_flips - left - 1)
        row = {s: max(row[s + 1] + row[s - 1], row[s + 2] + row[s - 2]) / 2 for s in range(-ends, ends + 1)}
    return row[0]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"v_a": 0, "v_b": 0}, "at least one coin must be worth something"),
        ({"n_flips": 500}, "must be at most 400000 in exact fractions; with arithmetic: float"),
        ({"p_a": 1.2}, "less than or equal to 1"),
        ({"n_flips": 0}, "greater than or equal to 1"),
        ({"n_flips": 10_001}, "less than or equal to 10000"),
        ({"arithmetic": "rough"}, "'exact' or 'float'"),
        ({"coins": 3}, "nexpected"),
    ],
)
def test_impossible_parameters_are_refused(wish: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        complete(riddler_flips, **wish)


@pytest.mark.parametrize("wish", [{}, *ODD_SETTINGS], ids=str)
def test_every_figure_can_be_made_at_odd_parameters(wish: dict[str, Any]) -> None:
    pictures = figures(riddler_flips, solve(**wish), **wish)

    assert set(pictures) == {"picture", "win_probability", "policy", "by_hand", "point", "by_flips", "final_scores"}
    assert (pictures.pop("point") is None) == any(wish.get(n, each) != each for n, each in FAIR.items())
    assert (pictures.pop("by_hand") is None) == (max(wish.get("v_a", 1), wish.get("v_b", 2)) > 6)
    assert all(picture.title and picture.caption.endswith(".") for picture in pictures.values())
    for name in ("win_probability", "policy"):
        grid = pictures[name].grid  # type: ignore[union-attr]
        assert 1 <= grid.values.size <= 300_000
        assert set(grid.axes) == {"flips", "score"}


def test_the_heatmap_draws_reachable_states_only_and_fades_the_nearly_decided() -> None:
    heatmap: Any = figures(riddler_flips, published())["win_probability"]
    scores, flips = heatmap.grid.axes["score"], heatmap.grid.axes["flips"]
    reached = {(f, s) for f, s in plain_values()}

    for i, j in product(range(len(flips)), range(len(scores))):
        assert heatmap.drawn[i, j] == ((flips[i], scores[j]) in reached)
        if heatmap.drawn[i, j]:
            assert heatmap.faded[i, j] == (not 0.01 <= heatmap.grid.values[i, j] <= 0.99)


@pytest.mark.parametrize(
    "wish",
    [
        {"n_flips": 24},
        {"n_flips": 17, "p_a": Fraction(3, 5), "v_a": 3, "target": 4},
        {"n_flips": 6, "p_a": Fraction(1), "p_b": Fraction(0)},
        {"n_flips": 9, "p_b": Fraction(9, 20)},
    ],
    ids=str,
)
def test_the_policy_maps_say_what_the_wrong_coin_costs(wish: dict[str, Any]) -> None:
    parameters = complete(riddler_flips, **wish)
    plain = plain_values(**wish)
    coins = [(parameters[f"v_{coin}"], parameters[f"p_{coin}"]) for coin in "ab"]

    figure: Any = figures(riddler_flips, solve(**wish), **wish)["policy"]
    (flips, many), (scores, every) = figure.costs["coin A"].axes.items()
    assert (figure.costs["coin A"].axes, figure.cost_unit) == (figure.grid.axes, "percentage points")
    for coin, (points, heads) in zip(("coin A", "coin B"), coins, strict=True):
        for at, score in product(many, every):
            cost = figure.costs[coin].at(**{flips: at, scores: score})
            if (at, score) not in plain:
                assert np.isnan(cost)
                continue
            best, choices = plain[at, score]
            assert figure.value.at(**{flips: at, scores: score}) == pytest.approx(float(best), abs=1e-12)
            after = [
                chance * plain[at + 1, score + move][0]
                for move, chance in ((points, heads), (-points, 1 - heads))
                if chance
            ]
            # 1e-9 points: rounding of floats
            assert cost == pytest.approx(float(100 * (best - sum(after))), abs=1e-9)
            assert (cost == 0) == (coin[-1] in choices)


def test_floats_have_no_maps() -> None:
    wish: dict[str, Any] = {"n_flips": 700, "arithmetic": "float"}
    pictures = figures(riddler_flips, solve(**wish), **wish)

    assert {name for name, each in pictures.items() if each is None} == {"win_probability", "policy", "final_scores"}


def test_captions_follow_the_result() -> None:
    one, many = (figures(riddler_flips, solve(n_flips=n, target=0), n_flips=n, target=0) for n in (1, 30))

    assert "before the only flip" in one["policy"].caption
    assert "before each of 30 flips" in many["policy"].caption
    # One flip, and a score of 0 wins: the chance of heads.
    assert "at least 0" in one["win_probability"].caption
    assert "50.00% before the first of 1 flip." in one["win_probability"].caption
    assert (
        "less than 0.01%"
        in figures(riddler_flips, solve(n_flips=15, target=30), n_flips=15, target=30)["win_probability"].caption
    )


@pytest.mark.parametrize("wish", [{}, {"n_flips": 700, "arithmetic": "float"}, *ODD_SETTINGS], ids=str)
def test_every_check_passes_and_the_chance_of_winning_is_confirmed(wish: dict[str, Any]) -> None:
    found = outcomes(riddler_flips, solve(**wish), **wish)

    assert [(each.check, each.difference) for each in found if not each.passed] == []
    assert "win_probability" in {each.field for each in found if each.confirms}


@pytest.mark.parametrize("wish", [{}, {"n_flips": 7, "p_a": Fraction(3, 5), "v_b": 3}], ids=str)
def test_every_field_is_confirmed(wish: dict[str, Any]) -> None:
    result = solve(**wish)

    confirmed = {each.field.partition(".")[0] for each in outcomes(riddler_flips, result, **wish) if each.confirms}

    assert confirmed >= set(vars(result)) - {"limit" if result.limit is None else ""}


@pytest.mark.parametrize(
    ("change", "caught_by"),
    [
        ({"win_probability": Fraction(64, 100)}, "check_whole_rows"),
        ({"win_probability": Fraction(64, 100)}, "check_published"),
        ({"win_probability": Fraction(67, 100)}, "check_play"),
        ({"rule_mistakes": 1}, "check_rule"),
        ({"rule_states": 19_898}, "check_rule"),
        ({"coin_a_alone": Fraction(46, 100)}, "check_one_coin"),
        ({"gain": Fraction(18, 100)}, "check_gain"),
        ({"endgame": solve(v_b=3).endgame}, "check_all_sequences"),
        ({"point": solve(v_b=3).point}, "check_all_sequences"),
        ({"win_probability_by_flips": np.full(101, 0.5)}, "check_whole_rows"),
        ({"hurtful_flips": (5,)}, "check_whole_rows"),
        ({"best_coin": solve(target=20).best_coin}, "check_exact_rows"),
        ({"policy": published().best_coin}, "check_exact_rows"),
        ({"cost": solve(target=2).cost}, "check_exact_rows"),
        ({"either_states": 5505}, "check_exact_rows"),
        ({"limit": Fraction(3, 5)}, "check_limit"),
    ],
)
def test_a_wrong_result_is_caught(change: dict[str, Any], caught_by: str) -> None:
    # The copy of a result with one answer changed, as a fault in the solution would change it.
    found = outcomes(riddler_flips, replace(published(), **change), only=caught_by)

    assert {each.field.partition(".")[0] for each in found if not each.passed} >= set(change)


def test_the_same_parameters_give_the_same_result() -> None:
    again = solve()

    assert again.win_probability == published().win_probability
    np.testing.assert_array_equal(again.policy.values, published().policy.values)
