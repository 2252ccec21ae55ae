"""Formulas in the hands of a reader."""

from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread

from tests.browser.serving import served
from tests.browser.test_keyboard import ARRANGED
from tests.conftest import deep

UNDER_ITS_MIDDLE = """each => {
    const box = each.getBoundingClientRect();
    return document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2) === each;
}"""

# Pixels between a button and what follows it.
SPACE_BELOW = """each => {
    const next = each.parentElement.nextElementSibling;
    return next ? next.getBoundingClientRect().top - each.getBoundingClientRect().bottom : 0;
}"""

SCROLLS = """all => all.map(each => each.scrollWidth > each.clientWidth
    || (each.scrollHeight > each.clientHeight && getComputedStyle(each).overflowY !== 'hidden'))"""


@pytest.mark.parametrize("width", [360, deep(1440)])
def test_the_tex_of_a_displayed_formula_can_be_copied(look, sample, width):
    page = look(
        sample.address + "posts/constructs/", width=width, permissions=["clipboard-read", "clipboard-write"]
    ).page

    page.locator("math[display=block]").first.hover()
    page.get_by_role("button", name="Copy TeX").first.click()

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(r"\Pr(X = k) = \sum_{j=0}^{n} \binom{n}{j}")


def test_a_button_that_is_not_seen_is_not_in_the_way_of_a_mouse(look, sample):
    page = look(sample.address + "posts/constructs/").page

    button = page.get_by_role("button", name="Copy TeX").first
    button.scroll_into_view_if_needed()

    assert button.evaluate("each => getComputedStyle(each).opacity") == "0"
    assert not button.evaluate(UNDER_ITS_MIDDLE)


def test_on_a_touch_screen_the_button_is_seen_and_covers_no_text(look, sample):
    page = look(sample.address + "posts/constructs/", width=360, has_touch=True, is_mobile=True).page

    for button in page.locator(".prose > .copy-tex button").all():
        button.scroll_into_view_if_needed()
        assert button.evaluate("each => getComputedStyle(each).opacity") == "1"
        assert button.evaluate(UNDER_ITS_MIDDLE)
        assert button.evaluate(SPACE_BELOW) >= 0


@pytest.mark.parametrize("width", [360, 1440])
def test_the_tab_key_stops_at_boxes_that_scroll_and_at_no_others(look, sample, width):
    page = look(sample.address + "posts/constructs/", width=width).page
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    boxes = page.locator(".prose :is(pre, math[display=block], .scroll)")
    page.evaluate(ARRANGED)

    scrolls = boxes.evaluate_all(SCROLLS)
    stops = boxes.evaluate_all("all => all.map(each => each.closest('[tabindex=\"0\"]') !== null)")

    assert set(scrolls) == {True, False}
    assert stops == scrolls


# Every day each post is seen once.
FORMULAS = [
    pytest.param(post, width, marks=[] if width == usual else pytest.mark.deep)
    for post, usual in (("a-row-of-coins", 360), ("coinball", 1440), ("two-coins-a-hundred-flips", 360))
    for width in (360, 1440)
]


@pytest.mark.parametrize(("post", "width"), FORMULAS)
def test_a_formula_that_is_a_pixel_higher_than_its_box_is_no_stop_of_the_tab_key(look, blog, post, width):
    page = look(f"{blog.address}posts/{post}/", width=width).page
    formulas = page.locator(".prose math[display=block]")
    page.evaluate(ARRANGED)

    stops = formulas.evaluate_all("all => all.map(each => each.closest('[tabindex=\"0\"]') !== null)")

    assert stops == formulas.evaluate_all(SCROLLS)


@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "dark"), deep(1440, "light"), deep(390, "light"), deep(1440, "dark")]
)
def test_no_sign_of_a_formula_in_a_cell_or_line_is_cut(look, sample, width, scheme):
    """Cut is what comes to be seen when a formula's box hides nothing any more."""
    page = look(sample.address + "posts/constructs/", width=width, scheme=scheme).page
    page.evaluate("Promise.all([...document.images].map(each => { each.loading = 'eager'; return each.decode() }))")
    page.evaluate("document.fonts.ready")
    formulas = page.locator("math:not([display])")
    around = [
        each for each in page.locator(".prose :is(p, li, table):has(math:not([display]))").all() if each.is_visible()
    ]

    scrolled = formulas.evaluate_all("all => all.filter(each => each.scrollWidth > each.clientWidth).length")
    cut: list[bytes] = []
    while cut != (cut := [each.screenshot() for each in around]):  # until scripts and fonts have settled
        page.wait_for_timeout(100)
    formulas.evaluate_all("all => all.forEach(each => { each.style.overflow = 'visible' })")

    assert scrolled == 0
    assert len(cut) >= 3  # a paragraph, an item of a list, a table
    assert [each.screenshot() for each in around] == cut


def test_formulas_are_set_in_the_mathematics_face_of_the_site(look, blog):
    page = look(blog.address + "posts/coinball/").page
    page.evaluate("document.fonts.ready")

    family = page.evaluate("getComputedStyle(document.querySelector('math')).fontFamily")
    loaded = page.evaluate("[...document.fonts].filter(each => each.status === 'loaded').map(each => each.family)")

    assert family.split(",")[0].strip("\"'") in {name.strip("\"'") for name in loaded}


def test_text_with_formulas_is_copied_with_each_formula_as_one_line_of_text(look, blog):
    page = look(blog.address + "posts/two-piles-of-pennies/").page

    copied, formula = page.evaluate(
        """() => {
          const paragraph = document.querySelector(".prose p > math:not([display])").parentElement;
          getSelection().selectAllChildren(paragraph);
          const data = new DataTransfer();
          paragraph.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }));
          return [data.getData("text/plain"), paragraph.querySelector("math").getAttribute("alttext")];
        }"""
    )

    assert formula in copied
    assert "\n" not in copied.strip()


STRETCHED = {  # by formula, between which parts of its height is what stretches
    r"\xrightarrow{\text{a coin}}": (0.65, 1),
    r"\xleftarrow{\text{a coin}}": (0.65, 1),
    r"\widehat{aec}": (0, 0.35),
    r"\widetilde{aec}": (0, 0.35),
    r"\overbrace{a + c}": (0, 0.35),
}


def test_what_stretches_is_as_wide_as_the_formula_above_or_below_it(project, read):
    project.post("".join(f"Words ${tex}$\n\n" for tex in STRETCHED))
    project.build()

    with served(project.root / "_site") as address:
        formulas = read(f"{address}posts/ruin/").page.locator("article mover").all()
        pictures = [imread(BytesIO(formula.screenshot())) for formula in formulas]

    for picture, (tex, (top, bottom)) in zip(pictures, STRETCHED.items(), strict=True):
        ink = picture[int(top * len(picture)) : int(bottom * len(picture)), :, :3].mean(axis=2).min(axis=0) < 0.85
        assert np.ptp(np.flatnonzero(ink)) > 0.7 * ink.size, tex
