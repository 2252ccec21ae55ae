"""A page that somebody saved, or opened from a folder: no server at all."""

import pytest

from tests.browser.sites import PAGES

# What a page needs in order to read well, by whether it came.
LOADED = """async () => {
    for (const image of document.images) { image.loading = 'eager'; await image.decode() }
    await document.fonts.ready
    return {
        style: getComputedStyle(document.documentElement).getPropertyValue('--paper') !== '',
        fonts: [...document.fonts].filter(font => font.status === 'error').length,
        pictures: [...document.images].filter(image => image.naturalWidth === 0).length,
    }
}"""


@pytest.mark.parametrize("name", ["home", "two coins", "post with everything", "post with all figures", "page"])
def test_a_page_opened_from_disk_has_its_style_its_letters_and_its_pictures(look, request, name):
    site, path = PAGES[name]
    folder = request.getfixturevalue(site).folder

    visit = look((folder / path / "index.html").as_uri())

    assert visit.page.evaluate(LOADED) == {"style": True, "fonts": 0, "pictures": 0}
    assert visit.complaints == []
    assert visit.overflow() == 0
