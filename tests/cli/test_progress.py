"""How far a build is, in words."""

import io

from site_builder.cli import progress


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
        "Solving: 310 of 2,000",
        "Solving: 620 of 2,000",
    ]
