"""What is refused in the text of a post before Markdown reads it. Fences and formulas: test_segments.py."""

import pytest

from site_builder.markup.syntax_check import syntax_errors


@pytest.mark.parametrize(
    ("text", "problem", "cure"),
    [
        (r"A \\(x\\) b", "this TeX is no formula", r"write $…$ or \(…\)"),
        ("\\\\[\nx\n\\\\]", "has two backslashes", "$$…$$"),
        (r"A \[x = y\] b", "ends within a line", r"\[…\] from the beginning of a line"),
        ("\\[\nx\n\n", "after an empty line", r"\[…\] from"),
        ("\\begin{align}\nx\n\\end{align}", "it stands outside one", "$$…$$"),
        (r"He \(the player\) wins.", "is a formula, and looks like money or words", "brackets around words"),
        (r"\[Applause\]", "is a formula, and looks like money or words", "brackets around words"),
    ],
)
def test_what_another_blog_would_show_as_a_formula_or_as_text_is_refused_with_its_line(text, problem, cure):
    ((line, found, mend),) = syntax_errors(f"Words.\n\n{text}\n")

    assert line == 3
    assert problem in found
    assert cure in mend


@pytest.mark.parametrize("text", [r"An $\alpha + 1 $ here.", r"An $ \alpha + 1$ here.", r"An $ \alpha + 1 $ here."])
def test_a_formula_with_a_space_beside_its_dollars_is_refused(text):
    ((line, found, cure),) = syntax_errors(f"Words.\n\n{text}\n")

    assert line == 3
    assert "is no formula, since a space stands beside a dollar sign" in found
    assert cure.startswith(r"write $\alpha + 1$, or")


@pytest.mark.parametrize("text", ["From $ 5 to $ 6.", r"\$ \alpha $", r"$\alpha$ and $\beta$", "`$ \\alpha $`"])
def test_sums_of_money_and_formulas_beside_each_other_are_no_error(text):
    assert syntax_errors(f"{text}\n") == []


def test_a_note_within_the_text_as_in_pandoc_is_refused_with_the_form_that_is_read():
    ((line, found, cure),) = syntax_errors("Words.\n\nThey win^[By *one* coin.] often.\n")

    assert (line, found) == (3, "a note stands in the text: ^[By *one* coin.]")
    assert cure == "write [^1] there, and on a line [^1]: By *one* coin."
    assert syntax_errors("A note[^1], x^[a]^, `^[b c]`, \\^[d e] and $x^[2]$.\n\n[^1]: Here.\n") == []


@pytest.mark.parametrize(
    "text", [r"A \[^x], \[the player\] and \[b\](c).", r"`\\(x\\)` and `\begin{align}`", r"\(x_{max} + \text{a word}\)"]
)
def test_escaped_brackets_code_and_formulas_are_no_error(text):
    assert syntax_errors(f"{text}\n") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("or US$20, or 5$ against", "$20, or 5$ is a formula, and looks like money or words"),
        ("it is $2.50/$x$ with", "$2.50/$ is a formula, and looks like money or words"),
        ("then $x$1.", "$x$ is no formula, since a digit follows it"),
    ],
)
def test_money_that_would_be_a_formula_is_an_error_at_its_line(text, problem):
    # shared by many blogs, such as typora/typora-issues#1298 and jgm/pandoc#9192
    ((line, found, cure),) = syntax_errors(f"Words.\n\n{text}\n")

    assert line == 3
    assert problem in found
    assert "\\$" in cure


@pytest.mark.parametrize(
    "text",
    [
        "$4, more than $3.",
        "$1/2$ and $2^n$",
        "$3 ab$",
        r"$2 \text{ or } 3$",
        "$1 - p$",
        "US$20 and $x$",
        "$5-$10",
        "$0.5$",
    ],
)
def test_sums_and_formulas_that_are_read_as_they_are_meant_stay(text):
    assert syntax_errors(text) == []
