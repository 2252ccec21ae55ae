"""Areas of a grid: outlines."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays

from site_builder.figures.kinds.grid_drawing import border_length, outlines

MASKS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=9))


def turns(loops, x, y):
    """How often outlines wind around a point, by the crossings of a ray to the right."""
    total = 0
    for loop in loops:
        for (_, y1), (x2, y2) in pairwise([*loop, loop[0]]):
            if y1 != y2 and x2 > x and min(y1, y2) < y < max(y1, y2):  # all strokes are level or upright
                total += 1 if y2 > y1 else -1
    return total


@given(MASKS)
def test_an_outline_winds_once_around_each_cell_of_its_area_and_never_around_others(mask):
    loops = outlines(mask)

    found = [[turns(loops, x + 0.5, y + 0.5) for x in range(mask.shape[1])] for y in range(mask.shape[0])]

    np.testing.assert_array_equal(found, mask.astype(int))


@given(MASKS)
def test_an_outline_is_as_long_as_its_border(mask):
    length = sum(np.abs(loop - np.roll(loop, 1, axis=0)).sum() for loop in outlines(mask))

    assert border_length(mask) == length
