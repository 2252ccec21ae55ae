"""Figures of matplotlib from the solver to the page: an example and those of the documentation, changed and broken."""

import re

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs/solver-contract.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PICTURE = '''\
from site_builder.contract import Drawing


def figure_bars(by_heads):
    """The wait

    Bars that grow to the right.
    """
    import matplotlib.pyplot as plt

    plt.bar(range(len(by_heads)), [float(each) for each in by_heads])
    return Drawing(plt.gcf(), data={"flips": by_heads})
'''
TEXT = "\n\n".join([*BLOCKS[:2], PICTURE])  # solve, its check, and the picture
FIGURE = 1 + next(number for number, line in enumerate(TEXT.splitlines()) if line.startswith("def figure_bars"))
RETURN = 'return Drawing(plt.gcf(), data={"flips": by_heads})'


def write(project, text=TEXT, shown="results.game.figures.bars"):
    project.write("solvers/heads_in_a_row.py", text)
    project.post(f"{{{{ figure({shown}) }}}}\n", front="runs:\n  game: {solver: heads_in_a_row}\n")
    return project


def files(project):
    return sorted(path.name for path in (project.root / "_site").glob("posts/ruin/figures/*"))


def page(project):
    return (project.root / "_site/posts/ruin/index.html").read_text("utf-8")


def test_a_figure_of_matplotlib_has_all_files_and_follows_its_code(project):
    write(project).build()
    before = files(project)

    assert [name.rpartition(".")[2] for name in before].count("svg") == 2
    assert {name.rpartition(".")[2] for name in before} >= {"svg", "png", "csv"}
    assert 'alt="Bars that grow to the right."' in page(project)
    assert '<strong class="caption-title" id="game-bars-title">The wait</strong>' in page(project)
    write(project, TEXT.replace("by_heads])", 'by_heads], color="teal")')).build()
    assert len(set(files(project)) - set(before)) == 3  # the data are as they were
    write(project, TEXT.replace("Bars that grow", "Columns that grow")).build()
    assert 'alt="Columns that grow to the right."' in page(project)


@pytest.mark.parametrize(
    ("new", "line", "message"),
    [
        ("raise ValueError('no dice')", 8, "ValueError: no dice"),
        ("plt.title('$x_$'); return plt.gcf()", 0, "found end of text"),
        ("plt.show()", 0, "figure_bars draws with pyplot and returns nothing"),
        ("return plt.figure()", 0, "figure_bars returns an empty figure"),
        ("return [plt.gcf()]", 0, "figure_bars returned a list, which is no figure"),
    ],
)
def test_a_figure_that_cannot_be_shown_is_an_error_at_its_line(project, new, line, message):
    assert RETURN in TEXT

    ran = write(project, TEXT.replace(RETURN, new)).build(status=1)

    assert message in ran.err
    assert f"solvers/heads_in_a_row.py:{FIGURE + line}: " in ran.err


@pytest.mark.parametrize(
    ("drawn", "same"),
    [
        ("plt.plot(__import__('random').sample(range(99), 9))", False),
        ("plt.plot(__import__('random').Random(1).sample(range(99), 9))", True),
        ("plt.title(hash('three'))", False),
    ],
)
def test_check_draws_a_figure_once_more_and_names_one_that_differs(project, drawn, same):
    write(project, TEXT.replace(RETURN, f"{drawn}; return plt.gcf()")).build()

    ran = project.run("check", status=0 if same else 1)

    assert ("figure_bars of solver 'heads_in_a_row' draws another picture when it is called again" in ran.err) != same
    assert ("mend: chance needs a fixed seed, such as default_rng(1)" in ran.err) != same


def test_a_figure_without_alternative_is_an_error_of_the_post_which_may_have_one(project):
    text = TEXT.replace("\n\n    Bars that grow to the right.\n    ", "")

    ran = write(project, text).build(status=1)
    write(project, text, "results.game.figures.bars, alt='Bars.'").build()

    assert "content/posts/ruin.md:7: the figure 'The wait' has no text alternative (alt)" in ran.err
    assert 'write it here, figure(..., alt="' in ran.err
    assert 'alt="Bars."' in page(project)


