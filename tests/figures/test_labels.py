"""Labels are placed where they cover nothing."""

import math

import numpy as np

from site_builder.figures.canvas.canvas import Box
from site_builder.figures.charts.labels import COVERING, Obstacles, boxes_around


def test_a_label_takes_the_first_place_where_it_covers_nothing():
    obstacles = Obstacles()
    obstacles.add_path(np.array([[0.0, 50.0], [100.0, 50.0]]))
    inside = Box(0, 0, 100, 100)

    first = obstacles.place(boxes_around(50, 36, 20, 10), inside)
    second = obstacles.place(boxes_around(50, 36, 20, 10), inside)

    assert first == (Box(56, 31, 76, 41), 0)  # to the right
    assert second == (Box(24, 31, 44, 41), 0)  # to the left


def test_a_label_covers_another_only_where_everything_is_taken():
    obstacles = Obstacles()
    obstacles.add_box(Box(0, 0, 100, 100))

    assert obstacles.place(boxes_around(50, 50, 20, 10), Box(0, 0, 100, 100))[1] == COVERING


def test_no_label_slips_through_a_line_however_long_its_strokes():
    obstacles = Obstacles()
    obstacles.add_path(np.array([[0.0, 0.0], [1000.0, 700.0], [math.nan, 0.0], [0.0, 700.0], [1000.0, 0.0]]))

    assert obstacles.cost(Box(495, 345, 505, 355)) >= 2
    assert obstacles.cost(Box(240, 170, 260, 180)) >= 1
    assert obstacles.cost(Box(0, 300, 20, 400)) == 0
