"""Commands of TeX that authors define: what they stand for, which formulas know them, and which are refused."""

import pytest

from site_builder.errors import Place
from site_builder.markup.placeholders import Placeholders
from site_builder.markup.tex.definitions import defining, written_out
from site_builder.markup.tex.mathml import TexError, convert
from site_builder.markup.typeset import formula

MACROS = {"E": r"\mathbb{E}", r"\abs": r"\lvert #1 \rvert"}


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"\E X", r"\mathbb{E} X"),
        (r"x^\E_\E", r"x^\mathbb{E}_\mathbb{E}"),
        (r"\abs{x + \abs y}", r"\lvert x + \lvert y \rvert \rvert"),
        (r"\newcommand{\R}{\mathbb{R}}\R", r"\mathbb{R}"),
        (r"\newcommand\R{\mathbb{R}}\R", r"\mathbb{R}"),
        (r"\renewcommand{\E}{e}\E", "e"),
        (r"\newcommand{\pr}[2]{P(#1 \mid #2)}\pr{A}B", r"P(A \mid B)"),
        (r"\def\half{\frac12}\half", r"\frac12"),
        (r"\def\pr#1#2{P(#1 \mid #2)}\pr{A}{B}", r"P(A \mid B)"),
        (r"\DeclareMathOperator{\Var}{Var}\Var(X)", r"\operatorname{Var}(X)"),
        (r"\DeclareMathOperator*{\am}{arg\,max}\am_x", r"\operatorname*{arg\,max}_x"),
        ("\\newcommand{\\R}{\n\\mathbb{R}}\n\\R", "\n\n\\mathbb{R}"),  # lines keep their numbers
        (r"\Ea \\ \{ \| \}", r"\Ea \\ \{ \| \}"),
    ],
)
def test_a_command_is_written_out_as_it_was_defined(tex, plain):
    with defining(MACROS):
        assert " ".join(written_out(tex).split(" ")).replace(" \\mathbb{R}", "\\mathbb{R}") == plain


def test_what_a_formula_defines_later_ones_of_the_text_know_and_other_texts_do_not():
    with defining({}):
        assert written_out(r"\newcommand{\R}{\mathbb{R}}") == ""
        assert written_out(r"\R") == r"\mathbb{R}"
    with defining({}):
        assert written_out(r"\R") == r"\R"
    assert written_out(r"\newcommand{\R}{x}\R") == r"\newcommand{\R}{x}\R"


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        (r"\newcommand{\a}{\b}\newcommand{\b}{\a}\a", r"\a is defined by itself"),
        (r"\abs", r"an argument of \abs is missing"),
        (r"\abs{x", r"an argument of \abs is missing or not closed"),
        (r"\newcommand{\a}{x", "an argument of a definition is missing or not closed"),
        (
            r"\newcommand{\a}[2]{#1#1#2#2}\newcommand{\b}[1]{\a{#1#1#1#1}{#1#1#1#1}}" + r"\b{" * 6 + "x" + "}" * 6,
            "too long",
        ),
    ],
)
def test_a_definition_that_cannot_be_written_out_is_refused(tex, message):
    with defining(MACROS), pytest.raises(TexError, match=message.replace("\\", "\\\\")):
        written_out(tex)


@pytest.mark.parametrize(
    ("tex", "cure"),
    [
        (r"\R", r"define it: \newcommand{\R}{\mathbb{R}} in the first formula"),
        (r"\abs x", r"define it: \newcommand{\abs}[1]{\lvert #1 \rvert} in the first formula"),
        (r"\newcommand{\x}[1][2]{y}", r"write \newcommand{\E}{\mathbb{E}}"),
    ],
)
def test_what_is_not_defined_is_refused_with_the_definition(tex, cure):
    with defining({}), pytest.raises(TexError) as raised:
        convert(written_out(tex), False)

    assert raised.value.cure.startswith(cure)


def test_a_formula_of_definitions_alone_shows_nothing():
    with defining({}):
        assert formula(r"\newcommand{\R}{\mathbb{R}}", True, Place("a"), Placeholders()).html == ""


@pytest.mark.parametrize(
    ("general", "tex"),
    [
        (r"\genfrac{(}{)}{0pt}{}{n}{k}", r"\binom{n}{k}"),
        (r"\genfrac(){0pt}0nk", r"\dbinom{n}{k}"),
        (r"\genfrac{}{}{}{1}{n}{k}", r"\tfrac{n}{k}"),
        (r"\genfrac{[}{]}{0pt}{}{n}{k}", r"{n \brack k}"),
        (r"\genfrac{}{}{0pt}{}{n}{k}", r"{n \atop k}"),
    ],
)
def test_a_general_fraction_is_the_one_with_its_delimiters_line_and_style(general, tex):
    assert convert(general, False) == convert(tex, False)


@pytest.mark.parametrize("tex", [r"\genfrac{(}{]}{0pt}{}{n}{k}", r"\genfrac{}{}{2pt}{}{n}{k}", r"\genfrac{}{}"])
def test_another_general_fraction_is_refused(tex):
    with pytest.raises(TexError, match="is not supported"):
        convert(tex, False)


def test_words_in_a_box_and_the_sign_of_a_definition():
    assert convert(r"\fbox{in words}", False).text == convert(r"\boxed{\text{in words}}", False).text
    assert convert(r"p \coloneqq q", False).text == "p ≔ q"


def test_a_post_and_the_site_define_commands_and_a_change_makes_the_texts_anew(project):
    config = (project.root / "config.yaml").read_text()
    project.write("config.yaml", config + "macros: {abs: '\\lvert #1 \\rvert', E: e}\n")
    front = "macros: {E: '\\mathbb{E}'}\n"
    project.post("$\\newcommand{\\R}{\\mathbb{R}}\\abs{\\E X}$ and $\\R$.\n", title="On $\\E$", front=front)
    project.build()
    page = project.page("posts/ruin/index.html")

    project.write("config.yaml", config + "macros: {abs: '[#1]'}\n")
    project.build()

    assert 'alttext="|𝔼X|"' in page
    assert 'alttext="ℝ"' in page
    assert "<h1>On <math" in page.replace(' class="title"', "")
    assert 'alttext="[𝔼X]"' in project.page("posts/ruin/index.html")


def test_a_name_that_is_none_of_a_command_is_refused_at_its_line(project):
    project.post("Text.\n", front="macros: {E1: x}\n")

    assert "E1 is no name of a command of TeX, such as E or abs" in project.build(status=1).err.replace("'", "")
