"""Formulas in the hands of a reader."""

import pytest


@pytest.mark.parametrize("width", [360, 1440])
def test_the_tex_of_a_displayed_formula_can_be_copied(read, sample, width):
    page = read(
        sample.address + "posts/constructs/", width=width, permissions=["clipboard-read", "clipboard-write"]
    ).page

    page.get_by_role("button", name="Copy TeX").first.click()

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(r"\Pr(X = k) = \sum_{j=0}^{n} \binom{n}{j}")


def test_formulas_are_set_in_the_mathematics_face_of_the_site(read, blog):
    page = read(blog.address + "posts/coinball/").page
    page.evaluate("document.fonts.ready")

    family = page.evaluate("getComputedStyle(document.querySelector('math')).fontFamily")
    loaded = page.evaluate("[...document.fonts].filter(each => each.status === 'loaded').map(each => each.family)")

    assert family.split(",")[0].strip("\"'") in {name.strip("\"'") for name in loaded}
