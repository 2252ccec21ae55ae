"""A page that somebody saved, or opened from a folder: no server at all."""

import pytest

from tests.browser.sites import PAGES
from tests.conftest import deep

# What a page needs in order to read well, by whether it came.
LOADED = """async () => {
    for (const image of document.images) { image.loading = 'eager'; await image.decode() }
    await document.fonts.ready
    return {
        style: getComputedStyle(document.documentElement).getPropertyValue('--paper') !== '',
        fonts: [...document.fonts].some(each => each.status === 'loaded')
            && ![...document.fonts].some(each => each.status === 'error'),
        pictures: [...document.images].every(image => image.naturalWidth > 0),
    }
}"""


@pytest.mark.parametrize(
    "name", ["home", "post with everything", *map(deep, ("two coins", "post with all figures", "page"))]
)
def test_a_page_opened_from_disk_has_its_style_its_letters_and_its_pictures(look, request, name):
    site, path = PAGES[name]
    folder = request.getfixturevalue(site).folder

    visit = look((folder / path / "index.html").as_uri())

    assert visit.page.evaluate(LOADED) == {"style": True, "fonts": True, "pictures": True}
    # Browsers fetch no font ahead from a disk, and say so; the same font is there when the style sheet asks for it.
    assert [each for each in visit.complaints if ".woff2" not in each] == []
    assert visit.overflow() == 0
