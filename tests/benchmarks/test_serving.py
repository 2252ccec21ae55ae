"""The measurement of the preview: its arithmetic, and that it believes no page without looking."""

import time

import pytest
import serving
from serving import NotServedError, Preview, told


class Pages(Preview):
    """A preview that shows these pages, one after the other."""

    def __init__(self, *pages):
        super().__init__(None, "", 0.0)
        self.pages = list(pages)

    def page(self, path):
        return self.pages.pop(0) if len(self.pages) > 1 else self.pages[0]


def test_a_row_has_the_median_and_both_ends_in_milliseconds():
    assert told("prose", [0.1, 0.3, 0.08]) == "| prose | 100 | 80 to 300 |"


def test_an_edit_is_served_when_the_page_has_its_words():
    done, began = [], time.perf_counter()

    took = Pages("old", "old", "old", "new words").until("", "new words", lambda: done.append(1))

    assert 0.02 <= took <= time.perf_counter() - began
    assert done == [1]


def test_a_page_that_never_follows_is_no_measurement(monkeypatch):
    monkeypatch.setattr(serving, "PATIENCE", 0.05)
    preview = Pages("old")
    preview.blog = type("Blog", (), {"engine": type("Engine", (), {"title": "It"})})

    with pytest.raises(NotServedError, match="It never showed 'new'"):
        preview.until("", "new", lambda: None)
