"""What a page weighs on its way to a reader, compressed as hosts do it; kB are 1,000 bytes."""

import gzip
from collections import Counter
from urllib.parse import unquote

import pytest

from tests.browser.looking import WHOLE, Reader
from tests.browser.sites import PAGES

POSTS = [name for name, (site, path) in PAGES.items() if path.startswith("posts/")]


def weight(file):
    """The bytes of a file as they travel."""
    data = file.read_bytes()
    return len(data) if file.suffix in (".png", ".woff2") else len(gzip.compress(data, 6, mtime=0))


NARROW = [pytest.param((name, 360), id=f"{name}, narrow", marks=pytest.mark.deep) for name in POSTS]  # smaller pictures
LARGEST = ("two coins", "row of coins", "post with everything", "post with all figures")
WIDE = [pytest.param((name, 1440), id=name, marks=[] if name in LARGEST else pytest.mark.deep) for name in POSTS]


@pytest.fixture(scope="module", params=[*WIDE, *NARROW])
def parts(chromium, request):
    """The files that make a post's page for who was never there, late pictures included: suffix -> bytes."""
    name, width = request.param
    fixture, path = PAGES[name]
    site = request.getfixturevalue(fixture)
    reader = Reader(chromium, width=width)
    visit = reader.open(site.address + path)
    visit.page.evaluate(WHOLE)
    reader.leave()
    found = Counter()
    for address in {address for address, _ in visit.requests}:
        file = site.file(unquote(address.removeprefix(site.address)))
        found[file.suffix] += weight(file)
    return found


def test_a_post_with_its_figures_weighs_less_than_250_kb_without_fonts(parts):
    assert 0 < sum(weight for suffix, weight in parts.items() if suffix != ".woff2") < 250_000


def test_the_scripts_of_a_post_weigh_less_than_12_kb(parts):
    assert 0 < parts[".js"] < 12_000


def test_the_style_of_a_post_weighs_less_than_16_kb(parts):
    assert 0 < parts[".css"] < 16_000


@pytest.mark.parametrize(("scripts", "most"), [(("board", "play"), 8_000), (("explore",), 4_000)])
def test_the_published_scripts_to_play_and_to_explore_stay_small(blog, scripts, most):
    places = ("{}.*.js", "*/{}.js", "*/later/{}.js")  # the last two are those of extensions
    files = [file for name in scripts for each in places for file in blog.folder.glob(f"assets/{each.format(name)}")]

    assert len(files) == len(scripts)
    assert sum(map(weight, files)) <= most


def test_all_fonts_weigh_less_than_120_kb(blog):
    assert sum(file.stat().st_size for file in blog.folder.rglob("*.woff2")) < 120_000
