"""What the pages of a site share."""

import base64
import hashlib

import pytest

from site_builder.errors import SiteError
from site_builder.site.layout import Head, Layout, plain
from site_builder.site.pages.all import make_pages
from tests.support.html import Html
from tests.support.sites import PLAIN, brief, load_theme, make_site, write_theme


def built(root, extra):
    """The page of a post, with the digests of all pages, for these values of `extra:`."""
    pages = {page.path: page for page in make_pages(make_site(load_theme(root), [brief()], settings={"extra": extra}))}
    return pages["posts/a/index.html"]


@pytest.fixture
def asking(tmp_path):
    template = "{{ extra.a if extra.a is defined else 'none' }}, {{ extra['b-c'].d[1] if extra['b-c'] is defined }}"
    write_theme(tmp_path, PLAIN | {"post.html": template})
    return tmp_path


@pytest.mark.parametrize(
    ("extra", "shown"),
    [({}, b"none, "), ({"a": 1}, b"1, "), ({"a": "x", "b-c": {"d": [1, 2]}}, b"x, 2"), ({"other": 1}, b"none, ")],
)
def test_values_of_extra_reach_templates(asking, extra, shown):
    assert built(asking, extra).render() == shown


@pytest.mark.parametrize(("other", "is_same"), [({"a": 1}, True), ({"a": 2}, False), ({"b": 1}, False), ({}, False)])
def test_a_page_has_another_key_where_a_value_of_extra_has_changed(asking, other, is_same):
    assert (built(asking, other).key == built(asking, {"a": 1}).key) is is_same


META = '<meta http-equiv="Content-Security-Policy" content="{}">'
HEAD = META.format("script-src 'self' {{ script_hash('theme.js') }}")
SCRIPTED = PLAIN | {
    "base.html": f'<head>{HEAD}<script>{{{{ inline_script("theme.js") }}}}</script></head>',
    "assets/theme.js": "if (1 < 2 && 'a') show()\n",
}


def head_of(root):
    """The elements of the page for unknown addresses, rendered from the theme in a folder."""
    layout = Layout(make_site(load_theme(root), [brief()]))
    return Html(layout.render("404.html", Head("404", "404.html", plain("Lost"))).decode())


def test_a_policy_allows_the_script_that_is_part_of_the_page(tmp_path):
    write_theme(tmp_path, SCRIPTED | {"404.html": "{% extends 'base.html' %}"})

    page = head_of(tmp_path)

    (script,), (meta,) = page.all("script"), page.all("meta")
    assert script.text == SCRIPTED["assets/theme.js"]
    found = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert meta.attributes["content"] == f"script-src 'self' 'sha256-{found}'"


def test_a_page_has_another_key_where_the_script_that_it_contains_has_changed(tmp_path):
    write_theme(tmp_path, SCRIPTED | {"404.html": "{% extends 'base.html' %}"})
    before = {page.path: page.key for page in make_pages(make_site(load_theme(tmp_path), []))}
    write_theme(tmp_path, {"assets/theme.js": "other()\n"})
    after = {page.path: page.key for page in make_pages(make_site(load_theme(tmp_path), []))}

    assert after["404.html"] != before["404.html"]


def test_a_script_that_is_not_there_is_an_error_at_the_line_of_its_template(tmp_path):
    write_theme(tmp_path, SCRIPTED | {"404.html": "\n{{ inline_script('other.js') }}"})

    with pytest.raises(SiteError, match=r"templates/404\.html:2: LookupError: there is no file templates/assets/other"):
        head_of(tmp_path)
