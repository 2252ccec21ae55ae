"""How far a build is, in words."""

import io

import pytest

from site_builder.cli import progress


@pytest.mark.parametrize(
    ("seconds", "done", "steps", "said"),
    [
        (60, 250, 1000, "3:00 left"),  # a quarter in a minute: three more
        (10, 1, 2, "0:10 left"),
        (4, 1, 2, ""),  # too soon to say
        (60, 0, 1000, ""),
        (60, 1000, 1000, ""),
    ],
)
def test_the_time_that_is_left(seconds, done, steps, said):
    assert progress.shown_left(seconds, done, steps) == said


def test_a_long_stage_has_a_line_twice_a_minute(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    stream = io.StringIO()
    with progress.report_on(stream) as report:
        report.stage("Solving", 2000)
        for _ in range(90):
            now[0] += 1
            report.step(10)

    assert stream.getvalue().splitlines() == [
        "Solving: 2000",
        "Solving: 310 of 2,000, 2:49 left",  # 31 s for 310: 169 s for 1,690
        "Solving: 620 of 2,000, 2:18 left",
    ]
