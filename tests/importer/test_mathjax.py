"""Formulas of MathJax become formulas of posts: macros are expanded, and what is no macro stays for the check."""

import pytest

from site_builder.importer.build_check import build_errors
from site_builder.importer.markdown.conversion import ConversionContext
from site_builder.importer.markdown.mathjax import convert_formula
from site_builder.importer.plan import plan_import
from site_builder.project.config import load_config


def converted(tex):
    return convert_formula(tex, False, ConversionContext("a.md", lambda link: link, "kramdown"))


@pytest.mark.parametrize(
    ("tex", "becomes"),
    [
        (r"\newcommand{\nl}{\\} a = b \nl c = d", r"$a = b \\ c = d$"),
        (r"\def\lb{\{} \lb 1, 2\}", r"$\{ 1, 2\}$"),
        (r"\def\rows#1{a \\ #1} \rows{b \\}", r"$a \\ b \\$"),
        (r"\def\set#1{|#1|} \set\{", r"$|\{|$"),
        (r"\def\half{0.5} a \\half b", r"$a \\half b$"),
    ],
)
def test_macros_are_expanded_where_backslashes_are_escaped_themselves(tex, becomes):
    assert converted(tex) == becomes


@pytest.mark.parametrize(
    ("tex", "becomes"),
    [
        (r"\newcommand{\x}{a + b \x", r"$\newcommand{\x}{a + b \x$"),
        (r"\newcommand{\nl}{\} a = b", r"$\newcommand{\nl}{\} a = b$"),
        (r"\def\half#1{\frac{#1}{2}} \half{x + \half{1}", r"$\half{x + \half{1}$"),
    ],
)
def test_a_definition_or_argument_whose_brace_is_never_closed_stays_in_the_text(tex, becomes):
    assert converted(tex) == becomes


def test_a_definition_whose_brace_is_never_closed_is_listed_with_its_line(project):
    project.write("2020-01-02-a.md", "---\ntitle: A\n---\nText.\n\n$$\\newcommand{\\x}{a + b$$\n")
    config = load_config(project.root)

    notes = build_errors(config, plan_import(config, project.root / "2020-01-02-a.md", "2020-01-02-a.md"))

    assert [str(note.place) for note in notes] == ["2020-01-02-a.md:6"]
    assert r"\newcommand{\x}{a + b" in notes[0].problem