def test_a_figure_that_no_reader_sees_needs_no_alternative(project):
    text = TEXT.replace("\n\n    Bars that grow to the right.\n    ", "")
    figure = "{{ figure(results.game.figures.bars) }}"

    project = write(project, text, "results.game.figures.bars, alt='Bars.'")
    path = project.root / "content/posts/ruin.md"
    path.write_text(
        path.read_text("utf-8") + f"\n<!-- {figure} -->\n\n{{% set kept %}}{figure}{{% endset %}}\n", "utf-8"
    )

    project.build()

    assert page(project).count('alt="Bars."') == page(project).count("alt=") == 1


def test_all_figures_of_a_post_without_alternative_are_named_at_once_and_beside_other_errors(project):
    text = TEXT.replace("\n\n    Bars that grow to the right.\n    ", "")
    figure = "{{ figure(results.game.figures.bars) }}"

    project = write(project, text)
    path = project.root / "content/posts/ruin.md"
    path.write_text(path.read_text("utf-8") + f"\n{figure}\n\nWords {figure} words.\n", "utf-8")
    ran = project.build(status=1)

    assert ran.err.count("has no text alternative (alt)") == 3
    assert "content/posts/ruin.md:9: the figure 'The wait' has" in ran.err
    assert "content/posts/ruin.md:11: this stands in the middle of a paragraph" in ran.err


def test_a_figure_of_which_no_code_imports_matplotlib_is_refused(project):
    hidden = TEXT.replace("import matplotlib.pyplot as plt", 'plt = __import__("matplot" + "lib.pyplot").pyplot')

    ran = write(project, hidden).build(status=1)

    assert "figure_bars returns a figure of matplotlib, which no module of the solver imports" in ran.err
    assert "write import matplotlib.pyplot as plt" in ran.err


def test_the_evidence_and_check_say_what_was_not_compared_and_what_readers_may_miss(project):
    text = TEXT.replace(RETURN, "plt.title('\N{GAME DIE}'); return plt.gcf()")

    write(project, text).build()
    ran = project.run("check")

    assert "numbers are not compared with the results: figures.bars." in re.sub(r"\s+", " ", page(project))
    assert "game.figures.bars: drawn without data, its numbers are not compared" in ran.out
    assert "md: figure game-bars: the PNG shows a box for each of \N{GAME DIE}, which its font does not have" in ran.out


def test_numbers_in_data_that_no_field_has_are_named(project):
    text = TEXT.replace(RETURN, 'return Drawing(plt.gcf(), data={"flips": [0.7, *by_heads]})')

    ran = write(project, text).build()

    assert "the figure results.game.figures.bars shows numbers of its own: 0.7" in ran.err


def test_the_figures_of_the_documentation_are_drawn_from_checked_answers(project):
    page = (ROOT / "docs/drawings.md").read_text("utf-8")
    project.write("solvers/throws.py", re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1])
    pictures = re.findall(r"^!\[.+\]\(drawing-(\w+)\.png\)$", page, re.MULTILINE)
    text = "\n\n".join(f"{{{{ figure(results.throws.figures.{name}) }}}}" for name in pictures)

    project.post(f"{text}\n", front="runs:\n  throws: {solver: throws}\n")
    project.build()
    ran = project.run("check")

    assert len(pictures) == 4
    assert {name.partition(".")[0] for name in files(project) if name.endswith(".png")} == {
        f"throws-{name}" for name in pictures
    }
    assert "px high" not in ran.out


def test_figures_of_matplotlib_may_be_the_steps_of_a_figure(project):
    steps = '''

def figure_steps(look):
    """A state at a time."""
    import matplotlib.pyplot as plt

    from site_builder.contract import Frames

    return Frames("Steps", [(f"step {n}", plt.figure().text(0.5, 0.5, str(n))) for n in (1, 2)], alt="Two steps.")
'''
    write(project, TEXT + steps, "results.game.figures.steps").build()

    assert sorted(name.split(".")[0] for name in files(project) if name.endswith(".svg")) == [
        "game-steps", "game-steps-narrow", "game-steps-step-2", "game-steps-step-2-narrow",
    ]  # fmt: skip
