"""Figures with steps, in the hands of a reader."""

import re

import pytest

from tests.conftest import deep

ADDRESS = "posts/steps/"
LABELS = [f"round {n}" for n in range(1, 6)]


@pytest.fixture
def page(look, sample):
    return look(sample.address + ADDRESS).page


@pytest.fixture
def page_of_clock(read, sample):
    """The page, whose time passes only as the test says."""
    page = read(sample.address + ADDRESS).page
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # or time passes as well while the test does something
    page.reload()
    return page


@pytest.fixture
def figure(page):
    """A figure at its first step."""
    return rewound(page.locator("figure.frames").first)


def rewound(figure):
    figure.get_by_role("slider", name="Step").press("Home")
    return figure


def shown(figure):
    """The labels of the steps that can be seen."""
    return figure.evaluate(
        "each => [...each.querySelectorAll('.strip > li')]"
        ".filter(step => getComputedStyle(step).visibility === 'visible')"
        ".map(step => step.querySelector('.step').textContent.trim())"
    )


def button(figure, name):
    return figure.get_by_role("button", name=name, exact=True)


def test_one_step_is_shown_and_buttons_go_from_one_to_the_next(figure):
    begun = shown(figure)
    button(figure, "Next step").click()
    button(figure, "Next step").click()
    later = shown(figure)
    button(figure, "Previous step").click()

    assert (begun, later, shown(figure)) == (["round 1"], ["round 3"], ["round 2"])
    assert figure.locator("[aria-live]").inner_text() == "round 2 (2 of 5)"
    assert figure.locator("[aria-live]").get_attribute("aria-live") == "polite"


def test_the_first_step_has_none_before_and_the_last_none_after_and_the_focus_stays(page, figure):
    back, forth = button(figure, "Previous step"), button(figure, "Next step")
    at_first = back.get_attribute("aria-disabled"), forth.get_attribute("aria-disabled")
    forth.focus()
    for _ in range(6):
        page.keyboard.press("Enter")

    assert at_first == ("true", "false")
    assert (back.get_attribute("aria-disabled"), forth.get_attribute("aria-disabled")) == ("false", "true")
    assert shown(figure) == ["round 5"]
    assert forth.evaluate("each => each === document.activeElement")


def test_the_slider_goes_to_a_step_by_the_keyboard_and_says_its_label(page, figure):
    slider = figure.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")

    assert shown(figure) == ["round 4"]
    assert slider.get_attribute("aria-valuetext") == "round 4"


def test_a_figure_begins_whole_and_goes_through_its_steps_from_the_first_when_asked(page_of_clock):
    page, figure = page_of_clock, page_of_clock.locator("figure.frames").first
    page.clock.run_for(5_000)
    at_rest = shown(figure)
    button(figure, "Step by step").click()
    live, begun = figure.locator("[aria-live]").get_attribute("aria-live"), shown(figure)
    page.clock.run_for(3_500)
    soon = shown(figure)
    page.clock.run_for(10_000)

    assert (at_rest, live, begun, soon) == (["round 5"], "off", ["round 1"], ["round 2"])
    assert shown(figure) == ["round 5"]
    assert button(figure, "Step by step").is_visible()
    assert figure.locator("[aria-live]").get_attribute("aria-live") == "polite"


def test_the_whole_picture_is_followed_by_its_first_step(look, sample):
    figure = look(sample.address + ADDRESS).page.locator("figure.frames").first
    said, at_rest = figure.locator(".shown-step").inner_text(), shown(figure)

    button(figure, "Next step").click()

    assert (said, at_rest) == ("All 5 steps", ["round 5"])
    assert shown(figure) == ["round 1"]
    assert figure.locator(".shown-step").inner_text() == "round 1 (1 of 5)"


def test_a_step_with_many_words_stays_longer(page_of_clock):
    page, figure = page_of_clock, page_of_clock.locator("figure.frames").first
    words = "each => { each.querySelector('.step').textContent = 'a long step '.repeat(10) }"
    figure.evaluate(words)
    button(figure, "Step by step").click()
    page.clock.run_for(6_000)

    assert "a long step" in shown(figure)[0]


def test_playing_stops_at_the_button_and_at_every_other_control(page_of_clock):
    page, figure = page_of_clock, page_of_clock.locator("figure.frames").first
    button(figure, "Step by step").click()
    page.clock.run_for(3_500)
    button(figure, "Pause").click()
    page.clock.run_for(10_000)
    paused = shown(figure)
    button(figure, "Step by step").click()
    button(figure, "Next step").click()
    page.clock.run_for(10_000)

    assert (paused, shown(figure)) == (["round 2"], ["round 3"])


def test_figures_of_one_page_go_by_themselves(page, figure):
    second = page.locator("figure.frames").nth(1)
    before = shown(second)

    button(figure, "Next step").click()

    assert shown(second) == before


def test_without_scripts_all_steps_are_there_in_a_strip_that_fits_the_smallest_screens(look, sample):
    visit = look(sample.address + ADDRESS, width=320, java_script_enabled=False)

    assert [each.inner_text() for each in visit.page.locator("figure.frames .step").all()][:5] == LABELS
    assert all(each.is_visible() for each in visit.page.locator("figure.frames img").all())
    assert visit.controls() == []
    assert visit.overflow() == 0


@pytest.mark.parametrize("scripts", [True, deep(False)])
def test_paper_has_all_steps_and_no_controls(look, sample, scripts):
    visit = look(sample.address + ADDRESS, java_script_enabled=scripts)
    visit.page.emulate_media(media="print")

    assert all(each.is_visible() for each in visit.page.locator("figure.frames img").all())
    assert [each.inner_text() for each in visit.page.locator("figure.frames .step").all()][:5] == LABELS
    assert not visit.page.locator(".stepper").first.is_visible()


@pytest.mark.parametrize(("width", "name"), [(360, "narrow"), (1440, "main-policy-step-2.")])
def test_a_step_is_shown_in_the_drawing_for_the_width_of_the_screen(look, sample, width, name):
    page = look(sample.address + ADDRESS, width=width).page
    figure = rewound(page.locator("figure.frames").first)
    button(figure, "Next step").click()

    image = figure.locator("li.shown img")
    image.evaluate("each => { each.loading = 'eager'; return each.decode() }")
    assert name in image.evaluate("each => each.currentSrc")


@pytest.mark.parametrize(("motion", "animation"), [("reduce", "none"), deep("no-preference", "step-in")])
def test_readers_who_want_less_motion_have_no_transition(look, sample, motion, animation):
    page = look(sample.address + ADDRESS, reduced_motion=motion).page

    shown_step = page.locator("figure.frames li.shown").first
    assert shown_step.evaluate("each => getComputedStyle(each).animationName") == animation


def test_only_pages_with_steps_load_their_script_and_style(sample):
    assert "assets/frames." in sample.text(ADDRESS)
    assert "assets/frames." not in sample.text("posts/constructs/")


def test_feeds_have_one_picture_of_all_steps(sample):
    feed = (sample.folder / "feed.xml").read_text("utf-8")

    (picture,) = re.findall(r"posts/steps/figures/main-policy[^&\"]*", feed)
    assert picture.endswith(".png")
    assert "step" not in picture.removeprefix("posts/steps/")
