"""The table of all answers, in the hands of a reader."""

import pytest

from tests.conftest import deep


@pytest.mark.parametrize("scripts", [deep(True), False])
def test_an_answer_is_seen_when_its_fold_is_opened(look, blog, scripts):
    page = look(blog.address + "answers/", java_script_enabled=scripts).page
    folds = page.locator("tbody details")
    assert [each.inner_text() for each in folds.all()] == [each.inner_text() for each in page.locator("summary").all()]

    folds.first.locator("summary").click()

    assert len(folds.first.inner_text()) > len(folds.first.locator("summary").inner_text())
    assert page.locator("tbody tr").count() == 5
