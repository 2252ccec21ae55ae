"""progress, as a solver calls it."""

import pytest

from site_builder.contract import progress, progress_report


@pytest.fixture
def shares(monkeypatch):
    told = []
    monkeypatch.setattr(progress_report, "_listeners", [])
    progress_report.listen(told.append)
    return told


def test_the_listener_is_told_the_share(shares):
    progress(1, 4)
    progress(4, 4)

    assert shares == [0.25, 1]


def test_without_a_listener_nothing_happens(monkeypatch):
    monkeypatch.setattr(progress_report, "_listeners", [])

    progress(1, 4)

    assert progress_report._listeners == []


@pytest.mark.parametrize(("done", "total"), [(5, 4), (-1, 4), (0, 0), (float("nan"), 4)])
def test_no_other_numbers_are_taken(shares, done, total):
    with pytest.raises(ValueError, match="done must be between 0 and total"):
        progress(done, total)
    assert shares == []
