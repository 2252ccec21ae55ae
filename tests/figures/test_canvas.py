"""The parts of drawings that laws hold for: ticks, areas and their outlines, places of labels and of nodes."""

import math
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from matplotlib.path import Path as Outline

from site_builder.contract import Diagram, Edge, Node
from site_builder.figures.canvas.canvas import Box
from site_builder.figures.canvas.label_placement import Obstacles, boxes_around, place_free
from site_builder.figures.canvas.text import text_line, truncate, wrap_text
from site_builder.figures.charts.graph_layout import lay_out_nodes, route_arrows
from site_builder.figures.charts.regions import border_length, letter_positions, merge_alternating, outline
from site_builder.figures.charts.scales import GridAxis, round_ticks

MINUS, THIN = "\N{MINUS SIGN}", "\N{NARROW NO-BREAK SPACE}"
MASKS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=9))


def fifteen(_texts):
    return 15.0


def level(texts):
    return 8.0 * max(map(len, texts))


def read(text):
    return float(text.replace(MINUS, "-").replace(THIN, ""))


@given(st.floats(-1e5, 1e5), st.floats(1e-3, 1e5), st.integers(2, 10))
def test_ticks_are_few_even_and_read_as_the_number_where_they_stand(low, width, at_most):
    ticks = round_ticks(low, low + width, at_most)

    rounding = 1e-9 * (abs(low) + width)  # an end is read as the decimal of twelve digits that it is meant to be
    assert len(ticks) <= at_most
    for tick in ticks:
        assert low - rounding <= tick.place <= low + width + rounding
        assert read(tick.text) == pytest.approx(tick.place, abs=1e-9)
    gaps = [b.place - a.place for a, b in pairwise(ticks)]
    assert gaps == pytest.approx(gaps[:1] * len(gaps), rel=1e-6)


@pytest.mark.parametrize(
    ("low", "high", "more", "texts"),
    [
        (0, 1, {}, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 1, {"percent": True}, [f"{p}{THIN}%" for p in (0, 20, 40, 60, 80, 100)]),
        (0.481, 0.503, {"percent": True}, [f"{p}{THIN}%" for p in ("48.5", "49.0", "49.5", "50.0")]),
        (-3, 2, {"whole": True}, ["−3", "−2", "−1", "0", "1", "2"]),
        (1, 2, {"whole": True}, ["1", "2"]),
        (0.5, 0.5 + 5e-9, {}, [f"0.50000000{k}" for k in range(6)]),
        (0, 5e30, {}, ["0", *(f"{k}.00·10^30" for k in range(1, 6))]),
        (0, 52_000, {}, ["0", f"10{THIN}000", f"20{THIN}000", f"30{THIN}000", f"40{THIN}000", f"50{THIN}000"]),
    ],
)
def test_ticks_are_round_numbers(low, high, more, texts):
    assert [tick.text for tick in round_ticks(low, high, 6, **more)] == texts


@pytest.mark.parametrize(
    ("coordinates", "texts"),
    [
        (range(7), ["0", "1", "2", "3", "4", "5", "6"]),
        (range(-200, 201), ["−200", "−100", "0", "100", "200"]),
        ([0.1 * k for k in range(11)], ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]),
        ([Fraction(k, 100) for k in range(101)], ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([Fraction(k, 3) for k in range(4)], ["0", "1/3", "2/3", "1"]),
        ([1, 10, 100, 1000], ["1", "10", "100", "1000"]),
        (["RRB", "RBB", "BBR"], ["RRB", "RBB", "BBR"]),
        ([5], ["5"]),
        ([], []),
    ],
)
def test_the_ticks_of_a_grid_stand_on_coordinates_and_read_as_they_do(coordinates, texts):
    ticks = GridAxis(coordinates).ticks(600 / max(len(coordinates), 1), level, 6)

    assert [tick.text for tick in ticks] == texts


