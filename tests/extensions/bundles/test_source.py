"""`{{ source(solver, name) }}` in a post: code of the solvers of its runs, as it ran."""

import pytest

from tests.conftest import RUIN
from tests.support.html import Html

SHOWN = 'A text.\n\n{{ source("gamblers_ruin", "solve") }}\n'


def listing(project):
    page = Html(project.page("posts/ruin/index.html"))
    (found,) = page.all("figure", **{"class": "source"})
    return found.text


def test_the_code_that_ran_is_shown_with_its_file_and_its_decorators(project):
    project.write(
        "solvers/gamblers_ruin.py", f"from functools import cache\n{RUIN}\n\n@cache\ndef half():\n    return 0.5\n"
    )
    project.post(SHOWN.replace('"solve"', '"half"'))

    project.build()

    assert " ".join(listing(project).split()) == "solvers/gamblers_ruin.py, half @cache def half(): return 0.5"
    assert "half" in project.page("feed.xml")


def test_the_box_of_a_listing_can_be_reached_by_keyboard_and_is_named_without_markup(project):
    project.post(SHOWN)

    project.build()

    (box,) = Html(project.page("posts/ruin/index.html")).all("div", role="region", tabindex="0")
    assert box.attributes["aria-label"] == "Code: solvers/gamblers_ruin.py, solve"


def test_an_edit_of_a_comment_is_shown_and_solves_nothing(project):
    project.post(SHOWN)
    project.build()
    project.write("solvers/gamblers_ruin.py", RUIN.replace("    ratio = ", "    # newer\n    ratio = ", 1))

    ran = project.build("--explain")

    assert "# newer" in listing(project)
    assert "text: written, code of solver 'gamblers_ruin' changed" in ran.out
    assert "solve" not in ran.out.replace("solver", "")


def test_of_two_functions_with_one_name_the_last_is_shown_which_runs(project):
    project.write("solvers/gamblers_ruin.py", f"def solve():\n    return 'first'\n\n\n{RUIN}")
    project.post(SHOWN)

    project.build()

    assert "'first'" not in listing(project)


def test_code_that_a_solver_imports_is_shown_by_module_and_name(project):
    project.write("solvers/common/moves.py", 'def step(n):\n    """Up."""\n    return n + 1\n')
    imported = "from solvers.common.moves import step\n"
    project.write(
        "solvers/gamblers_ruin.py", f"{imported}{RUIN}".replace("    ratio = ", "    step(1)\n    ratio = ", 1)
    )
    project.post(SHOWN.replace('"gamblers_ruin", "solve"', '"common", "moves.step"'))

    project.build()

    assert " ".join(listing(project).split()) == 'solvers/common/moves.py, step def step(n): """Up.""" return n + 1'


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("source('gamblers_ruin', 'sove')", "has no 'sove' to show\n    mend: did you mean 'solve'?"),
        ("source('gambler_ruin', 'solve')", "no run of the post has a solver named 'gambler_ruin'\n    mend: did you"),
    ],
)
def test_a_name_that_is_not_there_is_named_at_its_line(project, call, error):
    project.post(f"A text.\n\n{{{{ {call} }}}}\n")

    assert error in project.build(status=1).err
