"""What the pages of a site share."""

import pytest

from site_builder.site.layout import direction
from site_builder.site.pages.all import make_pages
from tests.support.sites import PLAIN, brief, load_theme, make_site, write_theme


@pytest.mark.parametrize(
    ("language", "found"),
    [
        *[(tag, "rtl") for tag in ("ar", "he", "fa-IR", "ur", "yi", "az-Arab-IR", "AZ-arab", "pa-arab")],
        *[(tag, "ltr") for tag in ("en", "de-AT", "ar-Latn", "zh-Hans", "sr-Cyrl", "ca-1996")],
    ],
)
def test_lines_run_as_the_script_of_the_language_does(language, found):
    assert direction(language) == found


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


@pytest.mark.parametrize(
    ("other", "is_same"), [({"a": 1}, True), ({"a": 1, "c": 2}, True), ({"a": 2}, False), ({}, False)]
)
def test_a_page_has_another_key_where_a_value_of_extra_that_it_reads_has_changed(asking, other, is_same):
    before, after = built(asking, {"a": 1}), built(asking, other)
    before.render()
    after.learn(before.names)

    assert (after.key == before.key) is is_same


def test_a_value_of_extra_that_a_template_asked_for_in_vain_changes_the_key_once_it_is_there(asking):
    before, after = built(asking, {}), built(asking, {"b-c": {"d": [1, 2]}})
    before.render()
    after.learn(before.names)

    assert after.key != before.key
