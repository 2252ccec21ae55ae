"""Drawings of solvers from the solver to the files: the example of docs/solver-contract.md, changed and broken."""

import re

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs/solver-contract.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PICTURE = next(block for block in BLOCKS if "def draw_bars" in block)
TEXT = "\n\n".join([*BLOCKS[:2], PICTURE])  # solve, its check, and the picture


def line_of(start):
    return 1 + next(number for number, line in enumerate(TEXT.splitlines()) if line.startswith(start))


FIGURE, DRAW = line_of("def figure_bars"), line_of("def draw_bars")


def write(project, text=TEXT):
    project.write("solvers/heads_in_a_row.py", text)
    project.post("{{ figure(results.game.figures.bars) }}\n", front="runs:\n  game: {solver: heads_in_a_row}\n")
    return project


def files(project):
    return sorted(path.name for path in (project.root / "_site").glob("posts/ruin/figures/*"))


def test_the_example_of_the_contract_has_all_files_and_follows_its_code(project):
    write(project).build()
    before = files(project)

    assert [name.rpartition(".")[2] for name in before].count("svg") == 2
    assert {name.rpartition(".")[2] for name in before} >= {"svg", "png", "csv"}
    write(project, TEXT.replace("color=look.accent", "color=look.ink")).build()
    assert len(set(files(project)) - set(before)) == 3  # the data are as they were


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            "data, draw_bars,",
            "data, lambda *_: 1,",
            FIGURE,
            "draw is figure_bars.<locals>.<lambda>, which is no function",
        ),
        ('axes.axis("off")', "axes.plot(np.random.default_rng().random(3))", DRAW, "draws another picture"),
        ('axes.axis("off")', "axes.text(0, 0, 'tiny', fontsize=9)", DRAW, "writes 'tiny' 9 px high"),
        ('axes.axis("off")', "raise ValueError('no dice')", DRAW + 3, "ValueError: no dice"),
    ],
)
def test_a_function_that_may_not_be_shown_is_an_error_at_its_line(project, old, new, line, message):
    assert old in TEXT

    ran = write(project, TEXT.replace(old, new)).build(status=1)

    assert message in ran.err
    assert f"solvers/heads_in_a_row.py:{line}: " in ran.err


def test_a_solver_that_makes_a_drawing_without_naming_the_class_is_told_to_import_it(project):
    named = TEXT.replace("import Drawing, Grid", "import Grid")
    hidden = named.replace("import numpy as np\n", "import numpy as np\n\nfrom site_builder import contract\n")
    hidden = re.sub(r"\bDrawing\(", 'getattr(contract, "Draw" + "ing")(', hidden)

    ran = write(project, hidden).build(status=1)

    assert "the figure 'bars' is a Drawing, and no file of the solver names that class" in ran.err
    assert "from site_builder.contract import Drawing" in ran.err


def test_the_five_pictures_of_the_documentation_are_drawn_from_checked_answers(project):
    page = (ROOT / "docs/drawings.md").read_text("utf-8")
    project.write("solvers/pig.py", "\n\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)))
    pictures = re.findall(r"^!\[.+\]\(drawing-(\w+)\.png\)$", page, re.MULTILINE)
    text = "\n\n".join(f"{{{{ figure(results.pig.figures.{name}) }}}}" for name in pictures)

    project.post(f"{text}\n", front="runs:\n  pig: {solver: pig}\n")
    project.build()

    assert len(pictures) == 5
    assert {name.partition(".")[0] for name in files(project) if name.endswith(".png")} == {
        f"pig-{name}" for name in pictures
    }


def test_drawings_may_be_the_steps_of_a_figure(project):
    steps = '''

def draw_step(figure, data, look):
    figure.add_axes((0, 0, 1, 1)).plot([0, data["n"]])


def figure_steps(heads):
    """A state at a time."""
    states = [(f"step {n}", Drawing(f"State {n}", {"n": n}, draw_step, "c", alt=f"Step {n}.")) for n in (1, 2)]
    return Frames("Steps", states, alt="Two steps.")
'''
    text = TEXT.replace("import Drawing, Grid", "import Drawing, Frames, Grid") + steps
    write(project, text)
    project.post("{{ figure(results.game.figures.steps) }}\n", front="runs:\n  game: {solver: heads_in_a_row}\n")
    project.build()

    assert sorted(name.split(".")[0] for name in files(project) if name.endswith(".svg")) == [
        "game-steps", "game-steps-narrow", "game-steps-step-2", "game-steps-step-2-narrow",
    ]  # fmt: skip
