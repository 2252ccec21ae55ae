"""Areas of a grid: rectangles that cover them, and the borders between them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from site_builder.figures.kinds.grid_map import borders, rectangles

SHAPES = array_shapes(min_dims=2, max_dims=2, max_side=9)


@given(arrays(bool, SHAPES))
def test_each_cell_of_an_area_lies_in_one_rectangle_and_no_other_cell_in_any(mask):
    covered = np.zeros(mask.shape, int)
    for (left, top), _, (right, bottom), _ in rectangles(mask):
        covered[top:bottom, left:right] += 1

    np.testing.assert_array_equal(covered, mask.astype(int))


@given(arrays(int, SHAPES, elements=st.integers(-1, 2)))
def test_a_border_stands_between_different_cells_alone(cells):
    padded = np.pad(cells, 1, constant_values=-1)
    level, upright = np.zeros((padded.shape[0] - 1, cells.shape[1])), np.zeros((cells.shape[0], padded.shape[1] - 1))
    for (x1, y1), (x2, y2) in borders(cells):
        if y1 == y2:
            level[y1, x1:x2] += 1
        else:
            upright[y1:y2, x1] += 1

    np.testing.assert_array_equal(level, (padded[1:] != padded[:-1])[:, 1:-1])
    np.testing.assert_array_equal(upright, (padded[:, 1:] != padded[:, :-1])[1:-1])
