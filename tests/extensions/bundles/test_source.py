"""`{{ source(solver, name) }}` in a post: code of the solvers of its runs, as it ran."""

from types import SimpleNamespace

import pytest

from site_builder.errors import PostError
from site_builder.extension import Registry, Site, SolverCode
from site_builder.extensions.bundles.extend import extend
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


COIN = b"def play():\n    return 1\n\n\ndef play():\n    return 2\n"
RULES = b"def play():\n    return 3\n\n\ndef toss():\n    return 4\n"


@pytest.fixture
def shown(tmp_path):
    """The function, on a page whose run has a solver of several modules."""
    files = {f"solvers/coinball/{name}.py": code for name, code in {"rules": RULES, "coin": COIN}.items()}
    page = SimpleNamespace(results={"main": None}, facts=lambda _: SimpleNamespace(code=lambda: SolverCode(files, {})))
    registry = Registry()
    extend(Site("bundles", tmp_path, registry))
    source = registry.of("function")["source"].value
    return lambda name: source("coinball", name, page)


def test_a_name_is_that_of_the_first_module_and_its_last_definition(shown):
    assert shown("play") == shown("coin.play").replace("coin.play", "play")
    assert [Html(shown(name)).all("div", role="region")[0].text.split()[-1] for name in ("play", "rules.play")] == [
        "2",
        "3",
    ]


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("nothing", "there is: play, toss"),
        ("rules.tos", "did you mean 'rules.toss'?"),
        ("tos", "did you mean 'toss'?"),
        ([1], "there is: play, toss"),
    ],
)
def test_an_unknown_name_has_the_nearest_one_of_its_form_in_its_cure(shown, name, cure):
    with pytest.raises(PostError) as raised:
        shown(name)

    assert (raised.value.message, raised.value.cure) == (f"solver 'coinball' has no {str(name)!r} to show", cure)
