"""Drawings of solvers from the solver to the files: the example of docs/solver-contract.md, changed and broken."""

import re

import pytest

from tests.conftest import ROOT

SOLVER, PICTURE = re.findall(
    r"^```python\n((?:\"\"\"How many|from collections.abc import Mapping).*?)^```$",
    (ROOT / "docs/solver-contract.md").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)
TEXT = f"{SOLVER}\n\n{PICTURE}"
FIGURES = 1 + max(n for n, line in enumerate(TEXT.splitlines()) if line.startswith("def figures"))
LINE = TEXT.splitlines().index(next(line for line in PICTURE.splitlines() if line.startswith("def draw_states"))) + 1


def write(project, text=TEXT):
    project.write("solvers/heads_in_a_row.py", text)
    project.post("{{ figure(results.game.figures.states) }}\n", front="runs:\n  game: {solver: heads_in_a_row}\n")
    return project


def files(project):
    return sorted(path.name for path in (project.root / "_site").glob("posts/ruin/figures/*"))


def test_the_example_of_the_contract_has_all_files_and_follows_its_code(project):
    write(project).build()
    before = files(project)

    assert [name.rpartition(".")[2] for name in before].count("svg") == 2
    assert {name.rpartition(".")[2] for name in before} >= {"svg", "png", "csv"}
    write(project, TEXT.replace("rad=0.5", "rad=0.4")).build()
    assert len(set(files(project)) - set(before)) == 3  # the data are as they were


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            "            draw_states,\n",
            "            lambda *_: 1,\n",
            FIGURES,
            "draw is figures.<locals>.<lambda>, which is no function",
        ),
        ('axes.axis("off")', "axes.plot(np.random.default_rng().random(3))", LINE, "draws another picture"),
        ('axes.axis("off")', "axes.text(0, 0, 'tiny', fontsize=9)", LINE, "writes 'tiny' 9 px high"),
        ('axes.axis("off")', "raise ValueError('no dice')", LINE + 4, "ValueError: no dice"),
    ],
)
def test_a_function_that_may_not_be_shown_is_an_error_at_its_line(project, old, new, line, message):
    assert old in TEXT

    ran = write(project, TEXT.replace(old, new)).build(status=1)

    assert message in ran.err
    assert f"solvers/heads_in_a_row.py:{line}: " in ran.err


def test_a_solver_that_makes_a_drawing_without_naming_the_class_is_told_to_import_it(project):
    hidden = "from site_builder import contract\n" + re.sub(r", Drawing\b|\bDrawing, ", "", TEXT, count=1)
    hidden = re.sub(r"\bDrawing\(", 'getattr(contract, "Draw" + "ing")(', hidden)

    ran = write(project, hidden).build(status=1)

    assert "the figure 'states' is a Drawing, and no file of the solver names that class" in ran.err
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
    steps = """    figure = {}
    for n in (1, 2):
        state = Drawing(f"State {n}", {"n": n}, draw_step, "c", alt=f"Step {n}.")
        figure[f"step {n}"] = state
    return {"states": Frames("States", tuple(figure.items()), alt="Two steps.")}


def draw_step(figure, data, look):
    figure.add_axes((0, 0, 1, 1)).plot([0, data["n"]])


def _unused(result):
"""
    text = TEXT.replace("import Drawing,", "import Drawing, Frames,")
    head = re.findall(r"^def figures.*\n", text, re.MULTILINE)[-1]
    write(project, text.replace(head, head + steps)).build()

    assert sorted(name.split(".")[0] for name in files(project) if name.endswith(".svg")) == [
        "game-states", "game-states-narrow", "game-states-step-2", "game-states-step-2-narrow",
    ]  # fmt: skip
