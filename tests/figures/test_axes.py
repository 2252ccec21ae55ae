"""Where the labels of axes stand: beside their ticks, within the picture, and not over one another."""

import pytest

from site_builder.figures.canvas.axes import draw_across_axis, draw_heading, draw_up_axis, with_fitting_ticks
from site_builder.figures.canvas.canvas import NARROW, Canvas
from site_builder.figures.canvas.scales import Scale, Tick
from site_builder.figures.canvas.shapes import Box
from site_builder.figures.canvas.text import text_line

PLOT = Box(30.0, 10.0, 310.0, 100.0)


def labels(*places):
    """A scale in pixels, with a tick at each of these places."""
    return Scale(0, 400, 0, 400, ticks=tuple(Tick(place, str(place)) for place in places))


def boxes_of(canvas):
    return canvas.text_boxes


def test_labels_across_stand_right_below_their_ticks_and_the_name_of_the_axis_below_them():
    canvas = Canvas(NARROW)

    end = draw_across_axis(canvas, PLOT, labels(60, 110), "coins in hand")

    first, second, name = boxes_of(canvas)
    assert [first.centre[0], second.centre[0]] == pytest.approx([60, 110])
    assert first.top == second.top == pytest.approx(PLOT.bottom + 6)  # a tick of 4 pixels, and 2 of air
    assert first.bottom < name.top
    assert name.bottom == pytest.approx(end)
    assert name.centre[0] == pytest.approx(PLOT.centre[0])


def test_a_label_across_that_would_leave_the_picture_is_moved_in_and_one_that_it_would_cover_is_left_out():
    canvas = Canvas(NARROW)

    draw_across_axis(canvas, PLOT, labels(0, 8, 100, 319))

    assert [round(box.width) for box in canvas.text_boxes] == [
        round(text_line(text).width) for text in ("0", "100", "319")
    ]
    assert all(box.left >= 0 and box.right <= canvas.width for box in boxes_of(canvas))


def test_rotated_labels_hang_from_their_ticks_with_their_middle_below_them():
    canvas = Canvas(NARROW)

    end = draw_across_axis(canvas, PLOT, labels(60), rotated=True)

    (box,) = boxes_of(canvas)
    assert box.top == pytest.approx(PLOT.bottom + 8)
    assert box.left < 60 < box.right
    assert end >= box.bottom


def test_labels_up_end_left_of_the_ticks_with_their_middle_beside_them():
    canvas = Canvas(NARROW)

    draw_up_axis(canvas, PLOT, labels(20, 80))

    for y, box in zip((20, 80), boxes_of(canvas), strict=True):
        assert box.right == pytest.approx(PLOT.left - 9)  # a tick of 4 pixels, and 5 of air
        assert box.top < y < box.bottom


def test_a_heading_takes_the_room_of_its_lines_and_none_leaves_a_little():
    canvas = Canvas(NARROW)

    top = draw_heading(canvas, "a chance")

    assert top == pytest.approx(boxes_of(canvas)[0].bottom + 12)
    assert draw_heading(canvas, "") == 9


def test_as_many_ticks_are_taken_as_have_room_for_their_labels():
    width = text_line("0.00").width

    def fitting(pixels):
        return [tick.text for tick in with_fitting_ticks(Scale(0, 0.04, 0, pixels), 5).ticks]

    assert fitting(4 * (width + 8) + 0.1) == ["0.00", "0.01", "0.02", "0.03", "0.04"]
    assert fitting(4 * (width + 8) - 0.1) == ["0.00", "0.02", "0.04"]
    assert fitting(width) == ["0.00"]
