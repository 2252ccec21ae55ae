"""What README.md and docs/ show of the builder's own extensions is real: commands, modules, code."""

import re

import pytest

from tests.conftest import ROOT
from tests.test_docs import COMMANDS, page
from tests.test_docs_examples import (
    EXTENSIONS,
    PAGES,
    bare,
    command_lines,
    fences,
    missing_modules,
    run_python,
    take,
)


def test_every_file_that_the_page_on_architecture_names_is_there():
    named = re.findall(r"`([\w./-]*/[\w./-]*)`", bare(ROOT / "docs" / "architecture.md"))

    assert len(named) > 20
    assert [
        name for name in named if not any((folder / name).exists() for folder in (ROOT, ROOT / "site_builder"))
    ] == []


def test_every_command_is_documented_in_the_order_and_the_words_of_the_help():
    rows = [(name, command.get_short_help_str(1000)) for name, command in COMMANDS.items() if not command.hidden]

    sections = re.findall(r"^## (\w+)\n\n(.+)$", page("commands.md"), re.MULTILINE)
    assert [name for name, _ in sections] == [name for name, _ in rows]
    assert [text for (_, text), (_, short) in zip(sections, rows, strict=True) if not text.startswith(short)] == []


@pytest.mark.parametrize("line", command_lines(of_extensions=True))
def test_a_command_line_is_one_that_is_taken(line):
    assert take(line) in COMMANDS


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_module_of_an_extension_that_is_named_is_there(path):
    assert missing_modules(path, of_extensions=True) == []


@pytest.mark.parametrize("text", [each for each in fences("python") if EXTENSIONS[1] in each.values[0]])
def test_python_is_what_the_contract_takes(text):
    assert run_python(text)  # what it defines
