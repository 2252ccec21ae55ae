"""Messages to authors: the program and its documentation as the author has them."""

import re

import pytest

from site_builder import errors
from tests.conftest import ROOT


def test_a_checkout_says_python_build_py_and_names_its_own_docs():
    assert errors.command_line("accept ruin") == "python build.py accept ruin"
    assert errors.guide("theming") == "docs/theming.md"


def test_an_installed_program_says_puzzlepress_and_where_its_docs_are(monkeypatch):
    monkeypatch.setattr(errors, "_IN_CHECKOUT", False)

    assert errors.command_line("accept ruin") == "puzzlepress accept ruin"
    assert errors.guide("theming") == str(ROOT / "site_builder/docs/theming.md")


# The pages of a site do not depend on the installation.
OTHERS = ("errors.py", "evidence.py")
MODULES = [path for path in (ROOT / "site_builder").rglob("*.py") if path.name not in OTHERS]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_message_writes_the_program_for_one_of_both(path):
    assert not re.findall(r"python build\.py \w+|puzzlepress (?:build|check|accept|theme) ", path.read_text("utf-8"))
