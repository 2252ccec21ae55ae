"""Luminance and contrast by WCAG 2.2, and colours that are made readable."""

import pytest

from site_builder.values.colours import contrast, long_form, luminance, mix, readable


# Ratios that WebAIM's contrast checker and the techniques of WCAG give.
@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#000", "#fff", 21.0), ("#777", "#fff", 4.48), ("#767676", "#fff", 4.54), ("#f00", "#fff", 4.0)],
)
def test_contrasts_are_those_of_the_definition(one, other, ratio):
    assert contrast(one, other) == contrast(other, one) == pytest.approx(ratio, abs=0.005)


def test_the_luminance_of_a_channel_is_its_weight():
    assert [luminance(each) for each in ("#ff0000", "#00ff00", "#0000ff")] == pytest.approx([0.2126, 0.7152, 0.0722])


def test_three_digits_stand_for_six():
    assert long_form("#0A5") == "#00aa55"


def test_a_mixture_lies_between_its_colours():
    assert mix("#000000", "#ffffff", 0.5) == "#808080"


def test_a_readable_colour_stays_as_it_is_and_another_is_mixed_until_it_stands_out():
    assert readable("#767676", ("#ffffff",), "#000000") == "#767676"
    assert contrast(readable("#aaaaaa", ("#ffffff",), "#000000"), "#ffffff") >= 4.5
