"""Areas of a grid: outlines, positions for letters, and areas where two codes alternate."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays
from matplotlib.path import Path as Outline

from site_builder.figures.charts.regions import border_length, letter_positions, merge_alternating, outline

MASKS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=9))


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
