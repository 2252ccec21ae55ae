"""Ticks: few, at round numbers, and never too close."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.figures.canvas.scales import GridAxis, Scale, log_ticks, round_ticks
from site_builder.figures.canvas.text import text_line

MINUS = "\N{MINUS SIGN}"


def fifteen(_texts):
    return 15.0


def level(texts):
    return 8.0 * max(map(len, texts))


def read(text):
    return float(text.replace(MINUS, "-").replace(",", ""))


@given(st.floats(-1e5, 1e5), st.floats(1e-3, 1e5), st.integers(2, 10))
def test_ticks_are_few_even_and_read_as_the_number_where_they_stand(low, width, at_most):
    ticks = round_ticks(low, low + width, at_most)

    rounding = 1e-9 * (abs(low) + width)  # an end is read as the decimal of twelve digits that it is meant to be
    assert len(ticks) <= at_most
    for tick in ticks:
        assert low - rounding <= tick.position <= low + width + rounding
        assert read(tick.text) == pytest.approx(tick.position, abs=1e-9)
    gaps = [b.position - a.position for a, b in pairwise(ticks)]
    assert gaps == pytest.approx(gaps[:1] * len(gaps), rel=1e-6)


@pytest.mark.parametrize(
    ("low", "high", "more", "texts"),
    [
        (0, 1, {}, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 1, {"percent": True}, [f"{p}%" for p in (0, 20, 40, 60, 80, 100)]),
        (0.481, 0.503, {"percent": True}, [f"{p}%" for p in ("48.5", "49.0", "49.5", "50.0")]),
        (-3, 2, {"whole": True}, ["−3", "−2", "−1", "0", "1", "2"]),
        (1, 2, {"whole": True}, ["1", "2"]),
        (0.5, 0.5 + 5e-9, {}, [f"0.50000000{k}" for k in range(6)]),
        (0, 5e30, {}, ["0", *(f"{k}.00·10³⁰" for k in range(1, 6))]),
        (0, 52_000, {}, ["0", "10,000", "20,000", "30,000", "40,000", "50,000"]),
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
        ([Fraction(k, 3) for k in range(4)], ["0.0000", "0.3333", "0.6667", "1.0000"]),
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

    assert all((b.position - a.position) * spacing >= 15 for a, b in pairwise(ticks))
    assert all(tick.text == f"state {int(tick.position)}" for tick in ticks)


@given(st.integers(-50, 50), st.sampled_from([1, -2, 5]), st.integers(2, 30), st.data())
def test_a_coordinate_is_found_in_its_cell_and_others_in_proportion(start, step, count, data):
    axis = GridAxis([start + step * i for i in range(count)])
    cell = data.draw(st.floats(-3, count + 3))

    assert axis.position(start + step * cell) == pytest.approx(cell, abs=1e-9)


def test_a_coordinate_between_uneven_ones_is_found_in_proportion():
    axis = GridAxis([1, 10, 100])

    assert [axis.position(c) for c in (1, 5.5, 10, 55, 100)] == [0, 0.5, 1, 1.5, 2]


@pytest.mark.parametrize(
    ("low", "high", "most", "texts"),
    [
        (1e-12, 1, 7, ["10⁻¹²", "10⁻¹⁰", "10⁻⁸", "10⁻⁶", "0.0001", "0.01", "1"]),
        (1, 100, 7, ["1", "2", "5", "10", "20", "50", "100"]),
        (3, 4, 6, ["3.0", "3.2", "3.4", "3.6", "3.8", "4.0"]),
        (0.9, 2e9, 6, ["1", "100", "10,000", "1,000,000", "10⁸"]),
    ],
)
def test_ticks_of_a_logarithmic_axis_stand_at_powers_of_ten(low, high, most, texts):
    written = [text_line(tick.text).plain for tick in log_ticks(low, high, most)]

    assert [text.replace(MINUS, "⁻") for text in written] == texts


def test_a_logarithmic_scale_has_equal_steps_for_equal_ratios_and_no_place_for_zero():
    scale = Scale(1, 100, 0, 300, log=True)

    assert [float(scale.at(value)) for value in (1, 10, 100)] == pytest.approx([0, 150, 300])
    assert np.isnan(scale.at(np.array([0.0, -1.0]))).all()
