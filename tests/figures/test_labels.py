"""Labels are placed where they cover nothing."""

import math

import numpy as np

from site_builder.figures.canvas.axes import COVERING, Labels, boxes_around
from site_builder.figures.canvas.canvas import WIDE, Canvas
from site_builder.figures.canvas.shapes import Box


def labels_in(box):
    return Labels(Canvas(WIDE), box)


def test_a_label_takes_the_first_place_where_it_covers_nothing():
    labels = labels_in(Box(0, 0, 100, 100))
    labels.avoid_path(np.array([[0.0, 50.0], [100.0, 50.0]]))

    first = labels.place(boxes_around(50, 36, 20, 10))
    second = labels.place(boxes_around(50, 36, 20, 10))

    assert first == (Box(56, 31, 76, 41), 0)  # to the right
    assert second == (Box(24, 31, 44, 41), 0)  # to the left


def test_a_label_covers_another_only_where_everything_is_taken():
    labels = labels_in(Box(0, 0, 100, 100))
    labels.avoid_box(Box(0, 0, 100, 100))

    assert labels.place(boxes_around(50, 50, 20, 10))[1] == COVERING


def test_no_label_slips_through_a_line_however_long_its_strokes():
    labels = labels_in(Box(0, 0, 1000, 700))
    labels.avoid_path(np.array([[0.0, 0.0], [1000.0, 700.0], [math.nan, 0.0], [0.0, 700.0], [1000.0, 0.0]]))

    assert labels.cost(Box(495, 345, 505, 355)) >= 2
    assert labels.cost(Box(240, 170, 260, 180)) >= 1
    assert labels.cost(Box(0, 300, 20, 400)) == 0
