"""The simulation of docs/simulations.md, from the solver with its library to the post."""

import re

from tests.conftest import ROOT

PAGE = (ROOT / "docs/simulations.md").read_text("utf-8")
SOLVER, POST = (
    re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1] for kind in ("python", "markdown")
)


def test_the_simulation_is_checked_and_printed_with_its_error(project):
    project.write("solvers/walk.py", SOLVER)
    project.write("content/posts/bird.md", POST)

    project.run("check")
    project.build()

    page = (project.root / "_site/posts/bird/index.html").read_text("utf-8")
    assert "34.054" in page  # 0.340537 of all walks return: Finch, Mathematical Constants (2003), section 5.9
    assert (shown := re.search(r"`\{\{ results.walk.last \| estimate \}\}` as ([\d.]+ ± [\d.]+)", PAGE)[1]) in page
    assert shown.endswith("± 0.0033")
    assert re.search(r"alt=\"Curve of [^\"]*Error bars: ± 2 standard errors", page)