@given(st.integers(1, 500), st.floats(1, 40))
def test_ticks_of_words_never_come_too_close(count, spacing):
    ticks = GridAxis([f"state {i}" for i in range(count)]).ticks(spacing, fifteen, 6)

    assert all((b.place - a.place) * spacing >= 15 for a, b in pairwise(ticks))
    assert all(tick.text == f"state {int(tick.place)}" for tick in ticks)


@given(st.integers(-50, 50), st.sampled_from([1, -2, 5]), st.integers(2, 30), st.data())
def test_a_coordinate_is_found_in_its_cell_and_others_in_proportion(start, step, count, data):
    axis = GridAxis([start + step * i for i in range(count)])
    cell = data.draw(st.floats(-3, count + 3))

    assert axis.position(start + step * cell) == pytest.approx(cell, abs=1e-9)


def test_a_coordinate_between_uneven_ones_is_found_in_proportion():
    axis = GridAxis([1, 10, 100])

    assert [axis.position(c) for c in (1, 5.5, 10, 55, 100)] == [0, 0.5, 1, 1.5, 2]


def turns(path, x, y):
    """How often a path winds around a point, by the crossings of a ray to the right."""
    total = 0
    for loop in path.to_polygons(closed_only=False):
        for (_, y1), (x2, y2) in pairwise(loop):
            if y1 != y2 and x2 > x and min(y1, y2) < y < max(y1, y2):  # all strokes are level or upright
                total += 1 if y2 > y1 else -1
    return total


@given(MASKS)
def test_an_outline_winds_once_around_each_cell_of_its_area_and_never_around_others(mask):
    path = outline(mask) if mask.any() else Outline(np.empty((0, 2)))

    found = [[turns(path, x + 0.5, y + 0.5) for x in range(mask.shape[1])] for y in range(mask.shape[0])]

    np.testing.assert_array_equal(found, mask.astype(int))


@given(MASKS)
def test_an_outline_is_as_long_as_its_border(mask):
    length = sum(
        np.abs(np.diff(loop, axis=0)).sum()
        for loop in (outline(mask).to_polygons(closed_only=False) if mask.any() else [])
    )

    assert border_length(mask) == length


@given(MASKS)
def test_letters_stand_inside_their_area(mask):
    for x, y in letter_positions(mask, (30.0, 30.0), clear=8, apart=60):
        assert mask[int(y), int(x)]


def test_a_letter_stands_in_the_middle_of_a_plain_area():
    positions = letter_positions(np.ones((5, 9), dtype=bool), (40.0, 40.0), clear=11, apart=1000)

    assert positions == [pytest.approx((4.5, 2.5), abs=0.11)]


def test_an_area_too_small_for_a_letter_gets_none():
    assert letter_positions(np.ones((1, 50), dtype=bool), (12.0, 12.0), clear=11, apart=100) == []


def test_cells_of_two_codes_by_turns_become_one_area_and_nothing_else_changes():
    codes = np.where(np.arange(60)[:, None] < 30, np.indices((60, 40)).sum(axis=0) % 2, 2)

    result, pairs = merge_alternating(codes)

    assert pairs == {3: (0, 1)}
    assert (result[31:] == 2).all()
    assert (result[1:29, 1:-1] == 3).all()


@pytest.mark.parametrize(
    "codes",
    [
        (np.add.outer(np.arange(50), np.arange(50)) > 48).astype(int),
        (np.arange(50) == 20).astype(int)[:, None] * np.ones(50, dtype=int),
        np.random.default_rng(3).integers(0, 2, (80, 80)),
        np.random.default_rng(3).integers(0, 3, (80, 80)),
        np.full((9, 9), -1),
        np.zeros((0, 0), dtype=int),
    ],
    ids=["a slanting border", "a lone line", "two codes by chance", "three codes by chance", "no codes", "no cells"],
)
def test_codes_that_do_not_alternate_stay_as_they_are(codes):
    result, pairs = merge_alternating(codes)

    np.testing.assert_array_equal(result, codes)
    assert pairs == {}


def test_a_label_takes_the_first_place_where_it_covers_nothing():
    obstacles = Obstacles()
    obstacles.add_path(np.array([[0.0, 50.0], [100.0, 50.0]]))
    inside = Box(0, 0, 100, 100)

    first = place_free(boxes_around(50, 36, 20, 10), inside, obstacles)
    second = place_free(boxes_around(50, 36, 20, 10), inside, obstacles)

    assert first is not None
    assert second is not None
    assert first == Box(56, 31, 76, 41)  # to the right
    assert second == Box(24, 31, 44, 41)  # to the left


def test_a_label_finds_no_place_where_everything_is_taken():
    obstacles = Obstacles()
    obstacles.add_box(Box(0, 0, 100, 100))

    assert place_free(boxes_around(50, 50, 20, 10), Box(0, 0, 100, 100), obstacles) is None


def test_no_label_slips_through_a_line_however_long_its_strokes():
    obstacles = Obstacles()
    obstacles.add_path(np.array([[0.0, 0.0], [1000.0, 700.0], [math.nan, 0.0], [0.0, 700.0], [1000.0, 0.0]]))

    assert obstacles.cost(Box(495, 345, 505, 355)) >= 2
    assert obstacles.cost(Box(240, 170, 260, 180)) >= 1
    assert obstacles.cost(Box(0, 300, 20, 400)) == 0


PLACES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=14, unique=True)


@given(PLACES, st.sampled_from([322, 674]), st.text("abc ", min_size=1, max_size=25))
def test_nodes_never_overlap_and_keep_within_the_width(places, width, label):
    nodes = tuple(Node(str(i), at, "ab"[i % 2], f"{label}{i}") for i, at in enumerate(places))

    placed = lay_out_nodes(Diagram("t", nodes, (), {"a": "one", "b": "other"}, "c"), width)

    assert not [pair for pair in combinations(placed.values(), 2) if pair[0].box.overlaps(pair[1].box)]
    assert all(node.box.left >= -0.01 and node.box.right <= width + 0.01 for node in placed.values())


def test_arrows_lead_from_border_to_border_and_around_nodes_in_their_way():
    nodes = tuple(Node(name, (i, 0), "k") for i, name in enumerate("abc"))
    edges = (Edge("a", "b"), Edge("a", "c"))
    placed = lay_out_nodes(Diagram("t", nodes, edges, {"k": "a state"}, "c"), 600)

    straight, around_b = route_arrows(placed, edges)

    assert straight[0][0] == pytest.approx(placed["a"].box.right, abs=4)
    assert straight[-1][0] == pytest.approx(placed["b"].box.left, abs=4)
    box = placed["b"].box
    assert not any(box.left < x < box.right and box.top < y < box.bottom for x, y in around_b)


def test_an_arrow_bends_to_the_left_as_seen_on_its_way():
    nodes = (Node("a", (0, 0), "k"), Node("b", (1, 0), "k"))
    edge = Edge("a", "b", bend=0.3)

    (route,) = route_arrows(lay_out_nodes(Diagram("t", nodes, (edge,), {"k": "a state"}, "c"), 600), (edge,))

    assert route[:, 1].min() < route[0, 1] - 20  # from left to right: upwards


@given(st.text(st.characters(max_codepoint=0x24F)), st.floats(30, 400))
def test_broken_lines_fit_and_say_the_whole_unless_they_end_in_an_ellipsis(text, width):
    block = wrap_text(text, width)

    assert all(line.width <= width + 0.01 for line in block)
    assert len(block) <= 4


def test_lines_break_at_spaces_and_keep_formulas_whole():
    block = wrap_text("one $a = b + c + d$ two three", 100)

    assert [line.text for line in block] == ["one", "$a = b + c + d$", "two three"]


def test_a_word_too_long_is_cut_with_an_ellipsis():
    cut = truncate("x" * 500, 100)

    assert cut.text.endswith("…")
    assert cut.width <= 100
    assert text_line(cut.text[:-1] + "xx…").width > 100
